// SPDX-License-Identifier: GPL-2.0
/*
 * The flows of one direction of a port: the first PSN, the attempts of each PSN,
 * and the messages.
 *
 * A flow is (source, destination, destination QP, kind). The kind is needed
 * because packets to a QP have two PSN spaces: requests have the PSNs of their
 * sender, and ACKs and READ responses have the PSNs of the requests that they
 * answer. CNPs have no PSN; each CNP is attempt 1 of the next serial number.
 *
 * Many QPs can send datagrams (UD) to one QP, each with separate PSNs, so the
 * sender's QP is part of the flow there. A UD QP counts its PSNs across all its
 * peers, so a gap in the flow to one of them is neither a loss nor a message.
 *
 * A NAK has the PSN of the request that it asks for, and so has the later response to
 * that request. An ACK can have the PSN of an earlier READ response. So the attempts of
 * NAKs, of ACKs, and of READ and atomic responses are counted separately.
 *
 * QP numbers differ from run to run. So the flows of one kind between the same two
 * addresses form a group, and are numbered in the order of their first packets.
 * Rules and random numbers use that number.
 *
 * A flow that no rule needs is watched if it is tracked only for a listener. Watching
 * must not change what rules do. So watched flows are numbered separately, give way to
 * flows that rules need, and begin anew when a rule needs them.
 *
 * A flow is allocated at its first packet. When the table is full, a watched flow is
 * removed, or the flow that has been silent longest if it has been silent for ten
 * seconds. Otherwise the packet is untracked, and the caller counts it.
 *
 * A flow of requests learns from its responses, which cross the port in the other
 * direction: the QP of its peer, and NAKs. A RoCEv2 packet has no source QP. A response
 * is addressed to the requester's QP and has the PSN of the request. So it belongs to a
 * flow between the same addresses, in the opposite direction, that has recently sent this
 * PSN. If only one flow without a known peer has sent it, its peer is known from then on.
 *
 * Such a flow is looked up by its peer or, while the peer is unknown, by the block of
 * RF_PSN_WINDOW PSNs that its highest PSN is in. Senders choose their PSNs, so many
 * flows can be in one block. If there are too many to look at, the response is
 * assigned to no flow.
 */
#include <linux/atomic.h>
#include <linux/build_bug.h>
#include <linux/jhash.h>
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/rbtree.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <net/ipv6.h>
#include <uapi/rdmafault/rdmafault.h>

#include "flow.h"
#include "../rand.h"
#include "../rocev2/rocev2.h"

#define FLOWS_MAX	4096		/* 8 MiB when all are in use */

/*
 * A flow is moved in the list of recently used flows at most eight times a second: it is
 * removed only if it has been silent for ten seconds.
 */
#define FLOW_USED	(HZ / 8)
#define FLOW_STALE	(10 * HZ + FLOW_USED)

/* The most flows of a block that are looked at */
#define LOOKS_MAX	64

#define PSN_BLOCKS		((RF_PSN_MASK + 1) / RF_PSN_WINDOW)
#define IS_PEER		0x80000000u

/* In the attempt for random numbers */
#define DRAW_NAK	BIT(31)
#define DRAW_ACK	BIT(30)

/* Numbers the flows of all ports. No number is used again. */
static atomic64_t last_id;

/* The next size of the allocator is twice as large. */
static_assert(sizeof(struct rf_flow) <= 2048);

/* In an IPv4 address, all words except the first are 0. */
static u32 hash_of(const u8 *saddr, const u8 *daddr, u32 addr_len, u32 kind,
		   u32 qp, u32 sender)
{
	u32 word[2 * 4 + 2];

	kind <<= 24;
	if (likely(addr_len == 4 && !sender)) {
		memcpy(&word[0], saddr, sizeof(word[0]));
		memcpy(&word[1], daddr, sizeof(word[1]));
		return jhash_3words(word[0], word[1], kind | qp, rf_hash_key);
	}
	memcpy(&word[0], saddr, 16);
	memcpy(&word[4], daddr, 16);
	word[8] = kind | qp;
	word[9] = sender;
	return jhash2(word, ARRAY_SIZE(word), rf_hash_key);
}

