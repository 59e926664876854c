// SPDX-License-Identifier: GPL-2.0
/*
 * The qdisc "rdmafault". It gives the port of its netdev queues, and makes the netdev a
 * port if it is none. It queues the packets that leave the port if the configuration, a
 * pause or a storm makes them wait. hook.c evaluates rules before that.
 *
 * On a netdev without a queue (IFF_NO_QUEUE: veth, VLAN, bridge), the qdisc has
 * no enqueue() until the queues are needed, like noqueue: the core hands the
 * packets to the driver at once. From then on it keeps enqueue(),
 * because the core reads the pointer twice for one packet.
 *
 * On other netdevs, and after the queues were needed, packets bypass an empty
 * queue as they do with pfifo: TCQ_F_CAN_BYPASS tells the core that it can hand
 * them to the driver. After each such packet the core calls dequeue(), so
 * dequeue() is a function that returns NULL meanwhile. A packet that finds the
 * driver busy is queued, and ends the bypass until the queue is empty again. The
 * flag is set when dequeue() finds no packet. Whatever makes packets wait first
 * changes the state that dequeue() checks, and then clears the flag. Both happen
 * under sch_lock, so neither undoes the other.
 *
 * The queue is a FIFO as long as nothing makes packets wait; else it is the eight
 * priorities of prioq.c. When that begins, the packets in the FIFO move there
 * first; the FIFO is used again when the priorities are empty. So no packet
 * overtakes another one of its priority.
 *
 * The law of hook.c also holds here: the sender sees no error for a lost packet.
 * enqueue() returns success for a packet that finds the queue full.
 *
 * Not a goal: qdiscs below this one. It must be the root, because a port has one
 * queue for all packets.
 */
#include <linux/capability.h>
#include <linux/if_ether.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <net/gen_stats.h>
#include <net/netlink.h>
#include <net/pkt_sched.h>

#include <uapi/rdmafault/tc.h>

#include "compat/netlink.h"
#include "netlink/netlink.h"
#include "port.h"
#include "stats.h"

/*
 * On veth and most NICs the queue is empty nearly always; it grows when the
 * driver is busy. rxe has 64 packets in flight per queue pair, so this is room
 * for some 150 busy queue pairs on one port.
 */
#define RF_SCH_LIMIT	10000

/* dequeue() while packets bypass the qdisc */
static struct sk_buff *rf_sch_dequeue_none(struct Qdisc *sch)
{
	return NULL;
}

/* Let packets bypass the qdisc, if nothing makes them wait. */
static void rf_sch_bypass(struct rf_prioq *q)
{
	struct Qdisc *sch = q->sch;
	unsigned long flags;

	spin_lock_irqsave(&q->bypass_lock, flags);
	if (!rf_prioq_is_needed(q) && !sch->q.qlen) {
		WRITE_ONCE(sch->dequeue, rf_sch_dequeue_none);
		sch->flags |= TCQ_F_CAN_BYPASS;
	}
	spin_unlock_irqrestore(&q->bypass_lock, flags);
}

static struct rf_prioq *rf_sch_queue(struct Qdisc *sch)
{
	struct rf_sched *sched = qdisc_priv(sch);

	return sched->queue;
}

/* The packet is lost, and the sender sees that it was sent. */
static int rf_sch_drop(struct sk_buff *skb, struct Qdisc *sch,
		       struct sk_buff **to_free)
{
	qdisc_qstats_drop(sch);
	__qdisc_drop(skb, to_free);
	return NET_XMIT_SUCCESS | __NET_XMIT_BYPASS;
}

/* Move the packets in the FIFO to the priorities. */
static noinline void rf_sch_move_fifo(struct Qdisc *sch)
{
	struct rf_sched *sched = qdisc_priv(sch);
	struct sk_buff *skb;

	while (sch->q.head) {
		skb = __qdisc_dequeue_head(&sch->q);
		qdisc_qstats_backlog_dec(sch, skb);
		if (!rf_prioq_enqueue(sched->queue, skb)) {
			qdisc_qstats_drop(sch);
			kfree_skb(skb);
		}
	}
}

