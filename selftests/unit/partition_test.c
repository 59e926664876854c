// SPDX-License-Identifier: GPL-2.0
/*
 * Test when a fabric is partitioned. Two leaf switches have two spines: nodes 1 and 2 are on the
 * first leaf, nodes 3 and 4 on the second one. Faults take its links down, and the link of node 1.
 */
#include <string.h>

#include "tools/analysis/analysis.h"
#include "said.h"
#include "tap.h"

#define MS 1000000ull

enum { L1S1, S2L1, L1S1_AGAIN, S1L2, NODE_1, FAULTS };

static struct rf_fault faults[FAULTS] = {
	[L1S1] = { .kind = RF_FAULT_LINK_DOWN, .port = "l1s1" },
	[S2L1] = { .kind = RF_FAULT_LINK_DOWN, .port = "s2l1" },
	[L1S1_AGAIN] = { .kind = RF_FAULT_LINK_DOWN, .port = "s1l1" },
	[S1L2] = { .kind = RF_FAULT_LINK_DOWN, .port = "s1l2" },
	[NODE_1] = { .kind = RF_FAULT_LINK_DOWN, .port = "v1" },
};

static struct rf_case test_case = { .faults = faults, .nfaults = FAULTS };
static struct rf_scenario scenario = {
	.fabric = { .nodes = 4, .shape = RF_SHAPE_LEAF_SPINE, .leaves = 2, .spines = 2 },
	.cases = &test_case, .ncases = 1,
};

/* Test the partition after @n faults have begun or ended. */
static void partition_ok(struct rf_done *done, size_t n, uint32_t node, uint64_t ns,
			 const char *what)
{
	const struct rf_run_case p = {
		.test_case = &test_case, .rec = { .done = done, .ndone = n },
	};
	struct rf_partition part = rf_partition(&scenario, &p);

	ok(part.node == node && part.ns == ns,
	   "%s: node %u, %llu ms", what, part.node, (unsigned long long)part.ns / MS);
}

int main(void)
{
	struct rf_done two_links[] = {
		{ 1 * MS, L1S1, false }, { 3 * MS, S2L1, false },
		{ 8 * MS, L1S1, true }, { 9 * MS, S2L1, true },
	};
	struct rf_done twice[] = {
		{ 1 * MS, L1S1, false }, { 2 * MS, S2L1, false },
		{ 3 * MS, L1S1_AGAIN, false }, { 4 * MS, L1S1, true },
		{ 6 * MS, L1S1_AGAIN, true },
	};
	struct rf_done other_leaf[] = {
		{ 1 * MS, S1L2, false }, { 2 * MS, S2L1, false }, { 5 * MS, S1L2, true },
	};
	struct rf_done node[] = { { 1 * MS, NODE_1, false } };

	rf_fabric_settle(&scenario.fabric, NULL);
	partition_ok(two_links, 0, 0, 0, "no link is down");
	partition_ok(two_links, 1, 0, 0, "one of two uplinks is down");
	partition_ok(two_links, 2, 3, 0, "both uplinks are down until the end");
	partition_ok(two_links, 3, 3, 5 * MS, "both uplinks are down, then one is up again");
	partition_ok(two_links, 4, 3, 5 * MS, "both are up again");
	partition_ok(twice, 5, 3, 4 * MS, "two faults keep one link down");
	partition_ok(other_leaf, 3, 3, 3 * MS, "each spine has lost another leaf");
	partition_ok(node, 1, 0, 0, "the link of a node is no link of the fabric");
	return done_testing();
}
