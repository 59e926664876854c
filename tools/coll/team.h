/* SPDX-License-Identifier: GPL-2.0 */
/* Join a job that another launcher started. */
#ifndef COLL_TEAM_H
#define COLL_TEAM_H

#include "options.h"

enum rf_exit coll_team_join(struct coll_options *opt, uint32_t *ranks,
			    const char *arguments);
void coll_team_leave(struct coll_team *team);

#endif
