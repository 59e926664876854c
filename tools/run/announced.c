// SPDX-License-Identifier: GPL-2.0
/*
 * The steps and queue pairs of a user's command, which writes no timeline. The steps are those
 * that it announces to the module for the ports of the nodes; the ranks are the nodes. A node
 * without announcements has the steps of node 1.
 *
 * The module shows only the current step of a port, so it is read every few milliseconds. The
 * starts of steps that began between two readings are spread evenly over this interval. The
 * port still has the last step when the command has ended.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "port.h"
#include "runner.h"

#define QPS_NS		500000000ull	/* interval in which the queue pairs are read */
#define QPS_SOON_NS	50000000ull	/* likewise, after a step began */

/**
 * rf_announced_begin - begin to read the steps of a command
 * @a: filled in; the caller frees it
 * @c: the cluster
 * @steps: number of steps; 0: unknown
 *
 * Return: 0, or -ENOMEM.
 */
int rf_announced_begin(struct rf_announced *a, const struct rf_cluster *c, uint32_t steps)
{
	*a = (struct rf_announced){ .cluster = c, .steps = steps, .ranks = 1 };
	a->start_ns = calloc((size_t)c->nodes * (steps + 1), sizeof(*a->start_ns));
	return a->start_ns ? 0 : -ENOMEM;
}

/* Return: the start of a step, or the end of the last step if @step is one more */
static uint64_t *start_of(const struct rf_announced *a, uint32_t node, uint32_t step)
{
	return &a->start_ns[(size_t)node * (a->steps + 1) + step - 1];
}

/* Process the current step of a node. @node counts from 0; @step is 0 if none is announced. */
static void step_begins(struct rf_announced *a, uint32_t node, uint32_t step, uint64_t now)
{
	uint32_t last = a->step[node], end = a->steps + 1, i;
	uint64_t since = a->read_ns && a->read_ns < now ? now - a->read_ns : 0;

	/* After its last step, a job can announce step 0 or a further step. */
	if (step > end || (!step && last == a->steps))
		step = end;
	if (step <= last)
		return;
	for (i = last + 1; i <= step; i++)
		*start_of(a, node, i) = now - since * (step - i) / (step - last);
	a->step[node] = step;
	a->qps_ns = a->qps_ns && now - a->qps_ns < QPS_SOON_NS ? a->qps_ns : 0;
	if (node >= a->ranks)
		a->ranks = node + 1;
}

struct found {
	struct rf_announced *a;
	uint32_t node;
	struct rf_qp_info *all;		/* connected queue pairs of all nodes */
	uint32_t *nodes;		/* the node of each */
	size_t n;
	bool failed;
};

static void add_found(const struct rf_qp_info *qp, void *arg)
{
	struct found *f = arg;
	struct rf_qp_info *all;
	uint32_t *nodes;

	if (!qp->peer)
		return;
	all = reallocarray(f->all, f->n + 1, sizeof(*all));
	f->all = all ? all : f->all;
	nodes = reallocarray(f->nodes, f->n + 1, sizeof(*nodes));
	f->nodes = nodes ? nodes : f->nodes;
	if (!all || !nodes) {
		f->failed = true;
		return;
	}
	f->all[f->n] = *qp;
	f->nodes[f->n++] = f->node;
}

static bool is_known(const struct rf_announced *a, const struct rf_qp *qp)
{
	size_t i;

	for (i = 0; i < a->nqps; i++)
		if (a->qps[i].rank == qp->rank && a->qps[i].peer == qp->peer &&
		    a->qps[i].qpn == qp->qpn && a->qps[i].peer_qpn == qp->peer_qpn)
			return true;
	return false;
}

static void add_announced_qp(struct rf_announced *a, uint32_t node, uint32_t peer,
			     const struct rf_qp_info *info, bool sure)
{
	const struct rf_target *t = &a->cluster->node[node];
	struct rf_qp qp = {
		.rank = node, .peer = peer, .qpn = info->qp, .peer_qpn = info->peer,
	};
	struct rf_qp *all;
	bool *sures;

	if (is_known(a, &qp))
		return;
	all = reallocarray(a->qps, a->nqps + 1, sizeof(*all));
	a->qps = all ? all : a->qps;
	sures = reallocarray(a->sure, a->nqps + 1, sizeof(*sures));
	a->sure = sures ? sures : a->sure;
	if (!all || !sures)
		return;
	snprintf(qp.device, sizeof(qp.device), "%s", t->rdma);
	snprintf(qp.netdev, sizeof(qp.netdev), "%s", t->netdev);
	snprintf(qp.addr, sizeof(qp.addr), RF_FABRIC_ADDR, node + 1);
	snprintf(qp.peer_addr, sizeof(qp.peer_addr), RF_FABRIC_ADDR, peer + 1);
	a->sure[a->nqps] = sure;
	a->qps[a->nqps++] = qp;
	a->ranks = node + 1 > a->ranks ? node + 1 : a->ranks;
}

static bool is_pair(const struct found *f, size_t i, size_t j)
{
	return f->nodes[j] != f->nodes[i] && f->all[j].qp == f->all[i].peer &&
	       f->all[j].peer == f->all[i].qp;
}

/*
 * The kernel shows the QP number of the peer, but not its device: it is the one whose queue pair
 * has this number, and this queue pair as its peer. There can be several.
 */
static size_t count_peers(const struct found *f, size_t i)
{
	size_t j, n = 0;

	for (j = 0; j < f->n; j++)
		n += is_pair(f, i, j);
	return n;
}

