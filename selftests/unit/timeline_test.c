// SPDX-License-Identifier: GPL-2.0
/*
 * Test rf_timeline_read(): it reads the steps of a job and how each rank ended, and refuses a
 * truncated file.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/run/run.h"
#include "tools/analysis/analysis.h"
#include "made_timeline.h"
#include "said.h"
#include "tap.h"

static void timeline_reads_ok(void)
{
	struct rf_timeline tl;
	uint32_t who;

	ok(!make_timeline(&tl, 10 * MS, ended), "rf_timeline_read() reads a timeline");
	ok(rf_timeline_step(&tl, 1, 3)->wait_recv_ns == 5 * MS + 1 &&
	   !rf_timeline_step(&tl, 2, 1) && !rf_timeline_step(&tl, 0, 5) &&
	   !rf_timeline_step(&tl, 0, 0), "rf_timeline_step() finds a step by rank and number");
	ok(rf_timeline_step_ns(&tl, 2) == 10 * MS + 1,
	   "the time of a step is from the first start to the last end of a rank");
	ok(!rf_timeline_unfinished(&tl, &who), "rf_timeline_unfinished() finds no failed rank if all ranks ended well");
	rf_timeline_free(&tl);
}

static void failover_ok(void)
{
	struct rf_timeline tl;

	ok(!make_timeline(&tl, 10 * MS, "{\"type\":\"failover\",\"rail\":1,\"rank\":1,\"step\":2,"
			  "\"end_ns\":5000,\"time_ns\":4000,\"repeated_bytes\":65536}\n") &&
	   tl.failover.rail == 1 && tl.failover.rank == 1 && tl.failover.step == 2 &&
	   tl.failover.end_ns == 5000 && tl.failover.time_ns == 4000 &&
	   tl.failover.repeated_bytes == 65536, "rf_timeline_read() reads a failover");
	rf_timeline_free(&tl);
	ok(!make_timeline(&tl, 10 * MS, "{\"type\":\"failover\",\"rail\":2,\"rank\":0,\"step\":0}\n") &&
	   tl.failover.rail == 2 && !tl.failover.end_ns,
	   "rf_timeline_read() reads a failover to a rail that failed as well");
	rf_timeline_free(&tl);
	ok(make_timeline(&tl, 10 * MS, "{\"type\":\"failover\",\"rail\":0,\"rank\":0,\"step\":0}\n"),
	   "rf_timeline_read() refuses the rail 0");
	rf_timeline_free(&tl);
	ok(make_timeline(&tl, 10 * MS, "{\"type\":\"failover\",\"rail\":1,\"rank\":9,\"step\":0}\n"),
	   "rf_timeline_read() refuses a failover of a rank that does not exist");
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
	   "rf_timeline_unfinished() finds the failed rank %u: %s", who, why);
	rf_timeline_free(&tl);
	ok(make_timeline(&tl, 10 * MS, "{\"type\":\"step\",\"rank\":9}\n") &&
	   strstr(said, ":12: invalid line"), "rf_timeline_read() refuses a line of a rank that does not exist");
	rf_timeline_free(&tl);
	ok(make_timeline(&tl, 10 * MS, "{\"type\":") && strstr(said, ":12:"),
	   "rf_timeline_read() refuses a truncated line");
	rf_timeline_free(&tl);
	ok(rf_timeline_read("/dev/null", false, &tl) == -EINVAL,
	   "rf_timeline_read() refuses an empty file");
	ok(rf_timeline_read("/tmp", false, &tl) == -EIO && !strcmp(said, "/tmp: Input/output error"),
	   "rf_timeline_read() reports a read error: %s", said);
	rf_timeline_free(&tl);
}

#define STEP_4 "{\"type\":\"step\",\"rank\":1,\"step\":4,\"start_ns\":1000,\"end_ns\":2000,\"sync_ns\":2500,\"wait_recv_ns\":600,\"wait_send_ns\":0,\"wait_sync_ns\":400,\"wrong\":0,"
#define WAIT(kind, peer, from, to) "{\"for\":\"" kind "\",\"peer\":" #peer ",\"start_ns\":" #from ",\"end_ns\":" #to "}"

static void waits_ok(void)
{
	struct rf_wait_span w[RF_STEP_WAITS_MAX + 1];
	struct rf_timeline tl;

	ok(!make_timeline(&tl, 10 * MS, STEP_4 "\"waits_omitted\":5,\"waits\":["
			  WAIT("recv", 0, 1100, 1700) "," WAIT("send", 0, 1800, 2000) "]}\n"),
	   "rf_timeline_read() reads waits");
	ok(rf_timeline_step(&tl, 1, 4)->waits_omitted == 5 &&
	   rf_timeline_waits(&tl, 1, 4, w) == 3 && w[0].kind == RF_WAIT_RECV && !w[0].peer &&
	   w[0].start_ns == 1100 && w[0].end_ns == 1700 &&
	   w[1].kind == RF_WAIT_SEND && w[2].kind == RF_WAIT_SYNC && w[2].start_ns == 2100 &&
	   w[2].end_ns == 2500 && !w[2].peer,
	   "rf_timeline_waits() returns the recorded waits and the wait for the last rank in the barrier");
	ok(rf_timeline_waits(&tl, 0, 4, w) == 1 && w[0].peer == UINT32_MAX,
	   "the last rank in the barrier waits for no rank");
	rf_timeline_free(&tl);
}

#define COMMAND_JOB "{\"type\":\"job\",\"ranks\":1,\"iters\":1,\"bytes\":0}\n"
#define COMMAND_STEP "{\"type\":\"step\",\"rank\":0,\"step\":1,\"start_ns\":1000,\"end_ns\":2000,\"sync_ns\":2000}\n"

static bool reads(const char *text, bool of_command, struct rf_timeline *tl)
{
	char path[] = "/tmp/rdmafault-XXXXXX";
	int fd = mkstemp(path), err;

	err = write(fd, text, strlen(text)) < 0 ? -EIO : rf_timeline_read(path, of_command, tl);
	close(fd);
	unlink(path);
	return !err;
}

static void command_ok(void)
{
	char path[] = "/tmp/rdmafault-XXXXXX", line[256] = "", *read;
	struct rf_timeline tl;
	FILE *f;

	ok(reads(COMMAND_JOB COMMAND_STEP, true, &tl) && rf_timeline_step(&tl, 0, 1),
	   "the steps of a command have no waits");
	close(mkstemp(path));
	rf_timeline_write(path, &tl);
	f = fopen(path, "r");
	read = fgets(line, sizeof(line), f) ? fgets(line, sizeof(line), f) : NULL;
	ok(read && !strcmp(line, COMMAND_STEP), "and none are written: %s", line);
	fclose(f);
	unlink(path);
	rf_timeline_free(&tl);
	ok(!reads(COMMAND_JOB COMMAND_STEP, false, &tl), "control: those of another job have waits");
	rf_timeline_free(&tl);
}

static void refused(const char *line, const char *why)
{
	struct rf_timeline tl;

	ok(make_timeline(&tl, 10 * MS, line) && strstr(said, ":12: ") && strstr(said, why),
	   "rf_timeline_read() refuses a wait: %s", said);
	rf_timeline_free(&tl);
}

static void waits_fail(void)
{
	char many[RF_STEP_WAITS_MAX * 64 + 512] = STEP_4 "\"waits\":[";
	int i;

	refused(STEP_4 "\"waits\":[" WAIT("recv", 0, 1700, 1100) "]}\n",
		"a wait starts at 1700 ns and ends before, at 1100 ns");
	refused(STEP_4 "\"waits\":[" WAIT("recv", 2, 1100, 1700) "]}\n",
		"rank 1 waits for rank 2; another rank below 2");
	refused(STEP_4 "\"waits\":[" WAIT("recv", 1, 1100, 1700) "]}\n",
		"rank 1 waits for rank 1; another rank below 2");
	refused(STEP_4 "\"waits\":[" WAIT("sync", 0, 1100, 1700) "]}\n",
		"a wait is for \"sync\"; \"recv\" or \"send\"");
	refused(STEP_4 "\"waits\":[" WAIT("recv", 0, 900, 1700) "]}\n",
		"a wait from 900 ns to 1700 ns is not inside its step");
	refused(STEP_4 "\"waits\":[{}]}\n", "a wait lacks for, peer, start_ns or end_ns");
	for (i = 0; i <= RF_STEP_WAITS_MAX; i++)
		sprintf(many + strlen(many), "%s" WAIT("recv", 0, 1100, 1700), i ? "," : "");
	refused(strcat(many, "]}\n"), "17 waits in a step; at most 16");
}

static const char lost_peer[] =
	"{\"type\":\"end\",\"rank\":0,\"status\":4,\"wrong\":0,\"error\":\"rank 1 failed first\"}\n"
	"{\"type\":\"end\",\"rank\":1,\"status\":3,\"wrong\":0,\"error\":\"retry exceeded\"}\n";

/* Test the number of complete steps, and the number of the step in which a job ended. */
static void ended_ok(void)
{
	const struct rf_rank_end *end;
	struct rf_timeline tl;
	uint32_t step, failed;

	make_timeline(&tl, 10 * MS, lost_peer);
	ok(!rf_timeline_ended(&tl, &step) && step == STEPS &&
	   rf_steps_whole(&tl) == STEPS,
	   "all steps of a job that ended well are complete");
	tl.steps[(STEPS - 1) * 2 + 1].broken = true;
	end = rf_timeline_ended(&tl, &step);
	ok(end == &tl.end[1] && step == STEPS && rf_steps_whole(&tl) == STEPS - 1,
	   "a job that failed in its last step ended by the rank that failed first");
	tl.end[0].status = 3;
	end = rf_timeline_ended(&tl, &step);
	rf_timeline_unfinished(&tl, &failed);
	ok(end - tl.end == failed, "rf_timeline_unfinished() finds the rank that ended the job: %u",
	   failed);
	tl.end[0].status = 4;
	tl.steps[(STEPS - 1) * 2].seen = tl.steps[(STEPS - 1) * 2 + 1].seen = false;
	end = rf_timeline_ended(&tl, &step);
	ok(end == &tl.end[1] && step == STEPS &&
	   rf_steps_whole(&tl) == STEPS - 1,
	   "a job whose ranks did not finish the last step ended in it");
	tl.steps[(STEPS - 2) * 2].seen = false;
	end = rf_timeline_ended(&tl, &step);
	ok(end == &tl.end[1] && step == STEPS - 1, "the record of one rank is enough to find the step in which a job ended");
	memset(tl.steps, 0, STEPS * 2 * sizeof(*tl.steps));
	end = rf_timeline_ended(&tl, &step);
	ok(end == &tl.end[1] && !step, "a job without a finished step ended in step 0");
	tl.end[0].status = tl.end[1].status = 0;
	ok(!rf_timeline_ended(&tl, &step), "a job that ended well without records of steps has no failed rank");
	rf_timeline_free(&tl);
}

