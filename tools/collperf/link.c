// SPDX-License-Identifier: GPL-2.0
/*
 * Links: connected queue pairs.
 *
 * An algorithm names the links it wants; every rank wants the same number.
 * All ranks exchange what the others need to know in one gather (GID, MTU,
 * memory, and of each link QP number and first PSN), then each takes its
 * queue pairs through INIT and RTR to RTS. A barrier follows, since nobody
 * may send before the other end can receive.
 *
 * The first PSN is fixed (--psn, plus the rank in bits 12 to 17), so that the
 * packets of two runs bear the same numbers.
 *
 * All links of a rank share one completion queue: a rank waits for one thing
 * at a time, and has one descriptor to sleep on.
 *
 * The path MTU is the least of all ranks'. Receives carry no memory: the data
 * is placed by the write, the receive takes the immediate only. They are
 * posted to the full depth of the link before the first message can come, and
 * again as they are used up, so there is never an RNR NAK. For how deep that
 * must be, see the algorithm.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "transport.h"

#define CP_PORT			1
#define CP_HOP_LIMIT		64
#define CP_RNR_RETRY		6	/* 7 is for ever */
#define CP_MIN_RNR_TIMER	12	/* 0.64 ms; one jiffy in SoftRoCE */
#define CP_PSN_MASK		0xffffffu

/* What a rank tells the others of itself, and of each of its links. */
struct hello {
	union ibv_gid gid;
	uint64_t addr[CP_MEMS];
	uint32_t rkey[CP_MEMS];
	uint32_t mtu;
	struct {
		uint32_t qpn, psn;
	} links[];
};

static int qp_failed(struct cp_transport *tp, const struct cp_link *link,
		     const char *what)
{
	return cp_fail(tp->state, CP_FAILED, "%s: %s (link to rank %d): %s",
		       tp->state->device, what, link->spec.peer,
		       strerror(errno));
}

static int create_qp(struct cp_transport *tp, struct cp_link *link)
{
	struct ibv_qp_init_attr attr = {
		.send_cq = tp->cq,
		.recv_cq = tp->cq,
		.cap = {
			.max_send_wr = tp->depth,
			.max_recv_wr = tp->depth,
			.max_send_sge = 1,
			.max_recv_sge = 1,
		},
		.qp_type = IBV_QPT_RC,
	};

	link->sent = calloc(tp->depth, sizeof(*link->sent));
	if (!link->sent)
		return qp_failed(tp, link, "no memory");
	link->qp = ibv_create_qp(tp->pd, &attr);
	if (!link->qp)
		return qp_failed(tp, link, "create queue pair");
	link->psn = (tp->options->psn + ((uint32_t)tp->oob->rank << 12)) &
		    CP_PSN_MASK;
	link->first_psn = link->psn;
	return 0;
}

static int to_init(struct cp_transport *tp, struct cp_link *link)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT,
		.port_num = CP_PORT,
		.qp_access_flags = IBV_ACCESS_REMOTE_WRITE,
	};

	if (ibv_modify_qp(link->qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX |
					   IBV_QP_PORT | IBV_QP_ACCESS_FLAGS))
		return qp_failed(tp, link, "queue pair to INIT");
	for (uint32_t i = 0; i < tp->depth; i++)
		if (cp_recv_post(link, cp_wr_id((int)(link - tp->links), true, i)))
			return qp_failed(tp, link, "post receive");
	return 0;
}

static enum ibv_mtu mtu_code(uint32_t bytes)
{
	enum ibv_mtu code = IBV_MTU_256;

	while (128u << code < bytes && code < IBV_MTU_4096)
		code++;
	return code;
}

static int to_rtr(struct cp_transport *tp, struct cp_link *link,
		  const struct hello *peer)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTR,
		.path_mtu = mtu_code(tp->mtu),
		.dest_qp_num = link->peer_qpn,
		.rq_psn = link->peer_psn,
		.min_rnr_timer = CP_MIN_RNR_TIMER,
		.ah_attr = {
			.is_global = 1,
			.port_num = CP_PORT,
			.grh = {
				.dgid = peer->gid,
				.sgid_index = tp->gid_index,
				.hop_limit = CP_HOP_LIMIT,
				.traffic_class = (uint8_t)tp->options->tclass,
			},
		},
	};

	if (ibv_modify_qp(link->qp, &attr, IBV_QP_STATE | IBV_QP_AV |
			  IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
			  IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER))
		return qp_failed(tp, link, "queue pair to RTR");
	return 0;
}

static int to_rts(struct cp_transport *tp, struct cp_link *link)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTS,
		.timeout = (uint8_t)tp->options->timeout,
		.retry_cnt = (uint8_t)tp->options->retry_cnt,
		.rnr_retry = CP_RNR_RETRY,
		.sq_psn = link->psn,
	};

	if (ibv_modify_qp(link->qp, &attr, IBV_QP_STATE | IBV_QP_TIMEOUT |
			  IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
			  IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC))
		return qp_failed(tp, link, "queue pair to RTS");
	return 0;
}

