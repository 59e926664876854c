// SPDX-License-Identifier: GPL-2.0
/*
 * nak and rnr: a request vanishes, and its sender gets a NAK or an RNR NAK in
 * the responder's stead.
 *
 * A request doesn't tell the QP that has sent it. The rule may name it; else
 * it is learned from answers that have come by (pair.c), and until then such
 * requests go on.
 */
#include "nak.h"
#include "../flow/flow.h"
#include "../rocev2/packet.h"
#include "../rule/ruleset.h"

/* Upper bits of the AETH syndrome (IBTA vol. 1, table 49). */
#define RNR		0x20
#define NAK		0x60

/* 0.64 ms (IBTA vol. 1, table 51). */
#define RNR_TIMER	12

static u8 syndrome_of(const struct rf_action *action)
{
	if (action->type == RDMAFAULT_ACTION_NAK)
		return NAK | action->code;
	return RNR | (RF_ACTION_HAS(action, CODE) ? action->code : RNR_TIMER);
}

/* Of the services that we know, RC is the one whose responder answers. */
static bool is_request(const struct rf_desc *desc)
{
	return desc->opcode < 0x20 && !desc->response && desc->qp != RF_QP_GSI;
}

static bool requester(const struct rf_ctx *ctx, const struct rf_action *action,
		      u32 *qp)
{
	if (!is_request(&ctx->pkt->desc))
		return false;
	*qp = action->peer_qp;
	return RF_ACTION_HAS(action, PEER_QP) ||
	       rf_flow_peer(ctx->dir->flows, &ctx->pkt->desc, qp);
}

/**
 * rf_fault_answer - answer a request in the responder's stead
 * @ctx: the packet
 * @action: the action
 *
 * Context: softirq or BH off, under the lock of the direction.
 * Return: RF_DROP, or RF_PASS if it is not known whom to answer.
 */
enum rf_verdict rf_fault_answer(struct rf_ctx *ctx,
				const struct rf_action *action)
{
	u32 qp;

	if (!requester(ctx, action, &qp)) {
		rf_stats_inc(ctx->dir->stats, RF_STAT_UNANSWERED);
		ctx->rule->tally.unanswered++;
		return RF_PASS;
	}
	ctx->answer = rf_answer_make(ctx, qp, syndrome_of(action));
	if (ctx->answer)
		return RF_DROP;
	rf_fault_unchanged(ctx);
	return RF_PASS;
}
