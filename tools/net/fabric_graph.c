// SPDX-License-Identifier: GPL-2.0
/*
 * The graph of a fabric: its switches, the links between them, the switch of each node, and the
 * routes.
 *
 * A shape is a function that lists the neighbours of a switch, in the order of its ports. The
 * links and the routes follow from these lists.
 *
 * Nodes are distributed over the switches in order of their numbers, and as evenly as
 * possible. So most neighbours in a ring of ranks are on the same switch: with four nodes and
 * two switches, nodes 1 and 2 are on the first switch, nodes 3 and 4 on the second.
 *
 * Routes are shortest paths. If a switch has several ports on shortest paths to node K, the
 * packets leave through the first of them; in leaf-spine, through the port with the index
 * (K - 1) mod the number of these ports, so that the spines share the nodes. So the route depends
 * only on the destination, as in an InfiniBand fabric, and all packets of a flow take the same
 * path, in every run.
 *
 * In a torus, the ports have the order of the dimensions, and each dimension has the port to the
 * next coordinate before the port to the previous one. So the first port on a shortest path is
 * that of dimension order routing: packets go to the right coordinate in the first dimension,
 * then in the second, and if both ways are equally long, to the next coordinate. A ring is a
 * torus with one dimension.
 */
#include <string.h>

#include "fabric.h"

/* Ports of a switch to other switches: a spine has a port to each leaf */
#define PORTS_MAX RF_FABRIC_LEAVES_MAX
#define FAR 0xff		/* distance without a path; distances are in links */

struct graph {
	struct rf_fabric of;
	uint32_t switches;
	uint32_t homes;		/* number of switches with nodes; they are the first ones */
	uint32_t links;
	struct rf_fabric_link link[RF_FABRIC_LINKS_MAX];
	uint32_t ports[RF_FABRIC_ALL_SWITCHES_MAX];
	uint8_t port[RF_FABRIC_ALL_SWITCHES_MAX][PORTS_MAX];	/* the switch at the other end */
	uint8_t distance[RF_FABRIC_ALL_SWITCHES_MAX][RF_FABRIC_ALL_SWITCHES_MAX];
	uint8_t next[RF_FABRIC_ALL_SWITCHES_MAX][RF_FABRIC_MAX + 1];	/* by node */
	/* Bit z of over[x][y]: packets to some node go from switch x over y to z. */
	uint64_t over[RF_FABRIC_ALL_SWITCHES_MAX][RF_FABRIC_ALL_SWITCHES_MAX];
};

static void add_port(struct graph *g, uint32_t at, uint32_t to)
{
	g->port[at][g->ports[at]++] = to;
}

static void add_chain(struct graph *g, const struct rf_fabric *f, uint32_t at)
{
	if (at)
		add_port(g, at, at - 1);
	if (at + 1 < f->switches)
		add_port(g, at, at + 1);
}

static void add_leaf_spine(struct graph *g, const struct rf_fabric *f, uint32_t at)
{
	bool leaf = at < f->leaves;
	uint32_t i, n = leaf ? f->spines : f->leaves;

	for (i = 0; i < n; i++)
		add_port(g, at, leaf ? f->leaves + i : i);
}

static void add_torus(struct graph *g, const struct rf_fabric *f, uint32_t at)
{
	uint32_t d, size, x, step = 1;

	for (d = 0; d < RF_FABRIC_DIMS && f->dims[d]; d++) {
		size = f->dims[d];
		x = at / step % size;
		add_port(g, at, at - x * step + (x + 1) % size * step);
		if (size > 2)
			add_port(g, at, at - x * step + (x + size - 1) % size * step);
		step *= size;
	}
}

static void add_ring(struct graph *g, const struct rf_fabric *f, uint32_t at)
{
	add_torus(g, &(struct rf_fabric){ .dims = { f->switches } }, at);
}

/* Set the numbers of switches, and add the ports of each switch. */
static void make_ports(struct graph *g, const struct rf_fabric *f)
{
	void (*add)(struct graph *g, const struct rf_fabric *f, uint32_t at) = NULL;
	uint32_t at;

	g->switches = 1;
	if (f->shape == RF_SHAPE_CHAIN || f->shape == RF_SHAPE_RING) {
		g->switches = f->switches;
		add = f->shape == RF_SHAPE_RING ? add_ring : add_chain;
	} else if (f->shape == RF_SHAPE_TORUS) {
		g->switches = f->dims[0] * f->dims[1] * (f->dims[2] ?: 1);
		add = add_torus;
	} else if (f->shape == RF_SHAPE_LEAF_SPINE) {
		g->switches = f->leaves + f->spines;
		add = add_leaf_spine;
	}
	g->homes = f->shape == RF_SHAPE_LEAF_SPINE ? f->leaves : g->switches;
	for (at = 0; add && at < g->switches; at++)
		add(g, f, at);
}

/* Number the links by their first switches, and the links of a switch in the order of its ports. */
static void make_links_of_ports(struct graph *g)
{
	uint32_t at, i;

	for (at = 0; at < g->switches; at++)
		for (i = 0; i < g->ports[at]; i++)
			if (at < g->port[at][i])
				g->link[g->links++] = (struct rf_fabric_link){
					at, g->port[at][i]
				};
}

