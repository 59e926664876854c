// SPDX-License-Identifier: GPL-2.0
/*
 * A retransmission is a run of packets that the sender sends again. Test which retransmission
 * is assigned to which loss, also when retransmitted packets are lost again: where each
 * retransmission starts, what caused it, and which loss it repairs. A retransmitted packet has
 * an event at its sender. If a fault hits the packet there, the packet has a second event.
 */
#include <string.h>

#include "tools/analysis/analysis.h"
#include "made_packets.h"
#include "said.h"
#include "tap.h"

/* Return: the event of a fault that drops the packet of the event @observed, a moment later */
static struct rf_event hit_of(const struct rf_event *observed)
{
	struct rf_event e = *observed;

	e.t_ns++;
	e.action = RDMAFAULT_ACTION_DROP;
	e.rule = 2;
	e.fault = true;
	return e;
}

static void analyse(struct rf_record *rec, struct rf_analysis *an,
		    const struct rf_event *e, size_t n)
{
	make_record(rec, 12 * MS, e, n);
	rf_analyse(rec, NULL, an);
}

static void free_all(struct rf_record *rec, struct rf_analysis *an)
{
	rf_analysis_free(an);
	rf_record_free(rec);
}

/* A retransmitted packet is lost, and the receiver sends a second NAK. */
static void lost_again_ok(void)
{
	struct rf_event e[] = {
		drop_at(5 * MS, 100), nak_at(6 * MS, 100),
		write_at(7 * MS, 100, 2), write_at(7 * MS + 1, 101, 2), { },
		write_at(7 * MS + 3, 102, 2), write_at(7 * MS + 4, 103, 2),
		nak_at(8 * MS, 101), write_at(9 * MS, 101, 3),
		write_at(9 * MS + 1, 102, 3), write_at(9 * MS + 2, 103, 3),
	};
	struct rf_analysis an;
	struct rf_record rec;

	e[4] = hit_of(&e[3]);
	analyse(&rec, &an, e, 11);
	ok(!an.measure[RF_TIMEOUTS] && an.losses[0].found == RF_DETECTED_NAK &&
	   an.losses[1].found == RF_DETECTED_NAK,
	   "a retransmission with a gap is one retransmission, caused by a NAK");
	ok(an.losses[0].packets == 4 && an.losses[1].packets == 3 &&
	   an.losses[1].first->t_ns == 9 * MS, "each of two losses has its own retransmission");
	free_all(&rec, &an);
	e[5] = write_at(74 * MS, 101, 3);
	analyse(&rec, &an, e, 6);
	ok(an.measure[RF_TIMEOUTS] == 1 && an.losses[0].found == RF_DETECTED_NAK &&
	   an.losses[1].found == RF_DETECTED_TIMEOUT && an.losses[0].packets == 2,
	   "a retransmission 65 ms later is caused by a timeout although its PSN follows");
	free_all(&rec, &an);
}

/* A NAK arrives while the sender is still sending packets of the previous retransmission. */
static void asked_early_ok(void)
{
	struct rf_event e[] = {
		drop_at(5 * MS, 100), nak_at(6 * MS, 100),
		write_at(7 * MS, 100, 2), write_at(7 * MS + 1, 101, 2), { },
		write_at(7 * MS + 3, 102, 2), nak_at(8 * MS, 101),
		write_at(9 * MS, 103, 2), write_at(10 * MS, 101, 3),
		write_at(10 * MS + 1, 102, 3), write_at(10 * MS + 2, 103, 3),
	};
	struct rf_analysis an;
	struct rf_record rec;

	e[4] = hit_of(&e[3]);
	analyse(&rec, &an, e, 11);
	ok(!an.measure[RF_TIMEOUTS] && an.losses[1].found == RF_DETECTED_NAK &&
	   an.losses[1].nak->t_ns == 8 * MS,
	   "a retransmission after one more packet is still caused by the NAK");
	ok(an.losses[0].packets == 4 && an.losses[1].packets == 3,
	   "the packet in between belongs to the previous retransmission");
	free_all(&rec, &an);

	/*
	 * The sender ignores the NAK. After the timeout, the packet is retransmitted and lost
	 * again.
	 */
	e[8] = write_at(75 * MS, 101, 3);
	e[9] = hit_of(&e[8]);
	e[10] = write_at(142 * MS, 101, 4);
	analyse(&rec, &an, e, 11);
	ok(an.measure[RF_TIMEOUTS] == 2 && an.losses[1].found == RF_DETECTED_TIMEOUT &&
	   an.losses[2].found == RF_DETECTED_TIMEOUT,
	   "a NAK that the sender ignores causes no retransmission");
	free_all(&rec, &an);
}

