// SPDX-License-Identifier: GPL-2.0
/* Parse the words of "ecn set", which set the ECN profiles of the priorities of a port. */
#include <stddef.h>
#include <string.h>

#include "words.h"

const struct rf_name rf_ect_names[] = {
	{ "any", RDMAFAULT_ECT_ANY },
	{ "ect0", RDMAFAULT_ECT_ECT0 },
	{ "ect1", RDMAFAULT_ECT_ECT1 },
	{ }
};

#define SIZE_FORM "0 to 1TiB, for example 100kb"
#define E(attr, member) \
	.set = offsetof(struct rf_prio_change, set), .bit = RDMAFAULT_A_ECN_ ## attr, \
	.at = offsetof(struct rf_prio_change, conf.ecn.member)

const struct rf_key rf_profile_args[] = {
	{ "off", NULL,
	  &rf_kind_flag, E(ENABLED, enabled),
	  .help = "disable the profile, and keep its settings; this is the default" },
	{ "kmin", SIZE_FORM,
	  &rf_kind_bytes, E(KMIN, kmin), 0, RDMAFAULT_BYTES_MAX,
	  .help = "mark no packets up to this queue length; default: 0" },
	{ "kmax", SIZE_FORM,
	  &rf_kind_bytes, E(KMAX, kmax), 0, RDMAFAULT_BYTES_MAX,
	  .help = "mark all packets above this queue length; required" },
	{ "pmax", "0% to 100%, or a fraction up to 0.5, for example 20% or 0.2",
	  &rf_kind_probability, E(PMAX, pmax), .help = "probability of a mark at kmax; default: 0%" },
	{ "weight", "0 to 31",
	  &rf_kind_u32, E(WEIGHT, weight), 0, 31,
	  .help = "use an average of the queue length, with the weight 1/2^N; default: 0" },
	{ "phantom", "none or 1mbit to 10tbit, for example 9gbit",
	  &rf_kind_rate, E(PHANTOM, phantom), RDMAFAULT_RATE_MIN, RDMAFAULT_RATE_MAX, rf_none_names,
	  "drain rate of a virtual queue that is used instead of the real one; default: none" },
	{ "ect", "any, ect0 or ect1",
	  &rf_kind_name, E(ECT, ect), .names = rf_ect_names,
	  .help = "which ECN-capable packets to mark; default: any" },
	{ "not-ect", "leave, mark or drop",
	  &rf_kind_name, E(NOT_ECT, not_ect), .names = rf_not_ect_names,
	  .help = "what to do with packets that are not ECN-capable; default: leave" },
	{ }
};

/* Parse the words of a profile. Any word except "off" turns the profile on. */
static int take_profile(char **argv, struct rf_prio_change *profile, struct rf_why *why)
{
	int err = rf_args_take(rf_profile_args, argv, profile, rf_key_take, why);

	if (err)
		return err;
	if (profile->set & RF_ECN_BIT(ENABLED)) {
		if (profile->set == RF_ECN_BIT(ENABLED))
			return 0;
		return rf_why_refuse(why, "off: cannot be combined with other words");
	}
	profile->set |= RF_ECN_BIT(ENABLED);
	profile->conf.ecn.enabled = 1;
	return 0;
}

/**
 * rf_ecn_words - parse the words of "ecn set"
 * @argv: the words, first "prio" and the priorities; a NULL follows the last word
 * @c: the changed settings; gets the values of the words
 * @why: gets the text of an error
 *
 * Return: 0, or -EINVAL.
 */
int rf_ecn_words(char **argv, struct rf_queue_change *c, struct rf_why *why)
{
	struct rf_prio_change profile = {};
	uint32_t prios, i;
	int err;

	if (!argv[0] || strcmp(argv[0], "prio"))
		return rf_why_refuse(why, "%s%s%s; the first words after the port must be prio PRIO, for example prio 3",
				     argv[0] ? "unexpected \"" : "prio missing",
				     argv[0] ? argv[0] : "", argv[0] ? "\"" : "");
	err = rf_prios_words(argv[1], &prios, why);
	if (!err)
		err = take_profile(argv + 2, &profile, why);
	for (i = 0; !err && i < RDMAFAULT_PRIOS; i++) {
		if (!(prios >> i & 1))
			continue;
		c->ecn[i] |= profile.set;
		c->conf.prio[i].ecn = profile.conf.ecn;
	}
	return err;
}
