// SPDX-License-Identifier: GPL-2.0
/*
 * Write a run in Chrome's trace format, for ui.perfetto.dev and chrome://tracing. Each case
 * is a process with these tracks:
 *
 *   one per rank: steps; in each step the collective, the work after it, and the
 *	barrier wait; and an instant event per hit
 *   one per port: packets that were hit, NAKs, retransmitted packets; arrows from a hit
 *	to the packet that revealed the loss, to the NAK, and to the retransmission
 *   one per priority that was paused: pauses, and actions of the watchdog
 *   one per fault: when it was active, or the steps that its rule selects
 *   counters of retransmitted packets and of ECN marks
 *
 * If a case has very many steps, they are not divided into collective, work and barrier
 * wait, because viewers load the whole file into memory. The format requires slices of a
 * track to nest. Each case starts at time 0, so that cases can be compared.
 */
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "json.h"
#include "words.h"

typedef struct json_object *obj;

#define SLICE_NS	1000u		/* duration of a packet's slice: enough to be visible */
#define TID_RANKS	1
#define TID_PORTS	1000
#define TID_PRIOS	2000
#define TID_FAULTS	3000
#define NO_PRIO		UINT32_MAX
#define PHASES_MAX	20000u		/* maximum steps * ranks for which phases are written */

/* A track of a port, or of one of its priorities. */
struct lane {
	char dev[16];
	uint32_t prio;			/* the priority; NO_PRIO: the track shows packets */
	const struct rf_event *paused;	/* event that began the current pause; NULL: not paused */
	uint64_t until;
	uint64_t marked;
};

struct writer {
	FILE *f;
	const struct rf_run *run;
	const struct rf_run_case *p;
	uint32_t pid;
	uint64_t t0;
	uint64_t events, arrows, retransmitted;
	struct lane *lane;
	size_t lanes;
	int err;
};

/* Write microseconds with three decimals. */
static void put_us(obj o, const char *key, uint64_t ns)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64 ".%03u", ns / 1000,
		 (unsigned int)(ns % 1000));
	json_object_object_add(o, key, json_object_new_double_s(ns / 1e3, text));
}

static obj event(const struct writer *w, const char *ph, const char *name,
		 uint32_t tid)
{
	obj o = json_object_new_object();

	rf_put_text(o, "ph", ph);
	rf_put_text(o, "name", name);
	rf_put_u64(o, "pid", w->pid);
	rf_put_u64(o, "tid", tid);
	return o;
}

static obj at_time(obj o, const struct writer *w, uint64_t t_ns)
{
	put_us(o, "ts", t_ns - w->t0);
	return o;
}

static obj slice(const struct writer *w, const char *name, uint32_t tid,
		 uint64_t from_ns, uint64_t to_ns)
{
	obj o = at_time(event(w, "X", name, tid), w, from_ns);

	put_us(o, "dur", to_ns - from_ns);
	return o;
}

static void emit_event(struct writer *w, obj o)
{
	fprintf(w->f, "%s%s", w->events++ ? ",\n" : "", rf_json_line(o));
	json_object_put(o);
}

static obj args_of(obj o)
{
	obj args = json_object_new_object();

	json_object_object_add(o, "args", args);
	return args;
}

/* Write the name and the position of a process or track. */
static void name_it(struct writer *w, const char *what, uint32_t tid,
		    const char *name, uint32_t place)
{
	char event_name[32];
	obj o;

	snprintf(event_name, sizeof(event_name), "%s_name", what);
	o = event(w, "M", event_name, tid);
	rf_put_text(args_of(o), "name", name);
	emit_event(w, o);
	snprintf(event_name, sizeof(event_name), "%s_sort_index", what);
	o = event(w, "M", event_name, tid);
	rf_put_u64(args_of(o), "sort_index", place);
	emit_event(w, o);
}

/* Return: the rank of a port; -1 if the port belongs to no rank */
static int64_t rank_at(const struct writer *w, const char *dev)
{
	const struct rf_timeline *tl = &w->p->rec.tl;
	size_t i;

	for (i = 0; i < tl->nqps; i++)
		if (!strcmp(tl->qps[i].netdev, dev))
			return tl->qps[i].rank;
	return -1;
}

static const char *device_of(const struct writer *w, uint32_t rank)
{
	const struct rf_timeline *tl = &w->p->rec.tl;
	size_t i;

	for (i = 0; i < tl->nqps; i++)
		if (tl->qps[i].rank == rank)
			return tl->qps[i].device;
	return "no device";
}

