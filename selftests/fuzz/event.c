// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz the parser of an event, which is a line of events.jsonl or of rdmafault monitor. A
 * parsed event must be written as an object that is parsed as the same event.
 */
#include <json-c/json.h>

#include "quiet.h"
#include "tools/trace/events.h"

static char *line_of(const struct rf_event *e)
{
	struct json_object *o = rf_event_json(e);
	char *text;

	must(o);
	text = strdup(json_object_to_json_string(o));
	json_object_put(o);
	must(text);
	return text;
}

static void reads_back(const struct rf_event *e)
{
	char *text = line_of(e), *again;
	struct rf_event back;
	struct json_object *o = json_tokener_parse(text);

	must(o && !rf_event_parse(o, &back));
	again = line_of(&back);
	must(!strcmp(text, again));
	json_object_put(o);
	free(again);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *line = fuzz_text(data, size);
	struct json_object *o = json_tokener_parse(line);
	struct rf_event e;

	if (o && !rf_event_parse(o, &e)) {
		must(e.count <= RDMAFAULT_ACTIONS_MAX);
		must(strnlen(e.dev, sizeof(e.dev)) < sizeof(e.dev));
		reads_back(&e);
	}
	json_object_put(o);
	free(line);
	return 0;
}
