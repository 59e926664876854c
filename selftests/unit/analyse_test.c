// SPDX-License-Identifier: GPL-2.0
/*
 * Test the analysis with events that are made by hand. It must find the losses, how each loss
 * was detected, and its impact.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "golden.h"
#include "made_packets.h"
#include "said.h"
#include "tap.h"
#include "tools/analysis/analysis.h"
#include "units.h"

static struct rf_record clean;

/*
 * One packet has four events: three of rules that observe it, and one of a fault. Two other
 * packets have one event each.
 */
static void watched_once_ok(void)
{
	struct rf_event e[] = {
		write_at(1, 5, 1), write_at(2, 5, 1), drop_at(3, 5),
		write_at(4, 5, 1), write_at(5, 6, 1), write_at(6, 7, 1),
	};
	struct rf_events ev = { };
	size_t i;

	for (i = 0; i < 6; i++) {
		e[i].seq = i < 4 ? 40 : 0;
		rf_events_add(&ev, &e[i]);
	}
	rf_events_unique(&ev);
	ok(ev.n == 4 && ev.e[0].t_ns == 1 && ev.e[1].fault &&
	   ev.e[2].psn == 6 && ev.e[3].psn == 7,
	   "rf_events_unique() keeps one observation per packet, the fault, and events without a number");
	rf_events_free(&ev);
}

/* Two ranks; a flow of each, one of another job, and one to an unknown queue pair. */
static void traffic_ok(void)
{
	const struct rf_flow_tally flows[] = {
		{ "10.77.0.1", "10.77.0.2", 18, 7, 7000 }, { "10.77.0.2", "10.77.0.1", 17, 3, 144 },
		{ "10.77.0.1", "10.77.0.2", 19, 9, 9000 }, { "10.77.0.3", "10.77.0.2", 18, 9, 9000 },
	};
	struct rf_qp qps[] = {
		{ .rank = 0, .peer = 1, .qpn = 17, .peer_qpn = 18, .addr = "10.77.0.1",
		  .peer_addr = "10.77.0.2" },
		{ .rank = 1, .peer = 0, .qpn = 18, .peer_qpn = 17, .addr = "10.77.0.2",
		  .peer_addr = "10.77.0.1" },
	};
	struct rf_record rec = { .tl = { .ranks = 2, .qps = qps, .nqps = 2 } };
	uint64_t *bytes;
	size_t i;

	for (i = 0; i < 4; i++)
		rf_record_flow(&rec, &flows[i]);
	bytes = rf_traffic_matrix(&rec, &rec.tl);
	ok(bytes && !bytes[0] && bytes[1] == 7000 && bytes[2] == 144 && !bytes[3],
	   "the traffic matrix has the bytes of the flows of the job");
	free(bytes);
	rec.nflows = 0;
	ok(!rf_traffic_matrix(&rec, &rec.tl), "there is no traffic matrix without flows");
	free(rec.flows);
}

static void nak_ok(void)
{
	const struct rf_event e[] = {
		drop_at(5 * MS, 100), nak_at(6 * MS, 100),
		write_at(7 * MS, 100, 2), write_at(7 * MS + 1, 101, 2),
		write_at(7 * MS + 2, 102, 2),
	};
	struct rf_analysis an;
	struct rf_record rec;

	make_record(&rec, 12 * MS, e, 5);
	rf_analyse(&rec, &clean, &an);
	ok(an.nlosses == 1 && an.losses[0].qp && an.losses[0].qp->peer == 1 &&
	   an.step == 2, "the analysis finds flow and step of the hit packet");
	ok(an.measure[RF_DETECTED_BY] == RF_DETECTED_NAK && an.measure[RF_NAKS] == 1 &&
	   an.measure[RF_TIMEOUTS] == 0, "a loss with a NAK before the retransmission is detected by NAK");
	ok(an.losses[0].packets == 3 && an.losses[0].bytes == 3 * 4140 &&
	   an.losses[0].nak->t_ns == 6 * MS && an.measure[RF_RETRANSMITTED] == 3 &&
	   an.measure[RF_RECOVERY_TIME] == 2 * MS, "packets and bytes retransmitted by go-back-N are counted");
	ok(an.measure[RF_STALL] == 2 * MS - 3 && an.measure[RF_WRONG] == 3 &&
	   an.measure[RF_STALL_EVERY_RANK] == 2 * MS - 3,
	   "the stall is the step time minus the median of clean steps");
	rf_analysis_free(&an);
	rf_record_free(&rec);
}

