// SPDX-License-Identifier: GPL-2.0
/*
 * Metrics of two compared runs. Cases are matched by name. The value of a case with
 * several rounds is the median, so runs with different numbers of rounds can be
 * compared.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "units.h"

/** rf_compare_name - get the name of a run: the last part of the path of its directory */
const char *rf_compare_name(const struct rf_run *run)
{
	const char *slash = strrchr(run->dir, '/');

	return slash && slash[1] ? slash + 1 : run->dir;
}

/** rf_compare_metric - find a metric by its name; NULL: unknown name */
const struct rf_metric_info *rf_compare_metric(const char *name)
{
	const struct rf_metric_info *m;
	size_t i;

	for (i = 0; (m = rf_metrics.row(i)); i++)
		if (!strcmp(m->name, name))
			return m;
	return NULL;
}

static int doubles_by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Return: the median of the values of all rounds; NAN if a round has no value */
static double median(const struct rf_run *run, const char *case_name,
		     const struct rf_metric_info *m)
{
	double *v = calloc(run->ncases + 1, sizeof(*v)), result = NAN;
	bool unknown = false;
	size_t i, n = 0;

	for (i = 0; v && i < run->ncases; i++) {
		if (strcmp(run->cases[i].test_case->name, case_name))
			continue;
		v[n] = rf_metric(run, &run->cases[i], m->name);
		unknown |= isnan(v[n++]);
	}
	if (n && !unknown) {
		qsort(v, n, sizeof(*v), doubles_by_value);
		result = m->unit == RF_UNIT_WORD || n % 2 ? v[n / 2] :
			 (v[n / 2 - 1] + v[n / 2]) / 2;
	}
	free(v);
	return result;
}

/**
 * rf_compare_values - get the values of a metric of a case
 * @c: the two runs
 * @case_name: the case's name
 * @m: the metric
 * @v: filled in, one value per run; NAN: the run has no value
 *
 * Return: false if both values are 0 or missing.
 */
bool rf_compare_values(const struct rf_compared *c, const char *case_name,
		       const struct rf_metric_info *m, double v[RF_COMPARED])
{
	bool something = false;
	size_t i;

	for (i = 0; i < RF_COMPARED; i++) {
		v[i] = median(c->runs[i], case_name, m);
		something |= !isnan(v[i]) && v[i] != 0;
	}
	return something;
}

/**
 * rf_compare_value - format a value with its unit
 * @m: the metric
 * @v: value of the metric, 0 or more; NAN: no value
 * @buf: output buffer
 *
 * Return: @buf.
 */
char *rf_compare_value(const struct rf_metric_info *m, double v,
		       char buf[RF_COMPARE_LEN])
{
	char text[RF_FMT_LEN], dollars[32];
	size_t len = RF_COMPARE_LEN;

	if (isnan(v))
		snprintf(buf, len, "-");
	else if (m->unit == RF_UNIT_TIME)
		snprintf(buf, len, "%s", rf_fmt_time(v, text));
	else if (m->unit == RF_UNIT_BYTES)
		snprintf(buf, len, "%s", rf_fmt_size(v, text));
	else if (m->unit == RF_UNIT_SHARE)
		snprintf(buf, len, "%.4g %%", v * 100);
	else if (m->unit == RF_UNIT_RATE)
		snprintf(buf, len, "%.4g Mbit/s", v / 1e6);
	else if (m->unit == RF_UNIT_DOLLARS)
		snprintf(buf, len, "%s", rf_fmt_dollars(v, dollars));
	else if (m->unit == RF_UNIT_WORD)
		snprintf(buf, len, "%s", rf_value_name(m->names, v));
	else
		snprintf(buf, len, "%.10g", v);
	return buf;
}

/**
 * rf_compare_change - format the change from A to B
 * @m: the metric
 * @was: value of the metric in A; NAN: no value
 * @is: value of the metric in B; NAN: no value
 * @buf: output buffer
 *
 * Return: @buf; "" if the values are words and equal, or if neither run has a value.
 */
char *rf_compare_change(const struct rf_metric_info *m, double was, double is,
			char buf[RF_COMPARE_LEN])
{
	size_t len = RF_COMPARE_LEN;

	buf[0] = '\0';
	if (m->unit == RF_UNIT_WORD || isnan(was) || isnan(is))
		snprintf(buf, len, "%s", was == is ||
			 (isnan(was) && isnan(is)) ? "" : "differs");
	else if (was == is)
		snprintf(buf, len, "same");
	else if (was == 0)
		snprintf(buf, len, "new");
	else if (fabs(is / was) >= 10)
		snprintf(buf, len, "x %.3g", is / was);
	else
		snprintf(buf, len, "%+.1f %%", (is / was - 1) * 100);
	return buf;
}

/** rf_compare_case - find the first round of a case by its name; NULL: no such case */
const struct rf_run_case *rf_compare_case(const struct rf_run *run,
					  const char *name)
{
	size_t i;

	for (i = 0; i < run->ncases; i++)
		if (!strcmp(run->cases[i].test_case->name, name))
			return &run->cases[i];
	return NULL;
}

/**
 * rf_compare_lacks - find the run in which a case is missing
 * @c: the two runs
 * @name: the case
 *
 * Return: a run that has no case of this name; NULL if both have it.
 */
const struct rf_run *rf_compare_lacks(const struct rf_compared *c,
				      const char *name)
{
	size_t i;

	for (i = 0; i < RF_COMPARED; i++)
		if (!rf_compare_case(c->runs[i], name))
			return c->runs[i];
	return NULL;
}

/**
 * rf_compare_differ - check whether the two runs have different test setups
 * @c: the two runs
 *
 * Return: true if scenario, kernel, number of CPUs or clock (real or virtual time)
 * differ. Such a difference can be the cause of different values.
 */
bool rf_compare_differ(const struct rf_compared *c)
{
	const struct rf_run *a = c->runs[0], *b = c->runs[1];

	return strcmp(a->scenario->name, b->scenario->name) ||
	       strcmp(a->kernel, b->kernel) || a->cpus != b->cpus ||
	       a->env.time != b->env.time;
}
