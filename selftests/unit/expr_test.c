// SPDX-License-Identifier: GPL-2.0
/*
 * Test expectations: which comparisons are valid, which ones are true for given values, and which
 * column an error message names.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "../../tools/base/units.c"
#include "../../tools/base/text.c"
#include "../../tools/base/why.c"
#include "../../tools/base/suggest.c"
#include "../../tools/scenario/expr.c"
#include "../../tools/scenario/expr_dim.c"
#define same same_value
#include "../../tools/scenario/expr_eval.c"
#include "golden.h"
#include "tap.h"

static const struct rf_name detections[] = {
	{ "nothing", 0 }, { "nak", 1 }, { "timeout", 2 }, { }
};

static const struct rf_metric_info rows[] = {
	{ "faults.hit", RF_UNIT_COUNT, "", NULL },
	{ "step.time.p50", RF_UNIT_TIME, "", NULL },
	{ "step.time.p99", RF_UNIT_TIME, "", NULL },
	{ "pause.coverage", RF_UNIT_SHARE, "", NULL },
	{ "goodput", RF_UNIT_RATE, "", NULL },
	{ "retransmitted.bytes", RF_UNIT_BYTES, "", NULL },
	{ "stall.cost", RF_UNIT_DOLLARS, "", NULL },
	{ "detected_by", RF_UNIT_WORD, "", detections },
	{ "rank[].wrong", RF_UNIT_COUNT, "", NULL },
	{ "rank[].step.time.p50", RF_UNIT_TIME, "", NULL },
	{ "port[].prio[].dropped", RF_UNIT_COUNT, "", NULL },
	{ "port[].sent", RF_UNIT_COUNT, "", NULL },
	{ "unmeasured", RF_UNIT_COUNT, "", NULL },
};

static const struct rf_metric_info *row(size_t i)
{
	return i < sizeof(rows) / sizeof(rows[0]) ? &rows[i] : NULL;
}

static const char *value(void *arg, const char *case_name, const char *name, double *v)
{
	static const struct {
		const char *name;
		double v;
	} values[] = {
		{ "faults.hit", 1 }, { "step.time.p50", 4e6 },
		{ "step.time.p99", 4.5e6 }, { "pause.coverage", 0.999 },
		{ "goodput", 2e9 }, { "retransmitted.bytes", 65536 },
		{ "stall.cost", 12.5 }, { "detected_by", 1 },
		{ "rank[0].wrong", 0 }, { "rank[1].wrong", 0 },
		{ "rank[2].wrong", 7 },
		{ "rank[0].step.time.p50", 1e6 },
		{ "rank[1].step.time.p50", 2e6 },
		{ "rank[2].step.time.p50", 3e6 },
		{ "port[v1].prio[0].dropped", 0 },
		{ "port[v1].prio[1].dropped", 1 },
		{ "port[v2].prio[0].dropped", 4 },
		{ "port[v2].prio[1].dropped", 5 },
		{ "port[v1].sent", 6 }, { "port[v2].sent", 8 },
		{ "job[a].faults.hit", 1 }, { "job[b].faults.hit", 2 },
		{ "job[a].rank[0].wrong", 0 }, { "job[a].rank[1].wrong", 0 },
		{ "job[a].rank[2].wrong", 7 },
		{ "job[b].rank[0].wrong", 0 }, { "job[b].rank[1].wrong", 0 },
	};

	(void)arg;
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		if (strcmp(values[i].name, name))
			continue;
		*v = values[i].v * (case_name ? 0.5 : 1);
		return NULL;
	}
	return "not measured";
}

/* The case has the jobs a, with ranks 0 to 2, and b, with ranks 0 and 1. */
static bool index_of(void *arg, const char *job, const char *what, size_t i, char buf[16])
{
	(void)arg;
	snprintf(buf, 16, "%c", (int)('a' + i));
	if (!strcmp(what, "job"))
		return i < 2;
	snprintf(buf, 16, "%zu", i);
	if (!strcmp(what, "rank"))
		return i < (job && !strcmp(job, "b") ? 2 : 3);
	if (!strcmp(what, "prio"))
		return i < 2;
	snprintf(buf, 16, "v%zu", i + 1);
	return !strcmp(what, "port") && i < 2;
}

