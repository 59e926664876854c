// SPDX-License-Identifier: GPL-2.0
/*
 * Test the exports of a run (OpenMetrics, Perfetto, pcapng, TAP) with programs of other
 * projects that read these formats. The runs are made by hand.
 */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "golden.h"
#include "made_run.h"
#include "said.h"
#include "tap.h"
#include "tools/analysis/analysis.h"
#include "tools/render/export/export.h"
#include "tools/render/render.h"

static char dir[64] = "/tmp/export-XXXXXX";
static char path[128];

static const char *in_dir(const char *file)
{
	snprintf(path, sizeof(path), "%s/%s", dir, file);
	return path;
}

/* Run "@command PATH", where PATH is the exported file. Return: the output, to be freed */
static char *answer(const char *command)
{
	char line[512], *text = calloc(1 << 23, 1);
	FILE *f;

	snprintf(line, sizeof(line), "%s %s", command, path);
	f = popen(line, "r");
	if (f && !fread(text, 1, (1 << 23) - 1, f))
		text[0] = '\0';
	if (f && pclose(f) && !text[0])
		strcpy(text, "failed");
	return text;
}

static bool has(const char *program)
{
	char line[128];

	snprintf(line, sizeof(line), "command -v %s >/dev/null", program);
	return !system(line);
}

/* The checker program @command must accept the file, that is, print nothing. */
static void accepted(const char *command, const char *words)
{
	char *text = answer(command);

	ok(!text[0], "%s", words);
	if (text[0])
		printf("# %.*s\n", (int)strcspn(text, "\n"), text);
	free(text);
}

static void refused(const char *command, const char *words)
{
	char *text = answer(command);

	ok(text[0], "%s: %.*s", words, (int)strcspn(text, "\n"), text);
	free(text);
}

static bool file_has(const char *text)
{
	char *all = answer("cat"), *at = strstr(all, text);

	free(all);
	return at;
}

/* Control: damage the file with the sed commands @sed. The checker program must find an error. */
static void spoiled(const char *checker, const char *sed, const char *words)
{
	char line[512], good[128];

	snprintf(good, sizeof(good), "%s", path);
	snprintf(line, sizeof(line), "sed '%s' %s >%s/spoiled", sed, good, dir);
	if (system(line))
		ok(false, "sed %s", sed);
	in_dir("spoiled");
	refused(checker, words);
	snprintf(path, sizeof(path), "%s", good);
}

#define OPENMETRICS "python3 selftests/lib/openmetrics.py"

static void make_port(struct rf_record *rec)
{
	rec->ports = calloc(1, sizeof(*rec->ports));
	rec->nports = 1;
	strcpy(rec->ports->netdev, "v2");
	rec->ports->prio[3].paused_ns = 50 * MS;
}

static void metrics_ok(struct made_run *m)
{
	bool *broken = &m->run.cases[1].rec.tl.steps[0].broken;

	make_port(&m->run.cases[3].rec);
	m->run.cases[1].rec.rules->matched = 8;
	*broken = true;
	rf_export_metrics(in_dir("metrics.prom"), &m->run);
	ok(file_has("case=\"tail\",round=\"1\",le=\"+Inf\"} 59\n"),
	   "the OpenMetrics histogram of steps excludes a step in which a rank failed");
	*broken = false;
	m->scenario.name = "quote \" slash \\";
	ok(!rf_export_metrics(in_dir("metrics.prom"), &m->run), "metrics.prom is written");
	m->scenario.name = "made";
	ok(file_has("{scenario=\"quote \\\" slash \\\\\",case=\"tail\",round=\"1\"} 1\n"),
	   "OpenMetrics labels are escaped");
	ok(file_has(",case=\"storm\",round=\"1\",port=\"v2\",prio=\"3\"} 0.05\n"),
	   "an OpenMetrics metric of a priority has labels for port and priority, and is in seconds");
	ok(file_has("rdmafault_fault_hit_share_ratio{scenario=\"quote \\\" slash \\\\\",case=\"tail\",round=\"1\",fault=\"1\"} 0.125\n"),
	   "an OpenMetrics metric of a rule has a label for the fault");
	ok(!file_has("step=\""), "OpenMetrics has the times of steps only in the histogram");
	ok(file_has("rdmafault_detected_by=\"timeout\"} 1\n"), "an OpenMetrics metric with words is a state set");
	ok(file_has("case=\"tail\",round=\"1\",le=\"+Inf\"} 60\n"),
	   "the OpenMetrics histogram of steps has all steps");
	accepted("awk '/^# TYPE/ && $4 !~ /^(gauge|histogram)$/'",
		 "OpenMetrics output has only types of the older text format");
	if (!has("python3")) {
		ok(true, "the reader accepts the OpenMetrics output # SKIP no python3");
		return;
	}
	accepted(OPENMETRICS, "the reader accepts the OpenMetrics output");
	spoiled(OPENMETRICS, "/EOF/d", "control: the OpenMetrics reader finds a missing end");
	spoiled(OPENMETRICS, "s/^# UNIT \\(.*\\) seconds/# UNIT \\1 minutes/",
		"control: the OpenMetrics reader finds a wrong unit");
	spoiled(OPENMETRICS, "s/_bucket{/_total{/", "control: the OpenMetrics reader finds invalid buckets");
	spoiled(OPENMETRICS, "s/le=\"1e-2\"/le=\"1e-9\"/", "control: the OpenMetrics reader finds decreasing buckets");
	spoiled(OPENMETRICS, "/stall_of_gpus/p", "control: the OpenMetrics reader finds duplicate samples");
}

