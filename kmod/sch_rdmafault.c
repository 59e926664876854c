// SPDX-License-Identifier: GPL-2.0
/*
 * The qdisc kind "rdmafault": it makes a port of its netdev, asks the port's
 * rules about each packet that leaves, and lets it wait as the port is told.
 *
 * enqueue() counts the packet, asks the rules if there are any, and appends
 * the packet to the queue, unless it goes into the hold. dequeue() takes the
 * head. What is due in the hold goes to the queue first, so the queue is in the
 * order of time.
 *
 * The queue is a plain FIFO as long as nothing makes a packet wait, and the
 * eight priorities of queueing.c else. What is in the FIFO when that begins goes
 * there first, and the FIFO is used again when nothing waits there any more, so
 * no packet overtakes another of its priority.
 *
 * While nothing concerns them, packets go past all this: see bypass.c.
 *
 * The watchdog lets dequeue() be called when the next packet is due, wherever it
 * is. q.qlen and the backlog count all that waits.
 *
 * The law of this file: no loss is visible to the sender. rdma_rxe takes any
 * other answer than success for a local error; until 6.9 it sends the packet
 * again at once and for as long as that lasts, from 6.10 on it moves the queue
 * pair to the error state. So a packet that a rule drops, and one that finds
 * the queue full, is answered with success, as a wire would.
 *
 * Not a goal: qdiscs below this one. It must be the root, for a port has one
 * queue that all packets pass.
 */
#include <linux/capability.h>
#include <linux/if_arp.h>
#include <linux/if_ether.h>
#include <net/pkt_sched.h>

#include "netlink/family.h"
#include "port.h"
#include "queue/queueing.h"
#include "sch_options.h"
#include "sch_rdmafault.h"

/*
 * On veth and most NICs the queue is empty nearly always; it grows when the
 * driver is busy. rxe has 64 packets in flight per queue pair, so this is room
 * for some 150 busy queue pairs on one port.
 */
#define RF_SCH_LIMIT	10000

/**
 * struct rf_sched - private data of the qdisc
 * @port: the port
 * @watchdog: wakes the qdisc when a packet is due
 * @held: packets in the hold, as far as they are in q.qlen
 * @held_bytes: their bytes, as far as they are in the backlog
 */
struct rf_sched {
	struct rf_port *port;
	struct qdisc_watchdog watchdog;
	u32 held;
	u64 held_bytes;
};

/* Lost, and the sender is told that it went out. */
static int rf_vanish(struct sk_buff *skb, struct Qdisc *sch,
		     struct sk_buff **to_free)
{
	qdisc_qstats_drop(sch);
	__qdisc_drop(skb, to_free);
	return NET_XMIT_SUCCESS | __NET_XMIT_BYPASS;
}

/* What the hold has got or lost since the last time. */
static void rf_sch_count_held(struct Qdisc *sch)
{
	struct rf_sched *q = qdisc_priv(sch);
	struct rf_delayq *delayq = &q->port->dir[RF_TX].delayq;

	sch->q.qlen += delayq->count - q->held;
	sch->qstats.backlog += delayq->bytes - q->held_bytes;
	q->held = delayq->count;
	q->held_bytes = delayq->bytes;
}

/* To the priorities; one that finds no room there vanishes. */
static void rf_sch_queue(struct Qdisc *sch, struct sk_buff *skb)
{
	struct rf_sched *q = qdisc_priv(sch);

	if (rf_queueing_add(q->port, skb))
		return;
	qdisc_qstats_drop(sch);
	kfree_skb(skb);
}

static void rf_sch_release(struct Qdisc *sch, bool queueing)
{
	struct rf_sched *q = qdisc_priv(sch);
	struct rf_delayq *delayq = &q->port->dir[RF_TX].delayq;
	struct sk_buff *skb;

	if (likely(!rf_delayq_count(delayq)))
		return;
	while ((skb = rf_delayq_dequeue(delayq))) {
		if (queueing)
			rf_sch_queue(sch, skb);
		else
			qdisc_enqueue_tail(skb, sch);
	}
	rf_sch_count_held(sch);
}

/* From the FIFO to the priorities, which isn't yet onto the wire. */
static void rf_sch_move(struct Qdisc *sch)
{
	struct sk_buff *skb = __qdisc_dequeue_head(&sch->q);

	qdisc_qstats_backlog_dec(sch, skb);
	rf_sch_queue(sch, skb);
}

/* What came before a packet that comes now stands before it then. */
static bool rf_sch_gather(struct Qdisc *sch)
{
	struct rf_sched *q = qdisc_priv(sch);
	bool queueing = rf_queueing_wanted(q->port);

	while (unlikely(queueing && sch->q.head))
		rf_sch_move(sch);
	rf_sch_release(sch, queueing);
	return queueing;
}

