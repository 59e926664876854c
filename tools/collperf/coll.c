// SPDX-License-Identifier: GPL-2.0
/*
 * The table of collectives.
 *
 * The bus bandwidth factor turns bytes per second of the caller into bytes per
 * second on each rank's link: an all-reduce of S bytes over n ranks must move
 * at least 2 (n - 1) / n * S through every link, however it is done. So the bus
 * bandwidth can be compared with what the link can do, for any n.
 */
#include <string.h>

#include "coll.h"

static double all_reduce_factor(int ranks)
{
	return 2.0 * (ranks - 1) / ranks;
}

const struct cp_coll cp_colls[] = {
	{ "all_reduce", all_reduce_factor, &cp_ring_all_reduce },
	{ .name = NULL }
};

/** cp_coll_find() - the collective called @name, or NULL */
const struct cp_coll *cp_coll_find(const char *name)
{
	for (const struct cp_coll *c = cp_colls; c->name; c++)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}