static u32 key_hash(const struct rf_flow_key *key)
{
	return hash_of(key->saddr, key->daddr, key->addr_len, key->kind,
		       key->qp, key->sender);
}

static bool flow_addr_equal(const u8 *a, const u8 *b)
{
	return ipv6_addr_equal((const struct in6_addr *)a,
			       (const struct in6_addr *)b);
}

/**
 * rf_flow_key_equal - test whether two keys are equal
 * @a: a key
 * @b: a key
 *
 * Return: true if they are.
 */
bool rf_flow_key_equal(const struct rf_flow_key *a, const struct rf_flow_key *b)
{
	return a->qp == b->qp && a->sender == b->sender && a->kind == b->kind &&
	       a->addr_len == b->addr_len && flow_addr_equal(a->saddr, b->saddr) &&
	       flow_addr_equal(a->daddr, b->daddr);
}

static enum rf_flow_kind flow_kind(const struct rf_desc *desc)
{
	if (unlikely(desc->classes & RDMAFAULT_CLASS_CNP))
		return RF_FLOW_CNPS;
	return desc->response ? RF_FLOW_RESPONSES : RF_FLOW_REQUESTS;
}

/**
 * rf_flow_key - the key of a packet's flow
 * @desc: the packet
 *
 * Return: the key.
 */
struct rf_flow_key rf_flow_key(const struct rf_desc *desc)
{
	struct rf_flow_key key = {
		.addr_len = desc->addr_len,
		.kind = flow_kind(desc),
		.qp = desc->qp,
		.sender = desc->sender,
	};

	memcpy(key.saddr, desc->saddr, sizeof(key.saddr));
	memcpy(key.daddr, desc->daddr, sizeof(key.daddr));
	return key;
}

/* The key of random numbers; @number is the flow's number in its group. */
static u64 key_mix(const struct rf_flow_key *key, u64 number)
{
	u64 word, hash = rf_splitmix64(number, key->kind);
	size_t i;

	for (i = 0; i < sizeof(key->saddr); i += sizeof(word)) {
		memcpy(&word, key->saddr + i, sizeof(word));
		hash = rf_splitmix64(hash, be64_to_cpu((__force __be64)word));
		memcpy(&word, key->daddr + i, sizeof(word));
		hash = rf_splitmix64(hash, be64_to_cpu((__force __be64)word));
	}
	return hash;
}

/**
 * rf_flow_find - find a flow by its key
 * @flows: the flows of the direction
 * @key: the key
 *
 * Context: under the lock of the direction.
 * Return: the flow, or NULL.
 */
struct rf_flow *rf_flow_find(const struct rf_flows *flows,
			     const struct rf_flow_key *key)
{
	struct rf_flow *flow;

	hash_for_each_possible(flows->table, flow, node, key_hash(key))
		if (rf_flow_key_equal(&flow->key, key))
			return flow;
	return NULL;
}

/* The last used flow with a QP; can be NULL or the flow of another QP */
static struct rf_flow **flow_cached(struct rf_flows *flows, u32 qp, bool response)
{
	return &flows->cache[(qp ^ response * RF_FLOW_CACHE / 2) % RF_FLOW_CACHE];
}

static bool flow_is_of(const struct rf_desc *desc, enum rf_flow_kind kind,
		       const struct rf_flow *flow)
{
	return flow->key.qp == desc->qp && flow->key.kind == kind &&
	       flow->key.sender == desc->sender &&
	       flow->key.addr_len == desc->addr_len &&
	       flow_addr_equal(flow->key.saddr, desc->saddr) &&
	       flow_addr_equal(flow->key.daddr, desc->daddr);
}

