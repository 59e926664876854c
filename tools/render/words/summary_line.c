// SPDX-License-Identifier: GPL-2.0
/*
 * The summary line of a page: the impact of the worst case on the job, how much worse that is
 * than without the fault, and the verdict.
 *
 * The sentence names the longest step of this case. Steps before the first hit are not
 * considered.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/scenario/program.h"
#include "units.h"
#include "words.h"

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

/* Copy the error without the place and time, which follow a semicolon. */
static void say_reason(const struct rf_rank_end *end, char *buf, size_t len)
{
	if (end->error)
		snprintf(buf, len, "%.*s", (int)strcspn(end->error, ";"),
			 end->error);
	else
		snprintf(buf, len, "status %lld", (long long)end->status);
}

static void say_end(const struct rf_run_case *p, struct rf_summary_text *t)
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
	snprintf(t->impact, sizeof(t->impact), "The faults of case \"%.60s\" ended the job%s.",
		 p->label, when);
	snprintf(t->lead, sizeof(t->lead), "Error of rank %td: %s.", end - tl->end, why);
}

/* Write how many ranks waited in a step: "all 4 ranks", "2 of 4 ranks". */
static void say_ranks(const struct rf_run_case *p, const struct rf_worst_step *w, char *buf,
		      size_t len)
{
	const struct rf_step *s;
	uint32_t rank, n = 0;

	for (rank = 0; rank < p->an->ranks; rank++) {
		s = rf_timeline_step(&p->rec.tl, rank, w->step);
		n += s && rf_step_ns(s) >= p->an->rank[rank].clean.step + w->over / 2;
	}
	if (!n)
		snprintf(buf, len, "the job");
	else if (n == p->an->ranks)
		snprintf(buf, len, "all %u ranks", n);
	else
		snprintf(buf, len, "%u of %u ranks", n, p->an->ranks);
}

/* Write how many times as long @now is as @clean: "7.3 times". */
static char *times(uint64_t now, uint64_t clean, char buf[24])
{
	double factor = (double)now / clean;

	snprintf(buf, 24, factor < 9.95 ? "%.1f times" : "%.0f times", factor);
	return buf;
}

/* Append to the lead how much longer the worst step was than a clean step. */
static void say_factors(const struct rf_run *run, const struct rf_run_case *p,
			const struct rf_worst_step *w, struct rf_summary_text *t)
{
	char a[RF_FMT_LEN], b[RF_FMT_LEN], c[RF_FMT_LEN], d[RF_FMT_LEN], x[24], y[24];
	size_t n = strlen(t->lead);
	uint64_t now, clean;

	if (rf_case_network(run, p, w->step, &now, &clean) &&
	    now > clean + clean / 10 && now + now / RF_NOISE < w->took)
		snprintf(t->lead + n, sizeof(t->lead) - n,
			 "The network part of step %u took %s as long (%s instead of %s), and the whole step %s (%s instead of %s).",
			 w->step, times(now, clean, x), rf_fmt_time(now, a), rf_fmt_time(clean, b),
			 times(w->took, p->an->clean_ns, y), rf_fmt_time(w->took, c),
			 rf_fmt_time(p->an->clean_ns, d));
	else
		snprintf(t->lead + n, sizeof(t->lead) - n,
			 "Step %u took %s as long: %s instead of %s.",
			 w->step, times(w->took, p->an->clean_ns, x), rf_fmt_time(w->took, a),
			 rf_fmt_time(p->an->clean_ns, b));
}

/* Append to the lead how the loss was detected. */
static void say_detection(const struct rf_run_case *p, struct rf_summary_text *t)
{
	const struct rf_loss *l = p->an->losses;
	size_t n = strlen(t->lead);
	char after[RF_FMT_LEN];

	if (!l->first || rf_record_has_holes(&p->rec))
		return;
	rf_fmt_time(l->first->t_ns - l->hit->t_ns, after);
	if (l->found == RF_DETECTED_TIMEOUT)
		snprintf(t->lead + n, sizeof(t->lead) - n,
			 " Only the sender's timer could detect the loss: it expired after %s.",
			 after);
	else if (l->found == RF_DETECTED_NAK)
		snprintf(t->lead + n, sizeof(t->lead) - n,
			 " A NAK requested the packet: it was retransmitted after %s.", after);
}

static void say_one(const struct rf_run *run, const struct rf_run_case *p,
		    struct rf_summary_text *t)
{
	bool all;
	char over[RF_FMT_LEN], ranks[64];
	struct rf_worst_step w;

	rf_case_worst_step(p, &w);
	all = w.over_every_rank * 2 >= w.over;
	say_ranks(p, &w, ranks, sizeof(ranks));
	snprintf(t->impact, sizeof(t->impact), "One %s packet made %s wait %s%s longer.",
		 rf_hit_participle(p->an->losses->hit), ranks, all ? "at least " : "",
		 rf_fmt_time(all ? w.over_every_rank : w.over, over));
	snprintf(t->lead, sizeof(t->lead), "Case \"%.60s\": ", p->label);
	say_factors(run, p, &w, t);
	say_detection(p, t);
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
		     struct rf_summary_text *t)
{
	const struct rf_run_case *clean = rf_run_clean_job(run, p);
	char now[RF_FMT_LEN], usual[RF_FMT_LEN], packets[224], ranks[64], over[RF_FMT_LEN], x[24];
	uint64_t whole = rf_case_whole_impact_ns(run, p);
	struct rf_worst_step w;
	bool worst = rf_case_worst_step(p, &w);
	size_t n;

