// SPDX-License-Identifier: GPL-2.0
/*
 * Test the accounting of a port's buffer: which packets are admitted, and when XOFF and XON
 * are due. The sums must be right for any sequence of arrivals, departures and changes of the
 * configuration.
 */
#include <stdlib.h>

#include "../../kmod/queue/config.c"
#include "../../kmod/queue/config_validate.c"
#include "../../kmod/pfc/pool.c"
#include "tap.h"

#define P 3

/*
 * A buffer of 1000 bytes. Priority P has 400 bytes of headroom, sends XOFF at 300 bytes and
 * XON at 100 bytes.
 */
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

static bool take_update(struct rf_pool *pool, const struct rf_conf *conf,
		       u32 bytes, enum rf_pool_change change)
{
	bool room = rf_pool_take(pool, conf, P, bytes);

	return room && rf_pool_update_pfc_state(pool, conf, P) == change;
}

static bool give_update(struct rf_pool *pool, const struct rf_conf *conf,
		       u32 bytes, enum rf_pool_change change)
{
	rf_pool_give(pool, P, bytes);
	return rf_pool_update_pfc_state(pool, conf, P) == change;
}

static void thresholds_ok(void)
{
	struct rf_conf conf = lossless();
	struct rf_pool pool = { 0 };

	ok(take_update(&pool, &conf, 299, RF_POOL_NOTHING), "a lossless priority below its XOFF threshold sends nothing");
	ok(take_update(&pool, &conf, 1, RF_POOL_XOFF), "a lossless priority at its XOFF threshold sends XOFF");
	ok(take_update(&pool, &conf, 50, RF_POOL_NOTHING), "a lossless priority sends XOFF once");
	ok(give_update(&pool, &conf, 249, RF_POOL_NOTHING), "a priority above its XON threshold sends no XON");
	ok(give_update(&pool, &conf, 1, RF_POOL_XON), "a priority at its XON threshold sends XON");
	ok(give_update(&pool, &conf, 100, RF_POOL_NOTHING), "a lossless priority sends XON once");
	ok(take_update(&pool, &conf, 300, RF_POOL_XOFF), "a priority that reaches its XOFF threshold again sends XOFF again");
	ok(pool.peak == 350 && pool.prio[P].peak == 350 && pool.used == 300,
	   "the peak of the buffer is the largest use");
}

static void headroom_ok(void)
{
	struct rf_conf conf = lossless();
	struct rf_pool pool = { 0 };

	ok(rf_pool_take(&pool, &conf, P, 600) && rf_pool_take(&pool, &conf, P, 400),
	   "a lossless priority can use 600 shared bytes and 400 bytes of headroom");
	ok(!rf_pool_take(&pool, &conf, P, 1), "a packet beyond shared part and headroom is not admitted");
	ok(!rf_pool_take(&pool, &conf, P + 1, 1), "a packet of another priority is not admitted when the shared part is full");
	rf_pool_give(&pool, P, 350);
	ok(pool.prio[P].headroom == 50 && pool.prio[P].shared == 600,
	   "departures free the headroom first");
	rf_pool_give(&pool, P, 100);
	ok(!pool.prio[P].headroom && pool.prio[P].shared == 550 &&
	   pool.shared == 550, "departures free the shared part after the headroom");
	ok(rf_pool_take(&pool, &conf, P + 1, 50), "a freed shared part is available to other priorities");
	ok(!rf_pool_take(&pool, &conf, P + 1, 1), "a lossy priority has no headroom");
}

static void share_ok(void)
{
	struct rf_conf conf = lossless();
	struct rf_pool pool = { 0 };

	conf.prio[P + 1].share = 200;
	ok(rf_pool_take(&pool, &conf, P + 1, 200) &&
	   !rf_pool_take(&pool, &conf, P + 1, 1), "a priority is limited to its share");
	ok(rf_pool_update_pfc_state(&pool, &conf, P + 1) == RF_POOL_NOTHING,
	   "a lossy priority sends no XOFF");
	conf.buffer = 0;
	ok(rf_pool_take(&pool, &conf, P, 1000000), "a buffer of size 0 is unlimited");
}

