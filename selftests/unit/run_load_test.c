// SPDX-License-Identifier: GPL-2.0
/*
 * Test saving and loading of runs. A loaded run has the same verdict as the saved run; if the
 * loaded run is saved again, the files have the same bytes. Invalid files are refused.
 * "rdmafault report" writes its files even if its output is a closed pipe.
 */
#include <arpa/inet.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "golden.h"
#include "said.h"
#include "save_run.h"
#include "tap.h"
#include "text.h"
#include "tools/analysis/analysis.h"
#include "tools/cli/report.c"

/* Replaces a function of cmd.c, which this test does not include. */
void rf_show_waiting(void) { }

static char dir[] = "/tmp/run-XXXXXX";

static struct rf_event packet(uint64_t t_ns)
{
	struct rf_event e = {
		.kind = RF_EVENT_HIT, .t_ns = t_ns, .seq = 9, .dev = "v1",
		.dir = RDMAFAULT_DIRECTION_TX, .rule = 2, .fault = true,
		.action = RDMAFAULT_ACTION_DROP, .count = 1,
		.types = { RDMAFAULT_ACTION_DROP }, .family = AF_INET,
		.qp = 18, .psn = 0xffffff, .psn_rel = 5, .opcode = 7,
		.position = RDMAFAULT_POSITION_MIDDLE, .attempt = 1, .flow = 3,
		.message = 4, .step = 2, .len = 4140,
		.class = RDMAFAULT_CLASS_WRITE,
	};

	inet_pton(AF_INET, "10.77.0.1", e.saddr);
	inet_pton(AF_INET, "10.77.0.2", e.daddr);
	return e;
}

static struct rf_event nak(uint64_t t_ns)
{
	struct rf_event e = packet(t_ns);

	e.opcode = 0x11;
	e.syndrome = 0x60;
	e.position = 0;
	e.class = RDMAFAULT_CLASS_NAK;
	e.fault = false;
	e.action = e.types[0] = RDMAFAULT_ACTION_OBSERVE;
	return e;
}

static struct rf_event delayed(uint64_t t_ns)
{
	struct rf_event e = packet(t_ns);

	e.count = 2;
	e.action = e.types[0] = RDMAFAULT_ACTION_DELAY;
	e.values[0] = 5000;
	e.types[1] = RDMAFAULT_ACTION_CORRUPT;
	e.values[1] = 60 | 0x80ull << 32;
	e.family = AF_INET6;
	inet_pton(AF_INET6, "fd00::1", e.saddr);
	inet_pton(AF_INET6, "fd00::2", e.daddr);
	return e;
}

/* Add one event of each kind. */
static void add_events(struct rf_events *ev)
{
	const struct rf_event e[] = {
		packet(100), nak(200), delayed(300),
		{ .kind = RF_EVENT_HOLD, .t_ns = 400, .dev = "v1", .ns = 5000,
		  .qp = 18, .psn = 7, .opcode = 7, .len = 4140,
		  .class = RDMAFAULT_CLASS_WRITE },
		{ .kind = RF_EVENT_PAUSE, .t_ns = 500, .dev = "v2", .prio = 3,
		  .paused = 1, .source = 1, .until = 900, .ns = 400 },
		{ .kind = RF_EVENT_MARK, .t_ns = 600, .dev = "v2", .prio = 3,
		  .queue = 65536, .len = 4140 },
		{ .kind = RF_EVENT_WATCHDOG, .t_ns = 700, .dev = "v2", .prio = 3,
		  .event = 1, .action = RDMAFAULT_WATCHDOG_ACTION_FORWARD,
		  .ns = 77 },
		{ .kind = RF_EVENT_CNP, .t_ns = 800, .dev = "v2", .received = 1,
		  .family = AF_INET, .saddr = { 10, 77, 0, 1 },
		  .daddr = { 10, 77, 0, 2 }, .qp = 18 },
		{ .kind = RF_EVENT_RATE, .t_ns = 900, .dev = "v1", .cause = 1,
		  .family = AF_INET, .saddr = { 10, 77, 0, 1 },
		  .daddr = { 10, 77, 0, 2 }, .qp = 18, .at = 850, .rate = 15000000,
		  .before = 10000000, .target = 20000000, .alpha = 123456789012,
		  .time_stage = 1, .byte_stage = 2 },
	};
	size_t i;

	for (i = 0; i < sizeof(e) / sizeof(e[0]); i++)
		rf_events_add(ev, &e[i]);
}

