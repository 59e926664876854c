// SPDX-License-Identifier: GPL-2.0
/*
 * Test the loss models with memory (gemodel, state, correlation, burst): their loss rates and
 * run lengths must agree with the formulas of their authors, and a decision must depend on the
 * PSN and not on the order of packets.
 */
#include "../../kmod/rand.c"
/*
 * number of random numbers drawn: each step of a Gilbert-Elliott chain draws two, also the
 * first step
 */
static unsigned int draws_made;
#define rf_draw(key, what) (draws_made++, rf_draw(key, what))
#include "../../kmod/rule/loss_model.c"
#include "chance.h"
#include "tap.h"

#include <stdlib.h>

#define MILLION		1000000
#define RUNS		64

static struct rf_loss_model chain;
static bool hit[MILLION];
static int drawn;

static u64 unit(double p)
{
	return p * RDMAFAULT_PROBABILITY_ONE;
}

static struct rf_draw_key key_of(u32 serial, u32 attempt)
{
	return (struct rf_draw_key){
		.base = rf_draw_base(0, 7, 1, 0), .flow = 99, .serial = serial,
		.attempt = attempt,
	};
}

static bool ask(const struct rf_trigger *t, u32 serial, u32 attempt)
{
	struct rf_draw_key key = key_of(serial, attempt);

	return rf_loss_model_hits(t, &chain, &key);
}

/*
 * For a retransmission, a decision computes a hundred steps of the chain, so fewer
 * retransmissions are tested.
 */
static void draw_all(const struct rf_trigger *t, u32 attempt)
{
	int i;

	drawn = attempt == 1 ? MILLION : MILLION / 10;
	memset(&chain, 0, sizeof(chain));
	for (i = 0; i < drawn; i++)
		hit[i] = ask(t, i, attempt);
}

/*
 * Return: true if the rate of hits is as expected. Hits are not independent of each other, so
 * the deviation is computed from the means of groups of a thousand packets.
 */
static bool rate_good(double expected)
{
	double sum = 0, squares = 0, mean;
	int batch, i, hits, batches = drawn / 1000;

	for (batch = 0; batch < batches; batch++) {
		for (hits = 0, i = 0; i < 1000; i++)
			hits += hit[batch * 1000 + i];
		mean = hits / 1000.;
		sum += mean;
		squares += mean * mean;
	}
	mean = sum / batches;
	return z_good((mean - expected) /
		      sqrt((squares / batches - mean * mean) / batches));
}

/*
 * Count the runs of @value (consecutive packets with the same decision) by length. Return: the
 * number of runs
 */
static int count_runs(bool value, int length[RUNS])
{
	int i, run = 0, total = 0;

	memset(length, 0, RUNS * sizeof(*length));
	for (i = 0; i < drawn; i++) {
		if (hit[i] == value) {
			run++;
		} else if (run) {
			length[run < RUNS ? run : RUNS - 1]++;
			total++;
			run = 0;
		}
	}
	return total;
}

static double error2(double found, double expected)
{
	return (found - expected) * (found - expected) / expected;
}

/*
 * Return: true if the lengths of the runs of @value have a geometric distribution with the
 * parameter @end
 */
static bool runs_geometric(bool value, double end)
{
	int length[RUNS], total = count_runs(value, length);
	double x = 0, rest = 1;
	int i, shorter = 0;

	for (i = 1; i < RUNS - 1 && rest * total > 20; i++) {
		x += error2(length[i], total * rest * end);
		rest *= 1 - end;
		shorter += length[i];
	}
	x += error2(total - shorter, total * rest);
	return i > 3 && chi2_good(x, i - 1);
}

static struct rf_trigger gemodel(double p, double r, double bad, double good)
{
	return (struct rf_trigger){
		.set = RF_TRIGGER_BIT(GE_P) | RF_TRIGGER_BIT(GE_R),
		.ge_p = unit(p), .ge_r = unit(r),
		.ge_bad = unit(bad), .ge_good = unit(good),
	};
}

