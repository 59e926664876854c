/* SPDX-License-Identifier: GPL-2.0 */
/* The progress line of a run, with the estimated remaining time */
#ifndef RF_PROGRESS_H
#define RF_PROGRESS_H

#include <stddef.h>
#include <stdint.h>

struct rf_progress {
	const char *name, *label;	/* names of the scenario and of the case */
	uint32_t case_number, cases;	/* current case, from 1; number of cases */
	uint32_t step, steps;		/* steps: 0 when not known */
	uint64_t ns;			/* time since the case's first step */
	uint64_t done_ns;		/* duration of the previous cases */
	uint64_t deadline_ns;		/* time left until this case is killed */
};

char *rf_progress_line(const struct rf_progress *p, char *buf, size_t len);

#endif
