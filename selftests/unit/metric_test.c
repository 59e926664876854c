// SPDX-License-Identifier: GPL-2.0
/*
 * Test the metrics of a run that is made by hand: the values of metrics, selected by name, and
 * metrics that have no value. If events were lost, metrics that are computed from events must
 * have no value.
 */
#include <json-c/json.h>
#include <math.h>
#include <string.h>

#include "made_run.h"
#include "said.h"
#include "tap.h"
#include "tools/analysis/analysis.h"
#include "tools/render/web/summary.h"
#include "tools/render/words/words.h"

static struct made_run m;

static double get(int case_index, const char *name)
{
	return rf_metric(&m.run, &m.run.cases[case_index], name);
}

static void is(int case_index, const char *name, double want)
{
	double got = get(case_index, name);

	ok(fabs(got - want) < 0.5, "metric %s of the case %s is %.1f, got %.1f", name,
	   m.cases[case_index].name, want, got);
}

static bool has_reason(int case_index, const char *name, const char *reason)
{
	const char *why;
	double v;

	why = rf_metric_value(&m.run, &m.run.cases[case_index], name, &v);
	return isnan(v) && why && !strcmp(why, reason);
}

/*
 * Test when the ranks arrive in each step, how long they wait, and how often each rank is the
 * last to arrive. The test changes one step, so that rank 0 arrives last.
 */
static void parts_of_steps_ok(void)
{
	struct rf_timeline *tl = &m.run.cases[0].rec.tl;
	struct rf_step *s = tl->steps;

	is(0, "rank[2].arrival.p50", 2000);
	is(0, "rank[3].last", 40);
	is(0, "rank[0].last", 0);
	s[0].start_ns += 7000;
	is(0, "rank[0].last", 1);
	is(0, "rank[0].arrival.max", 6000);
	s[0].start_ns -= 7000;
	is(0, "rank[2].wait.sync.max", MS / 2);
	is(0, "rank[2].wait.send.sum", 40 * (MS / 2));
	is(0, "rank[1].transfer.max", 3500000 - 10000 - 1000);
	is(0, "step.done", 40);
	is(0, "step[3].time", rf_timeline_step_ns(tl, 3));
}

/* A command records its steps, but no waits and no wrong results. */
static void command_ok(void)
{
	static const char *const waits[] = {
		"rank[2].wait.p50", "rank[2].wait.sync.max", "rank[1].transfer.max", "idle",
		"blast.ranks", "amplification",
	};
	struct rf_timeline *tl = &m.run.cases[1].rec.tl;
	double most = get(1, "rank[1].step.time.max");
	size_t i;

	tl->of_command = true;
	for (i = 0; i < sizeof(waits) / sizeof(waits[0]); i++)
		ok(has_reason(1, waits[i], "a command does not record when its ranks wait"),
		   "%s of a command has no value", waits[i]);
	ok(has_reason(1, "rank[0].wrong", "a command does not record wrong results"),
	   "rank[].wrong of a command has no value");
	is(1, "rank[1].step.time.max", most);
	tl->of_command = false;
}

/* A step that lasts until the ranks fail is excluded from step times. */
static void broken_step_ok(void)
{
	struct rf_step *s = m.run.cases[0].rec.tl.steps;
	double most = get(0, "step.time.max");

	s[5].broken = true;
	s[5].sync_ns += 10000 * MS;
	is(0, "step.done", 39);
	is(0, "step.time.max", most);
	ok(has_reason(0, "step[2].time", "a rank failed in the step") &&
	   has_reason(0, "step[0].time", "there is no such step") &&
	   has_reason(0, "step[41].time", "there is no such step"),
	   "step[].time has no value for a step that failed or does not exist");
	ok(get(0, "rank[1].step.time.max") > 10000 * MS, "rank[1].step.time.max includes the step in which a rank failed");
	s[5].broken = false;
	ok(get(0, "step.time.max") > 10000 * MS, "step.time.max includes a long step that was completed");
	s[5].sync_ns -= 10000 * MS;
}

/* The steps take between 10 ms + 1 ns and 10 ms + 40 ns, but are not sorted by duration. */
static void percentiles_ok(void)
{
	struct rf_timeline *tl = &m.run.cases[3].rec.tl;
	uint32_t step, r;

	for (step = 0; step < 40; step++)
		for (r = 0; r < 4; r++) {
			tl->steps[step * 4 + r].start_ns = step * 20 * MS;
			tl->steps[step * 4 + r].sync_ns = step * 20 * MS +
				10 * MS + step * 7 % 40 + 1;
		}
	is(3, "step.time.min", 10 * MS + 1);
	is(3, "step.time.p50", 10 * MS + 20);
	is(3, "step.time.p90", 10 * MS + 36);
	is(3, "step.time.p99", 10 * MS + 40);
	is(3, "step.time.max", 10 * MS + 40);
	is(3, "step.time.mean", 10 * MS + 20.5);
	is(3, "rank[3].step.time.p90", 10 * MS + 36);
}