static void name_rank(struct writer *w, uint32_t rank)
{
	char name[96];

	snprintf(name, sizeof(name), "rank %u (%s)", rank, device_of(w, rank));
	name_it(w, "thread", TID_RANKS + rank, name, 3 * rank);
}

/*
 * Name the track of a port, and set its place: after the rank of the port. Ports of
 * switches are placed after all ranks.
 */
static void name_lane(struct writer *w, const struct lane *l, uint32_t tid)
{
	int64_t rank = rank_at(w, l->dev);
	uint32_t place = rank < 0 ? 3 * RF_RANKS_MAX + tid : 3 * rank + 1;
	char name[64];

	if (l->prio == NO_PRIO)
		snprintf(name, sizeof(name), "%s packets", l->dev);
	else
		snprintf(name, sizeof(name), "%s priority %u", l->dev, l->prio);
	name_it(w, "thread", tid, name, place + (l->prio != NO_PRIO));
}

static uint32_t lane_tid(const struct writer *w, const struct lane *l)
{
	return (l->prio == NO_PRIO ? TID_PORTS : TID_PRIOS) + (l - w->lane);
}

static struct lane *add_lane(struct writer *w, const char *dev, uint32_t prio)
{
	struct lane *all, *l;

	all = reallocarray(w->lane, w->lanes + 1, sizeof(*all));
	if (!all) {
		w->err = -ENOMEM;
		return NULL;
	}
	w->lane = all;
	l = &all[w->lanes++];
	*l = (struct lane){ .prio = prio };
	snprintf(l->dev, sizeof(l->dev), "%s", dev);
	name_lane(w, l, lane_tid(w, l));
	return l;
}

/* Return: the track of an event; it is created and named if it does not exist yet */
static struct lane *lane_of(struct writer *w, const struct rf_event *e)
{
	uint32_t prio = rf_event_is_prio(e) ? e->prio : NO_PRIO;
	struct lane *l;

	for (l = w->lane; l < w->lane + w->lanes; l++)
		if (l->prio == prio && !strcmp(l->dev, e->dev))
			return l;
	return add_lane(w, e->dev, prio);
}

static void put_phases(struct writer *w, const struct rf_step *s, uint32_t tid)
{
	uint64_t waits = s->sync_ns - s->end_ns;

	waits = s->wait_sync_ns < waits ? s->wait_sync_ns : waits;
	emit_event(w, slice(w, w->p->test_case->workload.collective, tid, s->start_ns,
			    s->end_ns));
	if (s->sync_ns - waits > s->end_ns)
		emit_event(w, slice(w, "verify, compute", tid, s->end_ns,
				    s->sync_ns - waits));
	if (waits)
		emit_event(w, slice(w, "wait for others", tid, s->sync_ns - waits,
				    s->sync_ns));
}

static void put_wait_slices(obj args, const struct rf_step *s)
{
	put_us(args, "wait_for_data_us", s->wait_recv_ns);
	put_us(args, "wait_for_acknowledges_us", s->wait_send_ns);
	put_us(args, "wait_for_others_us", s->wait_sync_ns);
	rf_put_u64(args, "wrong", s->wrong);
}

/*
 * Get the times of step @step of a rank. The slices of a track must not overlap. A rank can
 * start the next step before all ranks have ended @step. In this case, the slice of @step
 * ends when the slice of the next step starts.
 */
static bool get_step(const struct rf_timeline *tl, uint32_t rank,
		     uint32_t step, struct rf_step *s)
{
	const struct rf_step *next = rf_timeline_step(tl, rank, step + 1);
	const struct rf_step *own = rf_timeline_step(tl, rank, step);

	if (!own)
		return false;
	*s = *own;
	if (next && next->start_ns < s->sync_ns && next->start_ns >= s->start_ns)
		s->sync_ns = next->start_ns;
	if (s->end_ns > s->sync_ns)
		s->end_ns = s->sync_ns;
	return true;
}

static void put_step(struct writer *w, uint32_t rank, uint32_t step)
{
	const struct rf_timeline *tl = &w->p->rec.tl;
	bool phases = !tl->of_command &&
		      (uint64_t)tl->iters * tl->ranks <= PHASES_MAX;
	uint32_t tid = TID_RANKS + rank;
	struct rf_step s;
	char name[32];
	obj o;

	if (!get_step(tl, rank, step, &s))
		return;
	snprintf(name, sizeof(name), "step %u", step);
	o = slice(w, name, tid, s.start_ns, s.sync_ns);
	if (phases)
		put_wait_slices(args_of(o), &s);
	emit_event(w, o);
	if (phases)
		put_phases(w, &s, tid);
}

