// SPDX-License-Identifier: GPL-2.0
/*
 * Test the shapes of a fabric, for many numbers of nodes and switches: the path from every switch
 * to every node has existing links, and is a shortest one.
 */
#include <errno.h>
#include <string.h>

#include "fabric.h"
#include "said.h"
#include "golden.h"
#include "tap.h"

static struct rf_why why;

/* Return: true if there is a link between the switches @a and @b */
static bool linked(const struct rf_fabric *f, uint32_t a, uint32_t b)
{
	struct rf_fabric_link l;
	uint32_t i;

	for (i = 0; i < rf_fabric_links(f); i++) {
		l = rf_fabric_link(f, i);
		if ((l.a == a && l.b == b) || (l.a == b && l.b == a))
			return true;
	}
	return false;
}

/*
 * Return: the number of links on the path from switch @at to node @to; UINT32_MAX if the path does
 * not reach @to
 */
static uint32_t way(const struct rf_fabric *f, uint32_t at, uint32_t to)
{
	uint32_t next, n;

	for (n = 0; (next = rf_fabric_next(f, at, to)) != at; at = next, n++)
		if (!linked(f, at, next) || n > rf_fabric_switches(f))
			return UINT32_MAX;
	return at == rf_fabric_home(f, to) ? n : UINT32_MAX;
}

/* Compute the number of links from switch @from to each other one by breadth-first search. */
static void search(const struct rf_fabric *f, uint32_t from, uint32_t *far)
{
	uint32_t i, n, of = rf_fabric_switches(f);
	bool more = true;

	for (i = 0; i < of; i++)
		far[i] = i == from ? 0 : of;
	for (n = 0; more; n++) {
		more = false;
		for (i = 0; i < 2 * rf_fabric_links(f); i++) {
			struct rf_fabric_link l = rf_fabric_link(f, i / 2);
			uint32_t a = i % 2 ? l.b : l.a, b = i % 2 ? l.a : l.b;

			if (far[a] != n || far[b] <= n)
				continue;
			far[b] = n + 1;
			more = true;
		}
	}
}

/* Return: true if the path from each switch to each node is a shortest one */
static bool all_shortest(const struct rf_fabric *f)
{
	uint32_t far[RF_FABRIC_ALL_SWITCHES_MAX], at, to;

	for (to = 1; to <= f->nodes; to++) {
		search(f, rf_fabric_home(f, to), far);
		for (at = 0; at < rf_fabric_switches(f); at++)
			if (way(f, at, to) != far[at])
				return false;
	}
	return true;
}

/*
 * Return: true if each of the first @homes switches has nodes, and their numbers of nodes
 * differ by at most one
 */
static bool is_even(const struct rf_fabric *f, uint32_t homes)
{
	uint32_t count[RF_FABRIC_MAX] = { }, i, least = f->nodes, most = 0;

	for (i = 1; i <= f->nodes; i++)
		count[rf_fabric_home(f, i)]++;
	for (i = 0; i < homes; i++) {
		least = count[i] < least ? count[i] : least;
		most = count[i] > most ? count[i] : most;
	}
	return least && most - least <= 1;
}

static const uint32_t nodes_of[] = { 2, 3, 5, 8, 16, 31, RF_FABRIC_MAX };

#define SIZES (sizeof(nodes_of) / sizeof(*nodes_of))

static void lines_ok(enum rf_shape shape, uint32_t min)
{
	const char *name = rf_value_name(rf_shape_names, shape);
	bool shortest = true, even = true;
	struct rf_fabric f;
	uint32_t i, k;

	for (i = 0; i < SIZES; i++)
		for (k = min; k <= nodes_of[i] && k <= RF_FABRIC_SWITCHES_MAX; k++) {
			f = (struct rf_fabric){
				.nodes = nodes_of[i], .shape = shape, .switches = k,
			};
			shortest &= !rf_fabric_settle(&f, &why) && all_shortest(&f);
			even &= is_even(&f, k);
		}
	ok(shortest, "in each %s, every switch reaches every node on a shortest path", name);
	ok(even, "the nodes of each %s are spread evenly over the switches", name);
}

