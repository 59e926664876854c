// SPDX-License-Identifier: GPL-2.0
/*
 * The files of a report directory that are generated from the record of the run. Some files
 * are always written. The option --formats selects others.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "err.h"
#include "render.h"
#include "tools/render/export/export.h"
#include "tools/render/text/page.h"
#include "tools/render/web/summary.h"

static int put_text_page(FILE *f, const struct rf_run *run)
{
	rf_page_write(f, run);
	return 0;
}

static int write_page(const char *path, const struct rf_run *run)
{
	return rf_render_file(path, run, put_text_page);
}

static const struct output {
	const char *file;
	int (*write)(const char *path, const struct rf_run *run);
	const char *format;		/* in --formats; NULL: always written */
} outputs[] = {
	{ "summary.json", rf_summary_write, NULL },
	{ "page.txt", write_page, NULL },
	{ "trace.json", rf_export_trace, "trace" },
	{ "report.html", rf_html_write, NULL },		/* links to trace.json */
	{ "metrics.prom", rf_export_metrics, "metrics" },
	{ "junit.xml", rf_export_junit, "junit" },
};

#define OUTPUTS (sizeof(outputs) / sizeof(outputs[0]))

static uint32_t format_of(const char *word)
{
	uint32_t found = 0;
	size_t i;

	for (i = 0; i < OUTPUTS; i++)
		if (outputs[i].format && (!strcmp(word, outputs[i].format) ||
					  !strcmp(word, "all")))
			found |= 1u << i;
	return found;
}

/**
 * rf_formats_parse - read the value of --formats
 * @list: names of formats, separated by commas
 * @formats: the formats are added to this set
 *
 * Return: NULL, or the valid form if a name is not known.
 */
const char *rf_formats_parse(const char *list, uint32_t *formats)
{
	char word[16];
	uint32_t found;
	size_t len;

	do {
		len = strcspn(list, ",");
		snprintf(word, sizeof(word), "%.*s", (int)len, list);
		found = format_of(word);
		if (!found)
			return "trace, metrics, junit, several with commas, or all";
		*formats |= found;
		list += len;
	} while (*list++);
	return NULL;
}

/*
 * Check whether an output file must be written. If an earlier report left the file in the
 * directory, it is written again, so that the directory contains no outdated file.
 */
static bool is_output_due(const char *path, const struct output *o, uint32_t formats)
{
	return !o->format || formats & 1u << (o - outputs) || !access(path, F_OK);
}

/**
 * rf_run_render - write the report of a run into its directory
 * @run: the run, analysed and judged; if no case was run, only junit.xml is written
 * @formats: the additional files, see rf_formats_parse(); additional files that already
 *	exist in the directory are also written
 *
 * Return: 0, or -errno of the first error after rf_err().
 */
int rf_run_render(const struct rf_run *run, uint32_t formats)
{
	const struct output *o;
	char path[PATH_MAX];
	int err = 0, now;

	for (o = outputs; o < outputs + OUTPUTS; o++) {
		if (!run->ncases && o->write != rf_export_junit)
			continue;
		if (snprintf(path, sizeof(path), "%s/%s", run->dir, o->file) >=
		    (int)sizeof(path))
			return -ENAMETOOLONG;
		if (!is_output_due(path, o, formats))
			continue;
		now = o->write(path, run);
		err = err ? err : now;
	}
	return err;
}
