// SPDX-License-Identifier: GPL-2.0
/*
 * Test the accounting of a port's buffer: which packets are admitted, and when XOFF and XON
 * are due. The sums must be right for any sequence of arrivals, departures and changes of the
 * configuration.
 */
#include <stdlib.h>

#include "../../kmod/dcqcn/rp.c"
#include "../../kmod/queue/config.c"
#include "../../kmod/pfc/buffer.c"
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

static bool add(struct rf_buffer *buffer, const struct rf_conf *conf, u32 prio, u32 bytes)
{
	struct rf_pfc_conf pfc;

	rf_conf_pfc(conf, &pfc);
	return rf_buffer_add(buffer, &pfc.buffer, prio, bytes);
}

static enum rf_buffer_change update(struct rf_buffer *buffer, const struct rf_conf *conf,
				    u32 prio)
{
	struct rf_pfc_conf pfc;

	rf_conf_pfc(conf, &pfc);
	return rf_buffer_update_pfc_state(buffer, &pfc.buffer, prio);
}

static bool add_update(struct rf_buffer *buffer, const struct rf_conf *conf,
		       u32 bytes, enum rf_buffer_change change)
{
	bool room = add(buffer, conf, P, bytes);

	return room && update(buffer, conf, P) == change;
}

static bool remove_update(struct rf_buffer *buffer, const struct rf_conf *conf,
			  u32 bytes, enum rf_buffer_change change)
{
	rf_buffer_remove(buffer, P, bytes);
	return update(buffer, conf, P) == change;
}

static void thresholds_ok(void)
{
	struct rf_conf conf = lossless();
	struct rf_buffer buffer = { 0 };

	ok(add_update(&buffer, &conf, 299, RF_BUFFER_NO_CHANGE), "a lossless priority below its XOFF threshold sends nothing");
	ok(add_update(&buffer, &conf, 1, RF_BUFFER_XOFF), "a lossless priority at its XOFF threshold sends XOFF");
	ok(add_update(&buffer, &conf, 50, RF_BUFFER_NO_CHANGE), "a lossless priority sends XOFF once");
	ok(remove_update(&buffer, &conf, 249, RF_BUFFER_NO_CHANGE), "a priority above its XON threshold sends no XON");
	ok(remove_update(&buffer, &conf, 1, RF_BUFFER_XON), "a priority at its XON threshold sends XON");
	ok(remove_update(&buffer, &conf, 100, RF_BUFFER_NO_CHANGE), "a lossless priority sends XON once");
	ok(add_update(&buffer, &conf, 300, RF_BUFFER_XOFF), "a priority that reaches its XOFF threshold again sends XOFF again");
	ok(buffer.peak == 350 && buffer.prio[P].peak == 350 && buffer.used == 300,
	   "the peak of the buffer is the largest use");
}

static void headroom_ok(void)
{
	struct rf_conf conf = lossless();
	struct rf_buffer buffer = { 0 };

	ok(add(&buffer, &conf, P, 600) && add(&buffer, &conf, P, 400),
	   "a lossless priority can use 600 shared bytes and 400 bytes of headroom");
	ok(!add(&buffer, &conf, P, 1), "a packet beyond shared part and headroom is not admitted");
	ok(!add(&buffer, &conf, P + 1, 1), "a packet of another priority is not admitted when the shared part is full");
	rf_buffer_remove(&buffer, P, 350);
	ok(buffer.prio[P].headroom == 50 && buffer.prio[P].shared == 600,
	   "departures free the headroom first");
	rf_buffer_remove(&buffer, P, 100);
	ok(!buffer.prio[P].headroom && buffer.prio[P].shared == 550 &&
	   buffer.shared == 550, "departures free the shared part after the headroom");
	ok(add(&buffer, &conf, P + 1, 50), "a freed shared part is available to other priorities");
	ok(!add(&buffer, &conf, P + 1, 1), "a lossy priority has no headroom");
}

static void share_ok(void)
{
	struct rf_conf conf = lossless();
	struct rf_buffer buffer = { 0 };

	conf.prio[P + 1].share = 200;
	ok(add(&buffer, &conf, P + 1, 200) &&
	   !add(&buffer, &conf, P + 1, 1), "a priority is limited to its share");
	ok(update(&buffer, &conf, P + 1) == RF_BUFFER_NO_CHANGE,
	   "a lossy priority sends no XOFF");
	conf.buffer = 0;
	ok(add(&buffer, &conf, P, 1000000), "a buffer of size 0 is unlimited");
}

