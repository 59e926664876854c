// SPDX-License-Identifier: GPL-2.0
/*
 * Decides which of the packets that match a rule are hit. The questions are
 * asked in this order, and the first that says no is what the miss is counted
 * under:
 *
 *   window   from, for
 *   order    after, nth, every: counted among all packets that matched
 *   chance   probability, Gilbert-Elliott, four states: by keyed draws
 *   once     per flow, QP or step
 *   count
 *
 * Time enters in the first, the order of arrival in the second; with neither,
 * a packet's fate depends on the packet and its flow alone.
 *
 * A hit by nth or every may begin a burst: the matching packets of the flow that
 * follow it are hit, too, without being asked about order and chance.
 */
#include <linux/stddef.h>
#include <linux/string.h>

#include "trigger.h"
#include "loss_model.h"
#include "state.h"

static bool in_window(const struct rf_trigger *t, u64 age)
{
	if (RF_TRIGGER_HAS(t, FROM) && age < t->from)
		return false;
	/* Without from, that is 0. */
	return !RF_TRIGGER_HAS(t, FOR) || age - t->from < t->duration;
}

/* Is packet number @n of those that matched one that is asked for? */
static bool in_order(const struct rf_trigger *t, u64 n)
{
	if (n <= t->after)
		return false;
	if (RF_TRIGGER_HAS(t, NTH) && n != t->nth)
		return false;
	return !RF_TRIGGER_HAS(t, EVERY) || (n - t->after) % t->every == 0;
}

static struct rf_note_key flow_key(const struct rf_desc *desc)
{
	return (struct rf_note_key){ .flow = desc->flow_id };
}

/* The rule's state for the packet's flow; NULL if there is none. */
static struct rf_note *flow_find(struct rf_memo *memo,
				 const struct rf_desc *desc)
{
	struct rf_note_key key = flow_key(desc);

	return desc->flow_id ? rf_memo_find(memo, &key) : NULL;
}

/* The same, made if there is none; NULL if the flow isn't tracked. */
static struct rf_note *flow_get(struct rf_memo *memo,
				const struct rf_desc *desc)
{
	struct rf_note_key key = flow_key(desc);

	return desc->flow_id ? rf_memo_get(memo, &key) : NULL;
}

static bool has_luck(const struct rf_trigger *t, struct rf_memo *memo,
		     const struct rf_occasion *o)
{
	struct rf_note *note;

	if (rf_chain_is_needed(t)) {
		note = flow_get(memo, o->desc);
		return rf_chain_hits(t, note ? &note->chain : NULL, o->draw);
	}
	return !RF_TRIGGER_HAS(t, PROBABILITY) ||
	       rf_chance(rf_draw(o->draw, RF_DRAW_CHANCE), t->probability);
}

static bool bursts_in_order(const struct rf_trigger *t)
{
	return RF_TRIGGER_HAS(t, BURST) &&
	       (RF_TRIGGER_HAS(t, NTH) || RF_TRIGGER_HAS(t, EVERY));
}

/* Packets that the flow's present burst still takes; NULL if there is none. */
static u32 *burst_left(const struct rf_trigger *t, struct rf_memo *memo,
		       const struct rf_occasion *o)
{
	struct rf_note *note = NULL;

	if (bursts_in_order(t))
		note = flow_find(memo, o->desc);
	return note && note->burst_left ? &note->burst_left : NULL;
}

static void burst_begin(const struct rf_trigger *t, struct rf_memo *memo,
			const struct rf_occasion *o)
{
	struct rf_note *note = NULL;

	if (bursts_in_order(t))
		note = flow_get(memo, o->desc);
	if (note)
		note->burst_left = t->burst - 1;
}

static struct rf_note_key qp_key(const struct rf_desc *desc)
{
	struct rf_note_key key = {
		.qp = desc->qp,
		.addr_len = desc->addr_len,
	};

	memcpy(key.addr, desc->daddr, sizeof(key.addr));
	return key;
}

