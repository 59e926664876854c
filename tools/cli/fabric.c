// SPDX-License-Identifier: GPL-2.0
/* rdmafault fabric: create, remove and show a fabric. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "err.h"
#include "fabric.h"
#include "genl.h"
#include "nl.h"
#include "out.h"
#include "port.h"
#include "rule.h"
#include "text.h"
#include "words.h"

#define NODES_DEFAULT 4

static int fabric_up(int argc, char **argv);
static int fabric_down(int argc, char **argv);
static int fabric_show(int argc, char **argv);

/* The options of "fabric up" */
struct up {
	struct rf_fabric f;
	uint32_t pfc;		/* priorities with PFC on (bit mask), the same on all netdevs */
};

#define UP(member) .at = offsetof(struct up, member)

static const struct rf_key nodes_key = {
	"nodes", NULL, &rf_kind_u32, UP(f.nodes), RF_FABRIC_MIN, RF_FABRIC_MAX
};

/* A number is at least 1, because 0 in the struct means that no number is given. */
static const struct rf_key up_words[] = {
	{ "shape", "star, chain, leaf-spine, ring or torus",
	  &rf_kind_name, UP(f.shape), .names = rf_shape_names,
	  .help = "topology of the switches; default: star" },
	{ "switches", "2 to 16, at most the number of nodes",
	  &rf_kind_u32, UP(f.switches), 1, .help = "switches of a chain, default: 2, or of a ring, from 3, default: 3" },
	{ "dims", RF_DIMS_FORM,
	  &rf_kind_dims, UP(f.dims), .help = "switches in each dimension of a torus; required there" },
	{ "leaves", "2 to 32, at most the number of nodes",
	  &rf_kind_u32, UP(f.leaves), 1, .help = "leaf switches of leaf-spine; default: 2" },
	{ "spines", "1 to 16",
	  &rf_kind_u32, UP(f.spines), 1, .help = "spine switches of leaf-spine; default: 1" },
	{ "pfc", RF_PRIOS_FORM,
	  &rf_kind_prios, UP(pfc),
	  .help = "make all netdevs ports, with PFC on for these priorities; default: no ports" },
	{ "nodes", "A-B, for example 3-4, within the N nodes",
	  &rf_kind_range, UP(f.first), 1, RF_FABRIC_MAX,
	  .help = "create only these nodes; other machines have the others; default: all" },
	{ "uplink", "the name of a netdev",
	  &rf_kind_text, UP(f.uplink), 1, RF_IFNAME_LEN - 1,
	  .help = "becomes a port of the bridge, and leads to the other machines; default: none" },
	{ "cm", NULL,
	  &rf_kind_bool, UP(f.cm),
	  .help = "send rdma_cm and TCP between nodes over the links; default: locally" },
	{ }
};

static const struct rf_key down_words[] = {
	{ "--force", .help = "kill the processes that use the fabric; default: refuse" },
	{ }
};

const struct rf_cmd rf_fabric_verbs[] = {
	{ "up", fabric_up,
	  "fabric up [ N ] [ shape star | chain | leaf-spine | ring | torus ] [ switches N ] [ dims AxB[xC] ] [ leaves N ] [ spines N ] [ pfc PRIO ] [ nodes A-B uplink IFNAME ] [ cm ]",
	  "create N nodes, 2 to 128, by default 4, and the switches between them",
	  .words = up_words, .example = "fabric up 4 shape leaf-spine" },
	{ "down", fabric_down, "fabric down [ --force ]",
	  "remove the fabric, with all its ports and rules",
	  .words = down_words, .example = "fabric down" },
	{ "show", fabric_show, "fabric show",
	  "print the nodes and the links between switches", .example = "fabric show" },
	{ }
};

/* Make a netdev a port, and turn PFC on for the priorities in @prios. */
static int enable_pfc(struct rf_nl *nl, const char *netdev, uint32_t prios)
{
	struct rf_queue_change change = {};
	uint32_t i;
	int err;

	err = rf_port_add(netdev, false);
	if (err)
		return err;
	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		if (!(prios >> i & 1))
			continue;
		change.prio[i] = RF_PRIO_BIT(PFC);
		change.conf.prio[i].pfc = 1;
	}
	err = rf_nl_queue_set(nl, rf_ifindex(netdev), &change);
	if (err)
		rf_nl_failed(nl, netdev, err);
	return err;
}

