/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Replaces <net/sch_generic.h> in user space: the list of packets and the control buffer
 * of a qdisc.
 */
#ifndef RF_FUZZ_SCH_GENERIC_H
#define RF_FUZZ_SCH_GENERIC_H

#include <linux/skbuff.h>

struct qdisc_skb_cb {
	unsigned int pkt_len;
	char data[32] __attribute__((aligned(8)));
};

struct qdisc_skb_head {
	struct sk_buff *head, *tail;
	unsigned int qlen;
};

#define qdisc_cb_private_validate(skb, size)	((void)(skb))

static inline struct qdisc_skb_cb *qdisc_skb_cb(const struct sk_buff *skb)
{
	return (struct qdisc_skb_cb *)skb->cb;
}

static inline unsigned int qdisc_pkt_len(const struct sk_buff *skb)
{
	return qdisc_skb_cb(skb)->pkt_len;
}

static inline void __qdisc_enqueue_tail(struct sk_buff *skb, struct qdisc_skb_head *list)
{
	skb->next = NULL;
	if (list->tail)
		list->tail->next = skb;
	else
		list->head = skb;
	list->tail = skb;
	list->qlen++;
}

static inline struct sk_buff *__qdisc_dequeue_head(struct qdisc_skb_head *list)
{
	struct sk_buff *skb = list->head;

	list->head = skb->next;
	if (!list->head)
		list->tail = NULL;
	list->qlen--;
	return skb;
}

static inline void rtnl_kfree_skbs(struct sk_buff *head, struct sk_buff *tail)
{
	(void)tail;
	kfree_skb_list(head);
}

#endif
