// SPDX-License-Identifier: GPL-2.0
/*
 * The cost of a stall: all GPUs of a synchronous job wait, and each GPU is paid by the
 * hour.
 *
 *	dollars = stall seconds * GPUs * dollars per GPU and hour / 3600
 *
 * How often a stall happens is not measured. The cost of a day assumes one stall per
 * rf_price.every_ns. This assumption is printed with the cost.
 */
#include "tools/run/run.h"
#include "units.h"

#define NS_PER_HOUR 3600e9
#define NS_PER_SEC 1000000000ull
#define DAY_NS 86400e9
#define COUNTED_MAX 1e15	/* in dollars; a smaller amount, in cents, fits into 64 bits */

/** rf_cost - compute the cost if @gpus wait for @ns, at @rate dollars per GPU and hour */
double rf_cost(uint64_t ns, uint32_t gpus, double rate)
{
	return (double)ns / NS_PER_HOUR * gpus * rate;
}

/**
 * rf_cost_of_day - compute the cost in dollars of the stalls of a day
 * @ns: duration of a stall
 * @gpus: number of GPUs that wait
 * @rate: dollars per GPU and hour
 * @every_ns: time between two stalls
 *
 * Return: the cost; at most the cost of GPUs that wait for 24 hours.
 */
double rf_cost_of_day(uint64_t ns, uint32_t gpus, double rate, uint64_t every_ns)
{
	return rf_cost(DAY_NS * (ns < every_ns ? (double)ns / every_ns : 1), gpus, rate);
}

/**
 * rf_fmt_dollars - format dollars; below one cent, with two significant digits
 * @dollars: the amount
 * @buf: output buffer
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
