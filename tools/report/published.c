// SPDX-License-Identifier: GPL-2.0
/*
 * Figures that pages for network engineers print of training, each with what
 * it is reckoned from. A page is called by its title:
 *
 *   why    Why the Network Matters
 *   what   What AI Does to Your Network
 *   opt    AI-Optimized Networking
 *   arrcus a blog of Arrcus on lossless fabrics, September 2025
 *
 * Their arithmetic is nearly always right; where it isn't, or where it reckons
 * something else than happens, the row says why.
 */
#include <math.h>
#include <stdio.h>

#include "reckon.h"
#include "run.h"

#define M 1e6
#define B 1e9
#define T 1e12
#define G400 400e9
#define HOUR 3600.0
#define H100 30.0		/* dollars an hour, on both pages */

/* in: parameters, bytes of each */
static double model(const double *in)
{
	return rf_gradient(in[0], in[1]);
}

/* in: bytes, NICs, rate */
static double once(const double *in)
{
	const struct rf_net net = { .nics = in[1], .rate = in[2], .ranks = 1 };

	return rf_move_once(in[0], &net);
}

/* in: bytes, NICs, rate, ranks */
static double ring(const double *in)
{
	const struct rf_net net = { .nics = in[1], .rate = in[2], .ranks = in[3] };

	return rf_move_ring(in[0], &net);
}

/* in: GPUs, seconds, share of them that is lost */
static double dollars(const double *in)
{
	return rf_cost(in[1] * in[2] * 1e9, in[0], H100);
}

static double ratio(const double *in)
{
	return in[0] / in[1];
}

static double product(const double *in)
{
	return in[0] * in[1];
}

/* in: ranks */
static double passes(const double *in)
{
	return 2 * (in[0] - 1);
}

#define MODEL(what, printed, value, place, params, bytes)		\
	{ "what", what, printed, value, place, model, { params, bytes }, \
	  "B", NULL }
#define GPUS(page, what, printed, value, place, gpus, seconds, share, note) \
	{ page, what, printed, value, place, dollars,			\
	  { gpus, seconds, share }, "$", note }

/* what 2(n-1)/n does to the pages' reckoning */
#define RING_NOTE "a ring moves 2(n-1)/n of the gradient by each rank, not the gradient once"

const struct rf_figure rf_figures[] = {
	MODEL("ResNet-50, 25 M parameters in FP32", "100 MB", 100 * M, M, 25 * M, 4),
	MODEL("Llama 2 7B in FP32", "28 GB", 28 * B, B, 7 * B, 4),
	MODEL("GPT-3, 175 B parameters in FP32", "700 GB", 700 * B, B, 175 * B, 4),
	MODEL("Llama 3 405B in FP32", "1.6 TB", 1.6 * T, T / 10, 405 * B, 4),
	MODEL("GPT-4, 1.8 T parameters (an estimate) in FP32", "7.2 TB", 7.2 * T,
	      T / 10, 1.8 * T, 4),
	{ "why", "GPT-3's gradient in BF16", "350 GB", 350 * B, B, model,
	  { 175 * B, 2 }, "B", NULL },
	{ "opt", "gradient of 70 B parameters (in BF16)", "140 GB", 140 * B, B,
	  model, { 70 * B, 2 }, "B", NULL },
	{ "why", "a NIC of 400 Gbit/s in bytes a second", "50 GB", 50 * B, B,
	  ratio, { G400, 8 }, "B", NULL },
	{ "why", "GPUs of 1,000 servers", "8,000", 8000, 1, product,
	  { 1000, 8 }, "", NULL },
	{ "why, what", "700 GB by one NIC of 400 Gbit/s, once", "14 s", 14, 1,
	  once, { 700 * B, 1, G400 }, "s", NULL },
	{ "why, what", "the same by 8 NICs, against the budget", "2 s", 2, 0,
	  once, { 700 * B, 8, G400 }, "s", NULL },
	{ "why, what", "700 GB by one NIC, in a ring of 1,000", "14 s", 14, 1,
	  ring, { 700 * B, 1, G400, 1000 }, "s", RING_NOTE },
	{ "why, what", "the same by 8 NICs, against the budget", "2 s", 2, 0,
	  ring, { 700 * B, 8, G400, 1000 }, "s",
	  "8 NICs keep the budget only if each byte crosses once; in a ring it takes 14" },
	{ "opt", "140 GB at 100 Gbit/s, once", "11 s", 11, 1, once,
	  { 140 * B, 1, 100e9 }, "s", NULL },
	{ "opt", "140 GB at 100 Gbit/s, in a ring of 1,000", "11 s", 11, 1, ring,
	  { 140 * B, 1, 100e9, 1000 }, "s", RING_NOTE },
	{ "what", "passes of a ring of 8 GPUs", "6", 6, 1, passes, { 8 },
	  "passes",
	  "a ring of 8 makes 2(n-1) = 14; 6 are 2 log2 n, of halving and doubling" },
	GPUS("why, what", "256 H100s, an hour", "$7,680", 7680, 1, 256, HOUR, 1, NULL),
	GPUS("why, what", "256 H100s, a minute", "$128", 128, 1, 256, 60, 1, NULL),
	GPUS("why, what", "256 H100s, a second", "$2.13", 2.13, .01, 256, 1, 1, NULL),
	GPUS("why, what", "1,024 H100s, an hour", "$30,720", 30720, 1, 1024, HOUR, 1,
	     NULL),
	GPUS("why, what", "1,024 H100s, a minute", "$512", 512, 1, 1024, 60, 1, NULL),
	GPUS("why, what", "1,024 H100s, a second", "$8.53", 8.53, .01, 1024, 1, 1,
	     NULL),
	GPUS("why, what", "4,096 H100s, an hour", "$122,880", 122880, 1, 4096, HOUR,
	     1, NULL),
	GPUS("why, what", "4,096 H100s, a minute", "$2,048", 2048, 1, 4096, 60, 1,
	     NULL),
	GPUS("why, what", "4,096 H100s, a second", "$34.13", 34.13, .01, 4096, 1, 1,
	     NULL),
	GPUS("why, what", "1,024 GPUs stalled for 10 s", "$85", 85, 1, 1024, 10, 1,
	     NULL),
	GPUS("why", "1,024 GPUs a tenth slower for an hour", "$3,072", 3072, 1, 1024,
	     HOUR, .1, NULL),
	GPUS("what", "1,024 GPUs a tenth slower for an hour", "$3,000", 3000, 1,
	     1024, HOUR, .1, "rounded down; the other page has $3,072"),
	{ "what", "second lab, 27 s against 11 s", "2.5 x", 2.5, .1, ratio,
	  { 27, 11 }, "x", NULL },
	{ "what", "second lab, 60 s against 11 s, at most", "6 x", 6, 0, ratio,
	  { 60, 11 }, "x", NULL },
	{ "arrcus", "10 days at half the efficiency, in days", "20", 20, 1, ratio,
	  { 10, .5 }, "", NULL },
};

