// SPDX-License-Identifier: GPL-2.0
/* rdmafault port: add, delete and show ports. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "err.h"
#include "genl.h"
#include "out.h"
#include "port.h"
#include "show.h"
#include "units.h"

static int port_add(int argc, char **argv);
static int port_del(int argc, char **argv);
static int port_set(int argc, char **argv);
static int port_show(int argc, char **argv);

static const struct rf_key add_words[] = {
	{ "--force", .help = "attach the qdisc also without SoftRoCE, or with live queue pairs; default: refuse, or rules only" },
	{ "--rules-only", .help = "keep the root qdisc of DEV; default: attach the qdisc rdmafault" },
	{ }
};

static const struct rf_key del_words[] = {
	{ "--force", .help = "remove the qdisc also with live queue pairs; default: refuse" },
	{ }
};

static int port_name_take(const struct rf_key *key, const char *text, void *base)
{
	return strpbrk(text, " \t\n") ? -EINVAL : rf_kind_text.take(key, text, base);
}

static const struct rf_kind port_name_kind = { .take = port_name_take };

static const struct rf_name switch_names[] = { { "off", 0 }, { "on", 1 }, { } };

#define C(attr, member) \
	.set = offsetof(struct rf_port_change, set), .bit = RDMAFAULT_A_ ## attr, \
	.at = offsetof(struct rf_port_change, member)

static const struct rf_key set_words[] = {
	{ "max-hold", "1ns to 20s, for example 5s",
	  &rf_kind_time, C(MAX_HOLD, max_hold), 1, RDMAFAULT_HOLD_MAX,
	  .help = "longest delay of a packet; default: 5s" },
	{ "hold-forwarded", "on or off",
	  &rf_kind_name, C(HOLD_FORWARDED, hold_forwarded), .names = switch_names,
	  .help = "let packets from other netdevs stay in a queue for longer; default: off" },
	{ "name", "1 to 63 characters without spaces, for example node2:v1",
	  &port_name_kind, C(NAME, name), 1, RDMAFAULT_NAME_LEN,
	  .help = "name for random numbers; default: the name of the netdev" },
	{ }
};

const struct rf_cmd rf_port_verbs[] = {
	{ "add", port_add, "port add DEV [ --rules-only ] [ --force ]",
	  "make DEV a port", .words = add_words, .example = "port add rxe1" },
	{ "del", port_del, "port del DEV [ --force ]",
	  "remove the port, with its rules and settings",
	  .words = del_words, .example = "port del rxe1" },
	{ "set", port_set, "port set DEV { max-hold TIME | hold-forwarded { on | off } | name NAME }",
	  "set the longest delay of a packet, or the name for random numbers",
	  .words = set_words, .example = "port set rxe1 max-hold 10s" },
	{ "show", port_show, "port show [ DEV ]",
	  "print one port, by default all", .example = "port show" },
	{ }
};

static void print_done(const char *dev, const char *what)
{
	struct rf_target t;

	if (rf_quiet || rf_target_find(dev, &t))
		return;
	if (t.rdma[0])
		rf_out_done("%s (%s): %s", t.netdev, t.rdma, what);
	else
		rf_out_done("%s: %s", t.netdev, what);
}

static int warn_same_name(const struct rf_port_info *other, void *arg)
{
	const struct rf_port_info *port = arg;

	if (other->ifindex != port->ifindex && !strcmp(other->name, port->name))
		rf_note("warning: ports %s and %s have the name %s and draw the same random numbers; change one with \"rdmafault port set %s name NAME\"",
			other->ifname, port->ifname, port->name, port->ifname);
	return 0;
}

/* The netdev of an earlier port may have been renamed, and the port keeps its name. */
static void check_port_name(const char *dev)
{
	struct rf_port_info port;
	struct rf_target t;
	struct rf_nl *nl;

	if (rf_open_target(dev, &t, &nl))
		return;
	if (!rf_nl_port_get(nl, t.ifindex, &port))
		rf_nl_port_each(nl, warn_same_name, &port);
	rf_nl_close(nl);
}

/* Would the qdisc break queue pairs that are in use? Then say what is done instead. */
static bool must_keep_qdisc(const struct rf_target *t)
{
	int live = rf_port_live_qps(t);

	if (!live || rf_port_exists(t->ifindex))
		return false;
	rf_note("%s: %d queue pairs are in use, and another root qdisc would break them (Linux 6.10 and later); the port has rules only, without link, prio, ecn and pause",
		t->rdma, live);
	return true;
}

