// SPDX-License-Identifier: GPL-2.0
/*
 * Let the leaf switches choose a spine in a case: each port that leads to a node of a leaf gets a
 * path over all uplinks of this leaf.
 */
#include <stdio.h>

#include "err.h"
#include "nl.h"
#include "runner.h"

/* Names of the uplinks of a leaf, with commas */
#define UPLINKS_LEN (RF_FABRIC_SPINES_MAX * 16)

static void join_uplinks(const struct rf_fabric *f, uint32_t leaf, char names[UPLINKS_LEN])
{
	uint32_t spine;
	char name[16];
	size_t n = 0;

	for (spine = f->leaves; spine < rf_fabric_switches(f); spine++) {
		rf_fabric_toward(f, leaf, spine, name);
		n += snprintf(names + n, UPLINKS_LEN - n, "%s%s", n ? "," : "", name);
	}
}

static int set_path(struct rf_nl *nl, const struct rf_scenario *s, const struct rf_case *test_case,
		    uint32_t node)
{
	struct rf_fabric_names names = rf_fabric_names(node);
	struct rf_path_info path;
	char uplinks[UPLINKS_LEN];
	uint32_t i;
	int err;

	join_uplinks(&s->fabric, rf_fabric_home(&s->fabric, node), uplinks);
	err = rf_balance_parse(s, test_case->balance, uplinks, &path);
	for (i = 0; !err && i < path.conf.links; i++)
		path.link[i].ifindex = rf_ifindex(path.link[i].ifname);
	if (!err)
		err = rf_nl_path_set(nl, rf_ifindex(names.p), &path);
	if (err)
		rf_err("%s: balance %s: %s", names.p, test_case->balance, rf_nl_why(nl, err));
	return err;
}

/**
 * rf_balance_begin - let the leaf switches choose, as the case says
 * @nl: netlink socket
 * @s: the scenario
 * @test_case: the case
 *
 * Return: 0, or -errno after rf_err(); rf_balance_end() is needed also after an error.
 */
int rf_balance_begin(struct rf_nl *nl, const struct rf_scenario *s, const struct rf_case *test_case)
{
	uint32_t node;
	int err = 0;

	if (!rf_case_is_balanced(test_case))
		return 0;
	for (node = 1; !err && node <= s->fabric.nodes; node++)
		err = set_path(nl, s, test_case, node);
	return err;
}

/* Is the spine on a link that is down, after its convergence time? */
static bool is_avoided(const struct rf_stage *st, uint32_t spine)
{
	const struct rf_case *test_case = st->test_case;
	uint32_t own;
	size_t i;

	for (i = 0; i < test_case->nfaults; i++)
		if (st->faults[i].avoided &&
		    rf_fault_converges(st->scenario, test_case, &test_case->faults[i], &own) &&
		    own == spine)
			return true;
	return false;
}

/**
 * rf_balance_avoid - let all leaf switches avoid the spine of a link that is down, or use it again
 * @st: the stage
 * @i: the index in the case of the fault that has taken the link down
 * @avoid: the convergence time is over; false: the link is up again
 *
 * The other leaf switches avoid the spine, too, because it has no way to the leaf of the link. The
 * spine is used again when all its links are up.
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_balance_avoid(const struct rf_stage *st, size_t i, bool avoid)
{
	const struct rf_fabric *f = &st->scenario->fabric;
	char uplink[16];
	uint32_t spine, node;
	int err = 0;

	if (!rf_fault_converges(st->scenario, st->test_case, &st->test_case->faults[i], &spine) ||
	    (avoid && !st->faults[i].there))
		return 0;
	st->faults[i].avoided = avoid;
	avoid = is_avoided(st, spine);
	for (node = 1; !err && node <= f->nodes; node++) {
		rf_fabric_toward(f, rf_fabric_home(f, node), f->leaves + spine, uplink);
		err = rf_nl_path_link_set(st->nl, rf_ifindex(rf_fabric_names(node).p),
					  rf_ifindex(uplink), avoid);
		if (err)
			rf_err("%s: %s: %s", rf_fabric_names(node).p, uplink, rf_nl_why(st->nl, err));
	}
	return err;
}

/** rf_balance_end - let the bridges choose again */
void rf_balance_end(struct rf_nl *nl, const struct rf_scenario *s, const struct rf_case *test_case)
{
	uint32_t node;

	if (!rf_case_is_balanced(test_case))
		return;
	for (node = 1; node <= s->fabric.nodes; node++)
		rf_nl_path_del(nl, rf_ifindex(rf_fabric_names(node).p));
}
