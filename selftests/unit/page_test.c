// SPDX-License-Identifier: GPL-2.0
/*
 * Test the text report: the summary line with the impact of the worst fault, the description
 * ("story") of each case, and the whole report. The expected texts are in
 * selftests/golden/page.txt.
 */
#include <math.h>

#include "golden.h"
#include "made_run.h"
#include "said.h"
#include "tap.h"
#include "tools/scenario/load.h"
#include "tools/scenario/scenario.h"
#include "tools/analysis/analysis.h"
#include "tools/render/text/page.h"
#include "tools/render/words/words.h"

static struct made_run m;

static void summary_line(const char *when)
{
	golden(rf_summary_line(&m.run, said, sizeof(said)), "summary line: %s", when);
}

static void story(const struct rf_run_case *p, const char *when)
{
	golden(rf_case_text(p, said, sizeof(said)), "story: %s", when);
}

/* Compare the text report's section about the case @p with the golden file. */
static void page_of_case(const struct rf_run_case *p, const char *when)
{
	size_t len;
	char *page;
	FILE *f;

	f = open_memstream(&page, &len);
	rf_page_case(f, &m.run, p);
	fclose(f);
	golden(page, "case: %s", when);
	free(page);
}

static void whole_page_ok(void)
{
	size_t len;
	char *page;
	FILE *f;

	f = open_memstream(&page, &len);
	rf_page_write(f, &m.run);
	fclose(f);
	golden(page, "the whole page");
	free(page);
}

static void summary_line_of_a_pass_ok(void)
{
	ok(rf_run_worst(&m.run) == &m.run.cases[1],
	   "rf_run_worst() returns the case that took the longest time");
	summary_line("all cases as expected");
}

/* If the case "tail" has no stall, the summary line is about the case with many losses. */
static void summary_line_of_many_ok(void)
{
	struct rf_analysis one = *m.run.cases[1].an;
	const struct rf_loss *third = &m.run.cases[2].an->losses[2];
	struct rf_events *ev = &m.run.cases[2].rec.ev;
	struct rf_event *hit = &ev->e[third->hit - ev->e];

	m.run.cases[1].an->clean_max_ns = UINT64_MAX;
	ok(rf_run_worst(&m.run) == &m.run.cases[2],
	   "rf_run_worst() returns the case with many losses if the other one has no stall");
	summary_line("many lost packets");
	hit->action = RDMAFAULT_ACTION_MARK;
	summary_line("one of the packets is marked, not lost");
	hit->action = RDMAFAULT_ACTION_DROP;
	*m.run.cases[1].an = one;
}

static void longer_step(int case_index, uint32_t step, int64_t ns)
{
	struct rf_step *s = &m.run.cases[case_index].rec.tl.steps[(step - 1) * 4];
	uint32_t rank;

	for (rank = 0; rank < 4; rank++)
		s[rank].sync_ns += ns;
}

/*
 * The whole case takes about as long as the clean case, but step 35 takes longer. The report
 * then gives the delay of step 35 as the impact of the fault.
 */
static void summary_line_of_the_worst_step_ok(void)
{
	uint64_t most = m.run.cases[1].an->clean_max_ns;

	m.run.cases[1].an->clean_max_ns = UINT64_MAX;
	longer_step(0, 60, 40 * MS);
	longer_step(2, 35, 20 * MS);
	ok(rf_case_impact_ns(&m.run, &m.run.cases[2]) / MS == 20,
	   "rf_case_impact_ns() is the longest single step's delay: %llu ns",
	   (unsigned long long)rf_case_impact_ns(&m.run, &m.run.cases[2]));
	summary_line("many lost packets, of which one made a later step long");
	ok(rf_case_impact_ns(&m.run, &m.run.cases[2]) > 0, "the longer step is attributed to the fault");
	longer_step(2, 35, -19 * MS);
	m.run.cases[2].an->clean_ns += 90 * MS;
	m.run.cases[2].an->clean_max_ns += 90 * MS;
	longer_step(2, 35, 92 * MS);
	ok(rf_case_impact_ns(&m.run, &m.run.cases[2]) / MS == 3,
	   "rf_case_impact_ns() finds 3 ms of 103 ms that are mostly computing: %llu ns",
	   (unsigned long long)rf_case_impact_ns(&m.run, &m.run.cases[2]));
	m.run.cases[2].an->clean_ns -= 90 * MS;
	m.run.cases[2].an->clean_max_ns -= 90 * MS;
	longer_step(2, 35, -73 * MS);
	story(&m.run.cases[2], "many lost packets, of which one made a later step long");
	longer_step(0, 60, -40 * MS);
	longer_step(2, 35, -20 * MS);
	m.run.cases[1].an->clean_max_ns = most;
	longer_step(1, 21, 80 * MS);
	summary_line("one lost packet, after whose step the next one was longer");
	longer_step(1, 21, -80 * MS);
	longer_step(1, 19, 80 * MS);
	summary_line("one lost packet, before whose step one was longer");
	longer_step(1, 19, -80 * MS);
}

