/* SPDX-License-Identifier: GPL-2.0 */
/* Ports and RDMA devices */
#ifndef RF_PORT_H
#define RF_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"

/*
 * rdmadev.c, rdmares.c, rdmasys.c: RDMA devices. Netdevs, queue pairs and users are read with
 * netlink (NETLINK_RDMA), GIDs and counters from sysfs.
 */
#define RF_RDMA_NAME_LEN 64

enum rf_rdma_kind {
	RF_RDMA_RXE,		/* SoftRoCE; supported */
	RF_RDMA_SIW,		/* software iWARP: has no RoCE packets */
	RF_RDMA_HARDWARE,	/* RDMA hardware: its packets bypass the kernel */
};

int rf_rdma_to_netdev(const char *rdma, char *netdev, size_t len);
int rf_netdev_to_rdma(const char *netdev, char *rdma, size_t len);
int rf_rdma_kind(const char *rdma);	/* enum rf_rdma_kind, or -ENODEV */
int rf_rdma_gid_index(const char *rdma);	/* index of the IPv4-mapped RoCE v2 GID */
bool rf_rdma_is_active(const char *rdma);	/* its port has the state ACTIVE */
int rf_rdma_live_qps(const char *rdma);	/* number of queue pairs without QP 0 and 1 */

/* A queue pair other than 0 and 1, and the process that created it */
struct rf_qp_info {
	uint32_t qp;
	uint32_t peer;		/* QP number of the peer; 0: not connected */
	uint32_t pid;		/* 0: created by the kernel */
	bool error;		/* in the error state */
	char comm[16];		/* name of the process or of the kernel module that created it */
};

int rf_rdma_qp_each(const char *rdma,
		    void (*fn)(const struct rf_qp_info *qp, void *arg),
		    void *arg);
int rf_rdma_listens(const char *rdma, uint16_t port);
int rf_rdma_users(const char *rdma, int32_t *pids, int max);
uint64_t rf_rdma_counter(const char *rdma, const char *name);
int rf_rdma_counter_each(const char *rdma,
			 int (*fn)(const char *name, uint64_t v, void *arg),
			 void *arg);

int rf_rxe_add(const char *rdma, const char *netdev, struct rf_why *why);
int rf_rxe_del(const char *rdma);

/*
 * port.c: make a netdev a port, with the qdisc rdmafault or without, and remove it. These
 * functions print errors with rf_err() and return -errno.
 */
#define RF_IFNAME_LEN 16

/* The netdev that a name from the command line refers to, for example "v1" or "rxe1" */
struct rf_target {
	uint32_t ifindex;
	char netdev[RF_IFNAME_LEN];
	char rdma[64];		/* RDMA device on the netdev; "": none */
};

int rf_target_find(const char *name, struct rf_target *t);
bool rf_bridge_of(const char *netdev, char bridge[RF_IFNAME_LEN]);
int rf_port_add(const char *name, bool force);
int rf_port_add_rules_only(const char *name);
int rf_port_add_queues(const struct rf_target *t);
int rf_port_del(const char *name, bool force);
bool rf_port_exists(uint32_t ifindex);
bool rf_port_has_queues(uint32_t ifindex);	/* rdmafault is the root qdisc */
int rf_port_live_qps(const struct rf_target *t);
void rf_err_no_module(void);

#endif
