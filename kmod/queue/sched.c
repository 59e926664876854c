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
#include <linux/math64.h>
#else
#define div64_u64(a, b)	((a) / (b))
#endif

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
	u32 i;

	for (i = 0; i < RF_BANDS; i++)
		if (heads->ready & 1u << i && heads->since[i] < since)
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
	u32 i;

	for (i = 0; i < RF_BANDS; i++)
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
	u32 i;

	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		if (!(heads->ready & 1u << i))
			continue;
		if (service->deficit[i] >= heads->bytes[i])
			return;
		missing = heads->bytes[i] - service->deficit[i];
		missing = div64_u64(missing - 1, (u64)conf->prio[i].weight * mtu);
		if (rounds > missing)
			rounds = missing;
	}
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (heads->ready & 1u << i)
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
	u32 i;

	for (i = RF_BANDS; i--; )
		if (heads->ready & 1u << i &&
		    (i == RF_CONTROL ||
		     conf->prio[i].tsa == RDMAFAULT_TSA_STRICT))
			return i;
	return round_robin(service, conf, heads, mtu);
}
