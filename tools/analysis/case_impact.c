// SPDX-License-Identifier: GPL-2.0
/*
 * How much time the faults of a case cost, and which case of a run is the worst: the first
 * one that ended before its last step. If all cases completed their steps, it is the case
 * with the largest additional time because of faults.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "tools/scenario/scenario.h"

/*
 * Get the duration of a command without steps: that of the last process of the list, which uses
 * the others, for example the client of a server.
 */
static uint64_t last_process_ns(const struct rf_record *rec)
{
	const struct rf_process_end *end;
	size_t i;

	for (i = rec->nprocesses; i > 0; i--) {
		end = &rec->processes[i - 1];
		if (!end->stopped)
			return end->end_ns - end->start_ns;
	}
	return 0;
}

/**
 * rf_case_ns - get the duration of the job of a case
 * @p: the case
 *
 * Return: the time from the start of the first step to the end of the last step; for a command
 * without steps, the time of its last process.
 */
uint64_t rf_case_ns(const struct rf_run_case *p)
{
	const struct rf_timeline *tl = &p->rec.tl;
	uint64_t from, to;

	if (!tl->iters)
		return last_process_ns(&p->rec);
	return rf_timeline_span(tl, 1, tl->iters, &from, &to) ? to - from : 0;
}

/**
 * rf_case_is_all_hits - check whether the hit packets are all that was done to a case
 * @p: the case
 *
 * Return: true if all faults of the case are rules, its job has no straggler, and the record
 * contains all packets that the rules hit.
 */
bool rf_case_is_all_hits(const struct rf_run_case *p)
{
	size_t i;

	for (i = 0; i < p->test_case->nfaults; i++)
		if (p->test_case->faults[i].kind != RF_FAULT_RULE)
			return false;
	return rf_case_is_recorded(p) &&
	       !rf_options_have(&p->test_case->workload, "straggler");
}

/**
 * rf_case_hit_nothing - check whether the faults of a case had no effect
 * @p: the case
 *
 * Return: true if all faults of the case are rules that hit no packet, and its job has no
 * straggler.
 */
bool rf_case_hit_nothing(const struct rf_run_case *p)
{
	return p->test_case->nfaults && !rf_case_hits(p) && rf_case_is_all_hits(p);
}

/**
 * rf_case_is_one_packet - check whether faults hit exactly one packet of a case
 * @p: the case
 *
 * Return: true for one packet. Then the impact is the additional time of one step.
 */
bool rf_case_is_one_packet(const struct rf_run_case *p)
{
	return p->an->nhits == 1 && p->an->nlosses == 1 && p->an->step && rf_case_is_all_hits(p);
}

static bool has_time(const struct rf_run_case *p)
{
	return rf_case_ns(p);
}

/**
 * rf_case_why_not_comparable - get the reason if times of two cases can't be compared
 * @p: the case
 * @by: the clean case of the same job; NULL: there is none
 *
 * Return: the reason; NULL if they can be compared.
 */
const char *rf_case_why_not_comparable(const struct rf_run_case *p,
				       const struct rf_run_case *by)
{
	if (!by)
		return "no case without faults runs the same job";
	if (!has_time(p))
		return "the times of the case were not recorded";
	if (!rf_case_is_whole(p))
		return p->rec.tl.iters ? "the case ended before its last step was complete" :
					 "a process of the case failed";
	if (!has_time(by))
		return "the times of the case without faults were not recorded";
	if (!rf_case_is_whole(by))
		return "the case without faults did not complete its job";
	return NULL;
}

/**
 * rf_case_impact_why_not - get the reason if rf_case_impact_ns() has no value
 * @run: the run
 * @p: one of its cases
 *
 * Return: the reason; NULL if the time is known.
 */
const char *rf_case_impact_why_not(const struct rf_run *run,
				   const struct rf_run_case *p)
{
	if (rf_case_is_clean(p->test_case))
		return NULL;
	if (rf_case_is_one_packet(p))
		return rf_measure_why_not(p->an, RF_STALL);
	return rf_case_why_not_comparable(p, rf_run_clean_job(run, p));
}

/**
 * rf_case_impact_is_known - check whether the additional time because of faults is known
 * @run: the run
 * @p: one of its cases
 *
 * Return: false if there is no clean case, or if one of the two cases did not complete
 * all steps.
 */
bool rf_case_impact_is_known(const struct rf_run *run,
			     const struct rf_run_case *p)
{
	return !rf_case_impact_why_not(run, p);
}

/**
 * rf_case_has_cost - check whether the additional time of a case has a price
 * @run: the run
 * @p: one of its cases
 *
 * Return: true for a job with steps, which stands for a training, and if the scenario has a price.
 */
bool rf_case_has_cost(const struct rf_run *run, const struct rf_run_case *p)
{
	return p->rec.tl.iters || run->scenario->priced;
}

/**
 * rf_case_whole_impact_ns - get the additional time of a whole case
 * @run: the run
 * @p: one of its cases, comparable with its clean case
 *
 * Return: the time of a case minus the time of the clean case; 0 if this is at most
 * 1/RF_NOISE of the time of the clean case.
 */
