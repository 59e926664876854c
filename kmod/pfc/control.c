// SPDX-License-Identifier: GPL-2.0
/*
 * The control band: frames that the port makes itself, PFC above all. They
 * leave before all priorities, and no pause stops them. Who has one puts it
 * here, in whatever context, and wakes the qdisc, which takes it out.
 *
 * Frames that wait for long say what is no longer so: of too many, the oldest
 * are let go.
 */
#include "control.h"
#include "../port.h"

#define FRAMES	256

/**
 * rf_control_send - put a frame into the control band
 * @port: the port
 * @skb: the frame from its MAC header on, with its headers set; the band owns
 *	it now
 *
 * Context: any; no lock of the caller may be one that dequeue takes around
 * rf_control_take().
 */
void rf_control_send(struct rf_port *port, struct sk_buff *skb)
{
	struct rf_control *control = &port->control;
	struct sk_buff *old = NULL;
	unsigned long flags;

	spin_lock_irqsave(&control->lock, flags);
	if (control->closed) {
		old = skb;
	} else {
		if (skb_queue_len(&control->list) >= FRAMES)
			old = __skb_dequeue(&control->list);
		__skb_queue_tail(&control->list, skb);
		rf_port_kick(port);
	}
	spin_unlock_irqrestore(&control->lock, flags);
	if (old)
		dev_kfree_skb_any(old);
}

/**
 * rf_control_take - take a frame out of the control band
 * @port: the port
 *
 * Context: softirq or BH off.
 * Return: the frame, which is about to go onto the wire, or NULL.
 */
struct sk_buff *rf_control_take(struct rf_port *port)
{
	struct rf_control *control = &port->control;
	struct sk_buff *skb;
	unsigned long flags;

	if (skb_queue_empty_lockless(&control->list))
		return NULL;
	spin_lock_irqsave(&control->lock, flags);
	skb = __skb_dequeue(&control->list);
	spin_unlock_irqrestore(&control->lock, flags);
	return skb;
}

/**
 * rf_control_revise - look through the frames that wait
 * @port: the port
 * @keep: may change a frame; false lets go of it
 * @arg: for @keep
 *
 * Context: any, as rf_control_send().
 */
void rf_control_revise(struct rf_port *port,
		       bool (*keep)(struct rf_port *port, struct sk_buff *skb,
				    u32 arg), u32 arg)
{
	struct rf_control *control = &port->control;
	struct sk_buff *skb, *next;
	unsigned long flags;

	spin_lock_irqsave(&control->lock, flags);
	skb_queue_walk_safe(&control->list, skb, next) {
		if (keep(port, skb, arg))
			continue;
		__skb_unlink(skb, &control->list);
		dev_kfree_skb_any(skb);
	}
	spin_unlock_irqrestore(&control->lock, flags);
}

static void purge(struct rf_control *control, bool close)
{
	struct sk_buff_head all;
	unsigned long flags;
	struct sk_buff *skb;

	__skb_queue_head_init(&all);
	spin_lock_irqsave(&control->lock, flags);
	skb_queue_splice_init(&control->list, &all);
	control->closed |= close;
	spin_unlock_irqrestore(&control->lock, flags);
	while ((skb = __skb_dequeue(&all)))
		dev_kfree_skb_any(skb);
}

/**
 * rf_control_purge - free all frames
 * @port: the port
 *
 * Context: any.
 */
void rf_control_purge(struct rf_port *port)
{
	purge(&port->control, false);
}

/**
 * rf_control_close - free all frames and take no more; wake the port no more
 * @port: the port
 *
 * Context: any.
 */
void rf_control_close(struct rf_port *port)
{
	purge(&port->control, true);
}

/**
 * rf_control_init - an empty band
 * @port: a new port
 *
 * Context: any.
 */
void rf_control_init(struct rf_port *port)
{
	spin_lock_init(&port->control.lock);
	__skb_queue_head_init(&port->control.list);
}
