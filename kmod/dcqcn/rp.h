/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The reaction point of DCQCN: the rate of one flow. Nothing here needs a lock or an skb, so
 * that unit tests can include it.
 */
#ifndef RF_DCQCN_RP_H
#define RF_DCQCN_RP_H

#include <linux/bits.h>
#include <linux/types.h>
#include <uapi/rdmafault/rdmafault.h>

/* Rates are fractions of the link rate. They and alpha are in units of 2^-48. */
#define RF_RP_SHIFT	48
#define RF_RP_ONE	BIT_ULL(RF_RP_SHIFT)
/* dce_tcp_g and initial_alpha_value are in units of 1/1024. */
#define RF_RP_ALPHA_ONE	1024
/* The value of gd that reduces the rate by alpha; each value above it halves this */
#define RF_RP_GD_MIN	10
/* The most events of one timer that restore the full rate: the link rate divided by ai_rate */
#define RF_RP_STEPS_MAX	100000

/**
 * struct rf_rp_conf - the parameters of reaction points
 * @ai_rate: additive increase, bits per second
 * @hai_rate: hyper increase, bits per second
 * @min_rate: lowest rate of a flow, bits per second
 * @max_rate: highest rate of a flow, bits per second; 0: the link rate
 * @rate_to_set_on_first_cnp: rate from the first CNP on, bits per second; 0: unchanged
 * @dce_tcp_rtt: period of alpha, nanoseconds
 * @rate_reduce_monitor_period: period of rate reductions, nanoseconds; 0 with
 *	RDMAFAULT_DCQCN_ORDER_CUT_FIRST
 * @time_reset: period of the increase timer, nanoseconds
 * @byte_reset: bytes sent between two events of the byte counter; 0: no byte counter
 * @threshold: number of fast recoveries
 * @dce_tcp_g: 1 - g in units of 1/1024; with 1024, alpha is frozen
 * @initial_alpha_value: alpha before the first CNP, in units of 1/1024
 * @min_dec_fac: a reduction leaves at least this percentage of the rate
 * @gd: a reduction multiplies the rate by 1 - alpha / 2^(gd - 10)
 * @clamp_tgt_rate: each reduction sets the target rate to the rate. Otherwise only the first
 *	after an increase by the byte counter does
 * @clamp_tgt_rate_ati: without @clamp_tgt_rate: also the first after an increase by the timer
 * @order: RDMAFAULT_DCQCN_ORDER_*
 * @scale: time scale: times are multiplied by it, and rates divided
 *
 * The names are those of mlx5's debugfs without "rp_". Times and rates are those before the
 * time scale.
 */
struct rf_rp_conf {
	u64 ai_rate;
	u64 hai_rate;
	u64 min_rate;
	u64 max_rate;
	u64 rate_to_set_on_first_cnp;
	u64 dce_tcp_rtt;
	u64 rate_reduce_monitor_period;
	u64 time_reset;
	u64 byte_reset;
	u32 threshold;
	u32 dce_tcp_g;
	u32 initial_alpha_value;
	u32 min_dec_fac;
	u32 gd;
	u32 clamp_tgt_rate;
	u32 clamp_tgt_rate_ati;
	u32 order;
	u32 scale;
};

/**
 * struct rf_rp_set - a named set of parameters
 * @name: the name
 * @cnp_interval: the shortest interval between two CNPs that goes with it, nanoseconds
 * @conf: the parameters
 */
struct rf_rp_set {
	const char *name;
	u64 cnp_interval;
	struct rf_rp_conf conf;
};

/**
 * enum rf_rp_sets - the named sets
 * @RF_RP_PAPER: Y. Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM
 *	2015
 * @RF_RP_NS3: the defaults of the RDMA model for ns-3 of HPCC
 * @RF_RP_MLX5: the defaults of ConnectX
 * @RF_RP_SETS: their number
 */
enum rf_rp_sets {
	RF_RP_PAPER,
	RF_RP_NS3,
	RF_RP_MLX5,
	RF_RP_SETS,
};

extern const struct rf_rp_set rf_rp_sets[RF_RP_SETS];

/**
 * struct rf_rp_scaled - parameters in the units of the state of a flow
 * @line: link rate, bits per second
 * @ai: additive increase
 * @hai: hyper increase
 * @min: lowest rate
 * @max: highest rate
 * @first: rate from the first CNP on, or 0
 * @g: weight of a CNP in alpha
 * @alpha: alpha before the first CNP
 * @alpha_period: period of alpha, nanoseconds
 * @cut_period: period of rate reductions, nanoseconds
 * @time_period: period of the increase timer, nanoseconds
 * @bytes: bytes between two events of the byte counter, or 0
 * @threshold: number of fast recoveries
 * @min_dec_fac: percentage of the rate that a reduction leaves
 * @cut_shift: a reduction takes alpha / 2^cut_shift of the rate
 * @order: RDMAFAULT_DCQCN_ORDER_*
 * @clamp: each reduction sets the target rate
 * @clamp_ati: a reduction after an increase by the timer sets the target rate
 *
 * If the time scale and the link rate change so that their product is the same, only @line and
 * the periods change. So the course of a flow is the same with another unit of time.
 */
struct rf_rp_scaled {
	u64 line;
	u64 ai;
	u64 hai;
	u64 min;
	u64 max;
	u64 first;
	u64 g;
	u64 alpha;
	u64 alpha_period;
	u64 cut_period;
	u64 time_period;
	u64 bytes;
	u32 threshold;
	u32 min_dec_fac;
	u32 cut_shift;
	u32 order;
	bool clamp;
	bool clamp_ati;
};

/**
 * struct rf_rp - the reaction point of one flow
 * @rate: current rate
 * @target: target rate
 * @alpha: estimate of the congestion
 * @alpha_at: end of the current period of alpha; all times are in nanoseconds of one clock
 * @cut_at: end of the current period of rate reductions
 * @time_at: next event of the increase timer; U64_MAX if it does not run
 * @bytes: bytes sent since the last event of the byte counter
 * @time_stage: events of the increase timer since the last reduction
 * @byte_stage: events of the byte counter since the last reduction
 * @active: the flow has received a CNP
 * @alpha_cnp: a CNP has arrived in the current period of alpha
 * @cut_cnp: a CNP has arrived since the last reduction
 * @cuts: number of rate reductions
 */
struct rf_rp {
	u64 rate;
	u64 target;
	u64 alpha;
	u64 alpha_at;
	u64 cut_at;
	u64 time_at;
	u64 bytes;
	u32 time_stage;
	u32 byte_stage;
	bool active;
	bool alpha_cnp;
	bool cut_cnp;
	u64 cuts;
};

void rf_rp_scale(struct rf_rp_scaled *scaled, const struct rf_rp_conf *conf, u64 line);
void rf_rp_init(struct rf_rp *rp, const struct rf_rp_scaled *scaled);
void rf_rp_advance(struct rf_rp *rp, const struct rf_rp_scaled *scaled, u64 now);
u64 rf_rp_next(const struct rf_rp *rp, const struct rf_rp_scaled *scaled);
void rf_rp_cnp(struct rf_rp *rp, const struct rf_rp_scaled *scaled, u64 now);
void rf_rp_sent(struct rf_rp *rp, const struct rf_rp_scaled *scaled, u32 bytes, u64 now);
u64 rf_rp_rate(const struct rf_rp_scaled *scaled, u64 rate);

#endif
