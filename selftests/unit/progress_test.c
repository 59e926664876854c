// SPDX-License-Identifier: GPL-2.0
/* Test the progress line of a run: the estimate of the remaining time. */
#include <string.h>

#include "tools/run/progress.c"
#include "golden.h"
#include "tap.h"

#define S SECOND

/* The second of three cases is running; a quarter of its steps took 5 s. */
static const struct rf_progress middle = {
	.name = "lab", .label = "tail", .case_number = 2, .cases = 3,
	.step = 10, .steps = 40, .ns = 5 * S, .done_ns = 8 * S,
	.deadline_ns = 595 * S,
};

static void says(const struct rf_progress *p, const char *what)
{
	char line[160];

	rf_progress_line(p, line, sizeof(line));
	golden(line, "%s", what);
}

int main(void)
{
	struct rf_progress p = middle;
	char line[24];

	says(&p, "second of three cases: remaining time of this case and as much as the first case took");
	p.case_number = 1;
	says(&p, "first case: the estimate assumes that the other cases take as long");
	p = middle;
	p.case_number = 3;
	p.step = 40;
	p.ns = 20 * S;
	says(&p, "last case after its last step: nothing remains");
	p = middle;
	p.step = 0;
	p.ns = 0;
	says(&p, "before the first step: the deadline is the estimate");
	p.steps = 0;
	says(&p, "job without steps");
	p.waits_for = "server";
	says(&p, "a process is not ready");
	p = middle;
	p.step = 41;
	says(&p, "more steps than announced");
	rf_progress_line(&middle, line, sizeof(line));
	ok(strlen(line) == sizeof(line) - 1, "rf_progress_line() truncates the line to a small buffer");
	golden_compare("progress.txt");
	return done_testing();
}
