/* SPDX-License-Identifier: GPL-2.0 */
/* Replaces <net/ip.h> in user space: recognising fragments. */
#ifndef RF_FUZZ_IP_H
#define RF_FUZZ_IP_H

#include <linux/ip.h>
#include <netinet/in.h>
#include <stdbool.h>

#define IP_MF		0x2000
#define IP_OFFSET	0x1fff

static inline bool ip_is_fragment(const struct iphdr *ip)
{
	return ip->frag_off & htons(IP_MF | IP_OFFSET);
}

#endif
