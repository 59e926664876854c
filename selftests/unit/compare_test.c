// SPDX-License-Identifier: GPL-2.0
/*
 * Runs side by side: two of them with what changed, several without; and the
 * page of them for a browser. What that makes of it is scripts/look-at-report's
 * concern, for which the page stays in the directory that REPORT_PAGES names.
 */
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../tools/report/compare.h"
#include "../../tools/report/html.h"
#include "made_run.h"
#include "said.h"
#include "tap.h"

static struct made_run a, b;
static char *text;

static void compare(size_t n)
{
	const struct rf_run *runs[] = { &a.run, &b.run, &a.run, &b.run, &a.run };
	size_t len;
	FILE *f;

	free(text);
	f = open_memstream(&text, &len);
	rf_compare_write(f, runs, n);
	fclose(f);
}

/* Is there a line that begins with a metric and has these words in order? */
static bool says(const char *metric, const char *words)
{
	const char *line = text, *end;
	char squeezed[256];
	size_t n;

	for (; *line; line = end + 1) {
		end = strchrnul(line, '\n');
		for (n = 0; line < end && n + 1 < sizeof(squeezed); line++)
			if (*line != ' ' || (n && squeezed[n - 1] != ' '))
				squeezed[n++] = *line;
		squeezed[n] = '\0';
		if (!strncmp(squeezed, metric, strlen(metric)) &&
		    !strcmp(squeezed + strlen(metric), words))
			return true;
		if (!*end)
			return false;
	}
	return false;
}

static void same_runs_ok(void)
{
	compare(2);
	ok(says("resent", " 7 7 same"), "the same is called so");
	ok(says("found.by", " timeout timeout "), "words aren't reckoned with");
	ok(!strstr(text, "xoff.received") && !strstr(text, "rank["),
	   "what is nothing in both is left out");
	ok(!strstr(text, "NOTE"), "no note, for they played the same");
	ok(strstr(text, "No play that the runs share took 2 % more or less"),
	   "and no play differs");
}

/* A step of "tail" takes longer by what its loss took, and that moves on */
static void slow_down(struct made_run *m, uint64_t ns)
{
	struct rf_timeline *tl = &m->run.plays[1].rec.tl;
	uint32_t rank;

	for (rank = 0; rank < tl->ranks; rank++)
		tl->steps[(STEP_HIT - 1) * tl->ranks + rank].sync_ns += ns;
}

static void most_different_ok(void)
{
	slow_down(&b, 300 * MS);
	compare(2);
	ok(strstr(text, "\"tail\" differs most: its longest step took 370 ms in B instead of 70.2 ms in A (+427.6 %)."),
	   "the play that differs most is told in a sentence");
	compare(3);
	ok(strstr(text, "in B instead of"), "also of three");
}

static void changes_ok(void)
{
	b.run.plays[1].an.measure[RF_RESENT] = 14;
	b.run.plays[1].an.measure[RF_NAKS] = 3;
	b.run.plays[1].an.measure[RF_OUTAGE] = 6;
	compare(2);
	ok(says("resent", " 7 14 +100.0 %"), "twice as many");
	ok(says("naks", " 0 3 new"), "what wasn't there is new");
	ok(says("outage", " 60.1 ms 6 ns -100.0 %"), "and what is almost gone");
	b.run.plays[1].an.measure[RF_RESENT] = 700;
	compare(2);
	ok(says("resent", " 7 700 x 100"), "a hundred times");
	b.run.plays[1].rec.ev.lost = 1;
	compare(2);
	ok(says("resent", " 7 - other"), "void figures aren't compared");
	b.run.plays[1].rec.ev.lost = 0;
}

static void many_runs_ok(void)
{
	compare(3);
	ok(says("resent", " 7 700 7") && !strstr(text, "change"),
	   "three are set beside one another");
	compare(RF_COMPARE_MAX);
	ok(says("resent", " 7 700 7 700 7"), "so are %d", RF_COMPARE_MAX);
}

/* Three rounds, of which the middle one counts. */
static void rounds_ok(void)
{
	struct rf_run_play *p = b.run.plays;

	p[2].play = p[3].play = p[1].play;
	p[2].an.measure[RF_RESENT] = 9;
	p[3].an.measure[RF_RESENT] = 11;
	compare(2);
	ok(says("resent", " 7 11 +57.1 %"), "of rounds it is the median");
	ok(strstr(text, "many: made has no such play"),
	   "a play that one doesn't have is told");
	snprintf(b.run.kernel, sizeof(b.run.kernel), "6.1");
	compare(2);
	ok(strstr(text, "NOTE") && strstr(text, "kernel"),
	   "so is another kernel");
}

/* ---- in the browser ---- */

static char page_path[] = "/tmp/compare-XXXXXX";

/* The page of the first @n runs; to be freed */
static char *page_of(size_t n)
{
	const struct rf_run *runs[] = { &a.run, &b.run, &a.run, &b.run, &a.run };
	char *page = NULL;
	size_t len = 0;
	FILE *f;

	if (rf_compare_html_with(page_path, runs, n, "/nowhere"))
		return strdup("");
	f = fopen(page_path, "r");
	if (getdelim(&page, &len, 0, f) < 0)
		*page = '\0';
	fclose(f);
	return page;
}

