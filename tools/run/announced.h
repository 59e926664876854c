/* SPDX-License-Identifier: GPL-2.0 */
/* The steps that a user's command announces, and its queue pairs */
#ifndef RF_ANNOUNCED_H
#define RF_ANNOUNCED_H

#include "cluster.h"
#include "timeline.h"

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
	size_t nqps;
};

int rf_announced_begin(struct rf_announced *a, const struct rf_cluster *c, uint32_t steps);
void rf_announced_read(struct rf_announced *a, struct rf_nl *nl, uint64_t now);
void rf_announced_last(struct rf_announced *a, struct rf_nl *nl, int status, uint64_t now);
int rf_announced_end(struct rf_announced *a, uint64_t now, struct rf_timeline *tl);
void rf_announced_free(struct rf_announced *a);

/* For the unit test */
void rf_announced_step(struct rf_announced *a, uint32_t node, uint32_t step, uint64_t now);

#endif