/*
 * The first hit is a mark, which is no loss. So the later loss decides how the loss was detected
 * and when it was repaired.
 */
static void mark_before_loss_ok(void)
{
	struct rf_event e[] = {
		drop_at(4 * MS, 99), drop_at(5 * MS, 100), nak_at(6 * MS, 100),
		write_at(7 * MS, 100, 2), write_at(7 * MS + 1, 101, 2),
	};
	struct rf_analysis an;
	struct rf_record rec;

	e[0].action = RDMAFAULT_ACTION_MARK;
	e[0].types[0] = RDMAFAULT_ACTION_MARK;
	make_record(&rec, 12 * MS, e, 5);
	rf_analyse(&rec, &clean, &an);
	ok(an.nlosses == 2 && rf_first_loss(&an) == &an.losses[1],
	   "a mark is a hit and no loss");
	ok(an.measure[RF_DETECTED_BY] == RF_DETECTED_NAK &&
	   an.measure[RF_RECOVERY_TIME] == 2 * MS && rf_measure_is_known(&an, RF_RECOVERY_TIME),
	   "the first loss, not the first hit, decides detection and recovery time");
	rf_analysis_free(&an);
	rf_record_free(&rec);
}

/*
 * If all packets are observed, two times of a NAK are known: when it left the receiver, and
 * when it arrived at the sender.
 */
static void nak_times_ok(void)
{
	struct rf_event later = write_at(5 * MS + 300, 101, 1);
	struct rf_event early = write_at(5 * MS + 200, 99, 1);
	struct rf_event sent = nak_at(5 * MS + 450, 100);
	struct rf_event e[6] = {
		drop_at(5 * MS, 100), early, later, sent,
		nak_at(5 * MS + 500, 100), write_at(5 * MS + 1100, 100, 2),
	};
	uint64_t generation = 0, reaction = 0;
	struct rf_analysis an;
	struct rf_record rec;

	e[1].dir = e[2].dir = RDMAFAULT_DIRECTION_RX;
	e[3].dir = RDMAFAULT_DIRECTION_TX;
	strcpy(e[1].dev, "v2");
	strcpy(e[2].dev, "v2");
	strcpy(e[3].dev, "v2");
	make_record(&rec, 12 * MS, e, 6);
	rf_analyse(&rec, &clean, &an);
	ok(rf_loss_nak_generation(an.losses, &generation) && generation == 150,
	   "NAK generation time is from the out-of-sequence packet to the NAK: %llu ns",
	   (unsigned long long)generation);
	ok(rf_loss_nak_reaction(an.losses, &reaction) && reaction == 600,
	   "NAK-to-retransmission time is from the NAK to the first retransmitted packet: %llu ns",
	   (unsigned long long)reaction);
	ok(an.measure[RF_NAKS] == 1, "a NAK observed at both ends is counted once");
	rf_analysis_free(&an);
	rf_record_free(&rec);
	make_record(&rec, 12 * MS, e, 1);
	rf_analyse(&rec, &clean, &an);
	ok(!rf_loss_nak_generation(an.losses, &generation) &&
	   !rf_loss_nak_reaction(an.losses, &reaction),
	   "the times of a NAK have no value without these events");
	rf_analysis_free(&an);
	rf_record_free(&rec);
}

/* The receiver is not ready: once with a real RNR NAK, once with an RNR NAK that a fault forges. */
static void rnr_ok(void)
{
	struct rf_event e[] = {
		drop_at(5 * MS, 100), nak_at(6 * MS, 100),
		write_at(7 * MS, 100, 2),
	};
	struct rf_analysis an;
	struct rf_record rec;

	e[1].class = RDMAFAULT_CLASS_RNR;
	e[1].syndrome = 0x2c;
	make_record(&rec, 12 * MS, e, 3);
	rf_analyse(&rec, &clean, &an);
	ok(an.measure[RF_DETECTED_BY] == RF_DETECTED_RNR && !an.measure[RF_NAKS] &&
	   !an.measure[RF_TIMEOUTS], "a loss with an RNR NAK is detected by RNR, and counts neither as NAK nor as timeout");
	rf_analysis_free(&an);
	rf_record_free(&rec);
	e[0].action = RDMAFAULT_ACTION_RNR;
	make_record(&rec, 12 * MS, e, 3);
	rf_analyse(&rec, &clean, &an);
	ok(an.measure[RF_DETECTED_BY] == RF_DETECTED_RNR && !an.measure[RF_TIMEOUTS],
	   "a forged RNR NAK is detected as RNR, and is not counted as a timeout");
	rf_analysis_free(&an);
	rf_record_free(&rec);
}

