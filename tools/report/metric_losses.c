// SPDX-License-Identifier: GPL-2.0
/* Metrics of faults and losses: what the trace tells. */
#include "blast.h"
#include "harm.h"
#include "metric_rows.h"

static const struct rf_name found_names[] = {
	{ "nothing", RF_FOUND_NOT }, { "nak", RF_FOUND_NAK },
	{ "timeout", RF_FOUND_TIMEOUT }, { "rnr", RF_FOUND_RNR }, { }
};

static bool measure(const struct rf_metric_query *q, double *v)
{
	*v = q->play->an.measure[q->arg];
	return true;
}

/* Are there steps to hold the one against that was hit? */
static bool has_clean(const struct rf_metric_query *q)
{
	return rf_measure_is_known(&q->play->an, RF_STALL);
}

static bool of_step(const struct rf_metric_query *q, double *v)
{
	return rf_measure_is_known(&q->play->an, q->arg) && measure(q, v);
}

static bool unheeded(const struct rf_metric_query *q, double *v)
{
	*v = rf_count_unheeded(&q->play->rec.ev,
			       4096ull << q->play->play->qp.timeout);
	return true;
}

static bool events_lost(const struct rf_metric_query *q, double *v)
{
	*v = q->play->rec.ev.lost;
	return true;
}

static bool resent_bytes(const struct rf_metric_query *q, double *v)
{
	*v = q->play->an.resent_bytes;
	return true;
}

static bool stall_cost(const struct rf_metric_query *q, double *v)
{
	const struct rf_price *price = q->run->price;

	if (!price->ngpus || !of_step(q, v))
		return false;
	*v = rf_cost(*v, price->gpus[0], price->rate);
	return true;
}

static bool nak_time(const struct rf_metric_query *q, double *v)
{
	const struct rf_analysis *an = &q->play->an;
	bool found = false, has;
	uint64_t ns, most = 0;
	size_t i;

	for (i = 0; i < an->nlosses; i++) {
		has = q->arg ? rf_loss_nak_reaction(&an->losses[i], &ns) :
			       rf_loss_nak_generation(&an->losses[i], &ns);
		found |= has;
		most = has && ns > most ? ns : most;
	}
	*v = most;
	return found;
}

/* One of its losses: the one that made most ranks wait, and of these the first */
static bool find_blast(const struct rf_metric_query *q, struct rf_blast *blast)
{
	const struct rf_analysis *an = &q->play->an;
	struct rf_blast one;
	size_t i;

	*blast = (struct rf_blast){ };
	for (i = 0; i < an->nlosses; i++) {
		rf_blast_of(&q->play->rec, an, &an->losses[i], &one);
		if (one.n > blast->n)
			*blast = one;
	}
	return an->nlosses;
}

enum { BLAST_RANKS, BLAST_FIRST, BLAST_LAST };

static bool blast_radius(const struct rf_metric_query *q, double *v)
{
	struct rf_blast blast;

	if (!has_clean(q) || !find_blast(q, &blast))
		return false;
	*v = blast.n;
	if (q->arg == BLAST_RANKS)
		return true;
	*v = blast.rank[q->arg == BLAST_LAST && blast.n ? blast.n - 1 : 0].rank;
	return blast.n && blast.ordered;
}

static bool idle(const struct rf_metric_query *q, double *v)
{
	struct rf_harm harm;

	rf_harm_of(&q->play->rec, &q->play->an, &harm);
	*v = harm.idle_ns;
	return has_clean(q);
}

static bool amplification(const struct rf_metric_query *q, double *v)
{
	struct rf_harm harm;

	rf_harm_of(&q->play->rec, &q->play->an, &harm);
	if (!has_clean(q) || !harm.lost_bytes)
		return false;
	*v = (double)harm.idle_ns / harm.lost_bytes;
	return true;
}

static bool goodput_bound(const struct rf_metric_query *q, double *v)
{
	return rf_gbn_bound(&q->play->rec, &q->play->an, v);
}

