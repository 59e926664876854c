/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_COMPAT_QDISC_H
#define RF_COMPAT_QDISC_H

#include <net/sch_generic.h>

/**
 * rf_qdisc_frame_init - what the core tells a qdisc of each packet
 * @skb: a frame that comes to the qdisc otherwise
 *
 * Newer kernels count segments too. Kbuild asks the kernel's headers.
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
 * rf_qdisc_frame_cut - a frame that the qdisc has got is shorter now
 * @skb: the frame; its length for the qdisc may be less than @bytes, by a size
 *	table (tc-stab(8))
 * @bytes: by so much
 *
 * Context: softirq or BH off.
 */
static inline void rf_qdisc_frame_cut(struct sk_buff *skb, u32 bytes)
{
	qdisc_skb_cb(skb)->pkt_len -= min(bytes, qdisc_skb_cb(skb)->pkt_len);
}

#endif /* RF_COMPAT_QDISC_H */
