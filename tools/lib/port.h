/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ports: putting our qdisc on a netdev and taking it off. These functions say
 * what is wrong themselves, by rf_err(), and return -errno.
 */
#ifndef RF_PORT_H
#define RF_PORT_H

#include <stdbool.h>
#include <stdint.h>

#define RF_IFNAME_LEN 16

/* A user's word, "v1" or "rxe1", resolved. */
struct rf_target {
	uint32_t ifindex;
	char netdev[RF_IFNAME_LEN];
	char rdma[64];		/* "" when the netdev has none */
};

int rf_target_find(const char *name, struct rf_target *t);
int rf_port_add(const char *name, bool force);
int rf_port_del(const char *name, bool force);
bool rf_port_exists(uint32_t ifindex);	/* our qdisc is the root */
void rf_err_no_module(void);	/* "the module isn't loaded: ..." */

#endif
