// SPDX-License-Identifier: GPL-2.0
/*
 * The shape of a fabric: check its parameters, and compute the names of its switches and ports.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "fabric.h"
#include "units.h"

#define BRIDGE "rfbr0"
#define DIMS_LEN 28

const struct rf_name rf_shape_names[] = {
	{ "star", RF_SHAPE_STAR },
	{ "chain", RF_SHAPE_CHAIN },
	{ "leaf-spine", RF_SHAPE_LEAF_SPINE },
	{ "ring", RF_SHAPE_RING },
	{ "torus", RF_SHAPE_TORUS },
	{ }
};

/* Parse "4x4" or "2x2x4". */
static int dims_take(const struct rf_key *key, const char *text, void *base)
{
	uint32_t *dims = (uint32_t *)((char *)base + key->at);
	char word[32], *rest = word, *number;
	uint32_t n;

	if (strlen(text) >= sizeof(word))
		return -EINVAL;
	strcpy(word, text);
	for (n = 0; (number = strsep(&rest, "x")); n++)
		if (n == RF_FABRIC_DIMS || rf_parse_u32(number, &dims[n]) || dims[n] < 2 ||
		    dims[n] > RF_FABRIC_SWITCHES_MAX)
			return -EINVAL;
	return n < 2 ? -EINVAL : 0;
}

const struct rf_kind rf_kind_dims = { .take = dims_take };

/* A parameter of a shape, for example the number of spine switches of the shape leaf-spine */
struct part {
	const char *key;
	enum rf_shape shape;
	const char *shapes;	/* all shapes that have a parameter of this name */
	uint32_t *v;
	uint32_t usual, min, max;
};

static uint32_t at_most(uint32_t max, uint32_t nodes)
{
	return nodes < max ? nodes : max;
}

static char *dims_text(const struct rf_fabric *f, char text[DIMS_LEN])
{
	int used = snprintf(text, DIMS_LEN, "%ux%u", f->dims[0], f->dims[1]);

	if (f->dims[2])
		snprintf(text + used, DIMS_LEN - used, "x%u", f->dims[2]);
	return text;
}

static const char *refuse_for_shape(const struct rf_fabric *f, const char *key,
				    const char *shapes, struct rf_why *why)
{
	rf_why_refuse(why, "%s: cannot be used with shape %s; only with shape %s", key,
		      rf_value_name(rf_shape_names, f->shape), shapes);
	return key;
}

static const char *settle_part(const struct rf_fabric *f, const struct part *p,
			       struct rf_why *why)
{
	if (f->shape != p->shape)
		return *p->v ? refuse_for_shape(f, p->key, p->shapes, why) : NULL;
	if (p->max < p->min) {
		rf_why_refuse(why, "shape %s: %u nodes; at least %u are needed",
			      rf_value_name(rf_shape_names, f->shape), f->nodes, p->min);
		return "shape";
	}
	if (!*p->v)
		*p->v = p->usual;
	if (*p->v >= p->min && *p->v <= p->max)
		return NULL;
	rf_why_refuse(why, "%s %u: out of range; %u to %u with %u nodes",
		      p->key, *p->v, p->min, p->max, f->nodes);
	return p->key;
}

static const char *settle_dims(const struct rf_fabric *f, struct rf_why *why)
{
	uint32_t n = f->dims[0] * f->dims[1] * (f->dims[2] ?: 1);
	char dims[DIMS_LEN];

	if (f->shape != RF_SHAPE_TORUS)
		return n ? refuse_for_shape(f, "dims", "torus", why) : NULL;
	if (!n) {
		rf_why_refuse(why, "shape torus: also needs dims, for example dims 4x4");
		return "shape";
	}
	if (n <= at_most(RF_FABRIC_ALL_SWITCHES_MAX, f->nodes))
		return NULL;
	rf_why_refuse(why, "dims %s: %u switches; at most %u with %u nodes", dims_text(f, dims), n,
		      at_most(RF_FABRIC_ALL_SWITCHES_MAX, f->nodes), f->nodes);
	return "dims";
}