/*
 * PSN 100 is lost, and PSN 101 is lost when it is retransmitted. The second NAK arrives at
 * once. The retransmission after this NAK comes 60 ms later or not at all.
 */
static void ignored_naks_ok(void)
{
	struct rf_event e[] = {
		drop_at(5 * MS, 100), nak_at(6 * MS, 100),
		write_at(7 * MS, 100, 2), write_at(7 * MS + 1, 101, 2),
		nak_at(8 * MS, 101), write_at(68 * MS, 101, 3),
	};
	const struct rf_events ev = { .e = e, .n = 6 }, cut = { .e = e, .n = 5 };

	ok(rf_count_ignored_naks(&ev, 67 * MS) == 1, "a NAK followed by a retransmission only after the timeout is counted as ignored");
	ok(!rf_count_ignored_naks(&ev, 1000 * MS),
	   "a NAK followed by a retransmission before the timeout is not counted as ignored");
	ok(!rf_count_ignored_naks(&cut, 67 * MS), "a NAK without a following retransmission is not counted as ignored");
	e[4].fault = true;
	ok(!rf_count_ignored_naks(&ev, 67 * MS), "a dropped NAK is not counted as ignored");
}

/*
 * After a packet is refused with an RNR NAK, the next packets are out of sequence, and the
 * receiver sends a NAK for them. This NAK is not the cause of the retransmission.
 */
static void rnr_goes_before_nak_ok(void)
{
	struct rf_event e[] = {
		drop_at(5 * MS, 100), nak_at(6 * MS, 100),
		nak_at(6 * MS + 1, 100), write_at(7 * MS, 100, 2),
	};
	struct rf_analysis an;
	struct rf_record rec;

	e[1].class = RDMAFAULT_CLASS_RNR;
	make_record(&rec, 12 * MS, e, 4);
	rf_analyse(&rec, &clean, &an);
	ok(an.measure[RF_DETECTED_BY] == RF_DETECTED_RNR && an.measure[RF_NAKS] == 1,
	   "a loss is detected by the RNR NAK if it precedes the NAK");
	rf_analysis_free(&an);
	rf_record_free(&rec);
	e[1].t_ns = 6 * MS + 2;
	make_record(&rec, 12 * MS, e, 4);
	rf_analyse(&rec, &clean, &an);
	ok(an.measure[RF_DETECTED_BY] == RF_DETECTED_NAK, "a loss is detected by the NAK if it precedes the RNR NAK");
	rf_analysis_free(&an);
	rf_record_free(&rec);
}

/* Return: the event of an ACK for PSN @psn from rank 1 that arrives at rank 0 */
static struct rf_event ack_at(uint64_t t_ns, uint32_t psn)
{
	struct rf_event e = nak_at(t_ns, psn);

	e.class = RDMAFAULT_CLASS_ACK;
	e.syndrome = 0;
	return e;
}

static void lost_ack_ok(void)
{
	struct rf_event e[] = {
		ack_at(5 * MS, 15), ack_at(5 * MS + 1, 31),
		/*
		 * The lost ACK did not cause this retransmission: the next ACK acknowledged the
		 * same packets.
		 */
		write_at(72 * MS, 40, 2),
	};
	struct rf_analysis an;
	struct rf_record rec;

	e[0].fault = true;
	e[0].action = RDMAFAULT_ACTION_DROP;
	make_record(&rec, 12 * MS, e, 3);
	rf_analyse(&rec, &clean, &an);
	ok(an.measure[RF_DETECTED_BY] == RF_DETECTED_NOT && !an.losses[0].first &&
	   an.losses[0].covered && an.losses[0].covered->psn == 31,
	   "a lost ACK is covered by the next ACK");
	rf_analysis_free(&an);
	rf_record_free(&rec);
}