static int enable_pfc_everywhere(const struct rf_fabric *f, uint32_t prios)
{
	char name[RF_IFNAME_LEN];
	struct rf_nl *nl;
	uint32_t i;
	int err = 0;

	if (rf_open_module(&nl))
		return -ENOENT;
	for (i = 1; !err && rf_fabric_netdev(f, i, name); i++)
		if (rf_fabric_is_here(f, i))
			err = enable_pfc(nl, name, prios);
	rf_nl_close(nl);
	return err;
}

static int make(const struct up *up)
{
	bool made = false;
	char text[64];
	int err;

	rf_show_waiting();
	err = rf_fabric_up(&up->f, &made);
	if (err)
		return err == -EINTR ? RF_EXIT_ABORTED : RF_EXIT_FAILED;
	if (up->pfc)
		err = enable_pfc_everywhere(&up->f, up->pfc);
	if (!err) {
		rf_out_done("fabric: %s created, rxe%u to rxe%u",
			    rf_fabric_text(&up->f, text), up->f.first, up->f.last);
		return RF_EXIT_OK;
	}
	rf_fabric_down(true);
	return err == -ENOENT ? RF_EXIT_NO_RESULT : RF_EXIT_FAILED;
}

static int fabric_up(int argc, char **argv)
{
	struct up up = { .f.nodes = NODES_DEFAULT };
	struct rf_why why;

	(void)argc;
	argv++;
	if (*argv && !rf_key_find(up_words, *argv)) {
		if (rf_take_value(&nodes_key, *argv, &up))
			return RF_EXIT_USAGE;
		argv++;
	}
	if (rf_args_take(up_words, argv, &up, rf_key_take, &why) ||
	    rf_fabric_settle(&up.f, &why))
		return rf_refuse_words(&why);
	return make(&up);
}

static int fabric_down(int argc, char **argv)
{
	bool force = rf_take_flag(&argc, argv, "--force");

	if (rf_check_words(rf_fabric_verbs, argc, argv, "", 0))
		return RF_EXIT_USAGE;
	rf_show_waiting();
	if (rf_fabric_down(force))
		return RF_EXIT_FAILED;
	rf_out_done("fabric: removed");
	return RF_EXIT_OK;
}

static void print_gid(const char *rdma)
{
	int gid = rf_rdma_gid_index(rdma);

	rf_out_text(" %3d", gid);
	if (gid < 0)
		rf_out_null("gid_index");
	else
		rf_out_u64("gid_index", NULL, gid);
}

static void print_node(const struct rf_fabric *f, uint32_t k)
{
	char v[RF_IFNAME_LEN], p[RF_IFNAME_LEN], rdma[RF_RDMA_NAME_LEN];
	char addr[32], at[RF_IFNAME_LEN];

	snprintf(v, sizeof(v), "v%u", k);
	snprintf(addr, sizeof(addr), "10.77.0.%u", k);
	rf_fabric_port(f, k - 1, p);
	rf_fabric_switch_name(f, rf_fabric_home(f, k), at);
	rf_out_push_object(NULL);
	rf_out_u64("rank", "%4" PRIu64, k - 1);
	if (rf_netdev_to_rdma(v, rdma, sizeof(rdma)))
		strcpy(rdma, "-");
	rf_out_str("rdma", " %-8s", rdma);
	rf_out_str("netdev", " %-8s", v);
	rf_out_str("switch_port", " %-11s", p);
	rf_out_str("switch", " %-6s", at);
	rf_out_str("address", " %-12s", addr);
	print_gid(rdma);
	rf_out_bool("port", " port", rf_port_exists(rf_ifindex(v)));
	rf_out_text("\n");
	rf_out_pop();
}

static void print_nodes(const char *name, __uint128_t nodes)
{
	uint32_t k;

	rf_out_push_array(name);
	for (k = 1; k <= RF_FABRIC_MAX; k++)
		if (nodes >> (k - 1) & 1)
			rf_out_u64(NULL, NULL, k);
	rf_out_pop();
}

