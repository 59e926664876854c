// SPDX-License-Identifier: GPL-2.0
/* Parse the devices on the command lines of monitor and record. */
#include "cmd.h"
#include "err.h"
#include "genl.h"
#include "port.h"
#include "show.h"

/**
 * rf_watch_add - add a port to the list of ports to monitor or record
 * @w: the list
 * @nl: a socket to the module
 * @dev: netdev or RDMA device
 *
 * Return: RF_EXIT_OK, or another exit status after rf_err().
 */
int rf_watch_add(struct rf_watch *w, struct rf_nl *nl, const char *dev)
{
	struct rf_port_info port;
	struct rf_target t;
	int err;

	if (w->n == RF_WATCH_DEVS_MAX) {
		rf_err("%s: too many devices; at most %d", dev, RF_WATCH_DEVS_MAX);
		return RF_EXIT_USAGE;
	}
	if (rf_target_find(dev, &t))
		return RF_EXIT_FAILED;
	err = rf_nl_port_get(nl, t.ifindex, &port);
	if (err)
		return rf_nl_failed(nl, t.netdev, err);
	w->ifindex[w->n++] = t.ifindex;
	return RF_EXIT_OK;
}
