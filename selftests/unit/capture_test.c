// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel sends a captured packet in chunks. Test that the chunks are joined to packets
 * (also if they are out of order, if a chunk is missing, or if the first chunk is missing),
 * and that packets are written to a capture file, with a comment for each packet that a fault
 * hit.
 */
#include <stdlib.h>
#include <string.h>

#include "../../tools/trace/pcapng.c"
#include "../../tools/trace/capture.c"
#include "../../tools/trace/capture_write.c"
#include "tap.h"

const struct rf_rule_spec *rf_rulebook_find(struct rf_rulebook *book,
					    uint32_t ifindex, uint32_t id)
{
	(void)book;
	(void)ifindex;
	(void)id;
	return NULL;
}

const char *rf_dir_name(uint32_t dir)
{
	return dir ? "rx" : "tx";
}

char *rf_event_deed(const struct rf_event *e, const struct rf_rule_spec *by,
		    char buf[RF_EVENT_LINE_LEN])
{
	(void)by;
	snprintf(buf, RF_EVENT_LINE_LEN, "deed %u", e->action);
	return buf;
}

static uint8_t bytes[256];

static void add(struct rf_capture *c, uint64_t seq, uint32_t offset,
		uint32_t len, uint32_t whole)
{
	struct rf_chunk chunk = {
		.t_ns = 1000 - seq, .seq = seq, .dev = "v1", .ifindex = 3,
		.dir = seq & 1, .len = whole, .offset = offset,
		.data_len = len, .data = bytes + offset,
	};

	if (seq == 2 || seq == 6) {
		chunk.rule = 5;
		chunk.verdict = seq == 2;
	}
	if (seq == 4)
		chunk.verdict = 1;
	rf_capture_add(c, &chunk);
}

/*
 * Packet 2 has three chunks. Packet 3 has a gap between two chunks, packet 5 lacks its first
 * chunk. Packet 4 has no bytes, and packet 6 has one chunk.
 */
static void fill(struct rf_capture *c)
{
	*c = (struct rf_capture){ };
	add(c, 6, 0, 10, 10);
	add(c, 2, 0, 100, 250);
	add(c, 3, 0, 100, 250);
	add(c, 2, 100, 100, 250);
	add(c, 3, 200, 50, 250);
	add(c, 5, 100, 50, 150);
	add(c, 2, 200, 50, 250);
	add(c, 4, 0, 0, 90);
}

static void packets_ok(void)
{
	struct rf_capture c;

	fill(&c);
	ok(!rf_capture_assemble(&c) && c.n == 4, "rf_capture_assemble() makes four packets of those with a first chunk");
	ok(c.headless == 1, "rf_capture_assemble() counts one packet without a first chunk");
	ok(c.packet[0].head.seq == 6 && c.packet[3].head.seq == 2,
	   "rf_capture_assemble() sorts packets by time");
	ok(c.packet[3].captured == 250 &&
	   !memcmp(c.packet[3].head.data, bytes, 250), "rf_capture_assemble() joins the chunks of a packet");
	ok(c.packet[2].captured == 100 && c.packet[2].head.len == 250,
	   "rf_capture_assemble() truncates a packet at a gap");
	ok(c.packet[1].captured == 0 && c.packet[1].head.len == 90,
	   "rf_capture_assemble() accepts a packet without bytes");
	rf_capture_free(&c);
	ok(!rf_capture_assemble(&c) && !c.n, "rf_capture_assemble() makes no packets without chunks");
	rf_capture_free(&c);
}

/* Return: how often the text @text occurs in the capture file */
static int times(const char *all, size_t len, const char *text)
{
	const char *p = all;
	int n = 0;

	while ((p = memmem(p, len - (p - all), text, strlen(text)))) {
		p += strlen(text);
		n++;
	}
	return n;
}

static void comments_ok(void)
{
	struct rf_event e[] = {
		{ .kind = RF_EVENT_HIT, .seq = 2, .rule = 4, .action = 1 },
		{ .kind = RF_EVENT_RETRANSMIT, .seq = 2, .rule = 9 },
		{ .kind = RF_EVENT_HIT, .seq = 2, .rule = 5, .action = 2 },
		{ .kind = RF_EVENT_HIT, .seq = 7, .rule = 8, .action = 3 },
	};
	const struct rf_events ev = { .e = e, .n = 4 };
	struct rf_capture c;
	char *all = NULL;
	size_t len;
	FILE *f;

	fill(&c);
	rf_capture_assemble(&c);
	f = open_memstream(&all, &len);
	ok(!rf_capture_write(&c, f, &ev, NULL, 0), "rf_capture_write() writes a capture file");
	fclose(f);
	ok(times(all, len, "v1-tx") == 1 && times(all, len, "v1-rx") == 1,
	   "the capture file has one interface per direction");
	ok(times(all, len, "hit by rule 4: deed 1") == 1 &&
	   times(all, len, "dropped by rule 5: deed 2") == 1,
	   "of two rules that hit a packet, the comment names the last one as the one that dropped it");
	ok(times(all, len, "hit by rule 5: its event was lost") == 1,
	   "a comment reports a hit whose event was lost");
	ok(times(all, len, "dropped: blackhole") == 1,
	   "a comment reports a packet dropped by a blackhole");
	ok(times(all, len, "rule") == 3, "the capture file has no other comment");
	free(all);
	rf_capture_free(&c);
}

/* A sent packet has its own chunks, and the number of the packet that arrived. */
static void sent_ok(void)
{
	struct rf_chunk chunk = {
		.t_ns = 2000, .seq = 8, .sent = true, .of = 2, .dev = "v1", .ifindex = 3,
		.len = 10, .data_len = 10, .data = bytes,
	};
	const struct rf_events ev = { };
	struct rf_capture c;
	uint64_t id = 2;
	char *all = NULL, *last;
	size_t len;
	FILE *f;

	fill(&c);
	rf_capture_add(&c, &chunk);
	rf_capture_assemble(&c);
	f = open_memstream(&all, &len);
	rf_capture_write(&c, f, &ev, NULL, 0);
	fclose(f);
	ok(times(all, len, "v1-tx-sent") == 1 && times(all, len, "v1-tx") == 2,
	   "packets that left have another interface");
	last = memmem(all + len - 100, 100, &id, sizeof(id));
	ok(last, "the packet that left has the number of the packet that arrived");
	free(all);
	rf_capture_free(&c);
}

static void snaplen_ok(void)
{
	const struct rf_events ev = { };
	struct rf_capture c;
	char *all = NULL;
	size_t len;
	FILE *f;

	fill(&c);
	rf_capture_assemble(&c);
	f = open_memstream(&all, &len);
	rf_capture_write(&c, f, &ev, NULL, 64);
	fclose(f);
	ok(memmem(all, len, bytes, 64) && !memmem(all, len, bytes, 65),
	   "rf_capture_write() writes at most snaplen bytes of a packet");
	free(all);
	rf_capture_free(&c);
}

int main(void)
{
	size_t i;

	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = 255 - i;
	packets_ok();
	comments_ok();
	sent_ok();
	snaplen_ok();
	return done_testing();
}
