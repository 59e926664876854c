// SPDX-License-Identifier: GPL-2.0
/*
 * Test rf_timeline_read_train(): it reads the output of train, also if messages of the ranks
 * are between the lines, and refuses other files.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "golden.h"
#include "said.h"
#include "tap.h"
#include "tools/run/record.h"

#define JOB "{\"type\":\"job\",\"ranks\":2,\"steps\":2,\"gradient_bytes\":4096}\n"
#define STEP(n, start) \
	"{\"type\":\"step\",\"step\":" #n ",\"loss\":2.5,\"start_ns\":[" start "]," \
	"\"step_ns\":[50,40],\"busy_ns\":[20,40]}\n"
#define END "{\"type\":\"end\",\"steps\":2}\n"

static int read_text(const char *text, int status, struct rf_timeline *tl)
{
	char path[] = "/tmp/training-XXXXXX";
	int fd = mkstemp(path), err;

	said[0] = '\0';
	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		return -EIO;
	close(fd);
	err = rf_timeline_read_train(path, status, tl);
	unlink(path);
	return err;
}

static void training_ok(void)
{
	const struct rf_step *s;
	struct rf_timeline tl;
	uint32_t who;

	ok(!read_text(JOB STEP(1, "100,120") "{\"type\":\"test\",\"step\":1}\n"
		      STEP(2, "200,220") END, 0, &tl), "rf_timeline_read_train() reads a training%s",
	   said);
	ok(tl.ranks == 2 && tl.iters == 2 && tl.bytes == 4096, "rf_timeline_read_train() reads the job: ranks, steps, bytes");
	s = rf_timeline_step(&tl, 0, 1);
	ok(s && s->start_ns == 100 && s->end_ns == 150 && s->sync_ns == 160 &&
	   s->wait_recv_ns == 30 && s->wait_sync_ns == 10,
	   "a rank's waiting times for data and for the slowest rank are computed");
	s = rf_timeline_step(&tl, 1, 1);
	ok(s && s->end_ns == 160 && !s->wait_recv_ns && !s->wait_sync_ns,
	   "the slowest rank does not wait");
	ok(rf_timeline_step_ns(&tl, 1) == 60 && rf_timeline_step_ns(&tl, 2) == 60,
	   "the step time of the job is from the first start to the last end");
	ok(!rf_timeline_unfinished(&tl, &who), "rf_timeline_unfinished() finds no failed rank in a complete training");
	rf_timeline_free(&tl);
}

static void failure_ok(void)
{
	struct rf_timeline tl;
	const char *why;
	uint32_t who;

	ok(!read_text(JOB STEP(1, "100,120") "train: rank 1: transport retry counter exceeded\n",
		      3, &tl), "rf_timeline_read_train() reads a failed training%s", said);
	why = rf_timeline_unfinished(&tl, &who);
	ok(why && strstr(why, "retry counter exceeded"), "rf_timeline_unfinished() returns the error of the failed rank: %s",
	   why);
	rf_timeline_free(&tl);
	ok(!read_text(JOB STEP(1, "100,120"), 0, &tl) &&
	   rf_timeline_unfinished(&tl, &who),
	   "a training without an end is unfinished: rank %u", who);
	rf_timeline_free(&tl);
}

#define QP "{\"type\":\"qp\",\"rank\":0,\"peer\":1,\"dir\":\"out\",\"device\":\"rxe1\"," \
	"\"netdev\":\"v1\",\"qpn\":17,\"peer_qpn\":18,\"psn\":4096," \
	"\"addr\":\"10.77.0.1\",\"peer_addr\":\"10.77.0.2\"}\n"
#define RANK(r, status, error) "{\"type\":\"rank\",\"rank\":" #r ",\"status\":" #status \
	",\"wrong\":2,\"error\":\"" error "\"}\n"

static void ranks_ok(void)
{
	struct rf_timeline tl;
	uint32_t step;

	ok(!read_text(JOB STEP(1, "100,120") "train: rank 1 failed first\n" QP
		      RANK(0, 4, "lost rank 1") RANK(1, 3, "no answer for 10 s"), 3, &tl),
	   "rf_timeline_read_train() reads a training with queue pairs and ranks%s", said);
	ok(tl.nqps == 1 && tl.qps[0].qpn == 17 && tl.qps[0].peer == 1 &&
	   !strcmp(tl.qps[0].netdev, "v1"), "rf_timeline_read_train() reads the queue pair");
	ok(tl.end[0].status == 4 && tl.end[1].status == 3 &&
	   tl.end[1].wrong == 2 && !strcmp(tl.end[1].error, "no answer for 10 s"),
	   "rf_timeline_read_train() reads status and error of each rank");
	ok(rf_timeline_ended(&tl, &step) == &tl.end[1] && step == 2,
	   "a training ended in the step after the last complete one, by the rank that failed first");
	rf_timeline_free(&tl);
}

#define FAILED(start, failed) "{\"type\":\"rank\",\"rank\":1,\"status\":3,\"wrong\":0," \
	"\"error\":\"lost\",\"step\":2,\"start_ns\":" #start ",\"failed_ns\":" #failed ",\"wait_ns\":500}\n"

static void failed_step_ok(void)
{
	const struct rf_step *s;
	struct rf_timeline tl;
	uint32_t step;

	ok(!read_text(JOB STEP(1, "100,120") RANK(0, 4, "lost rank 1")
		      FAILED(200, 900), 3, &tl),
	   "rf_timeline_read_train() reads the step in which a rank failed%s", said);
	s = rf_timeline_step(&tl, 1, 2);
	ok(s && s->broken && s->start_ns == 200 && s->end_ns == 900 && s->sync_ns == 900 &&
	   s->wait_recv_ns == 500, "this step has its start, its wait, and ends with the failure");
	ok(rf_timeline_ended(&tl, &step) == &tl.end[1] && step == 2,
	   "the training ended in this step");
	rf_timeline_free(&tl);
}

static void refused(const char *text, const char *what)
{
	struct rf_timeline tl;

	ok(read_text(text, 0, &tl) == -EINVAL, "rf_timeline_read_train() refuses %s", what);
	golden(strchrnul(said, ':'), "%s", what);
	rf_timeline_free(&tl);
}

static void others_fails(void)
{
	struct rf_timeline tl;

	refused("", "an empty file");
	refused("train: no such device\n", "a file without JSON lines of a training");
	refused(STEP(1, "100,120"), "a step before the job");
	refused(JOB STEP(3, "100,120"), "a step too many");
	refused(JOB STEP(1, "100"), "a rank too few");
	refused(JOB STEP(1, "100,-1"), "a time below zero");
	refused(JOB JOB, "two jobs");
	refused(QP, "a queue pair before the job");
	refused(JOB RANK(2, 0, ""), "a rank too many");
	refused(JOB RANK(1, -1, ""), "a status below zero");
	refused(JOB FAILED(200, 199), "a failure before the start of its step");
	refused("{\"type\":\"job\"}\n", "a job without its members");
	refused("{no JSON\n", "invalid JSON");
	refused("{\"type\":\"job\",\"ranks\":65,\"steps\":2,\"gradient_bytes\":1}\n",
		"too many ranks");
	ok(rf_timeline_read_train("/tmp", 0, &tl) == -EIO &&
	   !strcmp(said, "/tmp: Input/output error"), "rf_timeline_read_train() reports a read error: %s", said);
	rf_timeline_free(&tl);
}

int main(void)
{
	training_ok();
	failure_ok();
	ranks_ok();
	failed_step_ok();
	others_fails();
	golden_compare("timeline_train.txt");
	return done_testing();
}
