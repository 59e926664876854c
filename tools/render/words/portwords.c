// SPDX-License-Identifier: GPL-2.0
/* Write a sentence that lists the ports that had non-default settings when a run started. */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>

#include "json.h"
#include "words.h"

/* Write the settings of a port, unless all are the defaults. */
static void put_port_words(FILE *f, struct json_object *port, unsigned int *written)
{
	char *netdev = rf_get_copy(port, "netdev");
	char *words = rf_get_copy(port, "not_default");
	struct json_object *rules = rf_get_list(port, "rules");
	size_t i, nrules = rules ? json_object_array_length(rules) : 0;
	bool made = true;

	rf_get_flag(port, "made_by_run", &made);
	if (netdev && ((words && words[0]) || nrules)) {
		fprintf(f, "%s%s: %s", (*written)++ ? ". " : "", netdev,
			words ? words : "");
		for (i = 0; i < nrules; i++)
			fprintf(f, "%s%s", i || (words && words[0]) ? "; " : "",
				json_object_get_string(json_object_array_get_idx(rules, i)));
		if (!made)
			fputs(" (kept from an earlier command)", f);
	}
	free(netdev);
	free(words);
}

/**
 * rf_ports_sentence - list the ports that had non-default settings when a run started
 * @run: the run
 *
 * Return: the sentence, which the caller frees; NULL if the settings were not recorded.
 */
char *rf_ports_sentence(const struct rf_run *run)
{
	size_t i, len, n = run->ports ? json_object_array_length(run->ports) : 0;
	unsigned int written = 0;
	char *text = NULL;
	FILE *f;

	if (!n)
		return NULL;
	f = open_memstream(&text, &len);
	if (!f)
		return NULL;
	for (i = 0; i < n; i++)
		put_port_words(f, json_object_array_get_idx(run->ports, i), &written);
	if (!written)
		fprintf(f, "default settings on all %zu ports", n);
	fclose(f);
	return text;
}
