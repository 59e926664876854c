// SPDX-License-Identifier: GPL-2.0
/*
 * The first screen: the fabric, the ranks around the worst step, the packet, and a card for
 * each case. The tables below the figures have the numbers of summary.json.
 */
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "html.h"
#include "summary.h"
#include "tools/scenario/scenario.h"
#include "units.h"

#define CARDS_MAX 12

typedef struct json_object *obj;

static double member_number(obj o, const char *key)
{
	return json_object_get_double(json_object_object_get(o, key));
}

static const char *text(obj o, const char *key)
{
	const char *s = json_object_get_string(json_object_object_get(o, key));

	return s ? s : "";
}

static void put_fabric_rows(const struct rf_html *h, obj fabric)
{
	obj list = json_object_object_get(fabric, "nodes"), o;
	size_t i;

	for (i = 0; i < json_object_array_length(list); i++) {
		o = json_object_array_get_idx(list, i);
		rf_table_row(h->f);
		rf_table_name(h->f, "%.0f", member_number(o, "node"));
		if (json_object_object_get(o, "rank"))
			rf_table_cell(h->f, "%.0f", member_number(o, "rank"));
		else
			rf_table_cell(h->f, "%s", "none");
		rf_table_cell(h->f, "%s", text(o, "port"));
		rf_table_cell(h->f, "%s", text(o, "switch_port"));
		fputc('\n', h->f);
	}
}

/* Append the fault of a case or, if there are several, their ports. */
static void say_fault_ports(const struct rf_case *test_case, char *buf, size_t len)
{
	const struct rf_fault *f = test_case->faults, *before;
	size_t n = strlen(buf);

	if (test_case->nfaults == 1)
		snprintf(buf + n, len - n, "Violet: port with a fault (%.90s).", f->words);
	if (test_case->nfaults <= 1)
		return;
	snprintf(buf + n, len - n, "Violet: ports with faults");
	for (; f < test_case->faults + test_case->nfaults; f++) {
		for (before = test_case->faults; before < f && strcmp(before->port, f->port);
		     before++)
			;
		n = strlen(buf);
		if (before == f)
			snprintf(buf + n, len - n, "%s%s",
				 f == test_case->faults ? ": " : ", ", f->port);
	}
	n = strlen(buf);
	snprintf(buf + n, len - n, ".");
}

/* Append that a port belongs to the switch, if that is so. */
static bool say_switch_port(obj fabric, const char *port, char *buf, size_t len)
{
	obj list = json_object_object_get(fabric, "nodes");
	size_t i, n = strlen(buf);

	for (i = 0; i < json_object_array_length(list); i++)
		if (!strcmp(text(json_object_array_get_idx(list, i), "switch_port"), port)) {
			snprintf(buf + n, len - n, " %s is a port of the switch.", port);
			return true;
		}
	return false;
}

/*
 * Name the packet that was hit. psn_rel of an ACK counts from the first ACK, so the PSN is that
 * of the data that it acknowledges.
 */
static const char *say_packet(const struct rf_loss *l, char buf[96])
{
	char at[48];

	if (!(l->hit->class & RDMAFAULT_CLASS_ACK))
		snprintf(buf, 96, "PSN +%u, %s, attempt %u", l->hit->psn_rel,
			 *rf_event_place(l->hit, at) ? at : rf_event_opcode(l->hit),
			 l->hit->attempt);
	else if (l->again)
		snprintf(buf, 96, "ACK of PSN +%u", l->again->psn_rel);
	else
		snprintf(buf, 96, "an ACK");
	return buf;
}

static void say_place(const struct rf_run_case *p, obj fabric, char *buf, size_t len)
{
	const struct rf_loss *l = rf_shown_loss(p);
	const struct rf_port_tally *port = NULL;
	const struct rf_prio_tally *t = rf_most_paused(&p->rec, &port);
	const struct rf_fault *f = p->test_case->faults;
	char packet[96];

	if (l && l->qp)
		snprintf(buf, len, "Port %s, rank %u to rank %u: %s.", l->hit->dev, l->qp->rank,
			 l->qp->peer, say_packet(l, packet));
	else if (l)
		snprintf(buf, len, "Port %s: PSN +%u.", l->hit->dev, l->hit->psn_rel);
	else if (t)
		snprintf(buf, len, "Orange: paused ports, %s for the longest time (priority %td). ",
			 port->netdev, t - port->prio);
	else
		snprintf(buf, len, "%s", p->test_case->nfaults ? "" : "This case has no fault.");
	if (l)
		return;
	say_fault_ports(p->test_case, buf, len);
	while (f < p->test_case->faults + p->test_case->nfaults &&
	       !say_switch_port(fabric, f->port, buf, len))
		f++;
}

