/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A scenario as its file describes it. Everything in here has been checked:
 * whoever plays it doesn't have to look twice.
 */
#ifndef RF_SCENARIO_H
#define RF_SCENARIO_H

#include <stddef.h>
#include <stdint.h>
#include "expect.h"
#include "rule.h"

struct rf_fault {
	char *port;			/* "v2" or "rxe2" */
	uint32_t dir;			/* enum rdmafault_direction */
	char *words;			/* the rule as it stands in the file */
	struct rf_rule_spec spec;
};

struct rf_play {
	char *name;
	struct rf_fault *faults;	/* none: a clean play */
	size_t nfaults;
	struct rf_expect expect;
};

struct rf_workload {
	char *collective;
	uint32_t ranks;			/* rank r on node r + 1 */
	uint64_t size;			/* bytes */
	uint32_t steps;			/* measured, counted from 1 */
	uint32_t warmup;		/* before them, not measured */
	uint64_t compute_ns;		/* pause between steps */
};

struct rf_qp_attr {
	uint32_t timeout;		/* 4.096 us * 2^timeout */
	uint32_t retry_cnt;
	uint32_t mtu;
};

struct rf_price {
	uint32_t *gpus;			/* sizes of cluster to reckon with */
	size_t ngpus;
	double rate;			/* dollars per GPU and hour */
};

struct rf_scenario {
	char *path;
	char *name;
	char *title;
	uint32_t nodes;
	struct rf_workload workload;
	struct rf_qp_attr qp;
	struct rf_price price;
	struct rf_play *plays;
	size_t nplays;
};

int rf_scenario_load(const char *path, struct rf_scenario *s);
void rf_scenario_free(struct rf_scenario *s);

/* "256, 1024" or "256,1024": also for the command line; -EINVAL, -ENOMEM */
int rf_price_parse_gpus(const char *text, struct rf_price *price);
int rf_price_parse_rate(const char *text, double *rate);

#endif
