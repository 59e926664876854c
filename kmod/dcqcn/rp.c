// SPDX-License-Identifier: GPL-2.0
/*
 * The reaction point of DCQCN (Y. Zhu et al., "Congestion Control for Large-Scale RDMA
 * Deployments", SIGCOMM 2015, section 5).
 *
 * A CNP reduces the rate of a flow by a fraction that depends on alpha, and remembers the rate
 * before it as the target rate. Alpha estimates the congestion: it is a moving average over
 * periods with and without a CNP. After a reduction, events of a timer and of a byte counter
 * increase the rate:
 *
 *   fast recovery       rate = (rate + target) / 2, for the first threshold events of each kind
 *   additive increase   target += ai, then as above, after threshold events of one kind
 *   hyper increase      target += hai, then as above, after threshold events of both kinds
 *
 * There are two orders. In the paper, a CNP reduces the rate at once and then increases alpha.
 * In NVIDIA's devices and in the RDMA model for ns-3 of HPCC, alpha and the rate are changed at
 * the ends of fixed periods, alpha first, and the first rate reduction starts the increase timer.
 *
 * The state follows time when a packet or a CNP passes. Each event is computed on its own, so
 * the state does not depend on how often it is brought up to date. The number of events is
 * limited: a timer is skipped when its events no longer change anything, and a flow without CNPs
 * reaches that state after at most RF_RP_STEPS_MAX events and a few.
 *
 * If several events have the same time, the order is: alpha, increase, reduction, CNP.
 */
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>

#include "rp.h"

#define US		1000ULL
#define MBIT		1000000ULL
/* With more events, the number of the hyper increase no longer grows. */
#define STAGE_MAX	0x7fff

/* The paper has no R_HAI and no lowest rate. Its R_HAI is 10 * R_AI here, as in QCN. */
const struct rf_rp_set rf_rp_sets[RF_RP_SETS] = {
	[RF_RP_PAPER] = {
		.name = "paper",
		.cnp_interval = 50 * US,
		.conf = {
			.ai_rate = 40 * MBIT, .hai_rate = 400 * MBIT, .min_rate = 100 * MBIT,
			.dce_tcp_rtt = 55 * US, .time_reset = 55 * US, .byte_reset = 10000000,
			.threshold = 5, .dce_tcp_g = 1020, .initial_alpha_value = 1024,
			.min_dec_fac = 50, .gd = 11, .clamp_tgt_rate = 1,
			.order = RDMAFAULT_DCQCN_ORDER_CUT_FIRST, .scale = 1,
		},
	},
	[RF_RP_NS3] = {
		.name = "ns3",
		.cnp_interval = 4 * US,
		.conf = {
			.ai_rate = 5 * MBIT, .hai_rate = 50 * MBIT, .min_rate = 100 * MBIT,
			.dce_tcp_rtt = 55 * US, .rate_reduce_monitor_period = 4 * US,
			.time_reset = 1500 * US, .threshold = 5, .dce_tcp_g = 960,
			.initial_alpha_value = 1024, .min_dec_fac = 50, .gd = 11,
			.clamp_tgt_rate_ati = 1, .scale = 1,
			.order = RDMAFAULT_DCQCN_ORDER_ALPHA_FIRST,
		},
	},
	[RF_RP_MLX5] = {
		.name = "mlx5",
		.cnp_interval = 4 * US,
		.conf = {
			.ai_rate = 5 * MBIT, .hai_rate = 50 * MBIT, .min_rate = 1 * MBIT,
			.dce_tcp_rtt = 1 * US, .rate_reduce_monitor_period = 4 * US,
			.time_reset = 300 * US, .byte_reset = 32767, .threshold = 1,
			.dce_tcp_g = 1019, .initial_alpha_value = 1023, .min_dec_fac = 50,
			.gd = 11, .clamp_tgt_rate_ati = 1, .scale = 1,
			.order = RDMAFAULT_DCQCN_ORDER_ALPHA_FIRST,
		},
	},
};

/* Return: @rate as a fraction of @line, at most 1; 0 only if @rate is 0. */
static u64 rp_fraction(u64 rate, u64 line)
{
	if (rate >= line)
		return RF_RP_ONE;
	return rate ? max(mul_u64_u64_div_u64(rate, RF_RP_ONE, line), 1ULL) : 0;
}

static u64 rp_multiply(u64 a, u64 b)
{
	return mul_u64_u64_shr(a, b, RF_RP_SHIFT);
}

/**
 * rf_rp_scale - compute the parameters in the units of the state of a flow
 * @scaled: filled in
 * @conf: the parameters, validated
 * @line: link rate in bits per second, not 0
 */