static void make_timeline(struct rf_timeline *tl, uint64_t step_ns)
{
	uint32_t i;

	*tl = (struct rf_timeline){ .ranks = 2, .iters = 3, .bytes = 65536 };
	tl->steps = calloc(6 + 1, sizeof(*tl->steps));
	for (i = 0; i < 6; i++)
		tl->steps[i] = (struct rf_step){
			.seen = true, .start_ns = i * 1000,
			.end_ns = i * 1000 + step_ns - 1,
			.sync_ns = i * 1000 + step_ns, .wait_recv_ns = 5,
		};
	tl->steps[5].seen = false;		/* rank 1 did not complete this step */
	tl->qps = calloc(1, sizeof(*tl->qps));
	tl->nqps = 1;
	tl->qps[0] = (struct rf_qp){
		.rank = 0, .peer = 1, .device = "rxe1", .netdev = "v1",
		.qpn = 17, .peer_qpn = 18, .addr = "10.77.0.1",
		.peer_addr = "10.77.0.2",
	};
	tl->end[0].seen = true;
	tl->end[1] = (struct rf_rank_end){ true, 3, 0, strdup("QP \"17\" broke") };
}

#define SCENARIO(workload) \
	"name: x\n" \
	"title: A \"title\"\n" \
	"fabric: {shape: chain, nodes: 2, switches: 2}\n" \
	"workload: {" workload ", background: sleep 60}\n" \
	"cost: {gpus: [256, 1024], rate: 2.06, stall-every: 1s}\n" \
	"seed: 18446744073709551615\n" \
	"cases:\n" \
	"  - name: clean\n" \
	"  - name: lost\n" \
	"    faults:\n" \
	"      - do: drop v1 tx psn 5 step 2+\n" \
	"      - {do: pause v2 prio 3 storm for 20ms, from: 2s, for: 1s}\n" \
	"    expect: step.time.p50 < 5 ns\n"

static const char scenario_text[] =
	SCENARIO("collective: all_reduce, ranks: 2, size: 64KiB, steps: 3, warmup: 1,\n"
		 "           compute: 7ns, options: --algo tree");

static const char command_text[] = SCENARIO("command: ./job, ranks: 2, steps: 3");

static void make_case(struct rf_run *run, size_t i)
{
	struct rf_run_case *p = &run->cases[i];

	*p = (struct rf_run_case){ .test_case = &run->scenario->cases[i], .round = 1 };
	rf_run_label(run, p);
	make_timeline(&p->rec.tl, 10 * (i + 1));
	p->rec.before[1][RF_SEND_ERR] = 40;
	p->rec.counters[1][RF_SEND_ERR] = 2;
	if (!i)
		return;
	add_events(&p->rec.ev);
	p->rec.ev.lost = 1;
	p->rec.rule_hits = 2;
	rf_record_rule(&p->rec, &(struct rf_rule_tally){
		.netdev = "v2", .id = 1, .matched = 9, .hits = 2,
		.missed = { [RF_MISS_COUNT] = 7 } });
	rf_record_clock(&p->rec, &(struct rf_clock_tally){
		.machine = "node2", .offset_ns = -5000000123, .error_ns = 250,
		.drift_ppm = -7.25 });
	p->rec.ports = calloc(1, sizeof(*p->rec.ports));
	p->rec.nports = 1;
	strcpy(p->rec.ports->netdev, "v1");
	p->rec.ports->pauses_sent = 6;
	p->rec.ports->tx_packets = 7;
	p->rec.ports->rx_bytes = 8;
	p->rec.ports->rule_dropped = 2;
	p->rec.ports->cnps_sent = 9;
	p->rec.ports->cnps_received = 4;
	p->rec.ports->cnps_refused = 3;
	p->rec.ports->prio[3].paused_ns = 1234;
	rf_record_flow(&p->rec, &(struct rf_flow_tally){ "10.77.0.1", "10.77.0.2", 18, 3, 12420 });
	rf_samples_add(&p->rec.samples, 1000, &(struct rf_load){ .queued = 77 }, 1);
	rf_samples_add(&p->rec.samples, 2000, &(struct rf_load){ .sent = 500 }, 1);
}

static char *slurp(const char *name)
{
	char path[PATH_MAX], *text = calloc(1, 65536);
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "r");
	if (f) {
		text[fread(text, 1, 65535, f)] = '\0';
		fclose(f);
	}
	return text;
}

