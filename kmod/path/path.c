// SPDX-License-Identifier: GPL-2.0
/*
 * Choose the link of a packet, as switches do that balance the load of several links.
 *
 * A hash of the packet's headers and a seed selects one of the links that are up. All packets
 * of a flow have the same hash. The choices of a flow are numbered from 0: ecmp, qp and list
 * make one choice, flowlet makes another one after each gap, and spray and adaptive make one
 * for each packet. The random number of a choice depends on the hash and on its number. So it
 * is the same in each run, whatever the other flows do, unless they have the same slot.
 *
 * A slot is shared by flows with equal bits of their hash, as in hardware. Then the packets of
 * one flow end the gaps of the other, and the two count their choices together.
 */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/limits.h>
#include <linux/string.h>

#include "../rand.h"
#include "../rocev2/bth.h"
#include "path.h"

#define SET(attr)	BIT_ULL(RDMAFAULT_A_PATH_ ## attr)

static const struct rf_invalid no_mode = {
	.attr = RDMAFAULT_A_PATH_MODE, .words = "mode: missing",
};

static const struct rf_invalid no_link = {
	.attr = RDMAFAULT_A_PATH_LINK, .words = "link: missing; 1 to 16",
};

static const struct rf_invalid no_gap = {
	.attr = RDMAFAULT_A_PATH_GAP, .words = "gap: missing; flowlet requires it",
};

static const struct rf_invalid gap_unused = {
	.attr = RDMAFAULT_A_PATH_GAP, .words = "gap: only for flowlet and adaptive",
};

static const struct rf_invalid gap_long = {
	.attr = RDMAFAULT_A_PATH_GAP, .words = "gap: longer than the port's max-hold",
};

static const struct rf_invalid order_unused = {
	.attr = RDMAFAULT_A_PATH_ORDER, .words = "order: only for spray",
};

static const struct rf_invalid no_route = {
	.attr = RDMAFAULT_A_PATH_ROUTE, .words = "route: missing; list requires 1 to 64",
};

static const struct rf_invalid route_unused = {
	.attr = RDMAFAULT_A_PATH_ROUTE, .words = "route: only for list",
};

static const struct rf_invalid route_link = {
	.attr = RDMAFAULT_A_PATH_ROUTE, .words = "route: its links are not links of the path",
};

static const struct rf_invalid route_any = {
	.attr = RDMAFAULT_A_PATH_ROUTE, .words = "route: daddr or qp missing",
};

static const struct rf_invalid *path_validate_gap(const struct rf_path_conf *conf, u64 set,
						  u64 max_hold)
{
	if (!(set & SET(GAP)))
		return conf->mode == RDMAFAULT_PATH_MODE_FLOWLET ? &no_gap : NULL;
	if (conf->mode != RDMAFAULT_PATH_MODE_FLOWLET && conf->mode != RDMAFAULT_PATH_MODE_ADAPTIVE)
		return &gap_unused;
	return conf->gap > max_hold ? &gap_long : NULL;
}

static const struct rf_invalid *path_validate_routes(const struct rf_path_conf *conf)
{
	const struct rf_path_route *route;

	if (conf->mode != RDMAFAULT_PATH_MODE_LIST)
		return conf->routes ? &route_unused : NULL;
	if (!conf->routes)
		return &no_route;
	for (route = conf->route; route < conf->route + conf->routes; route++) {
		if (!route->links || route->links >> conf->links)
			return &route_link;
		if (!route->addr_len && !route->qp)
			return &route_any;
	}
	return NULL;
}

/**
 * rf_path_validate - check a configuration
 * @conf: the configuration, whose values are in the ranges of the specification, with at
 *	most the maximum of links and routes
 * @set: bit n for RDMAFAULT_A_PATH_* n: the number was given
 * @max_hold: max-hold of the port
 *
 * Return: NULL, or why it is refused.
 */
const struct rf_invalid *rf_path_validate(const struct rf_path_conf *conf, u64 set, u64 max_hold)
{
	const struct rf_invalid *invalid;

	if (!(set & SET(MODE)))
		return &no_mode;
	if (!conf->links)
		return &no_link;
	if (set & SET(ORDER) && conf->mode != RDMAFAULT_PATH_MODE_SPRAY)
		return &order_unused;
	invalid = path_validate_gap(conf, set, max_hold);
	return invalid ?: path_validate_routes(conf);
}

static u64 path_be32(const u8 *from)
{
	return (u32)from[0] << 24 | from[1] << 16 | from[2] << 8 | from[3];
}

