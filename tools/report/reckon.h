/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a model asks of a network, reckoned without one: the gradient, the time
 * to move it, what GPUs cost that wait for it. And what pages that are read for
 * such figures print, reckoned again.
 */
#ifndef RF_RECKON_H
#define RF_RECKON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RF_RECKON_LEN 32

struct rf_net {
	double nics;		/* of each rank */
	double rate;		/* of each NIC, bit/s */
	double ranks;		/* of the ring */
};

double rf_gradient(double params, double bytes);
double rf_move_once(double bytes, const struct rf_net *net);
double rf_move_ring(double bytes, const struct rf_net *net);
double rf_efficiency(double compute, double network);
uint64_t rf_nics_for(double seconds_of_one, double budget);

int rf_parse_count(const char *s, double *v);		/* 25M 1.8T 175B */
char *rf_fmt_decimal(double v, const char *unit, char buf[RF_RECKON_LEN]);
char *rf_fmt_seconds(double s, char buf[RF_RECKON_LEN]);

/* published.c: a figure of a page, and the same reckoned again */
enum rf_agreement {
	RF_AGREES,		/* to the last place that is printed */
	RF_ROUNDED,		/* but for less than a twentieth */
	RF_DIFFERS,
};

struct rf_figure {
	const char *page;
	const char *what;
	const char *printed;
	double value;		/* of what is printed */
	double place;		/* of its last digit; 0: it says "at most" */
	double (*reckon)(const double *in);
	double in[4];
	const char *unit;	/* "B", "s", "$", "x", "passes" */
	const char *note;	/* why it differs; NULL: it doesn't */
};

extern const struct rf_figure rf_figures[];
extern const size_t rf_nfigures;

/* Where pages contradict each other, or what is measured. */
struct rf_slip {
	const char *pages, *text;
};

extern const struct rf_slip rf_slips[];
extern const size_t rf_nslips;

enum rf_agreement rf_figure_check(const struct rf_figure *f, double *reckoned);
const char *rf_agreement_name(enum rf_agreement a);
char *rf_figure_format(const struct rf_figure *f, double v,
		       char buf[RF_RECKON_LEN]);

#endif