#define TRACE "python3 selftests/lib/trace_json.py"

static void trace_ok(struct made_run *m)
{
	ok(!rf_export_trace(in_dir("trace.json"), &m->run), "trace.json is written");
	ok(file_has("\"One <b>packet</b> & \\\"its\\\" stall\""),
	   "the title in trace.json is escaped");
	ok(file_has("{\"ph\":\"X\",\"name\":\"drop PSN +100\",\"pid\":2,\"tid\":1000,\"ts\":193505.610,"),
	   "a hit is a slice on the track of its port in trace.json");
	ok(file_has("{\"ph\":\"i\",\"name\":\"drop PSN +100\",\"pid\":2,\"tid\":2,"),
	   "a hit is an instant on the track of its rank in trace.json");
	ok(file_has("\"name\":\"paused by storm\",\"pid\":4,\"tid\":2000,\"ts\":10008.919,\"dur\":20000.000}"),
	   "a pause is a slice in trace.json");
	ok(file_has("\"name\":\"pause v2 prio 3 storm <for> 20ms\",\"pid\":4,\"tid\":3000,\"ts\":10007.919,\"dur\":20039.595,\"args\":{\"as\":\"planned\"}}"),
	   "a fault with start and end steps is a slice in trace.json");
	if (!has("python3")) {
		ok(true, "trace.json has the format of Perfetto # SKIP no python3");
		return;
	}
	accepted(TRACE, "trace.json has the format of Perfetto");
	spoiled(TRACE, "s/\"name\":\"all_reduce\",\\(.*\\)\"dur\":/\"name\":\"all_reduce\",\\1\"dur\":1/",
		"control: the reader of traces finds a slice that does not nest");
	spoiled(TRACE, "s/\"ph\":\"f\"/\"ph\":\"t\"/", "control: the reader of traces finds a flow arrow without an end");
	spoiled(TRACE, "/\"thread_name\",\"pid\":2,\"tid\":1000/d",
		"control: the reader of traces finds a track without a name");
}

static size_t lines_of(char *text)
{
	size_t n = 0, i;

	for (i = 0; text[i]; i++)
		n += text[i] == '\n';
	free(text);
	return n;
}

/* In a training, a rank can start a step before the other ranks have ended the previous one. */
static void early_step_ok(void)
{
	struct made_run one;
	struct rf_step *s;

	make_run(&one, 2, 20);
	s = one.run.cases[0].rec.tl.steps;
	s[2].start_ns = s[0].sync_ns - 100000;
	rf_export_trace(in_dir("trace.json"), &one.run);
	if (has("python3"))
		accepted(TRACE, "trace.json has the format of Perfetto if a step starts before all ranks have ended the last one");
	ok(file_has("\"name\":\"step 1\",\"pid\":1,\"tid\":1,\"ts\":0.000,\"dur\":9907.919"),
	   "the slice of a step ends when the next step starts");
	free_run(&one);
}

