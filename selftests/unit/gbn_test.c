// SPDX-License-Identifier: GPL-2.0
/*
 * Test the check of go-back-N: flows that conform to its rules, flows that violate one of its
 * rules, and flows with too few events for a verdict. A flow is written as a line of words in
 * the order of time:
 *
 *	s5	PSN 5 leaves the sender
 *	a5	PSN 5 is retransmitted
 *	r5	PSN 5 arrives at the receiver
 *	x5	a fault drops PSN 5 at the sender
 *	X5	a fault drops the retransmission of PSN 5 at the sender
 *	z5	a fault drops PSN 5 at a switch port, behind a queue
 *	c5	a fault corrupts PSN 5
 *	v5	a fault corrupts PSN 5; its ICRC is valid
 *	V5	a fault changes the headers of PSN 5; its ICRC is valid
 *	y5	PSN 5 arrives, and a fault corrupts it there; its ICRC is valid
 *	w5	a fault delays PSN 5
 *	f5	a fault answers PSN 5 with a forged NAK
 *	R5	PSN 5 is a READ request
 *	N5	a NAK for PSN 5 leaves the receiver
 *	n5	this NAK arrives at the sender
 *	d5	this NAK arrives at the sender, where a fault drops it
 *	k5	an ACK of PSN 5 leaves the receiver
 *	o5	PSN 5 of another flow leaves, with an unknown QP; o15: of a third flow
 *	O5	a NAK for PSN 5 of the other flow leaves
 *	|	the next step starts
 */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "tools/analysis/analysis.h"
#include "tools/analysis/wire.h"
#include "said.h"
#include "tap.h"

#define BASE 0xfffffa		/* PSN of s0 or r0; s6 is the first PSN after the wrap */

static struct rf_record rec;
static struct rf_gbn gbn;
static uint32_t step;
static uint64_t lost;		/* number of lost events in the next check */

static struct rf_event data(uint32_t psn, bool arriving)
{
	struct rf_event e = {
		.t_ns = rec.ev.n, .seq = rec.ev.n + 1,
		.dir = arriving ? RDMAFAULT_DIRECTION_RX :
				  RDMAFAULT_DIRECTION_TX,
		.action = RDMAFAULT_ACTION_OBSERVE, .family = AF_INET, .qp = 18,
		.psn = psn, .opcode = 0x07, .attempt = 1, .step = step,
		.class = RDMAFAULT_CLASS_WRITE, .len = 4140,
	};

	inet_pton(AF_INET, "10.77.0.1", e.saddr);
	inet_pton(AF_INET, "10.77.0.2", e.daddr);
	return e;
}

static struct rf_event answer(uint32_t psn, uint32_t class, bool arriving)
{
	struct rf_event e = data(psn, arriving);

	e.qp = 17;
	e.class = class;
	e.opcode = 0x11;
	e.syndrome = class == RDMAFAULT_CLASS_NAK ? 0x60 : 0x1f;
	inet_pton(AF_INET, "10.77.0.2", e.saddr);
	inet_pton(AF_INET, "10.77.0.1", e.daddr);
	return e;
}

/*
 * Return: the event @e, changed to the QP of another flow. This flow is between the same nodes,
 * but not part of the job.
 */
static struct rf_event other(struct rf_event e, uint32_t number)
{
	e.qp = 100 + number;
	return e;
}

static void add(struct rf_event e)
{
	rf_events_add(&rec.ev, &e);
}

/* Add two events for a packet: the event of the packet, and the event of the fault that hits it. */
static void add_fault(struct rf_event e, uint32_t action)
{
	add(e);
	e.action = action;
	e.fault = true;
	add(e);
}

static void add_taken(struct rf_event e, enum rf_taken taken)
{
	add_fault(e, RDMAFAULT_ACTION_CORRUPT);
	rec.ev.e[rec.ev.n - 1].taken = taken;
}

