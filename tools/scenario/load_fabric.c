// SPDX-License-Identifier: GPL-2.0
/*
 * Load the fabric of a scenario and the settings of its ports. v<i> is the port of node i,
 * p<i> the switch port that is connected to v<i>, and s1s2 the port of switch s1 that is
 * connected to switch s2. Rate and delay of the fabric apply to every link in both
 * directions, so they are set on both ends. With oversubscription, the fabric links have another
 * rate. In a fabric of other machines, the only ports are
 * those of the bridge between them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric.h"
#include "load.h"
#include "units.h"
#include "words.h"

#define OVERSUBSCRIPTION_MAX 64

/* Parse the keys "rate" and "delay" like the options of "rdmafault link". */
static int link_word(struct rf_doc *doc, const struct rf_node *node,
		     struct rf_queue_change *change)
{
	char *name = (char *)node->key->text;
	char *argv[] = { name, (char *)rf_doc_text(node), NULL };
	struct rf_why why;

	if (!argv[1] || rf_link_words(argv, change, &why))
		return rf_doc_refuse(doc, node, "%s",
				     argv[1] ? why.text : "value missing");
	return 0;
}

static int take_link(struct rf_doc *doc, struct rf_node *node,
		     const struct rf_key *key, void *to)
{
	struct rf_queue_change unused = { };

	(void)key;
	(void)to;
	return link_word(doc, node, &unused);
}

static int take_pfc(struct rf_doc *doc, struct rf_node *node,
		    const struct rf_key *key, void *to)
{
	const char *text = rf_doc_text(node);
	uint32_t prios;

	(void)to;
	if (!text || rf_take_prios(text, &prios))
		return rf_doc_refuse(doc, node, "%s \"%s\": expected " RF_PRIOS_FORM,
				     key->name, rf_doc_shown(node));
	return 0;
}

static bool is_netdev_name(const char *text)
{
	size_t len = strlen(text);

	return len && len < sizeof(((struct rf_fabric *)0)->bridge[0]) &&
	       !strpbrk(text, "/ \t\n") && strcmp(text, ".") && strcmp(text, "..");
}

static int take_bridge(struct rf_doc *doc, struct rf_node *node,
		       const struct rf_key *key, void *to)
{
	struct rf_fabric *f = to;
	const char *name;
	size_t i;

	if (node->kind != RF_NODE_LIST || node->n != RF_FABRIC_BRIDGE_PORTS)
		return rf_doc_refuse(doc, node, "%s: expected two netdevs, which are ports of the same bridge, for example [eth2, eth3]",
				     key->name);
	for (i = 0; i < RF_FABRIC_BRIDGE_PORTS; i++) {
		name = rf_doc_text(node->kids[i]);
		if (!name || !is_netdev_name(name))
			return rf_doc_refuse(doc, node->kids[i], "%s \"%s\": not the name of a netdev",
					     key->name, rf_doc_shown(node->kids[i]));
		snprintf(f->bridge[i], sizeof(f->bridge[i]), "%s", name);
	}
	if (!strcmp(f->bridge[0], f->bridge[1]))
		return rf_doc_refuse(doc, node, "%s: %s is given twice; expected two netdevs",
				     key->name, name);
	return 0;
}

static const struct rf_kind bridge_kind = { .take_node = take_bridge, .form = RF_FORM_NETDEVS };
static const struct rf_kind pfc_kind = { .take_node = take_pfc, .form = RF_FORM_PRIOS };
static const struct rf_kind rate_kind = { .take_node = take_link, .form = RF_FORM_RATE };
static const struct rf_kind delay_kind = { .take_node = take_link, .form = RF_FORM_TIME };

