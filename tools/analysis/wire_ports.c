// SPDX-License-Identifier: GPL-2.0
/*
 * The ports at which packets were recorded: which of them is the port of a node, and in which
 * steps all packets were recorded there.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "wire.h"

/* A packet that is recorded this long after the start of a step was sent in this step. */
#define EDGE_NS 1000000

static uint32_t find_wire_port(const struct rf_wire *w, const char *dev, bool leaves)
{
	uint32_t i;

	for (i = 0; i < w->nports; i++)
		if (w->port[i].leaves == leaves && !strcmp(w->port[i].dev, dev))
			return i;
	return RF_NO_PORT;
}

static int add_wire_port(struct rf_wire *w, const char *dev, bool leaves, uint32_t *port)
{
	struct rf_wire_port *all;

	*port = find_wire_port(w, dev, leaves);
	if (*port != RF_NO_PORT)
		return 0;
	all = reallocarray(w->port, w->nports + 1, sizeof(*all));
	if (!all)
		return -ENOMEM;
	w->port = all;
	*port = w->nports++;
	all[*port] = (struct rf_wire_port){
		.dev = dev, .leaves = leaves, .to = UINT64_MAX,
		.step = calloc(w->steps, sizeof(*all->step)),
	};
	return all[*port].step ? 0 : -ENOMEM;
}

static const char *dev_of(const struct rf_wire *w, const uint8_t addr[16])
{
	size_t i;

	for (i = 0; i < w->nnics; i++)
		if (!memcmp(w->nic[i].addr, addr, 16))
			return w->nic[i].dev;
	return NULL;
}

static int add_nic(struct rf_wire *w, const uint8_t addr[16], const char *dev)
{
	struct rf_wire_nic *all;

	all = reallocarray(w->nic, w->nnics + 1, sizeof(*all));
	if (!all)
		return -ENOMEM;
	w->nic = all;
	memcpy(all[w->nnics].addr, addr, 16);
	all[w->nnics++].dev = dev;
	return 0;
}

/* Take the ports of nodes from the queue pairs of the job. */
static int take_qps(struct rf_wire *w)
{
	const struct rf_timeline *tl = &w->rec->tl;
	uint8_t addr[16];
	size_t i;

	for (i = 0; i < tl->nqps; i++) {
		memset(addr, 0, sizeof(addr));
		if (!inet_pton(strchr(tl->qps[i].addr, ':') ? AF_INET6 : AF_INET,
			       tl->qps[i].addr, addr) || dev_of(w, addr))
			continue;
		if (add_nic(w, addr, tl->qps[i].netdev))
			return -ENOMEM;
	}
	return 0;
}

/*
 * Learn which machines are behind each port of a bridge, from the packets that they send. There can
 * be several. A machine that sent no recorded packet is where the packets to it went.
 */
static int learn_bridge(struct rf_wire *w, bool leaves)
{
	const struct rf_pass *p;
	const uint8_t *addr;
	int err = 0;

	for (p = w->pass; !err && p < w->pass + w->n; p++) {
		if (!p->e->mirrored || rf_event_leaves(p->e) != leaves)
			continue;
		addr = leaves ? p->e->saddr : p->e->daddr;
		if (!dev_of(w, addr))
			err = add_nic(w, addr, p->e->dev);
	}
	return err;
}

/*
 * Check whether @dev can be the port of the node with this address: all packets that leave it
 * are from this address, and all packets that arrive are for it. Return: the number of packets
 * that were only observed; 0: no. At the ports of switches, only packets that were hit are
 * recorded.
 */
static size_t packets_fit(const struct rf_wire *w, const char *dev, const uint8_t addr[16])
{
	const struct rf_pass *p;
	size_t n = 0;

	for (p = w->pass; p < w->pass + w->n; p++) {
		if (strcmp(p->e->dev, dev))
			continue;
		if (memcmp(rf_event_leaves(p->e) ? p->e->saddr : p->e->daddr, addr, 16))
			return 0;
		n += !p->e->fault;
	}
	return n;
}

/* Return: the place of a port in the list of the run's ports, where nodes come first */
static size_t rank_of(const struct rf_record *rec, const char *dev)
{
	size_t i;

	for (i = 0; i < rec->nports && strcmp(rec->ports[i].netdev, dev); i++)
		;
	return i;
}

/* Find the port of a node whose queue pairs are not known. */
static int guess_nic(struct rf_wire *w, const uint8_t addr[16])
{
	const char *best = NULL;
	size_t most = 0, n, i;

	if (dev_of(w, addr))
		return 0;
	for (i = 0; i < w->nports; i++) {
		n = packets_fit(w, w->port[i].dev, addr);
		if (!n || (best && rank_of(w->rec, best) < rank_of(w->rec, w->port[i].dev)))
			continue;
		if (best && n <= most && rank_of(w->rec, best) == rank_of(w->rec, w->port[i].dev))
			continue;
		best = w->port[i].dev;
		most = n;
	}
	return add_nic(w, addr, best ? best : "");
}

