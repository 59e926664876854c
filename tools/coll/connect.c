// SPDX-License-Identifier: GPL-2.0
/*
 * Connect all ranks with channels. Link i of a channel is on rail i % R of R rails, on both sides.
 *
 * The plans show which rank sends to which, and every rank computes the plans of all
 * ranks. Each rank creates its channels. One gather exchanges the GIDs and MTU of each
 * rank, and the QP number, first PSN and slot address of each link. Then each rank moves
 * its queue pairs to the state RTS. A barrier follows, because a rank must not send
 * before its peer can receive.
 *
 * The staging memory is divided among the incoming channels. With --protocol read, the
 * outgoing channels also get a part. All ranks must have the same number of slots per
 * channel and the same slot size, because plans depend on both. Both are computed for the
 * rank with the most channels. The path MTU is the smallest MTU of all ranks.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "transport.h"
#include "units.h"

#define STAGING_BYTES	(6u << 20)
#define SLOT_BYTES	(256u << 10)	/* 64 packets of 4096 bytes; larger slots are not faster */
#define SLOT_BYTES_MIN	4096u
#define SLOTS_MAX	32u
#define SLOTS_MIN	4u

/* What a rank sends to all other ranks when it connects: its address, and its links */
struct hello {
	uint32_t mtu;
	struct {
		union ibv_gid gid;
		uint32_t rkey;
	} rails[COLL_RAILS_MAX];
	struct {
		int32_t peer;
		uint32_t out, which;
		uint32_t qpn, psn;
		uint64_t slots;
	} links[];
};

static int count_set(const bool set[COLL_RANKS_MAX])
{
	int n = 0;

	for (int r = 0; r < COLL_RANKS_MAX; r++)
		n += set[r];
	return n;
}

/*
 * Get the maximum over all ranks of the number of incoming channels (@in), and of the number of
 * all channels (@channels).
 */
static void most_channels(const struct coll_transport *tp, const struct coll_peers *all,
			  int *in, int *channels)
{
	*in = 1;
	*channels = 0;
	for (int r = 0; r < tp->oob->ranks; r++) {
		int from = count_set(all[r].in), to = count_set(all[r].out);

		*in = from > *in ? from : *in;
		*channels = from + to > *channels ? from + to : *channels;
	}
}

/*
 * Divide the staging memory into slots. The slot size is a power of two, at most a quarter
 * of the memory of a channel.
 */
static int divide_staging(struct coll_transport *tp, uint32_t parts)
{
	uint64_t part = STAGING_BYTES / parts, want = tp->options->chunk;
	char asked[RF_FMT_LEN], most_[RF_FMT_LEN];
	uint64_t slot = SLOT_BYTES;

	while (slot > SLOT_BYTES_MIN && slot > part / SLOTS_MIN)
		slot /= 2;
	if (want > part / 2)
		return coll_fail(tp->state, COLL_FAILED,
				 "--chunk %s: too large; at most %s with %u receive channels per rank",
				 rf_fmt_size(want, asked),
				 rf_fmt_size(part / 2, most_), parts);
	tp->slot_bytes = (uint32_t)(want ? want : slot);
	tp->slots = (uint32_t)(part / tp->slot_bytes);
	if (tp->slots > SLOTS_MAX)
		tp->slots = SLOTS_MAX;
	if (tp->slot_bytes > tp->max_message)
		return coll_fail(tp->state, COLL_FAILED,
				 "device %s: messages have at most %llu bytes",
				 tp->state->rail[0].name,
				 (unsigned long long)tp->max_message);
	return 0;
}

/*
 * Return the number of links per channel. With --protocol read, the receiver sends
 * both READs and credits, and their order depends on timing. A separate queue pair
 * for credits keeps the PSNs of READs reproducible.
 */
static uint32_t links_each(const struct coll_transport *tp)
{
	return tp->options->qps + (tp->options->protocol == COLL_BY_READ);
}

