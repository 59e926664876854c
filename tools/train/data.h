/* SPDX-License-Identifier: GPL-2.0 */
/* Examples: rows of numbers, each with its class */
#ifndef TR_DATA_H
#define TR_DATA_H

#include <stdint.h>
#include <stdio.h>

#define TR_DIGITS	RF_DATADIR "/digits.csv"
#define TR_WIDTH_MAX	4096u
#define TR_CLASSES_MAX	256u

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

/* data.c */
int tr_data_read(struct tr_data *d, FILE *f, const char *name);
int tr_data_get(struct tr_data *d, const char *what, uint64_t seed);
void tr_data_split(struct tr_data *d, uint64_t seed);
void tr_data_free(struct tr_data *d);

#define TR_SYNTHETIC_ROWS	2000u

/* synthetic.c */
int tr_data_synthetic(struct tr_data *d, uint32_t n, uint64_t seed);

#endif
