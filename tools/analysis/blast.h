/* SPDX-License-Identifier: GPL-2.0 */
/* The ranks that waited because of a loss, in the order in which the loss reached them */
#ifndef RF_BLAST_H
#define RF_BLAST_H

#include "analyse.h"

enum rf_wait_kind { RF_WAIT_RECV, RF_WAIT_SEND, RF_WAIT_SYNC, RF_WAITS };

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
const char *rf_wait_kind_text(enum rf_wait_kind kind);

#endif
