// SPDX-License-Identifier: GPL-2.0
/*
 * Write a run as OpenMetrics text (draft-richih-opsawg-openmetrics), for example for the
 * textfile collector of node_exporter. All metrics of metric.c are gauges, because their
 * values are final. Step times are also written as a histogram. Every sample has the labels
 * scenario, case and round, and one label per index of the metric's name.
 *
 * The text is also valid in the older Prometheus format, which the textfile collector
 * reads. The types info and stateset are not used, because the textfile collector refuses
 * files with these types.
 *
 * OpenMetrics requires the samples of a metric family to follow its type and unit without
 * samples of other families in between.
 */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "tools/analysis/analysis.h"

#define NS 1e9
#define INDICES_MAX 10000

static void put_escaped(FILE *f, const char *text)
{
	for (; *text; text++) {
		if (*text == '\n')
			fputs("\\n", f);
		else if (*text == '"' || *text == '\\')
			fprintf(f, "\\%c", *text);
		else
			fputc(*text, f);
	}
}

static void put_family(FILE *f, const char *name, const char *type,
		       const char *unit, const char *help)
{
	fprintf(f, "# TYPE %s %s\n", name, type);
	if (unit)
		fprintf(f, "# UNIT %s %s\n", name, unit);
	fprintf(f, "# HELP %s ", name);
	put_escaped(f, help);
	fputc('\n', f);
}

/* Begin a sample: name and common labels. The caller adds labels and the value. */
static void begin_sample(FILE *f, const char *name, const char *suffix,
			 const struct rf_run *run, const struct rf_run_case *p)
{
	fprintf(f, "%s%s{scenario=\"", name, suffix);
	put_escaped(f, run->scenario->name);
	fputs("\",case=\"", f);
	put_escaped(f, p->test_case->name);
	fprintf(f, "\",round=\"%u\"", p->round);
}

static void put_label(FILE *f, const char *name, const char *value)
{
	fprintf(f, ",%s=\"", name);
	put_escaped(f, value);
	fputc('"', f);
}

static void end_sample(FILE *f, double v)
{
	fprintf(f, "} %.15g\n", v);
}

static void end_count(FILE *f, uint64_t v)
{
	fprintf(f, "} %" PRIu64 "\n", v);
}

/* Base unit for each rf_unit, as OpenMetrics requires, and the conversion factor */
static const struct {
	const char *unit;
	double one;
} units[] = {
	[RF_UNIT_COUNT] = { NULL, 1 },
	[RF_UNIT_SHARE] = { "ratio", 1 },
	[RF_UNIT_TIME] = { "seconds", 1 / NS },
	[RF_UNIT_BYTES] = { "bytes", 1 },
	[RF_UNIT_RATE] = { "bytes_per_second", 1 / 8.0 },
	[RF_UNIT_DOLLARS] = { "dollars", 1 },
	[RF_UNIT_WORD] = { NULL, 1 },
};

/*
 * Name the metric family: "rank[].step.time.p50" becomes rdmafault_rank_step_time_p50_seconds.
 * "pause.count" becomes rdmafault_pause_events, because the suffix _count is reserved for
 * histograms.
 */
static void name_family(const struct rf_metric_info *m, char *buf, size_t len)
{
	static const char reserved[] = "_count", instead[] = "_events";
	const char *unit = units[m->unit].unit, *from = m->name;
	size_t n = snprintf(buf, len, "rdmafault_"), tail = strlen(reserved);

	for (; *from && n + 1 < len; from++)
		if (*from != '[' && *from != ']')
			buf[n++] = isalnum((unsigned char)*from) ? *from : '_';
	buf[n] = '\0';
	if (!strcmp(buf + n - tail, reserved)) {
		n -= tail;
		n += snprintf(buf + n, len - n, "%s", instead);
	}
	tail = unit ? strlen(unit) : 0;
	if (unit && (n < tail || strcmp(buf + n - tail, unit)))
		snprintf(buf + n, len - n, "_%s", unit);
}

/*
 * A metric, and the indexes that replace each "[]" in its name. An index, such as rank 2,
 * becomes a label of the sample.
 */
