/* SPDX-License-Identifier: GPL-2.0 */
/* Replaces <net/net_debug.h> in user space: a warning ends the program. */
#ifndef RF_FUZZ_NET_DEBUG_H
#define RF_FUZZ_NET_DEBUG_H

#include <linux/mm.h>

#endif
