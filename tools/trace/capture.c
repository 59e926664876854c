// SPDX-License-Identifier: GPL-2.0
/*
 * Assemble packets from chunks. All chunks of a packet have the number of the packet. Chunks
 * of several CPUs are mixed, so they are first sorted by packet number and offset. If a chunk
 * was lost, the packet is truncated before the lost chunk.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "capture.h"

/**
 * rf_capture_add - add a chunk
 * @c: the capture
 * @chunk: the chunk, which is copied
 *
 * Return: 0, or -ENOMEM.
 */
int rf_capture_add(struct rf_capture *c, const struct rf_chunk *chunk)
{
	size_t room = c->room ? 2 * c->room : 256;
	struct rf_chunk *all;
	uint8_t *data;

	if (c->nchunks == c->room) {
		all = realloc(c->chunk, room * sizeof(*all));
		if (!all)
			return -ENOMEM;
		c->chunk = all;
		c->room = room;
	}
	data = malloc(chunk->data_len + 1);
	if (!data)
		return -ENOMEM;
	if (chunk->data_len)
		memcpy(data, chunk->data, chunk->data_len);
	c->chunk[c->nchunks] = *chunk;
	c->chunk[c->nchunks++].data = data;
	return 0;
}

static int by_place(const void *a, const void *b)
{
	const struct rf_chunk *x = a, *y = b;

	if (x->seq != y->seq)
		return x->seq < y->seq ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static int packets_by_time(const void *a, const void *b)
{
	const struct rf_packet *x = a, *y = b;

	if (x->head.t_ns != y->head.t_ns)
		return x->head.t_ns < y->head.t_ns ? -1 : 1;
	return x->head.seq < y->head.seq ? -1 : x->head.seq > y->head.seq;
}

/* Assemble the packet that starts with @first and has @n chunks. */
static int join_chunks(struct rf_packet *p, const struct rf_chunk *first, size_t n)
{
	uint32_t room = 0;
	uint8_t *data;
	size_t i;

	*p = (struct rf_packet){ .head = *first };
	for (i = 0; i < n; i++)
		room += first[i].data_len;
	data = malloc(room + 1);
	if (!data)
		return -ENOMEM;
	p->head.data = data;
	for (i = 0; i < n && first[i].offset == p->captured; i++) {
		memcpy(data + p->captured, first[i].data, first[i].data_len);
		p->captured += first[i].data_len;
	}
	return 0;
}

static size_t chunks_of_packet(const struct rf_capture *c, size_t i)
{
	size_t n = 1;

	while (i + n < c->nchunks && c->chunk[i + n].seq == c->chunk[i].seq)
		n++;
	return n;
}

/**
 * rf_capture_assemble - assemble packets from the chunks
 * @c: the capture
 *
 * Return: 0, or -ENOMEM.
 */
int rf_capture_assemble(struct rf_capture *c)
{
	size_t i, n;

	c->packet = calloc(c->nchunks + 1, sizeof(*c->packet));
	if (!c->packet)
		return -ENOMEM;
	if (!c->nchunks)
		return 0;
	qsort(c->chunk, c->nchunks, sizeof(*c->chunk), by_place);
	for (i = 0; i < c->nchunks; i += n) {
		n = chunks_of_packet(c, i);
		if (c->chunk[i].offset) {
			c->headless += n;
			continue;
		}
		if (join_chunks(&c->packet[c->n], &c->chunk[i], n))
			return -ENOMEM;
		c->n++;
	}
	qsort(c->packet, c->n, sizeof(*c->packet), packets_by_time);
	return 0;
}

/** rf_capture_free - free the memory of a capture */
void rf_capture_free(struct rf_capture *c)
{
	size_t i;

	for (i = 0; i < c->nchunks; i++)
		free((void *)c->chunk[i].data);
	for (i = 0; i < c->n; i++)
		free((void *)c->packet[i].head.data);
	free(c->chunk);
	free(c->packet);
	*c = (struct rf_capture){ };
}