static bool gbn_violations(const struct rf_metric_query *q, double *v)
{
	*v = q->play->an.gbn.violations;
	return true;
}

static bool gbn_flows(const struct rf_metric_query *q, double *v)
{
	const struct rf_gbn *gbn = &q->play->an.gbn;
	size_t i;

	*v = 0;
	for (i = 0; i < gbn->n; i++)
		*v += gbn->flows[i].verdict == q->arg;
	return true;
}

const struct rf_metric_row rf_loss_metrics[] = {
	ROW("faults.hit", COUNT, measure, RF_HITS, RF_TRACED,
	    "packets that faults hit"),
	ROW("naks", COUNT, measure, RF_NAKS, RF_TRACED, "NAKs that came in"),
	ROW("naks.unheeded", COUNT, unheeded, 0, RF_TRACED,
	    "NAKs that the sender left to its timer"),
	ROW("timeouts", COUNT, measure, RF_TIMEOUTS, RF_TRACED,
	    "retransmissions that no NAK asked for"),
	ROW("resent", COUNT, measure, RF_RESENT, RF_TRACED, "packets sent again"),
	ROW("resent.bytes", BYTES, resent_bytes, 0, RF_TRACED,
	    "bytes sent again, of IP"),
	{ .info = { "found.by", RF_UNIT_WORD, "how the first loss was found",
		    found_names },
	  .value = measure, .arg = RF_FOUND_BY, .flags = RF_TRACED },
	ROW("outage", TIME, measure, RF_OUTAGE, RF_TRACED,
	    "time from the first hit until the packet leaves again"),
	ROW("blast.ranks", COUNT, blast_radius, BLAST_RANKS, RF_TRACED,
	    "ranks that one loss made wait, at most"),
	ROW("blast.first", COUNT, blast_radius, BLAST_FIRST, RF_TRACED,
	    "the first rank of these"),
	ROW("blast.last", COUNT, blast_radius, BLAST_LAST, RF_TRACED,
	    "the last rank of these"),
	ROW("idle", TIME, idle, 0, RF_TRACED,
	    "time that all ranks waited in steps with losses, beyond clean medians"),
	ROW("amplification", TIME, amplification, 0, RF_TRACED,
	    "the same for each byte that faults lost"),
	ROW("nak.generation", TIME, nak_time, 0, RF_TRACED,
	    "time from the packet that reveals a loss to the NAK, the longest"),
	ROW("nak.reaction", TIME, nak_time, 1, RF_TRACED,
	    "time from a NAK to the first packet sent again, the longest"),
	ROW("gbn.violations", COUNT, gbn_violations, 0, RF_TRACED,
	    "breaches of the rules of go-back-N"),
	ROW("gbn.conforming", COUNT, gbn_flows, RF_GBN_CONFORMS, RF_TRACED,
	    "flows that kept the rules of go-back-N, as far as seen"),
	ROW("gbn.unjudged", COUNT, gbn_flows, RF_GBN_UNJUDGED, RF_TRACED,
	    "flows that are not judged: forged answers, READs, sender unknown"),
	ROW("stall", TIME, of_step, RF_STALL, RF_TRACED,
	    "time of the first hit's step beyond the clean median"),
	ROW("stall.every-rank", TIME, of_step, RF_STALL_EVERY_RANK, RF_TRACED,
	    "the same of the rank that it cost least"),
	ROW("step.every-rank", TIME, of_step, RF_STEP_EVERY_RANK, RF_TRACED,
	    "time of the first hit's step, of the rank that was fastest"),
	ROW("goodput.bound", SHARE, goodput_bound, 0, RF_TRACED,
	    "the share that go-back-N could reach without waiting"),
	ROW("stall.cost", DOLLARS, stall_cost, RF_STALL, RF_TRACED,
	    "what the stall costs the smallest cluster of the scenario"),
	ROW("events.lost", COUNT, events_lost, 0, 0,
	    "records of the trace that were lost"),
	ROW("send.errors", COUNT, measure, RF_SEND_ERRORS, 0,
	    "rxe's send_err, over all devices"),
	{ }
};
