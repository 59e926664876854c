/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_FAULT_H
#define RF_FAULT_H

#include <linux/types.h>

/**
 * enum rf_verdict - what becomes of a packet
 * @RF_PASS: it goes on
 * @RF_DROP: it vanishes, and its sender is told that it went out
 */
enum rf_verdict {
	RF_PASS,
	RF_DROP,
};

enum rf_verdict rf_fault_apply(u32 action);

/* One file per action. */
enum rf_verdict rf_fault_drop(void);
enum rf_verdict rf_fault_watch(void);

#endif
