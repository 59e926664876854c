// SPDX-License-Identifier: GPL-2.0
/*
 * Find the queue pairs of an owner. A rule matches the destination QP of packets. On the
 * netdev of the owner's RDMA device, the destination of received packets is a queue pair
 * of the owner, and the destination of sent packets is a queue pair of a peer. On other
 * netdevs, for example a switch port, the destination can be either, in both directions.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "genl.h"
#include "port.h"

struct search {
	const struct rf_owner *owner;
	struct rf_owner_qps *qps;
	bool local, remote;	/* local: add the owner's QP numbers; remote: its peers' */
	int err;
};

static bool has_qp(const struct rf_owner_qps *qps, uint32_t qp)
{
	size_t i;

	for (i = 0; i < qps->n; i++)
		if (qps->qp[i] == qp)
			return true;
	return false;
}

/**
 * rf_owner_qps_add - add a queue pair to a set
 * @qps: the set
 * @qp: number of the queue pair; can already be in the set
 *
 * Return: 0 or -ENOMEM.
 */
int rf_owner_qps_add(struct rf_owner_qps *qps, uint32_t qp)
{
	uint32_t *more;

	if (has_qp(qps, qp))
		return 0;
	more = reallocarray(qps->qp, qps->n + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	qps->qp = more;
	qps->qp[qps->n++] = qp;
	return 0;
}

/**
 * rf_owner_qps_to_rule - replace the owner of a rule by queue pairs from a set
 * @qps: a set of queue pairs
 * @first: index of the first queue pair in the set
 * @n: number of queue pairs, at most RDMAFAULT_QPS_MAX
 * @rule: the rule
 */
void rf_owner_qps_to_rule(const struct rf_owner_qps *qps, size_t first, size_t n,
			  struct rf_rule_spec *rule)
{
	struct rf_match *m = &rule->match;

	m->set |= RF_MATCH_BIT(QP);
	m->qps = n;
	memset(m->qp, 0, sizeof(m->qp));
	memcpy(m->qp, qps->qp + first, n * sizeof(*qps->qp));
	rule->flags |= RDMAFAULT_RULE_FLAG_LOOKED_UP;
	memset(&rule->owner, 0, sizeof(rule->owner));
}

static void add_owned_qp(struct search *s, uint32_t qp)
{
	int err = rf_owner_qps_add(s->qps, qp);

	if (err)
		s->err = err;
}

static void on_qp(const struct rf_qp_info *qp, void *arg)
{
	struct search *s = arg;

	if (s->owner->pid && s->owner->pid != qp->pid)
		return;
	if (s->owner->comm[0] && strcmp(s->owner->comm, qp->comm))
		return;
	s->qps->found++;
	if (s->local)
		add_owned_qp(s, qp->qp);
	if (s->remote && qp->peer)
		add_owned_qp(s, qp->peer);
}

/* Return: the owner in the syntax of the command line, to be freed by the caller. */
static char *owner_words(const struct rf_owner *o)
{
	char *words = NULL;
	int len;

	if (!o->pid && !o->comm[0])
		len = asprintf(&words, "owner-dev %s", o->dev);
	else if (!o->pid)
		len = asprintf(&words, "comm %s", o->comm);
	else if (!o->comm[0])
		len = asprintf(&words, "pid %u", o->pid);
	else
		len = asprintf(&words, "comm %s pid %u", o->comm, o->pid);
	return len < 0 ? NULL : words;
}

/**
 * rf_owner_find - find the queue pairs of an owner
 * @owner: the owner
 * @port: the port of the rule
 * @dir: the direction of the rule
 * @qps: gets the queue pairs; the caller frees qps->qp, also after an error
 *
 * Return: 0, also if the owner has no queue pairs; or -errno after rf_err().
 */
int rf_owner_find(const struct rf_owner *owner, const struct rf_target *port,
		  uint32_t dir, struct rf_owner_qps *qps)
{
	const char *rdma = owner->dev[0] ? owner->dev : port->rdma;
	bool own = !strcmp(rdma, port->rdma);
	struct search s = {
		.owner = owner, .qps = qps,
		.local = !own || dir == RDMAFAULT_DIRECTION_RX,
		.remote = !own || dir == RDMAFAULT_DIRECTION_TX,
	};
	int err;

	*qps = (struct rf_owner_qps){ };
	if (!rdma[0]) {
		rf_err("%s: no RDMA device on this netdev; add owner-dev DEV with the RDMA device of the process, or qp N if the process is on another machine",
		       port->netdev);
		return -ENODEV;
	}
	err = rf_rdma_qp_each(rdma, on_qp, &s);
	if (err)
		rf_err("owner-dev %s: %s; \"rdma link\" lists the RDMA devices", rdma,
		       strerror(-err));
	else if (s.err)
		rf_err("%s: no memory for queue pairs", rdma);
	return err ? err : s.err;
}

static int put_qps(struct rf_rule_spec *rule, const struct rf_owner_qps *qps,
		   const char *owner, const char *rdma)
{
	if (!qps->found)
		rf_err("%s: no queue pairs on %s; to wait for connected queue pairs, use \"rule add ... -- COMMAND\" or \"rule add ... --follow\"",
		       owner, rdma);
	else if (!qps->n)
		rf_err("%s: no connected queue pairs on %s, only %u unconnected; to wait for connected queue pairs, use \"rule add ... -- COMMAND\" or \"rule add ... --follow\"",
		       owner, rdma, qps->found);
	else if (qps->n > RDMAFAULT_QPS_MAX)
		rf_err("%s: %zu queue pairs on %s: too many; at most %d in a rule",
		       owner, qps->n, rdma, RDMAFAULT_QPS_MAX);
	if (!qps->n || qps->n > RDMAFAULT_QPS_MAX)
		return -ESRCH;
	rf_owner_qps_to_rule(qps, 0, qps->n, rule);
	return 0;
}

/**
 * rf_owner_resolve - replace the owner of a rule by the QP numbers of the owner
 * @rule: the rule
 * @port: the port of the rule
 * @dir: the direction of the rule
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_owner_resolve(struct rf_rule_spec *rule, const struct rf_target *port,
		     uint32_t dir)
{
	const struct rf_owner owner = rule->owner;
	const char *rdma = owner.dev[0] ? owner.dev : port->rdma;
	struct rf_owner_qps qps;
	char *words;
	int err;

	if (!rf_owner_is_named(&owner))
		return 0;
	err = rf_owner_find(&owner, port, dir, &qps);
	if (!err) {
		words = owner_words(&owner);
		err = put_qps(rule, &qps, words ? words : "owner", rdma);
		free(words);
	}
	free(qps.qp);
	return err;
}
