// SPDX-License-Identifier: GPL-2.0
/*
 * How a loss was detected and repaired, and why it has no detection or no recovery time.
 *
 * Go-back-N: the receiver detects a missing packet by the PSN of a later packet and sends a NAK
 * with the expected PSN, or the sender's timer expires. In both cases the sender goes back to the
 * oldest unacknowledged packet and sends it and all later packets again. The retransmission that
 * contains the next transmission of a lost request tells how its loss was detected.
 *
 * If an ACK is lost, the receiver has the data, and only the sender of the data is affected. The
 * next ACK also acknowledges all earlier packets. If no ACK follows, the timer of the sender
 * expires, and the sender retransmits packets that the receiver already has. A response to a READ
 * or an atomic is needed: the requester sends its request again.
 *
 * The recovery time ends with the first retransmission that was not lost. If all transmissions of a
 * packet were lost, the packet has no recovery time.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "units.h"
#include "wire.h"

const struct rf_name rf_detected_names[] = {
	{ "nothing", RF_DETECTED_NOT }, { "nak", RF_DETECTED_NAK },
	{ "timeout", RF_DETECTED_TIMEOUT }, { "rnr", RF_DETECTED_RNR },
	{ "implied", RF_DETECTED_IMPLIED }, { }
};

/** rf_loss_of_answer - check whether a response (ACK, NAK, RNR NAK) was hit, not data */
bool rf_loss_of_answer(const struct rf_loss *loss)
{
	return loss->hit->class & (RDMAFAULT_CLASS_ACK | RDMAFAULT_CLASS_NAK |
				   RDMAFAULT_CLASS_RNR) &&
	       loss->hit->opcode == RF_OPCODE_ACK;
}

/** rf_loss_of_response - check whether a response to a READ or an atomic was hit */
bool rf_loss_of_response(const struct rf_loss *loss)
{
	return rf_opcode_is_response(loss->hit->opcode) && loss->hit->opcode != RF_OPCODE_ACK;
}

/** rf_loss_of_rc - check whether the packet is of a reliable connection, which repairs losses */
bool rf_loss_of_rc(const struct rf_loss *loss)
{
	return loss->hit->opcode <= RF_OPCODE_RC_LAST;
}

static enum rf_detected detected_by(const struct rf_restart *r)
{
	switch (r->cause) {
	case RF_CAUSE_NAK:
		return RF_DETECTED_NAK;
	case RF_CAUSE_RNR:
		return RF_DETECTED_RNR;
	case RF_CAUSE_IMPLIED:
		return RF_DETECTED_IMPLIED;
	case RF_CAUSE_NONE:
	case RF_CAUSE_TIMEOUT:
		break;
	}
	return RF_DETECTED_TIMEOUT;
}

/* Return: the index in a list that is sorted by PSN of the first packet behind @p */
static size_t behind(const struct rf_passes *s, const struct rf_pass *p)
{
	size_t low = 0, high = s->n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (s->p[mid]->lin < p->lin ||
		    (s->p[mid]->lin == p->lin && s->p[mid]->t <= p->t))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/*
 * Find the later transmissions of a packet: the next one, and the next one that was not lost. A
 * READ also requests again each PSN of its responses.
 */
static void find_later(const struct rf_conn *conn, const struct rf_pass *p,
		       const struct rf_pass **next, const struct rf_pass **good)
{
	const struct rf_passes *s = &conn->by_psn;
	const struct rf_pass *q;
	size_t i;

	*next = *good = NULL;
	for (i = behind(s, p); i < s->n && s->p[i]->lin == p->lin; i++) {
		q = s->p[i];
		if (q->kind != p->kind)
			continue;
		*next = *next ? *next : q;
		if (!q->lost) {
			*good = q;
			break;
		}
	}
	if (p->kind != RF_PASS_REQUEST)
		return;
	s = &conn->reads;
	for (i = rf_passes_after(s, p->t); i < s->n; i++) {
		q = s->p[i];
		if (*good && q->t >= (*good)->t)
			break;
		if (q->lin >= p->lin || p->lin >= q->end)
			continue;
		if (!*next || q->t < (*next)->t)
			*next = q;
		if (!q->lost)
			*good = q;
	}
}

/* Return: the first retransmission after @t that begins at the PSN of @p or an earlier one */
static const struct rf_restart *find_restart(const struct rf_conn *conn, const struct rf_pass *p)
{
	size_t low = 0, high = conn->restarts.n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (conn->restarts.r[mid]->sent.p[0]->t <= p->t)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < conn->restarts.n; low++)
		if (conn->restarts.r[low]->sent.p[0]->lin <= p->lin)
			return conn->restarts.r[low];
	return NULL;
}

