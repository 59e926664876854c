// SPDX-License-Identifier: GPL-2.0
/*
 * Test the notification point of DCQCN: the number of CNPs under constant marking, the
 * scopes of the interval, and the limit of the table.
 */
#include "../../kmod/rand.c"
#include "../../kmod/dcqcn/np.c"
#include "tap.h"

#define US	1000ULL
#define START	(3600ULL * 1000 * 1000 * 1000)
#define SECRET	0x5eed

static struct rf_np np;

static u64 key_of(u32 scope, u8 source, u8 destination, u32 qp)
{
	const u8 saddr[16] = { 10, 0, 0, source }, daddr[16] = { 10, 0, 0, destination };

	return rf_np_key(scope, saddr, daddr, qp, SECRET);
}

/* Mark a packet every @gap nanoseconds. Return: the number of CNPs. */
static u64 constant_marking(u64 interval, u64 gap, u64 duration)
{
	u64 at, cnps = 0;

	memset(&np, 0, sizeof(np));
	for (at = 0; at <= duration; at += gap)
		cnps += rf_np_mark(&np, 1, interval, START + at) == RF_NP_SEND;
	return cnps;
}

static void count_ok(u64 interval, u64 gap)
{
	u64 duration = 200 * interval + interval / 2, expected = 1 + duration / interval;
	u64 cnps = constant_marking(interval, gap, duration);

	ok(cnps == expected, "interval %llu ns, a mark every %llu ns for %llu ns: %llu CNPs",
	   (unsigned long long)interval, (unsigned long long)gap,
	   (unsigned long long)duration, (unsigned long long)cnps);
}

static void strict_ok(void)
{
	memset(&np, 0, sizeof(np));
	ok(rf_np_mark(&np, 1, 50, START) == RF_NP_SEND, "the first mark causes a CNP");
	ok(rf_np_mark(&np, 1, 50, START + 50) == RF_NP_TOO_SOON,
	   "a mark after exactly the interval does not");
	ok(rf_np_mark(&np, 1, 50, START + 51) == RF_NP_SEND, "a later one does");
	ok(rf_np_mark(&np, 1, 50, START + 101) == RF_NP_TOO_SOON,
	   "the interval starts with the CNP, not with the mark before it");
	ok(constant_marking(10 * US, 10 * US, 100 * US) == 6,
	   "if marks come exactly at the interval, every second causes a CNP");
	ok(constant_marking(0, 3, 300) == 101, "with the interval 0, each mark causes a CNP");
}

static void scope_ok(u32 scope, const char *name, bool by_qp, bool by_source, bool by_destination)
{
	u64 key = key_of(scope, 1, 2, 17);

	ok(key == key_of(scope, 1, 2, 17) &&
	   (key != key_of(scope, 1, 2, 18)) == by_qp &&
	   (key != key_of(scope, 3, 2, 17)) == by_source &&
	   (key != key_of(scope, 1, 3, 17)) == by_destination,
	   "scope %s: QP %s, source %s, destination %s", name, by_qp ? "separate" : "shared",
	   by_source ? "separate" : "shared", by_destination ? "separate" : "shared");
}

static u64 qp_key(u32 qp)
{
	return key_of(RDMAFAULT_CNP_SCOPE_QP, 1, 2, qp);
}

/* More QPs are marked within one interval than the table has entries. */
static void full_ok(void)
{
	u32 qp, found[3] = {}, again[3] = {}, qps = 3 * RF_NP_BUCKETS * RF_NP_WAYS;

	memset(&np, 0, sizeof(np));
	for (qp = 0; qp < qps; qp++)
		found[rf_np_mark(&np, qp_key(qp), 50 * US, START + qp)]++;
	ok(found[RF_NP_SEND] > RF_NP_BUCKETS * RF_NP_WAYS * 9 / 10 &&
	   found[RF_NP_SEND] <= RF_NP_BUCKETS * RF_NP_WAYS && !found[RF_NP_TOO_SOON],
	   "%u QPs at once: %u CNPs, %u without room", qps, found[RF_NP_SEND],
	   found[RF_NP_FULL]);
	for (qp = 0; qp < qps; qp++)
		again[rf_np_mark(&np, qp_key(qp), 50 * US, START + qps + qp)]++;
	ok(again[RF_NP_TOO_SOON] == found[RF_NP_SEND] && !again[RF_NP_SEND],
	   "no entry is lost before its interval is over");
	ok(rf_np_mark(&np, qp_key(qps), 50 * US, START + 200 * US) == RF_NP_SEND,
	   "after the intervals, there is room");
}

int main(void)
{
	strict_ok();
	count_ok(4 * US, 7);
	count_ok(50 * US, 13);
	count_ok(50 * US, 107);
	count_ok(10000 * US, 43967);
	scope_ok(RDMAFAULT_CNP_SCOPE_QP, "qp", true, true, true);
	scope_ok(RDMAFAULT_CNP_SCOPE_PAIR, "pair", false, true, true);
	scope_ok(RDMAFAULT_CNP_SCOPE_PORT, "port", false, false, false);
	full_ok();
	return done_testing();
}
