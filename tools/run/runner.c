// SPDX-License-Identifier: GPL-2.0
/*
 * Run one case: check that nothing is left of the previous case, read the counters, start
 * recording, apply the faults, run the job, read the counters again.
 *
 * The rules belong to the netlink socket of the case. The module deletes them when the
 * socket is closed, also if the run is killed. Rules that only observe packets are evaluated
 * before the rules of faults, so that dropped packets are recorded too. They are also added
 * in clean cases, so that recording takes the same time in all cases.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "err.h"
#include "host.h"
#include "job.h"
#include "port.h"
#include "runner.h"

#define LOG "job.txt"			/* output of the job */
#define LOG_OTHER "job-%s.txt"		/* output of another job than the first one */
#define LOG_BACKGROUND "background.txt"
#define SHOW_NS 250000000ull		/* time between two updates of the progress line */
#define LINES_NS 10000000000ull		/* time between two lines if progress_lines is set */
#define ZERO_NS 5000000ull		/* polling interval before the first step */
#define LOCK_FILE "/run/rdmafault-run.lock"

static size_t most_faults(const struct rf_scenario *s)
{
	size_t i, most = 0;

	for (i = 0; i < s->ncases; i++)
		if (s->cases[i].nfaults > most)
			most = s->cases[i].nfaults;
	return most;
}

static int lock(struct rf_runner *p)
{
	p->lock = rf_lock(LOCK_FILE, 0);
	if (p->lock >= 0)
		return 0;
	if (p->lock == -EWOULDBLOCK && getenv("PMIX_RANK"))
		rf_err("run: another run is active on this machine; start one process on each machine, for example with \"mpirun --map-by ppr:1:node\"");
	else if (p->lock == -EWOULDBLOCK)
		rf_err("run: another run is active on this machine (%s is locked)",
		       LOCK_FILE);
	else
		rf_err("%s: %s", LOCK_FILE, strerror(-p->lock));
	return p->lock;
}

/**
 * rf_runner_new - make a runner and take the lock of this machine
 * @s: the scenario
 *
 * Return: the runner, in memory that is shared with child processes, or NULL after
 * rf_err().
 */
struct rf_runner *rf_runner_new(const struct rf_scenario *s)
{
	size_t size = sizeof(struct rf_runner) +
		      most_faults(s) * sizeof(struct rf_fault_state);
	struct rf_runner *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED) {
		rf_err("run: no memory for a runner: %s", strerror(errno));
		return NULL;
	}
	p->scenario = s;
	p->deadline_ns = s->deadline_ns;
	p->size = size;
	if (!lock(p))
		return p;
	munmap(p, size);
	return NULL;
}

/** rf_runner_free - free a runner and release the lock of this machine */
void rf_runner_free(struct rf_runner *p)
{
	close(p->lock);
	munmap(p, p->size);
}

/*
 * Only ranks of collperf and train can be started on several machines. All processes find the same
 * error; @speaks: this one prints it.
 */
static int check_several(const struct rf_scenario *s, bool speaks)
{
	const char *wrong = s->setup.n ? "setup" : s->teardown.n ? "teardown" :
			    s->sample_ns ? "sample" : NULL;
	size_t i;

	for (i = 0; !wrong && i < s->ncases; i++)
		wrong = s->cases[i].workload.kind == RF_WORK_COMMAND ? "workload: command" :
			s->cases[i].workload.background ? "workload: background" :
			s->cases[i].nothers ? "workload: a list of jobs" :
			rf_workload_rails(&s->cases[i].workload) > 1 ? "workload: rails" :
			s->cases[i].workload.placement.how ? "workload: placement" : NULL;
	if (!wrong)
		return 0;
	if (speaks)
		rf_err("run: \"%s\" cannot be used on several machines; only collective and train, with one rail",
		       wrong);
	return -EINVAL;
}

static int set_up_ports(struct rf_runner *p)
{
	int err = rf_cluster_up(&p->cluster, p->scenario, &p->machines);

	if (!err && !p->cluster.keep_settings)
		err = rf_settings_check(&p->cluster);
	return err ? err : rf_cluster_set_ports(&p->cluster, p->scenario);
}

/**
 * rf_runner_open - create the cluster and handle signals
 * @p: the runner; the caller has set deadline_ns and cluster.keep
 *
 * Return: 0, or -errno after rf_err() and after cleaning up.
 */