/*
 * The first packet of the retransmission is lost twice. A NAK causes the first retransmission,
 * timeouts cause the second and the third one.
 */
static void first_lost_again_ok(void)
{
	struct rf_event e[] = {
		drop_at(5 * MS, 100), nak_at(6 * MS, 100),
		write_at(7 * MS, 100, 2), { }, write_at(7 * MS + 2, 101, 2),
		write_at(7 * MS + 3, 102, 2), write_at(74 * MS, 100, 3), { },
		write_at(74 * MS + 2, 101, 3), write_at(74 * MS + 3, 102, 3),
		write_at(141 * MS, 100, 4), write_at(141 * MS + 1, 101, 4),
		write_at(141 * MS + 2, 102, 4),
	};
	struct rf_analysis an;
	struct rf_record rec;

	e[3] = hit_of(&e[2]);
	e[7] = hit_of(&e[6]);
	analyse(&rec, &an, e, 13);
	ok(an.measure[RF_TIMEOUTS] == 2, "two timeouts are counted: %llu",
	   (unsigned long long)an.measure[RF_TIMEOUTS]);
	ok(an.losses[0].first->t_ns == 7 * MS && an.losses[0].packets == 3 &&
	   an.losses[0].found == RF_DETECTED_NAK, "the retransmission after a NAK starts with the requested packet");
	ok(an.losses[1].first->t_ns == 74 * MS && an.losses[1].packets == 3 &&
	   an.losses[1].found == RF_DETECTED_TIMEOUT && an.losses[2].packets == 3,
	   "the retransmission after a timeout starts with the lost packet");
	free_all(&rec, &an);
	e[6] = nak_at(8 * MS, 100);
	e[7] = write_at(9 * MS, 100, 3);
	analyse(&rec, &an, e, 8);
	ok(!an.measure[RF_TIMEOUTS] && an.losses[0].first->t_ns == 7 * MS,
	   "a retransmission after a second NAK is not counted as a timeout");
	free_all(&rec, &an);
}

/* Two packets of a window are lost. When they are retransmitted, the first one is lost again. */
static void led_by_a_lost_one_ok(void)
{
	struct rf_event e[] = {
		drop_at(5 * MS, 100), drop_at(5 * MS + 5, 101),
		nak_at(6 * MS, 100), write_at(7 * MS, 100, 2), { },
		write_at(7 * MS + 2, 101, 2), write_at(7 * MS + 3, 102, 2),
	};
	struct rf_analysis an;
	struct rf_record rec;

	e[4] = hit_of(&e[3]);
	analyse(&rec, &an, e, 7);
	ok(an.losses[1].first->t_ns == 7 * MS && an.losses[1].packets == 3 &&
	   an.losses[1].found == RF_DETECTED_NAK,
	   "a packet lost again is counted in its retransmission");
	free_all(&rec, &an);
}

/*
 * A packet that is hit at a switch has two events: one at the port of the sender, one at the
 * switch. The second one must not count as a retransmission.
 */
static void lost_on_its_way_ok(void)
{
	struct rf_event e[] = {
		nak_at(6 * MS, 100), write_at(7 * MS, 100, 2),
		write_at(7 * MS + 1, 101, 2), write_at(7 * MS + 2, 102, 2),
		write_at(7 * MS + 3, 103, 2), { },
		write_at(7 * MS + 8, 104, 2), write_at(7 * MS + 9, 105, 2),
	};
	struct rf_analysis an;
	struct rf_record rec;

	e[5] = hit_of(&e[2]);
	e[5].t_ns = 7 * MS + 5;
	e[5].dev[0] = 's';
	analyse(&rec, &an, e, 8);
	ok(!an.measure[RF_TIMEOUTS], "a hit at a switch is not a retransmission");
	free_all(&rec, &an);
	e[5].attempt = 1;
	analyse(&rec, &an, e, 8);
	ok(!an.measure[RF_TIMEOUTS], "a hit at a switch of an earlier transmission is not a retransmission");
	free_all(&rec, &an);
}

/*
 * A later retransmission that does not contain the lost packet was not caused by the loss of
 * this packet.
 */
