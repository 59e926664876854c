// SPDX-License-Identifier: GPL-2.0
/* Metrics of ports, their priorities, and rxe, computed from counters */
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "metric_rows.h"

static const struct rf_port_tally *queried_port(const struct rf_metric_query *q)
{
	return rf_record_port(&q->run_case->rec, q->index[0]);
}

static const char no_port[] = "there is no such port, or its counters were not read";
static const char no_ports[] = "the counters of the ports were not read";
static const char no_prio[] = "there is no such priority";
static const char no_pause[] = "no priority was paused";

static const char *rxe_sum(const struct rf_metric_query *q, double *v)
{
	*v = rf_record_counter(&q->run_case->rec, q->arg);
	return q->run_case->an->no_rxe;
}

static const char *rxe_rank(const struct rf_metric_query *q, double *v)
{
	const struct rf_workload *w = &q->run_case->test_case->workload;
	uint32_t rails = rf_workload_rails(w), rank, i;
	const char *why = rf_index_rank(q, &rank);

	*v = 0;
	for (i = 0; !why && i < rails && rank * rails + i < RF_RANKS_MAX; i++)
		*v += q->run_case->rec.counters[rf_workload_node(w, rank, i) - 1][q->arg];
	return why ? why : q->run_case->an->no_rxe;
}

static uint64_t tally(const struct rf_prio_tally *t, size_t at)
{
	return *(const uint64_t *)(const void *)((const char *)t + at);
}

static const char *prio_tally(const struct rf_metric_query *q, double *v)
{
	const struct rf_port_tally *port = queried_port(q);
	uint32_t prio;

	if (!port)
		return no_port;
	if (!rf_index_number(q->index[1], RDMAFAULT_PRIOS - 1, &prio))
		return no_prio;
	*v = tally(&port->prio[prio], q->arg);
	return NULL;
}

static double sum_of_prios(const struct rf_port_tally *port, size_t at)
{
	double sum = 0;
	int prio;

	for (prio = 0; prio < RDMAFAULT_PRIOS; prio++)
		sum += tally(&port->prio[prio], at);
	return sum;
}

static const char *port_tally(const struct rf_metric_query *q, double *v)
{
	const struct rf_port_tally *port = queried_port(q);

	if (port)
		*v = sum_of_prios(port, q->arg);
	return port ? NULL : no_port;
}

static const char *all_tallies(const struct rf_metric_query *q, double *v)
{
	const struct rf_record *rec = &q->run_case->rec;
	size_t i;

	*v = 0;
	for (i = 0; i < rec->nports; i++)
		*v += sum_of_prios(&rec->ports[i], q->arg);
	return rec->nports ? NULL : no_ports;
}

static const char *port_counter(const struct rf_metric_query *q, double *v)
{
	const struct rf_port_tally *port = queried_port(q);

	if (port)
		*v = *(const uint64_t *)(const void *)
		     ((const char *)port + q->arg);
	return port ? NULL : no_port;
}

static const char *all_port_counter(const struct rf_metric_query *q, double *v)
{
	const struct rf_record *rec = &q->run_case->rec;
	size_t i;

	*v = 0;
	for (i = 0; i < rec->nports; i++)
		*v += *(const uint64_t *)(const void *)
		      ((const char *)&rec->ports[i] + q->arg);
	return rec->nports ? NULL : no_ports;
}

static const char *queue_p99(const struct rf_metric_query *q, double *v)
{
	const struct rf_port_tally *port = queried_port(q);
	const struct rf_record *rec = &q->run_case->rec;
	const struct rf_samples *s = &rec->samples;
	uint64_t *queued;
	size_t i;

	if (!port)
		return no_port;
	if (!s->n)
		return "the ports were not sampled; the key \"sample\" of the scenario does this";
	queued = calloc(s->n, sizeof(*queued));
	if (!queued)
		return "no memory";
	for (i = 0; i < s->n; i++)
		queued[i] = s->load[i * rec->nports + (port - rec->ports)].queued;
	rf_median(queued, s->n);	/* sorts them */
	*v = queued[(s->n * 99 + 99) / 100 - 1];
	free(queued);
	return NULL;
}

enum { UPLINKS_MMR, UPLINKS_JAIN };

static const char *uplinks(const struct rf_metric_query *q, double *v)
{
	struct rf_uplinks u;
	const char *why = rf_uplinks(q->run, q->run_case, &u);

	*v = q->arg == UPLINKS_MMR ? u.mmr : u.jain;
	return why;
}

static bool coverage_of(const struct rf_events *ev, const char *dev,
			uint32_t prio, double *v)
{
	struct rf_pauses p;

	if (!rf_pauses_of(ev, dev, prio, &p) || p.last <= p.first)
		return false;
	*v = (double)p.ns / (p.last - p.first);
	return true;
}

