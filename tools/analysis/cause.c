// SPDX-License-Identifier: GPL-2.0
/*
 * Why a queue pair failed, from the packets that ports have recorded.
 *
 * A flow of requests is stuck at its first PSN that was not acknowledged. All transmissions of
 * this PSN and the responses to them are followed along their ways. The last transmission
 * decides: it was lost, or it arrived and its response was lost or came too late, or there was no
 * response. A flow whose requests were all acknowledged was stuck if a response came only after
 * the last retransmission.
 *
 * Several flows can be stuck, and some only as a consequence. The strongest evidence wins, and
 * of the same evidence the earliest one.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "kmod/rocev2/bth.h"
#include "tools/trace/events.h"
#include "transit.h"
#include "units.h"
#include "words.h"

#define NAK 3			/* rf_aeth_kind(): bits 6 and 5 of the syndrome */
#define RNR 1
#define CODE 0x1f		/* the other bits: the code of a NAK (IBTA vol. 1, table 45) */
#define MTU_MIN 256

#define PACKET_LEN 192		/* room for the text of a packet */
#define EVIDENCE_MAX 40		/* lines of evidence; the first and the last ones are shown */

/* What is known about a flow that is stuck, or the best cause so far */
struct stuck {
	const struct rf_transit *t;
	const struct rf_transit_flow *flow;
	struct rf_attempt attempt[RF_ATTEMPTS_MAX];
	size_t n, all;			/* entries of @attempt, and number of all attempts */
	const struct rf_sighting *response;	/* the first one to the last attempt */
	struct rf_attempt back;		/* its way */
	bool acked;			/* the PSN was acknowledged in the end */
};

struct finding {
	enum rf_cause_kind kind;
	unsigned int rank;		/* 0: nothing; a smaller number is stronger */
	uint64_t t_ns;
	const struct rf_sighting *packet;	/* its PSN and flow are the evidence */
	char sentence[RF_CAUSE_LEN];
};

static const char *const names[RF_CAUSES] = {
	[RF_CAUSE_NONE] = "none",
	[RF_CAUSE_LINK_DOWN] = "link-down",
	[RF_CAUSE_REMOTE] = "remote-error",
	[RF_CAUSE_NOT_READY] = "receiver-not-ready",
	[RF_CAUSE_PAUSE] = "pause",
	[RF_CAUSE_TIMER] = "timer",
	[RF_CAUSE_MTU] = "mtu",
	[RF_CAUSE_LOST] = "lost",
	[RF_CAUSE_LOST_AGAIN] = "lost-again",
	[RF_CAUSE_ACK_LOST] = "ack-lost",
	[RF_CAUSE_PEER_GONE] = "peer-gone",
	[RF_CAUSE_SILENT] = "silent",
	[RF_CAUSE_REJECTED] = "rejected",
	[RF_CAUSE_LOCAL] = "local",
};

/** rf_cause_name - get the name of a cause */
const char *rf_cause_name(enum rf_cause_kind kind)
{
	return names[kind];
}

/* Words of the sentence about places and packets. A sentence has at most one of each. */

static const struct rf_place *way_place(const struct stuck *s, size_t step)
{
	return &s->t->f->place[s->flow->place[step]];
}

static char *place_text(const struct rf_place *place, char buf[32])
{
	snprintf(buf, 32, "%s %s", place->dev, rf_dir_name(place->dir));
	return buf;
}

static char *packet_text(const struct rf_sighting *p, char buf[PACKET_LEN])
{
	char from[46], to[46];

	snprintf(buf, PACKET_LEN, "%s with PSN %" PRIu32 " from %s to QP %" PRIu32 " of %s",
		 rf_opcode(p->opcode)->name, p->psn, rf_flight_addr_text(&p->saddr, from), p->qp,
		 rf_flight_addr_text(&p->daddr, to));
	return buf;
}

