// SPDX-License-Identifier: GPL-2.0
/*
 * Bands: marked time ranges in a figure, which show when a fault was active. Each packet
 * that was hit has a band on the lane of the rank that sent it. Each fault with a start and
 * an end has a band on the lane of its port.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"

#define BANDS_MAX	1000	/* maximum number of bands per lane; closer bands are merged */

static uint64_t held_ns(const struct rf_event *e)
{
	uint64_t ns = 0;
	uint32_t i;

	for (i = 0; i < e->count && i < RDMAFAULT_ACTIONS_MAX; i++)
		if (e->types[i] == RDMAFAULT_ACTION_DELAY ||
		    e->types[i] == RDMAFAULT_ACTION_BLACKHOLE)
			ns += e->values[i];
	return ns;
}

/*
 * Add the lane @name if it does not exist. Return: the index of the lane; RF_LANES_MAX if
 * the figure has no room for another lane
 */
static size_t lane_index(struct rf_bands *b, const char *name, bool planned)
{
	size_t i;

	for (i = 0; i < b->lanes; i++)
		if (!strcmp(b->lane[i].name, name))
			return i;
	if (i == RF_LANES_MAX)
		return i;
	b->lane[i].planned = planned;
	snprintf(b->lane[i].name, sizeof(b->lane[i].name), "%s", name);
	return b->lanes++;
}

/* Return: the last band of a lane; NULL if it has none */
static struct rf_band *last_of(struct rf_bands *b, size_t lane)
{
	size_t i;

	for (i = b->n; i > 0; i--)
		if (b->e[i - 1].lane == lane)
			return &b->e[i - 1];
	return NULL;
}

/* Add a band to a lane. If it is too close to the last band of the lane, merge both bands. */
static void add_band(struct rf_bands *b, uint64_t from, uint64_t to, size_t lane)
{
	struct rf_band *last = last_of(b, lane);

	if (!last || from > last->to + b->span_ns / BANDS_MAX)
		b->e[b->n++] = (struct rf_band){ from, to, lane };
	else if (to > last->to)
		last->to = to;
}

static void add_loss(struct rf_bands *b, const struct rf_loss *l)
{
	uint64_t from = l->hit->t_ns - b->begin_ns, to;
	char name[24];

	snprintf(name, sizeof(name), "at %s", l->hit->dev);
	if (l->qp)
		snprintf(name, sizeof(name), "rank %u", l->qp->rank);
	to = l->again ? l->again->t_ns - b->begin_ns : from + held_ns(l->hit);
	add_band(b, from, to, lane_index(b, name, false));
}

/* Return: the start of a step, in ns since the start of the first step */
static uint64_t step_start(const struct rf_bands *b, uint64_t step)
{
	const struct rf_step *first = rf_timeline_step(&b->p->rec.tl, 0, step);

	if (first && first->start_ns > b->begin_ns)
		return first->start_ns - b->begin_ns;
	return first ? 0 : b->span_ns;
}

/* Add the band of a fault from @from to @to; @to is 0 if the fault did not end. */
static void add_stay(struct rf_bands *b, const struct rf_fault *fault,
		     uint64_t from, uint64_t to, size_t lane)
{
	to = rf_fault_over(fault, from, to);
	if (from < b->span_ns)
		add_band(b, from, to && to < b->span_ns ? to : b->span_ns,
			 lane);
}

/* Add the band of a fault with the start and end that the scenario gives. */
static void add_plan(struct rf_bands *b, const struct rf_fault *fault,
		     size_t lane)
{
	const struct rf_when *w = &fault->when;
	uint64_t from = w->begin, to = w->end;

	if (w->clock == RF_CLOCK_STEP) {
		from = step_start(b, w->begin);
		to = w->end ? step_start(b, w->end) : 0;
	}
	add_stay(b, fault, from, to, lane);
}

