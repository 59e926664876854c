// SPDX-License-Identifier: GPL-2.0
/*
 * Renumber flows that start during a recording from 1. When the recording starts, the highest
 * existing flow number is stored for each pair of addresses, separately for requests and
 * responses. This number is subtracted from the numbers of flows that start later.
 *
 * If a rule hit a packet of a flow that started before the recording, nothing is subtracted
 * from the numbers of flows between the same addresses. To repeat this hit, the user must also
 * repeat the traffic from before the recording, because it contains the start of this flow.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "genl.h"
#include "kmod/rocev2/bth.h"
#include "rule.h"

struct rf_ordinal {
	uint32_t ifindex, dir;
	bool response;
	uint8_t saddr[16], daddr[16];
	uint32_t highest;
};

static struct rf_ordinal *find_ordinal(const struct rf_ordinals *o,
				       const struct rf_ordinal *key)
{
	struct rf_ordinal *b;

	for (b = o->base; b < o->base + o->n; b++)
		if (b->ifindex == key->ifindex && b->dir == key->dir &&
		    b->response == key->response &&
		    !memcmp(b->saddr, key->saddr, sizeof(b->saddr)) &&
		    !memcmp(b->daddr, key->daddr, sizeof(b->daddr)))
			return b;
	return NULL;
}

static int learn_ordinal(const struct rf_flow_info *flow, void *arg)
{
	struct rf_ordinals *o = arg;
	struct rf_ordinal key = {
		.ifindex = flow->ifindex, .dir = flow->direction,
		.response = flow->response,
	}, *b;

	memcpy(key.saddr, flow->saddr, sizeof(key.saddr));
	memcpy(key.daddr, flow->daddr, sizeof(key.daddr));
	b = find_ordinal(o, &key);
	if (!b) {
		b = reallocarray(o->base, o->n + 1, sizeof(*b));
		if (!b)
			return -ENOMEM;
		o->base = b;
		b += o->n++;
		*b = key;
	}
	if (flow->ordinal > b->highest)
		b->highest = flow->ordinal;
	return 0;
}

/**
 * rf_ordinals_learn - store the highest number of the existing flows
 * @o: the ordinals
 * @nl: netlink socket
 *
 * Return: 0, or -errno.
 */
int rf_ordinals_learn(struct rf_ordinals *o, struct rf_nl *nl)
{
	*o = (struct rf_ordinals){ };
	return rf_nl_flow_each(nl, 0, learn_ordinal, o);
}

static struct rf_ordinal *base_of(const struct rf_ordinals *o,
				  const struct rf_event *e)
{
	const struct rf_opcode *op = rf_opcode(e->opcode);
	struct rf_ordinal key = {
		.ifindex = e->ifindex, .dir = e->dir,
		.response = op && op->response,
	};

	memcpy(key.saddr, e->saddr, sizeof(key.saddr));
	memcpy(key.daddr, e->daddr, sizeof(key.daddr));
	return find_ordinal(o, &key);
}

/**
 * rf_ordinals_settle - subtract nothing if a rule hit a flow from before the recording
 * @o: the ordinals
 * @ev: the recording
 */
void rf_ordinals_settle(struct rf_ordinals *o, const struct rf_events *ev)
{
	const struct rf_event *e;
	struct rf_ordinal *b;

	for (e = ev->e; e < ev->e + ev->n; e++) {
		b = e->fault ? base_of(o, e) : NULL;
		if (b && e->flow <= b->highest)
			b->highest = 0;
	}
}

/**
 * rf_ordinals_flow - get the number that a flow has when the traffic is repeated
 * @o: the ordinals
 * @e: an event of the flow
 *
 * Return: the flow number; 0 if it is unknown.
 */
uint32_t rf_ordinals_flow(const struct rf_ordinals *o, const struct rf_event *e)
{
	const struct rf_ordinal *b = base_of(o, e);

	return b && e->flow ? e->flow - b->highest : e->flow;
}

/** rf_ordinals_free - free the ordinals */
void rf_ordinals_free(struct rf_ordinals *o)
{
	free(o->base);
	*o = (struct rf_ordinals){ };
}
