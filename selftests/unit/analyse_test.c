// SPDX-License-Identifier: GPL-2.0
/*
 * What the report makes of a play, on plays made by hand: two ranks, one flow,
 * four steps of 10 ms, of which the second is the faulted one.
 */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../tools/lib/opcode.c"
#include "../../tools/lib/rulenames.c"
#include "../../tools/lib/units.c"
#include "../../tools/scenario/expect.c"
#include "../../tools/trace/events.c"
#include "../../tools/trace/prio_events.c"
#define take_qp timeline_take_qp
#define take_step timeline_take_step
#include "../../tools/report/timeline.c"
#include "../../tools/report/record.c"
#include "../../tools/report/loss.c"
#include "../../tools/report/stall.c"
#include "../../tools/report/analyse.c"
#include "../../tools/report/judge.c"
#include "../../tools/report/text.c"
#include "../../tools/report/cost.c"
#include "tap.h"

const char *rf_progname = "test";
bool rf_json;
static char said[512];

void rf_err(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(said, sizeof(said), fmt, ap);
	va_end(ap);
}

#define MS 1000000ull
#define STEPS 4
#define QPN 17			/* rank 0's */
#define PEER_QPN 18		/* rank 1's */

static const char head[] =
	"{\"type\":\"job\",\"ranks\":2,\"bytes\":65536,\"iters\":4}\n"
	"{\"type\":\"qp\",\"rank\":0,\"peer\":1,\"dir\":\"next\",\"device\":\"rxe1\",\"netdev\":\"v1\",\"qpn\":17,\"peer_qpn\":18,\"psn\":1,\"addr\":\"10.77.0.1\",\"peer_addr\":\"10.77.0.2\"}\n"
	"{\"type\":\"news\",\"from\":\"a later collperf\"}\n";

static void put_step(FILE *f, int rank, int step, uint64_t ns)
{
	uint64_t start = step * 1000 * MS + rank;

	fprintf(f, "{\"type\":\"step\",\"rank\":%d,\"step\":%d,\"start_ns\":%llu,\"end_ns\":%llu,\"sync_ns\":%llu,\"wait_recv_ns\":%llu,\"wait_send_ns\":1,\"wait_sync_ns\":2,\"wrong\":0}\n",
		rank, step, (unsigned long long)start,
		(unsigned long long)(start + ns - 10),
		(unsigned long long)(start + ns),
		(unsigned long long)(ns / 2));
}

/* Read back a timeline in which step 2 takes @ns; @tail is its end. */
static int make_timeline(struct rf_timeline *tl, uint64_t ns, const char *tail)
{
	char path[] = "/tmp/timeline-XXXXXX";
	int fd = mkstemp(path), step, err;
	FILE *f = fdopen(fd, "w");

	fputs(head, f);
	for (step = 1; step <= STEPS; step++) {
		put_step(f, 0, step, step == 2 ? ns : 10 * MS + step);
		put_step(f, 1, step, step == 2 ? ns : 10 * MS + step);
	}
	fputs(tail, f);
	fclose(f);
	err = rf_timeline_read(path, tl);
	unlink(path);
	return err;
}

static const char ended[] =
	"{\"type\":\"end\",\"rank\":0,\"status\":0,\"wrong\":0,\"error\":null}\n"
	"{\"type\":\"end\",\"rank\":1,\"status\":0,\"wrong\":3,\"error\":null}\n";

/* A write from rank 0 to rank 1 that leaves at @t_ns. */
static struct rf_event write_at(uint64_t t_ns, uint32_t psn, uint32_t pass)
{
	struct rf_event e = {
		.t_ns = t_ns, .dev = "v1", .ifindex = 3, .rule = 1,
		.dir = RDMAFAULT_DIRECTION_TX, .family = AF_INET,
		.action = RDMAFAULT_ACTION_WATCH, .qp = PEER_QPN, .psn = psn,
		.psn_rel = psn, .opcode = 0x07, .pass = pass, .step = 2,
		.class = RDMAFAULT_CLASS_WRITE, .len = 4140,
		.position = RDMAFAULT_POSITION_MIDDLE,
	};

	inet_pton(AF_INET, "10.77.0.1", e.saddr);
	inet_pton(AF_INET, "10.77.0.2", e.daddr);
	return e;
}

static struct rf_event drop_at(uint64_t t_ns, uint32_t psn)
{
	struct rf_event e = write_at(t_ns, psn, 1);

	e.action = RDMAFAULT_ACTION_DROP;
	e.rule = 2;
	e.fault = true;
	return e;
}

static struct rf_event nak_at(uint64_t t_ns, uint32_t psn)
{
	struct rf_event e = write_at(t_ns, psn, 1);

	e.dir = RDMAFAULT_DIRECTION_RX;
	e.class = RDMAFAULT_CLASS_NAK;
	e.opcode = 0x11;
	e.syndrome = 0x60;
	e.qp = QPN;
	inet_pton(AF_INET, "10.77.0.2", e.saddr);
	inet_pton(AF_INET, "10.77.0.1", e.daddr);
	return e;
}

static struct rf_record clean;

