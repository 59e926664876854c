// SPDX-License-Identifier: GPL-2.0
/*
 * Forward the packets that arrive at a port of a bridge over one of several links.
 *
 * The bridge decides whether a packet needs a link: only a RoCEv2 packet whose destination the
 * bridge knows behind one of the links is taken. All others are left to the bridge: those to
 * nodes of the same switch, to unknown destinations, and those that are not RoCEv2. The FDB is
 * read as the flow tables of netfilter read it. In a bridge with VLAN filtering, each packet
 * has a VLAN, which only the bridge can check, so the bridge forwards all of them.
 *
 * The packet then leaves as if the bridge had forwarded it, except that the bridge does not
 * see it: its netfilter hooks, its counters and the state of the spanning tree do not apply,
 * and it does not learn the source address. skb->skb_iif stays, because PFC charges the packet
 * to the port by which it arrived.
 */
#include <linux/etherdevice.h>
#include <linux/if_ether.h>
#include <linux/netdevice.h>
#include <linux/slab.h>
#include <net/net_debug.h>
#include <net/sch_generic.h>

#include "../rocev2/rocev2.h"
#include "forward.h"

/**
 * rf_path_alloc - make a path without links
 *
 * Return: the path, or NULL.
 */
struct rf_path *rf_path_alloc(void)
{
	struct rf_path *path = kvzalloc(sizeof(*path), GFP_KERNEL_ACCOUNT);

	if (path)
		spin_lock_init(&path->lock);
	return path;
}

/**
 * rf_path_add_link - add a link to a path that is not published
 * @path: the path, with fewer than the maximum of links
 * @dev: the netdev
 *
 * Context: process, RTNL held.
 */
void rf_path_add_link(struct rf_path *path, struct net_device *dev)
{
	struct rf_path_link *link = &path->link[path->conf.links];

	DEBUG_NET_WARN_ON_ONCE(path->conf.links >= RDMAFAULT_PATH_LINKS_MAX);
	link->dev = dev;
	link->ifindex = dev->ifindex;
	strscpy(link->name, dev->name, sizeof(link->name));
	netdev_hold(dev, &link->tracker, GFP_KERNEL);
	path->up |= BIT(path->conf.links++);
}

static void path_put_links(struct rf_path *path)
{
	struct rf_path_link *link;

	for (link = path->link; link < path->link + path->conf.links; link++)
		if (link->dev)
			netdev_put(link->dev, &link->tracker);
}

/**
 * rf_path_free - free a path that was not published
 * @path: the path, or NULL
 *
 * Context: process.
 */
void rf_path_free(struct rf_path *path)
{
	if (path)
		path_put_links(path);
	kvfree(path);
}

/**
 * rf_path_end - free a path that no hook can find any more
 * @path: the path
 *
 * A hook that is running can still read a netdev of the path. The core frees a netdev only
 * after the notifier of its end, which takes the lock of the caller, and after an RCU grace
 * period.
 *
 * Context: process, rf_ports_lock held.
 */
void rf_path_end(struct rf_path *path)
{
	path_put_links(path);
	kvfree_rcu(path, rcu);
}

/* A link can be chosen if it is neither removed nor marked as down. */
static void path_set_up(struct rf_path *path, u32 link)
{
	if (path->link[link].dev && !(path->down & BIT(link)))
		path->up |= BIT(link);
	else
		path->up &= ~BIT(link);
}

/**
 * rf_path_mark - mark a link as down or up
 * @path: the path
 * @link: number of the link
 * @down: the link is not chosen any more
 *
 * Context: process, rf_ports_lock held.
 */
void rf_path_mark(struct rf_path *path, u32 link, bool down)
{
	spin_lock_bh(&path->lock);
	if (down)
		path->down |= BIT(link);
	else
		path->down &= ~BIT(link);
	path_set_up(path, link);
	spin_unlock_bh(&path->lock);
}

/**
 * rf_path_remove - remove a netdev that ends, or that has left the bridge
 * @path: the path
 * @dev: the netdev, which need not be a link of the path
 *
 * See rf_path_end() for hooks that are running.
 *
 * Context: process, rf_ports_lock held.
 */
void rf_path_remove(struct rf_path *path, const struct net_device *dev)
{
	struct net_device *gone = NULL;
	u32 i;

	spin_lock_bh(&path->lock);
	for (i = 0; i < path->conf.links && !gone; i++) {
		if (path->link[i].dev != dev)
			continue;
		gone = path->link[i].dev;
		WRITE_ONCE(path->link[i].dev, NULL);
		path_set_up(path, i);
	}
	spin_unlock_bh(&path->lock);
	if (gone)
		netdev_put(gone, &path->link[i - 1].tracker);
}

/**
 * rf_path_read - read the counters of a path
 * @path: the path
 * @counts: set to the counters
 *
 * Context: process, rf_ports_lock held.
 */
void rf_path_read(struct rf_path *path, struct rf_path_counts *counts)
{
	u32 i;

	memset(counts, 0, sizeof(*counts));
	spin_lock_bh(&path->lock);
	counts->no_link = path->no_link;
	counts->down = path->down;
	for (i = 0; i < path->conf.links; i++) {
		counts->removed |= path->link[i].dev ? 0 : BIT(i);
		counts->packets[i] = path->link[i].packets;
		counts->bytes[i] = path->link[i].bytes;
	}
	spin_unlock_bh(&path->lock);
}

