// SPDX-License-Identifier: GPL-2.0
/*
 * The queues of a port: its qdisc, with the link, the priorities and PFC. They are attached
 * to the port when the qdisc is attached to the netdev, and end with it. Their configuration
 * may need the hooks of the port: on rx for PFC and the buffer, on tx for limits and ECN
 * profiles if packets go past the qdisc, and both for DCQCN.
 */
#include <linux/mm.h>
#include <linux/netdevice.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "dcqcn/cnp.h"
#include "port.h"

static void queue_arrive(struct rf_tap *tap, struct sk_buff *skb)
{
	rf_prioq_arrive(container_of(tap, struct rf_prioq, tap[RF_RX]), skb);
}

static bool queue_accept_rx(struct rf_tap *tap, struct sk_buff *skb)
{
	const struct rf_prioq *q = container_of(tap, struct rf_prioq, tap[RF_RX]);

	if (!rf_pfc_receive(q->pfc, skb))
		return true;
	consume_skb(skb);
	return false;
}

/* Limits and ECN profiles also apply to packets that go past the qdisc. */
static bool queue_accept_tx(struct rf_tap *tap, struct sk_buff *skb)
{
	struct rf_prioq *q = container_of(tap, struct rf_prioq, tap[RF_TX]);

	if (!rf_prioq_needs_pass(q) || rf_prioq_pass(q, skb))
		return true;
	kfree_skb(skb);
	return false;
}

static bool queue_needs_hook(const struct rf_prioq *q, int direction,
			     const struct rf_conf *conf)
{
	if (!conf)
		return false;
	if (rf_conf_has_dcqcn(conf))
		return true;
	if (direction == RF_RX)
		return rf_conf_lossless(conf) || conf->buffers;
	return conf->shapes && !READ_ONCE(q->sch->enqueue) && !rf_prioq_needs_qdisc(q, conf);
}

/* A NIC delivers frames to a group address only if the netdev has subscribed to it. */
static int queue_get_hook(struct rf_prioq *q, int direction)
{
	struct rf_hook *hook = &q->port->hook[direction];
	int err = rf_hook_get(hook);

	if (err)
		return err;
	if (direction == RF_RX)
		err = dev_mc_add(q->dev, rf_pfc_group);
	else
		rcu_assign_pointer(hook->tap, &q->tap[RF_TX]);
	if (err)
		rf_hook_put(hook);
	else if (direction == RF_RX)
		WRITE_ONCE(q->tap[RF_RX].arrive, queue_arrive);
	return err;
}

static void queue_put_hook(struct rf_prioq *q, int direction)
{
	struct rf_hook *hook = &q->port->hook[direction];

	if (direction == RF_RX) {
		WRITE_ONCE(q->tap[RF_RX].arrive, NULL);
		dev_mc_del(q->dev, rf_pfc_group);
	} else {
		RCU_INIT_POINTER(hook->tap, NULL);
	}
	rf_hook_put(hook);
}

/* A CNP is about the packets to the QP @qp, from the address that received it. */
static bool queue_cnp(struct rf_tap *tap, const struct rf_desc *cnp, u32 qp)
{
	struct rf_pacer_key key = { .addr_len = cnp->addr_len, .qp = qp };

	memcpy(key.saddr, cnp->daddr, sizeof(key.saddr));
	memcpy(key.daddr, cnp->saddr, sizeof(key.daddr));
	return rf_prioq_cnp(container_of(tap, struct rf_prioq, tap[RF_RX]), &key);
}

/* Find the QPs of senders and of flows, which CNPs need. Return: 0 or -ENOMEM. */
static int queue_begin_dcqcn(struct rf_prioq *q)
{
	struct rf_dir *dir = q->port->dir;
	int err;

	if (q->np)
		return 0;
	q->np = kvzalloc(sizeof(*q->np), GFP_KERNEL_ACCOUNT);
	if (!q->np)
		return -ENOMEM;
	err = rf_dir_begin_dcqcn(&dir[RF_TX]);
	if (err)
		goto free;
	err = rf_dir_begin_dcqcn(&dir[RF_RX]);
	if (!err)
		return 0;
	rf_dir_end_dcqcn(&dir[RF_TX]);
free:
	kvfree(q->np);
	q->np = NULL;
	return err;
}

static void queue_end_dcqcn(struct rf_prioq *q)
{
	struct rf_dir *dir = q->port->dir;

	if (!q->np)
		return;
	WRITE_ONCE(q->tap[RF_RX].cnp, NULL);
	spin_lock_bh(&dir[RF_RX].lock);
	dir[RF_RX].np = NULL;
	spin_unlock_bh(&dir[RF_RX].lock);
	rf_dir_end_dcqcn(&dir[RF_TX]);
	rf_dir_end_dcqcn(&dir[RF_RX]);
	kvfree(q->np);
	q->np = NULL;
}

