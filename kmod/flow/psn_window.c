// SPDX-License-Identifier: GPL-2.0
/*
 * A window of the last PSNs of a flow: how many times each was sent, and at which of
 * them a message begins. All arithmetic is modulo 2^24, so the wrap from 0xffffff to
 * 0 is a step like any other (IBTA vol. 1, 9.7.1 divides the PSN space in the same
 * two halves).
 *
 * A PSN above the highest one moves the window; the PSNs between them count as not
 * seen. A PSN behind the window has no attempt: it can be a copy that was delayed
 * for long, which must not change the attempts of other PSNs. But if it is from far
 * before the flow's first PSN, or if no other PSNs arrive any more, the QP number
 * is reused by a new QP, and the flow begins again.
 *
 * A PSN so far ahead that no PSN would stay in the window can be corrupted. The
 * packet has its place there, but the rest of the window is kept until the next
 * packet. If that continues where the window was, the PSN jump is reverted.
 *
 * Messages are numbered by where they begin, not by what arrives: a retransmitted
 * packet belongs to its old message, and a message whose first packet was lost
 * before this port begins after the end of the message before. If a READ is
 * retransmitted from its middle, the first response there has the opcode of a first
 * response. It begins no new message, because the PSN before it ended none.
 */
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/string.h>

#include "flow.h"

#define WORD_BITS	64u

/* In @seen; the other bits are the attempts */
#define SEEN_DATA	(RF_PSN_ATTEMPTS + 1)

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

static bool window_starts_at(const struct rf_psn_window *win, u32 psn)
{
	return win->starts[slot(psn) / WORD_BITS] & bit(psn);
}

static void window_mark_start(struct rf_psn_window *win, u32 psn)
{
	/* Is it behind the window, or before the flow's first packet? */
	u32 behind = (win->highest - psn) & RF_PSN_MASK;

	if (behind >= RF_PSN_WINDOW || behind > win->span ||
	    window_starts_at(win, psn))
		return;
	win->starts[slot(psn) / WORD_BITS] |= bit(psn);
	win->messages++;
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
		found += hweight64(win->starts[slot(psn) / WORD_BITS] &
			      bits(from, n));
	}
	return found;
}

/* The PSN at which the message of @psn begins */
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
			return (psn - (at - (fls64(word) - 1))) & RF_PSN_MASK;
	}
	return win->oldest;
}

/**
 * rf_psn_window_start - initialise the window of a new flow
 * @win: the window
 * @psn: PSN of the first packet; call rf_psn_window_move() for it, too
 */
void rf_psn_window_start(struct rf_psn_window *win, u32 psn)
{
	memset(win, 0, sizeof(*win));
	win->first = psn;
	win->highest = psn;
	win->oldest = psn;
}

/* Move the window by one PSN. */
static void window_step(struct rf_psn_window *win)
{
	u32 psn = (win->highest + 1) & RF_PSN_MASK;

	if (window_starts_at(win, psn)) {
		win->oldest = (psn - RF_PSN_WINDOW) & RF_PSN_MASK;
		win->starts[slot(psn) / WORD_BITS] &= ~bit(psn);
	}
	win->seen[slot(psn)] = 0;
	win->highest = psn;
	win->span++;
	if (win->boundary)
		window_mark_start(win, psn);
	win->boundary = false;
}

/* Save the members of the window that the PSN after a jump overwrites. */
static noinline void window_jump(struct rf_psn_window *win, u32 psn, u32 ahead)
{
	u32 at = slot(psn) / WORD_BITS;

	win->old = (struct rf_psn_old){
		.messages = win->messages,
		.starts = win->starts[at],
		.open = win->open[at],
		.open_of = win->open_of[at],
		.highest = win->highest,
		.oldest = win->oldest,
		.last = win->last,
		.boundary = win->boundary,
		.seen = win->seen[slot(psn)],
	};
	win->oldest = win->boundary ? (win->highest + 1) & RF_PSN_MASK :
				      find_start(win, win->highest);
	win->messages += win->boundary;
	win->boundary = false;
	win->begin = win->oldest;
	win->begin_known = true;
	win->starts[at] = 0;
	win->seen[slot(psn)] = 0;
	win->highest = psn;
	win->span += ahead;
	win->jumped = true;
}

