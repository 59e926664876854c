// SPDX-License-Identifier: GPL-2.0
/*
 * The summary line at the top of a page: the impact of the worst case on the job, and
 * the verdict.
 *
 * The worst case is the first one that ended before its last step. If all cases completed
 * their steps, the worst case is the case with the largest additional time because of
 * faults. The sentence names the longest step of this case. Steps before the first hit are
 * not considered.
 */
#include <string.h>

#include "run.h"
#include "tools/scenario/program.h"
#include "units.h"

static const char *const done_to[] = {
	[RDMAFAULT_ACTION_DROP] = "lost",
	[RDMAFAULT_ACTION_DELAY] = "delayed",
	[RDMAFAULT_ACTION_REORDER] = "reordered",
	[RDMAFAULT_ACTION_DUPLICATE] = "duplicated",
	[RDMAFAULT_ACTION_CORRUPT] = "corrupted",
	[RDMAFAULT_ACTION_TRUNCATE] = "truncated",
	[RDMAFAULT_ACTION_MARK] = "marked",
	[RDMAFAULT_ACTION_REWRITE] = "rewritten",
	[RDMAFAULT_ACTION_NAK] = "refused",
	[RDMAFAULT_ACTION_RNR] = "refused",
	[RDMAFAULT_ACTION_BLACKHOLE] = "swallowed",
};

/* Cases whose times differ by less than 1/NOISE are treated as equal. */
#define NOISE 50

#define ACTIONS (sizeof(done_to) / sizeof(*done_to))

static const char *participle(uint32_t action)
{
	return action < ACTIONS && done_to[action] ? done_to[action] : "observed";
}

/**
 * rf_hit_participle - get the participle for the action of a hit
 * @e: the hit
 *
 * Return: "lost", "delayed" and so on; "observed" if nothing was done.
 */
const char *rf_hit_participle(const struct rf_event *e)
{
	return participle(e->action);
}

/**
 * rf_case_ns - get the duration of all steps of a case
 * @p: the case
 *
 * Return: the time from the start of the first step to the end of the last step.
 */
uint64_t rf_case_ns(const struct rf_run_case *p)
{
	const struct rf_timeline *tl = &p->rec.tl;
	uint64_t first = UINT64_MAX, last = 0;
	const struct rf_step *s;
	uint32_t rank, step;

	for (step = 1; step <= tl->iters; step++)
		for (rank = 0; rank < tl->ranks; rank++) {
			s = rf_timeline_step(tl, rank, step);
			if (!s)
				continue;
			first = s->start_ns < first ? s->start_ns : first;
			last = s->sync_ns > last ? s->sync_ns : last;
		}
	return last > first ? last - first : 0;
}

/*
 * Check that all faults of a case are rules, that its job has no straggler, and that the
 * record contains all packets that the rules hit.
 */
static bool is_all_hits(const struct rf_run_case *p)
{
	size_t i;

	for (i = 0; i < p->kase->nfaults; i++)
		if (p->kase->faults[i].deed != RF_DEED_RULE)
			return false;
	return rf_case_is_recorded(p) &&
	       !rf_options_have(&p->kase->workload, "straggler");
}

/**
 * rf_case_is_one_packet - check whether faults hit exactly one packet of a case
 * @p: the case
 *
 * Return: true for one packet. Then the impact is the additional time of one step.
 */
bool rf_case_is_one_packet(const struct rf_run_case *p)
{
	return p->an.nlosses == 1 && p->an.step && is_all_hits(p);
}

static bool told_steps(const struct rf_run_case *p)
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
	if (!told_steps(p))
		return "the step times of the case were not recorded";
	if (!rf_case_is_whole(p))
		return "the case ended before its last step was complete";
	if (!told_steps(by))
		return "the step times of the case without faults were not recorded";
	if (!rf_case_is_whole(by))
		return "the case without faults ended before its last step was complete";
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
	if (rf_case_is_clean(p->kase))
		return NULL;
	if (rf_case_is_one_packet(p))
		return rf_measure_why_not(&p->an, RF_STALL);
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

/*
 * Return: the time of a case minus the time of the clean case; 0 if this is at most 1/NOISE of
 * the time of the clean case
 */
static uint64_t whole_impact_ns(const struct rf_run *run, const struct rf_run_case *p)
{
	uint64_t clean = rf_case_ns(rf_run_clean_job(run, p)), now = rf_case_ns(p);

	return now > clean + clean / NOISE ? now - clean : 0;
}

/**
 * rf_case_worst_step - find the longest step that faults can explain
 * @p: the case
 * @w: filled in
 *
 * With many hits and steps, one step is the longest by chance. Therefore the additional
 * time of this step (its time minus the clean median) must be more than twice the
 * additional time of the slowest clean step. The limit does not depend on the step time,
 * because most of a step can be computation. If only one packet was hit, there is no limit.
 *
 * Return: false if no step took longer than clean steps, or if the additional time does not
 * exceed this limit.
 */