static void queue_use_dcqcn(struct rf_prioq *q, const struct rf_conf *all)
{
	const struct rf_dcqcn_conf *conf = &all->dcqcn;
	struct rf_dir *rx = &q->port->dir[RF_RX];

	if (!q->np)
		return;
	spin_lock_bh(&rx->lock);
	q->np->interval = conf->np_min_time_between_cnps * conf->rate.scale;
	q->np->scope = conf->np_scope;
	q->np->dscp = conf->np_cnp_dscp;
	rx->np = conf->np ? q->np : NULL;
	spin_unlock_bh(&rx->lock);
	if (conf->rp)
		rf_prioq_set_pacer(q, all);
	WRITE_ONCE(q->tap[RF_RX].cnp, conf->rp ? queue_cnp : NULL);
}

/* Put the hooks that a configuration doesn't need; NULL needs none. */
static void queue_put_hooks(struct rf_prioq *q, const struct rf_conf *conf)
{
	int direction;

	if (!conf || !conf->dcqcn.rp)
		rf_prioq_end_pacer(q);
	if (!conf || !rf_conf_has_dcqcn(conf))
		queue_end_dcqcn(q);
	for (direction = 0; direction < RF_DIRS; direction++) {
		if (!q->hooked[direction] || queue_needs_hook(q, direction, conf))
			continue;
		q->hooked[direction] = false;
		queue_put_hook(q, direction);
	}
}

/**
 * rf_queue_get_hooks - register hooks, before a configuration is published
 * @q: the queues
 * @conf: the configuration
 *
 * Context: process, rf_ports_lock held.
 * Return: 0 or a negative errno.
 */
int rf_queue_get_hooks(struct rf_prioq *q, const struct rf_conf *conf)
{
	int direction, err = 0;

	for (direction = 0; direction < RF_DIRS; direction++) {
		if (q->hooked[direction] || !queue_needs_hook(q, direction, conf))
			continue;
		err = queue_get_hook(q, direction);
		if (err)
			goto put;
		q->hooked[direction] = true;
	}
	if (rf_conf_has_dcqcn(conf))
		err = queue_begin_dcqcn(q);
	if (!err && conf->dcqcn.rp)
		err = rf_prioq_begin_pacer(q, conf);
	if (!err)
		return 0;
put:
	queue_put_hooks(q, rf_queue_conf(q));
	return err;
}

/* The egress hook is not needed when packets go through the qdisc. */
static void queue_end_pass(struct work_struct *work)
{
	struct rf_prioq *q = container_of(work, struct rf_prioq, pass_end);

	rf_ports_lock(dev_net(q->dev));
	queue_put_hooks(q, rf_queue_conf(q));
	rf_ports_unlock(dev_net(q->dev));
}

static void queue_use_conf(struct rf_prioq *q, const struct rf_conf *conf)
{
	struct rf_pfc_conf pfc;
	int direction;

	for (direction = 0; direction < RF_DIRS; direction++)
		rcu_assign_pointer(q->port->dir[direction].dscp_prio, conf->dscp_prio);
	rf_conf_pfc(conf, &pfc);
	rf_pfc_configure(q->pfc, &pfc);
	queue_use_dcqcn(q, conf);
}

/**
 * rf_queue_configure - let the queues of a port use a configuration
 * @q: the queues
 * @conf: &rf_port_default, or a complete and valid configuration, which the queues
 *	own from now on. rf_queue_get_hooks() has succeeded for it, unless only the
 *	link changes
 *
 * Context: process, rf_ports_lock held.
 */
void rf_queue_configure(struct rf_prioq *q, struct rf_conf *conf)
{
	struct rf_conf *old;

	old = rcu_replace_pointer(q->conf, conf, rf_ports_is_held(q->port));
	queue_use_conf(q, conf);
	if (old != &rf_port_default)
		kfree_rcu(old, rcu);
	if (rf_prioq_needs_qdisc(q, conf))
		rf_prioq_end_bypass(q);
	queue_put_hooks(q, conf);
	rf_prioq_schedule(q);
}

/**
 * rf_queue_reset_stats - set the counters of the queues of a port to 0
 * @q: the queues
 *
 * Context: process, rf_ports_lock held.
 */
void rf_queue_reset_stats(struct rf_prioq *q)
{
	spin_lock_bh(qdisc_lock(q->sch));
	rf_prioq_reset_stats(q);
	spin_unlock_bh(qdisc_lock(q->sch));
	rf_pfc_reset_stats(q->pfc);
}

/**
 * rf_queue_reset - give the queues of a port the state of new queues, except counters
 * @q: the queues; the packets in them leave as soon as they can
 *
 * Context: process, rf_ports_lock held.
 */
void rf_queue_reset(struct rf_prioq *q)
{
	rf_pfc_forget_storms(q->pfc);
	/* This also ends pauses, and sends the packets that no longer have to wait. */
	rf_queue_configure(q, &rf_port_default);
}

/**
 * rf_queue_free - free queues that are not attached
 * @q: the queues, which no packet and no hook can reach
 *
 * Context: any.
 */
void rf_queue_free(struct rf_prioq *q)
{
	struct rf_conf *conf = rcu_dereference_raw(q->conf);

	if (conf != &rf_port_default)
		kfree(conf);
	rf_pfc_put(q->pfc);
	kfree(q);
}

