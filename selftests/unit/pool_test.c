// SPDX-License-Identifier: GPL-2.0
/*
 * The buffer of a port: where packets find room, when XOFF and XON are due, and
 * that all adds up, whatever comes, leaves and is configured anew.
 */
#include <stdlib.h>

#include "../../kmod/conf.c"
#include "../../kmod/conf_validate.c"
#include "../../kmod/pool.c"
#include "tap.h"

#define P 3

/* 1000 bytes, 400 of them headroom of P, which says XOFF at 300, XON at 100. */
static struct rf_conf lossless(void)
{
	struct rf_conf conf;

	rf_conf_init(&conf);
	conf.buffer = 1000;
	conf.prio[P].pfc = 1;
	conf.prio[P].headroom = 400;
	conf.prio[P].xoff = 300;
	conf.prio[P].xon = 100;
	return conf;
}

static bool take_judge(struct rf_pool *pool, const struct rf_conf *conf,
		       u32 bytes, enum rf_pool_word word)
{
	bool room = rf_pool_take(pool, conf, P, bytes);

	return room && rf_pool_judge(pool, conf, P) == word;
}

static bool give_judge(struct rf_pool *pool, const struct rf_conf *conf,
		       u32 bytes, enum rf_pool_word word)
{
	rf_pool_give(pool, P, bytes);
	return rf_pool_judge(pool, conf, P) == word;
}

static void thresholds_ok(void)
{
	struct rf_conf conf = lossless();
	struct rf_pool pool = { 0 };

	ok(take_judge(&pool, &conf, 299, RF_POOL_NOTHING), "below xoff: nothing");
	ok(take_judge(&pool, &conf, 1, RF_POOL_XOFF), "at xoff: XOFF");
	ok(take_judge(&pool, &conf, 50, RF_POOL_NOTHING), "once");
	ok(give_judge(&pool, &conf, 249, RF_POOL_NOTHING), "above xon: nothing");
	ok(give_judge(&pool, &conf, 1, RF_POOL_XON), "at xon: XON");
	ok(give_judge(&pool, &conf, 100, RF_POOL_NOTHING), "once");
	ok(take_judge(&pool, &conf, 300, RF_POOL_XOFF), "XOFF again");
	ok(pool.peak == 350 && pool.prio[P].peak == 350 && pool.used == 300,
	   "the peak stays");
}

static void headroom_ok(void)
{
	struct rf_conf conf = lossless();
	struct rf_pool pool = { 0 };

	ok(rf_pool_take(&pool, &conf, P, 600) && rf_pool_take(&pool, &conf, P, 400),
	   "600 are shared, 400 headroom");
	ok(!rf_pool_take(&pool, &conf, P, 1), "and no more");
	ok(!rf_pool_take(&pool, &conf, P + 1, 1), "for nobody");
	rf_pool_give(&pool, P, 350);
	ok(pool.prio[P].headroom == 50 && pool.prio[P].shared == 600,
	   "the headroom is given back first");
	rf_pool_give(&pool, P, 100);
	ok(!pool.prio[P].headroom && pool.prio[P].shared == 550 &&
	   pool.shared == 550, "then the shared part");
	ok(rf_pool_take(&pool, &conf, P + 1, 50), "which is for all");
	ok(!rf_pool_take(&pool, &conf, P + 1, 1), "a lossy one has no headroom");
}

static void share_ok(void)
{
	struct rf_conf conf = lossless();
	struct rf_pool pool = { 0 };

	conf.prio[P + 1].share = 200;
	ok(rf_pool_take(&pool, &conf, P + 1, 200) &&
	   !rf_pool_take(&pool, &conf, P + 1, 1), "a share is an end");
	ok(rf_pool_judge(&pool, &conf, P + 1) == RF_POOL_NOTHING,
	   "a lossy priority says nothing");
	conf.buffer = 0;
	ok(rf_pool_take(&pool, &conf, P, 1000000), "a buffer may have no end");
}

static void others_fill_ok(void)
{
	struct rf_conf conf = lossless();
	struct rf_pool pool = { 0 };

	rf_pool_take(&pool, &conf, 0, 600);
	ok(take_judge(&pool, &conf, 10, RF_POOL_XOFF),
	   "a byte in the headroom: XOFF");
	ok(give_judge(&pool, &conf, 10, RF_POOL_XON), "none: XON");
	ok(!rf_pool_take(&pool, &conf, P, 401) &&
	   rf_pool_judge(&pool, &conf, P) == RF_POOL_NOTHING,
	   "refused with nothing in it: nothing, for nothing would end it");
	rf_pool_give(&pool, 0, 600);
	rf_pool_take(&pool, &conf, P, 200);
	ok(!rf_pool_take(&pool, &conf, P, 2000) &&
	   rf_pool_judge(&pool, &conf, P) == RF_POOL_XOFF,
	   "refused with something in it: XOFF below xoff");
	ok(give_judge(&pool, &conf, 100, RF_POOL_XON), "and XON");
	ok(take_judge(&pool, &conf, 1, RF_POOL_NOTHING), "which forgets it");
}

