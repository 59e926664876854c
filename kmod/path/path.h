/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The choice of a link. path.c is pure: its result depends only on its arguments. The tools and
 * the unit tests compile it, too.
 */
#ifndef RF_PATH_PATH_H
#define RF_PATH_PATH_H

#include <linux/types.h>
#include <uapi/rdmafault/rdmafault.h>

#include "../report.h"

/* No link can be chosen: all are down. */
#define RF_PATH_NONE	RDMAFAULT_PATH_LINKS_MAX

/* Flows share a slot if these many highest bits of their hashes are equal. */
#define RF_PATH_SLOT_BITS	10

/**
 * struct rf_path_route - the links of a flow, or of several
 * @links: bit n for link n
 * @qp: destination QP, 0 for any
 * @addr_len: bytes of @daddr, 0 for any address
 * @daddr: destination address
 */
struct rf_path_route {
	u32 links;
	u32 qp;
	u32 addr_len;
	u8 daddr[16];
};

/**
 * struct rf_path_conf - how links are chosen
 * @mode: RDMAFAULT_PATH_MODE_*
 * @order: RDMAFAULT_PATH_ORDER_*, for spray
 * @seed: seed of the hash
 * @gap: gap in a flow after which flowlet and adaptive choose again, in ns; 0: adaptive
 *	chooses for each packet
 * @links: number of links
 * @routes: number of routes, for list
 * @route: the routes
 */
struct rf_path_conf {
	u32 mode;
	u32 order;
	u64 seed;
	u64 gap;
	u32 links;
	u32 routes;
	struct rf_path_route route[RDMAFAULT_PATH_ROUTES_MAX];
};

/**
 * struct rf_path_key - what the choice reads of a packet
 * @saddr: source address, @addr_len bytes
 * @daddr: destination address, @addr_len bytes
 * @addr_len: bytes of an address, 4 or 16
 * @qp: destination QP
 * @sport: UDP source port
 */
struct rf_path_key {
	u8 saddr[16];
	u8 daddr[16];
	u32 addr_len;
	u32 qp;
	u16 sport;
};

/**
 * struct rf_path_slot - the flows that share a slot
 * @last: time of their last packet
 * @choices: number of choices that were made for them, modulo 2^32
 * @link: the last one that was chosen
 */
struct rf_path_slot {
	u64 last;
	u32 choices;
	u32 link;
};

/**
 * struct rf_path_state - what earlier packets leave behind; all zero at first
 * @turn: number of packets that were sprayed in turn
 * @slot: the flows, by their hash
 */
struct rf_path_state {
	u64 turn;
	struct rf_path_slot slot[1 << RF_PATH_SLOT_BITS];
};

/* path.c */
const struct rf_invalid *rf_path_validate(const struct rf_path_conf *conf, u64 set, u64 max_hold);
u32 rf_path_choose(const struct rf_path_conf *conf, struct rf_path_state *state,
		   const struct rf_path_key *key, u32 up, const u64 *queued, u64 now);

#endif
