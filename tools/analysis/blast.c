// SPDX-License-Identifier: GPL-2.0
/*
 * The blast radius of a loss: the ranks that stalled in the step of the loss, or in a step in
 * which a port was paused. If this step
 * took no longer than the slowest clean step, no rank counts as stalled.
 *
 * A rank stalled if it waited longer than its median wait in clean steps, by more than the
 * noise. The noise is the slowest clean step minus the median clean step.
 *
 * Ranks that waited for data or ACKs depended on the lost packet, and are first in the order.
 * Ranks that waited at the barrier only waited for other ranks, and are last. The timeline
 * of older programs does not record when in a step a rank waited, only how long. Therefore
 * the ranks that depended on the packet are sorted by their distance from the receiver of
 * the packet, counted in queue pairs. If the packet belongs to no queue pair of the job, the
 * order is not known.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis.h"

/** rf_wait_kind_text - get the text for the reason of a wait */
const char *rf_wait_kind_text(enum rf_wait_kind kind)
{
	static const char *const texts[RF_WAITS] = {
		[RF_WAIT_RECV] = "data",
		[RF_WAIT_SEND] = "ACKs",
		[RF_WAIT_SYNC] = "the barrier",
	};

	return texts[kind];
}

/*
 * For each rank, count the queue pairs on the shortest path from the receiver of @lost to
 * the rank. The count is the number of ranks if there is no path, or if @lost is NULL.
 */
static void measure_hops(const struct rf_timeline *tl, const struct rf_qp *lost,
			 uint32_t hops[RF_RANKS_MAX])
{
	const struct rf_qp *qp;
	uint32_t r, round;

	for (r = 0; r < RF_RANKS_MAX; r++)
		hops[r] = tl->ranks;
	if (lost)
		hops[lost->peer] = 0;
	for (round = 1; lost && round < tl->ranks; round++)
		for (qp = tl->qps; qp < tl->qps + tl->nqps; qp++) {
			if (hops[qp->rank] == round - 1 &&
			    hops[qp->peer] > round)
				hops[qp->peer] = round;
			if (hops[qp->peer] == round - 1 &&
			    hops[qp->rank] > round)
				hops[qp->rank] = round;
		}
}

static int64_t beyond_clean(uint64_t now, uint64_t usual)
{
	return (int64_t)(now - usual);
}

/* Return: true if the rank waited longer than in clean steps, by more than @noise */
static bool stalled(const struct rf_step *s, const struct rf_wait *clean,
		    uint64_t noise, struct rf_blast_rank *b)
{
	const int64_t more[RF_WAITS] = {
		[RF_WAIT_RECV] = beyond_clean(s->wait_recv_ns, clean->recv),
		[RF_WAIT_SEND] = beyond_clean(s->wait_send_ns, clean->send),
		[RF_WAIT_SYNC] = beyond_clean(s->wait_sync_ns, clean->sync),
	};
	int64_t sum = 0;
	int kind;

	for (kind = 0; kind < RF_WAITS; kind++) {
		sum += more[kind];
		if (more[kind] > more[b->kind])
			b->kind = kind;
	}
	b->idle_ns = sum;
	return sum > 0 && (uint64_t)sum > noise;
}

static int blast_order(const void *a, const void *b)
{
	const struct rf_blast_rank *x = a, *y = b;
	bool barrier_x = x->kind == RF_WAIT_SYNC;
	bool barrier_y = y->kind == RF_WAIT_SYNC;

	if (barrier_x != barrier_y)
		return barrier_x - barrier_y;
	if (x->hops != y->hops)
		return x->hops < y->hops ? -1 : 1;
	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/**
 * rf_blast_of_step - find the ranks that waited longer in a step than in clean steps
 * @rec: the record of the case
 * @an: the analysis of the case, with the medians of the clean case
 * @step: the step
 * @lost: the queue pair that sent the packet which the ranks waited for; NULL: unknown
 * @blast: filled in; the ranks are in the order in which the loss reached them, if this
 *	order is known
 */
void rf_blast_of_step(const struct rf_record *rec, const struct rf_analysis *an, uint32_t step,
		      const struct rf_qp *lost, struct rf_blast *blast)
{
	uint64_t noise = an->clean_max_ns - an->clean_ns;
	struct rf_blast_rank *b = blast->rank;
	uint32_t hops[RF_RANKS_MAX], rank;
	const struct rf_step *s;

	*blast = (struct rf_blast){ };
	if (!an->clean_ns || step > rec->tl.iters ||
	    rf_timeline_step_ns(&rec->tl, step) <= an->clean_max_ns)
		return;
	blast->ordered = lost;
	measure_hops(&rec->tl, lost, hops);
	for (rank = 0; rank < an->ranks; rank++) {
		*b = (struct rf_blast_rank){ .rank = rank, .hops = hops[rank] };
		s = rf_timeline_step(&rec->tl, rank, step);
		if (!s || !stalled(s, &an->rank[rank].clean, noise, b))
			continue;
		blast->idle_ns += b->idle_ns;
		b++;
	}
	blast->n = b - blast->rank;
	qsort(blast->rank, blast->n, sizeof(*b), blast_order);
}

/** rf_blast_of - find the ranks that waited because of a loss, see rf_blast_of_step() */
void rf_blast_of(const struct rf_record *rec, const struct rf_analysis *an,
		 const struct rf_loss *loss, struct rf_blast *blast)
{
	rf_blast_of_step(rec, an, loss->hit->step, loss->qp, blast);
}

/* Check whether a port with traffic was paused in a step. */
static bool paused_in(const struct rf_record *rec, uint32_t step)
{
	const struct rf_event *e;
	uint64_t from, to;

	if (!rf_timeline_span(&rec->tl, step, step, &from, &to))
		return false;
	for (e = rec->ev.e; e < rec->ev.e + rec->ev.n; e++)
		if (rf_pause_overlap(e, from, to) && rf_prio_has_traffic(rec, e->dev, e->prio))
			return true;
	return false;
}

/**
 * rf_pause_waits - find the ranks that waited because of pauses
 * @rec: the record of the case
 * @an: the analysis of the case, with the medians of the clean case
 * @idle_ns: filled in: by rank, how much longer it waited than in clean steps, in all steps in
 *	which a port with traffic was paused
 */
void rf_pause_waits(const struct rf_record *rec, const struct rf_analysis *an,
		    uint64_t idle_ns[RF_RANKS_MAX])
{
	struct rf_blast blast;
	uint32_t step, i;

	memset(idle_ns, 0, RF_RANKS_MAX * sizeof(*idle_ns));
	for (step = 1; step <= rec->tl.iters; step++) {
		rf_blast_of_step(rec, an, step, NULL, &blast);
		if (!blast.n || !paused_in(rec, step))
			continue;
		for (i = 0; i < blast.n; i++)
			idle_ns[blast.rank[i].rank] += blast.rank[i].idle_ns;
	}
}
