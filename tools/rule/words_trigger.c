// SPDX-License-Identifier: GPL-2.0
/*
 * The words of a trigger. A trigger selects the packets to hit among the packets that
 * match. The words "from step N for M steps" are also parsed here, although they belong to
 * the match: they mean "step N-L", with L = N + M - 1.
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "tables.h"
#include "units.h"

/*
 * Parse 1 to @n probabilities; the last ones can be omitted. Store probability i in @p[i];
 * its attribute is @attr + i.
 */
static int chances_take(struct rf_words *w, struct rf_trigger *t, uint64_t *p,
			unsigned int attr, int n)
{
	const char *s;
	int i;

	for (i = 0; i < n && (!i || rf_words_number_next(w)); i++) {
		s = rf_words_next(w);
		if (!s || rf_parse_probability(s, &p[i]))
			return -EINVAL;
		t->set |= 1ull << (attr + i);
	}
	return 0;
}

/*
 * Print the probabilities, up to the last one that was given. The text cannot skip a value: for
 * an earlier value that was not given, print the default from @usual. @given: bit i is set if
 * @p[i] was given
 */
static void chances_put(char *text, const uint64_t *p, const uint64_t *usual, uint64_t given,
			int n)
{
	char buf[RF_FMT_LEN];
	int i;

	for (i = 0; i < n && given >> i; i++)
		text += sprintf(text, "%s%s", i ? " " : "",
				rf_fmt_probability(given >> i & 1 ? p[i] : usual[i], buf));
}

static int ge_take(struct rf_words *w, const struct rf_key *key, void *base)
{
	struct rf_trigger *t = &((struct rf_rule_spec *)base)->trigger;

	return chances_take(w, t, &t->ge_p, key->bit, 4);
}

/* Omitted values have the defaults of netem: r = 1 - p, 1-h = 1, 1-k = 0. */
static void ge_put(const struct rf_key *key, const void *base, char *text)
{
	const struct rf_trigger *t = &((const struct rf_rule_spec *)base)->trigger;
	const uint64_t one = RDMAFAULT_PROBABILITY_ONE;
	const uint64_t usual[] = { 0, one - t->ge_p, one, 0 };

	chances_put(text, &t->ge_p, usual, t->set >> key->bit & 0xf, 4);
}

static const struct rf_kind gemodel_kind = {
	.take_words = ge_take, .put = ge_put, .bits = 4, .form = RF_FORM_FRACTION
};

static int state_take(struct rf_words *w, const struct rf_key *key, void *base)
{
	struct rf_trigger *t = &((struct rf_rule_spec *)base)->trigger;

	return chances_take(w, t, &t->p13, key->bit, 5);
}

/* Omitted values have the defaults of netem: p31 = 1 - p13, p32 = 0, p23 = 1, p14 = 0. */
static void state_put(const struct rf_key *key, const void *base, char *text)
{
	const struct rf_trigger *t = &((const struct rf_rule_spec *)base)->trigger;
	const uint64_t one = RDMAFAULT_PROBABILITY_ONE;
	const uint64_t usual[] = { 0, one - t->p13, 0, one, 0 };

	chances_put(text, &t->p13, usual, t->set >> key->bit & 0x1f, 5);
}

static const struct rf_kind state_kind = {
	.take_words = state_take, .put = state_put, .bits = 5, .form = RF_FORM_FRACTION
};

static void span_time_put(const struct rf_key *key, const void *base, char *text)
{
	rf_kind_time.put(key, base, text);
}

static int from_take(struct rf_words *w, const struct rf_key *key, void *base)
{
	struct rf_match *m = &((struct rf_rule_spec *)base)->match;
	const char *s = rf_words_next(w);

	if (!s || strcmp(s, "step"))
		return s ? rf_kind_time.take(key, s, base) : -EINVAL;
	s = rf_words_next(w);
	rf_words_from_step(w);
	m->set |= RF_MATCH_BIT(STEP_MIN);
	return s ? rf_parse_u32(s, &m->step_min) : -EINVAL;
}

static int for_take(struct rf_words *w, const struct rf_key *key, void *base)
{
	const char *s = rf_words_next(w), *unit;
	uint32_t steps;

	if (!s || rf_parse_u32(s, &steps))
		return s ? rf_kind_time.take(key, s, base) : -EINVAL;
	if (!steps)
		return -EINVAL;		/* the error shows the last consumed word, "0" */
	unit = rf_words_next(w);
	if (!unit || (strcmp(unit, "steps") && strcmp(unit, "step")))
		return -EINVAL;
	rf_words_for_steps(w, steps);
	return 0;
}

static const struct rf_kind from_kind = {
	.take_words = from_take, .put = span_time_put, .bits = 1, .form = RF_FORM_TIME
};

static const struct rf_kind duration_kind = {
	.take_words = for_take, .put = span_time_put, .bits = 1, .form = RF_FORM_TIME
};

#define T(attr, member) \
	.set = RF_SPEC_AT(trigger.set), .bit = RDMAFAULT_A_TRIGGER_ ## attr, \
	.at = RF_SPEC_AT(trigger.member)

#define P_FORM "0% to 100%, or a fraction up to 0.5, for example 0.01 or 1e-9"

const struct rf_key rf_trigger_words[] = {
	{ "nth", "1 to 4294967295",
	  &rf_kind_u32, T(NTH, nth), 1, UINT32_MAX },
	{ "every", "1 to 4294967295",
	  &rf_kind_u32, T(EVERY, every), 1, UINT32_MAX },
	{ "after", "1 to 4294967295",
	  &rf_kind_u32, T(AFTER, after), 1, UINT32_MAX },
	{ "count", "1 to 4294967295",
	  &rf_kind_u32, T(COUNT, count), 1, UINT32_MAX },
	{ "once", "flow, qp or step",
	  &rf_kind_name, T(ONCE, once), .names = rf_once_names },
	{ "probability", P_FORM,
	  &rf_kind_probability, T(PROBABILITY, probability), 0,
	  RDMAFAULT_PROBABILITY_ONE },
	{ "correlation", P_FORM,
	  &rf_kind_probability, T(CORRELATION, correlation), 0,
	  RDMAFAULT_PROBABILITY_ONE },
	{ "burst", "1 to 1024",
	  &rf_kind_u32, T(BURST, burst), 1, RDMAFAULT_BURST_MAX },
	{ "burst-max", "1 to 1024",
	  &rf_kind_u32, T(BURST_MAX, burst_max), 1, RDMAFAULT_BURST_MAX },
	{ "gemodel", "P [R [1-H [1-K]]], each " P_FORM,
	  &gemodel_kind, T(GE_P, ge_p) },
	{ "state", "P13 [P31 [P32 [P23 [P14]]]], each " P_FORM,
	  &state_kind, T(STATE_P13, p13) },
	{ "from", "a time, for example 10ms, or step N",
	  &from_kind, T(FROM, from), 0, UINT64_MAX },
	{ "for", "a time, for example 10ms, or N steps",
	  &duration_kind, T(FOR, duration), 1, UINT64_MAX },
	{ }
};
