// SPDX-License-Identifier: GPL-2.0
/*
 * The tracepoints, and the recording of whole packets.
 *
 * rf_packet shows a packet as it arrived. So its bytes are copied before an action
 * can change them, and the records are written when the verdict is known. rf_sent shows
 * it as it leaves. While no tracepoint about packets is enabled, nothing is copied.
 */
#include <linux/atomic.h>
#include <linux/slab.h>

#include "frame.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

DEFINE_STATIC_KEY_FALSE(rf_tracing);

/* Numbers packets of all ports: a packet that crosses two ports has two numbers. */
static atomic64_t last_seq;

/*
 * Called under the locks of tracepoints, which other code may hold while it waits
 * for RTNL. So this takes no lock of ours: packets look at the key.
 */
int rf_trace_reg(void)
{
	static_branch_inc(&rf_tracing);
	return 0;
}

void rf_trace_unreg(void)
{
	static_branch_dec(&rf_tracing);
}

/* Without memory, the packet is recorded with its length and no bytes. */
static void trace_keep_bytes(struct rf_trace_frame *frame, const struct sk_buff *skb)
{
	frame->len = rf_frame_wire_len(skb);
	frame->bytes = kmalloc(frame->len, GFP_ATOMIC | __GFP_NOWARN);
	if (frame->bytes && rf_frame_copy(skb, frame->bytes, frame->len)) {
		kfree(frame->bytes);
		frame->bytes = NULL;
	}
}

/**
 * rf_trace_begin - number a packet for the trace, and keep its bytes for rf_packet
 * @frame: all zeros; filled in
 * @skb: the packet, before any action
 *
 * Call this if rf_trace_enabled().
 *
 * Context: softirq or BH off.
 */
void rf_trace_begin(struct rf_trace_frame *frame, const struct sk_buff *skb)
{
	frame->seq = atomic64_inc_return(&last_seq);
	if (trace_rf_packet_enabled())
		trace_keep_bytes(frame, skb);
}

static u32 trace_chunk(u32 len, u32 offset)
{
	return min(len - offset, offset ? RF_TRACE_CHUNK : RF_TRACE_HEAD);
}

/**
 * rf_trace_record - write the records of rf_packet, and free the bytes
 * @frame: the packet, with @len set by rf_trace_begin()
 * @dev: the netdev
 * @dir: RDMAFAULT_DIRECTION_*
 * @rule: number of the first rule that hit the packet, or 0
 * @verdict: enum rf_verdict
 *
 * Context: softirq or BH off.
 */
void rf_trace_record(struct rf_trace_frame *frame, const struct net_device *dev,
		     u32 dir, u32 rule, u32 verdict)
{
	u32 len = frame->bytes ? frame->len : 0;
	u32 offset = 0, chunk;

	do {
		chunk = trace_chunk(len, offset);
		trace_rf_packet(frame, dev, dir, rule, verdict, offset, chunk);
		offset += chunk;
	} while (offset < len);
	kfree(frame->bytes);
}

static noinline void trace_record_sent(const struct sk_buff *skb, const struct net_device *dev,
				       u32 dir, u64 of)
{
	struct rf_trace_frame frame = { .seq = atomic64_inc_return(&last_seq) };
	u32 offset = 0, len, chunk;

	trace_keep_bytes(&frame, skb);
	len = frame.bytes ? frame.len : 0;
	do {
		chunk = trace_chunk(len, offset);
		trace_rf_sent(&frame, dev, dir, of, offset, chunk);
		offset += chunk;
	} while (offset < len);
	kfree(frame.bytes);
}

/**
 * rf_trace_sent - write the records of rf_sent, if it is enabled
 * @skb: the packet, after the actions
 * @dev: the netdev
 * @dir: RDMAFAULT_DIRECTION_*
 * @of: number of the packet as it arrived; 0: none
 *
 * Context: softirq or BH off.
 */
void rf_trace_sent(const struct sk_buff *skb, const struct net_device *dev, u32 dir, u64 of)
{
	if (trace_rf_sent_enabled())
		trace_record_sent(skb, dev, dir, of);
}
