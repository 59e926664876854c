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

/* Messages of @packets packets from @psn on, as WRITEs are. */
static u32 write_messages(u32 psn, u32 messages, u32 packets)
{
	u32 i;

	while (messages--)
		for (i = 0; i < packets; i++, psn = (psn + 1) & RF_PSN_MASK) {
			rf_psn_window_see(&win, psn);
			rf_psn_window_bounds(&win, psn, !i, i == packets - 1);
		}
	return psn;
}

static bool is_at(u32 psn, u32 message, u32 packet)
{
	return rf_psn_message(&win, psn) == message &&
	       rf_psn_packet(&win, psn) == packet;
}

static void messages_count_ok(void)
{
	rf_psn_window_start(&win, 0xfffff0);
	write_messages(0xfffff0, 10, 5);
	ok(win.messages == 10, "ten messages across the wrap");
	ok(is_at(0xfffff0, 1, 1) && is_at(0xfffff4, 1, 5) &&
	   is_at(0xfffff5, 2, 1), "the first two are where they are");
	ok(is_at(0xffffff, 4, 1) && is_at(0, 4, 2) && is_at(0x21, 10, 5),
	   "a message and its packets go on across the wrap");
	write_messages(0xfffff5, 9, 5);
	ok(win.messages == 10 && is_at(0xfffff5, 2, 1),
	   "what is sent again belongs to its old message");
}

static void lost_bounds_ok(void)
{
	rf_psn_window_start(&win, 100);
	rf_psn_window_see(&win, 100);
	rf_psn_window_bounds(&win, 100, true, true);
	rf_psn_window_see(&win, 102);
	rf_psn_window_bounds(&win, 102, false, false);
	ok(is_at(102, 2, 2), "a lost first packet: the one before has ended");
	rf_psn_window_see(&win, 104);
	rf_psn_window_bounds(&win, 104, true, false);
	rf_psn_window_see(&win, 103);
	rf_psn_window_bounds(&win, 103, false, true);
	ok(win.messages == 3 && is_at(103, 2, 3) && is_at(104, 3, 1),
	   "a late last packet begins nothing that hasn't begun");
}

static void middle_of_a_message_first_ok(void)
{
	rf_psn_window_start(&win, 50);
	rf_psn_window_see(&win, 50);
	rf_psn_window_bounds(&win, 50, false, false);
	ok(is_at(50, 1, 1), "the flow's first packet begins message 1");
	rf_psn_window_see(&win, 49);
	rf_psn_window_bounds(&win, 49, true, false);
	ok(win.messages == 1 && is_at(49, 0, 0),
	   "a packet from before it is in no message");
}

static void long_message_ok(void)
{
	rf_psn_window_start(&win, 0);
	write_messages(write_messages(0, 3, 10), 1, 5000);
	ok(is_at(5029, 4, 5000), "packet 5000 of a message");
	ok(is_at(5029 - RF_PSN_WINDOW + 1, 4, 5001 - RF_PSN_WINDOW),
	   "and the oldest of it that is remembered");
	rf_psn_window_see(&win, 9000);
	rf_psn_window_bounds(&win, 9000, false, false);
	ok(is_at(9000, 5, 9000 - 5030 + 1),
	   "a leap forgets no bound that it passes");
}

/* Random message lengths and repetitions against a plain table. */
static void as_a_plain_table_ok(void)
{
	static u32 message[20000], packet[20000];
	u32 i, n = 0, at = 0, rand = 1, length = 0;
	bool good = true;

	for (i = 0; i < 20000; i++, length--) {
		rand = rand * 1103515245 + 12345;
		if (!length) {
			length = 1 + (rand >> 16) % (i % 3 ? 9 : 300);
			n++;
			at = 0;
		}
		message[i] = n;
		packet[i] = ++at;
	}
	rf_psn_window_start(&win, 0xffc000);
	for (i = 0; i < 19999; i++) {
		u32 psn = (0xffc000 + i) & RF_PSN_MASK;
		u32 back = (rand = rand * 1103515245 + 12345) >> 16;

		rf_psn_window_see(&win, psn);
		rf_psn_window_bounds(&win, psn, packet[i] == 1,
				     packet[i + 1] == 1);
		back %= i < RF_PSN_WINDOW ? i + 1 : RF_PSN_WINDOW;
		good &= is_at((psn - back) & RF_PSN_MASK, message[i - back],
			      packet[i - back]);
	}
	ok(good, "20000 packets: message and packet as in a plain table");
}

int main(void)
{
	messages_count_ok();
	lost_bounds_ok();
	middle_of_a_message_first_ok();
	long_message_ok();
	as_a_plain_table_ok();
	passes_count_ok();
	wrap_is_a_step_like_any_ok();
	first_packet_of_a_hole_is_pass_1_ok();
	long_jump_forgets_ok();
	new_life_of_a_qp_ok();
	passes_saturate_ok();
	return done_testing();
}
