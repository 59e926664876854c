/* SPDX-License-Identifier: GPL-2.0 */
/* Replaces <net/ipv6.h> in user space: IPv6 addresses. */
#ifndef RF_FUZZ_NET_IPV6_H
#define RF_FUZZ_NET_IPV6_H

#include <netinet/in.h>
#include <stdbool.h>
#include <string.h>

static inline bool ipv6_addr_equal(const struct in6_addr *a,
				   const struct in6_addr *b)
{
	return !memcmp(a, b, sizeof(*a));
}

#endif
