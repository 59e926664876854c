/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Write captures in the pcapng format (draft-ietf-opsawg-pcapng). Blocks are written
 * immediately; rf_pcapng_close() returns the first error.
 */
#ifndef RF_PCAPNG_H
#define RF_PCAPNG_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define RF_PCAPNG_COMMENTS	64	/* maximum comments per packet; more are omitted */

struct rf_pcapng {
	FILE *f;
	char *comment[RF_PCAPNG_COMMENTS];	/* comments of the next packet */
	size_t comments;
	uint8_t *block;		/* the current block */
	size_t len, room;
	uint32_t interfaces;
	int err;
};

struct rf_pcapng_packet {
	uint32_t interface;	/* number returned by rf_pcapng_interface() */
	uint32_t inbound;	/* 1: the packet arrived at the interface; 0: it left */
	uint64_t t_ns;		/* since the epoch */
	uint64_t id;		/* number of the packet; 0: none */
	const uint8_t *data;
	uint32_t captured;	/* bytes of @data */
	uint32_t len;		/* bytes of the packet on the wire */
};

void rf_pcapng_open(struct rf_pcapng *p, FILE *f, const char *application);
uint32_t rf_pcapng_interface(struct rf_pcapng *p, const char *name,
			     const char *description, uint32_t snaplen);
void rf_pcapng_comment(struct rf_pcapng *p, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void rf_pcapng_put(struct rf_pcapng *p, const struct rf_pcapng_packet *pkt);
int rf_pcapng_close(struct rf_pcapng *p);

#endif
