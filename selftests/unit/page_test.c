// SPDX-License-Identifier: GPL-2.0
/* The text page: its first sentence says what the worst fault did. */
#include <math.h>

#include "../../tools/report/metric.h"
#include "made_run.h"
#include "said.h"
#include "tap.h"

static struct made_run m;
static void headline_of_a_pass_ok(void)
{
	rf_headline(&m.run, said, sizeof(said));
	ok(rf_run_worst(&m.run) == &m.run.plays[1],
	   "the worst play is the one that took most time");
	ok(!strcmp(said, "One lost packet made all 4 ranks wait: step 20 took 70.2 ms instead of 10.2 ms. The 4 plays showed what was expected."),
	   "%s", said);
}

/* If the timer's play had no stall, the one with many losses were the worst. */
static void headline_of_many_ok(void)
{
	struct rf_analysis one = m.run.plays[1].an;
	const struct rf_loss *third = &m.run.plays[2].an.losses[2];
	struct rf_events *ev = &m.run.plays[2].rec.ev;
	struct rf_event *hit = &ev->e[third->hit - ev->e];

	m.run.plays[1].an.measure[RF_STALL] = 0;
	rf_headline(&m.run, said, sizeof(said));
	ok(rf_run_worst(&m.run) == &m.run.plays[2] &&
	   strstr(said, "6 lost packets made 60 steps take 644 ms instead of 614 ms. "),
	   "%s", said);
	hit->action = RDMAFAULT_ACTION_MARK;
	rf_headline(&m.run, said, sizeof(said));
	ok(strstr(said, "6 hit packets (5 lost, 1 marked) made 60 steps take 644 ms "),
	   "%s", said);
	hit->action = RDMAFAULT_ACTION_DROP;
	m.run.plays[1].an = one;
}

/* A fault that hits no packet has its story, too. */
static void pauses_are_told_ok(void)
{
	struct rf_run_play *p = &m.run.plays[3];
	struct rf_step *last = &p->rec.tl.steps[59 * 4];

	ok(!strcmp(rf_story(p, said, sizeof(said)),
		   "No packet was hit. Priority 3 of v2 was paused for 50.0 ms in 2 pauses. A step took 10.2 ms (median), a clean one 10.2 ms."),
	   "%s", said);
	ok(!rf_play_harm_ns(&m.run, p) && !rf_play_harm_ns(&m.run, m.run.plays),
	   "neither it nor the clean play took more time");
	last->sync_ns += 100 * MS;
	rf_headline(&m.run, said, sizeof(said));
	ok(strstr(said, "The faults of \"storm\" made 60 steps take 714 ms instead of 614 ms. "),
	   "%s", said);
	last->sync_ns -= 100 * MS;
}

/* A rank that begins most steps 4 ms after the others. */
static void laggard_is_told_ok(void)
{
	struct rf_timeline *tl = &m.run.plays[3].rec.tl;
	uint32_t step;

	for (step = 0; step < 40; step++)
		tl->steps[step * 4 + 2].start_ns += 4 * MS;
	ok(strstr(rf_story(&m.run.plays[3], said, sizeof(said)),
		  " Rank 2 came last to 40 of 60 steps, 4.00 ms after the first (median)."),
	   "%s", said);
	for (step = 0; step < 40; step++)
		tl->steps[step * 4 + 2].start_ns -= 3 * MS;
	ok(!strstr(rf_story(&m.run.plays[3], said, sizeof(said)), "came last"),
	   "a rank that is late by a tenth of a step isn't");
	for (step = 0; step < 40; step++)
		tl->steps[step * 4 + 2].start_ns -= MS;
}

static void headline_of_no_harm_ok(void)
{
	size_t n = m.run.nplays;

	m.run.nplays = 1;
	ok(!strcmp(rf_headline(&m.run, said, sizeof(said)),
		   "Nothing was done to the job; a step took 10.2 ms (median). The 1 play showed what was expected."),
	   "%s", said);
	m.run.nplays = n;
}

