// SPDX-License-Identifier: GPL-2.0
/*
 * The evaluation of rules for a packet.
 *
 * A packet is evaluated under the lock of its direction, with one rule set, so it
 * sees all of a change of rules or nothing of it. Rules are evaluated in the order
 * in which they were added. Each rule that matches counts the packet. A rule that
 * drops the packet ends the evaluation.
 *
 * There are two ways with the same results. rf_dir_decide() describes the packet
 * and its flow completely, and then evaluates the rules. rf_dir_decide_plain() is
 * for nearly all packets, and describes only what a rule needs.
 */
#include <linux/ktime.h>
#include <linux/netdevice.h>
#include <net/inet_ecn.h>

#include "decide.h"
#include "flow/flow.h"
#include "rocev2/mangle.h"
#include "rocev2/opcode.h"
#include "rocev2/packet.h"
#include "rule/ruleset.h"
#include "trace.h"

static struct rf_draw_key rule_draw_key(const struct rf_rule *rule,
					const struct rf_desc *desc)
{
	return (struct rf_draw_key){
		.base = rule->draw_base,
		.flow = desc->key64,
		.serial = desc->serial,
		.attempt = desc->draw_attempt,
	};
}

/* Sets the age of the rule if it depends on time. */
static bool rule_has_expired(const struct rf_rule *rule, u64 *age)
{
	if (!rule->expires && !rf_trigger_has_window(&rule->trigger))
		return false;
	*age = ktime_get_ns() - rule->born;
	return rule->expires && *age >= rule->expires;
}

static bool rule_hits(struct rf_rule *rule, const struct rf_desc *desc,
		      struct rf_draw_key *draw)
{
	struct rf_trigger_ctx trigger = { .desc = desc, .draw = draw };

	if (!rf_match_true(&rule->match, desc))
		return false;
	if (rule_has_expired(rule, &trigger.age)) {
		rule->counters.matched++;
		rule->counters.missed[RF_MISS_WINDOW]++;
		return false;
	}
	*draw = rule_draw_key(rule, desc);
	if (!rf_trigger_fires(&rule->trigger, &rule->counters, &rule->states,
			      &trigger))
		return false;
	rule->counters.bytes += desc->len;
	return true;
}

static struct rf_trace_packet ctx_trace_packet(const struct rf_ctx *ctx)
{
	const struct rf_desc *desc = &ctx->pkt->desc;

	return (struct rf_trace_packet){
		.seq = ctx->frame.seq,
		.dev = ctx->dir->dev,
		.dir = ctx->dir->direction,
		.addr_len = desc->addr_len,
		.saddr = desc->saddr,
		.daddr = desc->daddr,
		.qp = desc->qp,
		.psn = desc->psn,
		.psn_rel = desc->psn_rel,
		.opcode = desc->opcode,
		.syndrome = desc->syndrome,
		.classes = desc->classes,
		.position = desc->position,
		.attempt = desc->attempt,
		.flow = desc->flow,
		.message = desc->message,
		.step_message = desc->step_message,
		.packet = desc->packet,
		.step = desc->step,
		.len = desc->len,
	};
}

static noinline void ctx_trace_hit(const struct rf_ctx *ctx)
{
	const struct rf_trace_packet packet = ctx_trace_packet(ctx);
	const struct rf_rule *rule = ctx->rule;
	struct rf_trace_hit hit = {
		.rule = rule->id,
		.count = rule->actions,
		.values = ctx->values,
	};
	u32 i;

	for (i = 0; i < rule->actions; i++)
		hit.types[i] = rule->action[i].type;
	trace_rf_hit(&packet, &hit);
}

static enum rf_verdict rule_apply(struct rf_ctx *ctx, struct rf_rule *rule)
{
	enum rf_verdict verdict;

	ctx->rule = rule;
	memset(ctx->values, 0, sizeof(ctx->values));
	verdict = rf_fault_apply(ctx);
	if (trace_rf_hit_enabled())
		ctx_trace_hit(ctx);
	if (!ctx->first_rule)
		ctx->first_rule = rule->id;
	return verdict;
}