static void counts_ok(void)
{
	struct rf_record *rec = &m.run.cases[3].rec;

	is(1, "faults.hit", 1);
	is(1, "retransmitted", 7);
	is(1, "detected_by", RF_DETECTED_TIMEOUT);
	is(2, "naks", 4);
	is(2, "timeouts", 0);
	is(0, "rank[3].wrong", 0);
	is(0, "ranks.failed", 0);
	rec->counters[2][RF_DUPLICATE] = 5;
	is(3, "rxe.duplicate", 5);
	is(3, "rank[2].rxe.duplicate", 5);
	is(3, "rank[1].rxe.duplicate", 0);
	rec->ports = calloc(2, sizeof(*rec->ports));
	rec->nports = 2;
	strcpy(rec->ports[0].netdev, "v1");
	strcpy(rec->ports[1].netdev, "v2");
	rec->ports[1].prio[3].paused_ns = 50 * MS;
	rec->ports[1].prio[4].paused_ns = MS;
	is(3, "port[v2].prio[3].pause.time", 50 * MS);
	is(3, "port[v2].pause.time", 51 * MS);
	is(3, "port[v1].pause.time", 0);
	is(3, "pause.time", 51 * MS);
	rec->ports[1].prio[7].xoff_rx = 4;
	is(3, "port[v2].prio[7].xoff.received", 4);
	rec->ports[0].prio[0].marked = 2;
	rec->ports[1].prio[7].marked = 3;
	is(3, "marked", 5);
	is(3, "port[v1].marked", 2);
	is(3, "port[v2].marked", 3);
	/* Metrics that are computed from counters have a value even if events were lost. */
	rec->ev.lost = 1;
	is(3, "pause.time", 51 * MS);
	is(3, "port[v2].pause.time", 51 * MS);
	is(3, "port[v2].prio[3].pause.time", 50 * MS);
	is(3, "rxe.duplicate", 5);
	rec->ev.lost = 0;
}

/*
 * A priority is paused for 20 ms, resumed, and paused for 30 ms. Another priority is paused
 * and never resumed.
 */
static void pauses_ok(void)
{
	struct rf_events *ev = &m.run.cases[3].rec.ev;
	double span = ev->e[3].t_ns - ev->e[0].t_ns;
	struct rf_event e = ev->e[0];

	ok(fabs(get(3, "port[v2].prio[3].pause.coverage") - 50 * MS / span) < 1e-9 &&
	   get(3, "pause.coverage") == get(3, "port[v2].prio[3].pause.coverage"),
	   "pause.coverage is the paused fraction from the first to the last pause: %.3f", get(3, "pause.coverage"));
	e.prio = 5;
	rf_events_add(ev, &e);
	ok(get(3, "port[v2].prio[5].pause.coverage") == 1,
	   "a pause without an XON ends when it expires");
	ok(get(3, "pause.coverage") < 1, "pause.coverage of the run is the smallest of all priorities");
	ok(isnan(get(3, "port[v2].prio[4].pause.coverage")) &&
	   isnan(get(3, "port[v1].prio[3].pause.coverage")) &&
	   isnan(get(1, "pause.coverage")), "pause.coverage has no value for a priority that was not paused");
}

/*
 * The pause.coverage of a case is the lowest pause.coverage of its priorities. In this test,
 * the last priority has the lowest value.
 */
static void least_cover_ok(void)
{
	struct rf_events *ev = &m.run.cases[3].rec.ev;
	struct rf_event e = {
		.kind = RF_EVENT_PAUSE, .dev = "v2", .prio = 6,
		.t_ns = ev->e[ev->n - 1].t_ns,
	};
	int i;

	for (i = 0; i < 4; i++) {
		e.t_ns += i % 2 ? MS : 99 * MS;
		e.paused = i % 2 == 0;
		rf_events_add(ev, &e);
	}
	ok(fabs(get(3, "port[v2].prio[6].pause.coverage") - 2 / 101.0) < 1e-9 &&
	   get(3, "pause.coverage") == get(3, "port[v2].prio[6].pause.coverage"),
	   "pause.coverage of the run is that of the last priority if it is the smallest: %.3f", get(3, "pause.coverage"));
}

/*
 * Allocate exactly as many bytes as the events need, so that the sanitizer detects reads
 * beyond the last event.
 */
static void last_event_ok(void)
{
	struct rf_events *ev = &m.run.cases[3].rec.ev, was = *ev;
	double cover = get(3, "pause.coverage");

	ev->e = malloc(was.n * sizeof(*was.e));
	memcpy(ev->e, was.e, was.n * sizeof(*was.e));
	ok(get(3, "pause.coverage") == cover, "pause.coverage is computed without reading beyond the last event");
	free(ev->e);
	*ev = was;
}

/* An XOFF that arrives during a pause does not start another pause. */
static void refreshes_ok(void)
{
	struct rf_events ev = { };
	struct rf_event e = {
		.kind = RF_EVENT_PAUSE, .dev = "v1", .paused = 1, .t_ns = 10,
		.until = 30,
	};
	struct rf_pauses p;

	rf_events_add(&ev, &e);
	e.t_ns = 20;
	e.until = 40;
	rf_events_add(&ev, &e);
	ok(rf_pauses_of(&ev, "v1", 0, &p) && p.ns == 30 && p.first == 10 &&
	   p.last == 40, "an XOFF during a pause prolongs it");
	rf_events_free(&ev);
}

/* Return: the number at @path of case @i in summary.json, NAN for null */
static double in_json(size_t i, const char *path)
{
	struct json_object *all = rf_summary_json(&m.run), *o = NULL;
	double v = NAN;

	if (!json_pointer_getf(all, &o, "/cases/%zu/%s", i, path) && o)
		v = json_object_get_double(o);
	json_object_put(all);
	return v;
}

