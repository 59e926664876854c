// SPDX-License-Identifier: GPL-2.0
/*
 * Make the command line of a workload. If the scenario does not set a value, the option is
 * omitted, and the program uses the default of the option.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario.h"

#define WORDS_MAX (RF_RULE_WORDS_MAX + 64)

struct words {
	char **argv;
	size_t n;
	int err;
};

static void append_word(struct words *w, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void append_word(struct words *w, const char *fmt, ...)
{
	va_list ap;

	if (w->err)
		return;
	va_start(ap, fmt);
	if (w->n == WORDS_MAX)
		w->err = -E2BIG;
	else if (vasprintf(&w->argv[w->n], fmt, ap) < 0)
		w->err = -ENOMEM;
	else
		w->n++;
	va_end(ap);
}

static void add_options(struct words *words, const struct rf_workload *w)
{
	char *argv[RF_RULE_WORDS_MAX + 1] = { };
	char *copy = w->options ? strdup(w->options) : NULL;
	size_t i;

	if (!copy) {
		words->err = w->options ? -ENOMEM : words->err;
		return;
	}
	rf_split_words(copy, argv, RF_RULE_WORDS_MAX);
	for (i = 0; argv[i]; i++)
		append_word(words, "%s", argv[i]);
	free(copy);
}

static void add_option(struct words *words, const char *name, uint64_t v,
		       const char *unit)
{
	append_word(words, "%s", name);
	append_word(words, "%llu%s", (unsigned long long)v, unit);
}

/* Add the options that the programs "collperf" and "train" have in common. */
static void add_job(struct words *words, const struct rf_workload *w,
		    const struct rf_qp_attr *qp, const struct rf_places *places)
{
	add_option(words, "-N", w->ranks, "");
	if (places->rendezvous) {
		add_option(words, "--rank", places->rank, "");
		append_word(words, "--rendezvous");
		append_word(words, "%s", places->rendezvous);
	}
	add_option(words, "--compute", w->compute_ns, "ns");
	if (w->rails)
		add_option(words, "--rails", w->rails, "");
	if (w->failover)
		append_word(words, "--failover");
	append_word(words, "--device");
	append_word(words, "%s", places->devices);
	add_option(words, "--timeout", qp->timeout, "");
	add_option(words, "--retry-cnt", qp->retry_cnt, "");
	add_option(words, "--mtu", qp->mtu, "");
	if (!rf_options_have(w, "deadline"))
		add_option(words, "--deadline", places->deadline_ns, "ns");
	add_options(words, w);
}

static void collective(struct words *words, const struct rf_workload *w,
		       const struct rf_qp_attr *qp,
		       const struct rf_places *places)
{
	append_word(words, "collperf");
	append_word(words, "%s", w->collective);
	if (w->size) {
		add_option(words, "-b", w->size, "");
		add_option(words, "-e", w->size, "");
	}
	add_option(words, "-n", w->steps, "");
	add_option(words, "-w", w->warmup, "");
	add_option(words, "-z", 1, "");
	append_word(words, "--timeline");
	append_word(words, "%s", places->timeline);
	if (places->seed && rf_options_have(w, "stagger") && !rf_options_have(w, "seed"))
		add_option(words, "--seed", *places->seed, "");
	add_job(words, w, qp, places);
}

static void train_command(struct words *words, const struct rf_workload *w,
			  const struct rf_qp_attr *qp, const struct rf_places *places)
{
	append_word(words, "train");
	append_word(words, "--json");
	append_word(words, "--timeline");
	append_word(words, "%s", places->timeline);
	append_word(words, "--parallel");
	append_word(words, "%s", w->parallel);
	add_option(words, "--steps", w->steps, "");
	if (w->size)
		add_option(words, "--gradient", w->size, "");
	if (places->seed && !rf_options_have(w, "seed"))
		add_option(words, "--seed", *places->seed, "");
	add_job(words, w, qp, places);
}

/**
 * rf_workload_argv - make the command line of a workload of collperf or train
 * @w: the workload
 * @qp: attributes of its queue pairs
 * @places: values that depend on the run
 * @argv: the new command line, terminated by NULL
 *
 * Return: 0, -E2BIG or -ENOMEM.
 */
int rf_workload_argv(const struct rf_workload *w, const struct rf_qp_attr *qp,
		     const struct rf_places *places, char ***argv)
{
	struct words words = {
		.argv = calloc(WORDS_MAX + 1, sizeof(*words.argv)),
	};

	if (!words.argv)
		return -ENOMEM;
	if (w->kind == RF_WORK_COLLECTIVE)
		collective(&words, w, qp, places);
	else
		train_command(&words, w, qp, places);
	if (words.err)
		rf_workload_argv_free(words.argv);
	else
		*argv = words.argv;
	return words.err;
}

/**
 * rf_workload_argv_free - free a command line
 * @argv: the command line
 */
void rf_workload_argv_free(char **argv)
{
	size_t i;

	for (i = 0; argv[i]; i++)
		free(argv[i]);
	free(argv);
}
