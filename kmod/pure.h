/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The few types of the rooms that know neither skb nor lock. Such a room is
 * compiled twice: into the module, and into user space for unit tests, fuzzing
 * and the tools.
 */
#ifndef RF_PURE_H
#define RF_PURE_H

#ifdef __KERNEL__
#include <linux/types.h>
#include <linux/limits.h>
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;

#define U8_MAX	UINT8_MAX
#endif

#endif
