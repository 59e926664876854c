// SPDX-License-Identifier: GPL-2.0
/*
 * Test the HTML report of runs made by hand: the HTML, and the data that its script draws. The
 * expected texts are in selftests/golden. The pages are also written to the directory
 * REPORT_PAGES, because scripts/look-at-report opens them in a browser.
 */
#include <json-c/json.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "golden.h"
#include "golden_html.h"
#include "made_run.h"
#include "save_run.h"
#include "said.h"
#include "tap.h"
#include "tools/analysis/analysis.h"
#include "tools/render/web/html.h"
#include "tools/render/web/summary.h"

static char dir[64] = "/tmp/html-XXXXXX";
static char path[256];

static char *read_file(const char *name)
{
	FILE *f = fopen(name, "r");
	char *text;
	long n;

	if (!f)
		return calloc(1, 1);
	fseek(f, 0, SEEK_END);
	n = ftell(f);
	rewind(f);
	text = calloc(n + 1, 1);
	n = fread(text, 1, n, f);
	fclose(f);
	return text;
}

/* Return: the page of a run, to be freed */
static char *page_of(const struct rf_run *run)
{
	snprintf(path, sizeof(path), "%s/page.html", dir);
	rf_html_write(path, run);
	return read_file(path);
}

static char *golden_page_of(const struct rf_run *run)
{
	return without_assets(page_of(run));
}

/* Return: the figure @name of case @i; NULL: none */
static struct json_object *figure_of(struct json_object *data, size_t i, const char *name)
{
	struct json_object *o = json_object_object_get(data, "cases");

	o = json_object_object_get(json_object_array_get_idx(o, i), "figures");
	return json_object_object_get(o, name);
}

static const char *member(struct json_object *o, const char *key)
{
	o = json_object_object_get(o, key);
	return o ? json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN) : "";
}

/* Return: the page of a run as lines, without figures, to be freed */
static char *lines_of(const struct rf_run *run)
{
	return lines_of_page(page_of(run));
}

/* Make the page again, and compare the lines that differ from @before with the golden file. */
static void change(const char *before, const struct rf_run *run, const char *what)
{
	char *lines = lines_of(run);

	golden_change(before, lines, what);
	free(lines);
}

/* Test the whole page of a run with few steps, with drawings and data. */
static void whole_page_ok(void)
{
	struct made_run m;
	char *page, *at;

	make_run(&m, 2, 24);
	made_ports(&m);
	page = golden_page_of(&m.run);
	/* write one line per case, so that a difference in the golden file can be read */
	for (at = page; (at = strstr(at, ",{\"name\":\""));)
		*at = '\n';
	golden_file("report.html", page);
	free(page);
	free_run(&m);
}

static void points_ok(void)
{
	struct rf_step_points pts;
	struct rf_step *steps;
	struct made_run m;
	uint64_t most = 0;
	size_t i;

	make_run(&m, 2, 5000);
	steps = m.run.cases[1].rec.tl.steps;
	rf_step_points(&m.run.cases[1].rec.tl, 100, &pts);
	for (i = 0; i < pts.n; i++)
		most = pts.p[i].job_ns > most ? pts.p[i].job_ns : most;
	ok(pts.n <= 100 && pts.share == 100 && most > 70 * MS &&
	   most == pts.most_ns, "5000 steps as %zu points keep the stall", pts.n);
	for (i = 1; i < pts.n && pts.p[i].t_ns > pts.p[i - 1].t_ns; i++)
		;
	ok(i == pts.n, "points of a step figure are in order of time");
	rf_step_points_free(&pts);
	rf_step_points(&m.run.cases[1].rec.tl, 5000, &pts);
	ok(pts.n == 5000 && pts.share == 1, "a step figure with enough room has all points");
	rf_step_points_free(&pts);
	for (i = 0; i < 2 * 5000; i++)
		steps[i].sync_ns = steps[i & ~1ul].start_ns + 10 * MS;
	rf_step_points(&m.run.cases[1].rec.tl, 100, &pts);
	ok(pts.n == 50 && pts.p[0].step == 1 && pts.p[49].step == 4901,
	   "of steps with the same time, a step figure has the first one");
	rf_step_points_free(&pts);
	free_run(&m);
}

/* The heat map of a case must show the step with the longest wait in the right column. */
static void heat_map_ok(const char *page, int steps)
{
	struct json_object *data = data_of(page), *row, *o = figure_of(data, 1, "waits");
	size_t columns, column = 0, i;
	int64_t most = -1, v;

	row = json_object_array_get_idx(json_object_object_get(o, "wait_us"), 0);
	columns = json_object_array_length(row);
	for (i = 0; i < columns; i++) {
		v = json_object_get_int64(json_object_array_get_idx(row, i));
		if (v > most)
			column = i;
		most = v > most ? v : most;
	}
	ok(column == (STEP_HIT - 1) * columns / steps && columns <= 200,
	   "heat map: the stall of step %d of %d is in column %zu of %zu", STEP_HIT, steps,
	   column, columns);
	json_object_put(data);
}

