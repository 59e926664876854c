// SPDX-License-Identifier: GPL-2.0
/*
 * Styles and scripts of the page. Our own files are part of the program. The files of
 * uPlot, a chart library, are read when a page is written. The content security policy of
 * the page lists the hashes of these files, so a browser refuses all other styles and
 * scripts.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "html.h"
#include "sha256.h"

#define ASSET_MAX (1u << 20)

/* Embed a file of this directory. The Makefile lists the file as a dependency. */
#define EMBED(name, file)						\
	__asm__(".section .rodata\n"					\
		".global " #name "\n" #name ":\n"			\
		".incbin \"tools/report/" file "\"\n"			\
		".global " #name "_end\n" #name "_end:\n"		\
		".byte 0\n.previous\n")

EMBED(rf_report_css, "report.css");
EMBED(rf_report_js, "report.js");

/*
 * Load a file of uPlot. Refuse a file that contains "</", because this would end the HTML
 * element.
 */
static char *load(const char *dir, const char *name, size_t *len)
{
	char path[PATH_MAX], *text = NULL;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "re");
	if (!f)
		return NULL;
	text = malloc(ASSET_MAX);
	*len = text ? fread(text, 1, ASSET_MAX - 1, f) : 0;
	fclose(f);
	if (text)
		text[*len] = '\0';
	if (text && *len && *len < ASSET_MAX - 1 && strlen(text) == *len &&
	    !strstr(text, "</"))
		return text;
	free(text);
	return NULL;
}

/**
 * rf_assets_load - read the files of uPlot, if installed
 * @a: filled in
 * @dir: the directory with uPlot's files
 */
void rf_assets_load(struct rf_assets *a, const char *dir)
{
	size_t len;

	*a = (struct rf_assets){ };
	a->uplot_js = load(dir, "uPlot.iife.min.js", &a->uplot_js_len);
	a->uplot_css = load(dir, "uPlot.min.css", &a->uplot_css_len);
	a->licence = load(dir, "LICENSE", &len);
	if (!a->uplot_js || !a->uplot_css || !a->licence)
		rf_assets_free(a);
}

/** rf_assets_free - free the files */
void rf_assets_free(struct rf_assets *a)
{
	free(a->uplot_js);
	free(a->uplot_css);
	free(a->licence);
	*a = (struct rf_assets){ };
}

static void put_hash(FILE *f, const char *text, size_t len)
{
	char sum[RF_SHA256_BASE64_LEN];

	fprintf(f, " 'sha256-%s'", rf_sha256_base64(text, len, sum));
}

static void put_element(FILE *f, const char *name, const char *text, size_t len)
{
	fprintf(f, "<%s>", name);
	fwrite(text, 1, len, f);
	fprintf(f, "</%s>\n", name);
}

/**
 * rf_assets_head - write the content security policy and the styles
 * @a: the assets
 * @f: output stream
 */
void rf_assets_head(const struct rf_assets *a, FILE *f)
{
	size_t css_len = rf_report_css_end - rf_report_css;

	fputs("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; form-action 'none'; style-src",
	      f);
	put_hash(f, rf_report_css, css_len);
	if (a->uplot_css)
		put_hash(f, a->uplot_css, a->uplot_css_len);
	fputs("; script-src", f);
	put_hash(f, rf_report_js, rf_report_js_end - rf_report_js);
	if (a->uplot_js)
		put_hash(f, a->uplot_js, a->uplot_js_len);
	fputs("\">\n", f);
	if (a->uplot_css)
		put_element(f, "style", a->uplot_css, a->uplot_css_len);
	put_element(f, "style", rf_report_css, css_len);
}

/**
 * rf_assets_scripts - write the scripts
 * @a: the assets
 * @f: output stream
 */
void rf_assets_scripts(const struct rf_assets *a, FILE *f)
{
	if (a->uplot_js)
		put_element(f, "script", a->uplot_js, a->uplot_js_len);
	put_element(f, "script", rf_report_js,
		    rf_report_js_end - rf_report_js);
}