/* Write the drawing of the fabric, with marks for the faults and pauses of a case. */
static void put_fabric(struct rf_html *h, const struct rf_run_case *p)
{
	static const char *const heads[] = { "node", "rank", "port of the node",
					     "port of the switch", NULL };
	obj fabric = rf_figure_fabric(h->run);
	char place[288];

	say_place(p, fabric, place, sizeof(place));
	rf_figure_begin(h, "fabric", p, "Where", "%s", place);
	rf_figure_table(h, heads);
	put_fabric_rows(h, fabric);
	rf_figure_end(h);
	json_object_put(fabric);
}

static double span_sum(obj spans, const char *kind)
{
	double sum = 0;
	size_t i;
	obj span;

	for (i = 0; i < json_object_array_length(spans); i++) {
		span = json_object_array_get_idx(spans, i);
		if (!strcmp(json_object_get_string(json_object_array_get_idx(span, 0)), kind))
			sum += json_object_get_double(json_object_array_get_idx(span, 2)) -
			       json_object_get_double(json_object_array_get_idx(span, 1));
	}
	return sum;
}

static void put_rank_row(const struct rf_html *h, obj rank, obj step)
{
	static const char *const kinds[] = { "transfer", "waiting", "compute", "barrier" };
	obj spans = json_object_object_get(step, "spans");
	char time[RF_FMT_LEN];
	size_t i;

	rf_table_row(h->f);
	rf_table_name(h->f, "%.0f", member_number(rank, "rank"));
	rf_table_cell(h->f, "%.0f", member_number(step, "step"));
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		rf_table_cell(h->f, "%s", rf_fmt_time((uint64_t)(span_sum(spans, kinds[i]) * 1000),
						      time));
	fputc('\n', h->f);
}

static void put_rank_rows(const struct rf_html *h, obj figure)
{
	obj ranks = json_object_object_get(figure, "ranks"), rank, steps;
	size_t i, k;

	for (i = 0; i < json_object_array_length(ranks); i++) {
		rank = json_object_array_get_idx(ranks, i);
		steps = json_object_object_get(rank, "steps");
		for (k = 0; k < json_object_array_length(steps); k++)
			put_rank_row(h, rank, json_object_array_get_idx(steps, k));
	}
}

/**
 * rf_html_ranks - write the figure of ranks over time
 * @h: the page
 * @p: the case
 */
void rf_html_ranks(struct rf_html *h, const struct rf_run_case *p)
{
	static const char *const heads[] = { "rank", "step", "transfer", "waiting",
					     "computing", "barrier", NULL };
	static const struct rf_key keys[] = {
		{ "transfer", "transfer, as long as in a clean step" },
		{ "waiting", "waiting longer than in a clean step" },
		{ "compute", "computing" },
		{ "barrier", "barrier" },
		{ }
	};
	obj figure = rf_figure_ranks(p);
	char title[160];

	if (!figure)
		return;
	snprintf(title, sizeof(title), "Case \"%.60s\": steps %.0f to %.0f, by rank", p->label,
		 member_number(figure, "first_step"), member_number(figure, "last_step"));
	rf_figure_begin(h, "ranks", p, title, "Time 0 is %s.",
			!strcmp(text(figure, "zero"), "hit") ? "when the packet was hit" :
			"the start of the first of these steps");
	rf_figure_legend(h, keys);
	rf_figure_table(h, heads);
	put_rank_rows(h, figure);
	rf_figure_end(h);
	json_object_put(figure);
}