static bool was_hit(const struct rf_trigger *t, struct rf_memo *memo,
		    const struct rf_desc *desc)
{
	struct rf_note_key qp;
	struct rf_note *note;

	if (!RF_TRIGGER_HAS(t, ONCE))
		return false;
	if (t->once == RDMAFAULT_ONCE_STEP)
		return memo->step_hit && memo->step == desc->step;
	if (t->once == RDMAFAULT_ONCE_FLOW) {
		note = flow_find(memo, desc);
	} else {
		qp = qp_key(desc);
		note = rf_memo_find(memo, &qp);
	}
	return note && note->hit;
}

/*
 * Without a note, because the flow isn't tracked or there is no memory, the
 * packet isn't hit: it could be the second hit.
 */
static bool note_hit(const struct rf_trigger *t, struct rf_memo *memo,
		     const struct rf_desc *desc)
{
	struct rf_note_key qp;
	struct rf_note *note;

	if (!RF_TRIGGER_HAS(t, ONCE))
		return true;
	if (t->once == RDMAFAULT_ONCE_STEP) {
		memo->step = desc->step;
		memo->step_hit = true;
		return true;
	}
	if (t->once == RDMAFAULT_ONCE_FLOW) {
		note = flow_get(memo, desc);
	} else {
		qp = qp_key(desc);
		note = rf_memo_get(memo, &qp);
	}
	if (note)
		note->hit = true;
	return note;
}

/* RF_MISSES if nothing keeps the packet from being hit. */
static enum rf_miss why_not(const struct rf_trigger *t,
			    const struct rf_tally *tally, struct rf_memo *memo,
			    const struct rf_occasion *o, bool in_burst)
{
	if (!in_window(t, o->age))
		return RF_MISS_WINDOW;
	if (!in_burst && !in_order(t, tally->matched))
		return RF_MISS_ORDER;
	if (!in_burst && !has_luck(t, memo, o))
		return RF_MISS_CHANCE;
	if (was_hit(t, memo, o->desc))
		return RF_MISS_ONCE;
	if (RF_TRIGGER_HAS(t, COUNT) && tally->hits >= t->count)
		return RF_MISS_COUNT;
	return note_hit(t, memo, o->desc) ? RF_MISSES : RF_MISS_ONCE;
}

/**
 * rf_trigger_has_window - does the time matter?
 * @trigger: the trigger
 *
 * Context: any.
 * Return: true if an occasion has to tell the age.
 */
bool rf_trigger_has_window(const struct rf_trigger *trigger)
{
	return RF_TRIGGER_HAS(trigger, FROM) || RF_TRIGGER_HAS(trigger, FOR);
}

/**
 * rf_trigger_draws - does chance decide?
 * @trigger: the trigger
 *
 * Context: any.
 * Return: true if whether a packet is hit is drawn.
 */
bool rf_trigger_draws(const struct rf_trigger *trigger)
{
	return RF_TRIGGER_HAS(trigger, PROBABILITY) ||
	       rf_chain_is_needed(trigger);
}

/**
 * rf_trigger_fires - count a matching packet and decide about it
 * @trigger: the rule's trigger, completed
 * @tally: the rule's tally, brought up to date
 * @memo: what the rule remembers
 * @occasion: the packet
 *
 * Context: any; the caller serialises.
 * Return: true if the packet is hit.
 */
bool rf_trigger_fires(const struct rf_trigger *trigger, struct rf_tally *tally,
		      struct rf_memo *memo, const struct rf_occasion *occasion)
{
	enum rf_miss why;
	u32 *left;

	tally->matched++;
	/* Nothing is asked for: every packet that matches is hit. */
	if (!trigger->set) {
		tally->hits++;
		return true;
	}
	left = burst_left(trigger, memo, occasion);
	if (left)
		--*left;
	why = why_not(trigger, tally, memo, occasion, left);
	if (why != RF_MISSES) {
		tally->missed[why]++;
		return false;
	}
	if (!left)
		burst_begin(trigger, memo, occasion);
	tally->hits++;
	return true;
}
