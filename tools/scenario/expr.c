// SPDX-License-Identifier: GPL-2.0
/*
 * Parse expectations, by recursive descent with one function per precedence level.
 *
 *	check:	sum { < | <= | == | != | >= | > } sum
 *	check:	sum in [ sum ] .. [ sum ]
 *	check:	equal ( METRIC )
 *	sum:	product [ { + | - } product ]...
 *	product: value [ { * | / } value ]...
 *	value:	NUMBER [ UNIT ] | WORD | METRIC | ( sum )
 *	value:	ratio ( METRIC , CASE ) | { min | max } ( sum , sum )
 *
 * In this grammar, { a | b } means one of a and b, and [ a ] means that a is optional.
 * "..." allows repetition.
 *
 * The kinds (dimensions) of both operands are compared as soon as an operator has been
 * parsed, so that the error message has the column of the error.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doc.h"
#include "err.h"
#include "expr.h"
#include "text.h"

#define NAME_MAX_LEN	64
#define NAMES_MAX	256
#define DEPTH_MAX	32

struct parser {
	const char *text, *at;
	const struct rf_metric_source *source;
	struct rf_why *why;
	unsigned int wrong_at;
	unsigned int depth;
};

static void *refuse_at(struct parser *p, const char *at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Only the first error is kept. */
static void *refuse_at(struct parser *p, const char *at, const char *fmt, ...)
{
	va_list ap;

	if (p->why->text)
		return NULL;
	va_start(ap, fmt);
	rf_why_vrefuse(p->why, fmt, ap);
	va_end(ap);
	p->wrong_at = at - p->text;
	return NULL;
}

static void skip_blanks(struct parser *p)
{
	p->at += strspn(p->at, " \t");
}

static bool take_symbol(struct parser *p, const char *mark)
{
	skip_blanks(p);
	if (strncmp(p->at, mark, strlen(mark)))
		return false;
	p->at += strlen(mark);
	return true;
}

static const char *shown_rest(struct parser *p)
{
	skip_blanks(p);
	return p->at[0] ? p->at : "the end of the line";
}

static void free_expr(struct rf_expr *e)
{
	if (!e)
		return;
	free_expr(e->left);
	free_expr(e->right);
	free(e->name);
	free(e->case_name);
	free(e);
}

static struct rf_expr *new_expr(struct parser *p, enum rf_op op)
{
	struct rf_expr *e = calloc(1, sizeof(*e));

	if (!e)
		return refuse_at(p, p->at, "no memory");
	e->op = op;
	e->scale = 1;
	return e;
}

/* ---- numbers ---- */

/* Check whether @s starts with the operator "in", as in "2 in 1..3", and not with a unit. */
static bool is_in(const char *s)
{
	return s[0] == 'i' && s[1] == 'n' && !isalpha((unsigned char)s[2]);
}

static struct rf_expr *take_number(struct parser *p)
{
	const char *from = p->at, *unit;
	struct rf_expr *e;
	char *end;
	double v;

	v = strtod(from, &end);
	if (end == from || !isfinite(v) || *from == '-' || *from == '+')
		return refuse_at(p, from, "\"%s\": not a number", from);
	/* strtod() accepts "1." as a number, but in "1..5" only the 1 is part of the number. */
	for (unit = from; unit < end; unit++)
		if (unit[0] == '.' && !isdigit((unsigned char)unit[1])) {
			v = strtod(from, NULL);
			end = (char *)unit;
		}
	p->at = end;
	skip_blanks(p);
	unit = p->at;
	e = new_expr(p, RF_OP_NUMBER);
	if (!e)
		return NULL;
	e->value = v;
	if (*unit == '%' || (isalpha((unsigned char)*unit) && !is_in(unit))) {
		p->at = rf_dim_take_unit(unit, &e->dim, &e->value);
		if (!p->at) {
			free(e);
			p->at = unit;
			return refuse_at(p, unit, "\"%.*s\": unknown unit; %s",
					 (int)strcspn(unit, " )*/+-<>=!,"), unit,
					 rf_dim_units);
		}
	}
	return e;
}

