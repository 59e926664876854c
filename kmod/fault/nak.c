// SPDX-License-Identifier: GPL-2.0
/*
 * nak and rnr: the request is dropped, and its sender gets a NAK or an RNR NAK that is
 * forged on behalf of the responder (IBTA vol. 1, 9.7.5), with the PSN of the request and
 * an AETH.
 *
 * A request does not contain the QP of its sender. The rule can name it; otherwise it is
 * known from earlier responses (flow/flow.c). Until it is known, requests pass.
 */
#include "../flow/flow.h"
#include "../rocev2/rocev2.h"
#include "../rule/rule.h"
#include "fault.h"

/* Upper bits of the AETH syndrome (IBTA vol. 1, table 49) */
#define SYNDROME_RNR	0x20
#define SYNDROME_NAK	0x60

/* 0.64 ms (IBTA vol. 1, table 51) */
#define RNR_TIMER	12

#define RC_ACKNOWLEDGE	0x11
#define RC_OPCODES	0x20

static u8 nak_syndrome(const struct rf_action *action)
{
	if (action->type == RDMAFAULT_ACTION_NAK)
		return SYNDROME_NAK | action->code;
	return SYNDROME_RNR | (RF_ACTION_HAS(action, CODE) ? action->code : RNR_TIMER);
}

/* Only the responder of an RC service sends ACKs and NAKs. */
static bool nak_find_requester(const struct rf_ctx *ctx, const struct rf_action *action,
			       u32 *qp)
{
	const struct rf_desc *desc = &ctx->pkt->desc;

	if (desc->opcode >= RC_OPCODES || desc->response || desc->qp == RF_QP_GSI)
		return false;
	*qp = action->peer_qp;
	return RF_ACTION_HAS(action, PEER_QP) || rf_flow_peer(ctx->dir->flows, desc, qp);
}

/* Return: false if there is no memory. */
static bool nak_make(struct rf_ctx *ctx, u32 qp, u8 syndrome)
{
	const struct rf_desc *request = &ctx->pkt->desc;
	/* Number of messages that were completed before this one */
	u32 msn = request->message ? request->message - 1 : 0;
	u8 aeth[RF_AETH_LEN] = { syndrome };
	const struct rf_reply reply = {
		.opcode = RC_ACKNOWLEDGE,
		.qp = qp,
		.psn = request->psn,
		.headers = aeth,
		.len = sizeof(aeth),
		.dscp = -1,
	};

	rf_mangle_put(aeth + 1, msn, 3);
	return rf_reply_make(ctx, &reply);
}

/**
 * rf_fault_nak - forge a NAK or an RNR NAK for a request
 * @ctx: the packet
 * @action: the action
 *
 * Context: softirq or BH off, under the lock of the direction.
 * Return: RF_DROP, or RF_PASS if the requester's QP is unknown or if there is no memory.
 */
enum rf_verdict rf_fault_nak(struct rf_ctx *ctx, const struct rf_action *action)
{
	u32 qp;

	if (!nak_find_requester(ctx, action, &qp)) {
		rf_stats_inc(ctx->dir->stats, RF_STAT_UNANSWERED);
		ctx->rule->counters.unanswered++;
		return RF_PASS;
	}
	if (nak_make(ctx, qp, nak_syndrome(action))) {
		rf_stats_inc(ctx->dir->stats, RF_STAT_ANSWERED);
		return RF_DROP;
	}
	rf_fault_unchanged(ctx);
	return RF_PASS;
}
