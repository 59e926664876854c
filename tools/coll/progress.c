// SPDX-License-Identifier: GPL-2.0
/*
 * Process completions, and wait for them.
 *
 * All links of a rank share one completion queue, so a rank waits on one
 * descriptor. A completion increments a counter of its link or channel, and waiting
 * code checks these counters, so completions can be processed in any order.
 *
 * A rank does not busy-wait. It arms the queue, polls it once more, because a
 * completion before the arming generates no event, and then sleeps.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#include "clock.h"
#include "transport.h"

#define COLL_POLL_BATCH	16

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
static void take_done(struct coll_transport *tp, int link,
		      const struct ibv_wc *wc)
{
	coll_link_acked(tp, link, (wc->wr_id & COLL_WR_MESSAGE) + 1);
	if (wc->opcode == IBV_WC_RDMA_READ)
		tp->links[link].arrived++;
}

static int take(struct coll_transport *tp, const struct ibv_wc *wc)
{
	int link = (int)((wc->wr_id & ~COLL_WR_RECV) >> COLL_WR_LINK);
	struct coll_channel *ch = &tp->channels[tp->links[link].channel];

	if (wc->status != IBV_WC_SUCCESS)
		return coll_explain(tp, wc);
	if (!(wc->wr_id & COLL_WR_RECV))
		take_done(tp, link, wc);
	else if (ch->out)
		return take_credit(tp, ch, link, wc);
	else
		return coll_channel_heard(tp, ch, link, wc);
	return 0;
}

/* Process completions without waiting. Return: the number of completions, or -EIO. */
static int progress(struct coll_transport *tp)
{
	struct ibv_wc wc[COLL_POLL_BATCH];
	int n = ibv_poll_cq(tp->cq, COLL_POLL_BATCH, wc);
	int ret = 0;

	if (n < 0)
		return coll_fail(tp->state, COLL_FAILED, "%s: poll: %s",
				 tp->state->device, strerror(errno));
	for (int i = 0; !ret && i < n; i++)
		ret = take(tp, &wc[i]);
	return ret ? ret : n;
}

static int take_event(struct coll_transport *tp)
{
	struct ibv_cq *cq;
	void *context;

	if (ibv_get_cq_event(tp->events, &cq, &context))
		return coll_fail(tp->state, COLL_FAILED, "%s: completion event: %s",
				 tp->state->device, strerror(errno));
	tp->cq_events++;
	return 0;
}

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
	const struct coll_channel *ch = &tp->channels[link->channel];

	return coll_fail(tp->state, COLL_FAILED,
			 "rank %d (%s) did not acknowledge packets from PSN 0x%06x on within %g s: %s",
			 ch->peer, ch->peer_addr,
			 link->sent[link->acked % link->depth].psn, s, where);
}

static int too_late(struct coll_transport *tp, const struct coll_channel *ch,
		    enum coll_awaited what)
{
	double s = (double)tp->oob->waiter->deadline_ns / COLL_NSEC_PER_SEC;
	char where[128];

	coll_where(tp->state, where, sizeof(where));
	if (what == COLL_MESSAGE)
		return coll_fail(tp->state, COLL_FAILED,
				 "no message from rank %d (%s) within %g s: %s",
				 ch->peer, ch->peer_addr, s, where);
	if (what == COLL_ROOM && ch->sent - ch->credited >= tp->slots)
		return coll_fail(tp->state, COLL_FAILED,
				 "rank %d (%s) did not accept message %llu within %g s: %s",
				 ch->peer, ch->peer_addr,
				 (unsigned long long)ch->credited, s, where);
	return not_acknowledged(tp, s, where);
}

/* Sleep until the completion queue has a completion, a rank fails, or the time is @until. */
static int sleep_on_queue(struct coll_transport *tp, const struct coll_channel *ch,
			  enum coll_awaited what, uint64_t until)
{
	struct pollfd fds[COLL_WAIT_FDS] = {
		{ .fd = tp->events->fd, .events = POLLIN }
	};
	int n = coll_star_watch(tp->oob, fds + 1);
	int ret = coll_sleep(tp->oob->waiter, fds, n + 1, until);

	if (ret == -ETIMEDOUT)
		return too_late(tp, ch, what);
	if (ret)
		return coll_fail(tp->state, COLL_ENDED, "terminated by a signal");
	if (fds[0].revents)
		return take_event(tp);
	return coll_star_look(tp->oob, fds + 1, n);
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
		link = &tp->links[ch->link] + ch->sent % tp->options->qps;
	if (link->posted - link->acked >= link->depth)
		return false;
	return !ch->out || (tp->in_flight < COLL_IN_FLIGHT &&
			    ch->sent - ch->credited < tp->slots);
}

static bool is_there(const struct coll_transport *tp,
		     const struct coll_channel *ch, enum coll_awaited what)
{
	uint32_t qps = tp->options->qps;

	if (what == COLL_MESSAGE)
		return tp->links[ch->link + (int)(ch->taken % qps)].arrived >
		       ch->taken / qps;
	return what == COLL_ROOM ? has_room(tp, ch) : acknowledged(tp, ch);
}

static int await_asleep(struct coll_transport *tp, struct coll_channel *ch,
			enum coll_awaited what)
{
	uint64_t start = coll_now(), until = start + tp->oob->waiter->deadline_ns;
	uint64_t slept;
	int ret = 0;

	while (ret >= 0 && !is_there(tp, ch, what)) {
		ibv_req_notify_cq(tp->cq, 0);
		ret = progress(tp);
		if (ret == 0 && !is_there(tp, ch, what))
			ret = sleep_on_queue(tp, ch, what, until);
	}
	slept = coll_now() - start;
	if (what == COLL_MESSAGE)
		tp->wait_recv_ns += slept;
	else
		tp->wait_send_ns += slept;
	return ret < 0 ? ret : 0;
}

/**
 * coll_await() - wait for a condition of a channel
 * @tp: transport of this rank
 * @ch: the channel
 * @what: COLL_MESSAGE: the next message has arrived. COLL_ROOM: one more message or
 *	credit can be sent. COLL_ACKS: all sent messages are acknowledged (the last
 *	one on each link must be signaled)
 *
 * Return: 0, or -EIO after coll_fail().
 */
int coll_await(struct coll_transport *tp, struct coll_channel *ch,
	       enum coll_awaited what)
{
	int ret;

	if (is_there(tp, ch, what))
		return 0;
	ret = progress(tp);
	if (ret < 0)
		return ret;
	return is_there(tp, ch, what) ? 0 : await_asleep(tp, ch, what);
}
