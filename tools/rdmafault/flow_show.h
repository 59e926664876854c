/* SPDX-License-Identifier: GPL-2.0 */
/* The ledger of flows. */
#ifndef RF_FLOW_SHOW_H
#define RF_FLOW_SHOW_H

int rf_flows_show(const char *dev);	/* NULL: of every port */

#endif