static const char other_end[] =
	"{\"type\":\"qp\",\"rank\":1,\"peer\":0,\"dir\":\"in\",\"device\":\"rxe2\",\"netdev\":\"v2\",\"qpn\":18,\"peer_qpn\":17,\"psn\":1,\"addr\":\"10.77.0.2\",\"peer_addr\":\"10.77.0.1\"}\n";

static void last_ack_ok(void)
{
	struct rf_event e[] = {
		ack_at(5 * MS, 1), write_at(72 * MS, 0, 2),
		write_at(72 * MS + 1, 1, 2), ack_at(73 * MS, 1),
	};
	struct rf_analysis an;
	struct rf_record rec;

	e[0].fault = true;
	e[0].action = RDMAFAULT_ACTION_DROP;
	make_record(&rec, 77 * MS, e, 4);
	rf_timeline_free(&rec.tl);
	make_timeline(&rec.tl, 77 * MS, other_end);
	rf_analyse(&rec, &clean, &an);
	ok(an.measure[RF_DETECTED_BY] == RF_DETECTED_TIMEOUT &&
	   !an.losses[0].covered && an.losses[0].packets == 2 &&
	   an.losses[0].again->psn == 1 && an.measure[RF_TIMEOUTS] == 1,
	   "without a next ACK, a timeout retransmits packets that had arrived");
	ok(rf_loss_timers(an.losses, 14) == 1 &&
	   rf_loss_timers(an.losses, 12) == 4 &&
	   rf_loss_timers(an.losses, 18) == 1,
	   "rf_loss_timers() of 67 ms is 1 at 67 ms, 4 at 17 ms, and at least 1");
	rf_analysis_free(&an);
	rf_record_free(&rec);
}

static void timeout_ok(void)
{
	const struct rf_event e[] = {
		drop_at(5 * MS, 0), write_at(72 * MS, 0xfffffe, 2),
		write_at(72 * MS + 1, 0xffffff, 2), write_at(72 * MS + 2, 0, 2),
		/* a later retransmission, which has another cause */
		nak_at(80 * MS, 40), write_at(81 * MS, 40, 2),
		/* a timeout without a loss */
		write_at(90 * MS, 30, 2), write_at(90 * MS + 1, 31, 2),
	};
	struct rf_analysis an;
	struct rf_record rec;

	make_record(&rec, 77 * MS, e, 8);
	rf_analyse(&rec, &clean, &an);
	ok(an.measure[RF_DETECTED_BY] == RF_DETECTED_TIMEOUT,
	   "a loss without a NAK before the retransmission is detected by timeout");
	ok(an.losses[0].packets == 3 && an.losses[0].last->psn == 0 &&
	   an.losses[0].first->psn == 0xfffffe,
	   "the retransmission of a loss is found across the wrap of PSNs, up to its last packet");
	ok(an.measure[RF_TIMEOUTS] == 2 && an.measure[RF_NAKS] == 1 &&
	   an.measure[RF_RETRANSMITTED] == 6, "each retransmission is counted by its cause");
	rf_analysis_free(&an);
	rf_record_free(&rec);
}

/* Two packets are lost. The NAK for the first one causes the retransmission of both. */
static void two_of_a_window_ok(void)
{
	struct rf_event e[] = {
		drop_at(5 * MS, 100), drop_at(5 * MS + 5, 102),
		nak_at(6 * MS, 100), write_at(7 * MS, 100, 2),
		write_at(7 * MS + 1, 101, 2), write_at(7 * MS + 2, 102, 2),
	};
	struct rf_analysis an;
	struct rf_record rec;
	uint64_t ns;

	make_record(&rec, 12 * MS, e, 6);
	rf_analyse(&rec, &clean, &an);
	ok(an.nlosses == 2 && an.losses[1].found == RF_DETECTED_NAK &&
	   an.losses[1].first->psn == 100 && an.losses[1].packets == 3 &&
	   !an.measure[RF_TIMEOUTS], "two losses of a window are detected by the same NAK");
	ok(rf_loss_nak_reaction(&an.losses[1], &ns) && ns == MS,
	   "NAK-to-retransmission time of the second loss is from the same NAK: %llu ns", (unsigned long long)ns);
	rf_analysis_free(&an);
	rf_record_free(&rec);
	e[1].t_ns = 6 * MS + 1;
	make_record(&rec, 12 * MS, e, 6);
	rf_analyse(&rec, &clean, &an);
	ok(an.losses[1].found == RF_DETECTED_NAK && !an.losses[1].nak,
	   "a second loss after the NAK is detected by the same NAK");
	rf_analysis_free(&an);
	rf_record_free(&rec);
	e[0].action = RDMAFAULT_ACTION_NAK;
	e[1].t_ns = 5 * MS + 5;
	make_record(&rec, 12 * MS, e, 6);
	rf_analyse(&rec, &clean, &an);
	ok(an.losses[1].found == RF_DETECTED_NAK, "a second loss is detected by a forged NAK");
	rf_analysis_free(&an);
	rf_record_free(&rec);
}

