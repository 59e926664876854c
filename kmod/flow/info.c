// SPDX-License-Identifier: GPL-2.0
/*
 * The counters of each flow, for flow-get. rxe counts only per device.
 */
#include <linux/string.h>

#include "flow.h"

/* Number of flows after which the bucket is the last one */
#define SHOWN_AT_ONCE	64

static void info_fill(const struct rf_flow *flow, struct rf_flow_info *info)
{
	info->counts = flow->info;
	info->counts.messages = flow->win.earlier + flow->win.messages;
	memcpy(info->saddr, flow->key.saddr, sizeof(info->saddr));
	memcpy(info->daddr, flow->key.daddr, sizeof(info->daddr));
	info->addr_len = flow->key.addr_len;
	info->qp = flow->key.qp;
	info->response = flow->key.kind == RF_FLOW_RESPONSES;
	info->first_psn = flow->win.first;
	info->highest_psn = flow->win.highest;
}

/**
 * rf_flows_each - call a function for some of the flows, except those of CNPs
 * @flows: the flows of a direction, or NULL
 * @bucket: the bucket to begin at, 0 at first; gets the bucket to continue at
 * @fn: called with each flow; stops at an error
 * @arg: argument of @fn
 *
 * The caller can release the lock between two calls. A flow stays in its bucket, so
 * no flow is shown twice.
 *
 * Context: under the lock of the direction; @fn must not sleep.
 * Return: 1 if there can be more flows, 0 if not, or the error of @fn.
 */
int rf_flows_each(const struct rf_flows *flows, u32 *bucket,
		  int (*fn)(const struct rf_flow_info *info, void *arg),
		  void *arg)
{
	struct rf_flow_info info;
	struct rf_flow *flow;
	u32 shown = 0;
	int err;

	for (; flows && *bucket < HASH_SIZE(flows->table); (*bucket)++) {
		if (shown >= SHOWN_AT_ONCE)
			return 1;
		hlist_for_each_entry(flow, &flows->table[*bucket], node) {
			if (flow->key.kind == RF_FLOW_CNPS)
				continue;
			info_fill(flow, &info);
			err = fn(&info, arg);
			if (err)
				return err;
			shown++;
		}
	}
	return 0;
}

/*
 * If several QPs send datagrams to the same QP, the flow that was used last; see
 * @recent of struct rf_flows.
 */
static const struct rf_flow *info_find_any_sender(const struct rf_flows *flows,
						  struct rf_flow_key *key)
{
	const struct list_head *lists[] = { &flows->recent, &flows->watched };
	struct rf_flow *flow;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		list_for_each_entry(flow, lists[i], recent) {
			key->sender = flow->key.sender;
			if (key->sender && rf_flow_key_equal(&flow->key, key))
				return flow;
		}
	}
	return NULL;
}

/**
 * rf_flow_info - show one flow
 * @flows: the flows of a direction, or NULL
 * @desc: addresses, QP, classes and response of a packet of the flow
 * @info: filled in
 *
 * Context: under the lock of the direction.
 * Return: false if there is no such flow.
 */
bool rf_flow_info(const struct rf_flows *flows, const struct rf_desc *desc,
		  struct rf_flow_info *info)
{
	struct rf_flow_key key = rf_flow_key(desc);
	const struct rf_flow *flow = NULL;

	if (flows)
		flow = rf_flow_find(flows, &key) ?:
		       info_find_any_sender(flows, &key);
	if (flow)
		info_fill(flow, info);
	return flow;
}
