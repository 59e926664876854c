/* SPDX-License-Identifier: GPL-2.0 */
/* A valid scenario, and its variants that the tests of the loader of scenarios load */
#ifndef UNIT_SCENARIO_TEXT_H
#define UNIT_SCENARIO_TEXT_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "golden.h"
#include "said.h"
#include "tap.h"
#include "tools/scenario/load.h"

static const char good[] =
	"name: x\n"
	"title: X\n"
	"fabric: {nodes: 4}\n"
	"workload:\n"
	"  collective: all_reduce\n"
	"  ranks: 4\n"
	"  size: 256KiB\n"
	"  steps: 60\n"
	"qp: {timeout: 14}\n"
	"cases:\n"
	"  - name: clean\n"
	"  - name: lossy\n"
	"    faults:\n"
	"      - do: rule add v2 tx class write step 20 nth 3 drop\n"
	"    expect: [naks == 1, retransmitted in 1..128, stall >= 60ms, detected_by == nak]\n";

static inline int load_text(const char *text, struct rf_scenario *s)
{
	char path[] = "/tmp/scenario-XXXXXX";
	int fd = mkstemp(path), err;

	said[0] = '\0';
	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		return -EIO;
	close(fd);
	err = rf_scenario_load(path, s);
	unlink(path);
	return err;
}

/* Return: the valid scenario with @from replaced by @to */
static inline char *edited(const char *from, const char *to)
{
	const char *at = strstr(good, from);
	char *text = NULL;

	if (at && asprintf(&text, "%.*s%s%s", (int)(at - good), good, to,
			   at + strlen(from)) < 0)
		text = NULL;
	return text;
}

/* Return: the error message without file, line and column */
static inline const char *message(void)
{
	return said[0] ? strchrnul(said, ' ') + 1 : said;
}

static inline void refused(const char *from, const char *to, const char *where)
{
	char *text = edited(from, to);
	struct rf_scenario s = { };
	int err = text ? load_text(text, &s) : 0;

	ok(err == -EINVAL && strstr(said, where), "the scenario with \"%s\" instead of \"%s\" is refused at %s", to, from, where);
	golden(message(), "\"%s\" instead of \"%s\"", to, from);
	free(text);
}

/* Load the scenario with @fault, in YAML flow style, as the fault of the case "lossy". */
static inline int load_fault(const char *fault, struct rf_scenario *s)
{
	const char *from = strstr(good, "      - do: rule add v2");
	const char *to = strstr(good, "    expect:");
	char *text;
	int err;

	if (asprintf(&text, "%.*s      - {%s}\n%s", (int)(from - good), good,
		     fault, to) < 0)
		return -ENOMEM;
	err = load_text(text, s);
	free(text);
	return err;
}

#endif