static struct rf_flow *flow_find_for(struct rf_flows *flows,
				     const struct rf_desc *desc)
{
	struct rf_flow *flow, **cached = flow_cached(flows, desc->qp, desc->response);
	enum rf_flow_kind kind = flow_kind(desc);
	u32 hash;

	if (*cached && flow_is_of(desc, kind, *cached))
		return *cached;
	hash = hash_of(desc->saddr, desc->daddr, desc->addr_len, kind,
		       desc->qp, desc->sender);
	hash_for_each_possible(flows->table, flow, node, hash) {
		if (flow_is_of(desc, kind, flow)) {
			*cached = flow;
			return flow;
		}
	}
	return NULL;
}

/* The flows of its kind between its addresses, or NULL. The QPs of @key are ignored. */
static struct rf_flow_group *flow_group_find(const struct rf_flows *flows,
					     const struct rf_flow_key *key)
{
	struct rf_flow_key any = *key;
	struct rf_flow_group *group;

	any.qp = 0;
	any.sender = 0;
	hash_for_each_possible(flows->groups, group, node, key_hash(&any))
		if (rf_flow_key_equal(&group->key, &any))
			return group;
	return NULL;
}

static struct rf_flow_group *flow_group_get(struct rf_flows *flows,
					    const struct rf_flow_key *key)
{
	struct rf_flow_group *group = flow_group_find(flows, key);

	if (group)
		return group;
	group = kzalloc(sizeof(*group), GFP_ATOMIC | __GFP_NOWARN);
	if (!group)
		return NULL;
	group->key = *key;
	group->key.qp = 0;
	group->key.sender = 0;
	hash_add(flows->groups, &group->node, key_hash(&group->key));
	return group;
}

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

static void flow_end_lookup(struct rf_flows *flows, struct rf_flow *flow)
{
	if (RB_EMPTY_NODE(&flow->lookup))
		return;
	rb_erase(&flow->lookup, &flows->lookup);
	RB_CLEAR_NODE(&flow->lookup);
}

/* @by: a block of PSNs, or the peer's QP | IS_PEER */
static void flow_set_lookup(struct rf_flows *flows, struct rf_flow *flow, u32 by)
{
	flow_end_lookup(flows, flow);
	flow->lookup_key = by;
	rb_add(&flow->lookup, &flows->lookup, peer_lookup_before);
}

static void flow_group_put(struct rf_flow_group *group, bool needed)
{
	DEBUG_NET_WARN_ON_ONCE(!group->flows || group->needed < needed);
	group->needed -= needed;
	/* As if the group were freed, which the watched flows prevent */
	if (!group->needed)
		group->numbered = 0;
	if (--group->flows)
		return;
	hash_del(&group->node);
	kfree(group);
}

static bool flow_is_response(const struct rf_flow *flow)
{
	return flow->key.kind == RF_FLOW_RESPONSES;
}

static void flow_remove(struct rf_flows *flows, struct rf_flow *flow)
{
	struct rf_flow **cached = flow_cached(flows, flow->key.qp,
					      flow_is_response(flow));

	DEBUG_NET_WARN_ON_ONCE(!flows->count);
	if (*cached == flow)
		*cached = NULL;
	hash_del(&flow->node);
	flow_end_lookup(flows, flow);
	list_del(&flow->recent);
	flow_group_put(flow->group, flow->number);
	flows->count--;
	flows->cnps -= flow->key.kind == RF_FLOW_CNPS;
	kfree(flow);
}

/* Make room for one more flow, if possible. A flow that rules need displaces watched flows. */
static bool flows_have_room(struct rf_flows *flows, bool needed)
{
	bool watched = !needed || !list_empty(&flows->watched);
	struct list_head *list = watched ? &flows->watched : &flows->recent;
	struct rf_flow *flow;

	if (flows->count < FLOWS_MAX)
		return true;
	if (list_empty(list))
		return false;
	flow = list_last_entry(list, struct rf_flow, recent);
	if (watched != needed && time_before(jiffies, flow->last + FLOW_STALE))
		return false;
	flow_remove(flows, flow);
	return true;
}

static struct list_head *flows_list(struct rf_flows *flows, const struct rf_flow *flow)
{
	return flow->number ? &flows->recent : &flows->watched;
}