static int open_links(struct coll_transport *tp, struct coll_channel *ch)
{
	uint32_t reads = tp->options->protocol == COLL_BY_READ ? tp->slots : 0;
	uint32_t sends = ch->out ? 2 * tp->slots : COLL_CREDITS + reads;
	uint32_t recvs = ch->out ? COLL_CREDITS : tp->slots;
	int ret = 0;

	ch->link = tp->n_links;
	ch->credit_link = ch->link;
	if (tp->options->protocol == COLL_BY_READ)
		ch->credit_link += (int)tp->options->qps;
	for (uint32_t i = 0; !ret && i < links_each(tp); i++) {
		tp->links[tp->n_links].channel = (int)(ch - tp->channels);
		tp->links[tp->n_links].rail = tp->live[i % tp->n_live];
		ret = coll_link_open(tp, tp->n_links++, sends, recvs);
	}
	return ret;
}

static bool has_slots(const struct coll_transport *tp, bool out)
{
	return !out || tp->options->protocol == COLL_BY_READ;
}

static int open_channel(struct coll_transport *tp, int peer, bool out, int *parts)
{
	struct coll_channel *ch = &tp->channels[tp->n_channels];
	uint64_t part = (uint64_t)tp->slots * tp->slot_bytes;

	tp->channel_of[out][peer] = (int16_t)tp->n_channels++;
	ch->peer = peer;
	ch->out = out;
	if (has_slots(tp, out))
		ch->slots = (uintptr_t)tp->staging.addr +
			    (uint64_t)(*parts)++ * part;
	ch->lens = calloc(tp->slots, sizeof(*ch->lens));
	if (!ch->lens)
		return coll_fail(tp->state, COLL_FAILED, "no memory");
	return open_links(tp, ch);
}

static int open_channels(struct coll_transport *tp, const struct coll_peers *mine)
{
	int ret = 0, parts = 0;

	for (int r = 0; !ret && r < tp->oob->ranks; r++) {
		if (mine->out[r])
			ret = open_channel(tp, r, true, &parts);
		if (!ret && mine->in[r])
			ret = open_channel(tp, r, false, &parts);
	}
	return ret;
}

/*
 * Return the number of completion queue entries that one link can need, in an incoming or an
 * outgoing channel.
 */
static int cqes_each(const struct coll_transport *tp)
{
	return (int)(3 * tp->slots + COLL_CREDITS);
}

/* Check that the completion queue of a rail is large enough, even if all links are on this rail. */
static int check_links(struct coll_transport *tp, int channels)
{
	int beside = (int)(links_each(tp) - tp->options->qps);
	int links = (tp->max_cqes - 1) / cqes_each(tp);

	if (!channels || (int)links_each(tp) <= links / channels)
		return 0;
	return coll_fail(tp->state, COLL_FAILED,
			 "--qps-per-peer %u: too many; at most %d with %d channels per rank, because a completion queue of %s has %d entries",
			 tp->options->qps, links / channels - beside, channels,
			 tp->state->rail[0].name, tp->max_cqes);
}

static int create_queues(struct coll_transport *tp, int cqes)
{
	for (uint32_t i = 0; i < tp->options->rails; i++) {
		struct coll_rail *rail = &tp->rail[i];

		rail->cq = ibv_create_cq(rail->ctx, cqes, NULL, rail->events, 0);
		if (!rail->cq)
			return coll_fail(tp->state, COLL_FAILED,
					 "%s: completion queue of %d entries: %s",
					 tp->state->rail[i].name, cqes, strerror(errno));
	}
	return 0;
}

