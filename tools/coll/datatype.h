/* SPDX-License-Identifier: GPL-2.0 */
/* The tables of element types and reductions: datatype.c has one row per type. */
#ifndef CP_DATATYPE_H
#define CP_DATATYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The reductions of a type. An average is a sum, which is later divided by the number of ranks. */
enum cp_op_id { CP_OP_SUM, CP_OP_PROD, CP_OP_MIN, CP_OP_MAX, CP_OPS };

/* dst[i] = a[i] op b[i] for n elements; dst may be a or b. */
typedef void (*cp_reduce_fn)(void *dst, const void *a, const void *b, size_t n);

/**
 * struct cp_type - an element type
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
struct cp_type {
	const char *name, *alias;
	size_t size;
	bool is_signed;
	int64_t exact;
	int exponent;
	void (*store)(void *base, size_t i, int64_t v);
	int (*format)(char *buf, size_t len, const void *base, size_t i);
	void (*divide)(void *base, size_t n, int by);
	cp_reduce_fn reduce[CP_OPS];
};

/**
 * struct cp_op - a reduction
 * @name: name for the option -o and in the output
 * @id: index in cp_type.reduce
 * @fold: the same operation on integers, to compute expected values
 * @grows: true if the result over n ranks can be n times as large as an input
 * @averages: true if the complete sum is divided by the number of ranks
 */
struct cp_op {
	const char *name;
	enum cp_op_id id;
	int64_t (*fold)(int64_t a, int64_t b);
	bool grows, averages;
};

extern const struct cp_type cp_types[];
extern const struct cp_op cp_ops[];

const struct cp_type *cp_type_find(const char *name);
const struct cp_op *cp_op_find(const char *name);

#endif
