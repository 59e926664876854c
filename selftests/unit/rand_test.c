// SPDX-License-Identifier: GPL-2.0
/*
 * Test the quality of keyed random numbers: the numbers must be uniform, and independent of
 * each other if their keys differ in any part. Small probabilities must be exact.
 */
#include <string.h>

#include "../../kmod/rand.c"
#include "chance.h"
#include "tap.h"

#define MILLION 1000000

/* The parts of the key. */
enum { PORT, SEED, FLOW, RULE, DIRECTION, SERIAL, ATTEMPT, WHAT, PARTS };

static const char *const part_name[] = {
	"port", "seed", "flow", "rule", "direction", "PSN", "attempt", "purpose",
};

/* Draw a random number. The part @part of the key is @n, and the other parts are constant. */
static u64 draw(int part, u64 n)
{
	u64 value[PARTS] = { 0, 42, 0x1234567890abcdef, 3, 1, 1000, 1, RF_DRAW_CHANCE };
	struct rf_draw_key key;

	value[part] = n;
	key = (struct rf_draw_key){
		.base = rf_draw_base(value[PORT], value[SEED], value[RULE], value[DIRECTION]),
		.flow = value[FLOW], .serial = value[SERIAL], .attempt = value[ATTEMPT],
	};
	return rf_draw(&key, value[WHAT]);
}

/* The numbers must stay the same in all versions, because a seed names them. */
static void numbers_ok(void)
{
	u64 n, word, hash;
	bool same = true;

	for (n = 0; n < 1000; n++) {
		hash = rf_splitmix64(0, 42);
		hash = rf_splitmix64(hash, 3ULL << 32 | 1);
		hash = rf_splitmix64(hash, 0x1234567890abcdef);
		word = n << 32 | 1;
		same &= draw(SERIAL, n) == rf_splitmix64(rf_splitmix64(hash, word), RF_DRAW_CHANCE);
	}
	ok(same, "a number is the hash of port, seed, rule, direction, flow, PSN, attempt and purpose");
	ok(draw(SERIAL, 1000) == 0x7647bdc86d991174, "the number of a key is the same as in earlier versions");
}

static void uniform_ok(void)
{
	static unsigned int high[256], low[256];
	int part, i;
	u64 d;

	for (part = 0; part < PARTS; part++) {
		memset(high, 0, sizeof(high));
		memset(low, 0, sizeof(low));
		for (i = 0; i < MILLION; i++) {
			d = draw(part, i);
			high[d >> 56]++;
			low[d & 255]++;
		}
		ok(chi2_good(chi2(high, 256, MILLION / 256.), 255) &&
		   chi2_good(chi2(low, 256, MILLION / 256.), 255),
		   "a million draws with consecutive values of the key's %s are uniform",
		   part_name[part]);
	}
}

/* If two keys differ by one in one part, their random numbers must be independent. */
static void neighbours_are_independent_ok(void)
{
	static unsigned int pairs[256];
	int part, i;

	for (part = 0; part < PARTS; part++) {
		memset(pairs, 0, sizeof(pairs));
		for (i = 0; i < MILLION; i++)
			pairs[(draw(part, i) >> 60) << 4 |
			      draw(part, i + 1) >> 60]++;
		ok(chi2_good(chi2(pairs, 256, MILLION / 256.), 255),
		   "draws with neighbouring values of the key's %s are independent", part_name[part]);
	}
}

static void each_bit_of_the_key_matters_ok(void)
{
	static const int bits[PARTS] = { 64, 64, 64, 32, 32, 32, 32, 32 };
	int part, bit, i, flipped, least = 64, most = 0;

	for (part = 0; part < PARTS; part++) {
		for (bit = 0; bit < bits[part]; bit++) {
			for (flipped = 0, i = 0; i < 1000; i++)
				flipped += __builtin_popcountll(draw(part, i) ^
					draw(part, i ^ 1ULL << bit));
			flipped /= 1000;
			least = flipped < least ? flipped : least;
			most = flipped > most ? flipped : most;
		}
	}
	ok(least >= 31 && most <= 32, "each bit of the key changes half of the bits of the draw (%d to %d of 64)",
	   least, most);
}