__attribute__((format(printf, 6, 7)))
static void find(struct finding *best, enum rf_cause_kind kind, unsigned int rank,
		 const struct rf_sighting *packet, uint64_t t_ns, const char *fmt, ...)
{
	va_list ap;

	if (best->rank && (best->rank < rank || (best->rank == rank && best->t_ns <= t_ns)))
		return;
	best->kind = kind;
	best->rank = rank;
	best->packet = packet;
	best->t_ns = t_ns;
	va_start(ap, fmt);
	vsnprintf(best->sentence, sizeof(best->sentence), fmt, ap);
	va_end(ap);
}

/* Ranks of evidence */
enum { LINK = 1, REFUSED, STUCK, REJECTED, ONCE, WEAK };

/* Did a response arrive at the requester? The end of its way can be unknown. */
static bool has_arrived(const struct rf_transit_flow *responses, const struct rf_sighting *s)
{
	return s->place == responses->place[responses->places - 1];
}

/* The PSN up to which a response acknowledges */
static uint32_t acked_by(const struct rf_sighting *s)
{
	const struct rf_opcode *op = rf_opcode(s->opcode);

	return op->aeth && rf_aeth_kind(s->syndrome) ? (s->psn - 1) & RF_PSN_MASK : s->psn;
}

static bool highest_ack(const struct rf_transit *t, const struct rf_transit_flow *flow,
			uint32_t *ack)
{
	const struct rf_sighting *s;
	bool any = false;
	size_t i;

	for (i = 0; flow->peer && i < flow->peer->n; i++) {
		s = &t->f->s[flow->peer->at[i]];
		if (!has_arrived(flow->peer, s) ||
		    (any && rf_psn_diff(acked_by(s), *ack) <= 0))
			continue;
		*ack = acked_by(s);
		any = true;
	}
	return any;
}

/* The path MTU of a flow: the largest power of two that its packets have room for */
static uint32_t path_mtu(const struct rf_transit *t, const struct rf_transit_flow *flow)
{
	uint32_t mtu = MTU_MIN;
	size_t i;

	for (i = 0; flow->peer && i < flow->peer->n; i++)
		while (t->f->s[flow->peer->at[i]].len > 2 * mtu)
			mtu *= 2;
	return mtu;
}

/* The last PSN of a request: a READ has one for each packet of the response. */
static uint32_t last_psn(const struct rf_sighting *s, uint32_t mtu)
{
	uint32_t more = s->read_len ? (s->read_len - 1) / mtu : 0;

	return (s->psn + more) & RF_PSN_MASK;
}

static const struct rf_sighting *first_unacked(const struct rf_transit *t,
					       const struct rf_transit_flow *flow)
{
	const struct rf_sighting *s, *found = NULL;
	uint32_t ack = 0, mtu = path_mtu(t, flow);
	bool any = highest_ack(t, flow, &ack);
	size_t i;

	for (i = 0; i < flow->n; i++) {
		s = &t->f->s[flow->at[i]];
		if (s->place != flow->place[0] ||
		    (any && rf_psn_diff(last_psn(s, mtu), ack) <= 0))
			continue;
		if (!found || rf_psn_diff(s->psn, found->psn) < 0)
			found = s;
	}
	return found;
}

/* The packet that was sent most often, at least twice */
static const struct rf_sighting *most_sent(const struct rf_transit *t,
					   const struct rf_transit_flow *flow)
{
	const struct rf_sighting *s, *found = NULL;
	size_t i, sent = 0, most = 1;

	for (i = 0; i < flow->n; i++) {
		s = &t->f->s[flow->at[i]];
		if (!i || s->psn != t->f->s[flow->at[i - 1]].psn)
			sent = 0;
		sent += s->place == flow->place[0];
		if (sent > most) {
			most = sent;
			found = s;
		}
	}
	return found;
}

static bool responds_to(const struct rf_sighting *s, uint32_t psn)
{
	return rf_psn_diff(s->psn, psn) >= 0;
}

/* The first response that left the receiver at or after a time */
static const struct rf_sighting *response_after(const struct stuck *s, uint32_t psn, uint64_t from)
{
	const struct rf_transit_flow *peer = s->flow->peer;
	const struct rf_sighting *r, *found = NULL;
	size_t i;

	for (i = 0; peer && i < peer->n; i++) {
		r = &s->t->f->s[peer->at[i]];
		if (r->place == peer->place[0] && r->t_ns >= from && responds_to(r, psn) &&
		    (!found || r->t_ns < found->t_ns))
			found = r;
	}
	return found;
}