bool rf_case_worst_step(const struct rf_run_case *p, struct rf_worst_step *w)
{
	return rf_stall_worst(&p->rec, &p->an, w) &&
	       (rf_case_is_one_packet(p) ||
		w->over > 2 * (p->an.clean_max_ns - p->an.clean_ns));
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
 * Return: the time; 0 also if it is not known.
 */
uint64_t rf_case_impact_ns(const struct rf_run *run, const struct rf_run_case *p)
{
	struct rf_worst_step w;
	uint64_t whole;

	if (rf_case_is_clean(p->kase) || !rf_case_impact_is_known(run, p))
		return 0;
	if (!rf_case_worst_step(p, &w))
		w.over = 0;
	if (rf_case_is_one_packet(p))
		return w.over;
	whole = whole_impact_ns(run, p);
	return whole > w.over ? whole : w.over;
}

static bool has_ended(const struct rf_run_case *p)
{
	uint32_t step;

	return rf_timeline_ended(&p->rec.tl, &step);
}

static bool is_worse(const struct rf_run *run, const struct rf_run_case *p,
		     const struct rf_run_case *than)
{
	if (has_ended(p) != has_ended(than))
		return has_ended(p);
	return !has_ended(p) &&
	       rf_case_impact_ns(run, p) > rf_case_impact_ns(run, than);
}

/**
 * rf_run_worst - find the case with the largest impact
 * @run: the run
 *
 * Return: the first faulted case that ended before its last step, otherwise the case with
 * the largest impact; NULL if no case has faults.
 */
const struct rf_run_case *rf_run_worst(const struct rf_run *run)
{
	const struct rf_run_case *p, *worst = NULL;

	for (p = run->cases; p < run->cases + run->ncases; p++)
		if (!rf_case_is_clean(p->kase) &&
		    (!worst || is_worse(run, p, worst)))
			worst = p;
	return worst;
}

/* Copy the error without the place and time, which follow a semicolon. */
static void say_reason(const struct rf_rank_end *end, char *buf, size_t len)
{
	if (end->error)
		snprintf(buf, len, "%.*s", (int)strcspn(end->error, ";"),
			 end->error);
	else
		snprintf(buf, len, "status %lld", (long long)end->status);
}

static void say_end(const struct rf_run_case *p, char *buf, size_t len)
{
	const struct rf_timeline *tl = &p->rec.tl;
	const struct rf_rank_end *end;
	char why[160], when[40] = "";
	uint32_t step;

	end = rf_timeline_ended(tl, &step);
	say_reason(end, why, sizeof(why));
	if (step)
		snprintf(when, sizeof(when), " in step %u of %u", step, tl->iters);
	else if (tl->iters)
		snprintf(when, sizeof(when), " before its first step was complete");
	snprintf(buf, len, "The faults of case \"%.60s\" ended the job%s. Error of rank %td: %s.",
		 p->label, when, end - tl->end, why);
}

static void say_one(const struct rf_run_case *p, char *buf, size_t len)
{
	char now[RF_FMT_LEN], clean[RF_FMT_LEN], waited[64];
	struct rf_worst_step w;

	rf_case_worst_step(p, &w);
	snprintf(waited, sizeof(waited), "the job wait");
	if (w.over_every_rank * 2 >= w.over)
		snprintf(waited, sizeof(waited), "all %u ranks wait",
			 p->an.ranks);
	snprintf(buf, len, "One %s packet (\"%.60s\") made %s: step %u took %s instead of %s.",
		 rf_hit_participle(p->an.losses->hit), p->label, waited, w.step,
		 rf_fmt_time(w.took, now), rf_fmt_time(p->an.clean_ns, clean));
}

/* Return: the action of a hit. A forged RNR NAK counts as RDMAFAULT_ACTION_NAK. */
static uint32_t kind_of(const struct rf_event *hit)
{
	if (hit->action == RDMAFAULT_ACTION_RNR)
		return RDMAFAULT_ACTION_NAK;
	return hit->action < ACTIONS ? hit->action : RDMAFAULT_ACTION_OBSERVE;
}

/* Write how many packets were hit, for example "1,001 hit packets (1 lost, 1,000 marked)". */
static void say_packets(const struct rf_analysis *an, char *buf, size_t len)
{
	const char *done = rf_hit_participle(an->losses->hit);
	size_t count[ACTIONS] = { }, i, at = 0;
	char n[32], parts[160] = "";

	for (i = 0; i < an->nlosses; i++)
		count[kind_of(an->losses[i].hit)]++;
	for (i = 0; i < ACTIONS && at < sizeof(parts); i++)
		if (count[i])
			at += snprintf(parts + at, sizeof(parts) - at, "%s%s %s",
				       at ? ", " : "", rf_fmt_count(count[i], n),
				       participle(i));
	if (count[kind_of(an->losses->hit)] == an->nlosses)
		snprintf(buf, len, "%s %s packet%s", rf_fmt_count(an->nlosses, n),
			 done, an->nlosses == 1 ? "" : "s");
	else
		snprintf(buf, len, "%s hit packets (%s)",
			 rf_fmt_count(an->nlosses, n), parts);
}

static void say_many(const struct rf_run *run, const struct rf_run_case *p,
		     char *buf, size_t len)
{
	const struct rf_run_case *clean = rf_run_clean_job(run, p);
	char now[RF_FMT_LEN], usual[RF_FMT_LEN], packets[224];
	uint64_t whole = whole_impact_ns(run, p);
	struct rf_worst_step w;
	size_t n;

	if (p->an.nlosses && is_all_hits(p)) {
		say_packets(&p->an, packets, sizeof(packets));
		n = snprintf(buf, len, "%s (\"%.60s\") made ", packets, p->label);
	} else {
		n = snprintf(buf, len, "The %s of \"%.60s\" made ",
			     p->kase->nfaults ? "faults" : "straggler", p->label);
	}
	if (whole && n < len)
		n += snprintf(buf + n, len - n, "all %u steps together take %s instead of %s",
			      p->rec.tl.iters, rf_fmt_time(rf_case_ns(p), now),
			      rf_fmt_time(rf_case_ns(clean), usual));
	if (rf_case_worst_step(p, &w) && n < len)
		n += snprintf(buf + n, len - n, "%sstep %u take %s instead of %s",
			      whole ? ", and " : "", w.step,
			      rf_fmt_time(w.took, now),
			      rf_fmt_time(p->an.clean_ns, usual));
	if (n < len)
		snprintf(buf + n, len - n, ".");
}

/* Write that the faults cost the job no time, or that the impact of a case is not known. */
static void say_none(const struct rf_run *run, char *buf, size_t len)
{
	const struct rf_run_case *p;
	const char *why_not;

	for (p = run->cases; p < run->cases + run->ncases; p++) {
		why_not = rf_case_impact_why_not(run, p);
		if (!why_not)
			continue;
		snprintf(buf, len, "The cost of \"%.60s\" is not known: %s.",
			 p->label, why_not);
		return;
	}
	snprintf(buf, len, "The faults cost the job no time: steps took as long as without faults.");
}

static void say_impact(const struct rf_run *run, char *buf, size_t len)
{
	const struct rf_run_case *p = rf_run_worst(run);
	char clean[RF_FMT_LEN];

	if (!p && run->ncases && run->cases->an.clean_ns)
		snprintf(buf, len, "No faults; a step took %s (median).",
			 rf_fmt_time(run->cases->an.clean_ns, clean));
	else if (!p)
		snprintf(buf, len, "No faults.");
	else if (has_ended(p))
		say_end(p, buf, len);
	else if (!rf_case_impact_ns(run, p))
		say_none(run, buf, len);
	else if (rf_case_is_one_packet(p))
		say_one(p, buf, len);
	else
		say_many(run, p, buf, len);
}

static size_t not_met(const struct rf_run *run)
{
	size_t n = run->differs[0] ? 1 : 0, i;

	for (i = 0; i < run->ncases; i++)
		n += run->cases[i].nreasons;
	return n;
}

/**
 * rf_summary_line - write the summary line: the largest impact and the verdict
 * @run: the run, with the verdicts of its cases
 * @buf: output buffer
 * @len: size of @buf
 *
 * Return: @buf.
 */
char *rf_summary_line(const struct rf_run *run, char *buf, size_t len)
{
	char impact[384], cases[64], verdict[160];
	size_t n = not_met(run);

	say_impact(run, impact, sizeof(impact));
	snprintf(cases, sizeof(cases), "%zu case%s", run->ncases,
		 run->ncases == 1 ? "" : "s");
	if (run->verdict == RF_VERDICT_PASS)
		snprintf(verdict, sizeof(verdict), run->ncases == 1 ?
			 "The case met its expectations." :
			 "All %s met their expectations.", cases);
	else if (run->verdict == RF_VERDICT_FAIL)
		snprintf(verdict, sizeof(verdict),
			 "%zu expectation%s %s not met.", n,
			 n == 1 ? "" : "s", n == 1 ? "was" : "were");
	else
		snprintf(verdict, sizeof(verdict),
			 "The verdict after %s is \"%s\": values that depend on missing cases or events are not valid.",
			 cases, rf_verdict_name(run->verdict));
	snprintf(buf, len, "%s %s", impact, verdict);
	return buf;
}
