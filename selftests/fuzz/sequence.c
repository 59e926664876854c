// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz all code that keeps state with sequences of packets: the flows of both directions,
 * their PSN windows and READs, and the triggers of three rules. The input chooses the rules
 * and a list of operations: a packet, a response, many new flows, time passing, allocations
 * that fail, or a change of the tracked flows.
 *
 * The tables must stay within their limits, the counters must add up, and a packet must
 * need at most DRAWS_MAX random numbers. Everything runs twice, with different keys of the
 * hash tables, and must have the same results. The first byte decides whether allocations
 * can fail, or the flows that no rule needs are watched at times in the second run.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static bool may_allocate(void);

static void *scarce_calloc(size_t n, size_t size)
{
	return may_allocate() ? calloc(n, size) : NULL;
}

#define calloc scarce_calloc
#include <linux/if_ether.h>
#include <linux/mm.h>
#include <linux/skbuff.h>

#include "fuzz.h"

#include "../../kmod/rocev2/opcode.c"
#include "../../kmod/rocev2/packet.c"
#include "../../kmod/flow/qp_filter.c"
#include "../../kmod/flow/read_tracker.c"
#include "../../kmod/flow/psn_window.c"
#include "../../kmod/flow/flow.c"
#include "../../kmod/flow/info.c"
#include "../../kmod/rand.c"
#include "../../kmod/rule/rule.h"

static unsigned int draws_made;

#define rf_draw(key, what)	(draws_made++, rf_draw(key, what))
#define step			chain_step
#define remember		chain_remember
#include "../../kmod/rule/loss_model.c"
#undef step
#undef remember
#undef rf_draw
#include "../../kmod/rule/state.c"
#include "../../kmod/rule/trigger.c"
#include "../../kmod/rule/match.c"
#include "../../kmod/rule/validate.c"

#define ENDS		4	/* addresses */
#define RULES		3
#define MANY		512	/* new flows per operation */
#define MANY_TIMES	24	/* maximum number of operations with many new flows per input */
#define NOTES		4096
/*
 * A packet needs at most BLOCK steps of the loss model of each rule. Each step needs
 * at most two random numbers, and the start of the model also needs at most two.
 */
#define DRAWS_MAX	(RULES * 2 * (BLOCK + 2))

#define PERCENT(n)	((n) * (RDMAFAULT_PROBABILITY_ONE / 100))
#define BIT_OF(field)	RF_TRIGGER_BIT(field)

/* The trigger of a rule is made of one entry of chances[] and one entry of limits[]. */
static const struct rf_trigger chances[] = {
	{ },
	{ .set = BIT_OF(PROBABILITY), .probability = PERCENT(30) },
	{ .set = BIT_OF(GE_P) | BIT_OF(GE_R), .ge_p = PERCENT(10),
	  .ge_r = PERCENT(30) },
	{ .set = BIT_OF(STATE_P13) | BIT_OF(STATE_P32) | BIT_OF(STATE_P14),
	  .p13 = PERCENT(10), .p32 = PERCENT(20), .p14 = PERCENT(5) },
	{ .set = BIT_OF(PROBABILITY) | BIT_OF(CORRELATION),
	  .probability = PERCENT(30), .correlation = PERCENT(25) },
	{ .set = BIT_OF(PROBABILITY) | BIT_OF(BURST) | BIT_OF(BURST_MAX),
	  .probability = PERCENT(10), .burst = 7, .burst_max = 5 },
	{ .set = BIT_OF(EVERY) | BIT_OF(BURST), .every = 3, .burst = 5 },
	{ .set = BIT_OF(NTH) | BIT_OF(AFTER), .nth = 9, .after = 2 },
};

static const struct rf_trigger limits[] = {
	{ },
	{ .set = BIT_OF(ONCE), .once = RDMAFAULT_ONCE_FLOW },
	{ .set = BIT_OF(ONCE), .once = RDMAFAULT_ONCE_QP },
	{ .set = BIT_OF(ONCE), .once = RDMAFAULT_ONCE_STEP },
	{ .set = BIT_OF(COUNT), .count = 20 },
};

