// SPDX-License-Identifier: GPL-2.0
/*
 * The buffer of a port: what came in by it and waits to leave by another is
 * charged to it, until it leaves the queue. The neighbour there has sent it, so
 * that is who gets XOFF; it keeps what it has then, its own buffers fill, and so
 * on back to the sender.
 *
 * Packets that this host makes came in by no port, and are charged to none.
 *
 * A packet may wait for longer than the port that it came in by lives, so the
 * buffer ends with the last packet in it; it tells nobody anything then.
 */
#include <linux/netdevice.h>
#include <linux/slab.h>
#include <net/net_debug.h>

#include "buffer.h"
#include "../queue/classify.h"
#include "pool.h"
#include "../port.h"
#include "../sch_rdmafault.h"

/**
 * struct rf_account - what a packet is charged to
 * @buffer: the buffer
 * @prio: its priority there
 */
struct rf_account {
	struct rf_buffer *buffer;
	u32 prio;
};

/**
 * struct rf_buffer - the buffer of a port
 * @lock: of all that is below; taken inside the lock of a qdisc
 * @port: the port, NULL when it has ended
 * @packets: that are charged
 * @pool: where they are
 * @held: bit n while the neighbour is told to hold priority n
 * @account: by priority
 * @rcu: who has found the port may still look here
 */
struct rf_buffer {
	spinlock_t lock;
	struct rf_port *port;
	u64 packets;
	struct rf_pool pool;
	unsigned long held;
	struct rf_account account[RDMAFAULT_PRIOS];
	struct rcu_head rcu;
};

static void update_pfc_state(struct rf_buffer *buffer, u32 prio)
{
	struct rf_port *port = buffer->port;

	switch (rf_pool_update_pfc_state(&buffer->pool, rf_port_conf(port), prio)) {
	case RF_POOL_XOFF:
		buffer->held |= BIT(prio);
		rf_xoff_hold(port, RF_XOFF_BUFFER, prio, RDMAFAULT_QUANTA_MAX);
		break;
	case RF_POOL_XON:
		buffer->held &= ~BIT(prio);
		rf_xoff_release(port, RF_XOFF_BUFFER, prio);
		break;
	case RF_POOL_NOTHING:
		break;
	}
}

/* The port that a packet came in by, or NULL. */
static struct rf_port *ingress_port(const struct rf_port *out,
			       const struct sk_buff *skb)
{
	struct net_device *dev;

	if (!skb->skb_iif)
		return NULL;
	dev = dev_get_by_index_rcu(dev_net(out->dev), skb->skb_iif);
	return dev ? rf_sch_port_of(dev) : NULL;
}

static bool charge(struct rf_buffer *buffer, u32 prio, u32 bytes,
		   struct rf_account **account)
{
	const struct rf_conf *conf = rf_port_conf(buffer->port);
	bool held = buffer->held & BIT(prio);
	bool room = rf_pool_take(&buffer->pool, conf, prio, bytes);

	if (room) {
		buffer->packets++;
		*account = &buffer->account[prio];
	}
	if (held)
		rf_xoff_resend(buffer->port, prio);
	else
		update_pfc_state(buffer, prio);
	return room;
}

/**
 * rf_buffer_charge - find room for a packet where it came in
 * @out: the port that it is to leave by
 * @skb: the packet
 * @class: what it is
 * @account: gets what it is charged to, NULL if to nothing
 *
 * The priority is the one that the port says which it came in by; its neighbour
 * knows no other.
 *
 * Context: softirq or BH off; the lock of a qdisc may be held.
 * Return: false if there is no room.
 */
bool rf_buffer_charge(const struct rf_port *out, const struct sk_buff *skb,
		      const struct rf_class *class, struct rf_account **account)
{
	struct rf_port *port = ingress_port(out, skb);
	const struct rf_conf *conf;
	struct rf_buffer *buffer;
	bool room = true;
	u32 prio;

	*account = NULL;
	if (!port || class->band == RF_CONTROL)
		return true;
	conf = rf_port_conf(port);
	if (!conf->buffers)
		return true;
	prio = rf_priority(conf->dscp_prio, class->pcp, class->dscp);
	buffer = port->buffer;
	spin_lock_bh(&buffer->lock);
	if (buffer->port)
		room = charge(buffer, prio, qdisc_pkt_len(skb), account);
	spin_unlock_bh(&buffer->lock);
	return room;
}