static void window_jump_revert(struct rf_psn_window *win)
{
	u32 at = slot(win->highest) / WORD_BITS;

	win->starts[at] = win->old.starts;
	win->open[at] = win->old.open;
	win->open_of[at] = win->old.open_of;
	win->seen[slot(win->highest)] = win->old.seen;
	win->span -= rf_psn_diff(win->highest, win->old.highest);
	win->highest = win->old.highest;
	win->oldest = win->old.oldest;
	win->last = win->old.last;
	win->messages = win->old.messages;
	win->boundary = win->old.boundary;
	win->begin_known = false;
	win->jumped = false;
}

static void window_jump_commit(struct rf_psn_window *win)
{
	u32 at = slot(win->highest);
	u64 starts = win->starts[at / WORD_BITS];
	u8 seen = win->seen[at];

	memset(win->starts, 0, sizeof(win->starts));
	memset(win->seen, 0, sizeof(win->seen));
	win->starts[at / WORD_BITS] = starts;
	win->seen[at] = seen;
	win->jumped = false;
}

/* The next packet after a jump decides whether the jump is reverted. */
static noinline void window_jump_check(struct rf_psn_window *win, u32 psn)
{
	s32 from_old = rf_psn_diff(psn, win->old.highest);
	s32 ahead = rf_psn_diff(psn, win->highest);

	/* The same packet, or a copy of a packet from before the jump, decides nothing. */
	if (!ahead || (ahead < 0 && rf_psn_diff(psn, win->old.last) <= 0))
		return;
	if (ahead < 0 && (from_old <= RF_PSN_WINDOW || ahead <= -RF_PSN_WINDOW))
		window_jump_revert(win);
	else
		window_jump_commit(win);
}

static noinline void window_restart(struct rf_psn_window *win, u32 psn)
{
	u64 earlier = win->earlier + win->messages;
	u32 owners = win->owners;

	rf_psn_window_start(win, psn);
	win->earlier = earlier;
	win->owners = owners + 1;
}

/* Does the window have a READ response that isn't the last one of its READ? */
static bool window_has_responses(const struct rf_psn_window *win)
{
	u32 last = win->highest / WORD_BITS;
	u32 at, behind;

	for (at = 0; at < RF_PSN_WINDOW / WORD_BITS; at++) {
		behind = (last - win->open_of[at]) & RF_PSN_MASK / WORD_BITS;
		if (win->open[at] && behind < RF_PSN_WINDOW / WORD_BITS)
			return true;
	}
	return false;
}

/* @behind: the distance to the highest PSN, longer than the window */
static noinline bool window_is_qp_reused(struct rf_psn_window *win, u32 behind)
{
	if (behind > win->span + RF_PSN_REACH)
		return true;
	return ++win->late > RF_PSN_LATE &&
	       (win->late > RF_PSN_REACH || !window_has_responses(win));
}

/**
 * rf_psn_window_move - move the window to the PSN of a packet
 * @win: the window
 * @psn: the packet's PSN
 *
 * Return: false if the PSN is behind the window.
 */
bool rf_psn_window_move(struct rf_psn_window *win, u32 psn)
{
	s32 ahead;

	if (win->jumped)
		window_jump_check(win, psn);
	ahead = rf_psn_diff(psn, win->highest);
	if (ahead <= -RF_PSN_WINDOW) {
		if (!window_is_qp_reused(win, -ahead))
			return false;
		window_restart(win, psn);
	} else if (ahead > RF_PSN_WINDOW) {
		window_jump(win, psn, ahead);
	} else {
		while (ahead-- > 0)
			window_step(win);
	}
	win->late = 0;
	win->last = psn;
	return true;
}

