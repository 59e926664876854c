// SPDX-License-Identifier: GPL-2.0
/*
 * What was not given in a trigger, and triggers that can never let a packet
 * through, or that say half of something.
 */
#include <linux/bits.h>
#include <linux/stddef.h>

#include "invalid.h"

#define GE	(RF_TRIGGER_BIT(GE_P) | RF_TRIGGER_BIT(GE_R) | \
		 RF_TRIGGER_BIT(GE_BAD) | RF_TRIGGER_BIT(GE_GOOD))
#define STATE	(RF_TRIGGER_BIT(STATE_P13) | RF_TRIGGER_BIT(STATE_P31) | \
		 RF_TRIGGER_BIT(STATE_P32) | RF_TRIGGER_BIT(STATE_P23) | \
		 RF_TRIGGER_BIT(STATE_P14))

static bool every_with_nth(const struct rf_trigger *t)
{
	return RF_TRIGGER_HAS(t, EVERY) && RF_TRIGGER_HAS(t, NTH);
}

static bool nth_before_after(const struct rf_trigger *t)
{
	return RF_TRIGGER_HAS(t, NTH) && t->nth <= t->after;
}

static bool count_with_nth(const struct rf_trigger *t)
{
	return RF_TRIGGER_HAS(t, NTH) && !RF_TRIGGER_HAS(t, BURST) &&
	       t->count > 1;
}

static bool ge_with_probability(const struct rf_trigger *t)
{
	return t->set & GE && RF_TRIGGER_HAS(t, PROBABILITY);
}

static bool state_with_others(const struct rf_trigger *t)
{
	return t->set & STATE &&
	       (t->set & GE || RF_TRIGGER_HAS(t, PROBABILITY));
}

static bool correlation_alone(const struct rf_trigger *t)
{
	return RF_TRIGGER_HAS(t, CORRELATION) &&
	       !RF_TRIGGER_HAS(t, PROBABILITY);
}

static bool ge_without_p(const struct rf_trigger *t)
{
	return t->set & GE && !RF_TRIGGER_HAS(t, GE_P);
}

static bool state_without_p13(const struct rf_trigger *t)
{
	return t->set & STATE && !RF_TRIGGER_HAS(t, STATE_P13);
}

static bool p14_too_likely(const struct rf_trigger *t)
{
	return RF_TRIGGER_HAS(t, STATE_P14) &&
	       t->p13 + t->p14 > RDMAFAULT_PROBABILITY_ONE;
}

static bool p32_too_likely(const struct rf_trigger *t)
{
	return RF_TRIGGER_HAS(t, STATE_P32) &&
	       t->p31 + t->p32 > RDMAFAULT_PROBABILITY_ONE;
}

static bool burst_of_nothing(const struct rf_trigger *t)
{
	return RF_TRIGGER_HAS(t, BURST) && !RF_TRIGGER_HAS(t, NTH) &&
	       !RF_TRIGGER_HAS(t, EVERY) && !RF_TRIGGER_HAS(t, PROBABILITY);
}

static bool burst_once(const struct rf_trigger *t)
{
	return RF_TRIGGER_HAS(t, BURST) && t->burst > 1 &&
	       RF_TRIGGER_HAS(t, ONCE);
}

static bool burst_max_of_nothing(const struct rf_trigger *t)
{
	return RF_TRIGGER_HAS(t, BURST_MAX) &&
	       !RF_TRIGGER_HAS(t, PROBABILITY) && !(t->set & (GE | STATE));
}

static bool burst_beyond_max(const struct rf_trigger *t)
{
	return RF_TRIGGER_HAS(t, BURST) && RF_TRIGGER_HAS(t, BURST_MAX) &&
	       t->burst > t->burst_max;
}

static const struct {
	bool (*is_there)(const struct rf_trigger *t);
	struct rf_invalid invalid;
} checks[] = {
#define INVALID(test, name, text) \
	{ test, { .attr = RDMAFAULT_A_TRIGGER_ ## name, .words = text } }
	INVALID(every_with_nth, EVERY, "every: not allowed with nth, which selects one packet"),
	INVALID(nth_before_after, NTH,
		"nth: must be greater than after, which skips the first packets"),
	INVALID(count_with_nth, COUNT, "count: must be 1 with nth, which selects one packet"),
	INVALID(ge_with_probability, GE_P,
		"ge-p: not allowed with probability"),
	INVALID(state_with_others, STATE_P13,
		"state-p13: not allowed with probability or ge-p"),
	INVALID(correlation_alone, CORRELATION, "correlation: requires probability"),
	INVALID(ge_without_p, GE_R, "ge-r, ge-bad, ge-good: require ge-p"),
	INVALID(state_without_p13, STATE_P31,
		"state-p31, -p32, -p23, -p14: require state-p13"),
	INVALID(p14_too_likely, STATE_P14,
		"state-p14: the sum with state-p13 is greater than 1"),
	INVALID(p32_too_likely, STATE_P32,
		"state-p32: the sum with state-p31 is greater than 1"),
	INVALID(burst_of_nothing, BURST, "burst: requires nth, every or probability"),
	INVALID(burst_once, BURST, "burst: not allowed with once, which selects one packet"),
	INVALID(burst_max_of_nothing, BURST_MAX,
		"burst-max: requires probability, ge-p or state-p13"),
	INVALID(burst_beyond_max, BURST, "burst: greater than burst-max"),
};

/**
 * rf_trigger_validate - is there anything that can't be meant?
 * @trigger: the trigger, completed
 *
 * Context: any.
 * Return: what is invalid first, or NULL.
 */
const struct rf_invalid *rf_trigger_validate(const struct rf_trigger *trigger)
{
	size_t i;

	for (i = 0; i < sizeof(checks) / sizeof(*checks); i++)
		if (checks[i].is_there(trigger))
			return &checks[i].invalid;
	return NULL;
}

static void fill_in(const struct rf_trigger *t, u32 attr, u64 *to, u64 value)
{
	if (!(t->set & BIT_ULL(attr)))
		*to = value;
}

/**
 * rf_trigger_complete - fill in what was not given, as tc does for netem
 * @trigger: the trigger, with what was given
 *
 * Context: any.
 */
void rf_trigger_complete(struct rf_trigger *trigger)
{
	u64 one = RDMAFAULT_PROBABILITY_ONE;

	fill_in(trigger, RDMAFAULT_A_TRIGGER_GE_R, &trigger->ge_r,
		one - trigger->ge_p);
	fill_in(trigger, RDMAFAULT_A_TRIGGER_GE_BAD, &trigger->ge_bad, one);
	fill_in(trigger, RDMAFAULT_A_TRIGGER_STATE_P31, &trigger->p31,
		one - trigger->p13);
	fill_in(trigger, RDMAFAULT_A_TRIGGER_STATE_P23, &trigger->p23, one);
}
