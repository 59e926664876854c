// SPDX-License-Identifier: GPL-2.0
/*
 * The evaluation of rules for a packet.
 *
 * A packet is evaluated under the lock of its direction, with one rule set, so it
 * sees all of a change of rules or nothing of it. Rules are evaluated in the order
 * in which they were added. Each rule that matches counts the packet. A rule that
 * drops the packet ends the evaluation.
 *
 * There are three ways with the same results. rf_dir_decide() describes the packet
 * and its flow completely, and then evaluates the rules. rf_decide_next() is for nearly
 * all packets, and describes only what a rule needs. For rules that need nothing of
 * such a packet, hook.c evaluates them itself, and calls rf_quick_*().
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

	if (!rf_dir_knows_requests(requests))
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
 * struct plain - a plain packet, for rules that are RF_QUICK_NO
 * @p: its headers
 * @flow: its flow
 * @known: how much of @pkt is filled in
 * @full: @ctx is filled in
 * @hit: a rule has hit it
 * @pkt: the packet, as far as @known
 * @ctx: for actions other than drop and observe; valid if @full
 */
struct plain {
	struct rf_plain p;
	const struct rf_flow *flow;
	enum rf_detail known;
	bool full;
	bool hit;
	struct rf_pkt pkt;
	struct rf_ctx ctx;
};

/* RF_DETAIL_FLOW: the BTH and the flow */
static void plain_describe_flow(struct plain *plain, const struct rf_dir *dir,
				const struct sk_buff *skb)
{
	const struct rf_progress *progress = decide_progress(dir);
	struct rf_desc *desc = &plain->pkt.desc;
	const struct rf_plain *p = &plain->p;

	desc->qp = p->qp;
	desc->psn = p->psn;
	desc->opcode = p->op - rf_opcodes;
	desc->classes = p->op->response ? RDMAFAULT_CLASS_ACK : p->op->classes;
	desc->position = p->op->position;
	desc->len = p->len;
	desc->has_aeth = p->op->aeth;
	desc->syndrome = p->op->aeth ? skb->data[p->bth + p->op->aeth] : 0;
	desc->response = p->op->response;
	desc->sender = 0;
	desc->step = progress->step;
	desc->messages = progress->messages;
	desc->messages_total = progress->messages_total;
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
	u32 addr_len = p->key & RF_PLAIN_IPV6 ? 16 : 4;
	const void *ip = skb->data + p->ip;
	u8 tos;

	plain->pkt.ip = p->ip;
	plain->pkt.udp = p->bth - sizeof(struct udphdr);
	plain->pkt.bth = p->bth;
	plain->pkt.end = p->ip + p->len;
	desc->headers = p->op->hdrlen;
	desc->pad = rf_bth_pad(bth);
	desc->payload = plain->pkt.end - p->bth - desc->headers - desc->pad -
			RF_ICRC_LEN;
	desc->addr_len = addr_len;
	memset(desc->saddr, 0, sizeof(desc->saddr));
	memset(desc->daddr, 0, sizeof(desc->daddr));
	memcpy(desc->saddr, p->addrs, addr_len);
	memcpy(desc->daddr, p->addrs + addr_len, addr_len);
	tos = addr_len == 4 ? ((const struct iphdr *)ip)->tos : ipv6_get_dsfield(ip);
	desc->dscp = tos >> 2;
	desc->ecn = tos & INET_ECN_MASK;
	desc->sport = ntohs(((const struct udphdr *)bth)[-1].source);
	desc->priority = rf_priority(dscp_prio, pcp, desc->dscp);
	plain->known = RF_DETAIL_ALL;
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
	if (!plain->full)
		ctx_begin(ctx, dir, skb, &plain->pkt, came);
	plain->full = true;
	ctx->draw = rule_draw_key(rule, &plain->pkt.desc);
	return rule_apply(ctx, rule);
}

static enum rf_verdict plain_rule(struct rf_dir *dir, struct sk_buff *skb,
				  struct rf_rule *rule, u64 came, struct plain *plain)
{
	if (rule->detail == RF_DETAIL_NEVER)
		return RF_PASS;
	if (plain->known < rule->detail)
		plain_describe_all(plain, dir, skb);
	if (!rule_hits(rule, &plain->pkt.desc, &plain->ctx.draw))
		return RF_PASS;
	plain->hit = true;
	if (rule->actions == 1 && rule->action[0].type == RDMAFAULT_ACTION_DROP)
		return RF_DROP;
	if (rule->actions == 1 && rule->action[0].type == RDMAFAULT_ACTION_OBSERVE)
		return RF_PASS;
	return plain_apply(dir, skb, rule, came, plain);
}

