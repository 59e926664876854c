// SPDX-License-Identifier: GPL-2.0
/* How many bytes the ranks of a job sent to each other: the traffic matrix */
#include <stdlib.h>

#include "analysis.h"

/**
 * rf_traffic_matrix - get how many bytes the ranks of a job sent to each other
 * @rec: the record of the case
 * @tl: the timeline of the job, with its queue pairs
 *
 * The bytes are those of all packets that left the ports of the nodes, with IP headers: requests,
 * responses and ACKs, also retransmitted ones, from the first connection of the job to its end.
 *
 * Return: a row of one number per rank for each rank that sent, which the caller frees; NULL if no
 * packet of the job is known.
 */
uint64_t *rf_traffic_matrix(const struct rf_record *rec, const struct rf_timeline *tl)
{
	const struct rf_flow_tally *flow;
	uint64_t *bytes = NULL;
	const struct rf_qp *qp;

	for (flow = rec->flows; flow < rec->flows + rec->nflows; flow++) {
		qp = rf_timeline_qp(tl, flow->saddr, flow->daddr, flow->qp);
		if (!qp || qp->rank >= tl->ranks || qp->peer >= tl->ranks)
			continue;
		if (!bytes)
			bytes = calloc((size_t)tl->ranks * tl->ranks, sizeof(*bytes));
		if (!bytes)
			return NULL;
		bytes[qp->rank * tl->ranks + qp->peer] += flow->bytes;
	}
	return bytes;
}