/* A later step is a little longer than all clean steps: this is not because of the one packet. */
static void later_noise_ok(void)
{
	struct rf_run_case *p = &m.run.cases[1];
	uint32_t hit = p->an->step;
	struct rf_worst_step w;
	uint64_t slowest = rf_timeline_whole_ns(&p->rec.tl, 30), over;

	over = p->an->clean_max_ns - slowest + 1000;
	longer_step(1, 30, over);
	longer_step(1, hit, -60 * MS);
	ok(!rf_case_worst_step(p, &w), "a later step that is a little longer is not the worst step");
	longer_step(1, hit, 60 * MS);
	ok(rf_case_worst_step(p, &w) && w.step == hit, "the worst step is the step of the hit");
	longer_step(1, 30, -over);
}

/* Another fault than the rule can make a step longer before the rule hits a packet. */
static void earlier_fault_ok(void)
{
	struct rf_run_case *p = &m.run.cases[1];
	struct rf_fault one = *m.cases[1].faults, two[2] = { one, { .kind = RF_FAULT_CHANGE,
		.port = "p2", .words = "link set p2 rate 20mbit" } }, *was = m.cases[1].faults;
	struct rf_worst_step w;

	longer_step(1, 6, 80 * MS);
	ok(rf_case_worst_step(p, &w) && w.step == p->an->step,
	   "a step before the only hit is not the worst step");
	m.cases[1].faults = two;
	m.cases[1].nfaults = 2;
	ok(rf_case_worst_step(p, &w) && w.step == 6,
	   "with a fault that is no rule, a step before the first hit can be the worst step");
	m.cases[1].faults = was;
	m.cases[1].nfaults = 1;
	longer_step(1, 6, -80 * MS);
}

static void fault_names_ok(void)
{
	static const struct {
		const char *words;
		enum rf_fault_kind kind;
		const char *name;
	} names[] = {
		{ "drop v2 tx all", RF_FAULT_RULE, "drop v2" },
		{ "link set v2 rate 20mbit", RF_FAULT_CHANGE, "link v2" },
		{ "pause v2 prio 3 storm for 20ms", RF_FAULT_STORM, "storm v2" },
		{ "link down v2 for 20ms", RF_FAULT_LINK_DOWN, "down v2" },
		{ "pause v2 watchdog prio 3 detect 100ms", RF_FAULT_CHANGE, "watchdog v2" },
		{ "pause v2 prio 3 for 1ms", RF_FAULT_PAUSE, "pause v2" },
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct rf_fault f = { .kind = names[i].kind, .port = "v2",
			.words = (char *)names[i].words };

		ok(!strcmp(rf_fault_name(&f, said, sizeof(said)), names[i].name),
		   "the name of the fault \"%s\": %s", names[i].words, said);
	}
}

/* The report also describes a fault that hits no packet. */
static void pauses_ok(void)
{
	struct rf_run_case *p = &m.run.cases[3];
	struct rf_step *last = &p->rec.tl.steps[59 * 4];

	story(p, "a paused priority");
	m.cases[3].workload.warmup = 2;
	story(p, "a paused priority, and warm-up steps");
	m.cases[3].workload.warmup = 0;
	ok(!rf_case_impact_ns(&m.run, p) && !rf_case_impact_ns(&m.run, m.run.cases),
	   "a paused priority and the clean case have no impact");
	last->sync_ns += 100 * MS;
	summary_line("a paused priority, and the last step takes 100 ms more");
	last->sync_ns -= 100 * MS;
}

/* In most steps, a straggler starts 4 ms after the other ranks. */
static void straggler_ok(void)
{
	struct rf_timeline *tl = &m.run.cases[3].rec.tl;
	uint32_t step;

	for (step = 0; step < 40; step++)
		tl->steps[step * 4 + 2].start_ns += 4 * MS;
	story(&m.run.cases[3], "a rank begins most steps 4 ms after the others");
	for (step = 0; step < 40; step++)
		tl->steps[step * 4 + 2].start_ns -= 3 * MS;
	story(&m.run.cases[3], "a rank begins most steps 1 ms after the others");
	for (step = 0; step < 40; step++)
		tl->steps[step * 4 + 2].start_ns -= MS;
}