static void add_data(char what, uint32_t psn)
{
	struct rf_event e = data(psn, strchr("ryz", what));

	switch (what) {
	case 'a':
		e.attempt = 2;
		/* fall through */
	case 's':
	case 'r':
		add(e);
		break;
	case 'R':
		e.class = RDMAFAULT_CLASS_READ_REQUEST;
		add(e);
		break;
	case 'X':
		e.attempt = 2;
		/* fall through */
	case 'x':
		add_fault(e, RDMAFAULT_ACTION_DROP);
		break;
	case 'z':
		e.action = RDMAFAULT_ACTION_DROP;
		e.fault = true;
		add(e);
		break;
	case 'c':
		add_fault(e, RDMAFAULT_ACTION_CORRUPT);
		break;
	case 'v':
	case 'y':
		add_taken(e, RF_TAKEN_DATA);
		break;
	case 'V':
		add_taken(e, RF_TAKEN_FORGED);
		break;
	case 'w':
		add_fault(e, RDMAFAULT_ACTION_DELAY);
		break;
	case 'f':
		add_fault(e, RDMAFAULT_ACTION_NAK);
		break;
	}
}

static void add_word(const char *w)
{
	uint32_t psn = (BASE + atoi(w + 1)) & 0xffffff;

	switch (*w) {
	case '|':
		step++;
		break;
	case 'N':
		add(answer(psn, RDMAFAULT_CLASS_NAK, false));
		break;
	case 'n':
		add(answer(psn, RDMAFAULT_CLASS_NAK, true));
		break;
	case 'd':
		add_fault(answer(psn, RDMAFAULT_CLASS_NAK, true),
			  RDMAFAULT_ACTION_DROP);
		break;
	case 'k':
		add(answer(psn, RDMAFAULT_CLASS_ACK, false));
		break;
	case 'o':
		add(other(data(psn, false), atoi(w + 1) / 10));
		break;
	case 'O':
		add(other(answer(psn, RDMAFAULT_CLASS_NAK, false), 0));
		break;
	default:
		add_data(*w, psn);
	}
}

static struct rf_gbn_flow *check(const char *words)
{
	static struct rf_qp qp = {
		.rank = 0, .peer = 1, .qpn = 17, .peer_qpn = 18,
		.addr = "10.77.0.1", .peer_addr = "10.77.0.2",
	};
	char line[256], *word, *rest = line;
	struct rf_wire wire;

	snprintf(line, sizeof(line), "%s", words);
	rf_gbn_free(&gbn);
	rf_events_free(&rec.ev);
	rec.tl = (struct rf_timeline){ .qps = &qp, .nqps = 1 };
	rec.ev.lost = lost;
	step = 1;
	while ((word = strsep(&rest, " ")))
		add_word(word);
	rf_wire_read(&rec, &wire);
	rf_gbn_check(&wire, &gbn);
	rf_wire_free(&wire);
	return gbn.n ? &gbn.flows[0] : NULL;
}

static struct rf_gbn_flow *is(const char *words, enum rf_gbn_verdict verdict)
{
	struct rf_gbn_flow *flow = check(words);

	ok(gbn.n == 1 && flow->verdict == verdict, "the flow \"%s\" is judged as %s: %s",
	   words, rf_gbn_verdict_name(verdict),
	   gbn.n ? rf_gbn_verdict_name(flow->verdict) : "no flow");
	return flow;
}

static void breaks(const char *words, enum rf_gbn_rule rule, uint32_t want)
{
	struct rf_gbn_flow *flow = check(words);
	int r, others = 0;

	for (r = 0; r < RF_GBN_RULES; r++)
		others += r != (int)rule && flow->broken[r];
	ok(gbn.n == 1 && flow->verdict == RF_GBN_VIOLATES &&
	   flow->broken[rule] == 1 && !others && gbn.violations == 1 &&
	   flow->want[rule] == ((BASE + want) & 0xffffff),
	   "the flow \"%s\" violates \"%s\", expected PSN %u", words, rf_gbn_rule_text(rule), want);
}

