// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault pause deadlock: find ports of the fabric that wait for each other in a cycle.
 *
 * Two looks at the counters show which ports were paused all the time and sent no packet. A port
 * that a storm pauses does not wait for other ports.
 */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "cmd.h"
#include "err.h"
#include "fabric.h"
#include "genl.h"
#include "out.h"
#include "show.h"
#include "units.h"

#define PORTS_MAX (2 * RF_FABRIC_LINKS_MAX)
#define NS_PER_S 1000000000ULL

/* A priority of a port of a fabric link */
struct state {
	bool waits;		/* it has packets, and is paused, but not by a storm */
	bool storm_frames;	/* a storm sends PFC frames to the link partner */
	uint64_t pauses, packets;
};

struct look {
	const struct rf_fabric *fabric;
	uint32_t ports;
	struct state at[PORTS_MAX][RDMAFAULT_PRIOS];
};

static uint32_t port_number(const struct look *look, const char *name)
{
	char port[16];
	uint32_t i;

	for (i = 0; i < look->ports; i++) {
		rf_fabric_port(look->fabric, look->fabric->nodes + i, port);
		if (!strcmp(port, name))
			break;
	}
	return i;
}

static int look_at_port(const struct rf_queue_info *info, void *arg)
{
	const struct rf_storm_info *storm;
	const struct rf_prio_stats *stats;
	struct look *look = arg;
	struct state *state;
	bool running, frames;
	uint32_t i, prio;

	i = port_number(look, info->ifname);
	for (prio = 0; i < look->ports && prio < RDMAFAULT_PRIOS; prio++) {
		state = &look->at[i][prio];
		stats = &info->stats[prio];
		storm = &info->storm[prio];
		running = info->has_storm[prio] && storm->running;
		frames = running && storm->spec.flags & RDMAFAULT_STORM_FLAG_FRAMES;
		state->waits = stats->paused && stats->backlog && running == frames;
		state->storm_frames = frames;
		state->pauses = stats->pauses;
		state->packets = stats->packets;
	}
	return 0;
}

static int look_at_ports(struct rf_nl *nl, const struct rf_fabric *f, struct look *look)
{
	int err;

	*look = (struct look){ .fabric = f, .ports = 2 * rf_fabric_links(f) };
	err = rf_nl_queue_each(nl, look_at_port, look);
	return err ? rf_nl_failed(nl, "list of ports", err) : RF_EXIT_OK;
}

/* Did the port wait at both looks, and all the time between them? */
static bool has_waited(const struct look *before, const struct look *now, uint32_t i,
		       uint32_t prio)
{
	const struct state *a = &before->at[i][prio], *b = &now->at[i][prio];

	return a->waits && b->waits && a->pauses == b->pauses && a->packets == b->packets &&
	       !now->at[i ^ 1][prio].storm_frames;	/* the other end of the link */
}

/* Return: the number of ports in a cycle of this priority, 0 if there is none */
static uint32_t find_cycle(const struct look *before, const struct look *now, uint32_t prio,
			   uint32_t *cycle)
{
	uint64_t since[PORTS_MAX], begin;
	uint32_t i;

	for (i = 0; i < now->ports; i++)
		since[i] = has_waited(before, now, i, prio) ? 0 : UINT64_MAX;
	return rf_fabric_deadlock(now->fabric, since, cycle, &begin);
}

static bool has_deadlock(const struct look *before, const struct look *now)
{
	uint32_t cycle[PORTS_MAX], prio;

	for (prio = 0; prio < RDMAFAULT_PRIOS; prio++)
		if (find_cycle(before, now, prio, cycle))
			return true;
	return false;
}

static void print_cycle(const struct rf_fabric *f, uint32_t prio, const uint32_t *cycle, uint32_t n,
			uint64_t time)
{
	char name[16], text[RF_FMT_LEN];
	uint32_t i;

	rf_out_push_object(NULL);
	rf_out_u64("prio", "deadlock of priority %" PRIu64 ":", prio);
	rf_out_push_array("ports");
	for (i = 0; i < n; i++) {
		rf_fabric_port(f, f->nodes + cycle[i], name);
		rf_out_str(NULL, i ? ", which waits for %s" : " %s", name);
	}
	rf_out_pop();
	rf_fabric_port(f, f->nodes + cycle[0], name);
	rf_out_text(", which waits for %s; no packet has left these ports for %s\n", name,
		    rf_exact_time(time, text));
	rf_out_u64("longer_ns", NULL, time);
	rf_out_pop();
}

/* Print the deadlocks of all priorities. Return: true if there are any */
static bool print_deadlocks(const struct look *before, const struct look *now, uint64_t time)
{
	uint32_t cycle[PORTS_MAX], prio, n;
	bool found = false;

	rf_out_begin_array();
	for (prio = 0; prio < RDMAFAULT_PRIOS; prio++) {
		n = find_cycle(before, now, prio, cycle);
		if (!n)
			continue;
		print_cycle(now->fabric, prio, cycle, n, time);
		found = true;
	}
	rf_out_end();
	return found;
}

static void wait_for(uint64_t ns)
{
	struct timespec left = { .tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S };

	while (nanosleep(&left, &left))
		;
}

static int search(struct rf_nl *nl, const struct rf_fabric *f, uint64_t time)
{
	static struct look before, now;
	int status = look_at_ports(nl, f, &before);

	now = before;
	if (!status && has_deadlock(&before, &now)) {
		wait_for(time);
		status = look_at_ports(nl, f, &now);
	}
	if (status)
		return status;
	if (print_deadlocks(&before, &now, time))
		return RF_EXIT_FAILED;
	rf_out_done("no deadlock");
	return RF_EXIT_OK;
}

/**
 * rf_pause_deadlock - find ports of the fabric that wait for each other
 * @time: how long they have sent no packet, in nanoseconds
 *
 * Return: RF_EXIT_FAILED if there are such ports, or another exit status.
 */
int rf_pause_deadlock(uint64_t time)
{
	struct rf_fabric f;
	struct rf_nl *nl;
	int err, status;

	err = rf_fabric_read(&f);
	if (err || !f.nodes) {
		rf_err("pause deadlock: %s", err ? strerror(-err) :
		       "there is no fabric; \"rdmafault fabric up\" makes one");
		return RF_EXIT_NO_RESULT;
	}
	status = rf_open_module(&nl);
	if (status)
		return status;
	status = search(nl, &f, time);
	rf_nl_close(nl);
	return status;
}
