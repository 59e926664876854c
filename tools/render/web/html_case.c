// SPDX-License-Identifier: GPL-2.0
/*
 * The section of a case: what happened (in one or two sentences), figures, the packets that
 * were hit, and the waits of each rank in the step of the first hit.
 */
#include <string.h>

#include "html.h"
#include "tools/analysis/analysis.h"
#include "units.h"

#define LOSSES 30

static void put_fault_rule(FILE *f, const struct rf_fault *fault)
{
	fputs("<p class=\"rule\"><code>", f);
	rf_html_text(f, fault->words);
	fputs("</code></p>\n", f);
}

/** rf_html_faults - write the faults of a case as in the scenario */
void rf_html_faults(FILE *f, const struct rf_case *test_case)
{
	size_t i;

	for (i = 0; i < test_case->nfaults; i++)
		put_fault_rule(f, &test_case->faults[i]);
}

/* Write the job of a case if it differs from the job of the scenario. */
static void put_other_job(const struct rf_html *h, const struct rf_case *test_case)
{
	const struct rf_scenario *s = h->run->scenario;
	char own[512], usual[512];

	rf_job_sentence(&test_case->workload, &test_case->qp, own, sizeof(own));
	rf_job_sentence(&s->workload, &s->qp, usual, sizeof(usual));
	if (!strcmp(own, usual))
		return;
	fputs("<p class=\"dim\">", h->f);
	rf_html_text(h->f, own);
	fputs("</p>\n", h->f);
}

static void put_reason_list(FILE *f, const struct rf_run_case *p)
{
	unsigned int i;

	for (i = 0; i < p->nreasons; i++) {
		fputs("<p class=\"notmet\">", f);
		rf_html_text(f, p->reason[i]);
		fputs("</p>\n", f);
	}
}

/* If events were lost, warn that the metrics are not valid. */
static void put_lost(FILE *f, const struct rf_run_case *p)
{
	if (!p->rec.ev.lost && !p->rec.flows_lost)
		return;
	fputs("<p class=\"notmet\">", f);
	rf_html_say(f, "%llu events were lost, and for %llu packets, it is unknown whether they are retransmissions. Metrics that are computed from events are not valid. Step times and waiting times are valid, because the ranks record them.",
		    (unsigned long long)p->rec.ev.lost,
		    (unsigned long long)p->rec.flows_lost);
	fputs("</p>\n", f);
}

static void put_after(FILE *f, const struct rf_loss *l, const struct rf_event *e)
{
	char time[RF_FMT_LEN];

	if (e)
		rf_table_cell(f, "%s", rf_fmt_time(e->t_ns - l->hit->t_ns, time));
	else
		rf_table_cell(f, "never");
}

/*
 * Write one of the times between loss and retransmission; leave the cell empty if the time
 * was not recorded.
 */
static void put_part(FILE *f, const struct rf_loss *l,
		     bool (*part)(const struct rf_loss *loss, uint64_t *ns))
{
	char time[RF_FMT_LEN];
	uint64_t ns;

	rf_table_cell(f, "%s", part(l, &ns) ? rf_fmt_time(ns, time) : "");
}

static void put_loss_row(FILE *f, const struct rf_loss *l)
{
	char size[RF_FMT_LEN];

	rf_table_row(f);
	rf_table_cell(f, "%s, +%u", rf_event_opcode(l->hit), l->hit->psn_rel);
	rf_table_cell(f, "%s", rf_hit_participle(l->hit));
	if (l->qp)
		rf_table_cell(f, "rank %u to %u", l->qp->rank, l->qp->peer);
	else
		rf_table_cell(f, "at %s", l->hit->dev);
	rf_table_cell(f, "%u", l->hit->step);
	rf_table_cell(f, "%s", rf_loss_why_not_detected(l) ? "no value" :
		      rf_value_name(rf_detected_names, l->found));
	put_part(f, l, rf_loss_nak_generation);
	put_part(f, l, rf_loss_nak_reaction);
	put_after(f, l, l->again);
	if (l->recovery || l->lost)
		put_after(f, l, l->recovery);
	else
		rf_table_cell(f, "%s", "");
	rf_table_cell(f, "%llu", (unsigned long long)l->packets);
	rf_table_cell(f, "%s", rf_fmt_size(l->bytes, size));
	fputc('\n', f);
}

static void put_losses(FILE *f, const struct rf_run_case *p)
{
	static const char *const heads[] = {
		"packet, PSN", "action", "flow", "step", "detected by", "NAK sent after",
		"NAK to retransmission", "retransmitted after", "delivered after",
		"retransmitted", "retransmitted bytes", NULL
	};
	size_t i;

	if (!p->an->nhits)
		return;
	fputs("<h3>Lost packets</h3>\n", f);
	rf_table_begin(f, "Packets hit by faults", heads);
	for (i = 0; i < p->an->nhits && i < LOSSES; i++)
		put_loss_row(f, &p->an->losses[i]);
	rf_table_end(f);
	if (p->an->nhits <= LOSSES)
		return;
	fputs("<p class=\"dim\">", f);
	rf_html_say(f, "events.jsonl has %zu more.", p->an->nhits - LOSSES);
	fputs("</p>\n", f);
}

