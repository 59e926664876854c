/* SPDX-License-Identifier: GPL-2.0 */
/* Modes of parallelism: how the ranks divide the work */
#ifndef TR_MODE_H
#define TR_MODE_H

#include "coll.h"
#include "net.h"

struct tr_config;
struct tr_rank;

/* Rows of a batch, the same on all ranks */
struct tr_rows {
	const float *x;
	const uint8_t *y;
	uint32_t n;
};

/**
 * struct tr_mode - a mode; each mode has a file
 * @name: name on the command line
 * @alike: true if all ranks have the same parameters and the same gradient
 * @check: check the options and complete @cfg->hidden; can be NULL
 * @shape: set @me->net to the part of the neural network that this rank computes; NULL if
 *	each rank computes the whole neural network
 * @start: set the initial @me->params; NULL: tr_net_start()
 * @memory: get the sizes of the memories for sent and received data, in bytes
 * @uses: get the collectives of the mode; returns their number, at most TR_USES_MAX
 * @open: make plans and allocate memory; the communicator is open
 * @close: release the resources of @open
 * @learn: one step: forward, backward, exchange, update
 * @test: forward only; adds the loss of the rows to @loss
 */
struct tr_mode {
	const char *name;
	bool alike;
	int (*check)(struct tr_config *cfg);
	void (*shape)(struct tr_rank *me);
	int (*start)(struct tr_rank *me);
	void (*memory)(const struct tr_rank *me, uint64_t bytes[COLL_MEMS]);
	int (*uses)(const struct tr_rank *me, struct coll_use *uses);
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