/* The link of node 1 delays each packet by 20 ms. The timer is 67 ms. */
static void round_trip_ok(void)
{
	struct rf_fault near = { }, far = { };
	struct rf_setting settings[2];
	struct rf_why why;

	if (rf_fault_command_parse("link set v1 delay 20ms", &near, &why) ||
	    rf_fault_command_parse("link set v2 delay 60ms", &far, &why))
		ok(false, "%s", why.text);
	settings[0] = (struct rf_setting){
		.port = near.port, .number = rf_port_number(&m.scenario, near.port),
		.change = near.change,
	};
	settings[1] = (struct rf_setting){
		.port = far.port, .number = rf_port_number(&m.scenario, far.port),
		.change = far.change,
	};
	m.scenario.settings = settings;
	m.scenario.nsettings = 1;
	summary_line("retransmissions, and the round trip is shorter than the timer");
	m.scenario.nsettings = 2;
	summary_line("retransmissions, and the round trip is longer than the timer");
	m.scenario.nsettings = 0;
	m.cases[0].faults = &far;
	m.cases[0].nfaults = 1;
	ok(rf_case_round_trip_ns(&m.scenario, m.cases) == 60 * MS,
	   "a fault that sets the delay of a link for the whole case is part of the round trip");
	m.cases[0].nfaults = 0;
	m.scenario.settings = NULL;
	free(near.port);
	free(near.words);
	free(far.port);
	free(far.words);
}

static void summary_line_of_no_impact_ok(void)
{
	struct rf_timeline *tl = &m.run.cases[0].rec.tl;
	struct rf_analysis *an = m.run.cases[0].an;
	size_t n = m.run.ncases;
	uint64_t retransmitted;

	m.run.ncases = 1;
	summary_line("only the clean case");
	retransmitted = an->measure[RF_RETRANSMITTED];
	an->measure[RF_RETRANSMITTED] = 420;
	an->measure[RF_TIMEOUTS] = 9;
	summary_line("only the clean case, with retransmissions");
	round_trip_ok();
	an->measure[RF_RETRANSMITTED] = retransmitted;
	an->measure[RF_TIMEOUTS] = 0;
	tl->iters++;
	tl->steps = realloc(tl->steps, tl->iters * 4 * sizeof(struct rf_step));
	memset(&tl->steps[(tl->iters - 1) * 4], 0, 4 * sizeof(struct rf_step));
	tl->end[2].status = 3;
	tl->end[2].error = strdup("retry exceeded");
	summary_line("only the clean case, which failed");
	m.run.ncases = n;
	ok(rf_run_worst(&m.run) == &m.run.cases[0],
	   "rf_run_worst() returns a clean case that failed before cases with faults");
	summary_line("a clean case that failed, and cases with faults");
	free(tl->end[2].error);
	tl->end[2].error = NULL;
	tl->end[2].status = 0;
	tl->iters--;
	m.run.ncases = n;
}

/*
 * If a step of the case does not do the same work as a step of the clean case, the two cases
 * are not compared.
 */
static void summary_line_of_another_job_ok(void)
{
	struct rf_run_case *p = &m.run.cases[1], was = *p;
	uint32_t *steps = &m.cases[3].workload.steps;
	size_t n = m.run.ncases;

	*p = m.run.cases[3];
	m.run.ncases = 2;
	summary_line("a case that takes as long as the clean one");
	*steps = 20;
	summary_line("a case with another job");
	*steps = 60;
	*p = was;
	m.run.ncases = n;
	m.cases[1].workload.steps = 20;
	summary_line("one lost packet, in another job");
	m.cases[1].workload.steps = 60;
}

static void summary_line_of_a_fail_ok(void)
{
	m.run.verdict = RF_VERDICT_FAIL;
	m.run.cases[1].nreasons = 1;
	summary_line("a reason that is no expectation");
	m.run.cases[1].not_met = 1;
	summary_line("one expectation not met");
	m.run.cases[2].nreasons = 1;
	summary_line("an expectation and another reason");
	m.run.cases[2].not_met = 1;
	summary_line("two expectations not met");
	m.run.verdict = RF_VERDICT_BROKEN;
	summary_line("a broken run");
}

