// SPDX-License-Identifier: GPL-2.0
/* rdmafault cost --published */
#include <stdio.h>

#include "cost_published.h"
#include "err.h"
#include "out.h"
#include "tools/report/reckon.h"
#include "tools/report/run.h"

static enum rf_agreement print_figure(const struct rf_figure *f)
{
	double v;
	enum rf_agreement is = rf_figure_check(f, &v);
	char text[RF_RECKON_LEN];

	rf_out_push_object(NULL);
	rf_out_str("page", "%-10s ", f->page);
	rf_out_str("what", "%-46s ", f->what);
	rf_out_str("printed", "%9s ", f->printed);
	rf_out_real("printed_value", f->value);
	rf_out_real("reckoned", v);
	rf_out_text("%12s  ", rf_figure_format(f, v, text));
	rf_out_str("unit", NULL, f->unit);
	rf_out_str("result", "%s\n", rf_agreement_name(is));
	if (f->note)
		rf_out_str("note", "           %s\n", f->note);
	rf_out_pop();
	return is;
}

static void print_figures(void)
{
	size_t agree = 0, i;

	rf_out_text("%-10s %-46s %9s %12s\n", "page", "figure", "printed",
		    "reckoned");
	rf_out_push_array("figures");
	for (i = 0; i < rf_nfigures; i++)
		agree += print_figure(&rf_figures[i]) == RF_AGREES;
	rf_out_pop();
	rf_out_text("\n%zu figures, of which %zu agree to the last place printed\n",
		    rf_nfigures, agree);
}

static void print_slips(void)
{
	size_t i;

	rf_out_text("\nAnd where they contradict each other, or what happens:\n");
	rf_out_push_array("contradictions");
	for (i = 0; i < rf_nslips; i++) {
		rf_out_push_object(NULL);
		rf_out_str("pages", NULL, rf_slips[i].pages);
		rf_out_str("text", NULL, rf_slips[i].text);
		rf_out_pop();
		if (!rf_json)
			rf_text_wrap(stdout, rf_slips[i].pages, 15, rf_slips[i].text);
	}
	rf_out_pop();
}

/**
 * rf_print_published - the figures of pages, and what they should be
 */
void rf_print_published(void)
{
	rf_out_begin_object();
	print_figures();
	print_slips();
	rf_out_text("\nwhy: Why the Network Matters; what: What AI Does to Your Network;\n"
		    "opt: AI-Optimized Networking; arrcus: Arrcus' blog, September 30, 2025\n");
	rf_out_end();
}