/**
 * rf_psn_window_count - count a transmission of a PSN
 * @win: the window, which has moved to the PSN
 * @psn: the PSN
 * @data: it is a READ or atomic response. ACKs with its PSN are not attempts of it.
 *
 * Return: the attempt, at least 1; 0 if @data is false, but the PSN is that of a READ or
 * atomic response.
 */
u32 rf_psn_window_count(struct rf_psn_window *win, u32 psn, bool data)
{
	u8 *seen = &win->seen[slot(psn)];

	if (data && !(*seen & SEEN_DATA))
		*seen = SEEN_DATA;
	if (!data && *seen & SEEN_DATA)
		return 0;
	if ((*seen & RF_PSN_ATTEMPTS) < RF_PSN_ATTEMPTS)
		(*seen)++;
	return *seen & RF_PSN_ATTEMPTS;
}

/**
 * rf_psn_window_requests - count the requests that have asked for a PSN of a READ
 * @win: the window, which has counted all of them
 * @first: the first PSN of the READ
 * @psn: the PSN, which is that of the last request
 *
 * Return: the attempt of the request: the number of requests from @first to @psn.
 */
u32 rf_psn_window_requests(const struct rf_psn_window *win, u32 first, u32 psn)
{
	u32 known = RF_PSN_WINDOW - ((win->highest - psn) & RF_PSN_MASK);
	u32 left = ((psn - first) & RF_PSN_MASK) + 1;
	u32 requests = 0;

	/* The jump was to this PSN; the rest of @seen belongs to the PSNs before it. */
	if (win->jumped)
		known = 1;
	/* The request with @first is behind the window. */
	if (left > known) {
		left = known;
		requests++;
	}
	while (left--)
		requests += win->seen[slot(psn--)];
	return requests < RF_PSN_ATTEMPTS ? requests : RF_PSN_ATTEMPTS;
}

/**
 * rf_psn_window_bounds - see where messages begin and end
 * @win: the window, which has seen the packet
 * @psn: the packet's PSN
 * @begins: it is the first packet of a message. The first packet of the flow always
 *	is.
 * @ends: it is the last one, and the next PSN begins another message
 */
void rf_psn_window_bounds(struct rf_psn_window *win, u32 psn, bool begins,
			  bool ends)
{
	if (begins || !win->messages)
		window_mark_start(win, psn);
	if (!ends)
		return;
	if (psn == win->highest)
		win->boundary = true;
	else
		window_mark_start(win, (psn + 1) & RF_PSN_MASK);
}

/**
 * rf_psn_window_open - see that a message continues after a PSN
 * @win: the window, which has seen the packet
 * @psn: PSN of a response to a READ, not the last
 */
void rf_psn_window_open(struct rf_psn_window *win, u32 psn)
{
	u32 at = slot(psn) / WORD_BITS;

	/* Cleared here instead of in window_step(), because few packets are READ responses. */
	if (win->open_of[at] != psn / WORD_BITS)
		win->open[at] = 0;
	win->open_of[at] = psn / WORD_BITS;
	win->open[at] |= bit(psn);
}

/**
 * rf_psn_is_open - test whether a message continues after a PSN
 * @win: the window
 * @psn: the PSN, modulo 2^24
 *
 * Return: true if rf_psn_window_open() was called for the PSN recently.
 */
bool rf_psn_is_open(const struct rf_psn_window *win, u32 psn)
{
	u32 at;

	psn &= RF_PSN_MASK;
	at = slot(psn) / WORD_BITS;
	return win->open_of[at] == psn / WORD_BITS && win->open[at] & bit(psn);
}

/**
 * rf_psn_message - the number of a PSN's message in the flow
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

/* Nearly always for the highest PSN. */
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
 * rf_psn_packet - the number of a PSN's packet in its message
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
