// SPDX-License-Identifier: GPL-2.0
/* Metrics of faults and losses: what the trace tells. */
#include "blast.h"
#include "impact.h"
#include "metric_rows.h"

static const struct rf_name found_names[] = {
	{ "nothing", RF_DETECTED_NOT }, { "nak", RF_DETECTED_NAK },
	{ "timeout", RF_DETECTED_TIMEOUT }, { "rnr", RF_DETECTED_RNR }, { }
};

static const char *measure(const struct rf_metric_query *q, double *v)
{
	*v = q->kase->an.measure[q->arg];
	return rf_measure_why_not(&q->kase->an, q->arg);
}

/*
 * What losses cost beyond clean steps: a case in which no packet was hit has
 * lost nothing, others need a clean case with such steps.
 */
static const char *no_clean(const struct rf_metric_query *q)
{
	return q->kase->an.nlosses ? rf_measure_why_not(&q->kase->an, RF_STALL) :
				     NULL;
}

static const char *ignored_naks(const struct rf_metric_query *q, double *v)
{
	*v = rf_count_ignored_naks(&q->kase->rec.ev,
				   4096ull << q->kase->kase->qp.timeout);
	return NULL;
}

static const char *events_lost(const struct rf_metric_query *q, double *v)
{
	*v = q->kase->rec.ev.lost;
	return NULL;
}

static const char *retransmitted_bytes(const struct rf_metric_query *q, double *v)
{
	*v = q->kase->an.retransmitted_bytes;
	return NULL;
}

static const char *stall_cost(const struct rf_metric_query *q, double *v)
{
	const struct rf_price *price = q->run->price;

	if (!price->ngpus)
		return "the scenario names no number of GPUs";
	*v = rf_cost(q->kase->an.measure[q->arg], price->gpus[0], price->rate);
	return rf_measure_why_not(&q->kase->an, q->arg);
}

static const char *nak_time(const struct rf_metric_query *q, double *v)
{
	const struct rf_analysis *an = &q->kase->an;
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
	if (found)
		return NULL;
	if (!an->nlosses)
		return "no packet was hit";
	return q->arg ? "no NAK followed by a retransmission was recorded" :
			"no NAK was recorded where it was sent";
}

/* One of its losses: the one that made most ranks wait, and of these the first */
static void find_blast(const struct rf_metric_query *q, struct rf_blast *blast)
{
	const struct rf_analysis *an = &q->kase->an;
	struct rf_blast one;
	size_t i;

	*blast = (struct rf_blast){ };
	for (i = 0; i < an->nlosses; i++) {
		rf_blast_of(&q->kase->rec, an, &an->losses[i], &one);
		if (one.n > blast->n)
			*blast = one;
	}
}

enum { BLAST_RANKS, BLAST_FIRST, BLAST_LAST };

static const char *blast_radius(const struct rf_metric_query *q, double *v)
{
	const char *why = no_clean(q);
	struct rf_blast blast;

	if (why || !q->kase->an.nlosses)
		return why ? why : "no packet was hit";
	find_blast(q, &blast);
	*v = blast.n;
	if (q->arg == BLAST_RANKS)
		return NULL;
	if (!blast.n)
		return "no rank waited longer than in clean steps";
	if (!blast.ordered)
		return "the packet is of no queue pair of the job";
	*v = blast.rank[q->arg == BLAST_LAST ? blast.n - 1 : 0].rank;
	return NULL;
}

static const char *idle(const struct rf_metric_query *q, double *v)
{
	struct rf_impact impact;

	rf_impact_of(&q->kase->rec, &q->kase->an, &impact);
	*v = impact.idle_ns;
	return no_clean(q);
}

static const char *amplification(const struct rf_metric_query *q, double *v)
{
	struct rf_impact impact;

	rf_impact_of(&q->kase->rec, &q->kase->an, &impact);
	if (!impact.lost_bytes)
		return "faults lost no bytes";
	*v = (double)impact.idle_ns / impact.lost_bytes;
	return no_clean(q);
}

static const char *goodput_bound(const struct rf_metric_query *q, double *v)
{
	return rf_gbn_bound(&q->kase->rec, &q->kase->an, v) ? NULL :
	       "the number of packets that were sent is not known";
}

static const char *gbn_violations(const struct rf_metric_query *q, double *v)
{
	*v = q->kase->an.gbn.violations;
	return NULL;
}

static const char *gbn_flows(const struct rf_metric_query *q, double *v)
{
	const struct rf_gbn *gbn = &q->kase->an.gbn;
	size_t i;

	*v = 0;
	for (i = 0; i < gbn->n; i++)
		*v += gbn->flows[i].verdict == q->arg;
	return NULL;
}

const struct rf_metric_row rf_loss_metrics[] = {
	ROW("faults.hit", COUNT, measure, RF_HITS, RF_TRACED,
	    "packets that faults hit"),
	ROW("naks", COUNT, measure, RF_NAKS, RF_TRACED, "NAKs that came in"),
	ROW("naks.ignored", COUNT, ignored_naks, 0, RF_TRACED,
	    "NAKs that the sender left to its timer"),
	ROW("timeouts", COUNT, measure, RF_TIMEOUTS, RF_TRACED,
	    "retransmissions that no NAK asked for"),
	ROW("retransmitted", COUNT, measure, RF_RETRANSMITTED, RF_TRACED, "retransmitted packets"),
	ROW("retransmitted.bytes", BYTES, retransmitted_bytes, 0, RF_TRACED,
	    "retransmitted bytes, of IP"),
	{ .info = { "detected_by", RF_UNIT_WORD, "how the first loss was detected",
		    found_names },
	  .value = measure, .arg = RF_DETECTED_BY, .flags = RF_TRACED },
	ROW("recovery_time", TIME, measure, RF_RECOVERY_TIME, RF_TRACED,
	    "time from the first hit to the first transmission of that PSN that no fault hit"),
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
	    "time from a NAK to the first retransmitted packet, the longest"),
	ROW("gbn.violations", COUNT, gbn_violations, 0, RF_TRACED,
	    "breaches of the rules of go-back-N"),
	ROW("gbn.conforming", COUNT, gbn_flows, RF_GBN_CONFORMS, RF_TRACED,
	    "flows that kept the rules of go-back-N, as far as seen"),
	ROW("gbn.unjudged", COUNT, gbn_flows, RF_GBN_UNJUDGED, RF_TRACED,
	    "flows that are not judged: forged answers, READs, sender unknown"),
	ROW("stall", TIME, measure, RF_STALL, RF_TRACED,
	    "time of the first hit's step beyond the clean median"),
	ROW("stall.every_rank", TIME, measure, RF_STALL_EVERY_RANK, RF_TRACED,
	    "the same of the rank that it cost least"),
	ROW("step.every_rank", TIME, measure, RF_STEP_EVERY_RANK, RF_TRACED,
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