struct place {
	const struct rf_run *run;
	const struct rf_run_case *run_case;
	const struct rf_metric_info *m;
	const char *family;
	char name[128];
	char label[4][2][32];
	size_t labels;
};

static void begin_placed(FILE *f, const struct place *at)
{
	size_t i;

	begin_sample(f, at->family, "", at->run, at->run_case);
	for (i = 0; i < at->labels; i++)
		put_label(f, at->label[i][0], at->label[i][1]);
}

static void put_sample(FILE *f, const struct place *at)
{
	double v = rf_metric(at->run, at->run_case, at->name);
	const struct rf_name *word = at->m->names;

	if (isnan(v))
		return;
	if (at->m->unit != RF_UNIT_WORD) {
		begin_placed(f, at);
		end_sample(f, v * units[at->m->unit].one);
		return;
	}
	for (; word->name; word++) {
		begin_placed(f, at);
		put_label(f, at->family, word->name);
		end_count(f, v == word->value);
	}
}

/* Write a sample for each index of the metric: expand the first "[]", then recurse. */
static void put_indexed(FILE *f, const struct place *at)
{
	struct rf_metric_case mp = { .run = at->run, .run_case = at->run_case };
	const char *mark = strstr(at->name, "[]"), *word = mark;
	struct place in = *at;
	size_t i;

	if (!mark || at->labels == sizeof(at->label) / sizeof(at->label[0])) {
		put_sample(f, at);
		return;
	}
	while (word > at->name && word[-1] != '.')
		word--;
	snprintf(in.label[at->labels][0], sizeof(in.label[0][0]), "%.*s",
		 (int)(mark - word), word);
	in.labels++;
	for (i = 0; i < INDICES_MAX; i++) {
		char *index = in.label[at->labels][1];

		if (!rf_metrics.index(&mp, NULL, in.label[at->labels][0], i, index))
			return;
		snprintf(in.name, sizeof(in.name), "%.*s[%s%s",
			 (int)(mark - at->name), at->name, index, mark + 1);
		put_indexed(f, &in);
	}
}

static void put_gauge(FILE *f, const struct rf_run *run, const struct rf_metric_info *m)
{
	struct place at = { .run = run, .m = m };
	char family[128];
	size_t i;

	name_family(m, family, sizeof(family));
	put_family(f, family, "gauge", units[m->unit].unit, m->help);
	at.family = family;
	snprintf(at.name, sizeof(at.name), "%s", m->name);
	for (i = 0; i < run->ncases; i++) {
		at.run_case = &run->cases[i];
		put_indexed(f, &at);
	}
}

static void put_gauges(FILE *f, const struct rf_run *run)
{
	const struct rf_metric_info *m;
	const struct rf_value *value;
	size_t i;

	/* The histogram has the times of all steps. */
	for (i = 0; (m = rf_metrics.row(i)); i++)
		if (strncmp(m->name, "step[]", 6))
			put_gauge(f, run, m);
	for (i = 0; (value = rf_process_value(&run->scenario->workload.processes, i)); i++)
		put_gauge(f, run, &value->info);
}

/* Return: the number of steps that took at most @ns */
static uint64_t steps_within(const struct rf_timeline *tl, double ns)
{
	uint64_t n = 0, took;
	uint32_t step;

	for (step = 1; step <= tl->iters; step++) {
		took = rf_timeline_whole_ns(tl, step);
		n += took && took <= ns;
	}
	return n;
}

static void put_bucket(FILE *f, const struct rf_run *run,
		       const struct rf_run_case *p,
		       const char *le, uint64_t n)
{
	begin_sample(f, "rdmafault_step_duration_seconds", "_bucket", run, p);
	put_label(f, "le", le);
	end_count(f, n);
}

/* Write a histogram of step times with the limits 10 us, 20 us, 50 us, 100 us ... 500 s. */
static void put_buckets(FILE *f, const struct rf_run *run,
			const struct rf_run_case *p)
{
	static const unsigned int digits[] = { 1, 2, 5 };
	const struct rf_timeline *tl = &p->rec.tl;
	int decade, i;
	char le[16];

	for (decade = -5; decade <= 2; decade++)
		for (i = 0; i < 3; i++) {
			snprintf(le, sizeof(le), "%ue%d", digits[i], decade);
			put_bucket(f, run, p, le, steps_within(tl, strtod(le, NULL) * NS));
		}
	put_bucket(f, run, p, "+Inf", steps_within(tl, INFINITY));
}

