// SPDX-License-Identifier: GPL-2.0
/*
 * Test the check of go-back-N with simulated flows, of which it is known whether they conform
 * to go-back-N or violate it. The simulation runs tick by tick. It has a sender with a window
 * and a timer, a receiver, and links that lose packets and NAKs at random. The check gets the
 * events of each flow twice: once all events, as in observed steps, and once only those of
 * retransmitted packets, of NAKs and of packets that a fault hit, as in other steps.
 */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "tools/analysis/analysis.h"
#include "tools/analysis/wire.h"
#include "said.h"
#include "tap.h"

#define PACKETS	400
#define WINDOW	16
#define WIRE	5		/* ticks */
#define TIMER	60		/* ticks */
#define TICKS	10000
#define QUEUE	4096
#define FIRST	0xffff80	/* PSN of the first packet; PSNs wrap during the test */
#define LOSS	0.05

enum breach {
	NOTHING, NAKS_EACH, NAKS_LATER, RESTARTS_LATER, RESTARTS_EARLIER,
	TIMER_LATER, ACKS_BACK,
};

struct packet {
	uint32_t at;		/* tick of its arrival */
	uint32_t n;		/* number of the packet in its flow, from 0 */
	uint32_t class;
	uint32_t attempt;
};

struct wire {
	struct packet p[QUEUE];
	unsigned int head, tail;
};

struct sim {
	enum breach breach;
	bool whole;		/* all events are recorded */
	uint32_t tick, una, next, idle, expected, sent[PACKETS];
	bool asked, late;
	struct wire forth, back;
	struct rf_record rec;
	uint64_t seq;
};

static double chance(const struct sim *s)
{
	(void)s;
	return drand48();
}

static struct rf_event event(struct sim *s, const struct packet *p, bool rx)
{
	bool data = p->class == RDMAFAULT_CLASS_WRITE;
	struct rf_event e = {
		.t_ns = s->tick, .seq = ++s->seq, .family = AF_INET,
		.dir = rx ? RDMAFAULT_DIRECTION_RX : RDMAFAULT_DIRECTION_TX,
		.action = RDMAFAULT_ACTION_OBSERVE, .qp = data ? 18 : 17,
		.psn = (FIRST + p->n) & 0xffffff, .class = p->class,
		.attempt = p->attempt, .step = 1, .opcode = data ? 0x07 : 0x11,
		.syndrome = p->class == RDMAFAULT_CLASS_NAK ? 0x60 : 0x1f,
		.len = 4140,
	};

	inet_pton(AF_INET, data ? "10.77.0.1" : "10.77.0.2", e.saddr);
	inet_pton(AF_INET, data ? "10.77.0.2" : "10.77.0.1", e.daddr);
	return e;
}

static void record(struct sim *s, const struct packet *p, bool rx, bool hit)
{
	struct rf_event e = event(s, p, rx);
	bool again = p->class == RDMAFAULT_CLASS_WRITE && p->attempt > 1 && !rx;

	if (s->whole || again || p->class == RDMAFAULT_CLASS_NAK)
		rf_events_add(&s->rec.ev, &e);
	if (!hit)
		return;
	e.action = RDMAFAULT_ACTION_DROP;
	e.fault = true;
	rf_events_add(&s->rec.ev, &e);
}

static void push(struct wire *w, struct packet p, uint32_t tick)
{
	p.at = tick + WIRE;
	w->p[w->tail++ % QUEUE] = p;
}

static bool pop(struct wire *w, uint32_t tick, struct packet *p)
{
	if (w->head == w->tail || w->p[w->head % QUEUE].at > tick)
		return false;
	*p = w->p[w->head++ % QUEUE];
	return true;
}

static void answer(struct sim *s, uint32_t class, uint32_t n)
{
	struct packet p = { .n = n, .class = class, .attempt = 1 };

	record(s, &p, false, false);
	push(&s->back, p, s->tick);
}

static void acknowledge(struct sim *s)
{
	uint32_t back = s->breach == ACKS_BACK && s->expected == 200 ? 50 : 0;

	if (s->expected)
		answer(s, RDMAFAULT_CLASS_ACK, s->expected - 1 - back);
}

static void receive(struct sim *s, const struct packet *p)
{
	record(s, p, true, false);
	if (p->n < s->expected) {
		acknowledge(s);
		return;
	}
	if (p->n == s->expected) {
		s->expected++;
		s->asked = false;
		if (s->expected % 4 == 0 || s->expected == PACKETS)
			acknowledge(s);
		return;
	}
	if (!s->asked || s->breach == NAKS_EACH)
		answer(s, RDMAFAULT_CLASS_NAK,
		       s->expected + (s->breach == NAKS_LATER));
	s->asked = true;
}

static void go_back(struct sim *s, uint32_t n)
{
	s->next = n;
	s->idle = 0;
}

static void hear(struct sim *s, const struct packet *p)
{
	bool lost = p->class == RDMAFAULT_CLASS_NAK && chance(s) < LOSS;
	uint32_t n = p->n + (p->class == RDMAFAULT_CLASS_ACK);

	record(s, p, true, lost);
	if (lost)
		return;
	if (n > s->una) {
		s->una = n;
		s->idle = 0;
	}
	if (s->next < s->una)
		s->next = s->una;
	if (p->class != RDMAFAULT_CLASS_NAK)
		return;
	if (s->breach == RESTARTS_LATER && p->n + 1 < PACKETS)
		n++;
	if (s->breach == RESTARTS_EARLIER && n)
		n--;
	go_back(s, n);
}