int rf_runner_open(struct rf_runner *p)
{
	struct rf_machines *ms = &p->machines;
	int err = rf_signals_open(&p->signals);

	if (err)
		return err;
	err = rf_machines_join(ms, p->scenario, &p->signals);
	if (!err && rf_machines_are_several(ms)) {
		err = check_several(p->scenario, !rf_machines_follow(ms));
		if (!err)
			err = rf_machines_check_fabric(ms, &p->scenario->fabric);
	}
	if (!err)
		err = rf_machines_agree(ms, set_up_ports(p));
	if (err) {
		rf_runner_close(p);
		rf_machines_leave(ms);
	}
	return err;
}

/**
 * rf_runner_close - restore the state that the machine had before the run
 * @p: the runner
 *
 * The connections to other machines stay open.
 */
void rf_runner_close(struct rf_runner *p)
{
	rf_cluster_down(&p->cluster);
	rf_signals_close(&p->signals);
}

/**
 * rf_runner_clear - clean up after a run that was killed
 * @p: the runner
 *
 * Rules and storms of the run have already ended, because its netlink socket was closed.
 */
void rf_runner_clear(struct rf_runner *p)
{
	rf_guard_end_children();
	if (!rf_signals_open(&p->signals)) {
		p->setup = (struct rf_jobs){ };
		rf_runner_tear_down(p);
		rf_signals_close(&p->signals);
	}
	if (p->on_stage)
		rf_stage_clear(p->scenario, p->on_stage, p->faults);
	rf_trace_sweep();
	rf_cluster_down(&p->cluster);
}

static bool has_timed_faults(const struct rf_case *test_case)
{
	size_t i;

	for (i = 0; i < test_case->nfaults; i++)
		if (test_case->faults[i].when.clock != RF_CLOCK_NONE)
			return true;
	return false;
}

/* A case while its job runs. */
struct running {
	struct rf_runner *p;
	struct rf_stage *st;
	const char *label, *dir;
	struct rf_record *rec;
	struct rf_job background;	/* pid 0: no background command, or it has ended */
	bool started;			/* all processes of the job have started */
	size_t others;			/* number of other jobs that have started */
	const struct rf_jobs *jobs;	/* of the job's processes that have started */
	struct rf_agenda agenda;	/* empty if process 0 on another machine has it */
	struct rf_announced *announced;	/* of a user's command; NULL: another program */
	uint32_t step;			/* current step of the job */
	uint64_t zero_ns;		/* start of the job's first step; 0: not started yet */
	uint64_t shown_ns;
	uint64_t sampled_ns;		/* when the ports were sampled last; 0: not yet */
};

/* Return: the process that is not ready yet, which is the last one that has started; NULL: none */
static const char *waits_for(const struct running *pr)
{
	const struct rf_case *test_case = pr->st->test_case;

	if (pr->started || !pr->jobs->n)
		return NULL;
	return pr->others ? test_case->others[pr->others - 1].name :
			    test_case->workload.processes.p[pr->jobs->n - 1].name;
}

static void show_progress(struct running *pr, uint64_t now, uint64_t ns_left)
{
	const struct rf_scenario *s = pr->p->scenario;
	const struct rf_progress progress = {
		.name = s->name, .label = pr->label,
		.case_number = pr->p->done + 1, .cases = s->ncases * s->repeat,
		.waits_for = waits_for(pr),
		.step = pr->step, .steps = pr->st->test_case->workload.steps,
		.ns = pr->zero_ns ? now - pr->zero_ns : 0,
		.done_ns = pr->p->run_ns, .deadline_ns = ns_left,
	};
	const bool lines = pr->p->progress_lines;
	char line[160];

	if (!pr->p->show_progress || rf_machines_follow(&pr->p->machines) ||
	    (pr->shown_ns &&
	     now - pr->shown_ns < (lines ? LINES_NS : SHOW_NS)))
		return;
	pr->shown_ns = now;
	fprintf(stderr, "%s%s%s", lines ? "" : "\r\033[K",
		rf_progress_line(&progress, line, sizeof(line)),
		lines ? "\n" : "");
	fflush(stderr);
}

/*
 * Return: the step that rank 0 of a job announced last. A machine that does not have rank 0 reads
 * the step of its first rank.
 */
