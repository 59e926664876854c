/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What happens to a packet in the queues of a port: its class, the order of the priorities,
 * ECN profiles and the link. Nothing here needs a qdisc, so that unit tests can include it.
 */
#ifndef RF_QUEUE_SCHED_H
#define RF_QUEUE_SCHED_H

#include <linux/compiler.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/skbuff.h>
#include <net/sch_generic.h>

#include "config.h"

/* The bands of a port: one queue per priority, and the control band before them */
#define RF_CONTROL	RDMAFAULT_PRIOS
#define RF_BANDS	(RDMAFAULT_PRIOS + 1)

/**
 * struct rf_ready - the first packets of the bands that can send
 * @bands: bit n if band n can send; the other members are only set for these bands
 * @eligible: from when on the first packet of the band could have been sent
 * @bytes: its length
 */
struct rf_ready {
	u32 bands;
	u64 eligible[RF_BANDS];
	u32 bytes[RF_BANDS];
};

/**
 * struct rf_dwrr - the state of deficit round robin between the ETS priorities
 * @deficit: bytes that a priority can send before its turn ends
 * @turn: the priority whose turn it is
 */
struct rf_dwrr {
	u64 deficit[RDMAFAULT_PRIOS];
	u32 turn;
};

/**
 * struct rf_class - class of a packet
 * @band: its priority, or RF_CONTROL
 * @ip: offset of the header after the VLAN tags from skb->data
 * @protocol: EtherType of this header
 * @pcp: priority of the outermost VLAN tag, negative if there is none
 * @dscp: DSCP, 0 if the packet isn't IP
 * @ecn: ECN field, 0 if the packet isn't IP
 */
struct rf_class {
	u32 band;
	int ip;
	__be16 protocol;
	int pcp;
	u8 dscp;
	u8 ecn;
};

#define RF_ECN_AVERAGE_SHIFT	20

/**
 * struct rf_ecn_state - the state of the ECN profile of a priority
 * @average: average length of the queue, in units of 2^-20 bytes
 * @phantom: length of the phantom queue at @phantom_at, in units of 10^-9 bits
 * @phantom_at: a time in nanoseconds
 * @serial: number of packets so far
 * @draw_port: rf_draw_port() of the port's name
 */
struct rf_ecn_state {
	u64 average;
	u64 phantom;
	u64 phantom_at;
	u64 serial;
	u64 draw_port;
};

/**
 * enum rf_ecn_action - what is done with a packet that the ECN profile selects
 * @RF_ECN_LEAVE: nothing
 * @RF_ECN_MARK: set CE
 * @RF_ECN_DROP: drop the packet
 */
enum rf_ecn_action {
	RF_ECN_LEAVE,
	RF_ECN_MARK,
	RF_ECN_DROP,
};

/*
 * The longest delay of a timer, in nanoseconds, that the link makes up for. After
 * a longer one, for example of a suspended machine, there is no burst.
 */
#define RF_LINK_CATCH_UP	(10ULL * 1000 * 1000)

/*
 * The same limits as those of the delay queue. While the in-flight queue is full,
 * packets stay in the queues of their priorities, and none is dropped.
 */
#define RF_IN_FLIGHT_PACKETS	16384
#define RF_IN_FLIGHT_BYTES	(64ULL << 20)

/**
 * struct rf_link_state - the state of the sending end of a link
 * @free_at: when the last bit of the last packet has been sent; all times are in
 *	nanoseconds of one clock
 * @arrival: when the last packet arrives at the other end
 * @rest: remainder of the last division by the rate, in bits * 10^9
 * @serial: number of packets sent
 * @draw_port: rf_draw_port() of the port's name
 */
struct rf_link_state {
	u64 free_at;
	u64 arrival;
	u64 rest;
	u64 serial;
	u64 draw_port;
};

/**
 * struct rf_in_flight - the packets on the link of a port
 * @fifo: the packets, in the order of their arrival
 * @link: the state of the sending end
 * @bytes: length of all packets
 *
 * Protected by the lock of the port's qdisc. The number of packets and @bytes are
 * also read without it.
 */
struct rf_in_flight {
	struct qdisc_skb_head fifo;
	struct rf_link_state link;
	u64 bytes;
};

/* classify.c */
void rf_classify(const struct sk_buff *skb, const struct rf_conf *conf,
		 struct rf_class *class);
void rf_class_arrive(struct sk_buff *skb, const struct rf_conf *conf);
u32 rf_class_arrived(const struct sk_buff *skb, const struct rf_conf *conf,
		     const struct rf_class *class);

/* sched.c */
u64 rf_ready_eligible(const struct rf_ready *ready);
void rf_ready_filter(struct rf_ready *ready, u64 time);
u32 rf_sched_next(struct rf_dwrr *dwrr, const struct rf_conf *conf,
		  const struct rf_ready *ready, u32 mtu);

