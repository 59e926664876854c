/* SPDX-License-Identifier: GPL-2.0 */
/* The results as text, as JSON and as a timeline */
#ifndef CP_RESULTS_H
#define CP_RESULTS_H

#include "bench.h"
#include "config.h"

struct json_object;

/* total.c: totals of all rows, and names for the output */

/* Totals of all rows */
struct cp_total {
	uint64_t wrong;
	double bus_bw;		/* sum of the bus bandwidths of all measurements */
	unsigned int n;		/* number of measurements */
	struct coll_failover failover;
};

void cp_total_add(struct cp_total *total, const struct cp_row *row);
double cp_total_bus_bw(const struct cp_total *total);
bool cp_total_fast_enough(const struct cp_config *cfg,
			  const struct cp_total *total);

const char *cp_algo_word(const struct cp_config *cfg);
const char *cp_type_word(const struct cp_config *cfg,
			 const struct cp_case *what);
const char *cp_op_word(const struct cp_case *what);

/* table.c: the results as text */
void cp_table_head(const struct cp_config *cfg, const struct coll_member *all);
void cp_table_row(const struct cp_config *cfg, const struct cp_row *row);
void cp_table_foot(const struct cp_config *cfg, const struct cp_total *total,
		   const struct cp_stragglers *stragglers, const struct coll_member *all);

/* results.c: the results as JSON */
struct json_object *cp_results_begin(const struct cp_config *cfg);
void cp_results_met(struct json_object *doc, const struct cp_config *cfg,
		    const struct coll_member *all, uint32_t mtu);
void cp_results_row(struct json_object *doc, const struct cp_config *cfg,
		    const struct cp_row *row);
int cp_results_end(struct json_object *doc, const struct cp_config *cfg,
		   const struct cp_total *total, const struct cp_stragglers *stragglers,
		   const char *error);
int cp_results_lost(const struct cp_config *cfg, const char *error);

/* timeline.c: the timeline: each rank's steps as JSON lines */
int cp_timeline_write(const struct cp_config *cfg,
		      const struct coll_state *states);

#endif
