/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_SCH_RDMAFAULT_H
#define RF_SCH_RDMAFAULT_H

int rf_sch_register(void);
void rf_sch_unregister(void);

#endif