/* Return: the start of a step on rank 0; 0 if rank 0 did not start this step */
static uint64_t rank0_step_start(const struct rf_timeline *tl, uint64_t step)
{
	const struct rf_step *s = step <= tl->iters ?
				  rf_timeline_step(tl, 0, step) : NULL;

	return s ? s->start_ns : 0;
}

static uint64_t last_ns(const struct rf_timeline *tl)
{
	uint32_t step, rank;
	uint64_t last = 0;

	for (step = tl->iters; step && !last; step--)
		for (rank = 0; rank < tl->ranks; rank++) {
			const struct rf_step *s = rf_timeline_step(tl, rank, step);

			if (s && s->sync_ns > last)
				last = s->sync_ns;
		}
	return last;
}

/* Get the start and end of a fault as planned in the scenario, in steps or as times. */
static bool get_plan(const struct rf_timeline *tl, const struct rf_fault *fault,
		     uint64_t *from, uint64_t *to)
{
	const struct rf_when *when = &fault->when;
	const struct rf_match *m = &fault->spec.match;
	uint64_t first = rank0_step_start(tl, 1);

	*from = first + when->begin;
	*to = when->end ? first + when->end : 0;
	if (when->clock == RF_CLOCK_STEP) {
		*from = rank0_step_start(tl, when->begin);
		*to = when->end ? rank0_step_start(tl, when->end) : 0;
	} else if (when->clock == RF_CLOCK_NONE) {
		if (fault->kind != RF_FAULT_RULE || !(m->set & RF_MATCH_BIT(STEP_MIN)))
			return false;
		*from = rank0_step_start(tl, m->step_min);
		*to = m->set & RF_MATCH_BIT(STEP_MAX) ?
		      rank0_step_start(tl, (uint64_t)m->step_max + 1) : 0;
	}
	return first && *from;
}

static void put_stay(struct writer *w, const struct rf_fault *fault,
		     uint32_t tid, uint64_t from, uint64_t to, bool planned)
{
	uint64_t last = last_ns(&w->p->rec.tl);
	obj o;

	to = rf_fault_over(fault, from, to);
	if (!to || to > last)
		to = last;
	if (from < w->t0)
		from = w->t0;
	if (from >= to)
		return;
	o = slice(w, fault->words, tid, from, to);
	rf_put_text(args_of(o), "as", planned ? "planned" : "done");
	emit_event(w, o);
}

/* Write when a fault was active according to the record. Return: false if no time was recorded */
static bool put_done(struct writer *w, uint32_t number, uint32_t tid)
{
	const struct rf_fault *fault = &w->p->test_case->faults[number];
	const struct rf_record *rec = &w->p->rec;
	const struct rf_done *done, *begin = NULL;
	bool any = false;

	for (done = rec->done; done < rec->done + rec->ndone; done++) {
		if (done->fault != number)
			continue;
		any = true;
		if (begin)
			put_stay(w, fault, tid, begin->t_ns, done->t_ns, false);
		begin = done->undo ? NULL : done;
	}
	if (begin)
		put_stay(w, fault, tid, begin->t_ns, 0, false);
	return any;
}

static void put_fault_span(struct writer *w, uint32_t number)
{
	const struct rf_fault *fault = &w->p->test_case->faults[number];
	uint32_t tid = TID_FAULTS + number;
	uint64_t from, to;
	char name[64];

	snprintf(name, sizeof(name), "fault at %.15s", fault->port);
	name_it(w, "thread", tid, name, 4 * RF_RANKS_MAX + tid);
	if (!put_done(w, number, tid) &&
	    get_plan(&w->p->rec.tl, fault, &from, &to))
		put_stay(w, fault, tid, from, to, true);
}

static void put_packet_args(obj args, const struct rf_event *e)
{
	rf_put_text(args, "opcode", rf_event_opcode(e));
	rf_put_u64(args, "qp", e->qp);
	rf_put_u64(args, "psn", e->psn);
	rf_put_u64(args, "psn_rel", e->psn_rel);
	rf_put_u64(args, "attempt", e->attempt);
	rf_put_u64(args, "step", e->step);
	rf_put_u64(args, "bytes", e->len);
	rf_put_u64(args, "rule", e->rule);
	rf_put_text(args, "direction", rf_dir_name(e->dir));
}

