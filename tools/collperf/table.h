/* SPDX-License-Identifier: GPL-2.0 */
/* The results as text. */
#ifndef CP_TABLE_H
#define CP_TABLE_H

#include "bench.h"

/* What the rows add up to. */
struct cp_total {
	uint64_t wrong;
	double bus_bw;		/* sum over measurements */
	unsigned int n;		/* measurements */
};

void cp_total_add(struct cp_total *total, const struct cp_row *row);
double cp_total_bus_bw(const struct cp_total *total);

void cp_table_head(const struct cp_config *cfg, const struct cp_member *all);
void cp_table_row(const struct cp_config *cfg, const struct cp_row *row);
void cp_table_foot(const struct cp_config *cfg, const struct cp_total *total);

#endif
