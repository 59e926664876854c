// SPDX-License-Identifier: GPL-2.0
/*
 * Per-flow state of one direction of a port: which PSN came first, how often
 * each has been seen, and which message it is in.
 *
 * A flow is (source, destination, destination QP, kind). The kind is needed
 * because a QP carries two PSN spaces: the requests it sends, and the
 * ACKs and read responses to the requests of its peer, which bear the
 * peer's PSNs. CNPs bear no PSN at all; each is the first attempt of the next
 * serial number.
 *
 * Many QPs may send datagrams (UD) to one, each with PSNs of its own, so there the
 * sender's QP is part of the flow. A UD QP counts its PSNs across all its peers, so
 * in the flow to one of them a gap is no loss and no message.
 *
 * A NAK bears the PSN of the request that it asks for, which the ACK of
 * that request bears later. So NAKs and other responses of a PSN are counted apart.
 *
 * QP numbers differ from run to run, so flows of one kind between the same
 * addresses, kin, are numbered in the order of their first packets. Rules and
 * draws go by that number.
 *
 * Flows are made by their first packet, so memory is what traffic needs. When
 * the table is full, the flow that has been silent longest makes room if it
 * has been so for ten seconds; otherwise the packet isn't followed, which is
 * counted by the caller.
 */
#include <linux/atomic.h>
#include <linux/build_bug.h>
#include <linux/jhash.h>
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <net/ipv6.h>

#include "table.h"
#include "../rule/hash.h"
#include "../rule/mix.h"
#include "../rocev2/opcode.h"
#include "../rocev2/packet.h"
#include "../rule/qp_filter.h"

#define FLOWS_MAX	4096		/* 8 MiB when all are in use */
#define FLOW_STALE	(10 * HZ)

/* Of all flows of all ports: what is kept of one is never taken for another's. */
static atomic64_t last_id;

/* One byte more, and the allocator takes twice as many. */
static_assert(sizeof(struct rf_flow) <= 2048);

/* Of an IPv4 address, all but the first word is 0. */
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

static bool addr_equal(const u8 *a, const u8 *b)
{
	return ipv6_addr_equal((const struct in6_addr *)a,
			       (const struct in6_addr *)b);
}

/**
 * rf_flow_key_equal - is it the same flow?
 * @a: a key
 * @b: another
 *
 * Return: true if it is.
 */
bool rf_flow_key_equal(const struct rf_flow_key *a, const struct rf_flow_key *b)
{
	return a->qp == b->qp && a->sender == b->sender && a->kind == b->kind &&
	       a->addr_len == b->addr_len && addr_equal(a->saddr, b->saddr) &&
	       addr_equal(a->daddr, b->daddr);
}

static enum rf_flow_kind kind_of(const struct rf_desc *desc)
{
	if (unlikely(desc->classes & RDMAFAULT_CLASS_CNP))
		return RF_FLOW_CNPS;
	return desc->response ? RF_FLOW_RESPONSES : RF_FLOW_REQUESTS;
}

/**
 * rf_flow_key - the key of the flow that a packet is of
 * @desc: the packet
 *
 * Return: the key.
 */
struct rf_flow_key rf_flow_key(const struct rf_desc *desc)
{
	struct rf_flow_key key = {
		.addr_len = desc->addr_len,
		.kind = kind_of(desc),
		.qp = desc->qp,
		.sender = desc->sender,
	};

	memcpy(key.saddr, desc->saddr, sizeof(key.saddr));
	memcpy(key.daddr, desc->daddr, sizeof(key.daddr));
	return key;
}

/* What draws are keyed with; @number tells kin apart. */
static u64 key_mix(const struct rf_flow_key *key, u64 number)
{
	u64 word, hash = rf_mix(number, key->kind);
	size_t i;

	for (i = 0; i < sizeof(key->saddr); i += sizeof(word)) {
		memcpy(&word, key->saddr + i, sizeof(word));
		hash = rf_mix(hash, be64_to_cpu((__force __be64)word));
		memcpy(&word, key->daddr + i, sizeof(word));
		hash = rf_mix(hash, be64_to_cpu((__force __be64)word));
	}
	return hash;
}