static void flow_add(struct rf_flows *flows, struct rf_flow *flow,
		     struct rf_flow_group *group, bool needed)
{
	flow->group = group;
	group->flows++;
	group->needed += needed;
	flow->id = atomic64_inc_return(&last_id);
	flow->info.ordinal = ++group->last;
	if (needed)
		flow->number = ++group->numbered;
	flow->key64 = key_mix(&flow->key, flow->number);
	hash_add(flows->table, &flow->node, key_hash(&flow->key));
	*flow_cached(flows, flow->key.qp, flow_is_response(flow)) = flow;
	flow->last = jiffies;
	list_add(&flow->recent, flows_list(flows, flow));
	flows->count++;
	flows->cnps += flow->key.kind == RF_FLOW_CNPS;
}

/*
 * A response has one of the last RF_PSN_WINDOW PSNs. So a flow whose peer is
 * unknown is found by the block of RF_PSN_WINDOW PSNs that its highest PSN is in.
 */
static noinline void flow_change_block(struct rf_flows *flows, struct rf_flow *flow)
{
	flow->block = flow->win.highest / RF_PSN_WINDOW;
	if (flow->key.kind == RF_FLOW_REQUESTS && !flow->info.has_peer)
		flow_set_lookup(flows, flow, flow->block);
}

static noinline struct rf_flow *flow_make(struct rf_flows *flows,
					  const struct rf_desc *desc, bool needed)
{
	struct rf_flow_key key = rf_flow_key(desc);
	struct rf_flow *flow;
	struct rf_flow_group *group;

	if (!flows_have_room(flows, needed))
		return NULL;
	flow = kzalloc(sizeof(*flow), GFP_ATOMIC | __GFP_NOWARN);
	if (!flow)
		return NULL;
	group = flow_group_get(flows, &key);
	if (!group) {
		kfree(flow);
		return NULL;
	}
	RB_CLEAR_NODE(&flow->lookup);
	flow->key = key;
	flow->last_psn = (desc->psn - 1) & RF_PSN_MASK;
	flow->generation = flows->generation;
	flow->generation_psn = desc->psn;
	flow->info.max_attempt = 1;
	if (desc->sender) {
		flow->info.has_peer = true;
		flow->info.peer_qp = desc->sender;
	}
	rf_psn_window_start(&flow->win, desc->psn);
	flow_add(flows, flow, group, needed);
	flow_change_block(flows, flow);
	return flow;
}

/*
 * The PSNs after that of a READ request belong to its responses. The PSN after that
 * of a datagram can belong to a datagram for another peer.
 */
static bool flow_ends_message(const struct rf_desc *desc)
{
	return desc->position & (RDMAFAULT_POSITION_LAST |
				 RDMAFAULT_POSITION_ONLY) &&
	       !(desc->classes & RDMAFAULT_CLASS_READ_REQUEST) &&
	       !desc->response && !rf_opcode_is_ud(desc->opcode);
}

static void flow_set_attempt(struct rf_flow *flow, struct rf_desc *desc, u32 attempt)
{
	desc->attempt = attempt;
	desc->draw_attempt = attempt;
	if (attempt == RF_PSN_ATTEMPTS)
		desc->draw_attempt += flow->beyond++;
}

/*
 * Does a READ request ask for the rest of an earlier READ? Then it is an attempt of its PSN: no
 * request had this PSN before, and the earlier READ has asked for it.
 */
static noinline bool flow_read_is_rest(struct rf_flow *flow, const struct sk_buff *skb,
				       struct rf_pkt *pkt)
{
	u32 offset = pkt->bth + pkt->desc.headers - RF_RETH_LEN;
	u8 copy[RF_RETH_LEN];
	const u8 *reth;
	u32 first;

	reth = skb_header_pointer(skb, offset, sizeof(copy), copy);
	if (!reth || !rf_reads_see(&flow->reads, pkt->desc.psn, reth, &first))
		return false;
	flow_set_attempt(flow, &pkt->desc,
			 rf_psn_window_requests(&flow->win, first, pkt->desc.psn));
	return true;
}

