// SPDX-License-Identifier: GPL-2.0
/*
 * The summary line of a page: the impact of the worst case on the job, how much worse that is
 * than without the fault, and the verdict.
 *
 * The sentence names the longest step of this case. Steps before the first hit are not
 * considered.
 */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tools/scenario/scenario.h"
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
	[RDMAFAULT_ACTION_BLACKHOLE] = "blackholed",
	[RDMAFAULT_ACTION_TRIM] = "trimmed",
};

#define ACTIONS (sizeof(done_to) / sizeof(*done_to))
#define UNCHANGED ACTIONS	/* kind of a hit whose action could not change the packet */

static_assert(sizeof(done_to) / sizeof(*done_to) == RDMAFAULT_ACTION_MAX + 1, "every action");

/* Return: the action of a hit, or UNCHANGED. A forged RNR NAK counts as RDMAFAULT_ACTION_NAK. */
static uint32_t hit_kind(const struct rf_event *hit)
{
	if (!rf_event_changed(hit, 0))
		return UNCHANGED;
	if (hit->action == RDMAFAULT_ACTION_RNR)
		return RDMAFAULT_ACTION_NAK;
	return hit->action < ACTIONS ? hit->action : RDMAFAULT_ACTION_OBSERVE;
}

static const char *participle(uint32_t kind)
{
	if (kind == UNCHANGED)
		return "unchanged";
	return done_to[kind] ? done_to[kind] : "observed";
}

/**
 * rf_hit_participle - get the participle for the action of a hit
 * @e: the hit
 *
 * Return: "lost", "delayed" and so on; "observed" if nothing was to be done, "unchanged" if
 * nothing could be done.
 */
const char *rf_hit_participle(const struct rf_event *e)
{
	return participle(hit_kind(e));
}

/* Append to the lead. */
__attribute__((format(printf, 2, 3)))
static void append(struct rf_summary_text *t, const char *fmt, ...)
{
	size_t n = strlen(t->lead);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(t->lead + n, sizeof(t->lead) - n, fmt, ap);
	va_end(ap);
}

/* Write one or two faults of a case, if their commands are short; otherwise name the case. */
static void say_faults(const struct rf_run_case *p, char *buf, size_t len)
{
	const struct rf_case *test_case = p->test_case;

	if (test_case->nfaults == 1 && strlen(test_case->faults->words) <= 40)
		snprintf(buf, len, "The fault \"%s\"", test_case->faults->words);
	else if (test_case->nfaults == 2 && strlen(test_case->faults[0].words) <= 40 &&
		 strlen(test_case->faults[1].words) <= 40)
		snprintf(buf, len, "The faults \"%s\" and \"%s\"", test_case->faults[0].words,
			 test_case->faults[1].words);
	else
		snprintf(buf, len, "The %s of case \"%.60s\"",
			 test_case->nfaults > 1 ? "faults" :
			 test_case->nfaults ? "fault" : "straggler", p->label);
}

/**
 * rf_end_reason - write why a rank ended
 * @end: the end of the rank
 * @until: the characters before which the error message is cut: ";" is before the place and
 *	time of the error, ":" before its details
 * @buf: filled in; the exit status if there was no error message
 * @len: size of @buf
 */
void rf_end_reason(const struct rf_rank_end *end, const char *until, char *buf, size_t len)
{
	if (end->error)
		snprintf(buf, len, "%.*s", (int)strcspn(end->error, until), end->error);
	else
		snprintf(buf, len, "status %lld", (long long)end->status);
}

/* The ranks that waited at least half of a time, which is that of the whole job */
struct waiting {
	uint64_t whole;
	uint64_t least;		/* the shortest wait of these ranks */
	uint32_t n;
};

static void add_waiting(struct waiting *w, uint64_t ns)
{
	if (ns < w->whole / 2)
		return;
	if (!w->n++ || ns < w->least)
		w->least = ns;
}

/*
 * Write which ranks waited: "all 4 ranks wait", "both ranks wait", "2 of 4 ranks wait", followed
 * by "up to" if some of them waited less than 95 % of the time. If no rank waited, write @nobody.
 */
static void say_ranks(const struct waiting *w, uint32_t ranks, const char *nobody, char *buf,
		      size_t len)
{
	const char *up_to = w->least < w->whole - w->whole / 20 ? " up to" : "";

	if (!w->n || ranks == 1)
		snprintf(buf, len, "%s", nobody);
	else if (w->n == ranks && w->n == 2)
		snprintf(buf, len, "both ranks wait%s", up_to);
	else if (w->n == ranks)
		snprintf(buf, len, "all %u ranks wait%s", ranks, up_to);
	else
		snprintf(buf, len, "%u of %u ranks wait%s", w->n, ranks, up_to);
}

/* Write which ranks waited in a step. */
static void say_step_ranks(const struct rf_run_case *p, const struct rf_worst_step *worst,
			   char *buf, size_t len)
{
	struct waiting w = { .whole = worst->over };
	const struct rf_step *s;
	uint64_t ns, clean;
	uint32_t rank;

	for (rank = 0; rank < p->an->ranks; rank++) {
		s = rf_timeline_step(&p->rec.tl, rank, worst->step);
		ns = s ? rf_step_ns(s) : 0;
		clean = p->an->rank[rank].clean.step;
		add_waiting(&w, ns > clean ? ns - clean : 0);
	}
	say_ranks(&w, p->an->ranks, "the job wait", buf, len);
}

