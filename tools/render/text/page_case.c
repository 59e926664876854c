// SPDX-License-Identifier: GPL-2.0
/*
 * A faulted case in detail: the packet, the events from its loss to its repair, all step
 * times, the time of each rank in the step of the hit, the cost.
 */
#include <arpa/inet.h>
#include <math.h>
#include <string.h>

#include "page.h"
#include "tools/analysis/analysis.h"
#include "tools/render/words/words.h"
#include "units.h"

#define INDENT 16

static void put_loss_flow(FILE *f, const struct rf_loss *l, bool remote)
{
	char from[INET6_ADDRSTRLEN], to[INET6_ADDRSTRLEN], text[256], ranks[96];

	snprintf(ranks, sizeof(ranks), "not a known queue pair of the job");
	if (remote)
		snprintf(ranks, sizeof(ranks), "to QP %u", l->hit->qp);
	if (l->qp)
		snprintf(ranks, sizeof(ranks), "rank %u's QP %u to rank %u's QP %u",
			 l->qp->rank, l->qp->qpn, l->qp->peer, l->hit->qp);
	snprintf(text, sizeof(text), "%s → %s, %s, %s at port %s",
		 rf_event_addr(l->hit, l->hit->saddr, from, sizeof(from)),
		 rf_event_addr(l->hit, l->hit->daddr, to, sizeof(to)), ranks,
		 l->hit->dir == RDMAFAULT_DIRECTION_TX ? "leaving" : "arriving",
		 l->hit->dev);
	rf_text_wrap(f, "  flow", INDENT, text);
}

static void put_lost_packet(FILE *f, const struct rf_loss *l)
{
	char text[256], at[48];

	rf_event_place(l->hit, at);
	snprintf(text, sizeof(text),
		 "PSN 0x%06x (first PSN of the flow + %u), %s (0x%02x)%s%s, %u bytes with the IP header",
		 l->hit->psn, l->hit->psn_rel, rf_event_opcode(l->hit), l->hit->opcode,
		 *at ? ", " : "", at, l->hit->len);
	rf_text_wrap(f, "  packet", INDENT, text);
	if (l->hit->step)
		snprintf(text, sizeof(text), "step %u, attempt %u", l->hit->step, l->hit->attempt);
	else
		snprintf(text, sizeof(text), "attempt %u", l->hit->attempt);
	rf_text_wrap(f, "  when", INDENT, text);
}

static void put_moment_line(FILE *f, const struct rf_loss *l,
			    const struct rf_event *e, const char *text)
{
	char after[RF_FMT_LEN], head[64];

	snprintf(head, sizeof(head), "  %12s",
		 e == l->hit ? "0" : rf_fmt_time(e->t_ns - l->hit->t_ns, after));
	rf_text_wrap(f, head, INDENT, text);
}

/*
 * Print the times of a NAK: when a packet after the gap arrived, when the receiver sent the
 * NAK, and when the NAK reached the sender. Times that were not recorded are omitted.
 */
static void put_nak(FILE *f, const struct rf_loss *l)
{
	char text[256];

	if (l->revealed)
		put_moment_line(f, l, l->revealed,
				"a later packet arrives: the receiver can detect the loss");
	if (l->nak_sent)
		put_moment_line(f, l, l->nak_sent, "the receiver sends a NAK");
	snprintf(text, sizeof(text),
		 "the NAK arrives at the sender: it requests PSN 0x%06x",
		 l->nak->psn);
	put_moment_line(f, l, l->nak, text);
}

/* "st", "nd", "rd" or "th" */
static const char *ordinal_suffix(uint32_t n)
{
	static const char *const suffixes[] = { "th", "st", "nd", "rd" };

	return n / 10 % 10 == 1 || n % 10 > 3 ? "th" : suffixes[n % 10];
}

