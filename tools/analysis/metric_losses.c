// SPDX-License-Identifier: GPL-2.0
/* Metrics of faults and losses, computed from the trace */
#include "analysis.h"
#include "metric_rows.h"
#include "units.h"

static const char *loss_measure(const struct rf_metric_query *q, double *v)
{
	*v = q->run_case->an->measure[q->arg];
	return rf_measure_why_not(q->run_case->an, q->arg);
}

/*
 * Return: the reason why the impact of losses is not known, or NULL. If no packet was hit,
 * the impact is 0. Otherwise the computation needs a clean case that does the same work per
 * step.
 */
static const char *no_clean(const struct rf_metric_query *q)
{
	if (q->run_case->rec.tl.of_command)
		return rf_why_no_waits;
	return q->run_case->an->nlosses ? rf_measure_why_not(q->run_case->an, RF_STALL) :
				     NULL;
}

static const char *ignored_nak_count(const struct rf_metric_query *q, double *v)
{
	uint64_t timer = rf_case_timer_ns(q->run_case->test_case);

	*v = rf_count_ignored_naks(&q->run_case->rec.ev, timer);
	return timer ? NULL : "the timer of the command's queue pairs is not known (qp: timeout)";
}

static const char *events_lost(const struct rf_metric_query *q, double *v)
{
	*v = q->run_case->rec.ev.lost;
	return NULL;
}

static const char *retransmitted_bytes(const struct rf_metric_query *q, double *v)
{
	*v = q->run_case->an->retransmitted_bytes;
	return NULL;
}

static const char *stall_cost(const struct rf_metric_query *q, double *v)
{
	const struct rf_price *price = q->run->price;

	if (!price->ngpus)
		return "the scenario gives no number of GPUs";
	*v = rf_cost(q->run_case->an->measure[q->arg], price->gpus[0], price->rate);
	return rf_measure_why_not(q->run_case->an, q->arg);
}

static const char *nak_time(const struct rf_metric_query *q, double *v)
{
	const struct rf_analysis *an = q->run_case->an;
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
			"no NAK was recorded at the receiver that sent it";
}

/*
 * Find the loss that made the most ranks wait. If there are several such losses, take the
 * first.
 */
static void find_blast(const struct rf_metric_query *q, struct rf_blast *blast)
{
	const struct rf_analysis *an = q->run_case->an;
	struct rf_blast one;
	size_t i;

	*blast = (struct rf_blast){ };
	for (i = 0; i < an->nlosses; i++) {
		rf_blast_of(&q->run_case->rec, an, &an->losses[i], &one);
		if (one.n > blast->n)
			*blast = one;
	}
}

enum { BLAST_RANKS, BLAST_FIRST, BLAST_LAST };

static const char *blast_radius(const struct rf_metric_query *q, double *v)
{
	const char *why = no_clean(q);
	struct rf_blast blast;

	if (why || !q->run_case->an->nlosses)
		return why ? why : "no packet was hit";
	find_blast(q, &blast);
	*v = blast.n;
	if (q->arg == BLAST_RANKS)
		return NULL;
	if (!blast.n)
		return "no rank waited longer than in clean steps";
	if (!blast.ordered)
		return "the packet belongs to no queue pair of the job";
	*v = blast.rank[q->arg == BLAST_LAST ? blast.n - 1 : 0].rank;
	return NULL;
}

static bool was_paused(const struct rf_events *ev)
{
	size_t i;

	for (i = 0; i < ev->n; i++)
		if (ev->e[i].kind == RF_EVENT_PAUSE)
			return true;
	return false;
}

enum { WAIT_OF_RANK, WAITING_RANKS };

/* Get the additional waiting time of a rank because of pauses, or the number of such ranks. */
static const char *pause_waits(const struct rf_metric_query *q, double *v)
{
	const struct rf_record *rec = &q->run_case->rec;
	uint64_t idle_ns[RF_RANKS_MAX];
	uint32_t rank = 0;
	const char *why = q->arg == WAIT_OF_RANK ? rf_index_rank(q, &rank) : NULL;

	if (why)
		return why;
	*v = 0;
	if (!was_paused(&rec->ev))
		return NULL;
	if (rec->tl.of_command)
		return rf_why_no_waits;
	if (!q->run_case->an->clean_ns)
		return "no case without faults has steps to compare with";
	rf_pause_waits(rec, q->run_case->an, idle_ns);
	if (q->arg == WAIT_OF_RANK)
		*v = idle_ns[rank];
	for (rank = 0; q->arg == WAITING_RANKS && rank < rec->tl.ranks; rank++)
		*v += idle_ns[rank] > 0;
	return NULL;
}

