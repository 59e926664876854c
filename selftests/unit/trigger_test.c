// SPDX-License-Identifier: GPL-2.0
/*
 * Test triggers: which of the matching packets a trigger hits, and the counters of the
 * packets that it does not hit.
 */
#include "../../kmod/rule/trigger.c"
#include "../../kmod/rocev2/opcode.c"
#include "../../kmod/rule/match.c"
#include "../../kmod/rule/validate.c"
#include "../../kmod/rule/loss_model.c"
#include "../../kmod/rand.c"
#include "../../kmod/rule/state.c"
#include "tap.h"

#include <stdio.h>

static struct rf_rule_counters counters;
static struct rf_rule_states states;
static char got[4000];

#define T(...) (&(struct rf_trigger){ __VA_ARGS__ })
#define BIT_OF(field) RF_TRIGGER_BIT(field)

/* Test one packet of a flow, one second after the previous packet. */
static void packet(const struct rf_trigger *t, u64 flow, u32 qp, u32 step)
{
	struct rf_desc desc = {
		.key64 = flow, .flow_id = flow, .qp = qp, .step = step,
	};
	struct rf_draw_key key = {
		.flow = flow, .serial = counters.matched, .attempt = 1,
	};
	struct rf_trigger_ctx o = {
		.desc = &desc, .draw = &key,
		.age = counters.matched * 1000000000,
	};
	size_t n = counters.matched;

	got[n] = rf_trigger_fires(t, &counters, &states, &o) ? '*' : '.';
	got[n + 1] = '\0';
}

static void forget(void)
{
	rf_rule_states_free(&states);
	memset(&counters, 0, sizeof(counters));
}

/*
 * The trigger @t must hit certain packets of a flow. @wanted has one character per packet:
 * "*" if the packet must be hit, "." if not. @words: the trigger as text, for the test's
 * name.
 */
static void check(const char *words, const struct rf_trigger *t,
		  const char *wanted)
{
	size_t i;

	forget();
	for (i = 0; i < strlen(wanted); i++)
		packet(t, 1, 1, 1);
	ok(!strcmp(got, wanted), "trigger \"%s\" hits the right packets of a flow: %s", words, got);
}

static void order_ok(void)
{
	check("", T(0), "****");
	check("count 3", T(BIT_OF(COUNT), .count = 3), "***...");
	check("nth 4", T(BIT_OF(NTH), .nth = 4), "...*....");
	check("every 3", T(BIT_OF(EVERY), .every = 3), "..*..*..*.");
	check("after 2", T(BIT_OF(AFTER), .after = 2), "..*****");
	check("after 2 every 3", T(BIT_OF(AFTER) | BIT_OF(EVERY), .after = 2,
				   .every = 3), "....*..*..*");
	check("every 3 count 2", T(BIT_OF(EVERY) | BIT_OF(COUNT), .every = 3,
				   .count = 2), "..*..*.....");
}

/*
 * Packets must be counted with more than 32 bits. Otherwise "every 1000" would hit the wrong
 * packet after the counter wraps, because 2^32 is not a multiple of 1000.
 */
static void many_ok(void)
{
	const struct rf_trigger *t = T(BIT_OF(EVERY), .every = 1000);
	const struct rf_draw_key key = { .flow = 1 };
	const struct rf_desc desc = { .key64 = 1, .flow_id = 1 };
	const struct rf_trigger_ctx o = { .desc = &desc, .draw = &key };
	u32 i, hits = 0;

	forget();
	counters.matched = (1ULL << 32) - 2;
	for (i = 0; i < 705; i++)
		hits += rf_trigger_fires(t, &counters, &states, &o);
	ok(!hits, "trigger \"every 1000\" hits no packet early across 2^32 packets");
	ok(rf_trigger_fires(t, &counters, &states, &o), "trigger \"every 1000\" hits the right packet after 2^32 packets");
}

static void bursts_ok(void)
{
	check("nth 3 burst 4", T(BIT_OF(NTH) | BIT_OF(BURST), .nth = 3,
				 .burst = 4), "..****....");
	check("every 5 burst 2", T(BIT_OF(EVERY) | BIT_OF(BURST), .every = 5,
				   .burst = 2), "....**...**...");
	check("every 5 burst 3 count 4", T(BIT_OF(EVERY) | BIT_OF(BURST) |
	      BIT_OF(COUNT), .every = 5, .burst = 3, .count = 4),
	      "....***..*....");
	forget();
	packet(T(BIT_OF(NTH) | BIT_OF(BURST), .nth = 1, .burst = 2), 1, 1, 1);
	packet(T(BIT_OF(NTH) | BIT_OF(BURST), .nth = 1, .burst = 2), 2, 1, 1);
	packet(T(BIT_OF(NTH) | BIT_OF(BURST), .nth = 1, .burst = 2), 1, 1, 1);
	ok(!strcmp(got, "*.*"), "trigger \"nth 1 burst 2\" limits the burst to one flow: %s", got);
}

