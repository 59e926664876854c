// SPDX-License-Identifier: GPL-2.0
/*
 * Read a timeline: one JSON object per line. The first line describes the job. Lines of
 * unknown types are skipped, so the programs can add types. Lines that are
 * not JSON or lack a required member are refused.
 */
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "json.h"
#include "out.h"
#include "ranks.h"
#include "record.h"
#include "text.h"

struct reader {
	struct rf_timeline *tl;
	size_t waits[RF_RANKS_MAX];		/* number of waits of each rank */
	char why[128];				/* what is wrong with the line, if it is known */
};

static int take_job(struct reader *r, struct json_object *o)
{
	struct rf_timeline *tl = r->tl;

	if (tl->steps || !rf_get_u32(o, "ranks", RF_RANKS_MAX, &tl->ranks) ||
	    !rf_get_u32(o, "iters", 10000000, &tl->iters) ||
	    !rf_get_u64(o, "bytes", INT64_MAX, &tl->bytes) || !tl->ranks)
		return -EINVAL;
	tl->steps = calloc((size_t)tl->iters * tl->ranks + 1,
			   sizeof(*tl->steps));
	return tl->steps ? 0 : -ENOMEM;
}

static int take_qp(struct reader *r, struct json_object *o)
{
	struct rf_timeline *tl = r->tl;
	struct rf_qp *all = reallocarray(tl->qps, tl->nqps + 1, sizeof(*all));
	struct rf_qp *qp;

	if (!all)
		return -ENOMEM;
	tl->qps = all;
	qp = &all[tl->nqps];
	if (!rf_get_u32(o, "rank", tl->ranks - 1, &qp->rank) ||
	    !rf_get_u32(o, "peer", tl->ranks - 1, &qp->peer) ||
	    !rf_get_u32(o, "qpn", 0xffffff, &qp->qpn) ||
	    !rf_get_u32(o, "peer_qpn", 0xffffff, &qp->peer_qpn) ||
	    !rf_get_text(o, "device", qp->device, sizeof(qp->device)) ||
	    !rf_get_text(o, "netdev", qp->netdev, sizeof(qp->netdev)) ||
	    !rf_get_text(o, "addr", qp->addr, sizeof(qp->addr)) ||
	    !rf_get_text(o, "peer_addr", qp->peer_addr, sizeof(qp->peer_addr)))
		return -EINVAL;
	tl->nqps++;
	return 0;
}

static __attribute__((format(printf, 2, 3))) int refuse(struct reader *r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(r->why, sizeof(r->why), fmt, ap);
	va_end(ap);
	return -EINVAL;
}

/* As in the names of metrics: wait.recv, wait.send, wait.sync */
const char *const rf_wait_kind_names[RF_WAITS] = {
	[RF_WAIT_RECV] = "recv", [RF_WAIT_SEND] = "send", [RF_WAIT_SYNC] = "sync",
};

static int take_wait(struct reader *r, struct json_object *o, uint32_t rank,
		     const struct rf_step *s, struct rf_wait_span *w)
{
	char kind[8];

	if (!rf_get_text(o, "for", kind, sizeof(kind)) ||
	    !rf_get_u32(o, "peer", UINT32_MAX, &w->peer) ||
	    !rf_get_u64(o, "start_ns", INT64_MAX, &w->start_ns) ||
	    !rf_get_u64(o, "end_ns", INT64_MAX, &w->end_ns))
		return refuse(r, "a wait lacks for, peer, start_ns or end_ns");
	w->kind = strcmp(kind, "recv") ? RF_WAIT_SEND : RF_WAIT_RECV;
	if (strcmp(kind, rf_wait_kind_names[w->kind]))
		return refuse(r, "a wait is for \"%s\"; \"recv\" or \"send\"", kind);
	if (w->peer >= r->tl->ranks || w->peer == rank)
		return refuse(r, "rank %u waits for rank %u; another rank below %u", rank, w->peer,
			      r->tl->ranks);
	if (w->end_ns < w->start_ns)
		return refuse(r, "a wait starts at %" PRIu64 " ns and ends before, at %" PRIu64 " ns",
			      w->start_ns, w->end_ns);
	if (w->start_ns < s->start_ns || w->end_ns > s->end_ns)
		return refuse(r, "a wait from %" PRIu64 " ns to %" PRIu64 " ns is not inside its step",
			      w->start_ns, w->end_ns);
	return 0;
}

