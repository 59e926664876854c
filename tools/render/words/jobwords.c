// SPDX-License-Identifier: GPL-2.0
/* Description of a job: collective, size and queue pairs */
#include <string.h>

#include "units.h"
#include "words.h"

static void say_processes(const struct rf_processes *all, char *buf, size_t len)
{
	size_t i;
	int n;

	if (!all->listed) {
		snprintf(buf, len, "the command %s", all->p->run);
		return;
	}
	n = snprintf(buf, len, "the processes");
	for (i = 0; i < all->n && n < (int)len; i++)
		n += snprintf(buf + n, len - n, "%s %s", i ? "," : "", all->p[i].name);
}

static void say_work(const struct rf_workload *w, char *buf, size_t len)
{
	char size[RF_FMT_LEN], of[RF_FMT_LEN + 8] = "";

	if (w->kind == RF_WORK_COMMAND) {
		say_processes(&w->processes, buf, len);
		return;
	}
	if (w->size)
		snprintf(of, sizeof(of), " of %s", rf_fmt_size(w->size, size));
	if (w->kind == RF_WORK_TRAIN)
		snprintf(buf, len, "training%s%s", w->parallel ? ", " : "",
			 w->parallel ? w->parallel : "");
	else
		snprintf(buf, len, "%s%s", w->collective, of);
}

static void say_extent(const struct rf_workload *w, char *buf, size_t len)
{
	char compute[RF_FMT_LEN], things[RF_THINGS_LEN], placement[RF_PLACEMENT_TEXT];
	int n = 0;

	buf[0] = '\0';
	if (w->ranks)
		n += snprintf(buf + n, len - n, " over %s", rf_fmt_things(w->ranks, "rank", things));
	if (w->placement.how)
		n += snprintf(buf + n, len - n, ", placement %s",
			      rf_placement_text(&w->placement, placement));
	if (w->steps)
		n += snprintf(buf + n, len - n, ", %s", rf_fmt_things(w->steps, "step", things));
	if (w->steps && w->compute_ns)
		n += snprintf(buf + n, len - n, ", each with %s of computing",
			      rf_fmt_time(w->compute_ns, compute));
	if (w->options)
		snprintf(buf + n, len - n, ", with %.64s", w->options);
}

/**
 * rf_job_sentence - describe a job in one sentence
 * @w: the workload
 * @qp: attributes of its queue pairs
 * @buf: output buffer
 * @len: size of @buf
 *
 * Return: @buf.
 */
char *rf_job_sentence(const struct rf_workload *w, const struct rf_qp_attr *qp,
		      char *buf, size_t len)
{
	char work[160], extent[192], background[192] = "", timer[RF_FMT_LEN];
	int n = w->name ? snprintf(buf, len, "%s: ", w->name) : 0;

	if (w->background)
		snprintf(background, sizeof(background), "; background: %s", w->background);
	say_work(w, work, sizeof(work));
	say_extent(w, extent, sizeof(extent));
	if (w->kind == RF_WORK_COMMAND)
		snprintf(buf + n, len - n, "%s%s%s", work, extent, background);
	else
		snprintf(buf + n, len - n,
			 "%s%s; QPs: MTU %u, retry_cnt %u, timeout %u, that is 4.096 us * 2^%u = %s%s",
			 work, extent, qp->mtu, qp->retry_cnt, qp->timeout,
			 qp->timeout, rf_fmt_time(rf_qp_timeout_ns(qp->timeout), timer),
			 background);
	return buf;
}
