// SPDX-License-Identifier: GPL-2.0
/*
 * Test that a scenario which the module would refuse is not valid: each line of
 * data/refusals.txt is put into a valid scenario, which is then refused. The error has file,
 * line, column and the reason that the module would give. Without the line, the scenario is
 * valid.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "golden.h"
#include "said.h"
#include "tools/scenario/scenario.h"

#define LINES "selftests/unit/data/refusals.txt"
#define FILE_NAME "refused.yaml"

static char dir[] = "/tmp/refusals-XXXXXX", top[4096];

/*
 * Write a scenario that has @text at a certain place, for example as a fault or as a port.
 * @kind selects the place.
 */
static void put(FILE *f, const char *kind, const char *text)
{
	char *copy = strdup(text), *rest = copy, *item;
	bool ports = !strncmp(kind, "ports", 5), is_do = !strncmp(kind, "do", 2);

	fputs("name: refused\ntitle: Refused\nfabric: {nodes: 4}\n", f);
	if (ports)
		fputs("ports:\n", f);
	while (ports && (item = strsep(&rest, ";")))
		fprintf(f, "  - %s\n", item + strspn(item, " "));
	fputs("workload: {collective: all_reduce, ranks: 4, size: 64KiB, steps: 10}\n"
	      "cases:\n  - name: clean\n  - name: fault\n", f);
	if (is_do)
		fputs("    faults:\n", f);
	while (is_do && (item = strsep(&rest, ";")))
		fprintf(f, "      - do: \"%s\"\n", item + strspn(item, " "));
	if (!strcmp(kind, "expect"))
		fprintf(f, "    expect: \"%s\"\n", text);
	free(copy);
}

static int load(const char *kind, const char *text)
{
	struct rf_scenario s;
	FILE *f;
	int err;

	if (chdir(dir))
		return -1;
	f = fopen(FILE_NAME, "w");
	put(f, kind, text);
	fclose(f);
	said[0] = '\0';
	err = rf_scenario_load(FILE_NAME, &s);
	if (!err)
		rf_scenario_free(&s);
	return chdir(top) ? -1 : err;
}

static void each_line(void)
{
	char *line = NULL, *text;
	size_t room = 0;
	FILE *f = fopen(LINES, "r");
	bool refused;

	while (f && getline(&line, &room, f) >= 0) {
		line[strcspn(line, "\n")] = '\0';
		text = strchr(line, ':');
		if (line[0] == '#' || !text)
			continue;
		*text = '\0';
		text += 2;
		refused = load(line, text);
		ok(refused && !strncmp(said, FILE_NAME ":", sizeof(FILE_NAME)),
		   "the scenario loader refuses %s: %s", line, text);
		golden(refused ? said : "valid", "%s: %s", line, text);
	}
	free(line);
	fclose(f);
}

int main(void)
{
	if (!getcwd(top, sizeof(top)) || !mkdtemp(dir))
		return 1;
	ok(!load("none", ""), "control: the scenario without a refused line is valid: %s", said);
	ok(!load("ports", "{port: v2, link: buffer 1MiB, prio: prio-pfc 3:on prio-headroom 3:64kb}"),
	   "a scenario with PFC and a buffer is valid: %s", said);
	ok(!load("do2", "link set v2 buffer 1MiB; prio set v2 prio-pfc 3:on"),
	   "a scenario in which two faults set up a buffer and PFC is valid: %s", said);
	ok(!load("expect", "port[p4].tx.bytes >= 0 B"),
	   "a scenario that reads a statistic of a switch port is valid: %s", said);
	ok(!load("do", "rule add v2 tx class write delay 5s"), "a scenario with a delay equal to max-hold is valid: %s", said);
	each_line();
	golden_compare("scenario_refusals.txt");
	if (!chdir(dir))
		unlink(FILE_NAME);
	rmdir(dir);
	return done_testing();
}
