/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_FAULT_NAK_H
#define RF_FAULT_NAK_H

#include "fault.h"

struct sk_buff *rf_answer_make(const struct rf_ctx *ctx, u32 qp, u8 syndrome);
void rf_answer_send(struct rf_ctx *ctx);

#endif
