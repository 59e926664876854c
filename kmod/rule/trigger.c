// SPDX-License-Identifier: GPL-2.0
/*
 * Triggers: which of the packets that match a rule are hit. The conditions are
 * checked in this order, and the first that fails is counted as the cause of the
 * miss:
 *
 *   window   from, for
 *   order    after, nth, every: by the number of packets that matched
 *   chance   probability, Gilbert-Elliott, four states: by keyed random numbers
 *   once     per flow, QP or step
 *   count
 *
 * The first condition depends on time, the second on the order of arrival. Without
 * both, a hit depends only on the packet and its flow.
 *
 * A hit by nth or every can begin a burst: the next matching packets of the flow are
 * hit, too, without a check of order and chance.
 */
#include <linux/compiler.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "../rand.h"
#include "rule.h"

static bool trigger_in_window(const struct rf_trigger *t, u64 age)
{
	if (RF_TRIGGER_HAS(t, FROM) && age < t->from)
		return false;
	/* Without "from", @from is 0. */
	return !RF_TRIGGER_HAS(t, FOR) || age - t->from < t->duration;
}

/* Does the order trigger hit the packet that is number @n of those that matched? */
static bool trigger_in_order(const struct rf_trigger *t, u64 n)
{
	if (n <= t->after)
		return false;
	if (RF_TRIGGER_HAS(t, NTH) && n != t->nth)
		return false;
	return !RF_TRIGGER_HAS(t, EVERY) || (n - t->after) % t->every == 0;
}

static struct rf_rule_state_key trigger_flow_key(const struct rf_desc *desc)
{
	return (struct rf_rule_state_key){ .flow = desc->flow_id };
}

/* The rule's state for the packet's flow; NULL if there is none. */
static noinline struct rf_rule_state *trigger_flow_find(struct rf_rule_states *states,
							const struct rf_desc *desc)
{
	struct rf_rule_state_key key = trigger_flow_key(desc);

	return desc->flow_id ? rf_rule_state_find(states, &key) : NULL;
}

/* The same, made if there is none; NULL if the flow isn't tracked. */
static noinline struct rf_rule_state *trigger_flow_get(struct rf_rule_states *states,
						       const struct rf_desc *desc)
{
	struct rf_rule_state_key key = trigger_flow_key(desc);

	return desc->flow_id ? rf_rule_state_get(states, &key) : NULL;
}

static bool trigger_model_hits(const struct rf_trigger *t, struct rf_rule_states *states,
			       const struct rf_trigger_ctx *o)
{
	struct rf_rule_state *state;

	if (rf_loss_model_is_needed(t)) {
		state = trigger_flow_get(states, o->desc);
		return rf_loss_model_hits(t, state ? &state->model : NULL, o->draw);
	}
	return !RF_TRIGGER_HAS(t, PROBABILITY) ||
	       rf_chance(rf_draw(o->draw, RF_DRAW_CHANCE), t->probability);
}

static bool trigger_bursts_in_order(const struct rf_trigger *t)
{
	return RF_TRIGGER_HAS(t, BURST) &&
	       (RF_TRIGGER_HAS(t, NTH) || RF_TRIGGER_HAS(t, EVERY));
}

/* The packets that the current burst of the flow still hits; NULL without a burst. */
static u32 *burst_left(const struct rf_trigger *t, struct rf_rule_states *states,
		       const struct rf_trigger_ctx *o)
{
	struct rf_rule_state *state = NULL;

	if (trigger_bursts_in_order(t))
		state = trigger_flow_find(states, o->desc);
	return state && state->burst_left ? &state->burst_left : NULL;
}

static void trigger_burst_begin(const struct rf_trigger *t, struct rf_rule_states *states,
				const struct rf_trigger_ctx *o)
{
	struct rf_rule_state *state = NULL;

	if (trigger_bursts_in_order(t))
		state = trigger_flow_get(states, o->desc);
	if (state)
		state->burst_left = t->burst - 1;
}

static struct rf_rule_state_key trigger_qp_key(const struct rf_desc *desc)
{
	struct rf_rule_state_key key = {
		.qp = desc->qp,
		.addr_len = desc->addr_len,
	};

