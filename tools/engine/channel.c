// SPDX-License-Identifier: GPL-2.0
/*
 * Messages on channels.
 *
 * A channel is one direction between two ranks, with separate queue pairs.
 * Data goes one way on it, so that a flow's packets bear the same PSNs in
 * every run, whatever the timing; the other way go credits only.
 *
 *     sender                                     receiver
 *       |-- WRITE with immediate: message m -------> slot m % slots
 *       |                                             taken: copied or reduced
 *       |<-- SEND of 0 bytes, immediate: m taken --|  once in half a window
 *
 * A message lands in a slot of the receiver's staging memory: the sender need
 * not ask first, and no message can touch what the receiver is not done with.
 * The sender may be as many messages ahead of the receiver's taking as there
 * are slots. Credits are for room, not for reliability: those that come in
 * time are never waited for. A receive is posted for every slot and every
 * credit, before it can be used, so there is never an RNR NAK.
 *
 * How the data gets into the slot is the user's choice (--protocol):
 *
 *     write   as above
 *     send    SEND with immediate; the receives name the slots, in their order
 *     read    the sender puts the data into a local slot and announces it
 *             by a SEND of 0 bytes; the receiver READs it at once. The data is
 *             in read responses, and the receiver retries
 *
 * The immediate is the message's number, by READ its low 8 bits above the
 * length. Messages must arrive in that order, without a gap, and as long as the
 * plan says; anything else is reported as a fault of the transport.
 *
 * A rank has no more than CP_IN_FLIGHT bytes on their way, over all channels.
 * More doesn't make it faster (it is what 400 Gbit/s carry in 20 us), but where
 * all ranks share a CPU, everything waits behind everything: acknowledgements
 * come later than the timer, and what is then retransmitted makes all later still.
 *
 * Only some sends give a completion: one in half a window, a run's last, and all
 * from half of the bytes in flight on, so that there is one to wait for.
 * Messages of a link complete in order, so that one completion stands for all
 * before it, and a rank isn't woken for each. A send completes when the peer
 * has acknowledged it; what was announced only may then still be read, from the
 * slot, which does not change before it was taken.
 */
#include <arpa/inet.h>
#include <string.h>

#include "transport.h"

static struct cp_channel *channel(struct cp_transport *tp, bool out, int peer)
{
	return &tp->channels[tp->channel_of[out][peer]];
}

static bool wants_completion(const struct cp_transport *tp, uint64_t message,
			     uint64_t len, bool last)
{
	uint32_t half = tp->slots / 2;

	return last || tp->options->qps > 1 || message % half == half - 1 ||
	       tp->in_flight + len > CP_IN_FLIGHT / 2;
}

/* Messages by READ: a number to check the order, and the length to fetch. */
#define ANNOUNCED_LEN	24

static uint32_t announcement(uint64_t message, uint64_t len)
{
	return (uint32_t)(message << ANNOUNCED_LEN | len);
}

static uint64_t slot_at(const struct cp_transport *tp, uint64_t slots,
			uint64_t message)
{
	return slots + message % tp->slots * tp->slot_bytes;
}

/* A message that carries its data. */
static int push(struct cp_transport *tp, struct cp_channel *ch,
		struct ibv_sge *sge, unsigned int flags)
{
	bool by_write = tp->options->protocol == CP_BY_WRITE;
	struct ibv_send_wr wr = {
		.sg_list = sge,
		.num_sge = sge->length ? 1 : 0,
		.opcode = by_write ? IBV_WR_RDMA_WRITE_WITH_IMM :
				     IBV_WR_SEND_WITH_IMM,
		.send_flags = flags,
		.imm_data = htonl((uint32_t)ch->sent),
		.wr.rdma = {
			.remote_addr = slot_at(tp, ch->peer_slots, ch->sent),
			.rkey = ch->rkey,
		},
	};
	int link = ch->link + (int)(ch->sent++ % tp->options->qps);

	return cp_link_post(tp, link, &wr, sge->length, "message");
}

/* A message that the peer has to fetch. */
static int announce(struct cp_transport *tp, struct cp_channel *ch,
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
	return cp_link_post(tp, link, &wr, 0, "announcement");
}

/**
 * cp_channel_send() - send one message
 * @tp: the rank's transport
 * @peer: a rank
 * @mem: the memory in which it is
 * @at: its first byte, unless @len is 0; it must stay as it is until
 *	cp_channels_flush(), or until the peer has taken it
 * @len: bytes, at most a slot
 * @last: the last one before cp_channels_flush()
 *
 * Waits only for room in the window.
 * Return: 0, or -EIO after cp_fail().
 */
