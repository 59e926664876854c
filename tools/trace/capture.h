/* SPDX-License-Identifier: GPL-2.0 */
/* A recording: its packets as a capture file, its events as rules that repeat them */
#ifndef RF_CAPTURE_H
#define RF_CAPTURE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "rule.h"
#include "trace.h"

struct rf_nl;
struct rf_ordinal;

/*
 * rulebook.c: a cache of rules by port and number. Numbers are never reused, so an entry stays
 * valid after its rule has been deleted.
 */
struct rf_rulebook {
	struct rf_nl *nl;
	void *root;		/* root of the tree of rules */
};

void rf_rulebook_open(struct rf_rulebook *book, struct rf_nl *nl);
int rf_rulebook_learn(struct rf_rulebook *book);
int rf_rulebook_take(struct rf_rulebook *book, const void *attrs, size_t len);
const struct rf_rule_spec *rf_rulebook_find(struct rf_rulebook *book,
					    uint32_t ifindex, uint32_t id);
void rf_rulebook_close(struct rf_rulebook *book);

/*
 * ordinals.c: flow numbers (ordinals) for rules that repeat a recording. The module numbers
 * the flows between two addresses from 1, in the order of their first packets. The numbering
 * begins when a port and direction gets its first rule. Repeated traffic starts with new
 * flows. Therefore flows that started before the recording are not counted.
 */
struct rf_ordinals {
	struct rf_ordinal *base;
	size_t n;
};

int rf_ordinals_learn(struct rf_ordinals *o, struct rf_nl *nl);
void rf_ordinals_settle(struct rf_ordinals *o, const struct rf_events *ev);
uint32_t rf_ordinals_flow(const struct rf_ordinals *o, const struct rf_event *e);
void rf_ordinals_free(struct rf_ordinals *o);

/*
 * repeat.c: make a rule from an event. The rule matches the packet of the event. Random values
 * of the actions are replaced by the values that the event recorded.
 */

/* Size of a buffer for the line of any event */
#define RF_EVENT_LINE_LEN 4608

int rf_event_repeat(const struct rf_event *e, const struct rf_rule_spec *by,
		    struct rf_rule_spec *spec);
char *rf_event_deed(const struct rf_event *e, const struct rf_rule_spec *by,
		    char buf[RF_EVENT_LINE_LEN]);
char *rf_event_line(const struct rf_event *e, const struct rf_rule_spec *by,
		    char buf[RF_EVENT_LINE_LEN]);

/* rulefile.c: write the hits of a recording as rules that repeat them, for "rule replace" */

/* The rules of one port and direction */
struct rf_rulefile {
	char dev[16];
	uint32_t ifindex;
	uint32_t dir;		/* enum rdmafault_direction */
	size_t rules;
	size_t nameless;	/* hits not repeated: flow or attempt unknown */
	size_t unknown;		/* hits not repeated: their rule was deleted */
};

int rf_rulefile_list(const struct rf_events *ev, struct rf_rulefile **list,
		     size_t *n);	/* free(*list) */
int rf_rulefile_write(struct rf_rulefile *file, const char *path,
		      const struct rf_events *ev, struct rf_rulebook *book,
		      const struct rf_ordinals *ordinals);

/*
 * capture.c, capture_write.c: the packets of a recording. They are assembled from chunks and
 * written to a capture file. Comments in the file mark the packets that rules hit.
 */
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

/*
 * pcapng.c: write captures in the pcapng format (draft-ietf-opsawg-pcapng). Blocks are written
 * immediately; rf_pcapng_close() returns the first error.
 */
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