static void page_has_all_ok(const struct made_run *m)
{
	char *page = page_of(&m->run);
	struct json_object *data = data_of(page), *o;
	size_t figures = 0, i;

	ok(!strcmp(member(json_object_object_get(data, "summary"), "order"), "[1,2,3,0]"),
	   "the cases begin with the worst case and end with the clean case");
	for (i = 0; i < MADE_CASES; i++)
		figures += !!figure_of(data, i, "ranks") + !!figure_of(data, i, "steps") +
			   !!figure_of(data, i, "waits") + !!figure_of(data, i, "ladder") * 16 +
			   !!figure_of(data, i, "pauses") * 256;
	ok(figures == 3 * MADE_CASES + 2 * 16 + 256, "the data have the figures of each case");
	heat_map_ok(page, 60);
	o = figure_of(data, 3, "steps");
	ok(!strcmp(member(o, "lanes"), "[{\"name\":\"v2\",\"planned\":true}]") &&
	   !strcmp(member(o, "bands"), "[[10007.919,30047.514,0]]"),
	   "a fault with start and end is a band of the figure of steps");
	o = figure_of(data, 1, "ranks");
	ok(!strcmp(member(o, "step"), "20") && !strcmp(member(o, "first_step"), "19") &&
	   !strcmp(member(o, "last_step"), "21") && !strcmp(member(o, "zero"), "\"hit\""),
	   "the main figure shows the worst step and its neighbors, from the hit on");
	o = json_object_object_get(o, "silence");
	ok(!strcmp(member(o, "from_us"), "0") && !strcmp(member(o, "to_us"), "60000") &&
	   strstr(member(o, "why"), "timer"), "the main figure has the silence and its reason");
	json_object_put(data);
	free(page);
}

/* Return: whether a part of a step in the figure of ranks is a wait of the record */
static bool is_recorded(struct json_object *span, const struct rf_timeline *tl,
			const struct rf_step *s, uint64_t zero)
{
	const char *cause = json_object_get_string(json_object_array_get_idx(span, 3));
	double from = json_object_get_double(json_object_array_get_idx(span, 1));
	double to = json_object_get_double(json_object_array_get_idx(span, 2));
	const struct rf_wait_span *w;

	for (w = tl->waits + s->wait; w < tl->waits + s->wait + s->nwaits; w++)
		if (!strcmp(cause, rf_wait_kind_names[w->kind]) &&
		    json_object_get_int64(json_object_array_get_idx(span, 4)) == w->peer &&
		    fabs(from - ((double)w->start_ns - zero) / 1e3) < 6 &&
		    fabs(to - ((double)w->end_ns - zero) / 1e3) < 6)
			return true;
	return false;
}

/* The waits in the figure of ranks are those of the record. */
static void ranks_ok(const struct made_run *m)
{
	const struct rf_run_case *p = &m->run.cases[1];
	struct json_object *o = rf_figure_ranks(p), *steps, *spans, *span;
	const struct rf_step *s = rf_timeline_step(&p->rec.tl, 2, STEP_HIT);
	uint64_t zero = json_object_get_int64(json_object_object_get(o, "zero_ns"));
	size_t i, waits = 0, recorded = 0;
	double sum = 0, wait;
	const char *kind;

	steps = json_object_object_get(json_object_array_get_idx(json_object_object_get(o, "ranks"), 2), "steps");
	spans = json_object_object_get(json_object_array_get_idx(steps, 1), "spans");
	for (i = 0; i < json_object_array_length(spans); i++) {
		span = json_object_array_get_idx(spans, i);
		kind = json_object_get_string(json_object_array_get_idx(span, 0));
		if (i || strcmp(kind, "compute"))
			sum += json_object_get_double(json_object_array_get_idx(span, 2)) -
			       json_object_get_double(json_object_array_get_idx(span, 1));
		if (strcmp(kind, "waiting") && strcmp(kind, "wait"))
			continue;
		waits++;
		recorded += is_recorded(span, &p->rec.tl, s, zero);
	}
	wait = json_object_get_double(json_object_object_get(json_object_array_get_idx(steps, 1),
							     "wait_us"));
	ok(fabs(sum - (s->sync_ns - s->start_ns) / 1e3) < 15,
	   "figure of ranks: the parts of a step add up to the step: %.0f us", sum);
	ok(waits == 2 && recorded == waits,
	   "figure of ranks: the waits are those of the record: %zu of %zu", recorded, waits);
	ok(fabs(wait - s->wait_recv_ns / 1e3) < 6,
	   "figure of ranks: one wait is longer than in clean steps: %.0f us", wait);
	json_object_put(o);
}

