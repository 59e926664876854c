/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_RULE_MATCH_H
#define RF_RULE_MATCH_H

#include <linux/types.h>

#include "../rocev2/bth.h"
#include "params.h"

void rf_match_complete(struct rf_match *match);
bool rf_match_names_qp(const struct rf_match *match, u32 qp);
bool rf_match_asks_ordinals(const struct rf_match *match);
bool rf_match_is_empty(const struct rf_match *match);
bool rf_match_true(const struct rf_match *match, const struct rf_desc *desc);

#endif
