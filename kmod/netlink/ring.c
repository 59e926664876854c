// SPDX-License-Identifier: GPL-2.0
/*
 * Requests about the rings of a port. The module keeps the position up to which the owner has
 * read a ring, so that no request can name a wrong one.
 */
#include <linux/mm.h>
#include <net/genetlink.h>

#include "../port.h"
#include "../ring.h"
#include "generated/netlink.h"
#include "netlink.h"

/* The most bytes of records in a reply: an attribute is shorter than 64 KiB. */
#define RING_CHUNK	30000u
/* Bytes of a reply without the records */
#define RING_REPLY	256

static int ring_alloc(struct rf_ring *ring[RF_DIRS], struct nlattr **tb)
{
	struct nlattr *snaplen = tb[RDMAFAULT_A_RING_SNAPLEN];
	u32 bytes = nla_get_u32(tb[RDMAFAULT_A_RING_BYTES]);
	int direction;

	for (direction = 0; direction < RF_DIRS; direction++)
		ring[direction] = rf_ring_alloc(bytes, snaplen ? nla_get_u32(snaplen) : 0);
	return ring[RF_TX] && ring[RF_RX] ? 0 : -ENOMEM;
}

static int ring_publish(struct rf_ring *const ring[RF_DIRS], struct genl_info *info)
{
	struct rf_port *port = rf_netlink_port(info);

	if (IS_ERR(port))
		return PTR_ERR(port);
	if (port->ring_owner) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[RDMAFAULT_A_IFINDEX],
				    "the packets of the port are already recorded by another \"rdmafault watch\"");
		return -EBUSY;
	}
	return rf_ports_begin_lease(genl_info_net(info), info->snd_portid) ?:
	       rf_port_add_rings(port, ring, info->snd_portid);
}

/* Attributes behind snaplen are only in replies. */
static int ring_parse(struct nlattr **tb, struct genl_info *info)
{
	const struct nlattr *nest = info->attrs[RDMAFAULT_A_RING];

	return rf_netlink_require(info, RDMAFAULT_A_RING, "ring: missing") ?:
	       nla_parse_nested(tb, RDMAFAULT_A_RING_SNAPLEN, nest, rdmafault_ring_nl_policy,
				info->extack) ?:
	       rf_require(tb, RDMAFAULT_A_RING_BYTES, nest, "bytes: missing", info->extack);
}

int rdmafault_nl_ring_new_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *tb[RDMAFAULT_A_RING_SNAPLEN + 1];
	struct rf_ring *ring[RF_DIRS] = {};
	int err;

	err = ring_parse(tb, info);
	if (err)
		return err;
	err = ring_alloc(ring, tb);
	if (!err) {
		rf_ports_lock(genl_info_net(info));
		err = ring_publish(ring, info);
		rf_ports_unlock(genl_info_net(info));
	}
	if (err) {
		kvfree(ring[RF_TX]);
		kvfree(ring[RF_RX]);
	}
	return err;
}

/* Packets are recorded meanwhile, so the counters and the records are read under one lock. */
static int ring_put(struct sk_buff *skb, struct rf_ring *ring)
{
	struct rf_ring_space space;
	struct nlattr *records;
	int err = -EMSGSIZE;
	u32 len;

	spin_lock_bh(&ring->lock);
	len = rf_ring_next(&ring->space, RING_CHUNK);
	records = len ? nla_reserve(skb, RDMAFAULT_A_RING_RECORDS, len) : NULL;
	if (records || !len) {
		if (len)
			rf_ring_read(&ring->space, nla_data(records), len);
		err = 0;
	}
	space = ring->space;
	spin_unlock_bh(&ring->lock);
	if (err || nla_put_u64_64bit(skb, RDMAFAULT_A_RING_PACKETS, space.packets,
				     RDMAFAULT_A_RING_PAD) ||
	    nla_put_u64_64bit(skb, RDMAFAULT_A_RING_OVERWRITTEN, space.overwritten,
			      RDMAFAULT_A_RING_PAD))
		return -EMSGSIZE;
	return 0;
}

static int ring_fill(struct sk_buff *skb, struct rf_ring *ring, u32 direction,
		     struct genl_info *info)
{
	struct nlattr *nest;
	void *hdr;

	hdr = genlmsg_put_reply(skb, info, &rf_family, 0, RDMAFAULT_CMD_RING_GET);
	if (!hdr || nla_put(skb, RDMAFAULT_A_IFINDEX, sizeof(u32),
			    nla_data(info->attrs[RDMAFAULT_A_IFINDEX])) ||
	    nla_put_u32(skb, RDMAFAULT_A_DIRECTION, direction))
		return -EMSGSIZE;
	nest = nla_nest_start(skb, RDMAFAULT_A_RING);
	if (!nest || ring_put(skb, ring))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	genlmsg_end(skb, hdr);
	return 0;
}

static struct rf_ring *ring_find(struct genl_info *info, u32 direction)
{
	struct rf_port *port = rf_netlink_port(info);

	if (IS_ERR(port))
		return ERR_CAST(port);
	if (port->ring_owner == info->snd_portid)
		return rcu_dereference_protected(port->dir[direction].ring,
						 rf_ports_is_held(port));
	NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[RDMAFAULT_A_IFINDEX],
			    "this socket has no ring at the port");
	return ERR_PTR(-ENOENT);
}

int rdmafault_nl_ring_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct sk_buff *reply;
	struct rf_ring *ring;
	u32 direction;
	int err;

	err = rf_netlink_require(info, RDMAFAULT_A_DIRECTION, "direction: missing");
	if (err)
		return err;
	direction = nla_get_u32(info->attrs[RDMAFAULT_A_DIRECTION]);
	reply = genlmsg_new(RING_CHUNK + RING_REPLY, GFP_KERNEL);
	if (!reply)
		return -ENOMEM;
	rf_ports_lock(genl_info_net(info));
	ring = ring_find(info, direction);
	err = IS_ERR(ring) ? PTR_ERR(ring) : ring_fill(reply, ring, direction, info);
	rf_ports_unlock(genl_info_net(info));
	if (err) {
		nlmsg_free(reply);
		return err;
	}
	return genlmsg_reply(reply, info);
}