/* The second fault of the case is no rule. The rule hit one of 8 packets that matched. */
static void hit_share_ok(void)
{
	struct rf_run_case *p = &m.run.cases[1];
	struct rf_rule_tally rule = *p->rec.rules;
	struct rf_case *test_case = &m.cases[1], was = *test_case;
	struct rf_fault faults[] = {
		{ .kind = RF_FAULT_RULE }, { .kind = RF_FAULT_STORM }, { .kind = RF_FAULT_RULE },
	};

	p->rec.nrules = 0;
	test_case->faults = faults;
	test_case->nfaults = 3;
	ok(has_reason(1, "fault[1].hit.share", "the counters of the rule were not read"),
	   "fault[1].hit.share has no value in a record without counters of rules, with this reason");
	rf_record_rule(&p->rec, &(struct rf_rule_tally){ .fault = 0, .matched = 8, .hits = 1 });
	rf_record_rule(&p->rec, &(struct rf_rule_tally){ .fault = 2 });
	p->rec.ev.lost = 1;
	ok(get(1, "fault[1].hit.share") == 0.125,
	   "fault[1].hit.share is hits divided by matched packets, also if events were lost");
	p->rec.ev.lost = 0;
	ok(has_reason(1, "fault[3].hit.share", "no packet matched the rule"),
	   "fault[3].hit.share has no value if no packet matched, with this reason");
	faults[2].when.clock = RF_CLOCK_STEP;
	ok(has_reason(1, "fault[3].hit.share", "the fault did not begin"),
	   "fault[3].hit.share has no value if the fault did not begin, with this reason");
	ok(has_reason(1, "fault[0].hit.share", "there is no such fault") &&
	   has_reason(1, "fault[2].hit.share", "the fault is no rule") &&
	   has_reason(1, "fault[4].hit.share", "there is no such fault") &&
	   has_reason(1, "fault[].hit.share", "there is no such fault"),
	   "fault[].hit.share has no value for a fault that is no rule or does not exist");
	*test_case = was;
	p->rec.nrules = 1;
	*p->rec.rules = rule;
}

/* fault[*] is each fault of the case. */
static void hit_share_expected_ok(void)
{
	struct rf_run_case *p = &m.run.cases[1];
	struct rf_rule_tally rule = *p->rec.rules;
	struct rf_case *test_case = &m.cases[1], was = *test_case;
	struct rf_fault faults[] = {
		{ .kind = RF_FAULT_RULE, .port = "v2", .words = "drop v2 tx every 2" },
		{ .kind = RF_FAULT_RULE, .port = "v2", .words = "mark v2 tx every 8" },
		{ .kind = RF_FAULT_STORM, .port = "v2", .words = "pause v2 prio 3 storm" },
	};

	p->rec.nrules = 0;
	test_case->faults = faults;
	test_case->nfaults = 2;
	rf_record_rule(&p->rec, &(struct rf_rule_tally){ .fault = 0, .matched = 8, .hits = 4 });
	rf_record_rule(&p->rec, &(struct rf_rule_tally){ .fault = 1, .matched = 8, .hits = 1 });
	made_expect(test_case, "fault[*].hit.share >= 12.5%");
	made_expect(test_case, "fault[*].hit.share > 20%");
	rf_case_set_verdict(p);
	rf_run_set_verdict(&m.run);
	ok(p->nreasons == 1 && !strcmp(p->reason[0], "not met: fault[*].hit.share > 20%: got 12.5% for 2"),
	   "an expectation on fault[*] is about each fault: %s", p->nreasons ? p->reason[0] : "met");
	test_case->nfaults = 3;
	ok(in_json(1, "faults/0/hit_share") == 0.5 && in_json(1, "faults/1/matched") == 8 &&
	   in_json(1, "faults/1/hits") == 1 && isnan(in_json(1, "faults/2/hit_share")),
	   "summary.json has the packets of each rule");
	made_expect_nothing(test_case);
	*test_case = was;
	p->rec.nrules = 1;
	*p->rec.rules = rule;
	m.run.verdict = RF_VERDICT_PASS;
	rf_case_set_verdict(p);
}

/* A rule has its first hit in step 20. A storm begins 5 ms after it. */
static void time_to_end_ok(void)
{
	struct rf_run_case *p = &m.run.cases[1];
	struct rf_rule_tally rule = *p->rec.rules;
	struct rf_case *test_case = &m.cases[1], was = *test_case;
	struct rf_fault faults[] = {
		{ .kind = RF_FAULT_RULE }, { .kind = RF_FAULT_RULE },
		{ .kind = RF_FAULT_STORM, .when.clock = RF_CLOCK_TIME },
	};
	uint64_t from, end, hit = p->an->losses[0].hit->t_ns;

	p->rec.nrules = 0;
	test_case->faults = faults;
	test_case->nfaults = 3;
	rf_timeline_span(&p->rec.tl, 1, p->rec.tl.iters, &from, &end);
	rf_record_rule(&p->rec, &(struct rf_rule_tally){ .fault = 0, .netdev = "v2", .id = 2 });
	rf_record_rule(&p->rec, &(struct rf_rule_tally){ .fault = 1, .netdev = "v3", .id = 2 });
	is(1, "fault[1].time_to_end", end - hit);
	ok(has_reason(1, "fault[2].time_to_end", "the fault hit no packet"),
	   "fault[2].time_to_end has no value if only the same rule of another port hit packets");
	ok(has_reason(1, "fault[3].time_to_end", "the fault did not begin"),
	   "fault[3].time_to_end has no value if the fault did not begin");
	rf_record_done(&p->rec, &(struct rf_done){ .t_ns = hit + 5 * MS, .fault = 2 });
	is(1, "fault[3].time_to_end", end - hit - 5 * MS);
	p->rec.done[0].t_ns = end + 1;
	ok(has_reason(1, "fault[3].time_to_end", "the job had ended before"),
	   "fault[3].time_to_end has no value if the fault began after the job");
	*test_case = was;
	p->rec.ndone = 0;
	p->rec.nrules = 1;
	*p->rec.rules = rule;
}

/* A rule and a queue drop packets. */
static void dropped_ok(void)
{
	struct rf_record *rec = &m.run.cases[1].rec;
	struct rf_port_tally ports[] = {
		{ .netdev = "v1", .rule_dropped = 3, .prio[3].dropped = 5 },
		{ .netdev = "p1", .rule_dropped = 4, .prio[0].dropped = 6 },
	}, *were = rec->ports;
	size_t nports = rec->nports;

	rec->ports = ports;
	rec->nports = 2;
	is(1, "faults.dropped", 7);
	is(1, "queue.dropped", 11);
	is(1, "port[p1].dropped", 6);
	is(1, "port[v1].prio[3].dropped", 5);
	ok(has_reason(1, "dropped", "there is no such metric"), "a metric \"dropped\" does not exist");
	rec->nports = 0;
	ok(has_reason(1, "faults.dropped", "the counters of the ports were not read"),
	   "faults.dropped has no value if the counters of the ports were not read");
	rec->ports = were;
	rec->nports = nports;
}

