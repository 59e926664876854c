/* SPDX-License-Identifier: GPL-2.0 */
/* Replaces <linux/build_bug.h> in user space: checks at compile time. */
#ifndef RF_FUZZ_BUILD_BUG_H
#define RF_FUZZ_BUILD_BUG_H

#include <assert.h>

#undef static_assert
#define static_assert(expr)	_Static_assert(expr, #expr)

#endif