static void spit(const char *name, const char *text)
{
	char path[PATH_MAX];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	fputs(text, f);
	fclose(f);
}

/* Load the scenario, as "rdmafault run" does. The command line replaces one of its prices. */
static void make_run(struct rf_run *run, const char *text)
{
	char path[PATH_MAX];

	spit("x.yaml", text);
	snprintf(path, sizeof(path), "%s/x.yaml", dir);
	*run = (struct rf_run){
		.own = calloc(1, sizeof(*run->own)), .rounds = 1,
		.kernel = "6.12", .cpus = 2, .ended = RF_VERDICT_PASS,
		.env = { "x86_64", "a CPU", "jiffies", RF_TIME_VIRTUAL },
		.cases = calloc(2, sizeof(*run->cases)), .ncases = 2,
	};
	if (rf_scenario_load(path, run->own))
		abort();
	run->own->price.every_ns = 90000000000;
	run->scenario = run->own;
	run->price = &run->own->price;
	snprintf(run->dir, sizeof(run->dir), "%s", dir);
	make_case(run, 0);
	make_case(run, 1);
	rf_run_analyse(run, &run->cases[0]);
	rf_run_analyse(run, &run->cases[1]);
	rf_run_set_verdict(run);
}

/* The files of the record */
static const char *const record[] = {
	RF_SCENARIO_FILE, RF_ENVIRONMENT_FILE, "clean/" RF_EVENTS_FILE, "lost/" RF_EVENTS_FILE,
	"clean/" RF_TIMELINE_FILE, "lost/" RF_TIMELINE_FILE,
};

#define FILES (sizeof(record) / sizeof(record[0]))

/* Save a loaded run again. Its files must be those of the first run. */
static void again_ok(const struct rf_run *back, char *const first[FILES])
{
	char *again;
	size_t i;

	ok(!save_run(back), "rf_run_save() writes the loaded run");
	for (i = 0; i < FILES; i++) {
		again = slurp(record[i]);
		ok(*first[i] && !strcmp(again, first[i]), "%s of the loaded run is the same", record[i]);
		free(again);
		free(first[i]);
	}
}

static void comes_back_ok(void)
{
	struct rf_run run, back;
	char *first[FILES];
	size_t i;

	make_run(&run, scenario_text);
	ok(run.cases[1].nreasons, "control: the case has a reason for its verdict");
	golden(run.cases[1].reason[run.cases[1].nreasons - 1],
	       "an expectation that is not met");
	ok(!save_run(&run), "rf_run_save() writes a run");
	for (i = 0; i < FILES; i++)
		first[i] = slurp(record[i]);
	ok(!strcmp(first[0], scenario_text), "scenario.yaml is the file as it was read");
	ok(!rf_run_load(dir, &back), "rf_run_load() reads the run: %s", said);
	ok(back.ncases == 2 && back.verdict == run.verdict &&
	   back.cases[1].nreasons == run.cases[1].nreasons &&
	   back.cases[1].an->nlosses == 2 &&
	   back.cases[1].rec.ev.e[1].class == RDMAFAULT_CLASS_NAK,
	   "the loaded run has the same verdict, %s", rf_verdict_name(back.verdict));
	ok(rf_metric(&back, &back.cases[1], "fault[1].hit.share") == 2 / 9.0,
	   "the loaded run has the packets of the rule");
	ok(back.cases[1].rec.nrules == 1 && back.cases[1].rec.rules->id == 1 &&
	   !strcmp(back.cases[1].rec.rules->netdev, "v2"), "the loaded run has the port and ID of the rule");
	ok(back.env.time == RF_TIME_VIRTUAL && !strcmp(back.env.machine, "x86_64") &&
	   !strcmp(back.env.cpu, "a CPU") && !strcmp(back.env.clocksource, "jiffies") &&
	   back.price->every_ns == 90000000000 &&
	   !strcmp(back.scenario->path, run.scenario->path), "in the same environment");
	again_ok(&back, first);
	rf_run_free(&back);
	rf_run_free(&run);
}

