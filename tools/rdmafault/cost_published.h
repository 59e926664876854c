/* SPDX-License-Identifier: GPL-2.0 */
/* What pages print of models, NICs and money, beside what comes out. */
#ifndef RF_COST_PUBLISHED_H
#define RF_COST_PUBLISHED_H

void rf_print_published(void);

#endif
