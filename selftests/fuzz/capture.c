// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz the assembly of packets from chunks of the trace buffer, any of which can be lost.
 * The input is a sequence of chunks, each with a header and up to 63 bytes. The packets
 * must be in the order of time and have no more bytes than the chunks. The written file
 * must be a sequence of valid pcapng blocks.
 */
#include "quiet.h"
#include "tools/trace/capture.h"

#define SNAPLEN 100

struct head {
	uint8_t seq, offset, len, port, t, verdict;
	uint16_t wire;
};

static size_t add_all(struct rf_capture *c, const uint8_t *data, size_t size)
{
	size_t sum = 0, n;
	struct head h;

	while (size) {
		fuzz_take(&data, &size, &h, sizeof(h));
		n = h.len % 64 < size ? h.len % 64 : size;
		must(!rf_capture_add(c, &(struct rf_chunk){
			.t_ns = h.t, .seq = h.seq, .offset = h.offset,
			.dev = "v1", .ifindex = h.port % 5, .dir = h.port >> 7,
			.verdict = h.verdict % 4, .len = h.wire, .data = data,
			.data_len = n, }));
		data += n;
		size -= n;
		sum += n;
	}
	return sum;
}

static void look_at(const struct rf_capture *c, size_t bytes)
{
	size_t i, sum = 0;

	must(c->n <= c->nchunks && c->headless <= c->nchunks);
	for (i = 0; i < c->n; i++) {
		sum += c->packet[i].captured;
		must(!i || c->packet[i - 1].head.t_ns <= c->packet[i].head.t_ns);
	}
	must(sum <= bytes);
}

/*
 * A block of a pcapng file has four parts: its type, its length, its content, and the length
 * again.
 */
static void read_blocks(const char *file, size_t len)
{
	uint32_t total, again;
	size_t at = 0;

	while (at < len) {
		must(len - at >= 12);
		memcpy(&total, file + at + 4, sizeof(total));
		must(total >= 12 && !(total % 4) && total <= len - at);
		memcpy(&again, file + at + total - 4, sizeof(again));
		must(again == total);
		at += total;
	}
}

static void write_out(const struct rf_capture *c, uint32_t snaplen)
{
	const struct rf_events none = { };
	struct rf_rulebook book;
	char *file = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&file, &len);

	must(f);
	rf_rulebook_open(&book, NULL);
	must(!rf_capture_write(c, f, &none, &book, snaplen));
	fclose(f);
	read_blocks(file, len);
	rf_rulebook_close(&book);
	free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rf_capture c = { };
	size_t bytes = add_all(&c, data, size);

	must(!rf_capture_assemble(&c));
	look_at(&c, bytes);
	write_out(&c, 0);
	write_out(&c, SNAPLEN);
	rf_capture_free(&c);
	return 0;
}