/* Shorten a slice so that it does not overlap the next one on its track. */
static uint64_t packet_end(const struct rf_events *ev, const struct rf_event *e)
{
	const struct rf_event *next;

	for (next = e + 1; next < ev->e + ev->n; next++) {
		if (next->t_ns >= e->t_ns + SLICE_NS)
			break;
		if (!rf_event_is_prio(next) && !rf_event_is_flow(next) &&
		    !strcmp(next->dev, e->dev))
			return next->t_ns;
	}
	return e->t_ns + SLICE_NS;
}

static void put_counter(struct writer *w, const char *name, const char *key,
			uint64_t t_ns, uint64_t v)
{
	obj o = at_time(event(w, "C", name, 0), w, t_ns);

	rf_put_u64(args_of(o), key, v);
	emit_event(w, o);
}

static void put_instant(struct writer *w, const char *name, uint32_t tid,
			const struct rf_event *e)
{
	obj o = at_time(event(w, "i", name, tid), w, e->t_ns);

	rf_put_text(o, "s", "t");
	if (!rf_event_is_prio(e))
		put_packet_args(args_of(o), e);
	emit_event(w, o);
}

static void put_packet_event(struct writer *w, const struct rf_event *e)
{
	struct lane *l = lane_of(w, e);
	char name[128];
	obj o;

	if (!l)
		return;
	rf_export_words(e, name, sizeof(name));
	o = slice(w, name, lane_tid(w, l), e->t_ns,
		  packet_end(&w->p->rec.ev, e));
	put_packet_args(args_of(o), e);
	emit_event(w, o);
	if (rf_event_is_retransmission(e))
		put_counter(w, "retransmitted", "packets", e->t_ns, ++w->retransmitted);
	if (rf_export_breach(w->p->an, e, name, sizeof(name)))
		put_instant(w, name, lane_tid(w, l), e);
}

static void open_lane(struct writer *w, struct lane *l, uint64_t t_ns)
{
	char name[32];

	if (!l->paused)
		return;
	snprintf(name, sizeof(name), "paused by %s",
		 l->paused->source ? "storm" : "frame");
	emit_event(w, slice(w, name, lane_tid(w, l), l->paused->t_ns, t_ns));
	l->paused = NULL;
}

static void put_pause_counter(struct writer *w, struct lane *l,
			      const struct rf_event *e)
{
	if (!e->paused) {
		open_lane(w, l, e->t_ns);
		return;
	}
	if (!l->paused)
		l->paused = e;
	l->until = e->until > e->t_ns ? e->until : e->t_ns;
}

static void put_mark_counter(struct writer *w, struct lane *l, const struct rf_event *e)
{
	char name[64];

	snprintf(name, sizeof(name), "%s priority %u marked", l->dev, l->prio);
	put_counter(w, name, "packets", e->t_ns, ++l->marked);
}

static void put_prio_event(struct writer *w, const struct rf_event *e)
{
	struct lane *l = lane_of(w, e);

	if (!l)
		return;
	if (e->kind == RF_EVENT_PAUSE)
		put_pause_counter(w, l, e);
	else if (e->kind == RF_EVENT_MARK)
		put_mark_counter(w, l, e);
	else
		put_instant(w, e->event ? "watchdog: restored" :
					  "watchdog: detected", lane_tid(w, l), e);
}

/* The rate of a flow; a CNP shows as its effect on the rate. */
static void put_flow_event(struct writer *w, const struct rf_event *e)
{
	char name[64];

	snprintf(name, sizeof(name), "%s QP %u rate", e->dev, e->qp);
	if (e->kind == RF_EVENT_RATE)
		put_counter(w, name, "bit/s", e->at, e->rate);
}

static void put_arrow(struct writer *w, const char *ph, const struct rf_event *e)
{
	struct lane *l = lane_of(w, e);
	obj o;

	if (!l)
		return;
	o = at_time(event(w, ph, "retransmission", lane_tid(w, l)), w, e->t_ns);
	rf_put_text(o, "cat", "loss");
	rf_put_u64(o, "id", w->arrows);
	if (ph[0] == 'f')
		rf_put_text(o, "bp", "e");
	emit_event(w, o);
}

