// SPDX-License-Identifier: GPL-2.0
/*
 * Chunks to packets, out of order, with gaps, without a head; and packets to a
 * capture with comments on those that were hit.
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

/* 2: whole, of three; 3: a gap; 4: no bytes; 5: no head; 6: one. */
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
	ok(!rf_capture_assemble(&c) && c.n == 4, "four packets have a head");
	ok(c.headless == 1, "one chunk has none");
	ok(c.packet[0].head.seq == 6 && c.packet[3].head.seq == 2,
	   "they stand in the order of time");
	ok(c.packet[3].captured == 250 &&
	   !memcmp(c.packet[3].head.data, bytes, 250), "chunks are joined");
	ok(c.packet[2].captured == 100 && c.packet[2].head.len == 250,
	   "a gap cuts the packet");
	ok(c.packet[1].captured == 0 && c.packet[1].head.len == 90,
	   "a packet may have no bytes");
	rf_capture_free(&c);
	ok(!rf_capture_assemble(&c) && !c.n, "no chunks make no packets");
	rf_capture_free(&c);
}

/* Is the text an option somewhere in the capture? How often? */
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
	ok(!rf_capture_write(&c, f, &ev, NULL, 0), "a capture is written");
	fclose(f);
	ok(times(all, len, "v1-tx") == 1 && times(all, len, "v1-rx") == 1,
	   "with an interface for each direction");
	ok(times(all, len, "hit by rule 4: deed 1") == 1 &&
	   times(all, len, "dropped by rule 5: deed 2") == 1,
	   "of two rules that hit it, the last has dropped a packet");
	ok(times(all, len, "hit by rule 5: its event was lost") == 1,
	   "a hit without an event is told");
	ok(times(all, len, "dropped: blackhole") == 1,
	   "so is what no rule has dropped");
	ok(times(all, len, "rule") == 3, "and nothing else is said");
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
	   "no more of a packet than snaplen is written");
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
	snaplen_ok();
	return done_testing();
}
