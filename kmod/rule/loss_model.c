// SPDX-License-Identifier: GPL-2.0
/*
 * Loss models whose decisions depend on earlier ones: correlated probability, bursts,
 * Gilbert-Elliott and the four-state model. A model makes one step for each PSN of a
 * flow, whether its packet matches, is late or never arrives. Each step uses the
 * random numbers of its PSN. So the decisions depend on the seed, and not on what
 * arrives when.
 *
 * First transmissions use one model, which begins at the first PSN of the flow. Its
 * last decisions are kept for packets that arrive late. Each retransmission uses a
 * model that begins at its block of 256 PSNs, in a state that is drawn from the
 * stationary distribution. Nothing of it is kept.
 *
 * A packet costs at most 256 steps: if PSNs jump by more than a block, the model of
 * first transmissions begins again in the same way, at the packet's block.
 *
 * The models are those of net/sched/sch_netem.c, so that parameters have the same
 * meaning there and here. Gilbert-Elliott (E. Elliott, "Estimates of Error Rates for
 * Codes on Burst-Noise Channels", 1963) draws the transition and the loss separately;
 * the loss depends on the state before the transition. In the four-state model (S.
 * Salsano, F. Ludovici, A. Ordine, "Definition of a general and intuitive loss model
 * for packet networks", 2009), the loss depends on the state after it.
 */
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/string.h>

#include "../rand.h"
#include "rule.h"

#define ONE		RDMAFAULT_PROBABILITY_ONE
#define BLOCK		256

/* Gilbert-Elliott has the first two. */
enum {
	GOOD,			/* received */
	BAD,			/* lost in a burst */
	GOOD_IN_BURST,
	BAD_ALONE,
};

static bool loss_draws(const struct rf_draw_key *key, u32 what, u64 p)
{
	return rf_chance(rf_draw(key, what), p);
}

static bool loss_gilbert_elliott(const struct rf_trigger *t, struct rf_loss_model *model,
				 const struct rf_draw_key *key)
{
	bool was_bad = model->state == BAD;

	if (loss_draws(key, RF_DRAW_STATE, was_bad ? t->ge_r : t->ge_p))
		model->state = was_bad ? GOOD : BAD;
	return loss_draws(key, RF_DRAW_LOSS, was_bad ? t->ge_bad : t->ge_good);
}

static bool loss_four_state(const struct rf_trigger *t, struct rf_loss_model *model,
			    const struct rf_draw_key *key)
{
	u64 u = rf_draw_below(rf_draw(key, RF_DRAW_STATE), ONE);

	switch (model->state) {
	case GOOD:
		if (u < t->p14)
			model->state = BAD_ALONE;
		else if (u < t->p14 + t->p13)
			model->state = BAD;
		break;
	case BAD:
		if (u < t->p32)
			model->state = GOOD_IN_BURST;
		else if (u < t->p32 + t->p31)
			model->state = GOOD;
		break;
	case GOOD_IN_BURST:
		if (u < t->p23)
			model->state = BAD;
		break;
	default:
		model->state = GOOD;
	}
	return model->state == BAD || model->state == BAD_ALONE;
}

/* A correlation as a fraction of 2^64 */
static u64 weight(u64 correlation)
{
	return correlation * (U64_MAX / ONE);
}

/*
 * As in netem, each number is a weighted sum of the number before and a new one. Such
 * numbers are closer to the middle, so small rates become smaller.
 */
static bool loss_correlated(const struct rf_trigger *t, struct rf_loss_model *model,
			    const struct rf_draw_key *key)
{
	u64 u = rf_draw(key, RF_DRAW_CHANCE);
	u64 w = weight(t->correlation);

	if (w)
		u = mul_u64_u64_shr(u, -w, 64) + mul_u64_u64_shr(model->last, w, 64);
	model->last = u;
	return rf_chance(u, t->probability);
}

/* The bursts of nth and every count packets instead of PSNs: see trigger.c. */
static bool loss_has_burst(const struct rf_trigger *t)
{
	return RF_TRIGGER_HAS(t, BURST) && !RF_TRIGGER_HAS(t, NTH) &&
	       !RF_TRIGGER_HAS(t, EVERY);
}

static bool loss_probable(const struct rf_trigger *t, struct rf_loss_model *model,
			  const struct rf_draw_key *key)
{
	bool hit = loss_correlated(t, model, key);

	if (model->left) {
		model->left--;
		return true;
	}
	if (hit && loss_has_burst(t))
		model->left = t->burst - 1;
	return hit;
}

