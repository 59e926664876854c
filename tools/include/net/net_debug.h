/* SPDX-License-Identifier: GPL-2.0 */
/* Replaces <net/net_debug.h> in user space: assertions. */
#ifndef RF_TOOLS_NET_DEBUG_H
#define RF_TOOLS_NET_DEBUG_H

#include <assert.h>

#define DEBUG_NET_WARN_ON_ONCE(condition) assert(!(condition))

#endif