static void headroom_is_left_ok(void)
{
	struct rf_conf conf = lossless();
	struct rf_pool pool = { 0 };

	rf_pool_take(&pool, &conf, 0, 560);
	ok(take_judge(&pool, &conf, 60, RF_POOL_XOFF), "60 find headroom alone");
	rf_pool_give(&pool, 0, 10);
	ok(rf_pool_judge(&pool, &conf, P) == RF_POOL_NOTHING &&
	   pool.prio[P].headroom == 10 && pool.prio[P].shared == 50,
	   "others leave: 50 of them move");
	rf_pool_give(&pool, 0, 10);
	ok(rf_pool_judge(&pool, &conf, P) == RF_POOL_XON &&
	   !pool.prio[P].headroom && pool.shared == 600,
	   "more of them: the headroom is empty, XON");
}

static void change_ok(void)
{
	struct rf_conf conf = lossless();
	struct rf_pool pool = { 0 };

	rf_pool_take(&pool, &conf, P, 500);
	rf_pool_judge(&pool, &conf, P);
	conf.prio[P].pfc = 0;
	ok(rf_pool_judge(&pool, &conf, P) == RF_POOL_XON, "lossy from now on: XON");
	conf.prio[P].pfc = 1;
	ok(rf_pool_judge(&pool, &conf, P) == RF_POOL_XOFF, "lossless again: XOFF");
	conf.prio[P].xon = 500;
	conf.prio[P].xoff = 600;
	ok(rf_pool_judge(&pool, &conf, P) == RF_POOL_XON, "more is allowed: XON");
	conf.buffer = 450;
	conf.prio[P].xoff = 50;
	conf.prio[P].xon = 0;
	ok(rf_pool_judge(&pool, &conf, P) == RF_POOL_XOFF, "less is: XOFF");
	ok(pool.used == 500, "what is in it stays");
	rf_pool_give(&pool, P, 500);
	ok(!pool.used && !pool.shared, "and leaves");
}

struct packet {
	u32 prio;
	u32 bytes;
};

static bool adds_up(const struct rf_pool *pool, const u64 *sum)
{
	u64 all = 0, shared = 0;
	u32 i;

	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		if (used(&pool->prio[i]) != sum[i])
			return false;
		all += sum[i];
		shared += pool->prio[i].shared;
	}
	return pool->used == all && pool->shared == shared && pool->peak >= all;
}

static void any_order_ok(void)
{
	struct rf_pool pool = { 0 };
	u64 sum[RDMAFAULT_PRIOS] = { 0 };
	struct packet in[64];
	struct rf_conf conf;
	u32 n = 0, i, round;
	bool good = true;

	srandom(1);
	conf = lossless();
	for (round = 0; round < 200000 && good; round++) {
		i = random() % 64;
		if (random() % 1000 == 0) {
			conf.buffer = 401 + random() % 5000;
			conf.prio[P].pfc = random() % 2;
		}
		if (i < n) {
			rf_pool_give(&pool, in[i].prio, in[i].bytes);
			sum[in[i].prio] -= in[i].bytes;
			in[i] = in[--n];
		} else if (n < 64) {
			in[n] = (struct packet){ random() % 8, random() % 200 };
			if (rf_pool_take(&pool, &conf, in[n].prio, in[n].bytes)) {
				sum[in[n].prio] += in[n].bytes;
				n++;
			}
		}
		rf_pool_judge(&pool, &conf, P);
		good = adds_up(&pool, sum) &&
		       (sum[P] || !pool.prio[P].held);
	}
	ok(good, "it adds up after %u packets, and what is empty holds nobody",
	   round);
}

/* PFC without a limit in the buffer: XOFF is obeyed, and never sent. */
static void no_limit_ok(void)
{
	struct rf_pool pool = { 0 };
	struct rf_conf conf;
	u32 prio, n = 0;

	rf_conf_init(&conf);
	ok(!rf_conf_lossless(&conf), "PFC is off by default");
	conf.prio[P].pfc = 1;
	conf.prio[P].headroom = 100;
	rf_conf_complete(&conf);
	ok(!rf_conf_validate(&conf, &prio) && rf_conf_lossless(&conf) == 1u << P,
	   "PFC needs no buffer");
	ok(!conf.buffers, "packets that nothing limits aren't charged");
	while (n < 1000 && take_judge(&pool, &conf, 1u << 30, RF_POOL_NOTHING))
		n++;
	ok(n == 1000, "a terabyte is no reason for XOFF");
	conf.prio[P].xoff = 1000;
	rf_conf_complete(&conf);
	ok(conf.buffers && rf_pool_judge(&pool, &conf, P) == RF_POOL_XOFF,
	   "control: with xoff it is");
	conf.prio[P].xoff = 0;
	rf_conf_complete(&conf);
	ok(rf_pool_judge(&pool, &conf, P) == RF_POOL_XON,
	   "without it again: XON at once");
}

int main(void)
{
	no_limit_ok();
	thresholds_ok();
	headroom_ok();
	share_ok();
	others_fill_ok();
	headroom_is_left_ok();
	change_ok();
	any_order_ok();
	return done_testing();
}
