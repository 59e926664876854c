/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Replaces <linux/mm.h> in user space: the definitions that this header includes in the
 * kernel.
 */
#ifndef RF_FUZZ_MM_H
#define RF_FUZZ_MM_H

#include <endian.h>
#include <linux/compiler.h>
#include <linux/minmax.h>
#include <linux/types.h>
#include <net/net_debug.h>

#define __force
#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define be64_to_cpu(x)	be64toh(x)

#endif