static void nothing_is_obeyed_ok(const struct made_run *m)
{
	char *page = page_of(&m->run);

	ok(strstr(page, "<title>One &lt;b&gt;packet&lt;/b&gt; &amp; &quot;its&quot; stall</title>") &&
	   !strstr(page, "<b>packet"), "a title with tags is text");
	ok(count(page, "http:") == 1 && strstr(page, "\"http://www.w3.org/2000/svg\"") && !strstr(page, "https:") &&
	   !strstr(page, "src=") && !strstr(page, "@import") &&
	   !strstr(page, "url("), "nothing is fetched");
	ok(!strstr(page, "innerHTML") && !strstr(page, " style=") &&
	   !strstr(page, " onclick=") && !strstr(page, "eval("),
	   "the page has nothing that the content policy forbids");
	ok(count(page, "'sha256-") == 2 && !strstr(page, "unsafe"),
	   "the content policy has the hashes of style and script");
	free(page);
}

/* Times of a fault that were recorded are used instead of the planned times. */
static void fault_is_where_it_was_ok(const struct made_run *m)
{
	const struct rf_run_case *p = &m->run.cases[3];
	struct rf_record *rec = &m->run.cases[3].rec;
	const uint64_t first = made_start(rec, 1) - 1000;	/* rank 0's */
	struct rf_fault *f = p->test_case->faults;
	const struct rf_fault was = *f;
	const struct rf_done done[] = {
		{ .t_ns = first + 12 * MS }, { .t_ns = first + 31 * MS, .undo = true },
		{ .t_ns = first + 100 * MS },
	};
	struct json_object *o;
	size_t i;

	for (i = 0; i < 3; i++)
		rf_record_done(rec, &done[i]);
	o = rf_figure_steps(&m->run, p);
	ok(!strcmp(member(o, "bands"), "[[12000,31000,0],[100000,614491.77,0]]"),
	   "the band of a fault is at its recorded times");
	json_object_put(o);
	*f = (struct rf_fault){ .kind = RF_FAULT_STORM, .port = was.port,
				.words = was.words, .when = was.when,
				.storm.duration = 15 * MS };
	o = rf_figure_steps(&m->run, p);
	ok(!strcmp(member(o, "bands"), "[[12000,27000,0],[100000,115000,0]]"),
	   "the band of a storm ends with its duration");
	json_object_put(o);
	*f = was;
	rec->ndone = 0;
}

static void analyse_again(const struct made_run *m, struct rf_run_case *p)
{
	rf_analysis_free(p->an);
	rf_analyse(&p->rec, &m->run.cases[0].rec, p->an);
}

/* Return: the member @key of fault @i of a case; "": there is none */
static const char *of_fault(struct json_object *data, size_t run_case, size_t i, const char *key)
{
	struct json_object *o = json_object_object_get(data, "cases");

	o = json_object_object_get(json_object_array_get_idx(o, run_case), "faults");
	return member(json_object_array_get_idx(o, i), key);
}

/* Make a step of all ranks longer: they wait longer for data. The events stay where they are. */
static void stretch(struct rf_timeline *tl, uint32_t step, uint64_t ns)
{
	struct rf_step *s = &tl->steps[(step - 1) * tl->ranks];
	struct rf_wait_span *w;
	bool longer;

	for (; s < tl->steps + (size_t)tl->iters * tl->ranks; s++) {
		longer = s < tl->steps + step * tl->ranks;
		for (w = tl->waits + s->wait; w < tl->waits + s->wait + s->nwaits; w++) {
			w->start_ns += longer && w->kind == RF_WAIT_RECV ? 0 : ns;
			w->end_ns += ns;
		}
		if (longer)
			s->wait_recv_ns += ns;
		else
			s->start_ns += ns;
		s->end_ns += ns;
		s->sync_ns += ns;
	}
}

/*
 * A storm from step 4 on, and a rule that drops a packet of step 30. Both faults begin where
 * they had their first effect.
 */
