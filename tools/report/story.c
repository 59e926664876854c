// SPDX-License-Identifier: GPL-2.0
/* A play in one sentence or two, for somebody who has never seen one. */
#include <string.h>

#include "run.h"
#include "units.h"

static void who(const struct rf_loss *l, char *buf, size_t len)
{
	if (l->qp)
		snprintf(buf, len, "from rank %u to rank %u", l->qp->rank,
			 l->qp->peer);
	else
		snprintf(buf, len, "at port %s", l->hit->dev);
}

static void how(const struct rf_loss *l, char *buf, size_t len)
{
	const struct rf_event *found = l->found == RF_FOUND_NAK ? l->nak :
								  l->first;
	char after[RF_FMT_LEN];

	if (l->found == RF_FOUND_NOT) {
		snprintf(buf, len, "Nobody missed it.");
		return;
	}
	snprintf(buf, len, "%s after %s; go-back-N sent %llu packet%s again.",
		 l->found == RF_FOUND_NAK ? "The receiver asked for it by a NAK" :
		 "No NAK came: only the sender's timer found it,",
		 rf_fmt_time(found->t_ns - l->hit->t_ns, after),
		 (unsigned long long)l->packets, l->packets == 1 ? "" : "s");
}

/**
 * rf_stall_is_noise - could a step have taken so long without the fault?
 * @an: the analysis
 *
 * Return: true if some clean step took as long.
 */
bool rf_stall_is_noise(const struct rf_analysis *an)
{
	return an->step_ns <= an->clean_max_ns;
}

static void cost(const struct rf_analysis *an, char *buf, size_t len)
{
	bool all = an->measure[RF_STALL_EVERY_RANK] * 2 >= an->measure[RF_STALL];
	char now[RF_FMT_LEN], clean[RF_FMT_LEN];

	buf[0] = '\0';
	if (!an->step || !an->step_ns)
		return;
	snprintf(buf, len, " Step %u took %s instead of %s%s", an->step,
		 rf_fmt_time(an->step_ns, now),
		 rf_fmt_time(an->clean_ns, clean), rf_stall_is_noise(an) ?
		 ": no more than the slowest clean step." :
		 all ? ": every rank waited." : ".");
}

/**
 * rf_story - what happened in a play
 * @p: the play
 * @buf: where to write
 * @len: room there
 *
 * Return: @buf.
 */
char *rf_story(const struct rf_run_play *p, char *buf, size_t len)
{
	const struct rf_loss *l = p->an.losses;
	char whom[64], found[160], lost[RF_FMT_LEN], median[RF_FMT_LEN];
	char step[160];

	if (!p->an.nlosses) {
		snprintf(buf, len, "No packet was hit; a step took %s (median).",
			 rf_fmt_time(p->an.clean_ns, median));
		return buf;
	}
	who(l, whom, sizeof(whom));
	how(l, found, sizeof(found));
	cost(&p->an, step, sizeof(step));
	snprintf(lost, sizeof(lost), "%zu packets, the first",
		 p->an.nlosses);
	snprintf(buf, len, "The fault hit %s %s (%s, PSN +%u, step %u). %s%s",
		 p->an.nlosses == 1 ? "one packet" : lost, whom,
		 rf_event_opcode(l->hit), l->hit->psn_rel, l->hit->step, found,
		 step);
	return buf;
}