/* ecn.c: the lock of the qdisc held */
u64 rf_ecn_virtual_queue(struct rf_ecn_state *state,
			 const struct rf_ecn_conf *conf, u64 backlog, u32 bytes,
			 u64 now);
u64 rf_ecn_probability(const struct rf_ecn_conf *conf, u64 queue);
enum rf_ecn_action rf_ecn_action(const struct rf_ecn_conf *conf, u32 ecn);
enum rf_ecn_action rf_ecn_select(const struct rf_ecn_state *state,
				 const struct rf_conf *conf, u32 prio, u64 queue,
				 u32 ecn);

/* link.c: the lock of the qdisc held */
u64 rf_link_send(struct rf_link_state *state, const struct rf_link_conf *link,
		 u32 bytes, u64 begin);
bool rf_in_flight_enqueue(struct rf_in_flight *in_flight,
			  const struct rf_link_conf *link, struct sk_buff *skb,
			  u64 begin, u64 now);
struct sk_buff *rf_in_flight_dequeue(struct rf_in_flight *in_flight, u64 now);
void rf_in_flight_purge(struct rf_in_flight *in_flight);

/**
 * rf_ecn_queue - compute the queue length for a packet that arrives
 * @state: the state of the profile in this priority; updated
 * @conf: the ECN profile
 * @backlog: bytes queued in the priority
 * @bytes: length of the packet with the overhead of the link
 * @now: the time in nanoseconds; only used with a phantom queue, like @bytes
 *
 * Context: any, the lock of the qdisc held.
 * Return: the queue length in bytes.
 */
static inline u64 rf_ecn_queue(struct rf_ecn_state *state,
			       const struct rf_ecn_conf *conf, u64 backlog,
			       u32 bytes, u64 now)
{
	state->serial++;
	if (unlikely(conf->phantom || conf->weight))
		return rf_ecn_virtual_queue(state, conf, backlog, bytes, now);
	state->average = backlog << RF_ECN_AVERAGE_SHIFT;
	return backlog;
}

/**
 * rf_link_is_none - check if a link changes nothing
 * @link: the link
 *
 * Return: true if it has neither rate nor delay nor jitter.
 */
static inline bool rf_link_is_none(const struct rf_link_conf *link)
{
	return !(link->rate | link->delay | link->jitter);
}

/**
 * rf_link_begin - compute when the link begins to send a packet
 * @state: the state of the link
 * @eligible: when the packet could have been sent if the link had been free
 * @now: the time, not before @eligible
 *
 * Return: the time.
 */
static inline u64 rf_link_begin(const struct rf_link_state *state, u64 eligible,
				u64 now)
{
	u64 begin = now > RF_LINK_CATCH_UP ? now - RF_LINK_CATCH_UP : 0;

	begin = max(begin, eligible);
	return max(begin, state->free_at);
}

/**
 * rf_in_flight_count - get the number of packets on the link
 * @in_flight: the in-flight queue
 *
 * Context: any. Without the lock of the qdisc the number can change at any time.
 * Return: the number.
 */
static inline u32 rf_in_flight_count(const struct rf_in_flight *in_flight)
{
	return READ_ONCE(in_flight->fifo.qlen);
}

/**
 * rf_in_flight_bytes - compute the length of a packet on the link
 * @skb: the packet
 * @overhead: bytes that the link adds to each frame; a GSO packet becomes several
 *	frames
 *
 * Return: the length with the overhead, in bytes.
 */
static inline u32 rf_in_flight_bytes(const struct sk_buff *skb, u32 overhead)
{
	u32 frames = skb_is_gso(skb) ? skb_shinfo(skb)->gso_segs : 1;

	return qdisc_pkt_len(skb) + overhead * max(frames, 1u);
}

/**
 * rf_in_flight_free_at - get the time at which the link can send a packet
 * @in_flight: the in-flight queue
 *
 * Context: the lock of the qdisc held.
 * Return: the time; U64_MAX if the in-flight queue is full.
 */
static inline u64 rf_in_flight_free_at(const struct rf_in_flight *in_flight)
{
	if (unlikely(in_flight->fifo.qlen >= RF_IN_FLIGHT_PACKETS ||
		     in_flight->bytes >= RF_IN_FLIGHT_BYTES))
		return U64_MAX;
	return in_flight->link.free_at;
}

/* The time at which a packet in the in-flight queue arrives, in its control buffer */
static inline u64 *rf_in_flight_arrival(const struct sk_buff *skb)
{
	qdisc_cb_private_validate(skb, sizeof(u64));
	return (u64 *)qdisc_skb_cb(skb)->data;
}

/**
 * rf_in_flight_next - get the time at which the next packet arrives
 * @in_flight: the in-flight queue
 *
 * Context: the lock of the qdisc held.
 * Return: the time; U64_MAX if no packet is on the link.
 */
static inline u64 rf_in_flight_next(const struct rf_in_flight *in_flight)
{
	const struct sk_buff *skb = in_flight->fifo.head;

	return skb ? *rf_in_flight_arrival(skb) : U64_MAX;
}

#endif
