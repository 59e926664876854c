/* SPDX-License-Identifier: GPL-2.0 */
/* Telling the fault injector which step the job is in. */
#ifndef CP_STEP_H
#define CP_STEP_H

#include <stdbool.h>
#include <stdint.h>

struct rf_nl;

struct cp_announcer {
	struct rf_nl *nl;	/* NULL: nobody listens */
	uint32_t ifindex;
	bool verbose;
};

void cp_announcer_open(struct cp_announcer *a, const char *netdev,
		       bool verbose);
void cp_announce(struct cp_announcer *a, uint32_t step);
void cp_announcer_close(struct cp_announcer *a);

#endif