/**
 * rf_flow_find - a flow by its key
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

static bool is_of(const struct rf_desc *desc, enum rf_flow_kind kind,
		  const struct rf_flow *flow)
{
	return flow->key.qp == desc->qp && flow->key.kind == kind &&
	       flow->key.sender == desc->sender &&
	       flow->key.addr_len == desc->addr_len &&
	       addr_equal(flow->key.saddr, desc->saddr) &&
	       addr_equal(flow->key.daddr, desc->daddr);
}

/* The same for a packet. */
static struct rf_flow *find_for(const struct rf_flows *flows,
				const struct rf_desc *desc)
{
	enum rf_flow_kind kind = kind_of(desc);
	struct rf_flow *flow;
	u32 hash;

	flow = flows->cache[desc->qp % RF_FLOW_CACHE];
	if (flow && is_of(desc, kind, flow))
		return flow;
	hash = hash_of(desc->saddr, desc->daddr, desc->addr_len, kind,
		       desc->qp, desc->sender);
	hash_for_each_possible(flows->table, flow, node, hash)
		if (is_of(desc, kind, flow))
			return flow;
	return NULL;
}

/**
 * rf_kin_find - the flows like one
 * @flows: the flows of the direction
 * @key: key of the one, whose QPs don't matter
 *
 * Context: under the lock of the direction.
 * Return: those of its kind between its addresses, or NULL if there are none.
 */
struct rf_kin *rf_kin_find(const struct rf_flows *flows,
			   const struct rf_flow_key *key)
{
	struct rf_flow_key any = *key;
	struct rf_kin *kin;

	any.qp = 0;
	any.sender = 0;
	hash_for_each_possible(flows->kin, kin, node, key_hash(&any))
		if (rf_flow_key_equal(&kin->key, &any))
			return kin;
	return NULL;
}

static struct rf_kin *kin_get(struct rf_flows *flows,
			      const struct rf_flow_key *key)
{
	struct rf_kin *kin = rf_kin_find(flows, key);

	if (kin)
		return kin;
	kin = kzalloc(sizeof(*kin), GFP_ATOMIC | __GFP_NOWARN);
	if (!kin)
		return NULL;
	kin->key = *key;
	kin->key.qp = 0;
	kin->key.sender = 0;
	hash_add(flows->kin, &kin->node, key_hash(&kin->key));
	return kin;
}

static void kin_put(struct rf_kin *kin)
{
	DEBUG_NET_WARN_ON_ONCE(!kin->flows);
	if (--kin->flows)
		return;
	hash_del(&kin->node);
	kfree(kin);
}

static void flow_remove(struct rf_flows *flows, struct rf_flow *flow)
{
	struct rf_flow **cached = &flows->cache[flow->key.qp % RF_FLOW_CACHE];

	DEBUG_NET_WARN_ON_ONCE(!flows->count);
	if (*cached == flow)
		*cached = NULL;
	hash_del(&flow->node);
	rf_flow_ask_no_more(flows, flow);
	list_del(&flow->recent);
	kin_put(flow->kin);
	flows->count--;
	flows->cnps -= flow->key.kind == RF_FLOW_CNPS;
	kfree(flow);
}

/*
 * Once in a jiffy is enough: a flow is removed only if it has been silent for ten
 * seconds, and checks of the list are expensive.
 */
static void flow_used(struct rf_flows *flows, struct rf_flow *flow)
{
	unsigned long now = jiffies;

	if (flow->last == now)
		return;
	flow->last = now;
	list_move(&flow->recent, &flows->recent);
}

/* Is there room for one more flow? */
static bool flows_have_room(struct rf_flows *flows)
{
	struct rf_flow *flow;

	if (flows->count < FLOWS_MAX)
		return true;
	flow = list_last_entry(&flows->recent, struct rf_flow, recent);
	if (time_before(jiffies, flow->last + FLOW_STALE))
		return false;
	flow_remove(flows, flow);
	return true;
}

