/* SPDX-License-Identifier: GPL-2.0 */
/* Replaces <net/dst.h> in user space: an skb has no route. */
#ifndef RF_FUZZ_DST_H
#define RF_FUZZ_DST_H

#define skb_dst_drop(skb)	((void)(skb))
#define skb_dst_force(skb)	((void)(skb))

#endif