/* A priority in its headroom may move to where another has made room. */
static void update_after_release(struct rf_buffer *buffer, u32 prio)
{
	unsigned long concerned = buffer->held | BIT(prio);
	u32 i;

	for_each_set_bit(i, &concerned, RDMAFAULT_PRIOS)
		update_pfc_state(buffer, i);
}

/**
 * rf_buffer_release - a packet waits no more
 * @account: what rf_buffer_charge() has said, or NULL
 * @bytes: its length, as then
 *
 * Context: softirq or process; the lock of a qdisc may be held.
 */
void rf_buffer_release(struct rf_account *account, u32 bytes)
{
	struct rf_buffer *buffer;
	bool last;

	if (!account)
		return;
	buffer = account->buffer;
	spin_lock_bh(&buffer->lock);
	DEBUG_NET_WARN_ON_ONCE(!buffer->packets || buffer->pool.used < bytes);
	rf_pool_give(&buffer->pool, account->prio, bytes);
	buffer->packets--;
	last = !buffer->port && !buffer->packets;
	if (buffer->port)
		update_after_release(buffer, account->prio);
	spin_unlock_bh(&buffer->lock);
	if (last)
		kfree_rcu(buffer, rcu);
}

/**
 * rf_buffer_reapply_config - do as a new configuration says
 * @port: the port, which has it already
 *
 * Context: process, rf_ports_lock held.
 */
void rf_buffer_reapply_config(struct rf_port *port)
{
	struct rf_buffer *buffer = port->buffer;
	u32 i;

	spin_lock_bh(&buffer->lock);
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		update_pfc_state(buffer, i);
	spin_unlock_bh(&buffer->lock);
}

/**
 * rf_buffer_read - how full is a buffer?
 * @port: the port
 *
 * Context: any but hard interrupts.
 * Return: bytes of all priorities.
 */
struct rf_buffer_use rf_buffer_read(struct rf_port *port)
{
	struct rf_buffer *buffer = port->buffer;
	struct rf_buffer_use use;

	spin_lock_bh(&buffer->lock);
	use.used = buffer->pool.used;
	use.peak = buffer->pool.peak;
	spin_unlock_bh(&buffer->lock);
	return use;
}

/**
 * rf_buffer_read_prio - how much of a buffer has a priority?
 * @port: the port
 * @prio: the priority
 *
 * Context: any but hard interrupts.
 * Return: bytes, headroom included.
 */
struct rf_buffer_use rf_buffer_read_prio(struct rf_port *port, u32 prio)
{
	struct rf_buffer *buffer = port->buffer;
	const struct rf_pool_prio *its = &buffer->pool.prio[prio];
	struct rf_buffer_use use;

	spin_lock_bh(&buffer->lock);
	use.used = its->shared + its->headroom;
	use.peak = its->peak;
	spin_unlock_bh(&buffer->lock);
	return use;
}

/**
 * rf_buffer_reset_stats - set the peaks to what is in the buffer
 * @port: the port
 *
 * Context: any but hard interrupts.
 */
void rf_buffer_reset_stats(struct rf_port *port)
{
	struct rf_buffer *buffer = port->buffer;
	struct rf_pool_prio *its;
	u32 i;

	spin_lock_bh(&buffer->lock);
	buffer->pool.peak = buffer->pool.used;
	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		its = &buffer->pool.prio[i];
		its->peak = its->shared + its->headroom;
	}
	spin_unlock_bh(&buffer->lock);
}

/**
 * rf_buffer_init - an empty buffer
 * @port: a new port
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int rf_buffer_init(struct rf_port *port)
{
	struct rf_buffer *buffer;
	u32 i;

	buffer = kzalloc(sizeof(*buffer), GFP_KERNEL_ACCOUNT);
	if (!buffer)
		return -ENOMEM;
	spin_lock_init(&buffer->lock);
	buffer->port = port;
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		buffer->account[i] = (struct rf_account){ buffer, i };
	port->buffer = buffer;
	return 0;
}

/**
 * rf_buffer_end - charge no more to it; it is freed when it is empty
 * @port: a port that ends, and is freed after a grace period
 *
 * Context: process.
 */
void rf_buffer_end(struct rf_port *port)
{
	struct rf_buffer *buffer = port->buffer;
	bool last;

	spin_lock_bh(&buffer->lock);
	buffer->port = NULL;
	last = !buffer->packets;
	spin_unlock_bh(&buffer->lock);
	if (last)
		kfree_rcu(buffer, rcu);
}
