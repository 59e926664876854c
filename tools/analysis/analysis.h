/* SPDX-License-Identifier: GPL-2.0 */
/* The analysis of a run: what the faults of each case hit, what this cost, and the metrics */
#ifndef RF_ANALYSIS_H
#define RF_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/run/run.h"
#include "tools/scenario/expr.h"
#include "words.h"

struct rf_wire;

/* gbn.c: go-back-N check of each flow */

/* AETH syndrome of a NAK "PSN sequence error" (IBTA vol. 1, table 50) */
#define RF_NAK_SEQUENCE 0x60

enum rf_gbn_rule {
	RF_GBN_ONE_NAK,		/* at most one NAK is outstanding */
	RF_GBN_FIRST_HOLE,	/* a NAK requests the first missing packet */
	RF_GBN_RESTART,		/* the sender goes back exactly to the PSN of the NAK */
	RF_GBN_TIMEOUT,		/* after a timeout, the sender skips no lost packet */
	RF_GBN_ACKS,		/* the PSN of ACKs never decreases */
	RF_GBN_RULES
};

enum rf_gbn_verdict {
	RF_GBN_CONFORMS,
	RF_GBN_VIOLATES,
	RF_GBN_UNJUDGED,	/* not judged; the reason is in rf_gbn_flow.why */
	RF_GBN_VOID,		/* records were lost */
};

enum rf_gbn_why {
	RF_GBN_NO_DOUBT,
	RF_GBN_READS,		/* RDMA reads: responses carry the data */
	RF_GBN_FORGED,		/* a fault forged packets */
	RF_GBN_WHOSE,		/* responses cannot be assigned to one flow */
};

struct rf_gbn_flow {
	const struct rf_event *data;	/* a packet of the flow */
	const struct rf_qp *qp;		/* QP of the sender; NULL: not a QP of the job */
	enum rf_gbn_verdict verdict;
	enum rf_gbn_why why;		/* reason, for RF_GBN_UNJUDGED */
	bool whole;			/* arrivals were recorded, too */
	uint64_t packets;		/* number of packets recorded at the sender */
	uint64_t lost, naks, restarts, timeouts, retransmitted;
	uint64_t broken[RF_GBN_RULES];
	const struct rf_event *where[RF_GBN_RULES];	/* first violation */
	uint32_t want[RF_GBN_RULES];	/* expected PSN at that violation */
};

struct rf_gbn {
	struct rf_gbn_flow *flows;
	size_t n;
	uint64_t violations;
};

int rf_gbn_check(const struct rf_wire *w, struct rf_gbn *gbn);
void rf_gbn_free(struct rf_gbn *gbn);
const char *rf_gbn_verdict_name(enum rf_gbn_verdict verdict);
const char *rf_gbn_why_name(enum rf_gbn_why why);
const char *rf_gbn_why_text(enum rf_gbn_why why);
const char *rf_gbn_rule_name(enum rf_gbn_rule rule);
const char *rf_gbn_rule_text(enum rf_gbn_rule rule);

/*
 * analyse.c: the analysis of a case: each packet that was hit, how its loss was detected and
 * repaired, and the additional time of each rank in the step of the hit.
 */

/* How the loss of a packet was detected */
enum rf_detected {
	RF_DETECTED_NOT,
	RF_DETECTED_NAK,
	RF_DETECTED_TIMEOUT,
	RF_DETECTED_RNR,
	RF_DETECTED_IMPLIED,		/* a response to a later request arrived */
};

extern const struct rf_name rf_detected_names[];

/* Metrics that the analysis computes; metric.c has their names and units. */
enum rf_measure {
	RF_HITS,
	RF_NAKS,
	RF_TIMEOUTS,
	RF_RETRANSMITTED,
	RF_WRONG,
	RF_SEND_ERRORS,
	RF_DETECTED_BY,			/* how the first loss was detected: enum rf_detected */
	RF_STALL,
	RF_STALL_EVERY_RANK,
	RF_STEP_EVERY_RANK,
	RF_RECOVERY_TIME,
	RF_MEASURES
};