/* If events were lost, the report must not claim that something did not happen. */
static void lost_events_ok(void)
{
	struct rf_run_case *p = &m.run.cases[1];

	story(p, "a loss in a whole record");
	p->rec.ev.lost = 2;
	story(p, "a loss in a record with holes");
	page_of_case(p, "a record with holes");
	p->rec.ev.lost = 0;
}

/*
 * All packets of rank 1 were lost in the last step. Ranks 0 and 1 both gave up when their deadlines
 * had expired, rank 1 first. @lost is one of the packets.
 */
static void all_lost_ok(struct rf_run_case *p, const struct rf_loss *lost)
{
	struct rf_loss *was = p->an->losses, three[] = { *lost, *lost, *lost };
	struct rf_rank_end *end = p->rec.tl.end, end_was = *end;
	struct rf_step *s = &p->rec.tl.steps[60 * 4];
	struct rf_qp other = *lost->qp;
	size_t n = p->an->nhits;

	p->an->losses = three;
	p->an->nhits = p->an->nlosses = 3;
	end->status = end[1].status;
	end->error = "no message from rank 3 within 10 s";
	s[1].sync_ns -= 1000;
	s[1].end_ns = s[1].sync_ns;
	summary_line("all packets from rank 1 to rank 2 were lost");
	story(p, "all packets from rank 1 to rank 2 were lost");
	other.peer = 0;
	three[1].qp = &other;
	summary_line("all packets from rank 1 were lost");
	other.rank = 3;
	summary_line("packets from two ranks were lost");
	*end = end_was;
	p->an->losses = was;
	p->an->nhits = p->an->nlosses = n;
}

/* A packet of step 61 was lost and never sent again. All ranks waited 10 s and failed. */
static void final_loss_ok(struct rf_run_case *p, struct rf_loss *l)
{
	struct rf_step *s = &p->rec.tl.steps[60 * 4];
	struct rf_event lost = *l->hit;
	uint64_t from, to;
	int rank;

	rf_timeline_span(&p->rec.tl, 1, p->rec.tl.iters, &from, &to);
	lost.step = 61;
	lost.t_ns = to + 15000000;
	*l = (struct rf_loss){ .hit = &lost, .qp = l->qp, .lost = true };
	for (rank = 0; rank < 4; rank++)
		s[rank] = (struct rf_step){
			.seen = true, .broken = true, .start_ns = to + 10000000,
			.end_ns = lost.t_ns + 10000000000, .sync_ns = lost.t_ns + 10000000000,
			.wait_recv_ns = rank ? 10000000000 : 1000,
		};
	ok(rf_timeline_failed_ns(&p->rec.tl, 61) == s->end_ns, "rf_timeline_failed_ns() returns the time of the failure");
	summary_line("a packet that was never sent again ended the job");
	page_of_case(p, "a packet that was never sent again ended the job");
	lost.action = RDMAFAULT_ACTION_BLACKHOLE;
	summary_line("a blackhole ended the job");
	lost.action = RDMAFAULT_ACTION_DROP;
	all_lost_ok(p, l);
	lost.attempt = 2;
	summary_line("a packet whose retransmission was lost ended the job");
}

/* For a failed job, the report names the failure and the losses that were not repaired. */
static void failures_ok(void)
{
	struct rf_run_case *p = &m.run.cases[2];
	struct rf_loss *l = &p->an->losses[p->an->nlosses - 1], old = *l;
	struct rf_rank_end *end = p->rec.tl.end;
	struct rf_event last;

	story(p, "a job that ended well");
	end[0].status = 4;
	end[0].error = strdup("rank 1 is gone");
	end[1].status = 3;
	end[1].error = strdup("no answer for 10 s");
	story(p, "a job that failed at rank 1 first");
	l->found = RF_DETECTED_NOT;
	l->first = NULL;
	story(p, "a job that failed, and the last loss was never found");
	last = *l->hit;
	last.attempt = 4;
	l->hit = &last;
	story(p, "a job that failed, and a packet was lost in all attempts");
	*l = old;
	p->rec.tl.iters = 61;
	p->rec.tl.steps = realloc(p->rec.tl.steps, 61 * 4 * sizeof(struct rf_step));
	memset(&p->rec.tl.steps[60 * 4], 0, 4 * sizeof(struct rf_step));
	ok(rf_run_worst(&m.run) == p, "rf_run_worst() returns a job that failed before one that waited");
	summary_line("a job that ended in step 61");
	final_loss_ok(p, l);
	*l = old;
	p->rec.tl.iters = 60;
	free(end[0].error);
	free(end[1].error);
	memset(end, 0, 2 * sizeof(*end));
	end[0].seen = end[1].seen = true;
}

