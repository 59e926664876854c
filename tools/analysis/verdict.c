// SPDX-License-Identifier: GPL-2.0
/*
 * Verdicts. A case is broken if its measurement is incomplete: events were lost, or the
 * number of recorded hits differs from the number that the module counted. A case fails if
 * the job failed, a fault never began, or an expectation is not met.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "text.h"
#include "units.h"

/* Add a reason to a case, and set its verdict to @v unless the verdict is already worse. */
static void add_reason(struct rf_run_case *p, enum rf_verdict v,
		       const char *fmt, ...) __attribute__((format(printf, 3, 4)));

static void add_reason(struct rf_run_case *p, enum rf_verdict v,
		       const char *fmt, ...)
{
	va_list ap;

	if (v > p->verdict)
		p->verdict = v;
	if (p->nreasons == RF_REASONS_MAX)
		return;
	va_start(ap, fmt);
	if (vasprintf(&p->reason[p->nreasons], fmt, ap) >= 0)
		rf_text_line(p->reason[p->nreasons++]);
	va_end(ap);
}

/** rf_reasons_free - free the reasons of a case */
void rf_reasons_free(struct rf_run_case *p)
{
	while (p->nreasons)
		free(p->reason[--p->nreasons]);
	p->not_met = 0;
}

/**
 * rf_run_not_met - count the expectations of a run that were not met
 * @run: the run, judged
 * @others: set to the number of other reasons why it did not pass
 *
 * Return: the number of expectations.
 */
size_t rf_run_not_met(const struct rf_run *run, size_t *others)
{
	size_t missed = 0, i;

	*others = run->differs[0] ? 1 : 0;
	for (i = 0; i < run->ncases; i++) {
		missed += run->cases[i].not_met;
		*others += run->cases[i].nreasons - run->cases[i].not_met;
	}
	return missed;
}

/** rf_case_hits - count the recorded hits of all jobs of a case */
uint64_t rf_case_hits(const struct rf_run_case *p)
{
	uint64_t hits = p->an->nhits;
	size_t i;

	for (i = 0; i < p->rec.nothers; i++)
		hits += p->others[i].an->nhits;
	return hits;
}

static void judge_recording(struct rf_run_case *p)
{
	const struct rf_record *rec = &p->rec;
	uint64_t hits = rf_case_hits(p);

	if (rec->ev.lost)
		add_reason(p, RF_VERDICT_BROKEN, "events: %llu events of the trace were lost",
			   (unsigned long long)rec->ev.lost);
	if (rec->rule_hits != hits)
		add_reason(p, RF_VERDICT_BROKEN, "events: %" PRIu64 " hits recorded, but the module counted %llu",
			   hits, (unsigned long long)rec->rule_hits);
	if (rec->flows_lost)
		add_reason(p, RF_VERDICT_BROKEN, "flows: for %llu packets, it is unknown whether they are retransmissions",
			   (unsigned long long)rec->flows_lost);
}

/** rf_case_is_recorded - check whether the events of a case are complete */
bool rf_case_is_recorded(const struct rf_run_case *p)
{
	const struct rf_record *rec = &p->rec;

	return !rf_record_has_holes(rec) &&
	       rec->rule_hits == rf_case_hits(p);
}

static bool has_begun(const struct rf_record *rec, size_t fault)
{
	size_t i;

	for (i = 0; i < rec->ndone; i++)
		if (rec->done[i].fault == fault && !rec->done[i].undo)
			return true;
	return false;
}

/**
 * rf_fault_came - check whether a fault began
 * @p: the case
 * @i: index of the fault
 *
 * Return: true if so; always true for a fault that is applied before the job starts.
 */
bool rf_fault_came(const struct rf_run_case *p, size_t i)
{
	return p->test_case->faults[i].when.clock == RF_CLOCK_NONE ||
	       has_begun(&p->rec, i);
}

/* Fail a case if a fault did not begin, because then the case did not test this fault. */
static void judge_faults(struct rf_run_case *p)
{
	size_t i;

	for (i = 0; i < p->test_case->nfaults; i++)
		if (!rf_fault_came(p, i))
			add_reason(p, RF_VERDICT_FAIL, "fault %zu: did not begin, because the job ended earlier: %s",
				   i + 1, p->test_case->faults[i].words);
}

/**
 * rf_case_expects_ends - check whether a case has an expectation on how its ranks end
 * @test_case: the case
 *
 * In a case with such an expectation, only the expectation decides whether a failed rank
 * makes the case fail.
 *
 * Return: true if so.
 */