/* Compute the distances of all switches with the algorithm of Floyd and Warshall. */
static void make_distances(struct graph *g)
{
	uint32_t a, b, over, n = g->switches;

	memset(g->distance, FAR, sizeof(g->distance));
	for (a = 0; a < n; a++) {
		g->distance[a][a] = 0;
		for (b = 0; b < g->ports[a]; b++)
			g->distance[a][g->port[a][b]] = 1;
	}
	for (over = 0; over < n; over++)
		for (a = 0; a < n; a++)
			for (b = 0; b < n; b++)
				if (g->distance[a][over] + g->distance[over][b] <
				    g->distance[a][b])
					g->distance[a][b] = g->distance[a][over] +
							    g->distance[over][b];
}

static uint32_t home_of(const struct graph *g, uint32_t node)
{
	return (node - 1) * g->homes / g->of.nodes;
}

/* Get the next hops on all shortest paths, in the order of the ports. Return: how many */
static uint32_t all_next(const struct graph *g, uint32_t at, uint32_t home,
			 uint32_t next[PORTS_MAX])
{
	uint32_t i, to, n = 0;

	for (i = 0; i < g->ports[at]; i++) {
		to = g->port[at][i];
		if (g->distance[to][home] < g->distance[at][home])
			next[n++] = to;
	}
	return n;
}

static void make_routes(struct graph *g)
{
	uint32_t at, node, n, next[PORTS_MAX];

	for (at = 0; at < g->switches; at++)
		for (node = 1; node <= g->of.nodes; node++) {
			n = all_next(g, at, home_of(g, node), next);
			if (!n)
				g->next[at][node] = at;
			else if (g->of.shape == RF_SHAPE_LEAF_SPINE)
				g->next[at][node] = next[(node - 1) % n];
			else
				g->next[at][node] = next[0];
		}
}

static void make_ways_over(struct graph *g)
{
	uint32_t x, y, z, node;

	for (x = 0; x < g->switches; x++)
		for (node = 1; node <= g->of.nodes; node++) {
			y = g->next[x][node];
			z = g->next[y][node];
			if (x != y && y != z)
				g->over[x][y] |= 1ULL << z;
		}
}

/*
 * The graph of the last fabric is kept, because callers ask for each link and each route. No
 * program that uses it has threads.
 */
static const struct graph *graph_of(const struct rf_fabric *f)
{
	static struct graph g;

	if (g.switches && rf_fabric_is_same(&g.of, f))
		return &g;
	memset(&g, 0, sizeof(g));
	g.of = *f;
	make_ports(&g, f);
	make_links_of_ports(&g);
	make_distances(&g);
	make_routes(&g);
	make_ways_over(&g);
	return &g;
}

/** rf_fabric_switches - get the number of switches, including spines */
uint32_t rf_fabric_switches(const struct rf_fabric *f)
{
	return graph_of(f)->switches;
}

/** rf_fabric_links - get the number of links between switches */
uint32_t rf_fabric_links(const struct rf_fabric *f)
{
	return graph_of(f)->links;
}

/**
 * rf_fabric_link - get one of the links between switches
 * @f: the fabric
 * @i: index of the link, from 0
 *
 * Return: the two switches that the link connects.
 */
struct rf_fabric_link rf_fabric_link(const struct rf_fabric *f, uint32_t i)
{
	return graph_of(f)->link[i];
}

/**
 * rf_fabric_home - get the switch that a node is connected to
 * @f: the fabric
 * @node: the node, from 1
 *
 * Return: the index of the switch.
 */
uint32_t rf_fabric_home(const struct rf_fabric *f, uint32_t node)
{
	return home_of(graph_of(f), node);
}

/**
 * rf_fabric_next - get the next hop of the static route from a switch to a node
 * @f: the fabric
 * @at: index of the switch
 * @node: the node, from 1
 *
 * Return: the index of the next switch; @at if the node is connected to @at.
 */
uint32_t rf_fabric_next(const struct rf_fabric *f, uint32_t at, uint32_t node)
{
	return graph_of(f)->next[at][node];
}

/**
 * rf_fabric_goes_over - check whether static routes use two links, one after the other
 * @f: the fabric
 * @x: index of a switch
 * @y: index of a neighbour of @x
 * @z: index of a neighbour of @y
 *
 * Return: true if packets to some node go from @x over @y to @z.
 */
bool rf_fabric_goes_over(const struct rf_fabric *f, uint32_t x, uint32_t y, uint32_t z)
{
	return graph_of(f)->over[x][y] >> z & 1;
}

/**
 * rf_fabric_next_all - get the next hops of all shortest paths from a switch to a node
 * @f: the fabric
 * @at: index of the switch
 * @node: the node, from 1
 * @next: gets the indexes of the next switches, in the order of the ports of @at
 *
 * Return: how many there are; 0 if the node is connected to @at.
 */
uint32_t rf_fabric_next_all(const struct rf_fabric *f, uint32_t at, uint32_t node,
			    uint32_t next[RF_FABRIC_LEAVES_MAX])
{
	const struct graph *g = graph_of(f);

	return all_next(g, at, home_of(g, node), next);
}
