/* SPDX-License-Identifier: GPL-2.0 */
/* Replaces <linux/crc32.h> in user space: the CRC-32 of Ethernet, one bit at a time. */
#ifndef RF_TOOLS_CRC32_H
#define RF_TOOLS_CRC32_H

#include <linux/types.h>

static inline u32 crc32_le(u32 crc, const u8 *p, size_t len)
{
	int bit;

	for (; len; len--, p++) {
		crc ^= *p;
		for (bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return crc;
}

#endif
