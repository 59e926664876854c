// SPDX-License-Identifier: GPL-2.0
/*
 * Test the shapes of a fabric, for all numbers of nodes and switches: from every node there is
 * a path to every other node over existing links, and no path passes a switch twice.
 */
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
 * Return: the number of switches on the path from node @from to node @to, 0 if the path does
 * not reach @to
 */
static uint32_t way(const struct rf_fabric *f, uint32_t from, uint32_t to)
{
	uint32_t at = rf_fabric_home(f, from), next, seen = 1, n = 1;

	while ((next = rf_fabric_next(f, at, to)) != at) {
		if (!linked(f, at, next) || seen++ > rf_fabric_switches(f))
			return 0;
		at = next;
		n++;
	}
	return at == rf_fabric_home(f, to) ? n : 0;
}

static bool all_meet(const struct rf_fabric *f, uint32_t longest)
{
	uint32_t a, b, n;

	for (a = 1; a <= f->nodes; a++)
		for (b = 1; b <= f->nodes; b++) {
			n = way(f, a, b);
			if (!n || n > longest)
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

static void chains_ok(void)
{
	struct rf_fabric f;
	bool meet = true, even = true;
	uint32_t n, k;

	for (n = 2; n <= RF_FABRIC_MAX; n++)
		for (k = 2; k <= n && k <= RF_FABRIC_SWITCHES_MAX; k++) {
			f = (struct rf_fabric){
				.nodes = n, .shape = RF_SHAPE_CHAIN, .switches = k,
			};
			meet &= !rf_fabric_settle(&f, &why) && all_meet(&f, k);
			even &= is_even(&f, k);
		}
	ok(meet, "in all chains, every node reaches every other");
	ok(even, "the nodes of all chains are spread evenly over the switches");
}

static void leaves_ok(void)
{
	struct rf_fabric f;
	bool meet = true, even = true;
	uint32_t n, l, s;

	for (n = 2; n <= RF_FABRIC_MAX; n++)
		for (l = 2; l <= n && l <= RF_FABRIC_LEAVES_MAX; l++)
			for (s = 1; s <= RF_FABRIC_SPINES_MAX; s++) {
				f = (struct rf_fabric){
					.nodes = n, .shape = RF_SHAPE_LEAF_SPINE,
					.leaves = l, .spines = s,
				};
				meet &= !rf_fabric_settle(&f, &why) &&
					all_meet(&f, 3);
				even &= is_even(&f, l);
			}
	ok(meet, "in all leaf-spine fabrics, every node reaches every other over at most one spine");
	ok(even, "the nodes of all leaf-spine fabrics are spread evenly over the leaves");
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
}

static void names_ok(void)
{
	struct rf_fabric f = {
		.nodes = 64, .shape = RF_SHAPE_LEAF_SPINE, .leaves = 16, .spines = 4,
	};
	char name[16], other[16];
	bool unique = true;
	uint32_t i, j;

	rf_fabric_settle(&f, &why);
	for (i = 0; rf_fabric_port(&f, i, name); i++)
		for (j = 0; j < i; j++) {
			rf_fabric_port(&f, j, other);
			unique &= strcmp(name, other) != 0;
		}
	ok(i == RF_FABRIC_PORTS_MAX, "the switches of the largest fabric have %u ports", i);
	ok(unique, "all ports of switches have different names");
	rf_fabric_toward(&f, 15, 19, name);
	rf_fabric_toward(&f, 19, 15, other);
	ok(!strcmp(name, "l16s4") && !strcmp(other, "s4l16"), "the ports of a link between leaf 16 and spine 4 are l16s4 and s4l16");
}

static void defaults_ok(void)
{
	struct rf_fabric leaf = { .nodes = 4, .shape = RF_SHAPE_LEAF_SPINE };
	struct rf_fabric chain = { .nodes = 4, .shape = RF_SHAPE_CHAIN };
	struct rf_fabric star = { .nodes = 4 };
	char text[64];

	ok(!rf_fabric_settle(&star, &why) && rf_fabric_switches(&star) == 1 &&
	   !rf_fabric_links(&star) &&
	   !strcmp(rf_fabric_text(&star, text), "4 nodes on one switch"),
	   "a star has no links between switches");
	ok(!rf_fabric_settle(&chain, &why) &&
	   !strcmp(rf_fabric_text(&chain, text), "4 nodes on a chain of 2 switches"),
	   "a chain has two switches by default");
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
	for (i = 0; i < 64; i++)
		p.to[i] = UINT64_MAX;
	text_is(&p, 1, "1-64→1-64");
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
	golden(why.text, "%s of %u nodes: %u switches, %u leaves, %u spines",
	       word, f.nodes, f.switches, f.leaves, f.spines);
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
	refused((struct rf_fabric){ .nodes = 8, .shape = RF_SHAPE_LEAF_SPINE, .spines = 5 },
		"spines");
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
	chains_ok();
	leaves_ok();
	spines_share_ok();
	all_next_ok();
	names_ok();
	defaults_ok();
	crossings_ok();
	pairs_text_ok();
	partners_ok();
	settle_fails();
	parts_ok();
	golden_compare("fabric_shape.txt");
	return done_testing();
}
