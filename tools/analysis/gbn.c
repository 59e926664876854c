// SPDX-License-Identifier: GPL-2.0
/*
 * Go-back-N check: two state machines per flow, one for its receiver and one for its
 * sender, process the events in the order of time. All comparisons are modulo 2^24.
 *
 *   receiver  the next expected PSN; whether a NAK is outstanding
 *   sender    the NAK to react to; the position in a retransmission
 *
 * Not all packets are recorded. Arrivals are recorded only in observed steps. The first
 * packets of a step can be missing: a port enters a step when its own rank does, which can
 * be later than the rank that sent the packets. Therefore the state machine of the receiver
 * restarts with each step. It takes the first recorded PSN of the step as the expected PSN
 * only if no packet can have been lost before this one. A rule is checked only if all packets
 * that the check needs were recorded.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "wire.h"

#define DUE 16			/* most NAKs that a receiver still has to send */

#define ANSWERS (RDMAFAULT_CLASS_ACK | RDMAFAULT_CLASS_NAK | RDMAFAULT_CLASS_RNR)

/* The state of a flow during the check */
struct track {
	bool knows;		/* @wanted is valid */
	uint32_t wanted;	/* PSN that the receiver expects next */
	uint32_t step;		/* step in which @wanted was set */
	bool asked;		/* a NAK is outstanding */
	uint32_t asked_psn;
	bool has_ack;
	uint32_t ack;
	bool obeys;		/* because of a NAK, the sender must restart at @obeys_psn */
	bool needs_not;		/* @obeys_psn is already being retransmitted */
	uint32_t obeys_psn;
	bool going_back;
	bool went_back;		/* true: the last retransmission was PSNs @back to @last */
	uint32_t back, last;
	bool hole;		/* @hole_psn is valid */
	uint32_t hole_psn;	/* the oldest packet that was lost and not retransmitted yet */
	bool repaired;		/* the last retransmitted packet was the oldest lost one */
	uint32_t repaired_psn;
	bool misses;		/* @misses_psn was lost and has not arrived yet */
	uint32_t misses_psn, misses_step;
	bool blind;		/* the order in which the receiver gets packets is not known */
	bool revealed;		/* a packet behind @wanted has arrived */
	bool ahead;		/* packets of @step have arrived before @wanted was known, */
	bool requested;		/* and the receiver has sent a NAK */
	uint32_t due[DUE];	/* PSNs that the receiver must request next, oldest first */
	uint32_t ndue;
	uint32_t last_nak;	/* the last of them that it requested */
	bool has_nak;
	bool has_first;
	uint32_t first, first_step;	/* first PSN sent in @first_step */
};

struct check {
	const struct rf_wire *w;
	const struct rf_record *rec;
	struct rf_gbn *gbn;
	struct track *tracks;	/* one per flow */
	bool vague;		/* packets can be lost without being recorded */
	bool hidden;		/* a blackhole dropped packets */
	bool naks_leave;	/* NAKs were recorded when they left the receiver */
};

static const struct {
	const char *name, *text;
} rules[RF_GBN_RULES] = {
	[RF_GBN_ONE_NAK] = { "one-nak", "at most one NAK is outstanding" },
	[RF_GBN_FIRST_HOLE] = { "first-hole",
				"a NAK requests the first missing packet" },
	[RF_GBN_RESTART] = { "restart",
			     "the sender restarts at the PSN of the NAK" },
	[RF_GBN_TIMEOUT] = { "timeout",
			     "after a timeout, the sender restarts at the lost packet or earlier" },
	[RF_GBN_ACKS] = { "acks", "the PSN of ACKs never decreases" },
};

static const struct {
	const char *name, *text;
} doubts[] = {
	[RF_GBN_NO_DOUBT] = { "", "" },
	[RF_GBN_READS] = { "reads", "the flow has RDMA READs: the requester detects missing responses itself and repeats the request without a NAK" },
	[RF_GBN_FORGED] = { "forged", "a fault rewrote packets of the flow or forged responses" },
	[RF_GBN_WHOSE] = { "whose", "several flows between these two addresses have an unknown sending queue pair, so responses cannot be assigned to a flow" },
};