static void never_sent_again_ok(void)
{
	const struct rf_event e[] = {
		drop_at(5 * MS, 100), write_at(72 * MS, 30, 2),
		write_at(72 * MS + 1, 31, 2), nak_at(80 * MS, 40),
		write_at(81 * MS, 40, 2),
	};
	struct rf_analysis an;
	struct rf_record rec;

	analyse(&rec, &an, e, 5);
	ok(an.measure[RF_RETRANSMITTED] == 3 && !an.losses[0].packets &&
	   !an.losses[0].bytes && !an.losses[0].first && !an.losses[0].last &&
	   an.losses[0].found == RF_DETECTED_NOT,
	   "a loss without a retransmission of its packet has no retransmission");
	free_all(&rec, &an);
}

static struct rf_event ack_at(uint64_t t_ns, uint32_t psn)
{
	struct rf_event e = nak_at(t_ns, psn);

	e.class = RDMAFAULT_CLASS_ACK;
	e.syndrome = 0x1f;
	return e;
}

/* Analyse the record. It also contains the queue pair of the opposite direction. */
static void analyse_both_ways(struct rf_record *rec, struct rf_analysis *an,
			      const struct rf_event *e, size_t n)
{
	struct rf_timeline *tl = &rec->tl;
	struct rf_qp *back;

	make_record(rec, 12 * MS, e, n);
	tl->qps = realloc(tl->qps, 2 * sizeof(*tl->qps));
	back = &tl->qps[tl->nqps++];
	*back = (struct rf_qp){ .rank = 1, .peer = 0, .qpn = PEER_QPN, .peer_qpn = QPN };
	strcpy(back->addr, "10.77.0.2");
	strcpy(back->peer_addr, "10.77.0.1");
	rf_analyse(rec, NULL, an);
}

/* The ACK of PSN 100 is lost. A retransmission from PSN 100 or an earlier PSN repairs the loss. */
static void lost_ack_ok(void)
{
	struct rf_event e[] = {
		write_at(4 * MS, 100, 1), ack_at(5 * MS, 100),
		write_at(72 * MS, 100, 2), write_at(72 * MS + 1, 101, 2),
	};
	struct rf_analysis an;
	struct rf_record rec;

	e[1].fault = true;
	e[1].rule = 2;
	e[1].action = RDMAFAULT_ACTION_DROP;
	analyse_both_ways(&rec, &an, e, 4);
	ok(an.nlosses == 1 && an.losses[0].found == RF_DETECTED_TIMEOUT &&
	   an.losses[0].packets == 2 && an.losses[0].first->t_ns == 72 * MS,
	   "a retransmission from the PSN of a lost ACK repairs it");
	free_all(&rec, &an);
	e[2].psn = 99;
	e[3].psn = 100;
	analyse_both_ways(&rec, &an, e, 4);
	ok(an.losses[0].packets == 2, "a retransmission from an earlier PSN repairs a lost ACK");
	free_all(&rec, &an);
	e[2].psn = 101;
	e[3].psn = 102;
	analyse_both_ways(&rec, &an, e, 4);
	ok(!an.losses[0].packets && !an.losses[0].first,
	   "a retransmission from a later PSN does not repair a lost ACK");
	free_all(&rec, &an);
}

static const char *why_not(const struct rf_analysis *an, enum rf_measure m)
{
	const char *why = rf_measure_why_not(an, m);

	return why ? why : "it has a value";
}

/*
 * The lost packet is never delivered, because all its transmissions are dropped. In the second
 * part of the test, the third transmission is delivered. In the last two parts, the packet is
 * not retransmitted, or no packet is hit.
 */
static void never_delivered_ok(void)
{
	struct rf_event e[] = {
		drop_at(5 * MS, 100), write_at(72 * MS, 100, 2), { },
		write_at(139 * MS, 100, 3), { },
	};
	struct rf_analysis an;
	struct rf_record rec;

	e[2] = hit_of(&e[1]);
	e[4] = hit_of(&e[3]);
	analyse(&rec, &an, e, 5);
	ok(an.nlosses == 3 && !an.losses[0].recovery && !an.measure[RF_RECOVERY_TIME] &&
	   !strcmp(why_not(&an, RF_RECOVERY_TIME), "the packet was never delivered"),
	   "recovery_time of a packet that is always dropped has no value: %s", why_not(&an, RF_RECOVERY_TIME));
	ok(an.measure[RF_DETECTED_BY] == RF_DETECTED_TIMEOUT &&
	   rf_measure_is_known(&an, RF_DETECTED_BY), "each drop is detected by a timeout");
	free_all(&rec, &an);
	analyse(&rec, &an, e, 4);
	ok(an.losses[0].again->t_ns == 72 * MS &&
	   an.losses[0].recovery->t_ns == 139 * MS &&
	   an.measure[RF_RECOVERY_TIME] == 134 * MS && rf_measure_is_known(&an, RF_RECOVERY_TIME),
	   "recovery_time ends with the third transmission, which is delivered: %llu ns",
	   (unsigned long long)an.measure[RF_RECOVERY_TIME]);
	free_all(&rec, &an);
	analyse(&rec, &an, e, 1);
	ok(!rf_measure_is_known(&an, RF_RECOVERY_TIME) &&
	   !strcmp(why_not(&an, RF_DETECTED_BY), "the packet was never delivered"),
	   "recovery_time and detected_by of a packet that was not retransmitted have no value: %s", why_not(&an, RF_DETECTED_BY));
	free_all(&rec, &an);
	analyse(&rec, &an, e + 1, 1);
	ok(!strcmp(why_not(&an, RF_RECOVERY_TIME), "no packet was hit") &&
	   !strcmp(why_not(&an, RF_STALL), "no packet was hit"),
	   "recovery_time and stall have no value without a hit");
	free_all(&rec, &an);
}

