// SPDX-License-Identifier: GPL-2.0
/*
 * Read the given ports, or all ports sorted by netdev. Nothing is printed before all are read, so
 * an error leaves no incomplete output.
 */
#include <errno.h>
#include <stdlib.h>

#include "cmd.h"
#include "genl.h"
#include "port.h"
#include "show.h"

static int append_port(const struct rf_port_info *port, void *arg)
{
	struct rf_port_list *list = arg;
	struct rf_port_info *more;

	more = reallocarray(list->port, list->n + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	list->port = more;
	list->port[list->n++] = *port;
	return 0;
}

static int ports_by_ifindex(const void *a, const void *b)
{
	const struct rf_port_info *x = a, *y = b;

	return x->ifindex < y->ifindex ? -1 : x->ifindex > y->ifindex;
}

static int get_port(struct rf_nl *nl, struct rf_port_list *list,
		    const char *name)
{
	struct rf_port_info port;
	struct rf_target t;
	int err;

	if (rf_target_find(name, &t))
		return RF_EXIT_FAILED;
	err = rf_nl_port_get(nl, t.ifindex, &port);
	if (!err)
		err = append_port(&port, list);
	return err ? rf_nl_failed(nl, t.netdev, err) : RF_EXIT_OK;
}

static int get_ports(struct rf_nl *nl, struct rf_port_list *list)
{
	int err = rf_nl_port_each(nl, append_port, list);

	if (err)
		return rf_nl_failed(nl, "list of ports", err);
	if (list->n)
		qsort(list->port, list->n, sizeof(*list->port), ports_by_ifindex);
	return RF_EXIT_OK;
}

/**
 * rf_port_list_get - read ports
 * @list: gets the ports; the caller frees list->port
 * @names: netdevs or RDMA devices
 * @n: number of names; 0: all ports
 *
 * Return: RF_EXIT_OK, or another exit status after an error message.
 */
int rf_port_list_get(struct rf_port_list *list, char *const *names, int n)
{
	struct rf_nl *nl;
	int status, i;

	*list = (struct rf_port_list){};
	status = rf_open_module(&nl);
	if (status)
		return status;
	if (!n)
		status = get_ports(nl, list);
	for (i = 0; !status && i < n; i++)
		status = get_port(nl, list, names[i]);
	rf_nl_close(nl);
	if (status)
		free(list->port);
	return status;
}
