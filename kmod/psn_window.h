/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_PSN_WINDOW_H
#define RF_PSN_WINDOW_H

#include "pure.h"

/*
 * PSNs remembered behind the highest one. rxe has at most 128 in flight,
 * hardware a few hundred; a power of two, as slots are found by masking.
 */
#define RF_PSN_WINDOW	1024

/**
 * struct rf_psn_window - which PSNs of a flow were seen, and how often
 * @first: the first PSN of the flow
 * @highest: the highest PSN so far, modulo 2^24
 * @seen: passes of each of the last RF_PSN_WINDOW PSNs, by PSN modulo that;
 *	stays at 255 when it gets there
 */
struct rf_psn_window {
	u32 first;
	u32 highest;
	u8 seen[RF_PSN_WINDOW];
};

void rf_psn_window_start(struct rf_psn_window *win, u32 psn);
u32 rf_psn_window_see(struct rf_psn_window *win, u32 psn);
u32 rf_psn_rel(const struct rf_psn_window *win, u32 psn);

#endif
