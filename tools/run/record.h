/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The record of a case: timeline of the job, events of the module, and how much the
 * counters of rxe and of the module increased.
 */
#ifndef RF_RECORD_H
#define RF_RECORD_H

#include "tools/trace/events.h"
#include "timeline.h"

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
	struct rf_prio_tally prio[RDMAFAULT_PRIOS];
};

/* A fault that began or ended while the job ran */
struct rf_done {
	uint64_t t_ns;
	uint32_t fault;			/* index in the case's list of faults */
	bool undo;
};

/* How many records of each type a case has; UINT64_MAX: not known */
struct rf_line_counts {
	uint64_t events, steps, ends;
};

struct rf_record {
	struct rf_timeline tl;
	struct rf_events ev;
	uint64_t timer_ns;			/* timer of the queue pairs; 0: unknown */
	uint64_t rule_hits;			/* hits counted by the rules of the case */
	uint64_t flows_lost;			/* packets whose attempt is unknown */
	struct rf_line_counts announced;	/* from events.jsonl, to detect lost lines */
	uint64_t before[RF_RANKS_MAX][RF_COUNTERS];	/* by rank */
	uint64_t counters[RF_RANKS_MAX][RF_COUNTERS];	/* differences */
	struct rf_port_tally *ports;		/* by node; NULL: not read */
	size_t nports;
	struct rf_done *done;			/* sorted by time */
	size_t ndone;
};

struct json_object;

struct json_object *rf_tally_json(const struct rf_prio_tally *t, uint32_t prio);
bool rf_tally_take(struct json_object *o, struct rf_prio_tally *t);

struct rf_line_counts rf_record_line_counts(const struct rf_record *rec);
int rf_record_done(struct rf_record *rec, const struct rf_done *done);
bool rf_record_has_holes(const struct rf_record *rec);
void rf_record_free(struct rf_record *rec);
uint64_t rf_record_counter(const struct rf_record *rec, enum rf_counter c);

#endif
