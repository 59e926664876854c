/* SPDX-License-Identifier: GPL-2.0 */
/* Replaces <linux/string.h> in user space: functions on memory and strings. */
#ifndef RF_TOOLS_STRING_H
#define RF_TOOLS_STRING_H

#include <string.h>

#include_next <linux/string.h>

#endif
