/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A loaded scenario, with one case per combination of its matrix. The loader has validated all
 * values.
 */
#ifndef RF_SCENARIO_H
#define RF_SCENARIO_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "env.h"
#include "expr.h"
#include "fabric.h"
#include "rule.h"
#include "units.h"
#include "words.h"

struct json_object;

/* What a fault does, and the members of struct rf_fault that it uses */
enum rf_fault_kind {
	RF_FAULT_RULE,			/* dir, spec */
	RF_FAULT_CHANGE,			/* change: link, prio, ecn, watchdog */
	RF_FAULT_PAUSE,			/* prios, quanta; 0: XON */
	RF_FAULT_STORM,			/* storm */
	RF_FAULT_STOP,			/* stop storms on the priorities in prios; 0: all */
	RF_FAULT_LINK_DOWN,		/* down_ns; spec selects the step to record */
};

enum rf_clock {
	RF_CLOCK_NONE,			/* active from before the job until the job ends */
	RF_CLOCK_STEP,			/* begin and end are steps, counted from 1 */
	RF_CLOCK_TIME,			/* ns since the first step of the job; */
					/* for a job without steps: ns since its start */
};

/*
 * When a fault is active. A fault that begins with a step is applied when the job
 * announces that step. A rule that selects steps is active during the whole case
 * (RF_CLOCK_NONE): the module compares the step of each packet.
 */
struct rf_when {
	enum rf_clock clock;
	uint64_t begin;
	uint64_t end;			/* first moment after the fault; 0: end of the case */
};

struct rf_fault {
	enum rf_fault_kind kind;
	char *port;			/* name of a netdev or RDMA device: "v2", "rxe2" */
	char *words;			/* the command line, without "rdmafault" */
	struct rf_when when;
	uint32_t dir;			/* enum rdmafault_direction */
	struct rf_rule_spec spec;
	struct rf_queue_change change;
	bool seeded;			/* change has the scenario's seed */
	struct rf_storm_spec storm;
	uint32_t prios, quanta;
	uint64_t down_ns;		/* time without a carrier */
};

enum rf_work { RF_WORK_COLLECTIVE, RF_WORK_TRAIN, RF_WORK_COMMAND };

/* When a process is ready; at most one member is not 0 */
struct rf_ready {
	uint32_t port;			/* a process listens on this port, of TCP or rdma_cm */
	char *line;			/* the output matches this extended regular expression */
	uint64_t after_ns;		/* time since its start */
};

/* Values that each process has, before those of the scenario */
enum { RF_VALUE_EXIT, RF_VALUE_TIME, RF_VALUES_OWN };

/* A value of a process, which is a metric. One of @json, @pattern and @file is not NULL. */
struct rf_value {
	struct rf_metric_info info;	/* with an allocated name, for example client.bw */
	char *json;			/* path of a number in the JSON of the output */
	char *pattern;			/* regular expression with the number as its first group */
	char *file;			/* path of a file to compare with that of the first case */
	double factor;			/* converts the number to the unit of @info */
};

struct rf_process {
	char *name;
	char *run;			/* shell command line */
	char *log;			/* file of its output */
	uint32_t node;			/* from 1; 0: none */
	uint32_t ranks;			/* that mpirun starts, rank r on node r + 1; 0: no mpirun */
	struct rf_env env;
	struct rf_ready ready;
	uint32_t stop;			/* signal that ends it when the others have ended; */
					/* 0: the case waits until it ends */
	struct rf_value *values;
	size_t nvalues;
};

struct rf_processes {
	struct rf_process *p;
	size_t n;
	bool listed;			/* false: one process, from a shell command line */
};

/* On which node each rank is */
struct rf_placement {
	enum {
		RF_PLACEMENT_PACKED,		/* rank r on node r + 1 */
		RF_PLACEMENT_SPREAD,		/* consecutive ranks at different switches */
		RF_PLACEMENT_RANDOM,		/* seed */
		RF_PLACEMENT_LIST,		/* n nodes in the file */
	} how;
	uint64_t seed;
	uint32_t n;
	uint8_t node[RF_FABRIC_MAX];	/* of each rank; from rf_placement_settle() */
};

struct rf_workload {
	enum rf_work kind;
	char *name;			/* of the job; NULL: not given */
	char *collective;		/* name of the collective, or "train" or "command" */
	char *parallel;			/* train: dp, tp or pp */
	struct rf_processes processes;	/* of a command; owned by the workload of the scenario */
	char *options;			/* further options of the program, or NULL */
	char *background;		/* shell command line, or NULL */
	struct rf_env env;		/* of all processes of the case */
	uint32_t ranks;			/* number of ranks; 0: unknown */
	uint32_t rails;			/* nodes per rank; 0: one. Rank r: rails * r + 1 and on */
	struct rf_placement placement;	/* with one rail */
	bool failover;			/* continue on the other rail after an error */
	uint64_t size;			/* bytes; 0: the program's default */
	uint32_t steps;			/* measured steps; 0: unknown */
	uint32_t warmup;		/* warm-up steps before the measured steps */
	uint64_t compute_ns;		/* pause between steps */
};

