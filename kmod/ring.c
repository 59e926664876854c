// SPDX-License-Identifier: GPL-2.0
/*
 * Record the headers of RoCEv2 packets as they arrived at the port. A ring has its own lock:
 * most packets need no rule, and do not take that of the direction.
 */
#include <linux/ktime.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/overflow.h>

#include "frame.h"
#include "ring.h"
#include "rocev2/rocev2.h"

/*
 * Bytes of a packet of connection management to record after the BTH and the DETH: the
 * header of the MAD, and of its message the QP numbers and the reason of a reject (IBTA vol.
 * 1, 12.6)
 */
#define RING_MAD	64u

/**
 * rf_ring_alloc - allocate a ring
 * @bytes: its memory, up to RDMAFAULT_RING_BYTES_MAX; rounded up to a power of two
 * @snaplen: bytes of each packet to record, or 0 for the headers
 *
 * Context: process, may sleep.
 * Return: the ring, to be freed with kvfree_rcu(); or NULL.
 */
struct rf_ring *rf_ring_alloc(u32 bytes, u32 snaplen)
{
	u32 size = roundup_pow_of_two(bytes);
	struct rf_ring *ring;

	ring = kvzalloc(struct_size(ring, data, size + rf_ring_room(RDMAFAULT_RING_SNAPLEN_MAX)),
			GFP_KERNEL_ACCOUNT);
	if (!ring)
		return NULL;
	spin_lock_init(&ring->lock);
	ring->snaplen = snaplen;
	ring->space.data = ring->data;
	ring->space.mask = size - 1;
	return ring;
}

/* @before: bytes of the frame before the IP header; @frame: bytes of the frame */
static u32 ring_captured(const struct rf_ring *ring, const struct rf_headers *h, u32 before,
			 u32 frame)
{
	u32 len = before + h->udp + sizeof(struct udphdr) + h->op->hdrlen;

	if (ring->snaplen)
		return min(ring->snaplen, frame);
	if (rf_bth_qp(h->bth) == RF_QP_GSI)
		len += RING_MAD;
	return min(len, frame);
}

/**
 * rf_ring_record - record a packet, before an action can change it
 * @ring: the ring
 * @skb: the packet
 * @h: its headers
 *
 * Context: softirq or BH off.
 * Return: its position, for rf_ring_set_verdict().
 */
u64 rf_ring_record(struct rf_ring *ring, const struct sk_buff *skb,
		   const struct rf_headers *h)
{
	u32 frame = rf_frame_wire_len(skb);
	u32 captured = ring_captured(ring, h, frame - (skb->len - h->offset), frame);
	struct rf_ring_record *rec;
	u64 pos;

	spin_lock(&ring->lock);
	pos = rf_ring_add(&ring->space, captured);
	rec = rf_ring_at(&ring->space, pos);
	rec->t_ns = ktime_get_ns();
	rec->len = frame;
	rec->verdict = 0;
	if (rf_frame_copy(skb, rf_ring_bytes(rec), captured))
		memset(rf_ring_bytes(rec), 0, captured);
	spin_unlock(&ring->lock);
	return pos;
}

/**
 * rf_ring_set_verdict - record that a packet did not pass at once
 * @ring: the ring
 * @pos: what rf_ring_record() has returned
 * @verdict: enum rf_verdict
 *
 * Context: softirq or BH off.
 */
void rf_ring_set_verdict(struct rf_ring *ring, u64 pos, u32 verdict)
{
	spin_lock(&ring->lock);
	rf_ring_mark(&ring->space, pos, verdict);
	spin_unlock(&ring->lock);
}
