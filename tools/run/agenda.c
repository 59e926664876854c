// SPDX-License-Identifier: GPL-2.0
/*
 * The agenda of a case: which fault begins or ends next, at a time or in a step. A time is
 * known in advance, but the current step of the job must be polled. If several items are
 * due at the same time, faults that end are undone first. Then other faults are applied, in
 * the order of the scenario file. So a setting is restored before it is set again.
 */
#include <errno.h>
#include <stdlib.h>

#include "runner.h"

#define LOOK_NS 5000000ull		/* polling interval for steps */

static struct rf_item *add_item(struct rf_agenda *a, size_t fault, const struct rf_when *when,
				bool undo)
{
	struct rf_item *it = &a->item[a->n++];

	*it = (struct rf_item){
		.fault = fault, .undo = undo, .clock = when->clock,
		.at = undo ? when->end : when->begin,
	};
	return it;
}

/**
 * rf_agenda_make - make the agenda of a case
 * @test_case: the case
 * @a: the agenda; rf_agenda_free() frees it
 *
 * Return: 0, or -ENOMEM.
 */
int rf_agenda_make(const struct rf_case *test_case, struct rf_agenda *a)
{
	const struct rf_when *when;
	size_t i;

	*a = (struct rf_agenda){
		.item = calloc(3 * test_case->nfaults + 1, sizeof(*a->item)),
	};
	if (!a->item)
		return -ENOMEM;
	for (i = 0; i < test_case->nfaults; i++) {
		when = &test_case->faults[i].when;
		if (when->clock != RF_CLOCK_NONE && when->end)
			add_item(a, i, when, true);
	}
	for (i = 0; i < test_case->nfaults; i++) {
		when = &test_case->faults[i].when;
		if (when->clock != RF_CLOCK_NONE)
			add_item(a, i, when, false);
	}
	return 0;
}

/**
 * rf_agenda_end_at - let a fault that has begun end at a time
 * @a: the agenda; its scenario gives the fault no end
 * @fault: the index of the fault in the case
 * @ns: the time, counted from the start of the first step
 */
void rf_agenda_end_at(struct rf_agenda *a, size_t fault, uint64_t ns)
{
	add_item(a, fault, &(struct rf_when){ .clock = RF_CLOCK_TIME, .end = ns }, true);
}

/**
 * rf_agenda_avoid_at - let the leaf switches avoid a link at a time, if it is still down then
 * @a: the agenda
 * @fault: the index in the case of the fault that has taken the link down
 * @ns: the time, counted from the start of the first step
 */
void rf_agenda_avoid_at(struct rf_agenda *a, size_t fault, uint64_t ns)
{
	add_item(a, fault, &(struct rf_when){ .clock = RF_CLOCK_TIME, .begin = ns }, false)->avoid =
		true;
}

/**
 * rf_agenda_free - free the memory of an agenda
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
		if (a->item[i].fault == fault && !a->item[i].undo && !a->item[i].avoid)
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
 * rf_agenda_take - take the next item that is due
 * @a: the agenda; the item is removed
 * @step: current step of the job; 0 before the first one
 * @ns: time since the start of the first step; 0 before the first step
 *
 * Return: an item, or NULL if none is due.
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
 * Polling takes CPU time from the job. Therefore estimate from the mean step time when the
 * step will begin, and sleep for half of the time until then. During the step before it,
 * poll at the full rate.
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
 * rf_agenda_pause - get the time to sleep before the next item can be due
 * @a: the agenda
 * @step: current step of the job
 * @ns: time since the start of the first step of the job
 * @most: upper limit of the result
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