static void two_faults_ok(struct made_run *m)
{
	static struct rf_fault faults[2];
	struct rf_run_case *p = &m->run.cases[3];
	const uint64_t first = made_start(&p->rec, 1) - 1000;	/* rank 0's */
	struct json_object *data;
	uint64_t hit;

	stretch(&p->rec.tl, 10, 15 * MS);
	stretch(&p->rec.tl, 30, 20 * MS);
	hit = made_start(&p->rec, 30) + 2 * MS;
	faults[0] = m->cases[3].faults[0];
	faults[0].storm.prios = 1 << 3;
	faults[1] = m->cases[1].faults[0];
	m->cases[3].faults = faults;
	m->cases[3].nfaults = 2;
	m->scenario.priced = true;
	data = rf_summary_json(&m->run);
	ok(!strcmp(member(json_object_object_get(data, "scenario"), "priced"), "true"),
	   "the summary says that the scenario has prices");
	m->scenario.priced = false;
	ok(!*of_fault(data, 3, 0, "step") && !strcmp(of_fault(data, 3, 0, "began_ns"), "") &&
	   !strcmp(of_fault(data, 3, 1, "began_ns"), ""),
	   "a fault that did not begin, and a rule that hit no packet, have no begin");
	json_object_put(data);
	rf_record_done(&p->rec, &(struct rf_done){ .t_ns = made_start(&p->rec, 4) });
	made_drop(&p->rec, hit, 4196, 30);
	made_retransmissions(&p->rec, hit + 20 * MS, 4190, 7, 30);
	rf_events_sort(&p->rec.ev);
	rf_record_rule(&p->rec, &(struct rf_rule_tally){
		.fault = 1, .netdev = "v2", .id = 2, .matched = 10, .hits = 1 });
	analyse_again(m, p);
	data = rf_summary_json(&m->run);
	ok(!strcmp(of_fault(data, 3, 0, "step"), "4") && !strcmp(of_fault(data, 3, 1, "step"), "30") &&
	   strtoull(of_fault(data, 3, 0, "began_ns"), NULL, 10) == made_start(&p->rec, 4) - first &&
	   strtoull(of_fault(data, 3, 1, "began_ns"), NULL, 10) == hit - first,
	   "a storm begins when it was applied, a rule with its first hit");
	ok(atof(of_fault(data, 3, 0, "lost_ns")) > 14 * MS && atof(of_fault(data, 3, 0, "lost_ns")) < 16 * MS &&
	   atof(of_fault(data, 3, 1, "lost_ns")) > 19 * MS && atof(of_fault(data, 3, 1, "lost_ns")) < 21 * MS,
	   "each of the two faults has its part of the lost time: %s and %s ns",
	   of_fault(data, 3, 0, "lost_ns"), of_fault(data, 3, 1, "lost_ns"));
	json_object_put(data);
}

/* A case name that contains "</script>" must not end the script element that has the data. */
static void data_is_json_ok(const struct made_run *m)
{
	struct rf_run_case *p = &m->run.cases[1];
	char *page, label[sizeof(p->label)];
	struct json_object *data;

	memcpy(label, p->label, sizeof(label));
	snprintf(p->label, sizeof(p->label), "</script><!--<script>");
	page = page_of(&m->run);
	data = data_of(page);
	ok(json_object_array_length(json_object_object_get(data, "cases")) == MADE_CASES &&
	   count(page, "</script>") == 2, "the data of the page are JSON without unescaped tags");
	json_object_put(data);
	free(page);
	memcpy(p->label, label, sizeof(label));
}

/*
 * Test expectations of each kind. Then test them with lost events, because metrics computed
 * from events then have no value. Then test them with a step that a rank did not complete.
 */
static void expectations_ok(void)
{
	struct made_run m;
	char *page;

	make_run(&m, 2, 40);
	page = lines_of(&m.run);
	made_expect(&m.cases[1], "faults.hit == 1");
	made_expect(&m.cases[1], "wrong == 0");
	made_expect(&m.cases[1], "stall <= 1 s");
	made_expect(&m.cases[1], "step.time.p50 < 5 ms");
	change(page, &m.run, "four expectations, one of them not met");
	m.run.cases[1].rec.ev.lost = 3;
	analyse_again(&m, &m.run.cases[1]);
	change(page, &m.run, "the same, and 3 events were lost");
	m.run.cases[1].rec.ev.lost = 0;
	m.run.cases[1].rec.tl.steps[(STEP_HIT - 1) * 2].broken = true;
	analyse_again(&m, &m.run.cases[1]);
	change(page, &m.run, "the same, and a rank failed in the step that was hit");
	m.run.cases[1].rec.tl.steps[(STEP_HIT - 1) * 2].seen = false;
	analyse_again(&m, &m.run.cases[1]);
	change(page, &m.run, "the same, and a rank never left the step that was hit");
	free(page);
	made_expect_nothing(&m.cases[1]);
	free_run(&m);
}

