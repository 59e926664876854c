// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz the parser of frames. The first byte of the input is the length of the frame's
 * linear part. The result must depend neither on this length nor on bytes after the end of
 * the packet. The packet must be within the frame, and the ICRC must cover the right bytes.
 */
#include <linux/if_ether.h>
#include <linux/skbuff.h>

#include "fuzz.h"

#include "../../kmod/queue/classify.c"
#include "../../kmod/rocev2/icrc.c"
#include "../../kmod/rocev2/opcode.c"
#include "../../kmod/rocev2/packet.c"

#define NET_IP_ALIGN 2		/* bytes before a frame, to align its IP header */

struct frame {
	struct sk_buff skb;
	uint8_t *memory;
};

/* Whether frame_make() makes GSO packets */
static bool is_uncut;

/* Make an skb of @len bytes in memory of exactly its length. */
static void frame_make(struct frame *f, const uint8_t *data, size_t len,
		       size_t linear)
{
	f->memory = malloc(NET_IP_ALIGN + len);
	must(f->memory);
	if (len)
		memcpy(f->memory + NET_IP_ALIGN, data, len);
	f->skb = (struct sk_buff){
		.data = f->memory + NET_IP_ALIGN, .len = len,
		.linear = linear < len ? linear : len, .vlan_prio = -1,
		.gso = is_uncut,
	};
}

/* The priority at the ingress port must be the same as that of the unchanged packet later. */
static void arrives(struct sk_buff *skb, __be16 type, const struct rf_conf *conf,
		    const struct rf_class *class)
{
	static const struct rf_class other;

	must(!rf_class_arrived(skb, conf, &other));
	skb->protocol = type;
	rf_class_arrive(skb, conf);
	must(rf_class_arrived(skb, conf, &other) ==
	     rf_priority(conf->dscp_prio, class->pcp, class->dscp));
}

/* Parse a frame as at the ingress hook, where data begins after the Ethernet header. */
static enum rf_seen look(const uint8_t *data, size_t len, size_t linear,
			 struct rf_pkt *pkt, struct rf_class *class)
{
	static const struct rf_conf conf = {
		.dscp_prio = { [26] = 3, [46] = 5, [63] = 7 },
	};
	struct rf_headers headers;
	enum rf_seen seen;
	struct frame f;
	__be16 type;

	frame_make(&f, data, len, linear);
	memcpy(&type, f.skb.data + offsetof(struct ethhdr, h_proto), sizeof(type));
	/* If the frame is not RoCEv2, the parser leaves the result unset. */
	memset(pkt, 0, sizeof(*pkt));
	seen = rf_packet_find(&f.skb, ETH_HLEN, type, &headers);
	if (seen == RF_SEEN_ROCE)
		rf_packet_read(&f.skb, &headers, conf.dscp_prio, pkt);
	rf_classify(&f.skb, &conf, class);
	arrives(&f.skb, type, &conf, class);
	free(f.memory);
	return seen;
}

/* A GSO packet must never be recognised as RoCEv2. */
static void uncut_is_none(const uint8_t *data, size_t len)
{
	struct rf_class class;
	enum rf_seen seen;
	struct rf_pkt pkt;

	is_uncut = true;
	seen = look(data, len, len, &pkt, &class);
	is_uncut = false;
	must(seen == RF_SEEN_OTHER || seen == RF_SEEN_MALFORMED);
}

static void same_class(const struct rf_class *a, const struct rf_class *b)
{
	must(a->band == b->band && a->ip == b->ip && a->pcp == b->pcp);
	must(a->protocol == b->protocol && a->dscp == b->dscp);
	must(a->ecn == b->ecn);
}

static void agree(const struct rf_pkt *pkt, const struct rf_class *class)
{
	bool cnp = pkt->desc.classes == RDMAFAULT_CLASS_CNP ||
		   pkt->desc.opcode == BTH_OPCODE_CNP;

	must(class->band == (cnp ? RF_CONTROL : pkt->desc.priority));
	must(class->ip == pkt->ip && class->dscp == pkt->desc.dscp);
	must(class->ecn == pkt->desc.ecn);
}

static uint32_t icrc(const uint8_t *ip, const struct rf_pkt *pkt)
{
	return rf_icrc(ip, pkt->udp - pkt->ip, pkt->end - pkt->ip - RF_ICRC_LEN);
}

/* The ICRC must not cover the fields that a router may change, and must cover the rest. */
static void icrc_covers(const uint8_t *data, const struct rf_pkt *pkt)
{
	size_t len = pkt->end - pkt->ip - RF_ICRC_LEN;
	uint8_t *ip = malloc(len);
	uint32_t crc;

	must(ip);
	memcpy(ip, data + pkt->ip, len);
	crc = icrc(ip, pkt);
	ip[1] ^= ip[0] >> 4 == 4 ? 0xff : 0xf0;
	ip[pkt->udp - pkt->ip + 7] ^= 0xff;
	ip[pkt->bth - pkt->ip + 4] ^= 0xff;
	must(icrc(ip, pkt) == crc);
	ip[len - 1] ^= 1;
	must(icrc(ip, pkt) != crc);
	free(ip);
}

static void look_at(const uint8_t *data, size_t len, const struct rf_pkt *pkt)
{
	const struct rf_desc *d = &pkt->desc;

	must(pkt->ip >= ETH_HLEN && pkt->ip < pkt->udp && pkt->end <= len);
	must(pkt->bth == pkt->udp + sizeof(struct udphdr));
	must(pkt->bth + d->headers + d->payload + d->pad + RF_ICRC_LEN == pkt->end);
	must(d->addr_len == 4 || d->addr_len == 16);
	must(d->priority < RDMAFAULT_PRIOS && d->dscp < 64 && d->ecn < 4);
	must(d->len == pkt->end - pkt->ip);
	must(!d->cm || (d->qp == RF_QP_GSI && !(d->cm & (d->cm - 1))));
	icrc_covers(data, pkt);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rf_class class, again_class;
	struct rf_pkt pkt, again;
	enum rf_seen seen;
	size_t linear;

	if (size < 1 + ETH_HLEN)
		return 0;
	linear = *data++;
	size--;
	seen = look(data, size, size, &pkt, &class);
	must(look(data, size, linear, &again, &again_class) == seen);
	must(!memcmp(&pkt, &again, sizeof(pkt)));
	same_class(&class, &again_class);
	uncut_is_none(data, size);
	if (seen != RF_SEEN_ROCE)
		return 0;
	agree(&pkt, &class);
	look_at(data, size, &pkt);
	must(look(data, pkt.end, linear, &again, &again_class) == seen);
	must(!memcmp(&pkt, &again, sizeof(pkt)));
	must(look(data, pkt.end - 1, linear, &again, &again_class) ==
	     RF_SEEN_MALFORMED);
	return 0;
}