static void put_histogram_of(FILE *f, const struct rf_run *run,
			     const struct rf_run_case *p)
{
	const struct rf_timeline *tl = &p->rec.tl;
	double sum = 0;
	uint32_t step;

	put_buckets(f, run, p);
	for (step = 1; step <= tl->iters; step++)
		sum += rf_timeline_whole_ns(tl, step) / NS;
	begin_sample(f, "rdmafault_step_duration_seconds", "_count", run, p);
	end_count(f, steps_within(tl, INFINITY));
	begin_sample(f, "rdmafault_step_duration_seconds", "_sum", run, p);
	end_sample(f, sum);
}

static void put_histogram(FILE *f, const struct rf_run *run)
{
	size_t i;

	put_family(f, "rdmafault_step_duration_seconds", "histogram", "seconds",
		   "how long steps took, from the first rank's start to the last one's end");
	for (i = 0; i < run->ncases; i++)
		if (run->cases[i].rec.tl.iters)
			put_histogram_of(f, run, &run->cases[i]);
}

static void put_stall_cost(FILE *f, const struct rf_run *run,
			   const struct rf_run_case *p)
{
	uint64_t stall = p->an->measure[RF_STALL];
	char gpus[16];
	size_t i;

	if (isnan(rf_metric(run, p, "stall")))
		return;
	for (i = 0; i < run->price->ngpus; i++) {
		snprintf(gpus, sizeof(gpus), "%u", run->price->gpus[i]);
		begin_sample(f, "rdmafault_stall_of_gpus_dollars", "", run, p);
		put_label(f, "gpus", gpus);
		end_sample(f, rf_cost(stall, run->price->gpus[i],
				      run->price->rate));
	}
}

static void put_stall_costs(FILE *f, const struct rf_run *run)
{
	size_t i;

	put_family(f, "rdmafault_stall_of_gpus_dollars", "gauge", "dollars",
		   "what the stall costs a job of so many GPUs");
	for (i = 0; i < run->ncases; i++)
		put_stall_cost(f, run, &run->cases[i]);
}

static void put_verdict_gauge(FILE *f, const struct rf_run *run)
{
	static const enum rf_verdict all[] = {
		RF_VERDICT_PASS, RF_VERDICT_FAIL, RF_VERDICT_BROKEN,
		RF_VERDICT_ABORTED,
	};
	size_t i, v;

	put_family(f, "rdmafault_verdict", "gauge", NULL,
		   "did the case show what it should?");
	for (i = 0; i < run->ncases; i++)
		for (v = 0; v < sizeof(all) / sizeof(all[0]); v++) {
			begin_sample(f, "rdmafault_verdict", "", run, &run->cases[i]);
			put_label(f, "rdmafault_verdict", rf_verdict_name(all[v]));
			end_count(f, run->cases[i].verdict == all[v]);
		}
}

static void put_info(FILE *f, const struct rf_run *run)
{
	char cpus[16];

	snprintf(cpus, sizeof(cpus), "%u", run->cpus);
	put_family(f, "rdmafault_run_info", "gauge", NULL,
		   "what was run, and where");
	fputs("rdmafault_run_info{scenario=\"", f);
	put_escaped(f, run->scenario->name);
	fputc('"', f);
	put_label(f, "title", run->scenario->title);
	put_label(f, "kernel", run->kernel);
	put_label(f, "cpus", cpus);
	put_label(f, "time", rf_time_name(run->env.time));
	put_label(f, "verdict", rf_verdict_name(run->verdict));
	end_count(f, 1);
}

static int put_openmetrics(FILE *f, const struct rf_run *run)
{
	put_info(f, run);
	put_verdict_gauge(f, run);
	put_gauges(f, run);
	put_histogram(f, run);
	put_stall_costs(f, run);
	fputs("# EOF\n", f);
	return 0;
}

/**
 * rf_export_metrics - write metrics.prom
 * @path: the file
 * @run: the run, analysed and judged
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_export_metrics(const char *path, const struct rf_run *run)
{
	return rf_render_file(path, run, put_openmetrics);
}
