// SPDX-License-Identifier: GPL-2.0
/* The go-back-N verdict on each flow of a case, with the violated rules */
#include "html.h"
#include "units.h"

#define COUNTS 6

static void put_flow_name(FILE *f, const struct rf_gbn_flow *flow)
{
	const struct rf_event *e = flow->data;
	char from[48], to[48];

	if (flow->qp)
		rf_table_cell(f, "rank %u to %u, QP %u", flow->qp->rank,
			      flow->qp->peer, e->qp);
	else
		rf_table_cell(f, "%s to %s, QP %u",
			      rf_event_addr(e, e->saddr, from, sizeof(from)),
			      rf_event_addr(e, e->daddr, to, sizeof(to)), e->qp);
}

static void put_flow_verdict(FILE *f, enum rf_gbn_verdict v)
{
	fprintf(f, "<td><span class=\"verdict %s\">%s</span></td>",
		v == RF_GBN_CONFORMS ? "pass" : v == RF_GBN_VIOLATES ? "fail" :
		"open", rf_gbn_verdict_name(v));
}

static void put_flow_row(FILE *f, const struct rf_gbn_flow *flow)
{
	const uint64_t n[COUNTS] = { flow->packets, flow->lost, flow->naks,
			       flow->restarts, flow->timeouts, flow->retransmitted };
	char count[32];
	size_t i;

	rf_table_row(f);
	put_flow_name(f, flow);
	put_flow_verdict(f, flow->verdict);
	for (i = 0; i < COUNTS; i++)
		rf_table_cell(f, "%s", rf_fmt_count(n[i], count));
	fputc('\n', f);
}

static void put_breaches(FILE *f, const struct rf_gbn_flow *flow)
{
	int rule;

	for (rule = 0; rule < RF_GBN_RULES; rule++) {
		if (!flow->broken[rule])
			continue;
		fputs("<p class=\"notmet\">", f);
		rf_html_say(f, "QP %u violated this rule: %s; first at PSN 0x%06x, expected PSN 0x%06x; violations: %llu",
			    flow->data->qp, rf_gbn_rule_text(rule),
			    flow->where[rule]->psn, flow->want[rule],
			    (unsigned long long)flow->broken[rule]);
		fputs("</p>\n", f);
	}
}

static void put_doubt(FILE *f, const struct rf_gbn_flow *flow)
{
	if (flow->verdict != RF_GBN_UNJUDGED)
		return;
	fputs("<p class=\"dim\">", f);
	rf_html_say(f, "QP %u has no verdict: %s.", flow->data->qp,
		    rf_gbn_why_text(flow->why));
	fputs("</p>\n", f);
}

/*
 * Check whether a flow conforms to go-back-N, and had no loss, NAK or retransmission. Such
 * flows are counted but not listed.
 */
static bool is_quiet(const struct rf_gbn_flow *flow)
{
	return flow->verdict == RF_GBN_CONFORMS && !flow->lost && !flow->naks &&
	       !flow->restarts && !flow->timeouts && !flow->retransmitted;
}

static void put_flow_table(FILE *f, const struct rf_gbn *gbn, size_t quiet)
{
	static const char *const heads[] = {
		"flow", "go-back-N", "recorded packets", "lost", "NAKs",
		"retransmissions", "timeouts", "retransmitted", NULL
	};
	size_t i;

	if (quiet == gbn->n)
		return;
	rf_table_begin(f, "Flows and the rules of go-back-N", heads);
	for (i = 0; i < gbn->n; i++)
		if (!is_quiet(&gbn->flows[i]))
			put_flow_row(f, &gbn->flows[i]);
	rf_table_end(f);
}

/**
 * rf_html_flows - write the table of flows; nothing if none was recorded
 * @h: the page
 * @p: the case
 */
void rf_html_flows(struct rf_html *h, const struct rf_run_case *p)
{
	const struct rf_gbn *gbn = &p->an->gbn;
	char flows[RF_THINGS_LEN];
	size_t i, quiet = 0;

	if (!gbn->n)
		return;
	for (i = 0; i < gbn->n; i++)
		quiet += is_quiet(&gbn->flows[i]);
	fputs("<h3>Go-back-N check</h3>\n<p class=\"dim\">The receiver has at most one NAK outstanding, for the first missing packet. The sender restarts exactly there; after a timeout, it restarts at the lost packet or earlier. Only recorded packets are checked.</p>\n",
	      h->f);
	put_flow_table(h->f, gbn, quiet);
	if (quiet) {
		fputs("<p>", h->f);
		rf_html_say(h->f, "%s%s had no loss and violated no rule.",
			    quiet < gbn->n ? "The other " : "",
			    rf_fmt_things(quiet, "flow", flows));
		fputs("</p>\n", h->f);
	}
	for (i = 0; i < gbn->n; i++) {
		put_breaches(h->f, &gbn->flows[i]);
		put_doubt(h->f, &gbn->flows[i]);
	}
}
