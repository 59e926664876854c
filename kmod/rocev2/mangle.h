/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_ROCEV2_MANGLE_H
#define RF_ROCEV2_MANGLE_H

#include <linux/types.h>

struct iphdr;
struct rf_pkt;
struct sk_buff;

u8 *rf_edit_begin(struct sk_buff *skb, const struct rf_pkt *pkt, u32 end);
void rf_edit_icrc(struct sk_buff *skb, const struct rf_pkt *pkt, u32 end);
void rf_edit_put(u8 *to, u32 value, int bytes);
u32 rf_edit_cut(struct sk_buff *skb, const struct rf_pkt *pkt, u32 end,
		u32 payload);
void rf_edit_ip_check(struct iphdr *ip, u32 len);

#endif
