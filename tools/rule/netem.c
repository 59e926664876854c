// SPDX-License-Identifier: GPL-2.0
/*
 * Convert a netem line to rules. Each impairment of the line becomes a separate rule. The
 * rules are in the order in which netem evaluates the impairments: loss, duplicate,
 * corrupt, delay (net/sched/sch_netem.c, netem_enqueue()).
 *
 * The grammar is that of tc-netem(8) and, in more detail, iproute2's tc/q_netem.c.
 * A percentage does not need the percent sign. A time without a unit is refused, because
 * its meaning is unclear: it is microseconds according to tc(8), milliseconds according
 * to tc-netem(8), and nanoseconds in the code of tc.
 *
 * netem's "reorder P" sends the fraction P of the packets without the delay. Therefore
 * the rule that delays packets gets the probability 1 - P.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "units.h"
#include "words.h"

#define ONE_P RDMAFAULT_PROBABILITY_ONE

/**
 * struct netem - state of the parser
 * @argv: words of the line
 * @argc: number of words
 * @at: index of the next word
 * @base: match, trigger and flags that all rules of the line have in common
 * @loss: trigger of the rule for "loss"; empty if not given
 * @duplicate: trigger of the rule for "duplicate"; empty if not given
 * @corrupt: trigger of the rule for "corrupt"; empty if not given
 * @reorder: trigger of "reorder", which selects packets that are not delayed; empty if
 *	not given
 * @delay: the delay action
 * @gap: value of "gap", which belongs to "reorder"; 0 if not given
 * @ecn: true if "loss" marks ECN-capable packets instead of dropping them
 * @why: gets the text of an error
 */
struct netem {
	char *argv[RF_RULE_WORDS_MAX];
	int argc, at;
	struct rf_rule_spec base;
	struct rf_trigger loss, duplicate, corrupt, reorder;
	struct rf_action delay;
	uint32_t gap;
	bool ecn;
	struct rf_why *why;
};

static int refuse_netem(struct netem *n, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static int refuse_netem(struct netem *n, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	rf_why_vrefuse(n->why, fmt, ap);
	va_end(ap);
	return rf_why_refuse(n->why, "netem: %s", n->why->text);
}

static const char *peek(const struct netem *n)
{
	return n->at < n->argc ? n->argv[n->at] : NULL;
}

static bool number_next(const struct netem *n)
{
	const char *s = peek(n);

	return s && (isdigit((unsigned char)s[0]) || s[0] == '.');
}

static int refuse_netem_value(struct netem *n, const char *word, const char *value,
			      const char *form)
{
	rf_why_value(n->why, word, value, form);
	return refuse_netem(n, "%s", n->why->text);
}

#define PERCENT_FORM "0% to 100%"

/* Parse a percentage; the "%" can be omitted, as in tc. */
static int take_percent(struct netem *n, const char *word, uint64_t *p)
{
	const char *s = peek(n);
	char text[32];

	if (!s)
		return refuse_netem_value(n, word, NULL, PERCENT_FORM);
	n->at++;
	snprintf(text, sizeof(text), "%.*s%%", (int)strcspn(s, "%"), s);
	if (strlen(s) < sizeof(text) - 1 &&
	    (!strchr(s, '%') || !strcmp(strchr(s, '%'), "%")) &&
	    !strpbrk(s, "eE") && !rf_parse_probability(text, p))
		return 0;
	return refuse_netem_value(n, word, s, PERCENT_FORM);
}

/* Parse a time with any spelling of the unit that tc accepts. */
static int parse_tc_time(const char *s, uint64_t *ns)
{
	static const struct { const char *tc, *ours; } units[] = {
		{ "s", "s" }, { "sec", "s" }, { "secs", "s" },
		{ "ms", "ms" }, { "msec", "ms" }, { "msecs", "ms" },
		{ "us", "us" }, { "usec", "us" }, { "usecs", "us" },
		{ "ns", "ns" }, { "nsec", "ns" }, { "nsecs", "ns" },
	};
	size_t i, len = strspn(s, "0123456789.");
	char text[40];

	if (!strcmp(s, "0")) {
		*ns = 0;
		return 0;
	}
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcasecmp(s + len, units[i].tc))
			continue;
		if (len > sizeof(text) - 4)
			return -EINVAL;
		sprintf(text, "%.*s%s", (int)len, s, units[i].ours);
		return rf_parse_time(text, ns);
	}
	return -EINVAL;
}