/* Recorded times of a fault replace planned ones. A fault without an end lasts for the case. */
static void done_ok(void)
{
	struct made_run one;
	struct rf_record *rec;
	uint64_t t;

	make_run(&one, 2, 20);
	rec = &one.run.cases[3].rec;
	t = rec->tl.steps[0].start_ns;
	rf_record_done(rec, &(struct rf_done){ .t_ns = t + 10 * MS });
	rf_record_done(rec, &(struct rf_done){ .t_ns = t + 30 * MS, .undo = true });
	rf_record_done(rec, &(struct rf_done){ .t_ns = t + 50 * MS });
	rf_export_trace(in_dir("trace.json"), &one.run);
	ok(file_has("\"tid\":3000,\"ts\":10000.000,\"dur\":20000.000,\"args\":{\"as\":\"done\"}}") &&
	   file_has("\"tid\":3000,\"ts\":50000.000,\"dur\":15") &&
	   !file_has("planned"), "the track of a fault has its recorded times in trace.json");
	free_run(&one);
}

/* A fault can be a rule that matches only some steps. */
static void steps_of_a_rule_ok(void)
{
	struct rf_fault by_step = {
		.kind = RF_FAULT_RULE, .port = "v2", .words = "drop v2 tx step 3",
		.spec.match = { .step_min = 3, .step_max = 3,
				.set = RF_MATCH_BIT(STEP_MIN) |
				       RF_MATCH_BIT(STEP_MAX) },
	};
	struct made_run one;

	make_run(&one, 2, 20);
	one.cases[1].faults = &by_step;
	rf_export_trace(in_dir("trace.json"), &one.run);
	ok(file_has("\"name\":\"drop v2 tx step 3\",\"pid\":2,\"tid\":3000,\"ts\":20023.757,\"dur\":10023.757,"),
	   "a rule for one step is a slice of that step in trace.json");
	free_run(&one);
}

static void many_steps_ok(void)
{
	struct stat st = { };
	struct made_run big;
	bool good;

	make_run(&big, 8, 3000);
	big.run.ncases = 1;
	good = !rf_export_trace(in_dir("trace.json"), &big.run) &&
	       !stat(path, &st);
	ok(good && st.st_size < 24000 * 130, "trace.json of 24,000 steps is smaller than 3.12 MB: %lld bytes", (long long)st.st_size);
	ok(lines_of(answer("grep '\"name\":\"step '")) == 24000,
	   "trace.json has all 24,000 steps");
	big.run.ncases = MADE_CASES;
	free_run(&big);
}

static char *tap_of(const struct rf_run *run)
{
	FILE *f = fopen(in_dir("tap"), "w");

	rf_export_tap(f, run);
	fclose(f);
	return answer("cat");
}

static void tap_ok(struct made_run *m)
{
	char *text;

	made_expect(&m->cases[1], "faults.hit == 1");
	text = tap_of(&m->run);
	ok(strstr(text, "TAP version 13\n# Subtest: clean\n    ok 1 - ") == text,
	   "TAP output starts with the version and a subtest");
	ok(strstr(text, "\n    1..3\nok 2 - tail\n"),
	   "an expectation is a test point in the subtest of its case");
	ok(strstr(text, "\nok 4 - storm\n1..4\n"), "TAP output ends with the plan");
	golden(text, "TAP of a run that passed");
	free(text);
}

/* If events were lost, an expectation about a value that is computed from events is not met. */
static void holes_hold_nothing_ok(struct made_run *m)
{
	struct rf_run_case *p = &m->run.cases[1];
	struct rf_analysis was = *p->an;
	char *text;

	p->rec.ev.lost = 3;
	made_expect(&m->cases[1], "wrong == 0");
	rf_analyse(&p->rec, &m->run.cases[0].rec, p->an);
	text = tap_of(&m->run);
	ok(strstr(text, "    not ok 3 - "), "an expectation on events is not met if events were lost");
	ok(strstr(text, "    ok 4 - "), "an expectation on the job's result is met if events were lost");
	golden(text, "TAP of a run with lost events");
	ok(!rf_measure_is_known(p->an, RF_STEP_EVERY_RANK), "step.every_rank has no value if events were lost");
	free(text);
	made_expect_nothing(&m->cases[1]);
	p->rec.ev.lost = 0;
	rf_analysis_free(p->an);
	*p->an = was;
}

