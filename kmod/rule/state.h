/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_RULE_STATE_H
#define RF_RULE_STATE_H

#include <linux/list.h>

#include "loss_model.h"

/**
 * struct rf_rule_state_key - the tracked flow, or the QP, of a state
 * @flow: number of the flow, @flow_id of struct rf_desc; 0 for a QP
 * @qp: destination QP
 * @addr_len: bytes of its address, 4 or 16
 * @addr: its address; the other bytes are 0
 *
 * For a flow, all members except @flow are 0.
 */
struct rf_rule_state_key {
	u64 flow;
	u32 qp;
	u32 addr_len;
	u8 addr[16];
};

/**
 * struct rf_rule_state - the state of one rule for one flow or QP
 * @node: in the table
 * @recent: in the list of recently used states
 * @key: the flow or QP
 * @hit: "once" has had its hit
 * @burst_left: number of packets that the current burst still hits
 * @model: state of the loss model
 */
struct rf_rule_state {
	struct hlist_node node;
	struct list_head recent;
	struct rf_rule_state_key key;
	bool hit;
	u32 burst_left;
	struct rf_loss_model model;
};

/**
 * struct rf_rule_states - the states of a rule; all zeros if there are none
 * @table: the states by hash of the key; NULL before the first state
 * @recent: the states, last used first
 * @count: number of states
 * @step: the last step with a hit, if @step_hit
 * @step_hit: there was a hit in a step
 */
struct rf_rule_states {
	struct hlist_head *table;
	struct list_head recent;
	u32 count;
	u32 step;
	bool step_hit;
};

struct rf_rule_state *rf_rule_state_find(struct rf_rule_states *states,
					 const struct rf_rule_state_key *key);
struct rf_rule_state *rf_rule_state_get(struct rf_rule_states *states,
					const struct rf_rule_state_key *key);
void rf_rule_states_free(struct rf_rule_states *states);

#endif