/* Check the nodes of this machine, if other machines have the other nodes. */
static const char *settle_nodes(struct rf_fabric *f, struct rf_why *why)
{
	const char *wrong = "nodes";

	if (!f->first && !f->uplink) {
		f->first = 1;
		f->last = f->nodes;
		return NULL;
	}
	if (!f->first || !f->uplink)
		rf_why_refuse(why, "%s: also needs %s",
			      f->first ? "nodes" : "uplink", f->first ? "uplink IFNAME" : "nodes A-B");
	else if (f->last > f->nodes)
		rf_why_refuse(why, "nodes %u-%u: out of range; within 1-%u", f->first, f->last,
			      f->nodes);
	else if (f->shape != RF_SHAPE_STAR)
		refuse_for_shape(f, "nodes", "star", why);
	else if (f->cm)
		rf_why_refuse(why, "nodes: cannot be used with cm");
	else
		wrong = NULL;
	return wrong;
}

/**
 * rf_fabric_settle - set missing parameters of a fabric to defaults, and check all parameters
 * @f: the fabric; the number of nodes and the shape must be set
 * @why: gets the text of an error
 *
 * Each switch has at least one node; in leaf-spine, each leaf.
 *
 * Return: NULL, or the name of the invalid parameter if there is one.
 */
const char *rf_fabric_settle(struct rf_fabric *f, struct rf_why *why)
{
	const uint32_t ring = f->shape == RF_SHAPE_RING ? RF_FABRIC_RING_MIN : 2;
	const struct part parts[] = {
		{ "switches", f->shape == RF_SHAPE_RING ? RF_SHAPE_RING : RF_SHAPE_CHAIN,
		  "chain or ring", &f->switches, ring, ring,
		  at_most(RF_FABRIC_SWITCHES_MAX, f->nodes) },
		{ "leaves", RF_SHAPE_LEAF_SPINE, "leaf-spine", &f->leaves, 2, 2,
		  at_most(RF_FABRIC_LEAVES_MAX, f->nodes) },
		{ "spines", RF_SHAPE_LEAF_SPINE, "leaf-spine", &f->spines, 1, 1,
		  RF_FABRIC_SPINES_MAX },
	};
	const char *wrong = NULL;
	int i;

	for (i = 0; !wrong && i < 3; i++)
		wrong = settle_part(f, &parts[i], why);
	if (!wrong)
		wrong = settle_dims(f, why);
	return wrong ? wrong : settle_nodes(f, why);
}

/** rf_fabric_is_whole - check whether all nodes of a fabric are on this machine */
bool rf_fabric_is_whole(const struct rf_fabric *f)
{
	return !f->first || (f->first == 1 && f->last == f->nodes);
}

/** rf_fabric_is_same - compare the parts and routes of two fabrics after rf_fabric_settle() */
bool rf_fabric_is_same(const struct rf_fabric *a, const struct rf_fabric *b)
{
	return a->nodes == b->nodes && a->shape == b->shape &&
	       a->switches == b->switches && a->leaves == b->leaves &&
	       a->spines == b->spines && !memcmp(a->dims, b->dims, sizeof(a->dims)) &&
	       a->cm == b->cm;
}

/**
 * rf_fabric_text - format the shape of a fabric
 * @f: the fabric, after rf_fabric_settle()
 * @buf: gets the text
 *
 * Return: @buf.
 */
char *rf_fabric_text(const struct rf_fabric *f, char buf[64])
{
	char spines[RF_THINGS_LEN], dims[DIMS_LEN];

	switch (f->shape) {
	case RF_SHAPE_CHAIN:
	case RF_SHAPE_RING:
		snprintf(buf, 64, "%u nodes on a %s of %u switches", f->nodes,
			 rf_value_name(rf_shape_names, f->shape), f->switches);
		break;
	case RF_SHAPE_TORUS:
		snprintf(buf, 64, "%u nodes on a torus of %s switches", f->nodes,
			 dims_text(f, dims));
		break;
	case RF_SHAPE_LEAF_SPINE:
		snprintf(buf, 64, "%u nodes on %u leaves below %s",
			 f->nodes, f->leaves, rf_fmt_things(f->spines, "spine", spines));
		break;
	default:
		if (rf_fabric_is_remote(f))
			snprintf(buf, 64, "a bridge with the ports %s and %s",
				 f->bridge[0], f->bridge[1]);
		else if (!rf_fabric_is_whole(f))
			snprintf(buf, 64, "nodes %u to %u of %u on one switch", f->first, f->last,
				 f->nodes);
		else
			snprintf(buf, 64, "%u nodes on one switch", f->nodes);
	}
	if (f->cm)
		strcat(buf, " with cm");
	return buf;
}

