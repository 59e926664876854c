// SPDX-License-Identifier: GPL-2.0
/* The modes of parallelism */
#include <string.h>

#include "train.h"

static const struct tr_mode *const modes[] = {
	&tr_mode_dp, &tr_mode_tp, &tr_mode_pp,
};

/** tr_mode_find() - find a mode by name, or return NULL */
const struct tr_mode *tr_mode_find(const char *name)
{
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (!strcmp(modes[i]->name, name))
			return modes[i];
	return NULL;
}
