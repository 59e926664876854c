// SPDX-License-Identifier: GPL-2.0
/* Sentences about the machine of a run */
#include <json-c/json.h>
#include <string.h>

#include "json.h"
#include "tools/scenario/scenario.h"
#include "units.h"
#include "words.h"

#define NAMED_MAX 4		/* names of machines that have room in the sentence */

/* Add the names of the machines, and the error of times between them. */
static void add_machines(const struct rf_run *run, char *buf, size_t len)
{
	size_t i, n = json_object_array_length(run->machines), used = strlen(buf);
	uint64_t error = 0, one;
	char host[64], text[RF_FMT_LEN];

	used += snprintf(buf + used, len - used, ", on %zu machines", n);
	for (i = 0; i < n && n <= NAMED_MAX && used < len; i++) {
		rf_get_text(json_object_array_get_idx(run->machines, i), "host", host, sizeof(host));
		used += snprintf(buf + used, len - used, "%s%s", i ? ", " : ": ", host);
	}
	for (i = 0; i < run->ncases; i++) {
		one = rf_record_clock_error(&run->cases[i].rec);
		error = one > error ? one : error;
	}
	if (used < len)
		snprintf(buf + used, len - used, "; times between machines are known to ±%s",
			 rf_fmt_time(error, text));
}

/**
 * rf_environment_text - describe the machine of a run
 * @run: the run
 * @buf: output buffer
 * @len: size of @buf
 *
 * Return: @buf.
 */
char *rf_environment_text(const struct rf_run *run, char *buf, size_t len)
{
	static const char *const words[] = {
		[RF_TIME_UNKNOWN] = "",
		[RF_TIME_REAL] = ", real time",
		[RF_TIME_VIRTUAL] = ", virtual time (1 instruction = 1 ns)",
	};
	const struct rf_environment *env = &run->env;
	char cpus[RF_THINGS_LEN];

	snprintf(buf, len, "Linux %s, %s%s%s%s%s%s", run->kernel,
		 rf_fmt_things(run->cpus, "CPU", cpus), env->machine[0] ? ", " : "",
		 env->machine, env->cpu[0] ? " " : "", env->cpu, words[env->time]);
	if (run->machines)
		add_machines(run, buf, len);
	return buf;
}

/* Return: the first case without faults; NULL: there is none */
static const struct rf_run_case *find_clean_case(const struct rf_run *run)
{
	const struct rf_run_case *p;

	for (p = run->cases; p < run->cases + run->ncases; p++)
		if (rf_case_is_clean(p->test_case))
			return p;
	return NULL;
}

/**
 * rf_advice - warn if a busy machine affected a run
 * @run: the run, judged
 * @buf: output buffer
 * @len: size of @buf
 *
 * If the machine responds later than the retransmission timer allows, packets are
 * retransmitted without a loss. If the times of clean steps vary much, the impact of a
 * fault is uncertain. In virtual time, a busy host causes neither problem.
 *
 * Return: @buf, or NULL if there is no warning.
 */
char *rf_advice(const struct rf_run *run, char *buf, size_t len)
{
	static const char instead[] = "Run the scenario on a less busy machine, or in virtual time (scripts/lab, scripts/vm run --virtual-time)";
	const struct rf_run_case *clean = find_clean_case(run);
	char usual[RF_FMT_LEN], most[RF_FMT_LEN];

	if (!clean)
		return NULL;
	/* NAKs have another reason: packets were lost, or overtook others on other links. */
	if (clean->an->measure[RF_TIMEOUTS]) {
		if (run->env.time == RF_TIME_VIRTUAL)
			snprintf(buf, len, "packets were also retransmitted in the clean case: ACKs take longer than the retransmission timer of the QPs. Increase qp: timeout.");
		else
			snprintf(buf, len, "packets were also retransmitted in the clean case: ACKs take longer than the retransmission timer of the QPs. %s, or increase qp: timeout.",
				 instead);
		return buf;
	}
	if (run->verdict == RF_VERDICT_PASS || run->env.time == RF_TIME_VIRTUAL ||
	    clean->an->clean_max_ns <= 3 * clean->an->clean_ns / 2)
		return NULL;
	snprintf(buf, len, "clean steps take %s (median), but up to %s: the machine is busy, and expectations can fail for this reason. %s.",
		 rf_fmt_time(clean->an->clean_ns, usual),
		 rf_fmt_time(clean->an->clean_max_ns, most), instead);
	return buf;
}
