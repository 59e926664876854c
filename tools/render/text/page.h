/* SPDX-License-Identifier: GPL-2.0 */
/* The report as text, and its lines */
#ifndef RF_PAGE_H
#define RF_PAGE_H

#include "tools/analysis/analysis.h"
#include "tools/run/run.h"

/* page.c, compare_text.c: the pages of a run, and of two runs */
void rf_page_write(FILE *f, const struct rf_run *run);
void rf_compare_write(FILE *f, const struct rf_compared *c);

/* page_case.c, page_ranks.c, page_ports.c, page_cost.c: parts of the page of a run */
void rf_page_case(FILE *f, const struct rf_run *run,
		  const struct rf_run_case *p);
void rf_page_ranks(FILE *f, const struct rf_run_case *p);
void rf_page_ports(FILE *f, const struct rf_record *rec);
void rf_page_cost(FILE *f, const struct rf_price *price, uint64_t stall_ns);

/* text.c: lines of the text page */
#define RF_PAGE_WIDTH 80
bool rf_text_is_colored(FILE *f);
size_t rf_text_columns(const char *s);
void rf_text_wrap(FILE *f, const char *head, size_t indent, const char *text);
void rf_text_rule(FILE *f, const char *left, const char *right);

/* spark.c */
void rf_spark(FILE *f, const struct rf_timeline *tl, uint64_t max_ns);
size_t rf_spark_column(const struct rf_timeline *tl, uint32_t step);

#endif
