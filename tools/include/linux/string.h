/* SPDX-License-Identifier: GPL-2.0 */
/* Replaces <linux/string.h> in user space: functions on memory and strings. */
#ifndef RF_TOOLS_STRING_H
#define RF_TOOLS_STRING_H

#include <string.h>

#include_next <linux/string.h>

#define memset_startat(object, value, member)				\
	memset((char *)(object) + offsetof(__typeof__(*(object)), member), value, \
	       sizeof(*(object)) - offsetof(__typeof__(*(object)), member))

#endif
