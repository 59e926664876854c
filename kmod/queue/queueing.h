/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_QUEUE_QUEUEING_H
#define RF_QUEUE_QUEUEING_H

#include "../port.h"

bool rf_queueing_add(struct rf_port *port, struct sk_buff *skb);
struct sk_buff *rf_queueing_take(struct rf_port *port, u64 *next);
void rf_queueing_purge(struct rf_port *port);

/**
 * rf_queueing_wanted - do packets go through the queues?
 * @port: the port
 *
 * While nothing makes them wait or drops them and none waits, they don't. What was
 * paused when we looked last has to be looked at once more, for its end is seen there.
 *
 * Context: the lock of the qdisc held.
 * Return: true if they do.
 */
static inline bool rf_queueing_wanted(const struct rf_port *port)
{
	return rf_port_conf(port)->shapes || port->queue.waiting ||
	       port->queue.paused || rf_in_flight_count(&port->in_flight) || rf_pause_any(port) ||
	       rf_control_any(port) || rf_watchdog_drops(port);
}

/**
 * rf_queueing_is_idle - is there nothing to look at while nothing waits?
 * @port: the port
 *
 * Context: the lock of the qdisc held.
 * Return: true if no frame of the port's own is to be sent, and no priority was
 * paused when we looked last.
 */
static inline bool rf_queueing_is_idle(const struct rf_port *port)
{
	return !rf_control_any(port) && !port->queue.paused;
}

#endif
