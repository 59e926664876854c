/* SPDX-License-Identifier: GPL-2.0 */
/* Replaces <linux/stddef.h> in user space: NULL and offsetof(). */
#ifndef RF_TOOLS_STDDEF_H
#define RF_TOOLS_STDDEF_H

#include <stddef.h>

#include_next <linux/stddef.h>

#endif