static void keeps_the_rules_ok(void)
{
	struct rf_gbn_flow *f;

	is("s1 r1 s2 r2 k2", RF_GBN_CONFORMS);
	/* a NAK detects the loss; the PSNs wrap */
	f = is("s4 r4 x5 s6 r6 N5 s7 r7 n5 a5 r5 a6 r6 a7 r7 k7",
	       RF_GBN_CONFORMS);
	ok(f->whole && f->lost == 1 && f->naks == 1 && f->restarts == 1 &&
	   f->timeouts == 0 && f->retransmitted == 3 && f->packets == 7,
	   "packets, losses, NAKs, restarts and retransmitted packets of a flow are counted");
	f = is("s4 r4 s5 r5 k5 x6 a6 r6 k6", RF_GBN_CONFORMS);
	ok(f->timeouts == 1 && f->restarts == 0, "a retransmission without a NAK is counted as a timeout");
	/* after a timeout the sender goes back to the first unacknowledged PSN */
	is("s4 r4 s5 r5 x6 a4 r4 a5 r5 a6 r6", RF_GBN_CONFORMS);
	/* first line: two packets are lost; second line: one packet is lost twice */
	is("s1 r1 x2 s3 r3 x4 N2 n2 a2 r2 a3 r3 a4 r4 k4", RF_GBN_CONFORMS);
	is("s1 r1 x2 s3 r3 N2 n2 a2 a3 r3 a2 r2 a3 r3", RF_GBN_CONFORMS);
	/* a new gap after a gap that was repaired */
	is("s1 r1 x2 s3 r3 N2 n2 a2 r2 a3 r3 x4 s5 r5 N4 n4 a4 r4 a5 r5",
	   RF_GBN_CONFORMS);
}

static void more_that_keeps_them_ok(void)
{
	struct rf_gbn_flow *f;

	/* the NAK is lost */
	is("s1 r1 x2 s3 r3 N2 d2 a2 r2 a3 r3", RF_GBN_CONFORMS);
	/* the NAK arrives while the sender is already retransmitting */
	is("s1 r1 x2 s3 r3 N2 a1 n2 a2 r2 a3 r3", RF_GBN_CONFORMS);
	/* the delay of the link is long: the timer expires before the NAK arrives */
	is("s1 r1 x2 s3 r3 N2 a1 a2 a3 n2 r1 r2 r3 k3 s4 r4 k4 s5 a4 a5",
	   RF_GBN_CONFORMS);
	/* the timer expires before the NAK leaves; the second NAK is for another packet */
	is("s1 r1 x2 s3 a1 a2 r3 N2 r1 r2 a3 x4 s5 r3 r5 N4 n2 n4 a4 r4 a5 r5",
	   RF_GBN_CONFORMS);
	/* a corrupted packet arrives and is discarded */
	is("s1 r1 c2 r2 s3 r3 N2 n2 a2 r2 a3 r3", RF_GBN_CONFORMS);
	/* a corrupted packet with a valid ICRC is accepted */
	f = is("s1 r1 v2 r2 s3 r3 k3 x4 s5 r5 N4 n4 a4 r4 a5 r5",
	       RF_GBN_CONFORMS);
	ok(f->lost == 1, "a corrupted packet with a valid ICRC is not counted as lost");
	is("s1 r1 s2 y2 s3 r3 k3 x4 s5 r5 N4 n4 a4 r4 a5 r5", RF_GBN_CONFORMS);
	/* a delayed packet arrives after the receiver has detected the gap */
	is("s1 r1 w2 s3 r3 N2 r2 n2 a2 a3 r3", RF_GBN_CONFORMS);
	/* the retransmission leaves before the first transmission is lost behind a queue */
	f = is("s4 r4 s5 s6 a5 a6 z5 r6 r5 r6 s7 a7 r7", RF_GBN_CONFORMS);
	ok(f->lost == 1 && f->retransmitted == 3, "a packet that is lost behind a queue is counted");
	/* a copy of the lost packet arrives: its ACK closes the gap */
	is("s4 r4 x5 r5 k5 s6 a6 r6", RF_GBN_CONFORMS);
	/* packets between steps are not observed */
	is("s1 r1 k1 | s9 r9 k9", RF_GBN_CONFORMS);
	/* packets that arrive before the receiver enters the step are not observed */
	is("s1 x2 s3 r3 N2 n2 a2 r2 a3 r3 a4 r4", RF_GBN_CONFORMS);
	/* only NAKs and retransmitted packets have events, as in steps that are not observed */
	is("x5 n5 a5 a6 a7", RF_GBN_CONFORMS);
}