static const char *const verdicts[] = {
	[RF_GBN_CONFORMS] = "conforms",
	[RF_GBN_VIOLATES] = "violates",
	[RF_GBN_UNJUDGED] = "unjudged",
	[RF_GBN_VOID] = "void",
};

/** rf_gbn_verdict_name - get the name of a verdict */
const char *rf_gbn_verdict_name(enum rf_gbn_verdict verdict)
{
	return verdicts[verdict];
}

/** rf_gbn_why_name - get the name of the reason why a flow is not judged */
const char *rf_gbn_why_name(enum rf_gbn_why why)
{
	return doubts[why].name;
}

/** rf_gbn_why_text - get the reason why a flow is not judged, as a sentence */
const char *rf_gbn_why_text(enum rf_gbn_why why)
{
	return doubts[why].text;
}

/** rf_gbn_rule_name - get the name of a rule */
const char *rf_gbn_rule_name(enum rf_gbn_rule rule)
{
	return rules[rule].name;
}

/** rf_gbn_rule_text - get a rule as a sentence */
const char *rf_gbn_rule_text(enum rf_gbn_rule rule)
{
	return rules[rule].text;
}

static void unjudged(struct rf_gbn_flow *flow, enum rf_gbn_why why)
{
	flow->verdict = RF_GBN_UNJUDGED;
	flow->why = why;
}

static void broken(struct rf_gbn_flow *flow, enum rf_gbn_rule rule,
		   const struct rf_event *e, uint32_t want)
{
	if (!flow->broken[rule]++) {
		flow->where[rule] = e;
		flow->want[rule] = want;
	}
}

static bool same_ends(const struct rf_event *a, const struct rf_event *b)
{
	return !memcmp(a->saddr, b->saddr, 16) && !memcmp(a->daddr, b->daddr, 16);
}

/*
 * Check whether a response has the addresses of a flow, in reverse. flow_of_answer() also
 * compares the QP number: a response carries the QP number of the data sender.
 */
static bool is_answer_to(const struct rf_event *e,
			 const struct rf_gbn_flow *flow)
{
	return !memcmp(e->saddr, flow->data->daddr, 16) &&
	       !memcmp(e->daddr, flow->data->saddr, 16);
}

static struct rf_gbn_flow *flow_of_request(const struct rf_gbn *gbn,
					   const struct rf_event *e)
{
	struct rf_gbn_flow *flow;

	for (flow = gbn->flows; flow < gbn->flows + gbn->n; flow++)
		if (flow->data->qp == e->qp && same_ends(flow->data, e))
			return flow;
	return NULL;
}

/*
 * Find the flow of a response by the QP number of the data sender. If no flow has this
 * queue pair, use the flow whose sending queue pair is unknown.
 */
static struct rf_gbn_flow *flow_of_answer(const struct rf_gbn *gbn,
					  const struct rf_event *e)
{
	struct rf_gbn_flow *flow, *unknown = NULL;

	for (flow = gbn->flows; flow < gbn->flows + gbn->n; flow++) {
		if (!is_answer_to(e, flow))
			continue;
		if (flow->qp && flow->qp->qpn == e->qp)
			return flow;
		if (!flow->qp && !unknown)
			unknown = flow;
	}
	return unknown;
}

static struct rf_gbn_flow *flow_of(const struct check *c,
				   const struct rf_event *e)
{
	return rf_event_is_request(e) ? flow_of_request(c->gbn, e) :
					flow_of_answer(c->gbn, e);
}

/* Check whether a node accepts the packet @e, which has arrived at its port. */
static bool is_accepted(const struct check *c, const struct rf_event *e)
{
	const struct rf_pass *p = rf_wire_pass(c->w, e);

	return p && rf_pass_is_accepted(c->w, p);
}