static int allocate_channels(struct coll_transport *tp, int channels, int parts)
{
	int links = channels * (int)links_each(tp);
	uint64_t staging = (uint64_t)parts * tp->slots * tp->slot_bytes;

	memset(tp->channel_of, -1, sizeof(tp->channel_of));
	tp->channels = calloc((size_t)channels + 1, sizeof(*tp->channels));
	tp->links = calloc((size_t)links + 1, sizeof(*tp->links));
	if (!tp->channels || !tp->links)
		return coll_fail(tp->state, COLL_FAILED, "no memory");
	if (create_queues(tp, links * cqes_each(tp) + 1))
		return -EIO;
	return coll_mem_map(tp, &tp->staging, staging, IBV_ACCESS_REMOTE_WRITE |
			    IBV_ACCESS_REMOTE_READ);
}

static void fill_hello(const struct coll_transport *tp, struct hello *me)
{
	me->mtu = tp->mtu;
	for (uint32_t i = 0; i < tp->options->rails; i++) {
		me->rails[i].gid = tp->rail[i].gid;
		me->rails[i].rkey = tp->staging.mr[i]->rkey;
	}
	for (int i = 0; i < tp->n_links; i++) {
		const struct coll_link *link = &tp->links[i];
		const struct coll_channel *ch = &tp->channels[link->channel];

		me->links[i].peer = ch->peer;
		me->links[i].out = ch->out;
		me->links[i].which = (uint32_t)(i - ch->link);
		me->links[i].qpn = link->qp->qp_num;
		me->links[i].psn = link->psn;
		me->links[i].slots = ch->slots;
	}
}

static void note_qp(struct coll_transport *tp, const struct coll_link *link,
		    const struct coll_channel *ch)
{
	struct coll_state *st = tp->state;
	struct coll_qp_info *qp = &st->qps[st->n_qps];

	if (st->n_qps == (int)(sizeof(st->qps) / sizeof(st->qps[0])))
		return;
	qp->rail = link->rail;
	snprintf(qp->dir, sizeof(qp->dir), "%s", ch->out ? "out" : "in");
	qp->peer = ch->peer;
	qp->qpn = link->qp->qp_num;
	qp->peer_qpn = link->peer_qpn;
	qp->psn = link->first_psn;
	coll_gid_text(&tp->rail[link->rail].gid, qp->addr);
	memcpy(qp->peer_addr, link->peer_addr, sizeof(qp->peer_addr));
	st->n_qps++;
}

/*
 * Find the link of the peer that belongs to our link @mine. Return: its index in the peer's
 * list, or -1
 */
static int other_end(const struct coll_transport *tp, const struct hello *peer, int mine)
{
	const struct coll_channel *ch = &tp->channels[tp->links[mine].channel];

	for (int i = 0; i < tp->max_links; i++)
		if (peer->links[i].qpn &&
		    peer->links[i].peer == tp->oob->rank &&
		    peer->links[i].out != ch->out &&
		    peer->links[i].which == (uint32_t)(mine - ch->link))
			return i;
	return -1;
}

static int connect_link(struct coll_transport *tp, int mine, const struct hello *peer)
{
	struct coll_link *link = &tp->links[mine];
	struct coll_channel *ch = &tp->channels[link->channel];
	int other = other_end(tp, peer, mine);

	if (other < 0)
		return coll_fail(tp->state, COLL_FAILED,
				 "rank %d has no queue pair for this rank; do all ranks have the same arguments?",
				 ch->peer);
	link->peer_qpn = peer->links[other].qpn;
	link->peer_psn = peer->links[other].psn;
	link->rkey = peer->rails[link->rail].rkey;
	ch->peer_slots = peer->links[other].slots;
	coll_gid_text(&peer->rails[link->rail].gid, link->peer_addr);
	note_qp(tp, link, ch);
	return coll_link_connect(tp, mine, &peer->rails[link->rail].gid);
}

