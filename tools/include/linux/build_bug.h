/* SPDX-License-Identifier: GPL-2.0 */
/* Replaces <linux/build_bug.h> in user space: static_assert(). */
#ifndef RF_TOOLS_BUILD_BUG_H
#define RF_TOOLS_BUILD_BUG_H

#include <assert.h>

#endif