	memcpy(key.addr, desc->daddr, sizeof(key.addr));
	return key;
}

static noinline bool trigger_once_was_hit(const struct rf_trigger *t,
					  struct rf_rule_states *states,
					  const struct rf_desc *desc)
{
	struct rf_rule_state_key qp;
	struct rf_rule_state *state;

	if (t->once == RDMAFAULT_ONCE_STEP)
		return states->step_hit && states->step == desc->step;
	if (t->once == RDMAFAULT_ONCE_FLOW) {
		state = trigger_flow_find(states, desc);
	} else {
		qp = trigger_qp_key(desc);
		state = rf_rule_state_find(states, &qp);
	}
	return state && state->hit;
}

/*
 * Return: false if there is no state, because the flow is untracked or there is no
 * memory. Then the packet must not be hit, because it could be the second hit.
 */
static noinline bool trigger_once_set(const struct rf_trigger *t,
				      struct rf_rule_states *states,
				      const struct rf_desc *desc)
{
	struct rf_rule_state_key qp;
	struct rf_rule_state *state;

	if (t->once == RDMAFAULT_ONCE_STEP) {
		states->step = desc->step;
		states->step_hit = true;
		return true;
	}
	if (t->once == RDMAFAULT_ONCE_FLOW) {
		state = trigger_flow_get(states, desc);
	} else {
		qp = trigger_qp_key(desc);
		state = rf_rule_state_get(states, &qp);
	}
	if (state)
		state->hit = true;
	return state;
}

/* RF_MISSES if the packet is hit. */
static enum rf_miss trigger_miss_reason(const struct rf_trigger *t,
					const struct rf_rule_counters *counters,
					struct rf_rule_states *states,
					const struct rf_trigger_ctx *o, bool in_burst)
{
	if (!trigger_in_window(t, o->age))
		return RF_MISS_WINDOW;
	if (!in_burst && !trigger_in_order(t, counters->matched))
		return RF_MISS_ORDER;
	if (!in_burst && !trigger_model_hits(t, states, o))
		return RF_MISS_CHANCE;
	if (RF_TRIGGER_HAS(t, ONCE) && trigger_once_was_hit(t, states, o->desc))
		return RF_MISS_ONCE;
	if (RF_TRIGGER_HAS(t, COUNT) && counters->hits >= t->count)
		return RF_MISS_COUNT;
	if (RF_TRIGGER_HAS(t, ONCE) && !trigger_once_set(t, states, o->desc))
		return RF_MISS_ONCE;
	return RF_MISSES;
}

/**
 * rf_trigger_draws - test whether a trigger uses random numbers
 * @trigger: the trigger
 *
 * Return: true if it does.
 */
bool rf_trigger_draws(const struct rf_trigger *trigger)
{
	return RF_TRIGGER_HAS(trigger, PROBABILITY) ||
	       rf_loss_model_is_needed(trigger);
}

static noinline bool trigger_hits(const struct rf_trigger *t,
				  struct rf_rule_counters *counters,
				  struct rf_rule_states *states,
				  const struct rf_trigger_ctx *o)
{
	u32 *left = burst_left(t, states, o);
	enum rf_miss why;

	if (left)
		--*left;
	why = trigger_miss_reason(t, counters, states, o, left);
	if (why != RF_MISSES) {
		counters->missed[why]++;
		return false;
	}
	if (!left)
		trigger_burst_begin(t, states, o);
	return true;
}

/**
 * rf_trigger_fires - count a matching packet, and decide whether it is hit
 * @trigger: the rule's trigger, completed
 * @counters: the rule's counters; updated
 * @states: the rule's states
 * @ctx: the packet
 *
 * Context: any; the caller serialises.
 * Return: true if the packet is hit.
 */
bool rf_trigger_fires(const struct rf_trigger *trigger, struct rf_rule_counters *counters,
		      struct rf_rule_states *states, const struct rf_trigger_ctx *ctx)
{
	counters->matched++;
	/* Without a trigger, every packet that matches is hit. */
	if (trigger->set && !trigger_hits(trigger, counters, states, ctx))
		return false;
	counters->hits++;
	return true;
}
