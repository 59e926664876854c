/* SPDX-License-Identifier: GPL-2.0 */
/* Replaces <linux/limits.h> in user space: limits of types. */
#ifndef RF_TOOLS_LIMITS_H
#define RF_TOOLS_LIMITS_H

#include <stdint.h>

#include_next <linux/limits.h>

#define U8_MAX		UINT8_MAX
#define U16_MAX		UINT16_MAX
#define U32_MAX		UINT32_MAX
#define U64_MAX		UINT64_MAX
#define S64_MAX		INT64_MAX

#endif