static void put_wait_cell(FILE *f, uint64_t now, uint64_t clean)
{
	char time[RF_FMT_LEN], more[RF_FMT_LEN];

	rf_table_cell(f, "%s (%s%s)", rf_fmt_time(now, time),
		      now < clean ? "-" : "+",
		      rf_fmt_time(now < clean ? clean - now : now - clean, more));
}

static void put_rank_table(FILE *f, const struct rf_run_case *p)
{
	static const char *const heads[] = {
		"rank", "step time", "wait for data", "for ACKs",
		"at the barrier", NULL
	};
	const struct rf_rank_cost *c;
	uint32_t rank;

	if (!p->an->step || !p->an->clean_ns)
		return;
	fputs("<h3>", f);
	rf_html_say(f, "Step %u per rank", p->an->step);
	fputs("</h3>\n<p class=\"dim\">The value in brackets is the difference from the rank's median in the clean case.</p>\n",
	      f);
	rf_table_begin(f, "Times of all ranks in the step in which a packet was hit", heads);
	for (rank = 0; rank < p->an->ranks; rank++) {
		c = &p->an->rank[rank];
		rf_table_row(f);
		rf_table_cell(f, "%u", rank);
		put_wait_cell(f, c->now.step, c->clean.step);
		put_wait_cell(f, c->now.recv, c->clean.recv);
		put_wait_cell(f, c->now.send, c->clean.send);
		put_wait_cell(f, c->now.sync, c->clean.sync);
		fputc('\n', f);
	}
	rf_table_end(f);
}

/* List the ranks that waited because of the first loss. */
static void put_blast_list(FILE *f, const struct rf_run_case *p)
{
	struct rf_blast blast;
	char time[RF_FMT_LEN];
	uint32_t i;

	rf_blast_of(&p->rec, p->an, rf_first_loss(p->an), &blast);
	if (!blast.n)
		return;
	fprintf(f, "<h3>Stalled rank%s%s</h3>\n<p class=\"dim\">%s</p>\n<ol class=\"chain\">\n",
		blast.n == 1 ? "" : "s", p->an->nhits == 1 ? "" : " of the first hit",
		blast.n == 1 ? "The list gives the cause of the wait, and how much longer the rank waited than in clean steps." :
		blast.ordered ? "The list has the order in which the stall reached the ranks. For each rank, it gives the cause of the wait, and how much longer the rank waited than in clean steps." :
		"The order in which the stall reached the ranks is not known. For each rank, the list gives the cause of the wait, and how much longer the rank waited than in clean steps.");
	for (i = 0; i < blast.n; i++) {
		fputs("<li>", f);
		rf_html_say(f, "rank %u: %s ", blast.rank[i].rank,
			    rf_wait_kind_text(blast.rank[i].kind));
		fputs("<b>", f);
		rf_html_say(f, "+%s", rf_fmt_time(blast.rank[i].idle_ns, time));
		fputs("</b></li>\n", f);
	}
	fputs("</ol>\n", f);
}

static void put_impact(FILE *f, const struct rf_run_case *p)
{
	struct rf_impact impact;
	char idle[RF_FMT_LEN], each[RF_FMT_LEN], lost[RF_FMT_LEN];

	if (!p->an->nhits)
		return;
	put_blast_list(f, p);
	rf_impact_of(&p->rec, p->an, &impact);
	if (!impact.idle_ns)
		return;
	fputs("<p>", f);
	rf_html_say(f, "Additional waiting time of all ranks because of %s: %s",
		    p->an->nhits == 1 ? "this packet" : "all hits",
		    rf_fmt_time(impact.idle_ns, idle));
	if (impact.lost_bytes)
		rf_html_say(f, ", that is %s per lost byte (%s lost)",
			    rf_fmt_time(impact.idle_ns / impact.lost_bytes, each),
			    rf_fmt_size(impact.lost_bytes, lost));
	fputs(".</p>\n", f);
}

/**
 * rf_html_case - write the folded section of a case
 * @h: the page
 * @p: the case
 */
void rf_html_case(struct rf_html *h, const struct rf_run_case *p)
{
	char story[1024];

	fprintf(h->f, "<details class=\"case\" id=\"case%td\"><summary><b>", p - h->run->cases);
	rf_html_text(h->f, p->label);
	fputs("</b> ", h->f);
	rf_html_verdict(h->f, p->verdict);
	fputs("</summary>\n<p>", h->f);
	rf_html_text(h->f, rf_case_text(p, story, sizeof(story)));
	fputs("</p>\n", h->f);
	put_other_job(h, p->test_case);
	rf_html_faults(h->f, p->test_case);
	put_reason_list(h->f, p);
	put_lost(h->f, p);
	rf_html_ranks(h, p);
	rf_html_ladder(h, p);
	rf_html_spread(h, p);
	rf_html_pauses(h, p);
	rf_html_steps(h, p);
	rf_html_psn(h, p);
	rf_html_waits(h, p);
	rf_html_rates(h, p);
	put_impact(h->f, p);
	put_rank_table(h->f, p);
	put_losses(h->f, p);
	rf_html_flows(h, p);
	rf_html_ports(h, p);
	rf_html_expected(h, p);
	fputs("</details>\n", h->f);
}
