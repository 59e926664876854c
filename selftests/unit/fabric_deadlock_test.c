// SPDX-License-Identifier: GPL-2.0
/*
 * Test rf_fabric_deadlock(): in each set of paused ports, it finds a cycle if and only if a port
 * waits for itself over others, and it finds the cycle that has lasted longest. The test follows
 * the routes of all pairs of nodes, and computes the transitive closure.
 */
#include <stdlib.h>
#include <string.h>

#include "fabric.h"
#include "said.h"
#include "tap.h"

#define PORTS 256
#define NOT UINT64_MAX

static bool waits[PORTS][PORTS];	/* packets of some pair take the one and then the other */
static uint32_t ports;

static uint32_t port_toward(const struct rf_fabric *f, uint32_t from, uint32_t to)
{
	struct rf_fabric_link l;
	uint32_t i;

	for (i = 0; i < rf_fabric_links(f); i++) {
		l = rf_fabric_link(f, i);
		if (l.a == from && l.b == to)
			return 2 * i;
		if (l.b == from && l.a == to)
			return 2 * i + 1;
	}
	return PORTS;
}

static void follow_routes(const struct rf_fabric *f)
{
	uint32_t from, to, at, next, port, before;

	memset(waits, 0, sizeof(waits));
	ports = 2 * rf_fabric_links(f);
	for (from = 1; from <= f->nodes; from++) {
		for (to = 1; to <= f->nodes; to++) {
			before = PORTS;
			for (at = rf_fabric_home(f, from);
			     (next = rf_fabric_next(f, at, to)) != at; at = next) {
				port = port_toward(f, at, next);
				if (before != PORTS)
					waits[before][port] = true;
				before = port;
			}
		}
	}
}

/* Return: true if a port that has been paused since @until or longer waits for itself */
static bool has_cycle(const uint64_t *since, uint64_t until)
{
	static bool reach[PORTS][PORTS];
	uint32_t a, b, over;

	for (a = 0; a < ports; a++)
		for (b = 0; b < ports; b++)
			reach[a][b] = since[a] <= until && since[b] <= until && waits[a][b];
	for (over = 0; over < ports; over++)
		for (a = 0; a < ports; a++)
			for (b = 0; reach[a][over] && b < ports; b++)
				reach[a][b] |= reach[over][b];
	for (a = 0; a < ports; a++)
		if (reach[a][a])
			return true;
	return false;
}

/* Return: true if each port of the cycle waits for the next one, and @begin is its last pause */
static bool is_valid(const uint64_t *since, const uint32_t *cycle, uint32_t n, uint64_t begin)
{
	uint64_t last = 0;
	uint32_t i;

	for (i = 0; i < n; i++) {
		if (!waits[cycle[i]][cycle[(i + 1) % n]])
			return false;
		last = since[cycle[i]] > last ? since[cycle[i]] : last;
	}
	return last == begin;
}

static bool is_right(const struct rf_fabric *f, const uint64_t *since)
{
	uint32_t cycle[PORTS], n;
	uint64_t begin = 0;

	n = rf_fabric_deadlock(f, since, cycle, &begin);
	if (!n)
		return !has_cycle(since, NOT - 1);
	return is_valid(since, cycle, n, begin) && has_cycle(since, begin) &&
	       (!begin || !has_cycle(since, begin - 1));
}

static void random_pauses_ok(const char *name, struct rf_fabric f)
{
	uint32_t round, i, cycles = 0, wrong = 0, cycle[PORTS];
	uint64_t since[PORTS], begin;

	ok(!rf_fabric_settle(&f, NULL), "control: %s is a fabric", name);
	follow_routes(&f);
	srandom(1);
	for (round = 0; round < 300; round++) {
		for (i = 0; i < ports; i++)
			since[i] = (uint32_t)random() % 8 < 1 + round % 7 ?
				   (uint64_t)random() % 20 : NOT;
		wrong += !is_right(&f, since);
		cycles += rf_fabric_deadlock(&f, since, cycle, &begin) > 0;
	}
	ok(!wrong, "%s: the cycles in %u of 300 sets of paused ports are found", name, cycles);
	ok(cycles > 20 && cycles < 280, "control: %s: some of the sets have a cycle", name);
}

static void none_ok(const char *name, struct rf_fabric f)
{
	uint64_t since[PORTS] = { }, begin;
	uint32_t cycle[PORTS];

	ok(!rf_fabric_settle(&f, NULL), "control: %s is a fabric", name);
	ok(!rf_fabric_deadlock(&f, since, cycle, &begin),
	   "%s: there is no cycle, even if all ports are paused", name);
}

/* Is @cycle that of the ports of a ring, from each switch to the next one? */
static bool is_round(const struct rf_fabric *f, const uint32_t *cycle, uint32_t n)
{
	char name[16], want[16];
	uint32_t i, start;

	rf_fabric_port(f, f->nodes + cycle[0], name);
	start = name[1] - '1';
	for (i = 0; i < n; i++) {
		rf_fabric_port(f, f->nodes + cycle[i], name);
		snprintf(want, sizeof(want), "s%us%u", (start + i) % 4 + 1,
			 (start + i + 1) % 4 + 1);
		if (strcmp(name, want))
			return false;
	}
	return true;
}

/* With four switches, packets to the opposite one go to the next switch, so s2s1 waits for none. */
static void ring_ok(void)
{
	struct rf_fabric f = { .nodes = 4, .shape = RF_SHAPE_RING, .switches = 4 };
	uint64_t since[PORTS], begin = 0;
	uint32_t cycle[PORTS], i, n;

	ok(!rf_fabric_settle(&f, NULL), "control: a ring of 4 is a fabric");
	for (i = 0; i < 8; i++)
		since[i] = 10;
	since[port_toward(&f, 2, 3)] = 70;
	n = rf_fabric_deadlock(&f, since, cycle, &begin);
	ok(n == 4 && is_round(&f, cycle, n),
	   "a ring of 4: the cycle has the ports to the next switches");
	ok(begin == 70, "a ring of 4: the cycle begins with its last pause");
	since[port_toward(&f, 2, 3)] = NOT;
	ok(!rf_fabric_deadlock(&f, since, cycle, &begin),
	   "a ring of 4: there is no cycle if one of these ports is not paused");
}

int main(void)
{
	ring_ok();
	random_pauses_ok("a ring of 5", (struct rf_fabric){
		.nodes = 5, .shape = RF_SHAPE_RING, .switches = 5 });
	random_pauses_ok("a ring of 4 with 9 nodes", (struct rf_fabric){
		.nodes = 9, .shape = RF_SHAPE_RING, .switches = 4 });
	random_pauses_ok("a torus 4x4", (struct rf_fabric){
		.nodes = 16, .shape = RF_SHAPE_TORUS, .dims = { 4, 4 } });
	none_ok("leaf-spine", (struct rf_fabric){
		.nodes = 8, .shape = RF_SHAPE_LEAF_SPINE, .leaves = 4, .spines = 3 });
	none_ok("a chain", (struct rf_fabric){
		.nodes = 8, .shape = RF_SHAPE_CHAIN, .switches = 8 });
	none_ok("a ring of 3", (struct rf_fabric){
		.nodes = 3, .shape = RF_SHAPE_RING, .switches = 3 });
	none_ok("a torus 2x2", (struct rf_fabric){
		.nodes = 4, .shape = RF_SHAPE_TORUS, .dims = { 2, 2 } });
	return done_testing();
}
