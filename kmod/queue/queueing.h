/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_QUEUE_QUEUEING_H
#define RF_QUEUE_QUEUEING_H

#include "../port.h"

bool rf_queueing_add(struct rf_port *port, struct sk_buff *skb);
struct sk_buff *rf_queueing_take(struct rf_port *port, u64 *next);
void rf_queueing_purge(struct rf_port *port);

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
	       port->queue.paused || rf_in_flight_count(&port->in_flight) || rf_pause_any(port) ||
	       rf_control_any(port) || rf_watchdog_drops(port);
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
	return !rf_control_any(port) && !port->queue.paused;
}

#endif