static uint64_t since(const struct rf_bands *b, uint64_t t_ns)
{
	return t_ns > b->begin_ns ? t_ns - b->begin_ns : 0;
}

/*
 * Add bands with the recorded start and end times of a fault. Return: false if the record
 * has no time of this fault. This happens if the run was aborted.
 */
static bool add_done(struct rf_bands *b, size_t number, size_t lane)
{
	const struct rf_fault *fault = &b->p->test_case->faults[number];
	const struct rf_record *rec = &b->p->rec;
	uint64_t from = 0, to;
	bool open = false, any = false;
	size_t i;

	for (i = 0; i < rec->ndone; i++) {
		if (rec->done[i].fault != number)
			continue;
		any = true;
		to = since(b, rec->done[i].t_ns);
		if (open)
			add_stay(b, fault, from, to, lane);
		open = !rec->done[i].undo;
		from = to;
	}
	if (open)
		add_stay(b, fault, from, 0, lane);
	return any;
}

static void add_fault(struct rf_bands *b, size_t i)
{
	const struct rf_fault *fault = &b->p->test_case->faults[i];
	char name[24];
	size_t lane;

	if (fault->when.clock == RF_CLOCK_NONE)
		return;
	snprintf(name, sizeof(name), "%.15s", fault->port);
	lane = lane_index(b, name, true);
	if (!add_done(b, i, lane))
		add_plan(b, fault, lane);
}

/**
 * rf_bands_find - find the bands of a case
 * @b: filled in; the caller frees it, also after an error
 * @p: the case
 * @begin_ns: start of the case's first step
 * @span_ns: time range of the horizontal axis
 *
 * Return: 0, or -ENOMEM.
 */
int rf_bands_find(struct rf_bands *b, const struct rf_run_case *p,
		  uint64_t begin_ns, uint64_t span_ns)
{
	size_t i;

	*b = (struct rf_bands){ .p = p, .begin_ns = begin_ns, .span_ns = span_ns };
	b->e = calloc(p->an->nlosses + p->test_case->nfaults + p->rec.ndone + 1,
		      sizeof(*b->e));
	if (!b->e)
		return -ENOMEM;
	for (i = 0; i < p->test_case->nfaults; i++)
		add_fault(b, i);
	for (i = 0; i < p->an->nlosses; i++)
		if (p->an->losses[i].hit->t_ns >= begin_ns)
			add_loss(b, &p->an->losses[i]);
	return 0;
}

/** rf_bands_free - free bands */
void rf_bands_free(struct rf_bands *b)
{
	free(b->e);
	*b = (struct rf_bands){ };
}

/**
 * rf_fault_began - get the time from which a fault had an effect
 * @p: the case
 * @fault: index of the fault
 * @ns: set to the time of the first hit of a rule, or of the first begin of another fault; a fault
 *	that is applied before the job begins with the first step
 *
 * Return: NULL, or the reason why there is no such time.
 */
const char *rf_fault_began(const struct rf_run_case *p, size_t fault, uint64_t *ns)
{
	const struct rf_record *rec = &p->rec;
	const struct rf_rule_tally *rule;
	uint64_t to;
	size_t i;

	if (!rf_fault_came(p, fault))
		return "the fault did not begin";
	if (p->test_case->faults[fault].kind == RF_FAULT_RULE) {
		for (i = 0; i < rec->ev.n; i++) {
			rule = rf_record_rule_of(rec, &rec->ev.e[i]);
			*ns = rec->ev.e[i].t_ns;
			if (rec->ev.e[i].kind == RF_EVENT_HIT && rule && rule->fault == fault)
				return NULL;
		}
		return "the fault hit no packet";
	}
	for (i = 0; i < rec->ndone; i++)
		if (rec->done[i].fault == fault && !rec->done[i].undo) {
			*ns = rec->done[i].t_ns;
			return NULL;
		}
	return rf_timeline_span(&rec->tl, 1, rec->tl.iters, ns, &to) ? NULL :
	       "the job reported no step";
}
