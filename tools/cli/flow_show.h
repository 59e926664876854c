/* SPDX-License-Identifier: GPL-2.0 */
/* Print the counters of flows. */
#ifndef RF_FLOW_SHOW_H
#define RF_FLOW_SHOW_H

int rf_flows_show(char *const *names, int n);	/* 0: all ports */

#endif