/* ---- metrics ---- */

/* Return the length of the metric name at @s, such as port[p2].prio[3].queue.peak. */
static size_t metric_len(const char *s)
{
	size_t n = 0;

	for (;;) {
		if (isalnum((unsigned char)s[n]) || s[n] == '_')
			n++;
		else if (s[n] == '.' && isalpha((unsigned char)s[n + 1]))
			n++;
		else if (s[n] == '[' && strchr(s + n, ']'))
			n += strcspn(s + n, "]") + 1;
		else
			return n;
	}
}

/* Copy a metric name without its indices: "rank[3].wrong" becomes "rank[].wrong". */
static void strip_indices(const char *s, size_t len, char name[NAME_MAX_LEN])
{
	size_t i, used = 0;
	bool within = false;

	for (i = 0; i < len && used < NAME_MAX_LEN - 1; i++) {
		if (s[i] == ']')
			within = false;
		if (!within)
			name[used++] = s[i];
		if (s[i] == '[')
			within = true;
	}
	name[used] = '\0';
}

/* Return: the @i-th metric, those of the scenario after the others; NULL after the last */
static const struct rf_metric_info *nth_row(const struct parser *p, size_t i)
{
	const struct rf_metric_info *row;
	size_t n;

	for (n = 0; (row = p->source->row(n)); n++)
		if (n == i)
			return row;
	return p->source->own ? p->source->own(p->source->own_arg, i - n) : NULL;
}

static const struct rf_metric_info *find_row(struct parser *p, const char *name)
{
	const struct rf_metric_info *row;
	const char *metric;
	char job[16];
	size_t i;

	metric = rf_metric_of_job(name, job);
	for (i = 0; (row = nth_row(p, i)); i++)
		if (!strcmp(row->name, metric))
			break;
	if (!row || metric == name || (p->source->of_job && p->source->of_job(i)))
		return row;
	return refuse_at(p, p->at, "\"%s\": not a metric of one job, but of the whole case; remove \"job[...].\"",
			 metric);
}

/*
 * List the metrics without an index that end with ".NAME". Return: the list, which the caller
 * frees; NULL if there is none
 */
static char *metrics_ending_with(const struct parser *p, const char *name)
{
	const struct rf_metric_info *row;
	char *list = NULL;
	const char *end;
	size_t i;

	for (i = 0; (row = p->source->row(i)); i++) {
		end = row->name + strlen(row->name) - strlen(name);
		if (*name && end > row->name && end[-1] == '.' && !strcmp(end, name) &&
		    !strchr(row->name, '['))
			list = rf_text_list(list, row->name);
	}
	return list;
}

static void *refuse_metric(struct parser *p, const char *name)
{
	const char *names[NAMES_MAX + 1], *near;
	const struct rf_metric_info *row;
	char *list = metrics_ending_with(p, name);
	size_t n;

	if (list) {
		refuse_at(p, p->at, "unknown metric \"%s\"; there are %s", name, list);
		free(list);
		return NULL;
	}
	for (n = 0; n < NAMES_MAX && (row = nth_row(p, n)); n++)
		names[n] = row->name;
	names[n] = NULL;
	near = rf_suggest(name, names);
	if (near)
		return refuse_at(p, p->at, "unknown metric \"%s\"; did you mean \"%s\"?",
				 name, near);
	return refuse_at(p, p->at, "\"%s\": expected a number or a metric (rdmafault validate --metrics lists them)",
			 name[0] ? name : shown_rest(p));
}

/* An index is a number, a name, "*" or, for all others, "!" with a number or a name. */
static bool indices_are_legal(const char *s, size_t len)
{
	const char *end = s + len;
	size_t n;

	while ((s = memchr(s, '[', end - s))) {
		s += 1 + (s[1] == '!');
		n = strcspn(s, "]");
		if (!n || n >= 16 ||
		    (strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789") != n &&
		     !(n == 1 && *s == '*' && s[-1] != '!')))
			return false;
	}
	return true;
}