/* Check whether a fault holds the packet @e after its arrival at the port of the receiver. */
static bool is_held(const struct check *c, const struct rf_event *e)
{
	const struct rf_pass *p = rf_wire_pass(c->w, e);
	const struct rf_event *f;

	for (f = p ? p->fault : NULL; f; f = rf_pass_next_fault(c->w, f))
		if (rf_event_has_action(f, RDMAFAULT_ACTION_DELAY) ||
		    rf_event_has_action(f, RDMAFAULT_ACTION_REORDER))
			return true;
	return false;
}

/* ---- the receiver ---- */

/*
 * @e is the first packet of a step that arrives. If no earlier packet can have been lost, its
 * PSN is the PSN that the receiver expects. Otherwise the expected PSN is not known.
 */
static void learn_psn(const struct check *c, struct track *t,
		      const struct rf_event *e)
{
	bool whole = t->has_first && t->first_step == e->step &&
		     t->first == e->psn;
	bool misses = t->misses && t->misses_step + 1 >= e->step &&
		      t->misses_psn != e->psn;

	t->knows = whole || (!c->vague && !misses);
	t->step = e->step;
	t->wanted = e->psn;
}

/* A packet behind the expected one has arrived: the receiver must request the expected one. */
static void reveals(struct track *t)
{
	if (t->revealed)
		return;
	t->revealed = true;
	if (t->ndue < DUE)
		t->due[t->ndue++] = t->wanted;
	else
		t->blind = true;
}

/* Check whether all packets from step @t->step to the step of @e were recorded at its port. */
static bool follows(const struct check *c, const struct track *t, const struct rf_event *e)
{
	const struct rf_pass *p = rf_wire_pass(c->w, e);
	const bool *step = c->w->port[p->port].step;

	return e->step == t->step + 1 && e->step < c->w->steps && step[t->step] && step[e->step];
}

/* Find out which PSN the receiver expects, if this is not known in this step yet. */
static void find_expected_psn(const struct check *c, struct track *t, const struct rf_event *e)
{
	bool late = t->ahead && !t->requested && t->step == e->step;

	if (t->knows && t->step != e->step && follows(c, t, e))
		t->step = e->step;
	if (t->knows && t->step == e->step)
		return;
	if (t->step != e->step)
		t->ahead = t->requested = false;
	learn_psn(c, t, e);
	t->revealed = false;
	if (late && t->knows)
		reveals(t);
}

static void arrives(const struct check *c, struct rf_gbn_flow *flow,
		    struct track *t, const struct rf_event *e)
{
	flow->whole = true;
	t->blind |= is_held(c, e);
	if (!is_accepted(c, e))
		return;
	find_expected_psn(c, t, e);
	if (t->misses && t->misses_psn == e->psn)
		t->misses = false;
	if (!t->knows) {
		t->ahead = true;
		return;
	}
	if (rf_psn_diff(e->psn, t->wanted) > 0)
		reveals(t);
	if (t->wanted != e->psn)
		return;
	t->wanted = (e->psn + 1) & 0xffffff;
	t->revealed = false;
	t->asked = false;
}

/*
 * Check whether the packet that a NAK requests is already being retransmitted. With a long
 * propagation delay, the sender's timer can expire before the NAK arrives.
 */
static bool is_under_way(const struct track *t, uint32_t psn)
{
	return t->went_back && rf_psn_diff(psn, t->back) >= 0 &&
	       rf_psn_diff(psn, t->last) <= 0 &&
	       !(t->hole && t->hole_psn == psn);
}

/*
 * Check for a NAK that the receiver had to send. It processes packets some time after their
 * arrival, so it can send NAKs for earlier ones.
 */
static bool was_due(struct track *t, uint32_t psn)
{
	if (!t->ndue || t->due[0] != psn)
		return false;
	t->has_nak = true;
	t->last_nak = psn;
	memmove(t->due, t->due + 1, --t->ndue * sizeof(*t->due));
	return true;
}