static uint32_t announced_step(const struct running *pr, const struct rf_case *job)
{
	bool here = !rf_machines_are_several(&pr->p->machines);
	uint32_t node = here ? rf_workload_node(&job->workload, 0, 0) : 1;
	struct rf_port_info port = { };

	rf_nl_port_get(pr->st->nl, rf_cluster_port(&pr->p->cluster, node - 1)->ifindex, &port);
	return port.step;
}

/*
 * Update the current step. For a job without steps, times are counted from the start of the job
 * or, if it has several processes, from the start of the last one.
 */
static void look_at_step(struct running *pr, uint64_t now)
{
	pr->step = announced_step(pr, pr->st->test_case);
	if (!pr->zero_ns && (pr->step || (!pr->st->test_case->workload.steps && pr->started)))
		pr->zero_ns = now;
}

/* Apply or undo a fault of this machine, and record the time at which this was done. */
static int act_here(void *arg, uint32_t fault, bool undo)
{
	struct running *pr = arg;
	struct rf_done done = { .fault = fault, .undo = undo };
	int err;

	if (fault >= pr->st->test_case->nfaults)
		return -EPROTO;
	err = undo ? rf_stage_undo(pr->st, fault) ?: rf_balance_avoid(pr->st, fault, false) :
		     rf_stage_do(pr->st, fault);
	done.t_ns = rf_now_ns();
	return err ? err : rf_record_done(pr->rec, &done);
}

static int act(struct running *pr, const struct rf_item *it)
{
	const struct rf_case *test_case = pr->st->test_case;
	const struct rf_fault *f = &test_case->faults[it->fault];
	uint32_t machine = rf_machines_of_port(&pr->p->machines, pr->p->scenario, f->port);
	uint32_t spine;
	uint64_t now;
	int err;

	if (it->avoid)
		return rf_balance_avoid(pr->st, it->fault, true);
	err = machine == pr->p->machines.own ?
	      act_here(pr, it->fault, it->undo) :
	      rf_machines_act(&pr->p->machines, machine, it->fault, it->undo);
	if (err || it->undo || f->kind != RF_FAULT_LINK_DOWN)
		return err;
	now = rf_now_ns() - pr->zero_ns;
	rf_agenda_end_at(&pr->agenda, it->fault, now + f->down_ns);
	if (rf_fault_converges(pr->p->scenario, test_case, f, &spine))
		rf_agenda_avoid_at(&pr->agenda, it->fault, now + test_case->convergence_ns);
	return 0;
}

/* Exchange messages with the other machines while the job runs. */
static int meet_others(struct running *pr, uint64_t *sleep_ns)
{
	const struct rf_machines_faults faults = { .act = act_here, .arg = pr };
	struct rf_machines *ms = &pr->p->machines;

	if (!rf_machines_follow(ms))
		return rf_machines_look(ms);
	if (has_timed_faults(pr->st->test_case))
		*sleep_ns = ZERO_NS;
	return rf_machines_serve(ms, &faults);
}

/* The background command must run as long as the job. */
static int check_background(struct running *pr)
{
	char *last;

	if (!pr->background.pid || !rf_job_has_ended(&pr->background))
		return 0;
	pr->background.pid = 0;
	last = rf_stage_last_line(pr->dir, LOG_BACKGROUND);
	if (last)
		rf_err("%s: background command ended before the job, with exit status %d: %s",
		       pr->dir, pr->background.status, last);
	free(last);
	return -ECHILD;
}

/* Sample the ports from the start of the first step on. */
static int sample(struct running *pr, uint64_t now, uint64_t *sleep_ns)
{
	const uint64_t every = pr->p->scenario->sample_ns;
	uint64_t due;
	int err = 0;

	if (!every || !pr->zero_ns)
		return 0;
	due = pr->sampled_ns ? pr->sampled_ns + every : pr->zero_ns;
	if (now >= due) {
		/* A late sample does not delay the next ones. */
		pr->sampled_ns = now - (now - pr->zero_ns) % every;
		due = pr->sampled_ns + every;
		err = rf_tally_sample(pr->st, &pr->rec->samples);
	}
	if (due - now < *sleep_ns)
		*sleep_ns = due - now;
	return err;
}

