// SPDX-License-Identifier: GPL-2.0
/*
 * The setup of a run: processes that start before the first case and end after the last one, and
 * the command lines of the teardown, which run at the end of each run, however it ends.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "err.h"
#include "host.h"
#include "runner.h"

static int no_tick(void *arg, uint64_t ns_left, uint64_t *sleep_ns)
{
	(void)arg;
	(void)ns_left;
	(void)sleep_ns;
	return 0;
}

/* All processes of the run get the directory of the scenario file, for files beside it. */
static void name_directory(const char *path)
{
	char whole[PATH_MAX], *slash;

	if (!realpath(path, whole))
		return;
	slash = strrchr(whole, '/');
	*slash = '\0';
	setenv("RF_SCENARIO_DIR", slash == whole ? "/" : whole, 1);
}

/**
 * rf_runner_set_up - start the processes of the setup, each until it is ready
 * @p: the runner, opened
 * @dir: the directory of the run, for their output
 *
 * Return: 0, -EINTR after a signal, or -errno after rf_err(). The caller calls
 * rf_runner_tear_down(), also after an error.
 */
int rf_runner_set_up(struct rf_runner *p, const char *dir)
{
	const struct rf_processes *all = &p->scenario->setup;
	const struct rf_processes_run run = {
		.cluster = &p->cluster, .all = all, .workload = &p->scenario->workload,
		.dir = dir, .patience_ns = p->deadline_ns, .tick = no_tick, .kept = true,
	};

	snprintf(p->dir, sizeof(p->dir), "%s", dir);
	name_directory(p->scenario->path);
	if (!all->n)
		return 0;
	p->setup = (struct rf_jobs){
		.deadline_ns = rf_now_ns() + p->deadline_ns, .sig = &p->signals, .tick = no_tick,
	};
	/* The keepers of the processes write into their jobs. */
	p->setup.job = mmap(NULL, all->n * sizeof(*p->setup.job), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (p->setup.job != MAP_FAILED)
		return rf_processes_start(&run, &p->setup);
	p->setup.job = NULL;
	rf_err("setup: %s", strerror(errno));
	return -ENOMEM;
}

/* Run a command line of the teardown, also after a signal; another signal ends it. */
static int run_line(struct rf_runner *p, size_t i)
{
	char *argv[] = { "/bin/sh", "-c", p->scenario->teardown.v[i], NULL };
	char name[32], log[PATH_MAX], *last;
	struct rf_job job = { };
	struct rf_jobs jobs = {
		.job = &job, .n = 1, .deadline_ns = rf_now_ns() + p->deadline_ns,
		.sig = &p->signals, .tick = no_tick,
	};
	int err;

	p->signals.aborted = false;
	snprintf(name, sizeof(name), "teardown%zu.txt", i + 1);
	if (rf_stage_path(log, p->dir, name) || rf_job_start(&job, &p->signals, argv, log))
		return -EIO;
	err = rf_jobs_wait(&jobs);
	rf_jobs_end(&jobs);
	if (!err && !job.status)
		return 0;
	last = rf_stage_last_line(p->dir, name);
	if (last)
		rf_err("%s: teardown: \"%s\" %s %d: %s", p->dir, argv[2],
		       err ? "was killed, status" : "ended with exit status", job.status, last);
	free(last);
	return -EIO;
}

/**
 * rf_runner_tear_down - run the teardown, and end the processes of the setup
 * @p: the runner
 *
 * Return: 0, or -EIO after rf_err() for each command line that failed; the others run, too.
 */
int rf_runner_tear_down(struct rf_runner *p)
{
	const size_t n = p->dir[0] ? p->scenario->teardown.n : 0;
	bool aborted = p->signals.aborted;
	int err = 0;
	size_t i;

	for (i = 0; i < n; i++)
		if (run_line(p, i))
			err = -EIO;
	p->signals.aborted = aborted;
	p->dir[0] = '\0';
	for (i = p->setup.n; i; i--)
		rf_job_end_kept(&p->setup.job[i - 1]);
	if (p->setup.job)
		munmap(p->setup.job, p->scenario->setup.n * sizeof(*p->setup.job));
	p->setup = (struct rf_jobs){ };
	return err;
}
