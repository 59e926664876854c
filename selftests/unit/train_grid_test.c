// SPDX-License-Identifier: GPL-2.0
/*
 * Test exact sums of floats. In any order of addition, the sum must have the same bits. The
 * digest of a sum must be the sum of the digests of its operands. If a flipped bit changes
 * the sum, it must also change the digest.
 */
#include <stdlib.h>

#include "../../tools/train/grid.c"
#include "tap.h"

#define N	1000u
#define RANKS	7

static float part[RANKS][N], forth[N], back[N];

static void contribute(struct tr_random *r, float size)
{
	for (int k = 0; k < RANKS; k++) {
		for (uint32_t i = 0; i < N; i++)
			part[k][i] = size * tr_symmetric(r);
		tr_grid_round(part[k], part[k], N, RANKS);
	}
}

static void sum(float *to, bool reverse)
{
	memset(to, 0, N * sizeof(*to));
	for (int k = 0; k < RANKS; k++)
		for (uint32_t i = 0; i < N; i++)
			to[i] += part[reverse ? RANKS - 1 - k : k][i];
}

static uint64_t digests(void)
{
	uint64_t d = 0;

	for (int k = 0; k < RANKS; k++)
		d += tr_grid_digest(part[k], N, 0);
	return d;
}

static void sums_are_exact_ok(float size)
{
	struct tr_random r = { 5 };
	bool same = true, proven = true;

	for (int i = 0; i < 50; i++) {
		contribute(&r, size);
		sum(forth, false);
		sum(back, true);
		same &= !memcmp(forth, back, sizeof(forth));
		proven &= tr_grid_digest(forth, N, 0) == digests();
	}
	ok(same, "sums of values up to %g are the same in both orders", (double)size);
	ok(proven, "the digest of a sum of values up to %g is the sum of the digests",
	   (double)size);
}

static void digests_of_parts_add_up_ok(void)
{
	uint64_t d = tr_grid_digest(forth, N, 0);

	ok(d == tr_grid_digest(forth, 300, 0) +
		tr_grid_digest(forth + 300, N - 300, 300),
	   "the digest of a vector is the sum of the digests of its parts");
}

static void flip(float *v, int bit)
{
	uint32_t u;

	memcpy(&u, v, sizeof(u));
	u ^= 1u << bit;
	memcpy(v, &u, sizeof(u));
}

/*
 * Flip one bit of an element of one rank, and compute the sum. Repeat this for each rank and
 * each of the 32 bits.
 */
static void flips_before_the_sum_ok(void)
{
	struct tr_random r = { 9 };
	int hidden = 0, shown = 0;

	contribute(&r, 0.5f);
	sum(forth, false);
	for (uint32_t i = 0; i < 32 * RANKS; i++) {
		float *v = &part[i / 32][i * 4 % N], was = *v;
		uint64_t want = digests();
		bool harmless;

		flip(v, i % 32);
		sum(back, false);
		harmless = !memcmp(forth, back, sizeof(forth));
		shown += tr_grid_digest(back, N, 0) != want;
		hidden += tr_grid_digest(back, N, 0) == want && !harmless;
		*v = was;
	}
	ok(shown > 20 * RANKS && !hidden,
	   "the digest detects a flipped bit in a contribution if it changes the sum (%d detected, %d missed)",
	   shown, hidden);
}

static void flips_behind_the_sum_ok(void)
{
	uint64_t want = tr_grid_digest(forth, N, 0);
	int hidden = 0;

	for (uint32_t i = 0; i < 32 * N; i++) {
		flip(&forth[i / 32], i % 32);
		hidden += tr_grid_digest(forth, N, 0) == want;
		flip(&forth[i / 32], i % 32);
	}
	ok(!hidden, "the digest detects every flipped bit in a sum");
}

static void values_beyond_are_cut_ok(void)
{
	const float in[] = { 1e9f, -1e9f, NAN, 0.25f, -1e-9f, INFINITY };
	float out[6];
	uint64_t cut = tr_grid_round(out, in, 6, 8);

	ok(cut == 4 && out[0] == 1 && out[1] == -1 && out[2] == -1 &&
	   out[3] == 0.25f && out[5] == 1, "tr_grid_round() limits values that are too large, and counts them");
	ok(!out[4] && !signbit(out[4]), "tr_grid_round() makes no negative zero");
	ok(tr_grid_round(out, in + 3, 1, 64) == 1 && out[0] == 0.125f,
	   "tr_grid_round() limits values for 64 ranks to an eighth");
}

static void hashes_differ_ok(void)
{
	uint64_t h = tr_hash(forth, sizeof(forth));
	bool differ = true;

	for (uint32_t i = 0; i < 32 * N; i += 7) {
		flip(&forth[i / 32], i % 32);
		differ &= tr_hash(forth, sizeof(forth)) != h;
		flip(&forth[i / 32], i % 32);
	}
	ok(differ && tr_hash(forth, sizeof(forth)) == h &&
	   tr_hash(forth, sizeof(forth) - 4) != h,
	   "tr_hash() changes with every bit and with the length");
}

/*
 * The hash of n bytes must include the last n % 4 bytes, and must not include the byte
 * after the last one.
 */
static void odd_hashes_differ_ok(void)
{
	uint32_t words[2] = { 1, 2 };
	uint8_t *bytes = (uint8_t *)words;
	bool differ = true, same = true;
	uint64_t h;

	for (uint32_t n = 5; n < 8; n++) {
		h = tr_hash(words, n);
		bytes[n - 1]++;
		differ &= tr_hash(words, n) != h;
		bytes[n - 1]--;
		bytes[n]++;
		same &= tr_hash(words, n) == h;
		bytes[n]--;
	}
	ok(differ && same, "tr_hash() includes exactly the bytes of a length that is not a multiple of 4");
}

int main(void)
{
	sums_are_exact_ok(1e-4f);
	sums_are_exact_ok(1);
	sums_are_exact_ok(100);
	digests_of_parts_add_up_ok();
	flips_before_the_sum_ok();
	flips_behind_the_sum_ok();
	values_beyond_are_cut_ok();
	hashes_differ_ok();
	odd_hashes_differ_ok();
	return done_testing();
}