/* Make a file or a folder below @dir. */
static const char *below(const char *name, bool folder)
{
	static char at[128];

	snprintf(at, sizeof(at), "%s/%s", dir, name);
	if (folder)
		mkdir(at, 0755);
	else
		fclose(fopen(at, "w"));
	return at;
}

static void links_to(struct made_run *m, const char *run_dir, const char *want)
{
	char *page;

	snprintf(m->run.dir, sizeof(m->run.dir), "%s", run_dir);
	page = page_of(&m->run);
	ok(strstr(page, want), "the page of a lab in %s has %s", strrchr(run_dir, '/') + 1, want);
	free(page);
}

/* The document of a lab is in ../Documentation/labs, as seen from the folder of the lab. */
static void lab_document_ok(void)
{
	char file[128];
	struct made_run m;

	make_run(&m, 2, 10);
	below("labs", true);
	below("Documentation", true);
	below("Documentation/labs", true);
	snprintf(file, sizeof(file), "%s", below("labs/a b.yaml", false));
	below("Documentation/labs/a b.rst", false);
	m.scenario.path = file;
	links_to(&m, dir, "<a href=\"Documentation/labs/a%20b.rst\">Documentation/labs/a b.rst</a>");
	links_to(&m, below("runs", true), "<a href=\"../Documentation/labs/");
	links_to(&m, below("runs/1", true), "<a href=\"../../Documentation/labs/");
	links_to(&m, below("Documentation/labs", true), "<a href=\"a%20b.rst\"");
	links_to(&m, below("Documentation/lab", true), "<a href=\"../labs/a%20b.rst\"");
	unlink(below("Documentation/labs/a b.rst", false));
	links_to(&m, dir, " · explained in Documentation/labs/a b.rst");
	free_run(&m);
}

static void same_run_same_page_ok(const struct made_run *m)
{
	char *a = page_of(&m->run), *b = page_of(&m->run);

	ok(!strcmp(a, b) && *a, "the same run gives the same page");
	free(a);
	free(b);
}

/* Cases that ended before their first step, and cases without events */
static void empty_cases_ok(void)
{
	char *page, *made_page;
	struct made_run m;
	size_t i;

	make_run(&m, 2, 10);
	made_page = lines_of(&m.run);
	for (i = 0; i < 2 * 10; i++)
		m.run.cases[1].rec.tl.steps[i].seen = false;
	m.run.cases[2].rec.ev.n = 0;
	m.run.cases[2].rec.tl.iters = 0;
	m.run.cases[3].rec.ev.lost = 7;
	page = page_of(&m.run);
	ok(strstr(page, "</html>") && !strstr(page, "nan") && !strstr(page, "inf"),
	   "the page of cases without steps or events is complete");
	change(made_page, &m.run, "cases without steps or events");
	free(made_page);
	free(page);
	free_run(&m);
}

/*
 * If a flow has READs or forged responses, go-back-N cannot be checked. The page gives this
 * reason.
 */
static void unjudged_flows_ok(void)
{
	struct rf_gbn_flow *flow;
	struct made_run m;
	char *page;

	make_run(&m, 2, 40);
	page = lines_of(&m.run);
	flow = m.run.cases[1].an->gbn.flows;
	flow->verdict = RF_GBN_UNJUDGED;
	flow->why = RF_GBN_READS;
	change(page, &m.run, "a flow with READs isn't judged");
	free(page);
	free_run(&m);
}

/* Add the event of an ACK that arrives at rank 1. With @fault, a fault drops the ACK. */
static void add_ack(struct rf_record *rec, uint64_t t_ns, uint32_t psn,
		    bool fault)
{
	struct rf_event e = made_write(t_ns, psn, 1, 2);

	e.class = RDMAFAULT_CLASS_ACK;
	e.opcode = 0x11;
	e.dir = RDMAFAULT_DIRECTION_RX;
	e.qp = 17;
	memcpy(e.saddr, made_write(0, 0, 1, 0).daddr, 16);
	memcpy(e.daddr, made_write(0, 0, 1, 0).saddr, 16);
	e.fault = fault;
	e.action = fault ? RDMAFAULT_ACTION_DROP : RDMAFAULT_ACTION_OBSERVE;
	rf_events_add(&rec->ev, &e);
}

/*
 * Two RDMA WRITEs are sent. The ACK of the first WRITE arrives, and the ACK of the second
 * WRITE is lost.
 */
