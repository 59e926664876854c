// SPDX-License-Identifier: GPL-2.0
/* Test the window of PSNs of a flow: attempts, relative PSNs, messages, and the wrap of PSNs. */
#include "../../kmod/flow/psn_window.c"
#include "tap.h"

static struct rf_psn_window win;

/* See a packet that is not a response. Return: its attempt; 0 if it is behind the window */
static u32 see_in(struct rf_psn_window *window, u32 psn)
{
	return rf_psn_window_move(window, psn) ? rf_psn_window_count(window, psn, false) : 0;
}

static u32 see(u32 psn)
{
	return see_in(&win, psn);
}

/*
 * Send @count packets, the first one with the PSN @psn. Return: true if all have the attempt
 * number @attempt
 */
static bool burst(u32 psn, u32 count, u32 attempt)
{
	bool same = true;

	for (psn &= RF_PSN_MASK; count--; psn = (psn + 1) & RF_PSN_MASK)
		same &= see(psn) == attempt;
	return same;
}

static void attempts_count_ok(void)
{
	rf_psn_window_start(&win, 1000);
	ok(burst(1000, 100, 1), "a first transmission is attempt 1");
	ok(burst(1050, 50, 2), "a retransmission from the middle is attempt 2");
	ok(burst(1050, 50, 3), "a second retransmission is attempt 3");
	ok(burst(1100, 10, 1), "new packets after a retransmission are attempt 1");
}

static void wrap_is_a_step_like_any_ok(void)
{
	rf_psn_window_start(&win, 0xfffff0);
	ok(burst(0xfffff0, 40, 1), "40 packets across the wrap are attempt 1");
	ok(burst(0xfffff8, 32, 2), "a retransmission across the wrap is attempt 2");
	ok(rf_psn_rel(&win, 0xffffff) == 15 && rf_psn_rel(&win, 0) == 16,
	   "relative PSNs continue across the wrap");
	ok(burst(0x000018, 3000, 1), "packets after the wrap are attempt 1");
}

static void first_packet_of_a_hole_is_attempt_1_ok(void)
{
	rf_psn_window_start(&win, 5);
	burst(5, 10, 1);
	ok(see(20) == 1, "a PSN ahead is attempt 1");
	ok(see(17) == 1, "a PSN that was skipped before is attempt 1");
	ok(see(17) == 2, "the same PSN is attempt 2 the second time");
}

static void long_jump_forgets_ok(void)
{
	rf_psn_window_start(&win, 0);
	burst(0, 2000, 1);
	ok(see(1999 - RF_PSN_WINDOW + 1) == 2,
	   "the oldest PSN in the window is remembered");
	ok(burst(500000, 2000, 1), "packets after a jump ahead (a large READ) are attempt 1");
	ok(rf_psn_rel(&win, 500000) == 500000, "a jump ahead keeps the flow's first PSN");
}

static void new_life_of_a_qp_ok(void)
{
	rf_psn_window_start(&win, 0x800000);
	burst(0x800000, 100, 1);
	ok(see(0x700000) == 1,
	   "a PSN far behind is attempt 1 of a new owner of the QP number");
	ok(rf_psn_rel(&win, 0x700005) == 5, "a new owner of the QP number has a new first PSN");
	rf_psn_window_start(&win, 1000);
	burst(1000, 5000, 1);
	ok(burst(1000, RF_PSN_LATE, 0) &&
	   see(1000 + RF_PSN_LATE) == 1,
	   "PSNs near the first one are a new owner after a row of them");
	ok(rf_psn_rel(&win, 1005 + RF_PSN_LATE) == 5 && !win.span,
	   "this new owner has its first PSN there");
}

static void attempts_saturate_ok(void)
{
	u32 attempt = 0;
	int i;

	rf_psn_window_start(&win, 7);
	for (i = 0; i < 1000; i++)
		attempt = see(7);
	ok(attempt == RF_PSN_ATTEMPTS, "attempts are counted up to %d", RF_PSN_ATTEMPTS);
	for (i = 0; i < 1000; i++)
		attempt = rf_psn_window_count(&win, 7, true);
	ok(attempt == RF_PSN_ATTEMPTS, "attempts of a READ response are counted up to %d",
	   RF_PSN_ATTEMPTS);
}