/* Return: the total time that a rank waited in all steps */
static uint64_t waited(const struct rf_timeline *tl, uint32_t rank)
{
	const struct rf_step *s;
	uint64_t ns = 0;
	uint32_t step;

	for (step = 1; step <= tl->iters; step++) {
		s = rf_timeline_step(tl, rank, step);
		ns += s ? rf_step_wait_ns(s) : 0;
	}
	return ns;
}

/* Write which ranks waited longer than in the clean case. */
static void say_case_ranks(const struct rf_run_case *p, const struct rf_run_case *clean,
			   uint64_t whole, char *buf, size_t len)
{
	struct waiting w = { .whole = whole };
	uint64_t now, usual;
	uint32_t rank;

	for (rank = 0; rank < p->rec.tl.ranks; rank++) {
		now = waited(&p->rec.tl, rank);
		usual = waited(&clean->rec.tl, rank);
		add_waiting(&w, now > usual ? now - usual : 0);
	}
	say_ranks(&w, p->rec.tl.ranks, "the job take", buf, len);
}

/*
 * Return: a packet of the step in which the job ended that was lost and never sent again; if
 * there is none, the first that was not repaired; NULL: none
 */
static const struct rf_loss *final_loss(const struct rf_run_case *p)
{
	const struct rf_loss *l, *first = NULL;

	for (l = p->an->losses; l < p->an->losses + p->an->nhits; l++) {
		if (!rf_case_ended_by(p, l))
			continue;
		if (rf_loss_is_final(&p->rec, l))
			return l;
		if (!first)
			first = l;
	}
	return first && rf_case_is_all_hits(p) ? first : NULL;
}

/* Write which ranks waited in the step in which they failed. */
static void say_failed_ranks(const struct rf_run_case *p, uint32_t step, uint64_t ns, char *buf,
			     size_t len)
{
	struct waiting w = { .whole = ns };
	const struct rf_step *s;
	uint32_t rank;

	for (rank = 0; rank < p->rec.tl.ranks; rank++) {
		s = rf_timeline_step(&p->rec.tl, rank, step);
		add_waiting(&w, s && s->broken ? rf_step_wait_ns(s) : 0);
	}
	say_ranks(&w, p->rec.tl.ranks, "the job wait", buf, len);
}

/* Write the subject of a sentence about one hit, for example "One lost packet". */
static void say_hit(const struct rf_event *hit, char *buf, size_t len)
{
	if (rf_loss_in_blackhole(hit))
		snprintf(buf, len, "A blackhole at port %s", hit->dev);
	else
		snprintf(buf, len, "One %s packet", rf_hit_participle(hit));
}

/* Return: whether the only fault of a case drops all packets between addresses, from a time on */
static bool drops_all(const struct rf_case *test_case)
{
	const struct rf_rule_spec *spec = &test_case->faults->spec;

	return test_case->nfaults == 1 && test_case->faults->kind == RF_FAULT_RULE &&
	       spec->action[0].type == RDMAFAULT_ACTION_DROP &&
	       !(spec->match.set & ~(RF_MATCH_BIT(SADDR) | RF_MATCH_BIT(SADDR_PREFIX) |
				     RF_MATCH_BIT(DADDR) | RF_MATCH_BIT(DADDR_PREFIX) |
				     RF_MATCH_BIT(STEP_MIN) | RF_MATCH_BIT(STEP_MAX))) &&
	       !(spec->trigger.set & ~(RF_TRIGGER_BIT(FROM) | RF_TRIGGER_BIT(FOR)));
}

/*
 * If all packets of a rank were lost from @step on, write "The loss of all packets from rank 1 to
 * rank 2", or only the sender if there are several receivers. Return: false if other packets were
 * hit, too, or only one
 */
static bool say_all_lost(const struct rf_run_case *p, uint32_t step, char *buf, size_t len)
{
	const struct rf_loss *l = p->an->losses, *end = l + p->an->nhits;
	const struct rf_qp *first = l->qp;
	bool same_peer = true;

	if (!drops_all(p->test_case) || p->an->nhits < 2)
		return false;
	for (; l < end; l++) {
		if (!l->qp || l->qp->rank != first->rank || l->hit->step < step ||
		    l->hit->action != RDMAFAULT_ACTION_DROP)
			return false;
		same_peer &= l->qp->peer == first->peer;
	}
	if (same_peer)
		snprintf(buf, len, "The loss of all packets from rank %u to rank %u",
			 first->rank, first->peer);
	else
		snprintf(buf, len, "The loss of all packets from rank %u", first->rank);
	return true;
}

/* Write which packets were lost from the step on in which the job ended: "12 lost ACKs". */
static void say_last_losses(const struct rf_run_case *p, const struct rf_loss *first, char *buf,
			    size_t len)
{
	const char *done = rf_hit_participle(first->hit);
	const char *noun = first->hit->class & RDMAFAULT_CLASS_ACK ? "ACK" : "packet";
	const struct rf_loss *l;
	bool same = true;
	size_t n = 0;
	char count[32];

	for (l = p->an->losses; l < p->an->losses + p->an->nhits; l++) {
		if (l->hit->step < first->hit->step || !l->lost)
			continue;
		n++;
		if (l->hit->psn != first->hit->psn || !rf_event_same_flow(l->hit, first->hit))
			same = false;
		if (!(l->hit->class & RDMAFAULT_CLASS_ACK))
			noun = "packet";
		if (hit_kind(l->hit) != hit_kind(first->hit))
			done = "hit";
	}
	rf_fmt_count(n, count);
	if (rf_loss_is_final(&p->rec, first) || n == 1)
		say_hit(first->hit, buf, len);
	else if (same)
		snprintf(buf, len, "One %s, %s %s times,", noun, done, count);
	else
		snprintf(buf, len, "%s %s %ss", count, done, noun);
}