static void put_finding(FILE *f, const struct rf_run_case *p,
			const struct rf_loss *l)
{
	char text[320], timer[RF_FMT_LEN], times[40] = "", nominal[64] = "", rxe[120] = "";
	uint64_t timer_ns = rf_case_timer_ns(p->test_case);
	uint32_t n = rf_loss_timers(l, p->test_case->qp.timeout);

	if (l->found == RF_DETECTED_RNR && l->rnr) {
		snprintf(text, sizeof(text),
			 "the RNR NAK arrives at the sender: the receiver was not ready; the sender waits nominally for %s%s",
			 rf_fmt_time(rf_rnr_ns(l->rnr->syndrome), timer),
			 p->rec.remote ? "" : ", which rxe rounds up to clock ticks");
		put_moment_line(f, l, l->rnr, text);
	}
	if (l->nak)
		put_nak(f, l);
	if (l->found != RF_DETECTED_TIMEOUT || rf_record_has_holes(&p->rec))
		return;
	if (n > 1)
		snprintf(times, sizeof(times), " (about the %u%s time)", n,
			 ordinal_suffix(n));
	if (timer_ns)
		snprintf(nominal, sizeof(nominal), ": nominally after %s",
			 rf_fmt_time(timer_ns, timer));
	if (!p->rec.remote)
		snprintf(rxe, sizeof(rxe),
			 "; rxe rounds this time to clock ticks, and can start the timer earlier or later than %s",
			 rf_loss_of_response(l) ? "the packet is lost" : "it sends the lost packet");
	snprintf(text, sizeof(text), "the %s's retransmission timer expires%s%s%s",
		 rf_loss_of_response(l) ? "requester" : "sender", times, nominal, rxe);
	put_moment_line(f, l, l->first, text);
}

/* A response is repaired by a repeated request. */
static void put_repaired_response(FILE *f, const struct rf_loss *l)
{
	char text[256], size[RF_FMT_LEN];

	snprintf(text, sizeof(text), "the requester sends its request again, from PSN +%u on",
		 l->first->psn_rel);
	put_moment_line(f, l, l->first, text);
	if (l->again) {
		snprintf(text, sizeof(text), "the lost response leaves again (%s)",
			 rf_fmt_size(l->again->len, size));
		put_moment_line(f, l, l->again, text);
	}
	if (!l->recovery)
		rf_text_wrap(f, "", INDENT, rf_loss_why_not_recovered(l));
}

static void put_repair(FILE *f, const struct rf_loss *l)
{
	char text[256], size[RF_FMT_LEN], n[RF_THINGS_LEN];

	if (l->covered)
		put_moment_line(f, l, l->covered,
				"the next ACK arrives; it also acknowledges all earlier packets");
	if (!l->first) {
		if (!l->covered && l->lost)
			rf_text_wrap(f, "", INDENT, "the retransmission was not recorded");
		return;
	}
	if (rf_loss_of_response(l)) {
		put_repaired_response(f, l);
		return;
	}
	snprintf(text, sizeof(text),
		 "the sender goes back to PSN +%u%s", l->first->psn_rel,
		 l->first != l->again ? ", the oldest packet without an ACK" :
		 rf_loss_of_answer(l) ? ", the packet whose ACK was lost" :
		 ", the lost packet");
	put_moment_line(f, l, l->first, text);
	snprintf(text, sizeof(text),
		 "the last of %s leaves (PSN +%u): %s were retransmitted for one lost packet of %u B",
		 rf_fmt_things(l->packets, "retransmitted packet", n), l->last->psn_rel,
		 rf_fmt_size(l->bytes, size), l->hit->len);
	if (l->packets == 1)
		snprintf(text, sizeof(text), "the retransmitted packet leaves (PSN +%u, %s)",
			 l->last->psn_rel, rf_fmt_size(l->bytes, size));
	put_moment_line(f, l, l->last, text);
	if (!l->recovery && !l->covered)
		rf_text_wrap(f, "", INDENT, rf_loss_why_not_recovered(l));
}

/* If events were lost, warn that the real counts can be higher. */
static void put_void(FILE *f, const struct rf_record *rec)
{
	char text[256], lost[RF_THINGS_LEN], unknown[RF_THINGS_LEN];

	if (!rf_record_has_holes(rec))
		return;
	snprintf(text, sizeof(text),
		 "%s of the trace %s lost, and the attempt of %s is unknown: the counts on this page are minimums, and events can be missing",
		 rf_fmt_things(rec->ev.lost, "event", lost), rec->ev.lost == 1 ? "was" : "were",
		 rf_fmt_things(rec->flows_lost, "packet", unknown));
	rf_text_wrap(f, "  VOID", INDENT, text);
}

