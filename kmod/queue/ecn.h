/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_QUEUE_ECN_H
#define RF_QUEUE_ECN_H

#include "ecn_profile.h"

enum rf_ecn_action rf_ecn_select(const struct rf_ecn_state *state,
				 const struct rf_conf *conf, u32 prio, u64 queue,
				 u32 ecn);

#endif
