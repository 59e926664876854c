/* SPDX-License-Identifier: GPL-2.0 */
/* The devices and buffer sizes of monitor and record */
#ifndef RF_WATCH_H
#define RF_WATCH_H

#include <stddef.h>
#include <stdint.h>

struct rf_nl;

#define RF_WATCH_DEVS_MAX 32

/* Limits of the ring buffer, in bytes per CPU; the kernel requires two pages */
#define RF_BUFFER_MIN	(8u << 10)
#define RF_BUFFER_MAX	(4ull << 30)

/* The ports to monitor or record; an empty list means all ports */
struct rf_watch {
	uint32_t ifindex[RF_WATCH_DEVS_MAX];
	size_t n;
};

int rf_watch_add(struct rf_watch *w, struct rf_nl *nl, const char *dev);

#endif