/* A violation of go-back-N must be reported once, at the packet that violates it. */
static void breach_ok(struct made_run *m)
{
	struct rf_analysis *an = m->run.cases[1].an;
	struct rf_gbn_flow flow = {
		.where[RF_GBN_RESTART] = an->losses->again,
	};
	struct rf_gbn was = an->gbn;

	an->gbn = (struct rf_gbn){ .flows = &flow, .n = 1, .violations = 1 };
	rf_export_trace(in_dir("trace.json"), &m->run);
	ok(lines_of(answer("grep '\"ph\":\"i\",\"name\":\"violates go-back-N'")) == 1,
	   "a violation of go-back-N is one instant in trace.json");
	if (has("python3"))
		accepted(TRACE, "trace.json with a violation has the format of Perfetto");
	an->gbn = was;
}

/* A job that is a command of the user has no steps, and possibly no packets. */
static void empty_ok(void)
{
	struct rf_case test_case = { .name = "nothing", .workload.collective = "command" };
	struct rf_run_case p = { .test_case = &test_case, .round = 1, .label = "nothing",
		.an = &(struct rf_analysis){ } };
	uint32_t gpus = 8;
	struct rf_price price = { .gpus = &gpus, .ngpus = 1, .rate = 30, .every_ns = 1000 };
	struct rf_scenario s = { .name = "empty", .title = "", .cases = &test_case,
				 .ncases = 1 };
	struct rf_run run = { .scenario = &s, .price = &price, .rounds = 1,
			      .cases = &p, .ncases = 1 };
	bool python = has("python3");

	ok(!rf_export_metrics(in_dir("metrics.prom"), &run), "metrics.prom of a run without steps is written");
	if (python)
		accepted(OPENMETRICS, "the reader accepts metrics.prom of a run without steps");
	ok(!rf_export_trace(in_dir("trace.json"), &run), "trace.json of a run without steps is written");
	if (python)
		accepted(TRACE, "trace.json of a run without steps has the format of Perfetto");
}

#define JUNIT "python3 selftests/lib/junit.py"

/* The value at the path @at in junit.xml must be @expected. */
static void has_value(const char *at, const char *expected)
{
	char command[256], *text, *all;
	FILE *f;

	snprintf(command, sizeof(command), JUNIT " '%s' '%s'", path, at);
	all = calloc(1, 4096);
	f = popen(command, "r");
	if (f) {
		all[fread(all, 1, 4095, f)] = '\0';
		pclose(f);
	}
	text = strrchr(all, '\n');
	if (text)
		*text = '\0';
	ok(!strcmp(all, expected), "junit.xml has the expected %s", at);
	if (strcmp(all, expected))
		printf("# got \"%s\"\n", all);
	free(all);
}

static void junit_of_a_pass_ok(struct made_run *m)
{
	rf_run_set_verdict(&m->run);
	ok(!rf_export_junit(in_dir("junit.xml"), &m->run), "junit.xml is written");
	if (!has("python3")) {
		ok(true, "junit.xml is valid JUnit XML # SKIP no python3");
		return;
	}
	accepted(JUNIT, "junit.xml is valid JUnit XML");
	has_value("suite@name", "made");
	has_value("suite@tests", "4");
	has_value("suite@failures", "0");
	has_value("suite@errors", "0");
	has_value("tail@classname", "made");
	has_value("tail@time", "0.674491");
	has_value("tail/failure", "none");
	spoiled(JUNIT, "s/ tests=\"4\"/ tests=\"5\"/", "control: the JUnit reader finds a wrong count");
	spoiled(JUNIT, "s/<testcase /<testcase verdict=\"pass\" /",
		"control: the JUnit reader finds an unknown attribute");
	spoiled(JUNIT, "s/ time=\"/ time=\"-/", "control: the JUnit reader finds a negative time");
	spoiled(JUNIT, "s/name=\"tail\"/name=\"many\"/", "control: the JUnit reader finds a duplicate name");
}

/* Text with all characters that XML must escape or cannot represent */
#define ODD "a<b> & \"c\" 'd' ]]> \x01\x1b[1m\tx \xff \xef\xbf\xbf \xc3\xa4"
#define ODD_READ "a<b> & \"c\" 'd' ]]>   [1m x ? ? \xc3\xa4"

