// SPDX-License-Identifier: GPL-2.0
/*
 * Start the processes of a case, one after the other: the next one starts when the one before it
 * is ready.
 */
#include <errno.h>
#include <inttypes.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "host.h"
#include "runner.h"
#include "text.h"

#define READY_NS	20000000ull	/* interval in which the condition is checked */
#define LISTEN		0x0a		/* state of a socket, include/net/tcp_states.h */

/* Check whether a line of /proc/net/tcp is a socket that listens on the port. */
static bool is_listener(const char *line, uint32_t port)
{
	unsigned int at, state;

	return sscanf(line, " %*u: %*[0-9A-F]:%x %*[0-9A-F]:%*x %x", &at, &state) == 2 &&
	       at == port && state == LISTEN;
}

static bool listens_in(const char *path, uint32_t port)
{
	char line[256];
	FILE *f = fopen(path, "re");
	bool found = false;

	while (f && !found && fgets(line, sizeof(line), f))
		found = is_listener(line, port);
	if (f)
		fclose(f);
	return found;
}

/* Check whether a process listens on the port of @p, of TCP, or of rdma_cm at the node of @p. */
static bool is_listened_on(const struct rf_cluster *c, const struct rf_process *p)
{
	uint32_t port = p->ready.port, i;
	bool found = listens_in("/proc/net/tcp", port) || listens_in("/proc/net/tcp6", port);

	for (i = 0; !found && i < c->nodes; i++)
		if (!p->node || p->node == i + 1)
			found = rf_rdma_listens(c->node[i].rdma, port) == 1;
	return found;
}

/* A process that is not ready yet */
struct starting {
	const struct rf_processes_run *run;
	const struct rf_process *p;
	struct rf_job *job;
	char log[PATH_MAX];
	FILE *output;			/* read up to @read; NULL: no @p->ready.line */
	long read;			/* bytes of complete lines, none of which matches @regex */
	regex_t regex;
};

/* Check the lines that are new since the last call, and the incomplete line at the end. */
static bool has_new_line(struct starting *s)
{
	bool found = false;
	char *line = NULL;
	size_t room = 0;
	ssize_t len;

	while (!found && (len = getline(&line, &room, s->output)) > 0) {
		if (line[len - 1] == '\n') {
			line[len - 1] = '\0';
			s->read += len;
		}
		found = !regexec(&s->regex, line, 0, NULL, 0);
	}
	free(line);
	fseek(s->output, s->read, SEEK_SET);
	return found;
}

static int open_output(struct starting *s)
{
	if (regcomp(&s->regex, s->p->ready.line, REG_EXTENDED | REG_NOSUB))
		return -ENOMEM;
	s->output = fopen(s->log, "re");
	if (s->output)
		return 0;
	rf_err("%s: %s", s->log, strerror(errno));
	regfree(&s->regex);
	return -EIO;
}

static void close_output(struct starting *s)
{
	fclose(s->output);
	regfree(&s->regex);
}

static bool is_ready(struct starting *s)
{
	const struct rf_ready *ready = &s->p->ready;

	if (ready->port)
		return is_listened_on(s->run->cluster, s->p);
	if (ready->line)
		return has_new_line(s);
	if (!ready->after_ns)
		return s->job->ended;
	return rf_now_ns() - s->job->started_ns >= ready->after_ns;
}

static bool has_condition(const struct rf_process *p)
{
	return p->ready.port || p->ready.line || p->ready.after_ns;
}

static int refuse_ended(const struct starting *s)
{
	char *last = rf_stage_last_line(s->run->dir, s->p->log);

	if (last)
		rf_err("%s: process %s: %s exit status %d: %s", s->run->dir, s->p->name,
		       has_condition(s->p) ? "ended before it was ready, with" : "failed with",
		       s->job->status, last);
	free(last);
	return -ECHILD;
}

static int has_started(void *arg)
{
	struct starting *s = arg;
	bool ended = rf_job_has_ended(s->job);

	if (is_ready(s) && (!ended || (!s->job->status && !s->p->ready.after_ns)))
		return 1;
	return ended ? refuse_ended(s) : 0;
}

/* While a process starts, the condition is checked more often than the progress is shown. */
static int soon(void *arg, uint64_t ns_left, uint64_t *sleep_ns)
{
	const struct rf_processes_run *run = arg;
	int err = run->tick(run->arg, ns_left, sleep_ns);

	*sleep_ns = *sleep_ns < READY_NS ? *sleep_ns : READY_NS;
	return err;
}

