// SPDX-License-Identifier: GPL-2.0
/*
 * The ingress buffer of a port, as arithmetic. A packet is charged to the shared
 * part if the shared part and the share of its priority have room. Otherwise it is
 * charged to the headroom of its priority, if the priority is lossless and the
 * headroom has room. Otherwise it is refused. A packet that leaves frees the
 * headroom first. Bytes move from the headroom to the shared part when that has
 * room.
 *
 * XOFF is sent at the threshold xoff, with the first byte in the headroom, and
 * after a refusal, because other priorities can have filled the shared part. XON is
 * sent at the threshold xon if the headroom is empty. A priority without bytes in
 * the buffer never sends XOFF: no packet would leave and end it.
 *
 * The configuration can change at any time. Charged packets stay charged, also if
 * they have no room in the new configuration.
 */
#include <linux/bits.h>

#include "fsm.h"

static u64 buffer_prio_used(const struct rf_buffer_prio *prio)
{
	return prio->shared + prio->headroom;
}

static bool buffer_charge(struct rf_buffer *buffer,
			  const struct rf_buffer_conf *conf, u32 i, u32 bytes)
{
	struct rf_buffer_prio *prio = &buffer->prio[i];

	if (prio->shared + bytes <= conf->prio[i].share &&
	    buffer->shared + bytes <= conf->shared) {
		prio->shared += bytes;
		buffer->shared += bytes;
		return true;
	}
	if (conf->lossless & BIT_ULL(i) &&
	    prio->headroom + bytes <= conf->prio[i].headroom) {
		prio->headroom += bytes;
		return true;
	}
	prio->refused = buffer_prio_used(prio);
	return false;
}

/**
 * rf_buffer_add - charge a packet to the buffer
 * @buffer: the buffer
 * @conf: its configuration
 * @prio: priority of the packet
 * @bytes: length of the packet
 *
 * Return: false if there is no room.
 */
bool rf_buffer_add(struct rf_buffer *buffer, const struct rf_buffer_conf *conf,
		   u32 prio, u32 bytes)
{
	struct rf_buffer_prio *p = &buffer->prio[prio];

	if (!buffer_charge(buffer, conf, prio, bytes))
		return false;
	buffer->used += bytes;
	if (buffer->peak < buffer->used)
		buffer->peak = buffer->used;
	if (p->peak < buffer_prio_used(p))
		p->peak = buffer_prio_used(p);
	return true;
}

/**
 * rf_buffer_remove - a packet leaves the buffer
 * @buffer: the buffer
 * @prio: priority of the packet, as in rf_buffer_add()
 * @bytes: length of the packet, as in rf_buffer_add()
 */
void rf_buffer_remove(struct rf_buffer *buffer, u32 prio, u32 bytes)
{
	struct rf_buffer_prio *p = &buffer->prio[prio];
	u64 first = p->headroom < bytes ? p->headroom : bytes;

	p->headroom -= first;
	p->shared -= bytes - first;
	buffer->shared -= bytes - first;
	buffer->used -= bytes;
}

static u64 buffer_room(u64 limit, u64 used)
{
	return limit > used ? limit - used : 0;
}

/* Move bytes from the headroom to the shared part, as far as that has room. */
static void buffer_free_headroom(struct rf_buffer *buffer,
				 const struct rf_buffer_conf *conf, u32 i)
{
	struct rf_buffer_prio *prio = &buffer->prio[i];
	u64 own = buffer_room(conf->prio[i].share, prio->shared);
	u64 all = buffer_room(conf->shared, buffer->shared);
	u64 bytes = own < all ? own : all;

	if (bytes > prio->headroom)
		bytes = prio->headroom;
	prio->headroom -= bytes;
	prio->shared += bytes;
	buffer->shared += bytes;
}

/**
 * rf_buffer_update_pfc_state - find out if XOFF or XON is due
 * @buffer: the buffer, after a change of its packets or of
 * @conf: its configuration
 * @prio: the priority
 *
 * Return: what is due; the caller sends it.
 */
enum rf_buffer_change rf_buffer_update_pfc_state(struct rf_buffer *buffer,
						 const struct rf_buffer_conf *conf,
						 u32 prio)
{
	const struct rf_buffer_prio_conf *limit = &conf->prio[prio];
	struct rf_buffer_prio *p = &buffer->prio[prio];
	bool lossless = conf->lossless & BIT_ULL(prio);
	u64 used = buffer_prio_used(p);

	buffer_free_headroom(buffer, conf, prio);
	if (buffer->xoff & BIT_ULL(prio)) {
		if (lossless && (p->headroom || used > limit->xon))
			return RF_BUFFER_NO_CHANGE;
		buffer->xoff &= ~BIT_ULL(prio);
		p->refused = false;
		return RF_BUFFER_XON;
	}
	if (!lossless || !used ||
	    (used < limit->xoff && !p->headroom && !p->refused))
		return RF_BUFFER_NO_CHANGE;
	buffer->xoff |= BIT_ULL(prio);
	return RF_BUFFER_XOFF;
}

/**
 * rf_buffer_reset_peaks - set the peaks to the present use
 * @buffer: the buffer
 */
void rf_buffer_reset_peaks(struct rf_buffer *buffer)
{
	u32 i;

	buffer->peak = buffer->used;
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		buffer->prio[i].peak = buffer_prio_used(&buffer->prio[i]);
}