static void follow_response(struct stuck *s, uint32_t psn)
{
	struct rf_attempt back[RF_ATTEMPTS_MAX];
	size_t i, n, all;

	s->response = NULL;
	for (i = 0; i < s->n && !s->response; i++)
		if (s->attempt[i].reached == s->flow->places - 1)
			s->response = response_after(s, psn, s->attempt[i].last->t_ns);
	if (!s->response)
		return;
	n = rf_attempts(s->t, s->flow->peer, s->response->psn, back, &all);
	s->back = (struct rf_attempt){ s->response, s->response, 0 };
	for (i = 0; i < n; i++)
		if (back[i].sent == s->response)
			s->back = back[i];
}

static bool attempt_is_lost(const struct stuck *s, const struct rf_attempt *a)
{
	if (a->last->verdict == 1)
		return true;
	return a->reached < s->flow->places - 1 &&
	       way_place(s, a->reached + 1)->since_ns <= a->sent->t_ns;
}

static bool response_is_lost(const struct stuck *s)
{
	return s->back.last->verdict == 1 || s->back.reached < s->flow->peer->places - 1;
}

/* Is a port on the way down, or was it down? */
static const struct rf_place *down_place(const struct stuck *s)
{
	size_t i;

	for (i = 0; i < s->flow->places; i++)
		if (way_place(s, i)->down)
			return way_place(s, i);
	return NULL;
}

static const struct rf_place *paused_place(const struct stuck *s)
{
	size_t i;

	for (i = 0; i < s->flow->places; i++)
		if (way_place(s, i)->paused && way_place(s, i)->dir == RDMAFAULT_DIRECTION_TX)
			return way_place(s, i);
	return NULL;
}

static void find_down(const struct stuck *s, struct finding *best)
{
	const struct rf_sighting *p = s->attempt[0].sent;
	char packet[PACKET_LEN];

	find(best, RF_CAUSE_LINK_DOWN, LINK, p, p->t_ns,
	     "the link of %s is down or was down: no response to %s",
	     down_place(s)->dev, packet_text(p, packet));
}

static void find_pause(const struct stuck *s, struct finding *best)
{
	const struct rf_sighting *p = s->attempt[0].sent;
	char packet[PACKET_LEN];

	find(best, RF_CAUSE_PAUSE, STUCK, p, p->t_ns,
	     "a pause of %s lasted longer than %zu transmissions of %s",
	     paused_place(s)->dev, s->all, packet_text(p, packet));
}

/* @took: from the first transmission to the arrival of it, or of the first response */
static void find_timer(const struct stuck *s, uint64_t took, bool more, struct finding *best)
{
	const struct rf_sighting *p = s->attempt[0].sent;
	char packet[PACKET_LEN], timer[RF_FMT_LEN], trip[RF_FMT_LEN];

	if (paused_place(s)) {
		find_pause(s, best);
		return;
	}
	find(best, RF_CAUSE_TIMER, STUCK, p, p->t_ns,
	     "the retransmission timer is shorter than the round trip: %zu transmissions of %s, the second after %s, and %s %s",
	     s->all, packet_text(p, packet), rf_fmt_time(s->attempt[1].sent->t_ns - p->t_ns, timer),
	     more ? "no response within" : "the first response or arrival after",
	     rf_fmt_time(took, trip));
}

/* Do shorter packets of any flow pass between two places, and none as long as this one? */
static bool only_short_pass(const struct stuck *s, const struct rf_attempt *a)
{
	size_t from = s->flow->place[a->reached], to = s->flow->place[a->reached + 1], i;
	const struct rf_flight *f = s->t->f;
	bool shorter = false;

	for (i = 0; i < f->n; i++) {
		if (f->s[i].place != to)
			continue;
		if (f->s[i].len >= a->sent->len)
			return false;
		shorter |= f->s[i].response == a->sent->response;
	}
	return shorter && f->place[from].ifindex != f->place[to].ifindex;
}

