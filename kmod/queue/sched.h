/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_QUEUE_SCHED_H
#define RF_QUEUE_SCHED_H

#include "config.h"

/* The queues of a port: its priorities, and one before them. */
#define RF_CONTROL	RDMAFAULT_PRIOS
#define RF_BANDS	(RDMAFAULT_PRIOS + 1)

/**
 * struct rf_heads - the first packets of the queues that may send
 * @ready: bit n if queue n has one; all others are about these
 * @since: when it could have gone
 * @bytes: its length
 */
struct rf_heads {
	u32 ready;
	u64 since[RF_BANDS];
	u32 bytes[RF_BANDS];
};

/**
 * struct rf_service - whose turn it is among those of ets
 * @deficit: bytes that a priority may send before its turn ends
 * @turn: the priority
 */
struct rf_service {
	u64 deficit[RDMAFAULT_PRIOS];
	u32 turn;
};

u64 rf_heads_since(const struct rf_heads *heads);
void rf_heads_until(struct rf_heads *heads, u64 time);
u32 rf_service_next(struct rf_service *service, const struct rf_conf *conf,
		    const struct rf_heads *heads, u32 mtu);

#endif
