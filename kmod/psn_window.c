// SPDX-License-Identifier: GPL-2.0
/*
 * Counts passes: how many times a PSN of a flow has been seen. All arithmetic
 * is modulo 2^24, so that the wrap from 0xffffff to 0 is a step like any other
 * (IBTA vol. 1, 9.7.1 divides the PSN space in the same two halves).
 *
 * A PSN ahead of the highest moves the window; those that it skips count as
 * not seen. A PSN so far behind that the window has forgotten it can't belong
 * to what we follow: the QP number has got a new owner, and the flow starts
 * again from this PSN.
 */
#include "psn_window.h"
#include "bth.h"

#ifdef __KERNEL__
#include <linux/string.h>
#else
#include <string.h>
#endif

#define PSN_BITS	24

/* a - b as a signed number of 24 bits */
static s32 psn_diff(u32 a, u32 b)
{
	return (s32)((a - b) << (32 - PSN_BITS)) >> (32 - PSN_BITS);
}

static u8 *slot(struct rf_psn_window *win, u32 psn)
{
	return &win->seen[psn & (RF_PSN_WINDOW - 1)];
}

/**
 * rf_psn_window_start - begin with a flow's first packet
 * @win: the window
 * @psn: PSN of the first packet, which still has to be seen
 */
void rf_psn_window_start(struct rf_psn_window *win, u32 psn)
{
	memset(win->seen, 0, sizeof(win->seen));
	win->first = psn;
	win->highest = psn;
}

static void advance(struct rf_psn_window *win, u32 psn, s32 ahead)
{
	if (ahead >= RF_PSN_WINDOW)
		memset(win->seen, 0, sizeof(win->seen));
	else
		while (ahead-- > 0)
			*slot(win, ++win->highest) = 0;
	win->highest = psn;
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
	s32 ahead = psn_diff(psn, win->highest);
	u8 *seen;

	if (ahead > 0)
		advance(win, psn, ahead);
	else if (ahead <= -RF_PSN_WINDOW)
		rf_psn_window_start(win, psn);

	seen = slot(win, psn);
	if (*seen < U8_MAX)
		(*seen)++;
	return *seen;
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
