/* SPDX-License-Identifier: GPL-2.0 */
/*
 * As much of an skb as the rooms need that read packets, for user space: bytes,
 * of which only the first ones lie in one piece. Who asks for others gets a copy,
 * as from the kernel's function of that name.
 */
#ifndef RF_FUZZ_SKBUFF_H
#define RF_FUZZ_SKBUFF_H

#include <arpa/inet.h>
#include <linux/types.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <string.h>

#define __packed __attribute__((packed))
/* There, the compiler zeroes what is on the stack */
#define __uninitialized

struct sk_buff {
	const unsigned char *data;
	unsigned int len;
	unsigned int linear;	/* bytes that lie in one piece */
	int vlan_prio;		/* of the tag beside the data; negative: none */
	bool gso;		/* more than one packet */
};

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
