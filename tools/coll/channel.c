// SPDX-License-Identifier: GPL-2.0
/*
 * Messages on channels, their completions, and waiting for them.
 *
 * A channel transports data from one rank to another, with separate queue pairs. Only
 * credits are sent in the opposite direction. Therefore the packets of a flow have the
 * same PSNs in every run, independent of timing.
 *
 *     sender                                     receiver
 *       |-- WRITE with immediate: message m -------> slot m % slots
 *       |                                             consumed: copied, reduced
 *       |<-- SEND of 0 bytes, immediate: m consumed |  once per half window
 *
 * A message is written to a slot of the receiver's staging memory. The sender does not
 * request permission, and a message cannot overwrite data that the receiver still
 * needs. The sender can be ahead of the receiver by the number of slots. Credits
 * report free slots; they are not needed for reliability. A receive is posted for
 * every slot and every credit in advance, so the peer never sends an RNR NAK.
 *
 * --protocol selects how data gets into a slot:
 *
 *     write   WRITE with immediate, as shown above
 *     send    SEND with immediate; receives are posted for the slots in order
 *     read    the sender copies the data into a local slot and announces it with
 *             a SEND of 0 bytes; the receiver READs the data. So the data is in read
 *             responses. If one is lost, the receiver retransmits its READ request
 *
 * The immediate is the number of the message. With READ, its high 8 bits are the low 8
 * bits of the number, and the other bits are the length. Messages must arrive in order,
 * without a gap, and with the length in the plan. Any other message is reported as an
 * error of the transport.
 *
 * A rank has at most COLL_IN_FLIGHT bytes in flight, as the total of all channels. A link
 * of 400 Gbit/s transfers this amount in 20 us. A larger limit would not be faster. If
 * all ranks share a CPU, a larger queue delays acknowledgments beyond the timer, and the
 * retransmissions increase the delay.
 *
 * With --qps-per-peer 1, only some sends generate a completion: one per half window, the last
 * one of a run, and all sends while more than COLL_IN_FLIGHT / 2 bytes are in flight, so that
 * the rank can wait for a completion. Messages of a link complete in order, so one completion
 * covers all earlier messages and the rank is woken less often. A send completes when the peer
 * has acknowledged it. After the completion of an announcement, the receiver can still READ the
 * data: the slot does not change before the data is consumed.
 *
 * With --rails R, link i of a channel is on rail i % R, so successive messages use the rails in
 * turn. All links of a rail share one completion queue, so a rank waits on one
 * descriptor per rail. A completion increments a counter of its link or channel, and waiting
 * code checks these counters, so completions can be processed in any order.
 *
 * A rank does not busy-wait. It arms the queues, polls them once more, because a
 * completion before the arming generates no event, and then sleeps.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#include "ranks.h"
#include "transport.h"

#define COLL_POLL_BATCH	16

/* What a rank waits for on a channel */
enum awaited {
	MESSAGE,	/* the next message has arrived */
	ROOM,		/* one more message or credit can be sent */
	ACKS,		/* all sent messages are acknowledged; the last one per link is signaled */
};

static struct coll_channel *channel(struct coll_transport *tp, bool out, int peer)
{
	return &tp->channels[tp->channel_of[out][peer]];
}

/*
 * With --protocol read, the immediate has the length in its low ANNOUNCED_LEN bits, and the
 * message number in its high bits
 */
#define ANNOUNCED_LEN	24

static uint32_t announcement(uint64_t message, uint64_t len)
{
	return (uint32_t)(message << ANNOUNCED_LEN | len);
}

static uint64_t slot_at(const struct coll_transport *tp, uint64_t slots,
			uint64_t message)
{
	return slots + message % tp->slots * tp->slot_bytes;
}

/* ---- completions ---- */

static int fetch_message(struct coll_transport *tp, struct coll_channel *ch, int link,
			 uint64_t message, uint32_t len)
{
	struct ibv_sge sge = {
		.addr = slot_at(tp, ch->slots, message),
		.length = len,
		.lkey = tp->staging.mr[tp->links[link].rail]->lkey,
	};
	struct ibv_send_wr wr = {
		.sg_list = &sge,
		.num_sge = len ? 1 : 0,
		.opcode = IBV_WR_RDMA_READ,
		.send_flags = IBV_SEND_SIGNALED,
		.wr.rdma = {
			.remote_addr = slot_at(tp, ch->peer_slots, message),
			.rkey = tp->links[link].rkey,
		},
	};

	return coll_link_post(tp, link, &wr, len, "read");
}