static enum rf_verdict rules_apply(struct rf_ctx *ctx,
				   const struct rf_ruleset *rules)
{
	struct rf_dir *dir = ctx->dir;
	enum rf_verdict verdict = RF_PASS;
	struct rf_index_cursor cursor;
	struct rf_index_node *node;

	rf_index_begin(rules->index, &ctx->pkt->desc, &cursor);
	while (verdict == RF_PASS && (node = rf_index_next(&cursor)))
		if (rule_hits(node->rule, &ctx->pkt->desc, &ctx->draw))
			verdict = rule_apply(ctx, node->rule);
	if (ctx->first_rule)
		rf_stats_inc(dir->stats, RF_STAT_HITS);
	if (verdict == RF_DROP)
		rf_stats_inc(dir->stats, RF_STAT_DROPPED);
	return verdict;
}

static const struct rf_progress *decide_progress(const struct rf_dir *dir)
{
	static const struct rf_progress none;

	return rcu_dereference_bh(dir->progress) ?: &none;
}

static void decide_track(struct rf_dir *dir, const struct sk_buff *skb,
			 struct rf_pkt *pkt)
{
	const struct rf_progress *progress = decide_progress(dir);
	struct rf_desc *desc = &pkt->desc;

	desc->step = progress->step;
	desc->messages = progress->messages;
	desc->messages_total = progress->messages_total;
	if (!rf_flow_see(dir->flows, rf_dir_qp_filter(dir), skb, pkt))
		rf_stats_inc(dir->stats, RF_STAT_FLOWS_LOST);
}

static void ctx_count(const struct rf_ctx *ctx)
{
	struct rf_stats __percpu *stats = ctx->dir->stats;
	const struct rf_desc *desc = &ctx->pkt->desc;
	struct rf_trace_packet packet;

	if (desc->attempt > 1) {
		rf_stats_inc(stats, RF_STAT_RETRANSMITTED);
		rf_stats_add(stats, RF_STAT_RETRANSMITTED_BYTES, desc->len);
		if (trace_rf_retransmit_enabled()) {
			packet = ctx_trace_packet(ctx);
			trace_rf_retransmit(&packet);
		}
	}
	if (desc->classes & (RDMAFAULT_CLASS_NAK | RDMAFAULT_CLASS_RNR)) {
		rf_stats_inc(stats, desc->classes & RDMAFAULT_CLASS_NAK ?
			     RF_STAT_NAKS : RF_STAT_RNRS);
		if (trace_rf_nak_enabled()) {
			packet = ctx_trace_packet(ctx);
			trace_rf_nak(&packet);
		}
	}
}

/*
 * The other members are written when they are needed: @rule, @draw, @at and @values
 * when a rule hits, @end with the first action, @last_copy with the first copy.
 */
static void ctx_begin(struct rf_ctx *ctx, struct rf_dir *dir,
		      struct sk_buff *skb, struct rf_pkt *pkt, u64 came)
{
	ctx->dir = dir;
	ctx->skb = skb;
	ctx->pkt = pkt;
	ctx->end = pkt->end;
	ctx->came = came;
	ctx->delay = 0;
	ctx->delayed = false;
	ctx->keep_order = false;
	ctx->wait = (struct rf_wait){ };
	ctx->holder = 0;
	ctx->copies = NULL;
	ctx->ncopies = 0;
	ctx->nak = NULL;
	ctx->first_rule = 0;
	ctx->frame = (struct rf_trace_frame){ };
}

static u64 ctx_came(const struct rf_ctx *ctx)
{
	/* A rule may have been added since the packet arrived. */
	return ctx->came ?: ktime_get_ns();
}

/* @delay: nanoseconds from the packet's arrival until its release */
static struct rf_skb_cb ctx_cb(const struct rf_ctx *ctx, u64 came, u64 delay)
{
	const struct rf_desc *desc = &ctx->pkt->desc;

	return (struct rf_skb_cb){
		.release = came + delay,
		.came = came,
		.flow = desc->flow_id,
		.seq = ctx->frame.seq,
		.len = desc->len,
		.keep_order = ctx->keep_order,
		.rule = ctx->holder,
		.psn = desc->psn,
		.attempt = desc->attempt,
		.qp = desc->qp,
		.opcode = desc->opcode,
	};
}

/*
 * Put a packet into the delay queue, and count it. Return: RF_DELAYED; RF_DROP if the
 * queue is full; RF_PASS if the packet can't be delayed, and goes on unchanged.
 */
