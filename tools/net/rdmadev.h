/* SPDX-License-Identifier: GPL-2.0 */
/*
 * RDMA devices. Netdevs, queue pairs and users are read with netlink (NETLINK_RDMA), GIDs
 * and counters from sysfs.
 */
#ifndef RF_RDMADEV_H
#define RF_RDMADEV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"

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
int rf_rdma_live_qps(const char *rdma);	/* number of queue pairs without QP 0 and 1 */

/* A queue pair other than 0 and 1, and the process that created it */
struct rf_qp_info {
	uint32_t qp;
	uint32_t peer;		/* QP number of the peer; 0: not connected */
	uint32_t pid;		/* 0: created by the kernel */
	char comm[16];		/* name of the process or of the kernel module that created it */
};

int rf_rdma_qp_each(const char *rdma,
		    void (*fn)(const struct rf_qp_info *qp, void *arg),
		    void *arg);
int rf_rdma_users(const char *rdma, int32_t *pids, int max);
uint64_t rf_rdma_counter(const char *rdma, const char *name);
int rf_rdma_counter_each(const char *rdma,
			 int (*fn)(const char *name, uint64_t v, void *arg),
			 void *arg);

int rf_rxe_add(const char *rdma, const char *netdev, struct rf_why *why);
int rf_rxe_del(const char *rdma);

#endif
