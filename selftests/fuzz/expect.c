// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz the parser of an expectation of a scenario's case. The parser must accept the
 * expectation, or name the column of the error. The evaluation of an accepted expectation
 * must work with any values of the metrics, and must give the same result each time.
 */
#include <math.h>

#include "quiet.h"
#include "tools/scenario/expr.h"
#include "tools/scenario/scenario.h"

/*
 * The metrics for an expectation: every third metric has no value, and every other case is
 * unknown.
 */
static const char *value(void *arg, const char *case_name, const char *name, double *v)
{
	size_t n = strlen(name);

	must(n < 128);
	*v = *(double *)arg + n;
	return n % 3 && !(case_name && strlen(case_name) % 2) ? NULL : "unknown";
}

static bool index_of(void *arg, const char *job, const char *what, size_t i, char buf[16])
{
	(void)arg;
	(void)job;
	(void)what;
	snprintf(buf, 16, "%zu", i);
	return i < 3;
}

static void judge(const struct rf_check *check, double start)
{
	const struct rf_metric_source source = {
		.row = rf_metrics.row, .value = value, .index = index_of,
	};
	struct rf_check_result first, again;
	char text[64];

	rf_check_eval(check, &source, &start, &first);
	rf_check_eval(check, &source, &start, &again);
	must(first.known == again.known && first.holds == again.holds);
	must(!first.holds || first.known);
	must(!first.holds || !first.why);
	must(first.known || first.why);
	must(!strcmp(first.where, again.where));
	rf_check_format(check, first.got, text, sizeof(text));
	must(fuzz_is_line(text, sizeof(text)));
}

static void ask(const struct rf_check *check)
{
	const char *case_name;
	size_t i;

	for (i = 0; rf_check_names_case(check, &case_name, i); i++)
		must(case_name && *case_name);
	rf_check_is_about(check, "step.time.p50");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const double starts[] = { 0, -1, 1e18, 1e-9, INFINITY };
	char *line = fuzz_text(data, size);
	unsigned int column = 0;
	struct rf_check check;
	struct rf_why why;
	size_t i;

	if (rf_check_parse(line, &rf_metrics, &check, &why, &column)) {
		must(strlen(why.text) && column <= strlen(line));
	} else {
		must(!strcmp(check.text, line));
		for (i = 0; i < sizeof(starts) / sizeof(*starts); i++)
			judge(&check, starts[i]);
		ask(&check);
	}
	rf_check_free(&check);
	free(line);
	return 0;
}