static void windows_ok(void)
{
	check("from 2 s", T(BIT_OF(FROM), .from = 2000000000), "..****");
	check("for 2 s", T(BIT_OF(FOR), .duration = 2000000000), "**....");
	check("from 1 s for 3 s", T(BIT_OF(FROM) | BIT_OF(FOR),
				    .from = 1000000000, .duration = 3000000000), ".***..");
}

static void once_ok(void)
{
	static const u32 flows[] = { 1, 1, 2, 3, 2, 1 };
	static const char *const wanted[] = { "*.**..", "*.**..", "*.**.*" };
	static const char *const words[] = { "flow", "QP", "step" };
	u32 once, i;

	for (once = 0; once < 3; once++) {
		const struct rf_trigger *t = T(BIT_OF(ONCE), .once = once);

		forget();
		for (i = 0; i < 6; i++)
			packet(t, once == 0 ? flows[i] : 9,
			       once == 1 ? flows[i] : 9,
			       once == 2 ? (i < 2 ? 0 : i < 3 ? 1 :
					    i < 5 ? 2 : 3) : 9);
		ok(!strcmp(got, wanted[once]), "trigger \"once\" hits one packet per %s: %s", words[once],
		   got);
	}
}

static void misses_ok(void)
{
	const struct rf_trigger *t = T(BIT_OF(FROM) | BIT_OF(AFTER) |
		BIT_OF(PROBABILITY) | BIT_OF(ONCE) | BIT_OF(COUNT),
		.from = 5000000000, .after = 10,
		.probability = RDMAFAULT_PROBABILITY_ONE / 2,
		.once = RDMAFAULT_ONCE_FLOW, .count = 3);
	u32 i;

	forget();
	for (i = 0; i < 1000; i++)
		packet(t, 1 + i / 200, 1, 1);
	ok(counters.matched == 1000 && counters.hits == 3, "a trigger with all conditions hits three packets");
	ok(counters.missed[RF_MISS_WINDOW] == 5 &&
	   counters.missed[RF_MISS_ORDER] == 5,
	   "5 misses before the window and 5 before \"after\" are counted");
	ok(counters.missed[RF_MISS_CHANCE] > 400 &&
	   counters.missed[RF_MISS_CHANCE] < 600, "half of the packets are counted as missed by chance");
	ok(counters.missed[RF_MISS_ONCE] > 200 && counters.missed[RF_MISS_COUNT] > 100,
	   "the other misses are counted for \"once\" and \"count\"");
	ok(counters.hits + counters.missed[0] + counters.missed[1] + counters.missed[2] +
	   counters.missed[3] + counters.missed[4] == counters.matched,
	   "the sum of hits and misses is the number of matching packets");
}

static struct rf_rule_state *state_of(u64 flow)
{
	return rf_rule_state_get(&states, &(struct rf_rule_state_key){ .flow = flow });
}

/*
 * A rule remembers a limited number of flows and QPs. If its memory is full, a new entry must
 * replace the entry that was not used for the longest time. The hash key, which is random in
 * the module, must not influence which entry is replaced.
 */
static void memo_ends_ok(void)
{
	u32 i, key, known, wrong = 0;

	for (key = 0; key < 2; key++) {
		rf_hash_key = key;
		forget();
		for (i = 1; i <= 5000; i++) {
			state_of(i)->burst_left = i;
			state_of(1);
		}
		for (known = 0, i = 1; i <= 5000; i++)
			known += !!rf_rule_state_find(&states, &(struct rf_rule_state_key){
				.flow = i });
		ok(known == STATES_MAX, "the memory of a rule has notes of %u of 5000 flows", known);
		for (i = 5000 - STATES_MAX + 2; i <= 5000; i++)
			wrong += state_of(i)->burst_left != i;
		ok(!wrong && state_of(1)->burst_left == 1,
		   "the memory of a rule keeps the notes used last, with any hash key");
	}
	forget();
	ok(!rf_rule_state_find(&states, &(struct rf_rule_state_key){ .flow = 5000 }),
	   "the memory of a rule is empty after rf_rule_states_free()");
}

/*
 * Random decisions about a flow use a key, which is a hash of the flow's addresses. A sender can
 * invert the hash, and choose addresses that result in a certain key. A rule has a memory of
 * flows: the state of the loss model, the state of the burst, and which flows were already hit.
 * The rule must not use the key to find the entries of a flow in this memory. Otherwise, with
 * the keys of the two flows in this test, it would mistake an entry of one flow for an entry of
 * the other flow.
 */
