// SPDX-License-Identifier: GPL-2.0
/* rdmafault path: let a port of a bridge choose one of several links for its packets. */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "err.h"
#include "genl.h"
#include "nl.h"
#include "out.h"
#include "port.h"
#include "units.h"
#include "words.h"

static int path_set(int argc, char **argv);
static int path_link(int argc, char **argv);
static int path_del(int argc, char **argv);
static int path_show(int argc, char **argv);

const struct rf_cmd rf_path_verbs[] = {
	{ "set", path_set,
	  "path set DEV { ecmp | qp | flowlet GAP | spray [ round-robin | random ] | adaptive [ GAP ] | list { [ dst ADDRESS ] [ qp N ] via LINKS }... } links LINKS [ seed N ]",
	  "choose a link for each packet that arrives at DEV for another switch",
	  .words = rf_path_args, .example = "path set p1 ecmp links l1s1,l1s2 seed 7" },
	{ "link", path_link, "path link DEV LINK { up | down }",
	  "mark a link of the path of DEV as up or down",
	  .words = rf_path_link_args, .example = "path link p1 l1s2 down" },
	{ "del", path_del, "path del DEV",
	  "end the path of DEV; the bridge chooses the links", .example = "path del p1" },
	{ "show", path_show, "path show [ DEV ]",
	  "print the path of one port, by default of all, with the packets of its links",
	  .example = "path show p1" },
	{ }
};

/* Find the netdevs of the links, which must be in the bridge of the port. */
static int find_links(const struct rf_target *t, struct rf_path_info *path)
{
	char bridge[RF_IFNAME_LEN], other[RF_IFNAME_LEN];
	struct rf_path_link_info *link;
	uint32_t i;

	if (!rf_bridge_of(t->netdev, bridge)) {
		rf_err("%s: not a port of a bridge; a path needs a bridge with several links",
		       t->netdev);
		return RF_EXIT_FAILED;
	}
	for (i = 0; i < path->conf.links; i++) {
		link = &path->link[i];
		link->ifindex = rf_ifindex(link->ifname);
		if (!link->ifindex) {
			rf_err("link %s: no such netdev; \"ip link show master %s\" lists the ports of the bridge",
			       link->ifname, bridge);
			return RF_EXIT_FAILED;
		}
		if (!rf_bridge_of(link->ifname, other) || strcmp(bridge, other)) {
			rf_err("link %s: not in %s, the bridge of %s; \"ip link show master %s\" lists its ports",
			       link->ifname, bridge, t->netdev, bridge);
			return RF_EXIT_FAILED;
		}
	}
	return RF_EXIT_OK;
}

static int path_set(int argc, char **argv)
{
	struct rf_path_info path;
	struct rf_target t;
	struct rf_why why;
	struct rf_nl *nl;
	char **word;
	int status;

	if (rf_check_words(rf_path_verbs, argc, argv, "DEV MODE", -1))
		return RF_EXIT_USAGE;
	if (rf_path_words(argv + 2, &path, &why))
		return rf_refuse_words(&why);
	status = rf_open_target(argv[1], &t, &nl);
	if (status)
		return status;
	status = find_links(&t, &path);
	if (status) {
		rf_nl_close(nl);
		return status;
	}
	status = rf_close_target(&t, nl, rf_nl_path_set(nl, t.ifindex, &path));
	if (status || rf_quiet)
		return status;
	rf_out_text("%s: path", t.netdev);
	for (word = argv + 2; *word; word++)
		rf_out_text(" %s", *word);
	rf_out_text("\n");
	return RF_EXIT_OK;
}

/* A removed link is known by the name that it had. Return: its ifindex, or 0 after rf_err() */
static uint32_t find_link_of(const struct rf_path_info *path, const char *name)
{
	uint32_t i;

	for (i = 0; i < path->conf.links; i++)
		if (!strcmp(path->link[i].ifname, name))
			return path->link[i].ifindex;
	rf_err("%s: %s is not a link of its path; \"rdmafault path show %s\" lists them", path->ifname,
	       name, path->ifname);
	return 0;
}

