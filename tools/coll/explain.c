// SPDX-License-Identifier: GPL-2.0
/*
 * Error messages for failed completions. They show the reason, the message, the PSN of
 * the message's first packet, the peer, and the time since the message was posted. If all
 * retries failed, they also show the time until the transport gave up, as the number of tries
 * times the period of the timer.
 *
 * The timer of a queue pair is 4.096 us * 2^timeout. A packet is sent once and
 * retransmitted retry_cnt times, so the transport gives up after retry_cnt + 1
 * timer periods without an acknowledgment. In SoftRoCE a retry_cnt of 7 means
 * no limit, so 6 is the default and the limit here.
 *
 * If the timer expires too early, a requester of SoftRoCE can continue at a wrong
 * PSN. An ACK of the first transmission arrives during the retransmission and moves
 * comp.psn past the message without completing it (rxe_completer() of Linux 6.12,
 * COMPST_UPDATE_COMP). The next retry starts in the middle of another message
 * (req_retry()), and the responder receives an unexpected opcode.
 */
#include <errno.h>
#include <stdio.h>

#include "ranks.h"
#include "transport.h"
#include "units.h"

static const struct {
	enum ibv_wc_status status;
	const char *words;
} reasons[] = {
	{ IBV_WC_REM_ACCESS_ERR, "the peer refused access to its memory" },
	{ IBV_WC_REM_INV_REQ_ERR,
	  "the peer found the request invalid; SoftRoCE sends such requests when its timer expires while ACKs are on their way, so raise --timeout" },
	{ IBV_WC_REM_OP_ERR, "the peer could not carry out the request" },
	{ IBV_WC_LOC_PROT_ERR, "the local memory is not registered for this access" },
	{ IBV_WC_LOC_QP_OP_ERR,
	  "the queue pair failed on this side; SoftRoCE does this when its netdev's queue refuses a packet, and when its timer expires while ACKs are on their way, so raise --timeout" },
	{ IBV_WC_WR_FLUSH_ERR,
	  "flushed, because the queue pair had failed before; in SoftRoCE it fails when its netdev's queue refuses a packet, and when its timer expires while ACKs are on their way, so raise --timeout" },
};

static const char *reason(enum ibv_wc_status status)
{
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (reasons[i].status == status)
			return reasons[i].words;
	return ibv_wc_status_str(status);
}

/*
 * Format the time until the transport gives up, for example "6+1 tries × 67.1 ms (timeout 14),
 * nominally 470 ms". The timer of SoftRoCE counts ticks of the kernel, so a short one takes longer.
 */
static void arithmetic(const struct coll_verbs_options *opt, char *buf,
		       size_t len)
{
	uint64_t timer = rf_qp_timeout_ns(opt->timeout);
	char one[RF_FMT_LEN], all[RF_FMT_LEN];

	rf_fmt_time(timer, one);
	rf_fmt_time(timer * (opt->retry_cnt + 1), all);
	snprintf(buf, len,
		 "retry exceeded: %u+1 tries × %s (timeout %u), nominally %s without an ACK",
		 opt->retry_cnt, one, opt->timeout, all);
}

static void not_ready(char *buf, size_t len)
{
	snprintf(buf, len,
		 "RNR retry exceeded: the peer sent %u+1 RNR NAKs, because it had no receive posted",
		 COLL_RNR_RETRY);
}

static void explain_send(struct coll_transport *tp, const struct ibv_wc *wc,
			 const struct coll_link *link, const char *why, char text[COLL_WHY_LEN])
{
	const struct coll_channel *ch = &tp->channels[link->channel];
	uint64_t message = wc->wr_id & COLL_WR_MESSAGE;
	const struct coll_sent *sent = &link->sent[message % link->depth];
	char after[RF_FMT_LEN], where[128];

	rf_fmt_time(rf_now_ns() - sent->posted_ns, after);
	snprintf(text, COLL_WHY_LEN,
		 "%s; %s %llu, PSN 0x%06x on, from %s QP 0x%06x to rank %d (%s QP 0x%06x), %s after it was posted; %s",
		 why, sent->what, (unsigned long long)message, sent->psn,
		 tp->state->rail[link->rail].name, link->qp->qp_num, ch->peer,
		 link->peer_addr, link->peer_qpn, after,
		 coll_where(tp->state, where, sizeof(where)));
}

/**
 * coll_explain() - report that the rail of a failed completion failed, with an error message
 * @tp: transport of this rank
 * @wc: the completion
 *
 * Return: see coll_rail_failed().
 */
int coll_explain(struct coll_transport *tp, const struct ibv_wc *wc)
{
	int i = (int)((wc->wr_id & ~COLL_WR_RECV) >> COLL_WR_LINK);
	const struct coll_link *link = &tp->links[i];
	const struct coll_channel *ch = &tp->channels[link->channel];
	char why[256], where[128], text[COLL_WHY_LEN];

	if (wc->status == IBV_WC_RETRY_EXC_ERR)
		arithmetic(tp->options, why, sizeof(why));
	else if (wc->status == IBV_WC_RNR_RETRY_EXC_ERR)
		not_ready(why, sizeof(why));
	else
		snprintf(why, sizeof(why), "%s", reason(wc->status));
	if (wc->wr_id & COLL_WR_RECV)
		snprintf(text, sizeof(text), "%s; receiving from rank %d (%s); %s", why, ch->peer,
			 link->peer_addr, coll_where(tp->state, where, sizeof(where)));
	else
		explain_send(tp, wc, link, why, text);
	return coll_rail_failed(tp, link->rail, text);
}