/* Check whether a response acknowledges what the lost ACK, NAK or RNR NAK did. */
static bool is_cover(const struct rf_wire *w, const struct rf_pass *lost, const struct rf_pass *a)
{
	bool nak = a->kind == RF_PASS_NAK || a->kind == RF_PASS_RNR;

	return rf_pass_is_accepted(w, a) && (a->lin > lost->lin || (a->lin == lost->lin && !nak));
}

/* Return: the first response after a lost ACK that covers it; or NULL */
static const struct rf_pass *find_cover(const struct rf_wire *w, const struct rf_conn *conn,
					const struct rf_pass *lost)
{
	const struct rf_passes *s = &conn->answered;
	size_t i;

	for (i = rf_passes_after(s, lost->t); i < s->n; i++)
		if (is_cover(w, lost, s->p[i]))
			return s->p[i];
	return NULL;
}

/* Return: the first packet of a retransmission, or a later one, that delivered @psn */
static const struct rf_pass *delivered_by(const struct rf_conn *conn, const struct rf_restart *r,
					  const struct rf_pass *p)
{
	const struct rf_passes *s = &conn->requests;
	size_t i;

	for (i = rf_passes_after(s, r->sent.p[0]->t - 1); i < s->n; i++)
		if (!s->p[i]->lost && s->p[i]->lin <= p->lin && p->lin < s->p[i]->end)
			return s->p[i];
	return NULL;
}

/* ---- the parts of a repair ---- */

static void set_restart(struct rf_loss *loss, const struct rf_restart *r)
{
	const struct rf_passes *s = &r->sent;
	size_t i = 0;

	loss->found = detected_by(r);
	for (; i < s->n; i++) {
		/* The packet can be lost while its retransmission leaves. */
		if (s->p[i]->e < loss->hit)
			continue;
		loss->first = loss->first ? loss->first : s->p[i]->e;
		loss->last = s->p[i]->e;
		loss->packets++;
		loss->bytes += s->p[i]->e->len;
	}
	if (r->cause == RF_CAUSE_NAK && r->by->t >= loss->hit->t_ns) {
		loss->nak = r->by->e;
		if (r->by->sent && r->by->sent->place == RF_AT_SENDER &&
		    r->by->sent->t >= loss->hit->t_ns)
			loss->nak_sent = r->by->sent->e;
	}
	if (r->cause == RF_CAUSE_RNR && r->by->t >= loss->hit->t_ns)
		loss->rnr = r->by->e;
}

/*
 * Set the next transmission of the packet, and the next one that was not lost. Behind a queue, a
 * packet can be lost after they have left.
 */
static void set_again(struct rf_loss *loss, const struct rf_pass *next, const struct rf_pass *good)
{
	loss->early = good && good->e < loss->hit;
	if (next && next->e > loss->hit)
		loss->again = next->e;
	if (good && !loss->early)
		loss->recovery = good->e;
}

/* Find the first packet with a later PSN that arrived at the receiver. It reveals the loss. */
static void find_revealing(const struct rf_wire *w, const struct rf_conn *conn,
			   const struct rf_pass *p, struct rf_loss *loss)
{
	const struct rf_passes *s = &conn->arrived;
	size_t i;

	for (i = rf_passes_after(s, loss->hit->t_ns); i < s->n; i++) {
		if (loss->first && s->p[i]->e >= loss->first)
			return;
		if (s->p[i]->lin > p->lin && rf_pass_is_accepted(w, s->p[i])) {
			loss->revealed = s->p[i]->e;
			return;
		}
	}
}

/*
 * Find a NAK for a request that was not sent again. rxe ignores a NAK "PSN sequence error" while
 * it retransmits for an earlier one. Any other NAK rejects the packet.
 */
