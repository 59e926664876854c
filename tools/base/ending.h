/* SPDX-License-Identifier: GPL-2.0 */
/* The signals that end this process. */
#ifndef RF_ENDING_H
#define RF_ENDING_H

#include <signal.h>

void rf_ending_signals(sigset_t *set);

#endif
