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
#include "analysis.h"

#define NS_PER_HOUR 3600e9
#define DAY_NS 86400e9

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