/* Two ports send and receive CNPs. Two of three changes of rates are reductions. */
static void cnps_ok(void)
{
	struct rf_record *rec = &m.run.cases[1].rec;
	struct rf_port_tally ports[] = {
		{ .netdev = "v1", .cnps_received = 3 },
		{ .netdev = "v2", .cnps_sent = 5, .cnps_received = 1, .cnps_refused = 2 },
	}, *were = rec->ports;
	struct rf_event e = { .kind = RF_EVENT_RATE, .dev = "v1" };
	size_t nports = rec->nports, n = rec->ev.n;

	rec->ports = ports;
	rec->nports = 2;
	rf_events_add(&rec->ev, &e);
	e.cause = 1;
	rf_events_add(&rec->ev, &e);
	e = (struct rf_event){ .kind = RF_EVENT_RATE, .dev = "v2" };
	rf_events_add(&rec->ev, &e);
	is(1, "cnps.sent", 5);
	is(1, "cnps.received", 4);
	is(1, "port[v2].cnps.received", 1);
	is(1, "cnps.refused", 2);
	is(1, "port[v1].cnps.refused", 0);
	is(1, "rate.cuts", 2);
	is(1, "port[v1].rate.cuts", 1);
	ok(has_reason(1, "port[v3].rate.cuts", "there is no such port, or its counters were not read"),
	   "rate.cuts has no value for a port that does not exist");
	rec->ev.n = n;
	rec->ports = were;
	rec->nports = nports;
}

/* A queue has 5 bytes in 98 samples, and more in the two others, which are not the last ones. */
static void queue_p99_ok(void)
{
	struct rf_record *rec = &m.run.cases[1].rec;
	struct rf_port_tally ports[] = { { .netdev = "v1" }, { .netdev = "p2" } };
	struct rf_port_tally *were = rec->ports;
	struct rf_load row[2] = { };
	size_t nports = rec->nports, i;

	rec->ports = ports;
	rec->nports = 2;
	ok(has_reason(1, "port[p2].queue.p99",
		      "the ports were not sampled; the key \"sample\" of the scenario does this"),
	   "queue.p99 has no value without samples");
	for (i = 0; i < 100; i++) {
		row[1].queued = i == 7 ? 900 : i == 50 ? 600 : 5;
		rf_samples_add(&rec->samples, i + 1, row, 2);
	}
	is(1, "port[p2].queue.p99", 600);
	is(1, "port[v1].queue.p99", 0);
	ok(has_reason(1, "port[v3].queue.p99",
		      "there is no such port, or its counters were not read"),
	   "queue.p99 has no value for a port that does not exist");
	rec->ports = were;
	rec->nports = nports;
}