static void flow_add(struct rf_flows *flows, struct rf_flow *flow,
		     struct rf_kin *kin)
{
	flow->kin = kin;
	kin->flows++;
	flow->id = atomic64_inc_return(&last_id);
	flow->info.ordinal = ++kin->last;
	flow->key64 = key_mix(&flow->key, flow->info.ordinal);
	hash_add(flows->table, &flow->node, key_hash(&flow->key));
	flow->last = jiffies;
	list_add(&flow->recent, &flows->recent);
	flows->count++;
	flows->cnps += flow->key.kind == RF_FLOW_CNPS;
}

/*
 * Answers bear a PSN of the last RF_PSN_WINDOW ones, so a flow of which nothing
 * else is known is found by the block of so many that its highest is in.
 */
static noinline void change_block(struct rf_flows *flows, struct rf_flow *flow)
{
	flow->block = flow->win.highest / RF_PSN_WINDOW;
	if (flow->key.kind == RF_FLOW_REQUESTS && !flow->info.has_peer)
		rf_flow_ask(flows, flow, flow->block);
}

static void see_block(struct rf_flows *flows, struct rf_flow *flow)
{
	if (unlikely(flow->win.highest / RF_PSN_WINDOW != flow->block))
		change_block(flows, flow);
}

static noinline struct rf_flow *flow_make(struct rf_flows *flows,
					  const struct rf_desc *desc)
{
	struct rf_flow_key key = rf_flow_key(desc);
	struct rf_flow *flow;
	struct rf_kin *kin;

	if (!flows_have_room(flows))
		return NULL;
	flow = kzalloc(sizeof(*flow), GFP_ATOMIC | __GFP_NOWARN);
	if (!flow)
		return NULL;
	kin = kin_get(flows, &key);
	if (!kin) {
		kfree(flow);
		return NULL;
	}
	RB_CLEAR_NODE(&flow->asked);
	flow->key = key;
	memcpy(flow->addrs, key.saddr, 4);
	memcpy(flow->addrs + 4, key.daddr, 4);
	flow->last_psn = (desc->psn - 1) & RF_PSN_MASK;
	flow->era = flows->era;
	flow->era_psn = desc->psn;
	if (desc->sender) {
		flow->info.has_peer = true;
		flow->info.peer_qp = desc->sender;
	}
	rf_psn_window_start(&flow->win, desc->psn);
	flow_add(flows, flow, kin);
	change_block(flows, flow);
	return flow;
}

/*
 * A READ request bears the PSN of the first of its responses, and behind a datagram
 * the next PSN may be another peer's.
 */
static bool ends_message(const struct rf_desc *desc)
{
	return desc->position & (RDMAFAULT_POSITION_LAST |
				 RDMAFAULT_POSITION_ONLY) &&
	       !(desc->classes & RDMAFAULT_CLASS_READ_REQUEST) &&
	       !desc->response && !rf_opcode_is_ud(desc->opcode);
}

/* Does a READ request ask for the rest of another? Without its RETH, it doesn't. */
static noinline bool asks_for_rest(struct rf_flow *flow,
				   const struct sk_buff *skb,
				   const struct rf_pkt *pkt)
{
	u32 offset = pkt->bth + pkt->desc.headers - RF_RETH_LEN;
	u8 copy[RF_RETH_LEN];
	const u8 *reth;

	reth = skb_header_pointer(skb, offset, sizeof(copy), copy);
	return reth && rf_reads_see(&flow->reads, pkt->desc.psn, reth);
}

/* A READ may be retransmitted from its middle, and its responses likewise. */
static bool begins_message(struct rf_flow *flow, const struct sk_buff *skb,
			   const struct rf_pkt *pkt)
{
	const struct rf_desc *desc = &pkt->desc;

	if (!(desc->position & (RDMAFAULT_POSITION_FIRST |
				RDMAFAULT_POSITION_ONLY)))
		return false;
	if (desc->response)
		return !rf_psn_is_open(&flow->win, desc->psn - 1);
	return !(desc->classes & RDMAFAULT_CLASS_READ_REQUEST) ||
	       !asks_for_rest(flow, skb, pkt);
}

static void see_message(struct rf_flow *flow, const struct sk_buff *skb,
			struct rf_pkt *pkt)
{
	struct rf_psn_window *win = &flow->win;
	struct rf_desc *desc = &pkt->desc;