/* The clean play and one whose job has other steps: there's nothing to compare. */
static void headline_of_another_job_ok(void)
{
	struct rf_run_play *p = &m.run.plays[1], was = *p;
	uint32_t *steps = &m.plays[3].workload.steps;
	size_t n = m.run.nplays;

	*p = m.run.plays[3];
	m.run.nplays = 2;
	ok(strstr(rf_headline(&m.run, said, sizeof(said)),
		  "The faults cost the job no time: steps took as long as without. "),
	   "%s", said);
	*steps = 20;
	ok(strstr(rf_headline(&m.run, said, sizeof(said)),
		  "What \"storm\" cost the job isn't known: no play without faults has the same job. "),
	   "%s", said);
	*steps = 60;
	*p = was;
	m.run.nplays = n;
	m.plays[1].workload.steps = 20;
	ok(strstr(rf_headline(&m.run, said, sizeof(said)), "One lost packet "),
	   "a packet's step has a clean one to go by: %s", said);
	m.plays[1].workload.steps = 60;
}

static void headline_of_a_fail_ok(void)
{
	m.run.verdict = RF_VERDICT_FAIL;
	m.run.plays[1].nreasons = 1;
	rf_headline(&m.run, said, sizeof(said));
	ok(strstr(said, " 1 expectation was not met."), "%s", said);
	m.run.plays[2].nreasons = 1;
	rf_headline(&m.run, said, sizeof(said));
	ok(strstr(said, " 2 expectations were not met."), "%s", said);
	m.run.verdict = RF_VERDICT_BROKEN;
	rf_headline(&m.run, said, sizeof(said));
	ok(strstr(said, " The run was broken after 4 plays: believe no figure"),
	   "%s", said);
}

/* What wasn't recorded can't be told not to have been. */
static void holes_are_told_ok(void)
{
	struct rf_run_play *p = &m.run.plays[1];
	char *page;
	size_t len;
	FILE *f;

	ok(strstr(rf_story(p, said, sizeof(said)),
		  "No NAK came: only the sender's timer found it, after 60"),
	   "a whole record tells how a loss was found");
	p->rec.ev.lost = 2;
	ok(strstr(rf_story(p, said, sizeof(said)),
		  "It was sent again after 60.1 ms; what found it was not recorded."),
	   "one with holes doesn't: %s", said);
	f = open_memstream(&page, &len);
	rf_page_play(f, &m.run, p);
	fclose(f);
	ok(strstr(page, "VOID") && strstr(page, "2 records of the trace") &&
	   !strstr(page, "timer runs out"), "and the page says so");
	free(page);
	p->rec.ev.lost = 0;
}

/* A job that fails is the play's story, with what was never made good. */
static void failures_are_told_ok(void)
{
	struct rf_run_play *p = &m.run.plays[2];
	struct rf_loss *l = &p->an.losses[p->an.nlosses - 1], old = *l;
	struct rf_rank_end *end = p->rec.tl.end;

	ok(!strstr(rf_story(p, said, sizeof(said)), "failed"),
	   "a job that ended well: %s", said);
	end[0].status = 4;
	snprintf(end[0].error, sizeof(end[0].error), "rank 1 is gone");
	end[1].status = 3;
	snprintf(end[1].error, sizeof(end[1].error), "waited 10 s in vain");
	ok(strstr(rf_story(p, said, sizeof(said)),
		  " The job failed, rank 1: waited 10 s in vain.") &&
	   !strstr(said, "never sent again"),
	   "the rank that failed first says why: %s", said);
	l->found = RF_FOUND_NOT;
	ok(strstr(rf_story(p, said, sizeof(said)),
		  " in step 60 was never sent again."),
	   "and what was lost for good is named: %s", said);
	*l = old;
	p->rec.tl.iters = 61;
	p->rec.tl.steps = realloc(p->rec.tl.steps, 61 * 4 * sizeof(struct rf_step));
	memset(&p->rec.tl.steps[60 * 4], 0, 4 * sizeof(struct rf_step));
	rf_headline(&m.run, said, sizeof(said));
	ok(rf_run_worst(&m.run) == p &&
	   strstr(said, "The faults of \"many\" ended the job in step 61 of 61: rank 1: waited 10 s in vain. "),
	   "a job that ended is worse than one that waited: %s", said);
	p->rec.tl.iters = 60;
	memset(end, 0, 2 * sizeof(*end));
	end[0].seen = end[1].seen = true;
}

