// SPDX-License-Identifier: GPL-2.0
/*
 * The queue pairs of an owner. A rule is about destination QPs: on the owner's
 * own netdev, what arrives has his QP numbers, and what leaves has those that
 * his are connected to. On any other netdev of the path, the switch's end of
 * the link for one, both are meant.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "err.h"
#include "owner.h"
#include "rdmadev.h"

struct search {
	const struct rf_owner *owner;
	struct rf_match *match;
	bool local, remote;	/* which of their numbers are wanted */
	unsigned int found, left_out;
};

static void add_qp(struct search *s, uint32_t qp)
{
	struct rf_match *m = s->match;
	uint32_t i;

	for (i = 0; i < m->qps; i++)
		if (m->qp[i] == qp)
			return;
	if (m->qps < RDMAFAULT_QPS_MAX)
		m->qp[m->qps++] = qp;
	else
		s->left_out++;
}

static void on_qp(const struct rf_qp_info *qp, void *arg)
{
	struct search *s = arg;

	if (s->owner->pid && s->owner->pid != qp->pid)
		return;
	if (s->owner->comm[0] && strcmp(s->owner->comm, qp->comm))
		return;
	s->found++;
	if (s->local)
		add_qp(s, qp->qp);
	if (s->remote && qp->peer)
		add_qp(s, qp->peer);
}

/* As the user wrote it */
static const char *words(const struct rf_owner *o, char *buf, size_t len)
{
	char pid[32] = "";

	if (o->pid)
		snprintf(pid, sizeof(pid), "%spid %u", o->comm[0] ? " " : "",
			 o->pid);
	if (!o->pid && !o->comm[0])
		snprintf(buf, len, "owner-dev %s", o->dev);
	else
		snprintf(buf, len, "%s%s%s", o->comm[0] ? "comm " : "",
			 o->comm, pid);
	return buf;
}

static int judge(const struct search *s, const char *rdma)
{
	char who[128];

	words(s->owner, who, sizeof(who));
	if (!s->found)
		rf_err("%s: want queue pairs on %s, has none", who, rdma);
	else if (!s->match->qps)
		rf_err("%s: want connected queue pairs on %s, has %u that aren't",
		       who, rdma, s->found);
	else if (s->left_out)
		rf_err("%s: want at most %d queue pairs in a rule, has %u on %s",
		       who, RDMAFAULT_QPS_MAX,
		       RDMAFAULT_QPS_MAX + s->left_out, rdma);
	else
		return 0;
	return -ESRCH;
}

/**
 * rf_owner_resolve - put an owner's queue pairs in a rule's match
 * @rule: the rule; names no owner afterwards
 * @port: the port that it is for
 * @dir: and the direction
 *
 * Return: 0, or -errno; then a line was said.
 */
int rf_owner_resolve(struct rf_rule_spec *rule, const struct rf_target *port,
		     uint32_t dir)
{
	struct rf_owner owner = rule->owner;
	const char *rdma = owner.dev[0] ? owner.dev : port->rdma;
	bool own = !strcmp(rdma, port->rdma);
	struct search s = {
		.owner = &owner, .match = &rule->match,
		.local = !own || dir == RDMAFAULT_DIRECTION_RX,
		.remote = !own || dir == RDMAFAULT_DIRECTION_TX,
	};
	int err;

	if (!owner.pid && !owner.comm[0] && !owner.dev[0])
		return 0;
	if (!rdma[0]) {
		rf_err("%s: has no RDMA device, want owner-dev beside comm or pid",
		       port->netdev);
		return -ENODEV;
	}
	err = rf_rdma_qp_each(rdma, on_qp, &s);
	if (err) {
		rf_err("owner-dev: want an RDMA device, got \"%s\": %s", rdma,
		       strerror(-err));
		return err;
	}
	rule->match.set |= RF_MATCH_BIT(QP);
	memset(&rule->owner, 0, sizeof(rule->owner));
	return judge(&s, rdma);
}
