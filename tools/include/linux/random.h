/* SPDX-License-Identifier: GPL-2.0 */
/* Replaces <linux/random.h> in user space: the part that the module uses. */
#ifndef RF_TOOLS_RANDOM_H
#define RF_TOOLS_RANDOM_H

#include <stdlib.h>
#include <sys/random.h>

static inline unsigned int get_random_u32(void)
{
	unsigned int number;

	if (getrandom(&number, sizeof(number), 0) != sizeof(number))
		abort();
	return number;
}

#endif
