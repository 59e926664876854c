// SPDX-License-Identifier: GPL-2.0
/*
 * Read the counters of ports and priorities before and after a case, and subtract them. The
 * peak queue length is not subtracted, because it is the maximum since the port was created.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "genl.h"
#include "runner.h"

static struct rf_prio_tally tally_of(const struct rf_prio_stats *s)
{
	return (struct rf_prio_tally){
		.packets = s->packets, .bytes = s->bytes, .marked = s->marked,
		.dropped = s->full + s->no_buffer + s->expired + s->watchdog_dropped +
			   s->mark_dropped,
		.pauses = s->pauses, .paused_ns = s->paused_total,
		.xoff_rx = s->xoff_rx, .xon_rx = s->xon_rx,
		.xoff_tx = s->xoff_tx, .xon_tx = s->xon_tx,
		.detected = s->detected, .restored = s->restored,
		.peak_bytes = s->peak_bytes,
	};
}

static int read_directions(struct rf_nl *nl, const struct rf_target *t,
			   struct rf_port_tally *port)
{
	const struct rf_dir_stats *tx, *rx;
	struct rf_port_info info = { };
	int err = rf_nl_port_get(nl, t->ifindex, &info);

	tx = &info.dir[RDMAFAULT_DIRECTION_TX];
	rx = &info.dir[RDMAFAULT_DIRECTION_RX];
	port->tx_packets = tx->roce;
	port->tx_bytes = tx->roce_bytes;
	port->rx_packets = rx->roce;
	port->rx_bytes = rx->roce_bytes;
	port->rule_dropped = tx->dropped + rx->dropped;
	port->cnps_sent = rx->cnps_sent;
	port->cnps_received = rx->cnps_received;
	port->cnps_refused = rx->cnps_refused;
	return err;
}

static int read_port_tally(struct rf_nl *nl, const struct rf_target *t,
			   struct rf_port_tally *port)
{
	struct rf_queue_info info;
	int err, prio;

	memset(&info, 0, sizeof(info));
	err = rf_nl_queue_get(nl, t->ifindex, &info);
	if (!err)
		err = read_directions(nl, t, port);
	if (err) {
		rf_err("%s: %s", t->netdev, rf_nl_why(nl, err));
		return err;
	}
	snprintf(port->netdev, sizeof(port->netdev), "%s", t->netdev);
	port->pauses_received = info.pauses_received;
	port->pauses_sent = info.pauses_sent;
	for (prio = 0; prio < RDMAFAULT_PRIOS; prio++)
		port->prio[prio] = tally_of(&info.stats[prio]);
	return 0;
}

/**
 * rf_tally_read - read the counters of all ports
 * @c: the cluster
 * @nl: netlink socket
 * @ports: new array with the counters of each port, which the caller frees
 *
 * Return: 0, or -errno after rf_err() with @ports set to NULL.
 */
int rf_tally_read(const struct rf_cluster *c, struct rf_nl *nl,
		  struct rf_port_tally **ports)
{
	struct rf_port_tally *all;
	const struct rf_target *t;
	uint32_t i, n = 0;
	int err;

	while (rf_cluster_port(c, n))
		n++;
	all = calloc(n, sizeof(*all));
	err = all ? 0 : -ENOMEM;
	for (i = 0; !err && (t = rf_cluster_port(c, i)); i++)
		err = read_port_tally(nl, t, &all[i]);
	*ports = all;
	if (err) {
		free(all);
		*ports = NULL;
	}
	return err;
}

static int read_load(struct rf_nl *nl, const struct rf_target *t,
		     const struct rf_port_tally *before, struct rf_load *load)
{
	struct rf_queue_info info;
	int err, prio;

	memset(&info, 0, sizeof(info));
	err = rf_nl_queue_get(nl, t->ifindex, &info);
	if (err)
		rf_err("%s: %s", t->netdev, rf_nl_why(nl, err));
	*load = (struct rf_load){ };
	for (prio = 0; prio < RDMAFAULT_PRIOS; prio++) {
		load->sent += info.stats[prio].bytes - before->prio[prio].bytes;
		load->queued += info.stats[prio].backlog_bytes;
	}
	return err;
}

/**
 * rf_tally_sample - add the present loads of all ports to the samples of a case
 * @st: the stage of the case, with the counters from before the job
 * @samples: the samples
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_tally_sample(const struct rf_stage *st, struct rf_samples *samples)
{
	struct rf_load row[RF_FABRIC_PORTS_MAX + RF_FABRIC_MAX];
	const struct rf_target *t;
	uint64_t now = rf_now_ns();
	uint32_t i;
	int err = 0;

	for (i = 0; !err && (t = rf_cluster_port(st->cluster, i)); i++)
		err = read_load(st->nl, t, &st->ports[i], &row[i]);
	if (!err && rf_samples_add(samples, now, row, i)) {
		rf_err("run: no memory for samples");
		err = -ENOMEM;
	}
	return err;
}

static void prio_since(struct rf_prio_tally *t, const struct rf_prio_tally *was)
{
	t->packets -= was->packets;
	t->bytes -= was->bytes;
	t->marked -= was->marked;
	t->dropped -= was->dropped;
	t->pauses -= was->pauses;
	t->paused_ns -= was->paused_ns;
	t->xoff_rx -= was->xoff_rx;
	t->xon_rx -= was->xon_rx;
	t->xoff_tx -= was->xoff_tx;
	t->xon_tx -= was->xon_tx;
	t->detected -= was->detected;
	t->restored -= was->restored;
}

/**
 * rf_tally_since - subtract the counters that were read before a case
 * @ports: current counters; replaced by the difference
 * @before: counters from before the case
 * @n: number of ports
 */
void rf_tally_since(struct rf_port_tally *ports,
		    const struct rf_port_tally *before, size_t n)
{
	size_t i;
	int prio;

	for (i = 0; i < n; i++) {
		ports[i].pauses_received -= before[i].pauses_received;
		ports[i].pauses_sent -= before[i].pauses_sent;
		ports[i].tx_packets -= before[i].tx_packets;
		ports[i].tx_bytes -= before[i].tx_bytes;
		ports[i].rx_packets -= before[i].rx_packets;
		ports[i].rx_bytes -= before[i].rx_bytes;
		ports[i].rule_dropped -= before[i].rule_dropped;
		ports[i].cnps_sent -= before[i].cnps_sent;
		ports[i].cnps_received -= before[i].cnps_received;
		ports[i].cnps_refused -= before[i].cnps_refused;
		for (prio = 0; prio < RDMAFAULT_PRIOS; prio++)
			prio_since(&ports[i].prio[prio], &before[i].prio[prio]);
	}
}