static void lost_ack_ok(void)
{
	struct json_object *list, *figures;
	struct rf_event e, arrival;
	struct rf_record *rec;
	struct made_run m;
	uint64_t t;

	make_run(&m, 2, 10);
	rec = &m.run.cases[1].rec;
	t = made_start(rec, 2);
	e = made_write(t, 4100, 1, 2);
	rf_events_add(&rec->ev, &e);
	arrival = e;
	arrival.dir = RDMAFAULT_DIRECTION_RX;
	arrival.t_ns += 1000;
	rf_events_add(&rec->ev, &arrival);
	add_ack(rec, t + 5000, 4100, false);
	e = made_write(t + 10000, 4101, 1, 2);
	rf_events_add(&rec->ev, &e);
	add_ack(rec, t + 15000, 4101, true);
	made_retransmissions(rec, t + 5 * MS, 4101, 1, 2);
	rf_analysis_free(m.run.cases[1].an);
	rf_analyse(rec, &m.run.cases[0].rec, m.run.cases[1].an);
	figures = json_object_new_object();
	rf_figure_flows(figures, &m.run.cases[1]);
	list = json_object_object_get(figures, "flows");
	ok(!strcmp(member(json_object_array_get_idx(list, 0), "dots"),
		   "[{\"kind\":\"first\",\"t_ns\":[-15000,-5000],\"psn\":[4,5]},{\"kind\":\"ack\",\"t_ns\":[-10000],\"psn\":[4]},{\"kind\":\"again\",\"t_ns\":[4985000],\"psn\":[5]},{\"kind\":\"nak\",\"t_ns\":[],\"psn\":[]},{\"kind\":\"rnr\",\"t_ns\":[],\"psn\":[]},{\"kind\":\"hit\",\"t_ns\":[0],\"psn\":[5]}]"),
	   "the packet timeline shows a lost ACK at the PSN it acknowledges and at the time it reaches the sender");
	json_object_put(figures);
	list = rf_figure_ladder(&m.run.cases[1]);
	golden(member(list, "packets"), "ladder of a lost ACK");
	json_object_put(list);
	free_run(&m);
}

/* Compare what the page says about the hit packets that its ladder diagram does not show. */
static void others_of(const struct rf_run *run, const char *what)
{
	struct json_object *o = json_object_new_object();

	rf_captions_json(o, run, &run->cases[2]);
	golden(member(o, "others"), "%s", what);
	json_object_put(o);
}

/* The caption of the ladder diagram says what happened to the other hit packets. */
static void other_hits_ok(void)
{
	struct rf_analysis *an;
	struct made_run m;

	make_run(&m, 2, 40);
	an = m.run.cases[2].an;
	others_of(&m.run, "four packets were hit, all were retransmitted");
	an->losses[1].again = NULL;
	others_of(&m.run, "one of them was not retransmitted");
	an->losses[2].again = NULL;
	others_of(&m.run, "two of them were not retransmitted");
	an->losses[0].again = NULL;
	an->losses[3].again = NULL;
	others_of(&m.run, "none of them was retransmitted");
	an->nhits = an->nlosses = 2;
	others_of(&m.run, "two packets were hit, none was retransmitted");
	an->losses[0].again = an->losses[0].first;
	an->losses[1].again = an->losses[1].first;
	others_of(&m.run, "two packets were hit, both were retransmitted");
	m.run.cases[2].rec.ev.lost = 3;
	others_of(&m.run, "the same, and 3 events were lost");
	an->nhits = an->nlosses = 1;
	others_of(&m.run, "one packet was hit");
	free_run(&m);
}

/*
 * The last step of a job fails after a packet was lost twice. The rank that gave up wrote no
 * error message.
 */
static void no_message_ok(void)
{
	static const char why[] = "until rank 0 gives up and the job fails: status 4";
	struct rf_run_case *p;
	struct rf_step *s;
	struct rf_event *hit;
	struct rf_loss *l;
	struct made_run m;
	char *page;

	make_run(&m, 2, 40);
	p = &m.run.cases[1];
	l = p->an->losses;
	s = &p->rec.tl.steps[39 * 2];
	s[0].broken = s[1].broken = true;
	p->rec.tl.end[0].status = 4;
	hit = &p->rec.ev.e[l->hit - p->rec.ev.e];
	hit->step = 40;
	hit->attempt = 2;
	hit->t_ns = l->first->t_ns - 1;
	s[0].end_ns = s[0].sync_ns = s[1].end_ns = s[1].sync_ns = l->last->t_ns + 1000;
	s[0].start_ns = s[1].start_ns = hit->t_ns - 1000;
	l->recovery = NULL;
	l->qp = p->rec.tl.qps;
	page = golden_page_of(&m.run);
	ok(strstr(page, why), "an error without a message is given as its status");
	free(page);
	free_run(&m);
}

