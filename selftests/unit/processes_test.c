// SPDX-License-Identifier: GPL-2.0
/*
 * Test the values of a process: numbers in its output, by a pattern or by a path in JSON, and
 * the hash of a file that it wrote. A saved run has the same values when it is loaded again.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <utime.h>

#include "host.h"
#include "json.h"
#include "said.h"
#include "save_run.h"
#include "tap.h"
#include "tools/analysis/analysis.h"
#include "tools/run/runner.h"

static char dir[] = "/tmp/processes-XXXXXX";

static char *in_dir(const char *name)
{
	static char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static void spit(const char *name, const char *text)
{
	FILE *f = fopen(in_dir(name), "w");

	if (!f)
		abort();
	fputs(text, f);
	fclose(f);
}

/* Get the value of @value from @output. The caller frees value.why. */
static struct rf_process_value read_one(struct rf_value *value, const char *output)
{
	struct rf_value values[3] = { [RF_VALUES_OWN] = *value };
	const struct rf_process p = { .values = values, .nvalues = 3 };
	struct rf_process_end end = { .start_ns = rf_now_ns() - 1000000000 };
	struct rf_process_value got;

	spit("out", output);
	if (rf_output_read(&p, in_dir("out"), &end))
		abort();
	got = end.values[RF_VALUES_OWN];
	free(end.values);
	return got;
}

static void pattern_is(char *pattern, const char *output, double v, const char *why)
{
	struct rf_value value = { .pattern = pattern, .factor = 2 };
	struct rf_process_value got = read_one(&value, output);

	ok((isnan(v) ? isnan(got.v) : got.v == 2 * v) && !strcmp(why, got.why ? got.why : ""),
	   "the pattern %s in \"%.20s\" gives %g: %g, %s", pattern, output, v, got.v, got.why);
	free(got.why);
}

static void json_is(char *path, const char *output, double v, const char *why)
{
	struct rf_value value = { .json = path, .factor = 1 };
	struct rf_process_value got = read_one(&value, output);

	ok(rf_json_path_is_valid(path) && (isnan(v) ? isnan(got.v) : got.v == v) &&
	   !strcmp(why, got.why ? got.why : ""),
	   "the path %s in \"%.20s\" gives %g: %g, %s", path, output, v, got.v, got.why);
	free(got.why);
}

static void output_ok(void)
{
	pattern_is("avg=([0-9.]+)", "x avg=1.5 avg=2.5\navg=7\nend\n", 7, "");
	pattern_is("avg=([0-9.]+)", "avg=1.5 avg=2.5", 2.5, "");
	pattern_is("^ *[0-9]+ +([0-9.]+)$", "#bytes BW\n 65536   12.25\n", 12.25, "");
	pattern_is("a(b)?", "ac\n", NAN, "no line of the output matches a(b)?");
	pattern_is("(x*)", "y\n", NAN, "\"\" in the output is not a number");
	pattern_is("t=(.*)", "t=1 s\n", NAN, "\"1 s\" in the output is not a number");
	pattern_is("t=(.*)", "", NAN, "no line of the output matches t=(.*)");
	json_is("jobs[1].write.bw", "fio: note {\n{\"jobs\": [{},\n {\"write\": {\"bw\": 12.5}}]}\nend\n", 12.5, "");
	json_is("[1]", "[1, 2]", 2, "");
	json_is("a", "{\"a\": 1}\n{\"a\": 3}\n{\"b\": 2}\n", 3, "");
	json_is("a.b", "{\"a\": 1}\n", NAN, "the output has no JSON with a.b");
	json_is("a[7]", "{\"a\": [1]}\n", NAN, "the output has no JSON with a[7]");
	json_is("a", "{\"a\": \"x\"}\n", NAN, "\"x\" in the output is not a number");
	json_is("a", "{\"a\": 1", NAN, "the output has no JSON with a");
	json_is("a", "", NAN, "the output has no JSON with a");
}

static void path_fails(void)
{
	static const char *const bad[] = { "", ".", "a.", ".a", "a..b", "a[", "a[]", "a[x]", "a[-1]", "a[1", "a[1]b" };
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		ok(!rf_json_path_is_valid(bad[i]), "\"%s\" is no path", bad[i]);
}

static void hash_is(const char *text, size_t repeat, const char *want)
{
	char hex[RF_SHA256_LEN] = "";
	FILE *f = fopen(in_dir("hashed"), "w");

	while (f && repeat--)
		fputs(text, f);
	if (f)
		fclose(f);
	ok(!rf_sha256_file(in_dir("hashed"), hex) && !strcmp(hex, want), "the SHA-256 of \"%.8s\" is %s", text, hex);
}

