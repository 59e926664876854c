/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_COMPAT_QDISC_H
#define RF_COMPAT_QDISC_H

#include <net/sch_generic.h>

/**
 * rf_qdisc_frame_init - set the fields that the core sets before it enqueues a packet
 * @skb: a frame that does not come from the core
 *
 * Newer kernels also count segments. Kbuild checks the headers.
 *
 * Context: softirq or BH off.
 */
static inline void rf_qdisc_frame_init(struct sk_buff *skb)
{
	qdisc_skb_cb(skb)->pkt_len = skb->len;
#ifdef RF_HAVE_QDISC_PKT_SEGS
	qdisc_skb_cb(skb)->pkt_segs = 1;
#endif
}

/**
 * rf_qdisc_frame_cut - reduce the length of a frame that the core has enqueued
 * @skb: the frame; a size table (tc-stab(8)) can have made its length less than @bytes
 * @bytes: bytes that were removed from the frame
 *
 * Context: softirq or BH off.
 */
static inline void rf_qdisc_frame_cut(struct sk_buff *skb, u32 bytes)
{
	qdisc_skb_cb(skb)->pkt_len -= min(bytes, qdisc_skb_cb(skb)->pkt_len);
}

#endif /* RF_COMPAT_QDISC_H */
