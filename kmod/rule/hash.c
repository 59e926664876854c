// SPDX-License-Identifier: GPL-2.0
/*
 * The key of the hash tables that packets fill.
 */
#include <linux/random.h>

#include "hash.h"

u32 rf_hash_key;

/**
 * rf_hash_init - draw the key
 *
 * Context: any; before the first packet.
 */
void rf_hash_init(void)
{
	rf_hash_key = get_random_u32();
}
