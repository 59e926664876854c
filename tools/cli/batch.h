/* SPDX-License-Identifier: GPL-2.0 */
/* Run commands from a file, one per line. */
#ifndef RF_BATCH_H
#define RF_BATCH_H

#include <stdbool.h>

int rf_batch(const char *name, bool force,
	     int (*run)(int argc, char **argv));

#endif
