/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_RULE_H
#define RF_RULE_H

#include <linux/list.h>

#include "match.h"
#include "trigger.h"

struct netlink_ext_ack;

/**
 * struct rf_rule - match, trigger and action, and what has come of them
 * @id: names the rule on its port
 * @owner: netlink port id of the socket whose end is the rule's end; 0: none
 * @flags: RDMAFAULT_RULE_FLAG_*
 * @action: RDMAFAULT_ACTION_*
 * @match: which packets
 * @trigger: when
 * @tally: under the lock of the direction
 * @doomed: set under rf_ports_lock on the way out
 * @leaving: on the list of rules that are taken out together
 */
struct rf_rule {
	u32 id;
	u32 owner;
	u32 flags;
	u32 action;
	struct rf_match match;
	struct rf_trigger trigger;
	struct rf_tally tally;
	bool doomed;
	struct list_head leaving;
};

int rf_rule_validate(const struct rf_rule *rule,
		     struct netlink_ext_ack *extack);

#endif