static void unrepaired_ok(void)
{
	const struct rf_event e[] = { drop_at(5 * MS, 7) };
	struct rf_analysis an;
	struct rf_record rec;

	make_record(&rec, 10 * MS, e, 1);
	rf_analyse(&rec, &clean, &an);
	ok(an.measure[RF_DETECTED_BY] == RF_DETECTED_NOT && !an.losses[0].again &&
	   !an.measure[RF_RECOVERY_TIME], "a loss without a retransmission is not detected and has no recovery time");
	rf_analysis_free(&an);
	rf_record_free(&rec);
}

/* If a job has only one step, this step can only be compared with the step of the clean case. */
static void one_step_ok(void)
{
	struct rf_event e[] = { drop_at(5 * MS, 100), write_at(65 * MS, 100, 2) };
	struct rf_record rec, one = clean, none = clean;
	struct rf_analysis an;

	one.tl.iters = 1;
	none.tl.iters = 0;
	e[0].step = e[1].step = 1;
	make_record(&rec, 12 * MS, e, 2);
	rec.tl.iters = 1;
	rec.tl.steps[0].sync_ns += 60 * MS;
	rf_analyse(&rec, &one, &an);
	ok(an.clean_ns == 10 * MS + 2 && an.step_ns == 70 * MS + 1 &&
	   an.rank[0].clean.step == 10 * MS + 1 &&
	   an.measure[RF_STALL] == 60 * MS - 1, "the only step is compared with that of the clean case");
	rf_analysis_free(&an);
	rf_analyse(&rec, &none, &an);
	ok(!rf_measure_is_known(&an, RF_STALL) && !an.measure[RF_STALL],
	   "the stall has no value if the clean case has no complete step");
	rf_analysis_free(&an);
	rec.tl.steps[1].seen = false;
	rf_analyse(&rec, &one, &an);
	ok(!rf_measure_is_known(&an, RF_STALL), "the stall has no value if a rank did not complete the step");
	rf_analysis_free(&an);
	rec.tl.iters = 0;
	rec.ev.e[0].step = 0;
	rf_analyse(&rec, &none, &an);
	ok(an.nlosses == 1 && !an.step && !rf_measure_is_known(&an, RF_STALL),
	   "the stall has no value for a command without steps");
	rf_analysis_free(&an);
	rf_record_free(&rec);
}

static void verdicts_ok(void)
{
	struct rf_case test_case = { .name = "p" };
	struct rf_analysis an = { };
	struct rf_run_case p = { .test_case = &test_case, .an = &an };
	const struct rf_event e[] = { drop_at(5 * MS, 7) };

	make_record(&p.rec, 10 * MS, e, 1);
	p.rec.rule_hits = 1;
	rf_analyse(&p.rec, &clean, p.an);
	rf_case_set_verdict(&p);
	ok(p.verdict == RF_VERDICT_PASS, "a case without expectations passes");
	p.rec.rule_hits = 2;
	rf_case_set_verdict(&p);
	ok(p.verdict == RF_VERDICT_BROKEN, "a case with a hit without an event is broken");
	p.rec.rule_hits = 1;
	p.rec.ev.lost = 1;
	rf_case_set_verdict(&p);
	ok(p.verdict == RF_VERDICT_BROKEN, "a case with lost events is broken");
	p.rec.ev.lost = 0;
	rf_reasons_free(&p);
	rf_analysis_free(p.an);
	rf_record_free(&p.rec);
}

