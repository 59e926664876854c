// SPDX-License-Identifier: GPL-2.0
/*
 * What is reckoned with in money: how many GPUs wait, and what an hour of one
 * costs. The command line may say both again.
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
