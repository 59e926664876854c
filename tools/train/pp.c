// SPDX-License-Identifier: GPL-2.0
/*
 * Pipeline parallel: every rank has one layer, and the rows pass through the ranks.
 *
 *	rank 0   1 2 3 4             4 3 2 1
 *	rank 1     1 2 3 4         4 3 2 1
 *	rank 2       1 2 3 4     4 3 2 1
 *	rank 3         1 2 3 4 4 3 2 1
 *
 * A batch is divided into micro-batches (--micro). Each micro-batch passes forward
 * through the chain of ranks. After the last one, the micro-batches pass backward in
 * reverse order. Most ranks therefore compute at the same time (Huang et al., "GPipe",
 * 2019). In the forward pass, a rank sends the output of its layer to the next rank. In
 * the backward pass, it receives the gradient of the loss with respect to this output.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "ranks.h"
#include "train.h"

/**
 * struct pp - state of the mode
 * @parts: activations of each micro-batch, which the backward pass needs
 * @grad: gradient of one micro-batch
 */
struct pp {
	struct tr_pass *parts;
	float *grad;
};

static int pp_check(struct tr_config *cfg)
{
	int want = (int)cfg->ranks - 1;

	if (want < 1 || want >= TR_LAYERS_MAX) {
		rf_err("--parallel pp: %u ranks: out of range; 2 to %d, because each rank has one layer",
		       cfg->ranks, TR_LAYERS_MAX);
		return -EINVAL;
	}
	if (cfg->n_hidden == 1)
		while (cfg->n_hidden < want)
			cfg->hidden[cfg->n_hidden++] = cfg->hidden[0];
	if (cfg->n_hidden != want) {
		rf_err("--hidden: %d widths given; --parallel pp needs %d with %u ranks, or 1 for all layers",
		       cfg->n_hidden, want, cfg->ranks);
		return -EINVAL;
	}
	return 0;
}

static uint32_t most_rows(const struct tr_rank *me)
{
	return (me->cfg->batch + me->cfg->micro - 1) / me->cfg->micro;
}

static void pp_memory(const struct tr_rank *me, uint64_t bytes[COLL_MEMS])
{
	uint32_t widest = 0;

	for (int l = 1; l < me->net.layers; l++)
		if (me->net.width[l] > widest)
			widest = me->net.width[l];
	bytes[COLL_SEND] = (uint64_t)most_rows(me) * widest * sizeof(float);
	bytes[COLL_RECV] = bytes[COLL_SEND];
}

static int pp_uses(const struct tr_rank *me, struct coll_use *uses)
{
	(void)me;
	uses[0] = (struct coll_use){ &tr_chain, COLL_DIRECT, 0 };
	return 1;
}

static int pp_open(struct tr_rank *me)
{
	struct pp *pp = calloc(1, sizeof(*pp));

	me->own = pp;
	if (!pp)
		return -ENOMEM;
	pp->grad = calloc(me->net.n, sizeof(float));
	pp->parts = calloc(me->cfg->micro, sizeof(*pp->parts));
	if (!pp->grad || !pp->parts)
		return -ENOMEM;
	for (uint32_t m = 0; m < me->cfg->micro; m++)
		if (tr_pass_init(&pp->parts[m], &me->net, most_rows(me)))
			return -ENOMEM;
	return 0;
}

static void pp_close(struct tr_rank *me)
{
	struct pp *pp = me->own;

	if (!pp)
		return;
	for (uint32_t m = 0; pp->parts && m < me->cfg->micro; m++)
		tr_pass_free(&pp->parts[m]);
	free(pp->parts);
	free(pp->grad);
	free(pp);
}

/* Send @rows rows of @width numbers to @peer, which is a neighbor in the chain. */
static int send_rows(struct tr_rank *me, int peer, const float *v, uint32_t rows,
		     uint32_t width, const char *doing)
{
	uint64_t bytes = (uint64_t)rows * width * sizeof(*v);

	memcpy(me->comm.tp.mem[COLL_SEND].addr, v, bytes);
	tr_sent(me, peer, v, bytes);
	return tr_send(me, peer, 0, bytes, doing);
}

