// SPDX-License-Identifier: GPL-2.0
/*
 * The agenda of a case. Steps are announced by the job and can only be looked
 * for; times are known. What is due at once is done in the order of the file,
 * but ends go before begins: a setting is put back before it is set anew.
 */
#include <errno.h>
#include <stdlib.h>

#include "agenda.h"

#define LOOK_NS 5000000ull		/* how often a step is looked for */

static void add(struct rf_agenda *a, size_t fault, const struct rf_when *when,
		bool undo)
{
	a->item[a->n++] = (struct rf_item){
		.fault = fault, .undo = undo, .clock = when->clock,
		.at = undo ? when->end : when->begin,
	};
}

/**
 * rf_agenda_make - what is to be done in a case
 * @kase: the case
 * @a: gets it, to be freed
 *
 * Return: 0, or -ENOMEM.
 */
int rf_agenda_make(const struct rf_case *kase, struct rf_agenda *a)
{
	const struct rf_when *when;
	size_t i;

	*a = (struct rf_agenda){
		.item = calloc(2 * kase->nfaults + 1, sizeof(*a->item)),
	};
	if (!a->item)
		return -ENOMEM;
	for (i = 0; i < kase->nfaults; i++) {
		when = &kase->faults[i].when;
		if (when->clock != RF_CLOCK_NONE && when->end)
			add(a, i, when, true);
	}
	for (i = 0; i < kase->nfaults; i++) {
		when = &kase->faults[i].when;
		if (when->clock != RF_CLOCK_NONE)
			add(a, i, when, false);
	}
	return 0;
}

/**
 * rf_agenda_free - give an agenda's memory back
 * @a: the agenda
 */
void rf_agenda_free(struct rf_agenda *a)
{
	free(a->item);
	*a = (struct rf_agenda){ };
}

static bool was_begun(const struct rf_agenda *a, size_t fault)
{
	size_t i;

	for (i = 0; i < a->n; i++)
		if (a->item[i].fault == fault && !a->item[i].undo)
			return a->item[i].done;
	return false;
}

static bool is_due(const struct rf_agenda *a, const struct rf_item *it,
		   uint32_t step, uint64_t ns)
{
	if (it->done || (it->undo && !was_begun(a, it->fault)))
		return false;
	return it->at <= (it->clock == RF_CLOCK_STEP ? step : ns);
}

/**
 * rf_agenda_take - what is due now?
 * @a: the agenda; the item counts as done
 * @step: that the job is in, 0: in none yet
 * @ns: since the job's first step; 0 before
 *
 * Return: an item, or NULL: nothing more for now.
 */
const struct rf_item *rf_agenda_take(struct rf_agenda *a, uint32_t step,
				     uint64_t ns)
{
	struct rf_item *it;

	for (it = a->item; it < a->item + a->n; it++) {
		if (!is_due(a, it, step, ns))
			continue;
		it->done = true;
		return it;
	}
	return NULL;
}

/*
 * Looking takes time from the job, so not before half of the time that the whole
 * steps up to it would take, if they were like those before. How far the job is in
 * the present one isn't known; the one before it is observed closely.
 */
static uint64_t until_step(const struct rf_item *it, uint32_t step, uint64_t ns)
{
	uint64_t wait;

	if (!step || it->at <= step)
		return LOOK_NS;
	wait = (it->at - step - 1) * (ns / step) / 2;
	return wait > LOOK_NS ? wait : LOOK_NS;
}

/**
 * rf_agenda_pause - how long nothing can be due
 * @a: the agenda
 * @step: that the job is in
 * @ns: since the job's first step
 * @most: the longest answer that is of use
 *
 * Return: nanoseconds.
 */
uint64_t rf_agenda_pause(const struct rf_agenda *a, uint32_t step, uint64_t ns,
			 uint64_t most)
{
	const struct rf_item *it;
	uint64_t left;

	for (it = a->item; it < a->item + a->n; it++) {
		if (it->done)
			continue;
		left = it->clock == RF_CLOCK_STEP ? until_step(it, step, ns) :
		       it->at > ns ? it->at - ns : 0;
		if (left < most)
			most = left;
	}
	return most;
}