/*
 * Let a rule with a probability decide about a million PSNs. Compare the fraction that is hit
 * with the probability; the deviation is in units of the exact standard deviation.
 */
static void rates_ok(void)
{
	static const double rates[] = { 1e-4, 1e-3, 1e-2, 1e-1, 0.5 };
	unsigned int r, i, hits;
	double p;

	for (r = 0; r < sizeof(rates) / sizeof(*rates); r++) {
		p = rates[r];
		for (hits = 0, i = 0; i < MILLION; i++)
			hits += rf_chance(draw(SERIAL, i), p * 1e12);
		ok(z_good((hits - p * MILLION) / sqrt(MILLION * p * (1 - p))),
		   "probability %g %% hits the right number of a million PSNs: %u", p * 100, hits);
	}
}

/*
 * Two ports in a row drop packets with the same probability, seed and key. Print a table, and
 * test that the number of packets that both would hit is that of independent events.
 */
static void two_hops_ok(const char *one, const char *two)
{
	const u32 n = 3000;
	const double p = 0.1;
	u32 seed, good = 0;

	printf("# %s, %s: seed, hits at each port, hits at both, z of these\n", one, two);
	for (seed = 0; seed < 20; seed++) {
		struct rf_draw_key first = {
			.base = rf_draw_base(rf_draw_port(one), seed, 0, 0), .attempt = 1,
		};
		struct rf_draw_key second = {
			.base = rf_draw_base(rf_draw_port(two), seed, 0, 0), .attempt = 1,
		};
		u32 hits[2] = { 0 }, both = 0;
		double z[3];

		for (first.serial = 0; first.serial < n; first.serial++) {
			bool a, b;

			second.serial = first.serial;
			a = rf_chance(rf_draw(&first, RF_DRAW_CHANCE), p * 1e12);
			b = rf_chance(rf_draw(&second, RF_DRAW_CHANCE), p * 1e12);
			hits[0] += a;
			hits[1] += b;
			both += a && b;
		}
		z[0] = (hits[0] - n * p) / sqrt(n * p * (1 - p));
		z[1] = (hits[1] - n * p) / sqrt(n * p * (1 - p));
		z[2] = (both - n * p * p) / sqrt(n * p * p * (1 - p * p));
		printf("# %2u %u %u %u %.2f\n", seed, hits[0], hits[1], both, z[2]);
		good += z_good(z[0]) && z_good(z[1]) && z_good(z[2]);
	}
	ok(good == 20, "ports %s and %s hit packets independently with each of 20 seeds", one, two);
}

static void bounds_ok(void)
{
	__uint128_t one = (__uint128_t)1 << 64;
	u64 billionth = 1000;
	u64 end = (one * billionth + RDMAFAULT_PROBABILITY_ONE - 1) /
		  RDMAFAULT_PROBABILITY_ONE;

	ok(rf_chance(UINT64_MAX, RDMAFAULT_PROBABILITY_ONE), "rf_chance() with probability 1 is always true");
	ok(!rf_chance(0, 0), "rf_chance() with probability 0 is never true");
	ok(rf_chance(end - 1, billionth) && !rf_chance(end, billionth),
	   "rf_chance() with probability 1e-9 is true for exactly that fraction of all draws");
	ok(rf_chance(0, 1) && !rf_chance(UINT64_MAX, RDMAFAULT_PROBABILITY_ONE - 1),
	   "rf_chance() distinguishes 1e-12 from 0 and 1 - 1e-12 from 1");
}

int main(void)
{
	numbers_ok();
	uniform_ok();
	neighbours_are_independent_ok();
	each_bit_of_the_key_matters_ok();
	rates_ok();
	two_hops_ok("t1", "t3");
	two_hops_ok("node1:v1", "node2:v1");
	bounds_ok();
	return done_testing();
}