/*
 * Return: the verdict of a case with the expectation @text. The reason for the verdict is added
 * to the texts that are compared with the golden file.
 */
static enum rf_verdict judged(struct rf_run_case *p, const char *text)
{
	struct rf_case test_case = { .name = "p" };
	struct rf_scenario s = { .cases = &test_case, .ncases = 1 };
	struct rf_run run = { .scenario = &s, .cases = p, .ncases = 1, .rounds = 1 };
	struct rf_check check;
	unsigned int column;
	struct rf_why why;

	ok(!rf_check_parse(text, &rf_metrics, &check, &why, &column), "\"%s\" is parsed", text);
	test_case.checks = &check;
	test_case.nchecks = 1;
	p->test_case = &test_case;
	rf_case_set_verdict(p);
	rf_run_set_verdict(&run);
	if (p->nreasons)
		golden(p->reason[0], "%s", text);
	rf_reasons_free(p);
	rf_check_free(&check);
	return p->verdict;
}

static void expectations_ok(void)
{
	struct rf_analysis an = { };
	struct rf_run_case p = { .an = &an };
	const struct rf_event e[] = { drop_at(5 * MS, 7) };

	make_record(&p.rec, 10 * MS, e, 1);
	p.rec.rule_hits = 1;
	rf_analyse(&p.rec, &clean, p.an);
	ok(judged(&p, "wrong == 0") == RF_VERDICT_FAIL,
	   "a case with 3 wrong values instead of 0 fails");
	ok(judged(&p, "stall <= 10 s") == RF_VERDICT_PASS,
	   "a case with a stall below its limit passes");
	rf_analysis_free(p.an);
	rf_analyse(&p.rec, NULL, p.an);
	ok(judged(&p, "stall <= 11 s") == RF_VERDICT_FAIL,
	   "a case with an expectation on the stall fails without a clean case");
	rf_analysis_free(p.an);
	rf_record_free(&p.rec);
}

/* Test the cost for 256, 1024 and 4096 GPUs at 30 dollars per GPU and hour. */
static void costs_ok(void)
{
	char a[32], b[32], c[32];

	ok(!strcmp(rf_fmt_dollars(rf_cost(3600000 * MS, 256, 30), a),
		   "$7,680.00") &&
	   !strcmp(rf_fmt_dollars(rf_cost(60000 * MS, 1024, 30), b),
		   "$512.00") &&
	   !strcmp(rf_fmt_dollars(rf_cost(1000 * MS, 4096, 30), c), "$34.13"),
	   "rf_cost() of an hour, a minute and a second: %s %s %s", a, b, c);
	ok(!strcmp(rf_fmt_dollars(rf_cost(10000 * MS, 1024, 30), a), "$85.33") &&
	   !strcmp(rf_fmt_dollars(0.00123, b), "$0.00123"),
	   "rf_fmt_dollars() of 85.33 and less than a cent: %s %s", a, b);
}

/* A fault can hit every packet. The time of the analysis must not grow with the square. */
static void many_hits_ok(void)
{
	enum { N = 200000 };
	struct rf_event *e = calloc(N, sizeof(*e));
	struct rf_analysis an;
	struct rf_record rec;
	clock_t before;
	double s;
	int i;

	for (i = 0; i < N; i++)
		e[i] = drop_at(5 * MS + i, i);
	make_record(&rec, 12 * MS, e, N);
	before = clock();
	rf_analyse(&rec, &clean, &an);
	s = (double)(clock() - before) / CLOCKS_PER_SEC;
	ok(an.nlosses == N && s < 5, "the analysis of %d hits takes less than 5 s of CPU", N);
	rf_analysis_free(&an);
	rf_record_free(&rec);
	free(e);
}

int main(void)
{
	make_timeline(&clean.tl, 10 * MS, ended);
	watched_once_ok();
	traffic_ok();
	nak_ok();
	mark_before_loss_ok();
	nak_times_ok();
	rnr_ok();
	rnr_goes_before_nak_ok();
	lost_ack_ok();
	last_ack_ok();
	ignored_naks_ok();
	timeout_ok();
	two_of_a_window_ok();
	unrepaired_ok();
	one_step_ok();
	verdicts_ok();
	expectations_ok();
	costs_ok();
	many_hits_ok();
	rf_record_free(&clean);
	golden_compare("analyse.txt");
	return done_testing();
}