static void acks_are_counted_apart_ok(void)
{
	rf_psn_window_start(&win, 10);
	ok(see(10) == 1 && see(10) == 2 && rf_psn_window_count(&win, 10, true) == 1,
	   "the first READ response after two ACKs with its PSN is attempt 1");
	ok(!rf_psn_window_count(&win, 10, false) && rf_psn_window_count(&win, 10, true) == 2,
	   "an ACK after a READ response is not counted, the next response is attempt 2");
	burst(11, RF_PSN_WINDOW, 1);
	ok(see(10 + RF_PSN_WINDOW) == 2, "a later PSN in the same place counts ACKs");
}

/* A READ with 8 PSNs, which is asked for from several of them */
static void requests_ok(u32 first, const char *words)
{
	rf_psn_window_start(&win, first);
	see(first);
	see((first + 3) & RF_PSN_MASK);
	ok(rf_psn_window_requests(&win, first, (first + 3) & RF_PSN_MASK) == 2,
	   "%s: a READ request for the rest of a READ is attempt 2", words);
	see((first + 5) & RF_PSN_MASK);
	ok(rf_psn_window_requests(&win, first, (first + 5) & RF_PSN_MASK) == 3,
	   "%s: a READ request for the rest of this rest is attempt 3", words);
	see((first + 3) & RF_PSN_MASK);
	ok(rf_psn_window_requests(&win, first, (first + 3) & RF_PSN_MASK) == 3,
	   "%s: requests for later PSNs are no attempts", words);
	see((first + 8) & RF_PSN_MASK);
	see((first + 5) & RF_PSN_MASK);
	ok(rf_psn_window_requests(&win, first, (first + 5) & RF_PSN_MASK) == 5,
	   "%s: after a later message, the rest is attempt 5", words);
}

static void requests_of_a_long_read_ok(void)
{
	rf_psn_window_start(&win, 100);
	burst(100, 500, 1);
	see(4000);
	ok(rf_psn_window_requests(&win, 100, 4000) == 2,
	   "the rest of a READ that is longer than the window is attempt 2");
	see(4500);
	ok(rf_psn_window_requests(&win, 100, 4500) == 3,
	   "the next rest of a READ that is longer than the window is attempt 3");
}

/*
 * Send @messages messages of @packets packets, as for RDMA WRITEs. @psn is the first PSN.
 * Return: the PSN after the last packet
 */
static u32 write_messages(u32 psn, u32 messages, u32 packets)
{
	u32 i;

	while (messages--)
		for (i = 0; i < packets; i++, psn = (psn + 1) & RF_PSN_MASK) {
			see(psn);
			rf_psn_window_bounds(&win, psn, !i, i == packets - 1);
		}
	return psn;
}

static void new_owner_ok(void)
{
	rf_psn_window_start(&win, 0x800000);
	write_messages(0x800000, 1, 1);
	write_messages(0x700000, 1, 1);
	ok(win.owners == 1 && win.messages == 1,
	   "a new owner is counted although each owner has started one message");
	write_messages(0x600000, 3, 1);
	ok(win.owners == 2, "a second new owner is counted");
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
	ok(win.messages == 10, "ten messages across the wrap are counted");
	ok(is_at(0xfffff0, 1, 1) && is_at(0xfffff4, 1, 5) &&
	   is_at(0xfffff5, 2, 1), "message and packet numbers of the first two messages are right");
	ok(is_at(0xffffff, 4, 1) && is_at(0, 4, 2) && is_at(0x21, 10, 5),
	   "message and packet numbers continue across the wrap");
	write_messages(0xfffff5, 9, 5);
	ok(win.messages == 10 && is_at(0xfffff5, 2, 1),
	   "a retransmitted packet has its first message number");
}

static void lost_bounds_ok(void)
{
	rf_psn_window_start(&win, 100);
	see(100);
	rf_psn_window_bounds(&win, 100, true, true);
	see(102);
	rf_psn_window_bounds(&win, 102, false, false);
	ok(is_at(102, 2, 2), "the message after a single-packet message is counted if its first packet was lost");
	see(104);
	rf_psn_window_bounds(&win, 104, true, false);
	see(103);
	rf_psn_window_bounds(&win, 103, false, true);
	ok(win.messages == 3 && is_at(103, 2, 3) && is_at(104, 3, 1),
	   "a late last packet does not start a message");
}