#define BROKEN "{\"type\":\"step\",\"rank\":1,\"step\":4,\"start_ns\":4000000001,\"end_ns\":4000000009," \
	"\"sync_ns\":4000000009,\"wait_recv_ns\":1,\"wait_send_ns\":0,\"wait_sync_ns\":0,\"wrong\":0," \
	"\"broken\":true}\n"
#define END(rank, status) "{\"type\":\"end\",\"rank\":" rank ",\"status\":" status ",\"wrong\":0,\"error\":\"x\"}\n"

/* The run stops another job in the middle of a step. */
static void stop_ok(void)
{
	struct rf_timeline tl;
	uint32_t who;

	make_timeline(&tl, 10 * MS, BROKEN END("0", "5") END("1", "4"));
	ok(rf_timeline_unfinished(&tl, &who), "control: a job that a signal ended has failed");
	rf_timeline_stop(&tl);
	ok(tl.iters == 3 && rf_timeline_whole_ns(&tl, 3) && !rf_timeline_unfinished(&tl, &who),
	   "rf_timeline_stop() keeps the steps that all ranks completed");
	rf_timeline_free(&tl);
	make_timeline(&tl, 10 * MS, BROKEN END("0", "5") END("1", "3"));
	rf_timeline_stop(&tl);
	ok(tl.iters == 4 && rf_timeline_unfinished(&tl, &who) && who == 1,
	   "rf_timeline_stop() does not hide that a rank has failed before");
	rf_timeline_free(&tl);
	make_timeline(&tl, 10 * MS, ended);
	rf_timeline_stop(&tl);
	ok(tl.iters == 4, "rf_timeline_stop() does not change a job that ended by itself");
	rf_timeline_free(&tl);
}

