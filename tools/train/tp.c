// SPDX-License-Identifier: GPL-2.0
/*
 * Tensor parallel: every rank has a part of each layer and processes the whole batch.
 *
 * The units of the hidden layer are divided among the ranks. For all rows, a rank
 * computes its units, and from them its part of the scores. The score of a class is the
 * sum of the parts of all ranks. Each rank completes some of the rows: it receives the
 * parts of their scores from all ranks (an all-to-all) and adds them. Then it computes
 * the loss and the gradient of the loss with respect to the scores, and sends this
 * gradient to all ranks (another all-to-all). Finally, each rank computes the backward
 * pass of its own units. The messages are small and frequent: there are two exchanges
 * per micro-batch (--micro), and each rank waits for them.
 *
 * Only rank 0 has biases in the output layer; the biases of the other ranks stay 0.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "ranks.h"
#include "train.h"

/**
 * struct tp - state of the mode
 * @plan: plan of the all-to-all; each rank sends @block elements to each other rank
 * @block: @rows times the number of classes
 * @rows: maximum number of rows of a micro-batch that one rank completes
 * @mine: activations and deltas of the rows that this rank completes
 * @grad: gradient of one micro-batch
 */
struct tp {
	struct coll_plan plan;
	uint64_t block;
	uint32_t rows;
	struct tr_pass mine;
	float *grad;
};

static int tp_check(struct tr_config *cfg)
{
	if (cfg->n_hidden != 1) {
		rf_err("--hidden: %d widths given; --parallel tp needs 1 width",
		       cfg->n_hidden);
		return -EINVAL;
	}
	if (cfg->hidden[0] < cfg->ranks) {
		rf_err("--hidden %u: too small; --parallel tp needs at least %u units, one per rank",
		       cfg->hidden[0], cfg->ranks);
		return -EINVAL;
	}
	return 0;
}

static uint32_t unit_at(const struct tr_rank *me, int rank)
{
	return (uint32_t)((uint64_t)me->cfg->hidden[0] * (uint32_t)rank /
			  (uint32_t)me->ranks);
}

static void shape(struct tr_rank *me)
{
	const struct tr_net *whole = &me->cfg->net;
	const uint32_t width[] = {
		whole->width[0],
		unit_at(me, me->rank + 1) - unit_at(me, me->rank),
		whole->width[2],
	};

	tr_net_init(&me->net, width, 2);
}

/* Initialize the parameters of the whole neural network, and copy the part of this rank. */
static int tp_start(struct tr_rank *me)
{
	const struct tr_net *whole = &me->cfg->net, *own = &me->net;
	float *all = calloc(whole->n, sizeof(*all));
	uint32_t from = unit_at(me, me->rank), n = own->width[1];
	uint32_t units = whole->width[1], classes = whole->width[2];

	if (!all)
		return -ENOMEM;
	tr_net_start(whole, all, me->cfg->seed);
	for (uint32_t i = 0; i <= whole->width[0]; i++)
		memcpy(me->params + own->at[0] + (size_t)i * n,
		       all + whole->at[0] + (size_t)i * units + from,
		       n * sizeof(*all));
	memcpy(me->params + own->at[1],
	       all + whole->at[1] + (size_t)from * classes,
	       (size_t)n * classes * sizeof(*all));
	free(all);
	return 0;
}

/* Return the rows of micro-batch @m: at most ranks * tp->rows rows. */
static struct tr_rows tp_part(const struct tr_rows *all, uint32_t m,
			      uint32_t parts, uint32_t width)
{
	uint32_t from = (uint32_t)((uint64_t)all->n * m / parts);
	uint32_t to = (uint32_t)((uint64_t)all->n * (m + 1) / parts);

	return (struct tr_rows){ all->x + (size_t)from * width,
				 all->y + from, to - from };
}

static uint32_t rows_each(const struct tr_rank *me)
{
	uint32_t most = (me->cfg->batch + me->cfg->micro - 1) / me->cfg->micro;

	return (most + (uint32_t)me->ranks - 1) / (uint32_t)me->ranks;
}

static uint64_t block_length(const struct tr_rank *me)
{
	return (uint64_t)rows_each(me) * me->cfg->data.classes;
}

static void tp_memory(const struct tr_rank *me, uint64_t bytes[COLL_MEMS])
{
	bytes[COLL_SEND] = (uint64_t)me->ranks * block_length(me) * sizeof(float);
	bytes[COLL_RECV] = bytes[COLL_SEND];
}

static int tp_uses(const struct tr_rank *me, struct coll_use *uses)
{
	(void)me;
	uses[0] = (struct coll_use){ coll_find("alltoall"), COLL_DIRECT, 0 };
	return 1;
}

static int tp_open(struct tr_rank *me)
{
	struct tp *tp = calloc(1, sizeof(*tp));
	struct coll_shape s = coll_comm_shape(&me->comm, coll_type_find("float"),
					      block_length(me), 0, false);

	me->own = tp;
	if (!tp)
		return -ENOMEM;
	tp->block = block_length(me);
	tp->rows = rows_each(me);
	tp->grad = calloc(me->net.n, sizeof(float));
	if (!tp->grad || tr_pass_init(&tp->mine, &me->net, tp->rows))
		return -ENOMEM;
	return coll_plan_make(&tp->plan, coll_find("alltoall"), COLL_DIRECT, &s);
}

static void tp_close(struct tr_rank *me)
{
	struct tp *tp = me->own;

	if (!tp)
		return;
	coll_plan_free(&tp->plan);
	tr_pass_free(&tp->mine);
	free(tp->grad);
	free(tp);
}

static float *memory_of(const struct tr_rank *me, enum coll_mem_id mem)
{
	return (float *)(void *)me->comm.tp.mem[mem].addr;
}