static void leaves_ok(void)
{
	static const uint32_t leaves[] = { 2, 3, 7, RF_FABRIC_LEAVES_MAX };
	static const uint32_t spines[] = { 1, 2, 3, RF_FABRIC_SPINES_MAX };
	bool shortest = true, even = true;
	struct rf_fabric f;
	uint32_t i, l, s;

	for (i = 0; i < SIZES; i++)
		for (l = 0; l < 4 && leaves[l] <= nodes_of[i]; l++)
			for (s = 0; s < 4; s++) {
				f = (struct rf_fabric){
					.nodes = nodes_of[i], .shape = RF_SHAPE_LEAF_SPINE,
					.leaves = leaves[l], .spines = spines[s],
				};
				shortest &= !rf_fabric_settle(&f, &why) && all_shortest(&f);
				even &= is_even(&f, leaves[l]);
			}
	ok(shortest, "in all leaf-spine fabrics, every switch reaches every node on a shortest path");
	ok(even, "the nodes of all leaf-spine fabrics are spread evenly over the leaves");
}

/*
 * Return: true if all ports of switches have different names of at most 15 characters, and the
 * partner of the port at one end of a link is the port at the other end
 */
static bool are_names_good(const struct rf_fabric *f)
{
	char name[16], other[16], partner[16];
	uint32_t i, j;

	for (i = 0; rf_fabric_port(f, i, name); i++) {
		for (j = 0; j < i; j++) {
			rf_fabric_port(f, j, other);
			if (!strcmp(name, other))
				return false;
		}
		rf_fabric_partner(name, partner);
		rf_fabric_port(f, i >= f->nodes ? f->nodes + ((i - f->nodes) ^ 1) : i, other);
		if (strlen(name) > 15 || (i >= f->nodes && strcmp(partner, other)))
			return false;
	}
	return i == f->nodes + 2 * rf_fabric_links(f);
}

/* Write the links of a fabric, and the paths from node 1 to the first node of each switch. */
static void write_paths(const struct rf_fabric *f)
{
	uint32_t i, at, to, homes = 0;
	char *text, name[64];
	size_t len;
	FILE *out = open_memstream(&text, &len);

	for (i = 0; i < rf_fabric_links(f); i++) {
		rf_fabric_port(f, f->nodes + 2 * i, name);
		fprintf(out, "%s%s", i % 12 ? " " : i ? "\n" : "", name);
	}
	for (to = 1; to <= f->nodes; to++) {
		if (rf_fabric_home(f, to) < homes)
			continue;
		homes++;
		fprintf(out, "\nnode %u:", to);
		for (at = 0;; at = rf_fabric_next(f, at, to)) {
			rf_fabric_switch_name(f, at, name);
			fprintf(out, " %s", name);
			if (at == rf_fabric_home(f, to))
				break;
		}
	}
	fclose(out);
	golden(text, "%s", rf_fabric_text(f, name));
	free(text);
}

/* @links: the number of links between switches */
static void grid_ok(struct rf_fabric f, uint32_t links)
{
	char text[64];

	ok(!rf_fabric_settle(&f, &why) && rf_fabric_links(&f) == links,
	   "%s have %u fabric links", rf_fabric_text(&f, text), links);
	ok(all_shortest(&f) && is_even(&f, rf_fabric_switches(&f)),
	   "their paths are shortest ones, and the nodes are spread evenly");
	ok(are_names_good(&f), "all ports have different names, and the partner at the other end");
	write_paths(&f);
}

static void grids_ok(void)
{
	grid_ok((struct rf_fabric){ .nodes = 3, .shape = RF_SHAPE_RING, .switches = 3 }, 3);
	grid_ok((struct rf_fabric){ .nodes = 8, .shape = RF_SHAPE_RING, .switches = 4 }, 4);
	grid_ok((struct rf_fabric){ .nodes = 5, .shape = RF_SHAPE_RING, .switches = 5 }, 5);
	grid_ok((struct rf_fabric){ .nodes = 4, .shape = RF_SHAPE_TORUS, .dims = { 2, 2 } }, 4);
	grid_ok((struct rf_fabric){ .nodes = 16, .shape = RF_SHAPE_TORUS, .dims = { 4, 4 } }, 32);
	grid_ok((struct rf_fabric){ .nodes = 8, .shape = RF_SHAPE_TORUS, .dims = { 2, 2, 2 } }, 12);
	grid_ok((struct rf_fabric){ .nodes = 27, .shape = RF_SHAPE_TORUS, .dims = { 3, 3, 3 } },
		81);
}

static void spines_share_ok(void)
{
	struct rf_fabric f = {
		.nodes = 8, .shape = RF_SHAPE_LEAF_SPINE, .leaves = 2, .spines = 2,
	};
	uint32_t k, used[2] = { };

	rf_fabric_settle(&f, &why);
	for (k = 5; k <= 8; k++)
		used[rf_fabric_next(&f, 0, k) - 2]++;
	ok(used[0] == 2 && used[1] == 2, "the spines get the same number of destinations");
	ok(rf_fabric_next(&f, 0, 5) == rf_fabric_next(&f, 0, 7),
	   "the spine depends on the destination node only");
}

