// SPDX-License-Identifier: GPL-2.0
/*
 * Which queue sends next. The control band is first, then the strict
 * priorities, the highest before the others, then those of ets by deficit
 * round robin in bytes (M. Shreedhar and G. Varghese, "Efficient Fair Queueing
 * using Deficit Round Robin", SIGCOMM 1995): a priority whose turn comes may
 * send its weight in full packets, and keeps what it has left for its next turn.
 *
 * A priority without a packet keeps nothing. One that is paused keeps what it
 * had, which is less than a turn and a packet.
 */
#include "sched.h"

#ifdef __KERNEL__
#include <linux/bitops.h>
#include <linux/math64.h>
#else
#define __ffs(word)	__builtin_ctzl(word)
#define __fls(word)	(sizeof(long) * 8 - 1 - __builtin_clzl(word))
#define div64_u64(a, b)	((a) / (b))
#endif

/* Loop over the set bits of a mask; @rest becomes 0. */
#define for_each_band(band, rest, mask)					\
	for ((rest) = (mask); (rest) && ((band) = __ffs(rest), true);	\
	     (rest) &= (rest) - 1)

/**
 * rf_heads_since - when the first of the heads could have gone
 * @heads: the heads, at least one
 *
 * Context: any.
 * Return: the time.
 */
u64 rf_heads_since(const struct rf_heads *heads)
{
	u64 since = U64_MAX;
	u32 i, rest;

	for_each_band(i, rest, heads->ready)
		if (heads->since[i] < since)
			since = heads->since[i];
	return since;
}

/**
 * rf_heads_until - leave out those that could not have gone at a time
 * @heads: the heads
 * @time: the time
 *
 * Context: any.
 */
void rf_heads_until(struct rf_heads *heads, u64 time)
{
	u32 i, rest;

	for_each_band(i, rest, heads->ready)
		if (heads->since[i] > time)
			heads->ready &= ~(1u << i);
}

/*
 * Give the rounds that come before the one in which the first priority can send.
 * A packet can be many times as long as a turn: its length as the qdisc sees it
 * includes the headers of all segments, and may be anything by a size table.
 */
static void give_rounds(struct rf_service *service, const struct rf_conf *conf,
			const struct rf_heads *heads, u32 mtu)
{
	u64 rounds = U64_MAX, missing;
	u32 i, rest;

	for_each_band(i, rest, heads->ready) {
		if (service->deficit[i] >= heads->bytes[i])
			return;
		missing = heads->bytes[i] - service->deficit[i];
		missing = div64_u64(missing - 1, (u64)conf->prio[i].weight * mtu);
		if (rounds > missing)
			rounds = missing;
	}
	for_each_band(i, rest, heads->ready)
		service->deficit[i] += rounds * conf->prio[i].weight * mtu;
}

static u32 round_robin(struct rf_service *service, const struct rf_conf *conf,
		       const struct rf_heads *heads, u32 mtu)
{
	u32 turn = service->turn;
	u32 looks = 0;

	while (!(heads->ready & 1u << turn) ||
	       service->deficit[turn] < heads->bytes[turn]) {
		if (++looks == RDMAFAULT_PRIOS)
			give_rounds(service, conf, heads, mtu);
		turn = (turn - 1) % RDMAFAULT_PRIOS;
		if (heads->ready & 1u << turn)
			service->deficit[turn] +=
				(u64)conf->prio[turn].weight * mtu;
	}
	service->deficit[turn] -= heads->bytes[turn];
	service->turn = turn;
	return turn;
}

/**
 * rf_service_next - which queue sends
 * @service: whose turn it is; the packet is charged to it
 * @conf: how priorities are served
 * @heads: what there is to send, not nothing
 * @mtu: bytes of a full packet
 *
 * Context: any.
 * Return: the queue.
 */
u32 rf_service_next(struct rf_service *service, const struct rf_conf *conf,
		    const struct rf_heads *heads, u32 mtu)
{
	u32 strict = heads->ready & ~conf->ets;

	if (strict)
		return __fls(strict);
	return round_robin(service, conf, heads, mtu);
}
