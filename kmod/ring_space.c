// SPDX-License-Identifier: GPL-2.0
/* The records of a ring. ring.c has its lock and its memory. */
#include <linux/string.h>

#include "ring_space.h"

/**
 * rf_ring_add - add a record, and overwrite the oldest ones if there is no room for it
 * @space: the records
 * @captured: bytes of the packet in the record; rf_ring_room() of it is at most the
 *	memory and at most the slack
 *
 * Context: under the lock of the ring.
 * Return: the position of the record, which the caller fills in except for @captured.
 */
u64 rf_ring_add(struct rf_ring_space *space, u32 captured)
{
	u32 need = rf_ring_room(captured);
	u64 pos = space->head;

	while (pos + need - space->tail > (u64)space->mask + 1) {
		space->overwritten += space->tail >= space->read;
		space->tail += rf_ring_room(rf_ring_at(space, space->tail)->captured);
	}
	rf_ring_at(space, pos)->captured = captured;
	space->head += need;
	space->packets++;
	return pos;
}

/**
 * rf_ring_mark - set the verdict of a record, unless it was overwritten
 * @space: the records
 * @pos: its position
 * @verdict: enum rf_verdict
 *
 * Context: under the lock of the ring.
 */
void rf_ring_mark(struct rf_ring_space *space, u64 pos, u8 verdict)
{
	if (pos >= space->tail)
		rf_ring_at(space, pos)->verdict = verdict;
}

/**
 * rf_ring_next - find the records that can be read at once
 * @space: the records; those that were overwritten are skipped
 * @room: the most bytes to read
 *
 * Context: under the lock of the ring.
 * Return: the bytes of the oldest records that were not read; 0 if there are none, or if
 * there is no room for one.
 */
u32 rf_ring_next(struct rf_ring_space *space, u32 room)
{
	u32 need, len = 0;

	if (space->read < space->tail)
		space->read = space->tail;
	while (space->read + len < space->head) {
		need = rf_ring_room(rf_ring_at(space, space->read + len)->captured);
		if (need > room - len)
			break;
		len += need;
	}
	return len;
}

/**
 * rf_ring_read - read records
 * @space: the records
 * @to: room for @len bytes
 * @len: what rf_ring_next() has returned under the same lock
 *
 * Context: under the lock of the ring.
 */
void rf_ring_read(struct rf_ring_space *space, u8 *to, u32 len)
{
	u64 end = space->read + len;
	u32 need;

	while (space->read < end) {
		need = rf_ring_room(rf_ring_at(space, space->read)->captured);
		memcpy(to, rf_ring_at(space, space->read), need);
		space->read += need;
		to += need;
	}
}
