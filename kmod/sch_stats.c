// SPDX-License-Identifier: GPL-2.0
/*
 * The port's statistics for tc -s qdisc show, as the uapi header tc.h lays
 * them out. netlink's queue-get says the same and more.
 */
#include <linux/slab.h>
#include <net/gen_stats.h>

#include <uapi/rdmafault/tc.h>

#include "port.h"
#include "queue/prio_stats.h"
#include "sch_options.h"
#include "stats.h"

struct all {
	struct rdmafault_tc_stats port;
	struct rdmafault_tc_prio prio[RDMAFAULT_PRIOS];
};

static void read_port(struct rf_port *port, struct rdmafault_tc_stats *s)
{
	u64 sum[RF_STATS];

	mutex_lock(&rf_ports_lock);
	rf_dir_read_stats(&port->dir[RF_TX], sum);
	mutex_unlock(&rf_ports_lock);
	s->size = sizeof(*s);
	s->prio_size = sizeof(struct rdmafault_tc_prio);
	s->prios = RDMAFAULT_PRIOS;
	s->roce = sum[RF_STAT_ROCE];
	s->hits = sum[RF_STAT_HITS];
	s->rule_dropped = sum[RF_STAT_DROPPED];
	s->held = rf_delayq_count(&port->dir[RF_TX].delayq);
	s->in_flight = rf_in_flight_count(&port->in_flight);
	s->in_flight_bytes = READ_ONCE(port->in_flight.bytes);
}

static void read_prio(struct rf_port *port, u32 prio, struct rdmafault_tc_prio *p)
{
	struct rf_prio_stats s;

	rf_prio_stats_read(port, prio, &s);
	*p = (struct rdmafault_tc_prio){
		.packets = s.packets, .bytes = s.bytes,
		.backlog = s.backlog, .backlog_bytes = s.backlog_bytes,
		.peak_bytes = s.peak_bytes,
		.full = s.full, .no_buffer = s.no_buffer,
		.expired = s.expired, .watchdog_dropped = s.watchdog_dropped,
		.marked = s.marked, .mark_dropped = s.mark_dropped,
		.paused = s.paused, .paused_total = s.paused_total,
		.pauses = s.pauses,
		.xoff_rx = s.xoff_rx, .xon_rx = s.xon_rx,
		.xoff_tx = s.xoff_tx, .xon_tx = s.xon_tx,
		.buffer_used = s.buffer_used, .buffer_peak = s.buffer_peak,
		.detected = s.detected, .restored = s.restored,
		.xoff_ignored = s.xoff_ignored,
	};
}

/**
 * rf_sch_stats_dump - the statistics of a port
 * @port: the port
 * @d: gets them
 *
 * Context: RTNL held, may sleep.
 * Return: 0, or -1 if there is no room.
 */
int rf_sch_stats_dump(struct rf_port *port, struct gnet_dump *d)
{
	struct all *all = kzalloc(sizeof(*all), GFP_KERNEL);
	int err;
	u32 i;

	if (!all)
		return -1;
	read_port(port, &all->port);
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		read_prio(port, i, &all->prio[i]);
	err = gnet_stats_copy_app(d, all, sizeof(*all));
	kfree(all);
	return err;
}
