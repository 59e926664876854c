// SPDX-License-Identifier: GPL-2.0
/*
 * What the report makes of a case, on cases made by hand: what was lost, how that
 * was found, and what it cost.
 */
#include <string.h>

#include "../../tools/report/run.h"
#include "../../tools/report/steps.h"
#include "made_packets.h"
#include "golden.h"
#include "said.h"
#include "tap.h"

static struct rf_record clean;

/* Three rules that observe, a fault, and another packet. */
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
	   "a packet is observed once; the fault and unnumbered ones stay");
	rf_events_free(&ev);
}

static void nak_is_told_ok(void)
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
	   an.step == 2, "the hit packet's flow and step are known");
	ok(an.measure[RF_DETECTED_BY] == RF_DETECTED_NAK && an.measure[RF_NAKS] == 1 &&
	   an.measure[RF_TIMEOUTS] == 0, "a NAK before it was retransmitted: by NAK");
	ok(an.losses[0].packets == 3 && an.losses[0].bytes == 3 * 4140 &&
	   an.losses[0].nak->t_ns == 6 * MS && an.measure[RF_RETRANSMITTED] == 3 &&
	   an.measure[RF_RECOVERY_TIME] == 2 * MS, "what go-back-N sent is counted");
	ok(an.measure[RF_STALL] == 2 * MS - 3 && an.measure[RF_WRONG] == 3 &&
	   an.measure[RF_STALL_EVERY_RANK] == 2 * MS - 3,
	   "the stall is the step beyond the clean median");
	rf_analysis_free(&an);
	rf_record_free(&rec);
}

/* Where every packet is observed: what the receiver saw, and when it asked. */
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
	make_record(&rec, 12 * MS, e, 6);
	rf_analyse(&rec, &clean, &an);
	ok(rf_loss_nak_generation(an.losses, &generation) && generation == 150,
	   "from the packet that revealed the loss to the NAK: %llu ns",
	   (unsigned long long)generation);
	ok(rf_loss_nak_reaction(an.losses, &reaction) && reaction == 600,
	   "from the NAK to the first retransmitted packet: %llu ns",
	   (unsigned long long)reaction);
	ok(an.measure[RF_NAKS] == 1, "a NAK counts once");
	rf_analysis_free(&an);
	rf_record_free(&rec);
	make_record(&rec, 12 * MS, e, 1);
	rf_analyse(&rec, &clean, &an);
	ok(!rf_loss_nak_generation(an.losses, &generation) &&
	   !rf_loss_nak_reaction(an.losses, &reaction),
	   "without these records there are no such times");
	rf_analysis_free(&an);
	rf_record_free(&rec);
}

/* The receiver isn't ready: by an answer of its own, and by a forged one. */
static void rnr_is_told_ok(void)
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
	   !an.measure[RF_TIMEOUTS], "an RNR NAK is no NAK and no timeout");
	rf_analysis_free(&an);
	rf_record_free(&rec);
	e[0].action = RDMAFAULT_ACTION_RNR;
	e[1] = e[2];
	make_record(&rec, 12 * MS, e, 2);
	rf_analyse(&rec, &clean, &an);
	ok(an.measure[RF_DETECTED_BY] == RF_DETECTED_RNR && !an.measure[RF_TIMEOUTS],
	   "nor is one that a fault sends");
	rf_analysis_free(&an);
	rf_record_free(&rec);
}

/*
 * PSN 100 is lost, and 101 when it is retransmitted; the second NAK comes in at
 * once, and is followed after 60 ms, or not at all.
 */
static void ignored_naks_ok(void)
{
	struct rf_event e[] = {
		drop_at(5 * MS, 100), nak_at(6 * MS, 100),
		write_at(7 * MS, 100, 2), write_at(7 * MS + 1, 101, 2),
		nak_at(8 * MS, 101), write_at(68 * MS, 101, 3),
	};
	const struct rf_events ev = { .e = e, .n = 6 }, cut = { .e = e, .n = 5 };

	ok(rf_count_ignored_naks(&ev, 67 * MS) == 1, "one NAK of two was left to the timer");
	ok(!rf_count_ignored_naks(&ev, 1000 * MS),
	   "a timer of a second can't have gone off after 60 ms");
	ok(!rf_count_ignored_naks(&cut, 67 * MS), "a NAK that nothing followed isn't known to be one");
	e[4].fault = true;
	ok(!rf_count_ignored_naks(&ev, 67 * MS), "a NAK that was dropped never came in");
}

