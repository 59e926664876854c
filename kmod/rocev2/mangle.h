/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_ROCEV2_MANGLE_H
#define RF_ROCEV2_MANGLE_H

#include <linux/types.h>

struct iphdr;
struct rf_pkt;
struct sk_buff;

u8 *rf_mangle_begin(struct sk_buff *skb, const struct rf_pkt *pkt, u32 end);
void rf_mangle_icrc(struct sk_buff *skb, const struct rf_pkt *pkt, u32 end);
void rf_mangle_put(u8 *to, u32 value, int bytes);
u32 rf_mangle_truncate(struct sk_buff *skb, const struct rf_pkt *pkt, u32 end,
		       u32 payload);
void rf_mangle_ip_check(struct iphdr *ip, u32 len);
u32 rf_ecn_get(const struct sk_buff *skb, int offset, __be16 protocol);
bool rf_ecn_set(struct sk_buff *skb, int offset, __be16 protocol, u32 ecn);

#endif