static void gilbert_elliott_ok(void)
{
	struct rf_trigger t = gemodel(0.01, 0.25, 1, 0);

	draw_all(&t, 1);
	ok(rate_good(0.01 / 0.26), "gemodel 1%% 25%% has a loss rate of p / (p + r)");
	ok(runs_geometric(true, 0.25), "lengths of bursts of gemodel are geometric with parameter r");
	ok(runs_geometric(false, 0.01), "lengths of gaps of gemodel are geometric with parameter p");
	t = gemodel(0.02, 0.1, 0.7, 0.005);
	draw_all(&t, 1);
	ok(rate_good((0.02 * 0.7 + 0.1 * 0.005) / 0.12),
	   "gemodel with all four parameters has the loss rate of both states weighted by their shares");
	draw_all(&t, 2);
	ok(rate_good((0.02 * 0.7 + 0.1 * 0.005) / 0.12),
	   "and so it is in retransmissions");
	t = gemodel(0, 0, 1, 0);
	draw_all(&t, 2);
	ok(!memchr(hit, 1, drawn),
	   "gemodel with p and r of 0 stays in the good state");
}

static u32 next_state(const struct rf_trigger *t, u32 state)
{
	struct rf_draw_key key = key_of(5, 1);
	struct rf_loss_model one = { .state = state };

	loss_four_state(t, &one, &key);
	return one.state;
}

/*
 * The probability of a change of state is p / ONE: the state changes if the random number is
 * below p.
 */
static void four_states_are_exact_ok(void)
{
	struct rf_draw_key key = key_of(5, 1);
	u64 u = rf_draw_below(rf_draw(&key, RF_DRAW_STATE), ONE);
	struct rf_trigger none = { .p13 = 0 };
	struct rf_trigger at[] = {
		{ .p14 = u }, { .p13 = u }, { .p14 = 1, .p13 = u - 1 },
		{ .p32 = u }, { .p31 = u }, { .p32 = 1, .p31 = u - 1 }, { .p23 = u },
	};
	struct rf_trigger above[] = {
		{ .p14 = u + 1 }, { .p13 = u + 1 }, { .p14 = 1, .p13 = u },
		{ .p32 = u + 1 }, { .p31 = u + 1 }, { .p32 = 1, .p31 = u },
		{ .p23 = u + 1 },
	};
	static const u32 from[] = { GOOD, GOOD, GOOD, BAD, BAD, BAD, GOOD_IN_BURST };
	static const u32 to[] = {
		BAD_ALONE, BAD, BAD, GOOD_IN_BURST, GOOD, GOOD, BAD
	};
	unsigned int i;

	for (i = 0; i < sizeof(at) / sizeof(*at); i++)
		ok(next_state(&at[i], from[i]) == from[i] &&
		   next_state(&above[i], from[i]) == to[i],
		   "loss model \"state\": change %u happens if the draw is below its probability and not if equal", i + 1);
	ok(next_state(&none, BAD_ALONE) == GOOD, "loss model \"state\": a single loss ends after one packet");
}

static void four_states_ok(void)
{
	double p13 = 0.01, p31 = 0.3, p32 = 0.2, p23 = 0.4, p14 = 0.005;
	/* Time in the states 2, 3 and 4, relative to the time in state 1 */
	double s3 = p13 / p31, s2 = s3 * p32 / p23, s4 = p14;
	struct rf_trigger t = {
		.set = RF_TRIGGER_BIT(STATE_P13),
		.p13 = unit(p13), .p31 = unit(p31), .p32 = unit(p32),
		.p23 = unit(p23), .p14 = unit(p14),
	};
	double loss = (s3 + s4) / (1 + s2 + s3 + s4);

	draw_all(&t, 1);
	ok(rate_good(loss), "loss model \"state\" has the loss rate of the shares of states 3 and 4");
	draw_all(&t, 2);
	ok(rate_good(loss), "and so it is in retransmissions");
	t.p14 = 0;
	draw_all(&t, 1);
	ok(runs_geometric(true, p31 + p32),
	   "loss model \"state\": lengths of runs of state 3 are geometric with p31 + p32");
}