static int all_to_all(struct tr_rank *me)
{
	const struct tp *tp = me->own;
	uint64_t bytes = tp->block * sizeof(float);
	const struct coll_run run = {
		.plan = &tp->plan,
		.type = coll_type_find("float"),
	};
	int ret = tr_run(me, &run);

	for (int r = 0; r < me->ranks; r++) {
		uint64_t at = (uint64_t)r * tp->block;

		tr_sent(me, r, memory_of(me, COLL_SEND) + at, bytes);
		tr_received(me, r, memory_of(me, COLL_RECV) + at, bytes);
	}
	return ret;
}

static uint64_t min(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Exchange the parts of the scores, and add them for the rows that this rank completes. */
static int gather_scores(struct tr_rank *me, uint32_t rows)
{
	struct tp *tp = me->own;
	uint32_t classes = me->cfg->data.classes;
	uint64_t n = (uint64_t)rows * classes;
	float *out = memory_of(me, COLL_SEND), *in = memory_of(me, COLL_RECV);
	uint64_t first = min(rows, (uint64_t)me->rank * tp->rows);
	float *score = tp->mine.act[2];
	int ret;

	memcpy(out, me->pass.act[2], n * sizeof(*out));
	memset(out + n, 0, ((uint64_t)me->ranks * tp->block - n) *
			   sizeof(*out));
	ret = all_to_all(me);
	memcpy(score, in, tp->block * sizeof(*in));
	for (uint64_t i = tp->block; i < (uint64_t)me->ranks * tp->block; i++)
		score[i % tp->block] += in[i];
	tp->mine.batch = (uint32_t)min(tp->rows, rows - first);
	return ret;
}

/* Exchange the deltas: each rank sends the deltas of the rows that it completes to all ranks. */
static int spread_deltas(struct tr_rank *me, uint32_t rows)
{
	struct tp *tp = me->own;
	uint64_t n = (uint64_t)tp->mine.batch * me->cfg->data.classes;
	float *out = memory_of(me, COLL_SEND);
	int ret;

	memcpy(out, tp->mine.delta[0], n * sizeof(*out));
	memset(out + n, 0, (tp->block - n) * sizeof(*out));
	for (int r = 1; r < me->ranks; r++)
		memcpy(out + (uint64_t)r * tp->block, out,
		       tp->block * sizeof(*out));
	ret = all_to_all(me);
	memcpy(me->pass.delta[0], memory_of(me, COLL_RECV),
	       (size_t)rows * me->cfg->data.classes * sizeof(*out));
	return ret;
}

/* Run the forward pass of a micro-batch. Compute loss and delta of the rows of this rank. */
static int tp_forward(struct tr_rank *me, const struct tr_rows *rows, float scale,
		      struct tr_loss *loss)
{
	struct tp *tp = me->own;
	uint64_t first = min(rows->n, (uint64_t)me->rank * tp->rows);
	int ret;

	tr_forward(&me->net, me->params, rows->x, rows->n, &me->pass);
	ret = gather_scores(me, rows->n);
	if (!ret)
		tr_softmax(&me->net, &tp->mine, rows->y + first, scale, loss);
	return ret;
}

static void tp_backward(struct tr_rank *me)
{
	const struct tp *tp = me->own;
	uint32_t classes = me->net.width[2];
	float *biases = tp->grad + tr_net_layer_size(&me->net, 1) - classes;

	for (int l = 1; l >= 0; l--)
		tr_backward_layer(&me->net, me->params, l, &me->pass, tp->grad);
	if (me->rank)
		memset(biases, 0, classes * sizeof(*biases));
	for (uint64_t i = 0; i < me->net.n; i++)
		me->grad[i] += tp->grad[i];
}

static int learn_part(struct tr_rank *me, const struct tr_rows *rows,
		      float scale)
{
	double share = 1.0 / me->cfg->micro;
	uint64_t begin = rf_now_ns();
	int ret;

	ret = tr_compute_until(me, begin, TR_FORWARD * share);
	if (!ret)
		ret = tp_forward(me, rows, scale, &me->now.loss);
	if (!ret)
		ret = spread_deltas(me, rows->n);
	if (ret)
		return ret;
	begin = rf_now_ns();
	tp_backward(me);
	return tr_compute_until(me, begin, (1 - TR_FORWARD) * share);
}

static int tp_learn(struct tr_rank *me, const struct tr_rows *rows)
{
	int ret = 0;

	memset(me->grad, 0, me->net.n * sizeof(float));
	for (uint32_t m = 0; !ret && m < me->cfg->micro; m++) {
		struct tr_rows some = tp_part(rows, m, me->cfg->micro,
					      me->net.width[0]);

		ret = learn_part(me, &some, 1.0f / (float)rows->n);
	}
	if (!ret)
		tr_update(&me->cfg->descent, me->params, me->velocity, me->grad,
			  me->net.n);
	me->now.busy_ns = rf_now_ns() - me->started_ns - me->away_ns;
	return ret;
}

static int tp_test(struct tr_rank *me, const struct tr_rows *rows,
		   struct tr_loss *loss)
{
	int ret = 0;

	for (uint32_t m = 0; !ret && m < me->cfg->micro; m++) {
		struct tr_rows some = tp_part(rows, m, me->cfg->micro,
					      me->net.width[0]);

		ret = tp_forward(me, &some, 1, loss);
	}
	return ret;
}

const struct tr_mode tr_mode_tp = {
	.name = "tp",
	.check = tp_check,
	.shape = shape,
	.start = tp_start,
	.memory = tp_memory,
	.uses = tp_uses,
	.open = tp_open,
	.close = tp_close,
	.learn = tp_learn,
	.test = tp_test,
};
