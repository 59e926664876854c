/* SPDX-License-Identifier: GPL-2.0 */
/* Replaces <linux/types.h> in user space: types of fixed size. */
#ifndef RF_TOOLS_TYPES_H
#define RF_TOOLS_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include_next <linux/types.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;

struct callback_head {
	struct callback_head *next;
	void (*func)(struct callback_head *head);
};

#define rcu_head callback_head

#endif
