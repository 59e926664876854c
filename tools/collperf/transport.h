/* SPDX-License-Identifier: GPL-2.0 */
/* The data path: one device, its memory, and reliable links to other ranks. */
#ifndef CP_TRANSPORT_H
#define CP_TRANSPORT_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stdint.h>

#include "oob.h"

enum cp_mem_id { CP_SEND, CP_RECV, CP_SCRATCH, CP_MEMS };

/* What the user may choose of the transport; see collperf(1). */
struct cp_verbs_options {
	uint32_t timeout, retry_cnt, mtu, tclass, psn;
	int gid_index;
};

/* A work request id says: receive or not, which link, which message. */
#define CP_WR_RECV	(1ull << 62)
#define CP_WR_LINK	48
#define CP_WR_MESSAGE	((1ull << CP_WR_LINK) - 1)

struct cp_mem {
	char *addr;
	uint64_t len;
	struct ibv_mr *mr;
};

/* A place in a peer's or an own memory. */
struct cp_span {
	enum cp_mem_id mem;
	uint64_t off;
};

/* What a link must remember of a message until it is acknowledged. */
struct cp_sent {
	uint32_t psn;
	uint64_t posted_ns;
};

/**
 * struct cp_link_spec - a link that an algorithm wants
 * @peer: the rank at the other end
 * @peer_link: the link there that is the other end of this one
 * @dir: its name in the timeline
 */
struct cp_link_spec {
	int peer, peer_link;
	const char *dir;
};

/**
 * struct cp_link - a connected queue pair
 * @sent: a ring of @depth entries of the transport, by message number
 * @posted: messages given to the queue pair
 * @acked: of these, acknowledged by the peer
 * @received: messages that have arrived
 * @expected: messages that the algorithm has asked for
 * @psn: of the next packet
 * @raddr: of the peer's memories; 0 if not to be written
 */
struct cp_link {
	struct cp_link_spec spec;
	struct ibv_qp *qp;
	struct cp_sent *sent;
	uint64_t posted, acked, received, expected;
	uint32_t psn, first_psn, peer_qpn, peer_psn;
	char peer_addr[16];
	uint64_t raddr[CP_MEMS];
	uint32_t rkey[CP_MEMS];
};

/**
 * struct cp_transport - a rank's transport
 * @options: what the user chose
 * @oob: the other ranks, and who is still there
 * @state: own part of the board
 * @mtu: bytes of payload in a full packet, the least of all ranks
 * @depth: messages that a link holds, sending and receiving
 * @wait_recv_ns: time slept for messages, all in all
 * @wait_send_ns: time slept for acknowledgements, all in all
 */
struct cp_transport {
	const struct cp_verbs_options *options;
	struct cp_oob *oob;
	struct cp_state *state;
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_comp_channel *channel;
	struct ibv_cq *cq;
	unsigned int cq_events;
	union ibv_gid gid;
	uint8_t gid_index;
	uint32_t mtu;
	uint64_t max_message;
	struct cp_mem mem[CP_MEMS];
	struct cp_link *links;
	int n_links;
	uint32_t depth;
	uint64_t wait_recv_ns, wait_send_ns;
};

/* device.c: the device and its memory */
int cp_device_open(struct cp_transport *tp);
int cp_mem_map(struct cp_transport *tp, enum cp_mem_id id, uint64_t len);
void cp_device_close(struct cp_transport *tp);

/* link.c: queue pairs */
void cp_gid_text(const struct cp_transport *tp, char text[16]);
int cp_links_open(struct cp_transport *tp, const struct cp_link_spec *specs,
		  int n, uint32_t depth);
void cp_links_close(struct cp_transport *tp);

/* transport.c: messages */
int cp_write(struct cp_transport *tp, int link, struct cp_span from,
	     struct cp_span to, uint64_t len, bool signal);
int cp_recv_next(struct cp_transport *tp, int link);
int cp_flush_sends(struct cp_transport *tp, int link);
int cp_recv_post(struct cp_link *link, uint64_t id);
uint64_t cp_wr_id(int link, bool recv, uint64_t message);

/* explain.c: what went wrong, in words */
int cp_explain(struct cp_transport *tp, const struct ibv_wc *wc);

#endif
