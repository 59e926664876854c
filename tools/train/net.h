/* SPDX-License-Identifier: GPL-2.0 */
/* The computations of a training, which need no other rank */
#ifndef TR_NET_H
#define TR_NET_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Random numbers that depend only on the seed, so they are the same on every machine. A
 * counter is incremented by an odd constant, and its bits are mixed (Steele, Lea and Flood,
 * "Fast splittable pseudorandom number generators", 2014).
 */
struct tr_random {
	uint64_t state;
};

static inline uint64_t tr_mix(uint64_t z)
{
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

static inline uint64_t tr_random(struct tr_random *r)
{
	r->state += 0x9e3779b97f4a7c15ull;
	return tr_mix(r->state);
}

/* Return a random number from 0 to n - 1. The bias is negligible: n is much less than 2^32. */
static inline uint32_t tr_below(struct tr_random *r, uint32_t n)
{
	return (uint32_t)((tr_random(r) >> 32) * n >> 32);
}

/* Return a random multiple of 2^-23 from -1 to below 1; a float represents it exactly. */
static inline float tr_symmetric(struct tr_random *r)
{
	return (float)(int32_t)(tr_random(r) >> 40) * 0x1p-23f - 1.0f;
}

/* data.c: examples, rows of numbers, each with its class */

/**
 * struct tr_data - a set of examples
 * @n: number of rows
 * @train: the first @train rows are for training, the others for testing
 * @width: numbers per row
 * @classes: number of classes: one more than the highest class
 * @x: the rows, one after the other; numbers from -1 to 1
 * @y: class of each row
 */
struct tr_data {
	uint32_t n, train, width, classes;
	float *x;
	uint8_t *y;
};

int tr_data_read(struct tr_data *d, FILE *f, const char *name);
int tr_data_get(struct tr_data *d, const char *what, uint64_t seed);
void tr_data_free(struct tr_data *d);

/* synthetic.c */
#define TR_SYNTHETIC_ROWS	2000u

int tr_data_synthetic(struct tr_data *d, uint32_t n, uint64_t seed);

/* net.c: a multilayer perceptron: its shape, the forward and backward pass, and the update */
#define TR_LAYERS_MAX	16

/**
 * struct tr_net - the shape of a neural network
 * @layers: number of layers with weights
 * @width: @width[l] is the number of inputs of layer l, @width[@layers] the number
 *	of outputs
 * @at: @at[l] is the start of layer l in the vector of parameters. A layer has
 *	@width[l] rows of @width[l + 1] weights, then @width[l + 1] biases
 * @n: number of parameters
 *
 * The last layer is first in the vector. The backward pass begins with this layer, so
 * the gradient is computed from its start to its end.
 */
struct tr_net {
	int layers;
	uint32_t width[TR_LAYERS_MAX + 1];
	uint64_t at[TR_LAYERS_MAX];
	uint64_t n;
};

/**
 * struct tr_pass - activations and deltas of a batch
 * @batch: number of rows
 * @act: @act[l] is the input of layer l, @batch rows; @act[0] belongs to the caller
 * @delta: gradient of the loss with respect to the output of a layer; two buffers,
 *	which are swapped for each layer
 */
struct tr_pass {
	uint32_t batch;
	float *act[TR_LAYERS_MAX + 1];
	float *delta[2];
};

/* Sum of the losses of @seen rows; @correct: number of rows whose class was predicted */
struct tr_loss {
	double sum;
	uint32_t correct, seen;
};

int tr_net_init(struct tr_net *net, const uint32_t *width, int layers);
uint64_t tr_net_layer_size(const struct tr_net *net, int l);
void tr_net_start(const struct tr_net *net, float *params, uint64_t seed);

int tr_pass_init(struct tr_pass *p, const struct tr_net *net, uint32_t most);
void tr_pass_free(struct tr_pass *p);

void tr_forward_layer(const struct tr_net *net, const float *params, int l,
		      struct tr_pass *p);
void tr_forward(const struct tr_net *net, const float *params, const float *x,
		uint32_t batch, struct tr_pass *p);
void tr_softmax(const struct tr_net *net, struct tr_pass *p, const uint8_t *y,
		float scale, struct tr_loss *loss);
void tr_backward_layer(const struct tr_net *net, const float *params, int l,
		       struct tr_pass *p, float *grad);

/* Stochastic gradient descent with momentum */
struct tr_descent {
	float rate, momentum;
};

void tr_update(const struct tr_descent *how, float *params, float *velocity,
	       const float *grad, uint64_t n);

/* grid.c: gradients with exact float sums, and digests that verify these sums */
#define TR_GRID_BITS	21	/* a grid step is 2^-21 */

uint64_t tr_grid_round(float *to, const float *from, uint64_t n, int ranks);

uint64_t tr_grid_digest(const float *v, uint64_t n, uint64_t at);
uint64_t tr_hash(const void *v, uint64_t bytes);

#endif
