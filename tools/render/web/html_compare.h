/* SPDX-License-Identifier: GPL-2.0 */
/* Declarations shared by the files that write the comparison page. */
#ifndef RF_HTML_COMPARE_H
#define RF_HTML_COMPARE_H

#include "html.h"
#include "tools/analysis/analysis.h"

/* Legend: the letter and color of each run */
struct rf_letter_keys {
	char words[RF_COMPARED][80];
	struct rf_key keys[RF_COMPARED + 1];
};

extern const char *const rf_run_looks[RF_COMPARED];
void rf_letters(const struct rf_compared *c, struct rf_letter_keys *k);
void rf_compare_heads(FILE *f, const char *caption, const char *first,
		      const char *last);

/* One case that both runs have: html_compare_case.c, html_compare_steps.c */
void rf_compare_case_json(struct json_object *figures, const struct rf_compared *c,
			  const char *case_name);
void rf_html_compare_case(struct rf_html *h, const struct rf_compared *c,
			  const char *case_name);
void rf_html_compare_steps(struct rf_html *h, const struct rf_compared *c,
			   const char *case_name);

#endif