/* Process the completion of a received message or announcement. */
static int take_message(struct coll_transport *tp, struct coll_channel *ch, int link,
			const struct ibv_wc *wc)
{
	uint64_t due = tp->links[link].heard++ * tp->options->qps +
		       (uint64_t)(link - ch->link);
	bool by_read = tp->options->protocol == COLL_BY_READ;
	uint32_t got = ntohl(wc->imm_data), len = wc->byte_len;
	uint32_t want = (uint32_t)due;

	if (by_read) {
		len = got & announcement(0, (1u << ANNOUNCED_LEN) - 1);
		want = announcement(due, len);
	}
	if (got != want || len > tp->slot_bytes)
		return coll_fail(tp->state, COLL_FAILED,
				 "message 0x%x of %u bytes from rank %d instead of message 0x%x",
				 got, len, ch->peer, want);
	ch->lens[due % tp->slots] = len;
	if (coll_link_recv(tp, link))
		return -1;
	if (by_read)
		return fetch_message(tp, ch, link, due, len);
	tp->links[link].arrived++;
	return 0;
}

/* Process a credit. It has the number of messages that the peer has consumed, modulo 2^32. */
static int take_credit(struct coll_transport *tp, struct coll_channel *ch,
		       int link, const struct ibv_wc *wc)
{
	ch->credited += ntohl(wc->imm_data) - (uint32_t)ch->credited;
	if (ch->credited > ch->sent)
		return coll_fail(tp->state, COLL_FAILED,
				 "rank %d accepted %llu messages, but only %llu were sent",
				 ch->peer, (unsigned long long)ch->credited,
				 (unsigned long long)ch->sent);
	return coll_link_recv(tp, link);
}

/* Process the completion of a READ: the message is in its slot. */
static void take_request_completion(struct coll_transport *tp, int link,
				    const struct ibv_wc *wc)
{
	coll_link_acked(tp, link, (wc->wr_id & COLL_WR_MESSAGE) + 1);
	if (wc->opcode == IBV_WC_RDMA_READ)
		tp->links[link].arrived++;
}

static int take_completion(struct coll_transport *tp, const struct ibv_wc *wc)
{
	int link = (int)((wc->wr_id & ~COLL_WR_RECV) >> COLL_WR_LINK);
	struct coll_channel *ch = &tp->channels[tp->links[link].channel];

	if (wc->status != IBV_WC_SUCCESS)
		return coll_explain(tp, wc);
	if (!(wc->wr_id & COLL_WR_RECV))
		take_request_completion(tp, link, wc);
	else if (ch->out)
		return take_credit(tp, ch, link, wc);
	else
		return take_message(tp, ch, link, wc);
	return 0;
}

static int poll_rail(struct coll_transport *tp, uint32_t rail)
{
	struct ibv_wc wc[COLL_POLL_BATCH];
	int n = ibv_poll_cq(tp->rail[rail].cq, COLL_POLL_BATCH, wc);
	int ret = 0;

	if (n < 0)
		return coll_fail(tp->state, COLL_FAILED, "%s: poll: %s",
				 tp->state->rail[rail].name, strerror(errno));
	for (int i = 0; !ret && i < n; i++)
		ret = take_completion(tp, &wc[i]);
	if (!ret && n)
		tp->attempt.progress_ns = rf_now_ns();
	return ret ? ret : n;
}

/*
 * Process completions without waiting. Return: the number of completions, -EIO after coll_fail(),
 * or -ECANCELED if a rail failed.
 */
static int progress(struct coll_transport *tp)
{
	int n, all = 0;

	for (uint32_t i = 0; i < tp->options->rails; i++) {
		n = poll_rail(tp, i);
		if (n < 0)
			return n;
		all += n;
	}
	return all;
}