/* A record of an older version has no waits. */
static int take_waits(struct reader *r, struct json_object *o, uint32_t rank, struct rf_step *s)
{
	struct json_object *list = rf_get_list(o, "waits");
	size_t n = list ? json_object_array_length(list) : 0, i;
	struct rf_timeline *tl = r->tl;
	struct rf_wait_span *all;
	int err = 0;

	if (n > RF_STEP_WAITS_MAX)
		return refuse(r, "%zu waits in a step; at most %u", n, RF_STEP_WAITS_MAX);
	r->waits[rank] += n;
	if (r->waits[rank] > RF_RANK_WAITS_MAX)
		return refuse(r, "%zu waits of rank %u; at most %u", r->waits[rank], rank,
			      RF_RANK_WAITS_MAX);
	rf_get_u32(o, "waits_omitted", UINT32_MAX, &s->waits_omitted);
	if (!n)
		return 0;
	all = reallocarray(tl->waits, tl->nwaits + n, sizeof(*all));
	if (!all)
		return -ENOMEM;
	tl->waits = all;
	s->wait = tl->nwaits;
	s->nwaits = n;
	for (i = 0; !err && i < n; i++)
		err = take_wait(r, json_object_array_get_idx(list, i), rank, s,
				&all[tl->nwaits + i]);
	tl->nwaits += n;
	return err;
}

/* Take what the ranks of a command do not measure. */
static bool take_measured(struct json_object *o, struct rf_step *s)
{
	return rf_get_u64(o, "wait_recv_ns", INT64_MAX, &s->wait_recv_ns) &&
	       rf_get_u64(o, "wait_send_ns", INT64_MAX, &s->wait_send_ns) &&
	       rf_get_u64(o, "wait_sync_ns", INT64_MAX, &s->wait_sync_ns) &&
	       rf_get_u64(o, "wrong", INT64_MAX, &s->wrong);
}

static int take_step(struct reader *r, struct json_object *o)
{
	struct rf_timeline *tl = r->tl;
	struct rf_step s = { .seen = true };
	uint32_t rank, step;
	int err;

	if (!rf_get_u32(o, "rank", tl->ranks - 1, &rank) ||
	    !rf_get_u32(o, "step", tl->iters, &step) || !step ||
	    !rf_get_u64(o, "start_ns", INT64_MAX, &s.start_ns) ||
	    !rf_get_u64(o, "end_ns", INT64_MAX, &s.end_ns) ||
	    !rf_get_u64(o, "sync_ns", INT64_MAX, &s.sync_ns) ||
	    !(r->tl->of_command || take_measured(o, &s)) || s.end_ns < s.start_ns ||
	    s.sync_ns < s.end_ns ||
	    s.wait_sync_ns > s.sync_ns - s.end_ns)
		return -EINVAL;
	rf_get_flag(o, "broken", &s.broken);
	err = take_waits(r, o, rank, &s);
	if (err)
		return err;
	tl->steps[(size_t)(step - 1) * tl->ranks + rank] = s;
	return 0;
}

static int take_end(struct reader *r, struct json_object *o)
{
	struct rf_timeline *tl = r->tl;
	struct rf_rank_end end = { .seen = true };
	struct json_object *m;
	uint32_t rank;

	if (!rf_get_u32(o, "rank", tl->ranks - 1, &rank) ||
	    !(tl->of_command || rf_get_u64(o, "wrong", INT64_MAX, &end.wrong)) ||
	    !json_object_object_get_ex(o, "status", &m))
		return -EINVAL;
	end.status = json_object_get_int64(m);
	end.error = rf_get_copy(o, "error");
	if (end.error)
		rf_text_line(end.error);
	free(tl->end[rank].error);
	tl->end[rank] = end;
	return 0;
}

static int take_failover(struct reader *r, struct json_object *o)
{
	struct rf_failover *failover = &r->tl->failover;

	if (!rf_get_u32(o, "rail", UINT32_MAX, &failover->rail) || !failover->rail ||
	    !rf_get_u32(o, "rank", r->tl->ranks - 1, &failover->rank) ||
	    !rf_get_u32(o, "step", r->tl->iters, &failover->step))
		return -EINVAL;
	rf_get_u64(o, "end_ns", INT64_MAX, &failover->end_ns);
	rf_get_u64(o, "time_ns", INT64_MAX, &failover->time_ns);
	rf_get_u64(o, "repeated_bytes", INT64_MAX, &failover->repeated_bytes);
	return 0;
}

