// SPDX-License-Identifier: GPL-2.0
/*
 * Data parallel: every rank has the whole neural network and processes its share of the
 * rows of each batch. The gradients of all ranks are added, and all ranks update their
 * weights in the same way.
 *
 *	rank 0   forward | backward  | all_reduce | update
 *	rank 1   forward | backward  | all_reduce | update
 *
 * The ranks exchange the gradient, rounded so that its sums are exact (grid.c), and
 * padding up to the size of a larger model. The gradient is divided into buckets.
 * With one bucket, a rank first computes the gradient and then exchanges it. With
 * several buckets, a worker thread exchanges a bucket while the rank computes the next
 * one. This works because the gradient is computed from its start to its end:
 *
 *	computing   forward | bucket 0 | bucket 1 | bucket 2 |
 *	exchanging                     | bucket 0 | bucket 1 | bucket 2 | update
 *
 * The contribution of a rank stays in COLL_SEND. The sum over all ranks is written to
 * COLL_RECV, which is filled with NaN before each step, so that a missing element is
 * detected.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "net.h"
#include "ranks.h"
#include "train.h"

struct bucket {
	uint64_t from, to;	/* range of elements; @to is not included */
	struct coll_plan plan;
};

/**
 * struct dp - state of the mode
 * @buckets: parts of the padded gradient, which are exchanged separately
 * @length: number of elements of the padded gradient
 * @padding: digest of the padding of this rank
 * @worker: thread that exchanges buckets; used if there are several buckets
 */
struct dp {
	struct bucket *buckets;
	uint64_t length, padding;
	struct tr_worker worker;
};

static float *mem_vector(const struct tr_rank *me, enum coll_mem_id mem)
{
	return (float *)(void *)me->comm.tp.mem[mem].addr;
}

static const struct coll_collective *all_reduce(void)
{
	return coll_find("all_reduce");
}

static uint64_t bucket_at(const struct tr_config *cfg, uint32_t i)
{
	return tr_vector_length(cfg) * i / cfg->buckets;
}

static enum coll_algo algo_of(const struct tr_config *cfg)
{
	uint64_t bytes = tr_vector_length(cfg) / cfg->buckets * sizeof(float);

	if (cfg->algo != COLL_ALGOS)
		return cfg->algo;
	return coll_algo_choose(all_reduce(), (int)cfg->ranks, bytes);
}

static void dp_memory(const struct tr_rank *me, uint64_t bytes[COLL_MEMS])
{
	bytes[COLL_SEND] = tr_vector_length(me->cfg) * sizeof(float);
	bytes[COLL_RECV] = bytes[COLL_SEND];
}

static int dp_uses(const struct tr_rank *me, struct coll_use *uses)
{
	uses[0] = (struct coll_use){ all_reduce(), algo_of(me->cfg), 0 };
	return 1;
}

static int plan_bucket(struct tr_rank *me, struct bucket *b)
{
	struct coll_shape shape = coll_comm_shape(&me->comm, coll_type_find("float"),
						  b->to - b->from, 0, false);

	return coll_plan_make(&b->plan, all_reduce(), algo_of(me->cfg), &shape);
}

/* Fill the padding with small random values, so that misplaced data is detected. */
static void pad(struct tr_rank *me, struct dp *dp)
{
	uint64_t n = me->net.n, key = (uint64_t)me->rank << 32;
	float *v = mem_vector(me, COLL_SEND);

	for (uint64_t i = n; i < dp->length; i++)
		v[i] = (float)(tr_mix(key + i) & 0xff) / (1u << TR_GRID_BITS);
	dp->padding = tr_grid_digest(v + n, dp->length - n, n);
}

static int travel(void *arg, uint32_t i)
{
	struct tr_rank *me = arg;
	const struct dp *dp = me->own;
	uint64_t at = dp->buckets[i].from * sizeof(float);
	const struct coll_run run = {
		.plan = &dp->buckets[i].plan,
		.type = coll_type_find("float"),
		.op = coll_op_find("sum"),
		.base = { at, at },
	};

	return coll_comm_run(&me->comm, &run);
}

static int open_buckets(struct tr_rank *me, struct dp *dp)
{
	int ret = 0;

	for (uint32_t i = 0; !ret && i < me->cfg->buckets; i++) {
		dp->buckets[i].from = bucket_at(me->cfg, i);
		dp->buckets[i].to = bucket_at(me->cfg, i + 1);
		ret = plan_bucket(me, &dp->buckets[i]);
	}
	return ret;
}

static uint64_t messages_to(const struct tr_rank *me, int peer)
{
	const struct dp *dp = me->own;
	uint64_t n = 0;

	for (uint32_t i = 0; i < me->cfg->buckets; i++)
		n += coll_plan_messages(&dp->buckets[i].plan, peer, COLL_ACT_SEND);
	return n;
}

/*
 * Compute the number of messages per flow, in a step and in the job. The module needs these
 * numbers for rules with a negative message number, which counts messages from the last
 * one. They are announced to the module only if they are equal for all flows.
 */
static void count_flow_messages(struct tr_rank *me)
{
	bool same = !me->cfg->load_bytes && !me->cfg->checkpoint_bytes;
	uint32_t qps = me->comm.options->qps;
	uint64_t each = 0;

	for (int r = 0; r < me->ranks; r++) {
		uint64_t n = messages_to(me, r);

		same &= !n || !each || n == each;
		each = n ? n : each;
	}
	if (!same)
		return;
	me->announcer.messages = coll_messages_each(each, qps);
	me->announcer.messages_total =
		coll_messages_each(each * me->cfg->steps, qps);
}

