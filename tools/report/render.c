// SPDX-License-Identifier: GPL-2.0
/*
 * Every file of a run's directory but the two that all others are made of. A
 * new one is a line in the table here.
 */
#include <errno.h>
#include <string.h>

#include "err.h"
#include "export.h"
#include "run.h"

/**
 * rf_render_file - write a file, and tell if that failed
 * @path: the file
 * @run: what it is made of
 * @write: writes it; returns 0 or -errno
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_render_file(const char *path, const struct rf_run *run,
		   int (*write)(FILE *f, const struct rf_run *run))
{
	FILE *f = fopen(path, "we");
	int err = f ? 0 : -errno;

	errno = 0;
	if (!err)
		err = write(f, run);
	if (!err && ferror(f))
		err = errno ? -errno : -EIO;
	if (f && fclose(f) && !err)
		err = -errno;
	if (err)
		rf_err("%s: %s", path, strerror(-err));
	return err;
}

static int put_page(FILE *f, const struct rf_run *run)
{
	rf_page_write(f, run);
	return 0;
}

static int write_page(const char *path, const struct rf_run *run)
{
	return rf_render_file(path, run, put_page);
}

static const struct {
	const char *file;
	int (*write)(const char *path, const struct rf_run *run);
} outputs[] = {
	{ "summary.json", rf_summary_write },
	{ "page.txt", write_page },
	{ "report.html", rf_html_write },
	{ "trace.json", rf_export_trace },
	{ "metrics.prom", rf_export_metrics },
};

/**
 * rf_run_render - write the report of a run into its directory
 * @run: the run, analysed and judged, with at least one case
 *
 * Return: 0, or -errno of the first that failed, after rf_err().
 */
int rf_run_render(const struct rf_run *run)
{
	char path[PATH_MAX];
	int err = 0, now;
	size_t i;

	for (i = 0; i < sizeof(outputs) / sizeof(outputs[0]); i++) {
		if (snprintf(path, sizeof(path), "%s/%s", run->dir,
			     outputs[i].file) >= (int)sizeof(path))
			return -ENAMETOOLONG;
		now = outputs[i].write(path, run);
		err = err ? err : now;
	}
	return err;
}