static size_t count(const char *where, const char *what)
{
	size_t n = 0;

	for (; (where = strstr(where, what)); where += strlen(what))
		n++;
	return n;
}

static struct json_object *data_of(const char *page)
{
	const char *from = strstr(page, "id=\"data\">");

	return from ? json_tokener_parse(from + strlen("id=\"data\">")) : NULL;
}

static bool has_runs(const char *page, size_t n)
{
	struct json_object *all = data_of(page), *runs = NULL;
	size_t found = 0;

	json_object_object_foreach(all, id, figure) {
		(void)id;
		if (json_object_object_get_ex(figure, "runs", &runs))
			found += json_object_array_length(runs) == n;
	}
	json_object_put(all);
	return found == MADE_PLAYS;
}

static void page_of_two_ok(void)
{
	char *page = page_of(2);

	ok(strstr(page, "&quot;tail&quot; differs most: its longest step took 370 ms in B"),
	   "on top stands what differs most");
	ok(strstr(page, "<h1>One &lt;b&gt;packet&lt;/b&gt;") &&
	   !strstr(page, "<b>packet"), "what comes from a run is never markup");
	/* what all took; of each play the steps and where the time went */
	ok(count(page, "<figure") == 1 + 2 * MADE_PLAYS &&
	   count(page, "as a table</summary>") == count(page, "<figure") &&
	   count(page, "<svg class=\"narrow\"") == count(page, "<figure"),
	   "%zu figures, each with a table, each for phones, too",
	   count(page, "<figure"));
	ok(strstr(page, "<th scope=\"row\">step.time.max</th><td>70.2 ms</td><td class=\"moved\">370 ms <span class=\"by\">+427.6 %</span></td>"),
	   "what changed stands out");
	ok(strstr(page, "<th scope=\"row\">step.time.min</th><td>10.0 ms</td><td>10.0 ms <span class=\"by\">same</span></td>"),
	   "what didn't doesn't");
	ok(has_runs(page, 2), "the figures' data are JSON, with both runs' steps");
	free(page);
}

static void page_of_many_ok(void)
{
	char *page = page_of(RF_COMPARE_MAX), *again = page_of(RF_COMPARE_MAX);

	ok(has_runs(page, RF_COMPARE_MAX) && strstr(page, "<i class=\"run4\"></i>E"),
	   "%d runs have a letter and a colour each", RF_COMPARE_MAX);
	ok(!strcmp(page, again), "the same runs give the same page");
	ok(!strstr(page, "Mind:"), "no word of caution, for they played the same");
	free(page);
	free(again);
}

/* Another kernel; a play that one lacks; one that told of no step; lost events */
static void page_of_others_ok(void)
{
	uint32_t iters = b.run.plays[2].rec.tl.iters;
	char *page;

	snprintf(b.run.kernel, sizeof(b.run.kernel), "6.1.0-<made>");
	b.run.nplays--;
	b.run.plays[2].rec.tl.iters = 0;
	b.run.plays[1].rec.ev.lost = 1;
	page = page_of(2);
	ok(strstr(page, "Mind: the runs differ") &&
	   strstr(page, "<td class=\"wrap moved\">Linux 6.1.0-&lt;made&gt;, 2 CPUs</td>"),
	   "in what they differ is told");
	ok(strstr(page, "<td>not played</td>") && count(page, "id=\"play") == MADE_PLAYS - 1,
	   "so is a play that one doesn't have");
	ok(strstr(page, "</html>") && !strstr(page, "nan") && !strstr(page, "inf</"),
	   "a play without steps spoils nothing");
	ok(strstr(page, "resent</th><td>7</td><td class=\"moved\">- "),
	   "what lost events void isn't compared");
	free(page);
	snprintf(b.run.kernel, sizeof(b.run.kernel), "%s", a.run.kernel);
	b.run.nplays++;
	b.run.plays[2].rec.tl.iters = iters;
	b.run.plays[1].rec.ev.lost = 0;
}

static void no_page_fails(void)
{
	const struct rf_run *runs[] = { &a.run, &b.run };

	ok(rf_compare_html("/nowhere/c.html", runs, 2) < 0 &&
	   strstr(said, "/nowhere/c.html: No such file"), "%s", said);
	ok(rf_compare_html("/dev/full", runs, 2) < 0 &&
	   strstr(said, "/dev/full: No space left"), "%s", said);
}

static void leave_page(void)
{
	const struct rf_run *runs[] = { &a.run, &b.run };
	char path[256];

	if (!getenv("REPORT_PAGES"))
		return;
	snprintf(path, sizeof(path), "%s/compare.html", getenv("REPORT_PAGES"));
	rf_compare_html(path, runs, 2);
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
	page_of_many_ok();
	page_of_others_ok();
	no_page_fails();
	leave_page();
	changes_ok();
	many_runs_ok();
	rounds_ok();
	free(text);
	free_run(&a);
	free_run(&b);
	unlink(page_path);
	return done_testing();
}
