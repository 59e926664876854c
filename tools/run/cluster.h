/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fabric and ports of a run. At its end, a run removes the fabric and the ports that it
 * created. Ports of switches are created only if the scenario uses them.
 */
#ifndef RF_CLUSTER_H
#define RF_CLUSTER_H

#include <stdbool.h>
#include <stdint.h>
#include "fabric.h"
#include "genl.h"
#include "port.h"
#include "tools/scenario/scenario.h"

struct rf_cluster {
	uint32_t nodes;
	bool keep;			/* --keep-fabric: do not remove the fabric */
	bool keep_settings;		/* --keep: accept settings of earlier commands */
	bool made_fabric;
	bool made_port[RF_FABRIC_MAX];
	bool made_far[RF_FABRIC_PORTS_MAX];
	struct rf_target node[RF_FABRIC_MAX];	/* node[i] is the port of node i + 1 */
	struct rf_target far[RF_FABRIC_PORTS_MAX];	/* switch ports in use */
};

int rf_cluster_up(struct rf_cluster *c, const struct rf_scenario *s);
int rf_cluster_set_ports(const struct rf_cluster *c, const struct rf_scenario *s);
void rf_cluster_down(struct rf_cluster *c);
int rf_cluster_check_clean(const struct rf_cluster *c, struct rf_nl *nl);
const struct rf_target *rf_cluster_find(const struct rf_cluster *c,
					const char *name);
const struct rf_target *rf_cluster_port(const struct rf_cluster *c,
					uint32_t i);

#endif
