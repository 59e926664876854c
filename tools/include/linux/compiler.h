/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Replaces <linux/compiler.h> in user space: hints to the compiler. There is one thread, so
 * READ_ONCE() and WRITE_ONCE() are plain accesses.
 */
#ifndef RF_TOOLS_COMPILER_H
#define RF_TOOLS_COMPILER_H

#define READ_ONCE(x)	(x)
#define WRITE_ONCE(x, v)	((x) = (v))
#define likely(x)	(x)
#define unlikely(x)	(x)
#define noinline

#endif