struct rf_qp_attr {
	uint32_t timeout;		/* 4.096 us * 2^timeout; 0: not known */
	uint32_t retry_cnt;
	uint32_t mtu;
};

struct rf_texts {
	char **v;
	size_t n;
};

struct rf_case {
	char *name;
	char *explain;			/* one sentence for the report; NULL: none */
	struct rf_texts jobs;		/* names of the jobs that run; none: all */
	struct rf_workload workload;	/* the first job, which is measured */
	struct rf_case *others;		/* the other jobs, each as a case without faults */
	size_t nothers;
	char *balance;			/* for rf_balance_parse(), or "static"; NULL: static */
	uint64_t convergence_ns;	/* until leaf switches avoid a dead link; 0: never */
	char *dcqcn;			/* changes those of the scenario, see rf_case_dcqcn() */
	struct rf_qp_attr qp;		/* queue-pair attributes of this case */
	struct rf_fault *faults;	/* none in a clean case */
	size_t nfaults;
	struct rf_check *checks;	/* expectations of the case and of the scenario */
	size_t nchecks;
};

/* A port setting that is applied before the first case, in the order of the file */
struct rf_setting {
	char *port;			/* netdev of a node or a switch */
	uint32_t number;		/* of the port, from rf_port_number() */
	char *words;
	struct rf_queue_change change;
};

struct rf_price {
	uint32_t *gpus;			/* cluster sizes for the cost estimate */
	size_t ngpus;
	double rate;			/* dollars per GPU and hour */
	uint64_t every_ns;		/* assumed time between two stalls, in ns */
};

/* Default of stall-every: one stall per minute */
#define RF_STALL_EVERY_NS 60000000000ull
#define RF_STALL_EVERY_MIN 1000000ull
#define RF_STALL_EVERY_MAX (366 * 86400ull * 1000000000)

/* Most processes of a setup */
#define RF_SETUP_MAX 32

struct rf_scenario {
	char *path;
	char *text;			/* the file as it was read */
	size_t length;			/* its length in bytes */
	char *name;
	char *title;
	struct rf_fabric fabric;	/* complete, with its defaults */
	struct rf_processes setup;	/* run before the first case, until after the last one */
	struct rf_texts teardown;	/* shell command lines for the end of the run */
	struct rf_workload workload;	/* the first job */
	struct rf_workload *others;	/* the other jobs */
	size_t nothers;
	char *balance;			/* of cases without their own one */
	uint64_t convergence_ns;	/* of cases without their own one */
	char *dcqcn;			/* of all cases, see rf_case_dcqcn(); NULL: the defaults */
	struct rf_qp_attr qp;
	struct rf_price price;
	bool priced;			/* the file has a price */
	uint32_t oversubscription;	/* of leaf-spine; 0: not given */
	uint64_t seed;			/* seed of all random decisions; default 0 */
	bool seeded;			/* the file has a seed */
	uint32_t repeat;		/* number of times that all cases are run */
	uint64_t deadline_ns;		/* maximum duration of one case */
	uint64_t sample_ns;		/* between two samples of the loads of ports; 0: none */
	struct rf_setting *settings;
	size_t nsettings;
	struct rf_case *cases;
	size_t ncases;
};

#define RF_REPEAT_MAX	1000
#define RF_DEADLINE_MIN	1000000000ull
#define RF_DEADLINE_MAX	3600000000000ull

/* load.c */
int rf_scenario_load(const char *path, struct rf_scenario *s);
const uint64_t *rf_scenario_seed(const struct rf_scenario *s);
void rf_scenario_free(struct rf_scenario *s);

/* load_value.c */
const struct rf_value *rf_process_value(const struct rf_processes *all, size_t i);

/* Return: true if the fault adds a rule, with counters and hits */
static inline bool rf_fault_has_rule(const struct rf_fault *f)
{
	return f->kind == RF_FAULT_RULE || f->kind == RF_FAULT_LINK_DOWN;
}

/* when.c */
uint64_t rf_fault_length(const struct rf_fault *f);
uint64_t rf_fault_over(const struct rf_fault *f, uint64_t begin, uint64_t end);

/* load_fabric.c: the number of a port in the fabric, unique per netdev; 0: no such port */
uint32_t rf_port_number(const struct rf_scenario *s, const char *port);

