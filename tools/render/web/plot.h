/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A figure as SVG: a box with two axes. Each figure is drawn twice, for wide pages and
 * for phones: if the wide drawing were scaled down, its text would be too small to read.
 */
#ifndef RF_PLOT_H
#define RF_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct rf_axis {
	double min, max;
	double div;			/* plotted value / div = value in the unit */
	const char *unit;
};

struct rf_plot {
	FILE *f;
	double width, height;
	double left, right, top, bottom;	/* the box */
	struct rf_axis x, y;
	bool narrow;
};

struct rf_axis rf_axis_time(double min, double max);
struct rf_axis rf_axis_count(double min, double max, const char *unit);

void rf_plot_open(struct rf_plot *p, const char *label);
void rf_plot_close(struct rf_plot *p);
double rf_plot_x(const struct rf_plot *p, double v);
double rf_plot_y(const struct rf_plot *p, double v);
void rf_plot_axis_x(const struct rf_plot *p, const char *words);
void rf_plot_axis_y(const struct rf_plot *p);
void rf_plot_text(const struct rf_plot *p, double x, double y,
		  const char *look, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
void rf_plot_rect(const struct rf_plot *p, double x0, double x1, double y,
		  double height, const char *look);

#endif