static int tick(void *arg, uint64_t ns_left, uint64_t *sleep_ns)
{
	struct running *pr = arg;
	const struct rf_item *it;
	const bool polled = pr->agenda.n || pr->p->scenario->sample_ns;
	uint64_t now = rf_now_ns(), ns;
	int err = check_background(pr);

	if (!err)
		err = meet_others(pr, sleep_ns);
	if (polled || pr->p->show_progress)
		look_at_step(pr, now);
	if (pr->announced)
		rf_announced_read(pr->announced, pr->st->nl, now);
	show_progress(pr, now, ns_left);
	ns = pr->zero_ns ? now - pr->zero_ns : 0;
	while (!err && pr->zero_ns &&
	       (it = rf_agenda_take(&pr->agenda, pr->step, ns)))
		err = act(pr, it);
	if (!err && polled)
		*sleep_ns = pr->zero_ns ?
			    rf_agenda_pause(&pr->agenda, pr->step, ns,
					    *sleep_ns) :
			    ZERO_NS;
	if (!err)
		err = sample(pr, now, sleep_ns);
	if (pr->announced && pr->announced->steps && *sleep_ns > RF_ANNOUNCED_NS)
		*sleep_ns = RF_ANNOUNCED_NS;
	return err;
}

static void end_progress(const struct rf_runner *p)
{
	if (p->show_progress && !p->progress_lines)
		fputs("\r\033[K", stderr);
}

/* Write the names of the RDMA devices of this machine's ranks, in the order of the ranks. */
static int join_devices(const struct rf_cluster *c, const struct rf_workload *w, char *buf,
			size_t len)
{
	uint32_t nodes = w->ranks * rf_workload_rails(w), i;
	size_t used = 0;

	buf[0] = '\0';
	for (i = c->first; i < nodes && i < c->end && used < len; i++)
		used += snprintf(buf + used, len - used, "%s%s",
				 i > c->first ? "," : "",
				 c->node[w->placement.node[i] - 1].rdma);
	return used < len ? 0 : -ENAMETOOLONG;
}

/* Write the name of the file with the output of a job. */
static void log_name(const struct running *pr, const struct rf_case *of, char name[64])
{
	if (of == pr->st->test_case)
		strcpy(name, LOG);
	else
		snprintf(name, 64, LOG_OTHER, of->name);
}

static int log_of(const struct running *pr, const struct rf_case *of, char path[PATH_MAX])
{
	char name[64];

	log_name(pr, of, name);
	return rf_stage_path(path, pr->dir, name);
}

/* Start a process of collperf or train, with output to @log: all ranks, or one of them. */
static int start_process(struct rf_runner *p, struct running *pr, const struct rf_case *of,
			 struct rf_jobs *jobs, const struct rf_places *places, const char *log)
{
	const struct rf_workload *w = &of->workload;
	struct rf_job *job = &jobs->job[jobs->n];
	struct rf_env env;
	char **argv;
	int err = rf_workload_argv(w, &of->qp, places, &argv);

	if (err) {
		rf_err("%s: %s", pr->dir, strerror(-err));
		return err;
	}
	err = rf_process_env(&p->cluster, NULL, w, NULL, &env);
	job->env = env.v;
	if (!err)
		err = rf_job_start(job, &p->signals, argv, log);
	jobs->n += !err;
	rf_env_free(&env);
	rf_workload_argv_free(argv);
	return err;
}

/* Start the ranks of this machine, one process each. Only rank 0 prints results. */
static int start_ranks(struct rf_runner *p, struct running *pr, struct rf_jobs *jobs,
		       struct rf_places *places, char timeline[PATH_MAX])
{
	const struct rf_cluster *c = &p->cluster;
	uint32_t ranks = pr->st->test_case->workload.ranks;
	char log[PATH_MAX], name[32], address[RF_MACHINES_ADDRESS];
	int err = rf_machines_rendezvous(&p->machines, address, timeline);

	places->rendezvous = address;
	for (places->rank = c->first; !err && places->rank < c->end && places->rank < ranks;
	     places->rank++) {
		snprintf(name, sizeof(name), "rank%u.txt", places->rank);
		err = rf_stage_path(log, pr->dir, places->rank ? name : LOG);
		if (!err)
			err = start_process(p, pr, pr->st->test_case, jobs, places, log);
	}
	return err;
}

