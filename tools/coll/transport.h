/* SPDX-License-Identifier: GPL-2.0 */
/* The data path: one device, its memory, and channels to other ranks. */
#ifndef COLL_TRANSPORT_H
#define COLL_TRANSPORT_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stdint.h>

#include "plan.h"
#include "ranks.h"

/* How data gets into a slot, see channel.c */
enum coll_protocol { COLL_BY_WRITE, COLL_BY_SEND, COLL_BY_READ, COLL_PROTOCOLS };

/* Options of the transport, see collperf(1) */
struct coll_verbs_options {
	uint32_t timeout, retry_cnt, mtu, psn;
	uint32_t tclass[COLL_RANKS_MAX], n_tclass;	/* rank r has number r modulo @n_tclass */
	int gid_index;
	uint64_t chunk;		/* largest message in bytes; 0: automatic */
	uint32_t rails;		/* RDMA devices per rank */
	uint32_t qps;		/* queue pairs per channel, a multiple of @rails */
	enum coll_protocol protocol;
	bool failover;		/* after an error, continue on the other rail */
};

/* A work request ID consists of the receive bit, the index of the link, and the message number */
#define COLL_WR_RECV	(1ull << 62)
#define COLL_WR_LINK	48
#define COLL_WR_MESSAGE	((1ull << COLL_WR_LINK) - 1)

#define COLL_PSN_MASK	0xffffffu
#define COLL_RNR_RETRY	6	/* 7 means no limit */
#define COLL_IN_FLIGHT	(1u << 20)
#define COLL_CREDITS	8	/* maximum number of credits in flight */

struct coll_mem {
	char *addr;
	uint64_t len;
	struct ibv_mr *mr[COLL_RAILS_MAX];
};

/* What a link stores about a message until the message is acknowledged */
struct coll_sent {
	const char *what;
	bool signaled;
	uint32_t psn, bytes;
	uint64_t posted_ns;
};

/**
 * struct coll_link - a connected queue pair, part of a channel
 * @channel: index of the channel
 * @rail: index of the rail
 * @sent: data about each unacknowledged message; message m has the entry m % @depth
 * @depth: maximum number of posted, unacknowledged messages
 * @posted: number of posted messages: data, credits or READs
 * @acked: number of acknowledged messages
 * @recvs: number of posted receives
 * @heard: number of received messages, including announcements of READs
 * @arrived: number of received messages whose data is in the slot; a message that must be READ
 *	counts after the READ
 * @psn: first PSN of the next message that is posted
 * @qp: the queue pair
 * @first_psn: PSN of the first packet that this end sends
 * @peer_qpn: queue pair number of the peer
 * @peer_psn: PSN of the first packet that the peer sends
 * @rkey: key of the peer's slots
 * @peer_addr: IP address of the peer
 */
struct coll_link {
	int channel;
	uint32_t rail;
	struct ibv_qp *qp;
	struct coll_sent *sent;
	uint32_t depth;
	uint64_t posted, acked, recvs, heard, arrived;
	uint32_t psn, first_psn, peer_qpn, peer_psn, rkey;
	char peer_addr[COLL_ADDR_LEN];
};

/**
 * struct coll_channel - messages from one rank to another
 * @peer: the rank at the other end
 * @out: true (OUT): this rank sends data and receives credits; false (IN): the reverse
 * @link: index of its first link; message m uses link @link + m % options->qps
 * @credit_link: index of the link for credits
 * @sent: OUT: number of posted messages
 * @credited: OUT: number of messages that the peer has reported as consumed
 * @taken: IN: number of consumed messages
 * @returned: IN: number of consumed messages reported to the peer
 * @slots: IN, and with --protocol read also OUT: address of the first slot on this rank
 * @peer_slots: address of the first slot on the peer, if it has slots
 * @lens: IN: size of the message in each slot
 */
struct coll_channel {
	int peer;
	bool out;
	int link, credit_link;
	uint64_t sent, credited, taken, returned;
	uint64_t slots, peer_slots;
	uint32_t *lens;
};

/**
 * struct coll_rail - an RDMA device of the rank, and what belongs to it
 * @ctx: the opened device
 * @pd: protection domain of all memories and queue pairs
 * @events: completion channel
 * @cq: completion queue of all queue pairs
 * @cq_events: number of unacknowledged completion events
 * @gid: own GID
 * @gid_index: index of @gid in the table of the device
 */
struct coll_rail {
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_comp_channel *events;
	struct ibv_cq *cq;
	unsigned int cq_events;
	union ibv_gid gid;
	uint8_t gid_index;
};

#define COLL_WHY_LEN	768

