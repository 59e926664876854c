// SPDX-License-Identifier: GPL-2.0
/* Test the sentence about the settings of ports: ports with equal settings are listed together. */
#include <json-c/json.h>

#include "said.h"
#include "tap.h"
#include "tools/render/words/words.h"

static void sentence_is(const char *ports, const char *expected)
{
	struct rf_run run = { .ports = json_tokener_parse(ports) };
	char *text = rf_ports_sentence(&run);

	ok(!strcmp(text ? text : "(none)", expected), "%s: \"%s\"", ports, text ? text : "(none)");
	free(text);
	json_object_put(run.ports);
}

#define PORT(name, words) "{\"netdev\": \"" name "\", \"not_default\": \"" words "\"}"

int main(void)
{
	sentence_is("[" PORT("v1", "") "," PORT("v2", "") "]", "default settings on all 2 ports");
	sentence_is("[" PORT("v9", "rate 1gbit") "," PORT("v10", "rate 1gbit") ","
		    PORT("v11", "rate 1gbit") "," PORT("p1", "rate 1gbit") ","
		    PORT("p2", "delay 1ms") "," PORT("l1s2", "rate 1gbit") "]",
		    "v9 to v11, p1, l1s2: rate 1gbit. p2: delay 1ms");
	sentence_is("[" PORT("v1", "rate 1gbit") "," PORT("v2", "rate 1gbit") ","
		    PORT("v4", "rate 1gbit") "]", "v1, v2, v4: rate 1gbit");
	sentence_is("[{\"netdev\": \"v1\", \"not_default\": \"\", \"made_by_run\": false, \"rules\": [\"drop all\"]}]",
		    "v1: drop all (kept from an earlier command)");
	sentence_is("[]", "(none)");
	return done_testing();
}
