// SPDX-License-Identifier: GPL-2.0
/*
 * The table of actions. The netlink policy lets no other number in.
 */
#include <linux/kernel.h>

#include <uapi/rdmafault/rdmafault.h>

#include "fault.h"

typedef enum rf_verdict (*fault_fn)(void);

static const fault_fn faults[] = {
	[RDMAFAULT_ACTION_DROP] = rf_fault_drop,
	[RDMAFAULT_ACTION_WATCH] = rf_fault_watch,
};

/**
 * rf_fault_apply - do to a packet what a rule says
 * @action: RDMAFAULT_ACTION_*
 *
 * Context: softirq or BH off, under the lock of the direction.
 * Return: what becomes of the packet.
 */
enum rf_verdict rf_fault_apply(u32 action)
{
	return faults[action]();
}
