// SPDX-License-Identifier: GPL-2.0
/*
 * Check the options that a scenario passes to the programs "collperf" and "train". Options
 * that have a key in the scenario are refused, and so are options that are not possible in a
 * scenario, such as a sweep of sizes. The programs check the values of all other options.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doc.h"
#include "scenario.h"
#include "text.h"

const struct rf_name rf_collective_names[] = {
	{ "all_reduce", 0 }, { "all_gather", 1 }, { "reduce_scatter", 2 },
	{ "broadcast", 3 }, { "reduce", 4 }, { "alltoall", 5 },
	{ "sendrecv", 6 }, { "barrier", 7 },
	{ }
};

#define COLLECTIVE	(1u << RF_WORK_COLLECTIVE)
#define TRAIN		(1u << RF_WORK_TRAIN)
#define BOTH		(COLLECTIVE | TRAIN)

struct option {
	const char *name;
	char letter;
	unsigned int programs;		/* bit n: enum rf_work */
	bool value;
	const char *key;		/* key of the scenario to use instead */
};

static const struct option options[] = {
	{ "ranks", 'N', BOTH, true, "workload: ranks" },
	{ "rails", 0, BOTH, true, "workload: rails" },
	{ "failover", 0, COLLECTIVE, false, "workload: failover" },
	{ "minbytes", 'b', COLLECTIVE, true, "workload: size" },
	{ "maxbytes", 'e', COLLECTIVE, true, "workload: size" },
	{ "iters", 'n', COLLECTIVE, true, "workload: steps" },
	{ "warmup_iters", 'w', COLLECTIVE, true, "workload: warmup" },
	{ "compute", 0, BOTH, true, "workload: compute" },
	{ "steps", 0, TRAIN, true, "workload: steps" },
	{ "gradient", 0, TRAIN, true, "workload: size" },
	{ "parallel", 0, TRAIN, true, "workload: train" },
	{ "timeout", 0, BOTH, true, "qp: timeout" },
	{ "retry-cnt", 0, BOTH, true, "qp: retry-cnt" },
	{ "mtu", 0, BOTH, true, "qp: mtu" },
	{ "check", 'c', COLLECTIVE, true, NULL },
	{ "op", 'o', COLLECTIVE, true, NULL },
	{ "datatype", 'd', COLLECTIVE, true, NULL },
	{ "root", 'r', COLLECTIVE, true, NULL },
	{ "place", 0, COLLECTIVE, true, NULL },
	{ "algo", 0, BOTH, true, NULL },
	{ "straggler", 0, COLLECTIVE, true, NULL },
	{ "stagger", 0, COLLECTIVE, true, NULL },
	{ "data", 0, TRAIN, true, NULL },
	{ "hidden", 0, TRAIN, true, NULL },
	{ "batch", 0, TRAIN, true, NULL },
	{ "lr", 0, TRAIN, true, NULL },
	{ "momentum", 0, TRAIN, true, NULL },
	{ "seed", 0, BOTH, true, NULL },
	{ "micro", 0, TRAIN, true, NULL },
	{ "buckets", 0, TRAIN, true, NULL },
	{ "spin", 0, TRAIN, false, NULL },
	{ "load", 0, TRAIN, true, NULL },
	{ "checkpoint", 0, TRAIN, true, NULL },
	{ "no-check", 0, TRAIN, false, NULL },
	{ "gid-index", 0, BOTH, true, NULL },
	{ "protocol", 0, BOTH, true, NULL },
	{ "qps-per-peer", 0, BOTH, true, NULL },
	{ "chunk", 0, BOTH, true, NULL },
	{ "tclass", 0, BOTH, true, NULL },
	{ "psn", 0, BOTH, true, NULL },
	{ "deadline", 0, BOTH, true, NULL },
};

#define OPTIONS (sizeof(options) / sizeof(options[0]))

/* Options that start a sweep; they are refused, because a case is one series of steps. */
static const struct {
	const char *option;
	const char *value;		/* value that starts a sweep */
	const char *one;		/* valid values, for the error message */
} sweeps[] = {
	{ "op", "all", "one operation" },
	{ "datatype", "all", "one type" },
	{ "root", "all", "one rank" },
	{ "place", "both", "out or in" },
};

static bool is_named(const struct option *o, const char *word, size_t len)
{
	if (!strncmp(word, "--", 2))
		return strlen(o->name) == len - 2 &&
		       !strncmp(o->name, word + 2, len - 2);
	/* A short option is not followed by "=": in "-n=5", the value would be "=5". */
	return o->letter && word[0] == '-' && word[1] == o->letter && !word[2];
}

static const struct option *find_option(const struct rf_workload *w, const char *word)
{
	size_t i, len = strcspn(word, "=");

	for (i = 0; i < OPTIONS; i++)
		if (options[i].programs >> w->kind & 1 &&
		    is_named(&options[i], word, len))
			return &options[i];
	return NULL;
}

