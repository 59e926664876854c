// SPDX-License-Identifier: GPL-2.0
/*
 * The two directions of a port know of one another: an answer that crosses one
 * of them is told to the flow of requests that it belongs to, in the other.
 * That flow learns the QP of its requester, its NAKs and its timeouts.
 *
 * Answers are looked at in a direction that has rules, or if the other has a
 * rule that has to know the requester. Never are the locks of both directions
 * held at once.
 */
#include "flow.h"
#include "peer.h"
#include "../port.h"

/**
 * rf_peer_see - tell an answer to its requests
 * @dir: the direction that the answer takes
 * @desc: the answer
 *
 * Context: softirq or BH off, no lock of a direction held.
 */
void rf_peer_see(struct rf_dir *dir, const struct rf_desc *desc)
{
	struct rf_dir *asked = rf_dir_other(dir);
	bool known = false;
	u32 qp;

	if (!desc->response || !rcu_access_pointer(asked->rules))
		return;
	spin_lock(&asked->lock);
	if (asked->flows)
		known = rf_flow_answered(asked->flows, desc, &qp);
	spin_unlock(&asked->lock);
	if (!known || !rcu_access_pointer(dir->rules))
		return;
	spin_lock(&dir->lock);
	rf_flow_set_peer(dir->flows, desc, qp);
	spin_unlock(&dir->lock);
}