/* In a virtual machine of scripts/vm, vm.conf says whether time is real or virtual. */
static void time_ok(void)
{
	char path[PATH_MAX];
	struct rf_run run = { };

	snprintf(path, sizeof(path), "%s/vm.conf", dir);
	ok(rf_time_of_machine(path) == RF_TIME_REAL, "rf_time_of_machine() returns real time without a vm.conf");
	spit("vm.conf", "vm_top=/x\nvm_virtual=1\nvm_term=dumb\n");
	ok(rf_time_of_machine(path) == RF_TIME_VIRTUAL, "rf_time_of_machine() returns virtual time for a machine in virtual time");
	spit("vm.conf", "vm_top=/x\nvm_virtual=\nvm_term=dumb\n");
	ok(rf_time_of_machine(path) == RF_TIME_REAL, "rf_time_of_machine() returns real time for a machine in real time");
	unlink(path);
	rf_environment_read(&run);
	ok(run.kernel[0] && run.cpus && run.env.machine[0] && run.env.time,
	   "kernel, CPUs and architecture of this machine are found: %s, %u CPUs, %s", run.kernel, run.cpus, run.env.machine);
}

/*
 * Save and load the run of a command of the user. This run has no steps, but an exit status
 * and the last line of the command's output.
 */
static void command_comes_back_ok(void)
{
	struct rf_run run, back;
	struct rf_timeline *tl;
	char *first[FILES];
	size_t i;

	make_run(&run, command_text);
	tl = &run.cases[0].rec.tl;
	rf_timeline_free(tl);
	rf_timeline_of_command(tl, 7, "it said \"no\"");
	run.cases[1].rec.tl.of_command = true;
	ok(!save_run(&run), "rf_run_save() writes the run of a command");
	for (i = 0; i < FILES; i++)
		first[i] = slurp(record[i]);
	said[0] = '\0';
	ok(!rf_run_load(dir, &back) &&
	   !strcmp(back.cases[0].rec.tl.end[0].error,
		   "status 7: it said \"no\""), "rf_run_load() reads the run of a command: %s", said);
	ok(back.cases[0].verdict == RF_VERDICT_FAIL, "the loaded run of a failed command has the verdict fail");
	again_ok(&back, first);
	rf_run_free(&back);
	rf_run_free(&run);
}

/* Return: true if the member "error" of the timeline is @want. The file is read as strict UTF-8. */
static bool error_is(const char *want)
{
	struct json_tokener *tok = json_tokener_new();
	char *events = slurp("clean/" RF_TIMELINE_FILE);
	char *line = strstr(events, "{\"type\":\"end\"");
	struct json_object *o, *error;
	bool is = false;

	json_tokener_set_flags(tok, JSON_TOKENER_VALIDATE_UTF8 |
				    JSON_TOKENER_ALLOW_TRAILING_CHARS);
	o = line ? json_tokener_parse_ex(tok, line, -1) : NULL;
	if (json_object_object_get_ex(o, "error", &error))
		is = !strcmp(json_object_get_string(error), want);
	json_object_put(o);
	json_tokener_free(tok);
	free(events);
	return is;
}

/* The last line of output of a command can be long, or not UTF-8. */
static void command_last_line_ok(void)
{
	char last[4096], want[4096 + 16];
	struct rf_timeline *tl;
	struct rf_run run;

	make_run(&run, scenario_text);
	tl = &run.cases[0].rec.tl;
	rf_timeline_free(tl);
	snprintf(last, sizeof(last), "%04000d\u00e4", 0);
	snprintf(want, sizeof(want), "status 7: %s", last);
	rf_timeline_of_command(tl, 7, last);
	save_run(&run);
	ok(error_is(want), "the timeline has a long last line of a command unchanged");
	rf_timeline_free(tl);
	rf_timeline_of_command(tl, 7, "\377\ta");
	save_run(&run);
	ok(error_is("status 7: ? a"), "the timeline has a last line that was not UTF-8 with replaced bytes");
	rf_run_free(&run);
}

static void reasons_are_whole_ok(void)
{
	char *error = calloc(1, 4096), *reason;
	struct rf_run_case *p;
	struct rf_run run;
	int at;

	make_run(&run, scenario_text);
	p = &run.cases[0];
	for (at = 0; at < 4000;)
		at += sprintf(error + at, "\u00e4");
	strcpy(error + at, "; chunk at element 49152");
	free(p->rec.tl.end[1].error);
	p->rec.tl.end[1].error = error;
	rf_case_set_verdict(p);
	reason = p->reason[p->nreasons - 1];
	ok(strstr(reason, "rank 1: \u00e4") && strlen(reason) > 4000 &&
	   strstr(reason, "; chunk at element 49152"),
	   "a reason has a long error of a rank unchanged: %zu bytes", strlen(reason));
	rf_run_free(&run);
}