/* Add a packet between two nodes; 0: an event without addresses. */
static void add_packet(struct rf_record *rec, uint8_t from, uint8_t to)
{
	struct rf_event e = {
		.kind = from ? RF_EVENT_HIT : RF_EVENT_PAUSE,
		.saddr = { 10, 77, 0, from }, .daddr = { 10, 77, 0, to },
	};

	rf_events_add(&rec->ev, &e);
}

static void split_ok(void)
{
	struct rf_record rec = { .others = calloc(1, sizeof(*rec.others)), .nothers = 1 };

	make_timeline(&rec.others->tl, 10 * MS, ended);
	add_packet(&rec, 1, 2);
	add_packet(&rec, 3, 4);
	add_packet(&rec, 0, 0);
	rec.others->tl.qps = reallocarray(rec.others->tl.qps, 2, sizeof(*rec.others->tl.qps));
	rec.others->tl.qps[1] = (struct rf_qp){ .addr = "10.77.0.2", .peer_addr = "10.77.0.1" };
	rec.others->tl.nqps = 2;
	add_packet(&rec, 2, 1);
	ok(!rf_record_split(&rec) && rec.ev.n == 2 && rec.others->ev.n == 2,
	   "rf_record_split() moves the packets of another job to its record");
	ok(rec.ev.e[0].saddr[3] == 3 && rec.ev.e[1].kind == RF_EVENT_PAUSE &&
	   rec.others->ev.e[1].saddr[3] == 2, "it keeps packets of other nodes, and events of ports");
	ok(rf_record_line_counts(&rec).events == 4 && rf_record_line_counts(&rec).steps == 8,
	   "the record of a case counts the events and steps of all its jobs");
	rf_record_free(&rec);
}

int main(void)
{
	stop_ok();
	split_ok();
	timeline_reads_ok();
	failover_ok();
	timeline_fails();
	waits_ok();
	command_ok();
	waits_fail();
	ended_ok();
	return done_testing();
}