struct rule {
	struct rf_trigger trigger;
	struct rf_rule_counters counters;
	struct rf_rule_states states;
};

/* One operation of the input */
struct op {
	uint8_t what, flow, opcode, more;
	uint16_t psn;
};

struct test {
	struct rule rule[RULES];
	struct rf_flows *flows[2];	/* tx, rx */
	bool all;			/* rules need all flows */
	bool listens;			/* no allocation fails */
	bool may_watch;			/* a listener can come and go */
	bool watch;			/* there is one */
	uint32_t psn[256];		/* the last PSN of each flow; the index is struct op.flow */
	uint32_t step, fresh, many, packets;
	uint64_t result;
};

static unsigned int scarce;	/* number of allocations that fail */

static bool may_allocate(void)
{
	scarce -= scarce > 0;
	return !scarce;
}

static void note_result(struct test *p, uint64_t word)
{
	p->result = rf_splitmix64(p->result, word);
}

static void choose_rule(struct rule *r, uint8_t choice)
{
	const struct rf_trigger *limit =
		&limits[choice / 16 % ARRAY_SIZE(limits)];

	r->trigger = chances[choice % ARRAY_SIZE(chances)];
	r->trigger.set |= limit->set;
	r->trigger.once = limit->once;
	r->trigger.count = limit->count;
	rf_trigger_complete(&r->trigger);
}

/* The set of QPs that rules name. While only named QPs are tracked, these are half of all QPs. */
static union {
	struct rf_qp_filter set;
	uint8_t room[sizeof(struct rf_qp_filter) + (sizeof(struct rf_qp_slot) << BITS_MIN)];
} named;

static void choose_named(void)
{
	u32 qp[8];

	memset(&named, 0, sizeof(named));
	rf_qp_filter_init(&named.set, BITS_MIN);
	for (u32 i = 0; i < ARRAY_SIZE(qp); i++)
		qp[i] = 0x10 + 2 * i;
	rf_qp_filter_add(&named.set, qp, ARRAY_SIZE(qp), false);
}

static uint8_t *put16(uint8_t *p, uint32_t v)
{
	*p++ = v >> 8;
	*p++ = v;
	return p;
}

static uint8_t *put32(uint8_t *p, uint32_t v)
{
	return put16(put16(p, v >> 16), v);
}

static uint8_t *put_addr(uint8_t *p, bool six, uint32_t end)
{
	memset(p, 0x20, six ? 16 : 4);
	p += six ? 16 : 4;
	p[-1] = end;
	return p;
}

/* Write the RETH of a READ request that is probably the rest of an earlier READ. */
static uint8_t *put_rest(uint8_t *p, const struct op *op)
{
	uint32_t left = 256 * (op->more % 16 + 1);

	p = put32(p, 0);
	p = put32(p, 0x10000 - left);
	p = put32(p, op->more / 64);
	p = put32(p, left);
	memset(p, 0, 20);
	return p + 20;
}

static size_t put_frame(uint8_t *frame, const struct op *op, uint32_t qp,
			uint32_t psn)
{
	uint32_t from = op->flow % ENDS, to = op->flow / ENDS % ENDS;
	bool six = op->flow & 0x80;
	uint32_t payload = 8 + 12 + 36;
	uint8_t *p = frame;

	memset(p, 2, 12);
	p = put16(p + 12, six ? ETH_P_IPV6 : ETH_P_IP);
	if (six) {
		p = put32(p, 0x60000000);
		p = put32(p, payload << 16 | 0x1140);
	} else {
		p = put32(p, 0x45000000 | (20 + payload));
		p = put32(p, 0x4000);
		p = put32(p, 0x40110000);
	}
	p = put_addr(put_addr(p, six, from), six, to);
	p = put32(p, 0xc000u << 16 | 4791);
	p = put32(p, payload << 16);
	p = put32(p, (uint32_t)op->opcode << 24 | 0xffff);
	p = put32(p, qp & RF_PSN_MASK);
	p = put32(p, psn & RF_PSN_MASK);
	return put_rest(p, op) - frame;
}

