// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz the loading of a run's directory, as rdmafault report does it. The first line of the
 * input is environment.json; if it is empty, a valid one is used. The other lines are those of
 * case a up to the first empty line, then those of case b. Lines of a timeline go to
 * timeline.jsonl, all others to events.jsonl. The scenario is run.yaml. The directory must be
 * refused with one line, or be analysed and rendered. Its files, written again, must be read
 * as the same run.
 */
#include <sys/stat.h>

#include "file.h"
#include "quiet.h"
#include "tools/analysis/analysis.h"
#include "tools/render/render.h"
#include "tools/render/text/page.h"

/* Two cases of two ranks and two steps, the second with faults */
#define SCENARIO "selftests/fuzz/run.yaml"

#define CASES 2

static const char *const dirs[CASES] = { "a", "b" };

static const char environment[] =
	"{\"version\":4,\"scenario\":\"x\",\"ended\":\"aborted\",\"rounds\":1,\"cases\":%u,"
	"\"deadline_ns\":1000000000,\"cost\":{\"gpus\":[8],\"rate\":2.5,\"stall_every_ns\":1000000},"
	"\"kernel\":\"6\",\"cpus\":1,\"machine\":\"\",\"cpu\":\"\",\"clocksource\":\"\",\"time\":\"real\"}";

static void copy_scenario(void)
{
	char text[2048];
	FILE *f = fopen(SCENARIO, "r");
	size_t n;

	must(f);
	n = fread(text, 1, sizeof(text), f);
	must(n && n < sizeof(text));
	fclose(f);
	file_write(RF_SCENARIO_FILE, text, n);
}

/* Does the line belong to a timeline? */
static bool is_of_timeline(const char *line, size_t n)
{
	static const char *const types[] = {
		"\"type\":\"job\"", "\"type\":\"qp\"", "\"type\":\"step\"", "\"type\":\"end\"",
	};
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (memmem(line, n, types[i], strlen(types[i])))
			return true;
	return false;
}

static FILE *open_file(const char *dir, const char *name)
{
	char file[64], path[PATH_MAX];
	FILE *f;

	mkdir(file_path(dir, path), 0700);
	snprintf(file, sizeof(file), "%s/%s", dir, name);
	f = fopen(file_path(file, path), "w");
	must(f);
	return f;
}

/* Write the lines of a case up to an empty line. Return: the rest, NULL at the end of the input */
static const char *split_case(const char *dir, const char *at, const char *end)
{
	FILE *timeline = open_file(dir, RF_TIMELINE_FILE), *events = open_file(dir, RF_EVENTS_FILE);
	const char *next;

	for (; at < end && *at != '\n'; at = next) {
		next = memchr(at, '\n', end - at);
		next = next ? next + 1 : end;
		fwrite(at, 1, next - at, is_of_timeline(at, next - at) ? timeline : events);
	}
	must(!fclose(timeline) && !fclose(events));
	return at < end ? at + 1 : NULL;
}

static void split(const char *data, size_t size)
{
	const char *end = data + size, *line = size ? memchr(data, '\n', size) : NULL, *at;
	char text[1024];
	unsigned int n = 0;

	at = line ? line + 1 : NULL;
	while (at && n < CASES) {
		at = split_case(dirs[n], at, end);
		n++;
	}
	if (!line || line > data)
		file_write(RF_ENVIRONMENT_FILE, data, line ? (size_t)(line - data) : size);
	else
		file_write(RF_ENVIRONMENT_FILE, text,
			   snprintf(text, sizeof(text), environment, n));
}

/* Render the text page of the report for each input. For every eighth input,
 * render all files of the report, because this takes long.
 */
static void render(const struct rf_run *run, size_t size)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f;

	if (!run->ncases)
		return;		/* there is nothing to report */
	f = open_memstream(&text, &len);
	must(f);
	rf_page_write(f, run);
	fclose(f);
	must(len);
	free(text);
	if (!(size % 8))
		must(!rf_run_render(run, RF_FORMATS_ALL));
}

/* Write the record again, also the timelines. */
static void save(const struct rf_run *run)
{
	char file[128], path[PATH_MAX];
	size_t i;

	for (i = 0; i < run->ncases; i++) {
		snprintf(file, sizeof(file), "%s/" RF_TIMELINE_FILE, run->cases[i].label);
		must(!rf_timeline_write(file_path(file, path), &run->cases[i].rec.tl));
	}
	must(!rf_run_save(run));
}

/* The files of the record */
static const char *const files[] = {
	RF_ENVIRONMENT_FILE, RF_SCENARIO_FILE, "a/" RF_TIMELINE_FILE, "a/" RF_EVENTS_FILE,
	"b/" RF_TIMELINE_FILE, "b/" RF_EVENTS_FILE,
};

#define FILES (sizeof(files) / sizeof(files[0]))

/* If a run is written, read and written again, the files must be the same. */
static void round_trip(const struct rf_run *run)
{
	size_t n = 2 + 2 * (run->ncases < CASES ? run->ncases : CASES), i;
	char *text[FILES];
	struct rf_run back;

	save(run);
	for (i = 0; i < n; i++)
		text[i] = file_read(files[i]);
	must(!rf_run_load(run->dir, &back));
	must(back.verdict == run->verdict && back.ncases == run->ncases);
	save(&back);
	for (i = 0; i < n; i++) {
		must(file_same(files[i], text[i]));
		free(text[i]);
	}
	rf_run_free(&back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rf_run run;

	copy_scenario();
	split((const char *)data, size);
	quiet_start();
	if (rf_run_load(file_dir, &run)) {
		must(quiet_lines == 1);
		must(fuzz_is_line(quiet_said, sizeof(quiet_said)));
	} else {
		render(&run, size);
		round_trip(&run);
	}
	rf_run_free(&run);
	return 0;
}
