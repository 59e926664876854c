// SPDX-License-Identifier: GPL-2.0
/*
 * What a flow of requests learns from its responses, which cross the port in the
 * other direction: the QP of its peer, and NAKs.
 *
 * A RoCEv2 packet has no source QP. A response is addressed to the requester's QP
 * and has the PSN of the request. So it belongs to a flow between the same
 * addresses, in the opposite direction, that has recently sent this PSN. If only
 * one flow without a known peer has sent it, its peer is known from then on.
 *
 * A flow is looked up by its peer or, while the peer is unknown, by the block of
 * RF_PSN_WINDOW PSNs that its highest PSN is in. Senders choose their PSNs, so many
 * flows can be in one block. If there are too many to look at, the response is
 * assigned to no flow.
 */
#include <linux/rbtree.h>
#include <linux/string.h>
#include <uapi/rdmafault/rdmafault.h>

#include "../rocev2/bth.h"
#include "flow.h"

/* The most flows of a block that are looked at */
#define LOOKS_MAX	64

#define BLOCKS		((RF_PSN_MASK + 1) / RF_PSN_WINDOW)
#define IS_PEER		0x80000000u

/* The key by which the flow of a response is looked up */
struct lookup {
	const struct rf_flow_group *group;
	u32 by;
};

static struct rf_flow *peer_flow_at(const struct rb_node *node)
{
	return rb_entry(node, struct rf_flow, lookup);
}

static int peer_lookup_cmp(const void *key, const struct rb_node *node)
{
	const struct rf_flow *flow = peer_flow_at(node);
	const struct lookup *lookup = key;

	if (lookup->group != flow->group)
		return lookup->group < flow->group ? -1 : 1;
	return lookup->by < flow->lookup_key ? -1 : lookup->by > flow->lookup_key;
}

static bool peer_lookup_before(struct rb_node *a, const struct rb_node *b)
{
	struct lookup key = { peer_flow_at(a)->group, peer_flow_at(a)->lookup_key };

	return peer_lookup_cmp(&key, b) < 0;
}

/**
 * rf_flow_set_lookup - set the key by which the flow of a response is found
 * @flows: the flows of the direction
 * @flow: the flow, of requests
 * @by: a block of PSNs, or the peer's QP | IS_PEER
 *
 * Context: under the lock of the direction.
 */
void rf_flow_set_lookup(struct rf_flows *flows, struct rf_flow *flow, u32 by)
{
	rf_flow_end_lookup(flows, flow);
	flow->lookup_key = by;
	rb_add(&flow->lookup, &flows->lookup, peer_lookup_before);
}

/**
 * rf_flow_end_lookup - remove a flow from the tree in which responses are looked up
 * @flows: the flows of the direction
 * @flow: the flow
 *
 * Context: under the lock of the direction.
 */
void rf_flow_end_lookup(struct rf_flows *flows, struct rf_flow *flow)
{
	if (RB_EMPTY_NODE(&flow->lookup))
		return;
	rb_erase(&flow->lookup, &flows->lookup);
	RB_CLEAR_NODE(&flow->lookup);
}

/* If not all flows were tracked then, the PSN can belong to another flow. */
static bool peer_has_sent(const struct rf_flow *flow, u32 psn, u32 generation)
{
	u32 behind = (flow->win.highest - psn) & RF_PSN_MASK;
	u32 known = (flow->win.highest - flow->generation_psn) & RF_PSN_MASK;

	return behind < RF_PSN_WINDOW && behind <= flow->win.span &&
	       flow->generation == generation && behind <= known;
}

static struct rf_flow *peer_flow_of_qp(const struct rf_flows *flows,
				       const struct rf_flow_group *group, u32 qp)
{
	struct lookup key = { group, qp | IS_PEER };
	struct rb_node *node = rb_find_first(&key, &flows->lookup, peer_lookup_cmp);

	return node ? peer_flow_at(node) : NULL;
}