void rf_rp_scale(struct rf_rp_scaled *scaled, const struct rf_rp_conf *conf, u64 line)
{
	/* The link rate before the time scale */
	u64 nominal = line * conf->scale;

	*scaled = (struct rf_rp_scaled){
		.line = line,
		.ai = rp_fraction(conf->ai_rate, nominal),
		.hai = rp_fraction(conf->hai_rate, nominal),
		.min = rp_fraction(conf->min_rate, nominal),
		.max = conf->max_rate ? rp_fraction(conf->max_rate, nominal) : RF_RP_ONE,
		.first = rp_fraction(conf->rate_to_set_on_first_cnp, nominal),
		.g = (RF_RP_ALPHA_ONE - conf->dce_tcp_g) * (RF_RP_ONE / RF_RP_ALPHA_ONE),
		.alpha = conf->initial_alpha_value * (RF_RP_ONE / RF_RP_ALPHA_ONE),
		.alpha_period = conf->dce_tcp_rtt * conf->scale,
		.cut_period = conf->rate_reduce_monitor_period * conf->scale,
		.time_period = conf->time_reset * conf->scale,
		.bytes = conf->byte_reset,
		.threshold = conf->threshold,
		.min_dec_fac = conf->min_dec_fac,
		.cut_shift = conf->gd - RF_RP_GD_MIN,
		.order = conf->order,
		.clamp = conf->clamp_tgt_rate,
		.clamp_ati = conf->clamp_tgt_rate_ati,
	};
}

/**
 * rf_rp_init - set a flow to the state before its first CNP
 * @rp: the reaction point
 * @scaled: the parameters
 */
void rf_rp_init(struct rf_rp *rp, const struct rf_rp_scaled *scaled)
{
	*rp = (struct rf_rp){
		.rate = scaled->max,
		.target = scaled->max,
		.alpha = scaled->alpha,
		.time_at = U64_MAX,
	};
}

/* Return: the first of the times @at, @at + @period, ... that is after @now. */
static u64 rp_skip(u64 at, u64 period, u64 now)
{
	return at > now ? at : at + (div64_u64(now - at, period) + 1) * period;
}

static void rp_alpha_up(struct rf_rp *rp, const struct rf_rp_scaled *scaled)
{
	rp->alpha = rp->alpha - rp_multiply(rp->alpha, scaled->g) + scaled->g;
}

static void rp_alpha_until(struct rf_rp *rp, const struct rf_rp_scaled *scaled, u64 now)
{
	u64 less;

	while (rp->alpha_at <= now) {
		less = rp_multiply(rp->alpha, scaled->g);
		if (rp->alpha_cnp) {
			rp_alpha_up(rp, scaled);
			rp->alpha_cnp = false;
		} else if (less) {
			rp->alpha -= less;
		} else {
			rp->alpha_at = rp_skip(rp->alpha_at, scaled->alpha_period, now);
			break;
		}
		rp->alpha_at += scaled->alpha_period;
	}
}

static u64 rp_step(const struct rf_rp *rp, const struct rf_rp_scaled *scaled)
{
	u32 most = max(rp->time_stage, rp->byte_stage);
	u32 least = scaled->bytes ? min(rp->time_stage, rp->byte_stage) : rp->time_stage;

	if (most < scaled->threshold)
		return 0;
	if (least <= scaled->threshold)
		return scaled->ai;
	return scaled->hai *
	       (scaled->order == RDMAFAULT_DCQCN_ORDER_CUT_FIRST ? least - scaled->threshold : 1);
}

/* Rounding up lets the rate reach the target. */
static void rp_increase(struct rf_rp *rp, const struct rf_rp_scaled *scaled, u32 *stage)
{
	rp->target = min(rp->target + rp_step(rp, scaled), scaled->max);
	rp->rate = (rp->rate + rp->target + 1) / 2;
	if (*stage < STAGE_MAX)
		++*stage;
}

static void rp_time_until(struct rf_rp *rp, const struct rf_rp_scaled *scaled, u64 now)
{
	u64 events;

	while (rp->time_at <= now && rp->rate != scaled->max) {
		rp_increase(rp, scaled, &rp->time_stage);
		rp->time_at += scaled->time_period;
	}
	/* At the highest rate, only the number of events changes. */
	if (rp->time_at <= now) {
		events = div64_u64(now - rp->time_at, scaled->time_period) + 1;
		rp->time_stage = min(rp->time_stage + events, (u64)STAGE_MAX);
		rp->time_at += events * scaled->time_period;
	}
}

