// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers for the cost estimate: how many GPUs wait, what an hour of one costs,
 * and how often a stall happens. The command line may say all again.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenario.h"
#include "units.h"

#define GPUS_MAX 8

static int add_gpus(struct rf_price *price, const char *text)
{
	uint32_t n;

	if (price->ngpus == GPUS_MAX || rf_parse_u32(text, &n) || !n)
		return -EINVAL;
	price->gpus[price->ngpus++] = n;
	return 0;
}

/**
 * rf_price_parse_gpus - sizes of cluster
 * @text: numbers with commas between, at most 8
 * @price: gets them in place of those it had
 *
 * Return: 0, -EINVAL or -ENOMEM; then nothing has changed.
 */
int rf_price_parse_gpus(const char *text, struct rf_price *price)
{
	struct rf_price all = { .gpus = calloc(GPUS_MAX, sizeof(*all.gpus)) };
	char *copy = strdup(text), *rest = copy, *word;
	int err = all.gpus && copy ? 0 : -ENOMEM;

	while (!err && (word = strsep(&rest, ",")))
		err = add_gpus(&all, word + strspn(word, " "));
	free(copy);
	if (err) {
		free(all.gpus);
		return err;
	}
	free(price->gpus);
	price->gpus = all.gpus;
	price->ngpus = all.ngpus;
	return 0;
}

/**
 * rf_price_parse_rate - dollars per GPU and hour
 * @text: a number with or without decimals, as 30 or 2.06
 * @rate: the rate
 *
 * Return: 0, or -EINVAL.
 */
int rf_price_parse_rate(const char *text, double *rate)
{
	char *end;
	double v;

	if (!text[0] || text[strspn(text, "0123456789.")])
		return -EINVAL;
	v = strtod(text, &end);
	if (*end || end == text || !isfinite(v) || v > 1e6)
		return -EINVAL;
	*rate = v;
	return 0;
}

/**
 * rf_price_parse_every - how often a stall is assumed to happen
 * @text: the time in which there is one, as 60s
 * @ns: the time
 *
 * Return: 0, or -EINVAL: not a time from 1ms to 366 days.
 */
int rf_price_parse_every(const char *text, uint64_t *ns)
{
	uint64_t v;

	if (rf_parse_time(text, &v) || v < RF_STALL_EVERY_MIN || v > RF_STALL_EVERY_MAX)
		return -EINVAL;
	*ns = v;
	return 0;
}
