// SPDX-License-Identifier: GPL-2.0
/* Test rf_reads_see(), which finds READ requests that ask for the rest of an earlier READ. */
#include <string.h>

#include "../../kmod/flow/read_tracker.c"
#include "tap.h"

#define RKEY	0x1234
#define ADDR	0x7f00fffff000ull
#define MTU	1024

static struct rf_reads reads;
static u32 whole;		/* first PSN of the READ whose rest was requested last */

static void put(u8 *to, u64 value, int bytes)
{
	while (bytes--) {
		to[bytes] = value;
		value >>= 8;
	}
}

static bool asks_rest(u32 psn, u64 addr, u32 rkey, u32 len)
{
	u8 reth[RF_RETH_LEN];

	put(reth, addr, 8);
	put(reth + 8, rkey, 4);
	put(reth + 12, len, 4);
	return rf_reads_see(&reads, psn & RF_PSN_MASK, reth, &whole);
}

/*
 * A READ has @packets response packets; its first PSN is @first and its address is @addr. Make a
 * READ request for the response packets @from to @packets - 1. Return: true if rf_reads_see()
 * recognizes this request as a request for the rest of an earlier READ
 */
static bool asks_from(u32 first, u64 addr, u32 packets, u32 from)
{
	return asks_rest(first + from, addr + from * MTU, RKEY,
			 (packets - from) * MTU);
}

static void forget(void)
{
	memset(&reads, 0, sizeof(reads));
}

static void rest_ok(u32 psn, const char *words)
{
	forget();
	ok(!asks_from(psn, ADDR, 8, 0), "%s: a new READ is not the rest of another one", words);
	ok(asks_from(psn, ADDR, 8, 3), "%s: a READ from the fourth packet of an earlier one is its rest", words);
	ok(whole == psn, "%s: the first PSN of this earlier READ is known", words);
	ok(asks_from(psn, ADDR, 8, 3), "%s: the same rest is recognized a second time", words);
	ok(asks_from(psn, ADDR, 8, 7), "%s: a READ of the last packet of an earlier one is its rest", words);
	ok(!asks_from(psn, ADDR, 8, 0), "%s: a retransmitted whole READ is not a rest", words);
	ok(!asks_from(psn + 8, ADDR, 8, 0), "%s: the next READ of the same bytes is not a rest", words);
	ok(asks_from(psn + 8, ADDR, 8, 1), "%s: a part of that next READ is its rest", words);
	ok(asks_from(psn, ADDR, 8, 5), "%s: a part of the first READ is still its rest", words);
}

static void others_ok(void)
{
	forget();
	asks_from(100, ADDR, 8, 0);
	ok(!asks_rest(103, ADDR + 3 * MTU, RKEY + 1, 5 * MTU),
	   "a READ with another R_Key is not the rest");
	ok(!asks_rest(103, ADDR + 3 * MTU, RKEY, 4 * MTU), "a READ with another end is not the rest");
	ok(!asks_rest(103, ADDR + 3 * MTU + 4, RKEY, 5 * MTU - 4),
	   "a READ that does not start at a packet of the earlier one is not the rest");
	ok(!asks_rest(108, ADDR + 8 * MTU, RKEY, 0), "a READ of 0 bytes is not the rest");
}

/*
 * A READ of the second half of an earlier READ must not be mistaken for a request for the rest of
 * the earlier READ. A check of only the address would make this mistake.
 */
static void halves_ok(void)
{
	u32 psn;
	bool none = true;

	forget();
	asks_from(0, ADDR, 8, 0);
	asks_from(8, ADDR, 8, 0);
	for (psn = 16; psn < 160; psn += 12) {
		none &= !asks_from(psn, ADDR, 8, 0);
		none &= !asks_rest(psn + 8, ADDR + 4 * MTU, RKEY, 4 * MTU);
	}
	ok(none, "a READ of the second half of an earlier one, with a later PSN, is not its rest");
	ok(asks_rest(psn - 4 + 1, ADDR + 5 * MTU, RKEY, 3 * MTU),
	   "a part of that READ is its rest");
}

static void many_ok(void)
{
	u32 i;

	forget();
	for (i = 0; i < RF_READS; i++)
		asks_from(9 * i, ADDR + i, 9, 0);
	ok(asks_from(0, ADDR, 9, 4), "a rest of the oldest of %d READs is recognized", RF_READS);
	asks_from(9 * i, ADDR + i, 9, 0);
	ok(!asks_from(0, ADDR, 9, 4), "the oldest READ is forgotten after one more");
}

int main(void)
{
	rest_ok(100, "PSNs in the middle");
	rest_ok(0xfffffe, "PSNs that wrap");
	others_ok();
	halves_ok();
	many_ok();
	return done_testing();
}