/* An ACK: update the flow of the requests that it acknowledges. */
static void plain_see_ack(struct rf_dir *dir, const struct sk_buff *skb, u32 bth,
			  struct rf_flow *request, u64 change)
{
	u32 ip = rf_dir_ip(dir, skb);
	const u8 *dscp_prio = rcu_dereference_bh(dir->dscp_prio);
	struct rf_dir *requests = dir->other;
	struct rf_pkt pkt __uninitialized;
	bool done;

	if (!rf_dir_knows_requests(requests))
		return;
	spin_lock(&requests->lock);
	done = rf_flow_acknowledged(requests->flows, request, change);
	spin_unlock(&requests->lock);
	/* The flow is unknown or may have changed. */
	if (!done && rf_packet_read(skb, ip, rf_plain_protocol(ip, bth), dscp_prio,
				    &pkt) == RF_SEEN_ROCE)
		decide_see_response(dir, &pkt.desc);
}

/**
 * rf_decide_next - evaluate the rules for the next packet of a flow
 * @dir: the direction
 * @skb: the packet, which actions can change in place
 * @bth: its BTH
 * @len: bytes from the IP header to the ICRC
 * @op: the entry of its opcode
 * @came: when it arrived, in ktime_get_ns(), or 0 for now
 * @flow: its flow, from rf_flow_next()
 *
 * For plain packets, if a rule is RF_QUICK_NO. All counters are written here.
 *
 * Context: softirq or BH off, under the lock of the direction, which is released.
 * Return: the verdict.
 */
enum rf_verdict rf_decide_next(struct rf_dir *dir, struct sk_buff *skb, const u8 *bth,
			       u32 len, const struct rf_opcode *op, u64 came,
			       const struct rf_flow *flow)
	__releases(&dir->lock)
{
	const struct rf_ruleset *rules = rf_dir_rules(dir);
	struct rf_flow *request = NULL;
	u32 frame = rf_frame_len(dir, skb);
	enum rf_verdict verdict = RF_PASS;
	struct plain plain __uninitialized;
	struct rf_index_cursor cursor;
	struct rf_index_node *node;
	u64 change = 0;

	rf_plain_read(&plain.p, skb, rf_dir_ip(dir, skb), bth, len, op);
	plain.flow = flow;
	plain.full = false;
	plain.hit = false;
	plain_describe_flow(&plain, dir, skb);
	rf_index_begin(rules->index, &plain.pkt.desc, &cursor);
	while (verdict == RF_PASS && (node = rf_index_next(&cursor)))
		verdict = plain_rule(dir, skb, node->rule, came, &plain);
	if (op->response) {
		request = flow->request.flow;
		change = flow->request.change;
	}
	spin_unlock(&dir->lock);

	rf_decide_count(dir, frame, len, plain.hit, verdict);
	if (plain.full) {
		if (ctx_needs_finish(&plain.ctx))
			verdict = ctx_finish(&plain.ctx, verdict);
		if (op->response && verdict != RF_DROP)
			decide_see_response(dir, &plain.pkt.desc);
	} else if (verdict == RF_PASS) {
		if (op->response)
			plain_see_ack(dir, skb, plain.p.bth, request, change);
		if (rf_delayq_is_waited(&dir->delayq))
			rf_delayq_passed(&dir->delayq, plain.pkt.desc.flow_id,
					 plain.pkt.desc.psn, came ?: U64_MAX);
	}
	return verdict;
}

/**
 * rf_quick_triggers - decide whether a rule with a probability hits a plain packet
 * @rule: the rule
 * @flow: the flow of the packet, from rf_flow_next()
 *
 * Context: under the lock of the direction.
 * Return: true if it does.
 */
bool rf_quick_triggers(struct rf_rule *rule, const struct rf_flow *flow)
{
	struct rf_draw_key key = {
		.base = rule->draw_base,
		.flow = flow->key64,
		.serial = flow->win.span,
		.attempt = 1,
	};

	if (rf_chance(rf_draw(&key, RF_DRAW_CHANCE), rule->trigger.probability))
		return true;
	rule->counters.missed[RF_MISS_CHANCE]++;
	return false;
}

