// SPDX-License-Identifier: GPL-2.0
/*
 * The receiving side of a port: a netfilter hook at the netdev's ingress. It
 * runs before bridges and before the IP stack, and it is handed packets whose
 * VLAN tag has been taken off.
 *
 * A packet that vanishes here is freed and reported as stolen. NF_DROP would
 * do the same for a sender on another host, but NF_STOLEN says what happened:
 * nobody else has to know.
 */
#include <linux/if_ether.h>
#include <linux/netdevice.h>
#include <linux/netfilter_netdev.h>

#include "port.h"

static unsigned int rf_ingress(void *priv, struct sk_buff *skb,
			       const struct nf_hook_state *state)
{
	struct rf_port *port = priv;
	struct rf_side *side = &port->side[RF_RX];

	rf_stats_add2(side->stats, RF_STAT_PACKETS, skb->len + ETH_HLEN);
	if (!rf_side_is_armed(side, RF_RX))
		return NF_ACCEPT;
	if (rf_port_inspect(side, skb, skb_network_offset(skb),
			    skb->protocol) == RF_PASS)
		return NF_ACCEPT;
	kfree_skb(skb);
	return NF_STOLEN;
}

/**
 * rf_ingress_attach - begin to see arriving packets
 * @port: the port
 *
 * Context: RTNL held, may sleep.
 * Return: 0 or a negative errno.
 */
int rf_ingress_attach(struct rf_port *port)
{
	port->ingress = (struct nf_hook_ops) {
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
 * rf_ingress_detach - see no more packets, after a grace period
 * @port: the port
 *
 * Context: RTNL held, may sleep.
 */
void rf_ingress_detach(struct rf_port *port)
{
	nf_unregister_net_hook(dev_net(port->dev), &port->ingress);
}