int cp_channel_send(struct cp_transport *tp, int peer, enum cp_mem_id mem,
		    const void *at, uint64_t len, bool last)
{
	struct cp_channel *ch = channel(tp, true, peer);
	bool signal = wants_completion(tp, ch->sent, len, last);
	unsigned int flags = signal ? IBV_SEND_SIGNALED : 0;
	struct ibv_sge sge = {
		.addr = (uintptr_t)at,
		.length = (uint32_t)len,
		.lkey = tp->mem[mem].mr->lkey,
	};

	if (cp_await(tp, ch, CP_ROOM))
		return -1;
	if (tp->options->protocol == CP_BY_READ)
		return announce(tp, ch, at, len, flags);
	return push(tp, ch, &sge, flags);
}

static int fetch(struct cp_transport *tp, struct cp_channel *ch, int link,
		 uint64_t message, uint32_t len)
{
	struct ibv_sge sge = {
		.addr = slot_at(tp, ch->slots, message),
		.length = len,
		.lkey = tp->staging.mr->lkey,
	};
	struct ibv_send_wr wr = {
		.sg_list = &sge,
		.num_sge = len ? 1 : 0,
		.opcode = IBV_WR_RDMA_READ,
		.send_flags = IBV_SEND_SIGNALED,
		.wr.rdma = {
			.remote_addr = slot_at(tp, ch->peer_slots, message),
			.rkey = ch->rkey,
		},
	};

	return cp_link_post(tp, link, &wr, len, "read");
}

/**
 * cp_channel_heard() - a message has come, or the word that it can be fetched
 * @tp: the rank's transport
 * @ch: the channel
 * @link: over which
 * @wc: its completion
 *
 * Return: 0, or -EIO after cp_fail().
 */
int cp_channel_heard(struct cp_transport *tp, struct cp_channel *ch, int link,
		     const struct ibv_wc *wc)
{
	uint64_t due = tp->links[link].heard++ * tp->options->qps +
		       (uint64_t)(link - ch->link);
	bool by_read = tp->options->protocol == CP_BY_READ;
	uint32_t got = ntohl(wc->imm_data), len = wc->byte_len;
	uint32_t want = (uint32_t)due;

	if (by_read) {
		len = got & announcement(0, (1u << ANNOUNCED_LEN) - 1);
		want = announcement(due, len);
	}
	if (got != want || len > tp->slot_bytes)
		return cp_fail(tp->state, CP_FAILED,
			       "message 0x%x of %u bytes from rank %d instead of message 0x%x",
			       got, len, ch->peer, want);
	ch->lens[due % tp->slots] = len;
	if (cp_link_recv(tp, link))
		return -1;
	if (by_read)
		return fetch(tp, ch, link, due, len);
	tp->links[link].arrived++;
	return 0;
}

/**
 * cp_channel_next() - wait for the next message of @peer
 * @tp: the rank's transport
 * @peer: a rank
 * @len: bytes that it must have
 *
 * Return: where it is, until cp_channel_taken(); NULL after cp_fail().
 */
const void *cp_channel_next(struct cp_transport *tp, int peer, uint64_t len)
{
	struct cp_channel *ch = channel(tp, false, peer);
	uint32_t got;

	if (cp_await(tp, ch, CP_MESSAGE))
		return NULL;
	got = ch->lens[ch->taken % tp->slots];
	if (got == len)
		return (void *)(uintptr_t)slot_at(tp, ch->slots, ch->taken);
	cp_fail(tp->state, CP_FAILED,
		"message %llu of rank %d has %u bytes instead of %llu",
		(unsigned long long)ch->taken, peer, got,
		(unsigned long long)len);
	return NULL;
}

static int give_credit(struct cp_transport *tp, struct cp_channel *ch)
{
	struct ibv_send_wr wr = {
		.opcode = IBV_WR_SEND_WITH_IMM,
		.send_flags = IBV_SEND_SIGNALED,
		.imm_data = htonl((uint32_t)ch->taken),
	};

	if (cp_await(tp, ch, CP_ROOM))
		return -1;
	ch->returned = ch->taken;
	return cp_link_post(tp, ch->credit_link, &wr, 0, "credit");
}

/**
 * cp_channel_taken() - the message that cp_channel_next() gave is done with
 * @tp: the rank's transport
 * @peer: a rank
 *
 * Return: 0, or -EIO after cp_fail().
 */
int cp_channel_taken(struct cp_transport *tp, int peer)
{
	struct cp_channel *ch = channel(tp, false, peer);

	ch->taken++;
	if (ch->taken - ch->returned < tp->slots / 2)
		return 0;
	return give_credit(tp, ch);
}

/**
 * cp_channels_flush() - wait until all data that was sent is acknowledged
 * @tp: the rank's transport
 *
 * Return: 0, or -EIO after cp_fail().
 */
int cp_channels_flush(struct cp_transport *tp)
{
	for (int i = 0; i < tp->n_channels; i++)
		if (tp->channels[i].out &&
		    cp_await(tp, &tp->channels[i], CP_ACKS))
			return -1;
	return 0;
}
