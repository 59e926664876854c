// SPDX-License-Identifier: GPL-2.0
/*
 * The receiving side of a port: a netfilter hook at the netdev's ingress. It
 * runs before bridges and before the IP stack, and it is handed packets whose
 * VLAN tag has been taken off.
 *
 * A packet that vanishes here is freed and reported as stolen. NF_DROP would
 * do the same for a sender on another host, but NF_STOLEN says what happened:
 * nobody else has to know.
 *
 * A packet that leaves the hold goes on where it was taken from: the other
 * hooks behind ours see it, captures and tc's ingress, which have seen it when
 * it came, do not.
 */
#include <linux/if_ether.h>
#include <linux/netdevice.h>
#include <linux/netfilter_netdev.h>

#include "compat/hrtimer.h"
#include "port.h"

#ifndef CONFIG_NET_CLS_ACT
#error "rdmafault needs a kernel with CONFIG_NET_CLS_ACT"
#endif

/* Packets that leave the hold at once, before others have their turn. */
#define RELEASE_BUDGET	64

static unsigned int rf_ingress(void *priv, struct sk_buff *skb,
			       const struct nf_hook_state *state)
{
	struct rf_port *port = priv;
	struct rf_dir *dir = &port->dir[RF_RX];

	rf_stats_add2(dir->stats, RF_STAT_PACKETS, 1,
		      skb->len + ETH_HLEN);
	if (unlikely(skb->protocol == htons(ETH_P_PAUSE)) &&
	    rf_pause_frame(port, skb)) {
		consume_skb(skb);
		return NF_STOLEN;
	}
	if (!rf_dir_is_armed(dir, RF_RX))
		return NF_ACCEPT;
	switch (rf_port_inspect(dir, skb, skb_network_offset(skb),
				skb->protocol, rf_dir_time(dir))) {
	case RF_PASS:
		return NF_ACCEPT;
	case RF_DROP:
		kfree_skb(skb);
		break;
	case RF_DELAYED:
		break;
	}
	return NF_STOLEN;
}

/* The hooks behind ours; false if one of them has taken the packet. */
static bool other_hooks_accept(const struct rf_port *port, struct sk_buff *skb)
{
	const struct nf_hook_entries *entries;
	struct nf_hook_state state;
	u32 i = 0;

	entries = rcu_dereference(port->dev->nf_hooks_ingress);
	if (!entries)
		return true;
	while (i < entries->num_hook_entries && entries->hooks[i].priv != port)
		i++;
	nf_hook_state_init(&state, NF_NETDEV_INGRESS, NFPROTO_NETDEV, port->dev,
			   NULL, NULL, dev_net(port->dev), NULL);
	return nf_hook_slow(skb, &state, entries, i + 1) == 1;
}

static void release(const struct rf_port *port, struct sk_buff *skb)
{
	rcu_read_lock();
	if (!netif_running(port->dev)) {
		kfree_skb(skb);
	} else if (other_hooks_accept(port, skb)) {
		/* What comes before the hooks has been done. */
		skb->tc_skip_classify = 1;
		netif_receive_skb_core(skb);
	}
	rcu_read_unlock();
}

static enum hrtimer_restart release_due(struct hrtimer *timer)
{
	struct rf_port *port = container_of(timer, struct rf_port,
					    rx_timer);
	struct rf_delayq *delayq = &port->dir[RF_RX].delayq;
	struct sk_buff *skb;
	int i;

	for (i = 0; i < RELEASE_BUDGET; i++) {
		skb = rf_delayq_dequeue(delayq);
		if (!skb)
			break;
		release(port, skb);
	}
	rf_delayq_schedule(delayq);
	return HRTIMER_NORESTART;
}

/*
 * The timer stays where the packets are, so that it can't overtake them.
 *
 * A timer that is started for a time in the past runs again in the same softirq,
 * and a budget would limit nothing. One for now runs in the next.
 */
static void release_at(struct rf_dir *dir, u64 ns)
{
	hrtimer_start(&dir->port->rx_timer,
		      ns_to_ktime(max(ns, ktime_get_ns())),
		      HRTIMER_MODE_ABS_PINNED_SOFT);
}

/**
 * rf_hook_init - make ready to hold packets
 * @port: the port
 *
 * Context: process.
 */
void rf_hook_init(struct rf_port *port)
{
	hrtimer_setup(&port->rx_timer, release_due, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_PINNED_SOFT);
	port->dir[RF_RX].delayq.schedule = release_at;
}

/**
 * rf_hook_attach - begin to see arriving packets
 * @port: the port
 *
 * Context: RTNL held, may sleep.
 * Return: 0 or a negative errno.
 */
int rf_hook_attach(struct rf_port *port)
{
	port->ingress = (struct nf_hook_ops){
		.hook = rf_ingress,
		.priv = port,
		.dev = port->dev,
		.pf = NFPROTO_NETDEV,
		.hooknum = NF_NETDEV_INGRESS,
		.priority = INT_MIN,
	};
	return nf_register_net_hook(dev_net(port->dev), &port->ingress);
}

/**
 * rf_hook_detach - see no more packets; those in the hold are freed
 * @port: the port
 *
 * A hook that is under way goes on for a grace period, which isn't waited for:
 * whatever it may wake is to be closed.
 *
 * Context: RTNL held, may sleep.
 */
void rf_hook_detach(struct rf_port *port)
{
	nf_unregister_net_hook(dev_net(port->dev), &port->ingress);
	rf_delayq_close(&port->dir[RF_RX].delayq);
	hrtimer_cancel(&port->rx_timer);
}