/**
 * rf_quick_mark - apply the action mark to a plain packet, as fault_mark()
 * @dir: the direction
 * @skb: the packet
 * @rule: the rule, whose only action it is
 * @flow: the flow of the packet
 *
 * Context: under the lock of the direction.
 * Return: RF_PASS or RF_DROP.
 */
enum rf_verdict rf_quick_mark(struct rf_dir *dir, struct sk_buff *skb,
			      const struct rf_rule *rule, const struct rf_flow *flow)
{
	const struct rf_action *action = &rule->action[0];
	u32 ip = rf_dir_ip(dir, skb), ecn = rf_mark_ecn(action);
	bool ipv4 = flow->key.addr_len == sizeof(struct in_addr);
	void *header = skb->data + ip;
	struct iphdr *ip4 = header;
	u8 tos = likely(ipv4) ? ip4->tos : ipv6_get_dsfield(header);

	switch (rf_mark_choice(action, tos & INET_ECN_MASK)) {
	case RDMAFAULT_NOT_ECT_LEAVE:
		return RF_PASS;
	case RDMAFAULT_NOT_ECT_DROP:
		return RF_DROP;
	}
	if (likely(ipv4 && !skb_cloned(skb))) {
		ipv4_change_dsfield(ip4, (u8)~INET_ECN_MASK, ecn);
		rf_stats_inc(dir->stats, RF_STAT_MARKED);
	} else if (rf_ecn_set(skb, ip, htons(ipv4 ? ETH_P_IP : ETH_P_IPV6), ecn)) {
		rf_stats_inc(dir->stats, RF_STAT_MARKED);
	} else {
		rf_stats_inc(dir->stats, RF_STAT_UNCHANGED);
	}
	return RF_PASS;
}

/* See ctx_delay(): all rules that delay the packet have a constant delay. */
static enum rf_verdict quick_delay(struct rf_dir *dir, struct sk_buff *skb, u32 bth,
				   u32 len, u64 came, u64 delay, u32 rule, u64 flow_id)
{
	const u8 *at = skb->data + bth;
	struct rf_skb_cb cb = {
		.came = came ?: ktime_get_ns(),
		.flow = flow_id,
		.len = len,
		.rule = rule,
		.psn = rf_bth_psn(at),
		.attempt = 1,
		.qp = rf_bth_qp(at),
		.opcode = at[0],
	};

	cb.release = cb.came + min(delay, READ_ONCE(dir->max_hold));
	return decide_delay(dir, skb, &cb, NULL);
}

/**
 * rf_quick_end - end the evaluation of a plain packet
 * @dir: the direction
 * @skb: the packet
 * @len: bytes from the IP header to the ICRC
 * @came: when it arrived, in ktime_get_ns(), or 0 for now
 * @flow: its flow, from rf_flow_next()
 * @delay: sum of the delays, in nanoseconds
 * @rule: number of the last rule that delays it; 0: none
 *
 * For ACKs, packets that rules delay, and packets for which others may wait.
 *
 * Context: softirq or BH off, under the lock of the direction, which is released.
 * Return: the verdict.
 */
enum rf_verdict rf_quick_end(struct rf_dir *dir, struct sk_buff *skb, u32 len, u64 came,
			     const struct rf_flow *flow, u64 delay, u32 rule)
	__releases(&dir->lock)
{
	u32 bth = rf_dir_ip(dir, skb) + sizeof(struct udphdr) +
		  (flow->key.addr_len == 4 ? sizeof(struct iphdr) : sizeof(struct ipv6hdr));
	bool response = flow->key.kind == RF_FLOW_RESPONSES;
	struct rf_flow *request = NULL;
	enum rf_verdict verdict = RF_PASS;
	u32 psn = flow->last_psn;
	u64 flow_id = flow->id;
	u64 change = 0;

	if (response) {
		request = flow->request.flow;
		change = flow->request.change;
	}
	spin_unlock(&dir->lock);
	if (response)
		plain_see_ack(dir, skb, bth, request, change);
	if (rule)
		verdict = quick_delay(dir, skb, bth, len, came, delay, rule, flow_id);
	if (verdict == RF_PASS && rf_delayq_is_waited(&dir->delayq))
		rf_delayq_passed(&dir->delayq, flow_id, psn, came ?: U64_MAX);
	return verdict;
}
