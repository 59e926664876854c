/* SPDX-License-Identifier: GPL-2.0 */
/* Kinds (dimensions) of values in expectations; used only by expr*.c */
#ifndef RF_EXPR_DIM_H
#define RF_EXPR_DIM_H

#include <stdbool.h>
#include <stdint.h>
#include "words.h"

/* The unit of a metric, and the unit in which its value is stored */
enum rf_unit {
	RF_UNIT_COUNT,			/* a plain number */
	RF_UNIT_SHARE,			/* stored as 0 to 1, written as 0 % to 100 % */
	RF_UNIT_TIME,			/* ns */
	RF_UNIT_BYTES,
	RF_UNIT_RATE,			/* bit/s */
	RF_UNIT_DOLLARS,
	RF_UNIT_WORD,			/* one of rf_metric_info.names */
};

enum rf_op {
	RF_OP_NUMBER, RF_OP_WORD, RF_OP_METRIC, RF_OP_RATIO,
	RF_OP_ADD, RF_OP_SUB, RF_OP_MUL, RF_OP_DIV, RF_OP_MIN, RF_OP_MAX,
};

/*
 * Kind (dimension) of a value: the exponents of the units of time, bytes and dollars. A rate
 * in bytes per ns has bytes = 1 and time = -1. A plain number has only zeros. A share is a
 * number that is written with %.
 */
struct rf_dim {
	int8_t time, bytes, dollars;
	bool share;
	const struct rf_name *names;	/* possible words, if the value is a word; otherwise NULL */
};

extern const char rf_dim_units[];	/* list of all units, for an error message */

/*
 * Parse the unit at @s, and multiply @v by its factor. Return: the text after the unit;
 * NULL if the unit is unknown.
 */
const char *rf_dim_take_unit(const char *s, struct rf_dim *dim, double *v);
void rf_dim_of_unit(enum rf_unit unit, const struct rf_name *names,
		    struct rf_dim *dim, double *scale);
bool rf_dim_same(const struct rf_dim *a, const struct rf_dim *b);
bool rf_dim_join(enum rf_op op, const struct rf_dim *a, const struct rf_dim *b,
		 struct rf_dim *to);
const char *rf_dim_name(const struct rf_dim *dim);

#endif