/**
 * struct coll_attempt - an attempt to execute a plan, see failover.c
 * @progress_ns: time of the last completion
 * @sent_bytes: number of bytes of all sent messages
 * @broken: bit r: a queue pair of rail r failed in this rank
 * @why: the reason
 */
struct coll_attempt {
	uint64_t progress_ns, sent_bytes;
	uint32_t broken;
	char why[COLL_WHY_LEN];
};

/**
 * struct coll_transport - a rank's transport
 * @options: options of the transport
 * @oob: connections outside the data path
 * @state: state of this rank in the status page
 * @mtu: path MTU, the payload of a full packet: the smallest MTU of all ranks
 * @mem: the memories for input and result
 * @staging: slots for incoming messages, the same number for each channel; with
 *	--protocol read also for outgoing messages
 * @slots: number of slots per channel
 * @slot_bytes: size of a slot, and maximum size of a message
 * @in_flight: number of bytes that are posted and not acknowledged
 * @channel_of: index of the channel for a direction and a peer, or -1
 * @wait_recv_ns: total waiting time for messages
 * @wait_send_ns: total waiting time for credits and acknowledgments
 * @rail: the devices, options->rails
 * @live: the rails that have not failed
 * @n_live: number of @live
 * @failed: for each rail that has failed: which rank has the error, and the reason
 * @attempt: the current attempt
 * @lost: the failed attempt while it is repeated; otherwise zeros
 * @max_message: size in bytes of the largest message that all devices support
 * @max_cqes: number of entries of the largest completion queue that all devices support
 * @channels: one per peer and direction
 * @n_channels: number of @channels
 * @links: queue pairs of all channels
 * @n_links: number of @links
 * @max_links: the largest number of links of a rank
 */
struct coll_transport {
	const struct coll_verbs_options *options;
	struct coll_oob *oob;
	struct coll_state *state;
	struct coll_rail rail[COLL_RAILS_MAX];
	uint32_t live[COLL_RAILS_MAX], n_live;
	char failed[COLL_RAILS_MAX][COLL_WHY_LEN + 64];
	struct coll_attempt attempt, lost;
	uint32_t mtu;
	uint64_t max_message;
	int max_cqes;
	struct coll_mem mem[COLL_MEMS], staging;
	uint32_t slots, slot_bytes;
	uint64_t in_flight;
	struct coll_channel *channels;
	int n_channels;
	struct coll_link *links;
	int n_links, max_links;
	int16_t channel_of[2][COLL_RANKS_MAX];
	uint64_t wait_recv_ns, wait_send_ns;
};

/* The peers of a rank. @out[r]: the rank sends to rank r; @in[r]: the rank receives from rank r */
struct coll_peers {
	bool in[COLL_RANKS_MAX], out[COLL_RANKS_MAX];
};

/* device.c: the device and its memory */
int coll_device_open(struct coll_transport *tp);
int coll_mem_map(struct coll_transport *tp, struct coll_mem *mem, uint64_t len,
		 int access);
void coll_gid_text(const union ibv_gid *gid, char text[COLL_ADDR_LEN]);
void coll_device_close(struct coll_transport *tp);

/* link.c: queue pairs */
int coll_link_open(struct coll_transport *tp, int link, uint32_t sends,
		   uint32_t recvs);
int coll_link_connect(struct coll_transport *tp, int link, const union ibv_gid *to);
void coll_link_close(struct coll_link *link);
int coll_link_recv(struct coll_transport *tp, int link);
int coll_link_post(struct coll_transport *tp, int link, struct ibv_send_wr *wr,
		   uint64_t len, const char *what);
void coll_link_acked(struct coll_transport *tp, int link, uint64_t messages);

/* connect.c: channels between all ranks */
int coll_channels_open(struct coll_transport *tp, const struct coll_peers *all);
int coll_channels_reopen(struct coll_transport *tp);
void coll_channels_close(struct coll_transport *tp);

/* channel.c: messages */
int coll_channel_send(struct coll_transport *tp, int peer, enum coll_mem_id mem,
		      const void *at, uint64_t len, bool last);
const void *coll_channel_next(struct coll_transport *tp, int peer, uint64_t len);
int coll_channel_taken(struct coll_transport *tp, int peer);
int coll_channels_flush(struct coll_transport *tp);

/* failover.c: continue on the other rail */
void coll_attempt_begin(struct coll_transport *tp);
int coll_attempt_end(struct coll_transport *tp);
int coll_rail_failed(struct coll_transport *tp, uint32_t rail, const char *why);

/* explain.c: error messages for failed completions */
int coll_explain(struct coll_transport *tp, const struct ibv_wc *wc);

#endif
