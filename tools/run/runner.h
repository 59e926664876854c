/* SPDX-License-Identifier: GPL-2.0 */
/* The runner, and the parts with which it runs a case */
#ifndef RF_RUNNER_H
#define RF_RUNNER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fabric.h"
#include "genl.h"
#include "job.h"
#include "link_down.h"
#include "machines.h"
#include "port.h"
#include "record.h"
#include "tools/scenario/scenario.h"
#include "tools/trace/trace.h"

struct json_object;

/*
 * cluster.c: the fabric and ports of a run. At its end, a run removes the fabric and the ports
 * that it created. Ports of switches are created only if the scenario uses them.
 */
struct rf_cluster {
	uint32_t nodes;
	uint32_t first, end;		/* indexes of the nodes of this machine: first to end - 1 */
	bool remote;			/* the nodes are other machines, behind ports of a bridge */
	bool keep;			/* --keep-fabric: do not remove the fabric */
	bool keep_settings;		/* --keep: accept settings of earlier commands */
	bool made_fabric;
	bool made_port[RF_FABRIC_MAX];
	bool made_far[RF_FABRIC_PORTS_MAX];
	struct rf_target node[RF_FABRIC_MAX];	/* node[i] is the port next to node i + 1 */
	struct rf_target far[RF_FABRIC_PORTS_MAX];	/* switch ports in use */
};

/* Return: the direction in which the packets of a node pass the port next to it */
static inline uint32_t rf_cluster_out(const struct rf_cluster *c)
{
	return c->remote ? RDMAFAULT_DIRECTION_RX : RDMAFAULT_DIRECTION_TX;
}

int rf_cluster_up(struct rf_cluster *c, const struct rf_scenario *s,
		  const struct rf_machines *ms);
int rf_cluster_set_port(const struct rf_cluster *c, struct rf_nl *nl,
			const struct rf_setting *setting);
int rf_cluster_set_ports(const struct rf_cluster *c, const struct rf_scenario *s);
void rf_cluster_down(struct rf_cluster *c);
int rf_cluster_check_clean(const struct rf_cluster *c, struct rf_nl *nl);
const struct rf_target *rf_cluster_find(const struct rf_cluster *c,
					const char *name);
const struct rf_target *rf_cluster_port(const struct rf_cluster *c,
					uint32_t i);
int rf_cluster_lacks(const struct rf_cluster *c);

/* settings.c: port settings at the start of a run */
int rf_settings_check(const struct rf_cluster *c);
int rf_settings_json(const struct rf_cluster *c, struct json_object **list);

/*
 * stage.c: the state of a case while its job runs: the counters from before the job, and the
 * netlink socket of its rules. The module deletes the rules when the socket is closed.
 */

/* State of a fault */
struct rf_fault_state {
	uint32_t ifindex, id;		/* port; ID of the fault's rule (0: no rule) */
	bool there;			/* the fault is applied and not undone yet */
	bool avoided;			/* the leaf switches avoid the link that is down */
	struct rf_rule_counters counters;	/* of the rule, when they were last read */
	struct rf_queue_change before;	/* settings to restore after the fault */
	struct rf_link_ends link;	/* the link that is down */
};

struct rf_stage {
	const struct rf_cluster *cluster;	/* of this machine */
	const struct rf_scenario *scenario;
	const struct rf_case *test_case;
	struct rf_nl *nl;			/* socket that owns the rules */
	struct rf_fault_state *faults;		/* state of each fault; owned by the caller */
	uint64_t before[RF_RANKS_MAX][RF_COUNTERS];
	uint64_t flows_lost;
	uint64_t sent;				/* packets of the RDMA devices before the job */
	uint32_t cm_rule[RF_FABRIC_MAX];	/* of a command: rules that count its CM packets */
	struct rf_port_tally *ports;		/* counters before the job */
};

int rf_stage_open(struct rf_stage *st, const struct rf_cluster *cluster,
		  const struct rf_scenario *s, const struct rf_case *test_case,
		  struct rf_fault_state *faults);
int rf_stage_begin(struct rf_stage *st);
void rf_stage_clear(const struct rf_scenario *s, const struct rf_case *test_case,
		    struct rf_fault_state *faults);
