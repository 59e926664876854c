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
 * struct rf_psn_window - which PSNs of a flow were seen, and where its messages
 *	begin
 * @first: the first PSN of the flow
 * @highest: the highest PSN so far, modulo 2^24
 * @span: how far @highest is from @first, not modulo
 * @messages: messages that begin at PSNs up to @highest
 * @oldest: PSN at which the message begins that the window's first PSN is in
 * @fresh: no message has begun yet
 * @boundary: a message ended at @highest, so that the next PSN begins one
 * @begin_known: @begin is
 * @begin: PSN at which the message begins that @highest is in
 * @starts: a bit for each of the last RF_PSN_WINDOW PSNs that begin a message,
 *	by PSN modulo that
 * @seen: passes of the same PSNs; stays at 255 when it gets there
 */
struct rf_psn_window {
	u32 first;
	u32 highest;
	u64 span;
	u64 messages;
	u32 oldest;
	bool fresh;
	bool boundary;
	bool begin_known;
	u32 begin;
	u64 starts[RF_PSN_WINDOW / 64];
	u8 seen[RF_PSN_WINDOW];
};

s32 rf_psn_diff(u32 a, u32 b);
void rf_psn_window_start(struct rf_psn_window *win, u32 psn);
u32 rf_psn_window_see(struct rf_psn_window *win, u32 psn);
void rf_psn_window_bounds(struct rf_psn_window *win, u32 psn, bool begins,
			  bool ends);
u32 rf_psn_message(const struct rf_psn_window *win, u32 psn);
u32 rf_psn_packet(struct rf_psn_window *win, u32 psn);
u32 rf_psn_rel(const struct rf_psn_window *win, u32 psn);
u32 rf_psn_serial(const struct rf_psn_window *win, u32 psn);

#endif