/* Write ", of which 9 were ignored by the sender", if NAKs were ignored. */
static char *ignored_naks_words(const struct rf_run_case *p, char buf[80])
{
	uint64_t timer = rf_case_timer_ns(p->test_case);
	uint64_t n = timer ? rf_count_ignored_naks(&p->rec.ev, timer) : 0;

	buf[0] = '\0';
	if (n)
		snprintf(buf, 80, ", of which the sender ignored %llu", (unsigned long long)n);
	return buf;
}

static void put_counter_lines(FILE *f, const struct rf_run_case *p)
{
	const uint64_t *m = p->an->measure;
	char text[352], left[80], naks[RF_THINGS_LEN], timeouts[RF_THINGS_LEN];
	char again[RF_THINGS_LEN], rxe[128] = "", wrong[40] = "";

	if (!p->rec.tl.of_command)
		snprintf(wrong, sizeof(wrong), "; wrong sums: %llu",
			 (unsigned long long)m[RF_WRONG]);
	if (!p->an->no_rxe)
		snprintf(rxe, sizeof(rxe),
			 "; counters of rxe: completer_retry_err +%llu, out_of_seq_request +%llu, send_err +%llu",
			 (unsigned long long)rf_record_counter(&p->rec, RF_RETRY_ERR),
			 (unsigned long long)rf_record_counter(&p->rec, RF_OUT_OF_SEQ),
			 (unsigned long long)m[RF_SEND_ERRORS]);
	snprintf(text, sizeof(text), "%s%s, %s, %s on all ports%s%s",
		 rf_fmt_things(m[RF_NAKS], "NAK", naks), ignored_naks_words(p, left),
		 rf_fmt_things(m[RF_TIMEOUTS], "timeout", timeouts),
		 rf_fmt_things(m[RF_RETRANSMITTED], "retransmitted packet", again), rxe, wrong);
	rf_text_wrap(f, "  in the case", INDENT, text);
}

/*
 * Write how many packets matched a rule, and how many of them it hit. While a link is down, a rule
 * drops what leaves the port, and the kernel drops what goes to it.
 */
static void add_packets(char *text, size_t len, const struct rf_fault *fault,
			const struct rf_rule_tally *rule)
{
	char hits[32], matched[RF_THINGS_LEN];
	size_t n = strlen(text);

	rf_fmt_things(rule->matched, "packet", matched);
	if (rule->hits)
		snprintf(text + n, len - n, "hit %s of %s that matched (%.4g %%)",
			 rf_fmt_count(rule->hits, hits), matched,
			 100.0 * rule->hits / rule->matched);
	else if (fault->kind == RF_FAULT_LINK_DOWN)
		snprintf(text + n, len - n, "no packet left the port; those to it are not counted");
	else
		snprintf(text + n, len - n, "hit no packet, %s matched", matched);
}

static void add_part(char *text, size_t len, double ns, const struct rf_lost_time *lost)
{
	char time[RF_FMT_LEN];
	size_t n = strlen(text);

	snprintf(text + n, len - n, "%s of the lost time (%.0f %%)", rf_fmt_time(ns, time),
		 100 * ns / lost->total_ns);
}