static void put_ladder_row(const struct rf_html *h, obj o)
{
	obj leave = json_object_object_get(o, "leave_ns");
	double ns = leave ? member_number(o, "leave_ns") : member_number(o, "arrive_ns");
	char time[RF_FMT_LEN];

	rf_table_row(h->f);
	rf_table_cell(h->f, "%s%s", ns < 0 ? "-" : "",
		      rf_fmt_time((uint64_t)(ns < 0 ? -ns : ns), time));
	rf_table_cell(h->f, "%s", text(o, "from"));
	rf_table_mark(h->f, "wrap", "%s", text(o, "words"));
	fputc('\n', h->f);
}

/*
 * Describe the hit packets that the ladder diagram does not show, if there are any. An ACK
 * is not retransmitted: the receiver sends another one.
 */
static void say_others(const struct rf_run_case *p, char *buf, size_t len)
{
	const struct rf_loss *shown = rf_shown_loss(p), *l;
	size_t others = p->an->nhits - 1, again = 0;
	uint64_t most = 0;
	char time[RF_FMT_LEN], n[32], m[32];

	buf[0] = '\0';
	if (!others)
		return;
	for (l = p->an->losses; l < p->an->losses + p->an->nhits; l++) {
		if (l == shown || !l->again || rf_loss_of_answer(l))
			continue;
		again++;
		if (l->again->t_ns - l->hit->t_ns > most)
			most = l->again->t_ns - l->hit->t_ns;
	}
	rf_fmt_time(most, time);
	rf_fmt_count(others, n);
	if (rf_record_has_holes(&p->rec) || !again)
		snprintf(buf, len, " %s more packet%s hit", n, others == 1 ? " was" : "s were");
	else if (others == 1)
		snprintf(buf, len, " The other hit packet was retransmitted after %s", time);
	else if (again == others)
		snprintf(buf, len, " The other %s hit packets were retransmitted after at most %s",
			 n, time);
	else
		snprintf(buf, len, " Of the other %s hit packets, %s %s retransmitted, after %s%s", n,
			 rf_fmt_count(again, m), again == 1 ? "was" : "were",
			 again == 1 ? "" : "at most ", time);
	strncat(buf, ": see \"Lost packets\" in the details.", len - strlen(buf) - 1);
}

/**
 * rf_html_ladder - write the ladder diagram of the shown loss; nothing if no packet was hit
 * @h: the page
 * @p: the case
 */
void rf_html_ladder(struct rf_html *h, const struct rf_run_case *p)
{
	static const char *const heads[] = { "after the hit", "at", "event", NULL };
	obj figure = rf_figure_ladder(p), list;
	char others[160];
	size_t i;

	if (!figure)
		return;
	say_others(p, others, sizeof(others));
	rf_figure_begin(h, "ladder", p, "The packet",
			"Time runs down, not to scale; it is counted from the hit.%s", others);
	rf_figure_table(h, heads);
	list = json_object_object_get(figure, "packets");
	for (i = 0; i < json_object_array_length(list); i++)
		put_ladder_row(h, json_object_array_get_idx(list, i));
	rf_figure_end(h);
	json_object_put(figure);
}

/**
 * rf_html_rates - write the figure of the data rate and of queue lengths over time
 * @h: the page
 * @p: the case
 */
void rf_html_rates(struct rf_html *h, const struct rf_run_case *p)
{
	static const char *const heads[] = { "step", "data rate", NULL };
	obj figure = rf_figure_rates(p), steps, mbit;
	size_t i, n;

	steps = json_object_object_get(figure, "step");
	mbit = json_object_object_get(figure, "mbit");
	n = steps ? json_object_array_length(steps) : 0;
	if (n) {
		rf_figure_begin(h, "rates", p, "Data rate and queues over time",
				"The upper curve is the data rate of the job in the transfer of each step: the size of the collective divided by the time of the transfer.%s",
				json_object_array_length(json_object_object_get(figure, "queues")) ?
				" The dots below are the lengths of queues when a packet was marked or dropped." : "");
		rf_figure_table(h, heads);
		for (i = 0; i < n && i < 80; i++) {
			rf_table_row(h->f);
			rf_table_cell(h->f, "%d", json_object_get_int(json_object_array_get_idx(steps, i)));
			rf_table_cell(h->f, "%.4g Mbit/s",
				      json_object_get_double(json_object_array_get_idx(mbit, i)));
			fputc('\n', h->f);
		}
		if (i < n) {
			rf_table_row(h->f);
			rf_table_cell(h->f, "summary.json has %zu more", n - i);
		}
		rf_figure_end(h);
	}
	json_object_put(figure);
}