static enum rf_verdict decide_delay(struct rf_dir *dir, struct sk_buff *skb,
				    const struct rf_skb_cb *cb, const struct rf_wait *wait)
{
	switch (rf_delayq_enqueue(&dir->delayq, skb, cb, wait)) {
	case 0:
		rf_stats_inc(dir->stats, wait ? RF_STAT_REORDERED :
						RF_STAT_DELAYED);
		return RF_DELAYED;
	case -ENOBUFS:
		rf_stats_inc(dir->stats, RF_STAT_DELAY_QUEUE_FULL);
		return RF_DROP;
	default:
		rf_stats_inc(dir->stats, RF_STAT_UNCHANGED);
		return RF_PASS;
	}
}

static enum rf_verdict ctx_delay(struct rf_ctx *ctx)
{
	u64 max_hold = READ_ONCE(ctx->dir->max_hold);
	u64 delay = min(ctx->delay, max_hold);
	const struct rf_skb_cb cb = ctx_cb(ctx, ctx_came(ctx), delay);
	enum rf_verdict verdict;
	struct rf_label label;

	ctx->wait.within = min(ctx->wait.within, max_hold);
	verdict = decide_delay(ctx->dir, ctx->skb, &cb,
			       ctx->wait.active ? &ctx->wait : NULL);
	if (verdict == RF_DELAYED && trace_rf_hold_enabled()) {
		label = rf_skb_cb_label(&cb);
		trace_rf_hold(ctx->dir->dev, ctx->dir->direction, &label,
			      delay);
	}
	return verdict;
}

/* The cb of each copy holds its delay from the packet's arrival on. */
static void ctx_enqueue_copies(struct rf_ctx *ctx)
{
	u64 max_hold = READ_ONCE(ctx->dir->max_hold);
	struct rf_skb_cb cb = ctx_cb(ctx, ctx_came(ctx), 0);
	struct sk_buff *copy;

	/* Copies release no waiting packets. */
	cb.flow = 0;
	while ((copy = ctx->copies)) {
		ctx->copies = copy->next;
		skb_mark_not_on_list(copy);
		cb.release = cb.came + min(rf_skb_cb(copy)->release, max_hold);
		if (!rf_delayq_enqueue(&ctx->dir->delayq, copy, &cb, NULL)) {
			rf_stats_inc(ctx->dir->stats, RF_STAT_DUPLICATED);
			continue;
		}
		rf_stats_inc(ctx->dir->stats, RF_STAT_DELAY_QUEUE_FULL);
		kfree_skb(copy);
	}
}

static bool ctx_needs_finish(const struct rf_ctx *ctx)
{
	return ctx->delayed || ctx->copies || ctx->nak ||
	       rf_delayq_is_waited(&ctx->dir->delayq);
}

/*
 * What actions do outside of the packet, after all rules: delay the packet, enqueue its
 * copies, send a NAK to its sender. Copies go through the delay queue even if they
 * follow the packet at once: the hook sends the packet after this, and then the packets
 * that are due. No lock of the module is held. Return: the final verdict.
 */
static noinline enum rf_verdict ctx_finish(struct rf_ctx *ctx, enum rf_verdict verdict)
{
	struct rf_delayq *delayq = &ctx->dir->delayq;

	if (verdict == RF_PASS && ctx->delayed)
		verdict = ctx_delay(ctx);
	if (verdict == RF_PASS && rf_delayq_is_waited(delayq))
		rf_delayq_passed(delayq, ctx->pkt->desc.flow_id,
				 ctx->pkt->desc.psn, ctx->came ?: U64_MAX);
	if (ctx->copies)
		ctx_enqueue_copies(ctx);
	if (ctx->nak)
		rf_nak_send(ctx);
	return verdict;
}

/* A response doesn't name its flow, so all flows of requests must be tracked. */
static bool decide_knows_requests(const struct rf_dir *requests)
{
	return test_bit(RF_NEEDS_ALL, &requests->needs) &&
	       rcu_access_pointer(requests->rules);
}

/*
 * A response updates the flow of its requests in the other direction: the peer's QP,
 * NAKs and timeouts. The locks of both directions are never held at once.
 */
