/* SPDX-License-Identifier: GPL-2.0 */
/* The impact of all losses of a case */
#ifndef RF_IMPACT_H
#define RF_IMPACT_H

#include "analyse.h"

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

#endif
