// SPDX-License-Identifier: GPL-2.0
/* Read and write numeric sysctls in /proc/sys/net. */
#include <errno.h>
#include <stdio.h>

#include "host.h"

static FILE *open_sysctl(const char *name, const char *mode)
{
	char path[256];

	snprintf(path, sizeof(path), "/proc/sys/net/%s", name);
	return fopen(path, mode);
}

/**
 * rf_sysctl_get - read a sysctl
 * @name: path of the sysctl below /proc/sys/net
 * @v: gets the value
 *
 * Return: 0, or -errno.
 */
int rf_sysctl_get(const char *name, long *v)
{
	FILE *f = open_sysctl(name, "re");
	int n;

	if (!f)
		return -errno;
	n = fscanf(f, "%ld", v);
	fclose(f);
	return n == 1 ? 0 : -EINVAL;
}

/**
 * rf_sysctl_set - write a sysctl
 * @name: path of the sysctl below /proc/sys/net
 * @v: the new value
 *
 * Return: 0, or -errno.
 */
int rf_sysctl_set(const char *name, long v)
{
	FILE *f = open_sysctl(name, "we");

	if (!f)
		return -errno;
	fprintf(f, "%ld\n", v);
	return fclose(f) ? -errno : 0;
}

/**
 * rf_sysctl_set_dev - write an IPv4 or IPv6 sysctl of one netdev
 * @family: 4 or 6
 * @dev: the netdev
 * @name: name of the sysctl
 * @v: the new value
 *
 * Return: 0, or -errno.
 */
int rf_sysctl_set_dev(int family, const char *dev, const char *name, long v)
{
	char path[128];

	snprintf(path, sizeof(path), "ipv%d/conf/%s/%s", family, dev, name);
	return rf_sysctl_set(path, v);
}