/* Draw arrows from a hit to the packet that revealed it, the NAK and the retransmission. */
static void put_loss_arrows(struct writer *w, const struct rf_loss *loss)
{
	const struct rf_event *const by[] = {
		loss->revealed, loss->nak_sent, loss->nak, loss->rnr,
	};
	const struct rf_event *last = loss->hit;
	size_t i;

	w->arrows++;
	put_arrow(w, "s", loss->hit);
	for (i = 0; i < sizeof(by) / sizeof(by[0]); i++) {
		if (!by[i] || by[i]->t_ns < last->t_ns ||
		    by[i]->t_ns > loss->again->t_ns)
			continue;
		put_arrow(w, "t", by[i]);
		last = by[i];
	}
	put_arrow(w, "f", loss->again);
}

static void put_loss_events(struct writer *w, const struct rf_loss *loss)
{
	char name[64];

	rf_export_words(loss->hit, name, sizeof(name));
	if (loss->qp)
		put_instant(w, name, TID_RANKS + loss->qp->rank, loss->hit);
	if (loss->again)
		put_loss_arrows(w, loss);
}

/* Return: the time of the first step or event, whichever is earlier */
static uint64_t first_ns(const struct rf_record *rec)
{
	uint64_t first = rec->ev.n ? rec->ev.e[0].t_ns : UINT64_MAX;
	const struct rf_step *s;
	uint32_t rank;

	for (rank = 0; rec->tl.iters && rank < rec->tl.ranks; rank++) {
		s = rf_timeline_step(&rec->tl, rank, 1);
		if (s && s->start_ns < first)
			first = s->start_ns;
	}
	return first;
}

static void put_case_events(struct writer *w)
{
	const struct rf_events *ev = &w->p->rec.ev;
	const struct rf_analysis *an = w->p->an;
	size_t i;

	for (i = 0; i < ev->n; i++) {
		if (rf_event_is_prio(&ev->e[i]))
			put_prio_event(w, &ev->e[i]);
		else if (rf_event_is_flow(&ev->e[i]))
			put_flow_event(w, &ev->e[i]);
		else
			put_packet_event(w, &ev->e[i]);
	}
	for (i = 0; i < w->lanes; i++)
		open_lane(w, &w->lane[i], w->lane[i].until);
	for (i = 0; i < an->nhits; i++)
		put_loss_events(w, &an->losses[i]);
}

static void put_case_trace(struct writer *w)
{
	const struct rf_timeline *tl = &w->p->rec.tl;
	uint32_t rank, step, i;

	w->t0 = first_ns(&w->p->rec);
	w->retransmitted = 0;
	name_it(w, "process", 0, w->p->label, w->pid);
	for (rank = 0; rank < tl->ranks; rank++)
		name_rank(w, rank);
	for (step = 1; step <= tl->iters; step++)
		for (rank = 0; rank < tl->ranks; rank++)
			put_step(w, rank, step);
	for (i = 0; i < w->p->test_case->nfaults; i++)
		put_fault_span(w, i);
	put_case_events(w);
	free(w->lane);
	w->lane = NULL;
	w->lanes = 0;
}

/* Write the metadata of the run and begin the list of events. */
static void put_metadata(const struct writer *w)
{
	obj o = json_object_new_object();

	rf_put_text(o, "scenario", w->run->scenario->name);
	rf_put_text(o, "title", w->run->scenario->title);
	rf_put_text(o, "kernel", w->run->kernel);
	rf_put_text(o, "verdict", rf_verdict_name(w->run->verdict));
	rf_put_text(o, "clock", "each case has its own clock; time 0 is its first step or event");
	fprintf(w->f, "{\"displayTimeUnit\":\"ms\",\"otherData\":%s,\n\"traceEvents\":[\n",
		rf_json_line(o));
	json_object_put(o);
}

static int put_trace(FILE *f, const struct rf_run *run)
{
	struct writer w = { .f = f, .run = run };
	size_t i;

	put_metadata(&w);
	for (i = 0; i < run->ncases; i++) {
		w.p = &run->cases[i];
		w.pid = i + 1;
		put_case_trace(&w);
	}
	fputs("\n]}\n", f);
	return w.err;
}

/**
 * rf_export_trace - write trace.json
 * @path: the file
 * @run: the run, analysed and judged
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_export_trace(const char *path, const struct rf_run *run)
{
	return rf_render_file(path, run, put_trace);
}