static bool loss_step(const struct rf_trigger *t, struct rf_loss_model *model,
		      const struct rf_draw_key *key)
{
	bool hit;

	if (RF_TRIGGER_HAS(t, GE_P))
		hit = loss_gilbert_elliott(t, model, key);
	else if (RF_TRIGGER_HAS(t, STATE_P13))
		hit = loss_four_state(t, model, key);
	else
		hit = loss_probable(t, model, key);
	if (RF_TRIGGER_HAS(t, BURST_MAX) && model->run >= t->burst_max)
		hit = false;
	model->run = hit ? model->run + 1 : 0;
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
static void loss_start(const struct rf_trigger *t, struct rf_loss_model *model,
		       const struct rf_draw_key *key)
{
	u64 draw = rf_draw(key, RF_DRAW_START);

	memset(model, 0, sizeof(*model));
	model->next = key->serial;
	model->last = rf_draw(key, RF_DRAW_LAST);
	if (RF_TRIGGER_HAS(t, GE_P))
		model->state = start_gilbert_elliott(t, draw);
	else if (RF_TRIGGER_HAS(t, STATE_P13))
		model->state = start_four_state(t, draw);
	else if (loss_has_burst(t))
		model->left = start_burst(t, draw);
}

/* The decision about @key, by a model that begins at the PSN's block */
static bool loss_hits_by_block(const struct rf_trigger *t,
			       const struct rf_draw_key *key)
{
	struct rf_draw_key at = *key;
	struct rf_loss_model model;
	bool hit;

	at.serial = key->serial & ~(BLOCK - 1u);
	loss_start(t, &model, &at);
	do
		hit = loss_step(t, &model, &at);
	while (at.serial++ != key->serial);
	return hit;
}

static void loss_remember(struct rf_loss_model *model, bool hit)
{
	u64 *word = &model->hit[model->next % RF_LOSS_MODEL_WINDOW / 64];
	u64 bit = 1ULL << model->next % 64;

	*word = hit ? *word | bit : *word & ~bit;
	model->next++;
	if (model->known < RF_LOSS_MODEL_WINDOW)
		model->known++;
}

static bool loss_recall(const struct rf_loss_model *model, u32 serial)
{
	return model->hit[serial % RF_LOSS_MODEL_WINDOW / 64] >> serial % 64 & 1;
}

/* Make the steps up to the PSN of @key. */
static void loss_advance(const struct rf_trigger *t, struct rf_loss_model *model,
			 const struct rf_draw_key *key)
{
	struct rf_draw_key at = *key;

	if (!model->known) {
		at.serial = 0;
		loss_start(t, model, &at);
	}
	if (key->serial - model->next >= BLOCK) {
		at.serial = key->serial & ~(BLOCK - 1u);
		loss_start(t, model, &at);
	}
	while (model->next != key->serial + 1) {
		at.serial = model->next;
		loss_remember(model, loss_step(t, model, &at));
	}
}

/**
 * rf_loss_model_is_needed - test whether a trigger has a loss model
 * @trigger: the trigger
 *
 * Return: true if rf_loss_model_hits() decides.
 */
bool rf_loss_model_is_needed(const struct rf_trigger *trigger)
{
	return trigger->set & (RF_TRIGGER_BIT(GE_P) | RF_TRIGGER_BIT(STATE_P13) |
			       RF_TRIGGER_BIT(CORRELATION) |
			       RF_TRIGGER_BIT(BURST_MAX)) ||
	       (RF_TRIGGER_HAS(trigger, PROBABILITY) && loss_has_burst(trigger));
}

/**
 * rf_loss_model_hits - decide about a packet
 * @trigger: the trigger, completed
 * @model: the flow's model of first transmissions, all zeros before the first
 *	packet; NULL if there is none
 * @key: the key of the packet's random numbers
 *
 * Context: any; the caller serialises.
 * Return: true if the model says so.
 */
bool rf_loss_model_hits(const struct rf_trigger *trigger, struct rf_loss_model *model,
			const struct rf_draw_key *key)
{
	s32 ahead;

	if (!model || key->attempt != 1)
		return loss_hits_by_block(trigger, key);
	ahead = key->serial - model->next;
	if (ahead >= 0)
		loss_advance(trigger, model, key);
	else if (-ahead > (s32)model->known)
		return loss_hits_by_block(trigger, key);
	return loss_recall(model, key->serial);
}