bool rf_case_expects_ends(const struct rf_case *test_case)
{
	size_t i;

	for (i = 0; i < test_case->nchecks; i++)
		if (rf_check_is_about(&test_case->checks[i], "ranks.failed") ||
		    rf_check_is_about(&test_case->checks[i], "rank[].status") ||
		    rf_check_is_about(&test_case->checks[i], "job[].ranks.failed") ||
		    rf_check_is_about(&test_case->checks[i], "job[].rank[].status"))
			return true;
	return false;
}

/* Check whether an expectation of the case is about the exit status of a process. */
static bool expects_exit(const struct rf_case *test_case, const char *name)
{
	char metric[64];
	size_t i;

	snprintf(metric, sizeof(metric), "%s.exit", name);
	for (i = 0; i < test_case->nchecks; i++)
		if (rf_check_is_about(&test_case->checks[i], metric))
			return true;
	return false;
}

static void judge_processes(struct rf_run_case *p)
{
	const struct rf_record *rec = &p->rec;
	const struct rf_process_end *end;

	for (end = rec->processes; end < rec->processes + rec->nprocesses; end++)
		if (rf_process_failed(end) && !expects_exit(p->test_case, end->name))
			add_reason(p, RF_VERDICT_FAIL, "job failed: process %s: status %d: %s",
				   end->name, end->status, end->last_line ? end->last_line : "");
}

/*
 * The run stops another job when the first job has ended. If it ended before, the first job was
 * not beside it from its start to its end.
 */
static void judge_other(struct rf_run_case *p, const struct rf_run_case *other)
{
	const struct rf_timeline *tl = &other->rec.tl;
	const char *name = other->test_case->name, *why;
	uint32_t rank;

	why = rf_timeline_unfinished(tl, &rank);
	if (why)
		add_reason(p, RF_VERDICT_FAIL, "job %s failed: rank %u: %s", name, rank, why);
	else if (tl->iters && tl->iters == other->test_case->workload.steps)
		add_reason(p, RF_VERDICT_BROKEN, "job %s: its %s were complete before job %s had ended; give it more steps",
			   name, tl->iters == 1 ? "step" : "steps", p->test_case->workload.name);
}

/* Fail a case whose job failed, unless it expects how its ranks or processes end. */
static void judge_end(struct rf_run_case *p)
{
	const char *why, *name = p->test_case->workload.name;
	uint32_t rank;
	size_t i;

	if (rf_case_expects_ends(p->test_case))
		return;
	if (p->test_case->workload.processes.listed) {
		judge_processes(p);
		return;
	}
	why = rf_timeline_unfinished(&p->rec.tl, &rank);
	if (why && !expects_exit(p->test_case, "command"))
		add_reason(p, RF_VERDICT_FAIL, "job %s%sfailed: rank %u: %s", name ? name : "",
			   name ? " " : "", rank, why);
	for (i = 0; i < p->rec.nothers; i++)
		judge_other(p, &p->others[i]);
}

/*
 * A case whose command sent nothing over the ports tested nothing. If a process failed, this is
 * the reason, and no other reason is added.
 */
static void judge_traffic(struct rf_run_case *p)
{
	const struct rf_traffic *traffic = &p->rec.traffic;
	char n[RF_THINGS_LEN];

	if (!traffic->known || traffic->data || rf_record_failed(&p->rec))
		return;
	if (p->rec.remote)
		add_reason(p, RF_VERDICT_BROKEN, "no RoCE packet of the other machines passed the bridge%s; let them exchange data while the command runs",
			   traffic->cm ? ", except connection management" : "");
	else if (traffic->inside)
		add_reason(p, RF_VERDICT_BROKEN, "no RoCE packet of the job passed the ports of the nodes: %s stayed inside the machine, because both ends use the same RDMA device; a program of rdma_cm needs \"fabric: {cm: true}\"",
			   rf_fmt_things(traffic->inside, "packet", n));
	else
		add_reason(p, RF_VERDICT_BROKEN, "no RoCE packet of the job passed the ports of the nodes%s; let its processes use the RDMA devices of two nodes",
			   traffic->cm ? ", except connection management" : "");
}

/**
 * rf_case_set_verdict - judge a case, except its expectation lines
 * @p: the case, analysed; gets its verdict and the reasons
 */