/* Reduce the rate at the time @at, and start to increase it again. */
static void rp_cut(struct rf_rp *rp, const struct rf_rp_scaled *scaled, u64 at)
{
	u64 less = mul_u64_u64_shr(rp->rate, rp->alpha, RF_RP_SHIFT + scaled->cut_shift);
	u64 least = max(div64_u64(rp->rate * scaled->min_dec_fac, 100), scaled->min);

	if (scaled->clamp || rp->byte_stage || (scaled->clamp_ati && rp->time_stage))
		rp->target = rp->rate;
	least = max(least, rp->rate - less);
	rp->rate = min(rp->rate, least);
	rp->time_stage = 0;
	rp->byte_stage = 0;
	rp->bytes = 0;
	rp->time_at = at + scaled->time_period;
	rp->cut_cnp = false;
	rp->cuts++;
}

/**
 * rf_rp_advance - bring a flow up to date
 * @rp: the reaction point
 * @scaled: the parameters
 * @now: the time in nanoseconds, not before that of an earlier call
 */
void rf_rp_advance(struct rf_rp *rp, const struct rf_rp_scaled *scaled, u64 now)
{
	if (!rp->active)
		return;
	if (rp->cut_cnp && rp->cut_at <= now) {
		rp_alpha_until(rp, scaled, rp->cut_at);
		rp_time_until(rp, scaled, rp->cut_at);
		rp_cut(rp, scaled, rp->cut_at);
	}
	rp_alpha_until(rp, scaled, now);
	rp_time_until(rp, scaled, now);
	if (scaled->order == RDMAFAULT_DCQCN_ORDER_ALPHA_FIRST)
		rp->cut_at = rp_skip(rp->cut_at, scaled->cut_period, now);
}

/**
 * rf_rp_next - get the time of the next change of the rate, if no CNP and no packet is earlier
 * @rp: the reaction point
 * @scaled: the parameters
 *
 * Return: the time, which can be over; U64_MAX if the rate stays as it is.
 */
u64 rf_rp_next(const struct rf_rp *rp, const struct rf_rp_scaled *scaled)
{
	u64 next = rp->rate == scaled->max ? U64_MAX : rp->time_at;

	return rp->cut_cnp ? min(next, rp->cut_at) : next;
}

static void rp_first_cnp(struct rf_rp *rp, const struct rf_rp_scaled *scaled, u64 now)
{
	rp->active = true;
	if (scaled->first) {
		rp->rate = max(scaled->first, scaled->min);
		rp->target = rp->rate;
	}
	rp->alpha_at = now + scaled->alpha_period;
	rp->cut_at = now + scaled->cut_period;
}

/**
 * rf_rp_cnp - react to a CNP
 * @rp: the reaction point of its flow
 * @scaled: the parameters
 * @now: the time in nanoseconds, not before that of an earlier call
 */
void rf_rp_cnp(struct rf_rp *rp, const struct rf_rp_scaled *scaled, u64 now)
{
	bool first = !rp->active;

	rf_rp_advance(rp, scaled, now);
	if (first)
		rp_first_cnp(rp, scaled, now);
	if (scaled->order == RDMAFAULT_DCQCN_ORDER_CUT_FIRST) {
		rp_cut(rp, scaled, now);
		rp_alpha_up(rp, scaled);
		rp->alpha_at = now + scaled->alpha_period;
	} else {
		/* The first CNP has the initial alpha as its estimate. */
		rp->alpha_cnp = !first;
		rp->cut_cnp = true;
	}
}

/**
 * rf_rp_sent - count the bytes of a packet
 * @rp: the reaction point of its flow
 * @scaled: the parameters
 * @bytes: length of the packet
 * @now: the time in nanoseconds, not before that of an earlier call
 */
void rf_rp_sent(struct rf_rp *rp, const struct rf_rp_scaled *scaled, u32 bytes, u64 now)
{
	rf_rp_advance(rp, scaled, now);
	if (!rp->active || !scaled->bytes)
		return;
	rp->bytes += bytes;
	if (rp->bytes < scaled->bytes)
		return;
	/* With fewer bytes between two events than in a packet, a packet is one event. */
	rp->bytes = min(rp->bytes - scaled->bytes, scaled->bytes - 1);
	rp_increase(rp, scaled, &rp->byte_stage);
}

/**
 * rf_rp_rate - convert a rate
 * @scaled: the parameters
 * @rate: a member @rate or @target of struct rf_rp
 *
 * Return: bits per second, at least 1.
 */
u64 rf_rp_rate(const struct rf_rp_scaled *scaled, u64 rate)
{
	return max(mul_u64_u64_shr(rate, scaled->line, RF_RP_SHIFT), 1ULL);
}