static struct rf_expr *take_metric(struct parser *p)
{
	size_t len = metric_len(p->at);
	const struct rf_metric_info *row;
	char name[NAME_MAX_LEN], job[16];
	struct rf_expr *e;

	strip_indices(p->at, len, name);
	row = find_row(p, name);
	if (!row)
		return refuse_metric(p, rf_metric_of_job(name, job));
	if (!indices_are_legal(p->at, len))
		return refuse_at(p, p->at, "\"%.*s\": index not valid; a number, a port, *, or ! with a number or a port",
				 (int)len, p->at);
	e = new_expr(p, RF_OP_METRIC);
	if (!e)
		return NULL;
	e->name = strndup(p->at, len);
	rf_dim_of_unit(row->unit, row->names, &e->dim, &e->scale);
	p->at += len;
	return e;
}

/* ---- values ---- */

static struct rf_expr *take_sum(struct parser *p);

/* ratio(METRIC, CASE): the value in the current case divided by the value in CASE */
static struct rf_expr *take_ratio(struct parser *p)
{
	struct rf_expr *e;
	size_t len;

	skip_blanks(p);
	e = take_metric(p);
	if (!e)
		return NULL;
	e->op = RF_OP_RATIO;
	if (e->dim.names)
		refuse_at(p, p->at, "ratio: the values of %s are words, not numbers",
			  e->name);
	e->dim = (struct rf_dim){ };
	if (!take_symbol(p, ","))
		refuse_at(p, p->at, "ratio: expected a comma and the name of a case, got \"%s\"",
			  shown_rest(p));
	skip_blanks(p);
	len = strcspn(p->at, " \t)");
	e->case_name = strndup(p->at, len);
	if (!len)
		refuse_at(p, p->at, "ratio: expected the name of a case, got \"%s\"", shown_rest(p));
	p->at += len;
	return e;
}

static struct rf_expr *take_extreme(struct parser *p, enum rf_op op)
{
	struct rf_expr *e = new_expr(p, op);

	if (!e)
		return NULL;
	e->left = take_sum(p);
	if (e->left && !take_symbol(p, ","))
		refuse_at(p, p->at, "expected a comma, got \"%s\"", shown_rest(p));
	else if (e->left)
		e->right = take_sum(p);
	if (e->right && !rf_dim_same(&e->left->dim, &e->right->dim))
		refuse_at(p, p->at, "cannot combine %s and %s",
			  rf_dim_name(&e->left->dim), rf_dim_name(&e->right->dim));
	if (e->left)
		e->dim = e->left->dim;
	return e;
}

static struct rf_expr *take_in_brackets(struct parser *p, size_t word)
{
	struct rf_expr *e;
	const char *name = p->at;

	p->at += word;
	take_symbol(p, "(");
	if (word == 5 && !strncmp(name, "ratio", 5))
		e = take_ratio(p);
	else if (word == 3 && !strncmp(name, "min", 3))
		e = take_extreme(p, RF_OP_MIN);
	else if (word == 3 && !strncmp(name, "max", 3))
		e = take_extreme(p, RF_OP_MAX);
	else if (!word)
		e = take_sum(p);
	else
		return refuse_at(p, name, "unknown function \"%.*s\"; ratio, min or max",
				 (int)word, name);
	if (e && !take_symbol(p, ")"))
		refuse_at(p, p->at, "expected a closing bracket, got \"%s\"", shown_rest(p));
	return e;
}

static struct rf_expr *take_operand(struct parser *p)
{
	size_t word;

	skip_blanks(p);
	if (isdigit((unsigned char)p->at[0]))
		return take_number(p);
	word = metric_len(p->at);
	if (p->at[word + strspn(p->at + word, " \t")] == '(')
		return take_in_brackets(p, word);
	return take_metric(p);
}