/*
 * One packet that a fault hit, or that was lost. The pointers refer to events and queue pairs in
 * the record. If the place of the loss is not known, @hit is the departure of the packet.
 */
struct rf_loss {
	const struct rf_event *hit;
	const struct rf_qp *qp;		/* QP of the sender; NULL: not a QP of the job */
	bool lost;			/* the packet did not reach its receiver */
	bool early;			/* it had been retransmitted before it was lost */
	enum rf_detected found;
	const struct rf_event *revealed; /* first packet with a later PSN that arrived */
	const struct rf_event *nak_sent; /* NAK for the loss, recorded at the receiver */
	const struct rf_event *nak;	/* NAK for the loss, recorded at the sender */
	const struct rf_event *rnr;	/* RNR NAK, recorded at the sender */
	bool answered;			/* for a lost ACK: a later ACK arrived */
	const struct rf_event *covered;	/* for a lost ACK: the next ACK, before a retransmission */
	const struct rf_event *first;	/* first retransmitted packet */
	const struct rf_event *again;	/* first retransmission of the lost packet */
	const struct rf_event *recovery; /* transmission that delivered the lost packet */
	const struct rf_event *last;	/* last retransmitted packet */
	uint64_t packets, bytes;	/* retransmitted packets, and their IP bytes */
};

/* Times of one rank in one step in ns: the whole step, and the waits by reason */
struct rf_wait {
	uint64_t step, recv, send, sync;
};

struct rf_rank_cost {
	struct rf_wait now;		/* times in the step in which the first packet was hit */
	struct rf_wait clean;		/* medians of the clean case */
};

/* Times in ns, sorted */
struct rf_times {
	uint64_t *ns;
	size_t n;
};

/* The fabric was in two or more parts */
struct rf_partition {
	uint32_t node;			/* the first one to which node 1 had no path; 0: none */
	uint64_t ns;			/* 0: until the end */
};

struct rf_analysis {
	struct rf_loss *losses;		/* hits, and behind them losses without a hit */
	size_t nhits, nlosses;
	uint64_t measure[RF_MEASURES];
	uint64_t retransmitted_bytes;
	bool holes;			/* some events of the trace were lost */
	const char *no_sums;		/* why the number of wrong results is not known; or NULL */
	const char *no_rxe;		/* why the counters of rxe are not known; or NULL */
	uint32_t step;			/* step of the first hit; 0: no hit */
	uint64_t step_ns;
	bool broken;			/* a rank failed in this step */
	uint64_t clean_ns;		/* median time of clean steps; 0: no clean step is known */
	uint64_t clean_min_ns, clean_max_ns;
	char *unhit;		/* rules that hit no packet, and why; NULL: a packet was hit */
	struct rf_partition partition;
	struct rf_gbn gbn;
	struct rf_times messages;	/* completion times of messages */
	struct rf_times flows;		/* completion times of queue pairs in a step */
	uint32_t ranks;
	struct rf_rank_cost rank[RF_RANKS_MAX];
};

int rf_analyse(const struct rf_record *rec, const struct rf_record *clean,
	       struct rf_analysis *an);
void rf_analysis_free(struct rf_analysis *an);

/* loss.c: how a loss was detected and repaired */
int rf_losses_trace(const struct rf_wire *w, struct rf_analysis *an);
bool rf_loss_of_answer(const struct rf_loss *loss);
bool rf_loss_of_response(const struct rf_loss *loss);
bool rf_loss_of_rc(const struct rf_loss *loss);
uint32_t rf_loss_timers(const struct rf_loss *loss, uint32_t timeout);
bool rf_loss_nak_generation(const struct rf_loss *loss, uint64_t *ns);
bool rf_loss_nak_reaction(const struct rf_loss *loss, uint64_t *ns);
const struct rf_loss *rf_first_loss(const struct rf_analysis *an);
bool rf_loss_in_blackhole(const struct rf_event *hit);
bool rf_loss_is_final(const struct rf_record *rec, const struct rf_loss *l);
const char *rf_loss_why_not_detected(const struct rf_loss *l);
const char *rf_loss_why_not_recovered(const struct rf_loss *l);

