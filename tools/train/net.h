/* SPDX-License-Identifier: GPL-2.0 */
/* A multilayer perceptron: its shape, the forward and backward pass, and the update. */
#ifndef TR_NET_H
#define TR_NET_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