	if (!desc->position)
		return;
	rf_psn_window_bounds(win, desc->psn, begins_message(flow, skb, pkt),
			     ends_message(desc));
	if (desc->response && desc->position & (RDMAFAULT_POSITION_FIRST |
						RDMAFAULT_POSITION_MIDDLE))
		rf_psn_window_open(win, desc->psn);
	desc->message = rf_psn_message(win, desc->psn);
	desc->packet = rf_psn_packet(win, desc->psn);
	if (desc->message > flow->before_step)
		desc->step_message = desc->message - flow->before_step;
}

static void see_step(struct rf_flow *flow, const struct rf_desc *desc)
{
	if (flow->step == desc->step)
		return;
	flow->step = desc->step;
	flow->before_step = flow->win.messages;
}

/* What the last owner of the QP number sent is nothing of the new one's. */
static noinline void forget_owner(struct rf_flow *flow, u64 messages)
{
	flow->info.messages += messages;
	flow->reads.seen = 0;
	flow->nak_attempt = 0;
}

/* NAKs of a PSN count from 1, and what answers it for good does, too. */
static noinline void see_response(struct rf_flow *flow, struct rf_desc *desc)
{
	if (desc->classes & (RDMAFAULT_CLASS_NAK | RDMAFAULT_CLASS_RNR)) {
		if (flow->nak_psn != desc->psn)
			flow->nak_attempt = 0;
		flow->nak_psn = desc->psn;
		if (flow->nak_attempt < U8_MAX)
			flow->nak_attempt++;
		desc->attempt = flow->nak_attempt;
	} else if (flow->nak_psn == desc->psn && desc->attempt > flow->nak_attempt) {
		desc->attempt -= flow->nak_attempt;
	}
}

/* False if the packet comes too late to have a place in its flow. */
static bool see_psn(struct rf_flow *flow, struct rf_desc *desc)
{
	u64 messages = flow->win.messages;
	u32 owners = flow->win.owners;

	desc->attempt = rf_psn_window_see(&flow->win, desc->psn);
	if (unlikely(flow->win.owners != owners))
		forget_owner(flow, messages);
	/* A leap that is taken back takes with it the message that it began. */
	flow->before_step = min(flow->before_step, flow->win.messages);
	desc->psn_rel = rf_psn_rel(&flow->win, desc->psn);
	desc->serial = rf_psn_serial(&flow->win, desc->psn);
	desc->turn = desc->attempt;
	if (desc->attempt == U8_MAX)
		desc->turn += flow->beyond++;
	/* It draws what a copy draws that comes in time. */
	if (!desc->attempt)
		desc->turn = 2;
	else if (flow->key.kind == RF_FLOW_RESPONSES)
		see_response(flow, desc);
	return desc->attempt;
}

static void see_cnp(struct rf_flow *flow, struct rf_desc *desc)
{
	desc->attempt = 1;
	desc->turn = 1;
	desc->serial = flow->info.packets;
}

/* Back at a PSN that was sent before: why? */
static void see_going_back(struct rf_flow *flow, const struct rf_desc *desc)
{
	if (rf_psn_diff(desc->psn, flow->last_psn) <= 0 && desc->attempt > 1) {
		if (!flow->excused)
			flow->info.timeouts++;
		flow->excused = false;
	}
	flow->last_psn = desc->psn;
}

static void count(struct rf_flow *flow, const struct rf_desc *desc)
{
	struct rf_flow_counts *info = &flow->info;

	info->packets++;
	info->bytes += desc->len;
	info->max_attempt = max(info->max_attempt, desc->attempt);
	if (desc->attempt > 1) {
		info->retransmitted++;
		info->retransmitted_bytes += desc->len;
	}
	/* A NAK is a response; those of a request flow come by answer. */
	info->naks += !!(desc->classes & RDMAFAULT_CLASS_NAK);
	info->rnrs += !!(desc->classes & RDMAFAULT_CLASS_RNR);
}

static void see(struct rf_flow *flow, const struct sk_buff *skb,
		struct rf_pkt *pkt)
{
	struct rf_desc *desc = &pkt->desc;
	u64 messages;