int rf_stage_read(struct rf_stage *st, struct rf_record *rec);
void rf_stage_mark_faults(const struct rf_stage *st, struct rf_record *rec);
void rf_stage_close(struct rf_stage *st);

/* observe.c */
int rf_stage_observe(struct rf_stage *st, const struct rf_scenario *s);

/* balance.c */
int rf_balance_begin(struct rf_nl *nl, const struct rf_scenario *s,
		     const struct rf_case *test_case);
void rf_balance_end(struct rf_nl *nl, const struct rf_scenario *s,
		    const struct rf_case *test_case);
int rf_balance_avoid(const struct rf_stage *st, size_t i, bool avoid);

/* dcqcn.c */
int rf_dcqcn_begin(const struct rf_stage *st);
void rf_dcqcn_end(const struct rf_stage *st);

/* act.c */
int rf_stage_do(struct rf_stage *st, size_t i);
int rf_stage_undo(struct rf_stage *st, size_t i);
void rf_stage_restore(struct rf_stage *st, size_t i);
int rf_stage_read_rule(struct rf_stage *st, struct rf_fault_state *state);

/* tally.c */
int rf_tally_read(const struct rf_cluster *c, struct rf_nl *nl,
		  struct rf_port_tally **ports);
void rf_tally_since(struct rf_port_tally *ports,
		    const struct rf_port_tally *before, size_t n);
int rf_tally_sample(const struct rf_stage *st, struct rf_samples *samples);

/* files.c */
int rf_stage_make_dir(const char *path);
int rf_stage_path(char buf[PATH_MAX], const char *dir, const char *file);
int rf_stage_check_room(const char *dir);
char *rf_stage_last_line(const char *dir, const char *name);

/*
 * agenda.c: the agenda of a case: faults that are applied and undone while its job runs, in
 * the order of their times.
 */
struct rf_item {
	size_t fault;			/* index in the case's list of faults */
	bool undo;
	bool avoid;			/* the leaf switches avoid the link of the fault */
	enum rf_clock clock;
	uint64_t at;			/* time of the item: a step, or nanoseconds */
	bool done;
};

struct rf_agenda {
	struct rf_item *item;
	size_t n;
};

int rf_agenda_make(const struct rf_case *test_case, struct rf_agenda *a);
void rf_agenda_end_at(struct rf_agenda *a, size_t fault, uint64_t ns);
void rf_agenda_avoid_at(struct rf_agenda *a, size_t fault, uint64_t ns);
void rf_agenda_free(struct rf_agenda *a);

const struct rf_item *rf_agenda_take(struct rf_agenda *a, uint32_t step,
				     uint64_t ns);
uint64_t rf_agenda_pause(const struct rf_agenda *a, uint32_t step, uint64_t ns,
			 uint64_t most);

/* process_env.c */
int rf_node_env(struct rf_env *env, const struct rf_cluster *c, uint32_t node);
int rf_process_env(const struct rf_cluster *c, const struct rf_process *p,
		   const struct rf_workload *w, const char *dir, struct rf_env *env);

/* processes.c: the processes of a case whose workload is a command, or of the setup */
struct rf_processes_run {
	const struct rf_cluster *cluster;
	const struct rf_processes *all;
	const struct rf_workload *workload;
	const char *dir;		/* of the case */
	uint64_t patience_ns;		/* longest time of a case */
	bool kept;			/* setup: without @ready, a process is ready at its end */
	rf_tick_fn tick;		/* called while a process starts */
	void *arg;
};

int rf_processes_start(const struct rf_processes_run *run, struct rf_jobs *jobs);
int rf_processes_record(const struct rf_processes *all, const struct rf_jobs *jobs, const char *dir,
			struct rf_record *rec);
void rf_processes_late(const struct rf_processes_run *run, const struct rf_jobs *jobs);

/* mpirun.c */
char **rf_mpirun_argv(const struct rf_cluster *c, const struct rf_process *p);

/* output.c */
int rf_output_read(const struct rf_process *p, const char *log, struct rf_process_end *end);

/* others.c: the records of the other jobs of a case */
int rf_others_read(const char *dir, const struct rf_case *test_case, struct rf_record *rec);

