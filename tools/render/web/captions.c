// SPDX-License-Identifier: GPL-2.0
/* Sentences of the first screen: where the fault was, what it hit besides, and what it cost */
#include <json-c/json.h>
#include <string.h>

#include "json.h"
#include "summary.h"
#include "tools/analysis/analysis.h"
#include "tools/render/words/words.h"
#include "tools/scenario/scenario.h"
#include "units.h"

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

/* Say where the shown packet was hit or, if none was hit, which port was paused longest. */
static void say_place(const struct rf_run_case *p, char *buf, size_t len)
{
	const struct rf_loss *l = rf_shown_loss(p);
	const struct rf_port_tally *port = NULL;
	const struct rf_prio_tally *t = rf_most_paused(&p->rec, &port);
	bool clean = rf_case_is_clean(p->test_case) || rf_case_hit_nothing(p);
	char packet[96];
	size_t n = 0;

	buf[0] = '\0';
	if (l && l->qp)
		n = snprintf(buf, len, "Port %s, rank %u to rank %u: %s.", l->hit->dev, l->qp->rank,
			     l->qp->peer, say_packet(l, packet));
	else if (l)
		n = snprintf(buf, len, "Port %s: PSN +%u.", l->hit->dev, l->hit->psn_rel);
	if (t && n < len)
		snprintf(buf + n, len - n, "%s%s: paused ports, %s for the longest time (priority %td).",
			 n ? " " : "", clean ? "Pale blue" : "Orange", port->netdev,
			 t - port->prio);
}

/*
 * Describe the hit packets that the ladder diagram does not show, if there are any. An ACK
 * is not retransmitted: the receiver sends another one.
 */
static void say_others(const struct rf_run_case *p, char *buf, size_t len)
{
	const struct rf_loss *shown = rf_shown_loss(p), *l;
	size_t others = p->an->nhits ? p->an->nhits - 1 : 0, again = 0;
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
		snprintf(buf, len, "%s more packet%s hit", n, others == 1 ? " was" : "s were");
	else if (others == 1)
		snprintf(buf, len, "The other hit packet was retransmitted after %s", time);
	else if (again == others)
		snprintf(buf, len, "The other %s hit packets were retransmitted after at most %s",
			 n, time);
	else
		snprintf(buf, len, "Of the other %s hit packets, %s %s retransmitted, after %s%s", n,
			 rf_fmt_count(again, m), again == 1 ? "was" : "were",
			 again == 1 ? "" : "at most ", time);
	strncat(buf, ": see \"Lost packets\" in the details.", len - strlen(buf) - 1);
}

static void say_detected(const struct rf_run_case *p, char *buf, size_t len)
{
	const struct rf_loss *l = rf_shown_loss(p);
	char time[RF_FMT_LEN];

	buf[0] = '\0';
	if (!l || !l->first || rf_loss_why_not_detected(l) || rf_case_ended_by(p, l))
		return;
	snprintf(buf, len, "Detected by %s; retransmitted after %s.",
		 l->found == RF_DETECTED_NAK ? "a NAK" : l->found == RF_DETECTED_RNR ? "an RNR NAK" :
		 l->found == RF_DETECTED_IMPLIED ? "a later response" :
		 "the timer", rf_fmt_time(l->first->t_ns - l->hit->t_ns, time));
}

/**
 * rf_captions_json - add the sentences of a case that the first screen needs
 * @o: an object; gets "where", "others", "cost", "detected" and "first_wait"; a sentence can
 *	be empty
 * @run: the run
 * @p: the case
 */
void rf_captions_json(struct json_object *o, const struct rf_run *run, const struct rf_run_case *p)
{
	char text[288];

	say_place(p, text, sizeof(text));
	rf_put_text(o, "where", text);
	say_others(p, text, sizeof(text));
	rf_put_text(o, "others", text);
	rf_put_text(o, "cost", rf_case_cost_text(run, p, text, sizeof(text)));
	say_detected(p, text, sizeof(text));
	rf_put_text(o, "detected", text);
	rf_put_text(o, "first_wait", rf_first_wait_text(p, text, sizeof(text)));
}
