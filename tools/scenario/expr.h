/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Expectations of a case, each a line in a small language:
 *
 *	step.time.p99 < 5 ms		faults.hit == 1
 *	rank[*].wrong == 0		pause.coverage >= 99.9%
 *	detected_by == nak		retransmitted in 1..128
 *	ratio(step.time.p50, clean) < 1.5	rank[!3].wait.max < 1 ms
 *	job[*].rank[*].wrong == 0	job[b].step.time.p50 < 5 ms
 *
 * Lines are parsed when the scenario is loaded. Metric names are looked up in the table of
 * metrics, and both sides of a comparison must have the same kind (dimension), such as a time.
 * Errors are therefore reported before the run starts.
 */
#ifndef RF_EXPR_H
#define RF_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "words.h"

/* expr_dim.c: kinds (dimensions) of values in expectations */

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

/* expr.c, expr_eval.c: the expectations */

/* A row of the table of metrics; "[]" in the name stands for any index. */
struct rf_metric_info {
	const char *name;
	enum rf_unit unit;
	const char *help;
	const struct rf_name *names;	/* RF_UNIT_WORD: possible values */
};

/* Functions that provide the metrics and their values */
struct rf_metric_source {
	const struct rf_metric_info *(*row)(size_t i);	/* NULL: no more */
	/* Get the value; @case_name NULL: current case. Return: NULL, or why there is no value. */
	const char *(*value)(void *arg, const char *case_name, const char *name,
			     double *v);
	/* Get the largest error of a value, in its unit; can be NULL: values have no errors */
	double (*error)(void *arg, const char *case_name, const char *name);
	/*
	 * Get the @i-th existing index of a kind of object, such as "rank", of a job; @job NULL:
	 * of the case. Return: false if none.
	 */
	bool (*index)(void *arg, const char *job, const char *what, size_t i, char buf[16]);
	const char *(*group)(size_t i);	/* of a row */
	bool (*of_job)(size_t i);	/* the row can follow "job[NAME]."; can be NULL: none */
	/* Metrics of the scenario, behind the others; can be NULL. Return: NULL after the last */
	const struct rf_metric_info *(*own)(const void *own_arg, size_t i);
	const void *own_arg;
};

/* The metrics of a case, see tools/analysis/metric.c; @arg is a struct rf_metric_case. */
extern const struct rf_metric_source rf_metrics;

struct rf_expr {
	enum rf_op op;
	struct rf_dim dim;
	double value;			/* NUMBER, WORD: the value */
	char *name, *case_name;		/* name of the metric; RATIO: name of the other case */
	double scale;			/* METRIC: factor that converts to ns, bytes or dollars */
	struct rf_expr *left, *right;
};

enum rf_cmp {
	RF_CMP_LT, RF_CMP_LE, RF_CMP_EQ, RF_CMP_NE, RF_CMP_GE, RF_CMP_GT,
	RF_CMP_IN,
};

/*
 * An expectation: @left is compared with @right or, if @cmp is RF_CMP_IN, with the range
 * @right..@to. In a range without a lower limit, @right is NULL; without an upper limit, @to.
 */
struct rf_check {
	char *text;
	enum rf_cmp cmp;
	struct rf_expr *left, *right, *to;
};

#define RF_STARS_MAX	4		/* maximum number of kinds of objects with [*] */

/*
 * Result of an expectation. If the expectation is not met, @where and @got describe the first
 * combination of indices that does not meet it.
 */
struct rf_check_result {
	bool holds;
	bool known;			/* all metrics had values */
	const char *why;		/* reason why there is no value; NULL: there is a value */
	double got;			/* value of the left side */
	double least, most;		/* range of the left side's values over all indices */
	char where[RF_STARS_MAX * 18];	/* indices for [*] and [!...], such as "v1, 3", or "" */
};

int rf_check_parse(const char *text, const struct rf_metric_source *source,
		   struct rf_check *check, struct rf_why *why,
		   unsigned int *column);	/* column of an error, from 0 */
void rf_check_free(struct rf_check *check);
bool rf_check_names_case(const struct rf_check *check, const char **case_name,
			 size_t i);	/* the @i-th case in ratio() terms */

/* An index in an expectation, such as the index v2 of a port */
struct rf_check_index {
	char what[16], index[16];
	char job[16];			/* of the job[...] before it; "": none */
};

bool rf_check_index(const struct rf_check *check, size_t i, struct rf_check_index *index);

/* Skip the "job[NAME]." of a metric. Return: the metric; @name if it has no such part */
const char *rf_metric_of_job(const char *name, char job[16]);
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