static int take_timeline_line(void *arg, struct json_object *o)
{
	static const struct {
		const char *type;
		int (*take)(struct reader *r, struct json_object *o);
	} lines[] = {
		{ "job", take_job }, { "qp", take_qp },
		{ "step", take_step }, { "end", take_end },
		{ "failover", take_failover },
	};
	struct reader *r = arg;
	char type[16];
	size_t i;

	if (!rf_get_text(o, "type", type, sizeof(type)))
		return -EINVAL;
	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		if (strcmp(type, lines[i].type))
			continue;
		return i && !r->tl->steps ? -EINVAL : lines[i].take(r, o);
	}
	return 0;
}

/**
 * rf_timeline_read - read the timeline of a job
 * @path: the file
 * @of_command: the job is a command, which measures no waits and no wrong results
 * @tl: filled in; the caller frees it, also after an error
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_timeline_read(const char *path, bool of_command, struct rf_timeline *tl)
{
	struct reader r = { .tl = tl };
	const struct rf_lines lines = {
		.take = take_timeline_line,
		.valid = "a timeline in the format of collperf and train",
		.why = r.why,
	};
	int err;

	*tl = (struct rf_timeline){ .of_command = of_command };
	err = rf_lines_read(path, &lines, &r);
	if (err || tl->steps)
		return err;
	rf_err("%s: empty file; the job recorded no timeline", path);
	return -EINVAL;
}

static void emit_timeline_job(FILE *f, const struct rf_timeline *tl)
{
	struct json_object *o = rf_json_typed("job");

	rf_put_u64(o, "ranks", tl->ranks);
	rf_put_u64(o, "iters", tl->iters);
	rf_put_u64(o, "bytes", tl->bytes);
	rf_json_emit(f, o);
}

static void emit_timeline_qp(FILE *f, const struct rf_qp *qp)
{
	struct json_object *o = rf_json_typed("qp");

	rf_put_u64(o, "rank", qp->rank);
	rf_put_u64(o, "peer", qp->peer);
	rf_put_text(o, "device", qp->device);
	rf_put_text(o, "netdev", qp->netdev);
	rf_put_u64(o, "qpn", qp->qpn);
	rf_put_u64(o, "peer_qpn", qp->peer_qpn);
	rf_put_text(o, "addr", qp->addr);
	rf_put_text(o, "peer_addr", qp->peer_addr);
	rf_json_emit(f, o);
}

static void put_waits(struct json_object *o, const struct rf_timeline *tl, const struct rf_step *s)
{
	struct json_object *list = rf_put_list(o, "waits"), *one;
	const struct rf_wait_span *w = tl->waits + s->wait;
	uint32_t i;

	for (i = 0; i < s->nwaits; i++) {
		one = rf_list_object(list);
		rf_put_text(one, "for", rf_wait_kind_names[w[i].kind]);
		rf_put_u64(one, "peer", w[i].peer);
		rf_put_u64(one, "start_ns", w[i].start_ns);
		rf_put_u64(one, "end_ns", w[i].end_ns);
	}
	rf_put_nonzero(o, "waits_omitted", s->waits_omitted);
}

static void emit_timeline_step(FILE *f, const struct rf_timeline *tl, uint32_t rank, uint32_t step)
{
	const struct rf_step *s = rf_timeline_step(tl, rank, step);
	struct json_object *o;

	if (!s)
		return;
	o = rf_json_typed("step");
	rf_put_u64(o, "rank", rank);
	rf_put_u64(o, "step", step);
	rf_put_u64(o, "start_ns", s->start_ns);
	rf_put_u64(o, "end_ns", s->end_ns);
	rf_put_u64(o, "sync_ns", s->sync_ns);
	if (!tl->of_command) {
		rf_put_u64(o, "wait_recv_ns", s->wait_recv_ns);
		rf_put_u64(o, "wait_send_ns", s->wait_send_ns);
		rf_put_u64(o, "wait_sync_ns", s->wait_sync_ns);
		rf_put_u64(o, "wrong", s->wrong);
	}
	if (s->broken)
		json_object_object_add(o, "broken", json_object_new_boolean(true));
	if (s->nwaits || s->waits_omitted)
		put_waits(o, tl, s);
	rf_json_emit(f, o);
}

static void emit_timeline_end(FILE *f, const struct rf_timeline *tl, uint32_t rank)
{
	const struct rf_rank_end *end = &tl->end[rank];
	struct json_object *o;

	if (!end->seen)
		return;
	o = rf_json_typed("end");
	rf_put_u64(o, "rank", rank);
	json_object_object_add(o, "status", json_object_new_int64(end->status));
	if (!tl->of_command)
		rf_put_u64(o, "wrong", end->wrong);
	json_object_object_add(o, "error", end->error ? rf_json_text(end->error) : NULL);
	rf_json_emit(f, o);
}

static void emit_timeline(FILE *f, const struct rf_timeline *tl)
{
	uint32_t rank, step;
	size_t i;

	emit_timeline_job(f, tl);
	for (i = 0; i < tl->nqps; i++)
		emit_timeline_qp(f, &tl->qps[i]);
	for (step = 1; step <= tl->iters; step++)
		for (rank = 0; rank < tl->ranks; rank++)
			emit_timeline_step(f, tl, rank, step);
	for (rank = 0; rank < tl->ranks; rank++)
		emit_timeline_end(f, tl, rank);
}

/**
 * rf_timeline_write - write the timeline of a job that writes none
 * @path: the file
 * @tl: the timeline
 *
 * Return: 0, or -EIO after rf_err().
 */
