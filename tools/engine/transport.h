/* SPDX-License-Identifier: GPL-2.0 */
/* The data path: one device, its memory, and channels to other ranks. */
#ifndef CP_TRANSPORT_H
#define CP_TRANSPORT_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stdint.h>

#include "oob.h"
#include "plan.h"

/* How a message gets to its slot; see channel.c. */
enum cp_protocol { CP_BY_WRITE, CP_BY_SEND, CP_BY_READ, CP_PROTOCOLS };

/* What the user may choose of the transport; see collperf(1). */
struct cp_verbs_options {
	uint32_t timeout, retry_cnt, mtu, tclass, psn;
	int gid_index;
	uint64_t chunk;		/* most bytes in a message; 0: as it fits */
	uint32_t qps;		/* queue pairs of a channel */
	enum cp_protocol protocol;
};

/* A work request id says: receive or not, which link, which message. */
#define CP_WR_RECV	(1ull << 62)
#define CP_WR_LINK	48
#define CP_WR_MESSAGE	((1ull << CP_WR_LINK) - 1)

#define CP_PSN_MASK	0xffffffu
#define CP_RNR_RETRY	6	/* 7 is for ever */
#define CP_IN_FLIGHT	(1u << 20)
#define CP_CREDITS	8	/* credits that may be on their way */

struct cp_mem {
	char *addr;
	uint64_t len;
	struct ibv_mr *mr;
};

/* What a link must remember of a message until it is acknowledged. */
struct cp_sent {
	const char *what;
	bool signaled;
	uint32_t psn, bytes;
	uint64_t posted_ns;
};

/**
 * struct cp_link - a connected queue pair; a part of a channel
 * @channel: whose
 * @sent: a ring of @depth entries, by the number of the message
 * @depth: messages that may be posted and not acknowledged
 * @posted: messages given to the queue pair: data, credits or reads
 * @acked: of these, known to be acknowledged by the peer
 * @recvs: receives given to the queue pair
 * @heard: messages that came the other way
 * @arrived: of these, the data is there
 * @psn: of the next packet
 * @qp: of verbs
 * @first_psn: the first that it sent
 * @peer_qpn: the number of the peer's queue pair
 * @peer_psn: the first that the peer sends
 */
struct cp_link {
	int channel;
	struct ibv_qp *qp;
	struct cp_sent *sent;
	uint32_t depth;
	uint64_t posted, acked, recvs, heard, arrived;
	uint32_t psn, first_psn, peer_qpn, peer_psn;
};

/**
 * struct cp_channel - messages from one rank to another
 * @peer: the rank at the other end
 * @out: data goes there, credits come back; otherwise the other way round
 * @link: the first of its queue pairs, an index of the transport's links;
 *	message m goes over the one m % options->qps behind it
 * @credit_link: the one for credits
 * @sent: OUT: messages given to the queue pair
 * @credited: OUT: of these, the peer is known to have taken
 * @taken: IN: messages taken out of their slots
 * @returned: IN: of these, announced to the peer
 * @slots: IN, and OUT by READ: own address of the first slot
 * @peer_slots: the peer's, if it has any
 * @rkey: of the peer's slots
 * @lens: IN: bytes of the message in each slot
 * @peer_addr: its address
 */
struct cp_channel {
	int peer;
	bool out;
	int link, credit_link;
	uint64_t sent, credited, taken, returned;
	uint64_t slots, peer_slots;
	uint32_t rkey;
	uint32_t *lens;
	char peer_addr[CP_ADDR_LEN];
};

/**
 * struct cp_transport - a rank's transport
 * @options: what the user chose
 * @oob: the other ranks, and which are still connected
 * @state: own part of the board
 * @mtu: bytes of payload in a full packet, the least of all ranks
 * @mem: what is sent and what is received
 * @staging: where messages arrive: slots, for each incoming channel as many;
 *	by READ also where they are fetched from, for each outgoing one
 * @slots: of one channel
 * @slot_bytes: of one slot, and the most in a message
 * @in_flight: bytes posted and not known to be acknowledged
 * @channel_of: by direction and peer: index of the channel, or -1
 * @wait_recv_ns: time slept for messages, all in all
 * @wait_send_ns: time slept for credits and acknowledgements, all in all
 * @ctx: the device, opened
 * @pd: of all memories and queue pairs
 * @events: wakes the rank when something is complete
 * @cq: of all queue pairs
 * @cq_events: that have come and are not acknowledged
 * @gid: own, by which peers reach the device
 * @gid_index: its place in the device's table
 * @max_message: most bytes that the device takes at once
 * @max_cqes: entries of the longest completion queue that it makes
 * @channels: one for each peer and direction
 * @n_channels: how many
 * @links: of all channels
 * @n_links: how many
 */
struct cp_transport {
	const struct cp_verbs_options *options;
	struct cp_oob *oob;
	struct cp_state *state;
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_comp_channel *events;
	struct ibv_cq *cq;
	unsigned int cq_events;
	union ibv_gid gid;
	uint8_t gid_index;
	uint32_t mtu;
	uint64_t max_message;
	int max_cqes;
	struct cp_mem mem[CP_MEMS], staging;
	uint32_t slots, slot_bytes;
	uint64_t in_flight;
	struct cp_channel *channels;
	int n_channels;
	struct cp_link *links;
	int n_links;
	int16_t channel_of[2][CP_RANKS_MAX];
	uint64_t wait_recv_ns, wait_send_ns;
};

/* The ranks that a rank sends to and receives from. */
struct cp_peers {
	bool in[CP_RANKS_MAX], out[CP_RANKS_MAX];
};

/* device.c: the device and its memory */
int cp_device_open(struct cp_transport *tp);
int cp_mem_map(struct cp_transport *tp, struct cp_mem *mem, uint64_t len,
	       int access);
void cp_gid_text(const union ibv_gid *gid, char text[CP_ADDR_LEN]);
void cp_device_close(struct cp_transport *tp);

/* link.c: queue pairs */
int cp_link_open(struct cp_transport *tp, int link, uint32_t sends,
		 uint32_t recvs);
int cp_link_connect(struct cp_transport *tp, int link, const union ibv_gid *to);
void cp_link_close(struct cp_link *link);
int cp_link_recv(struct cp_transport *tp, int link);
int cp_link_post(struct cp_transport *tp, int link, struct ibv_send_wr *wr,
		 uint64_t len, const char *what);
void cp_link_acked(struct cp_transport *tp, int link, uint64_t messages);

/* connect.c: channels between all ranks */
int cp_channels_open(struct cp_transport *tp, const struct cp_peers *all);
void cp_channels_close(struct cp_transport *tp);

/* channel.c: messages */
int cp_channel_send(struct cp_transport *tp, int peer, enum cp_mem_id mem,
		    const void *at, uint64_t len, bool last);
const void *cp_channel_next(struct cp_transport *tp, int peer, uint64_t len);
int cp_channel_taken(struct cp_transport *tp, int peer);
int cp_channel_heard(struct cp_transport *tp, struct cp_channel *ch, int link,
		     const struct ibv_wc *wc);
int cp_channels_flush(struct cp_transport *tp);

/* progress.c: completions, and waiting for them */
enum cp_awaited { CP_MESSAGE, CP_ROOM, CP_ACKS };
int cp_await(struct cp_transport *tp, struct cp_channel *ch,
	     enum cp_awaited what);

/* explain.c: what went wrong, in words */
int cp_explain(struct cp_transport *tp, const struct ibv_wc *wc);

#endif