static void queue_free_rcu(struct rcu_head *rcu)
{
	rf_queue_free(container_of(rcu, struct rf_prioq, rcu));
}

/**
 * rf_queue_create - create queues, which are not attached to a port yet
 * @sch: the qdisc
 * @conf: the configuration; freed with the queues, or on failure
 *
 * Context: RTNL held, may sleep.
 * Return: the queues, or an ERR_PTR: -ENOMEM.
 */
struct rf_prioq *rf_queue_create(struct Qdisc *sch, struct rf_conf *conf)
{
	struct rf_prioq *q = kzalloc(sizeof(*q), GFP_KERNEL_ACCOUNT);

	if (!q || rf_prioq_init(q, sch)) {
		kfree(q);
		kfree(conf);
		return ERR_PTR(-ENOMEM);
	}
	INIT_WORK(&q->pass_end, queue_end_pass);
	q->tap[RF_TX].accept = queue_accept_tx;
	q->tap[RF_RX].accept = queue_accept_rx;
	q->conf = RCU_INITIALIZER(conf);
	return q;
}

static void queue_attach(struct rf_prioq *q, struct rf_port *port)
{
	struct rf_dir *tx = &port->dir[RF_TX];

	q->port = port;
	q->tx = tx->stats;
	q->max_hold = tx->max_hold;
	q->hold_forwarded = port->hold_forwarded;
	rf_prioq_set_draw_port(q, tx->draw_port);
	queue_use_conf(q, rf_queue_conf(q));
	rf_hook_set_qdisc(&port->hook[RF_TX], q->sch);
	rcu_assign_pointer(port->hook[RF_RX].tap, &q->tap[RF_RX]);
	port->queue = q;
	rf_ports(dev_net(port->dev))->changes++;
}

/**
 * rf_queue_attach - attach queues to the port of their netdev
 * @q: the queues, whose qdisc can be scheduled. If the netdev is no port yet, it becomes
 *	one
 * @extack: set to the reason of a failure
 *
 * Context: RTNL held, may sleep.
 * Return: 0, or -EEXIST if the port has queues; or an errno of rf_port_create().
 */
int rf_queue_attach(struct rf_prioq *q, struct netlink_ext_ack *extack)
{
	const struct net *net = dev_net(q->dev);
	struct rf_port *port;
	int err = 0;

	rf_ports_lock(net);
	port = rf_port_find(net, q->dev->ifindex);
	if (port && !port->queue) {
		queue_attach(q, port);
	} else {
		/* Refuses a netdev that is a port. */
		port = rf_port_create(q->dev, extack);
		err = PTR_ERR_OR_ZERO(port);
		if (!err) {
			port->of_qdisc = true;
			queue_attach(q, port);
		}
	}
	rf_ports_unlock(net);
	return err;
}

/* Is the qdisc running, or scheduled to run? */
static bool queue_is_scheduled(struct Qdisc *sch)
{
	bool scheduled;

	spin_lock_bh(qdisc_lock(sch));
	scheduled = test_bit(__QDISC_STATE_SCHED, &sch->state) ||
		    qdisc_is_running(sch);
	spin_unlock_bh(qdisc_lock(sch));
	return scheduled;
}

/*
 * Stop PFC, so that the port sends no more frames and does not schedule the qdisc. The
 * core has emptied the qdisc, but until then a frame could be added.
 */
static void queue_quiesce(struct rf_prioq *q)
{
	rf_pfc_close(q->pfc);
	while (queue_is_scheduled(q->sch))
		schedule_timeout_uninterruptible(1);
	qdisc_reset(q->sch);
	/* Nothing queues the work any more: PFC is closed, and no packet is enqueued. */
	cancel_work_sync(&q->pass_end);
}

/**
 * rf_queue_detach - end the queues of a port with their settings
 * @q: the queues; no packet enters the qdisc any more. The rules of the port stay
 *
 * Context: RTNL held, may sleep.
 */
void rf_queue_detach(struct rf_prioq *q)
{
	struct rf_port *port = q->port;
	int direction;
	bool end;

	rf_ports_lock(dev_net(port->dev));
	port->queue = NULL;
	rf_ports(dev_net(port->dev))->changes++;
	queue_put_hooks(q, NULL);
	RCU_INIT_POINTER(port->hook[RF_RX].tap, NULL);
	rf_hook_set_qdisc(&port->hook[RF_TX], NULL);
	for (direction = 0; direction < RF_DIRS; direction++)
		rcu_assign_pointer(port->dir[direction].dscp_prio,
				   rf_port_default.dscp_prio);
	end = port->of_qdisc && !rf_port_rules(port) && !rf_port_path(port);
	port->of_qdisc = false;
	rf_ports_unlock(dev_net(port->dev));
	queue_quiesce(q);
	/* A hook may still be running. */
	call_rcu(&q->rcu, queue_free_rcu);
	if (end)
		rf_port_end(port);
}
