// SPDX-License-Identifier: GPL-2.0
/*
 * Figure of pauses over time. Each paused priority of a port has a row. The shade of a cell
 * is the fraction of the cell's time during which the priority was paused.
 */
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "summary.h"
#include "units.h"

#define STRIPS_MAX	24
#define SPANS_MAX	2000	/* of a row of the figure */

struct strip {
	char dev[16];
	uint32_t prio;
	uint32_t times;
	uint32_t detected;		/* storms detected by the watchdog */
	uint64_t ns, longest;
};

struct pauses {
	const struct rf_run_case *p;
	struct strip strip[STRIPS_MAX];
	size_t n, left_out;
	uint64_t begin, end;
};

static struct strip *find_strip(struct pauses *ps, const struct rf_event *e)
{
	size_t i;

	for (i = 0; i < ps->n; i++)
		if (ps->strip[i].prio == e->prio &&
		    !strcmp(ps->strip[i].dev, e->dev))
			return &ps->strip[i];
	if (ps->n == STRIPS_MAX) {
		ps->left_out++;
		return NULL;
	}
	ps->strip[i].prio = e->prio;
	snprintf(ps->strip[i].dev, sizeof(e->dev), "%s", e->dev);
	ps->n++;
	return &ps->strip[i];
}

/*
 * Check whether the case ended during the pause that begins with @e. The end of such a
 * pause was not recorded. The pause is drawn from @e until it would expire, or until the
 * last event.
 */
static bool is_open_pause(const struct rf_events *ev, const struct rf_event *e)
{
	const struct rf_event *next;

	for (next = e + 1; next < ev->e + ev->n; next++)
		if (next->kind == RF_EVENT_PAUSE && next->prio == e->prio &&
		    !strcmp(next->dev, e->dev))
			return false;
	return true;
}

static bool pause_span(const struct pauses *ps, const struct rf_event *e,
		       uint64_t *from, uint64_t *to)
{
	if (e->kind != RF_EVENT_PAUSE)
		return false;
	*from = e->paused ? e->t_ns : e->until - e->ns;
	*to = e->until;
	if (e->paused && !is_open_pause(&ps->p->rec.ev, e))
		return false;
	if (*to > ps->end)
		*to = ps->end;
	if (*from < ps->begin)
		*from = ps->begin;
	return *to > *from;
}

static void add_pause_event(struct pauses *ps, const struct rf_event *e)
{
	uint64_t from, to;
	struct strip *s;

	if (e->kind != RF_EVENT_PAUSE && e->kind != RF_EVENT_WATCHDOG)
		return;
	s = find_strip(ps, e);
	if (!s)
		return;
	if (e->kind == RF_EVENT_WATCHDOG)
		s->detected += e->event == 0;
	if (!pause_span(ps, e, &from, &to))
		return;
	s->times++;
	s->ns += to - from;
	s->longest = to - from > s->longest ? to - from : s->longest;
}

/* Set the range of the axis: from the first step or event to the last. */
static void set_pause_axis(struct pauses *ps)
{
	const struct rf_events *ev = &ps->p->rec.ev;
	const struct rf_step *s;
	uint32_t rank;

	ps->begin = ev->e[0].t_ns;
	ps->end = ev->e[ev->n - 1].t_ns;
	for (rank = 0; rank < ps->p->rec.tl.ranks; rank++) {
		s = rf_timeline_step(&ps->p->rec.tl, rank, 1);
		if (s && s->start_ns < ps->begin)
			ps->begin = s->start_ns;
		s = rf_timeline_step(&ps->p->rec.tl, rank, ps->p->rec.tl.iters);
		if (s && s->sync_ns > ps->end)
			ps->end = s->sync_ns;
	}
}

/* Returns false if nothing was paused. */
static bool set_up_pauses(struct pauses *ps, const struct rf_run_case *p)
{
	const struct rf_events *ev = &p->rec.ev;
	size_t i;

	*ps = (struct pauses){ .p = p };
	if (!ev->n)
		return false;
	set_pause_axis(ps);
	for (i = 0; i < ev->n; i++)
		add_pause_event(ps, &ev->e[i]);
	return ps->n && ps->end > ps->begin;
}

/* Add the pauses of a priority. Pauses that are closer than a thousandth of the axis are merged. */
static void put_spans(struct json_object *list, const struct pauses *ps, const struct strip *s)
{
	const struct rf_events *ev = &ps->p->rec.ev;
	uint64_t from, to, last_from = 0, last_to = 0, gap = (ps->end - ps->begin) / 1000;
	struct json_object *one;
	size_t i, n = 0;

	for (i = 0; i <= ev->n; i++) {
		if (i < ev->n && (ev->e[i].prio != s->prio || strcmp(ev->e[i].dev, s->dev) ||
				  !pause_span(ps, &ev->e[i], &from, &to)))
			continue;
		if (i < ev->n && last_to && from <= last_to + gap) {
			last_to = to > last_to ? to : last_to;
			continue;
		}
		if (last_to && n++ < SPANS_MAX) {
			one = json_object_new_array();
			rf_number_add(one, (last_from - ps->begin) / 1000.0);
			rf_number_add(one, (last_to - ps->begin) / 1000.0);
			json_object_array_add(list, one);
		}
		if (i < ev->n) {
			last_from = from;
			last_to = to;
		}
	}
}

/**
 * rf_figure_pauses - get the data of the figures of pauses
 * @p: the case
 *
 * Return: the object; NULL if nothing was paused.
 */
struct json_object *rf_figure_pauses(const struct rf_run_case *p)
{
	struct json_object *o, *rows, *row;
	const struct strip *s;
	uint64_t first, to;
	struct pauses ps;

	if (!set_up_pauses(&ps, p))
		return NULL;
	if (!rf_timeline_span(&p->rec.tl, 1, p->rec.tl.iters, &first, &to))
		first = ps.begin;
	o = json_object_new_object();
	rf_number_put(o, "span_us", (ps.end - ps.begin) / 1000.0);
	rf_put_u64(o, "begin_ns", ps.begin);
	rf_number_put(o, "first_step_us", (first - ps.begin) / 1000.0);
	json_object_object_add(o, "more", json_object_new_boolean(ps.left_out));
	rows = rf_put_list(o, "rows");
	for (s = ps.strip; s < ps.strip + ps.n; s++) {
		row = rf_list_object(rows);
		rf_put_text(row, "port", s->dev);
		rf_put_u64(row, "prio", s->prio);
		rf_put_u64(row, "pauses", s->times);
		rf_number_put(row, "paused_us", s->ns / 1000.0);
		rf_number_put(row, "longest_us", s->longest / 1000.0);
		rf_put_u64(row, "storms_detected", s->detected);
		put_spans(rf_put_list(row, "spans"), &ps, s);
	}
	return o;
}