/* A run of a job without steps, for example of a command of the user */
static void no_steps_ok(void)
{
	struct rf_process command = { .run = "ib_write_bw <x>" };
	struct json_object *data;
	size_t figures = 0, i;
	struct made_run m;
	char *page;

	make_run(&m, 2, 10);
	m.scenario.workload.kind = RF_WORK_COMMAND;
	m.scenario.workload.processes = (struct rf_processes){ &command, 1, false };
	for (i = 0; i < m.run.ncases; i++) {
		m.run.cases[i].rec.tl.iters = 0;
		m.run.cases[i].rec.tl.ranks = 0;
		m.run.cases[i].an->ranks = 0;
	}
	page = page_of(&m.run);
	data = data_of(page);
	for (i = 0; i < m.run.ncases; i++)
		figures += figure_of(data, i, "steps") || figure_of(data, i, "waits") ||
			   figure_of(data, i, "ranks");
	ok(!figures, "a job without steps has no figure of steps");
	json_object_put(data);
	free(page);
	free_run(&m);
}

/*
 * The page of a large run stays small. scripts/look-at-report, which sets REPORT_PAGES, opens
 * the page of 64 ranks. Otherwise 8 ranks are enough, and take an eighth of the time.
 */
static void large_run_ok(void)
{
	const char *to = getenv("REPORT_PAGES");
	struct made_run m;
	struct stat st;
	char *page;

	make_run(&m, to ? 64 : 8, 10000);
	made_ports(&m);
	snprintf(path, sizeof(path), "%s/large.html", to ? to : dir);
	rf_html_write(path, &m.run);
	page = read_file(path);
	stat(path, &st);
	ok(st.st_size < 2000000 && st.st_size > 100000,
	   "the page of 10,000 steps in 4 cases is smaller than 2 MB: %ld bytes", (long)st.st_size);
	ok(strstr(page, "\"steps\":10000,\"thinned\":true"), "the page of 10,000 steps says that steps are omitted");
	heat_map_ok(page, 10000);
	free(page);
	free_run(&m);
}

static void unwritable_fails(const struct made_run *m)
{
	ok(rf_html_write("/nowhere/report.html", &m->run) < 0,
	   "rf_html_write() fails if the directory does not exist");
	golden(said, "a directory that doesn't exist");
	ok(rf_html_write("/dev/full", &m->run) < 0, "rf_html_write() reports a full disk");
	golden(said, "a full disk");
}

/* A case of 20 steps is compared with the clean steps; a case with other steps is not. */
static void another_job_ok(struct made_run *m)
{
	struct rf_workload *w = &m->cases[2].workload;
	char *before = lines_of(&m->run);
	struct json_object *o;

	w->steps = 20;
	change(before, &m->run, "a case with fewer steps than the clean one");
	o = rf_figure_steps(&m->run, &m->run.cases[2]);
	ok(*member(o, "clean_us"), "the steps of the clean case are drawn although the case has fewer steps");
	json_object_put(o);
	w->steps = 60;
	w->size *= 2;
	change(before, &m->run, "a case with other steps than the clean one");
	o = rf_figure_steps(&m->run, &m->run.cases[2]);
	ok(!*member(o, "clean_us"), "the steps of the clean case are not drawn if the steps of the case differ");
	json_object_put(o);
	free(before);
	w->size /= 2;
}

/* Pause priority 3 of a port in steps 2 and 3. */
static void pause_port(struct rf_record *rec, const char *port)
{
	made_pause(rec, made_start(rec, 2), 20 * MS);
	snprintf(rec->ev.e[rec->ev.n - 2].dev, sizeof(rec->ev.e->dev), "%s", port);
	snprintf(rec->ev.e[rec->ev.n - 1].dev, sizeof(rec->ev.e->dev), "%s", port);
}

static void swap_cases(struct made_run *m, size_t a, size_t b)
{
	struct rf_run_case was = m->run.cases[a];

	m->run.cases[a] = m->run.cases[b];
	m->run.cases[b] = was;
}

/*
 * Write pages of fabrics in which all ports are paused, so that all of them have a label.
 * scripts/look-at-report checks that no label is over another one.
 */
