// SPDX-License-Identifier: GPL-2.0
/*
 * The HTML file: head, content, data of the figures, scripts.
 *
 * The page loads nothing. Its content security policy lists the hashes of all allowed
 * scripts. Without scripts the page shows the same figures as drawings.
 */
#include <errno.h>
#include <json-c/json.h>
#include <string.h>

#include "err.h"
#include "html.h"

static void put_head(const struct rf_html *h, const char *title)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
	      h->f);
	rf_assets_head(h->assets, h->f);
	fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
	      h->f);
	rf_html_text(h->f, title);
	fputs("</title>\n</head>\n<body>\n<main>\n", h->f);
}

/** rf_html_drawn_by - write the program version and whether figures can be zoomed */
void rf_html_drawn_by(const struct rf_html *h)
{
	fputs("<dt>drawn by</dt><dd>", h->f);
	rf_html_say(h->f, "rdmafault " RF_VERSION "%s",
		    h->assets->uplot_js ? ", with uPlot (MIT licence); drag over a figure to zoom, double-click to reset" :
		    "; no zoom, because uPlot was not installed");
	fputs("</dd>\n", h->f);
}

/** rf_html_licence - write the licence of uPlot if the page contains it */
void rf_html_licence(const struct rf_html *h)
{
	if (!h->assets->licence)
		return;
	fputs("<details><summary>uPlot's licence</summary><pre>", h->f);
	rf_html_text(h->f, h->assets->licence);
	fputs("</pre></details>\n", h->f);
}

static void put_page(struct rf_html *h, const char *title,
		     void (*put)(struct rf_html *h, const void *what),
		     const void *what)
{
	put_head(h, title);
	put(h, what);
	fputs("</main>\n", h->f);
	rf_data_write(h->f, h->data);
	rf_assets_scripts(h->assets, h->f);
	fputs("</body>\n</html>\n", h->f);
}

/**
 * rf_html_file - write a page
 * @path: the file
 * @uplot: the directory with uPlot's files; without these files, the page has static
 *	figures
 * @title: title of the page
 * @put: function that writes the content
 * @what: passed to @put
 *
 * Return: 0, or -EIO after rf_err().
 */
int rf_html_file(const char *path, const char *uplot, const char *title,
		 void (*put)(struct rf_html *h, const void *what),
		 const void *what)
{
	struct rf_assets assets;
	struct rf_html h = { .f = fopen(path, "we"), .assets = &assets };
	int bad = 1;

	if (h.f) {
		h.data = json_object_new_object();
		rf_assets_load(&assets, uplot);
		put_page(&h, title, put, what);
		rf_assets_free(&assets);
		json_object_put(h.data);
		bad = fflush(h.f) || ferror(h.f);
		bad |= fclose(h.f);
	}
	if (!bad)
		return 0;
	rf_err("%s: %s", path, strerror(errno));
	return -EIO;
}