	see_step(flow, desc);
	messages = flow->win.messages;
	if (flow->key.kind == RF_FLOW_CNPS) {
		see_cnp(flow, desc);
	} else if (see_psn(flow, desc)) {
		see_message(flow, skb, pkt);
		see_going_back(flow, desc);
	}
	flow->info.messages += flow->win.messages - messages;
	desc->flow = flow->info.ordinal;
	desc->flow_id = flow->id;
	desc->key64 = flow->key64;
	count(flow, desc);
}

/* An untracked flow gets draws of its own too, if not those that it would get. */
static noinline void see_untracked(struct rf_desc *desc)
{
	struct rf_flow_key key = rf_flow_key(desc);

	desc->key64 = key_mix(&key, ~(u64)key.qp);
	desc->serial = desc->psn;
}

/* The rules that a packet was looked at for may be gone when it comes here. */
static bool is_followed(const struct rf_qps *named, const struct rf_desc *desc)
{
	return !named || kind_of(desc) == RF_FLOW_RESPONSES ||
	       rf_qps_concern(named, desc->qp);
}

/* The first packet of its flow: false if there is no room for that. */
static noinline bool see_new(struct rf_flows *flows, const struct rf_qps *named,
			     struct rf_desc *desc, struct rf_flow **flow)
{
	bool followed = is_followed(named, desc);

	*flow = followed ? flow_make(flows, desc) : NULL;
	if (!*flow)
		see_untracked(desc);
	return *flow || !followed;
}

/* The QP that has sent a datagram; it can be read, for its opcode was checked. */
static noinline u32 read_sender(const struct sk_buff *skb,
				const struct rf_pkt *pkt)
{
	u8 copy[RF_DETH_LEN];
	const u8 *deth;

	deth = skb_header_pointer(skb, pkt->bth + RF_BTH_LEN, sizeof(copy),
				  copy);
	return deth ? deth[5] << 16 | deth[6] << 8 | deth[7] : 0;
}

/**
 * rf_flow_see - follow a packet
 * @flows: the flows of the direction
 * @named: the QPs whose flows are followed, NULL if those of all are
 * @skb: the packet
 * @pkt: what its headers say; what its flow tells is filled in
 *
 * Context: softirq or BH off, under the lock of the direction.
 * Return: false if the flow can't be followed, for want of room or memory. The
 * attempt and all ordinals are 0 then, as they are if it isn't to be followed.
 */
bool rf_flow_see(struct rf_flows *flows, const struct rf_qps *named,
		 const struct sk_buff *skb, struct rf_pkt *pkt)
{
	struct rf_flow *flow;
	bool room = true;

	if (unlikely(rf_opcode_is_ud(pkt->desc.opcode)))
		pkt->desc.sender = read_sender(skb, pkt);
	flow = find_for(flows, &pkt->desc);
	if (!flow)
		room = see_new(flows, named, &pkt->desc, &flow);
	if (!flow)
		return room;
	flow_used(flows, flow);
	if (unlikely(flow->era != flows->era)) {
		flow->era = flows->era;
		flow->era_psn = pkt->desc.psn;
	}
	see(flow, skb, pkt);
	see_block(flows, flow);
	flow->next = RF_PSN_NONE;
	if (flow->key.kind == RF_FLOW_REQUESTS)
		flow->next = rf_psn_window_expected(&flow->win);
	flows->cache[flow->key.qp % RF_FLOW_CACHE] = flow;
	return true;
}

static bool plain_is_of(const struct rf_plain *p, const struct rf_flow *flow)
{
	if (flow->key.qp != p->qp || flow->key.addr_len != p->addr_len ||
	    flow->key.sender)
		return false;
	if (likely(p->addr_len == 4))
		return !memcmp(flow->addrs, p->addrs, sizeof(flow->addrs));
	return !memcmp(flow->key.saddr, p->addrs, 16) &&
	       !memcmp(flow->key.daddr, p->addrs + 16, 16);
}

/**
 * rf_flow_next - track the next request of a known flow
 * @flows: the flows of the direction
 * @p: a plain request with a sequential opcode
 * @step: the port's step
 *
 * This is the short form of rf_flow_see() for nearly all packets: what would be
 * compared and counted there with other results than these is left out.
 *
 * Context: softirq or BH off, under the lock of the direction.
 * Return: the flow; or NULL, and nothing has changed, if rf_flow_see() must be
 * called.
 */
