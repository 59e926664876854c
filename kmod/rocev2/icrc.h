/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_ROCEV2_ICRC_H
#define RF_ROCEV2_ICRC_H

#include <linux/types.h>

u32 rf_icrc(const u8 *ip, size_t headers, size_t len);

#endif