/*
 * At a switch, the attempt number of a packet counts only the transmissions that reach the
 * switch.
 */
static void lost_at_a_switch_ok(void)
{
	struct rf_event e[] = {
		drop_at(5 * MS, 100), write_at(72 * MS, 100, 2), { },
		write_at(139 * MS, 100, 3), { }, { },
	};
	struct rf_analysis an;
	struct rf_record rec;

	e[2] = hit_of(&e[1]);
	strcpy(e[2].dev, "p2");
	e[2].attempt = 1;
	e[4] = e[3];			/* event of the same transmission at the switch */
	e[4].t_ns += 10;
	strcpy(e[4].dev, "p2");
	e[4].attempt = 2;
	analyse(&rec, &an, e, 5);
	ok(an.losses[0].recovery && an.losses[0].recovery->t_ns == 139 * MS &&
	   !strcmp(an.losses[0].recovery->dev, "v1"),
	   "recovery_time does not end with a transmission that is lost at a switch");
	free_all(&rec, &an);
	e[5] = hit_of(&e[4]);
	analyse(&rec, &an, e, 6);
	ok(!an.losses[0].recovery, "recovery_time has no value if a switch drops all transmissions");
	free_all(&rec, &an);
}

/*
 * Test how recovery_time depends on the fault. A delayed packet is not lost, so recovery_time
 * has no value. A corrupted packet is lost. A lost packet of another flow changes nothing.
 */
static void what_takes_away_ok(void)
{
	struct rf_event e[] = { drop_at(5 * MS, 100), write_at(72 * MS, 100, 2), { } };
	struct rf_analysis an;
	struct rf_record rec;

	e[0].action = RDMAFAULT_ACTION_DELAY;
	analyse(&rec, &an, e, 1);
	ok(rf_measure_is_known(&an, RF_DETECTED_BY) &&
	   an.measure[RF_DETECTED_BY] == RF_DETECTED_NOT &&
	   !strcmp(why_not(&an, RF_RECOVERY_TIME), "the packet was not lost"),
	   "recovery_time of a delayed packet has no value: %s", why_not(&an, RF_RECOVERY_TIME));
	free_all(&rec, &an);
	e[0].action = RDMAFAULT_ACTION_CORRUPT;
	e[2] = hit_of(&e[1]);
	e[2].qp++;
	analyse(&rec, &an, e, 3);
	ok(an.measure[RF_RECOVERY_TIME] == 67 * MS, "recovery_time of a corrupted packet ends with the next transmission");
	free_all(&rec, &an);
	e[2] = hit_of(&e[1]);
	e[2].action = RDMAFAULT_ACTION_DUPLICATE;
	analyse(&rec, &an, e, 3);
	ok(an.measure[RF_RECOVERY_TIME] == 67 * MS, "recovery_time ends with a transmission that a fault duplicates");
	free_all(&rec, &an);
	e[2].action = RDMAFAULT_ACTION_DELAY;
	e[2].count = 2;
	e[2].types[0] = RDMAFAULT_ACTION_DELAY;
	e[2].types[1] = RDMAFAULT_ACTION_DROP;
	analyse(&rec, &an, e, 3);
	ok(!an.losses[0].recovery, "recovery_time does not end with a transmission that a rule delays and drops");
	free_all(&rec, &an);
}

/*
 * An ACK is lost. Three cases: a timeout repairs the loss; all later ACKs are lost, too; the
 * next ACK acknowledges the same packets.
 */