/* Counts in @found the flows of a block that the response can belong to. */
static struct rf_flow *peer_look_in_block(const struct rf_flows *flows,
					  const struct rf_flow_group *group, u32 psn,
					  u32 block, u32 *found)
{
	struct lookup key = { group, block };
	struct rf_flow *match = NULL;
	struct rb_node *node;
	u32 looks = 0;

	rb_for_each(node, &key, &flows->lookup, peer_lookup_cmp) {
		if (peer_has_sent(peer_flow_at(node), psn, flows->generation)) {
			match = peer_flow_at(node);
			++*found;
		}
		if (*found > 1 || ++looks > LOOKS_MAX) {
			*found = 2;
			break;
		}
	}
	return match;
}

/* The only flow that the response can belong to, NULL if there are several. */
static struct rf_flow *peer_flow_of_psn(const struct rf_flows *flows,
					const struct rf_flow_group *group, u32 psn)
{
	u32 block = psn / RF_PSN_WINDOW, found = 0;
	struct rf_flow *flow, *next;

	flow = peer_look_in_block(flows, group, psn, block, &found);
	next = peer_look_in_block(flows, group, psn, (block + 1) % BLOCKS, &found);
	return found == 1 ? flow ?: next : NULL;
}

static struct rf_flow *peer_find_request(const struct rf_flows *flows,
					 const struct rf_desc *response)
{
	struct rf_flow_key key = {
		.addr_len = response->addr_len,
		.kind = RF_FLOW_REQUESTS,
	};
	struct rf_flow_group *group;

	memcpy(key.saddr, response->daddr, sizeof(key.saddr));
	memcpy(key.daddr, response->saddr, sizeof(key.daddr));
	group = rf_flow_group_find(flows, &key);
	if (!group)
		return NULL;
	return peer_flow_of_qp(flows, group, response->qp) ?:
	       peer_flow_of_psn(flows, group, response->psn);
}

static void peer_set(struct rf_flow *flow, u32 peer_qp)
{
	flow->info.has_peer = true;
	flow->info.peer_qp = peer_qp;
}

/**
 * rf_flow_see_response - find the request flow of a response, and update it
 * @flows: the flows of the requests' direction, or NULL
 * @response: the response, seen in the other direction
 * @qp: gets the destination QP of the requests, which has sent the response
 *
 * Sets the flow's peer and counts NAKs and RNR NAKs.
 *
 * Context: softirq or BH off, under the lock of the requests' direction only.
 * Return: false if no flow, or more than one, can have sent the request.
 */
bool rf_flow_see_response(struct rf_flows *flows, const struct rf_desc *response,
			  u32 *qp)
{
	struct rf_flow *flow = NULL;

	if (flows && response->response)
		flow = peer_find_request(flows, response);
	if (!flow)
		return false;
	if (!flow->info.has_peer) {
		peer_set(flow, response->qp);
		rf_flow_set_lookup(flows, flow, response->qp | IS_PEER);
	}
	flow->info.responses_seen = true;
	flow->info.naks += !!(response->classes & RDMAFAULT_CLASS_NAK);
	flow->info.rnrs += !!(response->classes & RDMAFAULT_CLASS_RNR);
	/* After an ACK, going back has another cause. */
	flow->nak_pending = response->classes & (RDMAFAULT_CLASS_NAK |
					     RDMAFAULT_CLASS_RNR);
	*qp = flow->key.qp;
	return true;
}

/**
 * rf_flow_set_peer - set the peer of a flow
 * @flows: the flows of the direction, or NULL
 * @desc: a packet of the flow, a response
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
	if (flow)
		peer_set(flow, peer_qp);
}

/**
 * rf_flow_peer - get the peer of a flow
 * @flows: the flows of the direction, or NULL
 * @desc: a packet of the flow
 * @peer_qp: gets the QP that sends the flow's packets
 *
 * Context: softirq or BH off, under the lock of the direction.
 * Return: false if the peer is unknown.
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
