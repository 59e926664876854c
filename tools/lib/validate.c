// SPDX-License-Identifier: GPL-2.0
/*
 * The checks that the module makes of a rule, a storm and a port's settings, in
 * its order and with its words.
 */
#include <errno.h>
#include <stddef.h>

#include "kmod/flaw.h"
#include "kmod/storm_fsm.h"
#include "validate.h"

static int refuse(const struct rf_flaw *flaw, struct rf_why *why)
{
	return flaw ? rf_why_refuse(why, "%s", flaw->words) : 0;
}

static const struct rf_flaw *actions_flaw(const struct rf_rule_spec *spec)
{
	const struct rf_flaw *flaw = NULL;
	uint32_t i, at;

	for (i = 0; !flaw && i < spec->actions; i++)
		flaw = rf_action_flaw(&spec->action[i]);
	return flaw ? flaw : rf_actions_flaw(spec->action, spec->actions, &at);
}

/**
 * rf_rule_validate - would the module take a rule?
 * @spec: the rule, with an action
 * @max_hold: the longest that the port holds a packet, in nanoseconds
 * @why: gets what is wrong
 *
 * Return: 0, or -EINVAL.
 */
int rf_rule_validate(const struct rf_rule_spec *spec, uint64_t max_hold,
		     struct rf_why *why)
{
	struct rf_trigger trigger = spec->trigger;
	struct rf_match match = spec->match;
	const struct rf_flaw *flaw;

	rf_match_complete(&match);
	rf_trigger_complete(&trigger);
	flaw = rf_match_flaw(&match);
	if (!flaw)
		flaw = rf_trigger_flaw(&trigger);
	if (!flaw)
		flaw = actions_flaw(spec);
	if (!flaw)
		flaw = rf_rule_flaw(&match, &trigger, spec->action, spec->flags,
				    spec->expires);
	if (!flaw)
		flaw = rf_actions_fit(spec->action, spec->actions, max_hold);
	return refuse(flaw, why);
}

/**
 * rf_storm_validate - would the module start a storm?
 * @spec: the storm
 * @why: gets what is wrong
 *
 * Return: 0, or -EINVAL.
 */
int rf_storm_validate(const struct rf_storm_spec *spec, struct rf_why *why)
{
	return refuse(rf_storm_flaw(spec), why);
}

/**
 * rf_conf_validate - would the module take a port's settings?
 * @conf: the settings, complete
 * @why: gets what is wrong, with the priority if it is one
 *
 * Return: 0, or -EINVAL.
 */
int rf_conf_validate(const struct rf_conf *conf, struct rf_why *why)
{
	const struct rf_flaw *flaw;
	uint32_t prio;

	flaw = rf_conf_flaw(conf, &prio);
	if (!flaw || prio == RDMAFAULT_PRIOS)
		return refuse(flaw, why);
	return rf_why_refuse(why, "prio %u: %s", prio, flaw->words);
}
