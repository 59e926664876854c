/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A job's timeline, as collperf writes it: the queue pairs, the steps of each
 * rank, and how each rank ended.
 */
#ifndef RF_TIMELINE_H
#define RF_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/trace/events.h"

#define RF_RANKS_MAX 64

struct rf_step {
	bool seen;
	bool broken;				/* the rank failed in this step */
	uint64_t start_ns, end_ns, sync_ns;	/* CLOCK_MONOTONIC */
	uint64_t wait_recv_ns, wait_send_ns, wait_sync_ns;
	uint64_t wrong;
};

struct rf_qp {
	uint32_t rank, peer;
	char device[64], netdev[16];
	uint32_t qpn, peer_qpn;
	char addr[48], peer_addr[48];
};

struct rf_rank_end {
	bool seen;
	int64_t status;
	uint64_t wrong;
	char *error;				/* NULL: none */
};

struct rf_timeline {
	uint32_t ranks, iters;
	uint64_t bytes;
	struct rf_step *steps;			/* iters * ranks elements */
	struct rf_qp *qps;
	size_t nqps;
	struct rf_rank_end end[RF_RANKS_MAX];
};

struct json_object;

int rf_timeline_take(struct rf_timeline *tl, struct json_object *o);
int rf_timeline_read(const char *path, struct rf_timeline *tl);
int rf_timeline_read_train(const char *path, int status,
			   struct rf_timeline *tl);	/* timeline_train.c */
int rf_timeline_of_command(struct rf_timeline *tl, int status,
			   const char *last_line);
void rf_timeline_free(struct rf_timeline *tl);

const struct rf_step *rf_timeline_step(const struct rf_timeline *tl,
				       uint32_t rank, uint32_t step);
uint64_t rf_timeline_step_ns(const struct rf_timeline *tl, uint32_t step);
uint64_t rf_timeline_whole_ns(const struct rf_timeline *tl, uint32_t step);
uint64_t rf_timeline_transfer_ns(const struct rf_timeline *tl, uint32_t step);
uint64_t rf_step_ns(const struct rf_step *s);
uint64_t rf_step_wait_ns(const struct rf_step *s);
/* NULL: all ranks ended successfully */
const char *rf_timeline_unfinished(const struct rf_timeline *tl, uint32_t *failed);

bool rf_timeline_span(const struct rf_timeline *tl, uint32_t first, uint32_t last,
		      uint64_t *from, uint64_t *to);
bool rf_timeline_broken(const struct rf_timeline *tl, uint32_t step);
uint64_t rf_timeline_failed_ns(const struct rf_timeline *tl, uint32_t step);

/* Return: the end of the rank that ended the job early; NULL if the job completed its steps */
const struct rf_rank_end *rf_timeline_ended(const struct rf_timeline *tl,
					    uint32_t *step);

const struct rf_qp *rf_timeline_sender(const struct rf_timeline *tl,
				       const struct rf_event *e);
uint32_t rf_timeline_ordinal(const struct rf_timeline *tl,
			     const struct rf_qp *qp);

#endif
