// SPDX-License-Identifier: GPL-2.0
/*
 * Evaluate expectations. An expectation with [*] must be met for every existing index, one
 * with [!3] for every index except 3. If it has [*] for several kinds of objects, such as
 * ports and priorities, it must be met for every combination. All [*] and [!...] of the same
 * kind in a line have the same index. The result has the first combination that does not meet
 * the expectation.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expr.h"
#include "units.h"

/* A kind of object with [*] or [!...], such as "port", and its current index */
struct star {
	char what[16];
	char index[16];
	const char *name;		/* the metric that it was found in */
};

struct eval {
	const struct rf_metric_source *source;
	void *arg;
	struct star star[RF_STARS_MAX];
	size_t nstars;
	const char *unknown;		/* the reason why a metric has no value */
	double shift;			/* share of its error that is added to each value */
	bool inexact;			/* a value has an error */
};

/* Return: the first "[*]" or "[!...]" in @name; NULL if there is none */
static const char *find_star(const char *name)
{
	while ((name = strchr(name, '[')) && name[1] != '*' && name[1] != '!')
		name++;
	return name;
}

/*
 * Find or add the entry for the "[*]" or "[!...]" at @at. The word before it is the kind of
 * object. Return: NULL if there are too many kinds.
 */
static struct star *star_of(struct eval *ev, const char *name, const char *at)
{
	const char *from = at;
	char what[16];
	size_t i;

	while (from > name && from[-1] != '.')
		from--;
	snprintf(what, sizeof(what), "%.*s", (int)(at - from), from);
	for (i = 0; i < ev->nstars; i++)
		if (!strcmp(ev->star[i].what, what))
			return &ev->star[i];
	if (i == RF_STARS_MAX)
		return NULL;
	memcpy(ev->star[i].what, what, sizeof(what));
	ev->star[i].name = name;
	return &ev->star[ev->nstars++];
}

static void find_stars(struct eval *ev, const struct rf_expr *e)
{
	const char *name, *at;

	if (!e)
		return;
	for (name = e->name; name && (at = find_star(name)); name = strchr(at, ']'))
		star_of(ev, e->name, at);
	find_stars(ev, e->left);
	find_stars(ev, e->right);
}

/* Check whether @e has [!...] with this index of this kind of object. */
static bool excludes(const struct rf_expr *e, const char *what, const char *index)
{
	char index_of[40];
	const char *at;

	if (!e)
		return false;
	snprintf(index_of, sizeof(index_of), "%s[!%s]", what, index);
	at = e->name ? strstr(e->name, index_of) : NULL;
	if (at && (at == e->name || at[-1] == '.'))
		return true;
	return excludes(e->left, what, index) || excludes(e->right, what, index);
}

/* Replace each "[*]" and "[!...]" in @name by the current index. */
static void put_indices(struct eval *ev, const char *name, char *buf,
			size_t len)
{
	const struct star *star;
	size_t used = 0;
	const char *at;

	while (used < len && (at = find_star(name))) {
		star = star_of(ev, name, at);
		used += snprintf(buf + used, len - used, "%.*s[%s]",
				 (int)(at - name), name,
				 star ? star->index : "*");
		name = strchr(at, ']') + 1;
	}
	if (used < len)
		snprintf(buf + used, len - used, "%s", name);
}

/* Return: what to add to the value of a metric */
static double shift_of(struct eval *ev, const char *case_name, const char *name)
{
	double error = ev->source->error(ev->arg, case_name, name);

	ev->inexact |= error > 0;
	return ev->shift * error;
}

static double metric(struct eval *ev, const struct rf_expr *e,
		     const char *case_name)
{
	char name[128];
	const char *why;
	double v = NAN;

	put_indices(ev, e->name, name, sizeof(name));
	why = ev->source->value(ev->arg, case_name, name, &v);
	if (!why && ev->source->error)
		v += shift_of(ev, case_name, name);
	if (!why)
		return v * e->scale;
	if (!ev->unknown)
		ev->unknown = why;
	return NAN;
}

/* fmin() and fmax() would ignore a NaN, which means that a metric has no value. */
static double extreme(enum rf_op op, double a, double b)
{
	if (isnan(a) || isnan(b))
		return NAN;
	return op == RF_OP_MIN ? fmin(a, b) : fmax(a, b);
}

