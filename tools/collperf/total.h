/* SPDX-License-Identifier: GPL-2.0 */
/* Totals of all rows, and names for the output */
#ifndef CP_TOTAL_H
#define CP_TOTAL_H

#include "bench.h"

/* Totals of all rows */
struct cp_total {
	uint64_t wrong;
	double bus_bw;		/* sum of the bus bandwidths of all measurements */
	unsigned int n;		/* number of measurements */
};

void cp_total_add(struct cp_total *total, const struct cp_row *row);
double cp_total_bus_bw(const struct cp_total *total);
bool cp_total_fast_enough(const struct cp_config *cfg,
			  const struct cp_total *total);

const char *cp_algo_word(const struct cp_config *cfg);
const char *cp_type_word(const struct cp_config *cfg,
			 const struct cp_case *what);
const char *cp_op_word(const struct cp_case *what);

#endif
