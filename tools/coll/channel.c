// SPDX-License-Identifier: GPL-2.0
/*
 * Messages on channels.
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
 */
#include <arpa/inet.h>
#include <string.h>

#include "transport.h"

static struct coll_channel *channel(struct coll_transport *tp, bool out, int peer)
{
	return &tp->channels[tp->channel_of[out][peer]];
}

static bool wants_completion(const struct coll_transport *tp, uint64_t message,
			     uint64_t len, bool last)
{
	uint32_t half = tp->slots / 2;

	return last || tp->options->qps > 1 || message % half == half - 1 ||
	       tp->in_flight + len > COLL_IN_FLIGHT / 2;
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

/* A message with data */
static int push(struct coll_transport *tp, struct coll_channel *ch,
		struct ibv_sge *sge, unsigned int flags)
{
	bool by_write = tp->options->protocol == COLL_BY_WRITE;
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

	return coll_link_post(tp, link, &wr, sge->length, "message");
}

/* Announce a message to the peer. The peer then reads the message with READ. */
static int announce(struct coll_transport *tp, struct coll_channel *ch,
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
 * Return: 0, or -EIO after coll_fail().
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
		.lkey = tp->mem[mem].mr->lkey,
	};

	if (coll_await(tp, ch, COLL_ROOM))
		return -1;
	if (tp->options->protocol == COLL_BY_READ)
		return announce(tp, ch, at, len, flags);
	return push(tp, ch, &sge, flags);
}

static int fetch(struct coll_transport *tp, struct coll_channel *ch, int link,
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

	return coll_link_post(tp, link, &wr, len, "read");
}

/**
 * coll_channel_heard() - process the completion of a received message or announcement
 * @tp: transport of this rank
 * @ch: the channel
 * @link: the queue pair
 * @wc: the completion of the message
 *
 * Return: 0, or -EIO after coll_fail().
 */
int coll_channel_heard(struct coll_transport *tp, struct coll_channel *ch, int link,
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
		return fetch(tp, ch, link, due, len);
	tp->links[link].arrived++;
	return 0;
}

/**
 * coll_channel_next() - wait for the next message from @peer
 * @tp: transport of this rank
 * @peer: a rank
 * @len: size in bytes that the message must have
 *
 * Return: the message, valid until coll_channel_taken(); NULL after coll_fail().
 */
const void *coll_channel_next(struct coll_transport *tp, int peer, uint64_t len)
{
	struct coll_channel *ch = channel(tp, false, peer);
	uint32_t got;

	if (coll_await(tp, ch, COLL_MESSAGE))
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

	if (coll_await(tp, ch, COLL_ROOM))
		return -1;
	ch->returned = ch->taken;
	return coll_link_post(tp, ch->credit_link, &wr, 0, "credit");
}

/**
 * coll_channel_taken() - release the message that coll_channel_next() returned
 * @tp: transport of this rank
 * @peer: a rank
 *
 * Return: 0, or -EIO after coll_fail().
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
 * Return: 0, or -EIO after coll_fail().
 */
int coll_channels_flush(struct coll_transport *tp)
{
	for (int i = 0; i < tp->n_channels; i++)
		if (tp->channels[i].out &&
		    coll_await(tp, &tp->channels[i], COLL_ACKS))
			return -1;
	return 0;
}