static const char *prio_coverage(const struct rf_metric_query *q, double *v)
{
	uint32_t prio;

	if (!rf_index_number(q->index[1], RDMAFAULT_PRIOS - 1, &prio))
		return no_prio;
	return coverage_of(&q->run_case->rec.ev, q->index[0], prio, v) ? NULL :
	       "the priority was not paused";
}

/* Check whether @e is the first pause event of its port and priority. */
static bool is_first(const struct rf_events *ev, const struct rf_event *e)
{
	const struct rf_event *p;

	for (p = ev->e; p < e; p++)
		if (p->kind == RF_EVENT_PAUSE && p->prio == e->prio &&
		    !strcmp(p->dev, e->dev))
			return false;
	return true;
}

/* Get the metric pause.coverage: the lowest coverage among all priorities that were paused. */
static const char *least_coverage(const struct rf_metric_query *q, double *v)
{
	const struct rf_events *ev = &q->run_case->rec.ev;
	const struct rf_event *e;
	bool found = false;
	double one;

	for (e = ev->e; e < ev->e + ev->n; e++) {
		if (e->kind != RF_EVENT_PAUSE || !is_first(ev, e) ||
		    !coverage_of(ev, e->dev, e->prio, &one))
			continue;
		*v = found && *v < one ? *v : one;
		found = true;
	}
	return found ? NULL : no_pause;
}

static const char *deadlock_time(const struct rf_metric_query *q, double *v)
{
	const struct rf_fabric *f = &q->run->scenario->fabric;
	struct rf_deadlock deadlock;

	rf_deadlock_of(f, &q->run_case->rec.ev, &deadlock);
	*v = deadlock.ns;
	return rf_fabric_is_remote(f) ? "the links between the switches are not known" : NULL;
}

enum { CUTS_OF_ALL, CUTS_OF_PORT };

static const char *rate_cuts(const struct rf_metric_query *q, double *v)
{
	const struct rf_events *ev = &q->run_case->rec.ev;
	const bool all = q->arg == CUTS_OF_ALL;
	const struct rf_event *e;

	*v = 0;
	for (e = ev->e; e < ev->e + ev->n; e++)
		*v += rf_event_is_cut(e) && (all || !strcmp(e->dev, q->index[0]));
	return all || queried_port(q) ? NULL : no_port;
}

#define RXE(_name, _counter, _help)					\
	ROW("rxe." _name, COUNT, rxe_sum, _counter, 0, _help NO_RXE),	\
	ROW("rank[].rxe." _name, COUNT, rxe_rank, _counter, 0,		\
	    _help ", on the device of the rank" NO_RXE)

#define NO_RXE "; no value if the RDMA devices are on other machines"

#define PORT(_name, _unit, _member, _help)				\
	ROW(_name, _unit, all_port_counter,				\
	    offsetof(struct rf_port_tally, _member), 0,			\
	    "number of RoCE " _help ", sum of all ports"),		\
	ROW("port[]." _name, _unit, port_counter,				\
	    offsetof(struct rf_port_tally, _member), 0,			\
	    "number of RoCE " _help " on this port")

#define CNPS(_name, _member, _help)					\
	ROW(_name, COUNT, all_port_counter,				\
	    offsetof(struct rf_port_tally, _member), 0,			\
	    "number of CNPs " _help ", sum of all ports"),		\
	ROW("port[]." _name, COUNT, port_counter,			\
	    offsetof(struct rf_port_tally, _member), 0,			\
	    "number of CNPs " _help ", this port")

/* @_all: the name of the sum of all ports */
#define TALLY_AS(_all, _name, _unit, _member, _help)			\
	ROW(_all, _unit, all_tallies,					\
	    offsetof(struct rf_prio_tally, _member), RF_ONE_CLOCK,	\
	    _help ", sum of all ports"),				\
	ROW("port[]." _name, _unit, port_tally,				\
	    offsetof(struct rf_prio_tally, _member), RF_ONE_CLOCK,	\
	    _help ", sum of all priorities of this port"),		\
	ROW("port[].prio[]." _name, _unit, prio_tally,			\
	    offsetof(struct rf_prio_tally, _member), RF_ONE_CLOCK,	\
	    _help ", this priority of this port")

#define TALLY(_name, _unit, _member, _help)				\
	TALLY_AS(_name, _name, _unit, _member, _help)

