// SPDX-License-Identifier: GPL-2.0
/*
 * One play: prove that nothing is left of before, read the counters, set the
 * rules, record, run the job, read the counters again.
 *
 * The rules belong to a socket of the play's own and die with it, whatever
 * becomes of us. Rules that only watch stand before the faults on every port,
 * in the clean play too: a packet that a fault makes vanish has been seen, and
 * clean and faulted plays pay the same for being watched.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "err.h"
#include "player.h"
#include "rdmadev.h"
#include "recorder.h"
#include "stage.h"

#define LOCK_FILE "/run/rdmafault-run.lock"

static int lock(struct rf_player *p)
{
	int err;

	p->lock = open(LOCK_FILE, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	if (p->lock >= 0 && !flock(p->lock, LOCK_EX | LOCK_NB))
		return 0;
	err = -errno;
	if (err == -EWOULDBLOCK)
		rf_err("want to run alone, got another run: %s is locked",
		       LOCK_FILE);
	else
		rf_err("%s: %s", LOCK_FILE, strerror(-err));
	if (p->lock >= 0)
		close(p->lock);
	return err;
}

/**
 * rf_player_open - get ready to play
 * @p: the player, with its scenario, its deadline and cluster.keep
 *
 * Return: 0, or -errno after rf_err(); nothing is left behind then.
 */
int rf_player_open(struct rf_player *p)
{
	int err = lock(p);

	if (err)
		return err;
	err = rf_signals_open(&p->signals);
	if (err) {
		close(p->lock);
		return err;
	}
	err = rf_cluster_up(&p->cluster, p->scenario->nodes);
	if (err)
		rf_player_close(p);
	return err;
}

/** rf_player_close - leave the machine as it was */
void rf_player_close(struct rf_player *p)
{
	rf_cluster_down(&p->cluster);
	rf_signals_close(&p->signals);
	close(p->lock);
}

struct progress {
	const struct rf_player *p;
	struct rf_nl *nl;
	const char *label;
};

static void show_progress(void *arg, uint64_t ns_left)
{
	const struct progress *pr = arg;
	struct rf_port_info port = { };

	if (!pr->p->show_progress)
		return;
	rf_nl_port_get(pr->nl, pr->p->cluster.node[0].ifindex, &port);
	fprintf(stderr, "\r\033[K%s: %s: step %u of %u, at most %u s left",
		pr->p->scenario->name, pr->label, port.step,
		pr->p->scenario->workload.steps,
		(unsigned int)(ns_left / 1000000000));
	fflush(stderr);
}

static void end_progress(const struct rf_player *p)
{
	if (p->show_progress)
		fputs("\r\033[K", stderr);
}

static int join_devices(const struct rf_player *p, char *buf, size_t len)
{
	uint32_t rank;
	size_t used = 0;

	for (rank = 0; rank < p->scenario->workload.ranks && used < len; rank++)
		used += snprintf(buf + used, len - used, "%s%s",
				 rank ? "," : "", p->cluster.node[rank].rdma);
	return used < len ? 0 : -ENAMETOOLONG;
}

static int start_job(struct rf_player *p, const struct rf_workload *w,
		     const char *dir, struct rf_job *job)
{
	const struct rf_qp_attr *qp = &p->scenario->qp;
	char ranks[16], size[24], steps[16], warmup[16], timeout[16];
	char retry[16], mtu[16], compute[32], deadline[32], devices[RF_FABRIC_MAX * 8];
	char timeline[PATH_MAX], log[PATH_MAX];
	char *argv[] = {
		"collperf", w->collective, "-N", ranks, "-b", size, "-e", size,
		"-n", steps, "-w", warmup, "-z", "1", "--compute", compute,
		"--device", devices,
		"--timeout", timeout, "--retry-cnt", retry, "--mtu", mtu,
		"--deadline", deadline, "--timeline", timeline, NULL
	};

	snprintf(ranks, sizeof(ranks), "%u", w->ranks);
	snprintf(size, sizeof(size), "%llu", (unsigned long long)w->size);
	snprintf(steps, sizeof(steps), "%u", w->steps);
	snprintf(warmup, sizeof(warmup), "%u", w->warmup);
	snprintf(compute, sizeof(compute), "%lluns",
		 (unsigned long long)w->compute_ns);
	snprintf(deadline, sizeof(deadline), "%lluns",
		 (unsigned long long)p->deadline_ns);
	snprintf(timeout, sizeof(timeout), "%u", qp->timeout);
	snprintf(retry, sizeof(retry), "%u", qp->retry_cnt);
	snprintf(mtu, sizeof(mtu), "%u", qp->mtu);
	if (join_devices(p, devices, sizeof(devices)) ||
	    rf_stage_path(timeline, dir, "timeline.jsonl") ||
	    rf_stage_path(log, dir, "collperf.txt"))
		return -ENAMETOOLONG;
	job->deadline_ns = p->deadline_ns;
	return rf_job_start(job, &p->signals, argv, log);
}