/**
 * rf_path_reset_stats - set the counters of a path to 0
 * @path: the path
 *
 * Context: process, rf_ports_lock held.
 */
void rf_path_reset_stats(struct rf_path *path)
{
	u32 i;

	spin_lock_bh(&path->lock);
	path->no_link = 0;
	for (i = 0; i < path->conf.links; i++) {
		path->link[i].packets = 0;
		path->link[i].bytes = 0;
	}
	spin_unlock_bh(&path->lock);
}

/* Would the bridge forward the packet to one of the links? */
static bool path_is_needed(const struct rf_path *path, const struct sk_buff *skb)
{
	struct net_device_path_ctx ctx = { };
	struct net_device_path to = { };
	struct net_device *bridge;
	u32 i;

	bridge = netdev_master_upper_dev_get_rcu(skb->dev);
	if (!bridge || !netif_is_bridge_master(bridge) ||
	    !bridge->netdev_ops->ndo_fill_forward_path)
		return false;
	ctx.dev = bridge;
	ether_addr_copy(ctx.daddr, eth_hdr(skb)->h_dest);
	if (bridge->netdev_ops->ndo_fill_forward_path(&ctx, &to) || to.bridge.vlan_id)
		return false;
	for (i = 0; i < path->conf.links; i++)
		if (READ_ONCE(path->link[i].dev) == ctx.dev)
			return true;
	return false;
}

/**
 * rf_path_takes - check if a packet takes a link of a path
 * @path: the path of the port by which the packet has arrived
 * @skb: the packet, with its network header at skb->data
 * @key: set to what the choice reads of the packet
 *
 * Context: softirq or BH off, under RCU.
 * Return: false if the packet is left to the bridge.
 */
bool rf_path_takes(const struct rf_path *path, const struct sk_buff *skb,
		   struct rf_path_key *key)
{
	struct rf_headers h __uninitialized;
	const struct udphdr *udp;
	const struct ipv6hdr *ip6;
	const struct iphdr *ip;

	if (rf_packet_find(skb, skb_network_offset(skb), skb->protocol, &h) != RF_SEEN_ROCE ||
	    !path_is_needed(path, skb))
		return false;
	ip = (const void *)h.span;
	ip6 = (const void *)h.span;
	udp = (const void *)(h.span + h.udp);
	key->qp = rf_bth_qp(h.bth);
	key->sport = ntohs(udp->source);
	key->addr_len = ip->version == 4 ? sizeof(ip->saddr) : sizeof(ip6->saddr);
	if (ip->version == 4) {
		memcpy(key->saddr, &ip->saddr, sizeof(ip->saddr));
		memcpy(key->daddr, &ip->daddr, sizeof(ip->daddr));
	} else {
		memcpy(key->saddr, &ip6->saddr, sizeof(ip6->saddr));
		memcpy(key->daddr, &ip6->daddr, sizeof(ip6->daddr));
	}
	return true;
}

/* The bytes in the root qdisc of a link: of a port, those that wait and those on its link */
static u64 path_queued(const struct net_device *dev)
{
	const struct Qdisc *sch = rcu_dereference_bh(dev->qdisc);

	return READ_ONCE(sch->qstats.backlog);
}

static void path_read_queued(const struct rf_path *path, u64 *queued)
{
	u32 left, link;

	for (left = path->up; left; left &= left - 1) {
		link = __ffs(left);
		queued[link] = path_queued(path->link[link].dev);
	}
}

/*
 * Choose the link of a packet, and count the packet. The time is read under the lock, so it
 * never runs backwards for a flow. Return: the netdev, or NULL if no link is up.
 */
static struct net_device *path_choose(struct rf_path *path, const struct sk_buff *skb,
				      const struct rf_path_key *key)
{
	u64 queued[RDMAFAULT_PATH_LINKS_MAX] __uninitialized;
	struct net_device *dev = NULL;
	struct rf_path_link *link;
	u32 chosen;

	spin_lock(&path->lock);
	if (path->conf.mode == RDMAFAULT_PATH_MODE_ADAPTIVE)
		path_read_queued(path, queued);
	chosen = rf_path_choose(&path->conf, &path->state, key, path->up, queued,
				path->conf.gap ? ktime_get_ns() : 0);
	if (likely(chosen != RF_PATH_NONE)) {
		link = &path->link[chosen];
		link->packets++;
		link->bytes += skb->len + ETH_HLEN;
		dev = link->dev;
	} else {
		path->no_link++;
	}
	spin_unlock(&path->lock);
	return dev;
}

/**
 * rf_path_send - send a packet over a link of a path, or drop it if no link is up
 * @path: the path
 * @skb: the packet, which is consumed
 * @key: set by rf_path_takes()
 *
 * Context: softirq or BH off, under RCU.
 */
void rf_path_send(struct rf_path *path, struct sk_buff *skb, const struct rf_path_key *key)
{
	struct net_device *dev = path_choose(path, skb, key);

	skb = skb_share_check(skb, GFP_ATOMIC);
	if (unlikely(!skb))
		return;
	skb_push(skb, ETH_HLEN);
	if (unlikely(!dev || !is_skb_forwardable(dev, skb))) {
		if (dev)
			dev_core_stats_tx_dropped_inc(dev);
		kfree_skb(skb);
		return;
	}
	skb_forward_csum(skb);
	skb_clear_tstamp(skb);
	skb->dev = dev;
	dev_queue_xmit(skb);
}
