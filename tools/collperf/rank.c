// SPDX-License-Identifier: GPL-2.0
/*
 * The life of one rank: join, open, connect, run the sizes, leave.
 *
 * All ranks do the same; rank 0 prints besides. A rank leaves only after a
 * barrier, when nobody can need it any more: a peer that missed an
 * acknowledgement would send again to a queue pair that is gone.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <json-c/json.h>

#include "bench.h"
#include "err.h"
#include "rank.h"
#include "rdmadev.h"
#include "results.h"
#include "table.h"

/* What rank 0 writes, beside what every rank does. */
struct report {
	struct json_object *doc;
	struct cp_total total;
	bool speaks;
};

static void introduce(struct cp_rank *me)
{
	struct cp_state *st = me->state;

	st->pid = getpid();
	memcpy(st->device, me->cfg->devices[me->oob.rank], CP_NAME_LEN);
	if (rf_rdma_to_netdev(st->device, st->netdev, sizeof(st->netdev)))
		strcpy(st->netdev, "?");
}

static int join(struct cp_rank *me, int rank, int star[][2])
{
	int ret = cp_waiter_init(&me->waiter, me->cfg->deadline_ns);

	me->oob = (struct cp_oob){
		.rank = rank,
		.ranks = (int)me->cfg->ranks,
		.state = me->state,
		.waiter = &me->waiter,
	};
	cp_star_init(&me->oob, star);
	introduce(me);
	if (ret)
		return cp_fail(me->state, CP_FAILED, "signalfd: %s",
			       strerror(-ret));
	return 0;
}

static int map_memories(struct cp_rank *me)
{
	const struct cp_algo *algo = me->cfg->coll->algo;
	size_t size = me->cfg->type->size;
	uint64_t count = me->cfg->max_bytes / size;
	uint64_t longest = algo->longest(count, size, me->oob.ranks);
	uint64_t len[CP_MEMS] = {
		[CP_SEND] = count * size,
		[CP_RECV] = count * size,
		[CP_SCRATCH] = algo->scratch(count, size, me->oob.ranks),
	};
	int ret = 0;

	if (longest > me->tp.max_message)
		return cp_fail(me->state, CP_FAILED,
			       "%s takes messages of at most %llu bytes, and this size needs %llu; use more ranks or less bytes",
			       me->state->device,
			       (unsigned long long)me->tp.max_message,
			       (unsigned long long)longest);
	for (int m = 0; !ret && m < CP_MEMS; m++)
		ret = cp_mem_map(&me->tp, (enum cp_mem_id)m, len[m]);
	return ret;
}

static int connect_ranks(struct cp_rank *me)
{
	const struct cp_algo *algo = me->cfg->coll->algo;
	struct cp_link_spec specs[CP_LINKS_MAX];
	int n = algo->links(me->oob.rank, me->oob.ranks, specs);
	uint32_t depth = 2 * algo->messages(me->oob.ranks) + 2;

	return cp_links_open(&me->tp, specs, n, depth);
}

static void open_announcer(struct cp_rank *me, bool verbose)
{
	uint32_t messages = me->cfg->coll->algo->messages(me->oob.ranks);
	uint64_t total;

	if (__builtin_mul_overflow(cp_config_runs(me->cfg), messages, &total) ||
	    total > UINT32_MAX)
		total = 0;
	me->announcer = (struct cp_announcer){
		.messages = messages,
		.messages_total = (uint32_t)total,
		.verbose = verbose,
	};
	cp_announcer_open(&me->announcer, me->state->netdev);
}

static int open_all(struct cp_rank *me)
{
	int ret;

	me->tp.options = &me->cfg->verbs;
	me->tp.oob = &me->oob;
	me->tp.state = me->state;
	ret = cp_device_open(&me->tp);
	if (!ret)
		ret = map_memories(me);
	if (!ret)
		ret = connect_ranks(me);
	if (!ret && cp_pattern_init(&me->pattern, me->cfg->type, me->cfg->op,
				    me->oob.rank, me->oob.ranks))
		ret = cp_fail(me->state, CP_FAILED, "no memory");
	open_announcer(me, me->cfg->verbose && !ret);
	return ret;
}

static int begin_report(struct cp_rank *me, struct report *rep)
{
	struct cp_member mine = { .pid = getpid() }, all[CP_RANKS_MAX];
	int ret;

	gethostname(mine.host, sizeof(mine.host) - 1);
	memcpy(mine.device, me->state->device, sizeof(mine.device));
	memcpy(mine.netdev, me->state->netdev, sizeof(mine.netdev));
	cp_gid_text(&me->tp, mine.addr);
	ret = cp_allgather(&me->oob, &mine, sizeof(mine), all);
	if (ret || me->oob.rank)
		return ret;
	rep->speaks = true;
	cp_table_head(me->cfg, all);
	if (me->cfg->json)
		rep->doc = cp_results_begin(me->cfg, all);
	return 0;
}

static void report_row(struct cp_rank *me, struct report *rep,
		       const struct cp_row *row)
{
	cp_total_add(&rep->total, row);
	if (rep->speaks)
		cp_table_row(me->cfg, row);
	if (rep->doc)
		cp_results_row(rep->doc, me->cfg, row);
}

static int end_report(struct cp_rank *me, struct report *rep)
{
	if (rep->speaks)
		cp_table_foot(me->cfg, &rep->total);
	if (rep->doc && cp_results_end(rep->doc, me->cfg, &rep->total))
		return cp_fail(me->state, CP_FAILED, "%s cannot be written",
			       me->cfg->json_path);
	return 0;
}

static int run_sizes(struct cp_rank *me)
{
	struct report rep = { 0 };
	struct cp_row row;
	int ret = begin_report(me, &rep);

	for (uint64_t bytes = me->cfg->min_bytes;
	     !ret && bytes != UINT64_MAX;
	     bytes = cp_config_next_size(me->cfg, bytes)) {
		ret = cp_bench(me, bytes, &row);
		if (!ret)
			report_row(me, &rep, &row);
	}
	if (!ret)
		ret = end_report(me, &rep);
	return ret ? ret : cp_barrier(&me->oob, NULL);
}

static void close_all(struct cp_rank *me)
{
	cp_announce(&me->announcer, 0);
	cp_announcer_close(&me->announcer);
	cp_links_close(&me->tp);
	cp_device_close(&me->tp);
	cp_pattern_free(&me->pattern);
	me->oob.ops->close(&me->oob);
}

/**
 * cp_rank() - be rank @rank, to the end
 * @star: the sockets of cp_star_create()
 * Return: how it went; the same is on the board.
 */
enum cp_status cp_rank(const struct cp_config *cfg, int rank,
		       struct cp_state *state, int star[][2])
{
	struct cp_rank me = { .cfg = cfg, .state = state };
	int ret = join(&me, rank, star);

	if (!ret)
		ret = open_all(&me);
	if (!ret)
		ret = run_sizes(&me);
	close_all(&me);
	if (!ret && state->wrong)
		state->status = CP_WRONG;
	state->finished = true;
	return state->status;
}
