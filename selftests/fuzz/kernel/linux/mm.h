/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Replaces <linux/mm.h> in user space: the definitions that this header includes in the
 * kernel.
 */
#ifndef RF_FUZZ_MM_H
#define RF_FUZZ_MM_H

#include <assert.h>
#include <endian.h>
#include <linux/types.h>

#define __force
#define noinline
#define likely(x)	(x)
#define unlikely(x)	(x)
#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define be64_to_cpu(x)	be64toh(x)
#define DEBUG_NET_WARN_ON_ONCE(condition) assert(!(condition))

#define min(a, b)							\
	({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b);		\
	   a_ < b_ ? a_ : b_; })
#define max(a, b)							\
	({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b);		\
	   a_ > b_ ? a_ : b_; })

#endif