/* The netdev around the loss whose MTU is smaller than the packet; NULL: none */
static const struct rf_place *narrow_place(const struct stuck *s, const struct rf_attempt *a)
{
	size_t i;

	for (i = a->reached; i <= a->reached + 1; i++)
		if (way_place(s, i)->mtu && way_place(s, i)->mtu < a->sent->len)
			return way_place(s, i);
	return NULL;
}

static bool find_mtu(const struct stuck *s, const struct rf_attempt *a, struct finding *best)
{
	char packet[PACKET_LEN], from[32], to[32];
	const struct rf_place *narrow;

	if (a->last->verdict == 1)
		return false;
	narrow = narrow_place(s, a);
	if (!narrow && !(s->all > 1 && only_short_pass(s, a)))
		return false;
	if (narrow)
		find(best, RF_CAUSE_MTU, STUCK, s->attempt[0].sent, a->sent->t_ns,
		     "the MTU of %s is %" PRIu32 ", too small for %s of %" PRIu32 " bytes",
		     narrow->dev, narrow->mtu, packet_text(a->sent, packet), a->sent->len);
	else
		find(best, RF_CAUSE_MTU, STUCK, s->attempt[0].sent, a->sent->t_ns,
		     "only shorter packets pass from %s to %s, not %s of %" PRIu32 " bytes; the MTU on the way is too small",
		     place_text(way_place(s, a->reached), from),
		     place_text(way_place(s, a->reached + 1), to), packet_text(a->sent, packet),
		     a->sent->len);
	return true;
}

/* Where a packet was lost: "dropped by a rule at v1 tx" or "lost between v1 tx and p1 rx" */
static char *loss_text(const struct rf_transit *t, const struct rf_transit_flow *flow,
		       const struct rf_attempt *a, char buf[128])
{
	const struct rf_place *place = t->f->place;
	char from[32], to[32];

	place_text(&place[flow->place[a->reached]], from);
	if (a->last->verdict == 1)
		snprintf(buf, 128, "dropped by a rule at %s", from);
	else
		snprintf(buf, 128, "lost between %s and %s", from,
			 place_text(&place[flow->place[a->reached + 1]], to));
	return buf;
}

static void find_loss(const struct stuck *s, const struct rf_attempt *a, struct finding *best)
{
	const struct rf_sighting *p = s->attempt[0].sent;
	char packet[PACKET_LEN], where[128];
	size_t i, lost = 0;

	loss_text(s->t, s->flow, a, where);
	packet_text(p, packet);
	if (s->all == 1) {
		find(best, RF_CAUSE_LOST, ONCE, p, p->t_ns, "%s was %s, and not retransmitted",
		     packet, where);
		return;
	}
	for (i = 0; i < s->n; i++)
		lost += attempt_is_lost(s, &s->attempt[i]);
	find(best, RF_CAUSE_LOST_AGAIN, STUCK, p, p->t_ns,
	     lost == s->all ? "all %zu transmissions of %s were lost; the last one was %s" :
	     "the last of %zu transmissions of %s was %s", s->all, packet, where);
}

static void find_ack_loss(const struct stuck *s, struct finding *best)
{
	const struct rf_sighting *p = s->attempt[0].sent;
	char packet[PACKET_LEN], where[128];

	find(best, RF_CAUSE_ACK_LOST, s->all == 1 ? ONCE : STUCK, p, p->t_ns,
	     "the response %s to %s was %s",
	     rf_opcode(s->response->opcode)->name, packet_text(p, packet),
	     loss_text(s->t, s->flow->peer, &s->back, where));
}

/* The queue pair of the requester, if it is of this machine */
static const struct rf_flight_qp *own_qp(const struct stuck *s, const struct rf_flight_qp *peer)
{
	const struct rf_flight *f = s->t->f;
	size_t i;

	for (i = 0; i < f->qps; i++)
		if (f->qp[i].qp == peer->peer && f->qp[i].ifindex == way_place(s, 0)->ifindex)
			return &f->qp[i];
	return NULL;
}

