/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ports: make a netdev a port, with the qdisc rdmafault or without, and remove it. These
 * functions print errors with rf_err() and return -errno.
 */
#ifndef RF_PORT_H
#define RF_PORT_H

#include <stdbool.h>
#include <stdint.h>

#define RF_IFNAME_LEN 16

/* The netdev that a name from the command line refers to, for example "v1" or "rxe1" */
struct rf_target {
	uint32_t ifindex;
	char netdev[RF_IFNAME_LEN];
	char rdma[64];		/* RDMA device on the netdev; "": none */
};

int rf_target_find(const char *name, struct rf_target *t);
int rf_port_add(const char *name, bool force);
int rf_port_add_rules_only(const char *name);
int rf_port_add_queues(const struct rf_target *t);
int rf_port_del(const char *name, bool force);
bool rf_port_exists(uint32_t ifindex);
bool rf_port_has_queues(uint32_t ifindex);	/* rdmafault is the root qdisc */
int rf_port_live_qps(const struct rf_target *t);
void rf_err_no_module(void);

#endif
