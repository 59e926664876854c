// SPDX-License-Identifier: GPL-2.0
/*
 * Read a set of examples from a file.
 *
 * A line is a row of numbers, separated by commas. The last number is the class,
 * counted from 0. All rows have the same length. The numbers before the class are
 * divided by their largest absolute value in all rows. The pixels of the handwritten
 * digits have values from 0 to 16, so these values become 0 to 1.
 *
 * The rows are shuffled by the seed, because a file can be sorted by class. One row
 * in five is kept for testing.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "net.h"

#define DIGITS		RF_DATADIR "/digits.csv"
#define ROWS_MAX	(1u << 24)
#define WIDTH_MAX	4096u
#define CLASSES_MAX	256u

static int bad_line(const char *name, uint32_t line, const char *wrong)
{
	rf_err("%s:%u: %s", name, line, wrong);
	return -EINVAL;
}

/* Parse the numbers of a line into @v. Return: their number, or -EINVAL */
static int take_numbers(char *line, float *v, uint32_t max)
{
	uint32_t n = 0;
	char *end;

	for (char *p = line; ; p = end + 1) {
		if (n == max)
			return -EINVAL;
		v[n] = strtof(p, &end);
		if (end == p || !isfinite(v[n++]))
			return -EINVAL;
		if (*end != ',')
			return *end == '\0' || *end == '\n' || *end == '\r' ?
			       (int)n : -EINVAL;
	}
}

static int room_for(struct tr_data *d, uint32_t rows)
{
	uint32_t size = 256;
	float *x;
	uint8_t *y;

	while (size < rows)
		size *= 2;
	if (rows > 256 && rows != size / 2 + 1)
		return 0;
	x = realloc(d->x, (size_t)size * d->width * sizeof(*x));
	d->x = x ? x : d->x;
	y = realloc(d->y, size);
	d->y = y ? y : d->y;
	return x && y ? 0 : -ENOMEM;
}

static int add_row(struct tr_data *d, const float *v, const char *name)
{
	float class = v[d->width];

	if (class < 0 || class >= CLASSES_MAX || class != floorf(class))
		return bad_line(name, d->n + 1,
				"the last number is not a class; 0 to 255");
	if (d->n == ROWS_MAX)
		return bad_line(name, d->n + 1, "too many lines; at most 2^24");
	if (room_for(d, d->n + 1)) {
		rf_err("%s: not enough memory for its lines", name);
		return -ENOMEM;
	}
	memcpy(d->x + (size_t)d->n * d->width, v, d->width * sizeof(*v));
	d->y[d->n++] = (uint8_t)class;
	if (class >= (float)d->classes)
		d->classes = (uint32_t)class + 1;
	return 0;
}

static int take_data_line(struct tr_data *d, char *line, float *v, const char *name)
{
	int n = take_numbers(line, v, WIDTH_MAX + 1);

	if (n < 2)
		return bad_line(name, d->n + 1,
				"not a row of numbers; 2 to 4097, separated by commas");
	if (!d->n)
		d->width = (uint32_t)n - 1;
	if (d->width != (uint32_t)n - 1)
		return bad_line(name, d->n + 1,
				"number of values differs from the first line");
	return add_row(d, v, name);
}

static void scale_inputs(struct tr_data *d)
{
	size_t n = (size_t)d->n * d->width;
	float most = 0;

	for (size_t i = 0; i < n; i++)
		most = fmaxf(most, fabsf(d->x[i]));
	for (size_t i = 0; most > 0 && i < n; i++)
		d->x[i] /= most;
}

/**
 * tr_data_read() - read a set, in the order of the file
 * @d: gets the set
 * @f: the file, open for reading
 * @name: name of the file, for error messages
 *
 * Return: 0, or -errno after an error message.
 */
int tr_data_read(struct tr_data *d, FILE *f, const char *name)
{
	float *v = malloc((WIDTH_MAX + 1) * sizeof(*v));
	char *line = NULL;
	size_t len = 0;
	int ret = v ? 0 : -ENOMEM;

	*d = (struct tr_data){ 0 };
	while (!ret && getline(&line, &len, f) > 0)
		ret = take_data_line(d, line, v, name);
	free(line);
	free(v);
	if (!ret && ferror(f)) {
		ret = -EIO;
		rf_err("%s: %s", name, strerror(EIO));
	}
	if (!ret && (d->n < 10 || d->classes < 2)) {
		rf_err("%s: has only %u lines and %u classes; at least 10 lines and 2 classes are needed",
		       name, d->n, d->classes);
		ret = -EINVAL;
	}
	if (!ret)
		scale_inputs(d);
	return ret;
}

static void swap_rows(struct tr_data *d, uint32_t a, uint32_t b)
{
	float *x = d->x + (size_t)a * d->width;
	float *y = d->x + (size_t)b * d->width;
	uint8_t class = d->y[a];

	for (uint32_t i = 0; i < d->width; i++) {
		float v = x[i];

		x[i] = y[i];
		y[i] = v;
	}
	d->y[a] = d->y[b];
	d->y[b] = class;
}

/* Shuffle the rows, and keep one in five for testing. */
static void split_rows(struct tr_data *d, uint64_t seed)
{
	struct tr_random r = { seed };

	for (uint32_t i = d->n - 1; i > 0; i--)
		swap_rows(d, i, tr_below(&r, i + 1));
	d->train = d->n - d->n / 5;
}

static int read_data_file(struct tr_data *d, const char *path)
{
	FILE *f = fopen(path, "re");
	int ret;

	if (!f) {
		ret = -errno;
		if (strcmp(path, DIGITS))
			rf_err("%s: cannot be read: %s", path, strerror(-ret));
		else
			rf_err("%s: no such file; \"make install-tools\" installs it, or use --data synthetic",
			       path);
		return ret;
	}
	ret = tr_data_read(d, f, path);
	fclose(f);
	return ret;
}

/**
 * tr_data_get() - read or generate a set, shuffled and split
 * @d: gets the set
 * @what: digits, synthetic, or the path of a file
 * @seed: seed of the shuffling and of the synthetic set
 *
 * Return: 0, or -errno after an error message.
 */
int tr_data_get(struct tr_data *d, const char *what, uint64_t seed)
{
	int ret;

	if (!strcmp(what, "synthetic"))
		ret = tr_data_synthetic(d, TR_SYNTHETIC_ROWS, seed);
	else
		ret = read_data_file(d, strcmp(what, "digits") ? what : DIGITS);
	if (!ret)
		split_rows(d, seed);
	return ret;
}

/** tr_data_free() - free the memory of a set */
void tr_data_free(struct tr_data *d)
{
	free(d->x);
	free(d->y);
	d->x = NULL;
	d->y = NULL;
}