/**
 * rf_fabric_switch_name - get the name of a switch's netdev
 * @f: the fabric
 * @i: index of the switch
 * @name: gets the name
 */
void rf_fabric_switch_name(const struct rf_fabric *f, uint32_t i, char name[16])
{
	if (f->shape == RF_SHAPE_STAR)
		snprintf(name, 16, BRIDGE);
	else if (i < f->leaves)
		snprintf(name, 16, "l%u", i + 1);
	else
		snprintf(name, 16, "s%u", i - f->leaves + 1);
}

/**
 * rf_fabric_toward - get the name of the port that connects a switch to another switch
 * @f: the fabric
 * @from: index of the switch with the port
 * @to: index of the other switch
 * @name: gets the name
 */
void rf_fabric_toward(const struct rf_fabric *f, uint32_t from, uint32_t to,
		      char name[16])
{
	char a[16], b[16];

	rf_fabric_switch_name(f, from, a);
	rf_fabric_switch_name(f, to, b);
	snprintf(name, 16, "%.7s%.7s", a, b);
}

/**
 * rf_fabric_partner - get the name of the netdev at the other end of a port's link
 * @port: a port of a fabric: a netdev or an RDMA device
 * @name: gets the name: p2 for v2 or rxe2, v2 for p2, s2s1 for s1s2
 */
void rf_fabric_partner(const char *port, char name[16])
{
	const char *number = port + strcspn(port, "0123456789");
	const char *other = number + strspn(number, "0123456789");

	if (*other)
		snprintf(name, 16, "%s%.*s", other, (int)(other - port), port);
	else
		snprintf(name, 16, "%c%s", port[0] == 'p' ? 'v' : 'p', number);
}

/**
 * rf_fabric_port - get the name of a switch port by its index
 * @f: the fabric
 * @i: index of the port, from 0: first the ports to nodes, then the ports between switches
 * @name: gets the name
 *
 * Return: false if there is no such port.
 */
bool rf_fabric_port(const struct rf_fabric *f, uint32_t i, char name[16])
{
	struct rf_fabric_link l;

	if (rf_fabric_is_remote(f))
		return false;
	if (i < f->nodes) {
		snprintf(name, 16, "p%u", i + 1);
		return true;
	}
	i -= f->nodes;
	if (i >= 2 * rf_fabric_links(f))
		return false;
	l = rf_fabric_link(f, i / 2);
	rf_fabric_toward(f, i % 2 ? l.b : l.a, i % 2 ? l.a : l.b, name);
	return true;
}

/**
 * rf_fabric_node_port - get the name of the port that is next to a node
 * @f: the fabric
 * @node: the node, from 1
 * @name: gets the name: the netdev of the node, or the port of the bridge in front of it
 */
void rf_fabric_node_port(const struct rf_fabric *f, uint32_t node, char name[16])
{
	if (rf_fabric_is_remote(f))
		snprintf(name, 16, "%s", f->bridge[node - 1]);
	else
		snprintf(name, 16, "v%u", node);
}

/**
 * rf_fabric_netdev - get the name of a node's netdev or a switch port by its number
 * @f: the fabric
 * @number: from 1: first the netdevs of the nodes, then the ports of rf_fabric_port()
 * @name: gets the name
 *
 * Return: false if there is none with this number.
 */
bool rf_fabric_netdev(const struct rf_fabric *f, uint32_t number, char name[16])
{
	if (number > f->nodes)
		return rf_fabric_port(f, number - f->nodes - 1, name);
	rf_fabric_node_port(f, number, name);
	return true;
}

/** rf_fabric_is_here - check whether rf_fabric_netdev(f, number) is on this machine */
bool rf_fabric_is_here(const struct rf_fabric *f, uint32_t number)
{
	uint32_t node = number > f->nodes ? number - f->nodes : number;

	return node > f->nodes || (node >= f->first && node <= f->last);
}