/* Packets behind a refused one are out of sequence: that NAK isn't the cause. */
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
	   "of an RNR NAK and a NAK the first one is the cause");
	rf_analysis_free(&an);
	rf_record_free(&rec);
	e[1].t_ns = 6 * MS + 2;
	make_record(&rec, 12 * MS, e, 4);
	rf_analyse(&rec, &clean, &an);
	ok(an.measure[RF_DETECTED_BY] == RF_DETECTED_NAK, "also if that is the NAK");
	rf_analysis_free(&an);
	rf_record_free(&rec);
}

/* An ACK of rank 1 for PSN @psn that comes in at rank 0. */
static struct rf_event ack_at(uint64_t t_ns, uint32_t psn)
{
	struct rf_event e = nak_at(t_ns, psn);

	e.class = RDMAFAULT_CLASS_ACK;
	e.syndrome = 0;
	return e;
}

static void lost_ack_is_told_ok(void)
{
	struct rf_event e[] = {
		ack_at(5 * MS, 15), ack_at(5 * MS + 1, 31),
		/* of what was acknowledged later; not this loss's */
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
	   "the next ACK speaks for one that was lost");
	rf_analysis_free(&an);
	rf_record_free(&rec);
}

static const char other_end[] =
	"{\"type\":\"qp\",\"rank\":1,\"peer\":0,\"dir\":\"in\",\"device\":\"rxe2\",\"netdev\":\"v2\",\"qpn\":18,\"peer_qpn\":17,\"psn\":1,\"addr\":\"10.77.0.2\",\"peer_addr\":\"10.77.0.1\"}\n";

static void last_ack_is_told_ok(void)
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
	   "without one the timer sends what had arrived again");
	ok(rf_loss_timers(an.losses, 14) == 1 &&
	   rf_loss_timers(an.losses, 12) == 4 &&
	   rf_loss_timers(an.losses, 18) == 1,
	   "67 ms are a timer of 67 ms, four of 17, and no less than one");
	rf_analysis_free(&an);
	rf_record_free(&rec);
}

static void timeout_is_told_ok(void)
{
	const struct rf_event e[] = {
		drop_at(5 * MS, 0), write_at(72 * MS, 0xfffffe, 2),
		write_at(72 * MS + 1, 0xffffff, 2), write_at(72 * MS + 2, 0, 2),
		/* later, another one of another cause */
		nak_at(80 * MS, 40), write_at(81 * MS, 40, 2),
		/* and a timer without any loss */
		write_at(90 * MS, 30, 2), write_at(90 * MS + 1, 31, 2),
	};
	struct rf_analysis an;
	struct rf_record rec;

	make_record(&rec, 77 * MS, e, 8);
	rf_analyse(&rec, &clean, &an);
	ok(an.measure[RF_DETECTED_BY] == RF_DETECTED_TIMEOUT,
	   "no NAK before it was retransmitted: by timeout");
	ok(an.losses[0].packets == 3 && an.losses[0].last->psn == 0 &&
	   an.losses[0].first->psn == 0xfffffe,
	   "go-back-N is followed across the wrap, and no further");
	ok(an.measure[RF_TIMEOUTS] == 2 && an.measure[RF_NAKS] == 1 &&
	   an.measure[RF_RETRANSMITTED] == 6, "each retransmission has its cause");
	rf_analysis_free(&an);
	rf_record_free(&rec);
}

/* The NAK for the first one has both retransmitted. */
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
	   !an.measure[RF_TIMEOUTS], "what goes along was found by the same NAK");
	ok(rf_loss_nak_reaction(&an.losses[1], &ns) && ns == MS,
	   "from the NAK to the retransmission: %llu ns", (unsigned long long)ns);
	rf_analysis_free(&an);
	rf_record_free(&rec);
	e[1].t_ns = 6 * MS + 1;
	make_record(&rec, 12 * MS, e, 6);
	rf_analyse(&rec, &clean, &an);
	ok(an.losses[1].found == RF_DETECTED_NAK && !an.losses[1].nak,
	   "also if that came in before the second was lost");
	rf_analysis_free(&an);
	rf_record_free(&rec);
	e[0].action = RDMAFAULT_ACTION_NAK;
	e[1].t_ns = 5 * MS + 5;
	e[2] = e[3];
	make_record(&rec, 12 * MS, e, 6);
	rf_analyse(&rec, &clean, &an);
	ok(an.losses[1].found == RF_DETECTED_NAK, "or if that was forged");
	rf_analysis_free(&an);
	rf_record_free(&rec);
}

static void unrepaired_is_told_ok(void)
{
	const struct rf_event e[] = { drop_at(5 * MS, 7) };
	struct rf_analysis an;
	struct rf_record rec;

	make_record(&rec, 10 * MS, e, 1);
	rf_analyse(&rec, &clean, &an);
	ok(an.measure[RF_DETECTED_BY] == RF_DETECTED_NOT && !an.losses[0].again &&
	   !an.measure[RF_RECOVERY_TIME], "a loss that nobody missed");
	rf_analysis_free(&an);
	rf_record_free(&rec);
}

