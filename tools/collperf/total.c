// SPDX-License-Identifier: GPL-2.0
/*
 * Sum up the rows of the table. The names of algorithms, operations and types, which the
 * table, the JSON and the timeline use, are also here.
 */
#include "results.h"

#define TOLERATED	0.9	/* this fraction of NCCL_TESTS_MIN_BW is enough, as in nccl-tests */

/**
 * cp_total_add() - add the results of a row to the totals
 * @total: the totals
 * @row: the results of a size
 */
void cp_total_add(struct cp_total *total, const struct cp_row *row)
{
	for (int i = 0; i < CP_PLACES; i++) {
		if (!row->place[i].done)
			continue;
		total->bus_bw += row->place[i].bus_bw;
		total->n++;
		if (row->place[i].wrong > 0)
			total->wrong += (uint64_t)row->place[i].wrong;
	}
}

/**
 * cp_total_bus_bw() - mean bus bandwidth
 * @total: totals of all rows
 *
 * Return: the bandwidth in 10^9 bytes per second.
 */
double cp_total_bus_bw(const struct cp_total *total)
{
	return total->n ? total->bus_bw / total->n : 0;
}

/**
 * cp_total_fast_enough() - compare the mean bus bandwidth with NCCL_TESTS_MIN_BW
 * @cfg: options of the job
 * @total: totals of all rows
 *
 * Return: true if it is high enough, or if there is no minimum.
 */
bool cp_total_fast_enough(const struct cp_config *cfg,
			  const struct cp_total *total)
{
	return cfg->min_bw < 0 ||
	       cp_total_bus_bw(total) >= TOLERATED * cfg->min_bw;
}

/**
 * cp_algo_word() - name of the requested algorithm
 * @cfg: options of the job
 *
 * Return: its name, or "auto".
 */
const char *cp_algo_word(const struct cp_config *cfg)
{
	return coll_algo_names[cfg->algo].name;
}

/**
 * cp_type_word() - name of the type of a case
 * @cfg: options of the job
 * @what: the case
 *
 * Return: the name; "none" if the collective transfers no data.
 */
const char *cp_type_word(const struct cp_config *cfg,
			 const struct cp_case *what)
{
	return cfg->coll->sized ? what->type->name : "none";
}

/**
 * cp_op_word() - name of the reduction of a case
 * @what: the case
 *
 * Return: the name; "none" if the collective does not reduce.
 */
const char *cp_op_word(const struct cp_case *what)
{
	return what->op ? what->op->name : "none";
}