static void rf_sch_wake(struct rf_dir *dir, u64 ns)
{
	qdisc_watchdog_schedule_ns(dir->port->watchdog, ns);
}

static enum rf_verdict rf_sch_inspect(struct rf_dir *dir,
				      struct sk_buff *skb, u64 came)
{
	struct ethhdr copy __uninitialized;
	const struct ethhdr *eth;

	/* An Ethernet header stands at skb->data, set up by the caller. */
	eth = skb_header_pointer(skb, 0, sizeof(copy), &copy);
	if (!eth)
		return RF_PASS;
	return rf_port_inspect(dir, skb, ETH_HLEN, eth->h_proto, came);
}

/* As the core counts them, those that go past enqueue() too. */
static u32 rf_frames(const struct sk_buff *skb)
{
	return skb_is_gso(skb) ? skb_shinfo(skb)->gso_segs : 1;
}

static int rf_sch_enqueue(struct sk_buff *skb, struct Qdisc *sch,
			  struct sk_buff **to_free)
{
	struct rf_sched *q = qdisc_priv(sch);
	struct rf_dir *dir = &q->port->dir[RF_TX];
	enum rf_verdict verdict = RF_PASS;
	u64 came = rf_dir_time(dir);
	bool queueing;

	if (unlikely(q->port->bypass.on))
		rf_bypass_leave(q->port);
	rf_stats_add2(dir->stats, RF_STAT_PACKETS, rf_frames(skb),
		      qdisc_pkt_len(skb));
	queueing = rf_sch_gather(sch);
	if (rf_dir_is_armed(dir, RF_TX)) {
		verdict = rf_sch_inspect(dir, skb, came);
		if (rf_delayq_count(&dir->delayq) != q->held)
			rf_sch_count_held(sch);
	}
	if (verdict == RF_DELAYED)
		return NET_XMIT_SUCCESS;
	if (verdict == RF_PASS && queueing && rf_queueing_add(q->port, skb))
		return NET_XMIT_SUCCESS;
	if (verdict == RF_DROP || queueing || sch->q.qlen - q->held >= sch->limit)
		return rf_vanish(skb, sch, to_free);
	return qdisc_enqueue_tail(skb, sch);
}

/* With nothing in front of it, a held packet needn't go through the queue. */
static struct sk_buff *rf_sch_dequeue_held(struct Qdisc *sch)
{
	struct rf_sched *q = qdisc_priv(sch);
	struct rf_delayq *delayq = &q->port->dir[RF_TX].delayq;
	struct sk_buff *skb;

	if (likely(!rf_delayq_count(delayq)))
		return NULL;
	skb = rf_delayq_dequeue(delayq);
	if (!skb) {
		rf_delayq_schedule(delayq);
		return NULL;
	}
	rf_sch_count_held(sch);
	qdisc_bstats_update(sch, skb);
	return skb;
}

static struct sk_buff *rf_sch_dequeue_queued(struct Qdisc *sch)
{
	struct rf_sched *q = qdisc_priv(sch);
	struct sk_buff *skb;
	u64 next;

	rf_sch_gather(sch);
	skb = rf_queueing_take(q->port, &next);
	if (skb) {
		qdisc_bstats_update(sch, skb);
		return skb;
	}
	next = min(next, rf_delayq_next(&q->port->dir[RF_TX].delayq));
	if (next != U64_MAX)
		qdisc_watchdog_schedule_ns(&q->watchdog, next);
	return NULL;
}

/*
 * From 6.12 on, rxe puts into each packet the monotonic time at which it was
 * made. What leaves here arrives as from a wire: with no time but that of its
 * arrival, which a capture at the far side then shows.
 */
static struct sk_buff *rf_sch_dequeue(struct Qdisc *sch)
{
	struct rf_sched *q = qdisc_priv(sch);
	struct sk_buff *skb;

	if (unlikely(q->port->bypass.on))
		rf_bypass_leave(q->port);
	if (!sch->q.qlen && rf_queueing_is_idle(q->port)) {
		if (!rf_dir_is_armed(&q->port->dir[RF_TX], RF_TX))
			rf_bypass_begin(q->port);
		return NULL;
	}
	if (rf_queueing_wanted(q->port))
		skb = rf_sch_dequeue_queued(sch);
	else
		skb = qdisc_dequeue_head(sch) ?: rf_sch_dequeue_held(sch);
	if (skb)
		skb_clear_tstamp(skb);
	return skb;
}

/* The netdev goes down, or the qdisc ends; the core resets q.qlen then. */
static void rf_sch_reset(struct Qdisc *sch)
{
	struct rf_sched *q = qdisc_priv(sch);

	qdisc_reset_queue(sch);
	if (!q->port)
		return;
	rf_queueing_purge(q->port);
	rf_control_purge(q->port);
	rf_delayq_purge(&q->port->dir[RF_TX].delayq);
	qdisc_watchdog_cancel(&q->watchdog);
	q->held = 0;
	q->held_bytes = 0;
}