static void find_ignored(const struct rf_wire *w, const struct rf_conn *conn,
			 const struct rf_pass *p, struct rf_loss *loss)
{
	const struct rf_passes *s = &conn->answered;
	const struct rf_pass *nak;
	size_t i;

	for (i = rf_passes_after(s, p->t); i < s->n; i++) {
		nak = s->p[i];
		if (nak->kind != RF_PASS_NAK || nak->lin != p->lin || nak->t < loss->hit->t_ns ||
		    !rf_pass_is_accepted(w, nak))
			continue;
		loss->nak = nak->e;
		if (nak->sent && nak->sent->place == RF_AT_SENDER)
			loss->nak_sent = nak->sent->e;
		if (nak->e->syndrome != RF_NAK_SEQUENCE)
			loss->found = RF_DETECTED_NAK;
		return;
	}
}

static void trace_request(const struct rf_wire *w, const struct rf_pass *p, struct rf_loss *loss)
{
	const struct rf_conn *conn = &w->conn[p->conn];
	const struct rf_pass *next, *good;

	find_later(conn, p, &next, &good);
	if (next && next->restart)
		set_restart(loss, next->restart);
	set_again(loss, next, good);
	find_revealing(w, conn, p, loss);
	if (!next)
		find_ignored(w, conn, p, loss);
}

static void trace_response(const struct rf_wire *w, const struct rf_pass *p, struct rf_loss *loss)
{
	const struct rf_conn *conn = &w->conn[p->conn];
	const struct rf_restart *r = find_restart(conn, p);
	const struct rf_pass *next, *good, *cover = NULL;

	find_later(conn, p, &next, &good);
	if (p->kind != RF_PASS_RESPONSE)
		cover = find_cover(w, conn, p);
	loss->answered = cover;
	if (cover && (!r || cover->t < r->sent.p[0]->t)) {
		loss->covered = cover->e;
		return;
	}
	if (r)
		set_restart(loss, r);
	if (r && p->kind != RF_PASS_RESPONSE)
		next = good = delivered_by(conn, r, p);
	set_again(loss, next, good);
}

/* ---- all losses ---- */

static void trace_loss(const struct rf_wire *w, const struct rf_event *hit, struct rf_loss *loss)
{
	const struct rf_pass *p = rf_wire_pass(w, hit);

	*loss = (struct rf_loss){
		.hit = hit, .qp = rf_timeline_sender(&w->rec->tl, hit),
		.lost = rf_pass_is_removed_by(w, hit) || rf_event_damages(hit),
	};
	if (!p)
		return;
	p = p->sent ? p->sent : p;
	loss->lost = p->lost && (p->lost_by == hit || !hit->fault);
	if (p->kind == RF_PASS_REQUEST)
		trace_request(w, p, loss);
	else
		trace_response(w, p, loss);
}

/**
 * rf_losses_trace - trace each packet that was hit, or lost, from the hit to its repair
 * @w: the packets of the case
 * @an: its list of losses is set: hits in the order of time, then losses whose place is not known
 *
 * Return: 0, or -ENOMEM.
 */
int rf_losses_trace(const struct rf_wire *w, struct rf_analysis *an)
{
	const struct rf_events *ev = &w->rec->ev;
	const struct rf_event *e;
	const struct rf_pass *p;
	size_t n = 0;

	for (e = ev->e; e < ev->e + ev->n; e++)
		n += e->fault;
	for (p = w->pass; p < w->pass + w->n; p++)
		n += p->lost && !p->lost_by;
	an->losses = calloc(n + 1, sizeof(*an->losses));
	if (!an->losses)
		return -ENOMEM;
	for (e = ev->e; e < ev->e + ev->n; e++)
		if (e->fault)
			trace_loss(w, e, &an->losses[an->nhits++]);
	an->nlosses = an->nhits;
	for (p = w->pass; p < w->pass + w->n; p++)
		if (p->lost && !p->lost_by)
			trace_loss(w, p->e, &an->losses[an->nlosses++]);
	return 0;
}

/* Get the time between two events. Return: false if one is missing */
static bool time_between(const struct rf_event *from, const struct rf_event *to,
			 uint64_t *ns)
{
	if (!from || !to || to->t_ns < from->t_ns)
		return false;
	*ns = to->t_ns - from->t_ns;
	return true;
}

/**
 * rf_loss_timers - estimate how many timers expired before the retransmission
 * @loss: the loss of a packet that was retransmitted
 * @timeout: QP attribute timeout (local ACK timeout); 0: not known
 *
 * The number is estimated from the elapsed time, because packets that are lost outside of
 * ports are not recorded.
 *
 * Return: the number, rounded to the nearest whole number; at least 1.
 */