static void all_next_ok(void)
{
	struct rf_fabric f = {
		.nodes = 8, .shape = RF_SHAPE_LEAF_SPINE, .leaves = 4, .spines = 3,
	};
	uint32_t next[RF_FABRIC_LEAVES_MAX];

	rf_fabric_settle(&f, &why);
	ok(rf_fabric_next_all(&f, 0, 8, next) == 3 && next[0] == 4 && next[1] == 5 && next[2] == 6,
	   "all spines are next on shortest paths from a leaf to a node of another leaf");
	ok(rf_fabric_next_all(&f, 4, 8, next) == 1 && next[0] == 3,
	   "one leaf is next on the shortest path from a spine to a node");
	ok(!rf_fabric_next_all(&f, 3, 8, next), "no switch is next at the switch of the node");
	f = (struct rf_fabric){ .nodes = 16, .shape = RF_SHAPE_TORUS, .dims = { 4, 4 } };
	rf_fabric_settle(&f, &why);
	ok(rf_fabric_next_all(&f, 0, 11, next) == 4 && next[0] == 1 && next[1] == 3 &&
	   next[2] == 4 && next[3] == 12,
	   "all four neighbours are next on shortest paths to the farthest node of a torus");
}

static void names_ok(void)
{
	struct rf_fabric f = {
		.nodes = 128, .shape = RF_SHAPE_LEAF_SPINE, .leaves = 32, .spines = 16,
	};
	struct rf_fabric torus = {
		.nodes = 64, .shape = RF_SHAPE_TORUS, .dims = { 4, 4, 4 },
	};
	char name[16], other[16];

	rf_fabric_settle(&f, &why);
	ok(are_names_good(&f), "all ports of the largest leaf-spine have different names");
	ok(!rf_fabric_settle(&torus, &why) && are_names_good(&torus) && all_shortest(&torus),
	   "all ports of the largest torus have different names");
	rf_fabric_toward(&f, 31, 47, name);
	rf_fabric_toward(&f, 47, 31, other);
	ok(!strcmp(name, "l32s16") && !strcmp(other, "s16l32"),
	   "the ports of a link between leaf 32 and spine 16 are l32s16 and s16l32");
}

static void defaults_ok(void)
{
	struct rf_fabric leaf = { .nodes = 4, .shape = RF_SHAPE_LEAF_SPINE };
	struct rf_fabric chain = { .nodes = 4, .shape = RF_SHAPE_CHAIN };
	struct rf_fabric ring = { .nodes = 4, .shape = RF_SHAPE_RING };
	struct rf_fabric star = { .nodes = 4 };
	char text[64];

	ok(!rf_fabric_settle(&star, &why) && rf_fabric_switches(&star) == 1 &&
	   !rf_fabric_links(&star) &&
	   !strcmp(rf_fabric_text(&star, text), "4 nodes on one switch"),
	   "a star has no links between switches");
	ok(!rf_fabric_settle(&chain, &why) &&
	   !strcmp(rf_fabric_text(&chain, text), "4 nodes on a chain of 2 switches"),
	   "a chain has two switches by default");
	ok(!rf_fabric_settle(&ring, &why) &&
	   !strcmp(rf_fabric_text(&ring, text), "4 nodes on a ring of 3 switches"),
	   "a ring has three switches by default");
	ok(!rf_fabric_settle(&leaf, &why) &&
	   !strcmp(rf_fabric_text(&leaf, text), "4 nodes on 2 leaves below 1 spine"),
	   "a leaf-spine fabric has two leaves and one spine by default");
	ok(!rf_fabric_is_same(&leaf, &chain) && rf_fabric_is_same(&leaf, &leaf),
	   "rf_fabric_is_same() distinguishes fabrics");
	star.cm = true;
	ok(!rf_fabric_is_same(&star, &(struct rf_fabric){ .nodes = 4 }) &&
	   !strcmp(rf_fabric_text(&star, text), "4 nodes on one switch with cm"),
	   "a fabric for connection managers is another fabric");
}

static void text_is(const struct rf_pairs *p, uint32_t first, const char *expected)
{
	char *text = rf_pairs_text(p, first);

	ok(!strcmp(text ? text : "(none)", expected), "the text of pairs is \"%s\"", expected);
	free(text);
}

