// SPDX-License-Identifier: GPL-2.0
/*
 * Check whether the times of two cases can be compared. Step times are comparable if both
 * cases do the same work in a step. Total times are comparable if the number of steps is
 * also the same.
 *
 * Timers, retry counts and options that do not change the packets or their order may
 * differ, because they do not change the times of a case without faults. --straggler may
 * differ, because it is the fault under test.
 */
#include <string.h>

#include "run.h"

#define BLANKS " \t\r\n"

static const char *const no_matter[] = {
	"--straggler", "--tclass", "--deadline", "--psn", "--gid-index",
};

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static const char *next_word(const char **at, size_t *len)
{
	const char *word = *at + strspn(*at, BLANKS);

	*len = strcspn(word, BLANKS);
	*at = word + *len;
	return word;
}

static bool matters(const char *word)
{
	size_t i, len = strcspn(word, "=" BLANKS);

	for (i = 0; i < sizeof(no_matter) / sizeof(*no_matter); i++)
		if (len == strlen(no_matter[i]) &&
		    !strncmp(word, no_matter[i], len))
			return false;
	return true;
}

/*
 * Get the next word of the options. Options in no_matter are skipped together with their
 * values ("--name=value" or "--name value"), because they cannot change the times.
 */
static const char *next_that_matters(const char **at, size_t *len)
{
	const char *word = next_word(at, len);

	while (!matters(word)) {
		if (!memchr(word, '=', *len))
			next_word(at, len);
		word = next_word(at, len);
	}
	return word;
}

static bool same_options(const char *a, const char *b)
{
	const char *x, *y;
	size_t n, k;

	a = a ? a : "";
	b = b ? b : "";
	do {
		x = next_that_matters(&a, &n);
		y = next_that_matters(&b, &k);
		if (n != k || memcmp(x, y, n))
			return false;
	} while (n);
	return true;
}

static bool same_env(const struct rf_env *a, const struct rf_env *b)
{
	size_t i;

	for (i = 0; i < a->n && i < b->n && !strcmp(a->v[i], b->v[i]); i++)
		;
	return i == a->n && i == b->n;
}

static bool same_step_of_job(const struct rf_case *a, const struct rf_case *b)
{
	const struct rf_workload *x = &a->workload, *y = &b->workload;

	return x->kind == y->kind && same_text(x->name, y->name) &&
	       same_text(x->collective, y->collective) &&
	       same_text(x->parallel, y->parallel) &&
	       same_text(x->background, y->background) &&
	       same_options(x->options, y->options) && x->ranks == y->ranks &&
	       x->rails == y->rails &&
	       !memcmp(x->placement.node, y->placement.node, sizeof(x->placement.node)) &&
	       x->size == y->size && same_env(&x->env, &y->env) && x->compute_ns == y->compute_ns &&
	       a->qp.mtu == b->qp.mtu;
}

/**
 * rf_same_step - check whether two cases do the same work in a step, except for faults
 * @a: a case
 * @b: the other case
 *
 * Return: true if so, and if the same other jobs run beside it.
 */
bool rf_same_step(const struct rf_case *a, const struct rf_case *b)
{
	size_t i;

	if (a->nothers != b->nothers || !same_step_of_job(a, b))
		return false;
	for (i = 0; i < a->nothers; i++)
		if (!same_step_of_job(&a->others[i], &b->others[i]))
			return false;
	return true;
}

/**
 * rf_same_job - check whether two cases have the same job, except for faults
 * @a: a case
 * @b: the other case
 *
 * Return: true if so.
 */
bool rf_same_job(const struct rf_case *a, const struct rf_case *b)
{
	return rf_same_step(a, b) && a->workload.steps == b->workload.steps;
}
