// SPDX-License-Identifier: GPL-2.0
/* A job's own account: steps and ends are read, and what is cut short refused. */
#include <errno.h>
#include <string.h>

#include "../../tools/report/run.h"
#include "../../tools/report/steps.h"
#include "made_timeline.h"
#include "said.h"
#include "tap.h"

static void timeline_reads_ok(void)
{
	struct rf_timeline tl;
	uint32_t who;

	ok(!make_timeline(&tl, 10 * MS, ended), "a timeline is read");
	ok(rf_timeline_step(&tl, 1, 3)->wait_recv_ns == 5 * MS + 1 &&
	   !rf_timeline_step(&tl, 2, 1) && !rf_timeline_step(&tl, 0, 5) &&
	   !rf_timeline_step(&tl, 0, 0), "steps are found by rank and number");
	ok(rf_timeline_step_ns(&tl, 2) == 10 * MS + 1,
	   "a step lasts from the first start to the last end");
	ok(!rf_timeline_unfinished(&tl, &who), "all ranks ended");
	rf_timeline_free(&tl);
}

static void timeline_fails(void)
{
	struct rf_timeline tl;
	const char *why;
	uint32_t who;

	make_timeline(&tl, 10 * MS, "{\"type\":\"end\",\"rank\":0,\"status\":0,\"wrong\":0,\"error\":null}\n"
		      "{\"type\":\"end\",\"rank\":1,\"status\":3,\"wrong\":0,\"error\":\"QP is in error\"}\n");
	why = rf_timeline_unfinished(&tl, &who);
	ok(why && who == 1 && !strcmp(why, "QP is in error"),
	   "a rank that failed: %u: %s", who, why);
	rf_timeline_free(&tl);
	ok(make_timeline(&tl, 10 * MS, "{\"type\":\"step\",\"rank\":9}\n") &&
	   strstr(said, ":12: want a line"), "a rank that isn't there is refused");
	rf_timeline_free(&tl);
	ok(make_timeline(&tl, 10 * MS, "{\"type\":") && strstr(said, ":12:"),
	   "a line cut short is refused");
	rf_timeline_free(&tl);
	ok(rf_timeline_read("/dev/null", &tl) == -EINVAL,
	   "an empty file is refused");
	ok(rf_timeline_read("/tmp", &tl) == -EIO && !strcmp(said, "/tmp: Input/output error"),
	   "what can't be read isn't said to be no timeline: %s", said);
	rf_timeline_free(&tl);
}

static const char lost_peer[] =
	"{\"type\":\"end\",\"rank\":0,\"status\":4,\"wrong\":0,\"error\":\"rank 1 failed first\"}\n"
	"{\"type\":\"end\",\"rank\":1,\"status\":3,\"wrong\":0,\"error\":\"retry exceeded\"}\n";

/* Steps up to the one in which a job ended, or all but the last not through. */
static void ended_is_told_ok(void)
{
	const struct rf_rank_end *end;
	struct rf_timeline tl;
	uint32_t step;

	make_timeline(&tl, 10 * MS, lost_peer);
	ok(!rf_timeline_ended(&tl, &step) && step == STEPS &&
	   rf_steps_whole(&tl) == STEPS,
	   "a job that went through all of its steps");
	tl.steps[(STEPS - 1) * 2 + 1].broken = true;
	end = rf_timeline_ended(&tl, &step);
	ok(end == &tl.end[1] && step == STEPS && rf_steps_whole(&tl) == STEPS - 1,
	   "one that failed in the last: the rank that failed of itself");
	tl.steps[(STEPS - 1) * 2].seen = tl.steps[(STEPS - 1) * 2 + 1].seen = false;
	end = rf_timeline_ended(&tl, &step);
	ok(end == &tl.end[1] && step == STEPS &&
	   rf_steps_whole(&tl) == STEPS - 1,
	   "and one that didn't come back from there");
	tl.steps[(STEPS - 2) * 2].seen = false;
	end = rf_timeline_ended(&tl, &step);
	ok(end == &tl.end[1] && step == STEPS - 1, "one rank's record tells the step");
	memset(tl.steps, 0, STEPS * 2 * sizeof(*tl.steps));
	end = rf_timeline_ended(&tl, &step);
	ok(end == &tl.end[1] && !step, "and one that never came to a step's end");
	tl.end[0].status = tl.end[1].status = 0;
	ok(!rf_timeline_ended(&tl, &step), "or that ended well without telling any");
	rf_timeline_free(&tl);
}

int main(void)
{
	timeline_reads_ok();
	timeline_fails();
	ended_is_told_ok();
	return done_testing();
}
