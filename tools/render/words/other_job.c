// SPDX-License-Identifier: GPL-2.0
/* One sentence about another job than the first one of a case */
#include <stdio.h>
#include <string.h>

#include "units.h"
#include "words.h"

static void say_nodes(const struct rf_workload *w, char *buf, size_t len)
{
	uint32_t rank;
	int n = 0;

	for (rank = 0; rank < w->ranks && n < (int)len; rank++)
		n += snprintf(buf + n, len - n, "%s%u", rank ? ", " : "",
			      rf_workload_node(w, rank, 0));
}

/* Write how many packets of the job were hit, and how many it retransmitted. */
static void say_packets(const struct rf_analysis *an, char *buf, size_t len)
{
	char hits[RF_THINGS_LEN], again[RF_THINGS_LEN];
	int n = 0;

	if (an->nhits)
		n = snprintf(buf, len, "%s, ", rf_fmt_things(an->nhits, "hit", hits));
	snprintf(buf + n, len - n, "%s", rf_fmt_things(an->measure[RF_RETRANSMITTED],
						       "retransmitted packet", again));
}

/**
 * rf_other_job_text - describe another job of a case in one sentence
 * @other: the job, analysed
 * @buf: output buffer
 * @len: size of @buf
 *
 * Return: @buf.
 */
char *rf_other_job_text(const struct rf_run_case *other, char *buf, size_t len)
{
	const struct rf_workload *w = &other->test_case->workload;
	const struct rf_timeline *tl = &other->rec.tl;
	char nodes[256], packets[96], step[RF_FMT_LEN], steps[RF_THINGS_LEN];
	uint64_t ns = rf_case_step_ns(other);
	const char *why;
	uint32_t rank;
	int n;

	say_nodes(w, nodes, sizeof(nodes));
	say_packets(other->an, packets, sizeof(packets));
	n = snprintf(buf, len, "%s on nodes %s: %s", w->collective, nodes,
		     rf_fmt_things(tl->iters, "step", steps));
	if (ns && n < (int)len)
		n += snprintf(buf + n, len - n, ", %s each (median)", rf_fmt_time(ns, step));
	if (n < (int)len)
		n += snprintf(buf + n, len - n, "; %s", packets);
	why = rf_timeline_unfinished(tl, &rank);
	if (why && n < (int)len)
		snprintf(buf + n, len - n, "; failed: rank %u: %s", rank, why);
	return buf;
}
