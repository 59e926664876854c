/* SPDX-License-Identifier: GPL-2.0 */
/* Kinds of values in expectations; for expr*.c alone. */
#ifndef RF_EXPR_DIM_H
#define RF_EXPR_DIM_H

#include "expr.h"

extern const char rf_dim_units[];	/* what there is, for a message */

/* What is behind the unit at @s; NULL: there is none. @v gets its factor */
const char *rf_dim_take_unit(const char *s, struct rf_dim *dim, double *v);
void rf_dim_of_unit(enum rf_unit unit, const struct rf_name *names,
		    struct rf_dim *dim, double *scale);
bool rf_dim_same(const struct rf_dim *a, const struct rf_dim *b);
bool rf_dim_join(enum rf_op op, const struct rf_dim *a, const struct rf_dim *b,
		 struct rf_dim *to);
const char *rf_dim_name(const struct rf_dim *dim);

#endif
