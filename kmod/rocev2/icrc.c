// SPDX-License-Identifier: GPL-2.0
/*
 * The invariant CRC of a RoCEv2 packet (IBTA vol. 1, 7.8.1, and annex A17.3.3). It is
 * the CRC-32 of Ethernet over eight bytes of ones, in place of the local route header
 * of InfiniBand, and over the packet from the IP header to the pad. Fields that a router
 * may change are replaced by ones:
 *
 *   IPv4   type of service, time to live, header checksum
 *   IPv6   traffic class, flow label, hop limit
 *   UDP    checksum
 *   BTH    FECN, BECN and the six reserved bits after them
 */
#include <linux/crc32.h>
#include <linux/string.h>

#include "bth.h"

#define LRH_LEN		8
#define UDP_LEN		8
#define IP_MAX		60	/* IPv4 with options */

static void mask_ipv4(u8 *ip)
{
	ip[1] = 0xff;
	ip[8] = 0xff;
	memset(ip + 10, 0xff, 2);
}

static void mask_ipv6(u8 *ip)
{
	ip[0] |= 0x0f;
	memset(ip + 1, 0xff, 3);
	ip[7] = 0xff;
}

/**
 * rf_icrc - compute the ICRC of a packet
 * @ip: the packet, from the IP header on; it has IP, UDP and BTH headers
 * @headers: bytes of the IP header with its options; at most 60
 * @len: bytes from @ip to the ICRC
 *
 * Return: the ICRC; the packet has its lowest byte first.
 */
u32 rf_icrc(const u8 *ip, size_t headers, size_t len)
{
	size_t masked = headers + UDP_LEN + RF_BTH_LEN;
	u8 copy[LRH_LEN + IP_MAX + UDP_LEN + RF_BTH_LEN];
	u8 *l3 = copy + LRH_LEN;
	u32 crc;

	memset(copy, 0xff, LRH_LEN);
	memcpy(l3, ip, masked);
	if (ip[0] >> 4 == 4)
		mask_ipv4(l3);
	else
		mask_ipv6(l3);
	memset(l3 + headers + 6, 0xff, 2);
	l3[headers + UDP_LEN + RF_BTH_MASKED] = 0xff;

	crc = crc32_le(~0u, copy, LRH_LEN + masked);
	return ~crc32_le(crc, ip + masked, len - masked);
}
