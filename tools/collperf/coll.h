/* SPDX-License-Identifier: GPL-2.0 */
/* Collectives and the algorithms that carry them out, as data. */
#ifndef CP_COLL_H
#define CP_COLL_H

#include "datatype.h"
#include "transport.h"

#define CP_LINKS_MAX	CP_RANKS_MAX

/* One execution of a collective, as an algorithm sees it. */
struct cp_run {
	struct cp_transport *tp;
	int rank, ranks;
	const struct cp_type *type;
	const struct cp_op *op;
	uint64_t count;		/* elements */
	bool in_place;		/* the input is in the receive memory */
};

/**
 * struct cp_algo - a way to carry out a collective; one file each
 * @name: for the user
 * @links: fill in the links that a rank needs; how many
 * @messages: messages that a link carries in one run, in each direction that
 *	it carries any
 * @scratch: bytes of scratch memory for @count elements of @size bytes
 * @longest: bytes of the longest message
 * @run: do it
 */
struct cp_algo {
	const char *name;
	int (*links)(int rank, int ranks, struct cp_link_spec *specs);
	uint32_t (*messages)(int ranks);
	uint64_t (*scratch)(uint64_t count, size_t size, int ranks);
	uint64_t (*longest)(uint64_t count, size_t size, int ranks);
	int (*run)(const struct cp_run *run);
};

/**
 * struct cp_coll - a collective
 * @name: the word on the command line
 * @bus_factor: bus bandwidth = this * algorithm bandwidth
 * @algo: how it is done
 */
struct cp_coll {
	const char *name;
	double (*bus_factor)(int ranks);
	const struct cp_algo *algo;
};

extern const struct cp_algo cp_ring_all_reduce;
extern const struct cp_coll cp_colls[];

const struct cp_coll *cp_coll_find(const char *name);

#endif
