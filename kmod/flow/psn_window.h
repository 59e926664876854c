/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_FLOW_PSN_WINDOW_H
#define RF_FLOW_PSN_WINDOW_H

#include <linux/types.h>

#include "../rocev2/bth.h"

/*
 * PSNs remembered behind the highest one. rxe has at most 128 in flight,
 * hardware a few hundred; a power of two, as slots are found by masking.
 */
#define RF_PSN_WINDOW	1024

/*
 * From behind the window come packets that a fault has held back, and those of
 * a QP number's new owner. Of the first kind, a QP of rxe has at most so many
 * under way, and in the 20 seconds that a port holds a packet at most it sends
 * no more than so many others. Responses to READs may come again from as far
 * behind as all READs reach that are under way, one after the other.
 */
#define RF_PSN_LATE	128
#define RF_PSN_REACH	262144

/**
 * struct rf_psn_old - what a leap has changed in a window, should it be taken back
 * @messages: as in the window
 * @starts: the word of @starts that the packet's bit is in
 * @open: likewise
 * @open_of: likewise
 * @highest: as in the window
 * @oldest: likewise
 * @last: likewise
 * @boundary: likewise
 * @seen: attempts of the PSN whose slot the packet has taken
 */
struct rf_psn_old {
	u64 messages;
	u64 starts;
	u64 open;
	u32 open_of;
	u32 highest;
	u32 oldest;
	u32 last;
	bool boundary;
	u8 seen;
};

/**
 * struct rf_psn_window - which PSNs of a flow were seen, and where its messages
 *	begin
 * @first: the first PSN of the flow
 * @highest: the highest PSN so far, modulo 2^24
 * @span: how far @highest is from @first, not modulo
 * @messages: messages that begin at PSNs up to @highest
 * @oldest: PSN at which the message begins that the window's first PSN is in
 * @last: PSN of the last packet that wasn't too late
 * @late: packets from behind the window since the last one that was not
 * @owners: new owners of the QP number, with each of whom all else began anew
 * @leapt: @highest is farther ahead of all others than the window is long, and
 *	they are in it still, but for what is in @old
 * @boundary: a message ended at @highest, so that the next PSN begins one
 * @begin_known: @begin is
 * @begin: PSN at which the message begins that @highest is in
 * @old: the window before it leapt
 * @starts: a bit for each of the last RF_PSN_WINDOW PSNs that begin a message,
 *	by PSN modulo that
 * @open: likewise, a bit for each PSN of a response that isn't its message's last
 * @open_of: of which 64 PSNs a word of @open is; those before left their bits there
 * @seen: attempts of the same PSNs; stays at 255 when it gets there
 */
struct rf_psn_window {
	u32 first;
	u32 highest;
	u64 span;
	u64 messages;
	u32 oldest;
	u32 last;
	u32 late;
	u32 owners;
	bool leapt;
	bool boundary;
	bool begin_known;
	u32 begin;
	struct rf_psn_old old;
	u64 starts[RF_PSN_WINDOW / 64];
	u64 open[RF_PSN_WINDOW / 64];
	u32 open_of[RF_PSN_WINDOW / 64];
	u8 seen[RF_PSN_WINDOW];
};

/* No PSN: what rf_psn_window_expected() returns if every packet is a special case */
#define RF_PSN_NONE	U32_MAX

/**
 * rf_psn_window_expected - the PSN that rf_psn_window_next() accepts
 * @win: the window
 *
 * Return: the PSN after the highest one, or RF_PSN_NONE.
 */
static inline u32 rf_psn_window_expected(const struct rf_psn_window *win)
{
	if (win->leapt || !win->begin_known || !win->messages)
		return RF_PSN_NONE;
	return (win->highest + 1) & RF_PSN_MASK;
}

/**
 * rf_psn_window_next - see the next packet of a message, or of the next message
 * @win: the window
 * @psn: the packet's PSN, the one that rf_psn_window_expected() returned
 * @begins: it is the first packet of a message
 * @ends: it is the last packet of a message
 *
 * Does what rf_psn_window_see() and rf_psn_window_bounds() do for this PSN, which is
 * attempt 1, at the highest PSN.
 *
 * Return: true if a message begins at the packet.
 */
static inline bool rf_psn_window_next(struct rf_psn_window *win, u32 psn,
				      bool begins, bool ends)
{
	u32 at = psn % RF_PSN_WINDOW;
	u64 *word = &win->starts[at / 64];
	u64 bit = 1ULL << at % 64;

	/* The PSN that was here one window ago */
	if (*word & bit) {
		win->oldest = (psn - RF_PSN_WINDOW) & RF_PSN_MASK;
		*word &= ~bit;
	}
	win->seen[at] = 1;
	win->highest = psn;
	win->last = psn;
	win->late = 0;
	win->span++;
	begins |= win->boundary;
	win->boundary = ends;
	if (begins) {
		*word |= bit;
		win->messages++;
		win->begin = psn;
	}
	return begins;
}

s32 rf_psn_diff(u32 a, u32 b);
void rf_psn_window_start(struct rf_psn_window *win, u32 psn);
u32 rf_psn_window_see(struct rf_psn_window *win, u32 psn);
void rf_psn_window_bounds(struct rf_psn_window *win, u32 psn, bool begins,
			  bool ends);
void rf_psn_window_open(struct rf_psn_window *win, u32 psn);
bool rf_psn_is_open(const struct rf_psn_window *win, u32 psn);
u32 rf_psn_message(const struct rf_psn_window *win, u32 psn);
u32 rf_psn_packet(struct rf_psn_window *win, u32 psn);
u32 rf_psn_rel(const struct rf_psn_window *win, u32 psn);
u32 rf_psn_serial(const struct rf_psn_window *win, u32 psn);

#endif
