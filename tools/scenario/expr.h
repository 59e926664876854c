/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is expected of a case, as lines in a small language:
 *
 *	step.time.p99 < 5 ms		faults.hit == 1
 *	rank[*].wrong == 0		pause.coverage >= 99.9%
 *	detected_by == nak		retransmitted in 1..128
 *	ratio(step.time.p50, clean) < 1.5
 *
 * A line is parsed when the scenario is loaded: what it says of metrics is
 * checked against their table, and that what it compares is of one kind, a time
 * with a time. So an error is found before the run, and not after an hour.
 */
#ifndef RF_EXPR_H
#define RF_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "argwords.h"

/* What a metric is counted in, and the unit of its value as a number. */
enum rf_unit {
	RF_UNIT_COUNT,			/* 1 */
	RF_UNIT_SHARE,			/* 0 to 1; written with % */
	RF_UNIT_TIME,			/* ns */
	RF_UNIT_BYTES,
	RF_UNIT_RATE,			/* bit/s */
	RF_UNIT_DOLLARS,
	RF_UNIT_WORD,			/* a value of its names */
};

/* A row of a table of metrics; in its name, "[]" stands for any index. */
struct rf_metric_info {
	const char *name;
	enum rf_unit unit;
	const char *help;
	const struct rf_name *names;	/* of a word */
};

/* Where metrics come from. */
struct rf_metric_source {
	const struct rf_metric_info *(*row)(size_t i);	/* NULL: no more */
	/* @kase: NULL for the one in hand; NULL, or the reason for no value */
	const char *(*value)(void *arg, const char *kase, const char *name,
			     double *v);
	/* the @i-th index of all @what ("rank"); false: no more */
	bool (*index)(void *arg, const char *what, size_t i, char buf[16]);
};

enum rf_op {
	RF_OP_NUMBER, RF_OP_WORD, RF_OP_METRIC, RF_OP_RATIO,
	RF_OP_ADD, RF_OP_SUB, RF_OP_MUL, RF_OP_DIV, RF_OP_MIN, RF_OP_MAX,
};

/* Powers of ns, bytes and dollars; a share is a number with another face. */
struct rf_dim {
	int8_t time, bytes, dollars;
	bool share;
	const struct rf_name *names;	/* a word of these; nothing else is set */
};

struct rf_expr {
	enum rf_op op;
	struct rf_dim dim;
	double value;			/* of a number or word */
	char *name, *kase;		/* of a metric; of a ratio */
	double scale;			/* of its value, to ns, bytes, dollars */
	struct rf_expr *left, *right;
};

enum rf_cmp {
	RF_CMP_LT, RF_CMP_LE, RF_CMP_EQ, RF_CMP_NE, RF_CMP_GE, RF_CMP_GT,
	RF_CMP_IN,
};

/* A line; @right is what @left is compared with, or the ends of a range. */
struct rf_check {
	char *text;
	enum rf_cmp cmp;
	struct rf_expr *left, *right, *to;	/* of a range one may be NULL */
};

#define RF_STARS_MAX	4		/* kinds of [*] in a line, as rank */

/* A line that failed says by which of all, and what was there instead. */
struct rf_check_result {
	bool holds;
	bool known;			/* the metrics had values */
	const char *why;		/* why the line has no value; NULL: it has */
	double got;			/* of the left side */
	double least, most;		/* of the left side, over all [*] evaluated */
	char where[RF_STARS_MAX * 18];	/* what stood for [*], as "v1, 3", or "" */
};

int rf_check_parse(const char *text, const struct rf_metric_source *source,
		   struct rf_check *check, struct rf_why *why,
		   unsigned int *column);	/* where it is wrong, from 0 */
void rf_check_free(struct rf_check *check);
bool rf_check_names_case(const struct rf_check *check, const char **kase,
			 size_t i);	/* the i-th case of a ratio() */
bool rf_check_index(const struct rf_check *check, size_t i, char what[16],
		    char index[16]);	/* the i-th index that isn't "*" */
bool rf_check_is_empty(const struct rf_check *check);
bool rf_check_is_about(const struct rf_check *check, const char *metric);

void rf_check_eval(const struct rf_check *check,
		   const struct rf_metric_source *source, void *arg,
		   struct rf_check_result *result);
char *rf_check_format(const struct rf_check *check, double v, char *buf,
		      size_t len);
char *rf_check_measured(const struct rf_check *check,
			const struct rf_check_result *result, char *buf,
			size_t len);

#endif