static noinline void decide_see_response(struct rf_dir *dir, const struct rf_desc *desc)
{
	struct rf_dir *requests = dir->other;
	struct rf_flow_request request;
	bool known = false;
	u32 qp;

	if (!decide_knows_requests(requests))
		return;
	spin_lock(&requests->lock);
	if (requests->flows)
		known = rf_flow_see_response(requests->flows, desc, &request, &qp);
	spin_unlock(&requests->lock);
	if (!known || !rcu_access_pointer(dir->rules))
		return;
	spin_lock(&dir->lock);
	rf_flow_set_peer(dir->flows, desc, &request, qp);
	spin_unlock(&dir->lock);
}

/*
 * As decide_see_response(), for an ACK whose flow remembers its request flow. Return:
 * false if nothing was done, and decide_see_response() must be called.
 */
static bool decide_see_ack(struct rf_dir *dir, const struct rf_flow_request *request)
{
	struct rf_dir *requests = dir->other;
	bool done;

	if (!decide_knows_requests(requests))
		return true;
	spin_lock(&requests->lock);
	done = rf_flow_acknowledged(requests->flows, request);
	spin_unlock(&requests->lock);
	return done;
}

/**
 * rf_dir_decide - evaluate the rules for a packet
 * @dir: the direction
 * @skb: the packet, which actions can change in place
 * @pkt: the packet; its place in its flow is filled in
 * @came: when it arrived, in ktime_get_ns(), or 0 for now
 *
 * Context: softirq or BH off.
 * Return: the verdict; after RF_DELAYED the delay queue owns @skb.
 */
enum rf_verdict rf_dir_decide(struct rf_dir *dir, struct sk_buff *skb,
			      struct rf_pkt *pkt, u64 came)
{
	enum rf_verdict verdict = RF_PASS;
	const struct rf_ruleset *rules;
	struct rf_ctx ctx __uninitialized;

	rf_stats_add2(dir->stats, RF_STAT_ROCE, 1, pkt->desc.len);
	ctx_begin(&ctx, dir, skb, pkt, came);
	if (rf_trace_enabled())
		rf_trace_begin(&ctx.frame, skb);
	spin_lock(&dir->lock);
	rules = rf_dir_rules(dir);
	if (rules) {
		decide_track(dir, skb, pkt);
		ctx_count(&ctx);
	}
	if (rf_blackhole_drops(dir))
		verdict = RF_DROP;
	else if (rules)
		verdict = rules_apply(&ctx, rules);
	spin_unlock(&dir->lock);
	if (ctx_needs_finish(&ctx))
		verdict = ctx_finish(&ctx, verdict);
	if (pkt->desc.response && verdict != RF_DROP)
		decide_see_response(dir, &pkt->desc);
	if (unlikely(ctx.frame.len))
		rf_trace_record(&ctx.frame, dir->dev, dir->direction,
				ctx.first_rule, verdict);
	return verdict;
}

/**
 * struct plain - a plain packet that is evaluated
 * @p: its headers
 * @flow: its flow
 * @progress: what the job has announced
 * @known: how much of @pkt is filled in
 * @full: @ctx is filled in
 * @delay: sum of the constant delays, in nanoseconds
 * @delayed: a rule delays the packet, perhaps by 0 ns
 * @holder: number of the last rule that delays it, valid if @delayed
 * @hits: 1 if a rule has hit it, otherwise 0
 * @marked: how often its ECN field was set
 * @pkt: the packet, as far as @known
 * @ctx: for actions other than drop, observe, mark and a constant delay; valid if @full
 */
struct plain {
	struct rf_plain p;
	const struct rf_flow *flow;
	const struct rf_progress *progress;
	enum rf_detail known;
	bool full;
	bool delayed;
	u32 holder;
	u64 delay;
	u32 hits;
	u32 marked;
	struct rf_pkt pkt;
	struct rf_ctx ctx;
};

/* RF_DETAIL_FLOW: the BTH and the flow */
static noinline void plain_describe_flow(struct plain *plain,
					 const struct sk_buff *skb)
{
	struct rf_desc *desc = &plain->pkt.desc;
	const struct rf_plain *p = &plain->p;

	desc->qp = p->qp;
	desc->psn = p->psn;
	desc->opcode = p->op - rf_opcodes;
	desc->classes = p->op->response ? RDMAFAULT_CLASS_ACK : p->op->classes;
	if (p->qp == RF_QP_GSI)
		desc->classes = RDMAFAULT_CLASS_CM;
	desc->position = p->op->position;
	desc->len = p->len;
	desc->has_aeth = p->op->aeth;
	desc->syndrome = p->op->aeth ? skb->data[p->bth + p->op->aeth] : 0;
	desc->response = p->op->response;
	desc->sender = 0;
	desc->step = plain->progress->step;
	desc->messages = plain->progress->messages;
	desc->messages_total = plain->progress->messages_total;
	rf_flow_describe(plain->flow, desc);
	plain->known = RF_DETAIL_FLOW;
}