/* ---- operators ---- */

static struct rf_expr *join_operands(struct parser *p, enum rf_op op, const char *at,
				     struct rf_expr *left, struct rf_expr *right)
{
	struct rf_expr *e = right ? new_expr(p, op) : NULL;

	if (!e) {
		free_expr(left);
		free_expr(right);
		return NULL;
	}
	e->left = left;
	e->right = right;
	if (!rf_dim_join(op, &left->dim, &right->dim, &e->dim))
		refuse_at(p, at, "cannot combine %s and %s",
			  rf_dim_name(&left->dim), rf_dim_name(&right->dim));
	return e;
}

static struct rf_expr *take_product(struct parser *p)
{
	struct rf_expr *e = take_operand(p);
	const char *at;

	while (e && !p->why->text) {
		skip_blanks(p);
		at = p->at;
		if (take_symbol(p, "*"))
			e = join_operands(p, RF_OP_MUL, at, e, take_operand(p));
		else if (take_symbol(p, "/"))
			e = join_operands(p, RF_OP_DIV, at, e, take_operand(p));
		else
			break;
	}
	return e;
}

static struct rf_expr *take_sum(struct parser *p)
{
	struct rf_expr *e;
	const char *at;

	if (++p->depth > DEPTH_MAX)
		return refuse_at(p, p->at, "brackets are nested more than %d deep",
				 DEPTH_MAX);
	e = take_product(p);
	while (e && !p->why->text) {
		skip_blanks(p);
		at = p->at;
		if (take_symbol(p, "+"))
			e = join_operands(p, RF_OP_ADD, at, e, take_product(p));
		else if (take_symbol(p, "-"))
			e = join_operands(p, RF_OP_SUB, at, e, take_product(p));
		else
			break;
	}
	p->depth--;
	return e;
}

/* ---- lines ---- */

static bool take_cmp(struct parser *p, enum rf_cmp *cmp)
{
	static const struct {
		const char *mark;
		enum rf_cmp cmp;
	} marks[] = {		/* "<=" before "<", because the first match is used */
		{ "<=", RF_CMP_LE }, { ">=", RF_CMP_GE }, { "==", RF_CMP_EQ },
		{ "!=", RF_CMP_NE }, { "<", RF_CMP_LT }, { ">", RF_CMP_GT },
		{ "in ", RF_CMP_IN },
	};
	size_t i;

	for (i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		if (!take_symbol(p, marks[i].mark))
			continue;
		*cmp = marks[i].cmp;
		return true;
	}
	refuse_at(p, p->at, "expected <, <=, ==, !=, >=, > or in, got \"%s\"", shown_rest(p));
	return false;
}

static void check_kind(struct parser *p, const char *at,
		       const struct rf_expr *left, const struct rf_expr *right)
{
	if (left && right && !rf_dim_same(&left->dim, &right->dim))
		refuse_at(p, at, "the left side is %s; the right side is %s",
			  rf_dim_name(&left->dim), rf_dim_name(&right->dim));
}

/* Parse the word on the right side. The word must be a possible value of the left side. */
static struct rf_expr *take_right_word(struct parser *p, const struct rf_expr *left)
{
	const struct rf_name *n;
	struct rf_expr *e = NULL;
	char *list = NULL;
	size_t len;

	skip_blanks(p);
	len = strcspn(p->at, " \t");
	for (n = left->dim.names; n->name && !e; n++) {
		list = rf_text_list(list, n->name);
		if (strlen(n->name) != len || strncmp(n->name, p->at, len))
			continue;
		e = new_expr(p, RF_OP_WORD);
		if (!e)
			break;
		e->value = n->value;
		e->dim = left->dim;
	}
	if (e)
		p->at += len;
	else
		refuse_at(p, p->at, "\"%s\": the metric never has this value; one of %s",
			  shown_rest(p), list);
	free(list);
	return e;
}