/* Write that the loss of a packet that was not repaired ended the job. */
static void say_final_loss(const struct rf_run_case *p, const struct rf_loss *l,
			   struct rf_summary_text *t)
{
	uint64_t ns = rf_timeline_failed_ns(&p->rec.tl, l->hit->step) - l->hit->t_ns;
	uint64_t timer = rf_case_timer_ns(p->test_case);
	char what[80], ranks[64], time[RF_FMT_LEN], why[160];
	const struct rf_rank_end *end;
	uint32_t step;
	bool all;

	end = rf_timeline_ended(&p->rec.tl, &step);
	all = say_all_lost(p, step, what, sizeof(what));
	if (!all)
		say_last_losses(p, l, what, sizeof(what));
	say_failed_ranks(p, l->hit->step, ns, ranks, sizeof(ranks));
	snprintf(t->impact, sizeof(t->impact), "%s made %s %s and ended the job.",
		 what, ranks, rf_fmt_time(ns, time));
	if (rf_loss_in_blackhole(l->hit)) {
		snprintf(t->lead, sizeof(t->lead),
			 "Case \"%.60s\": The blackhole began in step %u of %u with a packet from rank %u to rank %u, and no retransmission of it arrived.",
			 p->label, l->hit->step, p->rec.tl.iters, l->qp->rank, l->qp->peer);
		return;
	}
	if (all) {
		rf_end_reason(end, ";", why, sizeof(why));
		snprintf(t->lead, sizeof(t->lead),
			 "Case \"%.60s\": The packets were lost from step %u of %u on. Rank %td was the first to give up: %s.",
			 p->label, p->an->losses->hit->step, p->rec.tl.iters,
			 end - p->rec.tl.end, why);
		return;
	}
	if (!rf_loss_is_final(&p->rec, l)) {
		rf_end_reason(end, ";", why, sizeof(why));
		snprintf(t->lead, sizeof(t->lead),
			 "Case \"%.60s\": In step %u of %u, rank %td gave up: %s.", p->label, step,
			 p->rec.tl.iters, end - p->rec.tl.end, why);
		return;
	}
	snprintf(t->lead, sizeof(t->lead),
		 "Case \"%.60s\": In step %u of %u, a packet from rank %u to rank %u was %s and never retransmitted: %s",
		 p->label, l->hit->step, p->rec.tl.iters, l->qp->rank, l->qp->peer,
		 rf_hit_participle(l->hit), l->revealed ? "no NAK reached the sender" :
		 "no packet followed that could reveal the loss");
	if (timer > ns)
		append(t, ", and the sender's timer (%s) did not expire", rf_fmt_time(timer, time));
	rf_end_reason(end, ";:", why, sizeof(why));
	append(t, ". Rank %td gave up: %s.", end - p->rec.tl.end, why);
}

/* Append what the job had completed when it ended, and what the clean case completed. */
static void say_completed(const struct rf_run *run, const struct rf_run_case *p,
			  struct rf_summary_text *t)
{
	const struct rf_run_case *clean = rf_run_clean_job(run, p);
	uint32_t step, done = 0;
	char time[RF_FMT_LEN], usual[RF_FMT_LEN], steps[RF_THINGS_LEN];

	if (!clean || !rf_case_is_whole(clean))
		return;
	for (step = 1; step <= p->rec.tl.iters; step++)
		done += rf_timeline_whole_ns(&p->rec.tl, step) != 0;
	rf_fmt_time(rf_case_ns(clean), usual);
	if (!clean->rec.tl.iters) {
		append(t, " Without the faults, the job takes %s; with them, it ended after %s.",
		       usual, rf_fmt_time(rf_case_ns(p), time));
		return;
	}
	if (clean->rec.tl.iters == 1)
		append(t, " Without the faults, the step takes %s", usual);
	else
		append(t, " Without the faults, all %u steps take %s", clean->rec.tl.iters, usual);
	if (rf_case_ns(p))
		append(t, "; with them, the job completed %s and ended after %s.",
		       rf_fmt_things(done, "step", steps), rf_fmt_time(rf_case_ns(p), time));
	else
		append(t, "; with them, the job completed none.");
}

static void say_end(const struct rf_run *run, const struct rf_run_case *p,
		    struct rf_summary_text *t)
{
	const struct rf_timeline *tl = &p->rec.tl;
	const struct rf_loss *l;
	const struct rf_rank_end *end;
	char what[128], why[160], when[40] = "";
	uint32_t step;

	end = rf_timeline_ended(tl, &step);
	l = final_loss(p);
	if (l) {
		say_final_loss(p, l, t);
		say_completed(run, p, t);
		return;
	}
	rf_end_reason(end, ";", why, sizeof(why));
	if (step)
		snprintf(when, sizeof(when), " in step %u of %u", step, tl->iters);
	else if (tl->iters)
		snprintf(when, sizeof(when), " before its first step was complete");
	say_faults(p, what, sizeof(what));
	if (rf_case_hit_nothing(p))
		snprintf(t->impact, sizeof(t->impact), "The job of case \"%.60s\" failed%s; no fault hit a packet before.",
			 p->label, when);
	else
		snprintf(t->impact, sizeof(t->impact), "%s ended the job%s.", what, when);
	snprintf(t->lead, sizeof(t->lead), "Case \"%.60s\": Error of rank %td: %s.", p->label,
		 end - tl->end, why);
	say_completed(run, p, t);
}