static void broken_rules_fail(void)
{
	breaks("s4 r4 x5 s6 r6 N5 s7 r7 N5 n5 n5 a5 r5", RF_GBN_ONE_NAK, 5);
	breaks("s4 r4 x5 s6 r6 s7 r7 N6 n6 a6 a5 r5", RF_GBN_FIRST_HOLE, 5);
	breaks("x5 n6 a6", RF_GBN_FIRST_HOLE, 5);
	breaks("s4 r4 s5 r5 N4 n4 a4 a5", RF_GBN_FIRST_HOLE, 6);
	breaks("s4 r4 x5 s6 r6 N5 n5 a4 a5 r5", RF_GBN_RESTART, 5);
	breaks("s4 r4 x5 s6 r6 N5 n5 a6 a7 a5", RF_GBN_RESTART, 5);
	breaks("s4 r4 x5 s6 a6 a5", RF_GBN_TIMEOUT, 5);
	/* an ACK of the packet before the gap does not close it */
	breaks("s4 r4 x5 k4 s6 a6 a5", RF_GBN_TIMEOUT, 5);
	breaks("s4 r4 s5 s6 z5 r6 s7 a7 r7", RF_GBN_TIMEOUT, 5);
	/* the retransmission is lost again, and the sender must obey the second NAK */
	breaks("s4 r4 x5 s6 r6 a4 r4 X5 a6 r6 N5 n5 a4 a5 r5", RF_GBN_RESTART, 5);
	breaks("s4 r4 k4 s5 r5 k5 k4 s6 r6 k6", RF_GBN_ACKS, 5);
}

static void without_a_verdict_fails(void)
{
	is("s1 r1 f2 n2 a2 N9", RF_GBN_UNJUDGED);
	ok(gbn.flows->why == RF_GBN_FORGED, "a flow with forged responses is not judged, with this reason");
	is("s1 r1 V2 r2 N9", RF_GBN_UNJUDGED);
	ok(gbn.flows->why == RF_GBN_FORGED, "a flow with a forged packet is not judged, with this reason");
	is("R1 s5 r5 N9 n9 a5", RF_GBN_UNJUDGED);
	ok(gbn.flows->why == RF_GBN_READS, "a flow with READs is not judged, with this reason");
	is("s1 r1 s2 r2", RF_GBN_CONFORMS);
	ok(gbn.flows->why == RF_GBN_NO_DOUBT, "a flow of writes is judged without doubt");
	check("s1 r1 s2 r2 o5 O5 O5 k2");
	ok(gbn.n == 2 && gbn.flows[0].verdict == RF_GBN_CONFORMS &&
	   gbn.flows[1].verdict == RF_GBN_VIOLATES,
	   "a flow of an unknown queue pair is identified by its responses and judged");
	check("o5 o16 s1 r1 s2 r2 O5 O5 k2");
	ok(gbn.n == 3 && gbn.flows[0].why == RF_GBN_WHOSE &&
	   gbn.flows[1].why == RF_GBN_WHOSE && !gbn.violations,
	   "two flows of unknown queue pairs cannot be distinguished and are not judged");
	ok(gbn.flows[2].verdict == RF_GBN_CONFORMS, "flows of unknown queue pairs do not change the verdict on the job's flow");
	lost = 1;
	is("s1 r1 s2 r2", RF_GBN_VOID);
	is("s4 r4 x5 s6 r6 N6 n6 a6", RF_GBN_VOID);
	ok(!gbn.violations, "a flow with lost events has no violation");
	lost = 0;
	rec.flows_lost = 1;
	is("s1 r1 s2 r2", RF_GBN_VOID);
	rec.flows_lost = 0;
	ok(!check("k1") && !gbn.violations, "an ACK without packets makes no flow");
}

/*
 * A queue can drop packets without an event. If packets were dropped in queues, only packets
 * that have events are checked.
 */
static void vague_records_ok(void)
{
	struct rf_port_tally port = { .prio[0].dropped = 1 };

	rec.ports = &port;
	rec.nports = 1;
	is("s4 s5 s6 r6 N4 n4 a4 r4", RF_GBN_CONFORMS);
	breaks("s4 r4 s5 s6 r6 N6 n6 a6 r6", RF_GBN_FIRST_HOLE, 5);
	rec.nports = 0;
}

int main(void)
{
	keeps_the_rules_ok();
	more_that_keeps_them_ok();
	broken_rules_fail();
	without_a_verdict_fails();
	vague_records_ok();
	rf_gbn_free(&gbn);
	rf_events_free(&rec.ev);
	return done_testing();
}