static int dp_open(struct tr_rank *me)
{
	struct dp *dp = calloc(1, sizeof(*dp));
	int ret;

	me->own = dp;
	if (dp)
		dp->buckets = calloc(me->cfg->buckets, sizeof(*dp->buckets));
	if (!dp || !dp->buckets)
		return -ENOMEM;
	dp->length = tr_vector_length(me->cfg);
	ret = open_buckets(me, dp);
	if (ret)
		return ret;
	pad(me, dp);
	count_flow_messages(me);
	if (me->cfg->buckets == 1)
		return 0;
	dp->worker.job = travel;
	dp->worker.arg = me;
	return tr_worker_start(&dp->worker);
}

static void dp_close(struct tr_rank *me)
{
	struct dp *dp = me->own;

	if (!dp)
		return;
	tr_worker_stop(&dp->worker);
	for (uint32_t i = 0; dp->buckets && i < me->cfg->buckets; i++)
		coll_plan_free(&dp->buckets[i].plan);
	free(dp->buckets);
	free(dp);
}

/* Return the rows of this rank. The numbers of rows of two ranks differ by at most one. */
static struct tr_rows share(const struct tr_rank *me, const struct tr_rows *all)
{
	uint32_t n = (uint32_t)me->ranks, r = (uint32_t)me->rank;
	uint32_t from = (uint32_t)((uint64_t)all->n * r / n);
	uint32_t to = (uint32_t)((uint64_t)all->n * (r + 1) / n);

	return (struct tr_rows){
		.x = all->x + (size_t)from * me->net.width[0],
		.y = all->y + from,
		.n = to - from,
	};
}

/*
 * Round the values of bucket @i, which is complete. If there are several buckets, let the
 * worker exchange this bucket.
 */
static void release_bucket(struct tr_rank *me, uint32_t i)
{
	struct dp *dp = me->own;
	uint64_t from = dp->buckets[i].from, to = dp->buckets[i].to;

	if (from < me->net.n)
		me->now.cut +=
			tr_grid_round(mem_vector(me, COLL_SEND) + from,
				      me->grad + from,
				      (to < me->net.n ? to : me->net.n) - from,
				      me->ranks);
	if (me->cfg->buckets > 1)
		tr_worker_give(&dp->worker);
}

/* Run the backward pass from the last layer to the first. Release each bucket that is complete. */
static int dp_backward(struct tr_rank *me, uint64_t begin)
{
	const struct dp *dp = me->own;
	int l = me->net.layers - 1, ret = 0;
	uint64_t ready = 0;

	for (uint32_t i = 0; !ret && i < me->cfg->buckets; i++) {
		uint64_t to = dp->buckets[i].to;

		for (; l >= 0 && ready < to; l--) {
			tr_backward_layer(&me->net, me->params, l, &me->pass,
					  me->grad);
			ready += tr_net_layer_size(&me->net, l);
		}
		ret = tr_compute_until(me, begin, TR_FORWARD +
				       (1 - TR_FORWARD) * (double)to /
				       (double)dp->length);
		if (!ret)
			release_bucket(me, i);
	}
	return ret;
}

static int exchange_gradients(struct tr_rank *me)
{
	struct dp *dp = me->own;

	if (me->cfg->buckets == 1)
		return travel(me, 0);
	return tr_worker_wait(&dp->worker, me->cfg->buckets);
}

static void prove(struct tr_rank *me)
{
	const struct dp *dp = me->own;

	if (me->cfg->unchecked)
		return;
	me->now.given = dp->padding +
			tr_grid_digest(mem_vector(me, COLL_SEND), me->net.n, 0);
	me->now.got = tr_grid_digest(mem_vector(me, COLL_RECV), dp->length, 0);
}

static int dp_learn(struct tr_rank *me, const struct tr_rows *rows)
{
	const struct dp *dp = me->own;
	struct tr_rows own = share(me, rows);
	uint64_t begin = rf_now_ns();
	int ret;

	memset(mem_vector(me, COLL_RECV), 0xff, dp->length * sizeof(float));
	tr_forward(&me->net, me->params, own.x, own.n, &me->pass);
	tr_softmax(&me->net, &me->pass, own.y, 1.0f / (float)rows->n,
		   &me->now.loss);
	ret = tr_compute_until(me, begin, TR_FORWARD);
	if (!ret)
		ret = dp_backward(me, begin);
	me->now.busy_ns = rf_now_ns() - begin;
	if (!ret)
		ret = exchange_gradients(me);
	if (ret)
		return ret;
	tr_update(&me->cfg->descent, me->params, me->velocity,
		  mem_vector(me, COLL_RECV), me->net.n);
	prove(me);
	return 0;
}

static int dp_test(struct tr_rank *me, const struct tr_rows *rows,
		   struct tr_loss *loss)
{
	struct tr_rows own = share(me, rows);

	tr_forward(&me->net, me->params, own.x, own.n, &me->pass);
	tr_softmax(&me->net, &me->pass, own.y, 1, loss);
	return 0;
}

const struct tr_mode tr_mode_dp = {
	.name = "dp",
	.alike = true,
	.memory = dp_memory,
	.uses = dp_uses,
	.open = dp_open,
	.close = dp_close,
	.learn = dp_learn,
	.test = dp_test,
};