/* Print the packets and the lost time of each fault. */
static void put_faults(FILE *f, const struct rf_run *run, const struct rf_run_case *p)
{
	const struct rf_case *test_case = p->test_case;
	bool holes = rf_record_has_holes(&p->rec);
	const struct rf_rule_tally *rule;
	struct rf_lost_time lost = { };
	char text[512], time[RF_FMT_LEN], steps[RF_THINGS_LEN];
	const char *head = "  faults";
	bool known = !holes && rf_case_impact_ns(run, p) && !rf_lost_time(p, &lost) &&
		     lost.total_ns;
	size_t i;

	for (i = 0; i < test_case->nfaults; i++) {
		rule = rf_record_find_rule(&p->rec, i);
		if (!rule && !known)
			continue;
		snprintf(text, sizeof(text), "%zu: %.300s: ", i + 1,
			 test_case->faults[i].words);
		if (rule)
			add_packets(text, sizeof(text), &test_case->faults[i], rule);
		if (rule && known)
			strcat(text, "; ");
		if (known)
			add_part(text, sizeof(text), lost.cause_ns[i], &lost);
		rf_text_wrap(f, head, INDENT, text);
		head = "";
	}
	if (known) {
		snprintf(text, sizeof(text), "%s more than the median clean step, in %s slower than all clean steps; ",
			 rf_fmt_time(lost.total_ns, time),
			 rf_fmt_things(lost.steps, "step", steps));
		if (lost.cause_ns[i]) {
			strcat(text, "the straggler caused ");
			add_part(text, sizeof(text), lost.cause_ns[i], &lost);
			strcat(text, "; ");
		}
		strcat(text, "unexplained: ");
		if (lost.unexplained_ns < 1)
			strcat(text, "nothing");
		else
			add_part(text, sizeof(text), lost.unexplained_ns, &lost);
		rf_text_wrap(f, "  lost time", INDENT, text);
	}
	rf_lost_time_free(&lost);
}

/*
 * Print the stalled ranks, and what each of them waited for: "rank 2 (data), rank 1 (ACKs),
 * rank 3 (the barrier) waited"
 */
static void put_stalled_ranks(FILE *f, const struct rf_run_case *p)
{
	char text[RF_RANKS_MAX * 32 + 64], idle[RF_FMT_LEN];
	struct rf_blast b;
	size_t used = 0;
	uint32_t i;

	rf_blast_of(&p->rec, p->an, rf_first_loss(p->an), &b);
	if (!b.n)
		return;
	for (i = 0; i < b.n; i++)
		used += snprintf(text + used, sizeof(text) - used,
				 "%srank %u (%s)", i ? ", " : "",
				 b.rank[i].rank,
				 rf_wait_kind_text(b.rank[i].kind));
	snprintf(text + used, sizeof(text) - used,
		 " waited%s; %s in total",
		 b.ordered ? " (nearest to the receiver first)" : "",
		 rf_fmt_time(b.idle_ns, idle));
	rf_text_wrap(f, "  stalled", INDENT, text);
}

/* Print which rail failed, and what the repetition on the other rail cost. */
static void put_failover(FILE *f, const struct rf_failover *failover)
{
	char text[192];

	if (failover->rail)
		rf_text_wrap(f, "  failover", INDENT,
			     rf_failover_text(failover, text, sizeof(text)));
}

/*
 * Print the goodput, and an estimate of what go-back-N can reach at this loss rate. The
 * difference is waiting time.
 */
static void put_goodput(FILE *f, const struct rf_run *run,
			const struct rf_run_case *p)
{
	double bound = rf_metric(run, p, "goodput.bound"), share;
	const char *why = rf_metric_value(run, p, "goodput.share", &share);
	char text[192];

	if (why) {
		snprintf(text, sizeof(text), "no value: %s", why);
		rf_text_wrap(f, "  goodput", INDENT, text);
		return;
	}
	if (isnan(bound))
		return;
	snprintf(text, sizeof(text),
		 "%.4g Mbit/s during transfers, %.4g %% of the clean case; without waiting time, go-back-N would reach about %.4g %%",
		 rf_metric(run, p, "goodput") / 1e6, share * 100, bound * 100);
	rf_text_wrap(f, "  goodput", INDENT, text);
}

static void put_breach_lines(FILE *f, const struct rf_gbn_flow *flow)
{
	char text[256];
	int rule;

	for (rule = 0; rule < RF_GBN_RULES; rule++) {
		if (!flow->broken[rule])
			continue;
		snprintf(text, sizeof(text),
			 "QP %u violated this rule: %s; first at PSN 0x%06x, expected PSN 0x%06x; violations: %llu",
			 flow->data->qp, rf_gbn_rule_text(rule),
			 flow->where[rule]->psn, flow->want[rule],
			 (unsigned long long)flow->broken[rule]);
		rf_text_wrap(f, "", INDENT, text);
	}
}

/*
 * Print how many of the recorded flows violate a go-back-N rule, and which rules they violate.
 */
