/* SPDX-License-Identifier: GPL-2.0 */
/* The page of runs side by side, in the making. */
#ifndef RF_HTML_COMPARE_H
#define RF_HTML_COMPARE_H

#include "compare.h"
#include "html.h"

/* A, B, ... each in its colour */
struct rf_letter_keys {
	char words[RF_COMPARE_MAX][80];
	struct rf_key keys[RF_COMPARE_MAX + 1];
};

extern const char *const rf_run_looks[RF_COMPARE_MAX];
void rf_letters(const struct rf_compared *c, struct rf_letter_keys *k);
void rf_compare_heads(FILE *f, const struct rf_compared *c, const char *caption,
		      const char *first, const char *last);

/* a case that all have: html_compare_case.c */
void rf_html_compare_case(struct rf_html *h, const struct rf_compared *c,
			  const char *kase);
void rf_html_compare_steps(struct rf_html *h, const struct rf_compared *c,
			   const char *kase);

#endif
