// SPDX-License-Identifier: GPL-2.0
/*
 * Messages.
 *
 * A message is one RDMA WRITE with immediate. The immediate is the message's
 * number on its link; receives must arrive in that order, without a gap, and
 * anything else is reported as a fault of the transport.
 *
 * Counters do the book-keeping. A link counts what was posted, acknowledged
 * and received; cp_recv_next() waits until one more has been received than
 * was asked for before. A peer that is ahead has its messages counted when
 * they come and asked for later, so completions may be taken in any order.
 *
 * Only sends with @signal give a completion. Messages of a link complete in
 * order, so the completion of one stands for all before it, and a rank is
 * woken once for its sends and not once for each. A send completes when the
 * peer has acknowledged it.
 *
 * Nobody spins: the queue is armed, looked at once more (a completion between
 * the last look and the arming would give no event), then slept on.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#include "clock.h"
#include "transport.h"

#define CP_PSN_MASK	0xffffffu
#define CP_POLL_BATCH	16

/** cp_wr_id() - name a work request so that its completion can be placed */
uint64_t cp_wr_id(int link, bool recv, uint64_t message)
{
	return (recv ? CP_WR_RECV : 0) | (uint64_t)link << CP_WR_LINK |
	       (message & CP_WR_MESSAGE);
}

/** cp_recv_post() - give the link room for one more message */
int cp_recv_post(struct cp_link *link, uint64_t id)
{
	struct ibv_recv_wr wr = { .wr_id = id }, *bad;

	return ibv_post_recv(link->qp, &wr, &bad);
}

/* A message of length 0 takes one packet, and one PSN, like any other. */
static uint32_t packets(const struct cp_transport *tp, uint64_t len)
{
	return len ? (uint32_t)((len + tp->mtu - 1) / tp->mtu) : 1;
}

static void note_sent(struct cp_transport *tp, struct cp_link *link,
		      uint64_t len)
{
	struct cp_sent *sent = &link->sent[link->posted % tp->depth];

	sent->psn = link->psn;
	sent->posted_ns = cp_now();
	link->psn = (link->psn + packets(tp, len)) & CP_PSN_MASK;
	link->posted++;
}

/**
 * cp_write() - send one message: write @len bytes into the peer's memory
 * @signal: this one's completion is wanted, for cp_flush_sends()
 * Return: 0, or -EIO after cp_fail().
 */
int cp_write(struct cp_transport *tp, int i, struct cp_span from,
	     struct cp_span to, uint64_t len, bool signal)
{
	struct cp_link *link = &tp->links[i];
	struct ibv_sge sge = {
		.addr = (uintptr_t)tp->mem[from.mem].addr + from.off,
		.length = (uint32_t)len,
		.lkey = tp->mem[from.mem].mr->lkey,
	};
	struct ibv_send_wr *bad, wr = {
		.wr_id = cp_wr_id(i, false, link->posted),
		.sg_list = &sge,
		.num_sge = len ? 1 : 0,
		.opcode = IBV_WR_RDMA_WRITE_WITH_IMM,
		.send_flags = signal ? IBV_SEND_SIGNALED : 0,
		.imm_data = htonl((uint32_t)link->posted),
		.wr.rdma = {
			.remote_addr = link->raddr[to.mem] + to.off,
			.rkey = link->rkey[to.mem],
		},
	};
	int ret;

	note_sent(tp, link, len);
	ret = ibv_post_send(link->qp, &wr, &bad);
	if (ret)
		return cp_fail(tp->state, CP_FAILED,
			       "%s: posting %llu bytes to rank %d: %s",
			       tp->state->device, (unsigned long long)len,
			       link->spec.peer, strerror(ret));
	return 0;
}

static int take_recv(struct cp_transport *tp, int i, const struct ibv_wc *wc)
{
	struct cp_link *link = &tp->links[i];

	if (ntohl(wc->imm_data) != (uint32_t)link->received)
		return cp_fail(tp->state, CP_FAILED,
			       "message %u came from rank %d where %u is due",
			       ntohl(wc->imm_data), link->spec.peer,
			       (uint32_t)link->received);
	link->received++;
	if (cp_recv_post(link, cp_wr_id(i, true, link->received)))
		return cp_fail(tp->state, CP_FAILED, "posting a receive: %s",
			       strerror(errno));
	return 0;
}