/* Metrics of ports are not those of a job. */
static bool is_of_job(size_t i)
{
	return strncmp(row(i)->name, "port", 4);
}

static const struct rf_metric_source source = {
	.row = row, .value = value, .index = index_of, .of_job = is_of_job,
};

/* The error of the times of steps is 0.1 ms. */
static double error_of(void *arg, const char *case_name, const char *name)
{
	(void)arg;
	(void)case_name;
	return strncmp(name, "step.time", 9) ? 0 : 1e5;
}

static const struct rf_metric_source inexact = {
	.row = row, .value = value, .index = index_of, .error = error_of,
};

static struct rf_check_result ask_source(const char *line, const struct rf_metric_source *from)
{
	struct rf_check_result r = { };
	struct rf_check c;
	struct rf_why why;
	unsigned int column;
	int err = rf_check_parse(line, from, &c, &why, &column);

	if (err)
		ok(false, "the expectation \"%s\" is valid: %u: %s", line, column,
		   why.text);
	else
		rf_check_eval(&c, from, NULL, &r);
	rf_check_free(&c);
	return r;
}

static struct rf_check_result ask(const char *line)
{
	return ask_source(line, &source);
}

static void inexact_ok(void)
{
	struct rf_check_result r = ask_source("step.time.p50 <= 4.2ms", &inexact);

	ok(r.known && r.holds, "an expectation that is met in spite of the error is met");
	r = ask_source("step.time.p50 > 4.2ms", &inexact);
	ok(r.known && !r.holds, "an expectation that is not met in spite of the error is not met");
	r = ask_source("step.time.p50 <= 4.05ms", &inexact);
	ok(!r.known && !r.holds && r.why, "a limit that is nearer than the error gives no value");
	r = ask_source("step.time.p50 in 3.95ms..9ms", &inexact);
	ok(!r.known && !r.holds, "so does the limit of a range");
	r = ask_source("faults.hit == 1", &inexact);
	ok(r.known && r.holds, "a metric without an error is not concerned");
	r = ask_source("step.time.p50 / step.time.p99 < 1.0", &inexact);
	ok(r.known && r.holds, "the values on the left are moved together");
}

static void holds(const char *line)
{
	struct rf_check_result r = ask(line);

	ok(r.holds && r.known, "the expectation \"%s\" is met", line);
}

static void fails(const char *line)
{
	struct rf_check_result r = ask(line);

	ok(!r.holds && r.known, "the expectation \"%s\" is not met", line);
}

static void refused(const char *line, unsigned int want)
{
	struct rf_check c;
	struct rf_why why;
	unsigned int column;
	int err = rf_check_parse(line, &source, &c, &why, &column);

	ok(err == -EINVAL && column == want && !strchr(why.text, '\n'),
	   "the expectation \"%s\" is refused at column %u", line, want);
	golden(err ? why.text : "taken", "%s", line);
	rf_check_free(&c);
}

static void lines_ok(void)
{
	holds("step.time.p99 < 5 ms");
	holds("step.time.p99<5ms");
	fails("step.time.p99 < 4.5 ms");
	holds("step.time.p99 <= 4500 us");
	holds("faults.hit == 1");
	fails("faults.hit != 1");
	holds("faults.hit in 1..128");
	holds("faults.hit in 1..1");
	holds("0.3 in 0.1 + 0.2..0.3");
	holds("faults.hit * 2 in 2..2");
	fails("faults.hit + 1 in 3..4");
	holds("step.time.p50 / 2 in 1ms..5ms");
	fails("faults.hit in 5..faults.hit");
	holds("faults.hit in ..1");
	fails("faults.hit in 2..");
	holds("step.time.p50 in 4ms..5ms");
	holds("pause.coverage >= 99.9%");
	fails("pause.coverage > 99.9%");
	holds("detected_by == nak");
	fails("detected_by == timeout");
	holds("detected_by != nothing");
	holds("goodput > 1.9 gbit");
	holds("retransmitted.bytes == 64 KiB");
	holds("stall.cost < 13 USD");
	holds("ratio(step.time.p50, clean) == 2");
	holds("ratio( step.time.p50 ,lossy-0.1%-14 ) > 1.5");
}

