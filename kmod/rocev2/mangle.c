// SPDX-License-Identifier: GPL-2.0
/*
 * Writing into a packet. Others may hold the same bytes (a capture, a bridge
 * that floods), so they are made our own first; what follows is arithmetic on
 * a flat span.
 *
 * A UDP checksum, which RoCEv2 nearly always leaves out, would betray every
 * change to a receiver that looks at it before the ICRC. It is taken out.
 */
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/udp.h>
#include <net/ip.h>

#include "../compat/qdisc.h"
#include "mangle.h"
#include "icrc.h"
#include "packet.h"
#include "../port.h"
#include "../rule/ruleset.h"

/**
 * rf_edit_not - a packet that should have been changed stays as it is
 * @job: the packet
 *
 * Context: softirq or BH off.
 */
void rf_edit_not(struct rf_job *job)
{
	rf_stats_inc(job->side->stats, RF_STAT_UNCHANGED);
	job->rule->tally.unchanged++;
}

/**
 * rf_edit_begin - make the packet flat, and ours
 * @job: the packet
 *
 * Context: softirq or BH off.
 * Return: the byte that all offsets of the packet are counted from; NULL if
 * there is no memory, which is counted.
 */
u8 *rf_edit_begin(struct rf_job *job)
{
	struct sk_buff *skb = job->skb;
	struct udphdr *udp;

	if (skb_ensure_writable(skb, job->end)) {
		rf_edit_not(job);
		return NULL;
	}
	udp = (struct udphdr *)(skb->data + job->pkt->udp);
	if (udp->check) {
		udp->check = 0;
		skb->ip_summed = CHECKSUM_NONE;
	}
	/* A sum that the NIC took over the packet as it was. */
	if (skb->ip_summed == CHECKSUM_COMPLETE)
		skb->ip_summed = CHECKSUM_NONE;
	return skb->data;
}

/**
 * rf_edit_icrc - compute the ICRC anew
 * @job: a packet that was made flat
 *
 * Context: softirq or BH off.
 */
void rf_edit_icrc(struct rf_job *job)
{
	const struct rf_pkt *pkt = job->pkt;
	u8 *ip = job->skb->data + pkt->ip;
	u32 len = job->end - RF_ICRC_LEN - pkt->ip;

	u32 icrc = rf_icrc(ip, pkt->udp - pkt->ip, len);
	int i;

	for (i = 0; i < RF_ICRC_LEN; i++)
		ip[len + i] = icrc >> 8 * i;
}

/**
 * rf_edit_put - write a number in network order
 * @to: where
 * @value: the number
 * @bytes: how many bytes it has
 *
 * Context: any.
 */
void rf_edit_put(u8 *to, u32 value, int bytes)
{
	for (; bytes; value >>= 8)
		to[--bytes] = value;
}

/**
 * rf_edit_ip_check - compute the checksum of an IPv4 header anew
 * @ip: the header
 * @len: bytes of it, options included
 *
 * The length that stands in the header isn't used. A sender can change the pages
 * that it sends from (packet(7), PACKET_TX_RING) after the length was checked.
 *
 * Context: any.
 */
void rf_edit_ip_check(struct iphdr *ip, u32 len)
{
	ip->check = 0;
	ip->check = ip_fast_csum(ip, len / 4);
}

static void set_lengths(struct rf_job *job, u8 *data)
{
	const struct rf_pkt *pkt = job->pkt;
	struct udphdr *udp = (struct udphdr *)(data + pkt->udp);
	struct ipv6hdr *ip6 = (struct ipv6hdr *)(data + pkt->ip);
	struct iphdr *ip = (struct iphdr *)(data + pkt->ip);

	udp->len = htons(job->end - pkt->udp);
	if (pkt->desc.addr_len == 4) {
		ip->tot_len = htons(job->end - pkt->ip);
		rf_edit_ip_check(ip, pkt->udp - pkt->ip);
	} else {
		ip6->payload_len = htons(job->end - pkt->udp);
	}
}

/**
 * rf_edit_cut - cut the payload
 * @job: the packet
 * @payload: bytes that are left of it; no more than there are
 *
 * The payload is padded to four bytes anew. The last four bytes are those of
 * the old ICRC. The lengths in the headers of IP and UDP agree.
 *
 * A sender may have padded wrongly: what would be longer with the right padding
 * stays as it is, which is counted.
 *
 * Context: softirq or BH off.
 * Return: as rf_edit_begin().
 */
u8 *rf_edit_cut(struct rf_job *job, u32 payload)
{
	const struct rf_pkt *pkt = job->pkt;
	u32 icrc_at = pkt->bth + pkt->desc.headers + round_up(payload, 4);
	u32 old_at = job->end - RF_ICRC_LEN;
	u32 pad = -payload & 3;
	u8 *data;

	if (icrc_at > old_at) {
		rf_edit_not(job);
		return NULL;
	}
	data = rf_edit_begin(job);
	if (!data)
		return NULL;
	memmove(data + icrc_at, data + old_at, RF_ICRC_LEN);
	memset(data + icrc_at - pad, 0, pad);
	job->end = icrc_at + RF_ICRC_LEN;
	data[pkt->bth + 1] = (data[pkt->bth + 1] & ~0x30) | pad << 4;
	set_lengths(job, data);
	/* If that fails, the rest is taken for the padding of a short frame. */
	if (!pskb_trim(job->skb, job->end) && job->side->dir == RF_TX)
		rf_qdisc_frame_cut(job->skb, old_at - icrc_at);
	return data;
}