/*
 * Do packets go through the priorities? Those that were queued in the FIFO before
 * go there first.
 */
static __always_inline bool rf_sch_is_queueing(struct Qdisc *sch)
{
	struct rf_sched *sched = qdisc_priv(sch);

	if (!rf_prioq_is_needed(sched->queue))
		return false;
	if (unlikely(sch->q.head))
		rf_sch_move_fifo(sch);
	return true;
}

static int rf_sch_enqueue(struct sk_buff *skb, struct Qdisc *sch,
			  struct sk_buff **to_free)
{
	struct rf_sched *sched = qdisc_priv(sch);

	if (unlikely(sch->flags & TCQ_F_CAN_BYPASS))
		rf_prioq_end_bypass(sched->queue);
	if (rf_sch_is_queueing(sch))
		return rf_prioq_enqueue(sched->queue, skb) ? NET_XMIT_SUCCESS :
							     rf_sch_drop(skb, sch, to_free);
	if (sch->q.qlen >= sch->limit)
		return rf_sch_drop(skb, sch, to_free);
	return qdisc_enqueue_tail(skb, sch);
}

static struct sk_buff *rf_sch_dequeue_prio(struct Qdisc *sch)
{
	struct rf_sched *sched = qdisc_priv(sch);
	struct sk_buff *skb;
	u64 next;

	/* After each packet the core asks for the next one, and mostly there is none. */
	if (rf_prioq_is_settled(sched->queue) &&
	    hrtimer_is_queued(&sched->watchdog.timer))
		return NULL;
	skb = rf_prioq_dequeue(sched->queue, &next);
	if (next != U64_MAX)
		qdisc_watchdog_schedule_ns(&sched->watchdog, next);
	if (skb)
		qdisc_bstats_update(sch, skb);
	return skb;
}

/*
 * From 6.12 on, rxe stores in each packet the monotonic time at which it made the
 * packet. A queued packet arrives as from a wire: a capture at the far end shows
 * the time at which it arrived.
 */
static struct sk_buff *rf_sch_dequeue(struct Qdisc *sch)
{
	struct rf_sched *sched = qdisc_priv(sch);
	struct sk_buff *skb;

	if (!sch->q.qlen && rf_prioq_is_idle(sched->queue)) {
		rf_sch_bypass(sched->queue);
		return NULL;
	}
	skb = rf_sch_is_queueing(sch) ? rf_sch_dequeue_prio(sch) :
					qdisc_dequeue_head(sch);
	if (skb)
		skb_clear_tstamp(skb);
	return skb;
}

/* The netdev goes down, or the qdisc ends. The core resets q.qlen. */
static void rf_sch_reset(struct Qdisc *sch)
{
	struct rf_sched *sched = qdisc_priv(sch);

	qdisc_reset_queue(sch);
	if (!sched->queue)
		return;
	rf_prioq_purge(sched->queue);
	rf_pfc_purge(sched->queue->pfc);
	qdisc_watchdog_cancel(&sched->watchdog);
}

/* rtnetlink only asks the owner of the network namespace. */
static int rf_sch_check_admin(struct netlink_ext_ack *extack)
{
	if (capable(CAP_NET_ADMIN))
		return 0;
	NL_SET_ERR_MSG(extack, RF_NEEDS_ADMIN);
	return -EPERM;
}

/* Change what is given in @opt. Return: -EINVAL, and the extack has the reason. */
static int rf_sch_parse(struct rf_conf *conf, const struct nlattr *opt,
			struct netlink_ext_ack *extack)
{
	const struct rf_invalid *invalid;
	u32 prio;
	int err;

	err = rf_conf_parse_link(&conf->link, opt, extack);
	if (err)
		return err;
	rf_conf_complete(conf);
	invalid = rf_conf_validate(conf, &prio);
	if (!invalid)
		return 0;
	rf_extack_set(extack, invalid->words);
	NL_SET_BAD_ATTR(extack, opt);
	return -EINVAL;
}

