// SPDX-License-Identifier: GPL-2.0
/*
 * Per-flow state of one direction of a port: which PSN came first, and how
 * often each has been seen.
 *
 * A flow is (source, destination, destination QP, request or response). The
 * last is needed because a QP carries two PSN spaces: the requests it sends,
 * and the acknowledges and read responses to the requests of its peer, which
 * bear the peer's PSNs.
 *
 * Flows are made by their first packet, so memory is what traffic needs. When
 * the table is full, the flow that has been silent longest makes room if it
 * has been so for ten seconds; otherwise the packet isn't followed, which is
 * counted by the caller.
 */
#include <linux/hashtable.h>
#include <linux/jhash.h>
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/slab.h>

#include "flow.h"
#include "packet.h"
#include "psn_window.h"

#define FLOW_BITS	8
#define FLOWS_MAX	4096		/* about 4.5 MiB when all are in use */
#define FLOW_STALE	(10 * HZ)

struct flow_key {
	u8 saddr[16];
	u8 daddr[16];
	u32 qp;
	u32 response;
};

struct flow {
	struct hlist_node node;
	struct list_head recent;
	unsigned long last;		/* jiffies */
	struct flow_key key;
	struct rf_psn_window win;
};

/**
 * struct rf_flows - the flows of one direction
 * @table: by hash of the key
 * @recent: the same flows, last used first
 * @count: how many there are
 *
 * All under the lock of the direction, struct rf_side.
 */
struct rf_flows {
	DECLARE_HASHTABLE(table, FLOW_BITS);
	struct list_head recent;
	u32 count;
};

static u32 key_hash(const struct flow_key *key)
{
	return jhash2((const u32 *)key, sizeof(*key) / sizeof(u32), 0);
}

static struct flow *flow_find(struct rf_flows *flows,
			      const struct flow_key *key, u32 hash)
{
	struct flow *flow;

	hash_for_each_possible(flows->table, flow, node, hash)
		if (!memcmp(&flow->key, key, sizeof(*key)))
			return flow;
	return NULL;
}

static struct flow *flow_recycle(struct rf_flows *flows)
{
	struct flow *flow;

	flow = list_last_entry(&flows->recent, struct flow, recent);
	if (time_before(jiffies, flow->last + FLOW_STALE))
		return NULL;
	hash_del(&flow->node);
	list_del(&flow->recent);
	flows->count--;
	return flow;
}

static struct flow *flow_make(struct rf_flows *flows,
			      const struct flow_key *key, u32 hash, u32 psn)
{
	struct flow *flow;

	if (flows->count < FLOWS_MAX)
		flow = kmalloc(sizeof(*flow), GFP_ATOMIC | __GFP_NOWARN);
	else
		flow = flow_recycle(flows);
	if (!flow)
		return NULL;

	flow->key = *key;
	rf_psn_window_start(&flow->win, psn);
	hash_add(flows->table, &flow->node, hash);
	list_add(&flow->recent, &flows->recent);
	flows->count++;
	return flow;
}

/**
 * rf_flow_see - follow a packet
 * @flows: the flows of the direction
 * @pkt: the packet; its psn_rel and pass are filled in
 *
 * Context: softirq or BH off, under the lock of the direction.
 * Return: false if the flow can't be followed, for want of room or memory; the
 * pass is 0 then.
 */
bool rf_flow_see(struct rf_flows *flows, struct rf_pkt *pkt)
{
	struct flow_key key = {
		.qp = pkt->desc.qp,
		.response = pkt->desc.response,
	};
	struct flow *flow;
	u32 hash;

	memcpy(key.saddr, pkt->desc.saddr, sizeof(key.saddr));
	memcpy(key.daddr, pkt->desc.daddr, sizeof(key.daddr));
	hash = key_hash(&key);
	flow = flow_find(flows, &key, hash);
	if (!flow)
		flow = flow_make(flows, &key, hash, pkt->desc.psn);
	if (!flow)
		return false;

	flow->last = jiffies;
	list_move(&flow->recent, &flows->recent);
	pkt->desc.pass = rf_psn_window_see(&flow->win, pkt->desc.psn);
	pkt->desc.psn_rel = rf_psn_rel(&flow->win, pkt->desc.psn);
	return true;
}

/**
 * rf_flows_alloc - an empty set of flows
 *
 * Context: process.
 * Return: the flows, or NULL.
 */
struct rf_flows *rf_flows_alloc(void)
{
	struct rf_flows *flows = kzalloc(sizeof(*flows), GFP_KERNEL);

	if (!flows)
		return NULL;
	hash_init(flows->table);
	INIT_LIST_HEAD(&flows->recent);
	return flows;
}

/**
 * rf_flows_free - free the flows, NULL allowed
 * @flows: not reachable by the data path any more
 *
 * Context: any.
 */
void rf_flows_free(struct rf_flows *flows)
{
	struct flow *flow, *next;

	if (!flows)
		return;
	list_for_each_entry_safe(flow, next, &flows->recent, recent)
		kfree(flow);
	kfree(flows);
}

/**
 * rf_flows_count - how many flows are followed
 * @flows: the flows, or NULL
 *
 * Context: any; the number may be old when it arrives.
 * Return: the number.
 */
u32 rf_flows_count(const struct rf_flows *flows)
{
	return flows ? READ_ONCE(flows->count) : 0;
}