/* The job failed in its first step or earlier, so no step is known. */
static void ended_at_once_ok(void)
{
	struct rf_run_case *p = &m.run.cases[1];
	struct rf_step *steps = p->rec.tl.steps;
	uint32_t n = p->rec.tl.iters;

	p->rec.tl.steps = calloc((size_t)n * 4, sizeof(*steps));
	p->rec.tl.end[2].status = 3;
	summary_line("a job that ended in its first step");
	p->rec.tl.iters = 0;
	summary_line("a command that ended");
	free(p->rec.tl.steps);
	p->rec.tl.end[2].status = 0;
	p->rec.tl.iters = n;
	p->rec.tl.steps = steps;
}

/* The clean case has no complete step, so other cases cannot be compared with it. */
static void no_clean_step_ok(void)
{
	struct rf_run_case *p = &m.run.cases[1];
	struct rf_record none = { .tl.ranks = 4 };
	struct rf_analysis was = *p->an;

	rf_analyse(&p->rec, &none, p->an);
	story(p, "the clean case has no steps");
	summary_line("the clean case has no steps");
	m.run.ncases = 2;
	summary_line("the clean case has no steps, and there is one more case");
	m.run.ncases = MADE_CASES;
	rf_analysis_free(p->an);
	*p->an = was;
}

/*
 * If a link is slow during the whole case, the impact is computed from the whole case, not only
 * from the step with the lost packet.
 */
static void one_hit_of_two_faults_ok(void)
{
	struct rf_run_case *p = &m.run.cases[1];
	struct rf_fault both[] = { *m.cases[1].faults, {
		.kind = RF_FAULT_CHANGE, .port = "v2", .words = "link set v2 rate 1gbit" } };
	struct rf_fault *was = m.cases[1].faults;
	struct rf_step *last = &p->rec.tl.steps[59 * 4];

	last->sync_ns += 600 * MS;
	m.cases[1].faults = both;
	m.cases[1].nfaults = 2;
	ok(rf_case_impact_ns(&m.run, p) > 650 * MS, "rf_case_impact_ns() is that of the whole case if a link is slow, too");
	summary_line("one lost packet and a slow link");
	m.cases[1].nfaults = 1;
	m.cases[1].workload.options = (char[]){ "--straggler 1,5ms" };
	ok(!rf_case_is_one_packet(p), "a case with a straggler is not a case of one packet");
	m.cases[1].workload.options = NULL;
	m.cases[1].faults = was;
	ok(rf_case_is_one_packet(p), "a case with one lost packet only is a case of one packet");
	last->sync_ns -= 600 * MS;
}

/* A rule that hits nothing is not called a fault that cost no time. */
static void no_hit_ok(void)
{
	struct rf_run_case *p = &m.run.cases[1];
	char why[] = "fault 1: \"drop v2 tx all\" hit no packet: no packet left v2";
	struct rf_analysis was = *p->an;
	uint64_t hits = p->rec.rule_hits;

	m.run.ncases = 2;
	p->an->nhits = p->an->nlosses = p->rec.rule_hits = 0;
	ok(rf_case_hit_nothing(p) && !rf_case_impact_ns(&m.run, p),
	   "a rule that hit no packet has no impact, also if a step was longer");
	summary_line("the only fault hit no packet");
	p->an->unhit = why;
	summary_line("the only fault hit no packet, and the reason is known");
	p->an->unhit = NULL;
	ok(!strcmp(rf_case_cost_text(&m.run, p, said, sizeof(said)), "the fault hit no packet"),
	   "the cost of a rule that hit no packet: %s", said);
	p->rec.tl.end[2].status = 3;
	p->rec.tl.steps[59 * 4 + 2].seen = false;
	summary_line("the job failed, and the only fault hit no packet");
	p->rec.tl.steps[59 * 4 + 2].seen = true;
	p->rec.tl.end[2].status = 0;
	m.cases[1].faults->kind = RF_FAULT_STORM;
	ok(!rf_case_hit_nothing(p), "control: a storm hits no packet, and can cost time");
	m.cases[1].faults->kind = RF_FAULT_RULE;
	*p->an = was;
	p->rec.rule_hits = hits;
	m.run.ncases = MADE_CASES;
}

