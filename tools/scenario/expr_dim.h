/* SPDX-License-Identifier: GPL-2.0 */
/* Kinds (dimensions) of values in expectations; used only by expr*.c */
#ifndef RF_EXPR_DIM_H
#define RF_EXPR_DIM_H

#include "expr.h"

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