const struct rf_key rf_fabric_fields[] = {
	{ .name = "nodes", .help = "how many; required without bridge",
	  .kind = &rf_kind_u32, .optional = true,
	  .at = AT(rf_scenario, fabric.nodes),
	  .min = RF_FABRIC_MIN, .max = RF_FABRIC_MAX },
	{ .name = "bridge", .help = "two netdevs: the ports of an existing bridge between other machines",
	  .kind = &bridge_kind, .optional = true, .at = AT(rf_scenario, fabric) },
	{ .name = "shape", .help = "star, one switch for all nodes; chain; leaf-spine; ring; torus",
	  .kind = &rf_kind_name, .optional = true,
	  .at = AT(rf_scenario, fabric.shape), .names = rf_shape_names },
	{ .name = "switches", .help = "of a chain (2) or a ring (3)",
	  .kind = &rf_kind_u32, .optional = true,
	  .at = AT(rf_scenario, fabric.switches),
	  .min = 2, .max = RF_FABRIC_SWITCHES_MAX },
	{ .name = "dims", .help = "switches in each dimension of a torus, as 4x4 or 2x2x4",
	  .form = RF_DIMS_FORM, .kind = &rf_kind_dims, .optional = true,
	  .at = AT(rf_scenario, fabric.dims) },
	{ .name = "leaves", .help = "of leaf-spine (2)",
	  .kind = &rf_kind_u32, .optional = true,
	  .at = AT(rf_scenario, fabric.leaves),
	  .min = 2, .max = RF_FABRIC_LEAVES_MAX },
	{ .name = "spines", .help = "of leaf-spine (1)",
	  .kind = &rf_kind_u32, .optional = true,
	  .at = AT(rf_scenario, fabric.spines),
	  .min = 1, .max = RF_FABRIC_SPINES_MAX },
	{ .name = "rate", .help = "of every link, in both directions (none)",
	  .kind = &rate_kind, .optional = true },
	{ .name = "oversubscription", .help = "of leaf-spine: rate of the nodes of a leaf, divided by that of its fabric links (none: all links have one rate)",
	  .kind = &rf_kind_u32, .optional = true, .at = AT(rf_scenario, oversubscription),
	  .min = 1, .max = OVERSUBSCRIPTION_MAX },
	{ .name = "delay", .help = "of every link, in both directions (0ms)",
	  .kind = &delay_kind, .optional = true },
	{ .name = "pfc", .help = "priorities with PFC on all ports; 0 to 7, several with commas, or all (none)",
	  .kind = &pfc_kind, .optional = true },
	{ .name = "cm", .help = "rdma_cm and TCP between nodes use the links (false)",
	  .kind = &rf_kind_boolean, .optional = true, .at = AT(rf_scenario, fabric.cm) },
	{ }
};

/* ---- settings of ports ---- */

/**
 * rf_conf_of_port - get the settings of a port after the first @n settings of a scenario
 * @s: the scenario
 * @port: number of the port
 * @n: how many of the settings in @s to apply, in the order of the file
 * @conf: the result
 */
void rf_conf_of_port(const struct rf_scenario *s, uint32_t port, size_t n,
		     struct rf_conf *conf)
{
	size_t i;

	rf_conf_init(conf);
	for (i = 0; i < n; i++)
		if (s->settings[i].number == port)
			rf_conf_apply(conf, &s->settings[i].change);
}