static void take_range(struct parser *p, struct rf_check *c)
{
	const char *from = p->at, *at = from;

	if (!take_symbol(p, "..")) {
		c->right = take_sum(p);
		check_kind(p, at, c->left, c->right);
		if (!take_symbol(p, ".."))
			refuse_at(p, p->at, "expected \"..\", as in the range 1..128, got \"%s\"",
				  shown_rest(p));
	}
	skip_blanks(p);
	at = p->at;
	if (*at)
		c->to = take_sum(p);
	check_kind(p, at, c->left, c->to);
	if (!c->right && !c->to)
		refuse_at(p, at, "range without bounds; for example 1..128, 2.. or ..5");
	if (!p->why->text && rf_check_is_empty(c))
		refuse_at(p, from, "\"%s\": empty range; the first bound must be the lower one",
			  from);
}

static void take_right(struct parser *p, struct rf_check *c)
{
	const char *at;

	skip_blanks(p);
	at = p->at;
	if (c->left->dim.names) {
		if (c->cmp != RF_CMP_EQ && c->cmp != RF_CMP_NE)
			refuse_at(p, at, "words can only be compared with == or !=");
		else
			c->right = take_right_word(p, c->left);
	} else if (c->cmp == RF_CMP_IN) {
		take_range(p, c);
	} else {
		c->right = take_sum(p);
		check_kind(p, at, c->left, c->right);
	}
}

/* Check whether the line is equal(...), which means "METRIC == equal". */
static bool is_equal(struct parser *p)
{
	const char *from = p->at;

	if (take_symbol(p, "equal") && take_symbol(p, "("))
		return true;
	p->at = from;
	return false;
}

static void take_equal(struct parser *p, struct rf_check *c)
{
	const struct rf_name *n;
	const char *at;

	skip_blanks(p);
	at = p->at;
	c->left = take_metric(p);
	for (n = c->left ? c->left->dim.names : NULL; n && n->name && strcmp(n->name, "equal"); n++)
		;
	if (c->left && !(n && n->name))
		refuse_at(p, at, "equal: %s is not a file of a process", c->left->name);
	if (c->left && !take_symbol(p, ")"))
		refuse_at(p, p->at, "expected a closing bracket, got \"%s\"", shown_rest(p));
	c->cmp = RF_CMP_EQ;
	c->right = p->why->text ? NULL : new_expr(p, RF_OP_WORD);
	if (!c->right)
		return;
	c->right->value = n->value;
	c->right->dim = c->left->dim;
}

/**
 * rf_check_parse - parse an expectation
 * @text: the expectation, one line
 * @source: the known metrics
 * @check: the parsed expectation; the caller frees it, also after an error
 * @why: the reason of an error
 * @column: column of the error, counted from 0
 *
 * Return: 0, -EINVAL or -ENOMEM.
 */
int rf_check_parse(const char *text, const struct rf_metric_source *source,
		   struct rf_check *check, struct rf_why *why,
		   unsigned int *column)
{
	struct parser p = {
		.text = text, .at = text, .source = source, .why = why,
	};

	why->text = NULL;
	*check = (struct rf_check){ .text = strdup(text) };
	if (!check->text)
		return -ENOMEM;
	if (is_equal(&p)) {
		take_equal(&p, check);
	} else {
		check->left = take_sum(&p);
		if (check->left && !why->text && take_cmp(&p, &check->cmp))
			take_right(&p, check);
	}
	skip_blanks(&p);
	if (*p.at && !why->text)
		refuse_at(&p, p.at, "\"%s\": unexpected text after the expression", p.at);
	*column = p.wrong_at;
	return why->text ? -EINVAL : 0;
}

/**
 * rf_check_free - free the memory of an expectation
 * @check: the expectation
 */
