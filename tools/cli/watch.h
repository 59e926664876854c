/* SPDX-License-Identifier: GPL-2.0 */
/* Parse the devices and buffer sizes on the command lines of monitor and record. */
#ifndef RF_WATCH_H
#define RF_WATCH_H

#include <stddef.h>
#include <stdint.h>

struct rf_nl;

#define RF_WATCH_DEVS_MAX 32

/* The ports to monitor or record; an empty list means all ports */
struct rf_watch {
	uint32_t ifindex[RF_WATCH_DEVS_MAX];
	size_t n;
};

int rf_watch_add(struct rf_watch *w, struct rf_nl *nl, const char *dev);
int rf_watch_parse_buffer(const char *word, uint64_t *bytes);

#endif
