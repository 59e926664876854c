// SPDX-License-Identifier: GPL-2.0
/* Triggers: which of the packets that match are hit, and what misses count as. */
#include "../../kmod/trigger.c"
#include "../../kmod/chain.c"
#include "../../kmod/draw.c"
#include "../../kmod/memo.c"
#include "tap.h"

#include <stdio.h>

static struct rf_tally tally;
static struct rf_memo memo;
static char got[4000];

#define T(...) (&(struct rf_trigger){ __VA_ARGS__ })
#define BIT_OF(field) RF_TRIGGER_BIT(field)

/* One packet of a flow; ages count up by a second. */
static void packet(const struct rf_trigger *t, u64 flow, u32 qp, u32 step)
{
	struct rf_desc desc = { .key64 = flow, .qp = qp, .step = step };
	struct rf_draw_key key = {
		.flow = flow, .serial = tally.matched, .turn = 1,
	};
	struct rf_occasion o = {
		.desc = &desc, .draw = &key,
		.age = tally.matched * 1000000000,
	};
	size_t n = tally.matched;

	got[n] = rf_trigger_fires(t, &tally, &memo, &o) ? '*' : '.';
	got[n + 1] = '\0';
}

static void forget(void)
{
	rf_memo_forget(&memo);
	memset(&tally, 0, sizeof(tally));
}

/* @wanted: a star for each packet of one flow that is to be hit. */
static void check(const char *words, const struct rf_trigger *t,
		  const char *wanted)
{
	size_t i;

	forget();
	for (i = 0; i < strlen(wanted); i++)
		packet(t, 1, 1, 1);
	ok(!strcmp(got, wanted), "%s: %s", words, got);
}

static void order_ok(void)
{
	check("nothing", T(0), "****");
	check("count 3", T(BIT_OF(COUNT), .count = 3), "***...");
	check("nth 4", T(BIT_OF(NTH), .nth = 4), "...*....");
	check("every 3", T(BIT_OF(EVERY), .every = 3), "..*..*..*.");
	check("after 2", T(BIT_OF(AFTER), .after = 2), "..*****");
	check("after 2 every 3", T(BIT_OF(AFTER) | BIT_OF(EVERY), .after = 2,
				   .every = 3), "....*..*..*");
	check("every 3 count 2", T(BIT_OF(EVERY) | BIT_OF(COUNT), .every = 3,
				   .count = 2), "..*..*.....");
}

/* 2^32 is 296 above a multiple of a thousand. */
static void many_ok(void)
{
	const struct rf_trigger *t = T(BIT_OF(EVERY), .every = 1000);
	const struct rf_draw_key key = { .flow = 1 };
	const struct rf_desc desc = { .key64 = 1 };
	const struct rf_occasion o = { .desc = &desc, .draw = &key };
	u32 i, hits = 0;

	forget();
	tally.matched = (1ULL << 32) - 2;
	for (i = 0; i < 705; i++)
		hits += rf_trigger_fires(t, &tally, &memo, &o);
	ok(!hits, "every 1000: none is hit early, across 2^32 packets");
	ok(rf_trigger_fires(t, &tally, &memo, &o), "and one in its turn");
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
	ok(!strcmp(got, "*.*"), "a burst is of one flow: %s", got);
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
		ok(!strcmp(got, wanted[once]), "once per %s: %s", words[once],
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
		packet(t, i / 200, 1, 1);
	ok(tally.matched == 1000 && tally.hits == 3, "all conditions at once: three hits");
	ok(tally.missed[RF_MISS_WINDOW] == 5 &&
	   tally.missed[RF_MISS_ORDER] == 5,
	   "misses: 5 before the window, 5 more before the order's");
	ok(tally.missed[RF_MISS_CHANCE] > 400 &&
	   tally.missed[RF_MISS_CHANCE] < 600, "misses: half by chance");
	ok(tally.missed[RF_MISS_ONCE] > 200 && tally.missed[RF_MISS_COUNT] > 100,
	   "misses: the others by once and count");
	ok(tally.hits + tally.missed[0] + tally.missed[1] + tally.missed[2] +
	   tally.missed[3] + tally.missed[4] == tally.matched,
	   "hits and misses are all that matched");
}

/* As many flows as anybody likes to make: memory has an end. */
static void memo_ends_ok(void)
{
	u32 i, known = 0;

	forget();
	for (i = 0; i < 100000; i++)
		*(u64 *)rf_memo_get(&memo, rf_mix(0, i), sizeof(u64)) = i;
	for (i = 0; i < 100000; i++)
		known += !!rf_memo_find(&memo, rf_mix(0, i));
	ok(known <= BUCKETS * BUCKET_MAX && known > 4000,
	   "of 100000 flows the last %u are remembered", known);
	ok(*(u64 *)rf_memo_find(&memo, rf_mix(0, 99999)) == 99999,
	   "with what was noted of them");
	forget();
	ok(!rf_memo_find(&memo, rf_mix(0, 99999)), "and forgotten at the end");
}

static void defaults_ok(void)
{
	struct rf_trigger t = {
		.set = BIT_OF(GE_P), .ge_p = 10000000000, .p13 = 0,
	};

	rf_trigger_complete(&t);
	ok(t.ge_r == RDMAFAULT_PROBABILITY_ONE - t.ge_p &&
	   t.ge_bad == RDMAFAULT_PROBABILITY_ONE && !t.ge_good,
	   "gemodel p alone: r is 1 - p, 1-h is 1, 1-k is 0, as tc has it");
	t = (struct rf_trigger){ .set = BIT_OF(STATE_P13), .p13 = 5 };
	rf_trigger_complete(&t);
	ok(t.p31 == RDMAFAULT_PROBABILITY_ONE - 5 && !t.p32 && !t.p14 &&
	   t.p23 == RDMAFAULT_PROBABILITY_ONE,
	   "state p13 alone: p31 is 1 - p13, p23 is 1, the others 0");
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
	defaults_ok();
	forget();
	return done_testing();
}