static int mark_link(struct rf_nl *nl, const struct rf_target *t, const char *name, bool down)
{
	struct rf_path_info path;
	uint32_t link;
	int err;

	err = rf_nl_path_get(nl, t->ifindex, &path);
	if (err)
		return rf_nl_failed(nl, t->netdev, err);
	link = find_link_of(&path, name);
	if (!link)
		return RF_EXIT_FAILED;
	err = rf_nl_path_link_set(nl, t->ifindex, link, down);
	return err ? rf_nl_failed(nl, t->netdev, err) : RF_EXIT_OK;
}

static int path_link(int argc, char **argv)
{
	struct rf_target t;
	struct rf_nl *nl;
	bool down;
	int status;

	if (rf_check_words(rf_path_verbs, argc, argv, "DEV LINK state", 0))
		return RF_EXIT_USAGE;
	down = !strcmp(argv[3], "down");
	if (!down && strcmp(argv[3], "up")) {
		rf_err("path link: unknown state \"%s\"; up or down", argv[3]);
		return RF_EXIT_USAGE;
	}
	status = rf_open_target(argv[1], &t, &nl);
	if (status)
		return status;
	status = mark_link(nl, &t, argv[2], down);
	rf_nl_close(nl);
	if (!status)
		rf_out_done("%s: link %s %s", t.netdev, argv[2], argv[3]);
	return status;
}

static int path_del(int argc, char **argv)
{
	struct rf_target t;
	struct rf_nl *nl;
	int status;

	if (rf_check_words(rf_path_verbs, argc, argv, "DEV", 0))
		return RF_EXIT_USAGE;
	status = rf_open_target(argv[1], &t, &nl);
	if (status)
		return status;
	status = rf_close_target(&t, nl, rf_nl_path_del(nl, t.ifindex));
	if (!status)
		rf_out_done("%s: path ended", t.netdev);
	return status;
}

static void print_mode(const struct rf_path_conf *conf)
{
	const char *mode = rf_value_name(rf_path_mode_names, conf->mode);
	const char *order = rf_value_name(rf_path_order_names, conf->order);
	char buf[RF_FMT_LEN];

	rf_out_str("mode", ": %s", mode ? mode : "unknown");
	if (conf->mode == RDMAFAULT_PATH_MODE_SPRAY)
		rf_out_str("order", " %s", order ? order : "unknown");
	else
		rf_out_null("order");
	if (conf->gap) {
		rf_out_u64("gap_ns", NULL, conf->gap);
		rf_out_text(" %s", rf_exact_time(conf->gap, buf));
	} else {
		rf_out_null("gap_ns");
	}
	rf_out_u64("seed", " seed %" PRIu64 "\n", conf->seed);
}

static void print_path_link(const struct rf_path_link_info *link, uint64_t all)
{
	double share = all ? (double)link->packets / all : 0;

	rf_out_push_object(NULL);
	rf_out_str("netdev", "  %-15s", link->ifname);
	rf_out_str("state", " %-7s", link->removed ? "removed" : link->down ? "down" : "up");
	rf_out_u64("packets", " %12" PRIu64, link->packets);
	rf_out_u64("bytes", " %15" PRIu64, link->bytes);
	rf_out_real("share", share);
	rf_out_text(" %6.1f%%\n", share * 100);
	rf_out_pop();
}

static void print_path_links(const struct rf_path_info *path)
{
	uint64_t all = 0;
	uint32_t i;

	for (i = 0; i < path->conf.links; i++)
		all += path->link[i].packets;
	rf_out_text("  %-15s %-7s %12s %15s %7s\n", "link", "state", "packets", "bytes", "share");
	rf_out_push_array("links");
	for (i = 0; i < path->conf.links; i++)
		print_path_link(&path->link[i], all);
	rf_out_pop();
}

