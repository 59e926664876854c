/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The record of a case: timeline of the job, events of the module, and how much the counters
 * of rxe and of the module increased.
 */
#ifndef RF_RECORD_H
#define RF_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "kmod/rule/params.h"
#include "sha256.h"
#include "tools/trace/events.h"

struct json_object;

/* lines.c: read files that have one JSON object per line */
struct rf_lines {
	int (*take)(void *arg, struct json_object *o);	/* called with each object */
	const char *valid;		/* description of valid lines, for the error message */
	const char *why;		/* what @take found wrong; NULL or empty: not known */
	bool can_be_cut;		/* ignore a last line without a newline */
};

int rf_lines_take(FILE *f, const char *name, const struct rf_lines *lines, void *arg);
int rf_lines_read(const char *path, const struct rf_lines *lines, void *arg);

/*
 * timeline.c: a job's timeline, as collperf and train write it: the queue pairs, the steps of each
 * rank, and how each rank ended.
 */
#define RF_RANKS_MAX 128			/* also the most nodes */

/* The files in the directory of a case: of the first job, and of another one by its name */
#define RF_TIMELINE_FILE "timeline.jsonl"
#define RF_TIMELINE_FILE_OTHER "timeline-%s.jsonl"

/* What a rank waited for: data, credits or ACKs, or the other ranks in the barrier */
enum rf_wait_kind { RF_WAIT_RECV, RF_WAIT_SEND, RF_WAIT_SYNC, RF_WAITS };

extern const char *const rf_wait_kind_names[RF_WAITS];

/* A wait; CLOCK_MONOTONIC. Ranks record waits of the kinds RF_WAIT_RECV and RF_WAIT_SEND. */
struct rf_wait_span {
	enum rf_wait_kind kind;
	uint32_t peer;				/* the rank that it waited for */
	uint64_t start_ns, end_ns;
};

#define RF_STEP_WAITS_MAX 16			/* recorded waits of one rank in one step */
#define RF_RANK_WAITS_MAX 4096			/* and in all steps */

struct rf_step {
	bool seen;
	bool broken;				/* the rank failed in this step */
	uint64_t start_ns, end_ns, sync_ns;	/* CLOCK_MONOTONIC */
	uint64_t wait_recv_ns, wait_send_ns, wait_sync_ns;
	uint64_t wrong;
	size_t wait;				/* its first wait in the timeline's waits */
	uint32_t nwaits, waits_omitted;		/* recorded, and too short to be recorded */
};

struct rf_qp {
	uint32_t rank, peer;
	char device[64], netdev[16];
	uint32_t qpn, peer_qpn;
	char addr[48], peer_addr[48];
};

struct rf_rank_end {
	bool seen;
	int64_t status;
	uint64_t wrong;
	char *error;				/* NULL: none */
};

/*
 * A rail that failed. The rank had a queue pair that failed; the step was repeated on the other
 * rail.
 */
struct rf_failover {
	uint32_t rail;				/* counted from 1; 0: none failed */
	uint32_t rank, step;			/* step 0: outside the measured steps */
	uint64_t end_ns;			/* CLOCK_MONOTONIC; 0: the repetition failed */
	uint64_t time_ns, repeated_bytes;
};

struct rf_timeline {
	uint32_t ranks, iters;
	uint64_t bytes;
	bool of_command;			/* waits and wrong results are not known */
	struct rf_step *steps;			/* iters * ranks elements */
	struct rf_wait_span *waits;		/* the recorded waits, by step */
	size_t nwaits;
	struct rf_qp *qps;
	size_t nqps;
	struct rf_failover failover;
	struct rf_rank_end end[RF_RANKS_MAX];
};

int rf_timeline_read(const char *path, bool of_command, struct rf_timeline *tl);
int rf_timeline_write(const char *path, const struct rf_timeline *tl);
int rf_timeline_of_command(struct rf_timeline *tl, int status,
			   const char *last_line);
void rf_timeline_stop(struct rf_timeline *tl);
void rf_timeline_free(struct rf_timeline *tl);

const struct rf_step *rf_timeline_step(const struct rf_timeline *tl,
				       uint32_t rank, uint32_t step);
