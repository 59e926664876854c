// SPDX-License-Identifier: GPL-2.0
/*
 * Remembers of the last PSNs of a flow how many times each has been seen, and
 * which begin a message. All arithmetic is modulo 2^24, so that the wrap from
 * 0xffffff to 0 is a step like any other (IBTA vol. 1, 9.7.1 divides the PSN
 * space in the same two halves).
 *
 * A PSN ahead of the highest moves the window; those that it skips count as
 * not seen. A PSN so far behind that the window has forgotten it can't belong
 * to what we follow: the QP number has got a new owner, and the flow starts
 * again from this PSN.
 *
 * Messages are numbered by where they begin, not by what arrives: a packet that
 * is sent again belongs to its old message, and a message whose first packet
 * got lost before it came to us still begins where the one before it ended.
 */
#include "psn_window.h"
#include "bth.h"

#ifdef __KERNEL__
#include <linux/bitops.h>
#define ones(word)	hweight64(word)
#define top_bit(word)	(fls64(word) - 1)
#else
#define ones(word)	((u32)__builtin_popcountll(word))
#define top_bit(word)	(63 - __builtin_clzll(word))
#endif

#define PSN_BITS	24
#define WORD_BITS	64u

/**
 * rf_psn_diff - how far one PSN is ahead of another
 * @a: a PSN
 * @b: another
 *
 * Return: @a - @b, from -2^23 to 2^23 - 1.
 */
s32 rf_psn_diff(u32 a, u32 b)
{
	return (s32)((a - b) << (32 - PSN_BITS)) >> (32 - PSN_BITS);
}

static u32 slot(u32 psn)
{
	return psn & (RF_PSN_WINDOW - 1);
}

static u64 bit(u32 psn)
{
	return 1ULL << psn % WORD_BITS;
}

/* @count bits, 1 to 64, from bit @from on. */
static u64 bits(u32 from, u32 count)
{
	return ~0ULL >> (WORD_BITS - count) << from;
}

static bool starts_at(const struct rf_psn_window *win, u32 psn)
{
	return win->starts[slot(psn) / WORD_BITS] & bit(psn);
}

static void mark_start(struct rf_psn_window *win, u32 psn)
{
	/* Behind the window, or before the flow's first packet. */
	u32 behind = (win->highest - psn) & RF_PSN_MASK;

	if (behind >= RF_PSN_WINDOW || behind > win->span ||
	    starts_at(win, psn))
		return;
	win->starts[slot(psn) / WORD_BITS] |= bit(psn);
	win->messages++;
	win->fresh = false;
	win->begin_known = !behind;
	win->begin = psn;
}

/* How many messages begin at the @count PSNs from @psn on. */
static u32 count_starts(const struct rf_psn_window *win, u32 psn, u32 count)
{
	u32 n, from, found = 0;

	for (; count; count -= n, psn += n) {
		from = psn % WORD_BITS;
		n = count < WORD_BITS - from ? count : WORD_BITS - from;
		found += ones(win->starts[slot(psn) / WORD_BITS] &
			      bits(from, n));
	}
	return found;
}

/* Where the message begins that @psn is in. */
static u32 find_start(const struct rf_psn_window *win, u32 psn)
{
	u32 left = RF_PSN_WINDOW - ((win->highest - psn) & RF_PSN_MASK);
	u32 n, at;
	u64 word;

	for (; left; left -= n, psn -= n) {
		at = psn % WORD_BITS;
		n = left < at + 1 ? left : at + 1;
		word = win->starts[slot(psn) / WORD_BITS] &
		       bits(at + 1 - n, n);
		if (word)
			return (psn - (at - top_bit(word))) & RF_PSN_MASK;
	}
	return win->oldest;
}

/**
 * rf_psn_window_start - begin with a flow's first packet
 * @win: the window
 * @psn: PSN of the first packet, which still has to be seen
 */
void rf_psn_window_start(struct rf_psn_window *win, u32 psn)
{
	memset(win, 0, sizeof(*win));
	win->first = psn;
	win->highest = psn;
	win->oldest = psn;
	win->fresh = true;
}