static void receiver_asks(struct rf_gbn_flow *flow, struct track *t,
			  const struct rf_event *e)
{
	flow->naks++;
	if (t->blind || was_due(t, e->psn))
		return;
	if (t->knows && t->step == e->step) {
		if (t->has_nak && t->last_nak == e->psn)
			broken(flow, RF_GBN_ONE_NAK, e, e->psn);
		else if (t->ndue || e->psn != t->wanted)
			broken(flow, RF_GBN_FIRST_HOLE, e, t->ndue ? t->due[0] : t->wanted);
		return;
	}
	t->requested = true;
	if (t->asked)
		broken(flow, RF_GBN_ONE_NAK, e, t->asked_psn);
	t->asked = !is_under_way(t, e->psn);
	t->asked_psn = e->psn;
	if (t->hole && rf_psn_diff(e->psn, t->hole_psn) > 0)
		broken(flow, RF_GBN_FIRST_HOLE, e, t->hole_psn);
}

static void receiver_acknowledges(struct rf_gbn_flow *flow, struct track *t,
				  const struct rf_event *e)
{
	if (t->has_ack && rf_psn_diff(e->psn, t->ack) < 0)
		broken(flow, RF_GBN_ACKS, e, t->ack);
	else
		t->ack = e->psn;
	t->has_ack = true;
	if (t->hole && rf_psn_diff(e->psn, t->hole_psn) >= 0)
		t->hole = false;
}

/* ---- the sender ---- */

/* Check whether a NAK requested @e. The sender can process it after later ones have arrived. */
static bool was_requested(const struct check *c, const struct rf_event *e)
{
	const struct rf_pass *p = rf_wire_pass(c->w, e);

	return p && p->restart && p->restart->cause == RF_CAUSE_NAK && p->restart->sent.p[0] == p;
}

static void begins_again(const struct check *c, struct rf_gbn_flow *flow, struct track *t,
			 const struct rf_event *e)
{
	bool obeys = t->obeys;

	t->obeys = false;
	if (was_requested(c, e)) {
		flow->restarts++;
		return;
	}
	if (obeys && !(t->needs_not && e->psn != t->obeys_psn)) {
		flow->restarts++;
		if (e->psn != t->obeys_psn)
			broken(flow, RF_GBN_RESTART, e, t->obeys_psn);
		return;
	}
	flow->timeouts++;
	if (t->hole && rf_psn_diff(e->psn, t->hole_psn) > 0)
		broken(flow, RF_GBN_TIMEOUT, e, t->hole_psn);
}

static void sends_again(const struct check *c, struct rf_gbn_flow *flow, struct track *t,
			const struct rf_event *e)
{
	bool follows = t->going_back && rf_psn_diff(e->psn, t->last) == 1;

	flow->retransmitted++;
	if (!follows || (t->obeys && e->psn == t->obeys_psn))
		begins_again(c, flow, t, e);
	if (!follows)
		t->back = e->psn;
	t->went_back = true;
	t->going_back = true;
	t->last = e->psn;
	if (t->asked && e->psn == t->asked_psn)
		t->asked = false;
	t->repaired = t->hole && e->psn == t->hole_psn;
	t->repaired_psn = e->psn;
	if (t->repaired)
		t->hole = false;
}

static void leaves(const struct check *c, struct rf_gbn_flow *flow, struct track *t,
		   const struct rf_event *e)
{
	flow->packets++;
	if (e->attempt > 1) {
		sends_again(c, flow, t, e);
		return;
	}
	t->going_back = false;
	if (!t->has_first || t->first_step != e->step) {
		t->has_first = true;
		t->first = e->psn;
		t->first_step = e->step;
	}
}

/* ---- faults ---- */

static void keep_oldest(bool *is, uint32_t *psn, uint32_t now)
{
	if (!*is || rf_psn_diff(now, *psn) < 0)
		*psn = now;
	*is = true;
}