/* The examples of FIPS 180-4, and texts that end around the last block */
static void hash_ok(void)
{
	char hex[RF_SHA256_LEN];

	hash_is("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	hash_is("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	hash_is("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
		"248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
	hash_is("aaaaaaaaaa", 100000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
	ok(rf_sha256_file(in_dir("none"), hex) == -ENOENT, "a file that does not exist has no SHA-256");
}

/* A file that was not written since the process started does not count. */
static void file_ok(void)
{
	char path[PATH_MAX];
	struct rf_value value = { .file = path };
	struct rf_process_value got;

	spit("data", "abc");
	snprintf(path, sizeof(path), "%s", in_dir("data"));
	got = read_one(&value, "");
	ok(!strncmp(got.hash, "ba7816bf", 8) && !got.why, "a file that the process wrote has a hash");
	utime(path, &(struct utimbuf){ 1, 1 });
	got = read_one(&value, "");
	ok(!got.hash[0] && got.why && strstr(got.why, "the process did not write"), "an older file has none: %s", got.why);
	free(got.why);
	unlink(path);
	got = read_one(&value, "");
	ok(!got.hash[0] && got.why && strstr(got.why, "No such file"), "a file that does not exist has none: %s", got.why);
	free(got.why);
}

static const char scenario_text[] =
	"name: x\n"
	"title: X\n"
	"fabric: {nodes: 2}\n"
	"workload:\n"
	"  command:\n"
	"    - {name: server, run: serve, stop: last}\n"
	"    - name: client\n"
	"      run: go\n"
	"      metrics: {bw: {json: bw, unit: mbit}, lat: {pattern: '(.*)', unit: us}}\n"
	"      files: {data: /tmp/x}\n"
	"cases:\n"
	"  - name: clean\n"
	"  - name: lost\n"
	"    expect: [client.bw >= 10 mbit, 'ratio(client.bw, clean) == 0.5', client.exit == 3,\n"
	"             client.time == 2 s, client.lat < 1 ms, equal(client.data), server.exit == 0]\n";

static void make_case(struct rf_run *run, size_t i)
{
	struct rf_run_case *p = &run->cases[i];
	struct rf_process_end server = { .name = "server", .status = 143, .stopped = true, .start_ns = 5, .end_ns = 7 };
	struct rf_process_end client = {
		.name = "client", .status = i ? 3 : 0, .start_ns = 9, .end_ns = 2000000009,
		.last_line = i ? strdup("it said \"no\"") : NULL, .nvalues = 5,
	};

	*p = (struct rf_run_case){ .test_case = &run->scenario->cases[i], .round = 1 };
	rf_run_label(run, p);
	server.values = calloc(2, sizeof(*server.values));
	server.nvalues = 2;
	client.values = calloc(5, sizeof(*client.values));
	client.values[2].v = i ? 12.5e6 : 25e6;
	client.values[3] = (struct rf_process_value){ .v = NAN, .why = strdup("no \"line\"") };
	strcpy(client.values[4].hash, i ? "aa" : "ab");
	client.values[4].v = NAN;
	p->rec.traffic = (struct rf_traffic){ true, 3, 7, 5 };
	if (rf_timeline_of_command(&p->rec.tl, client.status, client.last_line) ||
	    rf_record_process(&p->rec, &server) || rf_record_process(&p->rec, &client) ||
	    rf_run_analyse(run, p))
		abort();
}

static void make_run(struct rf_run *run)
{
	spit("x.yaml", scenario_text);
	*run = (struct rf_run){
		.own = calloc(1, sizeof(*run->own)), .rounds = 1, .ended = RF_VERDICT_PASS,
		.kernel = "6.12", .cpus = 2, .env = { "x86_64", "a CPU", "jiffies", RF_TIME_REAL },
		.cases = calloc(2, sizeof(*run->cases)), .ncases = 2,
	};
	if (rf_scenario_load(in_dir("x.yaml"), run->own))
		abort();
	run->scenario = run->own;
	run->price = &run->own->price;
	snprintf(run->dir, sizeof(run->dir), "%s", dir);
	make_case(run, 0);
	make_case(run, 1);
	rf_run_set_verdict(run);
}

static bool has_reasons(const struct rf_run_case *p)
{
	return p->nreasons == 3 &&
	       !strcmp(p->reason[0], "not met: client.lat < 1 ms: no value (no \"line\")") &&
	       !strcmp(p->reason[1], "not met: equal(client.data): got different") &&
	       !strcmp(p->reason[2], "not met: server.exit == 0: no value (the run has ended the process with a signal)");
}

/* A run whose first case had this traffic. Return: the reason why it is broken; "": it passed */
static const char *why_broken(struct rf_run *run, struct rf_traffic traffic)
{
	struct rf_run_case *p = &run->cases[0];

	p->rec.traffic = traffic;
	rf_case_set_verdict(p);
	return p->verdict == RF_VERDICT_BROKEN ? p->reason[0] : "";
}

static void traffic_ok(void)
{
	struct rf_run run;

	make_run(&run);
	ok(!*why_broken(&run, (struct rf_traffic){ .known = true, .data = 1 }), "a case with a data packet is not broken");
	ok(!*why_broken(&run, (struct rf_traffic){ }), "a case whose traffic was not recorded is not broken");
	ok(strstr(why_broken(&run, (struct rf_traffic){ .known = true, .cm = 4 }),
		  "passed the ports of the nodes, except connection management;"),
	   "a case with nothing but connection management is broken");
	ok(strstr(why_broken(&run, (struct rf_traffic){ .known = true, .inside = 1024 }),
		  "1,024 packets stayed inside the machine"), "a case whose packets pass no port is broken");
	run.cases[0].rec.processes[1].status = 3;
	ok(!*why_broken(&run, (struct rf_traffic){ .known = true }) &&
	   run.cases[0].verdict == RF_VERDICT_FAIL, "a case whose process failed fails, and is not broken");
	rf_run_free(&run);
}

/* Two rounds of a case in which one packet each is hit. Return: whether they hit the same one */
static bool rounds_agree(bool at_random, struct rf_event a, struct rf_event b)
{
	const struct rf_event *hit[] = { &a, &b };
	struct rf_fault fault = { .kind = RF_FAULT_RULE };
	struct rf_run run;
	bool agree;
	size_t i;

	make_run(&run);
	if (at_random)
		fault.spec.trigger.set = RF_TRIGGER_BIT(PROBABILITY);
	for (i = 0; i < 2; i++) {
		free(run.cases[i].an->losses);
		run.cases[i].an->losses = calloc(1, sizeof(struct rf_loss));
		run.cases[i].an->losses[0].hit = hit[i];
		run.cases[i].an->nhits = 1;
	}
	run.own->ncases = 1;
	run.own->cases[0].faults = &fault;
	run.own->cases[0].nfaults = 1;
	rf_run_set_verdict(&run);
	agree = !run.differs[0];
	run.own->ncases = 2;
	run.own->cases[0].faults = NULL;
	run.own->cases[0].nfaults = 0;
	rf_run_free(&run);
	return agree;
}

static void rounds_ok(void)
{
	struct rf_event a = { .psn_rel = 420, .message = 22, .step = 6, .attempt = 1 }, b = a;

	b.psn_rel = 421;
	ok(rounds_agree(false, a, b), "two rounds of a command hit the same message with another PSN");
	b.message = 23;
	ok(!rounds_agree(false, a, b), "control: another message");
	ok(rounds_agree(true, a, b), "random hits of a command are not compared");
	a.message = b.message = 0;
	ok(!rounds_agree(false, a, b), "without messages, PSNs are compared");
	b.psn_rel = a.psn_rel;
	b.step = 7;
	ok(!rounds_agree(false, a, b), "control: another step");
}

static void time_ok(void)
{
	const char *why;
	struct rf_run run;
	double v;

	make_run(&run);
	ok(rf_metric(&run, &run.cases[0], "case.time") == 2e9,
	   "case.time of a command without steps is the time of its last process that was not stopped");
	why = rf_metric_value(&run, &run.cases[1], "case.time", &v);
	ok(why && !strcmp(why, "a process of the job failed"), "case.time has no value if a process failed: %s", why);
	rf_run_free(&run);
}

static void comes_back_ok(void)
{
	struct rf_run run, back;
	char path[PATH_MAX];
	size_t i;

	make_run(&run);
	ok(run.cases[0].verdict == RF_VERDICT_PASS, "a process that the run has ended does not fail the case");
	ok(has_reasons(&run.cases[1]), "a case with these values meets 4 of 7 expectations: %s",
	   run.cases[1].nreasons ? run.cases[1].reason[0] : "");
	ok(!save_run(&run), "rf_run_save() writes the run");
	said[0] = '\0';
	ok(!rf_run_load(dir, &back), "rf_run_load() reads the run: %s", said);
	ok(back.ncases == 2 && has_reasons(&back.cases[1]) && back.verdict == run.verdict,
	   "the loaded run has the same verdict and reasons");
	ok(back.cases[1].rec.traffic.known && back.cases[1].rec.traffic.cm == 3 &&
	   back.cases[1].rec.traffic.data == 7 && back.cases[1].rec.traffic.inside == 5,
	   "the loaded run has the numbers of packets");
	ok(rf_metric(&back, &back.cases[1], "client.bw") == 12.5e6, "the loaded run has the value of a metric");
	rf_run_free(&back);
	rf_run_free(&run);
	for (i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%s", i ? "lost" : "clean", RF_EVENTS_FILE);
		unlink(in_dir(path));
		snprintf(path, sizeof(path), "%s/%s", i ? "lost" : "clean", RF_TIMELINE_FILE);
		unlink(in_dir(path));
		rmdir(in_dir(i ? "lost" : "clean"));
	}
	unlink(in_dir(RF_SCENARIO_FILE));
	unlink(in_dir(RF_ENVIRONMENT_FILE));
}

int main(void)
{
	if (!mkdtemp(dir))
		return 1;
	output_ok();
	path_fails();
	hash_ok();
	file_ok();
	comes_back_ok();
	rounds_ok();
	time_ok();
	traffic_ok();
	unlink(in_dir("x.yaml"));
	unlink(in_dir("out"));
	unlink(in_dir("hashed"));
	rmdir(dir);
	return done_testing();
}
