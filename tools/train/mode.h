/* SPDX-License-Identifier: GPL-2.0 */
/* Ways to share out a training over the ranks, as data. */
#ifndef TR_MODE_H
#define TR_MODE_H

#include "comm.h"
#include "config.h"

struct tr_rank;

/* Rows of a batch, behind one another, the same on all ranks */
struct tr_rows {
	const float *x;
	const uint8_t *y;
	uint32_t n;
};

/**
 * struct tr_mode - a way; one file each
 * @name: the word on the command line
 * @alike: all ranks hold the same parameters, and the same gradient of all
 * @check: refuse what it can't do, complete @cfg->hidden; may be NULL
 * @shape: set @me->net to what this rank computes with; NULL: all
 * @start: set @me->params to where it starts; NULL: as tr_net_start() does
 * @memory: bytes that it needs for what it sends and receives
 * @uses: fill in the collectives that it runs; how many, at most TR_USES_MAX
 * @open: make plans and room; the communicator is open
 * @close: give them back
 * @learn: one step: forward, backward, exchange, update
 * @test: forward only; adds what these rows lose to @loss
 */
struct tr_mode {
	const char *name;
	bool alike;
	int (*check)(struct tr_config *cfg);
	void (*shape)(struct tr_rank *me);
	int (*start)(struct tr_rank *me);
	void (*memory)(const struct tr_rank *me, uint64_t bytes[CP_MEMS]);
	int (*uses)(const struct tr_rank *me, struct cp_use *uses);
	int (*open)(struct tr_rank *me);
	void (*close)(struct tr_rank *me);
	int (*learn)(struct tr_rank *me, const struct tr_rows *rows);
	int (*test)(struct tr_rank *me, const struct tr_rows *rows,
		    struct tr_loss *loss);
};

#define TR_USES_MAX	4

extern const struct tr_mode tr_mode_dp, tr_mode_tp, tr_mode_pp;

const struct tr_mode *tr_mode_find(const char *name);

#endif