/*
 * Did the queue pair of the receiver end before a time? If both queue pairs were seen for the
 * last time at the same look, it is not known which one ended first.
 */
static const struct rf_flight_qp *gone_qp(const struct stuck *s, uint64_t before)
{
	const struct rf_flight *f = s->t->f;
	uint32_t ifindex = way_place(s, s->flow->places - 1)->ifindex;
	const struct rf_flight_qp *qp, *own;

	for (qp = f->qp; s->flow->final && qp < f->qp + f->qps; qp++) {
		if (qp->qp != s->flow->any->qp || qp->ifindex != ifindex || !qp->gone_ns ||
		    qp->gone_ns > before)
			continue;
		own = own_qp(s, qp);
		if (!own || !own->gone_ns || own->gone_ns > qp->gone_ns)
			return qp;
	}
	return NULL;
}

/* Did the receiver close the connection before a time? */
static bool is_closed(const struct stuck *s, uint64_t before)
{
	const struct rf_flight *f = s->t->f;
	const struct rf_sighting *p = s->flow->any;
	size_t i;

	for (i = 0; i < f->n && f->s[i].t_ns <= before; i++)
		if (f->s[i].cm == RF_CM_DREQ &&
		    !memcmp(&f->s[i].saddr, &p->daddr, sizeof(p->daddr)) &&
		    !memcmp(&f->s[i].daddr, &p->saddr, sizeof(p->saddr)))
			return true;
	return false;
}

static void find_silence(const struct stuck *s, struct finding *best)
{
	const struct rf_sighting *p = s->attempt[0].sent, *last = s->attempt[s->n - 1].sent;
	const struct rf_flight_qp *gone = gone_qp(s, last->t_ns);
	bool closed = is_closed(s, last->t_ns);
	char packet[PACKET_LEN], where[32], to[46];

	if (s->all == 1 && !gone && !closed)
		return;
	packet_text(p, packet);
	if (gone)
		find(best, RF_CAUSE_PEER_GONE, STUCK, p, p->t_ns,
		     "the peer is gone: QP %" PRIu32 " of %s (%s, PID %" PRIu32 ") ended while %s had no response",
		     gone->qp, gone->rdma, gone->comm, gone->pid, packet);
	else if (closed)
		find(best, RF_CAUSE_PEER_GONE, STUCK, p, p->t_ns,
		     "the peer %s closed the connection (CM DREQ) while %s had no response",
		     rf_flight_addr_text(&p->daddr, to), packet);
	else
		find(best, RF_CAUSE_SILENT, STUCK, p, p->t_ns,
		     "%s passed %s %zu times, and no response came",
		     packet, place_text(way_place(s, s->flow->places - 1), where), s->all);
}

/*
 * Late: a transmission that arrived, or the first response, came only after the last
 * retransmission, which was therefore not needed.
 */
static bool came_late(const struct stuck *s, uint64_t *took)
{
	size_t end = s->flow->places - 1, i;
	uint64_t came;

	for (i = 0; i < s->n && s->attempt[i].reached != end; i++)
		;
	if (!end || i + 1 >= s->n)
		return false;
	came = s->response && !response_is_lost(s) ? s->back.last->t_ns : s->attempt[i].last->t_ns;
	*took = came - s->attempt[i].sent->t_ns;
	return came > s->attempt[s->n - 1].sent->t_ns;
}

static void judge_stuck(const struct stuck *s, struct finding *best)
{
	const struct rf_attempt *last = &s->attempt[s->n - 1];
	uint64_t took;

	if (came_late(s, &took)) {
		find_timer(s, took, false, best);
		return;
	}
	if (s->acked)
		return;
	if (down_place(s)) {
		find_down(s, best);
		return;
	}
	if (attempt_is_lost(s, last)) {
		if (paused_place(s) && last->last->verdict != 1)
			find_pause(s, best);
		else if (last->last->verdict == 2 && s->n > 1)
			find_timer(s, last->sent->t_ns - s->attempt[0].sent->t_ns, true, best);
		else if (!find_mtu(s, last, best))
			find_loss(s, last, best);
		return;
	}
	if (!s->response)
		find_silence(s, best);
	else if (response_is_lost(s))
		find_ack_loss(s, best);
}

