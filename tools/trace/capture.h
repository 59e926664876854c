/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The packets of a recording: assembled from chunks, and written as a capture whose
 * comments mark the packets that rules hit.
 */
#ifndef RF_CAPTURE_H
#define RF_CAPTURE_H

#include <stdio.h>

#include "trace.h"

struct rf_rulebook;

struct rf_packet {
	struct rf_chunk head;	/* of the first chunk; @data has the bytes of all chunks */
	uint32_t captured;	/* bytes from the start without a gap */
};

struct rf_capture {
	struct rf_chunk *chunk;	/* each with a copy of its data */
	size_t nchunks, room;
	struct rf_packet *packet;	/* sorted by time */
	size_t n;
	size_t headless;	/* chunks whose first chunk was lost */
};

int rf_capture_add(struct rf_capture *c, const struct rf_chunk *chunk);
int rf_capture_assemble(struct rf_capture *c);
int rf_capture_write(const struct rf_capture *c, FILE *f,
		     const struct rf_events *ev, struct rf_rulebook *book,
		     uint32_t snaplen);
void rf_capture_free(struct rf_capture *c);

#endif
