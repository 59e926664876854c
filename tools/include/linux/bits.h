/* SPDX-License-Identifier: GPL-2.0 */
/* Replaces <linux/bits.h> in user space: single bits. */
#ifndef RF_TOOLS_BITS_H
#define RF_TOOLS_BITS_H

#define BIT(n)		(1UL << (n))
#define BIT_ULL(n)	(1ULL << (n))

#endif