static void make_record(struct rf_record *rec, uint64_t step_ns,
			const struct rf_event *e, size_t n)
{
	*rec = (struct rf_record){ };
	make_timeline(&rec->tl, step_ns, ended);
	while (n--)
		rf_events_add(&rec->ev, e++);
	rf_events_sort(&rec->ev);
}

static void timeline_reads_ok(void)
{
	struct rf_timeline tl;
	char who[64];

	ok(!make_timeline(&tl, 10 * MS, ended), "a timeline is read");
	ok(rf_timeline_step(&tl, 1, 3)->wait_recv_ns == 5 * MS + 1 &&
	   !rf_timeline_step(&tl, 2, 1) && !rf_timeline_step(&tl, 0, 5) &&
	   !rf_timeline_step(&tl, 0, 0), "steps are found by rank and number");
	ok(rf_timeline_step_ns(&tl, 2) == 10 * MS + 1,
	   "a step lasts from the first start to the last end");
	ok(!rf_timeline_unfinished(&tl, who, sizeof(who)), "all ranks ended");
	rf_timeline_free(&tl);
}

static void timeline_fails(void)
{
	struct rf_timeline tl;
	char who[64];

	make_timeline(&tl, 10 * MS, "{\"type\":\"end\",\"rank\":0,\"status\":0,\"wrong\":0,\"error\":null}\n"
		      "{\"type\":\"end\",\"rank\":1,\"status\":3,\"wrong\":0,\"error\":\"QP is in error\"}\n");
	ok(rf_timeline_unfinished(&tl, who, sizeof(who)) &&
	   !strcmp(who, "rank 1: QP is in error"), "a rank that failed: %s", who);
	rf_timeline_free(&tl);
	ok(make_timeline(&tl, 10 * MS, "{\"type\":\"step\",\"rank\":9}\n") &&
	   strstr(said, ":12: want a line"), "a rank that isn't there is refused");
	rf_timeline_free(&tl);
	ok(make_timeline(&tl, 10 * MS, "{\"type\":") && strstr(said, ":12:"),
	   "a line cut short is refused");
	rf_timeline_free(&tl);
	ok(rf_timeline_read("/dev/null", &tl) == -EINVAL,
	   "an empty file is refused");
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
	ok(an.measure[RF_FOUND_BY] == RF_FOUND_NAK && an.measure[RF_NAKS] == 1 &&
	   an.measure[RF_TIMEOUTS] == 0, "a NAK before it was sent again: by NAK");
	ok(an.losses[0].packets == 3 && an.losses[0].bytes == 3 * 4140 &&
	   an.losses[0].nak->t_ns == 6 * MS && an.measure[RF_RESENT] == 3 &&
	   an.measure[RF_OUTAGE] == 2 * MS, "what go-back-N sent is counted");
	ok(an.measure[RF_STALL] == 2 * MS - 3 && an.measure[RF_WRONG] == 3 &&
	   an.measure[RF_STALL_EVERY_RANK] == 2 * MS - 3,
	   "the stall is the step beyond the clean median");
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
	ok(an.measure[RF_FOUND_BY] == RF_FOUND_TIMEOUT,
	   "no NAK before it was sent again: by timeout");
	ok(an.losses[0].packets == 3 && an.losses[0].last->psn == 0 &&
	   an.losses[0].first->psn == 0xfffffe,
	   "go-back-N is followed across the wrap, and no further");
	ok(an.measure[RF_TIMEOUTS] == 2 && an.measure[RF_NAKS] == 1 &&
	   an.measure[RF_RESENT] == 6, "each retransmission has its cause");
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
	ok(an.measure[RF_FOUND_BY] == RF_FOUND_NOT && !an.losses[0].again &&
	   !an.measure[RF_OUTAGE], "a loss that nobody missed");
	rf_analysis_free(&an);
	rf_record_free(&rec);
}

static void verdicts_ok(void)
{
	struct rf_play play = { .name = "p" };
	struct rf_run_play p = { .play = &play };
	const struct rf_event e[] = { drop_at(5 * MS, 7) };

	make_record(&p.rec, 10 * MS, e, 1);
	p.rec.rule_hits = 1;
	rf_analyse(&p.rec, &clean, &p.an);
	rf_judge_play(&p);
	ok(p.verdict == RF_VERDICT_PASS, "nothing expected: pass");
	rf_range_parse(RF_WRONG, "0", &play.expect.range[RF_WRONG]);
	rf_judge_play(&p);
	ok(p.verdict == RF_VERDICT_FAIL && p.nreasons == 1 &&
	   !strcmp(p.reason[0], "wrong: want 0, got 3"), "%s", p.reason[0]);
	p.rec.rule_hits = 2;
	rf_judge_play(&p);
	ok(p.verdict == RF_VERDICT_BROKEN, "a hit without event: broken");
	p.rec.rule_hits = 1;
	p.rec.ev.lost = 1;
	rf_judge_play(&p);
	ok(p.verdict == RF_VERDICT_BROKEN, "lost events: broken");
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
	timeline_reads_ok();
	timeline_fails();
	nak_is_told_ok();
	timeout_is_told_ok();
	unrepaired_is_told_ok();
	verdicts_ok();
	costs_ok();
	rf_record_free(&clean);
	return done_testing();
}