static int connect_all(struct coll_transport *tp, const char *all, size_t size)
{
	int ret = 0;

	for (int r = 0; r < tp->oob->ranks; r++) {
		const struct hello *h = (const void *)(all + (size_t)r * size);

		tp->mtu = h->mtu < tp->mtu ? h->mtu : tp->mtu;
	}
	tp->state->mtu = tp->mtu;
	for (int i = 0; !ret && i < tp->n_links; i++) {
		int peer = tp->channels[tp->links[i].channel].peer;

		rf_waiting("connecting queue pair %d of %d", i + 1, tp->n_links);
		ret = connect_link(tp, i, (const void *)(all + (size_t)peer * size));
	}
	return ret;
}

static int meet_peers(struct coll_transport *tp)
{
	struct hello *me = NULL;
	size_t size = sizeof(*me) + (size_t)tp->max_links * sizeof(me->links[0]);
	char *all = calloc((size_t)tp->oob->ranks, size);
	int ret;

	me = calloc(1, size);
	if (me && all) {
		fill_hello(tp, me);
		coll_at(tp->state, "exchange of addresses", 0, 0);
		ret = coll_allgather(tp->oob, me, size, all);
	} else {
		ret = coll_fail(tp->state, COLL_FAILED, "no memory");
	}
	if (!ret)
		ret = connect_all(tp, all, size);
	free(me);
	free(all);
	return ret ? ret : coll_barrier(tp->oob, NULL);
}

/**
 * coll_channels_open() - create and connect the channels of this rank
 * @tp: transport of this rank
 * @all: for every rank, the ranks that it sends to and receives from
 *
 * Return: 0, or -EIO after coll_fail().
 */
int coll_channels_open(struct coll_transport *tp, const struct coll_peers *all)
{
	int in, channels, parts, ret;

	for (tp->n_live = 0; tp->n_live < tp->options->rails; tp->n_live++)
		tp->live[tp->n_live] = tp->n_live;
	most_channels(tp, all, &in, &channels);
	tp->max_links = channels * (int)links_each(tp);
	parts = has_slots(tp, true) && channels ? channels : in;
	ret = divide_staging(tp, (uint32_t)parts);
	if (!ret)
		ret = check_links(tp, channels);
	if (!ret)
		ret = allocate_channels(tp, channels, parts);
	if (!ret)
		ret = open_channels(tp, &all[tp->oob->rank]);
	return ret ? ret : meet_peers(tp);
}

/* Destroy all queue pairs, and discard their completions. */
static void close_links(struct coll_transport *tp)
{
	struct ibv_wc wc;

	for (int i = 0; i < tp->n_links; i++)
		coll_link_close(&tp->links[i]);
	for (uint32_t i = 0; i < tp->options->rails; i++)
		while (ibv_poll_cq(tp->rail[i].cq, 1, &wc) > 0)
			;
	tp->n_links = 0;
	tp->in_flight = 0;
}

/**
 * coll_channels_reopen() - connect all channels again, with new queue pairs on tp->live
 * @tp: transport of this rank
 *
 * Return: 0, or -EIO after coll_fail().
 */
int coll_channels_reopen(struct coll_transport *tp)
{
	int ret = 0;

	close_links(tp);
	for (int i = 0; !ret && i < tp->n_channels; i++) {
		struct coll_channel *ch = &tp->channels[i];

		ch->sent = 0;
		ch->credited = 0;
		ch->taken = 0;
		ch->returned = 0;
		ret = open_links(tp, ch);
	}
	return ret ? ret : meet_peers(tp);
}

/** coll_channels_close() - release the resources of coll_channels_open() */
void coll_channels_close(struct coll_transport *tp)
{
	for (int i = 0; i < tp->n_links; i++)
		coll_link_close(&tp->links[i]);
	for (int i = 0; i < tp->n_channels; i++)
		free(tp->channels[i].lens);
	free(tp->links);
	free(tp->channels);
	for (struct coll_rail *rail = tp->rail; rail < tp->rail + COLL_RAILS_MAX; rail++) {
		if (rail->cq_events)
			ibv_ack_cq_events(rail->cq, rail->cq_events);
		if (rail->cq)
			ibv_destroy_cq(rail->cq);
	}
}
