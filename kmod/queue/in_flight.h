/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_QUEUE_INFLIGHT_H
#define RF_QUEUE_INFLIGHT_H

#include <net/sch_generic.h>

#include "link.h"

/**
 * struct rf_line - what is on the wire behind a port
 * @fifo: the packets, by the time of their arrival
 * @wire: its sending end
 * @bytes: of the packets
 *
 * Under the lock of the port's qdisc; the counts may be read without.
 */
struct rf_line {
	struct qdisc_skb_head fifo;
	struct rf_wire wire;
	u64 bytes;
};

u32 rf_line_bytes(const struct sk_buff *skb, u32 overhead);
u64 rf_line_free_at(const struct rf_line *line);
bool rf_line_send(struct rf_line *line, const struct rf_link_conf *link,
		  struct sk_buff *skb, u64 begin, u64 now);
struct sk_buff *rf_line_pop(struct rf_line *line, u64 now);
u64 rf_line_next(const struct rf_line *line);
void rf_line_purge(struct rf_line *line);

/**
 * rf_line_count - how many packets are on the wire
 * @line: the line
 *
 * Context: any; the number may be old when it arrives.
 * Return: the number.
 */
static inline u32 rf_line_count(const struct rf_line *line)
{
	return READ_ONCE(line->fifo.qlen);
}

#endif