void rf_check_free(struct rf_check *check)
{
	free_expr(check->left);
	free_expr(check->right);
	free_expr(check->to);
	free(check->text);
	*check = (struct rf_check){ };
}

static bool is_about(const struct rf_expr *e, const char *metric)
{
	char name[NAME_MAX_LEN];

	if (!e)
		return false;
	if (e->name) {
		strip_indices(e->name, strlen(e->name), name);
		if (!strcmp(name, metric))
			return true;
	}
	return is_about(e->left, metric) || is_about(e->right, metric);
}

/**
 * rf_check_is_about - check whether an expectation uses a metric
 * @check: the expectation
 * @metric: the metric, with "[]" for any index
 *
 * Return: true if it uses the metric.
 */
bool rf_check_is_about(const struct rf_check *check, const char *metric)
{
	return is_about(check->left, metric) ||
	       is_about(check->right, metric) || is_about(check->to, metric);
}

static void find_ratio_case(const struct rf_expr *e, const char **case_name, size_t *i)
{
	if (!e || *case_name)
		return;
	if (e->op == RF_OP_RATIO && !(*i)--)
		*case_name = e->case_name;
	find_ratio_case(e->left, case_name, i);
	find_ratio_case(e->right, case_name, i);
}

/**
 * rf_check_names_case - iterate over the cases in the ratio() terms of an expectation
 * @check: the expectation
 * @case_name: set to the name of the case
 * @i: index, from 0
 *
 * Return: false when there are no more.
 */
bool rf_check_names_case(const struct rf_check *check, const char **case_name,
			 size_t i)
{
	*case_name = NULL;
	find_ratio_case(check->left, case_name, &i);
	find_ratio_case(check->right, case_name, &i);
	find_ratio_case(check->to, case_name, &i);
	return *case_name;
}

/**
 * rf_metric_of_job - skip the job in the name of a metric
 * @name: the name, for example job[b].rank[2].wrong
 * @job: set to the index of the job; "": none
 *
 * Return: the metric of the job, for example rank[2].wrong; @name if it has no job.
 */
const char *rf_metric_of_job(const char *name, char job[16])
{
	static const char prefix[] = "job[";
	const char *end;
	size_t len;

	job[0] = '\0';
	if (strncmp(name, prefix, strlen(prefix)))
		return name;
	len = strcspn(name + strlen(prefix), "]");
	end = name + strlen(prefix) + len;
	if (strncmp(end, "].", strlen("].")))
		return name;
	snprintf(job, 16, "%.*s", (int)len, name + strlen(prefix));
	return end + strlen("].");
}

/*
 * Find the @i-th index that is not "*". If @i is 0, "port[v2].prio[3].sent" and
 * "port[!v2].prio[3].sent" give "port" and "v2".
 */
static void find_index(const struct rf_expr *e, size_t *i, struct rf_check_index *index)
{
	const char *at, *from;

	if (!e || index->index[0])
		return;
	for (at = e->name; at && (at = strchr(at, '[')); at++) {
		if (at[1] == '*' || (*i)--)
			continue;
		for (from = at; from > e->name && from[-1] != '.'; from--)
			;
		snprintf(index->what, sizeof(index->what), "%.*s", (int)(at - from), from);
		at += 1 + (at[1] == '!');
		snprintf(index->index, sizeof(index->index), "%.*s", (int)strcspn(at, "]"), at);
		rf_metric_of_job(e->name, index->job);
		return;
	}
	find_index(e->left, i, index);
	find_index(e->right, i, index);
}

/**
 * rf_check_index - iterate over the indices in an expectation, except "*"
 * @check: the expectation
 * @i: number of the index, from 0
 * @index: gets the index
 *
 * Return: false when there are no more.
 */
bool rf_check_index(const struct rf_check *check, size_t i, struct rf_check_index *index)
{
	*index = (struct rf_check_index){ };
	find_index(check->left, &i, index);
	find_index(check->right, &i, index);
	find_index(check->to, &i, index);
	return index->index[0];
}