static int add_setting(struct rf_scenario *s, const char *port,
		       const char *words, const struct rf_queue_change *change)
{
	struct rf_setting *more;

	more = reallocarray(s->settings, s->nsettings + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	s->settings = more;
	more += s->nsettings++;
	*more = (struct rf_setting){
		.port = strdup(port), .number = rf_port_number(s, port),
		.words = strdup(words), .change = *change,
	};
	return more->port && more->words ? 0 : -ENOMEM;
}

/* The ports of a group such as "all": a range of the fabric's ports */
struct group {
	const char *name;
	bool nodes, switches, fabric_links;
};

static const struct group groups[] = {
	{ "all", .nodes = true },
	{ "switch", .switches = true, .fabric_links = true },
	{ "fabric-link", .fabric_links = true },
	{ }
};

static const struct group all_ends = { NULL, true, true, true };
static const struct group node_ends = { NULL, .nodes = true, .switches = true };

static const struct group *group_of(const char *name)
{
	const struct group *g;

	for (g = groups; g->name; g++)
		if (!strcmp(g->name, name))
			return g;
	return NULL;
}

static int add_settings(struct rf_scenario *s, const struct group *g,
			const char *words, const struct rf_queue_change *change)
{
	const struct rf_fabric *f = &s->fabric;
	char port[16];
	uint32_t i;
	int err = 0;

	for (i = 1; !err && g->nodes && i <= f->nodes; i++) {
		rf_fabric_node_port(f, i, port);
		err = add_setting(s, port, words, change);
	}
	for (i = 0; !err && rf_fabric_port(f, i, port); i++)
		if (i < f->nodes ? g->switches : g->fabric_links)
			err = add_setting(s, port, words, change);
	return err;
}

typedef int (*words_fn)(char **argv, struct rf_queue_change *c,
			struct rf_why *why);

struct item {
	struct rf_scenario *s;
	const struct rf_node *port;
};

/* Validate the port after each setting, because the module gets the settings one by one. */
static int check_settings(struct rf_doc *doc, const struct rf_node *node,
			  const struct rf_scenario *s, size_t first)
{
	struct rf_conf conf;
	struct rf_why why;
	size_t i;

	for (i = first; i < s->nsettings; i++) {
		rf_conf_of_port(s, s->settings[i].number, i + 1, &conf);
		if (rf_validate_conf(&conf, &why))
			return rf_doc_refuse(doc, node, "%s: %s: %s",
					     node->key->text,
					     s->settings[i].port, why.text);
	}
	return 0;
}

static int take_setting_line(struct rf_doc *doc, struct rf_node *node,
			     struct item *item, words_fn words)
{
	const char *text = rf_doc_text(node), *port = rf_doc_text(item->port);
	char *argv[RF_RULE_WORDS_MAX + 1] = { }, line[RF_RULE_TEXT_LEN];
	struct rf_queue_change change = { };
	char shown[RF_RULE_TEXT_LEN + 32];
	const struct group *group;
	struct rf_why why;
	size_t before;
	int err;

	if (!text || !text[0] || strlen(text) >= sizeof(line))
		return rf_doc_refuse(doc, node, "%s \"%s\": expected the settings in the words of the rdmafault command line",
				     node->key->text, rf_doc_shown(node));
	snprintf(line, sizeof(line), "%s", text);
	if (rf_split_words(line, argv, RF_RULE_WORDS_MAX) < 0)
		return rf_doc_refuse(doc, node, "%s: too many words; up to %d",
				     node->key->text, RF_RULE_WORDS_MAX);
	if (words(argv, &change, &why))
		return rf_doc_refuse(doc, node, "%s: %s", node->key->text,
				     why.text);
	snprintf(shown, sizeof(shown), "%s %s", node->key->text, text);
	before = item->s->nsettings;
	group = group_of(port);
	err = group ? add_settings(item->s, group, shown, &change) :
		      add_setting(item->s, port, shown, &change);
	return err ? err : check_settings(doc, node, item->s, before);
}

#define WORDS(_name)							\
static int take_ ## _name ## _words(struct rf_doc *doc,			\
				    struct rf_node *node,		\
				    const struct rf_key *key, void *to)	\
{									\
	(void)key;							\
	return take_setting_line(doc, node, to, rf_ ## _name ## _words); \
}									\
static const struct rf_kind _name ## _words_kind = {			\
	.take_node = take_ ## _name ## _words				\
}

WORDS(link);
WORDS(prio);
WORDS(ecn);
WORDS(watchdog);

/* take_port_settings() loads the port. */
static const struct rf_kind port_kind = { };

