/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_PFC_BUFFER_H
#define RF_PFC_BUFFER_H

#include "config.h"

/**
 * struct rf_buffer_prio - the packets of one priority in the buffer
 * @shared: bytes in the shared part
 * @headroom: bytes in the headroom
 * @peak: most bytes in both so far
 * @refused: a packet has found no room since the last XON
 */
struct rf_buffer_prio {
	u64 shared;
	u64 headroom;
	u64 peak;
	bool refused;
};

/**
 * struct rf_buffer - the ingress buffer of a port
 * @shared: bytes in the shared part, of all priorities
 * @used: bytes in the buffer
 * @peak: most bytes in the buffer so far
 * @xoff: bit n: the buffer holds XOFF for priority n
 * @prio: by priority
 */
struct rf_buffer {
	u64 shared;
	u64 used;
	u64 peak;
	u8 xoff;
	struct rf_buffer_prio prio[RDMAFAULT_PRIOS];
};

/* What is to be sent to the neighbour. */
enum rf_buffer_change {
	RF_BUFFER_NO_CHANGE,
	RF_BUFFER_XOFF,
	RF_BUFFER_XON,
};

bool rf_buffer_add(struct rf_buffer *buffer, const struct rf_buffer_conf *conf,
		   u32 prio, u32 bytes);
void rf_buffer_remove(struct rf_buffer *buffer, u32 prio, u32 bytes);
enum rf_buffer_change rf_buffer_update_pfc_state(struct rf_buffer *buffer,
						 const struct rf_buffer_conf *conf,
						 u32 prio);
void rf_buffer_reset_peaks(struct rf_buffer *buffer);

#endif