/* Write how many times as long @now is as @clean: "7.3 times". */
static char *times_as_long(uint64_t now, uint64_t clean, char buf[24])
{
	double factor = (double)now / clean;

	snprintf(buf, 24, factor < 9.95 ? "%.1f times" : "%.0f times", factor);
	return buf;
}

/*
 * Append to the lead how much longer the worst step was than a clean step. Only the @first
 * comparison of the lead says what is compared.
 */
static void say_factors(const struct rf_run *run, const struct rf_run_case *p,
			const struct rf_worst_step *w, bool first, struct rf_summary_text *t)
{
	char a[RF_FMT_LEN], b[RF_FMT_LEN], c[RF_FMT_LEN], d[RF_FMT_LEN], x[24], y[24];
	const char *with = first ? " as without faults" : "";
	uint64_t now, clean;

	if (rf_case_network(run, p, w->step, &now, &clean) &&
	    now > clean + clean / 10 && now + now / RF_NOISE < w->took)
		append(t, "The network part of step %u took %s as long%s (%s instead of %s), and the whole step %s (%s instead of %s).",
		       w->step, times_as_long(now, clean, x), with, rf_fmt_time(now, a),
		       rf_fmt_time(clean, b), times_as_long(w->took, p->an->clean_ns, y),
		       rf_fmt_time(w->took, c), rf_fmt_time(p->an->clean_ns, d));
	else
		append(t, "Step %u took %s as long%s: %s instead of %s.", w->step,
		       times_as_long(w->took, p->an->clean_ns, x), with, rf_fmt_time(w->took, a),
		       rf_fmt_time(p->an->clean_ns, b));
}

/* Append to the lead how the loss was detected. */
static void say_detection(const struct rf_run_case *p, struct rf_summary_text *t)
{
	const struct rf_loss *l = rf_first_loss(p->an);
	char after[RF_FMT_LEN];

	if (!l->first || rf_record_has_holes(&p->rec))
		return;
	rf_fmt_time(l->first->t_ns - l->hit->t_ns, after);
	if (l->found == RF_DETECTED_TIMEOUT)
		append(t, " Only the sender's timer could detect the loss: it expired after %s.",
		       after);
	else if (l->found == RF_DETECTED_NAK)
		append(t, " A NAK requested the packet: it was retransmitted after %s.", after);
}

static void say_one(const struct rf_run *run, const struct rf_run_case *p,
		    struct rf_summary_text *t)
{
	char what[64], over[RF_FMT_LEN], ranks[64];
	struct rf_worst_step w;

	say_hit(p->an->losses->hit, what, sizeof(what));
	rf_case_worst_step(p, &w);
	say_step_ranks(p, &w, ranks, sizeof(ranks));
	snprintf(t->impact, sizeof(t->impact), "%s made %s %s longer in step %u.", what, ranks,
		 rf_fmt_time(w.over, over), w.step);
	snprintf(t->lead, sizeof(t->lead), "Case \"%.60s\": ", p->label);
	say_factors(run, p, &w, true, t);
	say_detection(p, t);
}

/* Write how many packets were hit, for example "1,001 hit packets (1 lost, 1,000 marked)". */
static void say_packets(const struct rf_analysis *an, char *buf, size_t len)
{
	const char *done = rf_hit_participle(an->losses->hit);
	size_t count[UNCHANGED + 1] = { }, i, at = 0;
	char n[RF_THINGS_LEN], parts[160] = "", noun[RF_FMT_LEN];
	bool cnps = true;

	for (i = 0; i < an->nhits; i++) {
		count[hit_kind(an->losses[i].hit)]++;
		cnps &= an->losses[i].hit->class == RDMAFAULT_CLASS_CNP;
	}
	for (i = 0; i <= UNCHANGED && at < sizeof(parts); i++)
		if (count[i])
			at += snprintf(parts + at, sizeof(parts) - at, "%s%s %s",
				       at ? ", " : "", rf_fmt_count(count[i], n),
				       participle(i));
	snprintf(noun, sizeof(noun), "%s %s", done, cnps ? "CNP" : "packet");
	if (count[RDMAFAULT_ACTION_BLACKHOLE] == an->nhits && an->nhits > 1)
		snprintf(buf, len, "%s blackholes", rf_fmt_count(an->nhits, n));
	else if (count[RDMAFAULT_ACTION_BLACKHOLE] == an->nhits)
		say_hit(an->losses->hit, buf, len);
	else if (count[hit_kind(an->losses->hit)] == an->nhits)
		snprintf(buf, len, "%s", rf_fmt_things(an->nhits, noun, n));
	else
		snprintf(buf, len, "%s hit packets (%s)",
			 rf_fmt_count(an->nhits, n), parts);
}

static uint64_t port_drops(const struct rf_port_tally *port)
{
	uint64_t n = 0;
	size_t prio;

	for (prio = 0; prio < RDMAFAULT_PRIOS; prio++)
		n += port->prio[prio].dropped;
	return n;
}

/* Return: how many packets queues dropped, on all ports; @most is set to the port with the most */
static uint64_t queue_drops(const struct rf_record *rec, const struct rf_port_tally **most)
{
	const struct rf_port_tally *port;
	uint64_t all = 0;

	*most = NULL;
	for (port = rec->ports; port < rec->ports + rec->nports; port++) {
		all += port_drops(port);
		if (port_drops(port) && (!*most || port_drops(port) > port_drops(*most)))
			*most = port;
	}
	return all;
}

