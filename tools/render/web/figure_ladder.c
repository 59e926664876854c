// SPDX-License-Identifier: GPL-2.0
/*
 * The packets around a loss as a ladder diagram: each packet that leaves the sender or the
 * receiver of the data, from the packet before the loss to the ACK of the repair.
 */
#include <json-c/json.h>
#include <string.h>

#include "json.h"
#include "summary.h"
#include "tools/render/words/words.h"
#include "units.h"

typedef struct json_object *obj;

struct ladder {
	const struct rf_run_case *p;
	const struct rf_loss *l;
	bool answer;			/* the lost packet is a response */
	obj lines;
};

/* Add a packet. @leave and @arrive are its events at the two ends, or NULL. */
static obj add_packet(struct ladder *la, const char *kind, bool data, const struct rf_event *leave,
		      const struct rf_event *arrive, const char *words)
{
	uint64_t zero = la->l->hit->t_ns;
	obj o = rf_list_object(la->lines);

	rf_put_text(o, "kind", kind);
	rf_put_text(o, "from", data ? "sender" : "receiver");
	if (leave)
		json_object_object_add(o, "leave_ns",
				       json_object_new_int64((int64_t)(leave->t_ns - zero)));
	if (arrive)
		json_object_object_add(o, "arrive_ns",
				       json_object_new_int64((int64_t)(arrive->t_ns - zero)));
	rf_put_text(o, "words", words);
	return o;
}

static bool is_data_of(const struct rf_event *e, const struct rf_event *data, bool leaves)
{
	return e->kind == RF_EVENT_HIT && rf_event_is_request(e) && !e->fault &&
	       rf_event_leaves(e) == leaves && rf_event_same_flow(e, data);
}

/* Return: the event of the arrival of the packet @e at the receiver; NULL: not recorded */
static const struct rf_event *arrival_of(const struct ladder *la, const struct rf_event *e)
{
	const struct rf_events *ev = &la->p->rec.ev;
	const struct rf_event *a;

	for (a = e; a < ev->e + ev->n; a++)
		if (is_data_of(a, e, false) && a->psn == e->psn)
			return a;
	return NULL;
}

/* Return: the departure of the packet whose arrival is @e; NULL: not recorded */
static const struct rf_event *departure(const struct ladder *la, const struct rf_event *e)
{
	const struct rf_event *d;

	for (d = e; d-- > la->p->rec.ev.e;)
		if (is_data_of(d, e, true) && d->psn == e->psn)
			return d;
	return NULL;
}

static void add_before(struct ladder *la)
{
	const struct rf_event *e;
	char words[64];

	for (e = la->l->hit; e-- > la->p->rec.ev.e;)
		if (is_data_of(e, la->l->hit, true) && e->attempt < 2 &&
		    e->psn != la->l->hit->psn)
			break;
	if (e < la->p->rec.ev.e)
		return;
	snprintf(words, sizeof(words), "PSN +%u arrives", e->psn_rel);
	add_packet(la, "data", true, e, arrival_of(la, e), words);
}

static void add_lost(struct ladder *la)
{
	const struct rf_loss *l = la->l;
	char words[96];

	if (la->answer)
		snprintf(words, sizeof(words), "%s %s at port %s",
			 l->hit->class & RDMAFAULT_CLASS_ACK ? "ACK" : "response",
			 rf_hit_participle(l->hit), l->hit->dev);
	else
		snprintf(words, sizeof(words), "PSN +%u %s at port %s", l->hit->psn_rel,
			 rf_hit_participle(l->hit), l->hit->dev);
	add_packet(la, "lost", !la->answer, l->hit, NULL, words);
}

static void add_cause(struct ladder *la)
{
	const struct rf_loss *l = la->l;
	char words[128];

	if (l->revealed && l->found == RF_DETECTED_NAK) {
		snprintf(words, sizeof(words), "PSN +%u reveals the gap", l->revealed->psn_rel);
		add_packet(la, "data", true, departure(la, l->revealed), l->revealed, words);
	}
	if (l->nak && l->found == RF_DETECTED_NAK) {
		snprintf(words, sizeof(words), "NAK: send again from the missing packet");
		add_packet(la, "nak", false, l->nak_sent, l->nak, words);
	}
	if (l->rnr && l->found == RF_DETECTED_RNR)
		add_packet(la, "nak", false, NULL, l->rnr, "RNR NAK: the receiver is not ready");
	if (l->covered)
		add_packet(la, "ack", false, NULL, l->covered,
			   "the next ACK also acknowledges this packet");
	if (l->found != RF_DETECTED_TIMEOUT || !l->first || rf_record_has_holes(&la->p->rec))
		return;
	add_packet(la, "timer", !rf_loss_of_response(l), l->first, NULL,
		   rf_timer_expires(la->p, l, words, sizeof(words)));
}