uint64_t rf_case_whole_impact_ns(const struct rf_run *run, const struct rf_run_case *p)
{
	uint64_t clean = rf_case_ns(rf_run_clean_job(run, p)), now = rf_case_ns(p);

	return now > clean + clean / RF_NOISE ? now - clean : 0;
}

/**
 * rf_case_worst_step - find the longest step that faults can explain
 * @p: the case
 * @w: filled in
 *
 * With many hits and steps, one step is the longest by chance. Therefore the additional
 * time of this step (its time minus the clean median) must be more than twice the
 * additional time of the slowest clean step. The limit does not depend on the step time,
 * because most of a step can be computation. If only one packet was hit, and no step exceeds
 * this limit, it is the step of the hit, if this step took longer than the slowest clean step.
 *
 * A hit in one step can delay a later step. Steps before the first hit are not considered if
 * hits are all that was done to the case.
 *
 * Return: false if no step took longer than clean steps, or if the additional time does not
 * exceed this limit.
 */
bool rf_case_worst_step(const struct rf_run_case *p, struct rf_worst_step *w)
{
	uint32_t hit = p->an->step, first = hit && rf_case_is_all_hits(p) ? hit : 1;

	if (!rf_stall_worst(&p->rec, p->an, first, p->rec.tl.iters, w))
		return false;
	if (w->over > 2 * (p->an->clean_max_ns - p->an->clean_ns))
		return true;
	return rf_case_is_one_packet(p) && rf_stall_worst(&p->rec, p->an, hit, hit, w);
}

/**
 * rf_case_impact_ns - get the additional time of a case because of faults
 * @run: the run
 * @p: one of its cases
 *
 * If only one packet was hit, this is the additional time of the longest step; steps before
 * the hit are not considered. Otherwise it is the additional time of the whole case or of
 * its longest step, whichever is greater.
 *
 * Return: the time; 0 also if it is not known, or if the faults hit no packet.
 */
uint64_t rf_case_impact_ns(const struct rf_run *run, const struct rf_run_case *p)
{
	struct rf_worst_step w;
	uint64_t whole;

	if (rf_case_is_clean(p->test_case) || rf_case_hit_nothing(p) ||
	    !rf_case_impact_is_known(run, p))
		return 0;
	if (!rf_case_worst_step(p, &w))
		w.over = 0;
	if (rf_case_is_one_packet(p))
		return w.over;
	whole = rf_case_whole_impact_ns(run, p);
	return whole > w.over ? whole : w.over;
}

/** rf_case_has_ended - check whether a job ended before its last step */
bool rf_case_has_ended(const struct rf_run_case *p)
{
	uint32_t step;

	return rf_timeline_ended(&p->rec.tl, &step);
}

/**
 * rf_case_ended_by - check whether a job ended before a lost packet was repaired
 * @p: the case
 * @l: one of its losses
 *
 * Return: true if the job ended in the step of the loss, and no later transmission of the
 * packet (after a lost ACK: no later ACK) passed without a fault.
 */
bool rf_case_ended_by(const struct rf_run_case *p, const struct rf_loss *l)
{
	const struct rf_timeline *tl = &p->rec.tl;
	uint32_t step;

	if (!l->qp || !l->lost || rf_record_has_holes(&p->rec))
		return false;
	if (rf_loss_of_answer(l) ? l->answered : l->recovery || l->early)
		return false;
	return rf_timeline_ended(tl, &step) && l->hit->step == step &&
	       rf_timeline_failed_ns(tl, step) > l->hit->t_ns;
}

/* Return: true if a job failed without a fault: other cases show more than their faults */
static bool failed_clean(const struct rf_run_case *p)
{
	return rf_case_is_clean(p->test_case) && rf_case_has_ended(p);
}

/* Return: true if a job completed without a fault: it is only what other cases are compared with */
static bool completed_clean(const struct rf_run_case *p)
{
	return rf_case_is_clean(p->test_case) && !rf_case_has_ended(p);
}

static bool is_worse(const struct rf_run *run, const struct rf_run_case *p,
		     const struct rf_run_case *than)
{
	if (failed_clean(p) != failed_clean(than))
		return failed_clean(p);
	if (rf_case_has_ended(p) != rf_case_has_ended(than))
		return rf_case_has_ended(p);
	return !rf_case_has_ended(p) &&
	       rf_case_impact_ns(run, p) > rf_case_impact_ns(run, than);
}

/**
 * rf_run_worst - find the case with the largest impact
 * @run: the run
 *
 * Return: the first clean case that ended before its last step, otherwise the first such case
 * with faults, otherwise the case with the largest impact; NULL if no case has faults and none
 * ended early.
 */
const struct rf_run_case *rf_run_worst(const struct rf_run *run)
{
	const struct rf_run_case *p, *worst = NULL;

	for (p = run->cases; p < run->cases + run->ncases; p++)
		if (!completed_clean(p) && (!worst || is_worse(run, p, worst)))
			worst = p;
	return worst;
}

/**
 * rf_case_step_ns - get the median time of a step
 * @p: the case
 *
 * Return: the time; 0: no step is known.
 */
