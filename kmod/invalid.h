/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_INVALID_H
#define RF_INVALID_H

#include <linux/types.h>

/**
 * struct rf_invalid - why a request is refused
 * @attr: the invalid attribute, of rdmafault-a-match, -trigger, -action, -rule or
 *	-storm, or of the nest @nest
 * @words: what is wrong with it
 * @nest: of a configuration: the nest of @attr, RDMAFAULT_A_PRIO,
 *	RDMAFAULT_A_PRIO_ECN or RDMAFAULT_A_WATCHDOG; otherwise 0
 */
struct rf_invalid {
	u32 attr;
	const char *words;
	u32 nest;
};

#endif
