/* SPDX-License-Identifier: GPL-2.0 */
/* The checks of the kernel's header of this name, for user space. */
#ifndef RF_FUZZ_BUILD_BUG_H
#define RF_FUZZ_BUILD_BUG_H

#include <assert.h>

#undef static_assert
#define static_assert(expr)	_Static_assert(expr, #expr)

#endif