/* Return: the error message without the name of the directory */
static const char *in_dir(void)
{
	return strncmp(said, dir, strlen(dir)) ? said : said + strlen(dir) + 1;
}

/*
 * Replace @from by @to in the file @name. Loading the run must then fail. Restore the file
 * afterwards.
 */
static void refused(const char *name, const char *from, const char *to)
{
	char *whole = slurp(name), *bad = calloc(1, 65536 + 512), *at;
	struct rf_run run;
	int err;

	at = strstr(whole, from);
	sprintf(bad, "%.*s%s%s", (int)(at ? at - whole : 0), whole, to,
		at ? at + strlen(from) : "");
	spit(name, bad);
	said[0] = '\0';
	err = rf_run_load(dir, &run);
	ok(at && err && strstr(said, basename(name)), "rf_run_load() refuses a changed %s", name);
	golden(in_dir(), "%s: %s instead of %s", name, to, from);
	rf_run_free(&run);
	spit(name, whole);
	free(whole);
	free(bad);
}

/* A record of an older version is in other files. */
static void older_record_fails(void)
{
	char path[PATH_MAX], *whole = slurp(RF_ENVIRONMENT_FILE);
	struct rf_run run;

	snprintf(path, sizeof(path), "%s/%s", dir, RF_ENVIRONMENT_FILE);
	unlink(path);
	spit("run.json", "{ \"version\": 3 }");
	said[0] = '\0';
	ok(rf_run_load(dir, &run), "rf_run_load() refuses a record of an older version");
	golden(strchr(said, ':'), "a record of an older version");
	rf_run_free(&run);
	snprintf(path, sizeof(path), "%s/run.json", dir);
	unlink(path);
	spit(RF_ENVIRONMENT_FILE, whole);
	free(whole);
}

/* The record of the version before has no lines of processes. */
static void version_before_ok(void)
{
	char *whole = slurp(RF_ENVIRONMENT_FILE), *at = strstr(whole, "\"version\": 6");
	struct rf_run run;

	if (at)
		at[strlen("\"version\": ")] = '5';
	spit(RF_ENVIRONMENT_FILE, whole);
	ok(at && !rf_run_load(dir, &run), "rf_run_load() reads a record of version 5");
	rf_run_free(&run);
	if (at)
		at[strlen("\"version\": ")] = '6';
	spit(RF_ENVIRONMENT_FILE, whole);
	free(whole);
}

