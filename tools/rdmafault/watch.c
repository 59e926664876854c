// SPDX-License-Identifier: GPL-2.0
/* What monitor and record share: the devices and sizes of their command line. */
#include "cmd.h"
#include "err.h"
#include "genl.h"
#include "port.h"
#include "units.h"
#include "watch.h"

#define BUFFER_MIN	(8u << 10)	/* a CPU: two pages, the kernel's least */
#define BUFFER_MAX	(4ull << 30)

/**
 * rf_watch_add - keep to one more port
 * @w: the ports
 * @nl: a socket to the module
 * @dev: netdev or RDMA device
 *
 * Return: RF_EXIT_OK, or another exit status, and the user has been told why.
 */
int rf_watch_add(struct rf_watch *w, struct rf_nl *nl, const char *dev)
{
	struct rf_port_info port;
	struct rf_target t;
	int err;

	if (w->n == RF_WATCH_DEVS_MAX) {
		rf_err("want at most %d devices, got more", RF_WATCH_DEVS_MAX);
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

/**
 * rf_watch_parse_buffer - the room for events
 * @word: the size, for each CPU
 * @bytes: gets it
 *
 * Return: RF_EXIT_OK, or RF_EXIT_USAGE, and the user has been told why.
 */
int rf_watch_parse_buffer(const char *word, uint64_t *bytes)
{
	if (!rf_parse_size(word, bytes) && *bytes >= BUFFER_MIN &&
	    *bytes <= BUFFER_MAX)
		return RF_EXIT_OK;
	rf_err("--buffer: want a size from 8KiB to 4GiB, as 16MiB, got \"%s\"",
	       word);
	return RF_EXIT_USAGE;
}
