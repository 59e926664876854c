// SPDX-License-Identifier: GPL-2.0
/*
 * Test the neural network of train. Its gradient must equal finite differences of the loss.
 * The sum of the gradients of the parts of a training batch must be the gradient of the
 * whole batch. The loss must decrease during the training.
 */
#include <math.h>
#include <stdlib.h>

#include "../../tools/base/err.c"
#include "../../tools/base/waiting.c"
#include "../../tools/base/text.c"
#include "../../tools/train/data.c"
#include "../../tools/train/grid.c"
#include "../../tools/train/net.c"
#include "../../tools/train/synthetic.c"
#include "tap.h"

#define ROWS	24u

static struct tr_data data;
static struct tr_net net;
static float *params;

static void set_up(const uint32_t *width, int layers)
{
	tr_net_init(&net, width, layers);
	params = calloc(net.n, sizeof(*params));
	tr_net_start(&net, params, 7);
}

/*
 * Compute the gradient of the loss, multiplied by @scale, over @rows rows of the data set,
 * starting with row @first.
 */
static void gradient(uint32_t first, uint32_t rows, float scale, float *grad,
		     struct tr_loss *loss)
{
	struct tr_pass pass;

	tr_pass_init(&pass, &net, rows);
	tr_forward(&net, params, data.x + (size_t)first * data.width, rows,
		   &pass);
	tr_softmax(&net, &pass, data.y + first, scale, loss);
	for (int l = net.layers - 1; l >= 0; l--)
		tr_backward_layer(&net, params, l, &pass, grad);
	tr_pass_free(&pass);
}

static double loss_of_all(void)
{
	float *grad = calloc(net.n, sizeof(*grad));
	struct tr_loss loss = { 0 };

	gradient(0, ROWS, 1, grad, &loss);
	free(grad);
	return loss.sum;
}

/*
 * Compare the gradient of the loss L with (L(w + h) - L(w - h)) / 2h, for each parameter
 * w. A few parameters can differ: the loss is not smooth where the input of a ReLU unit
 * is zero.
 */
static void gradient_is_that_of_the_loss_ok(const char *name)
{
	float *grad = calloc(net.n, sizeof(*grad)), h = 1e-3f;
	struct tr_loss loss = { 0 };
	uint64_t off = 0, big = 0;

	gradient(0, ROWS, 1, grad, &loss);
	for (uint64_t i = 0; i < net.n; i++) {
		float was = params[i];
		double up, down, slope;

		params[i] = was + h;
		up = loss_of_all();
		params[i] = was - h;
		down = loss_of_all();
		params[i] = was;
		slope = (up - down) / (2 * (double)h);
		big += fabs(slope) > 0.1;
		off += fabs(slope - grad[i]) > 0.02 + 0.02 * fabs(slope);
	}
	ok(big > net.n / 4 && off <= net.n / 100,
	   "network %s: gradient and finite differences agree (%llu of %llu parameters differ)",
	   name, (unsigned long long)off, (unsigned long long)net.n);
	free(grad);
}

/*
 * Divide the training batch into @ranks parts. The sum of the gradients of the parts must
 * be the gradient of the whole batch.
 */
static void shares_add_up_ok(uint32_t ranks)
{
	float *whole = calloc(net.n, sizeof(*whole));
	float *part = calloc(net.n, sizeof(*part));
	float *sum = calloc(net.n, sizeof(*sum));
	struct tr_loss one = { 0 }, many = { 0 };
	double most = 0;

	gradient(0, ROWS, 1.0f / ROWS, whole, &one);
	for (uint32_t r = 0; r < ranks; r++) {
		uint32_t from = ROWS * r / ranks, to = ROWS * (r + 1) / ranks;

		gradient(from, to - from, 1.0f / ROWS, part, &many);
		for (uint64_t i = 0; i < net.n; i++)
			sum[i] += part[i];
	}
	for (uint64_t i = 0; i < net.n; i++)
		most = fmax(most, fabs(sum[i] - whole[i]));
	ok(most < 1e-6, "%u parts of a batch: the sum of their gradients is that of the whole batch within %g",
	   ranks, most);
	ok(fabs(one.sum - many.sum) < 1e-9 && one.correct == many.correct &&
	   many.seen == ROWS, "%u parts of a batch: loss and correct rows are those of the whole batch",
	   ranks);
	free(whole);
	free(part);
	free(sum);
}

static void layers_are_ready_in_order_ok(void)
{
	uint64_t at = 0;

	for (int l = net.layers - 1; l >= 0; l--) {
		ok(net.at[l] == at, "the gradient of layer %d starts at %llu, after those of later layers", l,
		   (unsigned long long)at);
		at += tr_net_layer_size(&net, l);
	}
	ok(net.n == at, "the layers have %llu parameters in all",
	   (unsigned long long)at);
}

static void it_learns_ok(void)
{
	float *grad = calloc(net.n, sizeof(*grad));
	float *velocity = calloc(net.n, sizeof(*velocity));
	const struct tr_descent how = { 0.1f, 0.9f };
	struct tr_loss first = { 0 }, last = { 0 };

	gradient(0, data.n, 1, grad, &first);
	for (int i = 0; i < 300; i++) {
		struct tr_loss loss = { 0 };

		gradient(i * 20 % data.n, 20, 1.0f / 20, grad, &loss);
		tr_update(&how, params, velocity, grad, net.n);
	}
	gradient(0, data.n, 1, grad, &last);
	ok(first.correct < data.n / 4 && last.correct > data.n * 9 / 10,
	   "300 steps of training raise the correct rows from %u to %u of %u", first.correct, last.correct,
	   data.n);
	free(grad);
	free(velocity);
}

static void descent_ok(void)
{
	const struct tr_descent how = { 0.5f, 0.25f };
	float w = 1, v = 2, g = 4;

	tr_update(&how, &w, &v, &g, 1);
	ok(v == 4.5f && w == -1.25f, "tr_update() computes v = momentum * v + g, w = w - rate * v");
}

int main(void)
{
	const uint32_t two[] = { 64, 8, 10 }, three[] = { 64, 7, 5, 10 };
	const uint32_t none[TR_LAYERS_MAX + 2] = { 0 };

	tr_data_synthetic(&data, 400, 3);
	set_up(two, 2);
	gradient_is_that_of_the_loss_ok("64-8-10");
	shares_add_up_ok(2);
	shares_add_up_ok(5);
	shares_add_up_ok(ROWS);
	layers_are_ready_in_order_ok();
	it_learns_ok();
	free(params);
	set_up(three, 3);
	gradient_is_that_of_the_loss_ok("64-7-5-10");
	layers_are_ready_in_order_ok();
	free(params);
	ok(tr_net_init(&net, none, TR_LAYERS_MAX + 1) == -EINVAL &&
	   tr_net_init(&net, none, 0) == -EINVAL,
	   "tr_net_init() refuses 0 layers and more than the maximum");
	descent_ok();
	tr_data_free(&data);
	return done_testing();
}