	if (p->an->nlosses && rf_case_is_all_hits(p))
		say_packets(p->an, packets, sizeof(packets));
	else
		snprintf(packets, sizeof(packets), "The %s of case \"%.60s\"",
			 p->kase->nfaults ? "faults" : "straggler", p->label);
	snprintf(t->lead, sizeof(t->lead), "Case \"%.60s\": ", p->label);
	n = strlen(t->lead);
	if (worst && (!whole || w.over > whole / 2)) {
		say_ranks(p, &w, ranks, sizeof(ranks));
		snprintf(t->impact, sizeof(t->impact), "%s made %s wait %s longer in step %u.",
			 packets, ranks, rf_fmt_time(w.over, over), w.step);
		say_factors(run, p, &w, t);
		n = strlen(t->lead);
		if (whole)
			snprintf(t->lead + n, sizeof(t->lead) - n,
				 " All %u steps together took %s instead of %s.", p->rec.tl.iters,
				 rf_fmt_time(rf_case_ns(p), now),
				 rf_fmt_time(rf_case_ns(clean), usual));
		return;
	}
	if (whole < rf_case_ns(clean) / 2)
		snprintf(t->impact, sizeof(t->impact), "%s made the job take %s longer (%.0f %%).",
			 packets, rf_fmt_time(whole, over), 100.0 * whole / rf_case_ns(clean));
	else
		snprintf(t->impact, sizeof(t->impact), "%s made the job take %s as long.",
			 packets, times(rf_case_ns(p), rf_case_ns(clean), x));
	snprintf(t->lead + n, sizeof(t->lead) - n, "all %u steps together took %s instead of %s.",
		 p->rec.tl.iters, rf_fmt_time(rf_case_ns(p), now),
		 rf_fmt_time(rf_case_ns(clean), usual));
	if (!worst)
		return;
	n = strlen(t->lead);
	snprintf(t->lead + n, sizeof(t->lead) - n, " ");
	say_factors(run, p, &w, t);
}

/* Write that the faults cost the job no time, or that the impact of a case is not known. */
static void say_none(const struct rf_run *run, struct rf_summary_text *t)
{
	const struct rf_run_case *p;
	const char *why_not;

	for (p = run->cases; p < run->cases + run->ncases; p++) {
		why_not = rf_case_impact_why_not(run, p);
		if (!why_not)
			continue;
		snprintf(t->impact, sizeof(t->impact), "The cost of \"%.60s\" is not known.",
			 p->label);
		snprintf(t->lead, sizeof(t->lead), "Reason: %s.", why_not);
		return;
	}
	snprintf(t->impact, sizeof(t->impact), "The faults cost the job no time.");
	snprintf(t->lead, sizeof(t->lead), "Steps took as long as without faults.");
}

static void say_impact(const struct rf_run *run, struct rf_summary_text *t)
{
	const struct rf_run_case *p = rf_run_worst(run);
	char clean[RF_FMT_LEN];

	if (!p)
		snprintf(t->impact, sizeof(t->impact), "No faults.");
	if (!p && run->ncases && run->cases->an->clean_ns)
		snprintf(t->lead, sizeof(t->lead), "A step took %s (median).",
			 rf_fmt_time(run->cases->an->clean_ns, clean));
	if (!p)
		return;
	if (rf_case_has_ended(p))
		say_end(p, t);
	else if (!rf_case_impact_ns(run, p))
		say_none(run, t);
	else if (rf_case_is_one_packet(p))
		say_one(run, p, t);
	else
		say_many(run, p, t);
}

static size_t not_met(const struct rf_run *run)
{
	size_t n = run->differs[0] ? 1 : 0, i;

	for (i = 0; i < run->ncases; i++)
		n += run->cases[i].nreasons;
	return n;
}

/**
 * rf_summarize - write the parts of the summary line
 * @run: the run, with the verdicts of its cases
 * @t: filled in: the largest impact, its size compared with the clean case, the verdict
 */
void rf_summarize(const struct rf_run *run, struct rf_summary_text *t)
{
	size_t n = not_met(run);
	char cases[64];

	*t = (struct rf_summary_text){ };
	say_impact(run, t);
	snprintf(cases, sizeof(cases), "%zu case%s", run->ncases,
		 run->ncases == 1 ? "" : "s");
	if (run->verdict == RF_VERDICT_PASS)
		snprintf(t->verdict, sizeof(t->verdict), run->ncases == 1 ?
			 "The case met its expectations." :
			 "All %s met their expectations.", cases);
	else if (run->verdict == RF_VERDICT_FAIL)
		snprintf(t->verdict, sizeof(t->verdict),
			 "%zu expectation%s %s not met.", n,
			 n == 1 ? "" : "s", n == 1 ? "was" : "were");
	else
		snprintf(t->verdict, sizeof(t->verdict),
			 "The verdict after %s is \"%s\": values that depend on missing cases or events are not valid.",
			 cases, rf_verdict_name(run->verdict));
}

/**
 * rf_summary_line - write the summary line as one text
 * @run: the run, with the verdicts of its cases
 * @buf: output buffer
 * @len: size of @buf
 *
 * Return: @buf.
 */
char *rf_summary_line(const struct rf_run *run, char *buf, size_t len)
{
	struct rf_summary_text t;

	rf_summarize(run, &t);
	snprintf(buf, len, "%s%s%s %s", t.impact, *t.lead ? " " : "", t.lead, t.verdict);
	return buf;
}

