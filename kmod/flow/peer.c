// SPDX-License-Identifier: GPL-2.0
/*
 * A response that crosses one direction of a port updates the flow of its requests
 * in the other direction: the peer's QP, NAKs and timeouts.
 *
 * A direction looks at responses if it has rules, or if the other one has a rule
 * that needs the peer's QP. The locks of both directions are never held at once.
 */
#include "flow.h"
#include "peer.h"
#include "../port.h"

/**
 * rf_peer_see - update the request flow of a response
 * @dir: the direction of the response
 * @desc: the response
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
