// SPDX-License-Identifier: GPL-2.0
/*
 * The summary line of a comparison: the case whose time, or longest step, changed most from
 * A to B. A change that is no larger than the changes between two runs of the same scenario
 * is noise, and is not reported.
 */
#include <math.h>

#include "tools/analysis/analysis.h"
#include "units.h"
#include "words.h"

static const struct apart {
	const char *metric, *words;
	double noise;			/* factor between A and B; a smaller factor is noise */
} aparts[] = {
	{ "case.time", "it took", 1.02 },
	{ "step.time.max", "its longest step took", 1.10 },
};

#define APARTS (sizeof(aparts) / sizeof(aparts[0]))

struct difference {
	const char *case_name;
	size_t apart;
	double was, is;
	double size;			/* |log(B / A)| / log(noise); 1 or less: noise */
};

static void weigh(const struct rf_compared *c, const char *case_name, size_t apart,
		  struct difference *most)
{
	const struct apart *a = &aparts[apart];
	double v[RF_COMPARED], size;

	if (!rf_compare_values(c, case_name, rf_compare_metric(a->metric), v) ||
	    !(v[0] > 0) || !(v[1] > 0))
		return;
	size = fabs(log(v[1] / v[0])) / log(a->noise);
	if (size > most->size)
		*most = (struct difference){ case_name, apart, v[0], v[1], size };
}

/**
 * rf_compare_summary_line - write the summary line of a comparison
 * @c: the two runs
 * @buf: output buffer
 * @len: size of @buf
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
		if (rf_compare_lacks(c, a->cases[i].test_case->name))
			continue;
		shared++;
		for (k = 0; k < APARTS; k++)
			weigh(c, a->cases[i].test_case->name, k, &most);
	}
	if (!shared)
		snprintf(buf, len, "The runs have no case in common.");
	else if (most.case_name)
		snprintf(buf, len, "Case \"%s\" changed most: %s %s in run B and %s in run A (%s).",
			 most.case_name, aparts[most.apart].words,
			 rf_fmt_time(most.is, is),
			 rf_fmt_time(most.was, was),
			 rf_compare_change(rf_compare_metric(aparts[most.apart].metric),
					   most.was, most.is, change));
	else
		snprintf(buf, len, "No significant change: in each case, the total time changed by less than 2 %% and the longest step by less than 10 %%.");
	return buf;
}