static void put_gbn(FILE *f, const struct rf_gbn *gbn)
{
	size_t n[RF_GBN_VOID + 1] = { }, judged, used, i;
	char text[256], flows[RF_THINGS_LEN], others[RF_THINGS_LEN];

	if (!gbn->n)
		return;
	for (i = 0; i < gbn->n; i++)
		n[gbn->flows[i].verdict]++;
	judged = gbn->n - n[RF_GBN_UNJUDGED];
	rf_fmt_things(judged, "recorded flow", flows);
	rf_fmt_things(n[RF_GBN_UNJUDGED], "flow", others);
	if (n[RF_GBN_VOID])
		used = snprintf(text, sizeof(text), "no verdict: events of the trace were lost");
	else if (!judged)
		used = snprintf(text, sizeof(text), "no flow was judged");
	else if (n[RF_GBN_VIOLATES])
		used = snprintf(text, sizeof(text), "%zu of %s violated its rules",
				n[RF_GBN_VIOLATES], flows);
	else
		used = snprintf(text, sizeof(text), "no violation in %s", flows);
	if (!n[RF_GBN_VOID] && n[RF_GBN_UNJUDGED])
		snprintf(text + used, sizeof(text) - used,
			 "%s %s with forged responses, READs, or an unknown sender",
			 judged ? "; not judged:" : ":", others);
	rf_text_wrap(f, "  go-back-N", INDENT, text);
	for (i = 0; i < gbn->n; i++)
		if (gbn->flows[i].verdict == RF_GBN_VIOLATES)
			put_breach_lines(f, &gbn->flows[i]);
}

static void put_first_loss(FILE *f, const struct rf_run_case *p)
{
	const struct rf_loss *l = rf_first_loss(p->an);
	char more[RF_THINGS_LEN];

	put_loss_flow(f, l, p->rec.remote);
	put_lost_packet(f, l);
	put_moment_line(f, l, l->hit, !l->hit->fault ? "lost at an unknown place" :
			l->hit->action == RDMAFAULT_ACTION_DROP ?
			"dropped; the sender gets no error" :
			rf_hit_participle(l->hit));
	put_finding(f, p, l);
	put_repair(f, l);
	if (p->an->nhits > 1)
		fprintf(f, "%*sand %s, in events.jsonl\n", INDENT, "",
			rf_fmt_things(p->an->nhits - 1, "more hit", more));
}

static uint64_t longest(const struct rf_timeline *tl)
{
	uint64_t most = 0, ns;
	uint32_t step;

	for (step = 1; step <= tl->iters; step++) {
		ns = rf_timeline_whole_ns(tl, step);
		most = ns > most ? ns : most;
	}
	return most;
}

static void put_spark(FILE *f, const char *name, const struct rf_timeline *tl,
		      uint64_t max_ns)
{
	fprintf(f, "  %-12.12s  ", name);
	rf_spark(f, tl, max_ns);
	fputc('\n', f);
}

static void put_step_lines(FILE *f, const struct rf_run *run,
			   const struct rf_run_case *p)
{
	const struct rf_run_case *clean = rf_run_clean_step(run, p);
	uint64_t usual = clean ? longest(&clean->rec.tl) : 0;
	uint64_t now = longest(&p->rec.tl), max = usual > now ? usual : now;
	char time[RF_FMT_LEN];

	if (!max)
		return;
	if (p->rec.tl.iters == 1)
		fprintf(f, "\n  Time of the only step; the highest bar is %s\n",
			rf_fmt_time(max, time));
	else
		fprintf(f, "\n  Times of steps 1 to %u; the highest bar is %s\n",
			p->rec.tl.iters, rf_fmt_time(max, time));
	if (clean)
		put_spark(f, clean->test_case->name, &clean->rec.tl, max);
	put_spark(f, p->test_case->name, &p->rec.tl, max);
	if (p->an->step)
		fprintf(f, "%*s▲ step %u\n", INDENT +
			(int)rf_spark_column(&p->rec.tl, p->an->step), "",
			p->an->step);
}

static char *more_or_less(uint64_t now, uint64_t clean, char buf[RF_FMT_LEN + 2])
{
	char time[RF_FMT_LEN];

	snprintf(buf, RF_FMT_LEN + 2, "%s%.20s", now < clean ? "-" : "+",
		 rf_fmt_time(now < clean ? clean - now : now - clean, time));
	return buf;
}