static void bursts_ok(void)
{
	struct rf_trigger t = {
		.set = RF_TRIGGER_BIT(PROBABILITY) | RF_TRIGGER_BIT(BURST),
		.probability = unit(0.01), .burst = 5,
	};
	int i, run, longest, length[RUNS];

	draw_all(&t, 1);
	hit[0] = hit[1] = hit[2] = hit[3] = false;	/* possibly in an earlier burst */
	ok(count_runs(true, length) && !length[1] && !length[2] && !length[3] &&
	   !length[4] && length[5], "burst 5: no run of hits is shorter than 5");
	ok(rate_good(0.05 / 1.04), "burst b with probability p has a loss rate of b p / (b p + 1 - p)");
	draw_all(&t, 3);
	ok(rate_good(0.05 / 1.04), "and so it is in retransmissions");
	t.set |= RF_TRIGGER_BIT(BURST_MAX);
	t.probability = unit(0.5);
	t.burst_max = 7;
	draw_all(&t, 1);
	for (longest = run = 0, i = 0; i < MILLION; i++) {
		run = hit[i] ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	ok(longest == 7, "burst-max 7: no run of hits is longer than 7 (%d)", longest);
}

/*
 * Compare the decisions with netem's formula for correlated losses, computed in floating point
 * from the same random numbers.
 */
static void correlation_ok(void)
{
	struct rf_trigger t = {
		.set = RF_TRIGGER_BIT(PROBABILITY) |
		       RF_TRIGGER_BIT(CORRELATION),
		.probability = unit(0.3), .correlation = unit(0.25),
	};
	struct rf_draw_key key = key_of(0, 1);
	double last = rf_draw(&key, RF_DRAW_LAST) / 0x1p64;
	int i, wrong = 0, both = 0, hits = 0;

	draw_all(&t, 1);
	for (i = 0; i < MILLION; i++) {
		key.serial = i;
		last = rf_draw(&key, RF_DRAW_CHANCE) / 0x1p64 * 0.75 +
		       last * 0.25;
		wrong += hit[i] != (last < 0.3);
		hits += hit[i];
		both += i && hit[i] && hit[i - 1];
	}
	ok(wrong <= 1, "correlation 25%% decides like netem's recurrence");
	ok((double)both / hits > (double)hits / MILLION * 1.2,
	   "correlation 25%%: a hit makes the next hit more likely");
}

static struct rf_trigger models[4];

static void make_models(void)
{
	models[0] = gemodel(0.05, 0.3, 0.9, 0.01);
	models[1] = (struct rf_trigger){
		.set = RF_TRIGGER_BIT(STATE_P13), .p13 = unit(0.1),
		.p31 = unit(0.3), .p32 = unit(0.1), .p23 = unit(0.5),
		.p14 = unit(0.02),
	};
	models[2] = (struct rf_trigger){
		.set = RF_TRIGGER_BIT(PROBABILITY) |
		       RF_TRIGGER_BIT(CORRELATION),
		.probability = unit(0.2), .correlation = unit(0.5),
	};
	models[3] = (struct rf_trigger){
		.set = RF_TRIGGER_BIT(PROBABILITY) | RF_TRIGGER_BIT(BURST) |
		       RF_TRIGGER_BIT(BURST_MAX),
		.probability = unit(0.05), .burst = 4, .burst_max = 6,
	};
}

/* The decisions must be the same for any order of the PSNs within a block. */
static void late_packets_ok(void)
{
	u32 i, m, block = 256, at, order[256], swap, tmp;
	bool same = true;

	srandom(1);
	for (m = 0; m < 4; m++) {
		draw_all(&models[m], 1);
		memset(&chain, 0, sizeof(chain));
		for (at = 0; at < 100000; at += block) {
			for (i = 0; i < block; i++)
				order[i] = at + i;
			for (i = block - 1; i; i--) {
				swap = random() % (i + 1);
				tmp = order[i];
				order[i] = order[swap];
				order[swap] = tmp;
			}
			for (i = 0; i < block; i++)
				same &= ask(&models[m], order[i], 1) ==
					hit[order[i]];
		}
	}
	ok(same, "packets out of order get the same decisions as in order, in all models");
}

/*
 * Add a rule after @from packets of the flow; the new rule sees only every seventh packet.
 * Return: true if the new rule makes the same decisions as a rule that sees all packets
 */
static bool latecomer_same(const struct rf_trigger *t, u32 from)
{
	bool same = true;
	u32 i;

	memset(&chain, 0, sizeof(chain));
	for (i = from; i < from + 10000; i += 7)
		same &= ask(t, i, 1) == hit[i];
	return same;
}

static void latecomer_ok(void)
{
	bool same = true;
	u32 m;

	for (m = 0; m < 4; m++) {
		draw_all(&models[m], 1);
		same &= latecomer_same(&models[m], 255);
	}
	ok(same, "a rule that sees every seventh packet from the 256th decides the same, in all models");
}

/*
 * After a jump of the PSN, the decision for a packet depends only on the block of the packet, and
 * not on packets before the jump.
 */
static void jumps_ok(void)
{
	static const u32 jumps[] = {
		256, 257, 511, 512, 1000, 16384, 16385, 65536, 1 << 23,
		(1u << 31) - 1, 1u << 31, 3000000000u, UINT32_MAX,
	};
	struct rf_loss_model kept;
	u32 m, i, at, most = 0;
	bool decided, same = true;

	for (m = 0; m < 4; m++) {
		memset(&chain, 0, sizeof(chain));
		for (at = 0, i = 0; i < sizeof(jumps) / sizeof(*jumps); i++) {
			at += jumps[i];
			draws_made = 0;
			decided = ask(&models[m], at, 1);
			most = draws_made > most ? draws_made : most;
			kept = chain;
			memset(&chain, 0, sizeof(chain));
			same &= ask(&models[m], at, 1) == decided;
			chain = kept;
		}
	}
	ok(most <= 2 * (256 + 1), "a jump of the PSN takes at most one block of steps: %u draws", most);
	ok(same, "the decision after a jump is that of a rule added there");
	draw_all(&models[0], 1);
	memset(&chain, 0, sizeof(chain));
	draws_made = 0;
	for (same = true, i = 0; i < 100000; i += 256)
		same &= ask(&models[0], i, 1) == hit[i];
	ok(same && draws_made < 210000,
	   "jumps of up to 256 PSNs continue the chain");
}

/* The decision for a retransmission depends only on the PSN and on the attempt. */
static void retransmissions_are_pure_ok(void)
{
	struct rf_draw_key key;
	bool same = true;
	int differ = 0;
	u32 m, i, n;

	for (m = 0; m < 4; m++) {
		draw_all(&models[m], 2);
		for (i = 0; i < 20000; i++) {
			n = random() % drawn;
			same &= ask(&models[m], n, 2) == hit[n];
			key = key_of(n, 2);
			same &= rf_loss_model_hits(&models[m], NULL, &key) == hit[n];
			differ += ask(&models[m], n, 3) != hit[n];
		}
	}
	ok(same, "decisions on attempt 2 depend only on PSN and attempt");
	ok(differ > 10000, "decisions on attempt 3 differ from those on attempt 2");
}

/*
 * Return: true if a jump of the PSN from 0 to @ahead leaves the chain in the same state as if
 * it had seen all PSNs in between
 */
static bool walks(const struct rf_trigger *t, u32 ahead)
{
	struct rf_loss_model walked;
	u32 i;

	memset(&chain, 0, sizeof(chain));
	for (i = 0; i <= ahead; i++)
		ask(t, i, 1);
	walked = chain;
	memset(&chain, 0, sizeof(chain));
	ask(t, 0, 1);
	ask(t, ahead, 1);
	return chain.next == walked.next && chain.last == walked.last;
}

/* The second jump of the PSN is longer than a block, and therefore restarts the chain. */
static void far_ahead_ok(void)
{
	const struct rf_trigger t = {
		.set = RF_TRIGGER_BIT(PROBABILITY) | RF_TRIGGER_BIT(CORRELATION),
		.probability = unit(.1), .correlation = unit(.9),
	};

	ok(walks(&t, BLOCK), "a jump of %d PSNs makes all steps of the chain", BLOCK);
	ok(!walks(&t, BLOCK + 1), "a jump of one PSN more restarts the chain");
}

int main(void)
{
	gilbert_elliott_ok();
	four_states_are_exact_ok();
	four_states_ok();
	bursts_ok();
	correlation_ok();
	make_models();
	late_packets_ok();
	latecomer_ok();
	jumps_ok();
	retransmissions_are_pure_ok();
	far_ahead_ok();
	return done_testing();
}
