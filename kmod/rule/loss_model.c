// SPDX-License-Identifier: GPL-2.0
/*
 * Chances that depend on one another: correlated probability, bursts,
 * Gilbert-Elliott and the four-state model. What a model says of a PSN depends
 * on what it said of the PSN before, so it is a chain that steps once for each
 * PSN of the flow, whether its packet matches, comes late or not at all. Each
 * step draws with the PSN's own key; so the chain is a function of the seed,
 * too, and not of what arrives when.
 *
 * First transmissions are one chain from the flow's first PSN on, whose last
 * decisions are kept for packets that come late. Retransmissions have a chain
 * for each attempt that nothing is kept of: at each block of 256 PSNs it begins in
 * a state drawn from the stationary distribution, and is stepped from there.
 *
 * A packet costs at most 256 steps. So where PSNs jump by more than a block, the
 * chain of first transmissions begins anew in the same way, at the packet's block.
 *
 * The models are those of net/sched/sch_netem.c, so that the numbers that people
 * know mean the same: Gilbert-Elliott (E. Elliott, "Estimates of Error Rates for
 * Codes on Burst-Noise Channels", 1963) draws the transition and the loss apart,
 * the loss by the state it was in before; the four states (S. Salsano, F.
 * Ludovici, A. Ordine, "Definition of a general and intuitive loss model for
 * packet networks", 2009) lose by the state that they come to.
 */
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/string.h>

#include "loss_model.h"

#define ONE		RDMAFAULT_PROBABILITY_ONE
#define BLOCK		256

/* Gilbert-Elliott has the first two. */
enum {
	GOOD,			/* received */
	BAD,			/* lost in a burst */
	GOOD_IN_BURST,
	BAD_ALONE,
};

static bool draws(const struct rf_draw_key *key, u32 what, u64 p)
{
	return rf_chance(rf_draw(key, what), p);
}

static bool gilbert_elliott(const struct rf_trigger *t, struct rf_chain *chain,
			    const struct rf_draw_key *key)
{
	bool was_bad = chain->state == BAD;

	if (draws(key, RF_DRAW_STATE, was_bad ? t->ge_r : t->ge_p))
		chain->state = was_bad ? GOOD : BAD;
	return draws(key, RF_DRAW_LOSS, was_bad ? t->ge_bad : t->ge_good);
}

static bool four_state(const struct rf_trigger *t, struct rf_chain *chain,
		       const struct rf_draw_key *key)
{
	u64 u = rf_draw_below(rf_draw(key, RF_DRAW_STATE), ONE);

	switch (chain->state) {
	case GOOD:
		if (u < t->p14)
			chain->state = BAD_ALONE;
		else if (u < t->p14 + t->p13)
			chain->state = BAD;
		break;
	case BAD:
		if (u < t->p32)
			chain->state = GOOD_IN_BURST;
		else if (u < t->p32 + t->p31)
			chain->state = GOOD;
		break;
	case GOOD_IN_BURST:
		if (u < t->p23)
			chain->state = BAD;
		break;
	default:
		chain->state = GOOD;
	}
	return chain->state == BAD || chain->state == BAD_ALONE;
}

/* A correlation as a fraction of 2^64 */
static u64 weight(u64 correlation)
{
	return correlation * (U64_MAX / ONE);
}

/*
 * As netem: each number is the one before and a new one, weighed. Such numbers
 * keep closer to the middle than new ones, so small rates come out smaller.
 */
static bool correlated(const struct rf_trigger *t, struct rf_chain *chain,
		       const struct rf_draw_key *key)
{
	u64 u = rf_draw(key, RF_DRAW_CHANCE);
	u64 w = weight(t->correlation);

	if (w)
		u = mul_u64_u64_shr(u, -w, 64) + mul_u64_u64_shr(chain->last, w, 64);
	chain->last = u;
	return rf_chance(u, t->probability);
}

/* nth and every have bursts too, but count them in packets: see trigger.c. */
static bool has_burst(const struct rf_trigger *t)
{
	return RF_TRIGGER_HAS(t, BURST) && !RF_TRIGGER_HAS(t, NTH) &&
	       !RF_TRIGGER_HAS(t, EVERY);
}

static bool probable(const struct rf_trigger *t, struct rf_chain *chain,
		     const struct rf_draw_key *key)
{
	bool hit = correlated(t, chain, key);

	if (chain->left) {
		chain->left--;
		return true;
	}
	if (hit && has_burst(t))
		chain->left = t->burst - 1;
	return hit;
}

static bool step(const struct rf_trigger *t, struct rf_chain *chain,
		 const struct rf_draw_key *key)
{
	bool hit;

	if (RF_TRIGGER_HAS(t, GE_P))
		hit = gilbert_elliott(t, chain, key);
	else if (RF_TRIGGER_HAS(t, STATE_P13))
		hit = four_state(t, chain, key);
	else
		hit = probable(t, chain, key);
	if (RF_TRIGGER_HAS(t, BURST_MAX) && chain->run >= t->burst_max)
		hit = false;
	chain->run = hit ? chain->run + 1 : 0;
	return hit;
}

/* Of the bad state, p / (p + r). */
static u32 start_gilbert_elliott(const struct rf_trigger *t, u64 draw)
{
	u64 sum = t->ge_p + t->ge_r;

	return sum && rf_draw_below(draw, sum) < t->ge_p ? BAD : GOOD;
}

