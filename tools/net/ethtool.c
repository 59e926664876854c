// SPDX-License-Identifier: GPL-2.0
/* Features of netdevs, as "ethtool -k" prints them. */
#include <errno.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "nl.h"

#define FEATURES_MAX 256	/* Linux 7.x has 64 */

static int request(int fd, const char *dev, void *data)
{
	struct ifreq req = { .ifr_data = data };

	snprintf(req.ifr_name, sizeof(req.ifr_name), "%s", dev);
	return ioctl(fd, SIOCETHTOOL, &req) ? -errno : 0;
}

/* Return: the index of a feature, or -errno. */
static int find_feature(int fd, const char *dev, const char *name)
{
	union {
		struct ethtool_sset_info head;
		char room[sizeof(struct ethtool_sset_info) + sizeof(uint32_t)];
	} count = { .head = { .cmd = ETHTOOL_GSSET_INFO, .sset_mask = 1 << ETH_SS_FEATURES } };
	union {
		struct ethtool_gstrings head;
		char room[sizeof(struct ethtool_gstrings) + FEATURES_MAX * ETH_GSTRING_LEN];
	} names = { .head = { .cmd = ETHTOOL_GSTRINGS, .string_set = ETH_SS_FEATURES } };
	int i, err = request(fd, dev, &count);

	if (err)
		return err;
	names.head.len = count.head.data[0];
	if (names.head.len > FEATURES_MAX)
		return -E2BIG;
	err = request(fd, dev, &names);
	for (i = 0; !err && i < (int)names.head.len; i++)
		if (!strncmp((char *)names.head.data + i * ETH_GSTRING_LEN, name, ETH_GSTRING_LEN))
			return i;
	return err ?: -ENOENT;
}

/**
 * rf_ethtool_feature - check whether a feature of a netdev is on
 * @dev: name of the netdev
 * @name: name of the feature, for example "rx-udp-gro-forwarding"
 *
 * Return: 1 if it is on, 0 if it is off, or -errno; -ENOENT if the kernel has no such feature.
 */
int rf_ethtool_feature(const char *dev, const char *name)
{
	union {
		struct ethtool_gfeatures head;
		char room[sizeof(struct ethtool_gfeatures) +
			  FEATURES_MAX / 32 * sizeof(struct ethtool_get_features_block)];
	} get = { .head = { .cmd = ETHTOOL_GFEATURES, .size = FEATURES_MAX / 32 } };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int i, err;

	if (fd < 0)
		return -errno;
	i = find_feature(fd, dev, name);
	err = i < 0 ? i : request(fd, dev, &get);
	close(fd);
	return err ?: (int)(get.head.features[i / 32].active >> i % 32 & 1);
}