static int take(struct cp_transport *tp, const struct ibv_wc *wc)
{
	int i = (int)((wc->wr_id & ~CP_WR_RECV) >> CP_WR_LINK);

	if (wc->status != IBV_WC_SUCCESS)
		return cp_explain(tp, wc);
	if (wc->wr_id & CP_WR_RECV)
		return take_recv(tp, i, wc);
	tp->links[i].acked = (wc->wr_id & CP_WR_MESSAGE) + 1;
	return 0;
}

/* Take what has completed, without waiting. Returns how many, or -EIO. */
static int progress(struct cp_transport *tp)
{
	struct ibv_wc wc[CP_POLL_BATCH];
	int n = ibv_poll_cq(tp->cq, CP_POLL_BATCH, wc);
	int ret = 0;

	if (n < 0)
		return cp_fail(tp->state, CP_FAILED, "%s: poll: %s",
			       tp->state->device, strerror(errno));
	for (int i = 0; !ret && i < n; i++)
		ret = take(tp, &wc[i]);
	return ret ? ret : n;
}

static int take_event(struct cp_transport *tp)
{
	struct ibv_cq *cq;
	void *context;

	if (ibv_get_cq_event(tp->channel, &cq, &context))
		return cp_fail(tp->state, CP_FAILED, "%s: completion event: %s",
			       tp->state->device, strerror(errno));
	tp->cq_events++;
	return 0;
}

static int too_late(struct cp_transport *tp, const struct cp_link *link,
		    bool recv)
{
	double s = (double)tp->oob->waiter->deadline_ns / CP_NSEC_PER_SEC;
	char where[128];

	cp_where(tp->state, where, sizeof(where));
	if (recv)
		return cp_fail(tp->state, CP_FAILED,
			       "waited %g s for a message of rank %d (%s) in vain: %s",
			       s, link->spec.peer, link->peer_addr, where);
	return cp_fail(tp->state, CP_FAILED,
		       "waited %g s for rank %d (%s) to acknowledge, from PSN 0x%06x on, in vain: %s",
		       s, link->spec.peer, link->peer_addr,
		       link->sent[link->acked % tp->depth].psn, where);
}

static int peer_gone(struct cp_transport *tp, const struct pollfd *fds, int n)
{
	char where[128];

	cp_where(tp->state, where, sizeof(where));
	for (int i = 0; i < n; i++)
		if (fds[i].revents)
			return cp_fail(tp->state, CP_LOST_PEER,
				       "rank %d is gone (%s)",
				       tp->oob->ops->lost(tp->oob, i), where);
	return 0;
}

/* Sleep until the completion queue has something. */
static int sleep_on_queue(struct cp_transport *tp, const struct cp_link *link,
			  bool recv, uint64_t until)
{
	struct pollfd fds[CP_WAIT_FDS] = {
		{ .fd = tp->channel->fd, .events = POLLIN }
	};
	int n = tp->oob->ops->watch(tp->oob, fds + 1);
	int ret = cp_sleep(tp->oob->waiter, fds, n + 1, until);

	if (ret == -ETIMEDOUT)
		return too_late(tp, link, recv);
	if (ret)
		return cp_fail(tp->state, CP_ENDED, "told to end");
	if (fds[0].revents)
		return take_event(tp);
	return peer_gone(tp, fds + 1, n);
}

static bool is_done(const struct cp_link *link, bool recv)
{
	return recv ? link->received >= link->expected :
		      link->acked >= link->posted;
}

/* Wait for what the link's counters are short of; count the time asleep. */
static int await(struct cp_transport *tp, struct cp_link *link, bool recv)
{
	uint64_t *waited = recv ? &tp->wait_recv_ns : &tp->wait_send_ns;
	uint64_t start = cp_now(), until;
	int ret = progress(tp);

	until = start + tp->oob->waiter->deadline_ns;
	while (ret >= 0 && !is_done(link, recv)) {
		ibv_req_notify_cq(tp->cq, 0);
		ret = progress(tp);
		if (ret == 0 && !is_done(link, recv))
			ret = sleep_on_queue(tp, link, recv, until);
	}
	*waited += cp_now() - start;
	return ret < 0 ? ret : 0;
}

/**
 * cp_recv_next() - wait for the next message on a link
 * Return: 0 when it is there, or -EIO after cp_fail().
 */
int cp_recv_next(struct cp_transport *tp, int i)
{
	tp->links[i].expected++;
	return await(tp, &tp->links[i], true);
}

/**
 * cp_flush_sends() - wait until all that was sent is acknowledged
 *
 * The last message must have been posted with @signal.
 * Return: 0, or -EIO after cp_fail().
 */
int cp_flush_sends(struct cp_transport *tp, int i)
{
	return await(tp, &tp->links[i], false);
}
