// SPDX-License-Identifier: GPL-2.0
/*
 * Run one rank, from start to end: join, open, train, close.
 *
 * A step, on every rank:
 *
 *	load | forward, backward, exchange, update | checkpoint |
 *	announce the next step to the module | report, verify
 *
 * Each rank sends its report to all other ranks, outside the data path. This exchange
 * is also a barrier: after it, all ranks have announced the next step. Therefore the
 * port of the sender and the port of the receiver assign a packet to the same step.
 * Tests run before the first epoch and after each epoch. They belong to no step.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "net.h"
#include "out.h"
#include "ranks.h"
#include "train.h"

/* Initialize the neural network, and allocate memory for a batch. */
static int open_net(struct tr_rank *me)
{
	const struct tr_mode *mode = me->cfg->mode;

	me->net = me->cfg->net;
	if (mode->shape)
		mode->shape(me);
	me->params = calloc(me->net.n, sizeof(float));
	me->velocity = calloc(me->net.n, sizeof(float));
	me->grad = calloc(me->net.n, sizeof(float));
	if (!me->params || !me->velocity || !me->grad ||
	    tr_pass_init(&me->pass, &me->net, me->cfg->batch) ||
	    tr_batch_open(me))
		return -ENOMEM;
	if (mode->start)
		return mode->start(me);
	tr_net_start(&me->net, me->params, me->cfg->seed);
	return 0;
}

static int open_comm(struct tr_rank *me)
{
	struct coll_use uses[TR_USES_MAX + 1];
	uint64_t bytes[COLL_MEMS];
	int n = me->cfg->mode->uses(me, uses);

	me->cfg->mode->memory(me, bytes);
	tr_extra_memory(me, bytes);
	n += tr_extra_uses(me, uses + n);
	return coll_comm_open(&me->comm, bytes, uses, n);
}

/* Check that all ranks have the same examples, because each host reads its own file. */
static int compare_data(struct tr_rank *me)
{
	const struct tr_data *d = &me->cfg->data;
	uint64_t mine = tr_hash(d->x, (uint64_t)d->n * d->width * sizeof(*d->x)) +
			tr_hash(d->y, d->n);
	uint64_t all[COLL_RANKS_MAX];
	int ret;

	ret = coll_allgather(&me->comm.oob, &mine, sizeof(mine), all);
	for (int r = 0; !ret && r < me->ranks; r++)
		if (all[r] != all[0])
			ret = coll_fail(me->state, COLL_FAILED,
					"rank %d has different examples than rank 0",
					r);
	return ret;
}

static int open_rank(struct tr_rank *me)
{
	int ret = open_net(me);

	if (!ret)
		ret = open_comm(me);
	if (!ret)
		ret = compare_data(me);
	if (!ret)
		ret = me->cfg->mode->open(me);
	if (ret)
		return coll_fail(me->state, COLL_FAILED, "cannot start: %s",
				 strerror(-ret));
	me->announcer.verbose = me->cfg->options.verbose;
	coll_announcer_open(&me->announcer, me->state);
	return 0;
}

static void enter_step(struct tr_rank *me, uint32_t step)
{
	me->state->step = step;
	me->now = (struct tr_report){ .step = step };
	me->account = (struct tr_account){ .sent = { 0 } };
	me->away_ns = 0;
}

static bool ends_epoch(const struct tr_rank *me, uint32_t step)
{
	return step % tr_steps_per_epoch(me->cfg) == 0 ||
	       step == me->cfg->steps;
}

/*
 * Record a step for the timeline. From the end of the step to @sync_ns, the rank waits for the
 * reports of the other ranks.
 */
static void record_step(struct tr_rank *me, uint64_t end_ns, uint64_t sync_ns)
{
	const struct coll_transport *tp = &me->comm.tp;

	coll_status_page_record(me->state, &(struct coll_record){
		.step = me->state->step,
		.start_ns = me->started_ns,
		.end_ns = end_ns,
		.sync_ns = sync_ns,
		.wait_recv_ns = tp->wait_recv_ns - me->waited_recv_ns,
		.wait_send_ns = tp->wait_send_ns - me->waited_send_ns,
		.wait_sync_ns = sync_ns - end_ns,
		.wrong = me->state->wrong,	/* the training ends with the first wrong step */
	});
}

/* Exchange the reports of all ranks, and verify the step. */
static int exchange_reports(struct tr_rank *me, uint32_t step, struct tr_report *all)
{
	uint64_t sync_ns;
	int ret;

	me->now.weights = tr_hash(me->params, me->net.n * sizeof(float));
	me->now.step_ns = rf_now_ns() - me->started_ns;
	me->now.start_ns = me->started_ns;
	coll_at(me->state, "report", 0, 0);
	coll_announce(&me->announcer, ends_epoch(me, step) ? 0 : step + 1);
	ret = coll_allgather(&me->comm.oob, &me->now, sizeof(me->now), all);
	if (ret)
		return ret;
	sync_ns = rf_now_ns();
	ret = tr_verify(me, all);
	if (ret != -EIO)
		record_step(me, me->started_ns + me->now.step_ns, sync_ns);
	return ret;
}

