// SPDX-License-Identifier: GPL-2.0
/*
 * Test the arithmetic of a link: packets leave exactly at the configured rate, and a late
 * timer does not reduce the rate. Delay and jitter are as configured, and packets keep their
 * order.
 */
#include <stdlib.h>

#include "../../kmod/rand.c"
#include "../../kmod/queue/link.c"
#include "chance.h"
#include "tap.h"

#define MS	1000000ULL
#define S	(1000 * MS)
#define START	(3600 * S)

static u64 bits_ns(u64 bytes, u64 rate)
{
	return (u64)((__uint128_t)bytes * 8 * S / rate);
}

static void begin_ok(void)
{
	struct rf_link_state w = { .free_at = START };

	ok(rf_link_begin(&w, START - 5, START + 7) == START,
	   "a queued packet starts when the link is free");
	ok(rf_link_begin(&w, START + 5, START + 7) == START + 5,
	   "a packet that arrives at a free link starts when it arrives");
	ok(rf_link_begin(&w, START - 5, START + RF_LINK_CATCH_UP) == START,
	   "a packet starts at the right time although the timer is up to CATCH_UP late");
	ok(rf_link_begin(&w, START - 5, START + RF_LINK_CATCH_UP + 3) == START + 3,
	   "a packet starts CATCH_UP before the present if the timer is later than that");
	w.free_at = 0;
	ok(rf_link_begin(&w, 1, 2) == 1, "a packet can start in the first nanoseconds of the clock");
}

/* Send packets of all sizes back to back, and check that they leave at the exact rate. */
static void rate_ok(u64 rate)
{
	const struct rf_link_conf link = { .rate = rate };
	struct rf_link_state w = { .free_at = START };
	u64 bytes = 0, n, at = 0;
	u32 i, wrong = 0;

	for (i = 0; i < 200000; i++) {
		n = 60 + i * 7919ULL % 4200;
		bytes += n;
		at = rf_link_send(&w, &link, n,
				  rf_link_begin(&w, START, w.free_at));
		wrong += at != START + bits_ns(bytes, rate);
	}
	ok(!wrong, "at %llu bit/s, %llu bytes take %llu ns and each packet leaves on time",
	   (unsigned long long)rate, (unsigned long long)bytes,
	   (unsigned long long)(at - START));
}

static void no_rate_ok(void)
{
	const struct rf_link_conf link = { .delay = 500 };
	struct rf_link_state w = { 0 };

	ok(rf_link_send(&w, &link, 1500, START) == START + 500 &&
	   w.free_at == START, "a packet on a link without a rate takes only the delay");
}

/*
 * Send the same packets with two timers, and compare when the packets leave. One timer is
 * punctual. The other timer is late, and then sends all packets that were queued in the
 * meantime.
 */
static void late_looks_ok(void)
{
	const struct rf_link_conf link = { .rate = 1000000000, .delay = 10 };
	struct rf_link_state punctual = { 0 }, late = { 0 };
	u64 look = START, came = START, begin;
	u32 i, wrong = 0;

	srand(1);
	for (i = 0; i < 100000; i++) {
		came += rand() % 24000;
		begin = rf_link_begin(&punctual, came, came > punctual.free_at ?
				      came : punctual.free_at);
		rf_link_send(&punctual, &link, 1500, begin);
		/* The timer is late by a random time of at most RF_LINK_CATCH_UP. */
		if (look < came || look < late.free_at)
			look = (came > late.free_at ? came : late.free_at) +
			       rand() % (int)RF_LINK_CATCH_UP;
		begin = rf_link_begin(&late, came, look);
		rf_link_send(&late, &link, 1500, begin);
		wrong += late.arrival != punctual.arrival;
	}
	ok(!wrong, "a late timer does not change the time of any packet: %u of %u changed", wrong, i);
}

static void change_ok(void)
{
	struct rf_link_conf link = { .rate = 3, .delay = 7 * S };
	struct rf_link_state w = { 0 };
	u64 first, second;

	first = rf_link_send(&w, &link, 1, START);
	link.rate = 2;
	link.delay = 0;
	second = rf_link_send(&w, &link, 1, w.free_at);
	ok(first == START + 8 * S / 3 + 7 * S && second == first,
	   "a packet sent after the delay is shortened does not overtake earlier ones");
	ok(w.free_at == START + 8 * S / 3 + 4 * S,
	   "a change of the rate moves the end of a packet by at most 1 ns");
	link.rate = 0;
	ok(rf_link_send(&w, &link, 1500, START + 20 * S) == START + 20 * S,
	   "a packet on a link without rate and delay arrives at once");
}

/* A size table (tc stab) can make packets as long as this. */
static void long_packet_ok(void)
{
	struct rf_link_conf link = { .rate = 8 * S };
	struct rf_link_state w = { 0 };

	ok(rf_link_send(&w, &link, 1U << 30, START) == START + (1U << 30),
	   "a packet of 1 GiB takes its time");
}

#define BINS	64

/*
 * The gaps between packets are larger than the jitter, so the order of packets does not limit
 * the jitter.
 */