static int take_netem_time(struct netem *n, const char *word, uint64_t *ns)
{
	const char *s = peek(n);

	if (s)
		n->at++;
	if (s && !parse_tc_time(s, ns) && *ns <= RDMAFAULT_HOLD_MAX)
		return 0;
	return refuse_netem_value(n, word, s, "0s to 20s, for example 10ms");
}

/* Parse "P [CORR]": a probability P, and optionally its correlation CORR. */
static int take_chance(struct netem *n, const char *word, struct rf_trigger *t)
{
	t->set |= RF_TRIGGER_BIT(PROBABILITY);
	if (take_percent(n, word, &t->probability))
		return -EINVAL;
	if (!number_next(n))
		return 0;
	if (take_percent(n, word, &t->correlation))
		return -EINVAL;
	if (t->correlation)
		t->set |= RF_TRIGGER_BIT(CORRELATION);
	return 0;
}

/*
 * Parse 1 to @max probabilities. Store them in successive members of the trigger, starting
 * at @p.
 */
static int take_model(struct netem *n, const char *word, uint64_t *p,
		      unsigned int attr, int max)
{
	int i;

	for (i = 0; i < max && (!i || number_next(n)); i++) {
		if (take_percent(n, word, &p[i]))
			return -EINVAL;
		n->loss.set |= 1ull << (attr + i);
	}
	return 0;
}

static int take_loss(struct netem *n, const char *word)
{
	const char *s = peek(n);

	if (n->loss.set)
		return refuse_netem(n, "%s: given twice", word);
	if (number_next(n))
		return take_chance(n, word, &n->loss);
	n->at++;
	if (s && !strcmp(s, "random"))
		return take_chance(n, word, &n->loss);
	if (s && !strcmp(s, "state"))
		return take_model(n, "loss state", &n->loss.p13,
				  RDMAFAULT_A_TRIGGER_STATE_P13, 5);
	if (s && !strcmp(s, "gemodel"))
		return take_model(n, "loss gemodel", &n->loss.ge_p,
				  RDMAFAULT_A_TRIGGER_GE_P, 4);
	return refuse_netem_value(n, word, s, "a percentage, random, state or gemodel");
}

static int take_ecn(struct netem *n, const char *word)
{
	(void)word;
	n->ecn = true;
	return 0;
}

static int take_duplicate(struct netem *n, const char *word)
{
	return take_chance(n, word, &n->duplicate);
}

static int take_corrupt(struct netem *n, const char *word)
{
	return take_chance(n, word, &n->corrupt);
}

static int take_reorder(struct netem *n, const char *word)
{
	return take_chance(n, word, &n->reorder);
}

static int take_gap(struct netem *n, const char *word)
{
	const char *s = peek(n);

	n->at++;
	if (!s || rf_parse_u32(s, &n->gap) || !n->gap)
		return refuse_netem_value(n, word, s, "1 to 4294967295");
	if (n->gap == 1)
		return 0;
	return refuse_netem(n, "gap %u: not supported; use gap 1, or the rule \"every %u reorder 1\"",
			    n->gap, n->gap);
}

static int take_delay(struct netem *n, const char *word)
{
	struct rf_action *a = &n->delay;

	if (a->set & RF_ACTION_BIT(DELAY))
		return refuse_netem(n, "%s: given twice", word);
	a->set |= RF_ACTION_BIT(TYPE) | RF_ACTION_BIT(DELAY);
	if (take_netem_time(n, word, &a->delay) || !number_next(n))
		return n->why->text ? -EINVAL : 0;
	if (take_netem_time(n, word, &a->jitter))
		return -EINVAL;
	if (a->jitter)
		a->set |= RF_ACTION_BIT(JITTER);
	if (!number_next(n))
		return 0;
	if (take_percent(n, word, &a->jitter_correlation))
		return -EINVAL;
	if (a->jitter && a->jitter_correlation)
		a->set |= RF_ACTION_BIT(JITTER_CORRELATION);
	else
		a->jitter_correlation = 0;
	return 0;
}

static int take_distribution(struct netem *n, const char *word)
{
	const char *s = peek(n);

	n->at++;
	n->delay.set |= RF_ACTION_BIT(DISTRIBUTION);
	if (s && !rf_name_value(rf_distribution_names, s, strlen(s),
				&n->delay.distribution))
		return 0;
	return refuse_netem_value(n, word, s, "uniform, normal or pareto");
}

