// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz the loading of a scenario file, as rdmafault validate and run do it. The file must
 * be accepted, or refused with one line per error. For an accepted scenario a plan must be
 * printed, and run.json must be written, read back and written again unchanged.
 */
#include <json-c/json.h>

#include "file.h"
#include "quiet.h"
#include "tools/analysis/analysis.h"
#include "tools/scenario/scenario.h"

#define INPUT "x.yaml"

/* Another file in the directory */
static const char other[] = "qp: {timeout: 15}\nseed: 7\ncost: {rate: 2.5}\n";

static void plan(const struct rf_scenario *s)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	must(f);
	rf_plan_write(f, s);
	fclose(f);
	must(len);
	free(text);
	must(json_object_put(rf_plan_json(s)));
}

static void written_same(const struct rf_run *run, const char *text)
{
	char path[PATH_MAX];

	must(!rf_setup_write(file_path("again.json", path), run));
	must(file_same("again.json", text));
}

static void round_trip(const struct rf_scenario *s)
{
	struct rf_run run = {
		.scenario = s, .price = &s->price, .rounds = s->repeat,
		.kernel = "6.12", .cpus = 2,
	}, back = { };
	char path[PATH_MAX], *text;

	must(!rf_setup_write(file_path(RF_SETUP_FILE, path), &run));
	text = file_read(RF_SETUP_FILE);
	must(!rf_setup_read(path, &back));
	written_same(&back, text);
	rf_run_free(&back);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[PATH_MAX];
	struct rf_scenario s;

	file_write("other.yaml", other, sizeof(other) - 1);
	file_write(INPUT, data, size);
	file_path(INPUT, path);
	quiet_start();
	if (rf_scenario_load(path, &s)) {
		must(quiet_lines >= 1);
		must(fuzz_is_line(quiet_said, sizeof(quiet_said)));
		return 0;
	}
	must(!quiet_lines && s.ncases && s.name && s.title);
	plan(&s);
	round_trip(&s);
	rf_scenario_free(&s);
	return 0;
}
