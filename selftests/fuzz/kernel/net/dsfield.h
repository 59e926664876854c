/* SPDX-License-Identifier: GPL-2.0 */
/* Replaces <net/dsfield.h> in user space: reading the traffic class. */
#ifndef RF_FUZZ_DSFIELD_H
#define RF_FUZZ_DSFIELD_H

#include <linux/ipv6.h>

static inline unsigned char ipv6_get_dsfield(const struct ipv6hdr *ip6)
{
	return ip6->priority << 4 | ip6->flow_lbl[0] >> 4;
}

#endif