uint64_t rf_timeline_step_ns(const struct rf_timeline *tl, uint32_t step);
uint64_t rf_timeline_whole_ns(const struct rf_timeline *tl, uint32_t step);
uint64_t rf_timeline_transfer_ns(const struct rf_timeline *tl, uint32_t step);
size_t rf_timeline_waits(const struct rf_timeline *tl, uint32_t rank, uint32_t step,
			 struct rf_wait_span w[RF_STEP_WAITS_MAX + 1]);
uint64_t rf_step_ns(const struct rf_step *s);
uint64_t rf_step_wait_ns(const struct rf_step *s);
/* NULL: all ranks ended successfully */
const char *rf_timeline_unfinished(const struct rf_timeline *tl, uint32_t *failed);

bool rf_timeline_span(const struct rf_timeline *tl, uint32_t first, uint32_t last,
		      uint64_t *from, uint64_t *to);
bool rf_timeline_broken(const struct rf_timeline *tl, uint32_t step);
uint64_t rf_timeline_failed_ns(const struct rf_timeline *tl, uint32_t step);

/* Return: the end of the rank that ended the job early; NULL if the job completed its steps */
const struct rf_rank_end *rf_timeline_ended(const struct rf_timeline *tl,
					    uint32_t *step);

const struct rf_qp *rf_timeline_qp(const struct rf_timeline *tl, const char *saddr,
				   const char *daddr, uint32_t peer_qpn);
const struct rf_qp *rf_timeline_sender(const struct rf_timeline *tl,
				       const struct rf_event *e);
uint32_t rf_timeline_ordinal(const struct rf_timeline *tl,
			     const struct rf_qp *qp);

/* record.c: the record */

/* Counters of rxe that are read before and after a case */
enum rf_counter {
	RF_SEND_ERR,
	RF_RETRY_ERR,		/* retransmissions for any reason */
	RF_SEQ_ERR,		/* NAKs that the sender accepted */
	RF_OUT_OF_SEQ,		/* NAKs that a receiver sent */
	RF_DUPLICATE,
	RF_RETRY_EXCEEDED,
	RF_RNR,			/* RNR NAKs that the sender accepted */
	RF_RNR_EXCEEDED,
	RF_COUNTERS
};

extern const char *const rf_counter_names[RF_COUNTERS];

/* How much the counters of a priority, and of a port, increased during the case */
struct rf_prio_tally {
	uint64_t packets, bytes;	/* sent */
	uint64_t marked, dropped;	/* dropped: for any reason */
	uint64_t pauses, paused_ns;
	uint64_t xoff_rx, xon_rx, xoff_tx, xon_tx;
	uint64_t detected, restored;	/* by the watchdog */
	uint64_t peak_bytes;		/* largest queue length since the port was created */
};

struct rf_port_tally {
	char netdev[16];
	uint64_t pauses_received, pauses_sent;
	uint64_t tx_packets, tx_bytes, rx_packets, rx_bytes;	/* RoCE */
	uint64_t rule_dropped;		/* packets that rules dropped */
	uint64_t cnps_sent;
	uint64_t cnps_received;		/* those that changed the rate of a flow */
	uint64_t cnps_refused;		/* those that changed no rate */
	struct rf_prio_tally prio[RDMAFAULT_PRIOS];
};

/* What a port has sent since the case began, and what is queued in it, in bytes, all priorities */
struct rf_load {
	uint64_t sent, queued;
};

/* The loads of the ports at some times; @load has a row of one element per port for each time */
struct rf_samples {
	uint64_t *t_ns;			/* CLOCK_MONOTONIC, increasing */
	struct rf_load *load;
	size_t n;
};

/* The packets of a flow that left the port of a node, or arrived there if it is another machine */
struct rf_flow_tally {
	char saddr[48], daddr[48];
	uint32_t qp;			/* destination QP */
	uint64_t packets, bytes;	/* with IP header */
};

/* A fault that began or ended while the job ran */
struct rf_done {
	uint64_t t_ns;
	uint32_t fault;			/* index in the case's list of faults */
	bool undo;
};

/* How many records of each type a case has */
struct rf_line_counts {
	uint64_t events, qps, steps, ends;
};

/* The packets of a fault that is a rule */
struct rf_rule_tally {
	uint32_t fault;			/* index in the case's list of faults */
	char netdev[16];
	uint32_t id;			/* ID of the rule on this netdev */
	uint64_t matched, hits;
	uint64_t missed[RF_MISSES];	/* matching packets that were not hit, by reason */
};