const struct rf_key rf_port_fields[] = {
	{ .name = "port", .help = "v1, rxe1, p1 at its switch, s1s2 between switches; all: nodes'; switch; fabric-link",
	  .kind = &port_kind },
	{ .name = "link", .help = "words of rdmafault link set",
	  .kind = &link_words_kind, .optional = true },
	{ .name = "prio", .help = "words of rdmafault prio set",
	  .kind = &prio_words_kind, .optional = true },
	{ .name = "ecn", .help = "words of rdmafault ecn set, from prio on",
	  .kind = &ecn_words_kind, .optional = true },
	{ .name = "watchdog", .help = "words of rdmafault pause watchdog",
	  .kind = &watchdog_words_kind, .optional = true },
	{ }
};

/* The settings are loaded later, when the number of nodes is known. */
static int take_ports(struct rf_doc *doc, struct rf_node *node,
		      const struct rf_key *key, void *to)
{
	(void)to;
	if (node->kind != RF_NODE_LIST || !node->n)
		return rf_doc_refuse(doc, node, "%s: expected a list of ports with settings, got \"%s\"",
				     key->name, rf_doc_shown(node));
	return 0;
}

const struct rf_kind rf_kind_ports = { .take_node = take_ports, .form = RF_FORM_LIST };

static int refuse_port(struct rf_doc *doc, struct rf_node *node,
		       const struct rf_scenario *s, const char *port)
{
	char ports[RF_PORTS_TEXT];

	return rf_doc_refuse(doc, node, "port \"%s\": not in this fabric; the ports are %s, %s", port,
			     rf_ports_text(s, ports),
			     rf_fabric_is_remote(&s->fabric) ? "or all" :
			     rf_fabric_links(&s->fabric) ?
			     "all, switch or fabric-link" : "all or switch");
}

/* A star has no fabric links, and one of other machines has no port of a switch. */
static bool is_port(const struct rf_scenario *s, const char *port)
{
	const struct group *g = group_of(port);

	if (g && !g->nodes && rf_fabric_is_remote(&s->fabric))
		return false;
	if (g && !g->nodes && !g->switches)
		return rf_fabric_links(&s->fabric) > 0;
	return g || rf_port_number(s, port);
}

static int take_port_settings(struct rf_doc *doc, struct rf_node *node,
			      struct rf_scenario *s)
{
	struct item item = { .s = s, .port = rf_doc_value(node, "port") };
	const char *port = item.port ? rf_doc_text(item.port) : NULL;
	size_t before = s->nsettings;
	int err;

	if (port && !is_port(s, port))
		return refuse_port(doc, rf_doc_find(node, "port"), s, port);
	if (!port && node->kind == RF_NODE_MAP)
		return rf_doc_refuse(doc, item.port ? item.port : node,
				     "ports: the key \"port\" is missing");
	err = rf_doc_map(doc, node, "port", rf_port_fields, &item);
	if (!err && before == s->nsettings)
		return rf_doc_refuse(doc, node, "ports: no settings; add link, prio, ecn or watchdog");
	return err;
}

/*
 * Check whether the fabric links can have another rate than the nodes, and compute it: the rate
 * of the nodes of a leaf, divided by the number of its fabric links and the oversubscription.
 */
static int fabric_rate(struct rf_doc *doc, struct rf_node *fabric, const struct rf_scenario *s,
		       uint64_t rate, uint64_t *of_link)
{
	struct rf_node *node = rf_doc_find(fabric, "oversubscription");
	const struct rf_fabric *f = &s->fabric;

	if (f->shape != RF_SHAPE_LEAF_SPINE)
		return rf_doc_refuse(doc, node, "oversubscription: cannot be used with shape %s; only with shape leaf-spine",
				     rf_value_name(rf_shape_names, f->shape));
	if (!rate)
		return rf_doc_refuse(doc, node, "oversubscription: also needs the rate of the nodes, for example rate: 100mbit");
	if (f->nodes % f->leaves)
		return rf_doc_refuse(doc, node, "oversubscription: %u leaves cannot have the same number of %u nodes",
				     f->leaves, f->nodes);
	*of_link = f->nodes / f->leaves * rate / (f->spines * s->oversubscription);
	return 0;
}

