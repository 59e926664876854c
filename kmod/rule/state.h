/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_RULE_STATE_H
#define RF_RULE_STATE_H

#include <linux/list.h>

#include "loss_model.h"

/**
 * struct rf_note_key - what a note is about: a tracked flow, or a QP
 * @flow: the flow's number, struct rf_desc's @flow_id; 0 if it is about a QP
 * @qp: the destination QP
 * @addr_len: bytes of its address, 4 or 16
 * @addr: the address; the rest is 0
 *
 * A note about a flow has zeros in all members but @flow.
 */
struct rf_note_key {
	u64 flow;
	u32 qp;
	u32 addr_len;
	u8 addr[16];
};

/**
 * struct rf_note - the state of one rule for one flow or QP
 * @node: in the table
 * @recent: in the order of use
 * @key: what it is about
 * @hit: "once" has had its hit
 * @burst_left: packets that the present burst still takes
 * @chain: of a model with memory
 */
struct rf_note {
	struct hlist_node node;
	struct list_head recent;
	struct rf_note_key key;
	bool hit;
	u32 burst_left;
	struct rf_chain chain;
};

/**
 * struct rf_memo - the notes of a rule; zeros are an empty one
 * @table: the notes by hash of the key; NULL until there is one
 * @recent: the same, last used first
 * @count: how many there are
 * @step: the step that was hit last
 * @step_hit: there is one
 */
struct rf_memo {
	struct hlist_head *table;
	struct list_head recent;
	u32 count;
	u32 step;
	bool step_hit;
};

struct rf_note *rf_memo_find(struct rf_memo *memo,
			     const struct rf_note_key *key);
struct rf_note *rf_memo_get(struct rf_memo *memo,
			    const struct rf_note_key *key);
void rf_memo_forget(struct rf_memo *memo);

#endif