/* A value of a process */
struct rf_process_value {
	double v;			/* number, in the unit of its metric; NAN: none */
	char *why;			/* why there is none; NULL: there is one, or not known */
	char hash[RF_SHA256_LEN];	/* of a file; "": none */
};

/* How a process of a command ended */
struct rf_process_end {
	char name[40];
	int status;			/* exit status, or 128 + number of the signal */
	bool stopped;			/* the run sent the signal that ends the process */
	uint64_t start_ns, end_ns;	/* CLOCK_MONOTONIC */
	char *last_line;		/* of its output; NULL if it succeeded or was stopped */
	struct rf_process_value *values;	/* as in the scenario */
	size_t nvalues;
};

/* RoCE packets that left the ports of the nodes while a command ran */
struct rf_traffic {
	bool known;
	uint64_t cm;			/* of the connection management, to QP 1 */
	uint64_t data;			/* all others */
	uint64_t inside;		/* packets from a device to itself, which pass no port */
};

/* The clock of another machine in a case; that of process 0 is the clock of the record */
struct rf_clock_tally {
	char machine[64];
	int64_t offset_ns;		/* clock of process 0 minus its clock, before the case */
	uint64_t error_ns;		/* largest error of converted times */
	double drift_ppm;
};

struct rf_record {
	struct rf_timeline tl;
	struct rf_events ev;
	uint64_t timer_ns;			/* timer of the queue pairs; 0: unknown */
	bool remote;				/* the nodes are other machines */
	bool link_down;				/* a link was down: not all lost packets are hits */
	uint64_t rule_hits;			/* hits counted by the rules of the case */
	uint64_t flows_lost;			/* packets whose attempt is unknown */
	struct rf_line_counts recorded;		/* from events.jsonl, to detect lost lines */
	bool has_counts;			/* @recorded is set */
	uint64_t before[RF_RANKS_MAX][RF_COUNTERS];	/* by rank */
	uint64_t counters[RF_RANKS_MAX][RF_COUNTERS];	/* differences */
	struct rf_port_tally *ports;		/* by node; NULL: not read */
	size_t nports;
	struct rf_flow_tally *flows;
	size_t nflows;
	struct rf_samples samples;		/* rows of @nports elements */
	struct rf_rule_tally *rules;		/* rules that were added, by fault */
	size_t nrules;
	struct rf_done *done;			/* sorted by time */
	size_t ndone;
	struct rf_traffic traffic;
	struct rf_process_end *processes;	/* of a command, as in the scenario */
	size_t nprocesses;
	struct rf_clock_tally *clocks;		/* NULL: all ranks are on one machine */
	size_t nclocks;
	struct rf_record *others;		/* of the other jobs: timeline and events */
	size_t nothers;
};

const struct rf_port_tally *rf_record_port(const struct rf_record *rec, const char *netdev);
int rf_samples_add(struct rf_samples *s, uint64_t t_ns, const struct rf_load *row, size_t ports);
struct rf_line_counts rf_record_line_counts(const struct rf_record *rec);
int rf_record_flow(struct rf_record *rec, const struct rf_flow_tally *flow);
int rf_record_done(struct rf_record *rec, const struct rf_done *done);
int rf_record_rule(struct rf_record *rec, const struct rf_rule_tally *rule);
const struct rf_rule_tally *rf_record_find_rule(const struct rf_record *rec, size_t fault);
const struct rf_rule_tally *rf_record_rule_of(const struct rf_record *rec,
					      const struct rf_event *hit);
int rf_record_clock(struct rf_record *rec, const struct rf_clock_tally *clock);
uint64_t rf_record_clock_error(const struct rf_record *rec);
int rf_record_process(struct rf_record *rec, struct rf_process_end *end);
void rf_process_end_free(struct rf_process_end *end);
bool rf_process_failed(const struct rf_process_end *end);
const struct rf_process_end *rf_record_failed(const struct rf_record *rec);
bool rf_record_has_holes(const struct rf_record *rec);
int rf_record_split(struct rf_record *rec);
void rf_record_free(struct rf_record *rec);
uint64_t rf_record_counter(const struct rf_record *rec, enum rf_counter c);

/* tally_json.c */
struct json_object *rf_tally_json(const struct rf_prio_tally *t, uint32_t prio);
bool rf_tally_take(struct json_object *o, struct rf_prio_tally *t);

#endif
