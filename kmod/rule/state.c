// SPDX-License-Identifier: GPL-2.0
/*
 * The state that a rule keeps for each flow or QP: its loss model, its burst, and
 * whether "once" has had its hit. The key of a state is the number of the flow, which
 * is never used again, or address and QP. The hash, with a random key, only selects
 * the bucket.
 *
 * Traffic can make any number of flows, so the number of states of a rule is limited.
 * Above the limit, the least recently used state is removed. Which one that is
 * doesn't depend on the hash, and so no result does.
 */
#include <linux/jhash.h>
#include <linux/slab.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <net/net_debug.h>

#include "../rand.h"
#include "rule.h"

#define TABLE_SIZE	256
#define STATES_MAX	4096

static struct hlist_head *state_bucket(const struct rf_rule_states *states,
				       const struct rf_rule_state_key *key)
{
	u32 words[sizeof(*key) / sizeof(u32)];
	u32 hash;

	if (key->flow) {
		hash = jhash_2words(key->flow, key->flow >> 32, rf_hash_key);
	} else {
		memcpy(words, key, sizeof(words));
		hash = jhash2(words, sizeof(words) / sizeof(u32), rf_hash_key);
	}
	return &states->table[hash % TABLE_SIZE];
}

static bool state_key_equal(const struct rf_rule_state *state, const struct rf_rule_state_key *key)
{
	return state->key.flow == key->flow && state->key.qp == key->qp &&
	       state->key.addr_len == key->addr_len &&
	       !memcmp(state->key.addr, key->addr, sizeof(key->addr));
}

static struct rf_rule_state *state_last_used(const struct rf_rule_states *states)
{
	return list_first_entry(&states->recent, struct rf_rule_state, recent);
}

/**
 * rf_rule_state_find - find the state for a flow or QP
 * @states: the states of the rule
 * @key: the flow or QP
 *
 * Context: any; the caller serialises.
 * Return: the state, or NULL.
 */
struct rf_rule_state *rf_rule_state_find(struct rf_rule_states *states,
					 const struct rf_rule_state_key *key)
{
	struct rf_rule_state *state;

	if (!states->count)
		return NULL;
	/* A packet looks several times, and the next packet is often of its flow. */
	if (state_key_equal(state_last_used(states), key))
		return state_last_used(states);
	hlist_for_each_entry(state, state_bucket(states, key), node) {
		if (state_key_equal(state, key)) {
			list_move(&state->recent, &states->recent);
			return state;
		}
	}
	return NULL;
}

static void state_remove(struct rf_rule_states *states, struct rf_rule_state *state)
{
	hlist_del(&state->node);
	list_del(&state->recent);
	states->count--;
	kfree(state);
}

static bool state_table_make(struct rf_rule_states *states)
{
	if (states->table)
		return true;
	states->table = kcalloc(TABLE_SIZE, sizeof(*states->table),
				GFP_ATOMIC | __GFP_NOWARN);
	INIT_LIST_HEAD(&states->recent);
	return states->table;
}

/**
 * rf_rule_state_get - find the state for a flow or QP, or make it
 * @states: the states of the rule
 * @key: the flow or QP
 *
 * Context: any; the caller serialises. Allocates without sleeping.
 * Return: the state, all zeros if it is new; NULL without memory.
 */
struct rf_rule_state *rf_rule_state_get(struct rf_rule_states *states,
					const struct rf_rule_state_key *key)
{
	struct rf_rule_state *state = rf_rule_state_find(states, key);

	if (state)
		return state;
	if (!state_table_make(states))
		return NULL;
	state = kzalloc(sizeof(*state), GFP_ATOMIC | __GFP_NOWARN);
	if (!state)
		return NULL;
	if (states->count >= STATES_MAX)
		state_remove(states, list_last_entry(&states->recent,
						     struct rf_rule_state, recent));
	state->key = *key;
	hlist_add_head(&state->node, state_bucket(states, key));
	list_add(&state->recent, &states->recent);
	states->count++;
	return state;
}

/**
 * rf_rule_states_free - free all states of a rule
 * @states: the states; empty afterwards
 */
void rf_rule_states_free(struct rf_rule_states *states)
{
	struct rf_rule_state *state, *next;

	if (states->table)
		list_for_each_entry_safe(state, next, &states->recent, recent)
			state_remove(states, state);
	DEBUG_NET_WARN_ON_ONCE(states->count);
	kfree(states->table);
	memset(states, 0, sizeof(*states));
}
