// SPDX-License-Identifier: GPL-2.0
/*
 * The neural network.
 *
 *	forward:   a[l+1] = max(0, a[l] W[l] + b[l]); no max in the last layer
 *	loss:      cross entropy of softmax(a[L]) and the correct class
 *	backward:  d[L] = softmax(a[L]) - correct class, times a scale;
 *		   dW[l] = a[l]' d[l+1], db[l] = sum of d[l+1],
 *		   d[l] = d[l+1] W[l]', where a[l] is above 0
 *
 * x' is the transpose of x. The scale is 1 / rows of the whole batch, over all ranks. The
 * gradient of the mean loss is then the sum of the gradients of the ranks, however the
 * batch is divided.
 *
 * All functions depend only on their arguments. Each sum has a fixed order, so a
 * rank computes the same bits in every run. The inner loops run along rows of
 * weights, without sums, so the compiler can vectorize them without changing a
 * result. Half of the inputs are 0, and their rows are skipped.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "net.h"

/**
 * tr_net_init() - compute the layout of the parameters
 * @net: gets the shape
 * @width: @layers + 1 widths, from the input to the classes
 * @layers: number of layers with weights
 *
 * Return: 0, or -EINVAL if there are too many layers.
 */
int tr_net_init(struct tr_net *net, const uint32_t *width, int layers)
{
	if (layers < 1 || layers > TR_LAYERS_MAX)
		return -EINVAL;
	*net = (struct tr_net){ .layers = layers };
	memcpy(net->width, width, (size_t)(layers + 1) * sizeof(*width));
	for (int l = layers - 1; l >= 0; l--) {
		net->at[l] = net->n;
		net->n += tr_net_layer_size(net, l);
	}
	return 0;
}

/** tr_net_layer_size() - get the number of parameters of layer @l: weights and biases */
uint64_t tr_net_layer_size(const struct tr_net *net, int l)
{
	return (uint64_t)(net->width[l] + 1) * net->width[l + 1];
}

/**
 * tr_net_start() - initialize the parameters
 * @net: the shape
 * @params: gets the parameters
 * @seed: seed of the random numbers
 *
 * Weights are uniformly distributed in +-sqrt(6 / inputs), which keeps the variance
 * of the activations (He et al., "Delving deep into rectifiers", 2015);
 * biases are 0.
 */
void tr_net_start(const struct tr_net *net, float *params, uint64_t seed)
{
	struct tr_random r = { tr_mix(seed ^ 0x77656967687473ull) };

	for (int l = 0; l < net->layers; l++) {
		uint64_t weights = (uint64_t)net->width[l] * net->width[l + 1];
		float limit = sqrtf(6.0f / (float)net->width[l]);
		float *w = params + net->at[l];

		for (uint64_t i = 0; i < weights; i++)
			w[i] = limit * tr_symmetric(&r);
		memset(w + weights, 0, net->width[l + 1] * sizeof(*w));
	}
}

/**
 * tr_pass_init() - allocate memory for a batch
 * @p: gets the memory
 * @net: the shape
 * @most: rows of the largest batch
 *
 * Return: 0 or -ENOMEM.
 */
int tr_pass_init(struct tr_pass *p, const struct tr_net *net, uint32_t most)
{
	uint32_t widest = net->width[0];
	bool fine = true;

	*p = (struct tr_pass){ 0 };
	for (int l = 1; l <= net->layers; l++) {
		p->act[l] = calloc((size_t)most * net->width[l] + 1,
				   sizeof(float));
		fine &= !!p->act[l];
		if (net->width[l] > widest)
			widest = net->width[l];
	}
	for (int i = 0; i < 2; i++) {
		p->delta[i] = calloc((size_t)most * widest + 1, sizeof(float));
		fine &= !!p->delta[i];
	}
	return fine ? 0 : -ENOMEM;
}

/** tr_pass_free() - release the resources of tr_pass_init() */
void tr_pass_free(struct tr_pass *p)
{
	for (int l = 1; l <= TR_LAYERS_MAX; l++)
		free(p->act[l]);
	for (int i = 0; i < 2; i++)
		free(p->delta[i]);
	*p = (struct tr_pass){ 0 };
}

/* y += a * x */
static void add_scaled(float *restrict y, float a, const float *restrict x,
		       uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		y[i] += a * x[i];
}

/* Dot product. Four independent partial sums are faster than a single sum. */
static float product(const float *a, const float *b, uint32_t n)
{
	float s[4] = { 0 };
	uint32_t i = 0;

	for (; i + 4 <= n; i += 4)
		for (uint32_t j = 0; j < 4; j++)
			s[j] += a[i + j] * b[i + j];
	for (; i < n; i++)
		s[i % 4] += a[i] * b[i];
	return (s[0] + s[1]) + (s[2] + s[3]);
}

/** tr_forward_layer() - compute @p->act[l + 1] from @p->act[l] */
void tr_forward_layer(const struct tr_net *net, const float *params, int l,
		      struct tr_pass *p)
{
	uint32_t in = net->width[l], out = net->width[l + 1];
	const float *w = params + net->at[l], *bias = w + (size_t)in * out;
	bool last = l == net->layers - 1;

