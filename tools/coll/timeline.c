// SPDX-License-Identifier: GPL-2.0
/*
 * The timeline of a job.
 *
 * Each line is a JSON object. All programs write these kinds; a program can add kinds, and
 * members to each line:
 *
 *     job	one line: ranks, steps ("iters") and bytes of the job
 *     qp	one line per queue pair
 *     step	one line per step and rank, in the order of steps
 *     end	one line per rank; "clock_ns" is what was added to the times of a rank on another
 *		machine than rank 0
 *
 * After all ranks have ended, the launcher writes the timeline from the status page. So the
 * timeline does not slow down the steps. If a rank fails, the timeline is complete up to the
 * failure. Times are CLOCK_MONOTONIC in nanoseconds, as in the kernel's trace clock "mono".
 */
#include <errno.h>
#include <json-c/json.h>
#include <string.h>

#include "err.h"
#include "json.h"
#include "ranks.h"

/**
 * coll_output_open() - create a file for output that the job writes at its end
 * @path: the file; NULL: none
 * @file: gets the open file
 *
 * Return: 0, or -errno after a message.
 */
int coll_output_open(const char *path, FILE **file)
{
	if (!path)
		return 0;
	*file = fopen(path, "we");
	if (*file)
		return 0;
	rf_err("%s: cannot be written: %s", path, strerror(errno));
	return -errno;
}

/**
 * coll_output_close() - write everything to the file
 * @path: the file
 * @file: the open file
 *
 * Return: 0, or -EIO after a message.
 */
int coll_output_close(const char *path, FILE *file)
{
	bool bad = ferror(file);

	if (!fclose(file) && !bad)
		return 0;
	rf_err("%s: cannot be written", path);
	return -EIO;
}

static void emit_qp(FILE *file, const struct coll_state *st, uint32_t rank,
		    const struct coll_qp_info *qp)
{
	struct json_object *o = rf_json_typed("qp");

	rf_put_u64(o, "rank", rank);
	rf_put_u64(o, "peer", (uint64_t)qp->peer);
	rf_put_text(o, "dir", qp->dir);
	if (st->rails > 1)
		rf_put_u64(o, "rail", qp->rail + 1);
	rf_put_text(o, "device", st->rail[qp->rail].name);
	rf_put_text(o, "netdev", st->rail[qp->rail].netdev);
	rf_put_u64(o, "qpn", qp->qpn);
	rf_put_u64(o, "peer_qpn", qp->peer_qpn);
	rf_put_u64(o, "psn", qp->psn);
	rf_put_text(o, "addr", qp->addr);
	rf_put_text(o, "peer_addr", qp->peer_addr);
	rf_json_emit(file, o);
}

/** coll_timeline_qps() - write the queue pairs of all ranks */
void coll_timeline_qps(FILE *file, const struct coll_state *states, uint32_t ranks)
{
	for (uint32_t r = 0; r < ranks; r++)
		for (int q = 0; q < states[r].n_qps; q++)
			emit_qp(file, &states[r], r, &states[r].qps[q]);
}

/*
 * Return: true if the rank failed in this step. The record of such a step also has an end
 * time, so the timeline marks the step as "broken".
 */
static bool is_broken(const struct coll_state *st, const struct coll_record *rec)
{
	return st->failed_ns && rec->sync_ns >= st->failed_ns;
}

/* Add the waits of step number @i. @waits: the next wait of the rank; advanced to the next step */
static void write_waits(struct json_object *o, const struct coll_state *st, uint64_t i,
			const struct coll_wait **waits)
{
	struct json_object *list = rf_put_list(o, "waits"), *one;
	const struct coll_wait *w = *waits;

	for (; w < st->waits + st->n_waits && w->record == i; w++) {
		one = rf_list_object(list);
		rf_put_text(one, "for", w->for_data ? "recv" : "send");
		rf_put_u64(one, "peer", w->peer);
		rf_put_u64(one, "start_ns", w->start_ns);
		rf_put_u64(one, "end_ns", w->end_ns);
	}
	rf_put_nonzero(o, "waits_omitted", st->records[i].waits_omitted);
	*waits = w;
}

static struct json_object *step_line(const struct coll_state *st, uint32_t rank,
				     const struct coll_record *rec)
{
	struct json_object *o = rf_json_typed("step");

	rf_put_u64(o, "rank", rank);
	rf_put_u64(o, "step", rec->step);
	rf_put_u64(o, "start_ns", rec->start_ns);
	rf_put_u64(o, "end_ns", rec->end_ns);
	rf_put_u64(o, "sync_ns", rec->sync_ns);
	rf_put_u64(o, "wait_recv_ns", rec->wait_recv_ns);
	rf_put_u64(o, "wait_send_ns", rec->wait_send_ns);
	rf_put_u64(o, "wait_sync_ns", rec->wait_sync_ns);
	rf_put_u64(o, "wrong", rec->wrong);
	if (is_broken(st, rec))
		json_object_object_add(o, "broken", json_object_new_boolean(true));
	return o;
}

/**
 * coll_timeline_steps() - write the steps of all ranks, in the order of steps
 * @file: the file
 * @states: the states of all ranks
 * @ranks: number of ranks; a rank that failed has fewer steps
 * @add: adds the members of the program to the line of a step; NULL: none
 * @arg: passed to @add
 */
void coll_timeline_steps(FILE *file, const struct coll_state *states, uint32_t ranks,
			 void (*add)(struct json_object *o, const struct coll_record *rec,
				     const void *arg), const void *arg)
{
	const struct coll_wait *waits[COLL_RANKS_MAX];
	bool any = true;

	for (uint32_t r = 0; r < ranks; r++)
		waits[r] = states[r].waits;
	for (uint64_t i = 0; any; i++) {
		any = false;
		for (uint32_t r = 0; r < ranks; r++) {
			struct json_object *o;

			if (i >= states[r].n_records)
				continue;
			any = true;
			o = step_line(&states[r], r, &states[r].records[i]);
			write_waits(o, &states[r], i, &waits[r]);
			if (add)
				add(o, &states[r].records[i], arg);
			rf_json_emit(file, o);
		}
	}
}

/** coll_timeline_end() - make the line that says how a rank ended */
struct json_object *coll_timeline_end(const struct coll_state *st, uint32_t rank)
{
	struct json_object *o = rf_json_typed("end");

	rf_put_u64(o, "rank", rank);
	rf_put_u64(o, "status", st->status);
	rf_put_u64(o, "wrong", st->wrong);
	json_object_object_add(o, "error", st->error[0] ? rf_json_text(st->error) : NULL);
	rf_put_nonzero(o, "failed_ns", st->failed_ns);
	if (st->clock_ns)
		json_object_object_add(o, "clock_ns", json_object_new_int64(st->clock_ns));
	return o;
}
