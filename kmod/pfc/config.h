/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_PFC_CONFIG_H
#define RF_PFC_CONFIG_H

#include <linux/types.h>
#include <uapi/rdmafault/rdmafault.h>

/**
 * struct rf_buffer_prio_conf - the thresholds of one priority
 * @share: most bytes in the shared part, U64_MAX for no limit
 * @headroom: most bytes in the headroom
 * @xoff: bytes in the buffer at which XOFF is sent, U64_MAX for never
 * @xon: bytes in the buffer at which XON is sent
 */
struct rf_buffer_prio_conf {
	u64 share;
	u64 headroom;
	u64 xoff;
	u64 xon;
};

/**
 * struct rf_buffer_conf - the configuration of an ingress buffer
 * @shared: bytes in the part that all priorities share, U64_MAX for no limit
 * @lossless: bit n: priority n has PFC
 * @prio: by priority
 */
struct rf_buffer_conf {
	u64 shared;
	u8 lossless;
	struct rf_buffer_prio_conf prio[RDMAFAULT_PRIOS];
};

/**
 * struct rf_watchdog_conf - the settings of a port's PFC watchdog
 * @detect: detection time, in nanoseconds
 * @restore: restoration time, in nanoseconds
 * @poll: polling interval, in nanoseconds
 * @prios: bit n: priority n has a watchdog
 * @action: what is done in a storm, RDMAFAULT_WATCHDOG_ACTION_*
 */
struct rf_watchdog_conf {
	u64 detect;
	u64 restore;
	u64 poll;
	u32 prios;
	u32 action;
};

/**
 * struct rf_pfc_conf - the configuration of the PFC of a port
 * @rate: rate of the link, bits per second, not 0; converts quanta to time
 * @buffer: ingress buffer, and the priorities that have PFC
 * @watchdog: PFC watchdog
 */
struct rf_pfc_conf {
	u64 rate;
	struct rf_buffer_conf buffer;
	struct rf_watchdog_conf watchdog;
};

#endif