static void middle_of_a_message_first_ok(void)
{
	rf_psn_window_start(&win, 50);
	see(50);
	rf_psn_window_bounds(&win, 50, false, false);
	ok(is_at(50, 1, 1), "the first packet of a flow starts message 1");
	see(49);
	rf_psn_window_bounds(&win, 49, true, false);
	ok(win.messages == 1 && is_at(49, 0, 0),
	   "a packet before the first one of the flow is in no message");
}

static void long_message_ok(void)
{
	rf_psn_window_start(&win, 0);
	write_messages(write_messages(0, 3, 10), 1, 5000);
	ok(is_at(5029, 4, 5000), "packet 5000 of a message has its number");
	ok(is_at(5029 - RF_PSN_WINDOW + 1, 4, 5001 - RF_PSN_WINDOW),
	   "the oldest packet of a message in the window has its number");
	see(9000);
	rf_psn_window_bounds(&win, 9000, false, false);
	ok(is_at(9000, 5, 9000 - 5030 + 1),
	   "a jump ahead keeps the end of the last message");
}

/*
 * Compare the window of PSNs with a plain table of all PSNs, for random message lengths and
 * repetitions.
 */
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

		see(psn);
		rf_psn_window_bounds(&win, psn, packet[i] == 1,
				     packet[i + 1] == 1);
		back %= i < RF_PSN_WINDOW ? i + 1 : RF_PSN_WINDOW;
		good &= is_at((psn - back) & RF_PSN_MASK, message[i - back],
			      packet[i - back]);
	}
	ok(good, "message and packet numbers of 20000 packets are those of a plain table");
}

/* Send a flow with the PSNs 1000 to 3999. PSN 3999 is the last packet of message 750. */
static void send_3000(void)
{
	rf_psn_window_start(&win, 1000);
	write_messages(1000, 750, 4);
}

static bool goes_on_behind_3000(void)
{
	write_messages(4000, 1, 4);
	return rf_psn_rel(&win, 4003) == 3003 && win.messages == 751 &&
	       rf_psn_serial(&win, 4003) == 3003 && is_at(4003, 751, 4);
}

/* Send the response packets @from to @to of a READ that has @packets response packets. */
static void respond(u32 psn, u32 from, u32 to, u32 packets)
{
	u32 i;

	for (i = from; i <= to; i++) {
		u32 at = (psn + i) & RF_PSN_MASK;
		bool open = rf_psn_is_open(&win, at - 1);

		see(at);
		rf_psn_window_bounds(&win, at, i == from && !open, false);
		if (i < packets - 1)
			rf_psn_window_open(&win, at);
	}
}

static void responses_from_the_middle_ok(u32 psn, const char *words)
{
	rf_psn_window_start(&win, psn);
	respond(psn, 0, 7, 8);
	respond(psn + 8, 0, 7, 8);
	ok(win.messages == 2 && is_at((psn + 8) & RF_PSN_MASK, 2, 1),
	   "%s: the responses to two READs are two messages", words);
	respond(psn, 3, 7, 8);
	ok(win.messages == 2 && is_at((psn + 3) & RF_PSN_MASK, 1, 4),
	   "%s: a READ response from the middle continues its message", words);
	respond(psn, 7, 7, 8);
	respond(psn + 8, 0, 7, 8);
	ok(win.messages == 2 && is_at((psn + 15) & RF_PSN_MASK, 2, 8),
	   "%s: the last response packet of a READ and a whole READ keep their messages", words);
	respond(psn + 16, 0, 2, 8);
	respond(psn + 16, 3, 7, 8);
	ok(win.messages == 3 && is_at((psn + 19) & RF_PSN_MASK, 3, 4),
	   "%s: a READ response continues its message if no later packet was sent", words);
	respond(psn + 3000, 0, 2, 8);
	respond(psn + 3000 + RF_PSN_WINDOW, 3, 7, 8);
	ok(win.messages == 5, "%s: a READ response more than a window later starts a message", words);
}

/*
 * If a READ response is lost, the requester drops the later responses of the READ. It then
 * requests the lost response and the later responses again.
 */
