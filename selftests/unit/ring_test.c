// SPDX-License-Identifier: GPL-2.0
/* Test the records of a ring: order, overwriting, reading while packets arrive. */
#include "../../kmod/ring_space.c"
#include "tap.h"

#define MEMORY	1024u
#define LONGEST	400u

static u8 memory[MEMORY + sizeof(struct rf_ring_record) + LONGEST + 8];
static u8 out[2 * sizeof(memory)];
static struct rf_ring_space ring;

static void begin(void)
{
	memset(memory, 0xee, sizeof(memory));
	ring = (struct rf_ring_space){ .data = memory, .mask = MEMORY - 1 };
}

/* Add a packet of @captured bytes that are all its number. */
static u64 add(u32 number, u32 captured)
{
	u64 pos = rf_ring_add(&ring, captured);
	struct rf_ring_record *rec = rf_ring_at(&ring, pos);

	rec->t_ns = number;
	rec->len = captured;
	rec->verdict = 0;
	memset(rf_ring_bytes(rec), number, captured);
	return pos;
}

/*
 * Read at most @room bytes. Return: the number of records, whose numbers must follow *number,
 * and whose bytes must be their numbers; 0 if they are not.
 */
static u32 take(u32 room, u32 *number)
{
	u32 len = rf_ring_next(&ring, room), at = 0, n = 0, i;
	struct rf_ring_record rec;

	rf_ring_read(&ring, out, len);
	while (at < len) {
		memcpy(&rec, out + at, sizeof(rec));
		if (rec.t_ns != *number || rec.captured != rec.len)
			return 0;
		for (i = 0; i < rec.captured; i++)
			if (out[at + sizeof(rec) + i] != (u8)*number)
				return 0;
		at += rf_ring_room(rec.captured);
		(*number)++;
		n++;
	}
	return at == len ? n : 0;
}

static void order_ok(void)
{
	u32 number = 1, i;

	begin();
	ok(!take(MEMORY, &number) && number == 1, "an empty ring has nothing to read");
	for (i = 1; i <= 5; i++)
		add(i, 10 * i);
	ok(take(sizeof(out), &number) == 5, "packets are read in the order in which they were added");
	ok(!take(sizeof(out), &number), "a packet is read once");
	ok(ring.packets == 5 && !ring.overwritten, "nothing is overwritten while there is room");
}

static void room_ok(void)
{
	u32 number = 1;

	begin();
	add(1, 64);
	add(2, 64);
	ok(!rf_ring_next(&ring, rf_ring_room(64) - 1), "a record is not read in parts");
	ok(take(rf_ring_room(64), &number) == 1, "a read ends before the record without room");
	ok(take(rf_ring_room(64), &number) == 1, "the next read goes on with that record");
}

static void exact_ok(void)
{
	u32 captured = MEMORY / 8 - sizeof(struct rf_ring_record), number = 1, i;

	begin();
	for (i = 1; i <= 8; i++)
		add(i, captured);
	ok(take(sizeof(out), &number) == 8 && !ring.overwritten,
	   "records that fill the memory exactly are all kept");
	begin();
	for (i = 1; i <= 9; i++)
		add(i, captured);
	number = 2;
	ok(take(sizeof(out), &number) == 8 && ring.overwritten == 1,
	   "one more record overwrites the oldest one");
}

/* Lengths that do not divide the memory, so that records reach into the slack. */
static void wrap_ok(void)
{
	u32 number, i, kept, laps = 0;
	bool good = true;

	begin();
	for (i = 1; i <= 5000; i++) {
		add(i, i * 37 % (LONGEST + 1));
		laps = ring.head / MEMORY;
		if (i % 97)
			continue;
		/* All records that were not overwritten, and no other ones */
		ring.read = ring.tail;
		number = rf_ring_at(&ring, ring.tail)->t_ns;
		kept = i - number + 1;
		good = good && take(sizeof(out), &number) == kept && number == i + 1;
	}
	ok(good && laps > 500, "after many laps, the ring has the latest packets with their bytes");
}

static void longest_ok(void)
{
	u32 number = 6, i;

	begin();
	for (i = 1; i <= 6; i++)
		add(i, 100);
	add(7, LONGEST);
	add(8, LONGEST);
	ok(take(sizeof(out), &number) == 3 && ring.overwritten == 5,
	   "long records overwrite as many short ones as needed");
	begin();
	ok(rf_ring_room(0) == sizeof(struct rf_ring_record) && rf_ring_room(1) == rf_ring_room(8),
	   "records are padded to 8 bytes");
}

static void read_is_not_overwritten_ok(void)
{
	u32 captured = MEMORY / 8 - sizeof(struct rf_ring_record), number = 1, i;

	begin();
	for (i = 1; i <= 8; i++)
		add(i, captured);
	take(4 * rf_ring_room(captured), &number);
	for (i = 9; i <= 12; i++)
		add(i, captured);
	ok(!ring.overwritten, "packets that were read do not count as overwritten");
	add(13, captured);
	ok(ring.overwritten == 1, "the first packet that was not read counts");
	number = 6;
	ok(take(sizeof(out), &number) == 8, "a reader goes on at the oldest packet that is left");
}

static void verdict_ok(void)
{
	u32 captured = MEMORY / 2 - sizeof(struct rf_ring_record);
	u64 first, second;

	begin();
	first = add(1, captured);
	second = add(2, captured);
	rf_ring_mark(&ring, second, 1);
	ok(rf_ring_at(&ring, second)->verdict == 1, "a verdict is stored with its packet");
	add(3, captured);
	rf_ring_mark(&ring, first, 2);
	ok(!rf_ring_at(&ring, first)->verdict, "the verdict of an overwritten packet is ignored");
}

int main(void)
{
	order_ok();
	room_ok();
	exact_ok();
	wrap_ok();
	longest_ok();
	read_is_not_overwritten_ok();
	verdict_ok();
	return done_testing();
}