static void others_fill_ok(void)
{
	struct rf_conf conf = lossless();
	struct rf_pool pool = { 0 };

	rf_pool_take(&pool, &conf, 0, 600);
	ok(take_update(&pool, &conf, 10, RF_POOL_XOFF),
	   "a priority with bytes in its headroom sends XOFF");
	ok(give_update(&pool, &conf, 10, RF_POOL_XON), "a priority sends XON when its headroom is empty");
	ok(!rf_pool_take(&pool, &conf, P, 401) &&
	   rf_pool_update_pfc_state(&pool, &conf, P) == RF_POOL_NOTHING,
	   "a refused packet of a priority without packets causes no XOFF, because no departure would end it");
	rf_pool_give(&pool, 0, 600);
	rf_pool_take(&pool, &conf, P, 200);
	ok(!rf_pool_take(&pool, &conf, P, 2000) &&
	   rf_pool_update_pfc_state(&pool, &conf, P) == RF_POOL_XOFF,
	   "a refused packet of a priority with packets causes XOFF below the XOFF threshold");
	ok(give_update(&pool, &conf, 100, RF_POOL_XON), "XOFF after a refused packet ends with XON at the XON threshold");
	ok(take_update(&pool, &conf, 1, RF_POOL_NOTHING), "after XON, the refused packet has no effect");
}

static void headroom_is_left_ok(void)
{
	struct rf_conf conf = lossless();
	struct rf_pool pool = { 0 };

	rf_pool_take(&pool, &conf, 0, 560);
	ok(take_update(&pool, &conf, 60, RF_POOL_XOFF), "a packet admitted partly to the headroom causes XOFF");
	rf_pool_give(&pool, 0, 10);
	ok(rf_pool_update_pfc_state(&pool, &conf, P) == RF_POOL_NOTHING &&
	   pool.prio[P].headroom == 10 && pool.prio[P].shared == 50,
	   "departures of other priorities move bytes from the headroom to the shared part");
	rf_pool_give(&pool, 0, 10);
	ok(rf_pool_update_pfc_state(&pool, &conf, P) == RF_POOL_XON &&
	   !pool.prio[P].headroom && pool.shared == 600,
	   "XON is sent when other priorities' departures have emptied the headroom");
}

static void change_ok(void)
{
	struct rf_conf conf = lossless();
	struct rf_pool pool = { 0 };

	rf_pool_take(&pool, &conf, P, 500);
	rf_pool_update_pfc_state(&pool, &conf, P);
	conf.prio[P].pfc = 0;
	ok(rf_pool_update_pfc_state(&pool, &conf, P) == RF_POOL_XON, "a paused priority that becomes lossy sends XON");
	conf.prio[P].pfc = 1;
	ok(rf_pool_update_pfc_state(&pool, &conf, P) == RF_POOL_XOFF, "a priority that becomes lossless above its threshold sends XOFF");
	conf.prio[P].xon = 500;
	conf.prio[P].xoff = 600;
	ok(rf_pool_update_pfc_state(&pool, &conf, P) == RF_POOL_XON, "higher thresholds cause XON");
	conf.buffer = 450;
	conf.prio[P].xoff = 50;
	conf.prio[P].xon = 0;
	ok(rf_pool_update_pfc_state(&pool, &conf, P) == RF_POOL_XOFF, "lower thresholds cause XOFF");
	ok(pool.used == 500, "packets stay in a buffer that becomes smaller");
	rf_pool_give(&pool, P, 500);
	ok(!pool.used && !pool.shared, "packets of a buffer that became smaller leave with the right sums");
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
		rf_pool_update_pfc_state(&pool, &conf, P);
		good = adds_up(&pool, sum) &&
		       (sum[P] || !pool.prio[P].held);
	}
	ok(good, "the sums are right after %u random packets, and an empty priority is not in XOFF",
	   round);
}

/* If PFC is on but the buffer has no limit, the port obeys XOFF but never sends XOFF. */
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
	   "a priority with PFC and without a buffer size is valid");
	ok(!conf.buffers, "packets are not charged without a limit");
	while (n < 1000 && take_update(&pool, &conf, 1u << 30, RF_POOL_NOTHING))
		n++;
	ok(n == 1000, "a terabyte in an unlimited buffer causes no XOFF");
	conf.prio[P].xoff = 1000;
	rf_conf_complete(&conf);
	ok(conf.buffers && rf_pool_update_pfc_state(&pool, &conf, P) == RF_POOL_XOFF,
	   "control: an XOFF threshold causes XOFF");
	conf.prio[P].xoff = 0;
	rf_conf_complete(&conf);
	ok(rf_pool_update_pfc_state(&pool, &conf, P) == RF_POOL_XON,
	   "removing the XOFF threshold causes XON at once");
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