static void sums_ok(void)
{
	holds("step.time.p99 - step.time.p50 == 500 us");
	holds("step.time.p99-step.time.p50 == 500 us");
	holds("step.time.p99 < 1 m");
	holds("1 m in 59 s..60s");
	holds("1.5h == 90 m");
	holds("1 + 2 * 3 == 7");
	holds("(1 + 2) * 3 == 9");
	holds("8 / 2 / 2 == 2");
	holds("8 - 2 - 2 == 4");
	holds("2 * step.time.p50 == 8 ms");
	holds("step.time.p50 / step.time.p99 < 1");
	holds("retransmitted.bytes / 65536 ns == 8 gbit");
	holds("max(step.time.p50, step.time.p99) == 4.5 ms");
	holds("min(1, 2) == 1");
	holds("0.1 + 0.2 == 0.3");
	holds("pause.coverage * 2 < 200%");
}

static void each_ok(void)
{
	struct rf_check_result r;

	holds("rank[2].wrong == 7");
	holds("rank[*].wrong in 0..7");
	fails("rank[*].wrong == 0");
	r = ask("rank[*].wrong == 0");
	ok(!strcmp(r.where, "2") && r.got == 7, "the result of an expectation on rank[*] names the rank and its value");
	holds("rank[*].step.time.p50 <= 1 ms + rank[*].step.time.p50");
	holds("2 * step.time.p50 > rank[*].step.time.p50");
	r = ask("unmeasured == 0");
	ok(!r.holds && !r.known, "an expectation on a metric without a value is not met");
	ok(r.why && !strcmp(r.why, "not measured"), "an expectation on a metric without a value has the reason: %s", r.why);
	r = ask("faults.hit < unmeasured");
	ok(!r.known && r.why, "an expectation with a metric without a value on the right has the reason");
	r = ask("0 / 0 == 0");
	ok(r.why && strstr(r.why, "not a number"), "an expectation on 0 / 0 has the reason: %s", r.why);
	ok(!ask("faults.hit == 2").why, "an expectation on a value has no reason");
	r = ask("unmeasured != 0");
	ok(!r.holds && !r.known, "an expectation \"!=\" on a metric without a value is not met");
	r = ask("rank[9].wrong == 0");
	ok(!r.holds && !r.known, "an expectation on a rank that does not exist is not met");
	r = ask("0 / 0 != 1");
	ok(!r.holds, "an expectation \"0 / 0 != 1\" is not met");
	r = ask("max(unmeasured, 1) == 1");
	ok(!r.holds && !r.known, "an expectation on max() of a metric without a value is not met");
	r = ask("1 == min(1, unmeasured)");
	ok(!r.holds && !r.known, "an expectation on min() of a metric without a value is not met");
	fails("max(0 / 0, 1) == 1");
	fails("min(1, 0 / 0) == 1");
}

/* A number divided by 0 is infinite. */
static void endless_ok(void)
{
	holds("5 / 0 > 2");
	holds("5 / 0 >= 2");
	holds("5 / 0 != 1");
	holds("5 / 0 == 6 / 0");
	fails("5 / 0 <= 2");
	fails("5 / 0 < 2");
	fails("5 / 0 == 1");
	fails("(5 / 0) in 1..2");
	fails("2 >= 5 / 0");
}

/*
 * [*] stands for each index, for example port[*] for each port. If a comparison has port[*]
 * more than once, all of them stand for the same port.
 */
