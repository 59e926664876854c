/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_PFC_POOL_H
#define RF_PFC_POOL_H

#include "../queue/config.h"

/**
 * struct rf_pool_prio - what a priority has in the buffer of a port
 * @shared: bytes in the shared part
 * @headroom: bytes in its headroom
 * @peak: most that it had in both
 * @refused: there was no room, and it hasn't been let go since
 * @held: its sender is to be quiet
 */
struct rf_pool_prio {
	u64 shared;
	u64 headroom;
	u64 peak;
	bool refused;
	bool held;
};

/**
 * struct rf_pool - the buffer of a port
 * @shared: bytes in the shared part, of all priorities
 * @used: bytes in all of it
 * @peak: most that there were
 * @prio: by priority
 */
struct rf_pool {
	u64 shared;
	u64 used;
	u64 peak;
	struct rf_pool_prio prio[RDMAFAULT_PRIOS];
};

/* What is to be told to the neighbour. */
enum rf_pool_change {
	RF_POOL_NOTHING,
	RF_POOL_XOFF,
	RF_POOL_XON,
};

bool rf_pool_take(struct rf_pool *pool, const struct rf_conf *conf, u32 prio,
		  u32 bytes);
void rf_pool_give(struct rf_pool *pool, u32 prio, u32 bytes);
enum rf_pool_change rf_pool_update_pfc_state(struct rf_pool *pool,
				const struct rf_conf *conf, u32 prio);

#endif