static void without_value_fails(void)
{
	static const char *const names[] = {
		"rank[4].wrong", "rank[x].wrong", "rank[].wrong", "rank[0.wrong",
		"port[v9].pause.time", "port[v2].prio[8].pause.time", "nonsense",
		"step.time", "rank[0][1].wrong", "",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		ok(isnan(get(3, names[i])), "the metric \"%s\" has no value", names[i]);
	ok(isnan(get(0, "pause.time")), "pause.time has no value if the counters were not read");
}

static void lost_events_fail(void)
{
	struct rf_record *rec = &m.run.cases[1].rec;
	struct json_object *o, *v;

	rec->ev.lost = 3;
	ok(isnan(get(1, "faults.hit")) && isnan(get(1, "timeouts")) &&
	   isnan(get(1, "stall")), "metrics computed from events have no value if events were lost");
	ok(!isnan(get(1, "step.time.p50")) && get(1, "events.lost") == 3,
	   "other metrics have a value if events were lost");
	o = rf_metrics_json(&m.run, &m.run.cases[1]);
	ok(json_object_object_get_ex(o, "retransmitted", &v) && !v,
	   "a metric without a value is null in JSON");
	json_object_put(o);
	rec->ev.lost = 0;
	rec->flows_lost = 1;
	ok(isnan(get(1, "retransmitted")), "retransmitted has no value if flows were not tracked");
	rec->flows_lost = 0;
	ok(get(1, "retransmitted") == 7, "retransmitted has a value without lost events");
}

/* A case is compared with the latest of the earlier clean cases that have the same job. */
static void clean_case_ok(void)
{
	struct rf_run_case *p = m.run.cases;
	struct rf_case *test_case = m.cases;
	size_t n = test_case[2].nfaults;

	ok(rf_run_clean_step(&m.run, &p[3]) == &p[0], "rf_run_clean_step() returns the only clean case");
	test_case[2].nfaults = 0;
	ok(rf_run_clean_step(&m.run, &p[3]) == &p[2], "rf_run_clean_step() returns the last of two clean cases");
	test_case[2].workload.options = (char[]){ "--straggler 1,5ms" };
	ok(rf_run_clean_step(&m.run, &p[3]) == &p[0] &&
	   rf_run_clean_step(&m.run, &p[2]) == &p[0], "rf_run_clean_step() does not return a case with a straggler");
	test_case[2].workload.options = NULL;
	test_case[2].workload.size++;
	ok(rf_run_clean_step(&m.run, &p[3]) == &p[0], "rf_run_clean_step() returns the clean case of the same job");
	test_case[0].nfaults = 1;
	ok(!rf_run_clean_step(&m.run, &p[3]), "rf_run_clean_step() returns NULL without a clean case");
	ok(!rf_run_clean_step(&m.run, &p[1]), "rf_run_clean_step() does not return a later case");
	test_case[0].nfaults = 0;
	test_case[2].workload.size--;
	test_case[2].nfaults = n;
}

static bool same_with(const char *options, const char *than)
{
	struct rf_case a = { .workload.options = (char *)options };
	struct rf_case b = { .workload.options = (char *)than };

	return rf_same_job(&a, &b) && rf_same_job(&b, &a);
}

/*
 * Two cases are not compared if they differ in an option that changes the duration of a step
 * in a run without faults.
 */
static void same_job_ok(void)
{
	struct rf_case *test_case = &m.cases[3], was = *test_case;
	struct rf_workload *w = &test_case->workload;

#define DIFFERS(change) do {						\
	change;								\
	ok(!rf_same_step(&m.cases[0], test_case), "rf_same_step() is false after " #change);	\
	*test_case = was;						\
} while (0)

	DIFFERS(w->kind = RF_WORK_TRAIN);
	DIFFERS(w->collective = "alltoall");
	DIFFERS(w->parallel = "dp");
	DIFFERS(w->background = "sleep 9");
	DIFFERS(w->env = ((struct rf_env){ (char *[]){ "A=1", NULL }, 1 }));
	DIFFERS(w->options = "--algo tree");
	DIFFERS(w->ranks++);
	DIFFERS(w->size++);
	DIFFERS(w->compute_ns++);
	DIFFERS(test_case->qp.mtu = 1024);
	w->steps++;
	ok(!rf_same_job(&m.cases[0], test_case) && rf_same_step(&m.cases[0], test_case),
	   "more of the same steps are another job with the same steps");
	*test_case = was;
	w->warmup++;
	test_case->qp.timeout = 20;
	ok(rf_same_job(&m.cases[0], test_case), "another retransmission timeout is the same job");
	*test_case = was;
	ok(same_with(NULL, "") && same_with(" -o max", "-o  max "), "options that differ in spaces are the same job");
	ok(same_with("--algo ring --straggler 5,200ms", "--algo ring") &&
	   same_with("--tclass=96 -o max", "-o max --deadline 10s"),
	   "options that do not change the time are the same job");
	ok(!same_with("-o max", "-o min") && !same_with("-o max", "-o") &&
	   !same_with("--tclassic 96", NULL) && !same_with("--algo", "--alg"),
	   "other options are another job");
}

/* The duration of a case is not compared if no clean case has the same job. */
static void another_job_fails(void)
{
	struct rf_run_case *p = &m.run.cases[2];

	ok(get(2, "case.cost") > 0, "case.cost has a value with a clean case of the same job");
	m.cases[2].workload.steps = 20;
	ok(isnan(get(2, "case.cost")) && !rf_case_impact_ns(&m.run, p) &&
	   !rf_case_impact_is_known(&m.run, p), "case.cost has no value with fewer steps than the clean case");
	ok(rf_run_clean_step(&m.run, p) == m.run.cases &&
	   !rf_run_clean_job(&m.run, p), "steps of a case with fewer steps are compared with the clean case");
	m.cases[2].workload.size++;
	ok(!rf_run_clean_step(&m.run, p), "steps of another size are not compared with the clean case");
	m.cases[2].workload = m.cases[0].workload;
	ok(rf_case_impact_is_known(&m.run, m.run.cases), "a clean case has no impact");
}

/* Two steps are not compared if they do different work. */
static void other_steps_fail(void)
{
	static const char *const names[] = {
		"stall", "stall.every_rank", "stall.cost", "goodput.share",
		"idle", "blast.ranks", "amplification",
	};
	struct rf_run_case *p = &m.run.cases[1];
	uint64_t was[RF_MEASURES], usual = p->an->clean_ns;
	size_t i;

	memcpy(was, p->an->measure, sizeof(was));
	m.cases[1].workload.steps = 20;
	rf_analysis_free(p->an);
	rf_run_analyse(&m.run, p);
	ok(p->an->clean_ns == usual && !memcmp(was, p->an->measure, sizeof(was)),
	   "fewer steps are compared with the same steps of the clean case");
	m.cases[1].workload.size++;
	rf_analysis_free(p->an);
	rf_run_analyse(&m.run, p);
	ok(!p->an->clean_ns, "steps with more data are not compared with the clean case");
	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		ok(isnan(get(1, names[i])), "%s has no value without a clean case of the same steps", names[i]);
	ok(!rf_measure_is_known(p->an, RF_STALL), "the stall is not known without a clean case");
	ok(get(1, "step.every_rank") > 0, "step.every_rank has a value without a clean case");
	ok(!rf_case_impact_is_known(&m.run, p), "the impact is not known without a clean case of the same job");
	ok(!strstr(rf_case_text(p, said, sizeof(said)), " instead of "), "the story of a case without a clean one has no comparison: %s",
	   said);
	m.cases[1].workload = m.cases[0].workload;
	rf_analysis_free(p->an);
	rf_run_analyse(&m.run, p);
	ok(get(1, "stall") > 0 && get(1, "goodput.share") > 0, "control: stall and goodput.share have values again with the same job");
}

/*
 * At 30 dollars per GPU and hour, a stall of 60 ms of 256 GPUs costs 12.8 cents. If such a
 * stall occurs every minute, it costs 184.32 dollars a day. If a stall is longer than the
 * interval at which stalls occur, the cost of a day is limited to the price of the GPUs for
 * 24 hours.
 */
static void costs_ok(void)
{
	const uint64_t minute = 60000 * MS;

	ok(fabs(rf_cost(60 * MS, 256, 30) - 0.128) < 1e-9 &&
	   fabs(rf_cost_of_day(60 * MS, 256, 30, minute) - 184.32) < 1e-9 &&
	   fabs(rf_cost_of_day(60 * MS, 256, 30, minute / 2) - 368.64) < 1e-9,
	   "rf_cost() and rf_cost_of_day() compute the cost of a stall and of a day with one each minute");
	ok(rf_cost_of_day(2 * minute, 1, 30, minute) == 720 &&
	   rf_cost_of_day(minute, 1, 30, minute) == 720, "rf_cost_of_day() limits stalls to 24 hours a day");
	ok(in_json(1, "lost_ns") == m.run.cases[1].an->measure[RF_STALL] &&
	   isnan(in_json(0, "lost_ns")), "summary.json has the time that a fault cost");
	ok(fabs(in_json(1, "cost/1/dollars_a_day") / in_json(1, "lost_ns") -
		1024 * 30 / 60.0 * 1440 / 60e9) < 1e-9 &&
	   in_json(1, "cost/1/gpus") == 1024 && isnan(in_json(0, "cost/0/gpus")),
	   "summary.json has the cost of a day: %.2f", in_json(1, "cost/1/dollars_a_day"));
}

/* Return: true if the stall of case @i has the member @key in summary.json */
static bool stall_has(size_t i, const char *key)
{
	struct json_object *all = rf_summary_json(&m.run), *o;
	bool has;

	o = json_object_array_get_idx(json_object_object_get(all, "cases"), i);
	has = json_object_object_get_ex(json_object_object_get(o, "stall"), key, NULL);
	json_object_put(all);
	return has;
}

/* A rank did not complete the step that a fault hit, so the time of the step is unknown. */
static void endless_step_fails(void)
{
	struct rf_run_case *p = &m.run.cases[1];
	struct rf_step *s = &p->rec.tl.steps[(STEP_HIT - 1) * 4 + 2];

	ok(stall_has(1, "step") && stall_has(1, "step_ns") && in_json(1, "cost/0/dollars") > 0,
	   "summary.json has time and cost of a complete step");
	s->seen = false;
	rf_analysis_free(p->an);
	rf_run_analyse(&m.run, p);
	ok(isnan(get(1, "stall")) && isnan(get(1, "step.every_rank")) &&
	   !rf_measure_is_known(p->an, RF_STEP_EVERY_RANK), "the time of a step that a rank did not complete has no value");
	ok(stall_has(1, "step") && !stall_has(1, "step_ns") && isnan(in_json(1, "cost/0/dollars")),
	   "summary.json has no time and no cost of a step that a rank did not complete");
	s->seen = true;
	s->broken = true;
	rf_analysis_free(p->an);
	rf_run_analyse(&m.run, p);
	ok(isnan(get(1, "stall")) && isnan(get(1, "step.every_rank")) &&
	   isnan(get(1, "idle")) && isnan(in_json(1, "lost_ns")),
	   "the time of a step in which a rank failed has no value");
	s->broken = false;
	rf_analysis_free(p->an);
	rf_run_analyse(&m.run, p);
	ok(get(1, "step.every_rank") > 0, "control: step.every_rank has a value when the step is complete");
}

/* In the case "tail", the retransmission of the lost packet is lost, too, and the job fails. */
static void never_delivered_fails(void)
{
	struct rf_run_case *p = &m.run.cases[1];
	struct rf_step *last = &p->rec.tl.steps[39 * 4];
	struct rf_event *e = p->rec.ev.e, *sent = NULL, again;
	struct json_object *o, *v;
	size_t i;

	for (i = 0; !sent; i++)
		sent = rf_event_is_retransmission(&e[i]) && e[i].psn == e[0].psn ? &e[i] : NULL;
	again = *sent;
	again.t_ns++;
	again.fault = true;
	again.action = again.types[0] = RDMAFAULT_ACTION_DROP;
	rf_events_add(&p->rec.ev, &again);
	rf_events_sort(&p->rec.ev);
	p->rec.rule_hits++;
	last->seen = false;
	p->rec.tl.end[2].seen = false;
	rf_analysis_free(p->an);
	rf_run_analyse(&m.run, p);
	ok(has_reason(1, "recovery_time", "the packet was never delivered"), "recovery_time has no value if the packet was never delivered");
	ok(has_reason(1, "goodput", "the job ended before its last step was complete") &&
	   has_reason(1, "goodput.share", "the job ended before its last step was complete") &&
	   has_reason(1, "case.time", "the job ended before its last step was complete"),
	   "goodput and case.time have no value if the job did not finish");
	ok(has_reason(1, "wrong", "a rank left no result") &&
	   has_reason(1, "rank[2].wrong", "the rank left no result"), "wrong has no value if a rank left no result");
	is(1, "ranks.failed", 1);
	is(1, "faults.hit", 2);
	made_expect(&m.cases[1], "recovery_time <= 1 ms");
	rf_case_set_verdict(p);
	rf_run_set_verdict(&m.run);
	ok(p->verdict == RF_VERDICT_FAIL && p->nreasons > 0 &&
	   !strcmp(p->reason[p->nreasons - 1],
		   "not met: recovery_time <= 1 ms: no value (the packet was never delivered)"),
	   "an expectation on a metric without a value fails: %s", p->reason[p->nreasons - 1]);
	o = rf_metrics_unknown_json(&m.run, p);
	ok(json_object_object_get_ex(o, "recovery_time", &v) &&
	   !strcmp(json_object_get_string(v), "the packet was never delivered") &&
	   !json_object_object_get_ex(o, "faults.hit", NULL), "JSON has the reason why a metric has no value");
	json_object_put(o);
	made_expect_nothing(&m.cases[1]);
	last->seen = p->rec.tl.end[2].seen = true;
	rf_analysis_free(p->an);
	rf_run_analyse(&m.run, p);
	ok(get(1, "goodput.share") <= 1 && get(1, "wrong") == 0, "control: goodput.share and wrong have values again");
}

/*
 * If a case is faster than the clean case, the difference is noise. The goodput.share of such
 * a case is 1, not more.
 */
static void share_is_at_most_one_ok(void)
{
	struct rf_step *s = m.run.cases[0].rec.tl.steps;
	uint32_t rank;

	for (rank = 0; rank < 4; rank++)
		s[rank].end_ns += 1000 * MS;
	ok(get(2, "goodput") > 0 && get(2, "goodput.share") == 1,
	   "goodput.share is at most 1: %.3f", get(2, "goodput.share"));
	for (rank = 0; rank < 4; rank++)
		s[rank].end_ns -= 1000 * MS;
}

static void reasons_ok(void)
{
	ok(has_reason(0, "recovery_time", "no packet was hit") &&
	   has_reason(0, "detected_by", "no packet was hit") &&
	   has_reason(0, "stall", "no packet was hit") &&
	   has_reason(0, "blast.ranks", "no packet was hit"),
	   "metrics of a loss have no value without a hit, with this reason");
	ok(has_reason(1, "pause.coverage", "no priority was paused"), "pause.coverage has no value without a pause, with this reason");
	ok(has_reason(1, "goodput.bound",
		      "the number of packets that were sent is not known"), "goodput.bound has no value without counters, with this reason");
	ok(has_reason(1, "rank[9].status", "there is no such rank") &&
	   has_reason(1, "nonsense", "there is no such metric"), "unknown ranks and metrics have no value, with this reason");
}

/* Every row of the table of metrics has a unique name, a unit and a help text. */
static void table_is_whole_ok(void)
{
	const struct rf_metric_info *a, *b;
	size_t i, j, n = 0, bad = 0;

	for (i = 0; (a = rf_metrics.row(i)); i++, n++) {
		bad += !a->name[0] || !a->help[0] ||
		       (a->unit == RF_UNIT_WORD) != !!a->names;
		for (j = 0; j < i; j++) {
			b = rf_metrics.row(j);
			bad += !strcmp(a->name, b->name);
		}
	}
	ok(n > 80 && !bad, "all %zu metrics have a unique name, a unit and a help text: %zu wrong", n, bad);
}

/* With two rails, rank 1 has the counters of the devices 2 and 3. */
static void rails_ok(void)
{
	struct rf_record *rec = &m.run.cases[1].rec;
	uint64_t was[RF_RANKS_MAX][RF_COUNTERS];

	ok(has_reason(1, "failover.time", "no rail failed") &&
	   has_reason(1, "failover.step", "no rail failed in a step"),
	   "without a failure of a rail, there is no failover time");
	is(1, "failover.rail", 0);
	rec->tl.failover = (struct rf_failover){ .rail = 2, .rank = 1, .step = 20 };
	ok(has_reason(1, "failover.repeated_bytes", "the step was not completed on the other rail"),
	   "if both rails fail, the repeated bytes are not known");
	rec->tl.failover.end_ns = 1;
	rec->tl.failover.time_ns = 530 * MS;
	rec->tl.failover.repeated_bytes = 65536;
	is(1, "failover.rail", 2);
	is(1, "failover.step", 20);
	is(1, "failover.time", 530 * MS);
	is(1, "failover.repeated_bytes", 65536);
	rec->tl.failover = (struct rf_failover){ };

	memcpy(was, rec->counters, sizeof(was));
	rec->counters[2][RF_RETRY_EXCEEDED] = 1;
	rec->counters[3][RF_RETRY_EXCEEDED] = 4;
	m.cases[1].workload.rails = 2;
	is(1, "rank[1].rxe.retry_exceeded", 5);
	m.cases[1].workload.rails = 0;
	memcpy(rec->counters, was, sizeof(was));
}

static bool is_near(const char *name, double want)
{
	return fabs(get(1, name) - want) < 1e-9;
}

/* The uplinks of a leaf with two spines; the second leaf sends only ACKs. */
static void uplinks_ok(void)
{
	static const char *const names[] = { "l1s1", "l1s2", "l2s1", "l2s2" };
	const struct rf_fabric was = m.scenario.fabric;
	struct rf_port_tally ports[4] = { };
	struct rf_record *rec = &m.run.cases[1].rec;
	int i;

	ok(has_reason(1, "uplinks.mmr", "the fabric has no leaf switches"),
	   "a star has no uplinks");
	m.scenario.fabric = (struct rf_fabric){
		.nodes = 4, .shape = RF_SHAPE_LEAF_SPINE, .leaves = 2, .spines = 2
	};
	ok(has_reason(1, "uplinks.mmr", "the bytes of the fabric links were not counted, because the links have no rate"),
	   "without counters of the fabric links, the ratio has no value");
	for (i = 0; i < 4; i++)
		snprintf(ports[i].netdev, sizeof(ports[i].netdev), "%s", names[i]);
	rec->ports = ports;
	rec->nports = 4;
	ok(has_reason(1, "uplinks.jain", "no packet passed the fabric links"),
	   "without a packet, the index has no value");
	ports[0].prio[0].bytes = 2000;
	ports[0].prio[3].bytes = 1000;
	ports[1].prio[3].bytes = 1000;
	ports[2].prio[0].bytes = 100;
	ok(is_near("uplinks.mmr", 1.5) && is_near("uplinks.jain", 0.8),
	   "3000 and 1000 bytes: max-mean ratio 1.5, Jain's index 0.8");
	ports[1].prio[3].bytes = 3000;
	ok(is_near("uplinks.mmr", 1) && is_near("uplinks.jain", 1),
	   "3000 and 3000 bytes: both are 1, although the ACKs of the other leaf use one uplink");
	rec->ports = NULL;
	rec->nports = 0;
	m.scenario.fabric = was;
}

/* Pause or resume these ports of the ring, 10 ms after each other; @source: 1 is a storm */
static void pause_ring(struct rf_events *ev, uint64_t t_ns, bool paused, uint32_t source,
		       const char *ports)
{
	static const char *const names[] = { "s1s2", "s2s3", "s3s4", "s4s1" };
	struct rf_event e = {
		.kind = RF_EVENT_PAUSE, .prio = 3, .paused = paused, .source = source
	};

	for (; *ports; ports++, t_ns += 10 * MS) {
		e.t_ns = t_ns;
		snprintf(e.dev, sizeof(e.dev), "%s", names[*ports - '1']);
		rf_events_add(ev, &e);
	}
}

/*
 * All four ports of a ring are paused from 1.03 s on. One of them is resumed and paused again at
 * 2.03 s, and the case ends at 2.53 s.
 */
static void deadlock_ok(void)
{
	const struct rf_fabric was = m.scenario.fabric;
	struct rf_record *rec = &m.run.cases[1].rec;
	const struct rf_events events = rec->ev;
	struct rf_event end = { .kind = RF_EVENT_RETRANSMIT, .t_ns = 2530 * MS };
	struct rf_summary_text text;

	m.scenario.fabric = (struct rf_fabric){
		.nodes = 8, .shape = RF_SHAPE_RING, .switches = 4
	};
	rec->ev = (struct rf_events){ };
	ok(get(1, "deadlock.time") == 0, "without a pause, there is no deadlock");
	pause_ring(&rec->ev, 0, true, 0, "123");
	pause_ring(&rec->ev, 500 * MS, false, 0, "123");
	ok(get(1, "deadlock.time") == 0, "pauses of three of four ports of a ring are no deadlock");
	pause_ring(&rec->ev, 600 * MS, true, 0, "1234");
	pause_ring(&rec->ev, 720 * MS, false, 0, "1234");
	ok(get(1, "deadlock.time") == 0, "pauses of all ports that overlap for 90 ms are no deadlock");
	pause_ring(&rec->ev, 1000 * MS, true, 0, "1234");
	pause_ring(&rec->ev, 2030 * MS, false, 0, "2");
	ok(get(1, "deadlock.time") == 1000 * MS, "pauses that overlap for 1 s are a deadlock of 1 s");
	pause_ring(&rec->ev, 2030 * MS, true, 0, "2");
	rf_events_add(&rec->ev, &end);
	ok(get(1, "deadlock.time") == 1000 * MS, "a later deadlock of 500 ms is not the longest one");
	rf_summarize(&m.run, &text);
	ok(strstr(text.impact, "PFC deadlock in case \"") == text.impact &&
	   strstr(text.impact, "s1s2") && strstr(text.impact, "s4s1") && strstr(text.impact, "for 1.00 s"),
	   "the first sentence names the deadlock: %s", text.impact);
	end.t_ns = 3130 * MS;
	rf_events_add(&rec->ev, &end);
	ok(get(1, "deadlock.time") == 1100 * MS, "a deadlock at the end lasts until the last event");
	rf_events_free(&rec->ev);
	pause_ring(&rec->ev, 0, true, 0, "123");
	pause_ring(&rec->ev, 30 * MS, true, 1, "4");
	rf_events_add(&rec->ev, &end);
	ok(get(1, "deadlock.time") == 0, "a cycle of pauses with a storm is no deadlock");
	rf_events_free(&rec->ev);
	rec->ev = events;
	m.scenario.fabric = was;
}

/* The clock of one of two machines is known to 250 us, so a time between them to 500 us. */
static void clocks_ok(void)
{
	static const char *const exact[] = {
		"rank[1].step.time.p50", "rank[1].wait.recv.sum", "rank[1].transfer.max",
		"rank[1].pause.wait", "recovery_time", "nak.reaction", "pause.time",
		"port[v1].pause.time", "port[v1].prio[0].pause.time", "faults.hit",
	};
	static const char *const between[] = {
		"step.time.p50", "step[3].time", "case.time", "rank[1].arrival.p50", "stall",
		"message.time.max", "lost_time",
	};
	struct rf_record *rec = &m.run.cases[1].rec;
	struct rf_metric_case of = { .run = &m.run, .run_case = &m.run.cases[1] };
	bool all = true;
	size_t i;

	ok(rf_metrics.error(&of, NULL, "step.time.p50") == 0,
	   "on one machine, no time has an error");
	rf_record_clock(rec, &(struct rf_clock_tally){ .machine = "vm2", .error_ns = 250000 });
	for (i = 0; i < sizeof(exact) / sizeof(*exact); i++)
		all &= rf_metrics.error(&of, NULL, exact[i]) == 0;
	ok(all, "what one machine measures has no error");
	for (all = true, i = 0; i < sizeof(between) / sizeof(*between); i++)
		all &= rf_metrics.error(&of, NULL, between[i]) == 500000;
	ok(all, "a time between two machines has twice the error of a clock");
	rec->nclocks = 0;
}

int main(void)
{
	make_run(&m, 4, 40);
	parts_of_steps_ok();
	rails_ok();
	uplinks_ok();
	deadlock_ok();
	clocks_ok();
	command_ok();
	broken_step_ok();
	percentiles_ok();
	counts_ok();
	pauses_ok();
	least_cover_ok();
	last_event_ok();
	refreshes_ok();
	hit_share_ok();
	hit_share_expected_ok();
	time_to_end_ok();
	dropped_ok();
	cnps_ok();
	queue_p99_ok();
	without_value_fails();
	lost_events_fail();
	clean_case_ok();
	same_job_ok();
	another_job_fails();
	other_steps_fail();
	costs_ok();
	endless_step_fails();
	never_delivered_fails();
	share_is_at_most_one_ok();
	reasons_ok();
	table_is_whole_ok();
	free_run(&m);
	return done_testing();
}