static struct rf_conf *rf_sch_conf_copy(const struct rf_conf *old,
					const struct nlattr *opt,
					struct netlink_ext_ack *extack)
{
	struct rf_conf *conf;
	int err;

	conf = kmemdup(old, sizeof(*old), GFP_KERNEL_ACCOUNT);
	if (!conf)
		return ERR_PTR(-ENOMEM);
	err = opt ? rf_sch_parse(conf, opt, extack) : 0;
	if (!err)
		return conf;
	kfree(conf);
	return ERR_PTR(err);
}

/*
 * The options of the qdisc are the attributes of the set "link" of the netlink
 * specification. Like a queue-set request, they change the values that are given,
 * all or none of them. The qdisc stays attached.
 */
static int rf_sch_change(struct Qdisc *sch, struct nlattr *opt,
			 struct netlink_ext_ack *extack)
{
	struct rf_prioq *q = rf_sch_queue(sch);
	int err = rf_sch_check_admin(extack);
	struct rf_conf *conf;

	if (err)
		return err;
	rf_ports_lock(dev_net(q->dev));
	conf = rf_sch_conf_copy(rf_queue_conf(q), opt, extack);
	/* The options only change the link, which needs no hook. */
	err = PTR_ERR_OR_ZERO(conf);
	if (!err)
		rf_queue_configure(q, conf);
	rf_ports_unlock(dev_net(q->dev));
	return err;
}

static bool rf_sch_is_default(const struct rf_link_conf *link)
{
	struct rf_link_conf def;

	rf_link_conf_init(&def);
	return link->rate == def.rate && link->delay == def.delay &&
	       link->jitter == def.jitter && link->seed == def.seed &&
	       link->overhead == def.overhead;
}

/*
 * A port with the default link shows no options, because tc without our plugin
 * prints an error for all options, even within its JSON output.
 */
static int rf_sch_dump(struct Qdisc *sch, struct sk_buff *skb)
{
	const struct rf_prioq *q = rf_sch_queue(sch);
	const struct rf_conf *conf;
	int err = 0;

	rf_ports_lock(dev_net(q->dev));
	conf = rf_queue_conf(q);
	if (!rf_sch_is_default(&conf->link))
		err = rf_put_link(skb, TCA_OPTIONS, conf);
	rf_ports_unlock(dev_net(q->dev));
	return err ?: skb->len;
}

/* The statistics in the layout of the uapi header tc.h */
struct rf_sch_stats {
	struct rdmafault_tc_stats port;
	struct rdmafault_tc_prio prio[RDMAFAULT_PRIOS];
};

static void rf_sch_read_port(struct rf_port *port, struct rdmafault_tc_stats *s)
{
	u64 sum[RF_STATS];

	rf_ports_lock(dev_net(port->dev));
	rf_port_read_stats(port, RF_TX, sum);
	rf_ports_unlock(dev_net(port->dev));
	s->size = sizeof(*s);
	s->prio_size = sizeof(struct rdmafault_tc_prio);
	s->prios = RDMAFAULT_PRIOS;
	s->roce = sum[RF_STAT_ROCE];
	s->hits = sum[RF_STAT_HITS];
	s->rule_dropped = sum[RF_STAT_DROPPED];
	s->held = rf_delayq_count(&port->dir[RF_TX].delayq);
	s->in_flight = rf_in_flight_count(&port->queue->in_flight);
	s->in_flight_bytes = READ_ONCE(port->queue->in_flight.bytes);
}