/* Return: whether the watchdog of a port dropped the packets of a paused priority */
static bool watchdog_dropped(const struct rf_events *ev, const char *netdev)
{
	const struct rf_event *e;

	for (e = ev->e; e < ev->e + ev->n; e++)
		if (e->kind == RF_EVENT_WATCHDOG && !strcmp(e->dev, netdev) &&
		    e->action == RDMAFAULT_WATCHDOG_ACTION_DROP)
			return true;
	return false;
}

#define FAULTS_NAMED 4	/* the most faults of which the shares are listed */
#define PORTS_NAMED 4	/* the most ports of which the drops are listed */

/*
 * Append which ports dropped packets, and how many each: "Ports p1 (317), p2 (225) dropped them. "
 * Of many ports, only the one with the most drops is named.
 */
static void say_drops(const struct rf_run_case *p, const struct rf_port_tally *most, char *buf,
		      size_t len)
{
	const struct rf_record *rec = &p->rec;
	uint64_t all = queue_drops(rec, &most);
	const struct rf_port_tally *port;
	char list[160] = "", n[32], other[RF_THINGS_LEN];
	size_t ports = 0, at = 0, used = strlen(buf);

	buf += used;
	len -= used;
	for (port = rec->ports; port < rec->ports + rec->nports; port++) {
		if (!port_drops(port))
			continue;
		if (ports++ < PORTS_NAMED)
			at += snprintf(list + at, sizeof(list) - at, "%s%s (%s)", at ? ", " : "",
				       port->netdev, rf_fmt_count(port_drops(port), n));
	}
	if (ports == 1)
		snprintf(buf, len, "%s %s dropped %s. ",
			 watchdog_dropped(&rec->ev, most->netdev) ? "The watchdog of port" : "Port",
			 most->netdev, all == 1 ? "it" : "them");
	else if (ports <= PORTS_NAMED)
		snprintf(buf, len, "Ports %s dropped them. ", list);
	else
		snprintf(buf, len, "Port %s dropped %s of them, and %s the rest. ", most->netdev,
			 rf_fmt_count(port_drops(most), n),
			 rf_fmt_things(ports - 1, "other port", other));
}

/* Append how long the priority that was paused longest was paused in the case. */
static void say_pause(const struct rf_run_case *p, char *buf, size_t len)
{
	const struct rf_port_tally *port = NULL;
	const struct rf_prio_tally *t = rf_most_paused(&p->rec, &port);
	char time[RF_FMT_LEN];
	size_t n = strlen(buf);

	if (t)
		snprintf(buf + n, len - n, "Priority %td of port %s was paused for %s in total%s. ",
			 t - port->prio, port->netdev, rf_fmt_time(t->paused_ns, time),
			 rf_pause_period(p));
}

/*
 * Write why the sender's timer expired. The delays of the links are known, so the round trip takes
 * at least as long.
 */
static void say_timer(const struct rf_run *run, const struct rf_run_case *p, char *buf, size_t len)
{
	uint64_t timer = rf_case_timer_ns(p->test_case);
	uint64_t trip = rf_case_round_trip_ns(run->scenario, p->test_case);
	char n[RF_THINGS_LEN], time[RF_FMT_LEN], least[RF_FMT_LEN];

	rf_fmt_things(p->an->measure[RF_TIMEOUTS], "time", n);
	if (!timer)
		snprintf(buf, len, "The sender's timer expired %s.", n);
	else if (trip >= timer)
		snprintf(buf, len, "The sender's timer (%s) expired %s: it is shorter than the round trip (at least %s).",
			 rf_fmt_time(timer, time), n, rf_fmt_time(trip, least));
	else
		snprintf(buf, len, "The sender's timer (%s) expired %s: it can be shorter than the round trip.",
			 rf_fmt_time(timer, time), n);
}

/* Write that packets were retransmitted although none was lost, and why. */
static void say_needless(const struct rf_run *run, const struct rf_run_case *p, char *buf,
			 size_t len)
{
	uint64_t again = p->an->measure[RF_RETRANSMITTED];
	char n[RF_THINGS_LEN], timer[160] = "";

	if (p->an->measure[RF_TIMEOUTS])
		say_timer(run, p, timer, sizeof(timer));
	snprintf(buf, len, "%s %s retransmitted although none was lost. %s%s",
		 rf_fmt_things(again, "packet", n), again == 1 ? "was" : "were", timer,
		 *timer ? " " : "");
}

/*
 * Write what happened to packets and ports: @what is the subject of the first sentence, and
 * @detail are further sentences. Drops of queues are only named if packets were retransmitted,
 * because they can be packets of background traffic.
 */
static void say_cause(const struct rf_run *run, const struct rf_run_case *p, char *what,
		      size_t len, char *detail, size_t detail_len)
{
	const struct rf_port_tally *port = NULL, *most;
	uint64_t drops = queue_drops(&p->rec, &most);
	char n[RF_THINGS_LEN];

	detail[0] = '\0';
	if (p->an->nhits && rf_case_is_all_hits(p)) {
		say_packets(p->an, what, len);
	} else if (!p->an->nhits && drops && p->an->measure[RF_RETRANSMITTED]) {
		if (p->test_case->nfaults > 1) {
			say_faults(p, what, len);
			snprintf(detail, detail_len, "%s %s lost. ",
				 rf_fmt_things(drops, "packet", n), drops == 1 ? "was" : "were");
		} else {
			snprintf(what, len, "%s", rf_fmt_things(drops, "lost packet", n));
		}
		say_drops(p, most, detail, detail_len);
		say_pause(p, detail, detail_len);
	} else if (!p->an->nhits && !drops && rf_most_paused(&p->rec, &port)) {
		snprintf(what, len, "Pauses of port %s", port->netdev);
		snprintf(detail, detail_len, "No packet was lost. ");
		say_pause(p, detail, detail_len);
	} else {
		say_faults(p, what, len);
		if (!p->an->nlosses && !drops && p->an->measure[RF_RETRANSMITTED] && !p->an->holes)
			say_needless(run, p, detail, detail_len);
	}
}