/* The next PSN comes into the window, the oldest one leaves it. */
static void step(struct rf_psn_window *win)
{
	u32 psn = (win->highest + 1) & RF_PSN_MASK;

	if (starts_at(win, psn)) {
		win->oldest = (psn - RF_PSN_WINDOW) & RF_PSN_MASK;
		win->starts[slot(psn) / WORD_BITS] &= ~bit(psn);
	}
	win->seen[slot(psn)] = 0;
	win->highest = psn;
	win->span++;
	if (win->boundary)
		mark_start(win, psn);
	win->boundary = false;
}

static void leap(struct rf_psn_window *win, u32 psn, u32 ahead)
{
	step(win);
	win->oldest = find_start(win, win->highest);
	memset(win->starts, 0, sizeof(win->starts));
	memset(win->seen, 0, sizeof(win->seen));
	win->highest = psn;
	win->span += ahead - 1;
	win->begin_known = false;
}

/**
 * rf_psn_window_see - take notice of one packet
 * @win: the window
 * @psn: the packet's PSN
 *
 * Return: the pass, from 1 on.
 */
u32 rf_psn_window_see(struct rf_psn_window *win, u32 psn)
{
	s32 ahead = rf_psn_diff(psn, win->highest);
	u8 *seen;

	if (ahead <= -RF_PSN_WINDOW)
		rf_psn_window_start(win, psn);
	else if (ahead > RF_PSN_WINDOW)
		leap(win, psn, ahead);
	else
		while (ahead-- > 0)
			step(win);

	seen = &win->seen[slot(psn)];
	if (*seen < U8_MAX)
		(*seen)++;
	return *seen;
}

/**
 * rf_psn_window_bounds - take notice of where messages begin and end
 * @win: the window, which has seen the packet
 * @psn: the packet's PSN
 * @begins: it is the first of a message; that the flow's first packet is, too,
 *	goes without saying
 * @ends: it is the last, and the next PSN begins another
 */
void rf_psn_window_bounds(struct rf_psn_window *win, u32 psn, bool begins,
			  bool ends)
{
	if (begins || win->fresh)
		mark_start(win, psn);
	if (!ends)
		return;
	if (psn == win->highest)
		win->boundary = true;
	else
		mark_start(win, (psn + 1) & RF_PSN_MASK);
}

/**
 * rf_psn_message - which message of the flow a PSN is in
 * @win: the window, which has seen the packet
 * @psn: its PSN
 *
 * Return: the ordinal, from 1; 0 for a PSN before the flow's first message.
 */
u32 rf_psn_message(const struct rf_psn_window *win, u32 psn)
{
	u32 behind = (win->highest - psn) & RF_PSN_MASK;

	if (!behind)
		return win->messages;
	return win->messages - count_starts(win, psn + 1, behind);
}

/* It is asked most of all for the highest, packet by packet of a message. */
static u32 begin_of(struct rf_psn_window *win, u32 psn)
{
	if (psn != win->highest)
		return find_start(win, psn);
	if (!win->begin_known)
		win->begin = find_start(win, psn);
	win->begin_known = true;
	return win->begin;
}

/**
 * rf_psn_packet - which packet of its message a PSN is
 * @win: the window, which has seen the packet
 * @psn: its PSN
 *
 * Return: the ordinal, from 1; 0 for a PSN before the flow's first message.
 */
u32 rf_psn_packet(struct rf_psn_window *win, u32 psn)
{
	if (!rf_psn_message(win, psn))
		return 0;
	return ((psn - begin_of(win, psn)) & RF_PSN_MASK) + 1;
}

/**
 * rf_psn_rel - a PSN relative to the flow's first
 * @win: the window
 * @psn: the PSN
 *
 * Return: the distance, modulo 2^24.
 */
u32 rf_psn_rel(const struct rf_psn_window *win, u32 psn)
{
	return (psn - win->first) & RF_PSN_MASK;
}

/**
 * rf_psn_serial - a PSN relative to the flow's first, not modulo
 * @win: the window, which has seen the packet
 * @psn: the PSN
 *
 * Return: the distance, which goes on where relative PSNs begin again; of a PSN
 * from before the first, a number below 2^32 by so much.
 */
u32 rf_psn_serial(const struct rf_psn_window *win, u32 psn)
{
	return win->span - ((win->highest - psn) & RF_PSN_MASK);
}