/* announced.c: the steps that a user's command announces, and its queue pairs */

/* Interval in which the steps are read: a step begins at most this time before its start_ns */
#define RF_ANNOUNCED_NS 5000000ull

struct rf_announced {
	const struct rf_cluster *cluster;
	uint32_t steps;			/* of the scenario; 0: unknown */
	uint32_t ranks;			/* nodes that announced steps or have queue pairs */
	uint32_t step[RF_FABRIC_MAX];	/* last step of each node */
	uint64_t *start_ns;		/* steps + 1 elements per node; 0: not announced */
	uint64_t read_ns;		/* when the steps were read last */
	uint64_t qps_ns;		/* when the queue pairs were read last */
	struct rf_qp *qps;
	bool *sure;			/* of each queue pair: no other one fits to its peer */
	size_t nqps;
};

int rf_announced_begin(struct rf_announced *a, const struct rf_cluster *c, uint32_t steps);
void rf_announced_read(struct rf_announced *a, struct rf_nl *nl, uint64_t now);
void rf_announced_last(struct rf_announced *a, struct rf_nl *nl, int status, uint64_t now);
int rf_announced_end(struct rf_announced *a, const struct rf_events *ev, uint64_t now,
		     struct rf_timeline *tl);
void rf_announced_free(struct rf_announced *a);

/* step_files.c: the steps that the ranks of a command write to files */
int rf_step_files_read(const char *dir, const struct rf_cluster *c, uint32_t steps,
		       struct rf_timeline *tl);

/* recorder.c: record the events of a case */
struct rf_recorder {
	struct rf_trace trace;
};

int rf_recorder_start(struct rf_recorder *r);
int rf_recorder_read(struct rf_recorder *r, struct rf_events *ev);
void rf_recorder_stop(struct rf_recorder *r);

/* progress.c: the progress line of a run, with the estimated remaining time */
struct rf_progress {
	const char *name, *label;	/* names of the scenario and of the case */
	uint32_t case_number, cases;	/* current case, from 1; number of cases */
	const char *waits_for;		/* process that is not ready yet; NULL: none */
	uint32_t step, steps;		/* steps: 0 when not known */
	uint64_t ns;			/* time since the case's first step */
	uint64_t done_ns;		/* duration of the previous cases */
	uint64_t deadline_ns;		/* time left until this case is killed */
};

char *rf_progress_line(const struct rf_progress *p, char *buf, size_t len);

/*
 * runner.c: run the cases of a scenario, one after the other. Before each case, the runner
 * checks that nothing is left of the previous case. After the case, the runner restores the
 * settings that faults changed.
 *
 * The runner is in memory that the run shares with its supervisor (job.h), which cleans up if
 * the run is killed.
 */
struct rf_runner {
	const struct rf_scenario *scenario;
	struct rf_machines machines;
	struct rf_cluster cluster;
	struct rf_signals signals;
	uint64_t deadline_ns;		/* maximum duration of one case */
	bool show_progress;
	bool progress_lines;		/* output is no terminal: print whole lines, less often */
	uint32_t done;			/* number of cases that have ended */
	uint64_t run_ns;		/* total duration of the cases that have ended */
	int lock;			/* descriptor of the lock: one run at a time on a machine */
	size_t size;			/* size of this struct, including faults[] */

	struct rf_jobs setup;		/* processes of the setup */

	/* for rf_runner_clear() */
	char dir[PATH_MAX];		/* of the run; "": the teardown must not run */
	const struct rf_case *on_stage;	/* current case; NULL: none */
	struct rf_fault_state faults[];	/* state of the faults of the current case */
};

struct rf_runner *rf_runner_new(const struct rf_scenario *s);
void rf_runner_free(struct rf_runner *p);
int rf_runner_open(struct rf_runner *p);
void rf_runner_close(struct rf_runner *p);
void rf_runner_clear(struct rf_runner *p);

/* setup.c */
int rf_runner_set_up(struct rf_runner *p, const char *dir);
int rf_runner_tear_down(struct rf_runner *p);

/* runner.c */
int rf_runner_run(struct rf_runner *p, const struct rf_case *test_case,
		  const char *label, const char *dir, struct rf_record *rec);

#endif
