// SPDX-License-Identifier: GPL-2.0
/*
 * Test the comparison of two runs, as text and as HTML page. The page is left in the directory
 * REPORT_PAGES, because scripts/look-at-report opens it in a browser.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/analysis/analysis.h"
#include "tools/render/text/page.h"
#include "tools/render/web/summary.h"
#include "golden.h"
#include "golden_html.h"
#include "made_run.h"
#include "said.h"
#include "tap.h"

static struct made_run a, b;
static char *text, *before;

static const struct rf_compared runs = { { &a.run, &b.run } };

static void compare(void)
{
	size_t len;
	FILE *f;

	free(text);
	f = open_memstream(&text, &len);
	rf_compare_write(f, &runs);
	fclose(f);
}

/* Compare the text with @before. */
static void differs(const char *when)
{
	compare();
	golden_change(before, text, when);
}

static void same_runs_ok(void)
{
	compare();
	golden(text, "two runs that are the same");
}

/* Add @ns to the duration of the step in which the case "tail" loses its packet. */
static void slow_down(struct made_run *m, uint64_t ns)
{
	struct rf_timeline *tl = &m->run.cases[1].rec.tl;
	uint32_t rank;

	for (rank = 0; rank < tl->ranks; rank++)
		tl->steps[(STEP_HIT - 1) * tl->ranks + rank].sync_ns += ns;
}

static void most_different_ok(void)
{
	compare();
	before = strdup(text);
	slow_down(&b, 300 * MS);
	differs("a step takes longer in B");
}

static void changes_ok(void)
{
	free(before);
	compare();
	before = strdup(text);
	b.run.cases[1].an->measure[RF_RETRANSMITTED] = 14;
	b.run.cases[1].an->measure[RF_NAKS] = 3;
	b.run.cases[1].an->measure[RF_RECOVERY_TIME] = 6;
	differs("twice as many, some instead of none, almost none");
	b.run.cases[1].an->measure[RF_RETRANSMITTED] = 700;
	differs("a hundred times as many");
	b.run.cases[1].rec.ev.lost = 1;
	differs("B lost events");
	b.run.cases[1].rec.ev.lost = 0;
}

/* The median of three rounds is the middle value. */
static void rounds_ok(void)
{
	struct rf_run_case *p = b.run.cases;

	p[2].test_case = p[3].test_case = p[1].test_case;
	p[2].an->measure[RF_RETRANSMITTED] = 9;
	p[3].an->measure[RF_RETRANSMITTED] = 11;
	p[3].rec.ev.lost = 1;
	compare();
	golden(text, "three rounds, one of which lost events");
	p[3].rec.ev.lost = 0;
	snprintf(b.run.kernel, sizeof(b.run.kernel), "6.1");
	compare();
	golden(text, "three rounds of one case, none of two others, another kernel");
}

/* The median of four rounds is the mean of the two middle values. */
static void even_rounds_ok(void)
{
	static const uint64_t retransmitted[MADE_CASES] = { 12, 700, 2, 9 };
	struct rf_run_case *p = b.run.cases;
	double v[2] = { };
	size_t i;

	for (i = 0; i < MADE_CASES; i++) {
		p[i].test_case = &b.cases[1];
		p[i].an->measure[RF_RETRANSMITTED] = retransmitted[i];
	}
	rf_compare_values(&runs, b.cases[1].name, rf_compare_metric("retransmitted"), v);
	ok(v[0] == 7 && v[1] == 10.5, "the median of 2, 9, 12 and 700 is 10.5: %.1f", v[1]);
}

/* ---- in the browser ---- */

static char page_path[] = "/tmp/compare-XXXXXX";

/* Return: the page of the comparison, to be freed */
static char *compare_page(void)
{
	char *page = NULL;
	size_t len = 0;
	FILE *f;

	if (rf_compare_html(page_path, &runs))
		return strdup("");
	f = fopen(page_path, "r");
	if (getdelim(&page, &len, 0, f) < 0)
		*page = '\0';
	fclose(f);
	return page;
}

static void page_of_two_ok(void)
{
	char *page = compare_page(), *again = compare_page(), *lines;

	ok(!strcmp(page, again), "the same runs give the same page of the comparison");
	free(again);
	ok(strstr(page, "One &lt;b&gt;packet&lt;/b&gt;") &&
	   !strstr(page, "<b>packet"), "text of a run is escaped in the page");
	ok(strstr(page, "<h1>Case &quot;tail&quot; changed most"),
	   "the first line of the page is the largest change");
	ok(count(page, "\"job_us\":[") == 2 * MADE_CASES &&
	   count(page, "\"compare_times\":[") == MADE_CASES,
	   "the data of each case has its time and the steps of both runs");
	lines = lines_of_page(page);
	golden(lines, "the page of two runs, in one of which a step takes longer");
	free(lines);
}

/*
 * Compare two runs that differ: the second run has another kernel, lacks a case, has a case
 * without steps, and has lost events.
 */
static void page_of_others_ok(void)
{
	uint32_t iters = b.run.cases[2].rec.tl.iters;
	char *page, *same = lines_of_page(compare_page());

	snprintf(b.run.kernel, sizeof(b.run.kernel), "6.1.0-<made>");
	b.run.ncases--;
	b.run.cases[2].rec.tl.iters = 0;
	b.run.cases[1].rec.ev.lost = 1;
	page = compare_page();
	ok(count(page, "\"stories\":[") == MADE_CASES - 1, "the page has no details of a case that one run lacks");
	ok(strstr(page, "</html>") && !strstr(page, "nan") && !strstr(page, "inf</"),
	   "the page with a case without steps is complete");
	page = lines_of_page(page);
	golden_change(same, page, "the page: another kernel, a case less, one without steps, lost events");
	free(same);
	free(page);
	snprintf(b.run.kernel, sizeof(b.run.kernel), "%s", a.run.kernel);
	b.run.ncases++;
	b.run.cases[2].rec.tl.iters = iters;
	b.run.cases[1].rec.ev.lost = 0;
}

static void no_page_fails(void)
{
	ok(rf_compare_html("/nowhere/c.html", &runs) < 0,
	   "a directory that doesn't exist");
	golden(said, "a directory that doesn't exist");
	ok(rf_compare_html("/dev/full", &runs) < 0, "a full disk");
	golden(said, "a full disk");
}

static void leave_page(void)
{
	char path[256];

	if (!getenv("REPORT_PAGES"))
		return;
	snprintf(path, sizeof(path), "%s/compare.html", getenv("REPORT_PAGES"));
	rf_compare_html(path, &runs);
}

int main(void)
{
	int fd = mkstemp(page_path);

	if (fd < 0)
		return 1;
	close(fd);
	make_run(&a, 4, 40);
	make_run(&b, 4, 40);
	same_runs_ok();
	most_different_ok();
	page_of_two_ok();
	page_of_others_ok();
	no_page_fails();
	leave_page();
	changes_ok();
	rounds_ok();
	even_rounds_ok();
	golden_compare("compare.txt");
	free(before);
	free(text);
	free_run(&a);
	free_run(&b);
	unlink(page_path);
	return done_testing();
}