static void each_with_each_ok(void)
{
	struct rf_check_result r;

	holds("port[*].prio[*].dropped in 0..5");
	holds("port[*].prio[*].dropped < port[*].sent");
	holds("port[v2].prio[*].dropped in 4..5");
	holds("rank[*].wrong <= port[*].sent + 1");
	fails("rank[*].wrong < port[*].sent");
	fails("port[*].prio[*].dropped <= 4");
	r = ask("port[*].prio[*].dropped <= 4");
	ok(!strcmp(r.where, "v2, 1") && r.got == 5, "the result of an expectation on port[*].prio[*] names the indices %s",
	   r.where);
	r = ask("rank[*].wrong < port[*].sent");
	ok(!strcmp(r.where, "2, v1") && r.got == 7, "the result of an expectation on rank[*] and port[*] names the indices %s",
	   r.where);
	r = ask("port[*].prio[7].dropped == 0");
	ok(!r.holds && !r.known && !strcmp(r.where, "v1"),
	   "the result of an expectation names the index %s that has no value", r.where);
}

/* [!2] stands for each index except 2, and for the same index as [*] in the same line. */
static void each_but_ok(void)
{
	struct rf_check_result r;

	holds("rank[!2].wrong == 0");
	fails("rank[!1].wrong == 0");
	r = ask("rank[!0].wrong == 0");
	ok(!strcmp(r.where, "2") && r.got == 7, "the result of an expectation on rank[!0] names the rank and its value");
	holds("rank[!2].wrong < rank[2].wrong");
	holds("rank[*].wrong == rank[!2].wrong");
	fails("rank[!1].wrong + rank[!0].wrong == 0");
	holds("rank[!1].wrong + rank[!2].wrong == 0");
	holds("port[!v2].prio[*].dropped < 4");
	fails("port[!v1].prio[*].dropped < 4");
	holds("port[!v1].prio[!1].dropped == 4");
}

/* The indices of job[b].rank[*] are the ranks of job b. */
static void jobs_ok(void)
{
	struct rf_check_result r;

	holds("job[b].faults.hit == 2");
	holds("job[*].faults.hit in 1..2");
	holds("job[!b].faults.hit == 1");
	holds("job[b].rank[*].wrong == 0");
	holds("job[!a].rank[*].wrong == 0");
	holds("job[a].rank[!2].wrong == 0");
	fails("job[a].rank[*].wrong == 0");
	holds("job[!a].rank[!2].wrong == 0");
	r = ask("job[*].rank[*].wrong == 0");
	ok(!r.holds && !strcmp(r.where, "a, 2") && r.got == 7,
	   "the result of an expectation on job[*].rank[*] names the job and its rank: %s", r.where);
	r = ask("job[c].faults.hit == 0");
	ok(!r.holds && !r.known, "an expectation on a job that does not exist is not met");
}

static void job_fails(void)
{
	refused("job[a].port[v1].sent == 1", 0);
	refused("job[a].frobnicate == 1", 0);
	refused("job[a] == 1", 0);
	refused("job[].faults.hit == 1", 0);
}

static void format_ok(void)
{
	struct rf_check c;
	struct rf_why why;
	unsigned int column;
	char buf[64];

	rf_check_parse("pause.coverage >= 99.9%", &source, &c, &why, &column);
	ok(!strcmp(rf_check_format(&c, 0.998, buf, sizeof(buf)), "99.8%"),
	   "rf_check_format() prints a share as %s", buf);
	rf_check_free(&c);
	rf_check_parse("detected_by == nak", &source, &c, &why, &column);
	ok(!strcmp(rf_check_format(&c, 2, buf, sizeof(buf)), "timeout"),
	   "rf_check_format() prints a word as %s", buf);
	rf_check_free(&c);
	rf_check_parse("step.time.p50 == 1ms", &source, &c, &why, &column);
	ok(!strcmp(rf_check_format(&c, INFINITY, buf, sizeof(buf)), "inf") &&
	   !strcmp(rf_check_format(&c, 1e20, buf, sizeof(buf)), "1e+20"),
	   "rf_check_format() prints infinity and very large times");
	ok(!strcmp(rf_check_format(&c, 67108864, buf, sizeof(buf)), "67.1 ms"),
	   "rf_check_format() prints a time as %s", buf);
	rf_check_free(&c);
}