/*
 * Append how long all steps took, compared with the clean case. Only the @first comparison of
 * the lead says what is compared.
 */
static void say_all_steps(const struct rf_run_case *p, const struct rf_run_case *clean, bool first,
			  struct rf_summary_text *t)
{
	uint64_t now = rf_case_ns(p), usual = rf_case_ns(clean);
	char a[RF_FMT_LEN], b[RF_FMT_LEN], more[64], x[24];

	if (now < usual + usual / 2)
		snprintf(more, sizeof(more), "%.0f %% longer%s", 100.0 * (now - usual) / usual,
			 first ? " than without faults" : "");
	else
		snprintf(more, sizeof(more), "%s as long%s", times_as_long(now, usual, x),
			 first ? " as without faults" : "");
	if (!p->rec.tl.iters)
		append(t, "The job took %s (%s instead of %s).", more, rf_fmt_time(now, a),
		       rf_fmt_time(usual, b));
	else if (p->rec.tl.iters == 1)
		append(t, "The only step took %s (%s instead of %s).", more, rf_fmt_time(now, a),
		       rf_fmt_time(usual, b));
	else
		append(t, "All %u steps together took %s (%s instead of %s).", p->rec.tl.iters, more,
		       rf_fmt_time(now, a), rf_fmt_time(usual, b));
}

/* Append which share of the lost time each of several faults has. */
static void say_shares(const struct rf_run_case *p, struct rf_summary_text *t)
{
	const struct rf_case *test_case = p->test_case;
	const char *why = rf_record_has_holes(&p->rec) ? "" : NULL;
	struct rf_lost_time lost = { };
	char name[48];
	size_t i;

	if (!why && test_case->nfaults > 1 && test_case->nfaults <= FAULTS_NAMED)
		why = rf_lost_time(p, &lost);
	if (!why && lost.total_ns) {
		append(t, " Shares of the lost time:");
		for (i = 0; i < test_case->nfaults; i++)
			append(t, " fault %zu (%s) %.0f %%,", i + 1,
			       rf_fault_name(&test_case->faults[i], name, sizeof(name)),
			       100 * lost.cause_ns[i] / lost.total_ns);
		append(t, " unexplained %.0f %%.", 100 * lost.unexplained_ns / lost.total_ns);
	}
	rf_lost_time_free(&lost);
}

static void say_many(const struct rf_run *run, const struct rf_run_case *p,
		     struct rf_summary_text *t)
{
	const struct rf_run_case *clean = rf_run_clean_job(run, p);
	char what[224], detail[320], ranks[64], over[RF_FMT_LEN];
	uint64_t whole = rf_case_whole_impact_ns(run, p);
	struct rf_worst_step w;
	bool worst = rf_case_worst_step(p, &w);

	say_cause(run, p, what, sizeof(what), detail, sizeof(detail));
	snprintf(t->lead, sizeof(t->lead), "Case \"%.60s\": %s", p->label, detail);
	if (worst && w.over > (p->test_case->nfaults > 1 ? whole - whole / 10 : whole / 2)) {
		say_step_ranks(p, &w, ranks, sizeof(ranks));
		snprintf(t->impact, sizeof(t->impact), "%s made %s %s longer in step %u.",
			 what, ranks, rf_fmt_time(w.over, over), w.step);
		say_factors(run, p, &w, true, t);
		if (whole) {
			append(t, " ");
			say_all_steps(p, clean, false, t);
		}
		say_shares(p, t);
		return;
	}
	say_case_ranks(p, clean, whole, ranks, sizeof(ranks));
	snprintf(t->impact, sizeof(t->impact), "%s made %s %s longer.", what, ranks,
		 rf_fmt_time(whole, over));
	say_all_steps(p, clean, true, t);
	if (worst) {
		append(t, " ");
		say_factors(run, p, &w, false, t);
	}
	say_shares(p, t);
}

/* Write that no fault hit a packet. Return: false if one did, or can have had another effect */
static bool say_no_hit(const struct rf_run *run, struct rf_summary_text *t)
{
	const struct rf_run_case *p, *first = NULL;
	const char *why;
	char what[128];
	size_t n = 0;

	for (p = run->cases; p < run->cases + run->ncases; p++) {
		if (rf_case_is_clean(p->test_case))
			continue;
		if (!rf_case_hit_nothing(p))
			return false;
		first = first ? first : p;
		n++;
	}
	snprintf(what, sizeof(what), "The faults");
	if (n == 1)
		say_faults(first, what, sizeof(what));
	snprintf(t->impact, sizeof(t->impact), "%s hit no packet.", what);
	why = first ? first->an->unhit : NULL;
	if (why)
		snprintf(t->lead, sizeof(t->lead), "Case \"%.60s\": %s.", first->label, why);
	return true;
}

/*
 * Between other machines, the time of the command does not show the cost of a fault. Write how many
 * packets they retransmitted in the case with the most. Return: false if they retransmitted none
 */
