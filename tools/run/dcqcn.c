// SPDX-License-Identifier: GPL-2.0
/* DCQCN of the ports of the nodes in a case. Between the cases it has its defaults. */
#include "nl.h"
#include "runner.h"

/**
 * rf_dcqcn_begin - set DCQCN of the ports of the nodes, as the scenario and the case say
 * @st: the stage
 *
 * Return: 0, or -errno after rf_err(); rf_dcqcn_end() is needed also after an error.
 */
int rf_dcqcn_begin(const struct rf_stage *st)
{
	struct rf_setting setting = { .words = "dcqcn" };
	uint32_t i;
	int err = 0;

	if (!rf_case_dcqcn(st->scenario, st->test_case, &setting.change))
		return 0;
	for (i = st->cluster->first; !err && i < st->cluster->end; i++) {
		setting.port = (char *)st->cluster->node[i].netdev;
		err = rf_cluster_set_port(st->cluster, st->nl, &setting);
	}
	return err;
}

/**
 * rf_dcqcn_end - restore the defaults
 * @st: the stage; the cluster is not needed, because the run can have been killed
 */
void rf_dcqcn_end(const struct rf_stage *st)
{
	struct rf_queue_change change;
	char port[RF_IFNAME_LEN];
	uint32_t i;

	if (!rf_case_dcqcn(st->scenario, st->test_case, &change))
		return;
	rf_conf_init(&change.conf);
	for (i = 1; i <= st->scenario->fabric.nodes; i++) {
		rf_fabric_node_port(&st->scenario->fabric, i, port);
		rf_nl_queue_set(st->nl, rf_ifindex(port), &change);
	}
}