/* Add the first ACK that arrives at the sender after the repair. */
static void add_ack(struct ladder *la)
{
	const struct rf_events *ev = &la->p->rec.ev;
	const struct rf_event *e;

	for (e = la->l->again; e < ev->e + ev->n; e++)
		if (e->kind == RF_EVENT_HIT && e->class & RDMAFAULT_CLASS_ACK && !e->fault &&
		    !rf_event_leaves(e) &&
		    (!la->l->qp || la->answer || e->qp == la->l->qp->qpn) &&
		    !memcmp(e->daddr, la->l->again->saddr, 16) &&
		    rf_psn_diff(e->psn, la->l->again->psn) >= 0)
			break;
	if (e < ev->e + ev->n)
		add_packet(la, "ack", false, NULL, e, "ACK of the retransmitted packet");
}

/* The requester of a lost response repeats its request. */
static void add_repaired_response(struct ladder *la)
{
	const struct rf_loss *l = la->l;
	char words[64];

	snprintf(words, sizeof(words), "the request is sent again, from PSN +%u on",
		 l->first->psn_rel);
	add_packet(la, "again", false, l->first, NULL, words);
	if (l->again)
		add_packet(la, "again", true, l->again, NULL, "the response is sent again");
}

static void add_repair(struct ladder *la)
{
	const struct rf_loss *l = la->l;
	const char *missing = la->answer ? ", the packet without an ACK" : ", the missing packet";
	char words[160], size[RF_FMT_LEN];

	if (!l->first)
		return;
	if (rf_loss_of_response(l)) {
		add_repaired_response(la);
		return;
	}
	if (l->packets == 1) {
		add_packet(la, "again", true, l->first,
			   l->recovery ? arrival_of(la, l->first) : NULL,
			   "the packet is retransmitted");
		if (l->again)
			add_ack(la);
		return;
	}
	snprintf(words, sizeof(words),
		 "PSN +%u%s: go-back-N starts at the oldest packet without an ACK",
		 l->first->psn_rel, l->first == l->again && !la->answer ? missing : "");
	add_packet(la, "again", true, l->first, arrival_of(la, l->first), words);
	if (l->again && l->again != l->first && l->again != l->last) {
		snprintf(words, sizeof(words), "PSN +%u%s", l->again->psn_rel, missing);
		add_packet(la, "again", true, l->again, arrival_of(la, l->again), words);
	}
	snprintf(words, sizeof(words), "PSN +%u%s, the last of %llu retransmitted packets (%s)",
		 l->last->psn_rel, l->last == l->again ? missing : "",
		 (unsigned long long)l->packets, rf_fmt_size(l->bytes, size));
	add_packet(la, "again", true, l->last, arrival_of(la, l->last), words);
	if (l->again)
		add_ack(la);
}

/* Add the end of the job, if the packet was not repaired before. */
static void add_end(struct ladder *la)
{
	uint64_t failed = rf_timeline_failed_ns(&la->p->rec.tl, la->l->hit->step);
	const struct rf_rank_end *end;
	char words[64];
	uint32_t step;
	obj o;

	if (!rf_case_ended_by(la->p, la->l))
		return;
	end = rf_timeline_ended(&la->p->rec.tl, &step);
	snprintf(words, sizeof(words), "rank %td gives up, and the job fails",
		 end - la->p->rec.tl.end);
	o = add_packet(la, "end", false, NULL, NULL, words);
	json_object_object_add(o, "leave_ns",
			       json_object_new_int64((int64_t)(failed - la->l->hit->t_ns)));
}

/* With several rails, put the one that the queue pair uses. */
static void put_rail(obj o, const struct rf_run_case *p, const struct rf_qp *qp)
{
	const uint32_t rails = rf_workload_rails(&p->test_case->workload);
	unsigned int node;

	if (rails > 1 && sscanf(qp->netdev, "v%u", &node) == 1)
		rf_put_u64(o, "rail", (node - 1) % rails);
}

/**
 * rf_figure_ladder - get the data of the ladder diagram of a loss
 * @p: the case
 *
 * Return: the object; NULL if no packet was hit.
 */
obj rf_figure_ladder(const struct rf_run_case *p)
{
	const struct rf_loss *l = rf_shown_loss(p);
	struct ladder la = { .p = p, .l = l };
	const struct rf_qp *qp;
	obj o;

	if (!l)
		return NULL;
	qp = l->qp;
	la.answer = rf_loss_of_answer(l);
	o = json_object_new_object();
	if (qp) {
		rf_put_u64(o, "sender", la.answer ? qp->peer : qp->rank);
		rf_put_u64(o, "receiver", la.answer ? qp->rank : qp->peer);
		put_rail(o, p, qp);
	}
	rf_put_u64(o, "step", l->hit->step);
	rf_put_u64(o, "psn", l->hit->psn_rel);
	rf_put_u64(o, "attempt", l->hit->attempt);
	rf_put_text(o, "opcode", rf_event_opcode(l->hit));
	rf_put_text(o, "position", rf_event_position(l->hit));
	rf_put_text(o, "port", l->hit->dev);
	rf_put_u64(o, "others", p->an->nhits - 1);
	la.lines = rf_put_list(o, "packets");
	if (!la.answer)
		add_before(&la);
	add_lost(&la);
	add_cause(&la);
	add_repair(&la);
	add_end(&la);
	return o;
}