int rf_timeline_write(const char *path, const struct rf_timeline *tl)
{
	FILE *f = fopen(path, "we");

	if (f)
		emit_timeline(f, tl);
	return rf_file_close(f, path);
}

/**
 * rf_timeline_of_command - make a timeline for a user's command, which writes no timeline
 * @tl: filled in; the caller frees it, also after an error
 * @status: exit status of the command
 * @last_line: the last line of its output
 *
 * A command counts as one rank without recorded steps.
 *
 * Return: 0, or -ENOMEM.
 */
int rf_timeline_of_command(struct rf_timeline *tl, int status,
			   const char *last_line)
{
	struct rf_rank_end *end = &tl->end[0];

	*tl = (struct rf_timeline){ .ranks = 1, .of_command = true };
	tl->steps = calloc(1, sizeof(*tl->steps));
	end->seen = true;
	end->status = status;
	if (!tl->steps ||
	    (status && asprintf(&end->error, "status %d: %s", status,
				last_line) < 0))
		return -ENOMEM;
	if (status)
		rf_text_line(end->error);
	return 0;
}

/* Check whether a signal ended the job, and no rank failed by itself before. */
static bool was_stopped(const struct rf_timeline *tl)
{
	bool ended = false;
	uint32_t rank;

	for (rank = 0; rank < tl->ranks; rank++) {
		if (tl->end[rank].status == COLL_FAILED)
			return false;
		ended |= tl->end[rank].status == COLL_ENDED;
	}
	return ended;
}

/**
 * rf_timeline_stop - forget the incomplete step of a job that the run has stopped
 * @tl: the timeline; it then has the steps that all ranks completed. If a rank failed, it is not
 *	changed
 */
void rf_timeline_stop(struct rf_timeline *tl)
{
	uint32_t rank, step = 1;

	if (!was_stopped(tl))
		return;
	while (step <= tl->iters && rf_timeline_whole_ns(tl, step))
		step++;
	tl->iters = step - 1;
	for (rank = 0; rank < tl->ranks; rank++) {
		tl->end[rank].status = 0;
		free(tl->end[rank].error);
		tl->end[rank].error = NULL;
	}
}

/** rf_timeline_free - free a timeline */
void rf_timeline_free(struct rf_timeline *tl)
{
	uint32_t rank;

	for (rank = 0; rank < RF_RANKS_MAX; rank++)
		free(tl->end[rank].error);
	free(tl->steps);
	free(tl->waits);
	free(tl->qps);
	*tl = (struct rf_timeline){ };
}

/**
 * rf_timeline_step - get one step of one rank
 * @tl: the timeline
 * @rank: the rank
 * @step: counted from 1
 *
 * Return: the step, or NULL if the rank did not reach it.
 */