static void others_fill_ok(void)
{
	struct rf_conf conf = lossless();
	struct rf_buffer buffer = { 0 };

	add(&buffer, &conf, 0, 600);
	ok(add_update(&buffer, &conf, 10, RF_BUFFER_XOFF),
	   "a priority with bytes in its headroom sends XOFF");
	ok(remove_update(&buffer, &conf, 10, RF_BUFFER_XON), "a priority sends XON when its headroom is empty");
	ok(!add(&buffer, &conf, P, 401) &&
	   update(&buffer, &conf, P) == RF_BUFFER_NO_CHANGE,
	   "a refused packet of a priority without packets causes no XOFF, because no departure would end it");
	rf_buffer_remove(&buffer, 0, 600);
	add(&buffer, &conf, P, 200);
	ok(!add(&buffer, &conf, P, 2000) &&
	   update(&buffer, &conf, P) == RF_BUFFER_XOFF,
	   "a refused packet of a priority with packets causes XOFF below the XOFF threshold");
	ok(remove_update(&buffer, &conf, 100, RF_BUFFER_XON), "XOFF after a refused packet ends with XON at the XON threshold");
	ok(add_update(&buffer, &conf, 1, RF_BUFFER_NO_CHANGE), "after XON, the refused packet has no effect");
}

static void headroom_is_left_ok(void)
{
	struct rf_conf conf = lossless();
	struct rf_buffer buffer = { 0 };

	add(&buffer, &conf, 0, 560);
	ok(add_update(&buffer, &conf, 60, RF_BUFFER_XOFF), "a packet admitted partly to the headroom causes XOFF");
	rf_buffer_remove(&buffer, 0, 10);
	ok(update(&buffer, &conf, P) == RF_BUFFER_NO_CHANGE &&
	   buffer.prio[P].headroom == 10 && buffer.prio[P].shared == 50,
	   "departures of other priorities move bytes from the headroom to the shared part");
	rf_buffer_remove(&buffer, 0, 10);
	ok(update(&buffer, &conf, P) == RF_BUFFER_XON &&
	   !buffer.prio[P].headroom && buffer.shared == 600,
	   "XON is sent when other priorities' departures have emptied the headroom");
}

static void change_ok(void)
{
	struct rf_conf conf = lossless();
	struct rf_buffer buffer = { 0 };

	add(&buffer, &conf, P, 500);
	update(&buffer, &conf, P);
	conf.prio[P].pfc = 0;
	ok(update(&buffer, &conf, P) == RF_BUFFER_XON, "a paused priority that becomes lossy sends XON");
	conf.prio[P].pfc = 1;
	ok(update(&buffer, &conf, P) == RF_BUFFER_XOFF, "a priority that becomes lossless above its threshold sends XOFF");
	conf.prio[P].xon = 500;
	conf.prio[P].xoff = 600;
	ok(update(&buffer, &conf, P) == RF_BUFFER_XON, "higher thresholds cause XON");
	conf.buffer = 450;
	conf.prio[P].xoff = 50;
	conf.prio[P].xon = 0;
	ok(update(&buffer, &conf, P) == RF_BUFFER_XOFF, "lower thresholds cause XOFF");
	ok(buffer.used == 500, "packets stay in a buffer that becomes smaller");
	rf_buffer_remove(&buffer, P, 500);
	ok(!buffer.used && !buffer.shared, "packets of a buffer that became smaller leave with the right sums");
}

struct packet {
	u32 prio;
	u32 bytes;
};

static bool adds_up(const struct rf_buffer *buffer, const u64 *sum)
{
	u64 all = 0, shared = 0;
	u32 i;

	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		if (buffer_prio_used(&buffer->prio[i]) != sum[i])
			return false;
		all += sum[i];
		shared += buffer->prio[i].shared;
	}
	return buffer->used == all && buffer->shared == shared && buffer->peak >= all;
}

static void any_order_ok(void)
{
	struct rf_buffer buffer = { 0 };
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
			rf_buffer_remove(&buffer, in[i].prio, in[i].bytes);
			sum[in[i].prio] -= in[i].bytes;
			in[i] = in[--n];
		} else if (n < 64) {
			in[n] = (struct packet){ random() % 8, random() % 200 };
			if (add(&buffer, &conf, in[n].prio, in[n].bytes)) {
				sum[in[n].prio] += in[n].bytes;
				n++;
			}
		}
		update(&buffer, &conf, P);
		good = adds_up(&buffer, sum) &&
		       (sum[P] || !(buffer.xoff & 1u << P));
	}
	ok(good, "the sums are right after %u random packets, and an empty priority is not in XOFF",
	   round);
}

/* If PFC is on but the buffer has no limit, the port obeys XOFF but never sends XOFF. */
static void no_limit_ok(void)
{
	struct rf_buffer buffer = { 0 };
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
	while (n < 1000 && add_update(&buffer, &conf, 1u << 30, RF_BUFFER_NO_CHANGE))
		n++;
	ok(n == 1000, "a terabyte in an unlimited buffer causes no XOFF");
	conf.prio[P].xoff = 1000;
	rf_conf_complete(&conf);
	ok(conf.buffers && update(&buffer, &conf, P) == RF_BUFFER_XOFF,
	   "control: an XOFF threshold causes XOFF");
	conf.prio[P].xoff = 0;
	rf_conf_complete(&conf);
	ok(update(&buffer, &conf, P) == RF_BUFFER_XON,
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
