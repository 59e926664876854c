// SPDX-License-Identifier: GPL-2.0
/*
 * Parse the words of "path set": the mode with its value, the routes of the mode list, and the
 * links. The netdevs of the links need not exist.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "words.h"

const struct rf_name rf_path_mode_names[] = {
	{ "ecmp", RDMAFAULT_PATH_MODE_ECMP },
	{ "qp", RDMAFAULT_PATH_MODE_QP },
	{ "flowlet", RDMAFAULT_PATH_MODE_FLOWLET },
	{ "spray", RDMAFAULT_PATH_MODE_SPRAY },
	{ "adaptive", RDMAFAULT_PATH_MODE_ADAPTIVE },
	{ "list", RDMAFAULT_PATH_MODE_LIST },
	{ }
};

const struct rf_name rf_path_order_names[] = {
	{ "round-robin", RDMAFAULT_PATH_ORDER_ROUND_ROBIN },
	{ "random", RDMAFAULT_PATH_ORDER_RANDOM },
	{ }
};

const struct rf_kind rf_kind_netdevs = { .form = RF_FORM_TEXT };

#define MODES_FORM	"ecmp, qp, flowlet, spray, adaptive or list"
#define GAP_FORM	"1ns to 20s, for example 500us"
#define LINKS_FORM	"1 to 16 netdevs with commas, for example l1s1,l1s2"
#define SEED_FORM	"0 to 18446744073709551615"
#define DST_FORM	"an IPv4 or IPv6 address"
#define QP_FORM		"1 to 16777215"
#define VIA_FORM	"some of LINKS, with commas"

/* The help and the completion use all rows of this table. */
const struct rf_key rf_path_args[] = {
	{ "ecmp", .help = "by a hash of the addresses and UDP ports" },
	{ "qp", .help = "by a hash with the destination QP; in a route, the destination QP, 1 to 16777215" },
	{ "flowlet", GAP_FORM, .help = "as ecmp, and by another hash after a gap in the flow, up to max-hold" },
	{ "spray", "round-robin or random", .names = rf_path_order_names, .optional = true,
	  .help = "each packet takes another link; default: round-robin" },
	{ "adaptive", GAP_FORM, .optional = true,
	  .help = "the link with the least queued bytes, chosen again after a gap; default: for each packet" },
	{ "list", .help = "by routes: flows and their links; other packets as ecmp" },
	{ "dst", DST_FORM, .help = "destination address of a route; default: any" },
	{ "via", VIA_FORM, &rf_kind_netdevs, .help = "links of a route; the hash chooses one of several" },
	{ "links", LINKS_FORM, &rf_kind_netdevs, .help = "other ports of the bridge of DEV; required" },
	{ "seed", SEED_FORM, .help = "seed of the hash; default: 0" },
	{ }
};

const struct rf_key rf_path_link_args[] = {
	{ "LINK", .help = "netdev of a link of the path" },
	{ "up", .help = "the link can be chosen; this is the default" },
	{ "down", .help = "the link is not chosen any more" },
	{ }
};

/* The words that are not parsed yet, and those that need the links */
struct parser {
	char **argv;
	const char *links;
	const char *via[RDMAFAULT_PATH_ROUTES_MAX];
	struct rf_path_info *path;
	struct rf_why *why;
};

static const struct rf_key gap_key = {
	"gap", GAP_FORM, &rf_kind_time, .at = offsetof(struct rf_path_conf, gap), .min = 1,
	.max = RDMAFAULT_HOLD_MAX,
};

static const struct rf_key seed_key = {
	"seed", SEED_FORM, &rf_kind_u64, .at = offsetof(struct rf_path_conf, seed), .max = UINT64_MAX,
};

static const struct rf_key qp_key = {
	"qp", QP_FORM, &rf_kind_u32, .at = offsetof(struct rf_path_route, qp), .min = 1,
	.max = RDMAFAULT_PSN_MAX,
};

/* Parse the next word as a value. */
static int take_path_value(struct parser *p, const struct rf_key *key, void *base)
{
	const char *word = *p->argv;

	if (!word || rf_key_take(key, word, base))
		return rf_key_refuse(key, word, p->why);
	p->argv++;
	return 0;
}

/* A word that begins with a digit is the gap of adaptive; flowlet requires one. */
static int take_mode_value(struct parser *p)
{
	struct rf_path_conf *conf = &p->path->conf;
	const char *word = *p->argv;

	if (conf->mode == RDMAFAULT_PATH_MODE_FLOWLET ||
	    (conf->mode == RDMAFAULT_PATH_MODE_ADAPTIVE && word && strchr("0123456789.-", word[0])))
		return take_path_value(p, &gap_key, conf);
	if (conf->mode == RDMAFAULT_PATH_MODE_SPRAY && word &&
	    !rf_name_value(rf_path_order_names, word, strlen(word), &conf->order))
		p->argv++;
	return 0;
}

static int take_mode(struct parser *p)
{
	const char *word = *p->argv;

	if (!word || rf_name_value(rf_path_mode_names, word, strlen(word), &p->path->conf.mode))
		return rf_why_value(p->why, "mode", word, MODES_FORM);
	p->argv++;
	return take_mode_value(p);
}

/* Skip the word if it is @name. Return: it was skipped */
static bool skip_word(struct parser *p, const char *name)
{
	if (!*p->argv || strcmp(*p->argv, name))
		return false;
	p->argv++;
	return true;
}

