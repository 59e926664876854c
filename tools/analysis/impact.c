// SPDX-License-Identifier: GPL-2.0
/*
 * The impact of all losses of a case: waiting time and bandwidth.
 *
 * If a share p of the packets is lost, go-back-N with a window of W packets reaches at
 * most (1 - p) / (1 + (W - 1) p) of the bandwidth. W is the number of retransmitted
 * packets per retransmission. If the measured goodput is lower than this limit, the difference
 * is caused by waiting, for example for a timeout.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis.h"

/**
 * rf_goodput - compute the data rate of the job during its transfers
 * @tl: the timeline
 * @bits: set to the rate in bit/s
 *
 * Steps in which a rank failed are excluded, because the amount of their data is unknown.
 *
 * Return: false if no step was completed.
 */
bool rf_goodput(const struct rf_timeline *tl, double *bits)
{
	uint64_t ns = 0, one;
	uint32_t step, n = 0;

	for (step = 1; step <= tl->iters; step++) {
		one = rf_timeline_broken(tl, step) ? 0 :
		      rf_timeline_transfer_ns(tl, step);
		ns += one;
		n += one != 0;
	}
	if (ns)
		*bits = (double)tl->bytes * n * 8e9 / ns;
	return ns;
}

static bool is_lost(const struct rf_loss *loss)
{
	return loss->lost && rf_event_is_request(loss->hit);
}

/*
 * Check whether a port belongs to a rank. Only packets of these ports are counted, because
 * switches forward the same packets.
 */
static bool is_of_rank(const struct rf_timeline *tl,
		       const struct rf_port_tally *port)
{
	const struct rf_qp *qp;

	for (qp = tl->qps; qp < tl->qps + tl->nqps; qp++)
		if (!strcmp(qp->netdev, port->netdev))
			return true;
	return !tl->nqps;
}

/**
 * rf_gbn_bound - compute the share of the bandwidth that go-back-N can reach
 * @rec: the record of the case
 * @an: the analysis of the case
 * @share: set to the share, 0 to 1
 *
 * Return: false if the number of sent packets is not known.
 */
bool rf_gbn_bound(const struct rf_record *rec, const struct rf_analysis *an,
		  double *share)
{
	uint64_t sent = 0, lost = 0, again = 0;
	double p, window = 1;
	size_t i;

	for (i = 0; i < rec->nports; i++)
		if (is_of_rank(&rec->tl, &rec->ports[i]))
			sent += rec->ports[i].tx_packets;
	for (i = 0; i < an->nlosses; i++)
		lost += is_lost(&an->losses[i]);
	for (i = 0; i < an->gbn.n; i++)
		again += an->gbn.flows[i].restarts + an->gbn.flows[i].timeouts;
	if (!sent || lost > sent)
		return false;
	if (again)
		window = (double)an->measure[RF_RETRANSMITTED] / again;
	p = (double)lost / sent;
	*share = (1 - p) / (1 + (window - 1) * p);
	return true;
}

/**
 * rf_impact_of - compute the impact of all losses of a case
 * @rec: the record of the case
 * @an: the analysis of the case
 * @impact: filled in
 *
 * If a step has several losses, the waiting time of the step is added only once. The losses
 * of a step need not be next to each other in the list, because ranks can be in different
 * steps at the same time.
 */
void rf_impact_of(const struct rf_record *rec, const struct rf_analysis *an,
		  struct rf_impact *impact)
{
	bool *counted = calloc((size_t)rec->tl.iters + 1, sizeof(*counted));
	struct rf_blast blast;
	uint32_t step;
	size_t i;

	*impact = (struct rf_impact){ };
	for (i = 0; i < an->nlosses; i++) {
		impact->lost_bytes += is_lost(&an->losses[i]) ?
				    an->losses[i].hit->len : 0;
		step = an->losses[i].hit->step;
		if (!counted || step > rec->tl.iters || counted[step])
			continue;
		counted[step] = true;
		rf_blast_of(rec, an, &an->losses[i], &blast);
		impact->idle_ns += blast.idle_ns;
		impact->most_ranks = blast.n > impact->most_ranks ?
				   blast.n : impact->most_ranks;
	}
	free(counted);
}
