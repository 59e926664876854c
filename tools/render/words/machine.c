// SPDX-License-Identifier: GPL-2.0
/* Sentences about the machine of a run */
#include "tools/scenario/scenario.h"
#include "units.h"
#include "words.h"

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
	if (clean->an->measure[RF_RETRANSMITTED]) {
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