const struct rf_step *rf_timeline_step(const struct rf_timeline *tl,
				       uint32_t rank, uint32_t step)
{
	const struct rf_step *s;

	if (!step || step > tl->iters || rank >= tl->ranks)
		return NULL;
	s = &tl->steps[(size_t)(step - 1) * tl->ranks + rank];
	return s->seen ? s : NULL;
}

/** rf_step_ns - get the time of a step of one rank, with the barrier */
uint64_t rf_step_ns(const struct rf_step *s)
{
	return s->sync_ns - s->start_ns;
}

/** rf_step_wait_ns - get the time that one rank waited in a step, also at the barrier */
uint64_t rf_step_wait_ns(const struct rf_step *s)
{
	return s->wait_recv_ns + s->wait_send_ns + s->wait_sync_ns;
}

/* Return: the rank that was the last to enter the barrier of a step; UINT32_MAX: not known */
static uint32_t last_in_barrier(const struct rf_timeline *tl, uint32_t step)
{
	uint32_t rank, last = UINT32_MAX;
	uint64_t at, latest = 0;
	const struct rf_step *s;

	for (rank = 0; rank < tl->ranks; rank++) {
		s = rf_timeline_step(tl, rank, step);
		if (!s || s->broken)
			return UINT32_MAX;
		at = s->sync_ns - s->wait_sync_ns;
		if (at <= latest)
			continue;
		latest = at;
		last = rank;
	}
	return last;
}

/**
 * rf_timeline_waits - get the waits of a rank in a step, in the order of time
 * @tl: the timeline
 * @rank: the rank
 * @step: counted from 1
 * @w: set to the recorded waits, and to the wait in the barrier, if there was one. Its peer is the
 *	last rank that entered the barrier; UINT32_MAX if this is @rank, or is not known
 *
 * Return: the number of waits; 0 if the rank did not reach the step.
 */
size_t rf_timeline_waits(const struct rf_timeline *tl, uint32_t rank, uint32_t step,
			 struct rf_wait_span w[RF_STEP_WAITS_MAX + 1])
{
	const struct rf_step *s = rf_timeline_step(tl, rank, step);
	size_t n;

	if (!s)
		return 0;
	for (n = 0; n < s->nwaits; n++)
		w[n] = tl->waits[s->wait + n];
	if (!s->wait_sync_ns)
		return n;
	w[n] = (struct rf_wait_span){
		.kind = RF_WAIT_SYNC, .peer = last_in_barrier(tl, step),
		.start_ns = s->sync_ns - s->wait_sync_ns, .end_ns = s->sync_ns,
	};
	if (w[n].peer == rank)
		w[n].peer = UINT32_MAX;
	return n + 1;
}

/*
 * Return: the time from the start of the first rank until the last rank has completed the
 * collective (for train: the step) or, if @barrier is set, until the last rank has left the
 * barrier. 0 if not all ranks have reached this end.
 */
static uint64_t all_ranks_ns(const struct rf_timeline *tl, uint32_t step,
			     bool barrier)
{
	uint64_t first = UINT64_MAX, last = 0, end;
	const struct rf_step *s;
	uint32_t rank;

	for (rank = 0; rank < tl->ranks; rank++) {
		s = rf_timeline_step(tl, rank, step);
		if (!s)
			return 0;
		end = barrier ? s->sync_ns : s->end_ns;
		first = s->start_ns < first ? s->start_ns : first;
		last = end > last ? end : last;
	}
	return last - first;
}

/**
 * rf_timeline_span - get the time in which steps of a job ran
 * @tl: the timeline
 * @first: the first step, counted from 1
 * @last: the last step
 * @from: set to the start of the first rank
 * @to: set to the time at which the last rank left the barrier
 *
 * Return: false if no rank has recorded one of the steps.
 */
bool rf_timeline_span(const struct rf_timeline *tl, uint32_t first, uint32_t last,
		      uint64_t *from, uint64_t *to)
{
	const struct rf_step *s;
	uint32_t rank, step;

	*from = UINT64_MAX;
	*to = 0;
	for (step = first; step <= last; step++)
		for (rank = 0; rank < tl->ranks; rank++) {
			s = rf_timeline_step(tl, rank, step);
			if (!s)
				continue;
			*from = s->start_ns < *from ? s->start_ns : *from;
			*to = s->sync_ns > *to ? s->sync_ns : *to;
		}
	return *to > *from;
}

