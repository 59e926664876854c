/* SPDX-License-Identifier: GPL-2.0 */
/* Replaces <linux/netdevice.h> in user space: the flags of a netdev. */
#ifndef RF_FUZZ_NETDEVICE_H
#define RF_FUZZ_NETDEVICE_H

#define IFF_XMIT_DST_RELEASE	1

struct net_device {
	unsigned long priv_flags;
};

#endif