/* It ended in its first step, or before: then nothing tells of a step. */
static void ended_at_once_ok(void)
{
	struct rf_run_play *p = &m.run.plays[1];
	struct rf_step *steps = p->rec.tl.steps;
	uint32_t n = p->rec.tl.iters;

	p->rec.tl.steps = calloc((size_t)n * 4, sizeof(*steps));
	p->rec.tl.end[2].status = 3;
	ok(strstr(rf_headline(&m.run, said, sizeof(said)),
		  "The faults of \"tail\" ended the job before its first step was through: rank 2: status 3. "),
	   "%s", said);
	p->rec.tl.iters = 0;
	ok(strstr(rf_headline(&m.run, said, sizeof(said)),
		  "The faults of \"tail\" ended the job: rank 2: status 3. "),
	   "a command, whose steps nobody knows: %s", said);
	free(p->rec.tl.steps);
	p->rec.tl.end[2].status = 0;
	p->rec.tl.iters = n;
	p->rec.tl.steps = steps;
}

/* The clean play didn't come through a step: there's nothing to go by. */
static void no_clean_step_ok(void)
{
	struct rf_run_play *p = &m.run.plays[1];
	struct rf_record none = { .tl.ranks = 4 };
	struct rf_analysis was = p->an;

	rf_analyse(&p->rec, &none, &p->an);
	ok(strstr(rf_story(p, said, sizeof(said)), " Step 20 took 70.2 ms.") &&
	   !strstr(said, "instead of"), "%s", said);
	rf_headline(&m.run, said, sizeof(said));
	ok(!strstr(said, "instead of 0 ns"), "%s", said);
	m.run.nplays = 2;
	ok(strstr(rf_headline(&m.run, said, sizeof(said)),
		  "What \"tail\" cost the job isn't known: no play without faults has such steps. "),
	   "%s", said);
	m.run.nplays = MADE_PLAYS;
	rf_analysis_free(&p->an);
	p->an = was;
}

/* Beside a link that is slow all the time the packet's step tells nothing. */
static void one_hit_of_two_faults_ok(void)
{
	struct rf_run_play *p = &m.run.plays[1];
	struct rf_fault both[] = { *m.plays[1].faults, { .deed = RF_DEED_CHANGE } };
	struct rf_fault *was = m.plays[1].faults;
	struct rf_step *last = &p->rec.tl.steps[59 * 4];

	last->sync_ns += 600 * MS;
	m.plays[1].faults = both;
	m.plays[1].nfaults = 2;
	ok(rf_play_harm_ns(&m.run, p) > 650 * MS, "what the whole play took");
	rf_headline(&m.run, said, sizeof(said));
	ok(strstr(said, "The faults of \"tail\" made 60 steps take 1.27 s instead of 614 ms. "),
	   "%s", said);
	m.plays[1].nfaults = 1;
	m.plays[1].workload.options = (char[]){ "--straggler 1,5ms" };
	ok(!rf_play_is_one_packet(p), "nor beside a rank that is late");
	m.plays[1].workload.options = NULL;
	m.plays[1].faults = was;
	ok(rf_play_is_one_packet(p), "alone it does");
	last->sync_ns -= 600 * MS;
}