static void put_wait_columns(FILE *f, uint64_t now, uint64_t clean)
{
	char more[RF_FMT_LEN + 2], time[RF_FMT_LEN];

	fprintf(f, "  %7s %8s", rf_fmt_time(now, time),
		more_or_less(now, clean, more));
}

/* @waits: the waits are known */
static void put_rank_line(FILE *f, uint32_t rank, const struct rf_rank_cost *c, bool waits)
{
	fprintf(f, "  %4u", rank);
	put_wait_columns(f, c->now.step, c->clean.step);
	if (!waits) {
		fputc('\n', f);
		return;
	}
	put_wait_columns(f, c->now.recv, c->clean.recv);
	put_wait_columns(f, c->now.send, c->clean.send);
	put_wait_columns(f, c->now.sync, c->clean.sync);
	fputc('\n', f);
}

static void put_rank_lines(FILE *f, const struct rf_run_case *p)
{
	bool waits = !p->rec.tl.of_command;
	uint32_t rank;

	if (!p->an->clean_ns)
		return;
	fprintf(f, "\n  Step %u of each rank; + and -: compared with the rank's median in clean steps\n",
		p->an->step);
	fprintf(f, "  rank  %16s", "step time");
	if (waits)
		fprintf(f, "  %16s  %16s  %16s", "wait for data", "for ACKs", "at the barrier");
	fputc('\n', f);
	for (rank = 0; rank < p->an->ranks; rank++)
		put_rank_line(f, rank, &p->an->rank[rank], waits);
}

/*
 * Print the cost of a case, or why there is none: the job ended early, the additional time
 * is not known, or a clean step took as long.
 */
static void put_cost_line(FILE *f, const struct rf_run *run,
			  const struct rf_run_case *p)
{
	uint64_t lost = rf_case_impact_ns(run, p);
	char now[RF_FMT_LEN], clean[RF_FMT_LEN], max[RF_FMT_LEN], text[192];
	const struct rf_analysis *an = p->an;
	uint32_t step;

	if (rf_timeline_ended(&p->rec.tl, &step)) {
		fputc('\n', f);
		rf_text_wrap(f, "", 2, "The job ended here. The cost is the work since the last checkpoint of the job, and the time until the job runs again.");
		return;
	}
	if (lost) {
		rf_page_cost(f, run->price, lost);
		return;
	}
	if (!rf_case_impact_is_known(run, p)) {
		snprintf(text, sizeof(text), "The cost is not known: %s.",
			 rf_case_impact_why_not(run, p));
		fputc('\n', f);
		rf_text_wrap(f, "", 2, text);
		return;
	}
	if (!an->step || !rf_measure_is_known(an, RF_STALL))
		return;
	snprintf(text, sizeof(text),
		 "No cost: step %u took %s. Clean steps took %s (median) and at most %s, so the difference can be noise.",
		 an->step, rf_fmt_time(an->step_ns, now),
		 rf_fmt_time(an->clean_ns, clean),
		 rf_fmt_time(an->clean_max_ns, max));
	fputc('\n', f);
	rf_text_wrap(f, "", 2, text);
}

/**
 * rf_page_case - print a faulted case in detail
 * @f: output stream
 * @run: the run
 * @p: a case of the run
 */
void rf_page_case(FILE *f, const struct rf_run *run,
		  const struct rf_run_case *p)
{
	rf_text_rule(f, p->label, rf_verdict_name(p->verdict));
	if (p->an->nhits)
		put_first_loss(f, p);
	put_void(f, &p->rec);
	put_counter_lines(f, p);
	put_failover(f, &p->rec.tl.failover);
	put_faults(f, run, p);
	rf_page_ports(f, &p->rec);
	put_gbn(f, &p->an->gbn);
	if (p->an->nhits) {
		put_stalled_ranks(f, p);
		if (p->rec.tl.iters)
			put_goodput(f, run, p);
	}
	put_step_lines(f, run, p);
	if (p->an->step)
		put_rank_lines(f, p);
	if (rf_case_has_cost(run, p))
		put_cost_line(f, run, p);
	fputc('\n', f);
}
