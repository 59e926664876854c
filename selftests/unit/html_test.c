// SPDX-License-Identifier: GPL-2.0
/*
 * Test the HTML report of runs made by hand. The expected pages are in selftests/golden. The
 * pages are also written to the directory REPORT_PAGES, because scripts/look-at-report opens
 * them in a browser.
 */
#include <json-c/json.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../tools/report/step_points.h"
#include "../../tools/report/html.h"
#include "golden.h"
#include "golden_html.h"
#include "made_run.h"
#include "said.h"
#include "tap.h"

#define UPLOT "/usr/share/rdmafault/uplot"

static char dir[64] = "/tmp/html-XXXXXX";
static char path[256], uplot[128];

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
static char *page_of(const struct rf_run *run, const char *with)
{
	snprintf(path, sizeof(path), "%s/page.html", dir);
	rf_html_write_with(path, run, with);
	return read_file(path);
}

static char *golden_page_of(const struct rf_run *run)
{
	return without_assets(page_of(run, "/nowhere"));
}

/* Compare the lines of the page that contain headings with the golden file. */
static void outline(const struct rf_run *run, const char *what)
{
	char *page = golden_page_of(run), *at = page, *line, *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	while ((line = strsep(&at, "\n")))
		if (strstr(line, "<h1") || strstr(line, "<h2") || strstr(line, "<h3"))
			fprintf(f, "%s\n", line);
	fclose(f);
	golden(text, "headings: %s", what);
	free(text);
	free(page);
}

/*
 * Make the page again without figures, and compare the lines that differ from @before with the
 * golden file.
 */
static void change(const char *before, const struct rf_run *run, const char *what)
{
	char *old = strdup(before), *page = golden_page_of(run);

	golden_change(without_figures(old), without_figures(page), what);
	free(old);
	free(page);
}