static void rf_sch_read_prio(struct rf_prioq *q, u32 prio, struct rdmafault_tc_prio *p)
{
	struct rf_prio_stats s;

	rf_prioq_read_stats(q, prio, &s);
	*p = (struct rdmafault_tc_prio){
		.packets = s.packets, .bytes = s.bytes,
		.backlog = s.backlog, .backlog_bytes = s.backlog_bytes,
		.peak_bytes = s.peak_bytes,
		.full = s.full, .no_buffer = s.no_buffer,
		.expired = s.expired, .watchdog_dropped = s.watchdog_dropped,
		.marked = s.marked, .mark_dropped = s.mark_dropped,
		.paused = s.paused, .paused_total = s.paused_total,
		.pauses = s.pauses,
		.xoff_rx = s.xoff_rx, .xon_rx = s.xon_rx,
		.xoff_tx = s.xoff_tx, .xon_tx = s.xon_tx,
		.buffer_used = s.buffer_used, .buffer_peak = s.buffer_peak,
		.detected = s.detected, .restored = s.restored,
		.xoff_ignored = s.xoff_ignored,
	};
}

static int rf_sch_dump_stats(struct Qdisc *sch, struct gnet_dump *d)
{
	struct rf_sch_stats *stats = kzalloc(sizeof(*stats), GFP_KERNEL);
	struct rf_prioq *q = rf_sch_queue(sch);
	int err;
	u32 i;

	if (!stats)
		return -1;
	rf_sch_read_port(q->port, &stats->port);
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		rf_sch_read_prio(q, i, &stats->prio[i]);
	err = gnet_stats_copy_app(d, stats, sizeof(*stats));
	kfree(stats);
	return err;
}

static struct rf_prioq *rf_sch_create_queue(struct Qdisc *sch, struct nlattr *opt,
					    struct netlink_ext_ack *extack)
{
	struct rf_conf *conf = rf_sch_conf_copy(&rf_port_default, opt, extack);

	if (IS_ERR(conf))
		return ERR_CAST(conf);
	/* The core has set enqueue(), and calls nothing yet. */
	if (qdisc_dev(sch)->priv_flags & IFF_NO_QUEUE &&
	    rf_link_is_none(&conf->link))
		sch->enqueue = NULL;
	return rf_queue_create(sch, conf);
}

static int rf_sch_init(struct Qdisc *sch, struct nlattr *opt,
		       struct netlink_ext_ack *extack)
{
	struct rf_sched *sched = qdisc_priv(sch);
	struct rf_prioq *q;
	int err;

	qdisc_watchdog_init(&sched->watchdog, sch);
	err = rf_sch_check_admin(extack);
	if (err)
		return err;
	if (sch->parent != TC_H_ROOT) {
		NL_SET_ERR_MSG(extack, "rdmafault must be the root qdisc");
		return -EOPNOTSUPP;
	}
	sch->limit = RF_SCH_LIMIT;
	q = rf_sch_create_queue(sch, opt, extack);
	if (IS_ERR(q))
		return PTR_ERR(q);
	/* After rf_queue_attach(), frames and timers can wake the qdisc. */
	sched->queue = q;
	err = rf_queue_attach(q, extack);
	if (!err)
		return 0;
	sched->queue = NULL;
	rf_queue_free(q);
	return err;
}

/* Also called after init() has failed: then there are no queues. */
static void rf_sch_destroy(struct Qdisc *sch)
{
	struct rf_sched *sched = qdisc_priv(sch);

	if (!sched->queue)
		return;
	rf_queue_detach(sched->queue);
	qdisc_watchdog_cancel(&sched->watchdog);
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
 * rf_sch_register - register the qdisc
 *
 * Context: module init.
 * Return: 0 or a negative errno.
 */
int rf_sch_register(void)
{
	return register_qdisc(&rf_qdisc_ops);
}

/**
 * rf_sch_unregister - unregister the qdisc
 *
 * Context: module exit. No qdisc exists, because each has a reference to the module.
 */
void rf_sch_unregister(void)
{
	unregister_qdisc(&rf_qdisc_ops);
}

/* 6.1 loads the module of a qdisc by the first name, later kernels by the second. */
MODULE_ALIAS("sch_rdmafault");
MODULE_ALIAS("net-sch-rdmafault");