uint32_t rf_loss_timers(const struct rf_loss *loss, uint32_t timeout)
{
	uint64_t timer = rf_qp_timeout_ns(timeout), ns;

	if (!timeout || !time_between(loss->hit, loss->first, &ns))
		return 1;
	return ns < timer ? 1 : (ns + timer / 2) / timer;
}

/**
 * rf_loss_nak_generation - get the time until the receiver sent the NAK
 * @loss: the loss
 * @ns: set to the time from the packet that revealed the loss to the sending of the NAK
 *
 * Return: false if these packets were not recorded.
 */
bool rf_loss_nak_generation(const struct rf_loss *loss, uint64_t *ns)
{
	return time_between(loss->revealed, loss->nak_sent, ns);
}

/**
 * rf_loss_nak_reaction - get the time from the NAK to the retransmission
 * @loss: the loss
 * @ns: set to the time from the arrival of the NAK to the first retransmitted packet
 *
 * Return: false if these packets were not recorded.
 */
bool rf_loss_nak_reaction(const struct rf_loss *loss, uint64_t *ns)
{
	return time_between(loss->nak, loss->first, ns);
}

/* ---- the first loss, and reasons ---- */

/**
 * rf_first_loss - get the loss that the metrics of a case describe
 * @an: the analysis of a case with hits
 *
 * A hit need not be a loss: a packet can be marked, delayed or only observed.
 *
 * Return: the first packet that was lost; the first hit if none was.
 */
const struct rf_loss *rf_first_loss(const struct rf_analysis *an)
{
	const struct rf_loss *l, *first = NULL;

	for (l = an->losses; l < an->losses + an->nlosses; l++)
		if (l->lost && (!first || l->hit->t_ns < first->hit->t_ns))
			first = l;
	return first ? first : an->losses;
}

/**
 * rf_loss_in_blackhole - check whether the packets after a hit were lost, too
 * @hit: the hit
 *
 * The port does not record the packets that a blackhole drops after the hit, so it is not
 * known whether the packet was retransmitted to this port.
 *
 * Return: true if the fault is a blackhole.
 */
bool rf_loss_in_blackhole(const struct rf_event *hit)
{
	return hit->fault && rf_event_has_action(hit, RDMAFAULT_ACTION_BLACKHOLE);
}

/**
 * rf_loss_is_final - check whether a lost packet of data was never repaired
 * @rec: the record of the case
 * @l: one of its losses
 *
 * Return: true if the first transmission was lost, and the record is complete and has no
 * retransmission of the packet.
 */
bool rf_loss_is_final(const struct rf_record *rec, const struct rf_loss *l)
{
	return !l->first && !l->early && l->hit->attempt < 2 && !rf_loss_of_answer(l) && l->lost &&
	       !rf_record_has_holes(rec);
}

static const char *why_never_delivered(const struct rf_loss *l)
{
	if (!rf_loss_of_rc(l))
		return "RoCE retransmits only the packets of reliable connections (RC)";
	if (rf_loss_of_answer(l))
		return "the acknowledgment was never delivered";
	return "the packet was never delivered";
}

/**
 * rf_loss_why_not_detected - get the reason if detected_by has no value
 * @l: the loss
 *
 * The value of detected_by is "nothing" if no packet was lost, or if a later ACK also
 * acknowledged the packets of the lost ACK.
 *
 * Return: the reason; NULL if detected_by has a value.
 */
const char *rf_loss_why_not_detected(const struct rf_loss *l)
{
	if (l->found != RF_DETECTED_NOT || l->covered || !l->lost)
		return NULL;
	return why_never_delivered(l);
}

/**
 * rf_loss_why_not_recovered - get the reason if the recovery time has no value
 * @l: the loss
 *
 * Return: the reason; NULL if the recovery time has a value.
 */
const char *rf_loss_why_not_recovered(const struct rf_loss *l)
{
	if (!l->lost)
		return "the packet was not lost";
	if (l->covered)
		return "the next ACK also acknowledged the packets of the lost ACK";
	if (l->early)
		return "the packet had been retransmitted before it was lost";
	return l->recovery ? NULL : why_never_delivered(l);
}
