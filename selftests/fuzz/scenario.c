// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz the loading of a scenario file, as rdmafault validate and run do it. The file must
 * be accepted, or refused with one line per error. For an accepted scenario a plan must be
 * printed, and the text that the loader has kept must be the file, with the same plan.
 */
#include <json-c/json.h>

#include "file.h"
#include "quiet.h"
#include "tools/scenario/scenario.h"

#define INPUT "x.yaml"

/* Another file in the directory */
static const char other[] = "qp: {timeout: 15}\nseed: 7\ncost: {rate: 2.5}\n";

/* Return: the plan as text; the caller frees it */
static char *plan(const struct rf_scenario *s)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	must(f);
	rf_plan_write(f, s);
	fclose(f);
	must(len);
	must(json_object_put(rf_plan_json(s)));
	return text;
}

/* Load the text that the loader has kept, as rdmafault report does. */
static void load_again(const struct rf_scenario *s, const char *want)
{
	char path[PATH_MAX], *text;
	struct rf_scenario again;

	file_write("again.yaml", s->text, s->length);
	must(!rf_scenario_load(file_path("again.yaml", path), &again));
	text = plan(&again);
	must(!strcmp(text, want));
	free(text);
	rf_scenario_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[PATH_MAX], *text;
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
	must(s.length == size && !memcmp(s.text, data, size));
	text = plan(&s);
	load_again(&s, text);
	free(text);
	rf_scenario_free(&s);
	return 0;
}
