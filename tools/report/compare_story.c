// SPDX-License-Identifier: GPL-2.0
/*
 * Runs side by side in a sentence: the case that took longest or shortest
 * against the first run's, or had the longest or shortest step. What is less far
 * apart than two cases of one run are is not spoken of.
 */
#include <math.h>

#include "compare.h"
#include "metric.h"
#include "units.h"

static const struct apart {
	const char *metric, *words;
	double noise;			/* a ratio */
} aparts[] = {
	{ "case.time", "it took", 1.02 },
	{ "step.time.max", "its longest step took", 1.10 },
};

#define APARTS (sizeof(aparts) / sizeof(aparts[0]))

struct difference {
	const char *kase;
	size_t run, apart;
	double was, is;
	double size;			/* 1: as far apart as noise is */
};

static void weigh(const struct rf_compared *c, const char *kase, size_t apart,
		  struct difference *most)
{
	const struct apart *a = &aparts[apart];
	double v[RF_COMPARE_MAX], size;
	size_t i;

	if (!rf_compare_values(c, kase, rf_compare_metric(a->metric), v) || !(v[0] > 0))
		return;
	for (i = 1; i < c->n; i++) {
		if (!(v[i] > 0))
			continue;
		size = fabs(log(v[i] / v[0])) / log(a->noise);
		if (size > most->size)
			*most = (struct difference){ kase, i, apart, v[0], v[i], size };
	}
}

/**
 * rf_compare_summary_line - what is most different
 * @c: the runs
 * @buf: where to write
 * @len: room there
 *
 * Return: @buf.
 */
char *rf_compare_summary_line(const struct rf_compared *c, char *buf, size_t len)
{
	char was[RF_FMT_LEN], is[RF_FMT_LEN], change[RF_COMPARE_LEN];
	struct difference most = { .size = 1 };
	const struct rf_run *a = c->runs[0];
	size_t i, k, shared = 0;

	for (i = 0; i < a->ncases; i++) {
		if (rf_compare_lacks(c, a->cases[i].kase->name))
			continue;
		shared++;
		for (k = 0; k < APARTS; k++)
			weigh(c, a->cases[i].kase->name, k, &most);
	}
	if (!shared)
		snprintf(buf, len, "The runs share no case: there is nothing to compare.");
	else if (most.kase)
		snprintf(buf, len, "\"%s\" differs most: %s %s in %c instead of %s in A (%s).",
			 most.kase, aparts[most.apart].words,
			 rf_fmt_time(most.is, is), (char)('A' + most.run),
			 rf_fmt_time(most.was, was),
			 rf_compare_change(rf_compare_metric(aparts[most.apart].metric),
					   most.was, most.is, change));
	else
		snprintf(buf, len, "No case that the runs share took 2 %% more or less than in A, nor had a longest step 10 %% longer or shorter.");
	return buf;
}
