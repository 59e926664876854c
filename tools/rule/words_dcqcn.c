// SPDX-License-Identifier: GPL-2.0
/* Parse the words of "dcqcn set", which set DCQCN of a port. */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "words.h"

const struct rf_name rf_cnp_scope_names[] = {
	{ "qp", RDMAFAULT_CNP_SCOPE_QP },
	{ "pair", RDMAFAULT_CNP_SCOPE_PAIR },
	{ "port", RDMAFAULT_CNP_SCOPE_PORT },
	{ }
};

const struct rf_name rf_cnp_queue_names[] = {
	{ "control", RDMAFAULT_CNP_QUEUE_CONTROL },
	{ "dscp", RDMAFAULT_CNP_QUEUE_DSCP },
	{ }
};

const struct rf_name rf_dcqcn_order_names[] = {
	{ "cut-first", RDMAFAULT_DCQCN_ORDER_CUT_FIRST },
	{ "alpha-first", RDMAFAULT_DCQCN_ORDER_ALPHA_FIRST },
	{ }
};

static const struct rf_name set_names[] = {
	{ "paper", RF_RP_PAPER }, { "ns3", RF_RP_NS3 }, { "mlx5", RF_RP_MLX5 }, { }
};

/* All parameters of a set; words after it change single ones. */
#define FIRST_OF_SET	RDMAFAULT_A_DCQCN_ORDER
#define LAST_OF_SET	RDMAFAULT_A_DCQCN_CLAMP_TGT_RATE_ATI

static int parameters_take(const struct rf_key *key, const char *text, void *base)
{
	struct rf_queue_change *c = base;
	uint32_t set, attr;

	if (rf_name_value(key->names, text, strlen(text), &set))
		return -EINVAL;
	rf_dcqcn_conf_use(&c->conf.dcqcn, set);
	c->dcqcn |= RF_DCQCN_BIT(NP_MIN_TIME_BETWEEN_CNPS);
	for (attr = FIRST_OF_SET; attr <= LAST_OF_SET; attr++)
		c->dcqcn |= 1ull << attr;
	return 0;
}

static const struct rf_kind parameters_kind = { .take = parameters_take };

static const struct rf_name switch_names[] = { { "off", 0 }, { "on", 1 }, { } };

#define RATE_FORM	"1bit to 10tbit, for example 40mbit"
#define PERIOD_FORM	"1ns to 10s, for example 55us"

#define CHANGE_AT(member) offsetof(struct rf_queue_change, member)
#define D(attr, member) \
	.set = CHANGE_AT(dcqcn), .bit = RDMAFAULT_A_DCQCN_ ## attr, \
	.at = CHANGE_AT(conf.dcqcn.member)

