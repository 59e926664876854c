// SPDX-License-Identifier: GPL-2.0
/*
 * Test the choice of the next priority to serve: first the control band, then strict
 * priorities, then ets priorities. The ets priorities share the bytes by weight, whatever the
 * packet sizes are.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../kmod/queue/sched.c"
#include "tap.h"

#define MTU	1500

static struct rf_conf ets(const u32 *weight)
{
	struct rf_conf conf = { 0 };
	u32 i;

	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		conf.prio[i].tsa = weight[i] ? RDMAFAULT_TSA_ETS :
					       RDMAFAULT_TSA_STRICT;
		conf.prio[i].weight = weight[i];
		conf.ets |= weight[i] ? 1u << i : 0;
	}
	return conf;
}

static struct rf_ready heads(u32 ready, u32 bytes)
{
	struct rf_ready h = { .bands = ready };
	u32 i;

	for (i = 0; i < RF_BANDS; i++)
		h.bytes[i] = bytes;
	return h;
}

static void strict_ok(void)
{
	static const u32 weight[RDMAFAULT_PRIOS] = { [5] = 100, [6] = 100 };
	static const struct {
		u32 ready;
		u32 next;
	} t[] = {
		{ 0x1ff, RF_CONTROL }, { 0x0ff, 7 }, { 0x07f, 4 },
		{ 0x01f, 4 }, { 0x00f, 3 }, { 0x001, 0 }, { 0x061, 0 },
		{ 0x020, 5 }, { 0x120, RF_CONTROL },
	};
	const struct rf_conf conf = ets(weight);
	struct rf_dwrr s = { 0 };
	struct rf_ready h;
	u32 i;

	for (i = 0; i < sizeof(t) / sizeof(*t); i++) {
		h = heads(t[i].ready, 1000);
		ok(rf_sched_next(&s, &conf, &h, MTU) == t[i].next,
		   "of the ready bands 0x%03x (all strict except 5 and 6), %u is served", t[i].ready,
		   t[i].next);
	}
}

/*
 * Test how priorities share the link while all of them always have packets. size[i] is the
 * size of the largest packet of priority i.
 */
static void shares_ok(const char *words, const u32 *weight, const u32 *size)
{
	const struct rf_conf conf = ets(weight);
	struct rf_dwrr s = { 0 };
	u64 sent[RDMAFAULT_PRIOS] = { 0 };
	double share, least = 1e30, most = 0, bound = 0;
	struct rf_ready h = { 0 };
	u32 i, n;

	srand(1);
	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		h.bands |= weight[i] ? 1u << i : 0;
		h.bytes[i] = size[i] ?: 1;
	}
	for (n = 0; n < 200000; n++) {
		i = rf_sched_next(&s, &conf, &h, MTU);
		sent[i] += h.bytes[i];
		h.bytes[i] = 1 + rand() % size[i];
	}
	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		if (!weight[i])
			continue;
		share = (double)sent[i] / weight[i];
		least = share < least ? share : least;
		most = share > most ? share : most;
		if (bound < (double)size[i] / weight[i])
			bound = (double)size[i] / weight[i];
	}
	/*
	 * For each priority, divide the bytes sent by the weight. Two of these quotients differ
	 * by at most one round plus the deficits of two priorities (lemma 2 of the paper on
	 * deficit round robin).
	 */
	ok(most - least <= MTU + 2 * bound,
	   "%s: the bytes sent are proportional to the weights; difference %.0f of %.0f", words, most - least, most);
}

static void resume_ok(void)
{
	static const u32 weight[RDMAFAULT_PRIOS] = { [1] = 1, [2] = 1 };
	const struct rf_conf conf = ets(weight);
	struct rf_dwrr s = { 0 };
	struct rf_ready h = heads(0x6, 1000);
	u32 i, first = 0, least = 0;

	for (i = 0; i < 100; i++)
		rf_sched_next(&s, &conf, &h, MTU);
	h.bands = 0x4;
	for (i = 0; i < 100; i++)
		rf_sched_next(&s, &conf, &h, MTU);
	h.bands = 0x6;
	for (i = 0; i < 100; i++) {
		first += rf_sched_next(&s, &conf, &h, MTU) == 1;
		least = s.deficit[1] > least ? s.deficit[1] : least;
	}
	ok(first >= 48 && first <= 52 && least < 2 * MTU,
	   "a priority gets no additional share after it was paused: %u of 100", first);
}

