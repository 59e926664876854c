/* SPDX-License-Identifier: GPL-2.0 */
/* The tables of element types and reductions: datatype.c has one row per type. */
#ifndef COLL_DATATYPE_H
#define COLL_DATATYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The reductions of a type. An average is a sum, which is later divided by the number of ranks. */
enum coll_op_id { COLL_OP_SUM, COLL_OP_PROD, COLL_OP_MIN, COLL_OP_MAX, COLL_OPS };

/* dst[i] = a[i] op b[i] for n elements; dst may be a or b. */
typedef void (*coll_reduce_fn)(void *dst, const void *a, const void *b, size_t n);

/**
 * struct coll_type - an element type
 * @name: name for the option -d and in the output
 * @alias: another name for the option -d, or NULL
 * @size: bytes of one element
 * @is_signed: true if negative values exist
 * @exact: the type represents all integers from 0 to @exact exactly
 * @exponent: exponent of the highest power of two of a floating type; 0 for integers
 * @store: writes the integer @v to element @i of @base
 * @format: writes element @i of @base as text to a buffer
 * @divide: divides @n elements at @base by @by, for an average; integers are
 *	rounded towards 0, floating types to nearest
 * @reduce: one function for each operation
 */
struct coll_type {
	const char *name, *alias;
	size_t size;
	bool is_signed;
	int64_t exact;
	int exponent;
	void (*store)(void *base, size_t i, int64_t v);
	int (*format)(char *buf, size_t len, const void *base, size_t i);
	void (*divide)(void *base, size_t n, int by);
	coll_reduce_fn reduce[COLL_OPS];
};

/**
 * struct coll_op - a reduction
 * @name: name for the option -o and in the output
 * @id: index in coll_type.reduce
 * @fold: the same operation on integers, to compute expected values
 * @grows: true if the result over n ranks can be n times as large as an input
 * @averages: true if the complete sum is divided by the number of ranks
 */
struct coll_op {
	const char *name;
	enum coll_op_id id;
	int64_t (*fold)(int64_t a, int64_t b);
	bool grows, averages;
};

extern const struct coll_type coll_types[];
extern const struct coll_op coll_ops[];

const struct coll_type *coll_type_find(const char *name);
const struct coll_op *coll_op_find(const char *name);

#endif
