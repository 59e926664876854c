/* SPDX-License-Identifier: GPL-2.0 */
/* Go-back-N check of each flow */
#ifndef RF_GBN_H
#define RF_GBN_H

#include "record.h"

enum rf_gbn_rule {
	RF_GBN_ONE_NAK,		/* no second NAK before the first is obeyed */
	RF_GBN_FIRST_HOLE,	/* a NAK asks for the first packet missing */
	RF_GBN_RESTART,		/* the sender goes back exactly there */
	RF_GBN_TIMEOUT,		/* without a NAK, not past what was lost */
	RF_GBN_ACKS,		/* ACKs never go back */
	RF_GBN_RULES
};

enum rf_gbn_verdict {
	RF_GBN_CONFORMS,
	RF_GBN_VIOLATES,
	RF_GBN_UNJUDGED,	/* enum rf_gbn_why says why not */
	RF_GBN_VOID,		/* records were lost */
};

enum rf_gbn_why {
	RF_GBN_NO_DOUBT,
	RF_GBN_READS,		/* their data go the other way */
	RF_GBN_FORGED,		/* by a fault */
	RF_GBN_WHOSE,		/* are the answers? */
};

struct rf_gbn_flow {
	const struct rf_event *data;	/* a packet of it */
	const struct rf_qp *qp;		/* its sender; NULL: none of the job's */
	enum rf_gbn_verdict verdict;
	enum rf_gbn_why why;		/* is it unjudged? */
	bool whole;			/* arrivals were seen, too */
	uint64_t packets;		/* seen leaving */
	uint64_t lost, naks, restarts, timeouts, retransmitted;
	uint64_t broken[RF_GBN_RULES];
	const struct rf_event *where[RF_GBN_RULES];	/* the first one */
	uint32_t want[RF_GBN_RULES];	/* PSN, there */
};

struct rf_gbn {
	struct rf_gbn_flow *flows;
	size_t n;
	uint64_t violations;
};

int rf_gbn_check(const struct rf_record *rec, struct rf_gbn *gbn);
void rf_gbn_free(struct rf_gbn *gbn);
const char *rf_gbn_verdict_name(enum rf_gbn_verdict verdict);
const char *rf_gbn_why_name(enum rf_gbn_why why);
const char *rf_gbn_why_text(enum rf_gbn_why why);
const char *rf_gbn_rule_name(enum rf_gbn_rule rule);
const char *rf_gbn_rule_text(enum rf_gbn_rule rule);

#endif