void rf_case_set_verdict(struct rf_run_case *p)
{
	p->verdict = RF_VERDICT_PASS;
	rf_reasons_free(p);
	judge_recording(p);
	judge_faults(p);
	judge_end(p);
	judge_traffic(p);
}

/* Judge an expectation line. The reason contains the rank or port, and the value. */
static void judge_check(const struct rf_run *run, struct rf_run_case *p,
			const struct rf_check *c)
{
	struct rf_metric_case mp = { .run = run, .run_case = p };
	unsigned int before = p->nreasons;
	struct rf_check_result r;
	const char *what = "", *sep = "";
	char got[64];

	rf_check_eval(c, &rf_metrics, &mp, &r);
	if (r.holds)
		return;
	if (rf_check_is_about(c, "faults.hit") && p->an->unhit) {
		what = p->an->unhit;
		sep = "; ";
	}
	if (r.why)
		add_reason(p, RF_VERDICT_FAIL, "not met: %s%s%s: no value (%s)%s%s", c->text,
			   r.where[0] ? " for " : "", r.where, r.why,
			   sep, what);
	else
		add_reason(p, RF_VERDICT_FAIL, "not met: %s: got %s%s%s%s%s", c->text,
			   rf_check_format(c, r.got, got, sizeof(got)),
			   r.where[0] ? " for " : "", r.where, sep, what);
	p->not_met += p->nreasons - before;
}

/* Judge the expectation lines. A line can compare cases, so all cases must have been run. */
static void judge_checks(const struct rf_run *run, struct rf_run_case *p)
{
	size_t i;

	for (i = 0; i < p->test_case->nchecks; i++)
		judge_check(run, p, &p->test_case->checks[i]);
}

static bool is_command(const struct rf_run_case *p)
{
	return p->test_case->workload.kind == RF_WORK_COMMAND;
}

static bool same_loss(const struct rf_run_case *a,
		      const struct rf_run_case *b, size_t i)
{
	const struct rf_loss *x = &a->an->losses[i], *y = &b->an->losses[i];
	bool by_message;

	if (!x->qp != !y->qp)
		return false;
	if (x->qp && (x->qp->rank != y->qp->rank ||
		      x->qp->peer != y->qp->peer ||
		      rf_timeline_ordinal(&a->rec.tl, x->qp) !=
		      rf_timeline_ordinal(&b->rec.tl, y->qp)))
		return false;
	by_message = is_command(a) && x->hit->message && y->hit->message;
	return (by_message ? x->hit->message == y->hit->message :
			     x->hit->psn_rel == y->hit->psn_rel) &&
	       x->hit->opcode == y->hit->opcode &&
	       x->hit->step == y->hit->step && x->hit->attempt == y->hit->attempt;
}

static bool hits_at_random(const struct rf_case *c)
{
	size_t i;

	for (i = 0; i < c->nfaults; i++)
		if (c->faults[i].kind == RF_FAULT_RULE && rf_rule_draws(&c->faults[i].spec))
			return true;
	return false;
}

/*
 * Compare the packets that two rounds of a case hit. Other programs do not send the same packets
 * in each round: UCX, for example, sends a different number of small messages between those of
 * the job. So their packets are compared by message instead of PSN, and if a rule hits random
 * ones, they are not compared.
 */
static bool same_losses(const struct rf_run_case *a,
			const struct rf_run_case *b)
{
	size_t i;

	if (is_command(a) && hits_at_random(a->test_case))
		return true;
	if (a->an->nhits != b->an->nhits)
		return false;
	for (i = 0; i < a->an->nhits; i++)
		if (!same_loss(a, b, i))
			return false;
	return true;
}

/**
 * rf_run_set_verdict - judge the expectation lines and the rounds, and set the verdict of a run
 * @run: the run; its cases have been judged by rf_case_set_verdict()
 */
void rf_run_set_verdict(struct rf_run *run)
{
	const struct rf_run_case *first;
	struct rf_run_case *p;
	size_t i;

	run->differs[0] = '\0';
	for (i = 0; i < run->ncases; i++) {
		p = &run->cases[i];
		judge_checks(run, p);
		if (p->verdict > run->verdict)
			run->verdict = p->verdict;
		first = &run->cases[i % run->scenario->ncases];
		if (same_losses(first, p) || run->differs[0])
			continue;
		snprintf(run->differs, sizeof(run->differs),
			 "%s: the faults hit other packets than in round 1",
			 p->label);
	}
	if (run->differs[0] && run->verdict < RF_VERDICT_FAIL)
		run->verdict = RF_VERDICT_FAIL;
}