static bool look(struct sk_buff *skb, const uint8_t *frame, size_t len,
		 struct rf_pkt *pkt)
{
	static const u8 dscp_prio[64];
	struct rf_headers headers;
	__be16 type;

	memcpy(&type, frame + 12, sizeof(type));
	*skb = (struct sk_buff){
		.data = frame, .len = len, .linear = len, .vlan_prio = -1,
	};
	if (rf_packet_find(skb, ETH_HLEN, type, &headers) != RF_SEEN_ROCE)
		return false;
	rf_packet_read(skb, &headers, dscp_prio, pkt);
	return true;
}

static void adds_up(const struct rule *r)
{
	uint64_t sum = r->counters.hits;

	for (u32 i = 0; i < RF_MISSES; i++)
		sum += r->counters.missed[i];
	must(sum == r->counters.matched);
	must(r->states.count <= NOTES);
}

static void ask_rules(struct test *p, u32 dir, const struct rf_desc *desc)
{
	for (u32 i = 0; i < RULES; i++) {
		struct rule *r = &p->rule[i];
		struct rf_draw_key draw = {
			.base = rf_draw_base(0, 0, i, dir), .flow = desc->key64,
			.serial = desc->serial, .attempt = desc->draw_attempt,
		};
		struct rf_trigger_ctx o = { .desc = desc, .draw = &draw };

		note_result(p, rf_trigger_fires(&r->trigger, &r->counters,
						&r->states, &o));
		adds_up(r);
	}
}

static void note_desc(struct test *p, const struct rf_desc *d, bool room)
{
	must(d->attempt <= RF_PSN_ATTEMPTS);
	must(!d->flow || !d->packet || d->message);
	note_result(p, (uint64_t)(p->all ? d->flow : 0) << 32 | d->attempt);
	note_result(p, (uint64_t)d->serial << 32 | d->draw_attempt);
	note_result(p, (uint64_t)d->message << 32 | d->packet);
	note_result(p, (uint64_t)d->step_message << 32 | d->psn_rel);
	note_result(p, d->key64);
	note_result(p, room);
}

/* A response updates the flow of its requests if all flows are known. */
static void see_response(struct test *p, u32 dir, const struct rf_desc *desc)
{
	u32 other;

	if (p->all && desc->response &&
	    rf_flow_see_response(p->flows[!dir], desc, &other)) {
		rf_flow_set_peer(p->flows[dir], desc, other);
		note_result(p, other);
	}
	if (rf_flow_peer(p->flows[dir], desc, &other))
		note_result(p, other);
}

static void send_packet(struct test *p, const struct op *op, uint32_t qp,
			uint32_t psn)
{
	_Alignas(8) uint8_t memory[256];
	u32 dir = op->more & 1;
	uint8_t *frame = memory + 2;	/* offset that aligns the IP header */
	enum rf_track track = p->watch ? RF_WATCHED : RF_UNTRACKED;
	struct sk_buff skb;
	struct rf_pkt pkt;
	struct rf_flow *flow;
	bool room;

	if (!look(&skb, frame, put_frame(frame, op, qp, psn), &pkt))
		return;
	if (p->all || rf_qp_filter_has(&named.set, qp))
		track = RF_NEEDED;
	p->packets++;
	draws_made = 0;
	pkt.desc.step = p->step;
	flow = rf_flow_see(p->flows[dir], track, &skb, &pkt);
	room = flow || track == RF_UNTRACKED;
	if (flow)
		rf_flow_set_ordinals(flow, &pkt.desc);
	/* What follows must not depend on whether the other flows are watched. */
	if (track != RF_NEEDED)
		return;
	note_desc(p, &pkt.desc, room);
	ask_rules(p, dir, &pkt.desc);
	must(draws_made <= DRAWS_MAX);
	see_response(p, dir, &pkt.desc);
}