	for (uint32_t b = 0; b < p->batch; b++) {
		const float *x = p->act[l] + (size_t)b * in;
		float *y = p->act[l + 1] + (size_t)b * out;

		memcpy(y, bias, out * sizeof(*y));
		for (uint32_t i = 0; i < in; i++)
			if (x[i] != 0)
				add_scaled(y, x[i], w + (size_t)i * out, out);
		for (uint32_t i = 0; !last && i < out; i++)
			y[i] = y[i] > 0 ? y[i] : 0;
	}
}

/** tr_forward() - compute all layers for the @batch rows at @x */
void tr_forward(const struct tr_net *net, const float *params, const float *x,
		uint32_t batch, struct tr_pass *p)
{
	p->batch = batch;
	p->act[0] = (float *)x;
	for (int l = 0; l < net->layers; l++)
		tr_forward_layer(net, params, l, p);
}

/*
 * Convert scores to probabilities. Return: number of other classes whose score is not less
 * than the score of the correct class @right
 */
static uint32_t to_probabilities(float *v, uint32_t n, uint8_t right)
{
	float most = v[0], sum = 0;
	uint32_t rivals = 0;

	for (uint32_t i = 0; i < n; i++) {
		most = v[i] > most ? v[i] : most;
		rivals += i != right && v[i] >= v[right];
	}
	for (uint32_t i = 0; i < n; i++) {
		v[i] = expf(v[i] - most);
		sum += v[i];
	}
	for (uint32_t i = 0; i < n; i++)
		v[i] /= sum;
	return rivals;
}

/**
 * tr_softmax() - compute the loss of the output, and its gradient
 * @net: the shape
 * @p: the batch, after the forward pass
 * @y: correct classes
 * @scale: scale of the gradient: 1 / rows of the batch over all ranks
 * @loss: the loss of these rows is added to it
 *
 * Sets @p->delta[0] to the delta of the last layer, where the backward pass begins.
 */
void tr_softmax(const struct tr_net *net, struct tr_pass *p, const uint8_t *y,
		float scale, struct tr_loss *loss)
{
	uint32_t n = net->width[net->layers];
	float *out = p->act[net->layers];

	for (uint32_t b = 0; b < p->batch; b++, out += n) {
		float *delta = p->delta[0] + (size_t)b * n;

		memcpy(delta, out, n * sizeof(*out));
		loss->correct += !to_probabilities(delta, n, y[b]);
		loss->seen++;
		loss->sum -= logf(fmaxf(delta[y[b]], 0x1p-126f));
		delta[y[b]] -= 1;
		for (uint32_t i = 0; i < n; i++)
			delta[i] *= scale;
	}
}

/*
 * Add the gradient of one layer for one row. The gradient of the weights is x' delta, where
 * x' is the transpose of x. The gradient of the biases follows the weights in @grad.
 */
static void add_outer(float *grad, const float *x, const float *delta,
		      uint32_t in, uint32_t out)
{
	for (uint32_t i = 0; i < in; i++)
		if (x[i] != 0)
			add_scaled(grad + (size_t)i * out, x[i], delta, out);
	add_scaled(grad + (size_t)in * out, 1, delta, out);
}

static void to_inputs(float *below, const float *w, const float *x,
		      const float *delta, uint32_t in, uint32_t out)
{
	for (uint32_t i = 0; i < in; i++)
		below[i] = x[i] > 0 ?
			   product(w + (size_t)i * out, delta, out) : 0;
}

/**
 * tr_backward_layer() - compute the gradient of one layer, and the delta of the layer below
 * @net: the shape
 * @params: the parameters
 * @l: the layer
 * @p: the batch
 * @grad: gradient of the whole neural network; the part of the layer is filled in
 *
 * Replaces @p->delta[0] by the delta of the layer below.
 */
void tr_backward_layer(const struct tr_net *net, const float *params, int l,
		       struct tr_pass *p, float *grad)
{
	uint32_t in = net->width[l], out = net->width[l + 1];
	float *above = p->delta[0], *below = p->delta[1];
	const float *w = params + net->at[l];

	memset(grad + net->at[l], 0, tr_net_layer_size(net, l) * sizeof(*grad));
	for (uint32_t b = 0; b < p->batch; b++) {
		const float *x = p->act[l] + (size_t)b * in;
		const float *delta = above + (size_t)b * out;

		add_outer(grad + net->at[l], x, delta, in, out);
		if (l)
			to_inputs(below + (size_t)b * in, w, x, delta, in, out);
	}
	p->delta[0] = below;
	p->delta[1] = above;
}

/** tr_update() - update the parameters: v = momentum * v + g; w = w - rate * v */
void tr_update(const struct tr_descent *how, float *params, float *velocity,
	       const float *grad, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++) {
		velocity[i] = how->momentum * velocity[i] + grad[i];
		params[i] -= how->rate * velocity[i];
	}
}