/* message_time.c: completion times in steps of which all packets were recorded */
int rf_message_times(const struct rf_wire *w, struct rf_analysis *an);

/* ignored_naks.c: NAKs that caused no retransmission */
uint64_t rf_count_ignored_naks(const struct rf_events *ev, uint64_t timer_ns);

/* stall.c: the additional time of a step */

/* The longest of these steps: the step of the first hit, and all later steps. Times in ns. */
struct rf_worst_step {
	uint32_t step;
	uint64_t took;
	uint64_t over;			/* step time minus the clean median; at least 0 */
	uint64_t over_every_rank;	/* minimum of the additional times of all ranks */
};

void rf_stall(const struct rf_record *rec, const struct rf_record *clean,
	      struct rf_analysis *an);
bool rf_measure_is_known(const struct rf_analysis *an, enum rf_measure m);
const char *rf_measure_why_not(const struct rf_analysis *an, enum rf_measure m);
bool rf_stall_worst(const struct rf_record *rec, const struct rf_analysis *an,
		    uint32_t first, uint32_t last, struct rf_worst_step *w);
uint64_t rf_median(uint64_t *v, size_t n);

/* pauses.c: total pause time of a priority, computed from the trace */
struct rf_pauses {
	uint64_t first, last;		/* start of the first pause, end of the last pause */
	uint64_t ns;			/* total time paused */
	uint32_t count;			/* number of pauses */
};

uint64_t rf_pause_overlap(const struct rf_event *e, uint64_t from, uint64_t to);
bool rf_pauses_of(const struct rf_events *ev, const char *dev, uint32_t prio,
		  struct rf_pauses *pauses);	/* false: never paused */
bool rf_prio_has_traffic(const struct rf_record *rec, const char *dev, uint32_t prio);

/* steps.c: statistics of step times: of the job, or of one of its ranks */
#define RF_ALL_RANKS UINT32_MAX

enum rf_step_part {
	RF_PART_ALL,		/* the whole step, with the barrier */
	RF_PART_ARRIVAL,	/* start of this rank minus start of the first rank */
	RF_PART_TRANSFER,	/* the collective, without waiting for data and ACKs */
	RF_PART_WAIT,		/* the sum of the three waits below */
	RF_PART_WAIT_RECV,
	RF_PART_WAIT_SEND,
	RF_PART_WAIT_SYNC,
};

/* Why a command has no waits, and no number of wrong results */
extern const char rf_why_no_waits[], rf_why_no_sums[];

enum rf_figure {
	RF_FIGURE_MIN, RF_FIGURE_P50, RF_FIGURE_P90, RF_FIGURE_P99,
	RF_FIGURE_MAX, RF_FIGURE_MEAN, RF_FIGURE_SUM,
};

bool rf_steps_figure(const struct rf_timeline *tl, uint32_t rank,
		     enum rf_step_part part, enum rf_figure what, double *v);
uint32_t rf_steps_last(const struct rf_timeline *tl, uint32_t rank);
uint32_t rf_steps_whole(const struct rf_timeline *tl);

/* straggler.c */
uint64_t rf_straggler(const struct rf_timeline *tl, uint32_t *rank,
		      uint32_t *steps);

/*
 * step_points.c: steps of a case as points of a curve. If there are more steps than a page can
 * show, the shortest and the longest step of each interval of the axis remain, so that all
 * stalls are visible.
 */
struct rf_step_point {
	uint32_t step;
	uint64_t t_ns;			/* start of the step, ns after the start of step 1 */
	uint64_t job_ns;		/* from the start of the first rank to the last end */
	uint64_t least_ns, most_ns;	/* times of the fastest and the slowest rank */
};

struct rf_step_points {
	struct rf_step_point *p;
	size_t n;
	uint64_t begin_ns, end_ns;	/* CLOCK_MONOTONIC */
	uint64_t most_ns;		/* time of the longest step of the job */
	uint32_t share;			/* steps that share two points; 1: one point per step */
};

