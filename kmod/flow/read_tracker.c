// SPDX-License-Identifier: GPL-2.0
/*
 * Recognises READ requests that ask for the rest of an earlier READ. A READ has as
 * many PSNs as responses. If a response is lost, rxe sends a READ request for the
 * rest, with the first missing PSN, a higher address and a shorter length: it
 * belongs to the same message.
 *
 * Its end and its R_Key are those of the earlier READ, and its length is shorter by
 * one MTU for each PSN. No packet has the MTU. But two consecutive READs show a
 * lower bound: all responses of the first READ have PSNs before the second. With
 * it, a new READ of the last part of the same memory is rarely taken for a rest.
 */
#include "flow.h"

#define MTU_MIN		256
#define MTU_MAX		4096

static u32 get32(const u8 *from)
{
	return (u32)from[0] << 24 | from[1] << 16 | from[2] << 8 | from[3];
}

/* RETH: address, R_Key, length (IBTA vol. 1, 9.3.3). */
static struct rf_read reads_find(u32 psn, const u8 *reth)
{
	u64 addr = (u64)get32(reth) << 32 | get32(reth + 4);
	u32 len = get32(reth + 12);

	addr += len;
	return (struct rf_read){
		.end = { addr, addr >> 32 },
		.rkey = get32(reth + 8),
		.len = len,
		.psn = psn,
	};
}

static u32 psns_between(const struct rf_read *old, const struct rf_read *new)
{
	return (new->psn - old->psn) & RF_PSN_MASK;
}

static bool reads_same_end(const struct rf_read *a, const struct rf_read *b)
{
	return a->end[0] == b->end[0] && a->end[1] == b->end[1] &&
	       a->rkey == b->rkey;
}

static bool reads_is_rest(const struct rf_read *new, const struct rf_read *old,
			  u32 mtu)
{
	u64 psns = psns_between(old, new);

	if (!reads_same_end(new, old) || !new->len || new->len >= old->len)
		return false;
	for (; mtu <= MTU_MAX; mtu *= 2)
		if (psns * mtu == old->len - new->len)
			return true;
	return false;
}

static bool reads_is_same(const struct rf_read *new, const struct rf_read *old)
{
	return reads_same_end(new, old) && new->len == old->len &&
	       new->psn == old->psn;
}

/* The PSNs from @old to @new have all responses of @old. */
static void reads_learn_mtu(struct rf_reads *reads, const struct rf_read *old,
			    const struct rf_read *new)
{
	u64 psns = psns_between(old, new);

	while (reads->mtu < MTU_MAX && psns * reads->mtu < old->len)
		reads->mtu *= 2;
}

static void reads_remember(struct rf_reads *reads, const struct rf_read *new)
{
	if (!reads->seen)
		reads->mtu = MTU_MIN;
	else
		reads_learn_mtu(reads, &reads->read[(reads->seen - 1) % RF_READS],
				new);
	reads->read[reads->seen++ % RF_READS] = *new;
}

/**
 * rf_reads_see - see a READ request
 * @reads: the READs of the flow, all zeros before the first one
 * @psn: its PSN
 * @reth: its RDMA extended header
 * @first: gets the first PSN of the earlier READ
 *
 * Context: any; the caller serialises.
 * Return: true if it asks for the rest of an earlier READ, whose message it belongs
 * to.
 */
bool rf_reads_see(struct rf_reads *reads, u32 psn,
		  const u8 reth[RF_RETH_LEN], u32 *first)
{
	u32 known = reads->seen < RF_READS ? reads->seen : RF_READS;
	const struct rf_read new = reads_find(psn, reth);
	u32 i;

	for (i = 0; i < known; i++) {
		if (reads_is_rest(&new, &reads->read[i], reads->mtu)) {
			*first = reads->read[i].psn;
			return true;
		}
		if (reads_is_same(&new, &reads->read[i]))
			return false;
	}
	reads_remember(reads, &new);
	return false;
}
