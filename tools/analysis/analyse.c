// SPDX-License-Identifier: GPL-2.0
/*
 * The analysis of a case. The only input is the record of the case (struct rf_record). So a
 * run that is read from files gives the same analysis as the live run.
 */
#include <errno.h>
#include <stdlib.h>

#include "analyse.h"

static void count_packets(const struct rf_record *rec, struct rf_analysis *an)
{
	const struct rf_events *ev = &rec->ev;
	const struct rf_event *e;

	for (e = ev->e; e < ev->e + ev->n; e++) {
		an->measure[RF_NAKS] += rf_event_is_nak(e);
		if (!rf_event_is_retransmission(e))
			continue;
		an->measure[RF_RETRANSMITTED]++;
		an->retransmitted_bytes += e->len;
	}
	an->measure[RF_TIMEOUTS] = rf_count_timeouts(ev);
}

static uint64_t count_wrong(const struct rf_timeline *tl, bool *unheard)
{
	uint64_t wrong = 0;
	uint32_t rank;

	for (rank = 0; rank < tl->ranks; rank++) {
		wrong += tl->end[rank].wrong;
		*unheard |= !tl->end[rank].seen;
	}
	return wrong;
}

/**
 * rf_analyse - analyse a case
 * @rec: the record of the case; must outlive @an
 * @clean: the record of the clean case (without faults) to compare with; can be @rec; NULL
 *	if no clean case has the same steps
 * @an: filled in; the caller frees it, also after an error
 *
 * Return: 0, or -ENOMEM.
 */
int rf_analyse(const struct rf_record *rec, const struct rf_record *clean,
	       struct rf_analysis *an)
{
	const struct rf_loss *first;
	int err;

	*an = (struct rf_analysis){ .holes = rf_record_has_holes(rec) };
	err = rf_losses_trace(rec, &an->losses, &an->nlosses);
	if (err)
		return err;
	count_packets(rec, an);
	an->measure[RF_HITS] = an->nlosses;
	an->measure[RF_WRONG] = count_wrong(&rec->tl, &an->unheard);
	an->measure[RF_SEND_ERRORS] = rf_record_counter(rec, RF_SEND_ERR);
	if (an->nlosses) {
		first = rf_first_loss(an);
		an->measure[RF_DETECTED_BY] = first->found;
		an->step = an->losses[0].hit->step;
		if (first->recovery)
			an->measure[RF_RECOVERY_TIME] = first->recovery->t_ns - first->hit->t_ns;
	}
	rf_stall(rec, clean, an);
	return rf_gbn_check(rec, &an->gbn);
}

/** rf_analysis_free - free an analysis */
void rf_analysis_free(struct rf_analysis *an)
{
	rf_gbn_free(&an->gbn);
	free(an->losses);
	*an = (struct rf_analysis){ };
}
