// SPDX-License-Identifier: GPL-2.0
/* Parse the words of "dcqcn set", which set DCQCN of a port. */
#include <stddef.h>

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

static const struct rf_name switch_names[] = { { "off", 0 }, { "on", 1 }, { } };

#define CHANGE_AT(member) offsetof(struct rf_queue_change, member)
#define D(attr, member) \
	.set = CHANGE_AT(dcqcn), .bit = RDMAFAULT_A_DCQCN_ ## attr, \
	.at = CHANGE_AT(conf.dcqcn.member)

const struct rf_key rf_dcqcn_args[] = {
	{ "np", "on or off", &rf_kind_name, D(NP, np), .names = switch_names,
	  .help = "send CNPs for packets that arrive with CE; default: off" },
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
	  .help = "time scale: all times are multiplied by it; default: 1" },
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
