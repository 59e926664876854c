/* SPDX-License-Identifier: GPL-2.0 */
/* Go-back-N check of each flow */
#ifndef RF_GBN_H
#define RF_GBN_H

#include "tools/run/record.h"

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

struct rf_wire;

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

#endif
