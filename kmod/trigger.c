// SPDX-License-Identifier: GPL-2.0
/*
 * Decides which of the packets that match a rule are hit. Nothing but the
 * order of the matching packets enters, so the same packets in the same order
 * give the same hits.
 */
#include "trigger.h"

/**
 * rf_trigger_fires - count a matching packet and decide about it
 * @trigger: the rule's trigger
 * @tally: the rule's tally, brought up to date; the caller serialises
 *
 * Context: any.
 * Return: true if the packet is hit.
 */
bool rf_trigger_fires(const struct rf_trigger *trigger, struct rf_tally *tally)
{
	tally->matched++;
	if (RF_TRIGGER_HAS(trigger, NTH) && tally->matched != trigger->nth) {
		tally->missed[RF_MISS_ORDER]++;
		return false;
	}
	if (RF_TRIGGER_HAS(trigger, COUNT) && tally->hits >= trigger->count) {
		tally->missed[RF_MISS_COUNT]++;
		return false;
	}
	tally->hits++;
	return true;
}
