// SPDX-License-Identifier: GPL-2.0
/* Find the netdev of this process. Its environment names the netdev or an RDMA device. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

#define GIDS 16		/* GIDs of a device that are examined */

/*
 * Copy the first device of a list such as "rxe2:1,rxe3:1" (UCX) or "=rxe2:1" (NCCL). A list of
 * NCCL that begins with "^" names devices that are not used.
 */
static bool first_device(const char *list, char *device, size_t len)
{
	list += *list == '=';
	snprintf(device, len, "%.*s", (int)strcspn(list, ":,"), list);
	return *device && *list != '^';
}

/* The kernel shows the netdev of each GID of the device that is in use. */
static bool read_netdev(const char *device, int gid, char netdev[IF_NAMESIZE])
{
	char path[128];
	bool found;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/class/infiniband/%s/ports/1/gid_attrs/ndevs/%d",
		 device, gid);
	f = fopen(path, "re");
	if (!f)
		return false;
	found = fscanf(f, "%15s", netdev) == 1;
	fclose(f);
	return found;
}

static int netdev_of(const char *variable, const char *device, char netdev[IF_NAMESIZE],
		     char *why, int len)
{
	int gid;

	for (gid = 0; gid < GIDS; gid++)
		if (!strchr(device, '/') && read_netdev(device, gid, netdev))
			return 0;
	snprintf(why, len, "%s: no RDMA device with a netdev (from %s); \"rdma link\" lists them",
		 device, variable);
	return -ENODEV;
}

/**
 * rf_step_netdev - find the netdev of this process
 * @netdev: set to its name
 * @why: set to the reason if none is found
 * @len: size of @why
 *
 * Return: 0, or -ENODEV.
 */
int rf_step_netdev(char netdev[IF_NAMESIZE], char *why, int len)
{
	static const char *const lists[] = { "RF_DEVICE", "UCX_NET_DEVICES", "NCCL_IB_HCA" };
	const char *value = getenv("RF_NETDEV");
	char device[64];
	size_t i;

	if (value && *value) {
		snprintf(netdev, IF_NAMESIZE, "%s", value);
		return 0;
	}
	for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		value = getenv(lists[i]);
		if (value && first_device(value, device, sizeof(device)))
			return netdev_of(lists[i], device, netdev, why, len);
	}
	snprintf(why, len, "no device; set RF_NETDEV to the netdev of the process, for example v1, or RF_DEVICE to its RDMA device");
	return -ENODEV;
}