static void say_hello(const struct cp_transport *tp, struct hello *me)
{
	me->gid = tp->gid;
	me->mtu = tp->mtu;
	for (int m = CP_RECV; m < CP_MEMS; m++) {
		me->addr[m] = (uintptr_t)tp->mem[m].addr;
		me->rkey[m] = tp->mem[m].mr->rkey;
	}
	for (int i = 0; i < tp->n_links; i++) {
		me->links[i].qpn = tp->links[i].qp->qp_num;
		me->links[i].psn = tp->links[i].psn;
	}
}

static void gid_to_text(const union ibv_gid *gid, char text[16])
{
	inet_ntop(AF_INET, &gid->raw[12], text, 16);
}

/** cp_gid_text() - own address, as the IPv4 address that its GID maps */
void cp_gid_text(const struct cp_transport *tp, char text[16])
{
	gid_to_text(&tp->gid, text);
}

static void note_qp(struct cp_transport *tp, const struct cp_link *link)
{
	struct cp_state *st = tp->state;
	struct cp_qp_info *qp = &st->qps[st->n_qps];

	if (st->n_qps == (int)(sizeof(st->qps) / sizeof(st->qps[0])))
		return;
	qp->dir = link->spec.dir;
	qp->peer = link->spec.peer;
	qp->qpn = link->qp->qp_num;
	qp->peer_qpn = link->peer_qpn;
	qp->psn = link->first_psn;
	cp_gid_text(tp, qp->addr);
	memcpy(qp->peer_addr, link->peer_addr, sizeof(qp->peer_addr));
	st->n_qps++;
}

static int connect_link(struct cp_transport *tp, struct cp_link *link,
			const struct hello *peer)
{
	link->peer_qpn = peer->links[link->spec.peer_link].qpn;
	link->peer_psn = peer->links[link->spec.peer_link].psn;
	memcpy(link->raddr, peer->addr, sizeof(link->raddr));
	memcpy(link->rkey, peer->rkey, sizeof(link->rkey));
	gid_to_text(&peer->gid, link->peer_addr);
	note_qp(tp, link);
	if (to_rtr(tp, link, peer))
		return -EIO;
	return to_rts(tp, link);
}

static int connect_all(struct cp_transport *tp, const char *all, size_t size)
{
	int ret = 0;

	for (int r = 0; r < tp->oob->ranks; r++) {
		const struct hello *h = (const void *)(all + (size_t)r * size);

		tp->mtu = h->mtu < tp->mtu ? h->mtu : tp->mtu;
	}
	tp->state->mtu = tp->mtu;
	for (int i = 0; !ret && i < tp->n_links; i++) {
		size_t peer = (size_t)tp->links[i].spec.peer;

		ret = connect_link(tp, &tp->links[i],
				   (const void *)(all + peer * size));
	}
	return ret;
}

static int meet(struct cp_transport *tp)
{
	struct hello *me = NULL;
	size_t size = sizeof(*me) + (size_t)tp->n_links * sizeof(me->links[0]);
	char *all = calloc((size_t)tp->oob->ranks, size);
	int ret = -ENOMEM;

	me = calloc(1, size);
	if (me && all) {
		say_hello(tp, me);
		cp_at(tp->state, "exchange of addresses", 0, 0);
		ret = cp_allgather(tp->oob, me, size, all);
	}
	if (!ret)
		ret = connect_all(tp, all, size);
	free(me);
	free(all);
	return ret ? ret : cp_barrier(tp->oob, NULL);
}

/**
 * cp_links_open() - make the queue pairs and connect them to the other ranks
 * @depth: messages a link must hold, outstanding and awaited
 * Return: 0, or -EIO after cp_fail().
 */
int cp_links_open(struct cp_transport *tp, const struct cp_link_spec *specs,
		  int n, uint32_t depth)
{
	int cqes = n * 2 * (int)depth + 1;

	tp->depth = depth;
	tp->cq = ibv_create_cq(tp->ctx, cqes, NULL, tp->channel, 0);
	tp->links = calloc((size_t)n + 1, sizeof(*tp->links));
	if (!tp->cq || !tp->links)
		return cp_fail(tp->state, CP_FAILED,
			       "%s: completion queue of %d entries: %s",
			       tp->state->device, cqes, strerror(errno));
	tp->n_links = n;
	for (int i = 0; i < n; i++) {
		tp->links[i].spec = specs[i];
		if (create_qp(tp, &tp->links[i]) || to_init(tp, &tp->links[i]))
			return -EIO;
	}
	return meet(tp);
}

/** cp_links_close() - give back what cp_links_open() took */
void cp_links_close(struct cp_transport *tp)
{
	for (int i = 0; i < tp->n_links; i++) {
		if (tp->links[i].qp)
			ibv_destroy_qp(tp->links[i].qp);
		free(tp->links[i].sent);
	}
	free(tp->links);
	if (tp->cq_events)
		ibv_ack_cq_events(tp->cq, tp->cq_events);
	if (tp->cq)
		ibv_destroy_cq(tp->cq);
}
