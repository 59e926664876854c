// SPDX-License-Identifier: GPL-2.0
/*
 * Links. A link is one end of a connected queue pair.
 *
 * The first PSN is fixed (--psn, plus the rank in bits 12 to 17), so that the
 * packets of two runs have the same PSNs. For error messages, a link stores the first
 * PSN and the posting time of each message until the message is acknowledged.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ranks.h"
#include "transport.h"

#define COLL_PORT			1
#define COLL_HOP_LIMIT		64
#define COLL_MIN_RNR_TIMER	12	/* code for 0.64 ms; SoftRoCE rounds it up to one jiffy */
#define COLL_READS		16	/* outstanding READs per queue pair */

static int qp_failed(struct coll_transport *tp, int link, const char *what)
{
	return coll_fail(tp->state, COLL_FAILED, "%s: %s (link to rank %d): %s",
			 tp->state->rail[tp->links[link].rail].name, what,
			 tp->channels[tp->links[link].channel].peer,
			 strerror(errno));
}

static uint64_t wr_id(int link, bool recv, uint64_t message)
{
	return (recv ? COLL_WR_RECV : 0) | (uint64_t)link << COLL_WR_LINK |
	       (message & COLL_WR_MESSAGE);
}

/* Return the address of the slot for the next message that link @link receives. */
static uint64_t landing(const struct coll_transport *tp, int link)
{
	const struct coll_channel *ch = &tp->channels[tp->links[link].channel];
	uint64_t message = tp->links[link].recvs * tp->options->qps +
			   (uint64_t)(link - ch->link);

	return ch->slots + message % tp->slots * tp->slot_bytes;
}

/**
 * coll_link_recv() - post a receive for one more message
 * @tp: transport of this rank
 * @link: the queue pair
 *
 * With --protocol send, the receive has a slot as its buffer. The slot can still
 * contain a message that is in use, but the peer sends the next message for this slot
 * only after a credit has reported that the slot is free.
 *
 * Return: 0, or -EIO after coll_fail().
 */
int coll_link_recv(struct coll_transport *tp, int link)
{
	struct ibv_sge sge = {
		.addr = landing(tp, link),
		.length = tp->slot_bytes,
		.lkey = tp->staging.mr[tp->links[link].rail]->lkey,
	};
	bool data = !tp->channels[tp->links[link].channel].out &&
		    tp->options->protocol == COLL_BY_SEND;
	struct ibv_recv_wr *bad, wr = {
		.wr_id = wr_id(link, true, 0),
		.sg_list = &sge,
		.num_sge = data ? 1 : 0,
	};

	tp->links[link].recvs++;
	errno = ibv_post_recv(tp->links[link].qp, &wr, &bad);
	return errno ? qp_failed(tp, link, "post receive") : 0;
}

/* Return the number of packets of a message; a message of 0 bytes has one packet. */
static uint32_t packets(const struct coll_transport *tp, uint64_t len)
{
	return len ? (uint32_t)((len + tp->mtu - 1) / tp->mtu) : 1;
}

/**
 * coll_link_post() - post one message, and store what an error message about it needs
 * @tp: transport of this rank
 * @i: the link's index
 * @wr: the work request; its wr_id is set here
 * @len: number of bytes that the message sends or, for a READ, requests
 * @what: text for error messages: "message", "credit" and so on; a constant string
 *
 * Return: 0, or -EIO after coll_fail().
 */
int coll_link_post(struct coll_transport *tp, int i, struct ibv_send_wr *wr,
		   uint64_t len, const char *what)
{
	struct coll_link *link = &tp->links[i];
	struct coll_sent *sent = &link->sent[link->posted % link->depth];
	struct ibv_send_wr *bad;

	wr->wr_id = wr_id(i, false, link->posted);
	sent->what = what;
	sent->psn = link->psn;
	sent->signaled = wr->send_flags & IBV_SEND_SIGNALED;
	sent->bytes = (uint32_t)len;
	tp->in_flight += len;
	sent->posted_ns = rf_now_ns();
	link->psn = (link->psn + packets(tp, len)) & COLL_PSN_MASK;
	link->posted++;
	errno = ibv_post_send(link->qp, wr, &bad);
	return errno ? qp_failed(tp, i, "post send") : 0;
}

/** coll_link_acked() - record that the peer has acknowledged the first @messages messages */
void coll_link_acked(struct coll_transport *tp, int i, uint64_t messages)
{
	struct coll_link *link = &tp->links[i];

	for (; link->acked < messages; link->acked++)
		tp->in_flight -= link->sent[link->acked % link->depth].bytes;
}