/* rf_fabric_pairs() and rf_fabric_crosses() agree for every pair and link. */
static void pairs_ok(struct rf_fabric f)
{
	static struct rf_pairs pairs[2 * RF_FABRIC_LINKS_MAX];
	uint32_t i, from, to, wrong = 0;
	struct rf_fabric_link l;
	char text[64];

	memset(pairs, 0, sizeof(pairs));
	rf_fabric_settle(&f, &why);
	rf_fabric_pairs(&f, pairs);
	for (i = 0; i < 2 * rf_fabric_links(&f); i++) {
		l = rf_fabric_link(&f, i / 2);
		if (i % 2)
			l = (struct rf_fabric_link){ l.b, l.a };
		for (from = 1; from <= f.nodes; from++)
			for (to = 1; to <= f.nodes; to++)
				wrong += rf_fabric_crosses(&f, from, to, l.a, l.b) !=
					 (pairs[i].to[from - 1] >> (to - 1) & 1);
	}
	ok(!wrong, "%s: the pairs of each link are those that cross it", rf_fabric_text(&f, text));
}

/* Only a link on the path of a packet is crossed, and only in the direction of the packet. */
static void crossings_ok(void)
{
	struct rf_fabric f = { .nodes = 8, .shape = RF_SHAPE_LEAF_SPINE, .spines = 2 };

	rf_fabric_settle(&f, &why);
	ok(rf_fabric_crosses(&f, 4, 5, 0, 2) && rf_fabric_crosses(&f, 4, 5, 2, 1),
	   "packets from node 4 to 5 cross l1s1 and s1l2");
	ok(!rf_fabric_crosses(&f, 4, 5, 0, 3) && !rf_fabric_crosses(&f, 4, 5, 2, 0) &&
	   !rf_fabric_crosses(&f, 1, 4, 0, 2), "they cross no other link, and nodes 1 and 4 none");
	f = (struct rf_fabric){ .nodes = 4 };
	rf_fabric_settle(&f, &why);
	ok(!rf_fabric_crosses(&f, 1, 4, 0, 0), "a star has no link to cross");
}

static void pairs_text_ok(void)
{
	struct rf_pairs p = { };
	int i;

	text_is(&p, 0, "(none)");
	p.to[3] = 1 << 4;
	p.to[7] = 1;
	text_is(&p, 0, "3→4, 7→0");
	text_is(&p, 1, "4→5, 8→1");
	p = (struct rf_pairs){ .to = { 0x5500, 0x5500, 0, 0x300 } };
	text_is(&p, 0, "0-1→8,10..14, 3→8-9");
	for (i = 0; i < 32; i++)
		p.to[i] = 1ull << (i + 32);
	text_is(&p, 0, "0→32 to 31→63");
	for (i = 0; i < RF_FABRIC_MAX; i++)
		p.to[i] = ~(__uint128_t)0;
	text_is(&p, 1, "1-128→1-128");
	p = (struct rf_pairs){ .to = { [126] = RF_PAIRS_BIT(127), [127] = RF_PAIRS_BIT(64) } };
	text_is(&p, 1, "127→128, 128→65");
}

static void partners_ok(void)
{
	static const char *const of[][2] = {
		{ "v2", "p2" }, { "rxe12", "p12" }, { "p2", "v2" }, { "s1s2", "s2s1" },
		{ "s10s9", "s9s10" }, { "l1s2", "s2l1" },
	};
	char name[16];
	size_t i;

	for (i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
		rf_fabric_partner(of[i][0], name);
		ok(!strcmp(name, of[i][1]), "the link partner of %s is %s", of[i][0], of[i][1]);
	}
}

static void refused(struct rf_fabric f, const char *word)
{
	const char *wrong = rf_fabric_settle(&f, &why);

	ok(wrong && !strcmp(wrong, word), "rf_fabric_settle() refuses a wrong number of %s", word);
	golden(why.text, "%s of %u nodes: %u switches, %u leaves, %u spines, dims %ux%ux%u",
	       word, f.nodes, f.switches, f.leaves, f.spines, f.dims[0], f.dims[1], f.dims[2]);
}