static int do_step(struct tr_rank *me, uint32_t step, struct tr_report *all)
{
	int ret;

	enter_step(me, step);
	tr_batch_take(me, step);
	me->started_ns = rf_now_ns();
	me->waited_recv_ns = me->comm.tp.wait_recv_ns;
	me->waited_send_ns = me->comm.tp.wait_send_ns;
	ret = tr_load(me);
	if (!ret)
		ret = me->cfg->mode->learn(me, &me->batch);
	if (!ret)
		ret = tr_checkpoint(me, step);
	return ret ? ret : exchange_reports(me, step, all);
}

/*
 * Test the neural network after a step. The test rows are processed in parts of at most one
 * batch.
 */
static int try_test(struct tr_rank *me, uint32_t step, struct tr_loss *sum)
{
	const struct tr_data *d = &me->cfg->data;
	struct tr_loss own = { 0 }, all[COLL_RANKS_MAX];
	uint32_t most = me->cfg->batch;
	int ret = 0;

	coll_at(me->state, "test", 0, 0);
	enter_step(me, 0);
	for (uint32_t i = d->train; !ret && i < d->n; i += most) {
		const struct tr_rows rows = {
			.x = d->x + (size_t)i * d->width,
			.y = d->y + i,
			.n = d->n - i < most ? d->n - i : most,
		};

		ret = me->cfg->mode->test(me, &rows, &own);
	}
	*sum = (struct tr_loss){ 0 };
	coll_announce(&me->announcer, step < me->cfg->steps ? step + 1 : 0);
	if (!ret)
		ret = coll_allgather(&me->comm.oob, &own, sizeof(own), all);
	for (int r = 0; !ret && r < me->ranks; r++) {
		sum->sum += all[r].sum;
		sum->correct += all[r].correct;
		sum->seen += all[r].seen;
	}
	return ret;
}

static int run_test(struct tr_rank *me, struct tr_show *show, uint32_t step)
{
	struct tr_loss sum;
	int ret = try_test(me, step, &sum);

	if (!ret && !me->rank)
		tr_show_test(show, step, &sum);
	return ret;
}

static int end_show(struct tr_rank *me, struct tr_show *show,
		    const struct tr_report *all)
{
	tr_show_end(show, all);
	return rf_out_failed() ?
	       coll_fail(me->state, COLL_FAILED, "standard output cannot be written") : 0;
}

/* Record the step in which this rank failed. */
static void record_failed_step(struct tr_rank *me)
{
	const struct coll_state *st = me->state;

	if (!st->step || !me->started_ns || st->failed_ns < me->started_ns)
		return;
	record_step(me, st->failed_ns, st->failed_ns);
}

static int train(struct tr_rank *me)
{
	struct tr_report all[COLL_RANKS_MAX] = { 0 };
	struct tr_show show = { 0 };
	int ret;

	if (!me->rank)
		tr_show_begin(&show, me);
	ret = run_test(me, &show, 0);
	for (uint32_t i = 1; !ret && i <= me->cfg->steps; i++) {
		ret = do_step(me, i, all);
		if (!ret && !me->rank)
			tr_show_step(&show, all);
		if (!ret && ends_epoch(me, i))
			ret = run_test(me, &show, i);
	}
	if (!ret && !me->rank)
		ret = end_show(me, &show, all);
	return ret;
}

static void close_rank(struct tr_rank *me)
{
	coll_announce(&me->announcer, 0);
	coll_announcer_close(&me->announcer);
	me->cfg->mode->close(me);
	coll_comm_close(&me->comm);
	tr_batch_close(me);
	tr_pass_free(&me->pass);
	free(me->params);
	free(me->velocity);
	free(me->grad);
	coll_star_close(&me->comm.oob);
}

/**
 * tr_rank() - run one rank until it ends
 * @cfg: the struct tr_config
 * @rank: its number
 * @state: its state in the status page
 * @star: the sockets of coll_star_create()
 *
 * A rank closes its queue pairs only after a barrier, when no other rank needs them.
 *
 * Return: how it ended; also in @state.
 */
enum coll_status tr_rank(void *cfg, int rank, struct coll_state *state,
			 int star[][2])
{
	struct tr_rank me = { .cfg = cfg, .state = state, .rank = rank };
	int ret;

	me.ranks = (int)me.cfg->ranks;
	ret = coll_comm_join(&me.comm, &me.cfg->options, rank,
			     me.ranks, state, star);
	if (!ret)
		ret = open_rank(&me);
	if (!ret)
		ret = train(&me);
	if (me.state->failed_ns)
		record_failed_step(&me);
	if (!ret || ret == -EBADMSG) {
		state->step = 0;
		ret = coll_barrier(&me.comm.oob, NULL);
	}
	close_rank(&me);
	if (!ret && state->wrong)
		state->status = COLL_WRONG;
	state->finished = true;
	return state->status;
}
