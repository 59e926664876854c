/* SPDX-License-Identifier: GPL-2.0 */
/* The results as text. */
#ifndef CP_TABLE_H
#define CP_TABLE_H

#include "total.h"

void cp_table_head(const struct cp_config *cfg, const struct coll_member *all);
void cp_table_row(const struct cp_config *cfg, const struct cp_row *row);
void cp_table_foot(const struct cp_config *cfg, const struct cp_total *total,
		   const struct cp_stragglers *stragglers, const struct coll_member *all);

#endif