/*
 * Find the recorded steps. Retransmissions and NAKs are recorded in all steps, so they do not
 * show that all packets of a step were recorded.
 */
static void find_steps(struct rf_wire *w)
{
	const uint32_t always = RDMAFAULT_CLASS_NAK | RDMAFAULT_CLASS_RNR;
	const struct rf_pass *p;

	for (p = w->pass; p < w->pass + w->n; p++)
		if (p->e->action == RDMAFAULT_ACTION_OBSERVE && !p->e->fault &&
		    p->e->attempt == 1 && !(p->e->class & always) && w->port[p->port].nic &&
		    p->e->step < w->steps)
			w->port[p->port].step[p->e->step] = true;
}

static bool find_ends(const struct rf_wire_port *port, uint32_t steps, uint32_t *first,
		      uint32_t *last)
{
	uint32_t i;
	bool any = false;

	for (i = 0; i < steps; i++) {
		if (!port->step[i])
			continue;
		*first = any ? *first : i;
		*last = i;
		any = true;
	}
	return any;
}

/* Find the time from the first to the last recorded step of the ranks at a port. */
static void find_span(const struct rf_wire *w, struct rf_wire_port *port)
{
	const struct rf_timeline *tl = &w->rec->tl;
	uint32_t first = 0, last = 0;
	const struct rf_step *s;
	size_t i;

	if (!find_ends(port, w->steps, &first, &last))
		return;
	for (i = 0; i < tl->nqps; i++) {
		if (strcmp(tl->qps[i].netdev, port->dev))
			continue;
		s = rf_timeline_step(tl, tl->qps[i].rank, first);
		if (s && s->start_ns > port->from)
			port->from = s->start_ns;
		s = rf_timeline_step(tl, tl->qps[i].rank, last);
		if (s && s->end_ns < port->to)
			port->to = s->end_ns;
	}
}

/**
 * rf_wire_find_ports - find the ports and directions, and the place of each packet
 * @w: the packets; their connections are not needed
 *
 * Return: 0, or -ENOMEM.
 */
int rf_wire_find_ports(struct rf_wire *w)
{
	struct rf_pass *p;
	size_t i;
	int err = 0;

	w->steps = w->rec->tl.iters + 1;
	for (p = w->pass; !err && p < w->pass + w->n; p++)
		err = add_wire_port(w, p->e->dev, rf_event_leaves(p->e), &p->port);
	if (!err)
		err = take_qps(w);
	if (!err)
		err = learn_bridge(w, true);
	if (!err)
		err = learn_bridge(w, false);
	for (p = w->pass; !err && p < w->pass + w->n; p++) {
		err = guess_nic(w, p->e->saddr);
		if (!err)
			err = guess_nic(w, p->e->daddr);
	}
	if (err)
		return err;
	for (p = w->pass; p < w->pass + w->n; p++) {
		if (p->port == rf_wire_nic(w, p->e->saddr, true))
			p->place = RF_AT_SENDER;
		else if (p->port == rf_wire_nic(w, p->e->daddr, false))
			p->place = RF_AT_RECEIVER;
		w->port[p->port].nic |= p->place != RF_AT_SWITCH;
	}
	find_steps(w);
	for (i = 0; i < w->nports; i++)
		find_span(w, &w->port[i]);
	return 0;
}

/**
 * rf_wire_nic - get the port next to a node, in one direction
 * @w: the packets
 * @addr: an address of the node
 * @leaves: true: for packets that leave the node; false: for packets to the node
 *
 * Return: the number of the port and direction; RF_NO_PORT if no packet passed it.
 */
uint32_t rf_wire_nic(const struct rf_wire *w, const uint8_t addr[16], bool leaves)
{
	const char *dev = dev_of(w, addr);

	return dev ? find_wire_port(w, dev, leaves) : RF_NO_PORT;
}

/**
 * rf_wire_covers - check whether a port records a packet at about the time of an event
 * @w: the packets
 * @port: the port and direction
 * @e: the event
 *
 * A rank announces its next step between the end of a step and the start of the next one.
 *
 * Return: true if all packets were recorded there.
 */
bool rf_wire_covers(const struct rf_wire *w, uint32_t port, const struct rf_event *e)
{
	const struct rf_wire_port *at = &w->port[port];

	return port != RF_NO_PORT && e->step < w->steps && at->step[e->step] &&
	       at->from + EDGE_NS < e->t_ns && e->t_ns < at->to;
}
