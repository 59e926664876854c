// SPDX-License-Identifier: GPL-2.0
/* rdmafault fabric: up, down, show. */
#include <arpa/inet.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "err.h"
#include "fabric.h"
#include "out.h"
#include "port.h"
#include "rdmadev.h"
#include "rtnl.h"
#include "units.h"

#define NODES_DEFAULT 4

static int fabric_up(int argc, char **argv);
static int fabric_down(int argc, char **argv);
static int fabric_show(int argc, char **argv);

const struct rf_cmd rf_fabric_verbs[] = {
	{ "up", fabric_up, "fabric up [ N ]", "make N nodes, 2 to 64" },
	{ "down", fabric_down, "fabric down [ --force ]", "remove them" },
	{ "show", fabric_show, "fabric show", "list them" },
	{ }
};

static int fabric_up(int argc, char **argv)
{
	uint32_t n = NODES_DEFAULT;

	if (argc > 2)
		return rf_usage(rf_fabric_verbs, "up");
	if (argc == 2 && (rf_parse_u32(argv[1], &n) || n < RF_FABRIC_MIN ||
			  n > RF_FABRIC_MAX)) {
		rf_err("nodes: want %d to %d, got \"%s\"", RF_FABRIC_MIN,
		       RF_FABRIC_MAX, argv[1]);
		return RF_EXIT_USAGE;
	}
	return rf_fabric_up(n) ? RF_EXIT_FAILED : RF_EXIT_OK;
}

static int fabric_down(int argc, char **argv)
{
	bool force = rf_take_flag(&argc, argv, "--force");

	if (argc != 1)
		return rf_usage(rf_fabric_verbs, "down");
	return rf_fabric_down(force) ? RF_EXIT_FAILED : RF_EXIT_OK;
}

static void print_node(int k)
{
	char v[RF_IFNAME_LEN], p[RF_IFNAME_LEN], rdma[RF_RDMA_NAME_LEN];
	char addr[32];
	int gid;

	snprintf(v, sizeof(v), "v%d", k);
	snprintf(p, sizeof(p), "p%d", k);
	snprintf(addr, sizeof(addr), "10.77.0.%d", k);
	rf_out_push_object(NULL);
	rf_out_u64("rank", "%4" PRIu64, k - 1);
	if (rf_netdev_to_rdma(v, rdma, sizeof(rdma)))
		strcpy(rdma, "-");
	rf_out_str("rdma", " %-8s", rdma);
	rf_out_str("netdev", " %-8s", v);
	rf_out_str("switch_port", " %-11s", p);
	rf_out_str("address", " %-12s", addr);
	gid = rf_rdma_gid_index(rdma);
	rf_out_text(" %3d", gid);
	if (gid < 0)
		rf_out_null("gid_index");
	else
		rf_out_u64("gid_index", NULL, gid);
	rf_out_bool("port", " port", rf_port_exists(rf_ifindex(v)));
	rf_out_text("\n");
	rf_out_pop();
}

static int fabric_show(int argc, char **argv)
{
	int k, n;

	(void)argv;
	if (argc != 1)
		return rf_usage(rf_fabric_verbs, "show");
	n = rf_fabric_is_up();
	if (n < 0) {
		rf_err("fabric: %s", strerror(-n));
		return RF_EXIT_FAILED;
	}
	rf_out_begin_object();
	rf_out_u64("nodes", NULL, n);
	rf_out_push_array("node");
	if (n)
		rf_out_text("%4s %-8s %-8s %-11s %-12s %s\n", "rank", "rdma",
			    "netdev", "switch-port", "address", "gid");
	for (k = 1; k <= n; k++)
		print_node(k);
	rf_out_pop();
	rf_out_end();
	return RF_EXIT_OK;
}

/**
 * rf_cmd_fabric - rdmafault fabric
 * @argc: number of words
 * @argv: the words, "fabric" first
 *
 * Return: the exit status.
 */
int rf_cmd_fabric(int argc, char **argv)
{
	return rf_dispatch(rf_fabric_verbs, argc - 1, argv + 1);
}
