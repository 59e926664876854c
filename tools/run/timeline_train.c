// SPDX-License-Identifier: GPL-2.0
/*
 * Read the output of the program "train": one JSON object per line, mixed with error
 * messages of its ranks. Each step has a line with the times of each rank. The time in
 * which a rank does not compute counts as waiting for data. The last lines contain the queue
 * pairs, and how each rank ended; older versions of "train" do not write these lines.
 */
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "json.h"
#include "record.h"

struct reading {
	struct rf_timeline *tl;
	bool ended;			/* the training completed */
	char *said;			/* last error message of any rank; NULL: none */
};

static int take_train_job(struct rf_timeline *tl, struct json_object *o)
{
	if (tl->steps || !rf_get_u32(o, "ranks", RF_RANKS_MAX, &tl->ranks) ||
	    !rf_get_u32(o, "steps", 10000000, &tl->iters) ||
	    !rf_get_u64(o, "gradient_bytes", INT64_MAX, &tl->bytes) ||
	    !tl->ranks)
		return -EINVAL;
	tl->steps = calloc((size_t)tl->iters * tl->ranks + 1,
			   sizeof(*tl->steps));
	return tl->steps ? 0 : -ENOMEM;
}

/* Get the number of @rank from a list that has one number for each rank. */
static bool get_of_rank(struct json_object *o, const char *key,
			const struct rf_timeline *tl, uint32_t rank,
			uint64_t *v)
{
	struct json_object *list = rf_get_list(o, key), *item;
	int64_t n;

	if (!list || json_object_array_length(list) != tl->ranks)
		return false;
	item = json_object_array_get_idx(list, rank);
	n = json_object_get_int64(item);
	*v = n;
	return json_object_is_type(item, json_type_int) && n >= 0;
}

static bool take_rank(struct rf_timeline *tl, struct json_object *o,
		      uint32_t step, uint32_t rank, uint64_t *last)
{
	struct rf_step *s = &tl->steps[(size_t)(step - 1) * tl->ranks + rank];
	uint64_t ns, busy;

	if (!get_of_rank(o, "start_ns", tl, rank, &s->start_ns) ||
	    !get_of_rank(o, "step_ns", tl, rank, &ns) ||
	    !get_of_rank(o, "busy_ns", tl, rank, &busy))
		return false;
	s->end_ns = s->start_ns + ns;
	s->wait_recv_ns = busy < ns ? ns - busy : 0;
	s->seen = true;
	if (s->end_ns > *last)
		*last = s->end_ns;
	return true;
}

/* All ranks end a step at the same time, because each rank waits for the reports of all others. */
static int take_train_step(struct rf_timeline *tl, struct json_object *o)
{
	uint32_t step, rank;
	struct rf_step *s;
	uint64_t last = 0;

	if (!tl->steps || !rf_get_u32(o, "step", tl->iters, &step) || !step)
		return -EINVAL;
	for (rank = 0; rank < tl->ranks; rank++)
		if (!take_rank(tl, o, step, rank, &last))
			return -EINVAL;
	for (rank = 0; rank < tl->ranks; rank++) {
		s = &tl->steps[(size_t)(step - 1) * tl->ranks + rank];
		s->sync_ns = last;
		s->wait_sync_ns = last - s->end_ns;
	}
	return 0;
}

/* Read the step in which a rank failed, if the line has it. */
static int take_failed_step(struct rf_timeline *tl, struct json_object *o, uint32_t rank)
{
	struct rf_step s = { .seen = true, .broken = true };
	uint32_t step;

	if (!json_object_object_get(o, "failed_ns"))
		return 0;
	if (!rf_get_u32(o, "step", tl->iters, &step) || !step ||
	    !rf_get_u64(o, "start_ns", INT64_MAX, &s.start_ns) ||
	    !rf_get_u64(o, "failed_ns", INT64_MAX, &s.end_ns) ||
	    !rf_get_u64(o, "wait_ns", INT64_MAX, &s.wait_recv_ns) || s.end_ns < s.start_ns)
		return -EINVAL;
	s.sync_ns = s.end_ns;
	tl->steps[(size_t)(step - 1) * tl->ranks + rank] = s;
	return 0;
}

static int take_rank_end(struct rf_timeline *tl, struct json_object *o)
{
	struct rf_rank_end end = { .seen = true };
	uint32_t rank, status;

	if (!tl->steps || !rf_get_u32(o, "rank", tl->ranks - 1, &rank) ||
	    !rf_get_u32(o, "status", 255, &status) ||
	    !rf_get_u64(o, "wrong", INT64_MAX, &end.wrong))
		return -EINVAL;
	end.status = status;
	end.error = rf_get_copy(o, "error");
	free(tl->end[rank].error);
	tl->end[rank] = end;
	return take_failed_step(tl, o, rank);
}

static int take_train_line(void *arg, struct json_object *o)
{
	struct reading *r = arg;
	char type[16];

	if (!rf_get_text(o, "type", type, sizeof(type)))
		return -EINVAL;
	if (!strcmp(type, "job"))
		return take_train_job(r->tl, o);
	if (!strcmp(type, "step"))
		return take_train_step(r->tl, o);
	if (!strcmp(type, "qp"))
		return r->tl->steps ? rf_timeline_take(r->tl, o) : -EINVAL;
	if (!strcmp(type, "rank"))
		return take_rank_end(r->tl, o);
	r->ended |= !strcmp(type, "end");
	return 0;
}

/* Keep a line that is not JSON: an error message. */
static int keep_message(void *arg, const char *line)
{
	int len = strcspn(line, "\n");
	struct reading *r = arg;

	if (!len)
		return 0;
	free(r->said);
	r->said = strndup(line, len);
	return r->said ? 0 : -ENOMEM;
}

static void end_ranks(struct reading *r, int status)
{
	struct rf_rank_end *end = r->tl->end;
	uint32_t rank;

	for (rank = 0; rank < r->tl->ranks; rank++, end++) {
		if (end->seen)
			continue;
		end->seen = r->ended || status;
		end->status = status;
		if (status && r->said)
			end->error = strdup(r->said);
	}
}

/**
 * rf_timeline_read_train - read the output of "train --json"
 * @path: the file
 * @status: exit status of "train"
 * @tl: filled in; the caller frees it, also after an error
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_timeline_read_train(const char *path, int status,
			   struct rf_timeline *tl)
{
	static const struct rf_lines lines = {
		.take = take_train_line, .take_text = keep_message,
		.valid = "a line of the output of train --json",
	};
	struct reading r = { .tl = tl };
	int err;

	*tl = (struct rf_timeline){ };
	err = rf_lines_read(path, &lines, &r);
	if (!err && !tl->steps) {
		rf_err("%s: contains no training step; the reason: %s", path,
		       r.said ? r.said : "the file is empty");
		err = -EINVAL;
	}
	if (!err)
		end_ranks(&r, status);
	free(r.said);
	return err;
}