static double eval(struct eval *ev, const struct rf_expr *e)
{
	double a, b;

	switch (e->op) {
	case RF_OP_NUMBER:
	case RF_OP_WORD:
		return e->value;
	case RF_OP_METRIC:
		return metric(ev, e, NULL);
	case RF_OP_RATIO:
		return metric(ev, e, NULL) / metric(ev, e, e->case_name);
	default:
		break;
	}
	a = eval(ev, e->left);
	b = eval(ev, e->right);
	switch (e->op) {
	case RF_OP_ADD:
		return a + b;
	case RF_OP_SUB:
		return a - b;
	case RF_OP_MUL:
		return a * b;
	case RF_OP_DIV:
		return a / b;
	default:
		return extreme(e->op, a, b);
	}
}

/* Allow a relative rounding error of 1e-9, because 99.9 % has no exact binary form. */
static bool same(double a, double b)
{
	if (isinf(a) || isinf(b))
		return a == b;		/* otherwise the tolerance below is infinite */
	return a == b || fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

static bool compare_values(enum rf_cmp cmp, double a, double b)
{
	switch (cmp) {
	case RF_CMP_LT:
		return a < b && !same(a, b);
	case RF_CMP_LE:
		return a < b || same(a, b);
	case RF_CMP_EQ:
		return same(a, b);
	case RF_CMP_NE:
		return !same(a, b);
	case RF_CMP_GE:
		return a > b || same(a, b);
	default:
		return a > b && !same(a, b);
	}
}

/*
 * Evaluate an expectation for the current indices. The values on the left are moved by @shift of
 * their errors, those on the right in the other direction. Return: true if the expectation is met;
 * false also if a value is NaN (0 / 0)
 */
static bool eval_shifted(struct eval *ev, const struct rf_check *c, double shift, double *got,
			 bool *is_number)
{
	double right = 0, to = 0;

	ev->unknown = NULL;
	ev->shift = shift;
	*got = eval(ev, c->left);
	ev->shift = -shift;
	if (c->right)
		right = eval(ev, c->right);
	if (c->to)
		to = eval(ev, c->to);
	*is_number = !isnan(*got) && !isnan(right) && !isnan(to);
	if (!*is_number)
		return false;
	if (c->cmp != RF_CMP_IN)
		return compare_values(c->cmp, *got, right);
	return (!c->right || compare_values(RF_CMP_GE, *got, right)) &&
	       (!c->to || compare_values(RF_CMP_LE, *got, to));
}

/* Check whether the errors of the values can change the result of an expectation. */
static bool errors_decide(struct eval *ev, const struct rf_check *c, bool holds)
{
	bool is_number;
	double got;

	return ev->inexact && (eval_shifted(ev, c, 1, &got, &is_number) != holds ||
			       eval_shifted(ev, c, -1, &got, &is_number) != holds);
}

static void eval_one(struct eval *ev, const struct rf_check *c,
		     struct rf_check_result *r)
{
	bool is_number;

	ev->inexact = false;
	r->holds = eval_shifted(ev, c, 0, &r->got, &is_number);
	r->least = fmin(r->least, r->got);
	r->most = fmax(r->most, r->got);
	r->known = !ev->unknown;
	r->why = ev->unknown ? ev->unknown : is_number ? NULL : "the result is not a number";
	if (r->why || !errors_decide(ev, c, r->holds))
		return;
	r->why = "the clocks of the machines are not known exactly enough";
	r->known = false;
	r->holds = false;
}

static bool is_constant(const struct rf_expr *e)
{
	return !e || (e->op != RF_OP_METRIC && e->op != RF_OP_RATIO &&
		      is_constant(e->left) && is_constant(e->right));
}

/**
 * rf_check_is_empty - check whether the range of an expectation contains no value
 * @check: the expectation
 *
 * Return: true if the range is empty; false also if the range depends on metrics.
 */
bool rf_check_is_empty(const struct rf_check *check)
{
	struct eval ev = { };

	return check->cmp == RF_CMP_IN && check->right && check->to &&
	       is_constant(check->right) && is_constant(check->to) &&
	       !compare_values(RF_CMP_LE, eval(&ev, check->right),
			       eval(&ev, check->to));
}

/* Return: the job whose ranks or steps are the indices of @star; NULL: those of the case */
static const char *job_of(const struct eval *ev, const struct star *star, char job[16])
{
	size_t i;

	rf_metric_of_job(star->name, job);
	if (!job[0] || !strcmp(star->what, "job"))
		return NULL;
	for (i = 0; (job[0] == '*' || job[0] == '!') && i < ev->nstars; i++)
		if (!strcmp(ev->star[i].what, "job"))
			return ev->star[i].index;
	return job;
}

static void tell_where(const struct eval *ev, struct rf_check_result *r)
{
	size_t i, used = 0;

	for (i = 0; i < ev->nstars; i++)
		used += snprintf(r->where + used, sizeof(r->where) - used,
				 "%s%s", i ? ", " : "", ev->star[i].index);
}

/*
 * Evaluate the expectation for all combinations of indices of star[@i] and the following
 * stars. Stop at the first combination that does not meet the expectation.
 */
static bool eval_each(struct eval *ev, size_t i, const struct rf_check *c,
		      struct rf_check_result *r)
{
	struct star *star = ev->star + i;
	const char *job;
	char buf[16];
	size_t n;

	if (i < ev->nstars) {
		job = job_of(ev, star, buf);
		for (n = 0; ev->source->index(ev->arg, job, star->what, n, star->index); n++)
			if (!excludes(c->left, star->what, star->index) &&
			    !excludes(c->right, star->what, star->index) &&
			    !excludes(c->to, star->what, star->index) &&
			    !eval_each(ev, i + 1, c, r))
				return false;
		return true;
	}
	eval_one(ev, c, r);
	if (!r->holds)
		tell_where(ev, r);
	return r->holds;
}

/**
 * rf_check_eval - evaluate an expectation
 * @check: the expectation
 * @source: functions that provide the metrics
 * @arg: argument of the functions of @source
 * @result: set to the result
 */
void rf_check_eval(const struct rf_check *check,
		   const struct rf_metric_source *source, void *arg,
		   struct rf_check_result *result)
{
	struct eval ev = { .source = source, .arg = arg };

	*result = (struct rf_check_result){
		.got = NAN, .least = NAN, .most = NAN, .why = "no index fits",
	};
	find_stars(&ev, check->left);
	find_stars(&ev, check->right);
	find_stars(&ev, check->to);
	eval_each(&ev, 0, check, result);
}

static const char *value_word(const struct rf_name *n, double v)
{
	for (; n->name; n++)
		if (n->value == v)
			return n->name;
	return "unknown";
}

/* Check whether @v fits into 64 bits. Infinity, the result of a division by 0, does not. */
static bool fits_uint64(double v)
{
	return v >= 0 && v < 0x1p64;
}

/**
 * rf_check_format - format a value of the left side of an expectation for output
 * @check: the expectation
 * @v: the value
 * @buf: buffer for the text
 * @len: size of @buf
 *
 * Return: @buf.
 */
char *rf_check_format(const struct rf_check *check, double v, char *buf,
		      size_t len)
{
	const struct rf_dim *d = &check->left->dim;
	char text[RF_FMT_LEN];

	if (isnan(v))
		snprintf(buf, len, "nothing");
	else if (d->names)
		snprintf(buf, len, "%s", value_word(d->names, v));
	else if (d->share)
		snprintf(buf, len, "%.5g%%", v * 100);
	else if (d->time == 1 && !d->bytes && !d->dollars && fits_uint64(v))
		snprintf(buf, len, "%s", rf_fmt_time(v, text));
	else if (d->bytes == 1 && !d->time && !d->dollars && fits_uint64(v))
		snprintf(buf, len, "%s", rf_fmt_size(v, text));
	else if (d->bytes == 1 && d->time == -1)
		snprintf(buf, len, "%.4g mbit", v * 8e9 / 1e6);
	else if (d->dollars == 1)
		snprintf(buf, len, "%.2f USD", v);
	else
		snprintf(buf, len, v == floor(v) ? "%.10g" : "%.4g", v);
	return buf;
}

/**
 * rf_check_measured - format the measured value of an expectation for output
 * @check: the expectation
 * @result: its evaluation
 * @buf: set to "no value (REASON)" if a metric has no value. If the expectation is not met,
 *       set to the first value that does not meet it, such as "15 ms for rank 3". Otherwise
 *       set to the value, such as "12 ms", or to the range for [*], such as "12 ms to 15 ms"
 * @len: size of @buf
 *
 * Return: @buf.
 */
char *rf_check_measured(const struct rf_check *check,
			const struct rf_check_result *result, char *buf,
			size_t len)
{
	char least[64], most[64];

	if (result->why) {
		snprintf(buf, len, "no value (%s)%s%s", result->why,
			 result->where[0] ? " for " : "", result->where);
		return buf;
	}
	if (!result->holds) {
		snprintf(buf, len, "%s%s%s",
			 rf_check_format(check, result->got, most, sizeof(most)),
			 result->where[0] ? " for " : "", result->where);
		return buf;
	}
	rf_check_format(check, result->least, least, sizeof(least));
	rf_check_format(check, result->most, most, sizeof(most));
	snprintf(buf, len, "%s%s%s", least, strcmp(least, most) ? " to " : "",
		 strcmp(least, most) ? most : "");
	return buf;
}