static void settle_fails(void)
{
	struct rf_fabric f;

	refused((struct rf_fabric){ .nodes = 4, .shape = RF_SHAPE_CHAIN, .switches = 5 },
		"switches");
	refused((struct rf_fabric){ .nodes = 64, .shape = RF_SHAPE_CHAIN, .switches = 17 },
		"switches");
	refused((struct rf_fabric){ .nodes = 4, .shape = RF_SHAPE_CHAIN, .switches = 1 },
		"switches");
	refused((struct rf_fabric){ .nodes = 4, .switches = 2 }, "switches");
	refused((struct rf_fabric){ .nodes = 4, .shape = RF_SHAPE_CHAIN, .spines = 1 },
		"spines");
	refused((struct rf_fabric){ .nodes = 3, .shape = RF_SHAPE_LEAF_SPINE, .leaves = 4 },
		"leaves");
	refused((struct rf_fabric){ .nodes = 8, .shape = RF_SHAPE_LEAF_SPINE, .spines = 17 },
		"spines");
	refused((struct rf_fabric){ .nodes = 4, .shape = RF_SHAPE_RING, .switches = 2 },
		"switches");
	refused((struct rf_fabric){ .nodes = 2, .shape = RF_SHAPE_RING }, "shape");
	refused((struct rf_fabric){ .nodes = 4, .shape = RF_SHAPE_TORUS }, "shape");
	refused((struct rf_fabric){ .nodes = 4, .dims = { 2, 2 } }, "dims");
	refused((struct rf_fabric){ .nodes = 8, .shape = RF_SHAPE_TORUS, .dims = { 2, 2, 3 } },
		"dims");
	refused((struct rf_fabric){ .nodes = 64, .shape = RF_SHAPE_TORUS, .dims = { 16, 16 } },
		"dims");
	f = (struct rf_fabric){ .nodes = 4, .first = 3, .last = 5, .uplink = "eth1" };
	refused(f, "nodes");
	refused((struct rf_fabric){ .nodes = 4, .first = 3, .last = 4 }, "nodes");
	refused((struct rf_fabric){ .nodes = 4, .uplink = "eth1" }, "nodes");
	f.last = 4;
	f.shape = RF_SHAPE_CHAIN;
	refused(f, "nodes");
	f.shape = RF_SHAPE_STAR;
	f.cm = true;
	refused(f, "nodes");
}

static void dims_ok(void)
{
	static const struct rf_key key = {
		.name = "dims", .form = RF_DIMS_FORM, .kind = &rf_kind_dims,
	};
	static const char *const wrong[] = {
		"", "4", "4x", "x4", "4x1", "4x17", "4x4x4x4", "4X4", "4x4.", "4x-4", "4 x 4",
		"16x16x16x16x16x16x16x16x16x16x16x16x16x16x16",
	};
	uint32_t dims[RF_FABRIC_DIMS] = { };
	size_t i;

	ok(!rf_key_take(&key, "16x2", dims) && dims[0] == 16 && dims[1] == 2 && !dims[2],
	   "dims 16x2 are two numbers");
	ok(!rf_key_take(&key, "2x3x4", dims) && dims[0] == 2 && dims[1] == 3 && dims[2] == 4,
	   "dims 2x3x4 are three numbers");
	for (i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		ok(rf_key_take(&key, wrong[i], dims) == -EINVAL, "dims \"%s\" are refused",
		   wrong[i]);
}

static void parts_ok(void)
{
	struct rf_fabric whole = { .nodes = 4 };
	struct rf_fabric part = { .nodes = 4, .first = 3, .last = 4, .uplink = "eth1" };
	char text[64];

	ok(!rf_fabric_settle(&whole, &why) && rf_fabric_is_whole(&whole),
	   "a fabric has all nodes by default");
	ok(!rf_fabric_settle(&part, &why) && !rf_fabric_is_whole(&part),
	   "a fabric can have a part of the nodes");
	ok(!rf_fabric_is_here(&part, 2) && rf_fabric_is_here(&part, 3) &&
	   !rf_fabric_is_here(&part, 6) && rf_fabric_is_here(&part, 7),
	   "a part has the switch ports of its nodes");
	ok(!strcmp(rf_fabric_text(&part, text), "nodes 3 to 4 of 4 on one switch"),
	   "the text of a part has its nodes");
}

int main(void)
{
	lines_ok(RF_SHAPE_CHAIN, 2);
	lines_ok(RF_SHAPE_RING, 3);
	leaves_ok();
	grids_ok();
	spines_share_ok();
	all_next_ok();
	names_ok();
	defaults_ok();
	crossings_ok();
	pairs_ok((struct rf_fabric){ .nodes = 5, .shape = RF_SHAPE_RING, .switches = 5 });
	pairs_ok((struct rf_fabric){ .nodes = 9, .shape = RF_SHAPE_TORUS, .dims = { 2, 3 } });
	pairs_ok((struct rf_fabric){
		.nodes = 40, .shape = RF_SHAPE_LEAF_SPINE, .leaves = 5, .spines = 3,
	});
	pairs_text_ok();
	partners_ok();
	settle_fails();
	dims_ok();
	parts_ok();
	golden_compare("fabric_shape.txt");
	return done_testing();
}