static bool flow_asks_for_rest(struct rf_flow *flow, const struct sk_buff *skb,
			       struct rf_pkt *pkt)
{
	return pkt->desc.classes & RDMAFAULT_CLASS_READ_REQUEST &&
	       flow_read_is_rest(flow, skb, pkt);
}

/* READ responses can be retransmitted from their middle. */
static bool flow_begins_message(const struct rf_flow *flow, const struct rf_desc *desc)
{
	return desc->position & (RDMAFAULT_POSITION_FIRST | RDMAFAULT_POSITION_ONLY) &&
	       !(desc->response && rf_psn_is_open(&flow->win, desc->psn - 1));
}

/* @rest: a READ request for the rest of an earlier READ, which continues its message */
static void flow_see_message(struct rf_flow *flow, const struct rf_desc *desc, bool rest)
{
	struct rf_psn_window *win = &flow->win;

	if (!desc->position)
		return;
	rf_psn_window_bounds(win, desc->psn, !rest && flow_begins_message(flow, desc),
			     flow_ends_message(desc));
	if (desc->response && desc->position & (RDMAFAULT_POSITION_FIRST |
						RDMAFAULT_POSITION_MIDDLE))
		rf_psn_window_open(win, desc->psn);
}

static void flow_see_step(struct rf_flow *flow, const struct rf_desc *desc)
{
	if (flow->step == desc->step)
		return;
	flow->step = desc->step;
	flow->before_step = flow->win.messages;
}

/* The QP number belongs to a new QP now. */
static noinline void flow_qp_reused(struct rf_flow *flow)
{
	if (!flow_is_response(flow)) {
		flow->reads.seen = 0;
		return;
	}
	flow->naks.count = 0;
	flow->acks.count = 0;
}

static u32 flow_repeat(struct rf_repeats *repeats, u32 psn)
{
	if (repeats->psn != psn)
		repeats->count = 0;
	repeats->psn = psn;
	if (repeats->count < RF_PSN_ATTEMPTS)
		repeats->count++;
	return repeats->count;
}

/*
 * An ACK or a NAK is no attempt of a READ or atomic response with its PSN. Packets that are
 * counted separately have separate random numbers.
 */
static void flow_count_response(struct rf_flow *flow, struct rf_desc *desc)
{
	u32 attempt;

	if (desc->classes & (RDMAFAULT_CLASS_NAK | RDMAFAULT_CLASS_RNR)) {
		flow_set_attempt(flow, desc, flow_repeat(&flow->naks, desc->psn));
		desc->draw_attempt |= DRAW_NAK;
		return;
	}
	attempt = rf_psn_window_count(&flow->win, desc->psn, !rf_opcode_is_ack(desc->opcode));
	if (attempt) {
		flow_set_attempt(flow, desc, attempt);
		return;
	}
	flow_set_attempt(flow, desc, flow_repeat(&flow->acks, desc->psn));
	desc->draw_attempt |= DRAW_ACK;
}

/* False if the PSN is too old: the window has no attempt of it. */
static bool flow_see_psn(struct rf_flow *flow, struct rf_desc *desc)
{
	u32 owners = flow->win.owners;
	bool known;

	known = rf_psn_window_move(&flow->win, desc->psn);
	if (unlikely(flow->win.owners != owners))
		flow_qp_reused(flow);
	/* A PSN jump that is reverted removes the message that began with it. */
	flow->before_step = min(flow->before_step, flow->win.messages);
	desc->psn_rel = rf_psn_rel(&flow->win, desc->psn);
	desc->serial = rf_psn_serial(&flow->win, desc->psn);
	/* The random numbers of a copy that arrives in time */
	if (!known)
		desc->draw_attempt = 2;
	else if (flow_is_response(flow))
		flow_count_response(flow, desc);
	else
		flow_set_attempt(flow, desc, rf_psn_window_count(&flow->win, desc->psn, false));
	return known;
}

