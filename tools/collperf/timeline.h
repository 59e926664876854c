/* SPDX-License-Identifier: GPL-2.0 */
/* The timeline: each rank's steps as JSON lines. */
#ifndef CP_TIMELINE_H
#define CP_TIMELINE_H

#include "config.h"

int cp_timeline_write(const struct cp_config *cfg,
		      const struct coll_state *states);

#endif
