// SPDX-License-Identifier: GPL-2.0
/*
 * What a stall costs: every GPU of a synchronous job waits, and each is paid
 * for by the hour.
 *
 *	dollars = stall seconds * GPUs * dollars per GPU and hour / 3600
 *
 * How often it happens was not measured. A day's costs assume a stall in each
 * rf_price.every_ns, which is printed with them.
 */
#include "run.h"
#include "units.h"

#define NS_PER_HOUR 3600e9
#define NS_PER_SEC 1000000000ull
#define DAY_NS 86400e9
#define COUNTED_MAX 1e15	/* dollars: in cents they fit into 64 bits */

/** rf_cost - dollars for @ns during which @gpus wait, at @rate an hour each */
double rf_cost(uint64_t ns, uint32_t gpus, double rate)
{
	return (double)ns / NS_PER_HOUR * gpus * rate;
}

/**
 * rf_cost_of_day - dollars of a day that has such a stall again and again
 * @ns: the stall
 * @gpus: how many wait
 * @rate: dollars per GPU and hour
 * @every_ns: there is one in this time
 *
 * Return: the dollars; stalls that leave no time between them cost the day.
 */
double rf_cost_of_day(uint64_t ns, uint32_t gpus, double rate, uint64_t every_ns)
{
	return rf_cost(DAY_NS * (ns < every_ns ? (double)ns / every_ns : 1), gpus, rate);
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
		rf_fmt_dollars(rf_cost_of_day(ns, gpus, price->rate, price->every_ns),
			       day));
}

/**
 * rf_page_cost - the table of what a stall costs
 * @f: where to
 * @price: how many GPUs, and their rate
 * @stall_ns: the stall
 */
void rf_page_cost(FILE *f, const struct rf_price *price, uint64_t stall_ns)
{
	char rate[32], stall[RF_FMT_LEN], every[RF_FMT_LEN], day[64];
	size_t i;

	fprintf(f, "\n  Cost of a stall of %s, at %s per GPU and hour\n",
		rf_fmt_time(stall_ns, stall),
		rf_fmt_dollars(price->rate, rate));
	snprintf(day, sizeof(day), "a day, one stall per %s",
		 rf_fmt_time(price->every_ns, every));
	fprintf(f, "  %10s %18s %18s %32s\n", "GPUs", "1 s of all GPUs",
		"this stall", day);
	for (i = 0; i < price->ngpus; i++)
		cost_row(f, price, price->gpus[i], stall_ns);
}
