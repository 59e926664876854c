// SPDX-License-Identifier: GPL-2.0
/* Print what a stall costs. */
#include "page.h"
#include "tools/analysis/analysis.h"
#include "units.h"

#define NS_PER_SEC 1000000000ull

static void cost_row(FILE *f, const struct rf_price *price, uint32_t gpus,
		     uint64_t ns)
{
	double once = rf_cost(ns, gpus, price->rate);
	char n[32], second[32], stall[32], day[32];

	fprintf(f, "  %8s %16s %16s %32s\n", rf_fmt_count(gpus, n),
		rf_fmt_dollars(rf_cost(NS_PER_SEC, gpus, price->rate), second),
		rf_fmt_dollars(once, stall),
		rf_fmt_dollars(rf_cost_of_day(ns, gpus, price->rate, price->every_ns),
			       day));
}

/**
 * rf_page_cost - print the cost table of a stall
 * @f: output stream
 * @price: number of GPUs and their rate
 * @stall_ns: duration of the stall
 */
void rf_page_cost(FILE *f, const struct rf_price *price, uint64_t stall_ns)
{
	char rate[32], stall[RF_FMT_LEN], every[RF_FMT_LEN], day[64];
	size_t i;

	fprintf(f, "\n  Cost of a stall of %s, at %s per GPU and hour\n",
		rf_fmt_time(stall_ns, stall),
		rf_fmt_dollars(price->rate, rate));
	snprintf(day, sizeof(day), "per day, 1 stall every %s",
		 rf_fmt_time(price->every_ns, every));
	fprintf(f, "  %8s %16s %16s %32s\n", "GPUs", "stall of 1 s",
		"this stall", day);
	for (i = 0; i < price->ngpus; i++)
		cost_row(f, price, price->gpus[i], stall_ns);
}