/*
 * From the balance of flows between the states: the weights of 1 to 4 are
 * p31 p23, p13 p32, p13 p23 and p14 p31 p23. Scaled down by 2^20, so that the
 * sum has room in 64 bits.
 */
static u32 start_four_state(const struct rf_trigger *t, u64 draw)
{
	u64 w1 = mul_u64_u64_shr(t->p31, t->p23, 20);
	u64 w2 = mul_u64_u64_shr(t->p13, t->p32, 20);
	u64 w3 = mul_u64_u64_shr(t->p13, t->p23, 20);
	u64 w4 = mul_u64_u64_shr(w1, weight(t->p14), 64);
	u64 u = rf_draw_below(draw, w1 + w2 + w3 + w4);

	if (u < w2)
		return GOOD_IN_BURST;
	if (u < w2 + w3)
		return BAD;
	return u < w2 + w3 + w4 ? BAD_ALONE : GOOD;
}

/*
 * Bursts of b follow gaps of (1 - p) / p on average, so each number of packets
 * that a burst still takes, from 1 to b - 1, has p / (b p + 1 - p).
 */
static u32 start_burst(const struct rf_trigger *t, u64 draw)
{
	u64 p = t->probability;
	u64 u = rf_draw_below(draw, t->burst * p + ONE - p);

	return u < (t->burst - 1) * p ? 1 + u / p : 0;
}

/* Begin at the PSN of @key, in the middle of things. */
static void start(const struct rf_trigger *t, struct rf_chain *chain,
		  const struct rf_draw_key *key)
{
	u64 draw = rf_draw(key, RF_DRAW_START);

	memset(chain, 0, sizeof(*chain));
	chain->next = key->serial;
	chain->last = rf_draw(key, RF_DRAW_LAST);
	if (RF_TRIGGER_HAS(t, GE_P))
		chain->state = start_gilbert_elliott(t, draw);
	else if (RF_TRIGGER_HAS(t, STATE_P13))
		chain->state = start_four_state(t, draw);
	else if (has_burst(t))
		chain->left = start_burst(t, draw);
}

/* The decision about @key, by a chain from the start of its block. */
static bool hits_by_block(const struct rf_trigger *t,
			  const struct rf_draw_key *key)
{
	struct rf_draw_key at = *key;
	struct rf_chain chain;
	bool hit;

	at.serial = key->serial & ~(BLOCK - 1u);
	start(t, &chain, &at);
	do
		hit = step(t, &chain, &at);
	while (at.serial++ != key->serial);
	return hit;
}

static void remember(struct rf_chain *chain, bool hit)
{
	u64 *word = &chain->hit[chain->next % RF_CHAIN_WINDOW / 64];
	u64 bit = 1ULL << chain->next % 64;

	*word = hit ? *word | bit : *word & ~bit;
	chain->next++;
	if (chain->known < RF_CHAIN_WINDOW)
		chain->known++;
}

static bool recall(const struct rf_chain *chain, u32 serial)
{
	return chain->hit[serial % RF_CHAIN_WINDOW / 64] >> serial % 64 & 1;
}

/* Step up to and with the PSN of @key. */
static void advance(const struct rf_trigger *t, struct rf_chain *chain,
		    const struct rf_draw_key *key)
{
	struct rf_draw_key at = *key;

	if (!chain->known) {
		at.serial = 0;
		start(t, chain, &at);
	}
	if (key->serial - chain->next >= BLOCK) {
		at.serial = key->serial & ~(BLOCK - 1u);
		start(t, chain, &at);
	}
	while (chain->next != key->serial + 1) {
		at.serial = chain->next;
		remember(chain, step(t, chain, &at));
	}
}

/**
 * rf_chain_is_needed - do a trigger's chances depend on one another?
 * @trigger: the trigger
 *
 * Context: any.
 * Return: true if rf_chain_hits() has to be asked.
 */
bool rf_chain_is_needed(const struct rf_trigger *trigger)
{
	return RF_TRIGGER_HAS(trigger, GE_P) ||
	       RF_TRIGGER_HAS(trigger, STATE_P13) ||
	       RF_TRIGGER_HAS(trigger, CORRELATION) ||
	       RF_TRIGGER_HAS(trigger, BURST_MAX) ||
	       (RF_TRIGGER_HAS(trigger, PROBABILITY) && has_burst(trigger));
}

/**
 * rf_chain_hits - decide about a packet
 * @trigger: the trigger, completed
 * @chain: the flow's chain of first transmissions, all zeroes before the first
 *	packet; or NULL if there is no memory for one
 * @key: the packet's
 *
 * Context: any; the caller serialises.
 * Return: true if the model says so.
 */
bool rf_chain_hits(const struct rf_trigger *trigger, struct rf_chain *chain,
		   const struct rf_draw_key *key)
{
	s32 ahead;

	if (!chain || key->turn != 1)
		return hits_by_block(trigger, key);
	ahead = key->serial - chain->next;
	if (ahead >= 0)
		advance(trigger, chain, key);
	else if (-ahead > (s32)chain->known)
		return hits_by_block(trigger, key);
	return recall(chain, key->serial);
}