/* Print the nodes behind a link, and the pairs in JSON: one object for sources of equal nodes. */
static void put_pairs(const struct rf_pairs *pairs)
{
	__uint128_t to = 0, done = 0, from;
	uint32_t a;

	for (a = 0; a < RF_FABRIC_MAX; a++)
		to |= pairs->to[a];
	print_nodes("nodes", to);
	rf_out_push_array("pairs");
	for (a = 0; a < RF_FABRIC_MAX; a++) {
		if (!pairs->to[a] || done >> a & 1)
			continue;
		from = rf_pairs_alike(pairs, a);
		done |= from;
		rf_out_push_object(NULL);
		print_nodes("from", from);
		print_nodes("to", pairs->to[a]);
		rf_out_pop();
	}
	rf_out_pop();
}

/* Print the pairs from column PAIRS_AT on, in lines that leave room for ", port" in 80 columns. */
#define PAIRS_AT 18
#define PAIRS_END 74

static void print_pairs(const struct rf_pairs *pairs)
{
	char *text = rf_pairs_text(pairs, 1);
	const char *word = text ? text : "-";
	size_t len, columns, used = PAIRS_AT;

	rf_out_text(" ");
	for (; *word; word += len) {
		len = strcspn(word, ",");
		len += strspn(word + len, ", ");
		columns = rf_columns(word, len);
		if (used > PAIRS_AT && used + columns > PAIRS_END) {
			rf_out_text("\n%*s", PAIRS_AT, "");
			used = PAIRS_AT;
		}
		rf_out_text("%.*s", (int)len, word);
		used += columns;
	}
	free(text);
	put_pairs(pairs);
}

static void print_fabric_link(const struct rf_fabric *f, uint32_t from, uint32_t to,
			      const struct rf_pairs *pairs)
{
	char name[RF_IFNAME_LEN], peer[RF_IFNAME_LEN];

	rf_fabric_toward(f, from, to, name);
	rf_fabric_toward(f, to, from, peer);
	rf_out_push_object(NULL);
	rf_out_str("netdev", "%-8s", name);
	rf_out_str("peer", " %-8s", peer);
	print_pairs(pairs);
	rf_out_bool("port", ", port", rf_port_exists(rf_ifindex(name)));
	rf_out_text("\n");
	rf_out_pop();
}

static void print_fabric_links(const struct rf_fabric *f)
{
	uint32_t i, n = rf_fabric_links(f);
	struct rf_pairs *pairs = calloc(2 * n + 1, sizeof(*pairs));
	struct rf_fabric_link l;

	if (pairs)
		rf_fabric_pairs(f, pairs);
	rf_out_str("shape", NULL, rf_value_name(rf_shape_names, f->shape));
	rf_out_push_array("fabric_link");
	if (n)
		rf_out_text("%-8s %-8s %s\n", "link", "peer", "nodes");
	for (i = 0; pairs && i < n; i++) {
		l = rf_fabric_link(f, i);
		print_fabric_link(f, l.a, l.b, &pairs[2 * i]);
		print_fabric_link(f, l.b, l.a, &pairs[2 * i + 1]);
	}
	rf_out_pop();
	free(pairs);
}

static void print_fabric(const struct rf_fabric *f)
{
	uint32_t k;

	rf_out_begin_object();
	rf_out_u64("nodes", NULL, f->nodes);
	rf_out_push_array("node");
	if (f->nodes)
		rf_out_text("%4s %-8s %-8s %-11s %-6s %-12s %s\n", "rank", "rdma",
			    "netdev", "switch-port", "switch", "address", "gid");
	for (k = f->first; k && k <= f->last; k++)
		print_node(f, k);
	rf_out_pop();
	if (f->nodes)
		print_fabric_links(f);
	rf_out_bool("cm", "cm: rdma_cm and TCP between nodes use the links\n", f->cm);
	rf_out_end();
}

static int fabric_show(int argc, char **argv)
{
	struct rf_fabric f;
	int err;

	(void)argv;
	if (rf_check_words(rf_fabric_verbs, argc, argv, "", 0))
		return RF_EXIT_USAGE;
	err = rf_fabric_read(&f);
	if (err) {
		rf_err("fabric: %s", strerror(-err));
		return RF_EXIT_FAILED;
	}
	print_fabric(&f);
	return RF_EXIT_OK;
}

/**
 * rf_cmd_fabric - run "rdmafault fabric"
 * @argc: number of words in @argv
 * @argv: the words of the command line; the first is "fabric"
 *
 * Return: the exit status.
 */
int rf_cmd_fabric(int argc, char **argv)
{
	return rf_dispatch(rf_fabric_verbs, argc - 1, argv + 1);
}