static const char *idle(const struct rf_metric_query *q, double *v)
{
	struct rf_impact impact;

	rf_impact_of(&q->run_case->rec, q->run_case->an, &impact);
	*v = impact.idle_ns;
	return no_clean(q);
}

static const char *amplification(const struct rf_metric_query *q, double *v)
{
	struct rf_impact impact;

	rf_impact_of(&q->run_case->rec, q->run_case->an, &impact);
	if (!impact.lost_bytes)
		return "faults lost no bytes";
	*v = (double)impact.idle_ns / impact.lost_bytes;
	return no_clean(q);
}

static const char *goodput_bound(const struct rf_metric_query *q, double *v)
{
	return rf_gbn_bound(&q->run_case->rec, q->run_case->an, v) ? NULL :
	       "the number of packets that were sent is not known";
}

enum { MESSAGES = 0, FLOWS = 1, P50 = 0, P99 = 2, MAX = 4 };

/* Get a statistic of the completion times of messages or queue pairs. */
static const char *completion_time(const struct rf_metric_query *q, double *v)
{
	const struct rf_analysis *an = q->run_case->an;
	const struct rf_times *t = q->arg & FLOWS ? &an->flows : &an->messages;

	if (!t->n)
		return "no message was completed in a step of which all packets were recorded";
	if ((q->arg & ~FLOWS) == P50)
		*v = rf_median(t->ns, t->n);
	else
		*v = t->ns[(q->arg & ~FLOWS) == P99 ? (t->n * 99 + 99) / 100 - 1 : t->n - 1];
	return NULL;
}

static const char *gbn_violations(const struct rf_metric_query *q, double *v)
{
	*v = q->run_case->an->gbn.violations;
	return NULL;
}

static const char *gbn_flows(const struct rf_metric_query *q, double *v)
{
	const struct rf_gbn *gbn = &q->run_case->an->gbn;
	size_t i;

	*v = 0;
	for (i = 0; i < gbn->n; i++)
		*v += gbn->flows[i].verdict == q->arg;
	return NULL;
}

#define MESSAGE "time from the first packet of a message to the response that completes it, in steps that a fault names, because only these are recorded in full; no value if no such message was completed"
#define FLOW "time from the first packet of a queue pair in a step to the response that completes its last message, in the same steps; no value as message.time.p50"