/* If the job is a command of the user, it announces no steps, so its cases cannot be compared. */
static void command_ok(void)
{
	struct rf_run_case *p = &m.run.cases[1];
	uint32_t was[MADE_CASES], step = p->an->step;
	size_t i;

	for (i = 0; i < MADE_CASES; i++) {
		was[i] = m.run.cases[i].rec.tl.iters;
		m.run.cases[i].rec.tl.iters = 0;
	}
	p->an->step = 0;
	summary_line("commands without steps");
	p->an->step = step;
	for (i = 0; i < MADE_CASES; i++)
		m.run.cases[i].rec.tl.iters = was[i];
}

/* A clean case that failed in its third step cannot be compared with other cases. */
static void ended_clean_case_ok(void)
{
	struct rf_run_case *clean = &m.run.cases[0], *p = &m.run.cases[2];
	uint64_t most = m.run.cases[1].an->clean_max_ns;
	struct rf_timeline *tl = &clean->rec.tl;
	size_t i;

	ok(rf_case_impact_ns(&m.run, p) > 0, "control: the impact is known if both cases completed");
	for (i = 2 * 4; i < 60 * 4; i++)
		tl->steps[i].seen = false;
	ok(rf_case_ns(clean) && !rf_case_impact_ns(&m.run, p) &&
	   !rf_case_impact_is_known(&m.run, p), "the impact is not known if the clean case failed");
	ok(isnan(rf_metric(&m.run, p, "case.cost")), "case.cost has no value if the clean case failed");
	m.run.cases[1].an->clean_max_ns = UINT64_MAX;
	summary_line("the clean case ended before its last step");
	m.run.cases[1].an->clean_max_ns = most;
	for (i = 2 * 4; i < 60 * 4; i++)
		tl->steps[i].seen = true;
	tl->steps[59 * 4].broken = true;
	ok(!rf_case_impact_is_known(&m.run, p), "the impact is not known if the clean case failed in its last step");
	tl->steps[59 * 4].broken = false;
	p->rec.tl.steps[59 * 4].seen = false;
	ok(!rf_case_impact_is_known(&m.run, p), "the impact is not known if the case failed in its last step");
	p->rec.tl.steps[59 * 4].seen = true;
	ok(rf_case_impact_is_known(&m.run, p), "control: the impact is known again when both completed");
}

/* A step in which a rank failed cannot be compared with a clean step. */
static void a_step_that_never_ended_ok(void)
{
	struct rf_run_case *p = &m.run.cases[1];
	struct rf_timeline *tl = &p->rec.tl;
	struct rf_analysis was = *p->an;
	struct rf_step *s = &tl->steps[(p->an->step - 1) * tl->ranks];

	s->broken = true;
	story(p, "a rank failed in the step in which a packet was hit");
	rf_analyse(&p->rec, &m.run.cases[0].rec, p->an);
	page_of_case(p, "a rank failed in the step in which a packet was hit");
	rf_analysis_free(p->an);
	s->broken = false;
	*p->an = was;
}

/*
 * If the job is a command of the user that announces no steps, the report has no line about
 * steps.
 */
static void no_steps_ok(void)
{
	struct rf_run_case *p = &m.run.cases[1], *clean = &m.run.cases[0];
	uint32_t n = p->rec.tl.iters;

	p->rec.tl.iters = 0;
	clean->rec.tl.iters = 0;
	page_of_case(p, "a command without steps");
	p->rec.tl.iters = n;
	clean->rec.tl.iters = n;
}

/*
 * The scale of the report covers the longest step, even if this step comes after the last step
 * of the clean case.
 */
static void longer_case_ok(void)
{
	struct rf_timeline *clean = &m.run.cases[0].rec.tl;

	clean->iters = 5;
	page_of_case(&m.run.cases[1], "more steps than the clean case");
	clean->iters = 60;
}

static void goodput_ok(void)
{
	struct rf_run_case *p = &m.run.cases[1];
	struct rf_port_tally port = { .netdev = "v1", .tx_packets = 1000 };
	struct rf_port_tally *ports = p->rec.ports;
	size_t n = p->rec.nports;

	p->rec.ports = &port;
	p->rec.nports = 1;
	page_of_case(p, "a port's counters give the bound of goodput");
	p->rec.ports = ports;
	p->rec.nports = n;
}

/* The report has the packets of each rule, also of a rule that no packet matched. */
static void rules_ok(void)
{
	struct rf_run_case *p = &m.run.cases[2];
	struct rf_rule_tally rule = *p->rec.rules;
	struct rf_case *test_case = &m.cases[2], was = *test_case;
	struct rf_fault faults[] = {
		{ .port = "v2", .words = "drop v2 tx probability 1%" },
		{ .port = "v2", .words = "mark v2 tx ect0" },
	};

	p->rec.nrules = 0;
	test_case->faults = faults;
	test_case->nfaults = 2;
	rf_record_rule(&p->rec, &(struct rf_rule_tally){
		.fault = 0, .netdev = "v2", .id = 2, .matched = 5123, .hits = 6 });
	rf_record_rule(&p->rec, &(struct rf_rule_tally){ .fault = 1 });
	page_of_case(p, "rules with the packets that matched");
	*test_case = was;
	p->rec.nrules = 1;
	*p->rec.rules = rule;
}