const struct rf_metric_row rf_port_metrics[] = {
	RXE("retry", RF_RETRY_ERR, "number of retransmissions, counted by rxe (completer_retry_err)"),
	RXE("seq_err", RF_SEQ_ERR, "number of NAKs that senders accepted, counted by rxe (rcvd_seq_err)"),
	RXE("out_of_seq", RF_OUT_OF_SEQ, "number of NAKs that receivers sent, counted by rxe (out_of_seq_request)"),
	RXE("duplicate", RF_DUPLICATE, "number of duplicate requests, counted by rxe (duplicate_request)"),
	RXE("retry_exceeded", RF_RETRY_EXCEEDED, "number of requests that failed because retries ran out, counted by rxe (retry_exceeded_err)"),
	RXE("rnr", RF_RNR, "number of RNR NAKs that senders accepted, counted by rxe (rcvd_rnr_err)"),
	RXE("rnr_exceeded", RF_RNR_EXCEEDED, "number of requests that failed because RNR retries ran out, counted by rxe (retry_rnr_exceeded_err)"),
	PORT("tx.packets", COUNT, tx_packets, "packets sent"),
	PORT("tx.bytes", BYTES, tx_bytes, "bytes sent"),
	PORT("rx.packets", COUNT, rx_packets, "packets received"),
	PORT("rx.bytes", BYTES, rx_bytes, "bytes received"),
	CNPS("cnps.sent", cnps_sent, "that were sent for packets with CE"),
	CNPS("cnps.received", cnps_received, "that changed the rate of a flow"),
	CNPS("cnps.refused", cnps_refused, "that changed no rate: their ICRC is wrong, their QP is unknown, or the port limits too many flows"),
	ROW("rate.cuts", COUNT, rate_cuts, CUTS_OF_ALL, RF_TRACED,
	    "how often DCQCN reduced the rate of a flow, sum of all ports"),
	ROW("port[].rate.cuts", COUNT, rate_cuts, CUTS_OF_PORT, RF_TRACED,
	    "how often DCQCN reduced the rate of a flow of this port"),
	TALLY("queued.packets", COUNT, packets, "number of packets that left the priority queue"),
	TALLY("queued.bytes", BYTES, bytes, "number of bytes that left the priority queue"),
	TALLY("marked", COUNT, marked, "number of packets that the priority queue marked with ECN CE"),
	TALLY_AS("queue.dropped", "dropped", COUNT, dropped, "number of packets that the priority queue dropped"),
	ROW("faults.dropped", COUNT, all_port_counter, offsetof(struct rf_port_tally, rule_dropped), 0,
	    "number of packets that rules dropped, also those in a blackhole and those answered by a forged NAK; the counter dropped of rdmafault stat, sum of all ports"),
	TALLY("pause.count", COUNT, pauses, "how often the priority queue was paused"),
	TALLY("pause.time", TIME, paused_ns, "time during which the priority queue was paused"),
	ROW("pause.coverage", SHARE, least_coverage, 0, RF_TRACED,
	    "paused time of a priority, divided by the time from the start of its first pause to the end of its last pause; the smallest value of all priorities; no value if no priority was paused"),
	ROW("port[].prio[].pause.coverage", SHARE, prio_coverage, 0, RF_TRACED,
	    "paused time of this priority, divided by the time from the start of its first pause to the end of its last pause; no value if this priority was not paused"),
	ROW("deadlock.time", TIME, deadlock_time, 0, RF_TRACED | RF_ONE_CLOCK,
	    "longest time during which ports of fabric links were paused and waited for each other in a cycle (PFC deadlock); 0 if none lasted 100 ms; no value if the nodes are other machines"),
	TALLY("xoff.received", COUNT, xoff_rx, "number of XOFF frames received"),
	TALLY("xoff.sent", COUNT, xoff_tx, "number of XOFF frames sent"),
	TALLY("watchdog.detected", COUNT, detected, "number of PFC storms that the watchdog detected"),
	TALLY("watchdog.restored", COUNT, restored, "number of PFC storms whose end the watchdog detected"),
	ROW("uplinks.mmr", COUNT, uplinks, UPLINKS_MMR, 0,
	    "bytes of the busiest uplink of a leaf switch, divided by the mean of its uplinks (max-mean ratio): 1 if all sent the same; of the most uneven leaf that sent at least half as much as any other"),
	ROW("uplinks.jain", COUNT, uplinks, UPLINKS_JAIN, 0,
	    "Jain's fairness index of the bytes that the uplinks of this leaf sent: 1 if all sent the same, 1/n if one of n sent all"),
	ROW("port[].queue.p99", BYTES, queue_p99, 0, 0,
	    "99th percentile of the bytes queued at this port in all samples; no value without the key sample"),
	TALLY("queue.peak", BYTES, peak_bytes, "largest number of bytes queued since the port was created"),
	{ }
};