static noinline void plain_describe_all(struct plain *plain,
					const struct rf_dir *dir,
					const struct sk_buff *skb)
{
	const u8 *dscp_prio = rcu_dereference_bh(dir->dscp_prio);
	const u8 *bth = skb->data + plain->p.bth;
	struct rf_desc *desc = &plain->pkt.desc;
	const struct rf_plain *p = &plain->p;
	int pcp = skb_vlan_tag_present(skb) ? skb_vlan_tag_get_prio(skb) : -1;

	if (plain->known == RF_DETAIL_NONE)
		plain_describe_flow(plain, skb);
	plain->pkt.ip = p->ip;
	plain->pkt.udp = p->bth - sizeof(struct udphdr);
	plain->pkt.bth = p->bth;
	plain->pkt.end = p->ip + p->len;
	desc->headers = p->op->hdrlen;
	desc->pad = rf_bth_pad(bth);
	desc->payload = plain->pkt.end - p->bth - desc->headers - desc->pad -
			RF_ICRC_LEN;
	desc->addr_len = p->addr_len;
	memset(desc->saddr, 0, sizeof(desc->saddr));
	memset(desc->daddr, 0, sizeof(desc->daddr));
	memcpy(desc->saddr, p->addrs, p->addr_len);
	memcpy(desc->daddr, p->addrs + p->addr_len, p->addr_len);
	desc->dscp = rf_plain_tos(p, skb) >> 2;
	desc->ecn = rf_plain_tos(p, skb) & INET_ECN_MASK;
	desc->sport = ntohs(((const struct udphdr *)bth)[-1].source);
	desc->priority = rf_priority(dscp_prio, pcp, desc->dscp);
	plain->known = RF_DETAIL_ALL;
}

/* RF_DETAIL_NONE: the rule matches */
static __always_inline bool plain_triggers(struct rf_rule *rule,
					   const struct plain *plain)
{
	rule->counters.matched++;
	if (rule->trigger.set) {
		struct rf_draw_key key = {
			.base = rule->draw_base,
			.flow = plain->flow->key64,
			.serial = plain->flow->win.span,
			.attempt = 1,
		};

		if (!rf_chance(rf_draw(&key, RF_DRAW_CHANCE),
			       rule->trigger.probability)) {
			rule->counters.missed[RF_MISS_CHANCE]++;
			return false;
		}
	}
	rule->counters.hits++;
	rule->counters.bytes += plain->p.len;
	return true;
}

static noinline bool plain_matches(struct rf_dir *dir, struct sk_buff *skb,
				   struct rf_rule *rule, struct plain *plain)
{
	if (plain->known < RF_DETAIL_FLOW)
		plain_describe_flow(plain, skb);
	if (plain->known < rule->detail)
		plain_describe_all(plain, dir, skb);
	return rule_hits(rule, &plain->pkt.desc, &plain->ctx.draw);
}

/* The actions of a rule that has hit the packet, if they need a context */
static noinline enum rf_verdict plain_apply(struct rf_dir *dir,
					    struct sk_buff *skb,
					    struct rf_rule *rule, u64 came,
					    struct plain *plain)
{
	struct rf_ctx *ctx = &plain->ctx;

	if (plain->known < RF_DETAIL_ALL)
		plain_describe_all(plain, dir, skb);
	if (!plain->full) {
		ctx_begin(ctx, dir, skb, &plain->pkt, came);
		if (plain->delayed) {
			ctx->delay = plain->delay;
			ctx->delayed = true;
			ctx->holder = plain->holder;
		}
	}
	plain->full = true;
	ctx->draw = rule_draw_key(rule, &plain->pkt.desc);
	return rule_apply(ctx, rule);
}

