// SPDX-License-Identifier: GPL-2.0
/*
 * What a stall costs: every GPU of a synchronous job waits, and each is paid
 * for by the hour.
 *
 *	dollars = stall seconds * GPUs * dollars per GPU and hour / 3600
 */
#include "run.h"
#include "units.h"

#define NS_PER_HOUR 3600e9
#define NS_PER_SEC 1000000000ull
#define MINUTES_A_DAY 1440
#define COUNTED_MAX 1e15	/* dollars: in cents they fit into 64 bits */

/** rf_cost - dollars for @ns during which @gpus wait, at @rate an hour each */
double rf_cost(uint64_t ns, uint32_t gpus, double rate)
{
	return (double)ns / NS_PER_HOUR * gpus * rate;
}

/**
 * rf_fmt_dollars - money; cents, and below one cent two figures
 * @dollars: how much
 * @buf: where to write
 *
 * Return: @buf.
 */
char *rf_fmt_dollars(double dollars, char buf[32])
{
	char whole[32];
	uint64_t cents;

	if (dollars > 0 && dollars < 0.01) {
		snprintf(buf, 32, "$%.2g", dollars);
		if (dollars >= 0.00001)
			snprintf(buf, 32, "$%.5f", dollars);
		return buf;
	}
	if (dollars >= COUNTED_MAX) {
		snprintf(buf, 32, "$%.3g", dollars);
		return buf;
	}
	cents = dollars * 100 + 0.5;
	snprintf(buf, 32, "$%.22s.%02u", rf_fmt_count(cents / 100, whole),
		 (unsigned int)(cents % 100));
	return buf;
}

static void cost_row(FILE *f, const struct rf_price *price, uint32_t gpus,
		     uint64_t ns)
{
	double once = rf_cost(ns, gpus, price->rate);
	char n[32], second[32], stall[32], day[32];

	fprintf(f, "  %10s %18s %18s %32s\n", rf_fmt_count(gpus, n),
		rf_fmt_dollars(rf_cost(NS_PER_SEC, gpus, price->rate), second),
		rf_fmt_dollars(once, stall),
		rf_fmt_dollars(once * MINUTES_A_DAY, day));
}

/**
 * rf_page_cost - the table of what a stall costs
 * @f: where to
 * @price: how many GPUs, and their rate
 * @stall_ns: the stall
 */
void rf_page_cost(FILE *f, const struct rf_price *price, uint64_t stall_ns)
{
	char rate[32], stall[RF_FMT_LEN];
	size_t i;

	fprintf(f, "\n  What a stall of %s costs a job of so many GPUs, at %s per GPU and hour\n",
		rf_fmt_time(stall_ns, stall),
		rf_fmt_dollars(price->rate, rate));
	fprintf(f, "  %10s %18s %18s %32s\n", "GPUs", "1 s of them all",
		"this stall", "one each minute, after a day");
	for (i = 0; i < price->ngpus; i++)
		cost_row(f, price, price->gpus[i], stall_ns);
}
