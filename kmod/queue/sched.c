// SPDX-License-Identifier: GPL-2.0
/*
 * The choice of the band that sends next. The control band is first, then the
 * strict priorities, the highest before the others. The ETS priorities follow.
 * They share the link by deficit weighted round robin in bytes (M. Shreedhar and
 * G. Varghese, "Efficient Fair Queueing using Deficit Round Robin", SIGCOMM
 * 1995): in each round a priority can send its weight times the MTU, and what
 * it doesn't use is added to its next round.
 *
 * A priority without a packet loses its deficit. A paused priority keeps its
 * deficit, which is less than one round plus one packet.
 */
#include <linux/bitops.h>
#include <linux/limits.h>
#include <linux/math64.h>

#include "sched.h"

/* Loop over the set bits of a mask; @rest becomes 0. */
#define for_each_band(band, rest, mask)					\
	for ((rest) = (mask); (rest) && ((band) = __ffs(rest), true);	\
	     (rest) &= (rest) - 1)

/**
 * rf_ready_eligible - find the earliest eligible time
 * @ready: the first packets, at least one
 *
 * Return: the time.
 */
u64 rf_ready_eligible(const struct rf_ready *ready)
{
	u64 eligible = U64_MAX;
	u32 i, rest;

	for_each_band(i, rest, ready->bands)
		if (ready->eligible[i] < eligible)
			eligible = ready->eligible[i];
	return eligible;
}

/**
 * rf_ready_filter - remove the packets that become eligible after a time
 * @ready: the first packets
 * @time: the time
 */
void rf_ready_filter(struct rf_ready *ready, u64 time)
{
	u32 i, rest;

	for_each_band(i, rest, ready->bands)
		if (ready->eligible[i] > time)
			ready->bands &= ~(1u << i);
}

/*
 * Add the rounds before the first round in which a priority can send. A packet
 * can be many times as long as a round, because the qdisc counts the headers of
 * all segments, and because a size table (tc-stab(8)) can set any length.
 */
static void dwrr_add_rounds(struct rf_dwrr *dwrr, const struct rf_conf *conf,
			    const struct rf_ready *ready, u32 mtu)
{
	u64 rounds = U64_MAX, missing;
	u32 i, rest;

	for_each_band(i, rest, ready->bands) {
		if (dwrr->deficit[i] >= ready->bytes[i])
			return;
		missing = ready->bytes[i] - dwrr->deficit[i];
		missing = div64_u64(missing - 1, (u64)conf->prio[i].weight * mtu);
		if (rounds > missing)
			rounds = missing;
	}
	for_each_band(i, rest, ready->bands)
		dwrr->deficit[i] += rounds * conf->prio[i].weight * mtu;
}

static u32 dwrr_next(struct rf_dwrr *dwrr, const struct rf_conf *conf,
		     const struct rf_ready *ready, u32 mtu)
{
	u32 turn = dwrr->turn;
	u32 looks = 0;

	while (!(ready->bands & 1u << turn) ||
	       dwrr->deficit[turn] < ready->bytes[turn]) {
		if (++looks == RDMAFAULT_PRIOS)
			dwrr_add_rounds(dwrr, conf, ready, mtu);
		turn = (turn - 1) % RDMAFAULT_PRIOS;
		if (ready->bands & 1u << turn)
			dwrr->deficit[turn] +=
				(u64)conf->prio[turn].weight * mtu;
	}
	dwrr->deficit[turn] -= ready->bytes[turn];
	dwrr->turn = turn;
	return turn;
}

/**
 * rf_sched_next - choose the band that sends next
 * @dwrr: the state of the ETS priorities; updated if one of them is chosen
 * @conf: the configuration of the priorities
 * @ready: the first packets, at least one
 * @mtu: bytes of a full packet
 *
 * Return: the band.
 */
u32 rf_sched_next(struct rf_dwrr *dwrr, const struct rf_conf *conf,
		  const struct rf_ready *ready, u32 mtu)
{
	u32 strict = ready->bands & ~conf->ets;

	if (strict)
		return __fls(strict);
	return dwrr_next(dwrr, conf, ready, mtu);
}
