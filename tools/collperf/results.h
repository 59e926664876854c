/* SPDX-License-Identifier: GPL-2.0 */
/* The results as JSON. */
#ifndef CP_RESULTS_H
#define CP_RESULTS_H

#include "table.h"

struct json_object;

struct json_object *cp_results_begin(const struct cp_config *cfg);
void cp_results_met(struct json_object *doc, const struct cp_config *cfg,
		    const struct coll_member *all, uint32_t mtu);
void cp_results_row(struct json_object *doc, const struct cp_config *cfg,
		    const struct cp_row *row);
int cp_results_end(struct json_object *doc, const struct cp_config *cfg,
		   const struct cp_total *total, const struct cp_stragglers *stragglers,
		   const char *error);
int cp_results_lost(const struct cp_config *cfg, const char *error);

#endif