/* Set the rate of the fabric links, with the delay of all links. */
static int add_oversubscription(struct rf_doc *doc, struct rf_node *fabric, struct rf_scenario *s,
				struct rf_queue_change *change)
{
	const struct rf_node *delay = rf_doc_value(fabric, "delay");
	char words[128], rate[RF_FMT_LEN];
	struct rf_why why;
	uint64_t of_link = 0;
	int err = fabric_rate(doc, fabric, s, change->conf.link.rate, &of_link);

	if (err)
		return err;
	rf_exact_rate(of_link, rate);
	if (rf_link_words((char *[]){ "rate", rate, NULL }, change, &why))
		return rf_doc_refuse(doc, rf_doc_find(fabric, "oversubscription"),
				     "oversubscription: fabric links: %s", why.text);
	snprintf(words, sizeof(words), "link rate %s%s%s", rate, delay ? " delay " : "",
		 delay ? rf_doc_text(delay) : "");
	return add_settings(s, group_of("fabric-link"), words, change);
}

static int finish_link(struct rf_doc *doc, struct rf_node *fabric,
		       struct rf_scenario *s)
{
	static const char *const keys[] = { "rate", "delay" };
	struct rf_queue_change change = { };
	const struct rf_node *value;
	char words[128] = "link";
	int err = 0;
	size_t i;

	for (i = 0; !err && i < 2; i++) {
		value = rf_doc_value(fabric, keys[i]);
		if (!value)
			continue;
		err = link_word(doc, value, &change);
		snprintf(words + strlen(words), sizeof(words) - strlen(words),
			 " %s %s", keys[i], rf_doc_text(value));
	}
	if (!err && change.link)
		err = add_settings(s, s->oversubscription ? &node_ends : &all_ends, words, &change);
	return err || !s->oversubscription ? err : add_oversubscription(doc, fabric, s, &change);
}

static int finish_pfc(struct rf_doc *doc, struct rf_node *fabric,
		      struct rf_scenario *s)
{
	const struct rf_node *value = rf_doc_value(fabric, "pfc");
	struct rf_queue_change change = { };
	char words[128] = "prio prio-pfc";
	uint32_t prios, i;
	int err;

	if (!value)
		return 0;
	rf_take_prios(rf_doc_text(value), &prios);
	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		if (!(prios >> i & 1))
			continue;
		change.prio[i] = RF_PRIO_BIT(PFC);
		change.conf.prio[i].pfc = 1;
		snprintf(words + strlen(words), sizeof(words) - strlen(words), " %u:on", i);
	}
	err = add_settings(s, &all_ends, words, &change);
	return err ? err : check_settings(doc, value, s, 0);
}

/* Check whether the settings need a seed: jitter and ECN marks are random decisions. */
static bool draws(const struct rf_queue_change *c)
{
	unsigned int prio;

	for (prio = 0; prio < RDMAFAULT_PRIOS; prio++)
		if (c->ecn[prio])
			return true;
	return c->link & RF_LINK_BIT(JITTER);
}

/* Check whether a setting sets the seed of this port. v2 and rxe2 are the same port. */
static bool has_seed(const struct rf_scenario *s, const char *port)
{
	const struct rf_setting *other;
	size_t i;

	for (i = 0; i < s->nsettings; i++) {
		other = &s->settings[i];
		if (other->change.link & RF_LINK_BIT(SEED) &&
		    rf_port_number(s, other->port) == rf_port_number(s, port))
			return true;
	}
	return false;
}

/**
 * rf_seed_change - give the scenario's seed to a port with random decisions
 * @s: the scenario
 * @port: the port
 * @c: its settings; the seed is added if the port needs one and has none
 *
 * Return: true if the seed was added.
 */
bool rf_seed_change(const struct rf_scenario *s, const char *port,
		    struct rf_queue_change *c)
{
	if (!draws(c) || c->link & RF_LINK_BIT(SEED) || has_seed(s, port))
		return false;
	c->link |= RF_LINK_BIT(SEED);
	c->conf.link.seed = s->seed;
	return true;
}

