/* SPDX-License-Identifier: GPL-2.0 */
/* When the faults of a case were active, for figures over time */
#ifndef RF_BANDS_H
#define RF_BANDS_H

#include "tools/run/run.h"

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
bool rf_band_is_planned(const struct rf_bands *b, const struct rf_band *band);
void rf_bands_free(struct rf_bands *b);

#endif