static void flow_see_cnp(struct rf_flow *flow, struct rf_desc *desc)
{
	desc->attempt = 1;
	desc->draw_attempt = 1;
	desc->serial = flow->info.packets;
}

/*
 * Going back to an earlier PSN is caused by a NAK or a timeout. The rest of a READ is an
 * earlier PSN than the last one that the READ has asked for.
 */
static void flow_see_going_back(struct rf_flow *flow, const struct rf_desc *desc, bool rest)
{
	if ((rest || rf_psn_diff(desc->psn, flow->last_psn) <= 0) && desc->attempt > 1) {
		if (!flow->nak_pending)
			flow->info.timeouts++;
		flow->nak_pending = false;
	}
	flow->last_psn = desc->psn;
}

static void flow_count(struct rf_flow *flow, const struct rf_desc *desc)
{
	struct rf_flow_counts *info = &flow->info;

	info->packets++;
	info->bytes += desc->len;
	if (desc->attempt > 1) {
		info->max_attempt = max(info->max_attempt, desc->attempt);
		info->retransmitted++;
		info->retransmitted_bytes += desc->len;
	}
	/* NAKs are responses. rf_flow_see_response() counts them for the request flow. */
	if (desc->classes & RDMAFAULT_CLASS_NAK)
		info->naks++;
	else if (desc->classes & RDMAFAULT_CLASS_RNR)
		info->rnrs++;
}

static void flow_see(struct rf_flow *flow, const struct sk_buff *skb,
		     struct rf_pkt *pkt)
{
	struct rf_desc *desc = &pkt->desc;
	bool rest;

	flow_see_step(flow, desc);
	if (flow->key.kind == RF_FLOW_CNPS) {
		flow_see_cnp(flow, desc);
	} else if (flow_see_psn(flow, desc)) {
		rest = flow_asks_for_rest(flow, skb, pkt);
		flow_see_message(flow, desc, rest);
		flow_see_going_back(flow, desc, rest);
	}
	desc->flow = flow->info.ordinal;
	desc->flow_id = flow->id;
	desc->key64 = flow->key64;
	flow_count(flow, desc);
}

/* An untracked flow has random numbers, too, but not those of a tracked one. */
static noinline void flow_see_untracked(struct rf_desc *desc)
{
	struct rf_flow_key key = rf_flow_key(desc);

	desc->key64 = key_mix(&key, ~(u64)key.qp);
	desc->serial = desc->psn;
}

/* The QP that sent a datagram. The opcode was checked, so the DETH is there. */
static noinline u32 read_sender(const struct sk_buff *skb,
				const struct rf_pkt *pkt)
{
	u8 copy[RF_DETH_LEN];
	const u8 *deth;

	deth = skb_header_pointer(skb, pkt->bth + RF_BTH_LEN, sizeof(copy),
				  copy);
	return deth ? deth[5] << 16 | deth[6] << 8 | deth[7] : 0;
}

/* The flow of a packet, which can be a new one; NULL if it is untracked */
static struct rf_flow *flow_get(struct rf_flows *flows, enum rf_track track,
				const struct rf_desc *desc)
{
	struct rf_flow *flow = flow_find_for(flows, desc);

	/* No rule may depend on what was only watched. */
	if (flow && unlikely(!flow->number && track == RF_NEEDED)) {
		flow_remove(flows, flow);
		flow = NULL;
	}
	if (flow || track == RF_UNTRACKED)
		return flow;
	return flow_make(flows, desc, track == RF_NEEDED);
}

/**
 * rf_flow_see - track a packet
 * @flows: the flows of the direction
 * @track: why its flow is tracked
 * @skb: the packet
 * @pkt: its headers; its place in the flow is filled in, except for the ordinals of
 *	rf_flow_set_ordinals()
 *
 * The attempt and all ordinals of an untracked packet are 0.
 *
 * Context: softirq or BH off, under the lock of the direction.
 * Return: the flow; NULL if it is not tracked, or if there is no room or memory to
 * track it.
 */