static void long_rest_ok(u32 first)
{
	rf_psn_window_start(&win, first);
	respond(first, 0, 4095, 4096);
	ok(burst(first + 100, 2972, 0) && burst(first + 3072, 1024, 2),
	   "the rest of a long READ has no attempt, except its end, which is attempt 2");
	ok(!win.owners && is_at((first + 4095) & RF_PSN_MASK, 1, 4096),
	   "the rest of a long READ belongs to the same flow and message");
	burst(first + 4096, 2 * RF_PSN_WINDOW, 1);
	ok(burst(first + 100, RF_PSN_LATE, 0) &&
	   burst(first + 100 + RF_PSN_LATE, 1, 1) && win.owners == 1,
	   "the rest of a long READ after many other packets is a new owner");
	rf_psn_window_start(&win, first);
	respond(first, 0, RF_PSN_REACH + 2000, RF_PSN_REACH + 4000);
	ok(burst(first, RF_PSN_REACH, 0) &&
	   burst(first + RF_PSN_REACH, 1, 1) && win.owners == 1,
	   "the rest of a READ that is too long is a new owner");
}

static void late_copies_ok(void)
{
	bool none = true;
	u32 i;

	send_3000();
	ok(!see(1500), "a copy of an old packet has no attempt");
	ok(rf_psn_serial(&win, 1500) == 500, "a copy of an old packet has its serial number for random decisions");
	ok(goes_on_behind_3000(), "a copy of an old packet does not change the flow");
	send_3000();
	for (i = 0; i < 1000; i++) {
		none &= !see(1000 + i);
		see(3999 - i % 9);
	}
	ok(none && goes_on_behind_3000(), "a thousand copies of old packets among new ones do not change the flow");
	send_3000();
	ok(burst(1000, RF_PSN_LATE, 0) && goes_on_behind_3000(),
	   "a row of as many copies as a QP can have in flight does not change the flow");
	rf_psn_window_start(&win, 1000);
	burst(1000, 3000, 1);
	ok(!see(900) && rf_psn_rel(&win, 4000) == 3000,
	   "a copy of a packet before the flow's first one does not change the flow");
}

/* One of 1000 consecutive PSNs has a wrong bit. The packet with this PSN counts as lost. */
static void wrong_psn_ok(u32 first, unsigned int bit)
{
	u32 i, psn, good = 0;

	rf_psn_window_start(&win, first);
	for (i = 0; i < 1000; i++) {
		psn = (first + i) & RF_PSN_MASK;
		if (i == 500)
			psn ^= 1 << bit;
		good += see(psn) == 1;
		rf_psn_window_bounds(&win, psn, i % 4 == 0, i % 4 == 3);
		good += is_at(psn, i / 4 + 1, i % 4 + 1) &&
			rf_psn_rel(&win, psn) == i && rf_psn_serial(&win, psn) == i;
	}
	ok(good == 1999 && win.messages == 250,
	   "a PSN with wrong bit %u: all other packets have the right attempt, message and number", bit);
	ok(burst(first + 501, 499, 2) && burst(first + 500, 1, 1),
	   "a PSN with wrong bit %u: all other packets are remembered, the lost one is not", bit);
}

static void wrong_psn_twice_ok(void)
{
	send_3000();
	burst(700000, 1, 1);
	burst(700000, 1, 2);
	ok(goes_on_behind_3000(), "a wrong PSN, twice, does not change the flow");
	send_3000();
	burst(700000, 1, 1);
	burst(90000, 1, 1);
	ok(goes_on_behind_3000(), "a second wrong PSN nearer to the flow does not change the flow");
	send_3000();
	burst(700000, 1, 1);
	ok(burst(700000 - RF_PSN_WINDOW, 1, 1) && goes_on_behind_3000(),
	   "a second wrong PSN one window nearer does not change the flow");
	send_3000();
	burst(700000, 1, 1);
	ok(burst(700000 - RF_PSN_WINDOW + 1, 1, 1) && burst(700000, 1, 2),
	   "a PSN within the window before a jump is an overtaken packet of the jump");
	send_3000();
	burst(700000, 1, 1);
	burst(3900, 10, 0);
	ok(goes_on_behind_3000(), "a wrong PSN followed by old packets does not change the flow");
	send_3000();
	burst(3900, 10, 2);
	burst(700000, 1, 1);
	ok(burst(3911, 20, 2), "a wrong PSN during a retransmission does not change attempts");
}

