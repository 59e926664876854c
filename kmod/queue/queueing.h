/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_QUEUE_QUEUEING_H
#define RF_QUEUE_QUEUEING_H

#include "../port.h"

bool rf_queueing_add(struct rf_port *port, struct sk_buff *skb);
bool rf_queueing_pass(struct rf_port *port, struct sk_buff *skb);
struct sk_buff *rf_queueing_take(struct rf_port *port, u64 *next);
void rf_queueing_purge(struct rf_port *port);

/**
 * rf_queueing_needs_qdisc - check if a configuration makes packets wait
 * @port: the port
 * @conf: its configuration
 *
 * On a netdev without a queue, packets only wait for a link. A netdev with a queue
 * can be busy, and then its packets wait in the queues of their priorities.
 *
 * Return: true if packets have to go through the qdisc.
 */
static inline bool rf_queueing_needs_qdisc(const struct rf_port *port,
					   const struct rf_conf *conf)
{
	return conf->shapes && !(port->dev->priv_flags & IFF_NO_QUEUE &&
				 rf_link_is_none(&conf->link));
}

/**
 * rf_queueing_is_passed - check if rf_queueing_pass() has to be called
 * @port: the port
 *
 * Context: softirq or BH off.
 * Return: true if the port has limits or ECN profiles, but packets go past its
 * qdisc.
 */
static inline bool rf_queueing_is_passed(const struct rf_port *port)
{
	return rf_port_conf(port)->shapes && !READ_ONCE(port->sch->enqueue);
}

/**
 * rf_queueing_wanted - check if packets go through the queues
 * @port: the port
 *
 * Packets don't go through the queues while none is queued and nothing makes
 * packets wait or drops them. After a pause one more dequeue is needed, because
 * the dequeue records the end of the pause.
 *
 * Context: the lock of the qdisc held.
 * Return: true if packets go through the queues.
 */
static inline bool rf_queueing_wanted(const struct rf_port *port)
{
	return rf_port_conf(port)->shapes || port->queue.waiting ||
	       port->queue.passing || port->queue.paused ||
	       rf_in_flight_count(&port->in_flight) ||
	       rf_pfc_any_paused(port->pfc) || rf_pfc_has_frames(port->pfc) ||
	       rf_pfc_drops(port->pfc);
}

/**
 * rf_queueing_is_settled - check if a dequeue before the timer has nothing to do
 * @port: the port
 *
 * Context: the lock of the qdisc held.
 * Return: true if no packet can leave before the time that the last call of
 * rf_queueing_take() set for the next dequeue.
 */
static inline bool rf_queueing_is_settled(const struct rf_port *port)
{
	const struct rf_prioq *q = &port->queue;
	/* Pairs with rf_port_queue(): a kick comes after the change of state. */
	u32 kicks = smp_load_acquire(&q->kicks);

	return q->settled && !q->passing && q->settled_kicks == kicks;
}

/**
 * rf_queueing_is_idle - check if an empty qdisc needs no dequeue
 * @port: the port
 *
 * Context: the lock of the qdisc held.
 * Return: true if no control frame is to be sent, and no priority was paused at
 * the last dequeue.
 */
static inline bool rf_queueing_is_idle(const struct rf_port *port)
{
	return !rf_pfc_has_frames(port->pfc) && !port->queue.paused;
}

#endif
