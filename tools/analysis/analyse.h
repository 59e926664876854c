/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The analysis of a case: each packet that was hit, how its loss was detected and
 * repaired, and the additional time of each rank in the step of the hit.
 */
#ifndef RF_ANALYSE_H
#define RF_ANALYSE_H

#include "gbn.h"
#include "tools/run/record.h"
#include "words.h"

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

struct rf_wire;

struct rf_analysis {
	struct rf_loss *losses;		/* hits, and behind them losses without a hit */
	size_t nhits, nlosses;
	uint64_t measure[RF_MEASURES];
	uint64_t retransmitted_bytes;
	bool holes;			/* some events of the trace were lost */
	bool no_result;			/* at least one rank wrote no result */
	uint32_t step;			/* step of the first hit; 0: no hit */
	uint64_t step_ns;
	bool broken;			/* a rank failed in this step */
	uint64_t clean_ns;		/* median time of clean steps; 0: no clean step is known */
	uint64_t clean_min_ns, clean_max_ns;
	struct rf_gbn gbn;
	uint32_t ranks;
	struct rf_rank_cost rank[RF_RANKS_MAX];
};

int rf_analyse(const struct rf_record *rec, const struct rf_record *clean,
	       struct rf_analysis *an);
void rf_analysis_free(struct rf_analysis *an);

/* loss.c: how a loss was detected and repaired */
int rf_losses_trace(const struct rf_wire *w, struct rf_analysis *an);
bool rf_loss_of_answer(const struct rf_loss *loss);
uint32_t rf_loss_timers(const struct rf_loss *loss, uint32_t timeout);
bool rf_loss_nak_generation(const struct rf_loss *loss, uint64_t *ns);
bool rf_loss_nak_reaction(const struct rf_loss *loss, uint64_t *ns);
const struct rf_loss *rf_first_loss(const struct rf_analysis *an);
bool rf_loss_in_blackhole(const struct rf_event *hit);
bool rf_loss_is_final(const struct rf_record *rec, const struct rf_loss *l);
const char *rf_loss_why_not_detected(const struct rf_loss *l);
const char *rf_loss_why_not_recovered(const struct rf_loss *l);

/* ignored_naks.c: NAKs that caused no retransmission */
uint64_t rf_count_ignored_naks(const struct rf_events *ev, uint64_t timer_ns);

/* The longest of these steps: the step of the first hit, and all later steps. Times in ns. */
struct rf_worst_step {
	uint32_t step;
	uint64_t took;
	uint64_t over;			/* step time minus the clean median; at least 0 */
	uint64_t over_every_rank;	/* minimum of the additional times of all ranks */
};

/* stall.c: the additional time of a step */
void rf_stall(const struct rf_record *rec, const struct rf_record *clean,
	      struct rf_analysis *an);
bool rf_measure_is_known(const struct rf_analysis *an, enum rf_measure m);
const char *rf_measure_why_not(const struct rf_analysis *an, enum rf_measure m);
bool rf_stall_worst(const struct rf_record *rec, const struct rf_analysis *an,
		    uint32_t last, struct rf_worst_step *w);
uint64_t rf_median(uint64_t *v, size_t n);

#endif
