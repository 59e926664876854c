/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_XSTATS_H
#define RF_XSTATS_H

#include <stddef.h>

int rf_xstats_print(const void *data, size_t len);

#endif
