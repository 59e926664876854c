// SPDX-License-Identifier: GPL-2.0
/* Parse the words of "ecn set", which set the ECN profiles of the priorities of a port. */
#include <errno.h>
#include <string.h>

#include "units.h"
#include "words.h"

const struct rf_name rf_ect_names[] = {
	{ "any", RDMAFAULT_ECT_ANY },
	{ "ect0", RDMAFAULT_ECT_ECT0 },
	{ "ect1", RDMAFAULT_ECT_ECT1 },
	{ }
};

/* The profile that the words describe. It is set for all priorities in the command. */
struct profile {
	uint64_t set;
	struct rf_ecn_conf ecn;
};

static int take_ecn_off(void *to, const char *s)
{
	struct profile *c = to;

	(void)s;
	c->set |= RF_ECN_BIT(ENABLED);
	return 0;
}

static int take_kmin(void *to, const char *s)
{
	struct profile *c = to;

	c->set |= RF_ECN_BIT(KMIN);
	return rf_take_bytes(s, &c->ecn.kmin);
}

static int take_kmax(void *to, const char *s)
{
	struct profile *c = to;

	c->set |= RF_ECN_BIT(KMAX);
	return rf_take_bytes(s, &c->ecn.kmax);
}

static int take_pmax(void *to, const char *s)
{
	struct profile *c = to;

	c->set |= RF_ECN_BIT(PMAX);
	return rf_parse_probability(s, &c->ecn.pmax);
}

static int take_weight(void *to, const char *s)
{
	struct profile *c = to;

	c->set |= RF_ECN_BIT(WEIGHT);
	return rf_parse_u32(s, &c->ecn.weight) || c->ecn.weight > 31 ?
	       -EINVAL : 0;
}

static int take_phantom(void *to, const char *s)
{
	struct profile *c = to;

	c->set |= RF_ECN_BIT(PHANTOM);
	return strcmp(s, "none") ? rf_take_rate(s, &c->ecn.phantom) : 0;
}

static int take_ect(void *to, const char *s)
{
	struct profile *c = to;

	c->set |= RF_ECN_BIT(ECT);
	return rf_take_name(rf_ect_names, s, &c->ecn.ect);
}

static int take_not_ect(void *to, const char *s)
{
	struct profile *c = to;

	c->set |= RF_ECN_BIT(NOT_ECT);
	return rf_take_name(rf_not_ect_names, s, &c->ecn.not_ect);
}

#define SIZE_FORM "0 to 1TiB, for example 100kb"

const struct rf_arg rf_profile_args[] = {
	{ "off", NULL, take_ecn_off,
	  "disable the profile, and keep its settings; this is the default", NULL },
	{ "kmin", SIZE_FORM, take_kmin,
	  "mark no packets up to this queue length", "0" },
	{ "kmax", SIZE_FORM, take_kmax,
	  "mark all packets above this queue length; required", NULL },
	{ "pmax", "0% to 100%, for example 20% or 0.2", take_pmax,
	  "probability of a mark at kmax", "0%" },
	{ "weight", "0 to 31", take_weight,
	  "use an average of the queue length, with the weight 1/2^N", "0" },
	{ "phantom", "none or 1mbit to 10tbit, for example 9gbit", take_phantom,
	  "drain rate of a virtual queue that is used instead of the real one", "none" },
	{ "ect", "any, ect0 or ect1", take_ect,
	  "which ECN-capable packets to mark", "any" },
	{ "not-ect", "leave, mark or drop", take_not_ect,
	  "what to do with packets that are not ECN-capable", "leave" },
	{ }
};

/* Parse the words of a profile. Any word except "off" turns the profile on. */
static int take_profile(char **argv, struct profile *profile, struct rf_why *why)
{
	int err = rf_args_take(rf_profile_args, argv, profile, why);

	if (err)
		return err;
	if (profile->set & RF_ECN_BIT(ENABLED)) {
		if (profile->set == RF_ECN_BIT(ENABLED))
			return 0;
		return rf_why_refuse(why, "off: cannot be combined with other words");
	}
	profile->set |= RF_ECN_BIT(ENABLED);
	profile->ecn.enabled = 1;
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
	struct profile profile = {};
	uint32_t prios, i;
	int err;

	if (!argv[0] || strcmp(argv[0], "prio"))
		return rf_why_refuse(why, "%s%s%s; the first words must be prio PRIO",
				     argv[0] ? "unexpected \"" : "prio missing",
				     argv[0] ? argv[0] : "", argv[0] ? "\"" : "");
	err = rf_prios_words(argv[1], &prios, why);
	if (!err)
		err = take_profile(argv + 2, &profile, why);
	for (i = 0; !err && i < RDMAFAULT_PRIOS; i++) {
		if (!(prios >> i & 1))
			continue;
		c->ecn[i] |= profile.set;
		c->conf.prio[i].ecn = profile.ecn;
	}
	return err;
}