static u64 path_be64(const u8 *from)
{
	return path_be32(from) << 32 | path_be32(from + 4);
}

/* The words of the hash are the seed, the addresses, and the QP with both UDP ports. */
static u64 path_hash(u64 seed, const struct rf_path_key *key, u32 qp)
{
	u64 hash = rf_splitmix64(0, seed);

	if (key->addr_len == 4) {
		hash = rf_splitmix64(hash, path_be32(key->saddr) << 32 | path_be32(key->daddr));
	} else {
		hash = rf_splitmix64(hash, path_be64(key->saddr));
		hash = rf_splitmix64(hash, path_be64(key->saddr + 8));
		hash = rf_splitmix64(hash, path_be64(key->daddr));
		hash = rf_splitmix64(hash, path_be64(key->daddr + 8));
	}
	return rf_splitmix64(hash, (u64)qp << 32 | (u32)key->sport << 16 | RF_ROCE_PORT);
}

/* Return: link number @n of those in @links, from 0 */
static u32 path_nth(u32 links, u32 n)
{
	while (n--)
		links &= links - 1;
	return __ffs(links);
}

/* Choose one of @links by chance: the same one for the same flow and number of the choice */
static u32 path_draw(u64 hash, u32 choice, u32 links)
{
	return path_nth(links, rf_draw_below(rf_splitmix64(hash, choice), hweight32(links)));
}

static bool path_route_fits(const struct rf_path_route *route, const struct rf_path_key *key)
{
	return (!route->qp || route->qp == key->qp) &&
	       (!route->addr_len || (route->addr_len == key->addr_len &&
				     !memcmp(route->daddr, key->daddr, route->addr_len)));
}

/* Return: the links of the first route that fits and has a link that is up, or all */
static u32 path_listed(const struct rf_path_conf *conf, const struct rf_path_key *key, u32 up)
{
	u32 i;

	for (i = 0; i < conf->routes; i++)
		if (path_route_fits(&conf->route[i], key))
			return conf->route[i].links & up ?: up;
	return up;
}

/* Return: the links with the least queued bytes */
static u32 path_shortest(const u64 *queued, u32 up)
{
	u64 least = U64_MAX;
	u32 links = 0, left, link;

	for (left = up; left; left &= left - 1) {
		link = __ffs(left);
		if (queued[link] > least)
			continue;
		if (queued[link] < least)
			links = 0;
		least = queued[link];
		links |= BIT(link);
	}
	return links;
}

/* Make the next choice of a flow, or keep the last one if there was no gap. */
static u32 path_choose_again(const struct rf_path_conf *conf, struct rf_path_slot *slot,
			     u64 hash, u32 up, const u64 *queued, u64 now)
{
	bool keep = conf->gap && slot->choices && now < slot->last + conf->gap &&
		    up & BIT(slot->link);

	slot->last = now;
	if (keep)
		return slot->link;
	if (conf->mode == RDMAFAULT_PATH_MODE_ADAPTIVE)
		up = path_shortest(queued, up);
	slot->link = path_draw(hash, slot->choices++, up);
	return slot->link;
}

/**
 * rf_path_choose - choose the link of a packet
 * @conf: a valid configuration
 * @state: the state that the packets before have left; updated
 * @key: the packet
 * @up: bit n: link n can be chosen
 * @queued: bytes that are queued at each link; only read by adaptive
 * @now: the time in ns; only read if there is a gap
 *
 * Return: the number of the link, or RF_PATH_NONE if @up is 0.
 */
u32 rf_path_choose(const struct rf_path_conf *conf, struct rf_path_state *state,
		   const struct rf_path_key *key, u32 up, const u64 *queued, u64 now)
{
	u64 hash;

	if (!up)
		return RF_PATH_NONE;
	if (conf->mode == RDMAFAULT_PATH_MODE_SPRAY &&
	    conf->order == RDMAFAULT_PATH_ORDER_ROUND_ROBIN)
		return path_nth(up, state->turn++ % hweight32(up));
	hash = path_hash(conf->seed, key, conf->mode == RDMAFAULT_PATH_MODE_QP ? key->qp : 0);
	switch (conf->mode) {
	case RDMAFAULT_PATH_MODE_ECMP:
	case RDMAFAULT_PATH_MODE_QP:
		return path_draw(hash, 0, up);
	case RDMAFAULT_PATH_MODE_LIST:
		return path_draw(hash, 0, path_listed(conf, key, up));
	default:
		return path_choose_again(conf, &state->slot[hash >> (64 - RF_PATH_SLOT_BITS)],
					 hash, up, queued, now);
	}
}
