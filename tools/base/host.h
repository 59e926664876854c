/* SPDX-License-Identifier: GPL-2.0 */
/* The host: its clock, signals, sysctls, and locks between its processes */
#ifndef RF_HOST_H
#define RF_HOST_H

#include <signal.h>
#include <stdint.h>
#include <time.h>

/** rf_now_ns - get the time, in nanoseconds of CLOCK_MONOTONIC */
static inline uint64_t rf_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

/* ending.c: the signals that end this process */
void rf_ending_signals(sigset_t *set);

/* lock.c: a lock on a file, which excludes other processes of this machine */
int rf_lock(const char *path, unsigned int wait_ms);

/* sysctl.c: read and write numeric sysctls in /proc/sys/net */
int rf_sysctl_get(const char *name, long *v);	/* "core/netdev_max_backlog" */
int rf_sysctl_set(const char *name, long v);
int rf_sysctl_set_dev(int family, const char *dev, const char *name, long v);

#endif
