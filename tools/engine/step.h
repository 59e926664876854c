/* SPDX-License-Identifier: GPL-2.0 */
/* Telling the fault injector which step the job is in. */
#ifndef CP_STEP_H
#define CP_STEP_H

#include <stdbool.h>
#include <stdint.h>

struct rf_nl;

/**
 * struct cp_announcer - what is announced, and to which port
 * @nl: NULL: no port listens
 * @ifindex: of the rank's netdev
 * @messages: messages that each flow carries in a step
 * @messages_total: and in the whole job; each is 0 if flows carry different
 *	numbers, or more than fits
 * @verbose: say why nothing is announced
 */
struct cp_announcer {
	struct rf_nl *nl;
	uint32_t ifindex;
	uint32_t messages, messages_total;
	bool verbose;
};

void cp_announcer_open(struct cp_announcer *a, const char *netdev);
void cp_announce(struct cp_announcer *a, uint32_t step);
void cp_announcer_close(struct cp_announcer *a);

#endif