int rf_step_points(const struct rf_timeline *tl, uint32_t room,
		   struct rf_step_points *pts);
void rf_step_points_free(struct rf_step_points *pts);

/* bands.c: when the faults of a case were active, for figures over time */
#define RF_LANES_MAX 16

/*
 * A band is a marked time range in a figure: from the hit of a packet until the packet is
 * retransmitted or released, or from the start of a fault to the end of the fault.
 */
struct rf_band {
	uint64_t from, to;		/* ns since the start of the case's first step */
	size_t lane;			/* index of the lane; RF_LANES_MAX: no lane was free */
};

struct rf_lane {
	char name[24];
	bool planned;			/* true: lane of a port, for faults; false: for packets */
};

struct rf_bands {
	const struct rf_run_case *p;
	uint64_t begin_ns, span_ns;
	struct rf_band *e;
	size_t n;
	struct rf_lane lane[RF_LANES_MAX];
	size_t lanes;
};

int rf_bands_find(struct rf_bands *b, const struct rf_run_case *p,
		  uint64_t begin_ns, uint64_t span_ns);
void rf_bands_free(struct rf_bands *b);
const char *rf_fault_began(const struct rf_run_case *p, size_t fault, uint64_t *ns);

/* blast.c: the ranks that waited because of a loss, in the order in which the loss reached them */

struct rf_blast_rank {
	uint32_t rank;
	uint64_t idle_ns;		/* waiting time minus the median in clean steps */
	enum rf_wait_kind kind;		/* the largest part of idle_ns */
	uint32_t hops;			/* queue pairs from the packet's receiver to this rank */
};

struct rf_blast {
	uint32_t n;			/* number of stalled ranks; 0: none */
	struct rf_blast_rank rank[RF_RANKS_MAX];	/* first to last */
	bool ordered;			/* @rank is sorted; false: the receiver is unknown */
	uint64_t idle_ns;		/* sum of idle_ns of all stalled ranks */
};

void rf_blast_of(const struct rf_record *rec, const struct rf_analysis *an,
		 const struct rf_loss *loss, struct rf_blast *blast);
void rf_blast_of_step(const struct rf_record *rec, const struct rf_analysis *an, uint32_t step,
		      const struct rf_qp *lost, struct rf_blast *blast);
void rf_pause_waits(const struct rf_record *rec, const struct rf_analysis *an,
		    uint64_t idle_ns[RF_RANKS_MAX]);
const char *rf_wait_kind_text(enum rf_wait_kind kind);

/* first_wait.c: the first wait that took longer than in clean steps */
struct rf_first_wait {
	uint32_t step, rank;
	struct rf_wait_span wait;
};

bool rf_wait_is_long(const struct rf_analysis *an, uint32_t rank, const struct rf_wait_span *w);
bool rf_first_wait(const struct rf_run_case *p, struct rf_first_wait *first);

/* impact.c: the impact of all losses of a case */
struct rf_impact {
	uint64_t idle_ns;		/* waiting time above clean medians, sum of all ranks */
	uint64_t lost_bytes;		/* IP bytes of packets lost by faults */
	uint32_t most_ranks;		/* maximum number of ranks that one loss made wait */
};

bool rf_goodput(const struct rf_timeline *tl, double *bits);
bool rf_gbn_bound(const struct rf_record *rec, const struct rf_analysis *an,
		  double *share);
void rf_impact_of(const struct rf_record *rec, const struct rf_analysis *an,
		  struct rf_impact *impact);

/* lost_time.c: the lost time of a case, and how much of it each fault has caused. Times in ns. */
struct rf_lost_time {
	uint32_t steps;			/* steps that took longer than the slowest clean step */
	double total_ns;		/* time of these steps above the median of clean steps */
	double *cause_ns;		/* by fault, and behind the faults the straggler */
	double unexplained_ns;
};

const char *rf_lost_time(const struct rf_run_case *p, struct rf_lost_time *lost);
void rf_lost_time_free(struct rf_lost_time *lost);