static void transmit(struct sim *s)
{
	struct packet p = { .n = s->next, .class = RDMAFAULT_CLASS_WRITE };
	bool lost = chance(s) < LOSS;

	if (s->next >= PACKETS || s->next >= s->una + WINDOW)
		return;
	p.attempt = ++s->sent[s->next++];
	record(s, &p, false, lost);
	if (!lost)
		push(&s->forth, p, s->tick);
}

/*
 * At a timeout, a sender with a wrong timer goes back one packet too few. It does so only once,
 * because otherwise the flow would never end.
 */
static void run_out(struct sim *s)
{
	bool late = s->breach == TIMER_LATER && !s->late &&
		    s->una + 1 < s->next && s->expected == s->una;

	s->late |= late;
	go_back(s, s->una + late);
}

static const struct rf_gbn_flow *simulate(struct sim *s, enum breach breach,
					  bool whole, struct rf_gbn *gbn)
{
	static struct rf_qp qp = {
		.rank = 0, .peer = 1, .qpn = 17, .peer_qpn = 18,
		.addr = "10.77.0.1", .peer_addr = "10.77.0.2",
	};
	struct rf_wire wire;
	struct packet p;

	*s = (struct sim){ .breach = breach, .whole = whole };
	s->rec.tl = (struct rf_timeline){ .qps = &qp, .nqps = 1 };
	s->rec.timer_ns = TIMER;
	for (; s->tick < TICKS && s->una < PACKETS; s->tick++) {
		while (pop(&s->forth, s->tick, &p))
			receive(s, &p);
		while (pop(&s->back, s->tick, &p))
			hear(s, &p);
		if (++s->idle > TIMER)
			run_out(s);
		transmit(s);
	}
	rf_wire_read(&s->rec, &wire);
	rf_gbn_check(&wire, gbn);
	rf_wire_free(&wire);
	return gbn->n == 1 ? gbn->flows : NULL;
}

#define RUNS 50

static void keeps_ok(bool whole)
{
	static struct sim s;
	uint64_t lost = 0, naks = 0, timeouts = 0;
	const struct rf_gbn_flow *flow;
	unsigned int i, good = 0;
	struct rf_gbn gbn;

	for (i = 0; i < RUNS; i++) {
		srand48(i);
		flow = simulate(&s, NOTHING, whole, &gbn);
		good += flow && flow->verdict == RF_GBN_CONFORMS &&
			s.una == PACKETS;
		lost += flow ? flow->lost : 0;
		naks += flow ? flow->naks : 0;
		timeouts += flow ? flow->timeouts : 0;
		rf_gbn_free(&gbn);
		rf_events_free(&s.rec.ev);
	}
	ok(good == RUNS && lost > RUNS && naks > RUNS && timeouts > RUNS,
	   "%s: %u of %u conforming flows are judged as conforming, with %llu losses, %llu NAKs and %llu timeouts",
	   whole ? "all events recorded" : "few events recorded", good, RUNS,
	   (unsigned long long)lost, (unsigned long long)naks,
	   (unsigned long long)timeouts);
}

/*
 * The check must find a violation in more than nine tenths of the runs. For a wrong timer, more
 * than half of the runs is enough: if a packet was lost several times, the check cannot know
 * which transmission the receiver would have accepted. For a wrong timer, a run counts only if
 * the sender went back one packet too few.
 */
static void breaks(enum breach breach, enum rf_gbn_rule rule, bool whole)
{
	unsigned int i, caught = 0, runs = 0;
	const struct rf_gbn_flow *flow;
	static struct sim s;
	struct rf_gbn gbn;

	for (i = 0; i < RUNS; i++) {
		srand48(i);
		flow = simulate(&s, breach, whole, &gbn);
		runs += breach != TIMER_LATER || s.late;
		caught += flow && flow->verdict == RF_GBN_VIOLATES &&
			  flow->broken[rule];
		rf_gbn_free(&gbn);
		rf_events_free(&s.rec.ev);
	}
	ok(runs > RUNS / 4 && caught > runs * (breach == TIMER_LATER ? 5 : 9) / 10,
	   "%s: the violation is found in %u of %u flows: %s",
	   whole ? "all events recorded" : "few events recorded", caught, runs,
	   rf_gbn_rule_text(rule));
}

int main(void)
{
	keeps_ok(true);
	keeps_ok(false);
	breaks(NAKS_EACH, RF_GBN_ONE_NAK, true);
	breaks(NAKS_EACH, RF_GBN_ONE_NAK, false);
	breaks(NAKS_LATER, RF_GBN_FIRST_HOLE, true);
	breaks(NAKS_LATER, RF_GBN_FIRST_HOLE, false);
	breaks(RESTARTS_LATER, RF_GBN_RESTART, true);
	breaks(RESTARTS_LATER, RF_GBN_RESTART, false);
	breaks(RESTARTS_EARLIER, RF_GBN_RESTART, true);
	breaks(TIMER_LATER, RF_GBN_TIMEOUT, true);
	breaks(ACKS_BACK, RF_GBN_ACKS, true);
	return done_testing();
}