static void bad_input_fails(void)
{
	struct rf_run run;

	refused(RF_ENVIRONMENT_FILE, "\"version\": 6", "\"version\": 4");
	refused(RF_ENVIRONMENT_FILE, "\"version\": 6", "\"version\": 7");
	refused(RF_ENVIRONMENT_FILE, "\"version\": 6,", "");
	refused(RF_ENVIRONMENT_FILE, "\"rounds\": 1", "\"rounds\": \"one\"");
	refused(RF_ENVIRONMENT_FILE, "\"cases\": 2", "\"cases\": 3");
	refused(RF_ENVIRONMENT_FILE, "\"time\": \"virtual\"", "\"time\": \"later\"");
	refused(RF_ENVIRONMENT_FILE, "\"ended\": \"pass\"", "\"ended\": \"unknown\"");
	refused(RF_ENVIRONMENT_FILE, "\"version\"", "version");
	refused(RF_SCENARIO_FILE, "psn 5", "psn five");
	refused(RF_SCENARIO_FILE, "step.time.p50", "step.time.p51");
	refused("lost/" RF_TIMELINE_FILE, "\"type\":\"qp\"", "\"type\":\"pq\"");
	refused("lost/" RF_TIMELINE_FILE, "\"step\":2", "\"step\":4");
	refused("lost/" RF_EVENTS_FILE, "\"type\":\"hit\"", "\"type\":\"hits\"");
	refused("lost/" RF_EVENTS_FILE, "\"psn\":16777215", "\"psn\":16777216");
	refused("lost/" RF_EVENTS_FILE, "10.77.0.1\",\"destination",
		"10.77.0\",\"destination");
	refused("lost/" RF_EVENTS_FILE, "\"events\":9", "\"events\":10");
	refused("lost/" RF_EVENTS_FILE, "\"events\":9", "\"events\":-9");
	refused("lost/" RF_EVENTS_FILE, "\"alpha\":0.123456789012", "\"alpha\":1.5");
	refused("lost/" RF_EVENTS_FILE, "\"cause\":\"timer\"", "\"cause\":\"clock\"");
	refused("lost/" RF_EVENTS_FILE, "\"received\":true", "\"received\":7");
	refused("lost/" RF_EVENTS_FILE, "\"end_lines\":2", "\"end_lines\":-2");
	refused("lost/" RF_EVENTS_FILE, "\"matched\":9", "\"matched\":1");
	refused("lost/" RF_EVENTS_FILE, "\"fault\":1,\"port", "\"fault\":2,\"port");
	refused("lost/" RF_EVENTS_FILE, "\"sent\":[500]", "\"sent\":[500,1]");
	refused("lost/" RF_EVENTS_FILE, "\"sent\":[500]", "\"sent\":[-500]");
	refused("lost/" RF_EVENTS_FILE, "\"queued\":[77]", "\"queued\":\"77\"");
	refused("lost/" RF_EVENTS_FILE, "\"type\":\"sample\",\"t_ns\":2000", "\"type\":\"sample\",\"t_ns\":1000");
	refused("lost/" RF_EVENTS_FILE, "\"qp\":18,\"packets\":3", "\"qp\":16777216,\"packets\":3");
	refused("lost/" RF_EVENTS_FILE, "\"packets\":3,\"bytes\":12420", "\"packets\":3");
	refused("lost/" RF_EVENTS_FILE, "\"rank\":1,\"before", "\"rank\":128,\"before");
	ok(!rf_run_load(dir, &run), "rf_run_load() reads the restored run");
	rf_run_free(&run);
	ok(rf_run_load("/nonexistent", &run), "rf_run_load() refuses a directory that does not exist");
	golden(said, "no directory");
	rf_run_free(&run);
	older_record_fails();
}

/* Saving a run must fail if the disk is full when @file is written. */
static void full_disk_fails(const char *file)
{
	char path[PATH_MAX];
	struct rf_run run;

	make_run(&run, scenario_text);
	snprintf(path, sizeof(path), "%s/%s", dir, file);
	unlink(path);
	said[0] = '\0';
	ok(!symlink("/dev/full", path) && save_run(&run), "rf_run_save() reports a full disk for %s", file);
	golden(in_dir(), "%s on a full disk", file);
	unlink(path);
	rf_run_free(&run);
}

static size_t lines(const char *text)
{
	size_t n = 1;

	while ((text = strchr(text, '\n'))) {
		text++;
		n++;
	}
	return n;
}

/* Truncate the file @name just before @at, a place in its text. Loading it must fail. */
static void cut_at(const char *name, char *text, char *at)
{
	struct rf_run run;
	char was = *at;

	*at = '\0';
	spit(name, text);
	said[0] = '\0';
	ok(rf_run_load(dir, &run), "rf_run_load() refuses a truncated %s", name);
	golden(in_dir(), "%s ends before line %zu", name, lines(text));
	rf_run_free(&run);
	*at = was;
	spit(name, text);
}

/* Truncate the files of a case at the end of a line. */
static void cut_short_fails(void)
{
	static const char events[] = "lost/" RF_EVENTS_FILE, timeline[] = "lost/" RF_TIMELINE_FILE;
	char *text = slurp(events);

	cut_at(events, text, strchr(text, '\n') + 1);
	cut_at(events, text, strstr(text, "{\"type\":\"watchdog\""));
	cut_at(events, text, text);
	free(text);
	text = slurp(timeline);
	cut_at(timeline, text, strchr(text, '\n') + 1);
	cut_at(timeline, text, strstr(strstr(text, "\"type\":\"step\"") + 1, "{\"type\":\"step\""));
	cut_at(timeline, text, strstr(text, "{\"type\":\"end\""));
	cut_at(timeline, text, strstr(strstr(text, "\"type\":\"end\"") + 1, "{\"type\":\"end\""));
	cut_at(timeline, text, text);
	free(text);
}