/*
 * run_analysis.c: the analysis of a run: verdicts, the impact of the faults of each case, and
 * their cost
 */
int rf_run_load(const char *dir, struct rf_run *run);
void rf_run_free(struct rf_run *run);
int rf_run_analyse(const struct rf_run *run, struct rf_run_case *p);

/* hits.c */
void rf_hits_settle(const struct rf_scenario *s, const struct rf_case *test_case,
		    struct rf_events *ev);

/* verdict.c */
void rf_case_set_verdict(struct rf_run_case *p);
void rf_reasons_free(struct rf_run_case *p);
size_t rf_run_not_met(const struct rf_run *run, size_t *others);
void rf_run_set_verdict(struct rf_run *run);
uint64_t rf_case_hits(const struct rf_run_case *p);
bool rf_case_is_recorded(const struct rf_run_case *p);
bool rf_case_expects_ends(const struct rf_case *test_case);
bool rf_fault_came(const struct rf_run_case *p, size_t i);

/* unhit.c: why the rules of a case hit no packet */
char *rf_unhit_text(const struct rf_run *run, const struct rf_run_case *p);

/* case_impact.c: the time that faults cost. Times that differ by less than 1/RF_NOISE are equal. */
#define RF_NOISE 50
uint64_t rf_case_ns(const struct rf_run_case *p);
bool rf_case_has_ended(const struct rf_run_case *p);
bool rf_case_ended_by(const struct rf_run_case *p, const struct rf_loss *l);
bool rf_case_is_all_hits(const struct rf_run_case *p);
bool rf_case_hit_nothing(const struct rf_run_case *p);
bool rf_case_is_one_packet(const struct rf_run_case *p);
bool rf_case_impact_is_known(const struct rf_run *run,
			     const struct rf_run_case *p);
bool rf_case_has_cost(const struct rf_run *run, const struct rf_run_case *p);
uint64_t rf_case_whole_impact_ns(const struct rf_run *run, const struct rf_run_case *p);
uint64_t rf_case_impact_ns(const struct rf_run *run, const struct rf_run_case *p);
const char *rf_case_impact_why_not(const struct rf_run *run,
				   const struct rf_run_case *p);
const char *rf_case_why_not_comparable(const struct rf_run_case *p,
				       const struct rf_run_case *by);
bool rf_case_worst_step(const struct rf_run_case *p, struct rf_worst_step *w);
bool rf_case_network(const struct rf_run *run, const struct rf_run_case *p, uint32_t step,
		     uint64_t *now, uint64_t *clean);
uint64_t rf_case_step_ns(const struct rf_run_case *p);
const struct rf_run_case *rf_run_worst(const struct rf_run *run);
const struct rf_run_case *rf_run_slowest(const struct rf_run *run);
size_t rf_run_order(const struct rf_run *run, size_t *order);
bool rf_case_is_detailed(const struct rf_run *run, const struct rf_run_case *p);

/* cost.c: dollars */
double rf_cost(uint64_t ns, uint32_t gpus, double rate);
double rf_cost_of_day(uint64_t ns, uint32_t gpus, double rate, uint64_t every_ns);

/* partition.c */
struct rf_partition rf_partition(const struct rf_scenario *scenario, const struct rf_run_case *p);

/* traffic.c */
uint64_t *rf_traffic_matrix(const struct rf_record *rec, const struct rf_timeline *tl);

/* flow_link.c: which uplink the packets of a queue pair take */
struct rf_flow_link {
	uint32_t udp_port;		/* source port of its packets */
	char port[16];			/* of the leaf switch */
};

bool rf_flow_link(const struct rf_scenario *s, const struct rf_case *test_case,
		  const struct rf_qp *qp, struct rf_flow_link *link);
bool rf_flow_pairs(const struct rf_scenario *s, const struct rf_case *test_case,
		   const struct rf_workload *w, const struct rf_timeline *tl, const char *port,
		   struct rf_pairs *pairs);