static void jump_stays_ok(void)
{
	send_3000();
	write_messages(9000, 1, 1);
	ok(!see(3999) && !see(3000),
	   "a copy of a packet before a jump has no attempt");
	write_messages(9001, 1, 1);
	ok(is_at(9001, 753, 1) && is_at(9000, 752, 1),
	   "messages after a jump continue after copies of packets before it");
	ok(burst(9000, 2, 2), "packets after a jump are remembered");
	send_3000();
	write_messages(9000, 1, 1);
	ok(burst(8999, 1, 1) && is_at(9000, 752, 1),
	   "a packet overtaken by a jump is attempt 1 and does not change the messages");
	send_3000();
	write_messages(9000, 1, 1);
	write_messages(20000, 1, 1);
	ok(is_at(20000, 754, 1), "messages continue after a second jump");
}

/*
 * Pass a packet to the window @win and to @other. Return: true if both windows return the same
 * values
 */
static bool same_values(struct rf_psn_window *other, u32 psn)
{
	return see(psn) == see_in(other, psn) &&
	       rf_psn_message(&win, psn) == rf_psn_message(other, psn) &&
	       rf_psn_packet(&win, psn) == rf_psn_packet(other, psn) &&
	       rf_psn_serial(&win, psn) == rf_psn_serial(other, psn) &&
	       rf_psn_is_open(&win, psn - 1) == rf_psn_is_open(other, psn - 1);
}

static u32 next_rand(u32 *rand)
{
	*rand = *rand * 1103515245 + 12345;
	return *rand >> 8;
}

static void spoil(u32 rand)
{
	u32 psn = (win.highest + RF_PSN_WINDOW + 2 + rand % 0x700000) &
		  RF_PSN_MASK;

	see(psn);
	rf_psn_window_bounds(&win, psn, rand & 1, rand & 2);
	rf_psn_window_open(&win, psn);
}

static void as_without_wrong_psn_ok(void)
{
	static struct rf_psn_window other;
	u32 i, at, rand = 1, psn = 0xffff00;
	bool same = true, begins;

	rf_psn_window_start(&win, psn);
	rf_psn_window_start(&other, psn);
	for (i = 0; i < 50000; i++) {
		if (i && next_rand(&rand) % 16 == 0) {
			spoil(next_rand(&rand));
			psn++;
		} else if (i > 2000 && next_rand(&rand) % 64 == 0) {
			psn = other.highest - next_rand(&rand) % 300;
		}
		at = psn++ & RF_PSN_MASK;
		same &= same_values(&other, at);
		begins = at % 7 == 0;
		rf_psn_window_bounds(&win, at, begins, at % 7 == 6);
		rf_psn_window_bounds(&other, at, begins, at % 7 == 6);
		if (at % 5)
			continue;
		rf_psn_window_open(&win, at);
		rf_psn_window_open(&other, at);
	}
	ok(same, "wrong PSNs among 50000 packets do not change the values of the others");
}

int main(void)
{
	responses_from_the_middle_ok(100, "PSNs in the middle");
	responses_from_the_middle_ok(0xfffffa, "PSNs that wrap");
	long_rest_ok(100);
	long_rest_ok(0xfff800);
	late_copies_ok();
	messages_count_ok();
	lost_bounds_ok();
	middle_of_a_message_first_ok();
	long_message_ok();
	as_a_plain_table_ok();
	attempts_count_ok();
	wrap_is_a_step_like_any_ok();
	first_packet_of_a_hole_is_attempt_1_ok();
	long_jump_forgets_ok();
	new_life_of_a_qp_ok();
	new_owner_ok();
	attempts_saturate_ok();
	acks_are_counted_apart_ok();
	requests_ok(100, "PSNs in the middle");
	requests_ok(0xfffffc, "PSNs that wrap");
	requests_of_a_long_read_ok();
	wrong_psn_ok(1 << 12, 20);
	wrong_psn_ok(1 << 12, 11);
	wrong_psn_ok(0x100000, 22);
	wrong_psn_twice_ok();
	jump_stays_ok();
	as_without_wrong_psn_ok();
	return done_testing();
}
