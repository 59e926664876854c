/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_FAULT_JITTER_H
#define RF_FAULT_JITTER_H

#include "../rule/params.h"
#include "../rand.h"

u64 rf_jitter(const struct rf_action *action, const struct rf_draw_key *key,
	      u32 at);

#endif