/* Check the expectation @line. The text of the measured value must be @text. */
static void measured(const char *line, const char *text)
{
	struct rf_check_result r;
	struct rf_check c;
	struct rf_why why;
	unsigned int column;
	char buf[64];

	if (rf_check_parse(line, &source, &c, &why, &column)) {
		ok(false, "\"%s\" is understood: %s", line, why.text);
		return;
	}
	rf_check_eval(&c, &source, NULL, &r);
	rf_check_measured(&c, &r, buf, sizeof(buf));
	ok(!strcmp(buf, text), "the measured value of \"%s\" is \"%s\", got \"%s\"",
	   line, text, buf);
	rf_check_free(&c);
}

static void measured_ok(void)
{
	measured("faults.hit == 1", "1");
	measured("detected_by == nak", "nak");
	measured("rank[*].step.time.p50 > 0.5 ms", "1.00 ms to 3.00 ms");
	measured("rank[*].wrong >= 0", "0 to 7");
	measured("rank[*].wrong == 0", "7 for 2");
	measured("port[*].prio[1].dropped > 1", "1 for v1");
	measured("unmeasured == 0", "no value (not measured)");
}

static void cases_ok(void)
{
	const char *case_name = NULL;
	struct rf_check c;
	struct rf_why why;
	unsigned int column;

	rf_check_parse("ratio(step.time.p50, a) < 2 * ratio(step.time.p99, b)",
		       &source, &c, &why, &column);
	ok(rf_check_names_case(&c, &case_name, 0) && !strcmp(case_name, "a") &&
	   rf_check_names_case(&c, &case_name, 1) && !strcmp(case_name, "b") &&
	   !rf_check_names_case(&c, &case_name, 2), "rf_check_names_case() returns the cases that an expectation names");
	rf_check_free(&c);
}

static void units_fails(void)
{
	refused("step.time.p99 < 5", 16);
	refused("step.time.p99 < 5 KiB", 16);
	refused("step.time.p99 < 5 msec", 18);
	refused("step.time.p99 < 5 ms2", 20);
	refused("pause.coverage >= 99.9", 18);
	refused("faults.hit == 1%", 14);
	refused("goodput > 5 KiB", 10);
	refused("faults.hit in 1ms..2", 14);
	refused("faults.hit in 1..2ms", 17);
	refused("step.time.p50 + 1 < 2 ms", 14);
	refused("min(1, 2 ms) < 2", 11);
	refused("step.time.p50 * step.time.p50 < 2 ms", 32);
}

static void words_fails(void)
{
	refused("step.tiem.p99 < 5 ms", 0);
	refused("detected-by == nak", 0);
	refused("recovery.time < 5 ms", 0);
	refused("frobnicate < 5 ms", 0);
	refused("rank.wrong == 0", 0);
	refused("rank[].wrong == 0", 0);
	refused("rank[-1].wrong == 0", 0);
	refused("detected_by == luck", 15);
	refused("detected_by < nak", 14);
	refused("detected_by + 1 == nak", 12);
	refused("ratio(detected_by, clean) < 1", 17);
	refused("ratio(step.time.p50) < 1", 19);
	refused("ratio(step.time.p50, ) < 1", 21);
	refused("avg(1, 2) < 1", 0);
}

static void grammar_fails(void)
{
	refused("", 0);
	refused("faults.hit", 10);
	refused("faults.hit = 1", 11);
	refused("faults.hit ==", 13);
	refused("faults.hit == 1 2", 16);
	refused("faults.hit == -1", 14);
	refused("(faults.hit == 1", 12);
	refused("faults.hit in 5", 15);
	refused("faults.hit in ..", 16);
	refused("faults.hit in 5..1", 14);
	refused("step.time.p50 in 1s..1ms", 17);
	refused("faults.hit in 2 * 3..0 / 0", 14);
	refused("1 + == 2", 4);
	refused("((((((((((((((((((((((((((((((((((1", 32);
}

int main(void)
{
	lines_ok();
	sums_ok();
	each_ok();
	endless_ok();
	each_with_each_ok();
	each_but_ok();
	jobs_ok();
	format_ok();
	measured_ok();
	cases_ok();
	inexact_ok();
	units_fails();
	job_fails();
	words_fails();
	grammar_fails();
	golden_compare("expr.txt");
	return done_testing();
}