const struct rf_metric_row rf_loss_metrics[] = {
	ROW("faults.hit", COUNT, loss_measure, RF_HITS, RF_TRACED,
	    "number of packets that faults hit"),
	ROW("naks", COUNT, loss_measure, RF_NAKS, RF_TRACED,
	    "number of NAKs that senders received, also forged ones"),
	ROW("naks.ignored", COUNT, ignored_nak_count, 0, RF_TRACED,
	    "number of NAKs that the sender ignored: it retransmitted only after half of its retransmission timer or later"),
	ROW("timeouts", COUNT, loss_measure, RF_TIMEOUTS, RF_TRACED,
	    "number of retransmissions that no response requested: the timer of the sender expired"),
	ROW("retransmitted", COUNT, loss_measure, RF_RETRANSMITTED, RF_TRACED,
	    "number of retransmitted requests, and of responses to READs and atomics that were sent again"),
	ROW("retransmitted.bytes", BYTES, retransmitted_bytes, 0, RF_TRACED,
	    "bytes of the packets in the metric retransmitted, with IP header"),
	{ .info = { "detected_by", RF_UNIT_WORD, "how the first loss was detected: nak, rnr (RNR NAK), implied (a response to a later request arrived) or timeout; the word nothing means that no packet was lost, or only an ACK whose packets the next ACK acknowledged; no value if no packet was hit, or if the lost packet was never retransmitted",
		    rf_detected_names },
	  .value = loss_measure, .arg = RF_DETECTED_BY, .flags = RF_TRACED },
	ROW("recovery_time", TIME, loss_measure, RF_RECOVERY_TIME, RF_TRACED | RF_ONE_CLOCK,
	    "time from the first loss to the next transmission of the same packet that was not lost; no value if there was no loss, or no such transmission after it"),
	ROW("blast.ranks", COUNT, blast_radius, BLAST_RANKS, RF_TRACED,
	    "largest number of ranks that waited longer than in clean steps because of the same loss; no value if no clean case has steps to compare with"),
	ROW("blast.first", COUNT, blast_radius, BLAST_FIRST, RF_TRACED,
	    "the first rank that waited because of the loss that made the most ranks wait; no value if no rank waited longer than in clean steps"),
	ROW("blast.last", COUNT, blast_radius, BLAST_LAST, RF_TRACED,
	    "the last rank that waited because of the loss that made the most ranks wait; no value if no rank waited longer than in clean steps"),
	ROW("pause.ranks", COUNT, pause_waits, WAITING_RANKS, RF_TRACED,
	    "number of ranks that waited longer than in clean steps in a step in which a port with traffic was paused; no value if a port was paused and no clean case has steps to compare with"),
	ROW("rank[].pause.wait", TIME, pause_waits, WAIT_OF_RANK, RF_TRACED | RF_ONE_CLOCK,
	    "how much longer the rank waited than in clean steps (median), in all steps in which a port with traffic was paused; no value as pause.ranks"),
	ROW("idle", TIME, idle, 0, RF_TRACED | RF_ONE_CLOCK,
	    "how much longer all ranks together waited in steps with losses than in clean steps (median); no value if no clean case has steps to compare with"),
	ROW("amplification", TIME, amplification, 0, RF_TRACED | RF_ONE_CLOCK,
	    "additional waiting time of all ranks (the metric idle) per lost byte; no value if no bytes were lost"),
	ROW("nak.generation", TIME, nak_time, 0, RF_TRACED | RF_ONE_CLOCK,
	    "longest time at a receiver from the first packet after the lost one to the NAK; no value if no NAK was recorded at the receiver that sent it"),
	ROW("nak.reaction", TIME, nak_time, 1, RF_TRACED | RF_ONE_CLOCK,
	    "longest time at a sender from the arrival of a NAK to the first retransmitted packet; no value if no NAK followed by a retransmission was recorded"),
	ROW("message.time.p50", TIME, completion_time, MESSAGES | P50, RF_TRACED, "median of all messages: " MESSAGE),
	ROW("message.time.p99", TIME, completion_time, MESSAGES | P99, RF_TRACED, "99th percentile of all messages: " MESSAGE),
	ROW("message.time.max", TIME, completion_time, MESSAGES | MAX, RF_TRACED, "maximum of all messages: " MESSAGE),
	ROW("flow.time.p50", TIME, completion_time, FLOWS | P50, RF_TRACED, "median of all flows: " FLOW),
	ROW("flow.time.p99", TIME, completion_time, FLOWS | P99, RF_TRACED, "99th percentile of all flows: " FLOW),
	ROW("flow.time.max", TIME, completion_time, FLOWS | MAX, RF_TRACED, "maximum of all flows: " FLOW),
	ROW("gbn.violations", COUNT, gbn_violations, 0, RF_TRACED,
	    "number of violations of the rules of go-back-N"),
	ROW("gbn.conforming", COUNT, gbn_flows, RF_GBN_CONFORMS, RF_TRACED,
	    "number of flows that violated no rule of go-back-N in the recorded packets"),
	ROW("gbn.unjudged", COUNT, gbn_flows, RF_GBN_UNJUDGED, RF_TRACED,
	    "number of flows for which go-back-N cannot be checked, because the flow has forged responses or RDMA READs, or because its sender is unknown"),
	ROW("stall", TIME, loss_measure, RF_STALL, RF_TRACED,
	    "additional time of the step in which a packet was first hit, compared with the median of clean steps; no value if no clean case has steps to compare with"),
	ROW("stall.every_rank", TIME, loss_measure, RF_STALL_EVERY_RANK, RF_TRACED | RF_ONE_CLOCK,
	    "smallest additional time of a rank in the step in which a packet was first hit; no value if the metric stall has no value"),
	ROW("step.every_rank", TIME, loss_measure, RF_STEP_EVERY_RANK, RF_TRACED | RF_ONE_CLOCK,
	    "time of the fastest rank in the step in which a packet was first hit; no value if not all ranks completed this step"),
	ROW("goodput.bound", SHARE, goodput_bound, 0, RF_TRACED,
	    "estimate of the goodput.share that go-back-N can reach with these losses if no rank waits; no value if the sent packets were not counted"),
	ROW("stall.cost", DOLLARS, stall_cost, RF_STALL, RF_TRACED,
	    "cost of the time in the metric stall, for the smallest number of GPUs in the scenario (cost: gpus); no value if the metric stall has no value"),
	ROW("events.lost", COUNT, events_lost, 0, 0,
	    "number of events that were lost when the trace was recorded"),
	ROW("send_errors", COUNT, loss_measure, RF_SEND_ERRORS, 0,
	    "number of packets that rxe could not send (its counter send_err), on all devices; no value if the RDMA devices are on other machines"),
	{ }
};
