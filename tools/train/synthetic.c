// SPDX-License-Identifier: GPL-2.0
/*
 * Generate examples without a file. Each of ten classes has a picture of 8x8 random pixels.
 * A row is the picture of its class with noise. The noise is stronger than the picture, so
 * that a single pixel does not show the class, and the neural network must learn.
 */
#include <errno.h>
#include <stdlib.h>

#include "err.h"
#include "net.h"

#define WIDTH	64u
#define CLASSES	10u
#define PICTURE	0.4f	/* weight of the picture in a row; the rest is noise */

/**
 * tr_data_synthetic() - generate a set
 * @d: gets the set
 * @n: number of rows
 * @seed: seed of the random numbers
 *
 * Return: 0, or -ENOMEM after an error message.
 */
int tr_data_synthetic(struct tr_data *d, uint32_t n, uint64_t seed)
{
	struct tr_random r = { tr_mix(seed) };
	float picture[CLASSES][WIDTH];

	*d = (struct tr_data){
		.n = n, .width = WIDTH, .classes = CLASSES,
		.x = malloc((size_t)n * WIDTH * sizeof(float)),
		.y = malloc(n),
	};
	if (!d->x || !d->y) {
		rf_err("no memory for %u rows", n);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < CLASSES * WIDTH; i++)
		picture[i / WIDTH][i % WIDTH] = tr_symmetric(&r);
	for (uint32_t i = 0; i < n; i++) {
		const float *p = picture[i % CLASSES];

		d->y[i] = (uint8_t)(i % CLASSES);
		for (uint32_t j = 0; j < WIDTH; j++)
			d->x[(size_t)i * WIDTH + j] = PICTURE * p[j] +
				(1 - PICTURE) * tr_symmetric(&r);
	}
	return 0;
}