/* Start collperf or train for the first job, or for another one, whose files have its name. */
static int start_program(struct rf_runner *p, struct running *pr, const struct rf_case *of,
			 struct rf_jobs *jobs)
{
	char timeline[PATH_MAX], log[PATH_MAX], devices[RF_FABRIC_MAX * 8];
	char file[64] = RF_TIMELINE_FILE;
	struct rf_places places = {
		.devices = devices,
		.timeline = timeline,
		.deadline_ns = p->deadline_ns,
		.seed = rf_scenario_seed(p->scenario),
	};

	if (of != pr->st->test_case)
		snprintf(file, sizeof(file), RF_TIMELINE_FILE_OTHER, of->name);
	if (join_devices(&p->cluster, &of->workload, devices, sizeof(devices)) ||
	    rf_stage_path(timeline, pr->dir, file) || log_of(pr, of, log))
		return -ENAMETOOLONG;
	return rf_machines_are_several(&p->machines) ?
	       start_ranks(p, pr, jobs, &places, timeline) :
	       start_process(p, pr, of, jobs, &places, log);
}

/*
 * If "collperf" or "train" exits with status 0, 1 (wrong sums) or 3 (a rank failed), this is
 * a result, not an error of the run. Any exit status of a user's command is also a result,
 * from which the verdict follows.
 */
static bool is_result(const struct rf_workload *w, int status)
{
	return w->kind == RF_WORK_COMMAND || status == RF_EXIT_OK ||
	       status == RF_EXIT_FAILED || status == RF_EXIT_INCOMPLETE;
}

/* Print that collperf or train failed. */
static int refuse_status(const struct running *pr, const struct rf_case *of, int status)
{
	const char *name = of->workload.name;
	char log[64], *last;

	log_name(pr, of, log);
	last = rf_stage_last_line(pr->dir, log);
	if (last)
		rf_err("%s: %s%s%s%s ended with exit status %d; its last line of output: %s",
		       pr->dir, name ? "job " : "", name ? name : "", name ? ": " : "",
		       of->workload.kind == RF_WORK_TRAIN ? "train" : "collperf", status, last);
	free(last);
	return -EIO;
}

/* Return: the job of process @i */
static const struct rf_case *job_of_process(const struct running *pr, size_t i)
{
	const struct rf_case *test_case = pr->st->test_case;

	return i < test_case->nothers ? &test_case->others[i] : test_case;
}

static void print_job_late(const struct rf_processes_run *run, const struct rf_jobs *jobs)
{
	if (run->workload->processes.listed)
		rf_processes_late(run, jobs);
	else
		rf_err("%s: job did not end within %u s and was killed",
		       run->dir, (unsigned int)(run->patience_ns / 1000000000));
}

static int judge_job(const struct running *pr, const struct rf_processes_run *run,
		     const struct rf_jobs *jobs, int how)
{
	size_t i;

	if (how == -ETIME)
		print_job_late(run, jobs);
	for (i = 0; i < jobs->n && is_result(run->workload, jobs->job[i].status); i++)
		;
	return how || i == jobs->n ? how : refuse_status(pr, job_of_process(pr, i),
							 jobs->job[i].status);
}

/* Check whether each of the other jobs has begun its first step, or has failed. */
static int others_have_begun(void *arg)
{
	struct running *pr = arg;
	const struct rf_case *test_case = pr->st->test_case, *other;
	struct rf_job *job;
	size_t i;

	for (i = 0; i < pr->others; i++) {
		other = &test_case->others[i];
		job = &pr->jobs->job[i];
		if (!rf_job_has_ended(job) && !announced_step(pr, other))
			return 0;
		if (job->ended && !is_result(&other->workload, job->status))
			return refuse_status(pr, other, job->status);
	}
	return 1;
}

/*
 * Start the other jobs, and wait until their measured steps have begun: the first job has them
 * beside it from its start to its end.
 */
static int start_others(struct rf_runner *p, struct running *pr, struct rf_jobs *jobs)
{
	const struct rf_case *test_case = pr->st->test_case;
	int err = 0;

	while (!err && pr->others < test_case->nothers) {
		jobs->job[jobs->n].stop = SIGTERM;
		err = start_program(p, pr, &test_case->others[pr->others], jobs);
		pr->others += !err;
	}
	if (!err && pr->others)
		err = rf_jobs_until(jobs, others_have_begun, pr);
	if (err == -ETIME)
		rf_err("%s: job %s: did not begin its first step within the deadline", pr->dir,
		       test_case->others[0].name);
	return err;
}