static void print_not_ready(const struct starting *s)
{
	const struct rf_ready *ready = &s->p->ready;
	char what[64];

	if (ready->port)
		snprintf(what, sizeof(what), "no process listens on port %u of TCP or rdma_cm", ready->port);
	else
		snprintf(what, sizeof(what), "%s", ready->line ? "no line of its output matches" :
			 ready->after_ns ? "its time is longer" : "it did not end");
	rf_err("%s: process %s: was not ready within %" PRIu64 " s and was killed: %s%s%s", s->run->dir,
	       s->p->name, s->run->patience_ns / 1000000000, what, ready->line ? " " : "",
	       ready->line ? ready->line : "");
}

static int wait_until_ready(struct starting *s, struct rf_jobs *jobs)
{
	struct rf_jobs starting = *jobs;
	int err = s->p->ready.line ? open_output(s) : 0;

	if (err)
		return err;
	starting.tick = soon;
	starting.arg = (void *)s->run;
	err = rf_jobs_until(&starting, has_started, s);
	if (s->output)
		close_output(s);
	if (err == -ETIME)
		print_not_ready(s);
	return err == -ETIME ? -ECHILD : err;
}

static int start_one(const struct rf_processes_run *run, const struct rf_process *p,
		     struct rf_jobs *jobs)
{
	struct starting s = { .run = run, .p = p, .job = &jobs->job[jobs->n] };
	char *shell[] = { "/bin/sh", "-c", p->run, NULL }, **argv = NULL;
	struct rf_env env;
	int err;

	if (rf_stage_path(s.log, run->dir, p->log))
		return -ENAMETOOLONG;
	if (p->ready.port && is_listened_on(run->cluster, p)) {
		rf_err("%s: process %s: another process already listens on port %u; use another port",
		       run->dir, p->name, p->ready.port);
		return -EADDRINUSE;
	}
	err = rf_process_env(run->cluster, p, run->workload, run->dir, &env);
	s.job->env = env.v;
	s.job->stop = p->stop;
	s.job->kept = run->kept;
	if (!err && p->ranks) {
		argv = rf_mpirun_argv(run->cluster, p);
		err = argv ? 0 : -ENOMEM;
	}
	if (!err)
		err = rf_job_start(s.job, jobs->sig, argv ? argv : shell, s.log);
	if (argv)
		rf_workload_argv_free(argv);
	rf_env_free(&env);
	if (err)
		return err;
	jobs->n++;
	return run->kept || has_condition(p) ? wait_until_ready(&s, jobs) : 0;
}

/**
 * rf_processes_start - start the processes of a case
 * @run: what the processes need
 * @jobs: the jobs that get them; the caller has allocated one job for each process, and ends the
 *	jobs, also after an error
 *
 * Return: 0, -EINTR after a signal, or -errno after rf_err().
 */
int rf_processes_start(const struct rf_processes_run *run, struct rf_jobs *jobs)
{
	int err = 0;
	size_t i;

	for (i = 0; !err && i < run->all->n; i++)
		err = start_one(run, &run->all->p[i], jobs);
	return err;
}

/**
 * rf_processes_late - print which processes did not end before the deadline
 * @run: what the processes need
 * @jobs: the jobs, not ended yet
 */
void rf_processes_late(const struct rf_processes_run *run, const struct rf_jobs *jobs)
{
	size_t i;

	for (i = 0; i < jobs->n; i++)
		if (!jobs->job[i].ended && !jobs->job[i].stop)
			rf_err("%s: process %s: did not end within %" PRIu64 " s and was killed",
			       run->dir, run->all->p[i].name,
			       run->patience_ns / 1000000000);
}

static int record_process(const struct rf_process *p, const struct rf_job *job, const char *dir,
			  struct rf_record *rec)
{
	struct rf_process_end end = {
		.status = job->status, .stopped = job->stopped,
		.start_ns = job->started_ns, .end_ns = job->ended_ns,
	};

	char log[PATH_MAX];
	int err;

	snprintf(end.name, sizeof(end.name), "%s", p->name);
	err = rf_stage_path(log, dir, p->log);
	if (!err)
		err = rf_output_read(p, log, &end);
	if (!err && rf_process_failed(&end)) {
		end.last_line = rf_stage_last_line(dir, p->log);
		if (end.last_line)
			rf_text_line(end.last_line);
		else
			err = -ENOMEM;
	}
	if (!err)
		return rf_record_process(rec, &end);
	rf_process_end_free(&end);
	return err;
}

/**
 * rf_processes_record - record how the processes of a case ended
 * @all: the processes
 * @jobs: their jobs, ended
 * @dir: the directory of the case
 * @rec: the record of the case
 *
 * Return: 0, or -ENOMEM.
 */
int rf_processes_record(const struct rf_processes *all, const struct rf_jobs *jobs, const char *dir,
			struct rf_record *rec)
{
	int err = 0;
	size_t i;

	for (i = 0; !err && i < all->n; i++)
		err = record_process(&all->p[i], &jobs->job[i], dir, rec);
	return err;
}
