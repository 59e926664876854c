/* SPDX-License-Identifier: GPL-2.0 */
/* Replaces <linux/slab.h> in user space: allocation of memory. */
#ifndef RF_FUZZ_SLAB_H
#define RF_FUZZ_SLAB_H

#include <stdlib.h>

#define GFP_KERNEL	0
#define GFP_KERNEL_ACCOUNT	0
#define GFP_ATOMIC	0
#define __GFP_NOWARN	0

#define kmalloc(size, flags)	((void)(flags), malloc(size))
#define kzalloc(size, flags)	((void)(flags), calloc(1, size))
#define kcalloc(n, size, flags)	((void)(flags), calloc(n, size))
#define kvzalloc(size, flags)	kzalloc(size, flags)
#define kfree(p)		free(p)
#define kvfree(p)		free(p)

#endif