static bool say_retransmitted_by_others(const struct rf_run *run, struct rf_summary_text *t)
{
	const struct rf_run_case *p, *most = NULL;
	char what[128], n[RF_THINGS_LEN], naks[RF_THINGS_LEN], timeouts[RF_THINGS_LEN];
	uint64_t packets = 0;

	for (p = run->cases; p < run->cases + run->ncases; p++)
		if (p->rec.remote && !rf_case_is_clean(p->test_case) &&
		    p->an->measure[RF_RETRANSMITTED] > packets) {
			packets = p->an->measure[RF_RETRANSMITTED];
			most = p;
		}
	if (!most)
		return false;
	say_faults(most, what, sizeof(what));
	snprintf(t->impact, sizeof(t->impact), "%s made the other machines retransmit %s.", what,
		 rf_fmt_things(packets, "packet", n));
	snprintf(t->lead, sizeof(t->lead), "Case \"%.60s\": %s, %s.", most->label,
		 rf_fmt_things(most->an->measure[RF_NAKS], "NAK", naks),
		 rf_fmt_things(most->an->measure[RF_TIMEOUTS], "timeout", timeouts));
	return true;
}

/*
 * Write that the faults hit no packet or cost the job no time, or that the impact of a case is
 * not known.
 */
static void say_none(const struct rf_run *run, struct rf_summary_text *t)
{
	const struct rf_run_case *p;
	const char *why_not;

	if (say_no_hit(run, t) || say_retransmitted_by_others(run, t))
		return;
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
	snprintf(t->lead, sizeof(t->lead), "%s took as long as without faults.",
		 run->cases[0].rec.tl.iters ? "Steps" : "The job");
}

/*
 * Write that a job without faults ended early. @others: for a reason that the other cases can have,
 * too, so that they show more than the effect of their faults
 */
static void say_failed_clean(const struct rf_run *run, const struct rf_run_case *p, bool others,
			     struct rf_summary_text *t)
{
	const struct rf_rank_end *end;
	char why[160], when[40] = "";
	uint32_t step;

	end = rf_timeline_ended(&p->rec.tl, &step);
	if (step)
		snprintf(when, sizeof(when), " in step %u of %u", step, p->rec.tl.iters);
	rf_end_reason(end, ";", why, sizeof(why));
	snprintf(t->impact, sizeof(t->impact), "The job of case \"%.60s\" failed%s without a fault.",
		 p->label, when);
	snprintf(t->lead, sizeof(t->lead), "Error of rank %td: %s.", end - p->rec.tl.end, why);
	if (others && run->ncases > run->rounds)
		append(t, " What other cases show is therefore not only the effect of their faults.");
}

/* Write that packets were retransmitted although none was lost. Return: false if none was. */
static bool say_retransmitted_without_loss(const struct rf_run *run, struct rf_summary_text *t)
{
	const struct rf_port_tally *most;
	const struct rf_run_case *p;
	char n[RF_THINGS_LEN];

	for (p = run->cases; p < run->cases + run->ncases; p++) {
		if (!p->an->measure[RF_RETRANSMITTED] || p->an->holes)
			continue;
		snprintf(t->impact, sizeof(t->impact),
			 "Case \"%.60s\": %s %s retransmitted although %s.",
			 p->label, rf_fmt_things(p->an->measure[RF_RETRANSMITTED], "packet", n),
			 p->an->measure[RF_RETRANSMITTED] == 1 ? "was" : "were",
			 queue_drops(&p->rec, &most) ? "no fault took one away" : "none was lost");
		if (rf_case_is_balanced(p->test_case) && p->an->measure[RF_NAKS])
			snprintf(t->lead, sizeof(t->lead),
				 "Packets took several uplinks (balance %.40s), and some overtook others: the receivers sent %s.",
				 p->test_case->balance, rf_fmt_things(p->an->measure[RF_NAKS], "NAK", n));
		else if (p->an->measure[RF_TIMEOUTS])
			say_timer(run, p, t->lead, sizeof(t->lead));
		return true;
	}
	return false;
}

#define UNEVEN 1.3	/* the max-mean ratio of uplinks that are worth one */

/* Write which pairs of ranks use the busiest uplink. @join: the words before further ones */
static void say_users(const struct rf_run *run, const struct rf_run_case *p,
		      const struct rf_workload *w, const struct rf_timeline *tl,
		      const char *uplink, const char **join, struct rf_summary_text *t)
{
	struct rf_pairs pairs;
	char *text;

	if (!rf_flow_pairs(run->scenario, p->test_case, w, tl, uplink, &pairs))
		return;
	text = rf_pairs_text(&pairs, 0);
	if (text)
		append(t, "%s ranks %s%s%s", *join ? *join : " It carries the data of", text,
		       w->name ? " of job " : "", w->name ? w->name : "");
	free(text);
	*join = " and";
}

static void say_busiest_uplink(const struct rf_run *run, const struct rf_run_case *p,
			       struct rf_summary_text *t)
{
	const char *join = NULL;
	struct rf_uplinks u;
	size_t i;

	if (rf_uplinks(run, p, &u) || u.mmr <= UNEVEN)
		return;
	append(t, "Uplink %s sent %.1f times the mean of the uplinks of its leaf.", u.busiest, u.mmr);
	say_users(run, p, &p->test_case->workload, &p->rec.tl, u.busiest, &join, t);
	for (i = 0; i < p->rec.nothers; i++)
		say_users(run, p, &p->test_case->others[i].workload, &p->rec.others[i].tl,
			  u.busiest, &join, t);
	if (join)
		append(t, ".");
}

/* If ports were paused in one of two cases more often than in the other one, write how often. */
static void say_pauses(const struct rf_run *run, const struct rf_run_case *p,
		       struct rf_summary_text *t)
{
	double before = rf_metric(run, run->cases, "pause.count");
	double now = rf_metric(run, p, "pause.count");