static int take_seed(struct netem *n, const char *word)
{
	const char *s = peek(n);

	n->at++;
	if (n->base.set & RF_RULE_BIT(SEED))
		return refuse_netem(n, "%s: given twice", word);
	n->base.set |= RF_RULE_BIT(SEED);
	if (s && !rf_parse_u64(s, &n->base.seed))
		return 0;
	return refuse_netem_value(n, word, s, "0 to 18446744073709551615");
}

/* Refuse a setting of netem that a rule cannot have. The error message names the alternative. */
static int refuse_limit(struct netem *n, const char *word)
{
	return refuse_netem(n, "%s: not supported; the delay queue of a port holds up to 16384 packets",
			    word);
}

static int refuse_rate(struct netem *n, const char *word)
{
	return refuse_netem(n, "%s: not supported in a rule; use \"rdmafault link set DEV rate RATE\", or tc-netem(8) on a netdev that is not a port",
			    word);
}

static const struct netem_word {
	const char *name;
	int (*take)(struct netem *n, const char *word);
} netem_words[] = {
	{ "delay", take_delay },
	{ "latency", take_delay },
	{ "distribution", take_distribution },
	{ "loss", take_loss },
	{ "drop", take_loss },
	{ "ecn", take_ecn },
	{ "corrupt", take_corrupt },
	{ "duplicate", take_duplicate },
	{ "reorder", take_reorder },
	{ "gap", take_gap },
	{ "seed", take_seed },
	{ "limit", refuse_limit },
	{ "rate", refuse_rate },
	{ "slot", refuse_rate },
	{ }
};

static int take_words(struct netem *n)
{
	const struct netem_word *w;
	uint32_t taken = 0;
	const char *s;

	while ((s = peek(n))) {
		for (w = netem_words; w->name && strcmp(w->name, s); w++)
			;
		if (!w->name)
			return refuse_netem(n, "unknown word \"%s\"; delay, loss, ecn, corrupt, duplicate, reorder, distribution or seed",
					    s);
		if (taken & 1u << (w - netem_words))
			return refuse_netem(n, "%s: given twice", s);
		taken |= 1u << (w - netem_words);
		n->at++;
		if (w->take(n, w->name))
			return -EINVAL;
	}
	return taken ? 0 : refuse_netem(n, "impairment missing; for example delay 10ms or loss 1%%");
}

static bool has_chance(const struct rf_trigger *t)
{
	return RF_TRIGGER_HAS(t, PROBABILITY) || RF_TRIGGER_HAS(t, GE_P) ||
	       RF_TRIGGER_HAS(t, STATE_P13);
}

static int check_line(struct netem *n)
{
	if (n->ecn && !n->loss.set)
		return refuse_netem(n, "ecn: loss missing; for example loss 1%% ecn");
	if (n->gap && !n->reorder.set)
		return refuse_netem(n, "gap: reorder missing; for example delay 10ms reorder 25%% gap 1");
	if (n->reorder.set && !n->delay.delay)
		return refuse_netem(n, "reorder: delay missing; for example delay 10ms reorder 25%%");
	if (RF_ACTION_HAS(&n->delay, DISTRIBUTION) &&
	    !RF_ACTION_HAS(&n->delay, JITTER))
		return refuse_netem(n, "distribution: jitter missing; for example delay 10ms 2ms distribution normal");
	if (has_chance(&n->base.trigger))
		return refuse_netem(n, "probability: not allowed before the word netem, because netem has its own probabilities");
	return 0;
}

static int append_rule(struct netem *n, struct rf_rule_list *list,
		       const struct rf_trigger *t, const struct rf_action *a)
{
	struct rf_rule_spec rule = n->base;

	rule.trigger.set |= t->set;
	if (RF_TRIGGER_HAS(t, PROBABILITY))
		rule.trigger.probability = t->probability;
	if (RF_TRIGGER_HAS(t, CORRELATION))
		rule.trigger.correlation = t->correlation;
	if (RF_TRIGGER_HAS(t, GE_P))
		memcpy(&rule.trigger.ge_p, &t->ge_p, 4 * sizeof(t->ge_p));
	if (RF_TRIGGER_HAS(t, STATE_P13))
		memcpy(&rule.trigger.p13, &t->p13, 5 * sizeof(t->p13));
	rule.actions = 1;
	rule.action[0] = *a;
	rule.action[0].set |= RF_ACTION_BIT(TYPE);
	return rf_rules_append(list, &rule);
}

