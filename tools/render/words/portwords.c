// SPDX-License-Identifier: GPL-2.0
/* Write a sentence that lists the ports that had non-default settings when a run started. */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "words.h"

/* Return: the settings of a port, which the caller frees; NULL if all are the defaults */
static char *port_words(struct json_object *port)
{
	char *words = rf_get_copy(port, "not_default"), *text = NULL;
	struct json_object *rules = rf_get_list(port, "rules");
	size_t i, len, nrules = rules ? json_object_array_length(rules) : 0;
	bool made = true;
	FILE *f = NULL;

	rf_get_flag(port, "made_by_run", &made);
	if ((words && words[0]) || nrules)
		f = open_memstream(&text, &len);
	if (f) {
		fputs(words ? words : "", f);
		for (i = 0; i < nrules; i++)
			fprintf(f, "%s%s", i || (words && words[0]) ? "; " : "",
				json_object_get_string(json_object_array_get_idx(rules, i)));
		if (!made)
			fputs(" (kept from an earlier command)", f);
		fclose(f);
	}
	free(words);
	return text;
}

/* Return: true if @next follows @name in a row, as v2 follows v1 */
static bool is_next_port(const char *name, const char *next)
{
	size_t letters = strcspn(name, "0123456789");

	return !strncmp(name, next, letters) &&
	       strspn(name + letters, "0123456789") == strlen(name + letters) &&
	       strspn(next + letters, "0123456789") == strlen(next + letters) &&
	       strtoul(name + letters, NULL, 10) + 1 == strtoul(next + letters, NULL, 10);
}

/* Write the names of the ports from @first on that have its settings: "v1 to v8, p1". */
static void put_port_names(FILE *f, const struct rf_run *run, char *const *words, size_t first)
{
	size_t i, n = json_object_array_length(run->ports), row = 0;
	char *name, *last = NULL;

	for (i = first; i < n; i++) {
		if (!words[i] || strcmp(words[i], words[first]))
			continue;
		name = rf_get_copy(json_object_array_get_idx(run->ports, i), "netdev");
		if (!name)
			continue;
		if (last && is_next_port(last, name)) {
			row++;
		} else {
			if (row && last)
				fprintf(f, "%s%s", row > 1 ? " to " : ", ", last);
			fprintf(f, "%s%s", last ? ", " : "", name);
			row = 0;
		}
		free(last);
		last = name;
	}
	if (row && last)
		fprintf(f, "%s%s", row > 1 ? " to " : ", ", last);
	free(last);
}

/**
 * rf_ports_sentence - list the ports that had non-default settings when a run started
 * @run: the run
 *
 * Ports with the same settings are listed together.
 *
 * Return: the sentence, which the caller frees; NULL if the settings were not recorded.
 */
char *rf_ports_sentence(const struct rf_run *run)
{
	size_t i, k, len, n = run->ports ? json_object_array_length(run->ports) : 0;
	char *text = NULL, **words;
	bool written = false;
	FILE *f;

	if (!n)
		return NULL;
	words = calloc(n, sizeof(*words));
	f = words ? open_memstream(&text, &len) : NULL;
	for (i = 0; f && i < n; i++)
		words[i] = port_words(json_object_array_get_idx(run->ports, i));
	for (i = 0; f && i < n; i++) {
		for (k = 0; words[i] && k < i; k++)
			if (words[k] && !strcmp(words[k], words[i]))
				break;
		if (!words[i] || k < i)
			continue;
		fputs(written ? ". " : "", f);
		put_port_names(f, run, words, i);
		fprintf(f, ": %s", words[i]);
		written = true;
	}
	if (f && !written)
		fprintf(f, "default settings on all %zu ports", n);
	if (f)
		fclose(f);
	for (i = 0; words && i < n; i++)
		free(words[i]);
	free(words);
	return text;
}