/* A broken run has fewer cases than its scenario. */
static void broken_run_ok(void)
{
	struct rf_run run;

	make_run(&run, scenario_text);
	run.ended = RF_VERDICT_BROKEN;
	rf_analysis_free(run.cases[1].an);
	free(run.cases[1].an);
	rf_reasons_free(&run.cases[1]);
	rf_record_free(&run.cases[1].rec);
	run.ncases = 1;
	ok(!save_run(&run), "rf_run_save() writes a broken run");
	rf_run_free(&run);
	ok(!rf_run_load(dir, &run) && run.ncases == 1 && run.verdict == RF_VERDICT_BROKEN,
	   "rf_run_load() reads a broken run with fewer cases");
	rf_run_free(&run);
}

/* Run "rdmafault report DIR | true". Return: the exit status, 128 + signal, or -1 on failure */
static int report_to_nobody(void)
{
	char *argv[] = { "report", dir, NULL };
	int ends[2], status = -1;
	pid_t pid;

	if (pipe(ends))
		return -1;
	close(ends[0]);
	fflush(stdout);
	pid = fork();
	if (!pid) {
		signal(SIGPIPE, SIG_DFL);
		dup2(ends[1], STDOUT_FILENO);
		status = rf_cmd_report(2, argv);
		fflush(stdout);
		_exit(status);
	}
	close(ends[1]);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void closed_pipe_ok(void)
{
	char *page, *html;
	int status = report_to_nobody();

	ok(status == RF_VERDICT_BROKEN, "rdmafault report with a closed pipe exits with the verdict: %d",
	   status);
	page = slurp("page.txt");
	html = slurp("report.html");
	ok(*page && *html, "rdmafault report with a closed pipe writes its files");
	free(page);
	free(html);
}

/*
 * Run "rdmafault report ARG..." and discard its output. Return: the exit status, or -1 on
 * failure
 */
static int report_quietly(int argc, char **argv)
{
	int status = -1;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		if (!freopen("/dev/null", "w", stdout))
			_exit(99);
		_exit(rf_cmd_report(argc, argv));
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

/* Return: true if the file @name in the directory is unchanged */
static bool is_left(const char *name)
{
	char *text = slurp(name);
	bool left = !strcmp(text, "mine");

	free(text);
	return left;
}

/* A comparison of runs must not change the directories of the runs. */
static void compared_runs_stay_ok(void)
{
	char both[64], *argv[] = { "report", "-o", both, dir, dir, NULL };
	char *print[] = { "report", dir, dir, NULL }, *one[] = { "report", dir, NULL };
	char *page;

	snprintf(both, sizeof(both), "%s/both.html", dir);
	spit("report.html", "mine");
	spit("summary.json", "mine");
	ok(report_quietly(3, print) == RF_VERDICT_BROKEN && is_left("report.html") &&
	   is_left("summary.json"), "a comparison that is printed writes no file");
	ok(report_quietly(5, argv) == RF_VERDICT_BROKEN && is_left("report.html") &&
	   is_left("summary.json"), "nor does one for a browser in the runs' directories");
	page = slurp("both.html");
	ok(strstr(page, "<html"), "rdmafault report writes the comparison to the given file");
	free(page);
	unlink(both);
	report_quietly(2, one);
	ok(!is_left("report.html") && !is_left("summary.json"),
	   "rdmafault report of one run rewrites its files");
}

/* A directory can be opened, but not read. */
static void unreadable_fails(void)
{
	struct rf_run run;
	char path[64];

	snprintf(path, sizeof(path), "%s/clean/%s", dir, RF_EVENTS_FILE);
	unlink(path);
	said[0] = '\0';
	ok(!mkdir(path, 0700) && rf_run_load(dir, &run), "rf_run_load() refuses a directory instead of a file");
	golden(in_dir(), "a directory instead of a file");
	rf_run_free(&run);
	rmdir(path);
}

int main(void)
{
	char command[64];

	if (!mkdtemp(dir))
		return 1;
	command_comes_back_ok();
	command_last_line_ok();
	reasons_are_whole_ok();
	comes_back_ok();
	time_ok();
	closed_pipe_ok();
	compared_runs_stay_ok();
	version_before_ok();
	bad_input_fails();
	cut_short_fails();
	broken_run_ok();
	unreadable_fails();
	full_disk_fails("clean/" RF_EVENTS_FILE);
	full_disk_fails(RF_ENVIRONMENT_FILE);
	full_disk_fails(RF_SCENARIO_FILE);
	snprintf(command, sizeof(command), "rm -r %s", dir);
	golden_compare("run_load.txt");
	return done_testing() | system(command);
}