static void crafted_keys_ok(void)
{
	const struct rf_trigger *model = T(BIT_OF(GE_P) | BIT_OF(GE_R) |
		BIT_OF(GE_BAD) | BIT_OF(ONCE), .ge_p = 1, .ge_r = 0,
		.ge_bad = RDMAFAULT_PROBABILITY_ONE, .once = RDMAFAULT_ONCE_FLOW);
	const struct rf_trigger *burst = T(BIT_OF(EVERY) | BIT_OF(BURST) |
		BIT_OF(ONCE), .every = 1, .burst = 1,
		.once = RDMAFAULT_ONCE_FLOW);
	const u64 golden = 0x9e3779b97f4a7c15ULL;
	u64 first = 1, second;

	forget();
	second = first ^ golden ^ (rf_splitmix64(2, RDMAFAULT_ONCE_FLOW) + golden);
	packet(model, first, 1, 1);
	packet(model, second, 1, 1);
	packet(model, first, 1, 1);
	packet(model, second, 1, 1);
	ok(!strcmp(got, "**.."), "a loss model with \"once flow\" hits each of two flows with crafted keys once: %s", got);
	forget();
	second = first ^ (golden + 1) ^ (rf_splitmix64(2, RDMAFAULT_ONCE_FLOW) + golden);
	packet(burst, first, 1, 1);
	packet(burst, second, 1, 1);
	packet(burst, first, 1, 1);
	packet(burst, second, 1, 1);
	ok(!strcmp(got, "**.."), "a burst with \"once flow\" hits each of two flows with crafted keys once: %s", got);
}

/*
 * Return: true if the trigger hits a packet to QP @qp at address @addr. @flow: number of
 * the packet's flow; 0: the flow is not tracked
 */
static bool packet_to(const struct rf_trigger *t, u64 flow, u32 addr_len,
		      u8 addr, u32 qp)
{
	struct rf_desc desc = {
		.key64 = 1, .flow_id = flow, .qp = qp, .addr_len = addr_len,
		.daddr = { addr },
	};
	struct rf_draw_key key = { .flow = 1 };
	struct rf_trigger_ctx o = { .desc = &desc, .draw = &key };

	return rf_trigger_fires(t, &counters, &states, &o);
}

static void qps_ok(void)
{
	const struct rf_trigger *t = T(BIT_OF(ONCE), .once = RDMAFAULT_ONCE_QP);

	forget();
	ok(packet_to(t, 1, 4, 10, 7), "trigger \"once qp\" hits the first packet to a QP");
	ok(!packet_to(t, 2, 4, 10, 7), "trigger \"once qp\" does not hit another flow to the same QP");
	ok(packet_to(t, 1, 4, 10, 8) && packet_to(t, 1, 4, 11, 7) &&
	   packet_to(t, 1, 16, 10, 7),
	   "trigger \"once qp\" distinguishes QP number, address and address family");
	ok(packet_to(t, 0, 4, 10, 9) && !packet_to(t, 0, 4, 10, 9),
	   "trigger \"once qp\" hits one packet per QP if flows are not tracked");
}

/*
 * If the table of flows is full, a packet of a new flow is not tracked. The decision about
 * such a packet cannot use the history of its flow.
 */
static void untracked_ok(void)
{
	forget();
	ok(!packet_to(T(BIT_OF(ONCE), .once = RDMAFAULT_ONCE_FLOW), 0, 4, 1, 1) &&
	   counters.missed[RF_MISS_ONCE] == 1,
	   "trigger \"once flow\" does not hit a packet of an untracked flow");
	forget();
	ok(packet_to(T(BIT_OF(NTH) | BIT_OF(BURST), .nth = 1, .burst = 3),
		     0, 4, 1, 1) &&
	   !packet_to(T(BIT_OF(NTH) | BIT_OF(BURST), .nth = 1, .burst = 3),
		      0, 4, 1, 1), "a packet of an untracked flow starts no burst");
	ok(!states.count, "a packet of an untracked flow leaves no state");
}

static void defaults_ok(void)
{
	struct rf_trigger t = {
		.set = BIT_OF(GE_P), .ge_p = 10000000000, .p13 = 0,
	};

	rf_trigger_complete(&t);
	ok(t.ge_r == RDMAFAULT_PROBABILITY_ONE - t.ge_p &&
	   t.ge_bad == RDMAFAULT_PROBABILITY_ONE && !t.ge_good,
	   "defaults of gemodel with p only: r is 1 - p, 1-h is 1, 1-k is 0, as in tc");
	t = (struct rf_trigger){ .set = BIT_OF(STATE_P13), .p13 = 5 };
	rf_trigger_complete(&t);
	ok(t.p31 == RDMAFAULT_PROBABILITY_ONE - 5 && !t.p32 && !t.p14 &&
	   t.p23 == RDMAFAULT_PROBABILITY_ONE,
	   "defaults of state with p13 only: p31 is 1 - p13, p23 is 1, the others are 0");
}

int main(void)
{
	order_ok();
	many_ok();
	bursts_ok();
	windows_ok();
	once_ok();
	misses_ok();
	memo_ends_ok();
	crafted_keys_ok();
	qps_ok();
	untracked_ok();
	defaults_ok();
	forget();
	return done_testing();
}
