/* SPDX-License-Identifier: GPL-2.0 */
/*
 * RDMA devices and their netdevs, by netlink (NETLINK_RDMA); GIDs and counters by
 * sysfs.
 */
#ifndef RF_RDMADEV_H
#define RF_RDMADEV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "why.h"

#define RF_RDMA_NAME_LEN 64

enum rf_rdma_kind {
	RF_RDMA_RXE,		/* SoftRoCE: what we are for */
	RF_RDMA_SIW,		/* software, but iWARP: no RoCE packets */
	RF_RDMA_HARDWARE,	/* its packets never pass the kernel */
};

int rf_rdma_to_netdev(const char *rdma, char *netdev, size_t len);
int rf_netdev_to_rdma(const char *netdev, char *rdma, size_t len);
int rf_rdma_kind(const char *rdma);	/* enum rf_rdma_kind, or -ENODEV */
int rf_rdma_gid_index(const char *rdma);	/* IPv4-mapped, RoCE v2 */
int rf_rdma_live_qps(const char *rdma);	/* QP 0 and 1 not counted */

/* A queue pair other than 0 and 1, and the process that made it. */
struct rf_qp_info {
	uint32_t qp;
	uint32_t peer;		/* QP that it is connected to, 0 for none */
	uint32_t pid;		/* 0: the kernel's */
	char comm[16];		/* as in /proc/PID/comm, or the kernel user */
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
