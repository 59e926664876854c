/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Replaces <linux/skbuff.h> in user space: the part of an skb that the parsers of packets
 * and the delay queue need. An skb has bytes, of which only the first ones are linear;
 * skb_header_pointer() copies the others, as in the kernel.
 */
#ifndef RF_FUZZ_SKBUFF_H
#define RF_FUZZ_SKBUFF_H

#include <arpa/inet.h>
#include <linux/mm.h>
#include <linux/rbtree.h>
#include <linux/types.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define __packed __attribute__((packed))
/* In the kernel this exempts a variable from being zeroed by the compiler. */
#define __uninitialized

#define sizeof_field(type, member) sizeof(((type *)0)->member)

struct net_device;

struct sk_buff {
	union {
		struct {
			struct sk_buff *next, *prev;
			struct net_device *dev;
		};
		struct rb_node rbnode;
	};
	char cb[48] __attribute__((aligned(8)));
	const unsigned char *data;
	unsigned int len;
	unsigned int truesize;	/* memory that the skb takes */
	unsigned int linear;	/* bytes of the linear part */
	int vlan_prio;		/* priority of the VLAN tag in the skb's metadata; -1: no tag */
	bool gso;		/* more than one packet */
	bool encapsulation;
	__be16 protocol;
	__be16 inner_protocol;
};

struct skb_shared_info {
	unsigned short gso_segs;
};

/* A GSO packet has two segments. */
static const struct skb_shared_info skb_shared_gso = { .gso_segs = 2 };

#define skb_shinfo(skb)	((void)(skb), &skb_shared_gso)

#define rb_to_skb(node)	rb_entry(node, struct sk_buff, rbnode)

/* An skb has no socket. */
#define skb_orphan(skb)	((void)(skb))

static inline void kfree_skb_list(struct sk_buff *skb)
{
	struct sk_buff *next;

	for (; skb; skb = next) {
		next = skb->next;
		free(skb);
	}
}

static inline unsigned int skb_headlen(const struct sk_buff *skb)
{
	return skb->linear;
}

/* The network header follows the Ethernet header. */
#define skb_network_offset(skb)	((void)(skb), 14)

static inline bool skb_is_gso(const struct sk_buff *skb)
{
	return skb->gso;
}

static inline void *skb_header_pointer(const struct sk_buff *skb, int offset,
				       int len, void *copy)
{
	if (offset < 0 || len < 0 || (unsigned int)offset > skb->len ||
	    (unsigned int)len > skb->len - offset)
		return NULL;
	if ((unsigned int)offset + len <= skb->linear)
		return (void *)(skb->data + offset);
	return memcpy(copy, skb->data + offset, len);
}

#endif
