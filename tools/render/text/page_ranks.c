// SPDX-License-Identifier: GPL-2.0
/* The ranks around the worst step, as text: one line per rank, one character per interval */
#include <json-c/json.h>
#include <string.h>

#include "page.h"
#include "tools/render/web/summary.h"
#include "tools/render/words/words.h"
#include "units.h"

typedef struct json_object *obj;

#define LEFT		10
#define COLUMNS		(RF_PAGE_WIDTH - LEFT)
#define RANKS_SHOWN	16

enum kind { NONE, TRANSFER, WAIT, WAITING, COMPUTE, BARRIER, KINDS };

static const struct {
	const char *name, *mark, *color;
} kinds[KINDS] = {
	[NONE] = { "", " ", "" },
	[TRANSFER] = { "transfer", "▒", "\033[34m" },
	[WAIT] = { "wait", "░", "\033[34m" },
	[WAITING] = { "waiting", "█", "\033[33m" },
	[COMPUTE] = { "compute", "·", "" },
	[BARRIER] = { "barrier", "-", "" },
};

static double figure_number(obj o, const char *key)
{
	return json_object_get_double(json_object_object_get(o, key));
}

static double time_of(obj span, size_t i)
{
	return json_object_get_double(json_object_array_get_idx(span, i));
}

static enum kind span_kind(obj span)
{
	const char *name = json_object_get_string(json_object_array_get_idx(span, 0));
	enum kind k = TRANSFER;

	while (k < BARRIER && strcmp(kinds[k].name, name))
		k++;
	return k;
}

/* Add the time of a part to the columns that it overlaps. */
static void add_to_columns(double share[][KINDS], enum kind k, double from, double to)
{
	size_t i;

	for (i = from > 0 ? from : 0; i < COLUMNS && i < to; i++)
		share[i][k] += (to < i + 1 ? to : i + 1) - (from > i ? from : i);
}

static void put_rank_columns(FILE *f, obj figure, obj rank)
{
	double from = figure_number(figure, "from_us");
	double width = (figure_number(figure, "to_us") - from) / COLUMNS;
	obj steps = json_object_object_get(rank, "steps"), spans, span;
	double share[COLUMNS][KINDS] = { };
	bool colored = rf_text_is_colored(f);
	enum kind k, most;
	size_t i, n;

	for (i = 0; i < json_object_array_length(steps); i++) {
		spans = json_object_object_get(json_object_array_get_idx(steps, i), "spans");
		for (n = 0; n < json_object_array_length(spans); n++) {
			span = json_object_array_get_idx(spans, n);
			add_to_columns(share, span_kind(span), (time_of(span, 1) - from) / width,
				       (time_of(span, 2) - from) / width);
		}
	}
	fprintf(f, "  rank %-3.0f", figure_number(rank, "rank"));
	for (i = 0; i < COLUMNS; i++) {
		most = NONE;
		for (k = TRANSFER; k < KINDS; k++)
			most = share[i][k] > share[i][most] ? k : most;
		fprintf(f, "%s%s%s", colored ? kinds[most].color : "", kinds[most].mark,
			colored && *kinds[most].color ? "\033[0m" : "");
	}
	fputc('\n', f);
}

/* Print the time during which ranks wait as a line below its columns, and the reason. */
static void put_silence_line(FILE *f, obj figure)
{
	double from = figure_number(figure, "from_us");
	double width = (figure_number(figure, "to_us") - from) / COLUMNS;
	obj silence = json_object_object_get(figure, "silence");
	char time[RF_FMT_LEN], text[256];
	const char *why;
	int a, b, i;

	if (!silence)
		return;
	a = (figure_number(silence, "from_us") - from) / width;
	b = (figure_number(silence, "to_us") - from) / width;
	a = a < 0 ? 0 : a;
	b = b >= COLUMNS ? COLUMNS - 1 : b;
	fprintf(f, "%*s%s", LEFT + a, "", b > a ? "└" : "│");
	for (i = a + 1; i < b; i++)
		fputs("─", f);
	fputs(b > a ? "┘\n" : "\n", f);
	why = json_object_get_string(json_object_object_get(silence, "why"));
	rf_fmt_time((uint64_t)((figure_number(silence, "to_us") -
				figure_number(silence, "from_us")) * 1000), time);
	snprintf(text, sizeof(text), "%s%s %s", time, strncmp(why, "until", 5) ? ":" : "", why);
	rf_text_wrap(f, "", LEFT, text);
}

/**
 * rf_page_ranks - print the ranks around the worst step of a case; nothing without steps
 * @f: output stream
 * @p: the case
 */
void rf_page_ranks(FILE *f, const struct rf_run_case *p)
{
	obj figure = rf_figure_ranks(p), ranks;
	char length[RF_FMT_LEN], text[160];
	double first, last;
	size_t i, n;

	if (!figure)
		return;
	rf_fmt_time((uint64_t)((figure_number(figure, "to_us") -
				figure_number(figure, "from_us")) * 1000), length);
	first = figure_number(figure, "first_step");
	last = figure_number(figure, "last_step");
	fprintf(f, "  Case \"%s\": step", p->label);
	if (first < last)
		fprintf(f, "s %.0f to", first);
	fprintf(f, " %.0f (%s), by rank\n", last, length);
	if (p->rec.tl.of_command)
		fprintf(f, "  %s in the collective  %s longer than in a clean step  %s between collectives\n",
			kinds[TRANSFER].mark, kinds[WAITING].mark, kinds[COMPUTE].mark);
	else
		fprintf(f, "  %s transfer  %s waiting  %s longer than in a clean step  %s computing  %s barrier\n",
			kinds[TRANSFER].mark, kinds[WAIT].mark, kinds[WAITING].mark,
			kinds[COMPUTE].mark, kinds[BARRIER].mark);
	ranks = json_object_object_get(figure, "ranks");
	n = json_object_array_length(ranks);
	for (i = 0; i < n && i < RANKS_SHOWN; i++)
		put_rank_columns(f, figure, json_object_array_get_idx(ranks, i));
	if (i < n)
		fprintf(f, "  report.html shows %zu more ranks.\n", n - i);
	put_silence_line(f, figure);
	if (*rf_first_wait_text(p, text, sizeof(text)))
		rf_text_wrap(f, "", LEFT, text);
	fputc('\n', f);
	json_object_put(figure);
}