static void huge_ok(void)
{
	static const u32 weight[RDMAFAULT_PRIOS] = { [0] = 1, [7] = 1 };
	const struct rf_conf conf = ets(weight);
	struct rf_dwrr s = { 0 };
	struct rf_ready h = heads(0x81, 65536);

	ok(rf_sched_next(&s, &conf, &h, MTU) != rf_sched_next(&s, &conf, &h, MTU),
	   "packets larger than many rounds are served");
}

static void heads_ok(void)
{
	struct rf_ready h = {
		.bands = 0x13, .eligible = { 50, 40, 1, 1, 60 },
	};

	ok(rf_ready_eligible(&h) == 40, "rf_ready_eligible() returns the time of the oldest ready packet");
	rf_ready_filter(&h, 50);
	ok(h.bands == 0x3, "rf_ready_filter() removes packets queued after the time");
	rf_ready_filter(&h, 49);
	ok(h.bands == 0x2, "rf_ready_filter() compares nanoseconds");
}

/*
 * Choose the next priority with a loop over the rounds, which is fast enough for packets of
 * moderate size.
 */
static u32 turn_by_turn(struct rf_dwrr *s, const struct rf_conf *conf,
			const struct rf_ready *h, u32 mtu)
{
	u32 turn = s->turn;

	while (!(h->bands & 1u << turn) || s->deficit[turn] < h->bytes[turn]) {
		turn = (turn - 1) % RDMAFAULT_PRIOS;
		if (h->bands & 1u << turn)
			s->deficit[turn] += conf->prio[turn].weight * mtu;
	}
	s->deficit[turn] -= h->bytes[turn];
	s->turn = turn;
	return turn;
}

static bool same_turns(u32 mtu, u32 longest)
{
	struct rf_dwrr fast = { 0 }, slow = { 0 };
	u32 weight[RDMAFAULT_PRIOS], i, n;
	struct rf_ready h = { 0 };
	struct rf_conf conf;
	bool same = true;

	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		weight[i] = 1 + rand() % 100;
	conf = ets(weight);
	for (n = 0; same && n < 1000; n++) {
		h.bands = 1 + rand() % 255;
		for (i = 0; i < RDMAFAULT_PRIOS; i++)
			h.bytes[i] = rand() % longest;
		same = rf_sched_next(&fast, &conf, &h, mtu) ==
		       turn_by_turn(&slow, &conf, &h, mtu);
	}
	return same && !memcmp(&fast, &slow, sizeof(fast));
}

/*
 * rf_sched_next() computes how many rounds pass in which no packet can be sent, instead of
 * executing them one by one. So its computing time must not depend on the packet sizes.
 */
static void rounds_ok(void)
{
	static const u32 lightest[RDMAFAULT_PRIOS] = { 1, 1, 1, 1, 1, 1, 1, 1 };
	const struct rf_conf conf = ets(lightest);
	struct rf_ready h = heads(0xff, U32_MAX);
	struct rf_dwrr s = { 0 };
	clock_t from;
	u32 i;

	srand(1);
	ok(same_turns(MTU, 9000) && same_turns(82, 100000),
	   "computed rounds give the same order as single rounds");
	from = clock();
	for (i = 0; i < 100; i++)
		rf_sched_next(&s, &conf, &h, 82);
	ok(clock() - from < CLOCKS_PER_SEC,
	   "100 packets of 4 GiB with the smallest weights are scheduled within a second");
}

int main(void)
{
	static const u32 equal[RDMAFAULT_PRIOS] = { 1, 1, 1, 1, 1, 1, 1, 1 };
	static const u32 uneven[RDMAFAULT_PRIOS] = { 1, 2, 4, 8, 16, 32, 64, 100 };
	static const u32 two[RDMAFAULT_PRIOS] = { [3] = 80, [4] = 20 };
	static const u32 same[RDMAFAULT_PRIOS] = {
		MTU, MTU, MTU, MTU, MTU, MTU, MTU, MTU
	};
	static const u32 mixed[RDMAFAULT_PRIOS] = {
		64, MTU, 300, 9000, 1, 1000, 65536, 128
	};

	strict_ok();
	shares_ok("equal weights", equal, same);
	shares_ok("uneven weights", uneven, same);
	shares_ok("uneven weights, different packet sizes", uneven, mixed);
	shares_ok("weights 80 and 20, small and large packets", two, mixed);
	resume_ok();
	huge_ok();
	heads_ok();
	rounds_ok();
	return done_testing();
}
