/* SPDX-License-Identifier: GPL-2.0 */
/* Show on the terminal what a command waits for. */
#ifndef RF_WAITING_H
#define RF_WAITING_H

#include <stdbool.h>

extern bool rf_waiting_shown;	/* false by default */

void rf_waiting(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void rf_waiting_end(void);

#endif