static int refuse_program_option(const struct rf_workload *w, const char *word,
				 struct rf_why *why)
{
	const char *names[OPTIONS + 1], *near;
	char bare[32];
	size_t i, n = 0;

	for (i = 0; i < OPTIONS; i++)
		if (options[i].programs >> w->kind & 1 && !options[i].key)
			names[n++] = options[i].name;
	names[n] = NULL;
	snprintf(bare, sizeof(bare), "%.*s", (int)strcspn(word, "="),
		 word + strspn(word, "-"));
	near = rf_suggest(bare, names);
	if (near)
		return rf_why_refuse(why, "unknown option \"%s\"; did you mean \"--%s\"?",
				     word, near);
	return rf_why_refuse(why, "\"%s\": not an option of %s that a scenario can use",
			     word, w->kind == RF_WORK_TRAIN ? "train" : "collperf");
}

static int check_value(const struct option *o, const char *value,
		       struct rf_why *why)
{
	size_t i;

	for (i = 0; i < sizeof(sweeps) / sizeof(sweeps[0]); i++)
		if (!strcmp(sweeps[i].option, o->name) &&
		    !strcmp(sweeps[i].value, value))
			return rf_why_refuse(why, "--%s \"%s\": starts a sweep of several runs, but a case is one run; use %s",
					     o->name, value, sweeps[i].one);
	return 0;
}

/* Check one option, and advance @argv past it and its value. */
static int check_one(const struct rf_workload *w, char ***argv,
		     struct rf_why *why)
{
	const char *word = *(*argv)++;
	const struct option *o = find_option(w, word);
	const char *joined = strchr(word, '=');
	const char *value = joined ? joined + 1 : **argv;

	if (!o)
		return refuse_program_option(w, word, why);
	if (o->key)
		return rf_why_refuse(why, "\"%s\": use the key \"%s\" instead",
				     word, o->key);
	if (!o->value)
		return joined ? rf_why_refuse(why, "\"%s\": --%s takes no value",
					      word, o->name) : 0;
	if (!value)
		return rf_why_refuse(why, "--%s: value missing",
				     o->name);
	*argv += !joined;
	return check_value(o, value, why);
}

/**
 * rf_options_check - check the options of a workload
 * @w: the workload
 * @why: the reason of an error
 *
 * Return: 0, -EINVAL or -ENOMEM.
 */
int rf_options_check(const struct rf_workload *w, struct rf_why *why)
{
	char *argv[RF_RULE_WORDS_MAX + 1] = { }, **word = argv;
	char *copy = strdup(w->options);
	int err = 0;

	if (!copy)
		return -ENOMEM;
	if (rf_split_words(copy, argv, RF_RULE_WORDS_MAX) < 0)
		err = rf_why_refuse(why, "too many words; up to %d",
				    RF_RULE_WORDS_MAX);
	while (!err && *word)
		err = check_one(w, &word, why);
	free(copy);
	return err;
}

/**
 * rf_option_value - get the value of an option in the options of a workload
 * @w: the workload, after rf_options_check()
 * @name: the long name of the option
 * @value: gets the last value of the option
 * @len: size of @value
 *
 * Return: true if the options contain it.
 */
bool rf_option_value(const struct rf_workload *w, const char *name, char *value, size_t len)
{
	char *argv[RF_RULE_WORDS_MAX + 1] = { }, **word = argv, *joined;
	char *copy = w->options ? strdup(w->options) : NULL;
	const struct option *o;
	bool found = false;

	if (copy && rf_split_words(copy, argv, RF_RULE_WORDS_MAX) >= 0)
		while (*word) {
			o = find_option(w, *word);
			joined = strchr(*word++, '=');
			if (!o || !o->value)
				continue;
			if (!strcmp(o->name, name)) {
				snprintf(value, len, "%s", joined ? joined + 1 : *word);
				found = true;
			}
			word += !joined;
		}
	free(copy);
	return found;
}

/**
 * rf_options_have - check whether the options of a workload contain an option
 * @w: the workload
 * @name: the long name of the option
 *
 * Return: true if they contain it.
 */
bool rf_options_have(const struct rf_workload *w, const char *name)
{
	const char *at = w->options;
	size_t len = strlen(name);

	while (at && (at = strstr(at, name))) {
		if (at - w->options >= 2 && at[-1] == '-' && at[-2] == '-' &&
		    strchr(" =", at[len]))
			return true;
		at += len;
	}
	return false;
}

/**
 * rf_case_is_clean - check whether a case can be the baseline of other cases
 * @test_case: the case
 *
 * Return: true if it has no faults and its job has no straggler.
 */
bool rf_case_is_clean(const struct rf_case *test_case)
{
	return !test_case->nfaults && !rf_options_have(&test_case->workload, "straggler");
}
