/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Arithmetic of a training job: the size of the gradient, the time to move it,
 * and the cost of GPUs that wait for it.
 */
#ifndef RF_ESTIMATE_H
#define RF_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RF_ESTIMATE_LEN 32

struct rf_net {
	double nics;		/* number of NICs per rank */
	double rate;		/* rate of each NIC in bit/s */
	double ranks;		/* number of ranks in the ring */
};

double rf_gradient(double params, double bytes);
double rf_move_once(double bytes, const struct rf_net *net);
double rf_move_ring(double bytes, const struct rf_net *net);
double rf_efficiency(double compute, double network);
uint64_t rf_nics_for(double seconds_of_one, double budget);

int rf_parse_count(const char *s, double *v);		/* 25M 1.8T 175B */
char *rf_fmt_decimal(double v, const char *unit, char buf[RF_ESTIMATE_LEN]);
char *rf_fmt_seconds(double s, char buf[RF_ESTIMATE_LEN]);

#endif
