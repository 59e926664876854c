/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_FAULT_NAK_H
#define RF_FAULT_NAK_H

#include "fault.h"

struct sk_buff *rf_answer_make(const struct rf_job *job, u32 qp, u8 syndrome);
void rf_answer_send(struct rf_job *job);

#endif