static int take_over(struct tr_rank *me, int peer, float *v, uint32_t rows,
		     uint32_t width, const char *doing)
{
	uint64_t bytes = (uint64_t)rows * width * sizeof(*v);
	int ret = tr_recv(me, peer, 0, bytes, doing);

	memcpy(v, me->comm.tp.mem[COLL_RECV].addr, bytes);
	tr_received(me, peer, v, bytes);
	return ret;
}

/* Compute the layer of this rank for @rows. The last rank also computes the loss. */
static int pp_forward(struct tr_rank *me, const struct tr_rows *rows,
		      struct tr_pass *p, float scale, struct tr_loss *loss,
		      double share)
{
	const struct tr_net *net = &me->net;
	int l = me->rank, ret = 0;
	uint64_t begin;

	p->batch = rows->n;
	if (!l)
		p->act[0] = (float *)rows->x;
	else
		ret = take_over(me, l - 1, p->act[l], rows->n, net->width[l],
				"forward");
	begin = rf_now_ns();
	tr_forward_layer(net, me->params, l, p);
	if (l == net->layers - 1)
		tr_softmax(net, p, rows->y, scale, loss);
	if (!ret)
		ret = tr_compute_until(me, begin, TR_FORWARD * share);
	if (!ret && l < net->layers - 1)
		ret = send_rows(me, l + 1, p->act[l + 1], rows->n,
				net->width[l + 1], "forward");
	return ret;
}

static int pp_backward(struct tr_rank *me, struct tr_pass *p, double share)
{
	const struct tr_net *net = &me->net;
	struct pp *pp = me->own;
	int l = me->rank, ret = 0;
	uint64_t begin;

	if (l < net->layers - 1)
		ret = take_over(me, l + 1, p->delta[0], p->batch,
				net->width[l + 1], "backward");
	begin = rf_now_ns();
	tr_backward_layer(net, me->params, l, p, pp->grad);
	for (uint64_t i = 0; i < tr_net_layer_size(net, l); i++)
		me->grad[net->at[l] + i] += pp->grad[net->at[l] + i];
	if (!ret)
		ret = tr_compute_until(me, begin, (1 - TR_FORWARD) * share);
	if (!ret && l)
		ret = send_rows(me, l - 1, p->delta[0], p->batch, net->width[l],
				"backward");
	return ret;
}

static struct tr_rows pp_part(const struct tr_rank *me, const struct tr_rows *all,
			      uint32_t m)
{
	uint64_t n = all->n, parts = me->cfg->micro;
	uint32_t from = (uint32_t)(n * m / parts);
	uint32_t to = (uint32_t)(n * (m + 1) / parts);

	return (struct tr_rows){ all->x + (size_t)from * me->net.width[0],
				 all->y + from, to - from };
}

/* Forward pass of all micro-batches */
static int all_forward(struct tr_rank *me, const struct tr_rows *rows,
		       float scale, struct tr_loss *loss, double share)
{
	struct pp *pp = me->own;
	int ret = 0;

	for (uint32_t m = 0; !ret && m < me->cfg->micro; m++) {
		struct tr_rows some = pp_part(me, rows, m);

		ret = pp_forward(me, &some, &pp->parts[m], scale, loss, share);
	}
	return ret;
}

static int pp_learn(struct tr_rank *me, const struct tr_rows *rows)
{
	const struct tr_net *net = &me->net;
	uint64_t at = net->at[me->rank], n = tr_net_layer_size(net, me->rank);
	double share = 1.0 / me->cfg->micro;
	struct pp *pp = me->own;
	int ret;

	memset(me->grad + at, 0, n * sizeof(float));
	ret = all_forward(me, rows, 1.0f / (float)rows->n, &me->now.loss,
			  share);
	for (uint32_t m = me->cfg->micro; !ret && m-- > 0;)
		ret = pp_backward(me, &pp->parts[m], share);
	if (!ret)
		tr_update(&me->cfg->descent, me->params + at, me->velocity + at,
			  me->grad + at, n);
	me->now.busy_ns = rf_now_ns() - me->started_ns - me->away_ns;
	return ret;
}

static int pp_test(struct tr_rank *me, const struct tr_rows *rows,
		   struct tr_loss *loss)
{
	return all_forward(me, rows, 1, loss, 0);
}

const struct tr_mode tr_mode_pp = {
	.name = "pp",
	.check = pp_check,
	.memory = pp_memory,
	.uses = pp_uses,
	.open = pp_open,
	.close = pp_close,
	.learn = pp_learn,
	.test = pp_test,
};