/* As fault_mark(), which needs a context */
static enum rf_verdict plain_mark(struct sk_buff *skb, struct rf_rule *rule,
				  struct plain *plain)
{
	const struct rf_action *action = &rule->action[0];
	const struct rf_plain *p = &plain->p;

	switch (rf_mark_choice(action, rf_plain_tos(p, skb) & INET_ECN_MASK)) {
	case RDMAFAULT_NOT_ECT_LEAVE:
		return RF_PASS;
	case RDMAFAULT_NOT_ECT_DROP:
		return RF_DROP;
	}
	rf_ecn_set(skb, p->ip, rf_plain_protocol(p->ip, p->bth), rf_mark_ecn(action));
	plain->marked++;
	return RF_PASS;
}

static __always_inline enum rf_verdict plain_rule(struct rf_dir *dir,
						  struct sk_buff *skb,
						  struct rf_rule *rule, u64 came,
						  struct plain *plain)
{
	if (rule->detail == RF_DETAIL_NEVER)
		return RF_PASS;
	if (rule->detail == RF_DETAIL_NONE) {
		if ((plain->p.qp == RF_QP_GSI && !rule->match.qps) ||
		    !plain_triggers(rule, plain))
			return RF_PASS;
	} else if (!plain_matches(dir, skb, rule, plain)) {
		return RF_PASS;
	}
	plain->hits = 1;
	if (rule->actions == 1) {
		switch (rule->action[0].type) {
		case RDMAFAULT_ACTION_DROP:
			return RF_DROP;
		case RDMAFAULT_ACTION_OBSERVE:
			return RF_PASS;
		case RDMAFAULT_ACTION_MARK:
			if (!skb_cloned(skb))
				return plain_mark(skb, rule, plain);
			break;
		case RDMAFAULT_ACTION_DELAY:
			if (plain->full || plain->p.op->response || rule->action[0].jitter ||
			    rule->action[0].flags & RDMAFAULT_ACTION_FLAG_KEEP_ORDER)
				break;
			plain->delay += rule->action[0].delay;
			plain->delayed = true;
			plain->holder = rule->id;
			return RF_PASS;
		}
	}
	return plain_apply(dir, skb, rule, came, plain);
}

/* See ctx_delay(): all rules that delay the packet have a constant delay. */
static enum rf_verdict plain_delay(struct rf_dir *dir, struct sk_buff *skb,
				   const struct plain *plain, u64 came,
				   u64 flow_id)
{
	const struct rf_plain *p = &plain->p;
	struct rf_skb_cb cb = {
		.came = came ?: ktime_get_ns(),
		.flow = flow_id,
		.len = p->len,
		.rule = plain->holder,
		.psn = p->psn,
		.attempt = 1,
		.qp = p->qp,
		.opcode = p->op - rf_opcodes,
	};

	cb.release = cb.came + min(plain->delay, READ_ONCE(dir->max_hold));
	return decide_delay(dir, skb, &cb, NULL);
}

/* An ACK whose request flow is unknown or may have changed */
static noinline void plain_see_response(struct rf_dir *dir, const struct sk_buff *skb,
					const struct rf_plain *p)
{
	const u8 *dscp_prio = rcu_dereference_bh(dir->dscp_prio);
	__be16 protocol = rf_plain_protocol(p->ip, p->bth);
	struct rf_pkt pkt __uninitialized;

	if (rf_packet_read(skb, p->ip, protocol, dscp_prio, &pkt) == RF_SEEN_ROCE)
		decide_see_response(dir, &pkt.desc);
}

/* Rules are in several lists of the index. */
static noinline enum rf_verdict plain_merge(struct rf_dir *dir, struct sk_buff *skb,
					    const struct rf_index *index, u64 came,
					    struct plain *plain)
{
	enum rf_verdict verdict = RF_PASS;
	struct rf_index_cursor cursor;
	struct rf_index_node *node;

	plain_describe_flow(plain, skb);
	rf_index_begin(index, &plain->pkt.desc, &cursor);
	while (verdict == RF_PASS && (node = rf_index_next(&cursor)))
		verdict = plain_rule(dir, skb, node->rule, came, plain);
	return verdict;
}

