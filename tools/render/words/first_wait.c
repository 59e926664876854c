// SPDX-License-Identifier: GPL-2.0
/* The sentence about the rank that waited first in a case */
#include "tools/analysis/analysis.h"
#include "units.h"
#include "words.h"

/* Write what a rank waited for: "data from rank 1" */
static void say_awaited(const struct rf_wait_span *w, char *buf, size_t len)
{
	if (w->peer == UINT32_MAX)
		snprintf(buf, len, "%s", rf_wait_kind_text(w->kind));
	else if (w->kind == RF_WAIT_SYNC)
		snprintf(buf, len, "rank %u at the barrier", w->peer);
	else
		snprintf(buf, len, "%s from rank %u", rf_wait_kind_text(w->kind), w->peer);
}

/**
 * rf_first_wait_text - say which rank waited first, for which rank, and how long
 * @p: the case
 * @buf: output buffer
 * @len: size of @buf
 *
 * Return: @buf; empty if this is not known.
 */
char *rf_first_wait_text(const struct rf_run_case *p, char *buf, size_t len)
{
	char cause[64], time[RF_FMT_LEN];
	struct rf_first_wait first;

	buf[0] = '\0';
	if (!rf_first_wait(p, &first))
		return buf;
	say_awaited(&first.wait, cause, sizeof(cause));
	snprintf(buf, len, "In step %u, rank %u waited first: %s for %s.", first.step, first.rank,
		 rf_fmt_time(first.wait.end_ns - first.wait.start_ns, time), cause);
	return buf;
}
