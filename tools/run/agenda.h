/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The agenda of a case: faults that are applied and undone while its job runs, in the
 * order of their times.
 */
#ifndef RF_AGENDA_H
#define RF_AGENDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/scenario/scenario.h"

struct rf_item {
	size_t fault;			/* index in the case's list of faults */
	bool undo;
	enum rf_clock clock;
	uint64_t at;			/* time of the item: a step, or nanoseconds */
	bool done;
};

struct rf_agenda {
	struct rf_item *item;
	size_t n;
};

int rf_agenda_make(const struct rf_case *test_case, struct rf_agenda *a);
void rf_agenda_free(struct rf_agenda *a);

const struct rf_item *rf_agenda_take(struct rf_agenda *a, uint32_t step,
				     uint64_t ns);
uint64_t rf_agenda_pause(const struct rf_agenda *a, uint32_t step, uint64_t ns,
			 uint64_t most);

#endif
