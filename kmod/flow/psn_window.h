/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_FLOW_PSN_WINDOW_H
#define RF_FLOW_PSN_WINDOW_H

#include <linux/types.h>

#include "../rocev2/bth.h"

/*
 * Number of PSNs in the window. rxe has at most 128 in flight, hardware a few
 * hundred. A power of two.
 */
#define RF_PSN_WINDOW	1024

/*
 * Packets from behind the window were delayed by a fault, or belong to a new QP with
 * a reused number. A QP of rxe has at most RF_PSN_LATE packets in flight, and sends
 * at most RF_PSN_REACH packets in the 20 seconds for which a port can delay a packet.
 * Responses can be retransmitted from as far behind as the first READ in flight.
 */
#define RF_PSN_LATE	128
#define RF_PSN_REACH	262144

/* The highest attempt that is counted */
#define RF_PSN_ATTEMPTS	127

/**
 * struct rf_psn_old - the members of a window that a PSN jump has overwritten
 * @messages: as in the window
 * @starts: the word of @starts with the packet's bit
 * @open: likewise
 * @open_of: likewise
 * @highest: as in the window
 * @oldest: likewise
 * @last: likewise
 * @boundary: likewise
 * @seen: attempts of the PSN whose slot the packet has now
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
 * struct rf_psn_window - the attempts of the last PSNs of a flow, and its messages
 * @first: the first PSN of the flow
 * @highest: the highest PSN so far, modulo 2^24
 * @span: distance from @first to @highest, not modulo 2^24
 * @messages: number of messages that begin at PSNs up to @highest
 * @oldest: PSN at which the message of the window's first PSN begins
 * @last: PSN of the last packet in the window
 * @late: number of packets from behind the window since then
 * @earlier: number of messages before the QP number was reused
 * @owners: how often it was reused; then the members except these two begin again
 * @jumped: @highest is farther ahead of all others than the window is long. The
 *	window still has the others, except what @old has.
 * @boundary: a message ended at @highest, so the next PSN begins another
 * @begin_known: @begin is valid
 * @begin: PSN at which the message of @highest begins
 * @old: members of the window before @jumped
 * @starts: a bit for each of the last RF_PSN_WINDOW PSNs, set if a message begins
 *	there; by PSN modulo RF_PSN_WINDOW
 * @open: likewise, set for a response that isn't the last one of its message
 * @open_of: the 64 PSNs (PSN / 64) that a word of @open is valid for
 * @seen: attempts of the PSNs, at most RF_PSN_ATTEMPTS. The highest bit is set if they
 *	are those of a READ or atomic response
 */
struct rf_psn_window {
	u32 first;
	u32 highest;
	u64 span;
	u64 messages;
	u64 earlier;
	u32 oldest;
	u32 last;
	u32 late;
	u32 owners;
	bool jumped;
	bool boundary;
	bool begin_known;
	u32 begin;
	struct rf_psn_old old;
	u64 starts[RF_PSN_WINDOW / 64];
	u64 open[RF_PSN_WINDOW / 64];
	u32 open_of[RF_PSN_WINDOW / 64];
	u8 seen[RF_PSN_WINDOW];
};

/**
 * rf_psn_diff - the distance from one PSN to another
 * @a: a PSN
 * @b: a PSN
 *
 * Return: @a - @b, from -2^23 to 2^23 - 1.
 */
static inline s32 rf_psn_diff(u32 a, u32 b)
{
	return (s32)((a - b) << 8) >> 8;
}

/**
 * rf_psn_rel - a PSN relative to the flow's first
 * @win: the window
 * @psn: the PSN
 *
 * Return: the distance, modulo 2^24.
 */
static inline u32 rf_psn_rel(const struct rf_psn_window *win, u32 psn)
{
	return (psn - win->first) & RF_PSN_MASK;
}

/**
 * rf_psn_serial - a PSN relative to the flow's first, not modulo
 * @win: the window, which has seen the packet
 * @psn: the PSN
 *
 * Return: the distance, which does not wrap at 2^24; for a PSN before the first one,
 * 2^32 minus the distance.
 */
static inline u32 rf_psn_serial(const struct rf_psn_window *win, u32 psn)
{
	return win->span - ((win->highest - psn) & RF_PSN_MASK);
}

void rf_psn_window_start(struct rf_psn_window *win, u32 psn);
bool rf_psn_window_move(struct rf_psn_window *win, u32 psn);
u32 rf_psn_window_count(struct rf_psn_window *win, u32 psn, bool data);
u32 rf_psn_window_requests(const struct rf_psn_window *win, u32 first, u32 psn);
void rf_psn_window_bounds(struct rf_psn_window *win, u32 psn, bool begins,
			  bool ends);
void rf_psn_window_open(struct rf_psn_window *win, u32 psn);
bool rf_psn_is_open(const struct rf_psn_window *win, u32 psn);
u32 rf_psn_message(const struct rf_psn_window *win, u32 psn);
u32 rf_psn_packet(struct rf_psn_window *win, u32 psn);

#endif
