// SPDX-License-Identifier: GPL-2.0
/*
 * The propagation delays of the links on the path of a packet. They are the least time that
 * the packet takes; queues and the hosts add to it.
 */
#include <stdio.h>

#include "load.h"
#include "scenario.h"
#include "words.h"

/* Return: the delay of the link behind a port in a case */
static uint64_t link_delay(const struct rf_scenario *s, const struct rf_case *test_case,
			   const char *port)
{
	uint32_t number = rf_port_number(s, port);
	const struct rf_fault *f;
	struct rf_conf conf;

	rf_conf_of_port(s, number, s->nsettings, &conf);
	for (f = test_case->faults; f < test_case->faults + test_case->nfaults; f++)
		if (f->kind == RF_FAULT_CHANGE && f->when.clock == RF_CLOCK_NONE &&
		    rf_port_number(s, f->port) == number)
			rf_conf_apply(&conf, &f->change);
	return conf.link.delay;
}

/* Return: the sum of the delays from one node to another; nodes are numbered from 1 */
static uint64_t path_delay(const struct rf_scenario *s, const struct rf_case *test_case,
			   uint32_t from, uint32_t to)
{
	const struct rf_fabric *f = &s->fabric;
	uint32_t at = rf_fabric_home(f, from), next;
	char port[16];
	uint64_t ns;

	if (rf_fabric_is_remote(f))
		return link_delay(s, test_case, f->bridge[to - 1]);
	rf_fabric_node_port(f, from, port);
	ns = link_delay(s, test_case, port);
	for (; at != rf_fabric_home(f, to); at = next) {
		next = rf_fabric_next(f, at, to);
		rf_fabric_toward(f, at, next, port);
		ns += link_delay(s, test_case, port);
	}
	snprintf(port, sizeof(port), "p%u", to);
	return ns + link_delay(s, test_case, port);
}

/**
 * rf_case_round_trip_ns - get the longest round trip between two ranks
 * @s: the scenario
 * @test_case: the case
 *
 * Return: the sum of the delays of all links on the way there and back; 0 if no link has a
 * delay.
 */
uint64_t rf_case_round_trip_ns(const struct rf_scenario *s, const struct rf_case *test_case)
{
	const struct rf_workload *w = &test_case->workload;
	uint32_t ranks = w->ranks * rf_workload_rails(w), a, b;
	uint64_t most = 0, ns;

	if (!ranks || ranks > s->fabric.nodes)
		ranks = s->fabric.nodes;
	for (a = 0; a < ranks; a++)
		for (b = a + 1; b < ranks; b++) {
			ns = path_delay(s, test_case, w->placement.node[a], w->placement.node[b]) +
			     path_delay(s, test_case, w->placement.node[b], w->placement.node[a]);
			most = ns > most ? ns : most;
		}
	return most;
}