/* Parse [ dst ADDRESS ] [ qp N ] via LINKS. */
static int take_route(struct parser *p)
{
	struct rf_path_conf *conf = &p->path->conf;
	struct rf_path_route *route = &conf->route[conf->routes];

	if (conf->routes == RDMAFAULT_PATH_ROUTES_MAX)
		return rf_why_refuse(p->why, "list: more than %d routes", RDMAFAULT_PATH_ROUTES_MAX);
	if (skip_word(p, "dst")) {
		if (!*p->argv || rf_addr_take(*p->argv, route->daddr, &route->addr_len))
			return rf_why_value(p->why, "dst", *p->argv, DST_FORM);
		p->argv++;
	}
	if (skip_word(p, "qp") && take_path_value(p, &qp_key, route))
		return -EINVAL;
	if (!skip_word(p, "via") || !*p->argv)
		return rf_why_refuse(p->why, "list: via missing in route %u; [ dst ADDRESS ] [ qp N ] via LINKS",
				     conf->routes + 1);
	if (!route->addr_len && !route->qp)
		return rf_why_refuse(p->why, "list: dst and qp missing in route %u; at least one of them",
				     conf->routes + 1);
	p->via[conf->routes++] = *p->argv++;
	return 0;
}

static bool is_route_word(const char *word)
{
	return word && (!strcmp(word, "dst") || !strcmp(word, "qp") || !strcmp(word, "via"));
}

static int take_routes(struct parser *p)
{
	int err = 0;

	if (p->path->conf.mode != RDMAFAULT_PATH_MODE_LIST)
		return 0;
	while (!err && is_route_word(*p->argv))
		err = take_route(p);
	if (!err && !p->path->conf.routes)
		return rf_why_refuse(p->why, "list: no routes; [ dst ADDRESS ] [ qp N ] via LINKS, 1 to %d times",
				     RDMAFAULT_PATH_ROUTES_MAX);
	return err;
}

static int take_setting(struct parser *p)
{
	const char *word = *p->argv, *near;
	bool given = p->links;
	char *all;

	if (skip_word(p, "seed"))
		return take_path_value(p, &seed_key, &p->path->conf);
	if (skip_word(p, "links")) {
		if (given)
			return rf_why_refuse(p->why, "links: given twice");
		p->links = *p->argv;
		if (!p->links)
			return rf_why_value(p->why, "links", NULL, LINKS_FORM);
		p->argv++;
		return 0;
	}
	near = rf_key_near(rf_path_args, word, &all);
	if (near && strcmp(near, word))
		rf_why_refuse(p->why, "unknown word \"%s\"; did you mean \"%s\"?", word, near);
	else
		rf_why_refuse(p->why, "unexpected \"%s\"; after the mode, links LINKS and seed N", word);
	free(all);
	return -EINVAL;
}

/* Return: the number of the link with this name, or the number of links */
static uint32_t find_link_name(const struct rf_path_info *path, const char *name, size_t len)
{
	const char *known;
	uint32_t i;

	for (i = 0; i < path->conf.links; i++) {
		known = path->link[i].ifname;
		if (strlen(known) == len && !strncmp(known, name, len))
			break;
	}
	return i;
}

static int add_link(struct parser *p, const char *name, size_t len)
{
	struct rf_path_info *path = p->path;
	int n = len;

	if (!len || len >= sizeof(path->link[0].ifname))
		return rf_why_value(p->why, "links", p->links, LINKS_FORM);
	if (find_link_name(path, name, len) < path->conf.links)
		return rf_why_refuse(p->why, "links %s: %.*s given twice", p->links, n, name);
	if (path->conf.links == RDMAFAULT_PATH_LINKS_MAX)
		return rf_why_refuse(p->why, "links %s: more than %d netdevs", p->links,
				     RDMAFAULT_PATH_LINKS_MAX);
	memcpy(path->link[path->conf.links++].ifname, name, len);
	return 0;
}

/* The route gets the bits of the links that it names. */
static int add_via(struct parser *p, uint32_t route, const char *name, size_t len)
{
	uint32_t link = find_link_name(p->path, name, len);
	int n = len;

	if (link == p->path->conf.links)
		return rf_why_refuse(p->why, "via %s: %.*s is not one of the links %s", p->via[route], n,
				     name, p->links);
	p->path->conf.route[route].links |= 1u << link;
	return 0;
}

static int resolve(struct parser *p)
{
	const char *s;
	uint32_t i;
	size_t len;
	int err = 0;

	if (!p->links)
		return rf_why_refuse(p->why, "links missing; %s", LINKS_FORM);
	for (s = p->links; !err; s += len + 1) {
		len = strcspn(s, ",");
		err = add_link(p, s, len);
		if (!s[len])
			break;
	}
	for (i = 0; !err && i < p->path->conf.routes; i++) {
		for (s = p->via[i]; !err; s += len + 1) {
			len = strcspn(s, ",");
			err = add_via(p, i, s, len);
			if (!s[len])
				break;
		}
	}
	return err;
}

/**
 * rf_path_words - parse the words of "path set"
 * @argv: the words, first the mode; a NULL follows the last word
 * @path: gets the settings, and the names of the links
 * @why: gets the text of an error
 *
 * Return: 0, or -EINVAL.
 */
int rf_path_words(char **argv, struct rf_path_info *path, struct rf_why *why)
{
	struct parser p = { .argv = argv, .path = path, .why = why };
	int err;

	memset(path, 0, sizeof(*path));
	err = take_mode(&p);
	if (!err)
		err = take_routes(&p);
	while (!err && *p.argv)
		err = take_setting(&p);
	return err ? err : resolve(&p);
}