/* 0 and 1 (wrong sums) and 3 (a rank failed) are results; others are none. */
static int judge_job(const struct rf_player *p, const struct rf_job *job,
		     int how, const char *dir)
{
	char log[PATH_MAX], last[256];

	if (how == -ETIME)
		rf_err("%s: want the job to end within %u s, got none of it",
		       dir, (unsigned int)(p->deadline_ns / 1000000000));
	if (how)
		return how;
	if (job->status == 0 || job->status == 1 || job->status == 3)
		return 0;
	rf_stage_path(log, dir, "collperf.txt");
	rf_stage_last_line(log, last, sizeof(last));
	rf_err("%s: collperf ended with status %d: %s", dir, job->status, last);
	return -EIO;
}

static int run_job(struct rf_player *p, struct rf_nl *nl, const char *label,
		   const char *dir)
{
	struct progress pr = { .p = p, .nl = nl, .label = label };
	struct rf_job job = { };
	int err;

	err = start_job(p, &p->scenario->workload, dir, &job);
	if (err)
		return err;
	err = rf_job_wait(&job, &p->signals, show_progress, &pr);
	end_progress(p);
	return judge_job(p, &job, err, dir);
}

static void no_tick(void *arg, uint64_t ns_left)
{
	(void)arg;
	(void)ns_left;
}

/*
 * One step that nobody looks at. It brings programs and libraries into memory:
 * in virtual time a machine that waits for its disk leaps from timer to timer,
 * and ranks would give one another up before they are loaded.
 */
static void rehearse(struct rf_player *p, const char *dir)
{
	struct rf_workload w = p->scenario->workload;
	struct rf_job job = { };

	if (p->rehearsed)
		return;
	p->rehearsed = true;
	w.steps = 1;
	w.warmup = 0;
	w.compute_ns = 0;
	if (!start_job(p, &w, dir, &job))
		rf_job_wait(&job, &p->signals, no_tick, NULL);
}

static int read_timeline(const char *dir, struct rf_record *rec)
{
	char path[PATH_MAX];

	if (rf_stage_path(path, dir, "timeline.jsonl"))
		return -ENAMETOOLONG;
	return rf_timeline_read(path, &rec->tl);
}

/* With the rules set and the recorder on. */
static int play_on_stage(struct rf_player *p, struct rf_stage *st,
			 const char *label, const char *dir,
			 struct rf_record *rec)
{
	struct rf_recorder r;
	int err;

	err = rf_recorder_start(&r);
	if (err)
		return err;
	err = run_job(p, st->nl, label, dir);
	if (!err)
		err = rf_stage_read(st, rec);
	if (!err)
		err = rf_recorder_read(&r, &rec->ev);
	rf_recorder_stop(&r);
	if (!err)
		rf_stage_mark_faults(st, &rec->ev);
	return err ? err : read_timeline(dir, rec);
}

/**
 * rf_player_play - one play
 * @p: the player
 * @play: the play
 * @label: what to call it
 * @dir: directory for what it leaves, made if need be
 * @rec: what it left; to be freed also after an error
 *
 * Return: 0, -EINTR when aborted, or -errno after rf_err().
 */
int rf_player_play(struct rf_player *p, const struct rf_play *play,
		   const char *label, const char *dir, struct rf_record *rec)
{
	struct rf_stage st;
	int err;

	*rec = (struct rf_record){ };
	if (p->signals.aborted)
		return -EINTR;
	err = rf_stage_make_dir(dir);
	if (err)
		return err;
	rehearse(p, dir);
	err = rf_stage_open(&st, &p->cluster, play);
	if (err)
		return err;
	err = play_on_stage(p, &st, label, dir, rec);
	rf_stage_close(&st);
	return err;
}