uint64_t rf_case_step_ns(const struct rf_run_case *p)
{
	const struct rf_timeline *tl = &p->rec.tl;
	uint64_t *v = calloc(tl->iters + 1, sizeof(*v)), ns;
	uint32_t step;
	size_t n = 0;

	for (step = 1; v && step <= tl->iters; step++) {
		ns = rf_timeline_whole_ns(tl, step);
		if (ns)
			v[n++] = ns;
	}
	ns = v ? rf_median(v, n) : 0;
	free(v);
	return ns;
}

#define SLOWER 1.2	/* a case that is slower by this factor is worth a sentence */

/*
 * Check whether a step of two cases does the same work; the ranks can be on other nodes, and other
 * jobs can run beside it.
 */
static bool is_same_work(const struct rf_case *a, const struct rf_case *b)
{
	struct rf_case moved = *b;

	moved.workload.placement = a->workload.placement;
	moved.others = a->others;
	moved.nothers = a->nothers;
	return rf_same_step(a, &moved);
}

/**
 * rf_run_slowest - find the case whose steps took longest, in a run without faults
 * @run: the run
 *
 * Return: the case with the longest median step, if it took 1.2 times as long as that of the first
 * case, with the same work; NULL if there is none, or if rf_run_worst() finds a case.
 */
const struct rf_run_case *rf_run_slowest(const struct rf_run *run)
{
	const struct rf_run_case *p, *slowest = run->cases;
	uint64_t first, most, ns;

	if (!run->ncases || rf_run_worst(run))
		return NULL;
	first = most = rf_case_step_ns(run->cases);
	for (p = run->cases; p < run->cases + run->ncases; p++) {
		ns = rf_case_step_ns(p);
		if (ns > most && is_same_work(run->cases->test_case, p->test_case)) {
			slowest = p;
			most = ns;
		}
	}
	return first && most >= SLOWER * first ? slowest : NULL;
}

/* Return: the median transfer time of the clean steps, except step @but; 0: none is known */
static uint64_t clean_transfer_ns(const struct rf_run_case *clean, uint32_t but)
{
	const struct rf_timeline *tl = &clean->rec.tl;
	uint64_t *v = calloc(tl->iters + 1, sizeof(*v)), ns;
	uint32_t step;
	size_t n = 0;

	for (step = 1; v && step <= tl->iters; step++) {
		ns = step == but ? 0 : rf_timeline_transfer_ns(tl, step);
		if (ns && !rf_timeline_broken(tl, step))
			v[n++] = ns;
	}
	ns = v ? rf_median(v, n) : 0;
	free(v);
	return ns;
}

/**
 * rf_case_network - compare the network part of a step with that of clean steps
 * @run: the run
 * @p: a case
 * @step: a step of the case
 * @now: set to the time of the collective in this step, without computing and barrier
 * @clean: set to its median in clean steps
 *
 * Return: false if one of the times is not known.
 */
bool rf_case_network(const struct rf_run *run, const struct rf_run_case *p, uint32_t step,
		     uint64_t *now, uint64_t *clean)
{
	const struct rf_run_case *by = rf_run_clean_step(run, p);

	*now = rf_timeline_transfer_ns(&p->rec.tl, step);
	*clean = by ? clean_transfer_ns(by, step) : 0;
	return *now && *clean;
}

static int worst_first(const void *a, const void *b, void *arg)
{
	const struct rf_run *run = arg;
	size_t i = *(const size_t *)a, j = *(const size_t *)b;
	const struct rf_run_case *p = &run->cases[i], *q = &run->cases[j];
	bool clean_p = completed_clean(p), clean_q = completed_clean(q);

	if (clean_p != clean_q)
		return clean_p - clean_q;
	if (is_worse(run, p, q))
		return -1;
	if (is_worse(run, q, p))
		return 1;
	return i < j ? -1 : 1;
}

/**
 * rf_case_is_detailed - check whether a report shows a case in detail
 * @run: the run
 * @p: one of its cases
 *
 * Return: true for the cases of the first round, and for all cases that did not pass.
 */
bool rf_case_is_detailed(const struct rf_run *run, const struct rf_run_case *p)
{
	return (size_t)(p - run->cases) < run->scenario->ncases || p->nreasons;
}

/**
 * rf_run_order - sort the cases that a report shows in detail
 * @run: the run
 * @order: filled in with indexes of cases: the worst case first, cases without faults last;
 *	without faults, the slowest case first; room for all cases of the run
 *
 * Return: the number of these cases.
 */
size_t rf_run_order(const struct rf_run *run, size_t *order)
{
	const struct rf_run_case *slowest = rf_run_slowest(run);
	size_t n = 0, i;

	for (i = 0; i < run->ncases; i++)
		if (rf_case_is_detailed(run, &run->cases[i]))
			order[n++] = i;
	qsort_r(order, n, sizeof(*order), worst_first, (void *)run);
	for (i = 0; slowest && i < n; i++)
		if (&run->cases[order[i]] == slowest) {
			memmove(order + 1, order, i * sizeof(*order));
			order[0] = slowest - run->cases;
		}
	return n;
}
