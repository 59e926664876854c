/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A ring of the latest packets of one direction of a port. A new record overwrites the oldest
 * ones if there is no room. Records have different lengths and follow one another in the
 * memory of the ring. A record that reaches its end goes on in slack behind it, so each
 * record is in one piece. Positions count bytes and never wrap.
 *
 * The tools and unit tests include this header.
 */
#ifndef RF_RING_SPACE_H
#define RF_RING_SPACE_H

#include <linux/types.h>

#define RF_RING_ALIGN	8u

/**
 * struct rf_ring_record - a packet in a ring, followed by its bytes
 * @t_ns: when it arrived at the port, in CLOCK_MONOTONIC
 * @len: bytes of the frame, from the Ethernet header on
 * @captured: bytes of it that follow, padded to RF_RING_ALIGN
 * @verdict: enum rf_verdict; RF_PASS also if no rule was evaluated
 * @pad: 0
 */
struct rf_ring_record {
	u64 t_ns;
	u32 len;
	u16 captured;
	u8 verdict;
	u8 pad;
};

/**
 * struct rf_ring_space - the records of a ring
 * @data: the memory: @mask + 1 bytes, and slack for the longest record
 * @mask: bytes of the memory, a power of two, minus 1
 * @head: position after the newest record
 * @tail: position of the oldest record
 * @read: position of the oldest record that was not read
 * @packets: number of records that were added
 * @overwritten: number of records that were overwritten before they were read
 */
struct rf_ring_space {
	u8 *data;
	u32 mask;
	u64 head;
	u64 tail;
	u64 read;
	u64 packets;
	u64 overwritten;
};

/* Bytes of a record in the ring */
static inline u32 rf_ring_room(u32 captured)
{
	return sizeof(struct rf_ring_record) +
	       ((captured + RF_RING_ALIGN - 1) & ~(RF_RING_ALIGN - 1));
}

static inline struct rf_ring_record *rf_ring_at(const struct rf_ring_space *space, u64 pos)
{
	return (struct rf_ring_record *)(space->data + (pos & space->mask));
}

/* The bytes of the packet of a record */
static inline u8 *rf_ring_bytes(struct rf_ring_record *rec)
{
	return (u8 *)(rec + 1);
}

/* ring_space.c */
u64 rf_ring_add(struct rf_ring_space *space, u32 captured);
void rf_ring_mark(struct rf_ring_space *space, u64 pos, u8 verdict);
u32 rf_ring_next(struct rf_ring_space *space, u32 room);
void rf_ring_read(struct rf_ring_space *space, u8 *to, u32 len);

#endif