static int take_cq_event(struct coll_transport *tp, uint32_t rail)
{
	struct coll_rail *on = &tp->rail[rail];
	struct ibv_cq *cq;
	void *context;

	if (ibv_get_cq_event(on->events, &cq, &context))
		return coll_fail(tp->state, COLL_FAILED, "%s: completion event: %s",
				 tp->state->rail[rail].name, strerror(errno));
	on->cq_events++;
	return 0;
}

/* ---- waiting ---- */

/* Return the time at which the oldest message without completion was posted; 0 if there is none. */
static uint64_t due_since(const struct coll_link *link)
{
	for (uint64_t m = link->acked; m < link->posted; m++)
		if (link->sent[m % link->depth].signaled)
			return link->sent[m % link->depth].posted_ns;
	return 0;
}

/* Of the links of all channels, return the one that has waited longest for a completion. */
static const struct coll_link *longest_due(const struct coll_transport *tp)
{
	const struct coll_link *longest = &tp->links[0];

	for (int i = 1; i < tp->n_links; i++) {
		uint64_t since = due_since(&tp->links[i]);

		if (since && (!due_since(longest) ||
			      since < due_since(longest)))
			longest = &tp->links[i];
	}
	return longest;
}

static int not_acknowledged(struct coll_transport *tp, double s,
			    const char *where)
{
	const struct coll_link *link = longest_due(tp);

	return coll_fail(tp->state, COLL_FAILED,
			 "rank %d (%s) did not acknowledge packets from PSN 0x%06x on within %g s: %s",
			 tp->channels[link->channel].peer, link->peer_addr,
			 link->sent[link->acked % link->depth].psn, s, where);
}

/* Return the link of message number @message. */
static struct coll_link *message_link(const struct coll_transport *tp,
				      const struct coll_channel *ch, uint64_t message)
{
	return &tp->links[ch->link + (int)(message % tp->options->qps)];
}

static int message_too_late(struct coll_transport *tp, const struct coll_channel *ch,
			    enum awaited what)
{
	double s = (double)tp->oob->waiter->deadline_ns / COLL_NSEC_PER_SEC;
	char where[128];

	coll_where(tp->state, where, sizeof(where));
	if (what == MESSAGE)
		return coll_fail(tp->state, COLL_FAILED,
				 "no message from rank %d (%s) within %g s: %s",
				 ch->peer, message_link(tp, ch, ch->taken)->peer_addr, s, where);
	if (what == ROOM && ch->sent - ch->credited >= tp->slots)
		return coll_fail(tp->state, COLL_FAILED,
				 "rank %d (%s) did not accept message %llu within %g s: %s",
				 ch->peer, message_link(tp, ch, ch->credited)->peer_addr,
				 (unsigned long long)ch->credited, s, where);
	return not_acknowledged(tp, s, where);
}

/*
 * Sleep until a completion queue has a completion, a rank fails, or the time is @until. Return: 0,
 * -EIO after coll_fail(), or -ECANCELED if all ranks end their attempt.
 */
static int sleep_on_queues(struct coll_transport *tp, const struct coll_channel *ch,
			   enum awaited what, uint64_t until)
{
	struct pollfd fds[COLL_WAIT_FDS];
	uint32_t rails = tp->options->rails;
	int n, ret;

	for (uint32_t i = 0; i < rails; i++)
		fds[i] = (struct pollfd){ .fd = tp->rail[i].events->fd, .events = POLLIN };
	n = coll_star_watch(tp->oob, fds + rails);
	ret = coll_sleep(tp->oob->waiter, fds, (int)rails + n, until);
	if (ret == -ETIMEDOUT)
		return message_too_late(tp, ch, what);
	if (ret)
		return coll_fail(tp->state, COLL_ENDED, "terminated by a signal");
	for (uint32_t i = 0; i < rails; i++)
		if (fds[i].revents)
			return take_cq_event(tp, i);
	ret = coll_star_look(tp->oob, fds + rails, n);
	return ret ? ret : tp->oob->abandoned ? -ECANCELED : 0;
}