/* A command says nothing of steps; and with none there's nothing to compare. */
static void command_is_told_ok(void)
{
	struct rf_run_play *p = &m.run.plays[1];
	uint32_t was[MADE_PLAYS], step = p->an.step;
	size_t i;

	for (i = 0; i < MADE_PLAYS; i++) {
		was[i] = m.run.plays[i].rec.tl.iters;
		m.run.plays[i].rec.tl.iters = 0;
	}
	p->an.step = 0;
	ok(strstr(rf_headline(&m.run, said, sizeof(said)),
		  "What \"tail\" cost the job isn't known: it didn't tell how long its steps took. "),
	   "%s", said);
	p->an.step = step;
	for (i = 0; i < MADE_PLAYS; i++)
		m.run.plays[i].rec.tl.iters = was[i];
}

/* A play that died in its third step took no time to hold another's against. */
static void ended_clean_play_ok(void)
{
	struct rf_run_play *clean = &m.run.plays[0], *p = &m.run.plays[2];
	uint64_t stall = m.run.plays[1].an.measure[RF_STALL];
	struct rf_timeline *tl = &clean->rec.tl;
	size_t i;

	ok(rf_play_harm_ns(&m.run, p) > 0, "both came through");
	for (i = 2 * 4; i < 60 * 4; i++)
		tl->steps[i].seen = false;
	ok(rf_play_ns(clean) && !rf_play_harm_ns(&m.run, p) &&
	   !rf_play_harm_is_known(&m.run, p), "the clean one died");
	ok(isnan(rf_metric(&m.run, p, "play.cost")), "what the other cost isn't known");
	m.run.plays[1].an.measure[RF_STALL] = 0;
	ok(strstr(rf_headline(&m.run, said, sizeof(said)),
		  "What \"many\" cost the job isn't known: the play without faults ended before its last step was through. "),
	   "nor is it blamed: %s", said);
	m.run.plays[1].an.measure[RF_STALL] = stall;
	for (i = 2 * 4; i < 60 * 4; i++)
		tl->steps[i].seen = true;
	tl->steps[59 * 4].broken = true;
	ok(!rf_play_harm_is_known(&m.run, p), "or failed in its last step");
	tl->steps[59 * 4].broken = false;
	p->rec.tl.steps[59 * 4].seen = false;
	ok(!rf_play_harm_is_known(&m.run, p), "or the other one did");
	p->rec.tl.steps[59 * 4].seen = true;
	ok(rf_play_harm_is_known(&m.run, p), "as before");
}

static bool page_says(const struct rf_run_play *p, const char *words)
{
	char *page, *at;
	bool found;
	size_t len;
	FILE *f;

	f = open_memstream(&page, &len);
	rf_page_play(f, &m.run, p);
	fclose(f);
	while ((at = strchr(page, '\n')))
		*at = ' ';
	found = strstr(page, words);
	free(page);
	return found;
}

/* What a rank failed in took no time that could be held against a clean step's. */
static void a_step_that_never_ended_ok(void)
{
	struct rf_run_play *p = &m.run.plays[1];
	struct rf_timeline *tl = &p->rec.tl;
	struct rf_analysis was = p->an;
	struct rf_step *s = &tl->steps[(p->an.step - 1) * tl->ranks];

	ok(strstr(rf_story(p, said, sizeof(said)), " took 70.2 ms instead of "),
	   "%s", said);
	s->broken = true;
	ok(strstr(rf_story(p, said, sizeof(said)), " never ended.") &&
	   !strstr(said, " instead of "), "%s", said);
	rf_analyse(&p->rec, &m.run.plays[0].rec, &p->an);
	ok(page_says(p, "isn't known: a rank failed in the step that was hit."),
	   "nobody knows what it cost");
	ok(page_says(p, "full height is 10.5 ms"), "nor is it the longest");
	rf_analysis_free(&p->an);
	s->broken = false;
	p->an = was;
}

/* A command that announces no steps has no line of them. */
static void no_steps_ok(void)
{
	struct rf_run_play *p = &m.run.plays[1], *clean = &m.run.plays[0];
	uint32_t n = p->rec.tl.iters;

	ok(page_says(p, "  Step times, 1 to 60"), "the steps' times");
	p->rec.tl.iters = 0;
	clean->rec.tl.iters = 0;
	ok(!page_says(p, "Step times"), "which a command has none of");
	p->rec.tl.iters = n;
	clean->rec.tl.iters = n;
}