/* With "ecn", mark ECN-capable packets with CE, as a router does, and drop all others. */
static int append_loss(struct netem *n, struct rf_rule_list *list)
{
	struct rf_action drop = { .type = RDMAFAULT_ACTION_DROP };
	struct rf_action mark = {
		.set = RF_ACTION_BIT(ECN) | RF_ACTION_BIT(NOT_ECT),
		.type = RDMAFAULT_ACTION_MARK, .ecn = 3,
		.not_ect = RDMAFAULT_NOT_ECT_DROP,
	};

	return append_rule(n, list, &n->loss, n->ecn ? &mark : &drop);
}

/*
 * Return: the trigger for the packets that are delayed. In netem, "reorder P" means that a
 * packet is not delayed with the probability P, so the probability of a delay is 1 - P.
 */
static struct rf_trigger delayed(const struct netem *n)
{
	struct rf_trigger t = n->reorder;

	if (t.set)
		t.probability = ONE_P - t.probability;
	return t;
}

static int append_all(struct netem *n, struct rf_rule_list *list)
{
	static const struct rf_action duplicate = {
		.type = RDMAFAULT_ACTION_DUPLICATE
	}, corrupt = {
		.set = RF_ACTION_BIT(UNIT),
		.type = RDMAFAULT_ACTION_CORRUPT, .unit = RDMAFAULT_UNIT_BIT,
	};
	struct rf_trigger spared = delayed(n);
	int err = 0;

	n->delay.type = RDMAFAULT_ACTION_DELAY;
	if (n->loss.set)
		err = append_loss(n, list);
	if (!err && n->duplicate.set)
		err = append_rule(n, list, &n->duplicate, &duplicate);
	if (!err && n->corrupt.set)
		err = append_rule(n, list, &n->corrupt, &corrupt);
	if (!err && n->delay.set)
		err = append_rule(n, list, &spared, &n->delay);
	return err;
}

/* Parse the match and trigger before the word "netem". A rule needs an action, so add "observe". */
static int parse_base(struct netem *n, int argc, char **argv)
{
	static char observe[] = "observe";
	char *words[RF_RULE_WORDS_MAX + 1];

	if (argc > RF_RULE_WORDS_MAX)
		return refuse_netem(n, "too many words before the word netem: %d; at most %d",
				    argc, RF_RULE_WORDS_MAX);
	memcpy(words, argv, argc * sizeof(*words));
	words[argc] = observe;
	if (rf_rule_parse(argc + 1, words, &n->base, n->why))
		return -EINVAL;
	if (n->base.actions > 1)
		return refuse_netem(n, "cannot be combined with the action %s",
				    rf_action_name(n->base.action[0].type));
	if (!n->base.match.set && !rf_owner_is_named(&n->base.owner))
		n->base.flags |= RDMAFAULT_RULE_FLAG_ALL;
	memset(n->base.action, 0, sizeof(n->base.action));
	n->base.actions = 0;
	return 0;
}

/* Split the line into words. The line can be one or several arguments, and contain quotes. */
static int split_line(struct netem *n, int argc, char **argv)
{
	int i, more;
	char *s;

	for (i = 0; i < argc; i++) {
		for (s = argv[i]; *s; s++)
			if (*s == '"' || *s == '\'')
				*s = ' ';
		more = rf_split_words(argv[i], n->argv + n->argc,
				      RF_RULE_WORDS_MAX - n->argc);
		if (more < 0)
			return refuse_netem(n, "too many words; at most %d",
					    RF_RULE_WORDS_MAX);
		n->argc += more;
	}
	return 0;
}

/**
 * rf_netem_parse - convert a netem line to rules
 * @argc: number of words
 * @argv: the words; the words after "netem" are split at blanks
 * @at: index of "netem"
 * @list: the rules are appended to it
 * @why: gets the text of an error, one line without a newline
 *
 * Return: 0, or -errno.
 */
int rf_netem_parse(int argc, char **argv, int at, struct rf_rule_list *list,
		   struct rf_why *why)
{
	struct netem n = { .why = why };
	size_t before = list->n;

	why->text = NULL;
	if (parse_base(&n, at, argv) ||
	    split_line(&n, argc - at - 1, argv + at + 1) || take_words(&n) ||
	    check_line(&n))
		return -EINVAL;
	if (!append_all(&n, list))
		return 0;
	list->n = before;
	rf_why_refuse(why, "%s", strerror(ENOMEM));
	return -ENOMEM;
}
