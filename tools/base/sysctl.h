/* SPDX-License-Identifier: GPL-2.0 */
/* Read and write numeric sysctls in /proc/sys/net. */
#ifndef RF_SYSCTL_H
#define RF_SYSCTL_H

int rf_sysctl_get(const char *name, long *v);	/* "core/netdev_max_backlog" */
int rf_sysctl_set(const char *name, long v);
int rf_sysctl_set_dev(int family, const char *dev, const char *name, long v);

#endif