static bool acknowledged(const struct coll_transport *tp,
			 const struct coll_channel *ch)
{
	const struct coll_link *link = &tp->links[ch->link];

	for (uint32_t i = 0; i < tp->options->qps; i++)
		if (link[i].acked < link[i].posted)
			return false;
	return true;
}

static bool has_room(const struct coll_transport *tp, const struct coll_channel *ch)
{
	const struct coll_link *link = &tp->links[ch->credit_link];

	if (ch->out)
		link = message_link(tp, ch, ch->sent);
	if (link->posted - link->acked >= link->depth)
		return false;
	return !ch->out || (tp->in_flight < COLL_IN_FLIGHT &&
			    ch->sent - ch->credited < tp->slots);
}

static bool is_there(const struct coll_transport *tp,
		     const struct coll_channel *ch, enum awaited what)
{
	if (what == MESSAGE)
		return message_link(tp, ch, ch->taken)->arrived > ch->taken / tp->options->qps;
	return what == ROOM ? has_room(tp, ch) : acknowledged(tp, ch);
}

static int await_asleep(struct coll_transport *tp, struct coll_channel *ch,
			enum awaited what)
{
	struct coll_wait wait = {
		.start_ns = rf_now_ns(), .peer = (uint16_t)ch->peer, .for_data = what == MESSAGE,
	};
	uint64_t until = wait.start_ns + tp->oob->waiter->deadline_ns;
	int ret = 0;

	while (ret >= 0 && !is_there(tp, ch, what)) {
		for (uint32_t i = 0; i < tp->options->rails; i++)
			ibv_req_notify_cq(tp->rail[i].cq, 0);
		ret = progress(tp);
		if (ret == 0 && !is_there(tp, ch, what))
			ret = sleep_on_queues(tp, ch, what, until);
	}
	wait.end_ns = tp->state->failed_ns ? tp->state->failed_ns : rf_now_ns();
	if (wait.for_data)
		tp->wait_recv_ns += wait.end_ns - wait.start_ns;
	else
		tp->wait_send_ns += wait.end_ns - wait.start_ns;
	coll_status_page_wait(tp->state, wait);
	return ret < 0 ? ret : 0;
}

/* Wait for a condition of a channel. Return: 0, -EIO after coll_fail(), or -ECANCELED. */
static int await_channel(struct coll_transport *tp, struct coll_channel *ch, enum awaited what)
{
	int ret;

	if (is_there(tp, ch, what))
		return 0;
	ret = progress(tp);
	if (ret < 0)
		return ret;
	return is_there(tp, ch, what) ? 0 : await_asleep(tp, ch, what);
}

/* ---- messages ---- */

static bool wants_completion(const struct coll_transport *tp, uint64_t message,
			     uint64_t len, bool last)
{
	uint32_t half = tp->slots / 2;

	return last || tp->options->qps > 1 || message % half == half - 1 ||
	       tp->in_flight + len > COLL_IN_FLIGHT / 2;
}

/* A message with data */
static int push_message(struct coll_transport *tp, struct coll_channel *ch,
			struct ibv_sge *sge, unsigned int flags)
{
	bool by_write = tp->options->protocol == COLL_BY_WRITE;
	int link = ch->link + (int)(ch->sent % tp->options->qps);
	struct ibv_send_wr wr = {
		.sg_list = sge,
		.num_sge = sge->length ? 1 : 0,
		.opcode = by_write ? IBV_WR_RDMA_WRITE_WITH_IMM :
				     IBV_WR_SEND_WITH_IMM,
		.send_flags = flags,
		.imm_data = htonl((uint32_t)ch->sent),
		.wr.rdma = {
			.remote_addr = slot_at(tp, ch->peer_slots, ch->sent),
			.rkey = tp->links[link].rkey,
		},
	};

	ch->sent++;
	return coll_link_post(tp, link, &wr, sge->length, "message");
}

/* Announce a message to the peer. The peer then reads the message with READ. */
static int announce_message(struct coll_transport *tp, struct coll_channel *ch,
			    const void *at, uint64_t len, unsigned int flags)
{
	void *slot = (void *)(uintptr_t)slot_at(tp, ch->slots, ch->sent);
	int link = ch->link + (int)(ch->sent % tp->options->qps);
	struct ibv_send_wr wr = {
		.opcode = IBV_WR_SEND_WITH_IMM,
		.send_flags = flags,
		.imm_data = htonl(announcement(ch->sent, len)),
	};

	if (len)
		memcpy(slot, at, len);
	ch->sent++;
	return coll_link_post(tp, link, &wr, 0, "announcement");
}