/* If go-back-N is not checked for a flow, the report gives the right reason. */
static void unjudged_ok(void)
{
	struct rf_run_case *p = &m.run.cases[1];
	struct rf_gbn_flow flow = {
		.verdict = RF_GBN_UNJUDGED, .why = RF_GBN_WHOSE,
	};
	struct rf_gbn was = p->an->gbn;

	p->an->gbn = (struct rf_gbn){ .flows = &flow, .n = 1 };
	page_of_case(p, "a flow that isn't judged");
	p->an->gbn = was;
}

/*
 * The report says how many packets a queue dropped and marked and when the queue was paused,
 * both in the story of the case and in the list of ports.
 */
static void queues_ok(void)
{
	struct rf_run_case *p = &m.run.cases[3];
	struct rf_prio_tally *t = &p->rec.ports->prio[3], was = *t;
	struct rf_step *s = &p->rec.tl.steps[29 * 4];

	page_of_case(p, "a port that paused a priority");
	t->dropped = 65;
	t->xoff_tx = 9;
	t->detected = 1;
	page_of_case(p, "a port that dropped packets");
	story(p, "a port that dropped packets");
	t->marked = 7;
	page_of_case(p, "a port that dropped and marked packets");
	story(p, "a port that dropped and marked packets");
	*t = was;
	s->sync_ns += 100 * MS;
	story(p, "a fault that lasts for a step");
	s->sync_ns -= 100 * MS;
}

/* Queues of several ports dropped packets, which were retransmitted. */
static void drops_ok(void)
{
	struct rf_run_case *p = &m.run.cases[3];
	struct rf_port_tally *was = p->rec.ports, ports[7] = { };
	struct rf_step *last = &p->rec.tl.steps[59 * 4];
	size_t nports = p->rec.nports, i;

	ports[0] = *was;
	for (i = 1; i < 7; i++) {
		snprintf(ports[i].netdev, sizeof(ports[i].netdev), "p%zu", i);
		ports[i].prio[3].dropped = 1000 / i;
	}
	p->rec.ports = ports;
	p->an->measure[RF_RETRANSMITTED] = 3000;
	last->sync_ns += 100 * MS;
	p->rec.nports = 2;
	summary_line("the queue of one port dropped packets");
	p->rec.nports = 4;
	summary_line("the queues of three ports dropped packets");
	p->rec.nports = 7;
	summary_line("the queues of many ports dropped packets");
	p->rec.nports = 0;
	p->an->measure[RF_TIMEOUTS] = 9;
	summary_line("no packet was lost, and packets were retransmitted");
	p->an->measure[RF_TIMEOUTS] = 0;
	last->sync_ns -= 100 * MS;
	p->an->measure[RF_RETRANSMITTED] = 0;
	p->rec.ports = was;
	p->rec.nports = nports;
}

/*
 * A stall of 60 ms is about as long as 2 timeouts of 33.6 ms, 4 timeouts of 16.8 ms or 57
 * timeouts of 1 ms.
 */
static void many_timers_ok(void)
{
	struct rf_run_case *p = &m.run.cases[1];
	uint32_t was = m.cases[1].qp.timeout;

	m.cases[1].qp.timeout = 13;
	page_of_case(p, "two timers");
	m.cases[1].qp.timeout = 12;
	page_of_case(p, "four timers");
	m.cases[1].qp.timeout = 8;
	page_of_case(p, "57 timers");
	m.cases[1].qp.timeout = was;
}

/* The receiver was not ready: its RNR NAK has the timer code 12, which is 0.64 ms. */
static void rnr_ok(void)
{
	struct rf_run_case *p = &m.run.cases[1];
	struct rf_loss *l = p->an->losses, was = *l;
	struct rf_event rnr = *l->hit;

	rnr.t_ns += MS;
	rnr.syndrome = 0x2c;
	l->found = RF_DETECTED_RNR;
	l->rnr = &rnr;
	page_of_case(p, "an RNR NAK");
	story(p, "an RNR NAK");
	*l = was;
}