static void add_pairs(struct found *f)
{
	size_t i, j;

	for (i = 0; i < f->n; i++)
		for (j = 0; j < f->n; j++)
			if (is_pair(f, i, j))
				add_announced_qp(f->a, f->nodes[i], f->nodes[j], &f->all[i],
						 count_peers(f, i) == 1 && count_peers(f, j) == 1);
}

static void read_qps(struct rf_announced *a)
{
	struct found f = { .a = a };

	for (f.node = 0; f.node < a->cluster->nodes; f.node++)
		rf_rdma_qp_each(a->cluster->node[f.node].rdma, add_found, &f);
	if (!f.failed)
		add_pairs(&f);
	free(f.all);
	free(f.nodes);
}

/* Read the step of each node. If the command has @ended, no step means that the last one ended. */
static void read_steps(struct rf_announced *a, struct rf_nl *nl, bool ended, uint64_t now)
{
	struct rf_port_info port;
	uint32_t node;

	for (node = 0; a->steps && node < a->cluster->nodes; node++) {
		if (rf_nl_port_get(nl, a->cluster->node[node].ifindex, &port))
			continue;
		if (ended && !port.step && a->step[node])
			port.step = a->steps + 1;
		step_begins(a, node, port.step, now);
	}
}

/**
 * rf_announced_read - read the current steps, and sometimes the queue pairs
 * @a: the steps
 * @nl: an open socket
 * @now: the time, CLOCK_MONOTONIC
 */
void rf_announced_read(struct rf_announced *a, struct rf_nl *nl, uint64_t now)
{
	read_steps(a, nl, false, now);
	a->read_ns = now;
	if (a->qps_ns && now - a->qps_ns < QPS_NS)
		return;
	read_qps(a);
	a->qps_ns = now;
}

/**
 * rf_announced_last - read the steps for the last time
 * @a: the steps
 * @nl: an open socket
 * @status: exit status of the command. If it is 0, a node whose step is 0 again has ended its
 *	last step.
 * @now: when the command ended, CLOCK_MONOTONIC
 */
void rf_announced_last(struct rf_announced *a, struct rf_nl *nl, int status, uint64_t now)
{
	read_steps(a, nl, !status, now);
}

static void fill_steps(const struct rf_announced *a, uint32_t rank, uint64_t now,
		       struct rf_timeline *tl)
{
	uint32_t from = a->step[rank] ? rank : 0, step;
	uint64_t start, end;
	struct rf_step *s;

	for (step = 1; step <= a->steps; step++) {
		start = *start_of(a, from, step);
		end = *start_of(a, from, step + 1);
		/* The job ended in its last step. */
		if (!end && step == a->steps)
			end = now;
		s = &tl->steps[(size_t)(step - 1) * tl->ranks + rank];
		if (start && end)
			*s = (struct rf_step){
				.seen = true, .start_ns = start, .end_ns = end, .sync_ns = end,
			};
	}
}

/* Check whether a packet of the case went from one end of a queue pair to the other. */
static bool has_packet(const struct rf_qp *qp, const struct rf_events *ev)
{
	uint8_t addr[16] = { }, peer[16] = { };
	const struct rf_event *e;

	inet_pton(AF_INET, qp->addr, addr);
	inet_pton(AF_INET, qp->peer_addr, peer);
	for (e = ev->e; e < ev->e + ev->n; e++) {
		if (e->kind != RF_EVENT_HIT)
			continue;
		if (e->qp == qp->peer_qpn && !memcmp(e->saddr, addr, 16) &&
		    !memcmp(e->daddr, peer, 16))
			return true;
		if (e->qp == qp->qpn && !memcmp(e->saddr, peer, 16) &&
		    !memcmp(e->daddr, addr, 16))
			return true;
	}
	return false;
}

/* If several queue pairs fit to a peer, the addresses of a packet show which one it is. */
static void move_qps(struct rf_announced *a, const struct rf_events *ev, struct rf_timeline *tl)
{
	size_t i;

	tl->qps = a->qps;
	tl->nqps = 0;
	for (i = 0; i < a->nqps; i++)
		if (a->sure[i] || has_packet(&a->qps[i], ev))
			tl->qps[tl->nqps++] = a->qps[i];
	a->qps = NULL;
	a->nqps = 0;
}

/**
 * rf_announced_end - write the steps and queue pairs into a timeline
 * @a: the steps; its queue pairs are moved
 * @ev: the packets of the case
 * @now: when the job ended, CLOCK_MONOTONIC
 * @tl: the timeline of the command
 *
 * Return: 0, or -ENOMEM.
 */
int rf_announced_end(struct rf_announced *a, const struct rf_events *ev, uint64_t now,
		     struct rf_timeline *tl)
{
	bool announced = a->steps && a->step[0];
	struct rf_step *steps;
	uint32_t rank;

	tl->ranks = a->ranks;
	for (rank = 0; rank < tl->ranks; rank++)
		tl->end[rank].seen = true;
	move_qps(a, ev, tl);
	if (!announced)
		return 0;
	steps = calloc((size_t)a->steps * tl->ranks + 1, sizeof(*steps));
	if (!steps)
		return -ENOMEM;
	free(tl->steps);
	tl->steps = steps;
	tl->iters = a->steps;
	for (rank = 0; rank < tl->ranks; rank++)
		fill_steps(a, rank, now, tl);
	return 0;
}

/** rf_announced_free - free the memory of the steps and queue pairs */
void rf_announced_free(struct rf_announced *a)
{
	free(a->start_ns);
	free(a->qps);
	free(a->sure);
	*a = (struct rf_announced){ };
}