/* workload.c: the arguments of the program; struct rf_places has those that depend on the run */
struct rf_places {
	const char *devices;		/* RDMA devices of the ranks, comma separated */
	const char *timeline;		/* file that the program writes its steps to */
	const char *rendezvous;		/* where the ranks meet; NULL: the program starts all */
	uint32_t rank;			/* number of the rank to start, if they meet */
	uint64_t deadline_ns;
	const uint64_t *seed;		/* seed of a training job; NULL: default seed of "train" */
};

int rf_workload_argv(const struct rf_workload *w, const struct rf_qp_attr *qp,
		     const struct rf_places *places, char ***argv);
void rf_workload_argv_free(char **argv);

/* jobs.c: a job of a case, by its name; NULL: it does not run in the case */
const struct rf_workload *rf_case_job(const struct rf_case *test_case, const char *name);
const struct rf_case *rf_case_other(const struct rf_case *test_case, const char *name);

/* price.c: parsers for scenarios and for the command line; GPUs are a list such as "256, 1024" */
int rf_price_parse_gpus(const char *text, struct rf_price *price);
int rf_price_parse_rate(const char *text, double *rate);

#define RF_GPUS_FORM		"up to 8 numbers from 1, for example 256,1024"
#define RF_GPU_RATE_FORM	"0 to 1000000 dollars per hour, for example 30 or 2.06"

extern const struct rf_kind rf_kind_gpus;	/* struct rf_price: its cluster sizes */
extern const struct rf_kind rf_kind_gpu_rate;	/* double, dollars */

/* program.c: options of the programs "collperf" and "train" that a scenario can use */
extern const struct rf_name rf_collective_names[];

int rf_options_check(const struct rf_workload *w, struct rf_why *why);
bool rf_option_value(const struct rf_workload *w, const char *name, char *value, size_t len);
bool rf_options_have(const struct rf_workload *w, const char *name);
bool rf_case_is_clean(const struct rf_case *test_case);

/* crossing.c: which pairs of ranks, counted from 0, send over which port */
bool rf_port_link(const struct rf_scenario *s, uint32_t port, struct rf_fabric_link *l);
bool rf_workload_pairs(const struct rf_scenario *s, const struct rf_workload *w,
		       struct rf_pairs *pairs);
bool rf_pairs_over(const struct rf_scenario *s, const struct rf_workload *w,
		   const struct rf_pairs *all, uint32_t port, uint32_t dir,
		   struct rf_pairs *over);
char *rf_fault_passed_by(const struct rf_scenario *s, const struct rf_case *test_case,
			 const struct rf_fault *fault);

/* Return: the number of nodes of each rank */
static inline uint32_t rf_workload_rails(const struct rf_workload *w)
{
	return w->rails ? w->rails : 1;
}

/* Return: the node of a rank on a rail; both count from 0, nodes count from 1 */
static inline uint32_t rf_workload_node(const struct rf_workload *w, uint32_t rank, uint32_t rail)
{
	return w->placement.node[rank * rf_workload_rails(w) + rail];
}

/* balance.c */
int rf_balance_parse(const struct rf_scenario *s, const char *text, const char *links,
		     struct rf_path_info *path);
bool rf_case_is_balanced(const struct rf_case *test_case);
bool rf_fault_converges(const struct rf_scenario *s, const struct rf_case *test_case,
			const struct rf_fault *f, uint32_t *spine);

/* dcqcn.c */
bool rf_case_dcqcn(const struct rf_scenario *s, const struct rf_case *test_case,
		   struct rf_queue_change *change);
char *rf_case_dcqcn_words(const struct rf_scenario *s, const struct rf_case *test_case);
uint32_t rf_case_time_scale(const struct rf_scenario *s, const struct rf_case *test_case,
			    const char *port);
char *rf_dcqcn_warning(const struct rf_scenario *s, const struct rf_case *test_case);

/* placement.c */
#define RF_PLACEMENT_TEXT 40
char *rf_placement_text(const struct rf_placement *p, char buf[RF_PLACEMENT_TEXT]);

/* Return: the retransmission timer of the job; 0: not known */
static inline uint64_t rf_case_timer_ns(const struct rf_case *test_case)
{
	return test_case->qp.timeout ? rf_qp_timeout_ns(test_case->qp.timeout) : 0;
}

/* round_trip.c */
uint64_t rf_case_round_trip_ns(const struct rf_scenario *s, const struct rf_case *test_case);

/* warn.c */
char *rf_storm_warning(const struct rf_scenario *s, const struct rf_case *test_case,
		       const struct rf_fault *f);

/* plan.c: print the plan of a run */
void rf_plan_write(FILE *f, const struct rf_scenario *s);
struct json_object *rf_plan_json(const struct rf_scenario *s);

/* schema.c */
struct json_object *rf_schema_json(void);

#endif
