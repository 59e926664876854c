// SPDX-License-Identifier: GPL-2.0
/*
 * What a flow of requests is told by its answers, which cross the port in the
 * other direction.
 *
 * A RoCEv2 packet bears no source QP. An answer is addressed to the requester's
 * QP, and bears the PSN of the request, so it belongs to the flow between the
 * same addresses, the other way round, that has sent this PSN of late. If that
 * is one flow only, of those whose peer isn't known yet, its peer is known from
 * then on.
 */
#include "bth.h"
#include "flow_table.h"

/* While all flows were known, which @era tells; else it may be another's. */
static bool has_sent(const struct rf_flow *flow, u32 psn, u32 era)
{
	u32 behind = (flow->win.highest - psn) & RF_PSN_MASK;
	u32 known = (flow->win.highest - flow->era_psn) & RF_PSN_MASK;

	return behind < RF_PSN_WINDOW && behind <= flow->win.span &&
	       flow->era == era && behind <= known;
}

static struct rf_flow *flow_of_peer(const struct rf_kin *kin, u32 qp)
{
	struct rf_flow *flow;

	list_for_each_entry(flow, &kin->flows, of_kin)
		if (flow->info.has_peer && flow->info.peer_qp == qp)
			return flow;
	return NULL;
}

/* The one flow that the answer can be for; NULL if there are several. */
static struct rf_flow *flow_of_psn(const struct rf_kin *kin, u32 psn, u32 era)
{
	struct rf_flow *flow, *found = NULL;

	list_for_each_entry(flow, &kin->flows, of_kin) {
		if (flow->info.has_peer || !has_sent(flow, psn, era))
			continue;
		if (found)
			return NULL;
		found = flow;
	}
	return found;
}

static struct rf_flow *find_request(const struct rf_flows *flows,
				    const struct rf_desc *response)
{
	struct rf_flow_key key = {
		.addr_len = response->addr_len,
		.kind = RF_FLOW_REQUESTS,
	};
	struct rf_kin *kin;

	memcpy(key.saddr, response->daddr, sizeof(key.saddr));
	memcpy(key.daddr, response->saddr, sizeof(key.daddr));
	kin = rf_kin_find(flows, &key);
	if (!kin)
		return NULL;
	return flow_of_peer(kin, response->qp) ?:
	       flow_of_psn(kin, response->psn, flows->era);
}

/**
 * rf_flow_answered - tell a request flow that an answer has come
 * @flows: the flows of the direction that the requests take, or NULL
 * @response: the answer, seen in the other direction
 * @qp: destination QP of the requests, that is the QP that has answered
 *
 * The flow learns its peer's QP and counts NAKs and RNR NAKs.
 *
 * Context: softirq or BH off, under the lock of the requests' direction alone.
 * Return: false if it can't be told whose answer it is.
 */
bool rf_flow_answered(struct rf_flows *flows, const struct rf_desc *response,
		      u32 *qp)
{
	struct rf_flow *flow = NULL;

	if (flows && response->response)
		flow = find_request(flows, response);
	if (!flow)
		return false;
	flow->info.has_peer = true;
	flow->info.peer_qp = response->qp;
	flow->info.answers_seen = true;
	flow->info.naks += !!(response->classes & RDMAFAULT_CLASS_NAK);
	flow->info.rnrs += !!(response->classes & RDMAFAULT_CLASS_RNR);
	/* After progress, going back has a new reason. */
	flow->excused = response->classes & (RDMAFAULT_CLASS_NAK |
					     RDMAFAULT_CLASS_RNR);
	*qp = flow->key.qp;
	return true;
}

/**
 * rf_flow_set_peer - tell a flow the QP at its other end
 * @flows: the flows of the direction, or NULL
 * @desc: a packet of the flow
 * @peer_qp: the QP
 *
 * Context: softirq or BH off, under the lock of the direction.
 */
void rf_flow_set_peer(struct rf_flows *flows, const struct rf_desc *desc,
		      u32 peer_qp)
{
	struct rf_flow_key key = rf_flow_key(desc);
	struct rf_flow *flow;

	flow = flows ? rf_flow_find(flows, &key) : NULL;
	if (!flow)
		return;
	flow->info.has_peer = true;
	flow->info.peer_qp = peer_qp;
}

/**
 * rf_flow_peer - the QP at the other end of a flow
 * @flows: the flows of the direction, or NULL
 * @desc: a packet of the flow
 * @peer_qp: the QP that sends it, to which answers go
 *
 * Context: softirq or BH off, under the lock of the direction.
 * Return: false if it isn't known.
 */
bool rf_flow_peer(const struct rf_flows *flows, const struct rf_desc *desc,
		  u32 *peer_qp)
{
	struct rf_flow_key key = rf_flow_key(desc);
	struct rf_flow *flow;

	flow = flows ? rf_flow_find(flows, &key) : NULL;
	if (!flow || !flow->info.has_peer)
		return false;
	*peer_qp = flow->info.peer_qp;
	return true;
}
