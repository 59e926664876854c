// SPDX-License-Identifier: GPL-2.0
/*
 * What the rows add up to, and the words that the table, JSON and the timeline
 * have in common.
 */
#include "total.h"

#define TOLERATED	0.9	/* of NCCL_TESTS_MIN_BW, as nccl-tests has it */

/**
 * cp_total_add() - account for a row
 * @total: grows
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
 * @total: of all rows
 *
 * Return: 10^9 bytes a second.
 */
double cp_total_bus_bw(const struct cp_total *total)
{
	return total->n ? total->bus_bw / total->n : 0;
}

/**
 * cp_total_fast_enough() - is the mean bus bandwidth what was demanded?
 * @cfg: with the demand, if there is one
 * @total: of all rows
 *
 * Return: true if nothing was demanded, too.
 */
bool cp_total_fast_enough(const struct cp_config *cfg,
			  const struct cp_total *total)
{
	return cfg->min_bw < 0 ||
	       cp_total_bus_bw(total) >= TOLERATED * cfg->min_bw;
}

/**
 * cp_algo_word() - the algorithm asked for
 * @cfg: the job
 *
 * Return: its name, or auto.
 */
const char *cp_algo_word(const struct cp_config *cfg)
{
	return cfg->algo == CP_AUTO ? "auto" : cp_algo_names[cfg->algo];
}

/**
 * cp_type_word() - a case's type
 * @cfg: the job
 * @what: the case
 *
 * Return: its name; none if no data is moved.
 */
const char *cp_type_word(const struct cp_config *cfg,
			 const struct cp_case *what)
{
	return cfg->coll->sized ? what->type->name : "none";
}

/**
 * cp_op_word() - a case's reduction
 * @what: the case
 *
 * Return: its name; none if nothing is reduced.
 */
const char *cp_op_word(const struct cp_case *what)
{
	return what->op ? what->op->name : "none";
}
