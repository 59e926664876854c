// SPDX-License-Identifier: GPL-2.0
/*
 * The analysis of a case. The only input is the record of the case (struct rf_record). So a
 * run that is read from files gives the same analysis as the live run.
 */
#include <errno.h>
#include <stdlib.h>

#include "analysis.h"
#include "wire.h"

static void count_again(struct rf_analysis *an, const struct rf_passes *s)
{
	size_t i;

	for (i = 0; i < s->n; i++) {
		if (!s->p[i]->again)
			continue;
		an->measure[RF_RETRANSMITTED]++;
		an->retransmitted_bytes += s->p[i]->e->len;
	}
}

static void count_packets(const struct rf_wire *w, struct rf_analysis *an)
{
	const struct rf_conn *conn;
	const struct rf_pass *p;
	size_t i;

	for (p = w->pass; p < w->pass + w->n; p++)
		an->measure[RF_NAKS] += p->kind == RF_PASS_NAK && p->place == RF_AT_RECEIVER &&
					rf_pass_is_accepted(w, p);
	for (conn = w->conn; conn < w->conn + w->nconns; conn++) {
		count_again(an, &conn->requests);
		count_again(an, &conn->responses);
		for (i = 0; i < conn->restarts.n; i++)
			an->measure[RF_TIMEOUTS] += conn->restarts.r[i]->cause == RF_CAUSE_TIMEOUT;
	}
}

/* Set the measures of the first loss, and the step of the first hit. */
static void measure_first(struct rf_analysis *an)
{
	const struct rf_loss *first = rf_first_loss(an);

	if (!an->nlosses)
		return;
	an->step = an->nhits ? an->losses[0].hit->step : first->hit->step;
	if (first->lost)
		an->measure[RF_DETECTED_BY] = first->found;
	if (!rf_loss_why_not_recovered(first))
		an->measure[RF_RECOVERY_TIME] = first->recovery->t_ns - first->hit->t_ns;
}

static uint64_t count_wrong(const struct rf_timeline *tl, const char **no_sums)
{
	uint64_t wrong = 0;
	uint32_t rank;

	for (rank = 0; rank < tl->ranks; rank++) {
		wrong += tl->end[rank].wrong;
		if (!tl->end[rank].seen)
			*no_sums = "a rank left no result";
	}
	if (tl->of_command)
		*no_sums = rf_why_no_sums;
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
	struct rf_wire wire;
	int err;

	*an = (struct rf_analysis){ .holes = rf_record_has_holes(rec) };
	err = rf_wire_read(rec, &wire);
	if (!err)
		err = rf_losses_trace(&wire, an);
	if (!err)
		err = rf_gbn_check(&wire, &an->gbn);
	if (!err)
		err = rf_message_times(&wire, an);
	if (!err)
		count_packets(&wire, an);
	rf_wire_free(&wire);
	if (err)
		return err;
	an->measure[RF_HITS] = an->nhits;
	an->measure[RF_WRONG] = count_wrong(&rec->tl, &an->no_sums);
	an->no_rxe = rec->remote ? "the RDMA devices are on other machines" : NULL;
	an->measure[RF_SEND_ERRORS] = rf_record_counter(rec, RF_SEND_ERR);
	measure_first(an);
	rf_stall(rec, clean, an);
	return 0;
}

/** rf_analysis_free - free an analysis */
void rf_analysis_free(struct rf_analysis *an)
{
	rf_gbn_free(&an->gbn);
	free(an->messages.ns);
	free(an->flows.ns);
	free(an->losses);
	free(an->unhit);
	*an = (struct rf_analysis){ };
}