/* Write how much longer a case took, and in which step. */
static void put_cost(const struct rf_html *h, const struct rf_run_case *p)
{
	struct rf_worst_step w;
	char time[RF_FMT_LEN];
	uint32_t step;

	fputs("<span class=\"cost\">", h->f);
	if (rf_timeline_ended(&p->rec.tl, &step))
		rf_html_say(h->f, step ? "job ended in step %u" : "job ended", step);
	else if (rf_case_is_clean(p->test_case) && p->an->clean_ns)
		rf_html_say(h->f, "%s per step", rf_fmt_time(p->an->clean_ns, time));
	else if (!rf_case_impact_is_known(h->run, p))
		fputs("cost not known", h->f);
	else if (rf_case_is_one_packet(p) && rf_case_worst_step(p, &w))
		rf_html_say(h->f, "+%s in step %u", rf_fmt_time(w.over, time), w.step);
	else if (rf_case_impact_ns(h->run, p))
		rf_html_say(h->f, "+%s", rf_fmt_time(rf_case_impact_ns(h->run, p), time));
	else
		fputs("no time lost", h->f);
	fputs("</span>", h->f);
}

static void say_detected(const struct rf_run_case *p, char *buf, size_t len)
{
	const struct rf_loss *l = rf_shown_loss(p);
	char time[RF_FMT_LEN];

	buf[0] = '\0';
	if (!l || !l->first || rf_loss_why_not_detected(l) || rf_case_ended_by(p, l))
		return;
	snprintf(buf, len, " Detected by %s; retransmitted after %s.",
		 l->found == RF_DETECTED_NAK ? "a NAK" : l->found == RF_DETECTED_RNR ? "an RNR NAK" :
		 l->found == RF_DETECTED_IMPLIED ? "a later response" :
		 "the timer", rf_fmt_time(l->first->t_ns - l->hit->t_ns, time));
}

static void put_card(const struct rf_html *h, const struct rf_run_case *p)
{
	char words[1024], detected[96];

	say_detected(p, detected, sizeof(detected));
	fprintf(h->f, "<li data-figure=\"spark\" data-case=\"%td\"><div><a href=\"#case%td\">",
		p - h->run->cases, p - h->run->cases);
	rf_html_text(h->f, p->label);
	fputs("</a> ", h->f);
	rf_html_verdict(h->f, p->verdict);
	put_cost(h, p);
	fputs("<p>", h->f);
	rf_html_text(h->f, p->test_case->explain ? p->test_case->explain :
		     rf_case_text(p, words, sizeof(words)));
	if (p->test_case->explain)
		rf_html_text(h->f, detected);
	fputs("</p></div><div class=\"drawing\"></div></li>\n", h->f);
}

/**
 * rf_html_first - write the first screen
 * @h: the page
 * @order: the cases, the worst case first
 * @n: number of cases in @order
 */
void rf_html_first(struct rf_html *h, const size_t *order, size_t n)
{
	const struct rf_run_case *p = n ? &h->run->cases[order[0]] : NULL;
	size_t i;

	if (!p)
		return;
	fputs("<div class=\"first\">\n", h->f);
	put_fabric(h, p);
	rf_html_ranks(h, p);
	fputs("</div>\n<div class=\"second\">\n", h->f);
	if (p->an->nhits)
		rf_html_ladder(h, p);
	else
		rf_html_spread(h, p);
	fputs("<section class=\"cards\">\n<h2>Cases, worst first</h2>\n<p class=\"dim\">The bars are step times. Red: the worst step, and steps in which a packet was hit.</p>\n<ol>\n", h->f);
	for (i = 0; i < n && i < CARDS_MAX; i++)
		put_card(h, &h->run->cases[order[i]]);
	fputs("</ol>\n</section>\n</div>\n", h->f);
}
