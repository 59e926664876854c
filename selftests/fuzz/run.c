// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz the loading of a run's directory, as rdmafault report does it. The first line of
 * the input is run.json, the others are events.jsonl. If the first line is empty, the file
 * SMALL is used as run.json. The directory must be refused with one line, or be analysed
 * and rendered. Its files, written again, must be read as the same run.
 */
#include "file.h"
#include "quiet.h"
#include "tools/analysis/analysis.h"
#include "tools/render/render.h"
#include "tools/render/text/page.h"

/* Two cases of two ranks and two steps, the second with faults */
#define SMALL "selftests/fuzz/run.json"

static void copy_small(void)
{
	char text[8192];
	FILE *f = fopen(SMALL, "r");
	size_t n;

	must(f);
	n = fread(text, 1, sizeof(text), f);
	must(n && n < sizeof(text));
	fclose(f);
	file_write(RF_SETUP_FILE, text, n);
}

/* Write the first line to run.json and the rest to events.jsonl. */
static void split(const uint8_t *data, size_t size)
{
	const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
	size_t head = end ? (size_t)(end - data) + 1 : size;

	if (head > 1)
		file_write(RF_SETUP_FILE, data, head);
	else
		copy_small();
	file_write(RF_EVENTS_FILE, data + head, size - head);
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

/* If a run is written, read and written again, the files must be the same. */
static void round_trip(const struct rf_run *run)
{
	char *setup, *events;
	struct rf_run back;

	must(!rf_run_save(run));
	setup = file_read(RF_SETUP_FILE);
	events = file_read(RF_EVENTS_FILE);
	must(!rf_run_load(run->dir, &back));
	must(back.verdict == run->verdict && back.ncases == run->ncases);
	must(!rf_run_save(&back));
	must(file_same(RF_SETUP_FILE, setup));
	must(file_same(RF_EVENTS_FILE, events));
	rf_run_free(&back);
	free(setup);
	free(events);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[PATH_MAX];
	struct rf_run run;

	file_path(RF_SETUP_FILE, path);
	split(data, size);
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