static const char *nak_text(uint8_t syndrome)
{
	switch (syndrome & CODE) {
	case 1:
		return "invalid request";
	case 2:
		return "remote access error: wrong rkey, address or access right";
	case 3:
		return "remote operational error";
	default:
		return "invalid RD request";
	}
}

/* A NAK that ends the queue pair, or RNR NAKs as the last responses */
static bool judge_naks(const struct rf_transit *t, const struct rf_transit_flow *flow,
		       const struct rf_sighting *unacked, struct finding *best)
{
	const struct rf_sighting *s, *last = NULL;
	char packet[PACKET_LEN];
	size_t i, rnrs = 0;

	for (i = 0; flow->peer && i < flow->peer->n; i++) {
		s = &t->f->s[flow->peer->at[i]];
		if (!has_arrived(flow->peer, s) || s->verdict == 1)
			continue;
		if (!last || s->t_ns > last->t_ns)
			last = s;
		rnrs += rf_opcode_is_ack(s->opcode) && rf_aeth_kind(s->syndrome) == RNR &&
			s->psn == unacked->psn;
	}
	if (!last || !rf_opcode_is_ack(last->opcode))
		return false;
	if (rf_aeth_kind(last->syndrome) == NAK && last->syndrome & CODE) {
		find(best, RF_CAUSE_REMOTE, REFUSED, unacked, last->t_ns,
		     "the receiver refused %s with a NAK, %s",
		     packet_text(unacked, packet), nak_text(last->syndrome));
	} else if (rf_aeth_kind(last->syndrome) == RNR) {
		find(best, RF_CAUSE_NOT_READY, REFUSED, unacked, last->t_ns,
		     "the receiver was not ready: %zu RNR NAKs, and no receive request for %s",
		     rnrs, packet_text(unacked, packet));
	} else {
		return false;
	}
	return true;
}

static void judge_flow(const struct rf_transit *t, const struct rf_transit_flow *flow,
		       struct finding *best)
{
	struct stuck s = { .t = t, .flow = flow };
	const struct rf_sighting *p = first_unacked(t, flow);
	uint32_t psn, ack;

	if (p && judge_naks(t, flow, p, best))
		return;
	s.acked = !p;
	if (!p)
		p = most_sent(t, flow);
	if (!p)
		return;
	s.n = rf_attempts(t, flow, p->psn, s.attempt, &s.all);
	if (!s.n)
		return;
	psn = p->psn;
	/* A READ waits for the first response that is missing. */
	if (highest_ack(t, flow, &ack) && rf_psn_diff(ack, psn) >= 0 && !s.acked)
		psn = (ack + 1) & RF_PSN_MASK;
	follow_response(&s, psn);
	judge_stuck(&s, best);
}

/* RC and XRC; other services have no ACKs. */
static bool is_reliable(uint8_t opcode)
{
	return opcode >> 5 == 0 || opcode >> 5 == 5;
}

/* Reasons of a reject (IBTA vol. 1, 12.6.7.2) */
static const char *reject_text(uint16_t reason)
{
	switch (reason) {
	case 1:
		return ": no queue pair available";
	case 3:
		return ": no resources available";
	case 4:
		return ": timeout";
	case 8:
		return ": invalid service ID; no program listens on this port";
	case 10:
		return ": stale connection";
	case 28:
		return ": rejected by the program";
	default:
		return "";
	}
}

static void judge_rejects(const struct rf_flight *f, struct finding *best)
{
	char from[46];
	size_t i;

	for (i = 0; i < f->n; i++) {
		if (f->s[i].cm != RF_CM_REJ)
			continue;
		find(best, RF_CAUSE_REJECTED, REJECTED, &f->s[i], f->s[i].t_ns,
		     "%s rejected the connection (CM REJ) with reason %u%s",
		     rf_flight_addr_text(&f->s[i].saddr, from), f->s[i].reason,
		     reject_text(f->s[i].reason));
	}
}

