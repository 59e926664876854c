// SPDX-License-Identifier: GPL-2.0
/* READ requests: which of them ask for the rest of an older one. */
#include "../../kmod/reads.c"
#include "tap.h"

#define RKEY	0x1234
#define ADDR	0x7f00fffff000ull
#define MTU	1024

static struct rf_reads reads;

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
	return rf_reads_see(&reads, psn & RF_PSN_MASK, reth);
}

/* From packet @from on, of a READ of @packets packets with its first PSN. */
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
	ok(!asks_from(psn, ADDR, 8, 0), "%s: a READ is no other's rest", words);
	ok(asks_from(psn, ADDR, 8, 3), "but that from its fourth packet is");
	ok(asks_from(psn, ADDR, 8, 3), "also the second time");
	ok(asks_from(psn, ADDR, 8, 7), "and that of the last packet");
	ok(!asks_from(psn, ADDR, 8, 0), "not the whole, retransmitted");
	ok(!asks_from(psn + 8, ADDR, 8, 0), "nor the next, of the same bytes");
	ok(asks_from(psn + 8, ADDR, 8, 1), "whose rest is one in its turn");
	ok(asks_from(psn, ADDR, 8, 5), "as that of the first still is");
}

static void others_ok(void)
{
	forget();
	asks_from(100, ADDR, 8, 0);
	ok(!asks_rest(103, ADDR + 3 * MTU, RKEY + 1, 5 * MTU),
	   "another R_Key is another READ");
	ok(!asks_rest(103, ADDR + 3 * MTU, RKEY, 4 * MTU), "another end, too");
	ok(!asks_rest(103, ADDR + 3 * MTU + 4, RKEY, 5 * MTU - 4),
	   "and a length that is no full packets less");
	ok(!asks_rest(108, ADDR + 8 * MTU, RKEY, 0), "and one of nothing");
}

/* By headers alone, half of what was read may be the rest of it. */
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
	ok(none, "half of what was read before is a READ of its own");
	ok(asks_rest(psn - 4 + 1, ADDR + 5 * MTU, RKEY, 3 * MTU),
	   "and has a rest");
}

static void many_ok(void)
{
	u32 i;

	forget();
	for (i = 0; i < RF_READS; i++)
		asks_from(9 * i, ADDR + i, 9, 0);
	ok(asks_from(0, ADDR, 9, 4), "the oldest of %d is remembered", RF_READS);
	asks_from(9 * i, ADDR + i, 9, 0);
	ok(!asks_from(0, ADDR, 9, 4), "and forgotten for one more");
}

int main(void)
{
	rest_ok(100, "in the middle");
	rest_ok(0xfffffe, "across the wrap");
	others_ok();
	halves_ok();
	many_ok();
	return done_testing();
}
