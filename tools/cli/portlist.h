/* SPDX-License-Identifier: GPL-2.0 */
/* Read the ports that the command line names, or all ports of the namespace. */
#ifndef RF_PORTLIST_H
#define RF_PORTLIST_H

#include "rule.h"

struct rf_port_list {
	struct rf_port_info *port;	/* allocated; freed by the caller */
	int n;
};

int rf_port_list_get(struct rf_port_list *list, char *const *names, int n);

#endif
