/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The packets of a recording. They are assembled from chunks and written to a capture file.
 * Comments in the file mark the packets that rules hit.
 */
#ifndef RF_CAPTURE_H
#define RF_CAPTURE_H

#include <stdio.h>

#include "trace.h"

struct rf_rulebook;

struct rf_packet {
	struct rf_chunk head;	/* the first chunk, with the data of all chunks */
	uint32_t captured;	/* bytes of the packet before its first gap */
};

struct rf_capture {
	struct rf_chunk *chunk;	/* @data of each chunk is a copy */
	size_t nchunks, room;
	struct rf_packet *packet;	/* sorted by time */
	size_t n;
	size_t headless;	/* chunks of packets whose first chunk was lost */
};

int rf_capture_add(struct rf_capture *c, const struct rf_chunk *chunk);
int rf_capture_assemble(struct rf_capture *c);
int rf_capture_write(const struct rf_capture *c, FILE *f,
		     const struct rf_events *ev, struct rf_rulebook *book,
		     uint32_t snaplen);
void rf_capture_free(struct rf_capture *c);

#endif