/* rtnetlink only asks the owner of the network namespace. */
static int rf_sch_check_admin(struct netlink_ext_ack *extack)
{
	if (capable(CAP_NET_ADMIN))
		return 0;
	NL_SET_ERR_MSG(extack, RF_NEEDS_ADMIN);
	return -EPERM;
}

static int rf_sch_change(struct Qdisc *sch, struct nlattr *opt,
			 struct netlink_ext_ack *extack)
{
	struct rf_sched *q = qdisc_priv(sch);
	int err = rf_sch_check_admin(extack);

	return err ?: rf_options_change(q->port, opt, extack);
}

static int rf_sch_dump(struct Qdisc *sch, struct sk_buff *skb)
{
	struct rf_sched *q = qdisc_priv(sch);

	return rf_options_dump(q->port, skb);
}

static int rf_sch_dump_stats(struct Qdisc *sch, struct gnet_dump *d)
{
	struct rf_sched *q = qdisc_priv(sch);

	return rf_sch_stats_dump(q->port, d);
}

static struct rf_port *rf_sch_port(struct Qdisc *sch, struct nlattr *opt,
				   struct netlink_ext_ack *extack)
{
	struct rf_conf *conf = rf_options_new(opt, extack);

	if (IS_ERR(conf))
		return ERR_CAST(conf);
	return rf_port_create(sch, conf);
}

static int rf_sch_init(struct Qdisc *sch, struct nlattr *opt,
		       struct netlink_ext_ack *extack)
{
	struct rf_sched *q = qdisc_priv(sch);
	struct net_device *dev = qdisc_dev(sch);
	struct rf_port *port;
	int err;

	qdisc_watchdog_init(&q->watchdog, sch);
	err = rf_sch_check_admin(extack);
	if (err)
		return err;
	if (sch->parent != TC_H_ROOT) {
		NL_SET_ERR_MSG(extack, "rdmafault must be the root qdisc");
		return -EOPNOTSUPP;
	}
	if (dev->type != ARPHRD_ETHER) {
		NL_SET_ERR_MSG(extack, "rdmafault needs an Ethernet netdev");
		return -EOPNOTSUPP;
	}
	sch->limit = RF_SCH_LIMIT;
	port = rf_sch_port(sch, opt, extack);
	if (IS_ERR(port))
		return PTR_ERR(port);
	port->watchdog = &q->watchdog;
	port->dir[RF_TX].delayq.schedule = rf_sch_wake;
	/* Once it is open, anybody may wake the qdisc. */
	q->port = port;
	err = rf_port_open(port, extack);
	if (err)
		q->port = NULL;
	return err;
}

/* Also called after init() has failed: then there is no port. */
static void rf_sch_destroy(struct Qdisc *sch)
{
	struct rf_sched *q = qdisc_priv(sch);

	if (!q->port)
		return;
	rf_port_destroy(q->port);
	/* The hold is closed: nobody sets it again. */
	qdisc_watchdog_cancel(&q->watchdog);
}

static struct Qdisc_ops rf_qdisc_ops __read_mostly = {
	.id = "rdmafault",
	.priv_size = sizeof(struct rf_sched),
	.enqueue = rf_sch_enqueue,
	.dequeue = rf_sch_dequeue,
	.peek = qdisc_peek_dequeued,
	.init = rf_sch_init,
	.change = rf_sch_change,
	.reset = rf_sch_reset,
	.destroy = rf_sch_destroy,
	.dump = rf_sch_dump,
	.dump_stats = rf_sch_dump_stats,
	.owner = THIS_MODULE,
};

/**
 * rf_sch_port_of - the port that a netdev is
 * @dev: the netdev
 *
 * Context: softirq or BH off; the port stays until BH are on again.
 * Return: the port, or NULL.
 */
struct rf_port *rf_sch_port_of(const struct net_device *dev)
{
	struct Qdisc *sch = rcu_dereference_bh(dev->qdisc);
	struct rf_sched *q;

	if (sch->ops != &rf_qdisc_ops)
		return NULL;
	q = qdisc_priv(sch);
	return q->port;
}

/**
 * rf_sch_register - let the qdisc kind be used
 *
 * Context: module init.
 * Return: 0 or a negative errno.
 */
int rf_sch_register(void)
{
	return register_qdisc(&rf_qdisc_ops);
}

/**
 * rf_sch_unregister - let it be used no more; no port is left
 *
 * Context: module exit, for every qdisc holds a reference to the module.
 */
void rf_sch_unregister(void)
{
	unregister_qdisc(&rf_qdisc_ops);
}

/* 6.1 asks for a qdisc by the first name, later kernels by the second. */
MODULE_ALIAS("sch_rdmafault");
MODULE_ALIAS("net-sch-rdmafault");