/**
 * rf_timeline_step_ns - get the time of a step of the job
 * @tl: the timeline
 * @step: counted from 1
 *
 * Return: the time from the start of the first rank until the last rank leaves the barrier;
 * 0 if not all ranks left it.
 */
uint64_t rf_timeline_step_ns(const struct rf_timeline *tl, uint32_t step)
{
	return all_ranks_ns(tl, step, true);
}

/**
 * rf_timeline_transfer_ns - get the transfer time of a step of the job
 * @tl: the timeline
 * @step: counted from 1
 *
 * Return: the time from the start of the first rank until the last rank has completed the
 * collective (for train: the step). Computation between the collective and the barrier, and
 * the wait at the barrier, are not included. 0 if not all ranks completed the step.
 */
uint64_t rf_timeline_transfer_ns(const struct rf_timeline *tl, uint32_t step)
{
	return all_ranks_ns(tl, step, false);
}

/*
 * A rank that failed by itself has a lower exit status than a rank that failed because of
 * another rank.
 */
static uint32_t badness(const struct rf_timeline *tl, uint32_t rank)
{
	const struct rf_rank_end *end = &tl->end[rank];

	if (end->seen && end->status)
		return (uint32_t)end->status;
	return end->seen &&
	       (!tl->iters || rf_timeline_step(tl, rank, tl->iters)) ?
	       UINT32_MAX : UINT32_MAX - 1;
}

/**
 * rf_timeline_unfinished - find a rank that failed or did not end
 * @tl: the timeline
 * @failed: set to the number of this rank; if the job ended early, the rank that ended it
 *
 * Return: the reason; NULL if all ranks ended successfully.
 */
const char *rf_timeline_unfinished(const struct rf_timeline *tl, uint32_t *failed)
{
	const struct rf_rank_end *first;
	uint32_t step, rank, worst = 0;

	first = rf_timeline_ended(tl, &step);
	if (first && first->error) {
		*failed = first - tl->end;
		return first->error;
	}
	for (rank = 1; rank < tl->ranks; rank++)
		if (badness(tl, rank) < badness(tl, worst))
			worst = rank;
	if (!tl->ranks || badness(tl, worst) == UINT32_MAX)
		return NULL;
	*failed = worst;
	return tl->end[worst].error ? tl->end[worst].error : "did not finish";
}

/* Return: the last step that a rank started */
static uint32_t last_step(const struct rf_timeline *tl)
{
	uint32_t step, rank;

	for (step = tl->iters; step; step--)
		for (rank = 0; rank < tl->ranks; rank++)
			if (rf_timeline_step(tl, rank, step))
				return step;
	return 0;
}

/**
 * rf_timeline_broken - check whether a rank failed in a step
 * @tl: the timeline
 * @step: counted from 1
 *
 * Return: true if at least one rank failed in the step.
 */
bool rf_timeline_broken(const struct rf_timeline *tl, uint32_t step)
{
	const struct rf_step *s;
	uint32_t rank;

	for (rank = 0; rank < tl->ranks; rank++) {
		s = rf_timeline_step(tl, rank, step);
		if (s && s->broken)
			return true;
	}
	return false;
}

/* Return: the time at which a rank failed in a step, CLOCK_MONOTONIC; UINT64_MAX: unknown */
static uint64_t rank_failed_ns(const struct rf_timeline *tl, uint32_t rank, uint32_t step)
{
	const struct rf_step *s = rf_timeline_step(tl, rank, step);

	if (!s || !s->broken)
		return UINT64_MAX;
	/* The other ranks fail at the barrier. */
	return s->sync_ns > s->end_ns ? s->sync_ns : s->end_ns;
}

/**
 * rf_timeline_failed_ns - get the time at which the first rank failed in a step
 * @tl: the timeline
 * @step: counted from 1
 *
 * Return: the time, CLOCK_MONOTONIC; 0 if no rank failed in the step.
 */
uint64_t rf_timeline_failed_ns(const struct rf_timeline *tl, uint32_t step)
{
	uint64_t first = UINT64_MAX, end;
	uint32_t rank;

	for (rank = 0; rank < tl->ranks; rank++) {
		end = rank_failed_ns(tl, rank, step);
		first = end < first ? end : first;
	}
	return first == UINT64_MAX ? 0 : first;
}

