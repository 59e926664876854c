// SPDX-License-Identifier: GPL-2.0
/*
 * One rank, from start to end: join, open, connect, run the cases, close.
 *
 * All ranks do the same; rank 0 also prints. A rank closes only after a barrier,
 * when no other rank needs it: a peer that missed an acknowledgment would otherwise
 * retransmit to a queue pair that does not exist any more.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <json-c/json.h>

#include "bench.h"
#include "err.h"
#include "out.h"
#include "ranks.h"
#include "results.h"

/* Output of rank 0 */
struct report {
	struct json_object *doc;
	struct cp_total total;
	struct coll_member all[COLL_RANKS_MAX];
	bool speaks;
};

/* List the combinations of root and algorithm that the cases and sizes of the job use. */
static int list_uses(const struct cp_config *cfg, struct coll_use *uses)
{
	bool taken[COLL_ALGOS] = { false };
	uint32_t cases = cp_cases(cfg);
	int n = 0;

	for (uint32_t t = 0; t < cfg->n_types; t++)
		for (uint64_t b = cfg->min_bytes; b != CP_NO_SIZE;
		     b = cp_next_size(cfg, cfg->types[t], b))
			taken[cp_algo_of(cfg, b)] = true;
	for (uint32_t i = 0; i < cases && i < cfg->ranks; i++)
		for (int a = 0; a < COLL_ALGOS; a++)
			if (taken[a])
				uses[n++] = (struct coll_use){
					.coll = cfg->coll,
					.algo = (enum coll_algo)a,
					.root = cp_root_of(cp_case(cfg, i)),
				};
	return n;
}

static int connect_ranks(struct cp_rank *me)
{
	struct coll_use uses[COLL_RANKS_MAX * COLL_ALGOS];
	int n = list_uses(me->cfg, uses);
	uint64_t bytes[COLL_MEMS];

	cp_sweep_memory(me->cfg, bytes);
	return coll_comm_open(&me->comm, bytes, uses, n);
}

static int open_bench(struct cp_rank *me)
{
	int ret = connect_ranks(me);

	if (!ret)
		ret = cp_bench_open(me);
	if (ret)
		return ret;
	me->announcer.verbose = me->cfg->options.verbose;
	coll_announcer_open(&me->announcer, me->state);
	return 0;
}

static int begin_report(struct cp_rank *me, struct report *rep)
{
	struct coll_member mine = { .pid = getpid() };
	int ret;

	gethostname(mine.host, sizeof(mine.host) - 1);
	memcpy(mine.rail, me->state->rail, sizeof(mine.rail));
	for (uint32_t i = 0; i < me->state->rails; i++)
		coll_gid_text(&me->comm.tp.rail[i].gid, mine.addr[i]);
	mine.skew_ns = me->iters.skew.error_ns;
	ret = coll_allgather(&me->comm.oob, &mine, sizeof(mine), rep->all);
	if (ret || me->comm.oob.rank)
		return ret;
	rep->speaks = true;
	cp_table_head(me->cfg, rep->all);
	if (rep->doc)
		cp_results_met(rep->doc, me->cfg, rep->all, me->state->mtu);
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

static int write_results(struct cp_rank *me, struct report *rep,
			 const char *error)
{
	struct json_object *doc = rep->doc;

	rep->doc = NULL;
	return doc ? cp_results_end(doc, me->cfg, &rep->total, &me->iters.stragglers,
				    error) : 0;
}

static int end_report(struct cp_rank *me, struct report *rep)
{
	if (!cp_total_fast_enough(me->cfg, &rep->total))
		me->state->status = COLL_WRONG;
	if (rep->speaks)
		cp_table_foot(me->cfg, &rep->total, &me->iters.stragglers, rep->all);
	if (rep->speaks && rf_out_failed())
		return coll_fail(me->state, COLL_FAILED, "standard output cannot be written");
	if (write_results(me, rep, NULL))
		return coll_fail(me->state, COLL_FAILED, "%s: cannot be written",
				 me->cfg->json_path);
	return 0;
}

/* If the time limit of the job (-T) has ended this rank, report the limit as the reason. */
static void explain_end(struct cp_rank *me)
{
	uint64_t limit_ns = me->cfg->job_timeout_s * COLL_NSEC_PER_SEC;
	char where[128];

	if (me->state->status != COLL_ENDED || !limit_ns ||
	    rf_now_ns() - me->begun_ns < limit_ns)
		return;
	me->state->status = COLL_OK;
	coll_where(me->state, where, sizeof(where));
	coll_fail(me->state, COLL_FAILED, "the job did not end within %u s (-T): %s",
		  me->cfg->job_timeout_s, where);
}

static int run_sizes(struct cp_rank *me, struct report *rep, uint32_t which)
{
	const struct coll_type *type = cp_case(me->cfg, which).type;
	int ret = cp_bench_case(me, which);
	struct cp_row row;

	for (uint64_t bytes = me->cfg->min_bytes; !ret && bytes != CP_NO_SIZE;
	     bytes = cp_next_size(me->cfg, type, bytes)) {
		ret = cp_bench(me, bytes, &row);
		if (!ret)
			report_row(me, rep, &row);
		cp_row_free(&row);
	}
	return ret;
}

static int measure_cases(struct cp_rank *me, struct report *rep)
{
	uint32_t cases = cp_cases(me->cfg);
	int ret = begin_report(me, rep);

	for (uint32_t i = 0; !ret && i < cases; i++)
		ret = run_sizes(me, rep, i);
	rep->total.failover = me->state->failover;
	if (!ret)
		ret = end_report(me, rep);
	return ret ? ret : coll_barrier(&me->comm.oob, NULL);
}

static int join_ranks(struct cp_rank *me, int rank, int star[][2])
{
	const struct cp_config *cfg = me->cfg;
	int ret = coll_comm_join(&me->comm, &cfg->options, rank, (int)cfg->ranks,
				 me->state, star);

	coll_waiter_limit(cfg->job_timeout_s);
	return ret;
}

static void close_bench(struct cp_rank *me)
{
	coll_announce(&me->announcer, 0);
	coll_announcer_close(&me->announcer);
	coll_comm_close(&me->comm);
	cp_bench_close(me);
	coll_star_close(&me->comm.oob);
}

/**
 * cp_rank() - run one rank until it ends
 * @cfg: options of the job, a struct cp_config
 * @rank: its number
 * @state: its state in the status page
 * @star: the sockets of coll_star_create()
 *
 * Return: how the rank ended; @state also contains this.
 */
enum coll_status cp_rank(void *cfg, int rank, struct coll_state *state,
			 int star[][2])
{
	struct cp_rank me = {
		.cfg = cfg,
		.state = state,
		.begun_ns = rf_now_ns(),
	};
	struct report rep = { .speaks = false };
	int ret;

	if (!rank && me.cfg->json)
		rep.doc = cp_results_begin(me.cfg);
	ret = join_ranks(&me, rank, star);
	if (!ret)
		ret = open_bench(&me);
	if (!ret)
		ret = measure_cases(&me, &rep);
	explain_end(&me);
	/* Write the results so far, and the reason of the failure. */
	write_results(&me, &rep, state->error);
	close_bench(&me);
	if (!ret && state->wrong)
		state->status = COLL_WRONG;
	state->finished = true;
	return state->status;
}