static void junit_of_a_failure_ok(struct made_run *m)
{
	struct rf_run_case *p = &m->run.cases[1];
	char *const was = p->reason[0];
	const unsigned int n = p->nreasons;
	char name[] = "a&b<\"c\">";

	if (!has("python3"))
		return;
	p->verdict = RF_VERDICT_FAIL;
	p->reason[0] = ODD;
	p->reason[1] = "second reason";
	p->nreasons = 2;
	m->run.cases[2].verdict = RF_VERDICT_BROKEN;
	m->run.ended = RF_VERDICT_ABORTED;
	m->run.rounds = 2;
	strcpy(m->run.differs, "tail: other packets than in round 1");
	m->scenario.name = name;
	rf_export_junit(in_dir("junit.xml"), &m->run);
	accepted(JUNIT, "junit.xml of a failed run is valid JUnit XML");
	has_value("suite@name", name);
	has_value("suite@tests", "6");
	has_value("suite@failures", "2");
	has_value("suite@errors", "2");
	has_value("tail/failure@type", "fail");
	has_value("tail/failure@message", ODD_READ);
	has_value("tail/failure", ODD_READ "\nsecond reason");
	has_value("many/error@type", "broken");
	has_value("many/failure", "none");
	has_value("complete/error@type", "aborted");
	has_value("every round hit the same packets/failure@message", m->run.differs);
	m->scenario.name = "made";
	m->run.differs[0] = '\0';
	m->run.rounds = 1;
	m->run.ended = RF_VERDICT_PASS;
	m->run.cases[2].verdict = RF_VERDICT_PASS;
	p->verdict = RF_VERDICT_PASS;
	p->nreasons = n;
	p->reason[0] = was;
	p->reason[1] = NULL;
}

/* A run that was aborted before its first case was complete, exported as JUnit XML */
static void junit_without_cases_ok(struct made_run *m)
{
	const size_t n = m->run.ncases;
	uint32_t formats = 0;

	m->run.ncases = 0;
	m->run.ended = RF_VERDICT_BROKEN;
	snprintf(m->run.dir, sizeof(m->run.dir), "%s", dir);
	ok(!rf_formats_parse("junit", &formats) && !rf_run_render(&m->run, formats),
	   "a run without a complete case has a junit.xml");
	in_dir("junit.xml");
	if (has("python3")) {
		accepted(JUNIT, "junit.xml without cases is valid JUnit XML");
		has_value("suite@errors", "1");
		has_value("complete/error@type", "broken");
	}
	ok(access(in_dir("page.txt"), F_OK), "a run without a complete case has no page");
	m->run.ncases = n;
	m->run.ended = RF_VERDICT_PASS;
}

static bool is_written(const char *file)
{
	return !access(in_dir(file), F_OK);
}

static void formats_ok(struct made_run *m)
{
	uint32_t formats = 0;

	unlink(in_dir("junit.xml"));
	unlink(in_dir("trace.json"));
	unlink(in_dir("metrics.prom"));
	ok(!rf_run_render(&m->run, 0) && is_written("report.html") &&
	   is_written("summary.json") && is_written("page.txt"),
	   "page and summary are written without --formats");
	ok(!is_written("trace.json") && !is_written("metrics.prom") &&
	   !is_written("junit.xml"), "trace, metrics and JUnit XML are not written without --formats");
	ok(!rf_formats_parse("trace,metrics", &formats) &&
	   !rf_run_render(&m->run, formats) && is_written("trace.json") &&
	   is_written("metrics.prom") && !is_written("junit.xml"),
	   "--formats writes the formats of its list only");
	if (truncate(in_dir("trace.json"), 0))
		ok(false, "truncate");
	ok(!rf_run_render(&m->run, 0) && file_has("traceEvents"),
	   "an existing trace.json is updated without --formats");
	ok(!rf_formats_parse("all", &formats) && !rf_run_render(&m->run, formats) &&
	   is_written("junit.xml"), "--formats all writes all formats");
	ok(rf_formats_parse("trace,", &formats), "--formats with an empty word is refused");
	ok(rf_formats_parse("xml", &formats), "--formats with an unknown word is refused");
	golden(rf_formats_parse("xml", &formats), "the valid form of --formats");
}

