// SPDX-License-Identifier: GPL-2.0
/* Passes and relative PSNs, above all across the wrap from 0xffffff to 0. */
#include "../../kmod/psn_window.c"
#include "tap.h"

static struct rf_psn_window win;

/* Send @count packets from @psn on; true if all had the pass @pass. */
static bool burst(u32 psn, u32 count, u32 pass)
{
	bool same = true;

	for (; count--; psn = (psn + 1) & RF_PSN_MASK)
		same &= rf_psn_window_see(&win, psn) == pass;
	return same;
}

static void passes_count_ok(void)
{
	rf_psn_window_start(&win, 1000);
	ok(burst(1000, 100, 1), "a first transmission is pass 1");
	ok(burst(1050, 50, 2), "go-back-N from the middle is pass 2");
	ok(burst(1050, 50, 3), "and a second time pass 3");
	ok(burst(1100, 10, 1), "new packets behind it are pass 1 again");
}

static void wrap_is_a_step_like_any_ok(void)
{
	rf_psn_window_start(&win, 0xfffff0);
	ok(burst(0xfffff0, 40, 1), "40 packets across the wrap are pass 1");
	ok(burst(0xfffff8, 32, 2), "their retransmission is pass 2");
	ok(rf_psn_rel(&win, 0xffffff) == 15 && rf_psn_rel(&win, 0) == 16,
	   "relative PSNs go on across the wrap");
	ok(burst(0x000018, 3000, 1), "and the packets behind are pass 1");
}

static void first_packet_of_a_hole_is_pass_1_ok(void)
{
	rf_psn_window_start(&win, 5);
	burst(5, 10, 1);
	ok(rf_psn_window_see(&win, 20) == 1, "a PSN ahead is pass 1");
	ok(rf_psn_window_see(&win, 17) == 1, "one that was skipped too");
	ok(rf_psn_window_see(&win, 17) == 2, "and then 2");
}

static void long_jump_forgets_ok(void)
{
	rf_psn_window_start(&win, 0);
	burst(0, 2000, 1);
	ok(rf_psn_window_see(&win, 1999 - RF_PSN_WINDOW + 1) == 2,
	   "the oldest PSN in the window is remembered");
	ok(burst(500000, 2000, 1), "a jump ahead (a large READ) starts fresh");
	ok(rf_psn_rel(&win, 500000) == 500000, "and keeps the first PSN");
}

static void new_life_of_a_qp_ok(void)
{
	rf_psn_window_start(&win, 0x800000);
	burst(0x800000, 100, 1);
	ok(rf_psn_window_see(&win, 0x700000) == 1,
	   "a PSN far behind is a new life of the QP number");
	ok(rf_psn_rel(&win, 0x700005) == 5, "with a first PSN of its own");
}

static void passes_saturate_ok(void)
{
	u32 pass = 0;
	int i;

	rf_psn_window_start(&win, 7);
	for (i = 0; i < 1000; i++)
		pass = rf_psn_window_see(&win, 7);
	ok(pass == 255, "a pass stays at 255");
}

int main(void)
{
	passes_count_ok();
	wrap_is_a_step_like_any_ok();
	first_packet_of_a_hole_is_pass_1_ok();
	long_jump_forgets_ok();
	new_life_of_a_qp_ok();
	passes_saturate_ok();
	return done_testing();
}