/**
 * rf_timeline_whole_ns - get the time of a step of the job in which no rank failed
 * @tl: the timeline
 * @step: counted from 1
 *
 * Return: the time as in rf_timeline_step_ns(), but 0 if a rank failed in the step.
 */
uint64_t rf_timeline_whole_ns(const struct rf_timeline *tl, uint32_t step)
{
	return rf_timeline_broken(tl, step) ? 0 : rf_timeline_step_ns(tl, step);
}

/*
 * Return: the step in which a job ended early: the last recorded step, or the next one if
 * all ranks completed the last recorded step. A training job and killed ranks do not record
 * the step in which they end.
 */
static uint32_t ended_in(const struct rf_timeline *tl)
{
	uint32_t step = last_step(tl);

	return step && step < tl->iters && rf_timeline_whole_ns(tl, step) ? step + 1 : step;
}

static bool is_earlier_end(const struct rf_timeline *tl, uint32_t step,
			   const struct rf_rank_end *end, const struct rf_rank_end *than)
{
	if (end->status != than->status)
		return end->status < than->status;
	return rank_failed_ns(tl, end - tl->end, step) < rank_failed_ns(tl, than - tl->end, step);
}

/**
 * rf_timeline_ended - check whether the job ended before its last step was complete
 * @tl: the timeline
 * @step: set to the step in which the job ended, or to its last step; 0: no step is
 *	known
 *
 * If a rank ended because another rank failed, its exit status is greater than the exit
 * status of the rank that failed. Of several ranks with the lowest status, the one that
 * failed first ended the job.
 *
 * Return: the end of the rank that ended the job early; NULL if the job completed its
 * steps.
 */
const struct rf_rank_end *rf_timeline_ended(const struct rf_timeline *tl,
					    uint32_t *step)
{
	const struct rf_rank_end *end, *first = NULL;

	*step = ended_in(tl);
	if (tl->iters && rf_timeline_whole_ns(tl, tl->iters))
		return NULL;
	for (end = tl->end; end < tl->end + tl->ranks; end++)
		if (end->status && (!first || is_earlier_end(tl, *step, end, first)))
			first = end;
	return first;
}

/**
 * rf_timeline_qp - find the queue pair that sends to another one
 * @tl: the timeline
 * @saddr: address of the sender
 * @daddr: address of the receiver
 * @peer_qpn: number of the receiver's queue pair
 *
 * Return: the queue pair of the sender, or NULL if it does not belong to the job.
 */
const struct rf_qp *rf_timeline_qp(const struct rf_timeline *tl, const char *saddr,
				   const char *daddr, uint32_t peer_qpn)
{
	const struct rf_qp *qp;

	for (qp = tl->qps; qp < tl->qps + tl->nqps; qp++)
		if (qp->peer_qpn == peer_qpn && !strcmp(qp->addr, saddr) &&
		    !strcmp(qp->peer_addr, daddr))
			return qp;
	return NULL;
}

/**
 * rf_timeline_sender - find the queue pair that sent a request
 * @tl: the timeline
 * @e: the request
 *
 * Return: the queue pair, or NULL if it does not belong to the job.
 */
const struct rf_qp *rf_timeline_sender(const struct rf_timeline *tl,
				       const struct rf_event *e)
{
	char saddr[48], daddr[48];

	rf_event_addr(e, e->saddr, saddr, sizeof(saddr));
	rf_event_addr(e, e->daddr, daddr, sizeof(daddr));
	return rf_timeline_qp(tl, saddr, daddr, e->qp);
}

/**
 * rf_timeline_ordinal - number a queue pair among those between the same two addresses
 * @tl: the timeline
 * @qp: one of its queue pairs
 *
 * This number is the count of earlier queue pairs of the job with the same two addresses. A
 * queue pair has the same number in all cases of a run, although its QP number differs.
 *
 * Return: the number, counted from 0.
 */
uint32_t rf_timeline_ordinal(const struct rf_timeline *tl,
			     const struct rf_qp *qp)
{
	const struct rf_qp *other;
	uint32_t n = 0;

	for (other = tl->qps; other < qp; other++)
		n += !strcmp(other->addr, qp->addr) &&
		     !strcmp(other->peer_addr, qp->peer_addr);
	return n;
}