/* Send a packet of a flow, with a PSN near the last one or far away. */
static void one_packet(struct test *p, const struct op *op)
{
	static const uint32_t scale[] = { 1, 1, 1, 16, 256, 1024, 65536, 255 };
	uint32_t by = (int16_t)op->psn * scale[op->what / 16 % 8];

	p->psn[op->flow] += op->what & 8 ? by : 1;
	send_packet(p, op, 0x10 + op->flow / 16 % 8, p->psn[op->flow]);
}

/* Send a packet in each of MANY new flows, or again in each of the first MANY flows. */
static void many_flows(struct test *p, const struct op *op)
{
	if (p->many >= MANY_TIMES)
		return;
	p->many++;
	if (op->more & 4)
		p->fresh = 0;
	for (u32 i = 0; i < MANY; i++)
		send_packet(p, op, 0x1000 + p->fresh++, op->psn);
}

static int sum_up(const struct rf_flow_info *info, void *arg)
{
	uint64_t *packets = arg;

	must(info->counts.retransmitted <= info->counts.packets);
	must(info->counts.ordinal);
	*packets += info->counts.packets;
	return 0;
}

static void look_at(struct test *p)
{
	uint64_t packets = 0;

	for (u32 i = 0; i < 2; i++) {
		u32 bucket = 0;
		int more;

		must(p->flows[i]->count <= FLOWS_MAX);
		do {
			more = rf_flows_each(p->flows[i], &bucket, sum_up,
					     &packets);
			must(more == 0 || more == 1);
		} while (more);
	}
	must(packets <= p->packets);
	if (!p->listens)
		note_result(p, packets);
}

/* Change the rules: do they need all flows, or only those of the named QPs? */
static void need_all(struct test *p, bool all)
{
	for (u32 i = 0; i < 2; i++) {
		if (!all)
			rf_flows_untrack(p->flows[i], &named.set, p->watch);
		else if (!p->all)
			rf_flows_need_all(p->flows[i]);
	}
	p->all = all;
}

static void operate(struct test *p, const struct op *op)
{
	switch (op->what % 8) {
	case 1:
		many_flows(p, op);
		break;
	case 2:
		jiffies += op->psn;
		break;
	case 3:
		if (p->listens)
			p->watch = p->may_watch && op->more & 1;
		else
			scarce = op->more % 8;
		break;
	case 4:
		need_all(p, op->more & 1);
		break;
	case 5:
		if (op->more % 4 == 1)
			rf_rule_states_free(&p->rule[op->flow % RULES].states);
		else
			p->step += op->more % 4 - 2;
		break;
	default:
		one_packet(p, op);
	}
}

static uint64_t run_ops(const uint8_t *data, size_t size, u32 key, bool second)
{
	struct test *p = malloc(sizeof(*p));
	uint8_t choice[RULES];
	uint64_t result;
	struct op op;

	must(p);
	memset(p, 0, sizeof(*p));
	p->listens = size && *data & 0x80;
	p->may_watch = p->listens && second;
	p->all = true;
	rf_hash_key = key;
	jiffies = 0;
	scarce = 0;
	fuzz_take(&data, &size, choice, sizeof(choice));
	for (u32 i = 0; i < RULES; i++)
		choose_rule(&p->rule[i], choice[i]);
	for (u32 i = 0; i < 2; i++) {
		p->flows[i] = rf_flows_alloc();
		must(p->flows[i]);
	}
	while (size) {
		fuzz_take(&data, &size, &op, sizeof(op));
		operate(p, &op);
	}
	look_at(p);
	for (u32 i = 0; i < 2; i++)
		rf_flows_free(p->flows[i]);
	for (u32 i = 0; i < RULES; i++)
		rf_rule_states_free(&p->rule[i].states);
	result = p->result;
	free(p);
	return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	choose_named();
	must(run_ops(data, size, 1, false) == run_ops(data, size, 0x9e3779b9, true));
	return 0;
}