/* Check which keys the fabric needs, and set the number of nodes behind a bridge. */
static int finish_nodes(struct rf_doc *doc, struct rf_node *fabric, struct rf_scenario *s)
{
	static const char *const keys[] = { "nodes", "shape", "switches", "dims", "leaves", "spines", "cm",
					   "oversubscription" };
	size_t i;

	if (!rf_fabric_is_remote(&s->fabric)) {
		if (!s->fabric.nodes)
			return rf_doc_refuse(doc, fabric, "fabric: the key \"nodes\" is missing");
		return 0;
	}
	for (i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (rf_doc_value(fabric, keys[i]))
			return rf_doc_refuse(doc, rf_doc_find(fabric, keys[i]),
					     "%s: not possible with bridge, because the nodes are other machines; remove the key",
					     keys[i]);
	s->fabric.nodes = RF_FABRIC_BRIDGE_PORTS;
	return 0;
}

/**
 * rf_fabric_finish - load the settings of ports when the number of nodes is known
 * @doc: the document
 * @s: the scenario
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_fabric_finish(struct rf_doc *doc, struct rf_scenario *s)
{
	struct rf_node *fabric = rf_doc_value(doc->root, "fabric");
	struct rf_node *ports = rf_doc_value(doc->root, "ports");
	const char *wrong;
	struct rf_why why;
	int err = finish_nodes(doc, fabric, s);
	size_t i;

	if (err)
		return err;
	wrong = rf_fabric_settle(&s->fabric, &why);
	if (wrong)
		return rf_doc_refuse(doc, rf_doc_find(fabric, wrong), "%s",
				     why.text);
	err = finish_link(doc, fabric, s);
	if (!err)
		err = finish_pfc(doc, fabric, s);
	for (i = 0; rf_doc_goes_on(err) && ports && i < ports->n; i++)
		err = rf_doc_worse(err, take_port_settings(doc, ports->kids[i], s));
	for (i = 0; !err && i < s->nsettings; i++)
		rf_seed_change(s, s->settings[i].port,
			       &s->settings[i].change);
	return err;
}

/**
 * rf_port_number - get the number of a port
 * @s: the scenario
 * @port: name of a netdev or RDMA device
 *
 * Return: a number from 1, the same for v2 and rxe2, or 0 if the fabric has no
 * such port.
 */
uint32_t rf_port_number(const struct rf_scenario *s, const char *port)
{
	const struct rf_fabric *f = &s->fabric;
	char netdev[16], rdma[16];
	uint32_t i;

	for (i = 1; rf_fabric_netdev(f, i, netdev); i++) {
		if (!strcmp(netdev, port))
			return i;
		if (i > f->nodes || rf_fabric_is_remote(f))
			continue;
		snprintf(rdma, sizeof(rdma), "rxe%u", i);
		if (!strcmp(rdma, port))
			return i;
	}
	return 0;
}

/**
 * rf_ports_text - list the ports of a scenario for an error message
 * @s: the scenario
 * @buf: the list
 *
 * Return: @buf.
 */
char *rf_ports_text(const struct rf_scenario *s, char buf[RF_PORTS_TEXT])
{
	const struct rf_fabric *f = &s->fabric;
	char first[16], last[16];
	uint32_t n = 2 * rf_fabric_links(f);
	int used;

	if (rf_fabric_is_remote(f)) {
		snprintf(buf, RF_PORTS_TEXT, "%s and %s", f->bridge[0], f->bridge[1]);
		return buf;
	}
	used = snprintf(buf, RF_PORTS_TEXT, "v1 to v%u, rxe1 to rxe%u, p1 to p%u at %s",
			f->nodes, f->nodes, f->nodes,
			n ? "switches" : "the switch");
	if (n && rf_fabric_port(f, f->nodes, first) &&
	    rf_fabric_port(f, f->nodes + n - 1, last))
		snprintf(buf + used, RF_PORTS_TEXT - used,
			 ", %s to %s between them", first, last);
	return buf;
}