static void leave_fabrics(const char *to)
{
	uint32_t nodes, i, at;
	struct made_run m;
	struct rf_fabric *f = &m.scenario.fabric;
	struct rf_fabric_link l;
	enum rf_shape shape;
	char port[64];

	for (at = 0; at < 6; at++) {
		nodes = 4 << at / 2;
		shape = at % 2 ? RF_SHAPE_LEAF_SPINE : RF_SHAPE_STAR;
		make_run(&m, nodes, 24);
		*f = (struct rf_fabric){ .nodes = nodes, .shape = shape, .leaves = nodes / 4 + 1,
					 .spines = 2 };
		for (i = 1; i <= nodes; i++) {
			snprintf(port, sizeof(port), "p%u", i);
			pause_port(&m.run.cases[3].rec, port);
		}
		for (i = 0; shape == RF_SHAPE_LEAF_SPINE && i < rf_fabric_links(f); i++) {
			l = rf_fabric_link(f, i);
			rf_fabric_toward(f, l.a, l.b, port);
			pause_port(&m.run.cases[3].rec, port);
		}
		rf_events_sort(&m.run.cases[3].rec.ev);
		analyse_again(&m, &m.run.cases[3]);
		swap_cases(&m, 1, 3);
		m.run.ncases = 2;
		snprintf(path, sizeof(path), "%s/fabric-%s-%u.html", to,
			 rf_value_name(rf_shape_names, shape), nodes);
		ok(!rf_html_write(path, &m.run), "the page of a fabric is written: %s",
		   strrchr(path, '/') + 1);
		m.run.ncases = MADE_CASES;
		free_run(&m);
	}
}

/* Return: true if the badge of the page is @text */
static bool badge_is(const struct made_run *m, const char *text)
{
	char *page = page_of(&m->run), *at = strstr(page, "<span class=\"verdict ");
	bool same = at && !strncmp(strchr(at, '>') + 1, text, strlen(text));

	free(page);
	return same;
}

/* The badge counts expectations, not the other reasons why a run did not pass. */
static void badge_ok(void)
{
	struct made_run m;

	make_run(&m, 2, 10);
	made_expect(&m.cases[1], "faults.hit == 1");
	m.run.verdict = RF_VERDICT_FAIL;
	m.run.cases[1].nreasons = 1;
	m.run.cases[1].reason[0] = strdup("a reason");
	ok(badge_is(&m, "fail<"), "the badge of a job that failed: fail");
	m.run.cases[1].not_met = 1;
	ok(badge_is(&m, "fail: 1 of 1 expectations not met<"), "the badge has the expectations that were not met");
	rf_reasons_free(&m.run.cases[1]);
	strcpy(m.run.differs, "tail: other packets than in round 1");
	ok(badge_is(&m, "fail<"), "the badge of a run whose rounds differ: fail");
	made_expect_nothing(&m.cases[1]);
	free_run(&m);
}

/* The page has a link to the file for Perfetto and to captures only if the run has them. */
static void look_closer_ok(void)
{
	struct made_run m;
	char *page;

	make_run(&m, 2, 10);
	snprintf(m.run.dir, sizeof(m.run.dir), "%s", below("closer", true));
	page = page_of(&m.run);
	ok(!strstr(page, "To look closer"), "a run without other files has no line for them");
	free(page);
	below("closer/trace.json", false);
	below("closer/tail", true);
	below("closer/tail/v 2.pcapng", false);
	page = page_of(&m.run);
	ok(strstr(page, "To look closer: <a href=\"trace.json\">trace.json</a> in Perfetto") &&
	   strstr(page, ", <a href=\"tail/v%202.pcapng\">tail/v 2.pcapng</a> in Wireshark</p>"),
	   "a run with files for other programs has links to them");
	free(page);
	free_run(&m);
}

/* Save a small run, and write its page, which scripts/look-at-report opens. */
static void leave_page(struct made_run *m)
{
	const char *to = getenv("REPORT_PAGES");

	if (!to)
		return;
	snprintf(m->run.dir, sizeof(m->run.dir), "%s/small", to);
	mkdir(m->run.dir, 0755);
	snprintf(path, sizeof(path), "%s/small.html", to);
	ok(!save_run(&m->run) && !rf_html_write(path, &m->run), "the page of a small run is written");
	leave_fabrics(to);
}

int main(void)
{
	struct made_run m;

	if (!mkdtemp(dir))
		return 1;
	make_run(&m, 4, 60);
	made_ports(&m);
	points_ok();
	whole_page_ok();
	page_has_all_ok(&m);
	nothing_is_obeyed_ok(&m);
	ranks_ok(&m);
	fault_is_where_it_was_ok(&m);
	data_is_json_ok(&m);
	expectations_ok();
	same_run_same_page_ok(&m);
	lab_document_ok();
	empty_cases_ok();
	unjudged_flows_ok();
	lost_ack_ok();
	other_hits_ok();
	no_message_ok();
	no_steps_ok();
	large_run_ok();
	look_closer_ok();
	badge_ok();
	another_job_ok(&m);
	unwritable_fails(&m);
	golden_compare("html.txt");
	*said = '\0';
	two_faults_ok(&m);
	leave_page(&m);
	free_run(&m);
	made_clean_up(dir);
	return done_testing();
}