static void print_via(const struct rf_path_info *path, uint32_t links)
{
	const char *gap = " via ";
	uint32_t i;

	rf_out_push_array("via");
	for (i = 0; i < path->conf.links; i++) {
		if (!(links >> i & 1))
			continue;
		rf_out_str(NULL, NULL, path->link[i].ifname);
		rf_out_text("%s%s", gap, path->link[i].ifname);
		gap = ",";
	}
	rf_out_pop();
	rf_out_text("\n");
}

static void print_route(const struct rf_path_info *path, const struct rf_path_route *route)
{
	int family = route->addr_len == 4 ? AF_INET : AF_INET6;
	char text[INET6_ADDRSTRLEN];

	rf_out_push_object(NULL);
	rf_out_text("  route");
	if (route->addr_len && inet_ntop(family, route->daddr, text, sizeof(text)))
		rf_out_str("dst", " dst %s", text);
	else
		rf_out_null("dst");
	if (route->qp)
		rf_out_u64("qp", " qp %" PRIu64, route->qp);
	else
		rf_out_null("qp");
	print_via(path, route->links);
	rf_out_pop();
}

static void print_path(const struct rf_path_info *path)
{
	char buf[RF_THINGS_LEN];
	uint32_t i;

	rf_out_push_object(NULL);
	rf_out_str("netdev", "%s", path->ifname);
	print_mode(&path->conf);
	print_path_links(path);
	rf_out_push_array("routes");
	for (i = 0; i < path->conf.routes; i++)
		print_route(path, &path->conf.route[i]);
	rf_out_pop();
	rf_out_u64("no_link", NULL, path->no_link);
	if (path->no_link)
		rf_out_text("  %s dropped because all links were down\n",
			    rf_fmt_things(path->no_link, "packet", buf));
	rf_out_pop();
}

/* The paths are read before any is printed, so that an error leaves no incomplete output. */
struct path_list {
	struct rf_path_info *path;
	size_t n;
};

static int append_path(const struct rf_path_info *path, void *arg)
{
	struct path_list *list = arg;
	struct rf_path_info *more = reallocarray(list->path, list->n + 1, sizeof(*more));

	if (!more)
		return -ENOMEM;
	list->path = more;
	list->path[list->n++] = *path;
	return 0;
}

static int paths_by_ifindex(const void *a, const void *b)
{
	const struct rf_path_info *x = a, *y = b;

	return x->ifindex < y->ifindex ? -1 : x->ifindex > y->ifindex;
}

static int read_paths(const char *dev, struct path_list *list)
{
	struct rf_path_info path;
	struct rf_target t = { };
	struct rf_nl *nl;
	int err, status;

	status = dev ? rf_open_target(dev, &t, &nl) : rf_open_module(&nl);
	if (status)
		return status;
	err = dev ? rf_nl_path_get(nl, t.ifindex, &path) : rf_nl_path_each(nl, append_path, list);
	if (dev && !err)
		err = append_path(&path, list);
	if (err)
		status = rf_nl_failed(nl, dev ? t.netdev : "list of paths", err);
	rf_nl_close(nl);
	return status;
}

static int path_show(int argc, char **argv)
{
	struct path_list list = { };
	int status;
	size_t i;

	if (rf_check_words(rf_path_verbs, argc, argv, "", 1))
		return RF_EXIT_USAGE;
	status = read_paths(argv[1], &list);
	if (!status) {
		if (list.n)
			qsort(list.path, list.n, sizeof(*list.path), paths_by_ifindex);
		rf_out_begin_array();
		for (i = 0; i < list.n; i++)
			print_path(&list.path[i]);
		rf_out_end();
	}
	free(list.path);
	return status;
}

/**
 * rf_cmd_path - run "rdmafault path"
 * @argc: number of words in @argv
 * @argv: the words of the command line; the first is "path"
 *
 * Return: the exit status.
 */
int rf_cmd_path(int argc, char **argv)
{
	return rf_dispatch(rf_path_verbs, argc - 1, argv + 1);
}