/*
 * If a retransmitted packet is lost, it is missing at the receiver only if the earlier
 * transmissions were lost too. Otherwise the receiver can already have the packet.
 *
 * Behind a queue, a packet can be lost after the sender has retransmitted it. Then the
 * retransmission is on its way, and the packet is not missing.
 */
static void note_lost(struct rf_gbn_flow *flow, struct track *t,
		      const struct rf_event *e)
{
	bool again = t->repaired && t->repaired_psn == e->psn;

	flow->lost++;
	keep_oldest(&t->misses, &t->misses_psn, e->psn);
	t->misses_step = e->step;
	if (again || (e->attempt <= 1 && !is_under_way(t, e->psn)))
		keep_oldest(&t->hole, &t->hole_psn, e->psn);
}

/*
 * Process a hit. If only the payload was changed and the receiver accepts the packet, the
 * packet is not lost.
 */
static void is_hit(struct rf_gbn_flow *flow, struct track *t,
		   const struct rf_event *e)
{
	if (e->taken == RF_TAKEN_FORGED)
		unjudged(flow, RF_GBN_FORGED);
	if (e->taken != RF_TAKEN_NOT)
		return;
	switch (e->action) {
	case RDMAFAULT_ACTION_DROP:
	case RDMAFAULT_ACTION_CORRUPT:
	case RDMAFAULT_ACTION_TRUNCATE:
	case RDMAFAULT_ACTION_TRIM:
		if (rf_event_is_request(e))
			note_lost(flow, t, e);
		break;
	case RDMAFAULT_ACTION_REWRITE:
	case RDMAFAULT_ACTION_NAK:
	case RDMAFAULT_ACTION_RNR:
		unjudged(flow, RF_GBN_FORGED);
		break;
	}
}

/* ---- all flows ---- */

static void take_answer(const struct check *c, struct rf_gbn_flow *flow,
			struct track *t, const struct rf_event *e)
{
	bool leaving = rf_event_leaves(e);

	if (e->class & RDMAFAULT_CLASS_ACK) {
		/* The response to an atomic that was sent again has the PSN of the first one. */
		if (leaving && e->opcode == RF_OPCODE_ACK)
			receiver_acknowledges(flow, t, e);
		return;
	}
	/* After an RNR NAK, the receiver discards packets until the request comes again. */
	t->blind |= c->hidden || e->class & RDMAFAULT_CLASS_RNR;
	if (e->syndrome != RF_NAK_SEQUENCE)
		return;
	if (leaving == c->naks_leave)
		receiver_asks(flow, t, e);
	if (leaving || !is_accepted(c, e))
		return;
	t->obeys = true;
	t->obeys_psn = e->psn;
	t->needs_not = is_under_way(t, e->psn);
}

static void take_request(const struct check *c, struct rf_gbn_flow *flow,
			 struct track *t, const struct rf_event *e)
{
	if (e->class & RDMAFAULT_CLASS_READ_REQUEST)
		unjudged(flow, RF_GBN_READS);
	if (rf_event_leaves(e))
		leaves(c, flow, t, e);
	else
		arrives(c, flow, t, e);
}

static void follow_packet(const struct check *c, const struct rf_event *e)
{
	struct rf_gbn_flow *flow = flow_of(c, e);
	struct track *t;

	if (!flow)
		return;
	t = &c->tracks[flow - c->gbn->flows];
	if (e->fault)
		is_hit(flow, t, e);
	else if (rf_event_is_request(e))
		take_request(c, flow, t, e);
	else if (e->class & ANSWERS)
		take_answer(c, flow, t, e);
}

/*
 * Do not judge two or more flows between the same addresses whose sending queue pairs are
 * unknown: a response cannot be assigned to one of these flows.
 */
static void doubt_answers(struct rf_gbn *gbn)
{
	struct rf_gbn_flow *last = &gbn->flows[gbn->n - 1], *flow;

	if (last->qp)
		return;
	for (flow = gbn->flows; flow < last; flow++) {
		if (flow->qp || !same_ends(flow->data, last->data))
			continue;
		unjudged(flow, RF_GBN_WHOSE);
		unjudged(last, RF_GBN_WHOSE);
	}
}

