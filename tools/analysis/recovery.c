// SPDX-License-Identifier: GPL-2.0
/*
 * Find out when a lost packet was delivered. This is the time of the first retransmission
 * that no fault removed. If all transmissions of a packet were lost, the packet has no
 * recovery time.
 */
#include <string.h>

#include "analyse.h"

static bool has_action(const struct rf_event *hit, uint32_t action)
{
	uint32_t i;

	for (i = 0; i < hit->count; i++)
		if (hit->types[i] == action && rf_event_changed(hit, i))
			return true;
	return hit->action == action && rf_event_changed(hit, 0);
}

/**
 * rf_loss_takes_away - check whether a fault keeps a packet from its receiver
 * @hit: the hit
 *
 * Return: true if the fault dropped the packet, sent a forged response on behalf of the
 * receiver, or changed the packet so that the receiver drops it.
 */
bool rf_loss_takes_away(const struct rf_event *hit)
{
	if (!hit->fault)
		return false;
	if (has_action(hit, RDMAFAULT_ACTION_DROP) ||
	    has_action(hit, RDMAFAULT_ACTION_BLACKHOLE) ||
	    has_action(hit, RDMAFAULT_ACTION_NAK) ||
	    has_action(hit, RDMAFAULT_ACTION_RNR))
		return true;
	return hit->taken == RF_TAKEN_NOT &&
	       (has_action(hit, RDMAFAULT_ACTION_CORRUPT) ||
		has_action(hit, RDMAFAULT_ACTION_TRUNCATE));
}

/**
 * rf_first_loss - get the loss that the metrics of a case describe
 * @an: the analysis of a case with hits
 *
 * A hit need not be a loss: a packet can be marked, delayed or only observed.
 *
 * Return: the first hit that kept its packet from the receiver; the first hit if none did.
 */
const struct rf_loss *rf_first_loss(const struct rf_analysis *an)
{
	size_t i;

	for (i = 0; i < an->nlosses; i++)
		if (rf_loss_takes_away(an->losses[i].hit))
			return &an->losses[i];
	return an->losses;
}

/*
 * Check whether @e retransmits the lost packet. If an ACK was lost, check whether @e
 * retransmits the packet that the lost ACK acknowledged.
 */
static bool is_transmission(const struct rf_loss *loss, const struct rf_event *e)
{
	if (e->psn != loss->hit->psn || !rf_event_is_retransmission(e))
		return false;
	if (!rf_loss_of_answer(loss))
		return rf_event_same_flow(e, loss->hit);
	return loss->qp && e->qp == loss->qp->qpn &&
	       !memcmp(e->daddr, loss->hit->saddr, 16) &&
	       !memcmp(e->saddr, loss->hit->daddr, 16);
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
	return hit->fault && has_action(hit, RDMAFAULT_ACTION_BLACKHOLE);
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
	return !l->first && l->hit->attempt < 2 && !rf_loss_of_answer(l) &&
	       rf_loss_takes_away(l->hit) && !rf_record_has_holes(rec);
}

/*
 * Check whether the fault of event @e removed the packet whose transmission is event @sent. If
 * both events are at the same port and direction, compare flow, PSN and attempt. Otherwise,
 * compare only flow and PSN: a port counts only the transmissions that reach it, so the same
 * transmission can have different attempt numbers at different ports.
 */
static bool is_lost_by(const struct rf_loss *loss, const struct rf_event *sent,
		       const struct rf_event *e)
{
	if (!rf_loss_takes_away(e))
		return false;
	if (rf_loss_of_answer(loss) && rf_event_same_flow(e, loss->hit) &&
	    rf_psn_diff(e->psn, loss->hit->psn) >= 0)
		return true;
	if (e->psn != sent->psn || !rf_event_same_flow(e, sent))
		return false;
	return e->dir != sent->dir || strcmp(e->dev, sent->dev) ||
	       e->attempt == sent->attempt;
}

/**
 * rf_loss_find_recovery - find the transmission that delivered a lost packet
 * @ev: the events
 * @loss: the loss; its retransmissions have been found
 *
 * Return: the first transmission after the hit that no fault removed;
 * NULL if there was none.
 */
const struct rf_event *rf_loss_find_recovery(const struct rf_events *ev,
					     const struct rf_loss *loss)
{
	const struct rf_event *e, *sent = NULL;

	for (e = loss->again; e && e < ev->e + ev->n; e++) {
		if (sent && is_lost_by(loss, sent, e))
			sent = NULL;
		if (!is_transmission(loss, e) || strcmp(e->dev, loss->again->dev))
			continue;
		if (sent && e->attempt != sent->attempt)
			break;
		sent = sent ? sent : e;
	}
	return sent;
}

static const char *why_never_delivered(const struct rf_loss *l)
{
	if (rf_loss_of_answer(l))
		return "the acknowledgment was never delivered";
	if (!rf_event_is_request(l->hit))
		return "retransmissions of responses are not recorded";
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
	if (l->found != RF_DETECTED_NOT || l->covered || !rf_loss_takes_away(l->hit))
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
	if (l->recovery)
		return NULL;
	if (l->covered)
		return "the next ACK also acknowledged the packets of the lost ACK";
	if (!rf_loss_takes_away(l->hit))
		return "the packet was not lost, and not retransmitted";
	return why_never_delivered(l);
}
