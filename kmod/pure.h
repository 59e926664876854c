/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The few types of the rooms that know neither skb nor lock. Such a room is
 * compiled twice: into the module, and into user space for unit tests, fuzzing
 * and the tools.
 */
#ifndef RF_PURE_H
#define RF_PURE_H

#ifdef __KERNEL__
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/types.h>
#include <net/net_debug.h>
#include <uapi/rdmafault/rdmafault.h>

#define RF_WARN_ON(condition)	DEBUG_NET_WARN_ON_ONCE(condition)
#else
#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <rdmafault/rdmafault.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;

#define U8_MAX		UINT8_MAX
#define U32_MAX		UINT32_MAX
#define U64_MAX		UINT64_MAX
#define RF_WARN_ON(condition)	assert(!(condition))
#define BIT_ULL(n)	(1ULL << (n))
/* There is nobody else in user space. */
#define READ_ONCE(x)	(x)
#define WRITE_ONCE(x, v)	((x) = (v))
#endif

#endif