/* Of a job of one step, that of the clean case is all there is to go by. */
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
	   an.measure[RF_STALL] == 60 * MS - 1, "the only step has a clean one");
	rf_analysis_free(&an);
	rf_analyse(&rec, &none, &an);
	ok(!rf_measure_is_known(&an, RF_STALL) && !an.measure[RF_STALL],
	   "and no stall if that never ended");
	rf_analysis_free(&an);
	rec.tl.steps[1].seen = false;
	rf_analyse(&rec, &one, &an);
	ok(!rf_measure_is_known(&an, RF_STALL), "nor if a rank never left the step");
	rf_analysis_free(&an);
	rec.tl.iters = 0;
	rec.ev.e[0].step = 0;
	rf_analyse(&rec, &none, &an);
	ok(an.nlosses == 1 && !an.step && !rf_measure_is_known(&an, RF_STALL),
	   "nor has a packet of a command that tells of none");
	rf_analysis_free(&an);
	rf_record_free(&rec);
}

static void verdicts_ok(void)
{
	struct rf_case kase = { .name = "p" };
	struct rf_run_case p = { .kase = &kase };
	const struct rf_event e[] = { drop_at(5 * MS, 7) };

	make_record(&p.rec, 10 * MS, e, 1);
	p.rec.rule_hits = 1;
	rf_analyse(&p.rec, &clean, &p.an);
	rf_judge_case(&p);
	ok(p.verdict == RF_VERDICT_PASS, "nothing expected: pass");
	rf_range_parse(RF_WRONG, "0", &kase.expect.range[RF_WRONG]);
	rf_judge_case(&p);
	ok(p.verdict == RF_VERDICT_FAIL && p.nreasons == 1, "3 wrong values instead of 0");
	golden(p.reason[0], "3 wrong values instead of 0");
	p.rec.rule_hits = 2;
	rf_judge_case(&p);
	ok(p.verdict == RF_VERDICT_BROKEN, "a hit without event: broken");
	p.rec.rule_hits = 1;
	p.rec.ev.lost = 1;
	rf_judge_case(&p);
	ok(p.verdict == RF_VERDICT_BROKEN, "lost events: broken");
	p.rec.ev.lost = 0;
	kase.expect.range[RF_WRONG].set = false;
	rf_range_parse(RF_STALL, "..10s", &kase.expect.range[RF_STALL]);
	rf_judge_case(&p);
	ok(p.verdict == RF_VERDICT_PASS, "a stall below its bound");
	rf_analysis_free(&p.an);
	rf_analyse(&p.rec, NULL, &p.an);
	rf_judge_case(&p);
	ok(p.verdict == RF_VERDICT_FAIL, "and one with nothing to compare it with");
	golden(p.reason[0], "a stall without a clean case");
	rf_reasons_free(&p);
	rf_analysis_free(&p.an);
	rf_record_free(&p.rec);
}

/* Of 256, 1024 and 4096 GPUs at 30 dollars an hour. */
static void costs_ok(void)
{
	char a[32], b[32], c[32];

	ok(!strcmp(rf_fmt_dollars(rf_cost(3600000 * MS, 256, 30), a),
		   "$7,680.00") &&
	   !strcmp(rf_fmt_dollars(rf_cost(60000 * MS, 1024, 30), b),
		   "$512.00") &&
	   !strcmp(rf_fmt_dollars(rf_cost(1000 * MS, 4096, 30), c), "$34.13"),
	   "an hour, a minute, a second: %s %s %s", a, b, c);
	ok(!strcmp(rf_fmt_dollars(rf_cost(10000 * MS, 1024, 30), a), "$85.33") &&
	   !strcmp(rf_fmt_dollars(0.00123, b), "$0.00123"),
	   "ten seconds, and less than a cent: %s %s", a, b);
}

int main(void)
{
	make_timeline(&clean.tl, 10 * MS, ended);
	watched_once_ok();
	nak_is_told_ok();
	nak_times_ok();
	rnr_is_told_ok();
	rnr_goes_before_nak_ok();
	lost_ack_is_told_ok();
	last_ack_is_told_ok();
	ignored_naks_ok();
	timeout_is_told_ok();
	two_of_a_window_ok();
	unrepaired_is_told_ok();
	one_step_ok();
	verdicts_ok();
	costs_ok();
	rf_record_free(&clean);
	golden_compare("analyse.txt");
	return done_testing();
}
