/* SPDX-License-Identifier: GPL-2.0 */
/* A multilayer perceptron: its shape, and the three passes of a step. */
#ifndef TR_NET_H
#define TR_NET_H

#include <stdbool.h>
#include <stdint.h>

#define TR_LAYERS_MAX	16

/**
 * struct tr_net - the shape of a network
 * @layers: of weights
 * @width: @width[l] numbers go into layer l, @width[@layers] come out at last
 * @at: where layer l begins in the vector of parameters: @width[l] rows of
 *	@width[l + 1] weights, then as many biases
 * @n: parameters
 *
 * The last layer comes first in the vector, and so on backwards: so the
 * gradient becomes ready from its begin to its end.
 */
struct tr_net {
	int layers;
	uint32_t width[TR_LAYERS_MAX + 1];
	uint64_t at[TR_LAYERS_MAX];
	uint64_t n;
};

/**
 * struct tr_pass - what a batch leaves behind on its way through
 * @batch: rows
 * @act: @act[l] is what goes into layer l, @batch rows; @act[0] isn't owned
 * @delta: gradient of the loss by the output of a layer, two in turn
 */
struct tr_pass {
	uint32_t batch;
	float *act[TR_LAYERS_MAX + 1];
	float *delta[2];
};

/* What was lost, and how often the right class had the highest score */
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
