// SPDX-License-Identifier: GPL-2.0
/*
 * Set the ECN field of the IP header, as a congested switch does (RFC 3168, 5). The
 * ICRC does not cover this field, so it stays valid.
 */
#include <linux/if_ether.h>

#include "fault.h"
#include "../rocev2/mangle.h"
#include "../rocev2/packet.h"
#include "../rule/ruleset.h"

/**
 * rf_fault_mark - set the ECN field
 * @ctx: the packet
 * @action: the action
 *
 * Context: softirq or BH off.
 * Return: RF_PASS, or RF_DROP if the action drops packets that are not ECN-capable.
 */
enum rf_verdict rf_fault_mark(struct rf_ctx *ctx, const struct rf_action *action)
{
	u16 protocol = ctx->pkt->desc.addr_len == 4 ? ETH_P_IP : ETH_P_IPV6;

	switch (rf_mark_choice(action, ctx->pkt->desc.ecn)) {
	case RDMAFAULT_NOT_ECT_LEAVE:
		return RF_PASS;
	case RDMAFAULT_NOT_ECT_DROP:
		return RF_DROP;
	}
	if (rf_ecn_set(ctx->skb, ctx->pkt->ip, htons(protocol),
		       rf_mark_ecn(action)))
		rf_stats_inc(ctx->dir->stats, RF_STAT_MARKED);
	else
		rf_fault_unchanged(ctx);
	return RF_PASS;
}