/* Start the jobs of a case whose ranks are processes of collperf or train. */
static int start_programs(struct rf_runner *p, struct running *pr, struct rf_jobs *jobs)
{
	int err = start_others(p, pr, jobs);

	return err ? err : start_program(p, pr, pr->st->test_case, jobs);
}

static int start_background(struct rf_runner *p, struct running *pr)
{
	const struct rf_workload *w = &pr->st->test_case->workload;
	char log[PATH_MAX], *argv[] = { "/bin/sh", "-c", w->background, NULL };
	struct rf_env env;
	int err;

	if (!w->background)
		return 0;
	if (rf_stage_path(log, pr->dir, LOG_BACKGROUND))
		return -ENAMETOOLONG;
	pr->background.background = true;
	err = rf_process_env(&p->cluster, NULL, w, NULL, &env);
	pr->background.env = env.v;
	if (!err)
		err = rf_job_start(&pr->background, &p->signals, argv, log);
	rf_env_free(&env);
	return err;
}

/* Start the job, wait until it has ended, and end all its processes and the background command. */
static int run_jobs(struct rf_runner *p, struct running *pr, struct rf_jobs *jobs)
{
	const struct rf_workload *w = &pr->st->test_case->workload;
	const struct rf_machines_faults faults = { .act = act_here, .arg = pr };
	const struct rf_processes_run run = {
		.cluster = &p->cluster, .all = &w->processes, .workload = w, .dir = pr->dir,
		.patience_ns = p->deadline_ns, .tick = tick, .arg = pr,
	};
	int err = start_background(p, pr);

	if (!err)
		err = w->kind == RF_WORK_COMMAND ? rf_processes_start(&run, jobs) :
						   start_programs(p, pr, jobs);
	pr->started = !err;
	if (!err) {
		err = rf_jobs_wait(jobs);
		end_progress(p);
		if (!err)
			err = rf_stage_check_room(pr->dir);
		err = judge_job(pr, &run, jobs, err);
	}
	err = rf_machines_end_job(&p->machines, err, &faults);
	rf_jobs_end(jobs);
	return err;
}

static int run_job(struct rf_runner *p, struct rf_stage *st, const char *label,
		   const char *dir, struct rf_record *rec, struct rf_announced *announced)
{
	const struct rf_case *test_case = st->test_case;
	size_t n = test_case->workload.processes.n, ranks = test_case->workload.ranks;
	struct rf_jobs jobs = {
		.job = calloc((n > ranks ? n : ranks + 1) + test_case->nothers, sizeof(*jobs.job)),
		.deadline_ns = rf_now_ns() + p->deadline_ns,
		.sig = &p->signals, .tick = tick,
	};
	struct running pr = {
		.p = p, .st = st, .label = label, .dir = dir, .rec = rec, .jobs = &jobs,
		.announced = test_case->workload.kind == RF_WORK_COMMAND && !p->cluster.remote ?
			     announced : NULL,
	};
	int err = jobs.job ? 0 : -ENOMEM;

	p->machines.over = false;
	if (!err && !rf_machines_follow(&p->machines))
		err = rf_agenda_make(test_case, &pr.agenda);
	jobs.arg = &pr;
	if (!err)
		err = run_jobs(p, &pr, &jobs);
	if (!err && test_case->workload.kind == RF_WORK_COMMAND)
		err = rf_processes_record(&test_case->workload.processes, &jobs, dir, rec);
	rf_agenda_free(&pr.agenda);
	free(jobs.job);
	return err;
}

static int read_timeline(struct rf_runner *p, const struct rf_case *test_case,
			 struct rf_announced *announced, uint64_t ended_ns, const char *dir,
			 struct rf_record *rec)
{
	const struct rf_process_end *failed = rf_record_failed(rec);
	char path[PATH_MAX];
	int err;

	if (rf_stage_path(path, dir, RF_TIMELINE_FILE))
		return -ENAMETOOLONG;
	if (test_case->workload.kind != RF_WORK_COMMAND) {
		err = rf_machines_are_several(&p->machines) ?
		      rf_machines_convert_timeline(&p->machines, dir) : 0;
		if (!err)
			err = rf_timeline_read(path, false, &rec->tl);
		if (!err)
			err = rf_others_read(dir, test_case, rec);
		return err ? err : rf_record_split(rec);
	}
	err = rf_timeline_of_command(&rec->tl, failed ? failed->status : 0,
				     failed ? failed->last_line : NULL);
	if (!err)
		err = rf_announced_end(announced, &rec->ev, ended_ns, &rec->tl);
	if (!err)
		err = rf_step_files_read(dir, &p->cluster, test_case->workload.steps, &rec->tl);
	return err ? err : rf_timeline_write(path, &rec->tl);
}

