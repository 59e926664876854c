// SPDX-License-Identifier: GPL-2.0
/*
 * Parse the numbers of the cost estimate: the number of GPUs, the price of a GPU hour,
 * and the time between stalls. Options on the command line override the scenario.
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
 * rf_price_parse_gpus - parse cluster sizes
 * @text: up to 8 numbers, comma separated
 * @price: its cluster sizes are replaced
 *
 * Return: 0, -EINVAL or -ENOMEM; @price is unchanged after an error.
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
 * rf_price_parse_rate - parse the price of a GPU hour in dollars
 * @text: a number with or without decimals, such as 30 or 2.06
 * @rate: set to the price
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

static int gpus_take(const struct rf_key *key, const char *text, void *base)
{
	return rf_price_parse_gpus(text, (struct rf_price *)((char *)base + key->at));
}

static int gpu_rate_take(const struct rf_key *key, const char *text, void *base)
{
	return rf_price_parse_rate(text, (double *)((char *)base + key->at));
}

const struct rf_kind rf_kind_gpus = { .take = gpus_take };
const struct rf_kind rf_kind_gpu_rate = { .take = gpu_rate_take, .form = RF_FORM_DOLLARS };
