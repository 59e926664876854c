/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_QUEUE_SCHED_H
#define RF_QUEUE_SCHED_H

#include "config.h"

/* The bands of a port: one queue per priority, and the control band before them */
#define RF_CONTROL	RDMAFAULT_PRIOS
#define RF_BANDS	(RDMAFAULT_PRIOS + 1)

/**
 * struct rf_ready - the first packets of the bands that can send
 * @bands: bit n if band n can send; the other members are only set for these bands
 * @eligible: from when on the first packet of the band could have been sent
 * @bytes: its length
 */
struct rf_ready {
	u32 bands;
	u64 eligible[RF_BANDS];
	u32 bytes[RF_BANDS];
};

/**
 * struct rf_dwrr - the state of deficit round robin between the ETS priorities
 * @deficit: bytes that a priority can send before its turn ends
 * @turn: the priority whose turn it is
 */
struct rf_dwrr {
	u64 deficit[RDMAFAULT_PRIOS];
	u32 turn;
};

u64 rf_ready_eligible(const struct rf_ready *ready);
void rf_ready_filter(struct rf_ready *ready, u64 time);
u32 rf_sched_next(struct rf_dwrr *dwrr, const struct rf_conf *conf,
		  const struct rf_ready *ready, u32 mtu);

#endif