static int add_flow(struct check *c, const struct rf_event *e)
{
	struct rf_gbn *gbn = c->gbn;
	struct rf_gbn_flow *all;

	all = reallocarray(gbn->flows, gbn->n + 1, sizeof(*all));
	if (!all)
		return -ENOMEM;
	gbn->flows = all;
	all[gbn->n++] = (struct rf_gbn_flow){
		.data = e, .qp = rf_timeline_sender(&c->rec->tl, e),
	};
	doubt_answers(gbn);
	return 0;
}

static bool is_vague(const struct rf_event *e)
{
	return e->fault && (e->action == RDMAFAULT_ACTION_DELAY ||
			    e->action == RDMAFAULT_ACTION_REORDER ||
			    e->action == RDMAFAULT_ACTION_BLACKHOLE);
}

static bool queues_dropped(const struct rf_record *rec)
{
	uint64_t n = 0;
	size_t i;
	int prio;

	for (i = 0; i < rec->nports; i++)
		for (prio = 0; prio < RDMAFAULT_PRIOS; prio++)
			n += rec->ports[i].prio[prio].dropped;
	return n;
}

/* Find all flows, and find out which packets were recorded. */
static int survey(struct check *c)
{
	const struct rf_events *ev = &c->rec->ev;
	const struct rf_event *e;
	int err = 0;

	c->vague = queues_dropped(c->rec) || c->rec->link_down;
	for (e = ev->e; !err && e < ev->e + ev->n; e++) {
		if (e->kind != RF_EVENT_HIT)
			continue;
		c->vague |= is_vague(e);
		c->hidden |= e->fault && rf_event_has_action(e, RDMAFAULT_ACTION_BLACKHOLE);
		c->naks_leave |= e->class & RDMAFAULT_CLASS_NAK && rf_event_leaves(e) && !e->fault;
		if (rf_event_is_request(e) && !flow_of(c, e))
			err = add_flow(c, e);
	}
	return err;
}

static void judge(const struct check *c, struct rf_gbn_flow *flow)
{
	uint64_t n = 0;
	int rule;

	for (rule = 0; rule < RF_GBN_RULES; rule++)
		n += flow->broken[rule];
	if (rf_record_has_holes(c->rec))
		flow->verdict = RF_GBN_VOID;
	if (flow->verdict != RF_GBN_CONFORMS || !n)
		return;
	flow->verdict = RF_GBN_VIOLATES;
	c->gbn->violations += n;
}

/**
 * rf_gbn_check - check all flows of a case
 * @w: the packets of the case; its record must outlive @gbn
 * @gbn: filled in with the verdicts; the caller frees it, also after an error
 *
 * Return: 0, or -ENOMEM.
 */
int rf_gbn_check(const struct rf_wire *w, struct rf_gbn *gbn)
{
	const struct rf_record *rec = w->rec;
	struct check c = { .w = w, .rec = rec, .gbn = gbn };
	const struct rf_event *e;
	size_t i;
	int err;

	*gbn = (struct rf_gbn){ };
	err = survey(&c);
	c.tracks = calloc(gbn->n + 1, sizeof(*c.tracks));
	if (err || !c.tracks) {
		free(c.tracks);
		return -ENOMEM;
	}
	for (e = rec->ev.e; e < rec->ev.e + rec->ev.n; e++)
		if (e->kind == RF_EVENT_HIT)
			follow_packet(&c, e);
	for (i = 0; i < gbn->n; i++)
		judge(&c, &gbn->flows[i]);
	free(c.tracks);
	return 0;
}

/** rf_gbn_free - free the result of a check */
void rf_gbn_free(struct rf_gbn *gbn)
{
	free(gbn->flows);
	*gbn = (struct rf_gbn){ };
}