	if (!isnan(before) && !isnan(now) && before != now)
		append(t, "%sPorts were paused %.0f times in \"%.60s\", and %.0f times in \"%.60s\".",
		       *t->lead ? " " : "", before, run->cases->label, now, p->label);
}

/*
 * Write which case without a fault was slowest, if it was slower than the first case, and whether
 * it used its uplinks unevenly. Return: false if none was slower
 */
static bool say_slowest(const struct rf_run *run, struct rf_summary_text *t)
{
	const struct rf_run_case *slowest = rf_run_slowest(run);
	char step[RF_FMT_LEN];
	uint64_t most;

	if (!slowest)
		return false;
	most = rf_case_step_ns(slowest);
	snprintf(t->impact, sizeof(t->impact),
		 "Case \"%.60s\": a step took %s (median), %.1f times as long as in \"%.60s\".",
		 slowest->label, rf_fmt_time(most, step),
		 (double)most / rf_case_step_ns(run->cases), run->cases->label);
	say_busiest_uplink(run, slowest, t);
	say_pauses(run, slowest, t);
	return true;
}

static void say_no_faults(const struct rf_run *run, struct rf_summary_text *t)
{
	char clean[RF_FMT_LEN];

	if (say_slowest(run, t) || say_retransmitted_without_loss(run, t))
		return;
	snprintf(t->impact, sizeof(t->impact), "The job ran without a fault.");
	if (run->ncases && run->cases->an->clean_ns)
		snprintf(t->lead, sizeof(t->lead), "A step took %s (median).",
			 rf_fmt_time(run->cases->an->clean_ns, clean));
}

/* Write that another job than the first one of a case failed. Return: false if none did */
static bool say_failed_other(const struct rf_run *run, struct rf_summary_text *t)
{
	const struct rf_run_case *p;
	const char *why;
	uint32_t rank;
	size_t i;

	for (p = run->cases; p < run->cases + run->ncases; p++)
		for (i = 0; i < p->rec.nothers; i++) {
			why = rf_timeline_unfinished(&p->rec.others[i].tl, &rank);
			if (!why)
				continue;
			snprintf(t->impact, sizeof(t->impact), "Job %s of case \"%.60s\" failed.",
				 p->others[i].label, p->label);
			snprintf(t->lead, sizeof(t->lead), "Error of rank %u of job %s: %s.", rank,
				 p->others[i].label, why);
			return true;
		}
	return false;
}

/* Write a sentence first; what it cost follows. */
static void say_first(const char *sentence, struct rf_summary_text *t)
{
	struct rf_summary_text rest = *t;

	snprintf(t->impact, sizeof(t->impact), "%s", sentence);
	snprintf(t->lead, sizeof(t->lead), "%s", rest.impact);
	if (*rest.lead)
		append(t, " %s", rest.lead);
}

/* If the jobs have names, write which one the ranks and steps of the summary are of. */
static void say_job(const struct rf_run_case *p, struct rf_summary_text *t)
{
	const char *name = p->test_case->workload.name;

	if (name)
		append(t, "%sRanks and steps are those of job %s.", *t->lead ? " " : "", name);
}

/* @deadlock: a case had a deadlock, which another sentence names */
static void say_impact(const struct rf_run *run, bool deadlock, struct rf_summary_text *t)
{
	const struct rf_run_case *p = rf_run_worst(run);
	char part[120];

	if ((!p || !rf_case_has_ended(p)) && say_failed_other(run, t))
		return;
	if (!p)
		say_no_faults(run, t);
	else if (rf_case_is_clean(p->test_case))
		say_failed_clean(run, p, !deadlock, t);
	else if (rf_case_has_ended(p))
		say_end(run, p, t);
	else if (!rf_case_impact_ns(run, p))
		say_none(run, t);
	else if (rf_case_is_one_packet(p))
		say_one(run, p, t);
	else
		say_many(run, p, t);
	if (p && *rf_case_partition_text(p, part, sizeof(part)))
		append(t, "%s%s", *t->lead ? " " : "", part);
	if (run->ncases)
		say_job(p ? p : run->cases, t);
}

/* Write how many expectations were not met, and how many reasons of a failure are none. */
static void say_not_met(const struct rf_run *run, char *buf, size_t len)
{
	size_t others, missed = rf_run_not_met(run, &others), i;
	char n[RF_THINGS_LEN];

	if (!missed) {
		snprintf(buf, len, "The run failed.");
		return;
	}
	i = snprintf(buf, len, "%s %s not met%s", rf_fmt_things(missed, "expectation", n),
		     missed == 1 ? "was" : "were", others ? "" : ".");
	if (others)
		snprintf(buf + i, len - i, "; the run failed for %s, too.",
			 rf_fmt_things(others, "other reason", n));
}

/**
 * rf_summarize - write the parts of the summary line
 * @run: the run, with the verdicts of its cases
 * @t: filled in: the largest impact, its size compared with the clean case, the verdict
 */
void rf_summarize(const struct rf_run *run, struct rf_summary_text *t)
{
	char cases[RF_THINGS_LEN], first[320];
	bool deadlock;

	*t = (struct rf_summary_text){ };
	deadlock = rf_say_deadlock(run, first, sizeof(first));
	say_impact(run, deadlock, t);
	if (deadlock)
		say_first(first, t);
	rf_fmt_things(run->ncases, "case", cases);
	if (run->verdict == RF_VERDICT_PASS)
		snprintf(t->verdict, sizeof(t->verdict), run->ncases == 1 ?
			 "The case met its expectations." :
			 "All %s met their expectations.", cases);
	else if (run->verdict == RF_VERDICT_FAIL)
		say_not_met(run, t->verdict, sizeof(t->verdict));
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