const struct rf_key rf_dcqcn_args[] = {
	{ "np", "on or off", &rf_kind_name, D(NP, np), .names = switch_names,
	  .help = "send CNPs for packets that arrive with CE; default: off" },
	{ "rp", "on or off", &rf_kind_name, D(RP, rp), .names = switch_names,
	  .help = "limit the rate of flows when CNPs arrive for them; default: off" },
	{ "parameters", "paper, ns3 or mlx5", &parameters_kind, .names = set_names,
	  .help = "set all parameters below, and the time between CNPs, to those of a publication or NIC; default: paper" },
	{ "np-min-time-between-cnps", "0s to 10s, for example 50us",
	  &rf_kind_time, D(NP_MIN_TIME_BETWEEN_CNPS, np_min_time_between_cnps),
	  0, RDMAFAULT_PERIOD_MAX,
	  .help = "send a CNP if more than this time has passed since the last one; default: 50us" },
	{ "np-scope", "qp, pair or port",
	  &rf_kind_name, D(NP_SCOPE, np_scope), .names = rf_cnp_scope_names,
	  .help = "packets that share this time: those of a QP, of a pair of addresses, or all; default: qp" },
	{ "np-cnp-dscp", "0 to 63", &rf_kind_u32, D(NP_CNP_DSCP, np_cnp_dscp), 0, 63,
	  .help = "DSCP of the CNPs; default: 48" },
	{ "cnp-queue", "control or dscp",
	  &rf_kind_name, D(CNP_QUEUE, cnp_queue), .names = rf_cnp_queue_names,
	  .help = "queue of all CNPs that leave: that of pause frames, or the priority of their DSCP; default: control" },
	{ "scale", "1 to 1000000", &rf_kind_u32, D(SCALE, rate.scale), 1, RDMAFAULT_SCALE_MAX,
	  .help = "time scale: all times are multiplied by it, and rates divided; default: 1" },
	{ "order", "cut-first or alpha-first",
	  &rf_kind_name, D(ORDER, rate.order), .names = rf_dcqcn_order_names,
	  .help = "whether each CNP reduces the rate at once, or alpha and the rate change periodically; default: cut-first" },
	{ "ai-rate", RATE_FORM, &rf_kind_rate, D(AI_RATE, rate.ai_rate), 1, RDMAFAULT_RATE_MAX,
	  .help = "additive increase of the target rate; default: 40mbit" },
	{ "hai-rate", RATE_FORM, &rf_kind_rate, D(HAI_RATE, rate.hai_rate), 1, RDMAFAULT_RATE_MAX,
	  .help = "hyper increase of the target rate; default: 400mbit" },
	{ "min-rate", RATE_FORM, &rf_kind_rate, D(MIN_RATE, rate.min_rate), 1, RDMAFAULT_RATE_MAX,
	  .help = "lowest rate of a flow; default: 100mbit" },
	{ "max-rate", "none or up to 10tbit, for example 10gbit",
	  &rf_kind_rate, D(MAX_RATE, rate.max_rate), 1, RDMAFAULT_RATE_MAX, rf_none_names,
	  "highest rate of a flow; default: none, the rate of the link" },
	{ "rate-to-set-on-first-cnp", "none or up to 10tbit, for example 10gbit",
	  &rf_kind_rate, D(RATE_TO_SET_ON_FIRST_CNP, rate.rate_to_set_on_first_cnp),
	  1, RDMAFAULT_RATE_MAX, rf_none_names, "rate from the first CNP on; default: none" },
	{ "dce-tcp-rtt", PERIOD_FORM, &rf_kind_time, D(DCE_TCP_RTT, rate.dce_tcp_rtt),
	  1, RDMAFAULT_PERIOD_MAX, .help = "period of alpha; default: 55us" },
	{ "rate-reduce-monitor-period", "0s to 10s, for example 4us",
	  &rf_kind_time, D(RATE_REDUCE_MONITOR_PERIOD, rate.rate_reduce_monitor_period),
	  0, RDMAFAULT_PERIOD_MAX,
	  .help = "period of rate reductions, 0s with the order cut-first; default: 0s" },
	{ "time-reset", PERIOD_FORM, &rf_kind_time, D(TIME_RESET, rate.time_reset),
	  1, RDMAFAULT_PERIOD_MAX, .help = "period of the increase timer; default: 55us" },
	{ "byte-reset", "none or up to 1TiB, for example 10MiB",
	  &rf_kind_bytes, D(BYTE_RESET, rate.byte_reset), 1, RDMAFAULT_BYTES_MAX, rf_none_names,
	  "bytes between two events of the byte counter; default: 10000000" },
	{ "threshold", "1 to 31", &rf_kind_u32, D(THRESHOLD, rate.threshold), 1, 31,
	  .help = "number of fast recoveries; default: 5" },
	{ "dce-tcp-g", "1 to 1024", &rf_kind_u32, D(DCE_TCP_G, rate.dce_tcp_g), 1, 1024,
	  .help = "1 - g in units of 1/1024; default: 1020" },
	{ "initial-alpha-value", "0 to 1024",
	  &rf_kind_u32, D(INITIAL_ALPHA_VALUE, rate.initial_alpha_value), 0, 1024,
	  .help = "alpha before the first CNP, in units of 1/1024; default: 1024" },
	{ "min-dec-fac", "1 to 100", &rf_kind_u32, D(MIN_DEC_FAC, rate.min_dec_fac), 1, 100,
	  .help = "percentage of the rate that a reduction leaves at least; default: 50" },
	{ "gd", "10 to 20", &rf_kind_u32, D(GD, rate.gd), 10, 20,
	  .help = "a reduction takes alpha / 2^(gd - 10) of the rate; default: 11" },
	{ "clamp-tgt-rate", "on or off",
	  &rf_kind_name, D(CLAMP_TGT_RATE, rate.clamp_tgt_rate), .names = switch_names,
	  .help = "set the target rate at each reduction; default: on" },
	{ "clamp-tgt-rate-ati", "on or off",
	  &rf_kind_name, D(CLAMP_TGT_RATE_ATI, rate.clamp_tgt_rate_ati), .names = switch_names,
	  .help = "set it at the first reduction after an increase by the timer; default: off" },
	{ }
};

/**
 * rf_dcqcn_words - parse the words of "dcqcn set"
 * @argv: the words after the port; a NULL follows the last one
 * @c: the changed settings; gets the values of the words
 * @why: gets the text of an error
 *
 * Return: 0, or -EINVAL.
 */
int rf_dcqcn_words(char **argv, struct rf_queue_change *c, struct rf_why *why)
{
	return rf_args_take(rf_dcqcn_args, argv, c, rf_key_take, why);
}