static const struct rf_place *place_of(const struct rf_flight *f, const struct rf_flight_qp *qp)
{
	size_t i;

	for (i = 0; i < f->places; i++)
		if (f->place[i].ifindex == qp->ifindex)
			return &f->place[i];
	return NULL;
}

static bool any_disconnect(const struct rf_flight *f)
{
	size_t i;

	for (i = 0; i < f->n; i++)
		if (f->s[i].cm == RF_CM_DREQ)
			return true;
	return false;
}

/*
 * Queue pairs that failed, while no packet tells why. A disconnect also moves a queue pair to
 * the error state.
 */
static void judge_local(const struct rf_flight *f, struct finding *best)
{
	const struct rf_flight_qp *qp;
	const struct rf_place *place;

	for (qp = f->qp; qp < f->qp + f->qps; qp++) {
		if (!qp->error)
			continue;
		place = place_of(f, qp);
		if (place && place->down)
			find(best, RF_CAUSE_LINK_DOWN, LINK, NULL, 0,
			     "the link of %s is down or was down: QP %" PRIu32 " of %s (%s, PID %" PRIu32 ") failed",
			     place->dev, qp->qp, qp->rdma, qp->comm, qp->pid);
		else if (!any_disconnect(f))
			find(best, RF_CAUSE_LOCAL, WEAK, NULL, 0,
			     "QP %" PRIu32 " of %s (%s, PID %" PRIu32 ") failed and no packet tells why; the cause is local, for example a wrong lkey or a full completion queue",
			     qp->qp, qp->rdma, qp->comm, qp->pid);
	}
}

/* The sightings of the packet's PSN and of the responses to it, the first and last ones */
static int collect(const struct rf_transit *t, const struct rf_sighting *p, struct rf_cause *cause)
{
	const struct rf_transit_flow *flow = &t->flow[p->flow];
	const struct rf_flight *f = t->f;
	size_t i, half = EVIDENCE_MAX / 2;

	cause->evidence = calloc(EVIDENCE_MAX, sizeof(*cause->evidence));
	if (!cause->evidence)
		return -ENOMEM;
	for (i = 0; i < f->n; i++) {
		if (!(f->s[i].flow == p->flow && f->s[i].psn == p->psn) &&
		    !(flow->peer && f->s[i].flow == (size_t)(flow->peer - t->flow) &&
		      responds_to(&f->s[i], p->psn)))
			continue;
		if (cause->n == EVIDENCE_MAX) {
			memmove(cause->evidence + half, cause->evidence + half + 1,
				(EVIDENCE_MAX - half - 1) * sizeof(*cause->evidence));
			cause->n--;
		}
		cause->evidence[cause->n++] = i;
	}
	return 0;
}

/**
 * rf_cause_find - find out why a queue pair or a connection failed
 * @f: the recorded packets, sorted; the member flow of sightings is set
 * @cause: gets the cause; the caller calls rf_cause_free() also after an error
 *
 * Return: 0 or -ENOMEM.
 */
int rf_cause_find(struct rf_flight *f, struct rf_cause *cause)
{
	struct finding best = { .kind = RF_CAUSE_NONE };
	struct rf_transit t;
	size_t i;
	int err = rf_transit_find(f, &t);

	*cause = (struct rf_cause){ };
	for (i = 0; !err && i < t.flows; i++)
		if (!t.flow[i].any->response && is_reliable(t.flow[i].any->opcode))
			judge_flow(&t, &t.flow[i], &best);
	judge_rejects(f, &best);
	judge_local(f, &best);
	cause->kind = best.kind;
	snprintf(cause->sentence, sizeof(cause->sentence), "%s", best.rank ? best.sentence :
		 "the packets show no cause: no request waits for a response");
	if (!err && best.packet)
		err = collect(&t, best.packet, cause);
	rf_transit_free(&t);
	return err;
}

/** rf_cause_free - free the evidence of a cause */
void rf_cause_free(struct rf_cause *cause)
{
	free(cause->evidence);
	*cause = (struct rf_cause){ };
}
