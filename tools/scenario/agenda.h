/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is to be done in a case while its job runs: each fault that has a clock
 * is put in place at its begin, and taken back at its end.
 */
#ifndef RF_AGENDA_H
#define RF_AGENDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "scenario.h"

struct rf_item {
	size_t fault;			/* of the case */
	bool undo;
	enum rf_clock clock;
	uint64_t at;			/* step, or ns */
	bool done;
};

struct rf_agenda {
	struct rf_item *item;
	size_t n;
};

int rf_agenda_make(const struct rf_case *kase, struct rf_agenda *a);
void rf_agenda_free(struct rf_agenda *a);

/* The next item that is due, to be done by the caller; NULL: none is */
const struct rf_item *rf_agenda_take(struct rf_agenda *a, uint32_t step,
				     uint64_t ns);
/* ns until something may be due; at most @most */
uint64_t rf_agenda_pause(const struct rf_agenda *a, uint32_t step, uint64_t ns,
			 uint64_t most);

#endif
