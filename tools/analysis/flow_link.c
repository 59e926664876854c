// SPDX-License-Identifier: GPL-2.0
/*
 * Which uplink the packets of a queue pair take, if the leaf switches choose it by what is in the
 * packet: the destination, or a hash of addresses, UDP ports and queue pair. With the other
 * balances, a queue pair has no fixed uplink.
 */
#include <arpa/inet.h>
#include <string.h>

#include "analysis.h"

#define UDP_PORT_MIN 0xc000	/* IB_ROCE_UDP_ENCAP_VALID_PORT_MIN */
#define FLOW_LABEL 0xfffff	/* IB_GRH_FLOWLABEL_MASK */

/*
 * The UDP source port of a queue pair without a flow label: rdma_get_udp_sport() of
 * include/rdma/ib_verbs.h
 */
static uint16_t udp_port(uint32_t qpn, uint32_t peer_qpn)
{
	uint64_t v = (uint64_t)qpn * peer_qpn;

	v ^= v >> 20;
	v ^= v >> 40;
	v &= FLOW_LABEL;
	return UDP_PORT_MIN | ((v & 0x3fff) ^ v >> 14);
}

/* Get the node that has an address, from RF_FABRIC_ADDR. Return: 0 if it is none of the fabric */
static uint32_t node_of(const struct rf_fabric *f, const char *text)
{
	uint32_t addr, node;

	if (inet_pton(AF_INET, text, &addr) != 1)
		return 0;
	node = ntohl(addr) & 0xff;
	return node && node <= f->nodes && rf_fabric_addr(node) == addr ? node : 0;
}

/* Choose the spine as the module does. Return: false if the mode gives a flow no fixed link */
static bool choose(const struct rf_scenario *s, const struct rf_case *test_case,
		   const struct rf_qp *qp, uint32_t port, uint32_t *spine)
{
	struct rf_path_key key = { .addr_len = 4, .qp = qp->peer_qpn, .sport = port };
	struct rf_path_info path;

	if (rf_balance_parse(s, test_case->balance, "link", &path) ||
	    (path.conf.mode != RDMAFAULT_PATH_MODE_ECMP &&
	     path.conf.mode != RDMAFAULT_PATH_MODE_QP))
		return false;
	path.conf.links = s->fabric.spines;
	if (inet_pton(AF_INET, qp->addr, key.saddr) != 1 ||
	    inet_pton(AF_INET, qp->peer_addr, key.daddr) != 1)
		return false;
	*spine = rf_path_choose(&path.conf, NULL, &key, (1u << path.conf.links) - 1, NULL, 0);
	return true;
}

/**
 * rf_flow_link - get the uplink that the packets of a queue pair take while no link is avoided
 * @s: the scenario
 * @test_case: the case, with the balance of the leaf switches
 * @qp: the queue pair of the sender
 * @link: gets the UDP source port, and the port of the leaf switch
 *
 * Return: false if they take none, or not always the same one.
 */
bool rf_flow_link(const struct rf_scenario *s, const struct rf_case *test_case,
		  const struct rf_qp *qp, struct rf_flow_link *link)
{
	const struct rf_fabric *f = &s->fabric;
	uint32_t from = node_of(f, qp->addr), to = node_of(f, qp->peer_addr), leaf, next, spine;

	if (f->shape != RF_SHAPE_LEAF_SPINE || !from || !to)
		return false;
	leaf = rf_fabric_home(f, from);
	next = rf_fabric_next(f, leaf, to);
	if (next == leaf)
		return false;
	link->udp_port = udp_port(qp->qpn, qp->peer_qpn);
	if (rf_case_is_balanced(test_case)) {
		if (!choose(s, test_case, qp, link->udp_port, &spine))
			return false;
		next = f->leaves + spine;
	}
	rf_fabric_toward(f, leaf, next, link->port);
	return true;
}

/**
 * rf_flow_pairs - get the pairs of ranks whose data take an uplink
 * @s: the scenario
 * @test_case: the case, with the balance of the leaf switches
 * @w: the job
 * @tl: its timeline, with its queue pairs; those that only send ACKs are left out
 * @port: port of the leaf switch
 * @pairs: gets the pairs
 *
 * Return: true if there is one.
 */
bool rf_flow_pairs(const struct rf_scenario *s, const struct rf_case *test_case,
		   const struct rf_workload *w, const struct rf_timeline *tl, const char *port,
		   struct rf_pairs *pairs)
{
	struct rf_flow_link link;
	const struct rf_qp *qp;
	struct rf_pairs all;
	bool any = false;

	*pairs = (struct rf_pairs){ };
	rf_workload_pairs(s, w, &all);
	for (qp = tl->qps; qp < tl->qps + tl->nqps; qp++) {
		if (!(all.to[qp->rank] & RF_PAIRS_BIT(qp->peer)) ||
		    !rf_flow_link(s, test_case, qp, &link) || strcmp(link.port, port))
			continue;
		pairs->to[qp->rank] |= RF_PAIRS_BIT(qp->peer);
		any = true;
	}
	return any;
}