struct rf_flow *rf_flow_see(struct rf_flows *flows, enum rf_track track,
			    const struct sk_buff *skb, struct rf_pkt *pkt)
{
	struct rf_flow *flow;

	if (unlikely(rf_opcode_is_ud(pkt->desc.opcode)))
		pkt->desc.sender = read_sender(skb, pkt);
	flow = flow_get(flows, track, &pkt->desc);
	if (!flow) {
		flow_see_untracked(&pkt->desc);
		return NULL;
	}
	if (time_after(jiffies, flow->last + FLOW_USED)) {
		flow->last = jiffies;
		list_move(&flow->recent, flows_list(flows, flow));
	}
	if (unlikely(flow->generation != flows->generation)) {
		flow->generation = flows->generation;
		flow->generation_psn = pkt->desc.psn;
	}
	flow_see(flow, skb, pkt);
	if (unlikely(flow->win.highest / RF_PSN_WINDOW != flow->block))
		flow_change_block(flows, flow);
	return flow;
}

/**
 * rf_flow_set_ordinals - number the message of a packet, and the packet in its message
 * @flow: the flow, which has seen the packet and no later one
 * @desc: the packet; its ordinals are filled in
 *
 * Context: softirq or BH off, under the lock of the direction.
 */
void rf_flow_set_ordinals(struct rf_flow *flow, struct rf_desc *desc)
{
	if (!desc->position || !desc->attempt)
		return;
	desc->message = rf_psn_message(&flow->win, desc->psn);
	desc->packet = rf_psn_packet(&flow->win, desc->psn);
	if (desc->message > flow->before_step)
		desc->step_message = desc->message - flow->before_step;
}

static void flows_remove(struct rf_flows *flows, struct list_head *list)
{
	struct rf_flow *flow, *next;

	list_for_each_entry_safe(flow, next, list, recent)
		flow_remove(flows, flow);
}

/**
 * rf_flows_need_all - begin to need all flows
 * @flows: the flows of the direction
 *
 * A response to a request that was sent earlier can belong to a flow that was
 * untracked then. So it is assigned to no flow. The watched flows end, and with them
 * their part of the ordinals.
 *
 * Context: under the lock of the direction.
 */
void rf_flows_need_all(struct rf_flows *flows)
{
	struct rf_flow *flow;

	flows_remove(flows, &flows->watched);
	list_for_each_entry(flow, &flows->recent, recent) {
		flow->info.ordinal = flow->number;
		flow->group->last = flow->group->numbered;
	}
	flows->generation++;
}

/**
 * rf_flows_untrack - stop tracking the packets to other QPs
 * @flows: the flows of the direction
 * @filter: the QPs whose flows stay tracked
 * @watch: the watched flows stay tracked, too
 *
 * If such a flow is tracked again, it is a new flow, because the counters would
 * lack the packets that it has sent meanwhile.
 *
 * Context: under the lock of the direction.
 */
void rf_flows_untrack(struct rf_flows *flows, const struct rf_qp_filter *filter,
		      bool watch)
{
	struct rf_flow *flow, *next;

	list_for_each_entry_safe(flow, next, &flows->recent, recent)
		if (!rf_qp_filter_has(filter, flow->key.qp))
			flow_remove(flows, flow);
	if (!watch)
		flows_remove(flows, &flows->watched);
}

/**
 * rf_flows_end - end the flows from and to an address
 * @flows: the flows of the direction
 * @addr: the address
 * @addr_len: its length, 4 or 16 bytes
 *
 * Context: under the lock of the direction.
 */
void rf_flows_end(struct rf_flows *flows, const u8 *addr, u32 addr_len)
{
	struct list_head *lists[] = { &flows->recent, &flows->watched };
	struct rf_flow *flow, *next;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(lists); i++)
		list_for_each_entry_safe(flow, next, lists[i], recent)
			if (flow->key.addr_len == addr_len &&
			    (!memcmp(flow->key.saddr, addr, addr_len) ||
			     !memcmp(flow->key.daddr, addr, addr_len)))
				flow_remove(flows, flow);
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
	next = peer_look_in_block(flows, group, psn, (block + 1) % PSN_BLOCKS, &found);
	return found == 1 ? flow ?: next : NULL;
}