/* One packet was retransmitted, in a job with one step. */
static void one_ok(void)
{
	struct rf_run_case *p = &m.run.cases[1];
	struct rf_loss *l = p->an->losses, was = *l;
	uint32_t step = p->an->step, n = p->rec.tl.iters;

	l->packets = 1;
	p->an->measure[RF_RETRANSMITTED] = 1;
	p->rec.tl.iters = 1;
	p->an->step = 1;
	page_of_case(p, "one step and one retransmitted packet");
	p->rec.tl.iters = n;
	p->an->step = step;
	p->an->measure[RF_RETRANSMITTED] = was.packets;
	*l = was;
}

static const char *advice(void)
{
	return rf_advice(&m.run, said, sizeof(said)) ? said : "none";
}

/*
 * A failed run in real time gets advice about a busy host. A run in virtual time and a run
 * that passed do not get it.
 */
static void advice_ok(void)
{
	struct rf_analysis *an = m.run.cases[0].an, was = *an;
	enum rf_verdict verdict = m.run.verdict;

	m.run.verdict = RF_VERDICT_FAIL;
	m.run.env.time = RF_TIME_REAL;
	ok(!strcmp(advice(), "none"), "there is no advice if clean steps have similar times");
	an->clean_max_ns = 2 * an->clean_ns;
	golden(advice(), "advice: a clean step took twice as long");
	m.run.verdict = RF_VERDICT_PASS;
	ok(!strcmp(advice(), "none"), "there is no advice if the run passed");
	m.run.verdict = RF_VERDICT_FAIL;
	m.run.env.time = RF_TIME_VIRTUAL;
	ok(!strcmp(advice(), "none"), "there is no advice about clean steps in virtual time");
	an->measure[RF_RETRANSMITTED] = 3;
	an->measure[RF_NAKS] = 1;
	ok(!strcmp(advice(), "none"), "there is no advice if a NAK caused the retransmissions");
	an->measure[RF_TIMEOUTS] = 1;
	golden(advice(), "advice: the clean case retransmitted");
	m.run.verdict = verdict;
	*an = was;
}

/* A packet that was not lost is not retransmitted. */
static void not_lost_ok(void)
{
	struct rf_loss *l = &m.run.cases[1].an->losses[0], was = *l;
	struct rf_event *hit = &m.run.cases[1].rec.ev.e[l->hit - m.run.cases[1].rec.ev.e];

	hit->action = RDMAFAULT_ACTION_OBSERVE;
	*l = (struct rf_loss){ .hit = hit, .qp = was.qp };
	page_of_case(&m.run.cases[1], "an observed packet");
	hit->action = RDMAFAULT_ACTION_DROP;
	*l = was;
}

static void failover_ok(void)
{
	struct rf_failover *failover = &m.run.cases[1].rec.tl.failover;

	*failover = (struct rf_failover){ .rail = 2, .rank = 1 };
	golden(rf_failover_text(failover, said, sizeof(said)),
	       "failover: both rails failed, in the warm-up");
	*failover = (struct rf_failover){
		.rail = 1, .rank = 3, .step = 20, .end_ns = 900 * MS, .time_ns = 530 * MS,
		.repeated_bytes = 1536 << 10,
	};
	page_of_case(&m.run.cases[1], "a rail failed");
	*failover = (struct rf_failover){ };
	ok(!*rf_failover_text(failover, said, sizeof(said)),
	   "the report has no sentence about a failover if no rail failed");
}

int main(void)
{
	make_run(&m, 4, 60);
	made_ports(&m);
	whole_page_ok();
	summary_line_of_a_pass_ok();
	summary_line_of_many_ok();
	summary_line_of_the_worst_step_ok();
	later_noise_ok();
	earlier_fault_ok();
	fault_names_ok();
	pauses_ok();
	straggler_ok();
	rnr_ok();
	one_ok();
	queues_ok();
	drops_ok();
	summary_line_of_no_impact_ok();
	summary_line_of_another_job_ok();
	summary_line_of_a_fail_ok();
	lost_events_ok();
	a_step_that_never_ended_ok();
	failures_ok();
	ended_at_once_ok();
	no_clean_step_ok();
	one_hit_of_two_faults_ok();
	no_hit_ok();
	command_ok();
	ended_clean_case_ok();
	no_steps_ok();
	longer_case_ok();
	goodput_ok();
	rules_ok();
	unjudged_ok();
	not_lost_ok();
	failover_ok();
	many_timers_ok();
	advice_ok();
	free_run(&m);
	golden_compare("page.txt");
	return done_testing();
}