/**
 * coll_channel_send() - send one message
 * @tp: transport of this rank
 * @peer: a rank
 * @mem: the memory that contains the message
 * @at: first byte of the message. The bytes must not change until
 *	coll_channels_flush() returns, or until the peer has consumed the message
 * @len: size of the message in bytes, at most the size of a slot. 0: no data, @at
 *	is not used
 * @last: true if no other message follows before coll_channels_flush()
 *
 * Waits only if the window is full.
 * Return: 0, or a negative value after coll_fail(), or if a rail failed.
 */
int coll_channel_send(struct coll_transport *tp, int peer, enum coll_mem_id mem,
		      const void *at, uint64_t len, bool last)
{
	struct coll_channel *ch = channel(tp, true, peer);
	bool signal = wants_completion(tp, ch->sent, len, last);
	unsigned int flags = signal ? IBV_SEND_SIGNALED : 0;
	struct ibv_sge sge = {
		.addr = (uintptr_t)at,
		.length = (uint32_t)len,
		.lkey = tp->mem[mem].mr[message_link(tp, ch, ch->sent)->rail]->lkey,
	};

	if (await_channel(tp, ch, ROOM))
		return -1;
	tp->attempt.sent_bytes += len;
	if (tp->options->protocol == COLL_BY_READ)
		return announce_message(tp, ch, at, len, flags);
	return push_message(tp, ch, &sge, flags);
}

/**
 * coll_channel_next() - wait for the next message from @peer
 * @tp: transport of this rank
 * @peer: a rank
 * @len: size in bytes that the message must have
 *
 * Return: the message, valid until coll_channel_taken(); NULL after coll_fail(), or if
 * a rail failed.
 */
const void *coll_channel_next(struct coll_transport *tp, int peer, uint64_t len)
{
	struct coll_channel *ch = channel(tp, false, peer);
	uint32_t got;

	if (await_channel(tp, ch, MESSAGE))
		return NULL;
	got = ch->lens[ch->taken % tp->slots];
	if (got == len)
		return (void *)(uintptr_t)slot_at(tp, ch->slots, ch->taken);
	coll_fail(tp->state, COLL_FAILED,
		  "message %llu of rank %d has %u bytes instead of %llu",
		  (unsigned long long)ch->taken, peer, got,
		  (unsigned long long)len);
	return NULL;
}

static int give_credit(struct coll_transport *tp, struct coll_channel *ch)
{
	struct ibv_send_wr wr = {
		.opcode = IBV_WR_SEND_WITH_IMM,
		.send_flags = IBV_SEND_SIGNALED,
		.imm_data = htonl((uint32_t)ch->taken),
	};

	if (await_channel(tp, ch, ROOM))
		return -1;
	ch->returned = ch->taken;
	return coll_link_post(tp, ch->credit_link, &wr, 0, "credit");
}

/**
 * coll_channel_taken() - release the message that coll_channel_next() returned
 * @tp: transport of this rank
 * @peer: a rank
 *
 * Return: 0, or a negative value after coll_fail(), or if a rail failed.
 */
int coll_channel_taken(struct coll_transport *tp, int peer)
{
	struct coll_channel *ch = channel(tp, false, peer);

	ch->taken++;
	if (ch->taken - ch->returned < tp->slots / 2)
		return 0;
	return give_credit(tp, ch);
}

/**
 * coll_channels_flush() - wait until all data that this rank has sent is acknowledged
 * @tp: transport of this rank
 *
 * Return: 0, or a negative value after coll_fail(), or if a rail failed.
 */
int coll_channels_flush(struct coll_transport *tp)
{
	for (int i = 0; i < tp->n_channels; i++)
		if (tp->channels[i].out &&
		    await_channel(tp, &tp->channels[i], ACKS))
			return -1;
	return 0;
}
