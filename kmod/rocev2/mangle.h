/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_ROCEV2_MANGLE_H
#define RF_ROCEV2_MANGLE_H

#include "../fault/fault.h"

struct iphdr;

u8 *rf_edit_begin(struct rf_ctx *ctx);
void rf_edit_icrc(struct rf_ctx *ctx);
void rf_edit_not(struct rf_ctx *ctx);
void rf_edit_put(u8 *to, u32 value, int bytes);
u8 *rf_edit_cut(struct rf_ctx *ctx, u32 payload);
void rf_edit_ip_check(struct iphdr *ip, u32 len);

#endif