static int create_qp(struct coll_transport *tp, int i, uint32_t recvs)
{
	struct coll_link *link = &tp->links[i];
	struct coll_rail *rail = &tp->rail[link->rail];
	struct ibv_qp_init_attr attr = {
		.send_cq = rail->cq,
		.recv_cq = rail->cq,
		.cap = {
			.max_send_wr = link->depth,
			.max_recv_wr = recvs,
			.max_send_sge = 1,
			.max_recv_sge = 1,
		},
		.qp_type = IBV_QPT_RC,
	};

	link->sent = calloc(link->depth, sizeof(*link->sent));
	if (link->sent)
		link->qp = ibv_create_qp(rail->pd, &attr);
	return link->qp ? 0 : qp_failed(tp, i, "create queue pair");
}

static int to_init(struct coll_transport *tp, int i, uint32_t recvs)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT,
		.port_num = COLL_PORT,
		.qp_access_flags = IBV_ACCESS_REMOTE_WRITE |
				   IBV_ACCESS_REMOTE_READ,
	};
	int ret = 0;

	if (ibv_modify_qp(tp->links[i].qp, &attr,
			  IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
			  IBV_QP_ACCESS_FLAGS))
		return qp_failed(tp, i, "queue pair to INIT");
	for (uint32_t n = 0; !ret && n < recvs; n++)
		ret = coll_link_recv(tp, i);
	return ret;
}

/**
 * coll_link_open() - create a queue pair and post its receives; its channel and rail are set
 * @tp: transport of this rank
 * @i: the link's index
 * @sends: maximum number of sent messages that are not acknowledged
 * @recvs: maximum number of received messages that are not consumed
 *
 * Return: 0, or -EIO after coll_fail().
 */
int coll_link_open(struct coll_transport *tp, int i, uint32_t sends, uint32_t recvs)
{
	struct coll_link *link = &tp->links[i];

	link->depth = sends;
	link->psn = (tp->options->psn + ((uint32_t)tp->oob->rank << 12)) &
		    COLL_PSN_MASK;
	link->first_psn = link->psn;
	return create_qp(tp, i, recvs) ? -EIO : to_init(tp, i, recvs);
}

static enum ibv_mtu mtu_code(uint32_t bytes)
{
	enum ibv_mtu code = IBV_MTU_256;

	while (128u << code < bytes && code < IBV_MTU_4096)
		code++;
	return code;
}

static int to_rtr(struct coll_transport *tp, int i, const union ibv_gid *to)
{
	const struct coll_verbs_options *options = tp->options;
	struct coll_link *link = &tp->links[i];
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTR,
		.path_mtu = mtu_code(tp->mtu),
		.dest_qp_num = link->peer_qpn,
		.rq_psn = link->peer_psn,
		.max_dest_rd_atomic = COLL_READS,
		.min_rnr_timer = COLL_MIN_RNR_TIMER,
		.ah_attr = {
			.is_global = 1,
			.port_num = COLL_PORT,
			.grh = {
				.dgid = *to,
				.sgid_index = tp->rail[link->rail].gid_index,
				.hop_limit = COLL_HOP_LIMIT,
				.traffic_class = (uint8_t)options->tclass[(uint32_t)tp->oob->rank %
								  options->n_tclass],
			},
		},
	};

	if (ibv_modify_qp(link->qp, &attr, IBV_QP_STATE | IBV_QP_AV |
			  IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
			  IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER))
		return qp_failed(tp, i, "queue pair to RTR");
	return 0;
}

static int to_rts(struct coll_transport *tp, int i)
{
	struct coll_link *link = &tp->links[i];
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTS,
		.timeout = (uint8_t)tp->options->timeout,
		.retry_cnt = (uint8_t)tp->options->retry_cnt,
		.rnr_retry = COLL_RNR_RETRY,
		.sq_psn = link->psn,
		.max_rd_atomic = COLL_READS,
	};

	if (ibv_modify_qp(link->qp, &attr, IBV_QP_STATE | IBV_QP_TIMEOUT |
			  IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
			  IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC))
		return qp_failed(tp, i, "queue pair to RTS");
	return 0;
}

/**
 * coll_link_connect() - move a queue pair to RTS; its peer_qpn and peer_psn are already set
 * @tp: transport of this rank
 * @i: the link's index
 * @to: the peer's GID
 *
 * Return: 0, or -EIO after coll_fail().
 */
int coll_link_connect(struct coll_transport *tp, int i, const union ibv_gid *to)
{
	return to_rtr(tp, i, to) ? -EIO : to_rts(tp, i);
}

/** coll_link_close() - release the resources of coll_link_open(); all members become 0 */
void coll_link_close(struct coll_link *link)
{
	if (link->qp)
		ibv_destroy_qp(link->qp);
	free(link->sent);
	*link = (struct coll_link){ 0 };
}