static int port_add(int argc, char **argv)
{
	bool rules_only = rf_take_flag(&argc, argv, "--rules-only");
	bool force = rf_take_flag(&argc, argv, "--force");
	struct rf_target t;
	int err;

	if (rf_check_words(rf_port_verbs, argc, argv, "DEV", 0))
		return RF_EXIT_USAGE;
	if (rf_target_find(argv[1], &t))
		return RF_EXIT_FAILED;
	rules_only = rules_only || (!force && must_keep_qdisc(&t));
	err = rules_only ? rf_port_add_rules_only(argv[1]) : rf_port_add(argv[1], force);
	if (err == -ENOENT)	/* The module is missing. */
		return RF_EXIT_NO_RESULT;
	if (err)
		return RF_EXIT_FAILED;
	check_port_name(argv[1]);
	print_done(argv[1], rules_only ? "port added, rules only" : "port added");
	return RF_EXIT_OK;
}

static int port_del(int argc, char **argv)
{
	bool force = rf_take_flag(&argc, argv, "--force");

	if (rf_check_words(rf_port_verbs, argc, argv, "DEV", 0))
		return RF_EXIT_USAGE;
	if (rf_port_del(argv[1], force))
		return RF_EXIT_FAILED;
	print_done(argv[1], "port removed");
	return RF_EXIT_OK;
}

static int set_port(const char *dev, const struct rf_port_change *change)
{
	char text[RF_FMT_LEN];
	struct rf_target t;
	struct rf_nl *nl;
	int status;

	status = rf_open_target(dev, &t, &nl);
	if (status)
		return status;
	status = rf_close_target(&t, nl, rf_nl_port_set(nl, t.ifindex, change));
	if (status)
		return status;
	if (change->name)
		rf_out_done("%s: name %s", t.netdev, change->name);
	else if (change->max_hold)
		rf_out_done("%s: max-hold %s", t.netdev, rf_exact_time(change->max_hold, text));
	else
		rf_out_done("%s: hold-forwarded %s", t.netdev,
			    change->hold_forwarded ? "on" : "off");
	return RF_EXIT_OK;
}

static int port_set(int argc, char **argv)
{
	const struct rf_key *key;
	struct rf_port_change change = { };

	if (rf_check_words(rf_port_verbs, argc, argv, "DEV setting VALUE", 0))
		return RF_EXIT_USAGE;
	key = rf_key_find(set_words, argv[2]);
	if (!key) {
		rf_err("port set: unknown word \"%s\"; the settings are max-hold, hold-forwarded and name", argv[2]);
		return RF_EXIT_USAGE;
	}
	if (rf_take_value(key, argv[3], &change))
		return RF_EXIT_USAGE;
	return set_port(argv[1], &change);
}

static void print_port(const struct rf_port_info *p)
{
	char rdma[RF_RDMA_NAME_LEN], cap[RF_FMT_LEN];

	rf_out_push_object(NULL);
	rf_out_str("netdev", "%-8s", p->ifname);
	if (rf_netdev_to_rdma(p->ifname, rdma, sizeof(rdma))) {
		rf_out_null("rdma");
		rf_out_text(" %-8s", "-");
	} else {
		rf_out_str("rdma", " %-8s", rdma);
	}
	rf_out_u64("ifindex", NULL, p->ifindex);
	rf_out_u64("max_hold_ns", NULL, p->max_hold);
	rf_out_text(" %8s", rf_exact_time(p->max_hold, cap));
	rf_out_bool("hold_forwarded", NULL, p->hold_forwarded);
	rf_out_text(" %14s", p->hold_forwarded ? "on" : "off");
	rf_out_u64("messages", NULL, p->messages);
	rf_out_u64("messages_total", NULL, p->messages_total);
	rf_out_u64("step", " %10" PRIu64, p->step);
	rf_out_u64("generation", " %10" PRIu64, p->generation);
	rf_out_bool("queues", NULL, p->queues);
	rf_out_text(" %6s", p->queues ? "yes" : "no");
	rf_out_u64("tx_rules", " %8" PRIu64, p->dir[0].rules);
	rf_out_u64("rx_rules", " %8" PRIu64, p->dir[1].rules);
	rf_out_str("name", " %s\n", p->name);
	rf_out_pop();
}

static int port_show(int argc, char **argv)
{
	struct rf_port_list list;
	int i, status;

	if (rf_check_words(rf_port_verbs, argc, argv, "", 1))
		return RF_EXIT_USAGE;
	status = rf_port_list_get(&list, argv + 1, argc - 1);
	if (status)
		return status;
	rf_out_begin_array();
	if (list.n)
		rf_out_text("%-8s %-8s %8s %14s %10s %10s %6s %8s %8s %s\n", "netdev",
			    "rdma", "max-hold", "hold-forwarded", "step", "generation",
			    "queues", "tx-rules", "rx-rules", "name");
	for (i = 0; i < list.n; i++)
		print_port(&list.port[i]);
	rf_out_end();
	free(list.port);
	return RF_EXIT_OK;
}

/**
 * rf_cmd_port - run "rdmafault port"
 * @argc: number of words in @argv
 * @argv: the words of the command line; the first is "port"
 *
 * Return: the exit status.
 */
int rf_cmd_port(int argc, char **argv)
{
	return rf_dispatch(rf_port_verbs, argc - 1, argv + 1);
}