/* The scale is that of the longest step, also behind the clean play's end. */
static void longer_play_ok(void)
{
	struct rf_timeline *clean = &m.run.plays[0].rec.tl;

	clean->iters = 5;
	ok(page_says(&m.run.plays[1], "full height is 70.2 ms"),
	   "a play of more steps than the clean one");
	clean->iters = 60;
}

static void goodput_is_told_ok(void)
{
	struct rf_run_play *p = &m.run.plays[1];
	struct rf_port_tally port = { .netdev = "v1", .tx_packets = 1000 };
	struct rf_port_tally *ports = p->rec.ports;
	size_t n = p->rec.nports;

	p->rec.ports = &port;
	p->rec.nports = 1;
	ok(page_says(p, "  goodput "), "the goodput beside its bound");
	p->rec.nports = 0;
	ok(!page_says(p, "  goodput "), "no bound, no such line");
	p->rec.ports = ports;
	p->rec.nports = n;
}

/* Of a flow that isn't judged the page doesn't say that its answers were forged. */
static void unjudged_is_told_ok(void)
{
	struct rf_run_play *p = &m.run.plays[1];
	struct rf_gbn_flow flow = {
		.verdict = RF_GBN_UNJUDGED, .why = RF_GBN_WHOSE,
	};
	struct rf_gbn was = p->an.gbn;

	p->an.gbn = (struct rf_gbn){ .flows = &flow, .n = 1 };
	ok(page_says(p, "unknown sender aren't judged"),
	   "why a flow isn't judged");
	p->an.gbn = was;
}

/* What queues do is told in the story, and port by port. */
static void queues_are_told_ok(void)
{
	struct rf_run_play *p = &m.run.plays[3];
	struct rf_prio_tally *t = &p->rec.ports->prio[3], was = *t;
	struct rf_step *s = &p->rec.tl.steps[29 * 4];

	ok(!page_says(p, "dropped in its queue") &&
	   page_says(p, "  ports         v2 prio 3: 2 pauses, 50.0 ms "),
	   "a port that paused a priority and did nothing else");
	t->dropped = 65;
	t->xoff_tx = 9;
	t->detected = 1;
	ok(page_says(p, "v2 prio 3: 2 pauses, 50.0 ms, 9 XOFF sent, its watchdog detected 1 storm and saw 0") &&
	   page_says(p, "65 packets dropped in its queue"), "what it dropped");
	ok(!strncmp(rf_story(p, said, sizeof(said)),
		    "Queues dropped 65 packets. Priority 3 of v2 ", 44), "%s", said);
	t->marked = 7;
	ok(page_says(p, "7 of 1,000 packets marked"), "what it marked");
	ok(!strncmp(rf_story(p, said, sizeof(said)),
		    "Queues dropped 65 packets and marked 7. ", 40), "%s", said);
	*t = was;
	s->sync_ns += 100 * MS;
	ok(strstr(rf_story(p, said, sizeof(said)),
		  " Step 30 took 110 ms, a clean one 10.2 ms (median)."),
	   "a fault that lasts for a step: %s", said);
	s->sync_ns -= 100 * MS;
}

int main(void)
{
	make_run(&m, 4, 60);
	made_ports(&m);
	headline_of_a_pass_ok();
	headline_of_many_ok();
	pauses_are_told_ok();
	laggard_is_told_ok();
	queues_are_told_ok();
	headline_of_no_harm_ok();
	headline_of_another_job_ok();
	headline_of_a_fail_ok();
	holes_are_told_ok();
	a_step_that_never_ended_ok();
	failures_are_told_ok();
	ended_at_once_ok();
	no_clean_step_ok();
	one_hit_of_two_faults_ok();
	command_is_told_ok();
	ended_clean_play_ok();
	no_steps_ok();
	longer_play_ok();
	goodput_is_told_ok();
	unjudged_is_told_ok();
	free_run(&m);
	return done_testing();
}
