// SPDX-License-Identifier: GPL-2.0
/* What is left of a run, as its progress line has it. */
#include <string.h>

#include "../../tools/scenario/progress.c"
#include "golden.h"
#include "tap.h"

#define S SECOND

/* The middle one of three cases, a quarter of it done in 5 s. */
static const struct rf_progress middle = {
	.name = "lab", .label = "tail", .kase = 2, .cases = 3,
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

	says(&p, "15 s of this case and as much as the first took");
	p.kase = 1;
	says(&p, "in the first, the others are taken to be like it");
	p = middle;
	p.kase = 3;
	p.step = 40;
	p.ns = 20 * S;
	says(&p, "nothing is left of the last step");
	p = middle;
	p.step = 0;
	p.ns = 0;
	says(&p, "before the first step, the deadline");
	p.steps = 0;
	says(&p, "a job without steps");
	p = middle;
	p.step = 41;
	says(&p, "a command that announces more steps than it said");
	rf_progress_line(&middle, line, sizeof(line));
	ok(strlen(line) == sizeof(line) - 1, "a small buffer is kept to");
	golden_compare("progress.txt");
	return done_testing();
}