static void tap_of_a_failure_ok(struct made_run *m)
{
	char *text;

	made_expect(&m->cases[1], "faults.hit == 2");
	rf_case_set_verdict(&m->run.cases[1]);
	rf_run_set_verdict(&m->run);
	text = tap_of(&m->run);
	ok(strstr(text, "    not ok 3 - ") &&
	   strstr(text, "\nnot ok 2 - tail\n  ---\n  verdict: fail\n  reasons: |\n    "),
	   "TAP output of a failed case has the reasons");
	golden(text, "TAP of a run that failed");
	free(text);
	made_expect_nothing(&m->cases[1]);
	rf_case_set_verdict(&m->run.cases[1]);
	m->run.ended = RF_VERDICT_ABORTED;
	text = tap_of(&m->run);
	ok(strstr(text, "\nBail out! ") && !strstr(text, "\n1..4\n"),
	   "TAP output of an aborted run ends with \"Bail out!\" and without a plan");
	golden(text, "TAP of an aborted run");
	free(text);
	m->run.ended = RF_VERDICT_PASS;
}

/*
 * Return: true if the subtest @name and all its results are ok (with @good), or if the subtest
 * and at least one of its results are not ok (without @good)
 */
static bool agrees(char *text, const char *name, bool good)
{
	char head[64], test[64], *from, *to, *bad;

	snprintf(head, sizeof(head), "# Subtest: %s\n", name);
	snprintf(test, sizeof(test), "\n%sok 2 - %s\n", good ? "" : "not ", name);
	from = strstr(text, head);
	to = from ? strstr(from, test) : NULL;
	bad = to ? strstr(from, "    not ok ") : NULL;
	return to && good == (!bad || bad > to);
}

static void check_tap(struct made_run *m, bool good, const char *words)
{
	char *text;

	rf_case_set_verdict(&m->run.cases[1]);
	rf_run_set_verdict(&m->run);
	text = tap_of(&m->run);
	ok(agrees(text, "tail", good), "TAP output: subtest and test of the case agree for %s", words);
	free(text);
}

/* In the TAP export, a case fails if and only if at least one result of its subtest fails. */
static void tap_agrees_ok(struct made_run *m)
{
	struct rf_run_case *p = &m->run.cases[1];
	struct rf_case was = m->cases[1];

	check_tap(m, true, "a case that passes");
	p->rec.rule_hits++;
	check_tap(m, false, "hits without an event");
	p->rec.rule_hits--;
	m->cases[1].faults = m->cases[3].faults;
	check_tap(m, false, "a fault that was not done");
	rf_record_done(&p->rec, &(struct rf_done){ .t_ns = 1 });
	check_tap(m, true, "a fault that was done");
	m->cases[1].faults = was.faults;
	p->rec.ndone = 0;
	p->rec.tl.end[0].status = 3;
	check_tap(m, false, "a rank that failed");
	made_expect(&m->cases[1], "ranks.failed == 1");
	check_tap(m, true, "a rank that failed as expected");
	p->rec.tl.end[0].status = 0;
	check_tap(m, false, "a rank that did not fail as expected");
	made_expect_nothing(&m->cases[1]);
	rf_case_set_verdict(p);
	rf_run_set_verdict(&m->run);
}

static void disk_full_fails(const struct rf_run *run)
{
	static int (*const all[])(const char *path, const struct rf_run *run) = {
		rf_export_metrics, rf_export_trace, rf_export_junit,
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		said[0] = '\0';
		ok(all[i]("/dev/full", run) == -ENOSPC && !strncmp(said, "/dev/full: ", 11),
		   "export %zu reports a full disk", i);
	}
	ok(rf_export_metrics("/nowhere/x", run) == -ENOENT, "rf_export_metrics() returns -ENOENT if the directory does not exist");
	golden(said, "no directory");
}

int main(void)
{
	struct made_run m;

	if (!mkdtemp(dir))
		return 1;
	make_run(&m, 4, 60);
	metrics_ok(&m);
	trace_ok(&m);
	tap_ok(&m);
	holes_hold_nothing_ok(&m);
	tap_of_a_failure_ok(&m);
	tap_agrees_ok(&m);
	junit_of_a_pass_ok(&m);
	junit_of_a_failure_ok(&m);
	junit_without_cases_ok(&m);
	formats_ok(&m);
	early_step_ok();
	done_ok();
	steps_of_a_rule_ok();
	many_steps_ok();
	breach_ok(&m);
	empty_ok();
	disk_full_fails(&m.run);
	free_run(&m);
	made_clean_up(dir);
	golden_compare("export.txt");
	return done_testing();
}