/* uplinks.c: the uplinks of the most uneven leaf switch */
struct rf_uplinks {
	double mmr;			/* bytes of the busiest uplink, divided by the mean */
	double jain;			/* Jain's index, 1 / n to 1 */
	char busiest[16];		/* port of the busiest uplink */
};

const char *rf_uplinks(const struct rf_run *run, const struct rf_run_case *p,
		       struct rf_uplinks *u);

/* deadlock.c: the PFC deadlock that lasted longest */
#define RF_DEADLOCK_NS 100000000ull	/* the shortest time of a deadlock */

struct rf_deadlock {
	uint64_t ns;			/* how long all its ports were paused */
	uint32_t prio;
	uint32_t ports;			/* how many; each waits for the next one */
	uint32_t port[2 * RF_FABRIC_LINKS_MAX];	/* rf_fabric_port(f, f->nodes + port, ...) */
};

bool rf_deadlock_of(const struct rf_fabric *f, const struct rf_events *ev,
		    struct rf_deadlock *longest);	/* false: there was none */

/*
 * metric.c: metrics of a case by name: "step.time.p99", "rank[2].wrong",
 * "port[v1].prio[3].pause.time". Used by expectations, summary.json and metrics.prom.
 */

/* The argument of the functions of rf_metrics */
struct rf_metric_case {
	const struct rf_run *run;
	const struct rf_run_case *run_case;
};

/* rf_metric() returns NAN if there is no value; rf_metric_value() returns the reason. */
double rf_metric(const struct rf_run *run, const struct rf_run_case *run_case,
		 const char *name);
const char *rf_metric_value(const struct rf_run *run,
			    const struct rf_run_case *run_case, const char *name,
			    double *v);
struct json_object *rf_metrics_json(const struct rf_run *run,
				    const struct rf_run_case *run_case);
struct json_object *rf_metrics_unknown_json(const struct rf_run *run,
					    const struct rf_run_case *run_case);

/* compare.c: comparison of two runs, A and B: what changed from A to B */
#define RF_COMPARED 2
#define RF_COMPARE_LEN 64
#define RF_COMPARE_NOTE "the runs differ in scenario, kernel, number of CPUs or clock (real or virtual time). This can be the cause of differences below."

struct rf_compared {
	const struct rf_run *runs[RF_COMPARED];	/* analysed runs with at least one case each */
};

const char *rf_compare_name(const struct rf_run *run);
const struct rf_metric_info *rf_compare_metric(const char *name);
bool rf_compare_values(const struct rf_compared *c, const char *case_name,
		       const struct rf_metric_info *m, double v[RF_COMPARED]);
char *rf_compare_value(const struct rf_metric_info *m, double v,
		       char buf[RF_COMPARE_LEN]);
char *rf_compare_change(const struct rf_metric_info *m, double was, double is,
			char buf[RF_COMPARE_LEN]);
const struct rf_run_case *rf_compare_case(const struct rf_run *run,
					  const char *name);
const struct rf_run *rf_compare_lacks(const struct rf_compared *c,
				      const char *name);
bool rf_compare_differ(const struct rf_compared *c);

/*
 * estimate.c: arithmetic of a training job: the size of the gradient, the time to move it, and
 * the cost of GPUs that wait for it.
 */
#define RF_ESTIMATE_LEN 32

struct rf_net {
	double nics;		/* number of NICs per rank */
	double rate;		/* rate of each NIC in bit/s */
	double ranks;		/* number of ranks in the ring */
};

double rf_gradient(double params, double bytes);
double rf_move_once(double bytes, const struct rf_net *net);
double rf_move_ring(double bytes, const struct rf_net *net);
double rf_efficiency(double compute, double network);
uint64_t rf_nics_for(double seconds_of_one, double budget);

int rf_parse_count(const char *s, double *v);		/* 25M 1.8T 175B */
char *rf_fmt_decimal(double v, const char *unit, char buf[RF_ESTIMATE_LEN]);
char *rf_fmt_seconds(double s, char buf[RF_ESTIMATE_LEN]);

#endif