static __always_inline enum rf_verdict plain_rules(struct rf_dir *dir,
						   struct sk_buff *skb,
						   const struct rf_index *index,
						   u64 came, struct plain *plain)
{
	enum rf_verdict verdict = RF_PASS;
	struct rf_index_node *node;
	u32 value = 0;

	if (index->used == BIT(RF_BY_QP)) {
		value = plain->p.qp;
		node = rf_index_first(index, RF_BY_QP, value);
	} else if (index->used == BIT(RF_BY_NOTHING)) {
		node = index->general.first;
	} else {
		return plain_merge(dir, skb, index, came, plain);
	}
	while (node) {
		verdict = plain_rule(dir, skb, node->rule, came, plain);
		if (verdict != RF_PASS)
			break;
		node = rf_index_from(node->next, value);
	}
	return verdict;
}

/* All counters of a plain packet */
static __always_inline void plain_count(struct rf_dir *dir, u32 frame,
					const struct plain *plain,
					enum rf_verdict verdict)
{
	struct rf_stats *s = this_cpu_ptr(dir->stats);

	u64_stats_update_begin(&s->syncp);
	rf_stats_add_roce(s, frame, plain->p.len);
	if (plain->hits) {
		u64_stats_inc(&s->n[RF_STAT_HITS]);
		u64_stats_add(&s->n[RF_STAT_MARKED], plain->marked);
		u64_stats_add(&s->n[RF_STAT_DROPPED], verdict == RF_DROP);
	}
	u64_stats_update_end(&s->syncp);
}

/**
 * rf_dir_decide_plain - evaluate the rules for a plain packet
 * @dir: the direction
 * @skb: the packet, which actions can change in place
 * @ip: offset of its IP header
 * @bth: offset of its BTH, from rf_plain_find()
 * @len: bytes from the IP header to the ICRC
 * @op: the entry of its opcode
 * @came: when it arrived, in ktime_get_ns(), or 0 for now
 *
 * Takes the next packet of a known flow, while no tracepoint about packets is
 * enabled. All counters of the packet are written here.
 *
 * Context: softirq or BH off.
 * Return: the verdict; RF_UNDECIDED if nothing was done, and rf_dir_decide() must be
 * called.
 */
enum rf_verdict rf_dir_decide_plain(struct rf_dir *dir, struct sk_buff *skb,
				    u32 ip, u32 bth, u32 len,
				    const struct rf_opcode *op, u64 came)
{
	struct rf_flow_request request __uninitialized;
	struct plain plain __uninitialized;
	const struct rf_ruleset *rules;
	enum rf_verdict verdict;
	u64 flow_id;
	u32 frame;

	if (!op->sequential || rf_trace_enabled() ||
	    test_bit(RF_NEEDS_BLACKHOLE, &dir->needs))
		return RF_UNDECIDED;
	frame = rf_frame_len(dir, skb);
	rf_plain_read(&plain.p, skb, ip, bth, len, op);
	spin_lock(&dir->lock);
	plain.progress = decide_progress(dir);
	rules = rcu_dereference_protected(dir->rules, lockdep_is_held(&dir->lock));
	plain.flow = rules ? rf_flow_next(dir->flows, &plain.p) : NULL;
	if (unlikely(!plain.flow)) {
		spin_unlock(&dir->lock);
		return RF_UNDECIDED;
	}
	plain.known = RF_DETAIL_NONE;
	plain.full = false;
	plain.delay = 0;
	plain.delayed = false;
	plain.hits = 0;
	plain.marked = 0;
	verdict = plain_rules(dir, skb, rules->index, came, &plain);
	flow_id = plain.flow->id;
	if (op->response)
		request = plain.flow->request;
	spin_unlock(&dir->lock);

	plain_count(dir, frame, &plain, verdict);
	if (unlikely(plain.full)) {
		if (ctx_needs_finish(&plain.ctx))
			verdict = ctx_finish(&plain.ctx, verdict);
		if (op->response && verdict != RF_DROP)
			decide_see_response(dir, &plain.pkt.desc);
	} else if (verdict == RF_PASS) {
		if (op->response && !decide_see_ack(dir, &request))
			plain_see_response(dir, skb, &plain.p);
		if (plain.delayed)
			verdict = plain_delay(dir, skb, &plain, came, flow_id);
		if (unlikely(rf_delayq_is_waited(&dir->delayq)) &&
		    verdict == RF_PASS)
			rf_delayq_passed(&dir->delayq, flow_id, plain.p.psn,
					 came ?: U64_MAX);
	}
	return verdict;
}