static void lost_answer_ok(void)
{
	struct rf_event e[] = {
		nak_at(5 * MS, 100), write_at(72 * MS, 100, 2), { }, { },
	};
	struct rf_analysis an;
	struct rf_record rec;

	e[0].class = RDMAFAULT_CLASS_ACK;
	e[0].action = RDMAFAULT_ACTION_DROP;
	e[0].fault = true;
	analyse_both_ways(&rec, &an, e, 2);
	ok(an.measure[RF_RECOVERY_TIME] == 67 * MS &&
	   an.measure[RF_DETECTED_BY] == RF_DETECTED_TIMEOUT, "a lost ACK has a recovery time");
	free_all(&rec, &an);
	e[2] = e[0];
	e[2].t_ns = 73 * MS;
	e[2].psn = 103;
	analyse_both_ways(&rec, &an, e, 3);
	ok(an.measure[RF_RECOVERY_TIME] == 67 * MS && !an.losses[1].recovery,
	   "recovery_time of a lost ACK ends with the retransmission, also if its ACK is lost");
	free_all(&rec, &an);
	e[1] = e[2];
	e[1].t_ns = 6 * MS;
	e[1].fault = false;
	analyse_both_ways(&rec, &an, e, 2);
	ok(rf_measure_is_known(&an, RF_DETECTED_BY) &&
	   an.measure[RF_DETECTED_BY] == RF_DETECTED_NOT &&
	   !strcmp(why_not(&an, RF_RECOVERY_TIME), "the next ACK also acknowledged the packets of the lost ACK"),
	   "recovery_time of an ACK covered by the next one has no value: %s", why_not(&an, RF_RECOVERY_TIME));
	free_all(&rec, &an);
}

/* A READ response from rank 1 to queue pair @qp of rank 0, which is not known */
static struct rf_event response_at(uint64_t t_ns, uint32_t psn, uint32_t attempt)
{
	struct rf_event e = write_at(t_ns, psn, attempt);

	strcpy(e.dev, "v2");
	e.class = RDMAFAULT_CLASS_READ_RESPONSE;
	e.opcode = 0x0e;
	e.qp = 56;
	inet_pton(AF_INET, "10.77.0.2", e.saddr);
	inet_pton(AF_INET, "10.77.0.1", e.daddr);
	return e;
}

/* Only the repeated request of the lost response is recorded, and the queue pairs are not known. */
static void read_repeated_ok(void)
{
	struct rf_event e[] = {
		response_at(5 * MS, 421, 1), write_at(72 * MS, 421, 2),
		response_at(73 * MS, 421, 2),
		response_at(73 * MS + 1, 422, 2),
	};
	struct rf_analysis an;
	struct rf_record rec;

	e[0].action = RDMAFAULT_ACTION_DROP;
	e[0].fault = true;
	e[1].class = RDMAFAULT_CLASS_READ_REQUEST;
	e[1].opcode = 0x0c;
	e[1].qp = 58;
	analyse(&rec, &an, e, 4);
	ok(an.losses[0].found == RF_DETECTED_TIMEOUT && an.losses[0].first->t_ns == 72 * MS &&
	   an.measure[RF_RECOVERY_TIME] == 68 * MS,
	   "the timer of the requester detects the loss of a READ response");
	free_all(&rec, &an);
	e[1].psn = 422;
	analyse(&rec, &an, e, 4);
	ok(!an.losses[0].first, "control: a request for later PSNs is not its cause");
	free_all(&rec, &an);
}

static void datagram_ok(void)
{
	struct rf_event e = drop_at(5 * MS, 100);
	struct rf_analysis an;
	struct rf_record rec;

	e.opcode = 0x64;
	e.class = RDMAFAULT_CLASS_SEND;
	analyse(&rec, &an, &e, 1);
	ok(!strcmp(why_not(&an, RF_RECOVERY_TIME), "RoCE retransmits only the packets of reliable connections (RC)"),
	   "recovery_time of a datagram has no value: %s", why_not(&an, RF_RECOVERY_TIME));
	free_all(&rec, &an);
}

int main(void)
{
	read_repeated_ok();
	datagram_ok();
	never_delivered_ok();
	lost_at_a_switch_ok();
	what_takes_away_ok();
	lost_answer_ok();
	lost_again_ok();
	asked_early_ok();
	first_lost_again_ok();
	led_by_a_lost_one_ok();
	lost_on_its_way_ok();
	never_sent_again_ok();
	lost_ack_ok();
	return done_testing();
}