static void jitter_ok(void)
{
	struct rf_link_conf link = { .delay = 1000, .jitter = 64 * 1000 - 1, .seed = 1 };
	struct rf_link_state w = { 0 }, again = { 0 }, other = { 0 }, port = { .draw_port = 1 };
	unsigned int bin[BINS] = { 0 };
	u32 i, same = 0, differs = 0, elsewhere = 0;
	const u32 n = 100000;
	u64 extra, begin;
	double x;

	for (i = 0; i < n; i++) {
		begin = START + i * 100000ULL;
		link.seed = 1;
		extra = rf_link_send(&w, &link, 0, begin) - begin - link.delay;
		same += rf_link_send(&again, &link, 0, begin) == w.arrival;
		elsewhere += rf_link_send(&port, &link, 0, begin) != w.arrival;
		link.seed = 2;
		differs += rf_link_send(&other, &link, 0, begin) != w.arrival;
		if (extra <= link.jitter)
			bin[extra / 1000]++;
	}
	x = chi2(bin, BINS, (double)n / BINS);
	ok(chi2_good(x, BINS - 1), "jitter is uniform from 0 to its maximum: chi2 %.1f", x);
	ok(same == n, "the same seed gives the same jitter");
	ok(differs > n * 0.99, "another seed gives another jitter");
	ok(elsewhere > n * 0.99, "another port gives another jitter");
}

static void jitter_keeps_order_ok(void)
{
	const struct rf_link_conf link = {
		.rate = 10000000000ULL, .delay = 5000, .jitter = 1 * MS,
	};
	struct rf_link_state w = { .free_at = START };
	u64 before = 0, at, earliest;
	u32 i, overtaken = 0, early = 0;

	for (i = 0; i < 100000; i++) {
		at = rf_link_send(&w, &link, 1500, w.free_at);
		earliest = w.free_at + link.delay;
		overtaken += at < before;
		early += at < earliest;
		before = at;
	}
	ok(!overtaken && !early, "jitter larger than the gaps between packets keeps their order");
	ok(w.free_at == START + bits_ns(100000 * 1500ULL, link.rate),
	   "jitter does not reduce the rate");
}

/* Packets leave the in-flight queue in order, and not before they arrive. */
static void in_flight_ok(void)
{
	struct rf_link_conf none = { 0 }, link = { .delay = 1000, .overhead = 20 };
	struct rf_in_flight queue = { 0 };
	struct sk_buff *skb[3];
	u32 i;

	for (i = 0; i < 3; i++) {
		skb[i] = calloc(1, sizeof(*skb[i]));
		qdisc_skb_cb(skb[i])->pkt_len = 100 + i;
	}
	skb[2]->gso = true;
	ok(rf_in_flight_bytes(skb[0], 20) == 120 && rf_in_flight_bytes(skb[2], 20) == 142,
	   "the overhead of a link is added to each segment");
	ok(!rf_in_flight_enqueue(&queue, &none, skb[0], START, START) && !queue.bytes,
	   "a port without a link has no in-flight queue");
	ok(rf_in_flight_next(&queue) == U64_MAX, "an empty in-flight queue has no next arrival");
	for (i = 0; i < 3; i++)
		rf_in_flight_enqueue(&queue, i < 2 ? &link : &none, skb[i], START + i, START);
	ok(rf_in_flight_count(&queue) == 3 && queue.bytes == 303,
	   "the in-flight queue counts its packets and their bytes");
	ok(rf_in_flight_next(&queue) == START + 1000 &&
	   !rf_in_flight_dequeue(&queue, START + 999),
	   "no packet leaves the link before it arrives");
	ok(rf_in_flight_dequeue(&queue, START + 2000) == skb[0] &&
	   rf_in_flight_dequeue(&queue, START + 2000) == skb[1],
	   "packets arrive in the order in which they were sent");
	ok(rf_in_flight_dequeue(&queue, START + 2000) == skb[2] && !queue.bytes &&
	   !rf_in_flight_count(&queue),
	   "a packet that is sent after the link was removed does not overtake the others");
	ok(!rf_in_flight_enqueue(&queue, &link, skb[0], START, START + 2000),
	   "a packet that has arrived already is not queued");
	rf_in_flight_enqueue(&queue, &link, skb[0], START + 2000, START + 2000);
	queue.fifo.qlen = RF_IN_FLIGHT_PACKETS;
	ok(rf_in_flight_free_at(&queue) == U64_MAX, "a full in-flight queue accepts no packet");
	queue.fifo.qlen = 1;
	rf_in_flight_purge(&queue);
	ok(!queue.bytes && !rf_in_flight_count(&queue) && !rf_in_flight_free_at(&queue),
	   "the in-flight queue and the link are empty after a purge");
	free(skb[1]);
	free(skb[2]);
}

int main(void)
{
	begin_ok();
	rate_ok(RDMAFAULT_RATE_MIN);
	rate_ok(100 * MS);
	rate_ok(99999989);
	rate_ok(400 * S);
	rate_ok(RDMAFAULT_RATE_MAX);
	no_rate_ok();
	late_looks_ok();
	change_ok();
	long_packet_ok();
	jitter_ok();
	jitter_keeps_order_ok();
	in_flight_ok();
	return done_testing();
}
