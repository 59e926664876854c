// SPDX-License-Identifier: GPL-2.0
/*
 * Element types and reductions.
 *
 * CP_TYPES lists the types; everything that depends on the C type is made
 * from that list by macros. Signed sums are computed in the unsigned type of
 * the same width, since an in-place run sums again and again and may wrap.
 *
 * Names are those of nccl-tests. half and bfloat16 have no arithmetic in C
 * and are not here yet; prod and avg need inputs of their own kind.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "datatype.h"

/*	name	C type	   sums in   exact up to  printed as */
#define CP_TYPES(X)							\
	X(int8,   int8_t,   uint8_t,  INT8_MAX,    PRId64, int64_t)	\
	X(uint8,  uint8_t,  uint8_t,  UINT8_MAX,   PRId64, int64_t)	\
	X(int32,  int32_t,  uint32_t, INT32_MAX,   PRId64, int64_t)	\
	X(uint32, uint32_t, uint32_t, UINT32_MAX,  PRId64, int64_t)	\
	X(int64,  int64_t,  uint64_t, INT64_MAX,   PRId64, int64_t)	\
	X(uint64, uint64_t, uint64_t, INT64_MAX,   PRIu64, uint64_t)	\
	X(float,  float,    float,    1ll << 24,   ".9g",  double)	\
	X(double, double,   double,   1ll << 53,   ".17g", double)

#define CP_REDUCE(fn, type, expr)					\
	static void fn(void *dst, const void *a, const void *b, size_t n) \
	{								\
		const type *x = a, *y = b;				\
		type *z = dst;						\
									\
		for (size_t i = 0; i < n; i++)				\
			z[i] = (type)(expr);				\
	}

#define CP_TYPE_FUNCTIONS(name, type, wide, exact, fmt, as)		\
	CP_REDUCE(sum_##name, type, (wide)x[i] + (wide)y[i])		\
	CP_REDUCE(min_##name, type, x[i] < y[i] ? x[i] : y[i])		\
	CP_REDUCE(max_##name, type, x[i] > y[i] ? x[i] : y[i])		\
	static void store_##name(void *base, size_t i, int64_t v)	\
	{								\
		((type *)base)[i] = (type)v;				\
	}								\
	static int format_##name(char *buf, size_t len,			\
				 const void *base, size_t i)		\
	{								\
		as v = (as)((const type *)base)[i];			\
									\
		return snprintf(buf, len, "%" fmt, v);			\
	}

CP_TYPES(CP_TYPE_FUNCTIONS)

#define CP_TYPE_ROW(NAME, type, wide, EXACT, fmt, as)			\
	{								\
		.name = #NAME,						\
		.size = sizeof(type),					\
		.is_signed = (type)-1 < (type)1,			\
		.exact = EXACT,						\
		.store = store_##NAME,					\
		.format = format_##NAME,				\
		.reduce = {						\
			[CP_OP_SUM] = sum_##NAME,			\
			[CP_OP_MIN] = min_##NAME,			\
			[CP_OP_MAX] = max_##NAME,			\
		},							\
	},

const struct cp_type cp_types[] = {
	CP_TYPES(CP_TYPE_ROW)
	{ .name = NULL }
};

static int64_t fold_sum(int64_t a, int64_t b)
{
	return a + b;
}

static int64_t fold_min(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t fold_max(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

const struct cp_op cp_ops[] = {
	{ "sum", CP_OP_SUM, fold_sum, true },
	{ "min", CP_OP_MIN, fold_min, false },
	{ "max", CP_OP_MAX, fold_max, false },
	{ .name = NULL }
};

/** cp_type_find() - the type called @name, or NULL */
const struct cp_type *cp_type_find(const char *name)
{
	for (const struct cp_type *t = cp_types; t->name; t++)
		if (!strcmp(t->name, name))
			return t;
	return NULL;
}

/** cp_op_find() - the reduction called @name, or NULL */
const struct cp_op *cp_op_find(const char *name)
{
	for (const struct cp_op *o = cp_ops; o->name; o++)
		if (!strcmp(o->name, name))
			return o;
	return NULL;
}
