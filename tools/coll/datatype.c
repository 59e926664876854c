// SPDX-License-Identifier: GPL-2.0
/*
 * The tables of element types and reductions.
 *
 * COLL_TYPES lists the types. From this list, macros generate all code that depends on the
 * C type. A row has the C type in which an element is stored, the C type in which it is
 * computed, and the conversions between them. Integers are computed in the unsigned type
 * of the same width: repeated in-place runs add to their own results, and the overflow of
 * a signed integer would be undefined. 16-bit floating types are computed in float
 * (half.h).
 *
 * The types have the same names as in nccl-tests.
 *
 * "omp simd" declares that elements are independent, so the compiler can use SIMD
 * instructions. The destination can be the same memory as a source. "omp simd" needs no
 * library. Each reduction is compiled twice, and the loader selects the AVX2 version if
 * the CPU has AVX2. With AddressSanitizer it is compiled once, because the sanitizer
 * would instrument the selection.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "half.h"
#include "plan.h"

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define COLL_WIDEST	__attribute__((target_clones("avx2", "default")))
#else
#define COLL_WIDEST
#endif

#define COLL_AS_IS(v)	(v)

/*
 * Columns: name, alias, C type of a stored element, C type of computations, conversion
 * after reading, conversion before writing, C type of comparisons, largest exact integer,
 * highest exponent, printf format, C type for printf
 */
#define COLL_TYPES(X)							\
	X(int8, NULL, int8_t, uint8_t, COLL_AS_IS, COLL_AS_IS,		\
	  int8_t, INT8_MAX, 0, PRId64, int64_t)				\
	X(uint8, NULL, uint8_t, uint8_t, COLL_AS_IS, COLL_AS_IS,		\
	  uint8_t, UINT8_MAX, 0, PRId64, int64_t)			\
	X(int32, NULL, int32_t, uint32_t, COLL_AS_IS, COLL_AS_IS,		\
	  int32_t, INT32_MAX, 0, PRId64, int64_t)			\
	X(uint32, NULL, uint32_t, uint32_t, COLL_AS_IS, COLL_AS_IS,		\
	  uint32_t, UINT32_MAX, 0, PRId64, int64_t)			\
	X(int64, NULL, int64_t, uint64_t, COLL_AS_IS, COLL_AS_IS,		\
	  int64_t, INT64_MAX, 0, PRId64, int64_t)			\
	X(uint64, NULL, uint64_t, uint64_t, COLL_AS_IS, COLL_AS_IS,		\
	  uint64_t, INT64_MAX, 0, PRIu64, uint64_t)			\
	X(half, "float16", uint16_t, float, coll_half_to_float,		\
	  coll_float_to_half, float, 1ll << 11, 15, ".5g", double)	\
	X(bfloat16, NULL, uint16_t, float, coll_bfloat16_to_float,	\
	  coll_float_to_bfloat16, float, 1ll << 8, 127, ".4g", double)	\
	X(float, "float32", float, float, COLL_AS_IS, COLL_AS_IS,		\
	  float, 1ll << 24, 127, ".9g", double)				\
	X(double, "float64", double, double, COLL_AS_IS, COLL_AS_IS,	\
	  double, 1ll << 53, 1023, ".17g", double)

#define COLL_REDUCE(fn, type, wide, get, put, expr)			\
	COLL_WIDEST							\
	static void fn(void *dst, const void *a, const void *b, size_t n) \
	{								\
		const type *x = a, *y = b;				\
		type *z = dst;						\
									\
		_Pragma("omp simd")					\
		for (size_t i = 0; i < n; i++) {			\
			wide v = (wide)get(x[i]), w = (wide)get(y[i]);	\
									\
			z[i] = (type)put((wide)(expr));			\
		}							\
	}

#define COLL_TYPE_FUNCTIONS(name, alias, type, wide, get, put, cmp, exact, exp, \
			    fmt, as)					\
	COLL_REDUCE(sum_##name, type, wide, get, put, v + w)		\
	COLL_REDUCE(prod_##name, type, wide, get, put, v * w)		\
	COLL_REDUCE(min_##name, type, wide, get, put,			\
		    (cmp)v < (cmp)w ? v : w)				\
	COLL_REDUCE(max_##name, type, wide, get, put,			\
		    (cmp)v > (cmp)w ? v : w)				\
	static void divide_##name(void *base, size_t n, int by)		\
	{								\
		type *z = base;						\
									\
		for (size_t i = 0; i < n; i++)				\
			z[i] = (type)put((cmp)get(z[i]) / (cmp)by);	\
	}								\
	static void store_##name(void *base, size_t i, int64_t v)	\
	{								\
		((type *)base)[i] = (type)put((wide)v);			\
	}								\
	static int format_##name(char *buf, size_t len,			\
				 const void *base, size_t i)		\
	{								\
		as v = (as)get(((const type *)base)[i]);		\
									\
		return snprintf(buf, len, "%" fmt, v);			\
	}

COLL_TYPES(COLL_TYPE_FUNCTIONS)

#define COLL_TYPE_ROW(NAME, ALIAS, type, wide, get, put, cmp, EXACT, EXP,	\
		      fmt, as)						\
	{								\
		.name = #NAME,						\
		.alias = ALIAS,						\
		.size = sizeof(type),					\
		.is_signed = (cmp)-1 < (cmp)1,				\
		.exact = EXACT,						\
		.exponent = EXP,					\
		.store = store_##NAME,					\
		.format = format_##NAME,				\
		.divide = divide_##NAME,				\
		.reduce = {						\
			[COLL_OP_SUM] = sum_##NAME,			\
			[COLL_OP_PROD] = prod_##NAME,			\
			[COLL_OP_MIN] = min_##NAME,			\
			[COLL_OP_MAX] = max_##NAME,			\
		},							\
	},

const struct coll_type coll_types[] = {
	COLL_TYPES(COLL_TYPE_ROW)
	{ .name = NULL }
};

static int64_t fold_sum(int64_t a, int64_t b)
{
	return a + b;
}

/*
 * Multiply modulo 2^64. For a smaller type, the low bits of the result are the product
 * modulo the range of that type.
 */
static int64_t fold_prod(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a * (uint64_t)b);
}

static int64_t fold_min(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t fold_max(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

const struct coll_op coll_ops[] = {
	{ "sum", COLL_OP_SUM, fold_sum, true, false },
	{ "prod", COLL_OP_PROD, fold_prod, false, false },
	{ "min", COLL_OP_MIN, fold_min, false, false },
	{ "max", COLL_OP_MAX, fold_max, false, false },
	{ "avg", COLL_OP_SUM, fold_sum, true, true },
	{ .name = NULL }
};

static bool is_called(const struct coll_type *t, const char *name)
{
	return !strcmp(t->name, name) || (t->alias && !strcmp(t->alias, name));
}

/** coll_type_find() - find an element type by name, or return NULL */
const struct coll_type *coll_type_find(const char *name)
{
	for (const struct coll_type *t = coll_types; t->name; t++)
		if (is_called(t, name))
			return t;
	return NULL;
}

/** coll_op_find() - find a reduction by name, or return NULL */
const struct coll_op *coll_op_find(const char *name)
{
	for (const struct coll_op *o = coll_ops; o->name; o++)
		if (!strcmp(o->name, name))
			return o;
	return NULL;
}
