// SPDX-License-Identifier: GPL-2.0
/*
 * The timeline of a training: what it writes is read, also among words of its
 * ranks, and what is no training is refused.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "golden.h"
#include "said.h"
#include "tap.h"
#include "tools/report/timeline.h"

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
		      STEP(2, "200,220") END, 0, &tl), "a training is read%s",
	   said);
	ok(tl.ranks == 2 && tl.iters == 2 && tl.bytes == 4096, "its job");
	s = rf_timeline_step(&tl, 0, 1);
	ok(s && s->start_ns == 100 && s->end_ns == 150 && s->sync_ns == 160 &&
	   s->wait_recv_ns == 30 && s->wait_sync_ns == 10,
	   "a rank waits for data, and for the last one");
	s = rf_timeline_step(&tl, 1, 1);
	ok(s && s->end_ns == 160 && !s->wait_recv_ns && !s->wait_sync_ns,
	   "which waits for nobody");
	ok(rf_timeline_step_ns(&tl, 1) == 60 && rf_timeline_step_ns(&tl, 2) == 60,
	   "the job's steps");
	ok(!rf_timeline_unfinished(&tl, &who), "and all ended well");
	rf_timeline_free(&tl);
}

static void failure_ok(void)
{
	struct rf_timeline tl;
	const char *why;
	uint32_t who;

	ok(!read_text(JOB STEP(1, "100,120") "train: rank 1: transport retry counter exceeded\n",
		      3, &tl), "one that failed is read%s", said);
	why = rf_timeline_unfinished(&tl, &who);
	ok(why && strstr(why, "retry counter exceeded"), "and tells why: %s",
	   why);
	rf_timeline_free(&tl);
	ok(!read_text(JOB STEP(1, "100,120"), 0, &tl) &&
	   rf_timeline_unfinished(&tl, &who),
	   "so is one that just stopped: rank %u", who);
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
		      RANK(0, 4, "lost rank 1") RANK(1, 3, "waited in vain"), 3, &tl),
	   "one with its ranks is read%s", said);
	ok(tl.nqps == 1 && tl.qps[0].qpn == 17 && tl.qps[0].peer == 1 &&
	   !strcmp(tl.qps[0].netdev, "v1"), "its queue pair");
	ok(tl.end[0].status == 4 && tl.end[1].status == 3 &&
	   tl.end[1].wrong == 2 && !strcmp(tl.end[1].error, "waited in vain"),
	   "and how each rank ended");
	ok(rf_timeline_ended(&tl, &step) == &tl.end[1] && step == 2,
	   "in the step behind the last one that was through");
	rf_timeline_free(&tl);
}

static void refused(const char *text, const char *what)
{
	struct rf_timeline tl;

	ok(read_text(text, 0, &tl) == -EINVAL, "refused: %s", what);
	golden(strchrnul(said, ':'), "%s", what);
	rf_timeline_free(&tl);
}

static void others_fails(void)
{
	struct rf_timeline tl;

	refused("", "nothing");
	refused("train: no such device\n", "no training");
	refused(STEP(1, "100,120"), "a step before the job");
	refused(JOB STEP(3, "100,120"), "a step too many");
	refused(JOB STEP(1, "100"), "a rank too few");
	refused(JOB STEP(1, "100,-1"), "a time below zero");
	refused(JOB JOB, "two jobs");
	refused(QP, "a queue pair before the job");
	refused(JOB RANK(2, 0, ""), "a rank too many");
	refused(JOB RANK(1, -1, ""), "a status below zero");
	refused("{\"type\":\"job\"}\n", "half a job");
	refused("{no JSON\n", "no JSON");
	refused("{\"type\":\"job\",\"ranks\":65,\"steps\":2,\"gradient_bytes\":1}\n",
		"too many ranks");
	ok(rf_timeline_read_train("/tmp", 0, &tl) == -EIO &&
	   !strcmp(said, "/tmp: Input/output error"), "nor what can't be read: %s", said);
	rf_timeline_free(&tl);
}

int main(void)
{
	training_ok();
	failure_ok();
	ranks_ok();
	others_fails();
	golden_compare("timeline_train.txt");
	return done_testing();
}