/* The flows of requests from the receiver of a packet to its sender, or NULL */
static struct rf_flow_group *peer_group(const struct rf_flows *flows, const struct rf_desc *desc)
{
	struct rf_flow_key key = {
		.addr_len = desc->addr_len,
		.kind = RF_FLOW_REQUESTS,
	};

	memcpy(key.saddr, desc->daddr, sizeof(key.saddr));
	memcpy(key.daddr, desc->saddr, sizeof(key.daddr));
	return flow_group_find(flows, &key);
}

static struct rf_flow *peer_find_request(const struct rf_flows *flows,
					 const struct rf_desc *response)
{
	struct rf_flow_group *group = peer_group(flows, response);

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
		flow_set_lookup(flows, flow, response->qp | IS_PEER);
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

/**
 * rf_flow_of_sender - find the destination QP of the requests that a QP sends
 * @flows: the flows of the requests' direction, or NULL
 * @desc: a packet to that QP, in the other direction
 * @qp: gets the destination QP
 *
 * Context: softirq or BH off, under the lock of the requests' direction.
 * Return: false if it is unknown.
 */
bool rf_flow_of_sender(const struct rf_flows *flows, const struct rf_desc *desc, u32 *qp)
{
	struct rf_flow_group *group = flows ? peer_group(flows, desc) : NULL;
	struct rf_flow *flow = group ? peer_flow_of_qp(flows, group, desc->qp) : NULL;

	if (!flow)
		return false;
	*qp = flow->key.qp;
	return true;
}

/**
 * rf_flow_requester - find the QP that sends requests to a QP
 * @flows: the flows of the direction, or NULL
 * @desc: a packet to that QP, of any kind
 * @qp: gets the QP
 *
 * Context: softirq or BH off, under the lock of the direction.
 * Return: false if it is unknown.
 */
bool rf_flow_requester(const struct rf_flows *flows, const struct rf_desc *desc, u32 *qp)
{
	struct rf_flow_key key = rf_flow_key(desc);
	struct rf_flow *flow;

	key.kind = RF_FLOW_REQUESTS;
	flow = flows ? rf_flow_find(flows, &key) : NULL;
	if (!flow || !flow->info.has_peer)
		return false;
	*qp = flow->info.peer_qp;
	return true;
}

/**
 * rf_flows_alloc - an empty set of flows
 *
 * Context: process.
 * Return: the flows, or NULL.
 */
struct rf_flows *rf_flows_alloc(void)
{
	struct rf_flows *flows = kvzalloc(sizeof(*flows), GFP_KERNEL_ACCOUNT);

	if (!flows)
		return NULL;
	hash_init(flows->table);
	hash_init(flows->groups);
	flows->lookup = RB_ROOT;
	INIT_LIST_HEAD(&flows->recent);
	INIT_LIST_HEAD(&flows->watched);
	return flows;
}

/**
 * rf_flows_free - free all flows
 * @flows: the flows, which the data path cannot reach any more; or NULL
 */
void rf_flows_free(struct rf_flows *flows)
{
	if (!flows)
		return;
	flows_remove(flows, &flows->watched);
	flows_remove(flows, &flows->recent);
	DEBUG_NET_WARN_ON_ONCE(flows->count || flows->cnps);
	kvfree(flows);
}

/**
 * rf_flows_count - the number of tracked flows
 * @flows: the flows, or NULL
 *
 * Context: any; without the lock, the number may be outdated.
 * Return: the number of flows of requests and of responses.
 */
u32 rf_flows_count(const struct rf_flows *flows)
{
	u32 cnps = flows ? READ_ONCE(flows->cnps) : 0;
	u32 count = flows ? READ_ONCE(flows->count) : 0;

	/* The two values can be of different times. */
	return count > cnps ? count - cnps : 0;
}