struct rf_flow *rf_flow_next(struct rf_flows *flows, const struct rf_plain *p,
			     u32 step)
{
	struct rf_flow *flow = flows->cache[p->qp % RF_FLOW_CACHE];
	u32 psn = p->psn, position = p->op->position;

	if (unlikely(!flow || flow->next != psn || !plain_is_of(p, flow) ||
		     flow->step != step || flow->era != flows->era ||
		     psn / RF_PSN_WINDOW != flow->block))
		return NULL;
	if (rf_psn_window_next(&flow->win, psn,
			       position & (RDMAFAULT_POSITION_FIRST |
					   RDMAFAULT_POSITION_ONLY),
			       position & (RDMAFAULT_POSITION_LAST |
					   RDMAFAULT_POSITION_ONLY)))
		flow->info.messages++;
	flow->last_psn = psn;
	flow->next = (psn + 1) & RF_PSN_MASK;
	flow->info.packets++;
	flow->info.bytes += p->len;
	if (flow->last != jiffies)
		flow_used(flows, flow);
	return flow;
}

/**
 * rf_flow_describe - describe the place in its flow of a packet
 * @flow: the flow, which rf_flow_next() has returned for the packet
 * @desc: gets what rf_flow_see() would fill in
 *
 * Context: softirq or BH off, under the lock of the direction.
 */
void rf_flow_describe(const struct rf_flow *flow, struct rf_desc *desc)
{
	const struct rf_psn_window *win = &flow->win;

	desc->attempt = 1;
	desc->turn = 1;
	desc->psn_rel = rf_psn_rel(win, win->highest);
	desc->serial = win->span;
	desc->message = win->messages;
	desc->packet = ((win->highest - win->begin) & RF_PSN_MASK) + 1;
	desc->step_message = 0;
	if (win->messages > flow->before_step)
		desc->step_message = win->messages - flow->before_step;
	desc->flow = flow->info.ordinal;
	desc->flow_id = flow->id;
	desc->key64 = flow->key64;
}

/**
 * rf_flows_know_all - flows may be followed now that were not
 * @flows: the flows of the direction
 *
 * What was sent before tells nothing about whose an answer is: it may be that of a
 * flow that isn't known yet.
 *
 * Context: under the lock of the direction.
 */
void rf_flows_know_all(struct rf_flows *flows)
{
	flows->era++;
}

/**
 * rf_flows_forget - requests to others aren't followed any more
 * @flows: the flows of the direction
 * @named: the QPs whose flows stay
 *
 * Should they be followed again, they begin anew: what they have sent meanwhile
 * is missing in all that was counted.
 *
 * Context: under the lock of the direction.
 */
void rf_flows_forget(struct rf_flows *flows, const struct rf_qps *named)
{
	struct rf_flow *flow, *next;

	list_for_each_entry_safe(flow, next, &flows->recent, recent)
		if (flow->key.kind != RF_FLOW_RESPONSES &&
		    !rf_qps_concern(named, flow->key.qp))
			flow_remove(flows, flow);
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
	hash_init(flows->kin);
	flows->asked = RB_ROOT;
	INIT_LIST_HEAD(&flows->recent);
	return flows;
}

/**
 * rf_flows_free - free the flows, NULL allowed
 * @flows: not reachable by the data path any more
 *
 * Context: any.
 */
void rf_flows_free(struct rf_flows *flows)
{
	struct rf_flow *flow, *next;

	if (!flows)
		return;
	list_for_each_entry_safe(flow, next, &flows->recent, recent)
		flow_remove(flows, flow);
	DEBUG_NET_WARN_ON_ONCE(flows->count || flows->cnps);
	kvfree(flows);
}

/**
 * rf_flows_count - how many flows are followed
 * @flows: the flows, or NULL
 *
 * Context: any; the number may be old when it arrives.
 * Return: the number, of requests and responses.
 */
u32 rf_flows_count(const struct rf_flows *flows)
{
	return flows ? READ_ONCE(flows->count) - READ_ONCE(flows->cnps) : 0;
}
