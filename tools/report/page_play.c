// SPDX-License-Identifier: GPL-2.0
/*
 * A faulted play in detail: the packet, the way from its loss to its repair,
 * all step times at a glance, each rank's step, the bill.
 */
#include <arpa/inet.h>

#include "run.h"
#include "units.h"

#define INDENT 16

static void put_flow(FILE *f, const struct rf_loss *l)
{
	char from[INET6_ADDRSTRLEN], to[INET6_ADDRSTRLEN], text[256], ranks[96];

	snprintf(ranks, sizeof(ranks), "no queue pair of the job");
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

static void put_packet(FILE *f, const struct rf_loss *l)
{
	char text[256];

	snprintf(text, sizeof(text),
		 "PSN 0x%06x (the flow's first + %u), %s (0x%02x), %s of its message, %u bytes of IP",
		 l->hit->psn, l->hit->psn_rel, rf_event_opcode(l->hit),
		 l->hit->opcode, rf_event_position(l->hit), l->hit->len);
	rf_text_wrap(f, "  packet", INDENT, text);
	snprintf(text, sizeof(text), "step %u, transmission %u",
		 l->hit->step, l->hit->pass);
	rf_text_wrap(f, "  when", INDENT, text);
}

static void put_moment(FILE *f, const struct rf_loss *l,
		       const struct rf_event *e, const char *text)
{
	char after[RF_FMT_LEN], head[64];

	snprintf(head, sizeof(head), "  %12s",
		 e == l->hit ? "0" : rf_fmt_time(e->t_ns - l->hit->t_ns, after));
	rf_text_wrap(f, head, INDENT, text);
}

static void put_finding(FILE *f, const struct rf_run *run,
			const struct rf_loss *l)
{
	char text[256], timer[RF_FMT_LEN];

	if (l->nak) {
		snprintf(text, sizeof(text),
			 "a NAK is back at the sender: the receiver saw a later packet and wants PSN 0x%06x",
			 l->nak->psn);
		put_moment(f, l, l->nak, text);
	} else if (l->first) {
		snprintf(text, sizeof(text),
			 "the sender's retransmission timer runs out: nominally %s, which rxe counts in clock ticks and not always from the lost packet on",
			 rf_fmt_time(4096ull << run->scenario->qp.timeout, timer));
		put_moment(f, l, l->first, text);
	}
}

static void put_repair(FILE *f, const struct rf_loss *l)
{
	char text[256], size[RF_FMT_LEN];

	if (!l->first) {
		rf_text_wrap(f, "", INDENT, "and was never sent again");
		return;
	}
	snprintf(text, sizeof(text),
		 "go-back-N begins at PSN +%u%s", l->first->psn_rel,
		 l->first == l->again ? ", the lost packet" :
		 ", the oldest packet without an acknowledge");
	put_moment(f, l, l->first, text);
	snprintf(text, sizeof(text),
		 "the last of %llu packets sent again leaves, PSN +%u; %s for one lost packet of %u B",
		 (unsigned long long)l->packets, l->last->psn_rel,
		 rf_fmt_size(l->bytes, size), l->hit->len);
	put_moment(f, l, l->last, text);
}

static void put_counts(FILE *f, const struct rf_run_play *p)
{
	const uint64_t *m = p->an.measure;
	char text[256];

	snprintf(text, sizeof(text),
		 "%llu NAK%s, %llu timeout%s, %llu packets sent again on all ports; rxe counts completer_retry_err +%llu, out_of_seq_request +%llu, send_err +%llu; wrong sums: %llu",
		 (unsigned long long)m[RF_NAKS], m[RF_NAKS] == 1 ? "" : "s",
		 (unsigned long long)m[RF_TIMEOUTS],
		 m[RF_TIMEOUTS] == 1 ? "" : "s",
		 (unsigned long long)m[RF_RESENT],
		 (unsigned long long)rf_record_counter(&p->rec, RF_RETRY_ERR),
		 (unsigned long long)rf_record_counter(&p->rec, RF_OUT_OF_SEQ),
		 (unsigned long long)m[RF_SEND_ERRORS],
		 (unsigned long long)m[RF_WRONG]);
	rf_text_wrap(f, "  in the play", INDENT, text);
}

static void put_loss(FILE *f, const struct rf_run *run,
		     const struct rf_run_play *p)
{
	const struct rf_loss *l = p->an.losses;

	put_flow(f, l);
	put_packet(f, l);
	put_moment(f, l, l->hit, l->hit->action == RDMAFAULT_ACTION_DROP ?
		   "dropped; its sender believes it sent" : "watched");
	put_finding(f, run, l);
	put_repair(f, l);
	if (p->an.nlosses > 1)
		fprintf(f, "%*sand %zu more, in events.jsonl\n", INDENT, "",
			p->an.nlosses - 1);
}

static uint64_t longest(const struct rf_timeline *a, const struct rf_timeline *b)
{
	uint64_t most = 0, ns;
	uint32_t step;

	for (step = 1; step <= a->iters; step++) {
		ns = rf_timeline_step_ns(a, step);
		most = ns > most ? ns : most;
		ns = rf_timeline_step_ns(b, step);
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

static void put_steps(FILE *f, const struct rf_run *run,
		      const struct rf_run_play *p)
{
	const struct rf_run_play *clean = p - (p - run->plays) %
						run->scenario->nplays;
	uint64_t max = longest(&clean->rec.tl, &p->rec.tl);
	char time[RF_FMT_LEN];

	fprintf(f, "\n  Step times, 1 to %u; full height is %s\n",
		p->rec.tl.iters, rf_fmt_time(max, time));
	put_spark(f, clean->play->name, &clean->rec.tl, max);
	put_spark(f, p->play->name, &p->rec.tl, max);
	if (p->an.step)
		fprintf(f, "%*s▲ step %u\n", INDENT +
			(int)rf_spark_column(&p->rec.tl, p->an.step), "",
			p->an.step);
}

static char *longer(uint64_t now, uint64_t clean, char buf[RF_FMT_LEN + 2])
{
	char time[RF_FMT_LEN];

	snprintf(buf, RF_FMT_LEN + 2, "%s%.20s", now < clean ? "-" : "+",
		 rf_fmt_time(now < clean ? clean - now : now - clean, time));
	return buf;
}

static void put_wait(FILE *f, uint64_t now, uint64_t clean)
{
	char more[RF_FMT_LEN + 2], time[RF_FMT_LEN];

	fprintf(f, "  %8s %9s", rf_fmt_time(now, time),
		longer(now, clean, more));
}

static void put_rank(FILE *f, const struct rf_timeline *tl, uint32_t rank,
		     const struct rf_rank_cost *c)
{
	const struct rf_qp *qp;

	for (qp = tl->qps; qp < tl->qps + tl->nqps && qp->rank != rank; qp++)
		;
	fprintf(f, "  %4u %-7.7s", rank,
		qp < tl->qps + tl->nqps ? qp->device : "");
	put_wait(f, c->now.step, c->clean.step);
	put_wait(f, c->now.recv, c->clean.recv);
	put_wait(f, c->now.send, c->clean.send);
	put_wait(f, c->now.sync, c->clean.sync);
	fputc('\n', f);
}

static void put_ranks(FILE *f, const struct rf_run_play *p)
{
	uint32_t rank;

	fprintf(f, "\n  Step %u, rank by rank; + and - against the rank's medians in the clean play\n",
		p->an.step);
	fprintf(f, "  rank              %16s  waited: for data  for acknowledges    for the others\n",
		"step took");
	for (rank = 0; rank < p->an.ranks; rank++)
		put_rank(f, &p->rec.tl, rank, &p->an.rank[rank]);
}

/* There is no bill for what clean steps do too. */
static void put_cost(FILE *f, const struct rf_run *run,
		     const struct rf_analysis *an)
{
	char over[RF_FMT_LEN], max[RF_FMT_LEN], text[192];

	if (!rf_stall_is_noise(an)) {
		rf_page_cost(f, run->price, an->measure[RF_STALL]);
		return;
	}
	snprintf(text, sizeof(text),
		 "Nothing to pay: the step took %s more than the median, and the slowest clean step took %s.",
		 rf_fmt_time(an->measure[RF_STALL], over),
		 rf_fmt_time(an->clean_max_ns, max));
	fputc('\n', f);
	rf_text_wrap(f, "", 2, text);
}

/**
 * rf_page_play - a faulted play in detail
 * @f: where to
 * @run: the run
 * @p: one of its plays
 */
void rf_page_play(FILE *f, const struct rf_run *run,
		  const struct rf_run_play *p)
{
	rf_text_rule(f, p->play->name, rf_verdict_name(p->verdict));
	if (p->an.nlosses)
		put_loss(f, run, p);
	put_counts(f, p);
	put_steps(f, run, p);
	if (p->an.step) {
		put_ranks(f, p);
		put_cost(f, run, &p->an);
	}
	fputc('\n', f);
}
