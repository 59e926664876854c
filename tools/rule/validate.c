// SPDX-License-Identifier: GPL-2.0
/*
 * Check rules, storms and port settings with the module's code. The order of the checks and
 * the error messages are the same as in the module.
 */
#include <errno.h>
#include <stddef.h>

#include "kmod/rule/params.h"
#include "kmod/pfc/fsm.h"
#include "units.h"
#include "words.h"

static int refuse_invalid(const struct rf_invalid *invalid, struct rf_why *why)
{
	return invalid ? rf_why_refuse(why, "%s", invalid->words) : 0;
}

static const struct rf_invalid *actions_validate(const struct rf_rule_spec *spec)
{
	const struct rf_invalid *invalid = NULL;
	uint32_t i, at;

	for (i = 0; !invalid && i < spec->actions; i++)
		invalid = rf_action_validate(&spec->action[i]);
	return invalid ? invalid : rf_actions_validate(spec->action, spec->actions, &at);
}

/**
 * rf_validate_rule - check a rule as the module does
 * @spec: the rule, with at least one action
 * @max_hold: longest time that the port delays a packet, in nanoseconds
 * @why: gets the text of an error
 *
 * Return: 0, or -EINVAL.
 */
int rf_validate_rule(const struct rf_rule_spec *spec, uint64_t max_hold,
		     struct rf_why *why)
{
	struct rf_trigger trigger = spec->trigger;
	struct rf_match match = spec->match;
	const struct rf_invalid *invalid;
	char now[RF_FMT_LEN];

	rf_match_complete(&match);
	rf_trigger_complete(&trigger);
	invalid = rf_match_validate(&match);
	if (!invalid)
		invalid = rf_trigger_validate(&trigger);
	if (!invalid)
		invalid = actions_validate(spec);
	if (!invalid)
		invalid = rf_rule_validate(&match, &trigger, spec->action, spec->flags,
					   spec->expires);
	if (invalid)
		return refuse_invalid(invalid, why);
	invalid = rf_actions_fit(spec->action, spec->actions, max_hold);
	return invalid ? rf_why_refuse(why, "%s, %s", invalid->words,
				       rf_exact_time(max_hold, now)) : 0;
}

/**
 * rf_validate_storm - check a storm as the module does
 * @spec: the storm
 * @why: gets the text of an error
 *
 * Return: 0, or -EINVAL.
 */
int rf_validate_storm(const struct rf_storm_spec *spec, struct rf_why *why)
{
	return refuse_invalid(rf_storm_validate(spec), why);
}

/**
 * rf_validate_conf - check the settings of a port as the module does
 * @conf: all settings of the port
 * @why: gets the text of an error, with the priority if the error is about one
 *
 * Return: 0, or -EINVAL.
 */
int rf_validate_conf(const struct rf_conf *conf, struct rf_why *why)
{
	const struct rf_invalid *invalid;
	uint32_t prio;

	invalid = rf_conf_validate(conf, &prio);
	if (!invalid || prio == RDMAFAULT_PRIOS)
		return refuse_invalid(invalid, why);
	return rf_why_refuse(why, "prio %u: %s", prio, invalid->words);
}