const size_t rf_nfigures = sizeof(rf_figures) / sizeof(rf_figures[0]);

const struct rf_slip rf_slips[] = {
	{ "why, what, opt",
	  "Gradients are exchanged every 2 to 5 s, or after each step of 50 to 500 ms, or every few milliseconds: data parallel training does it once a step, so these can't all be the same job. --every says which one is meant." },
	{ "why, what",
	  "RDMA is said not to retransmit, or not gracefully, and to go back N: going back N is a retransmission, of everything from the lost packet on. labs/01-one-drop.yaml counts it." },
	{ "what",
	  "The second lab's times are TCP's. RDMA's depend on the timer of the queue pair more than on the rate of loss." },
	{ "why, what",
	  "$30 an hour is high for an H100: a tenth of it has been advertised. --gpu-rate says what yours cost." },
};

const size_t rf_nslips = sizeof(rf_slips) / sizeof(rf_slips[0]);

/**
 * rf_figure_check - reckon a figure again
 * @f: the figure
 * @reckoned: gets what comes out
 *
 * Return: whether the page agrees.
 */
enum rf_agreement rf_figure_check(const struct rf_figure *f, double *reckoned)
{
	double off;

	*reckoned = f->reckon(f->in);
	off = fabs(*reckoned - f->value);
	if (!f->place)
		return *reckoned <= f->value ? RF_AGREES : RF_DIFFERS;
	if (off <= f->place / 2)
		return RF_AGREES;
	return off < *reckoned / 20 ? RF_ROUNDED : RF_DIFFERS;
}

/** rf_agreement_name - the word for it */
const char *rf_agreement_name(enum rf_agreement a)
{
	static const char *const names[] = {
		[RF_AGREES] = "agrees",
		[RF_ROUNDED] = "rounded",
		[RF_DIFFERS] = "differs",
	};

	return names[a];
}

/**
 * rf_figure_format - an amount in the unit of a figure
 * @f: the figure
 * @v: the amount
 * @buf: where to write
 *
 * Return: @buf.
 */
char *rf_figure_format(const struct rf_figure *f, double v,
		       char buf[RF_RECKON_LEN])
{
	switch (f->unit[0]) {
	case 'B':
		return rf_fmt_decimal(v, "B", buf);
	case 's':
		return rf_fmt_seconds(v, buf);
	case '$':
		return rf_fmt_dollars(v, buf);
	case 'x':
		snprintf(buf, RF_RECKON_LEN, "%.2f x", v);
		return buf;
	}
	return rf_fmt_count(v + 0.5, buf);
}