/*
 * Before and after the job: exchange with the other machines whether all succeeded, and compare the
 * clocks.
 */
static int meet(struct rf_runner *p, int err, bool after)
{
	err = rf_machines_agree(&p->machines, err);
	return err || !rf_machines_are_several(&p->machines) ? err :
	       rf_machines_measure(&p->machines, after);
}

/* Run the job, and bring together what was recorded. */
static int record_job(struct rf_runner *p, struct rf_stage *st, const char *label,
		      const char *dir, struct rf_recorder *r, struct rf_record *rec)
{
	struct rf_announced announced;
	uint64_t ended_ns;
	int err;

	err = rf_announced_begin(&announced, &p->cluster, st->test_case->workload.steps);
	err = rf_machines_agree(&p->machines, err);
	if (!err)
		err = run_job(p, st, label, dir, rec, &announced);
	ended_ns = rf_now_ns();
	if (!err && st->test_case->workload.kind == RF_WORK_COMMAND)
		rf_announced_last(&announced, st->nl, rf_record_failed(rec) ? 1 : 0, ended_ns);
	if (!err)
		err = rf_stage_read(st, rec);
	if (!err)
		err = rf_recorder_read(r, &rec->ev);
	if (!err)
		rf_stage_mark_faults(st, rec);
	err = meet(p, err, true);
	if (!err)
		err = rf_machines_gather(&p->machines, p->scenario, st->test_case, rec);
	if (!err && !rf_machines_follow(&p->machines))
		err = read_timeline(p, st->test_case, &announced, ended_ns, dir, rec);
	rf_announced_free(&announced);
	return err;
}

/* Run a case after the rules that observe its packets have been added. */
static int run_on_stage(struct rf_runner *p, struct rf_stage *st, const char *label,
			const char *dir, struct rf_record *rec)
{
	struct rf_recorder r;
	int recording = rf_recorder_start(&r);
	int err = recording ? recording : rf_stage_begin(st);

	err = meet(p, err, false);
	if (!err)
		err = record_job(p, st, label, dir, &r, rec);
	if (!recording)
		rf_recorder_stop(&r);
	return err;
}

/*
 * The links of flows depend on the numbers of their queue pairs. Let these begin again, so that
 * each run with this seed has the same flows on the same links.
 */
static int begin_numbers(const struct rf_runner *p)
{
	if (p->cluster.made_fabric)
		return rf_fabric_renew(&p->scenario->fabric);
	if (!p->done)
		rf_note("balance: the fabric was there before, so the numbers of its queue pairs, and the links of the flows, differ from run to run");
	return 0;
}

/**
 * rf_runner_run - run one case
 * @p: the runner
 * @test_case: the case
 * @label: name of the case in error messages and on the progress line
 * @dir: directory for its files, created if it does not exist
 * @rec: the record; the caller frees it, also after an error
 *
 * Return: 0, -EINTR when aborted, or -errno after rf_err().
 */
int rf_runner_run(struct rf_runner *p, const struct rf_case *test_case,
		  const char *label, const char *dir, struct rf_record *rec)
{
	uint64_t begin = rf_now_ns();
	struct rf_stage st;
	int err = p->signals.aborted ? -EINTR : rf_stage_make_dir(dir);
	bool opened;

	*rec = (struct rf_record){ };
	if (!err && p->scenario->seeded && rf_case_is_balanced(test_case))
		err = begin_numbers(p);
	if (!err) {
		p->on_stage = test_case;
		err = rf_stage_open(&st, &p->cluster, p->scenario, test_case, p->faults);
	}
	opened = !err;
	err = rf_machines_agree(&p->machines, err);
	if (!err)
		err = run_on_stage(p, &st, label, dir, rec);
	if (opened)
		rf_stage_close(&st);
	p->on_stage = NULL;
	p->done++;
	p->run_ns += rf_now_ns() - begin;
	return err;
}