/* Test the whole page of a run with few steps, with drawings and data. */
static void whole_page_ok(void)
{
	struct made_run m;
	char *page, *at;

	make_run(&m, 2, 24);
	made_ports(&m);
	page = golden_page_of(&m.run);
	/* write one line per figure, so that a difference in the golden file can be read */
	for (at = page; (at = strstr(at, ",\"fig"));)
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

static void grades_ok(void)
{
	ok(rf_grade(0, 10) == 0 && rf_grade(0.01, 10) == 1 &&
	   rf_grade(9.99, 10) == 8 && rf_grade(10, 10) == 8 &&
	   rf_grade(12, 10) == 8 && rf_grade(1, 0) == 0,
	   "rf_grade() is 0 for 0, 1 for the smallest value, 8 for the largest");
}

/*
 * Return: the column in which rank 0 waits longest, in the heat map of the first case with a
 * fault
 */
static int darkest_column(const char *page, int *columns)
{
	const char *at = strstr(page, "\"kind\":\"waits\"");
	long most = -1, v;
	int column = -1;
	char *end;

	at = at ? strstr(at, "\"us\":[[") : NULL;
	*columns = 0;
	if (!at)
		return -1;
	for (at += strlen("\"us\":[["); *at && at[-1] != ']'; at = end + 1) {
		v = strtol(at, &end, 10);
		if (v > most)
			column = *columns;
		most = v > most ? v : most;
		++*columns;
	}
	return column;
}

/* If a run has more steps than the heat map has columns, a column shows several steps. */
static void heat_map_ok(const char *page, int steps)
{
	int columns, column = darkest_column(page, &columns);
	char row[64];

	ok(column == (STEP_HIT - 1) * columns / steps,
	   "heat map: the stall of step %d of %d is in column %d of %d", STEP_HIT, steps,
	   column, columns);
	if (steps <= 80)
		return;
	snprintf(row, sizeof(row), "<tr><td>1 to %d</td>", steps / 40);
	ok(strstr(page, row), "heat map: a row of its table has %d steps", steps / 40);
	snprintf(row, sizeof(row), "<tr><td>%d to %d</td>", steps - steps / 40 + 1,
		 steps);
	ok(strstr(page, row), "heat map: the last row of its table ends with step %d", steps);
}

static void page_has_all_ok(const struct made_run *m)
{
	char *page = page_of(&m->run, "/nowhere");

	/*
	 * the cases tail and many have a flow each, which adds a figure; the case storm has a
	 * figure of pauses
	 */
	ok(count(page, "<figure") == 3 * 2 + 2 + 1 + 1 &&
	   count(page, "as a table</summary>") == count(page, "<figure"),
	   "the page has %zu figures, each with a table", count(page, "<figure"));
	ok(count(page, "<svg class=\"wide\"") == count(page, "<figure") &&
	   count(page, "<svg class=\"narrow\"") == count(page, "<figure"),
	   "each figure is drawn for wide screens and for phones");
	heat_map_ok(page, 60);
	ok(count(page, "class=\"cross\" d=\"M") == 2 * 2, "the packet timelines show the hits");
	ok(count(page, "class=\"planband\"") == 2 &&
	   strstr(page, "\"lanes\":[{\"name\":\"v2\",\"planned\":1}]") &&
	   strstr(page, "\"bands\":[[10007,30047,0]]"),
	   "a fault with start and end is drawn as a band");
	free(page);
}

static void nothing_is_obeyed_ok(const struct made_run *m)
{
	char *page = page_of(&m->run, "/nowhere");

	ok(strstr(page, "<h1>One &lt;b&gt;packet&lt;/b&gt; &amp; &quot;its&quot; stall</h1>") &&
	   !strstr(page, "<b>packet"), "a title with tags is text");
	ok(!strstr(page, "http:") && !strstr(page, "https:") &&
	   !strstr(page, "src=") && !strstr(page, "@import") &&
	   !strstr(page, "url("), "nothing is fetched");
	ok(!strstr(page, "innerHTML") && !strstr(page, " style=") &&
	   !strstr(page, " onclick=") && !strstr(page, "eval("),
	   "the page has nothing that the content policy forbids");
	ok(count(page, "'sha256-") == 2 && !strstr(page, "unsafe"),
	   "the content policy has the hashes of style and script");
	free(page);
}

/* Return: true if, in the first drawing after @figure, the tick at @x has the number @n */
static bool has_tick(const char *page, const char *figure, double x, const char *n)
{
	const char *at = strstr(page, figure);
	char tick[96];

	snprintf(tick, sizeof(tick), "M%.1f ", x);
	at = at ? strstr(at, "class=\"tick\"") : NULL;
	for (; at; at = strstr(at + 1, "class=\"tick\"")) {
		if (strncmp(at + strlen("class=\"tick\" d=\""), tick, strlen(tick)))
			continue;
		snprintf(tick, sizeof(tick), "class=\"mid\">%s<", n);
		return strstr(at, tick) && strstr(at, tick) < strstr(at, "</text>");
	}
	return false;
}

/* In the heat map, the label of a step is a whole number below the middle of the step's cell. */
static void steps_of_waits_ok(const struct made_run *m)
{
	static const char figure[] = "aria-label=\"How long each rank waited";
	char *page = page_of(&m->run, "/nowhere"), *at = strstr(page, figure);
	double left = 0, right = 0;

	while (at > page && strncmp(at, "data-left", 9))
		at--;
	ok(sscanf(at, "data-left=\"%lf\" data-right=\"%lf\"", &left, &right) == 2 && has_tick(page, figure, left + (right - left) * 29.5 / 60, "30"),
	   "heat map: the tick of step 30 of 60 is at the 30th column");
	free(page);
}

/* The ticks of the axis must be whole steps, not steps like 1.5. */
static void few_steps_ok(void)
{
	struct rf_plot plot = { .left = 0, .right = 300, .bottom = 10 };
	size_t len;
	char *text;

	plot.f = open_memstream(&text, &len);
	plot.x = rf_axis_count(0.5, 3.5, "");
	rf_plot_axis_x(&plot, "step");
	fclose(plot.f);
	ok(has_tick(text, "", 50, "1") && has_tick(text, "", 150, "2") &&
	   has_tick(text, "", 250, "3") && count(text, "class=\"tick\"") == 3,
	   "the axis of three steps has the three numbers");
	free(text);
}

/* Times of a fault that were recorded are used instead of the planned times. */
static void fault_is_where_it_was_ok(const struct made_run *m)
{
	struct rf_record *rec = &m->run.cases[3].rec;
	const uint64_t first = made_start(rec, 1) - 1000;	/* rank 0's */
	struct rf_fault *f = m->run.cases[3].kase->faults;
	const struct rf_fault was = *f;
	const struct rf_done done[] = {
		{ .t_ns = first + 12 * MS }, { .t_ns = first + 31 * MS, .undo = true },
		{ .t_ns = first + 100 * MS },
	};
	char *page;
	size_t i;

	for (i = 0; i < 3; i++)
		rf_record_done(rec, &done[i]);
	page = page_of(&m->run, "/nowhere");
	ok(strstr(page, "\"bands\":[[12000,31000,0],[100000,614491,0]]"),
	   "the band of a fault is at its recorded times");
	free(page);
	*f = (struct rf_fault){ .deed = RF_DEED_STORM, .port = was.port,
				.words = was.words, .when = was.when,
				.storm.duration = 15 * MS };
	page = page_of(&m->run, "/nowhere");
	ok(strstr(page, "\"bands\":[[12000,27000,0],[100000,115000,0]]"),
	   "the band of a storm ends with its duration");
	free(page);
	*f = was;
	rec->ndone = 0;
}

/*
 * A case name that contains "</script>" must not end the script element that has the data of
 * the figures.
 */
static void data_is_json_ok(const struct made_run *m)
{
	struct json_object *o = json_object_new_object(), *back;
	char *page, *from, *to;
	FILE *f;

	snprintf(path, sizeof(path), "%s/data", dir);
	f = fopen(path, "w");
	rf_data_str(o, "k", "</script><!--<script>");
	rf_data_write(f, o);
	fclose(f);
	json_object_put(o);
	page = read_file(path);
	ok(count(page, "<") == 2 && strstr(page, "\\u003c!--"),
	   "the figures' data have no unescaped tag");
	free(page);
	page = page_of(&m->run, "/nowhere");
	from = strstr(page, "id=\"data\">") + strlen("id=\"data\">");
	to = strstr(from, "</script>");
	*to = '\0';
	back = json_tokener_parse(from);
	ok(json_object_object_length(back) == 9 &&
	   json_object_object_get(back, "fig1"), "the data are JSON, by figure");
	json_object_put(back);
	free(page);
}

static void analyse_again(const struct made_run *m, struct rf_run_case *p)
{
	rf_analysis_free(&p->an);
	rf_analyse(&p->rec, &m->run.cases[0].rec, &p->an);
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
	page = golden_page_of(&m.run);
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

static void put_file(const char *name, const char *text)
{
	char file[256];
	FILE *f;

	snprintf(file, sizeof(file), "%s/%s", uplot, name);
	f = fopen(file, "w");
	fputs(text, f);
	fclose(f);
}

/* Return: the page of a run if the directory of uPlot contains the script @js */
static char *page_with(const struct made_run *m, const char *js)
{
	snprintf(uplot, sizeof(uplot), "%s/uplot", dir);
	mkdir(uplot, 0755);
	put_file("uPlot.iife.min.js", js);
	put_file("uPlot.min.css", ".uplot{}");
	put_file("LICENSE", "free <to> use");
	return page_of(&m->run, uplot);
}

static void uplot_is_inlined_ok(const struct made_run *m)
{
	char *page = page_with(m, "var uPlot = 1;");

	ok(strstr(page, "<script>var uPlot = 1;</script>") &&
	   strstr(page, "free &lt;to&gt; use") && count(page, "'sha256-") == 4,
	   "uPlot is embedded in the page with its licence, and the content policy has its hash");
	free(page);
	page = page_with(m, "x = '</script>'");
	ok(!strstr(page, "x = '") && count(page, "'sha256-") == 2,
	   "a script that would end its element is not embedded");
	free(page);
}

static void same_run_same_page_ok(const struct made_run *m)
{
	char *a = page_of(&m->run, "/nowhere"), *b = page_of(&m->run, "/nowhere");

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
	made_page = golden_page_of(&m.run);
	for (i = 0; i < 2 * 10; i++)
		m.run.cases[1].rec.tl.steps[i].seen = false;
	m.run.cases[2].rec.ev.n = 0;
	m.run.cases[2].rec.tl.iters = 0;
	m.run.cases[3].rec.ev.lost = 7;
	page = page_of(&m.run, "/nowhere");
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
	page = golden_page_of(&m.run);
	flow = m.run.cases[1].an.gbn.flows;
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
 * Return: true if the data of the figures have a series of the kind @look that starts with
 * @points
 */
static bool has_points(const char *page, const char *look, const char *points)
{
	char key[32];
	const char *at;

	snprintf(key, sizeof(key), "\"look\":\"%s\"", look);
	at = strstr(page, key);
	at = at ? strstr(at, "\"t\":") : NULL;
	return at && !strncmp(at + strlen("\"t\":"), points, strlen(points));
}

/*
 * Two RDMA WRITEs are sent. The ACK of the first WRITE arrives, and the ACK of the second
 * WRITE is lost.
 */
static void lost_ack_ok(void)
{
	struct rf_event e, arrival;
	struct rf_record *rec;
	struct made_run m;
	uint64_t t;
	char *page;

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
	rf_analysis_free(&m.run.cases[1].an);
	rf_analyse(rec, &m.run.cases[0].rec, &m.run.cases[1].an);
	page = page_of(&m.run, "/nowhere");
	ok(has_points(page, "first", "[-15000,-5000],\"psn\":[4,5]") &&
	   strstr(page, "\"t\":[-10000],\"psn\":[4]") &&
	   has_points(page, "again", "[4985000],\"psn\":[5]") &&
	   has_points(page, "cross", "[0],\"psn\":[5]"),
	   "the packet timeline shows a lost ACK at the PSN it acknowledges and at the time it reaches the sender");
	free(page);
	free_run(&m);
}

/* A run of a job without steps, for example of a command of the user */
static void no_steps_ok(void)
{
	struct made_run m;
	size_t i;

	make_run(&m, 2, 10);
	m.scenario.workload.kind = RF_WORK_COMMAND;
	m.scenario.workload.command = "ib_write_bw <x>";
	for (i = 0; i < m.run.ncases; i++) {
		m.run.cases[i].rec.tl.iters = 0;
		m.run.cases[i].rec.tl.ranks = 0;
		m.run.cases[i].an.ranks = 0;
	}
	outline(&m.run, "a job without steps");
	free_run(&m);
}

static void large_run_ok(void)
{
	struct made_run m;
	struct stat st;
	char *page;

	make_run(&m, 8, 10000);
	page = page_of(&m.run, UPLOT);
	stat(path, &st);
	ok(st.st_size < 5000000 && st.st_size > 100000,
	   "the page of 10,000 steps of 8 ranks in 4 cases is smaller than 5 MB: %ld bytes", (long)st.st_size);
	ok(strstr(page, "Of 10000 steps"), "the page of 10,000 steps says that steps are omitted");
	heat_map_ok(page, 10000);
	free(page);
	free_run(&m);
}

static void unwritable_fails(const struct made_run *m)
{
	ok(rf_html_write_with("/nowhere/report.html", &m->run, UPLOT) < 0,
	   "rf_html_write_with() fails if the directory does not exist");
	golden(said, "a directory that doesn't exist");
	ok(rf_html_write_with("/dev/full", &m->run, UPLOT) < 0, "rf_html_write_with() reports a full disk");
	golden(said, "a full disk");
}

/*
 * Save a run of 10,000 steps of 8 ranks in 4 cases, load it, and write its page to the
 * directory @to.
 */
static void leave_large_page(const char *to)
{
	struct rf_run back = { };
	struct made_run large;
	bool err;

	make_run(&large, 8, 10000);
	made_ports(&large);
	/* the words of these faults must be valid, because the run is loaded from its directory */
	large.cases[1].faults->words = "drop v2 tx step 20";
	large.cases[3].faults->words = "pause v2 prio 3 storm for 20ms";
	snprintf(large.run.dir, sizeof(large.run.dir), "%s/large", to);
	mkdir(large.run.dir, 0755);
	snprintf(path, sizeof(path), "%s/large.html", to);
	err = rf_run_save(&large.run) || rf_run_load(large.run.dir, &back) ||
	      rf_html_write_with(path, &back, UPLOT);
	ok(!err, "the page of a large run is made from its directory; error: %s", said);
	rf_run_free(&back);
	free_run(&large);
}

/* A case of 20 steps is not compared with a case of 60 steps. */
static void another_job_ok(struct made_run *m)
{
	struct rf_workload *w = &m->cases[2].workload;
	char *page, *before = golden_page_of(&m->run);

	w->steps = 20;
	page = golden_page_of(&m->run);
	change(before, &m->run, "a case with fewer steps than the clean one");
	ok(count(page, "<path class=\"clean\" d=\"M") == 2 * 3 &&
	   count(page, "\"clean_t\"") == 3,
	   "the steps of the clean case are drawn although the case has fewer steps");
	free(page);
	w->steps = 60;
	w->size *= 2;
	page = golden_page_of(&m->run);
	change(before, &m->run, "a case with other steps than the clean one");
	ok(count(page, "<path class=\"clean\" d=\"M") == 2 * 2 &&
	   count(page, "\"clean_t\"") == 2,
	   "the steps of the clean case are not drawn if the steps of the case differ");
	free(page);
	free(before);
	w->size /= 2;
}

/*
 * Write pages for the browser: a small page with uPlot (if it is installed), the same page
 * without uPlot, and a large page.
 */
static void leave_pages(const struct made_run *m)
{
	const char *to = getenv("REPORT_PAGES");

	if (!to)
		return;
	snprintf(path, sizeof(path), "%s/small.html", to);
	rf_html_write_with(path, &m->run, UPLOT);
	snprintf(path, sizeof(path), "%s/plain.html", to);
	rf_html_write_with(path, &m->run, "/nowhere");
	leave_large_page(to);
}

int main(void)
{
	struct made_run m;

	if (!mkdtemp(dir))
		return 1;
	make_run(&m, 4, 60);
	made_ports(&m);
	points_ok();
	grades_ok();
	whole_page_ok();
	page_has_all_ok(&m);
	nothing_is_obeyed_ok(&m);
	steps_of_waits_ok(&m);
	few_steps_ok();
	fault_is_where_it_was_ok(&m);
	data_is_json_ok(&m);
	expectations_ok();
	uplot_is_inlined_ok(&m);
	same_run_same_page_ok(&m);
	empty_cases_ok();
	unjudged_flows_ok();
	lost_ack_ok();
	no_steps_ok();
	large_run_ok();
	another_job_ok(&m);
	unwritable_fails(&m);
	golden_compare("html.txt");
	*said = '\0';
	leave_pages(&m);
	free_run(&m);
	made_clean_up(dir);
	return done_testing();
}
