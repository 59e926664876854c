// SPDX-License-Identifier: GPL-2.0
/*
 * The first loss of a case, and why a loss has no detection or no recovery time. The recovery
 * time ends with the first retransmission that was not lost. If all transmissions of a packet
 * were lost, the packet has no recovery time.
 */
#include "analyse.h"
#include "wire.h"

/**
 * rf_first_loss - get the loss that the metrics of a case describe
 * @an: the analysis of a case with hits
 *
 * A hit need not be a loss: a packet can be marked, delayed or only observed.
 *
 * Return: the first packet that was lost; the first hit if none was.
 */
const struct rf_loss *rf_first_loss(const struct rf_analysis *an)
{
	const struct rf_loss *l, *first = NULL;

	for (l = an->losses; l < an->losses + an->nlosses; l++)
		if (l->lost && (!first || l->hit->t_ns < first->hit->t_ns))
			first = l;
	return first ? first : an->losses;
}

/**
 * rf_loss_in_blackhole - check whether the packets after a hit were lost, too
 * @hit: the hit
 *
 * The port does not record the packets that a blackhole drops after the hit, so it is not
 * known whether the packet was retransmitted to this port.
 *
 * Return: true if the fault is a blackhole.
 */
bool rf_loss_in_blackhole(const struct rf_event *hit)
{
	return hit->fault && rf_event_has_action(hit, RDMAFAULT_ACTION_BLACKHOLE);
}

/**
 * rf_loss_is_final - check whether a lost packet of data was never repaired
 * @rec: the record of the case
 * @l: one of its losses
 *
 * Return: true if the first transmission was lost, and the record is complete and has no
 * retransmission of the packet.
 */
bool rf_loss_is_final(const struct rf_record *rec, const struct rf_loss *l)
{
	return !l->first && !l->early && l->hit->attempt < 2 && !rf_loss_of_answer(l) && l->lost &&
	       !rf_record_has_holes(rec);
}

static const char *why_never_delivered(const struct rf_loss *l)
{
	if (rf_loss_of_answer(l))
		return "the acknowledgment was never delivered";
	return "the packet was never delivered";
}

/**
 * rf_loss_why_not_detected - get the reason if detected_by has no value
 * @l: the loss
 *
 * The value of detected_by is "nothing" if no packet was lost, or if a later ACK also
 * acknowledged the packets of the lost ACK.
 *
 * Return: the reason; NULL if detected_by has a value.
 */
const char *rf_loss_why_not_detected(const struct rf_loss *l)
{
	if (l->found != RF_DETECTED_NOT || l->covered || !l->lost)
		return NULL;
	return why_never_delivered(l);
}

/**
 * rf_loss_why_not_recovered - get the reason if the recovery time has no value
 * @l: the loss
 *
 * Return: the reason; NULL if the recovery time has a value.
 */
const char *rf_loss_why_not_recovered(const struct rf_loss *l)
{
	if (!l->lost)
		return "the packet was not lost";
	if (l->covered)
		return "the next ACK also acknowledged the packets of the lost ACK";
	if (l->early)
		return "the packet had been retransmitted before it was lost";
	return l->recovery ? NULL : why_never_delivered(l);
}
