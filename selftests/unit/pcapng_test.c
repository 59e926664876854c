// SPDX-License-Identifier: GPL-2.0
/*
 * Test the pcapng writer: the blocks have the format of the IETF draft, and tshark, if
 * installed, reads the capture.
 */
#include <stdlib.h>
#include <unistd.h>

#include "../../tools/trace/pcapng.c"
#include "tap.h"

/* An IPv4 RoCEv2 ACK, PSN 0x123456 to QP 0x11, with an ICRC of 0. */
static const uint8_t frame[] = {
	0x02, 0, 0, 0, 0, 2, 0x02, 0, 0, 0, 0, 1, 0x08, 0x00,
	0x45, 0, 0, 48, 0, 0, 0x40, 0, 64, 17, 0, 0,
	192, 0, 2, 1, 192, 0, 2, 2,
	0xc0, 0, 0x12, 0xb7, 0, 28, 0, 0,
	0x11, 0, 0xff, 0xff, 0, 0, 0, 0x11, 0, 0x12, 0x34, 0x56,
	0x1f, 0, 0, 1, 0, 0, 0, 0,
};

#define T_NS 1700000000123456789ull

static const char *const comments[] = { "rule 1: drop", "and more" };

static void write_capture(FILE *f)
{
	struct rf_pcapng_packet pkt = {
		.t_ns = T_NS, .data = frame, .captured = sizeof(frame),
		.len = sizeof(frame),
	};
	struct rf_pcapng p;
	size_t i;

	rf_pcapng_open(&p, f, "a test");
	rf_pcapng_interface(&p, "v1-tx", "leaving v1", 0);
	rf_pcapng_interface(&p, "v1-rx", "arriving at v1", 0);
	rf_pcapng_put(&p, &pkt);
	pkt.interface = 1;
	pkt.inbound = 1;
	pkt.id = 7;
	pkt.captured = 33;	/* not a multiple of four */
	for (i = 0; i < sizeof(comments) / sizeof(comments[0]); i++)
		rf_pcapng_comment(&p, "%s", comments[i]);
	rf_pcapng_put(&p, &pkt);
	ok(!rf_pcapng_close(&p), "rf_pcapng_close() succeeds after a capture is written");
}

static uint32_t at32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static uint16_t at16(const uint8_t *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* Return: the block at *@at, NULL if the block is not valid. Advances *@at to the next block. */
static const uint8_t *next_block(const uint8_t *all, size_t len, size_t *at)
{
	const uint8_t *b = all + *at;
	uint32_t total;

	if (*at + 12 > len)
		return NULL;
	total = at32(b + 4);
	if (total % 4 || total < 12 || *at + total > len ||
	    at32(b + total - 4) != total)
		return NULL;
	*at += total;
	return b;
}

/*
 * Return: the value of the @nth option with the code @code, NULL if there is none. The options
 * start at @offset.
 */
static const uint8_t *option(const uint8_t *block, size_t offset, uint16_t code,
			     int nth, uint16_t *len)
{
	const uint8_t *p = block + offset;

	for (;;) {
		*len = at16(p + 2);
		if (!at16(p))
			return NULL;
		if (at16(p) == code && !nth--)
			return p + 4;
		p += 4 + (*len + 3) / 4 * 4;
	}
}

static bool option_is(const uint8_t *block, size_t offset, uint16_t code,
		      int nth, const void *want, size_t want_len)
{
	const uint8_t *v;
	uint16_t len;

	v = option(block, offset, code, nth, &len);
	return v && len == want_len && !memcmp(v, want, len);
}

static bool text_is(const uint8_t *block, size_t offset, uint16_t code, int nth,
		    const char *want)
{
	return option_is(block, offset, code, nth, want, strlen(want));
}

static void check_head(const uint8_t *all, size_t len, size_t *at)
{
	const uint8_t nine = 9, *b;

	b = next_block(all, len, at);
	ok(b && at32(b) == 0x0a0d0d0a && at32(b + 8) == 0x1a2b3c4d &&
	   at16(b + 12) == 1 && at16(b + 14) == 0,
	   "the first block is a section header, version 1.0");
	ok(b && at32(b + 16) == UINT32_MAX && at32(b + 20) == UINT32_MAX,
	   "the section header has no length: the section ends with the file");
	ok(b && text_is(b, 24, 4, 0, "a test"), "the section header has the name of the program");
	b = next_block(all, len, at);
	ok(b && at32(b) == 1 && at16(b + 8) == 1 && at32(b + 12) == 0,
	   "the second block is an Ethernet interface without a snap length");
	ok(b && text_is(b, 16, 2, 0, "v1-tx"), "the interface has its name");
	ok(b && option_is(b, 16, 9, 0, &nine, 1), "the interface has timestamps in nanoseconds");
	b = next_block(all, len, at);
	ok(b && at32(b) == 1 && text_is(b, 16, 2, 0, "v1-rx"),
	   "the third block is the second interface");
}

static void check_packets(const uint8_t *all, size_t len, size_t *at)
{
	const uint32_t out = 2, in = 1;
	const uint64_t id = 7;
	const uint8_t *b;
	uint16_t n;

	b = next_block(all, len, at);
	ok(b && at32(b) == 6 && at32(b + 8) == 0 && at32(b + 20) == sizeof(frame) &&
	   at32(b + 24) == sizeof(frame) && !memcmp(b + 28, frame, sizeof(frame)),
	   "a packet block has the whole packet");
	ok(b && ((uint64_t)at32(b + 12) << 32 | at32(b + 16)) == T_NS,
	   "a packet block has the time of the packet");
	ok(b && option_is(b, 28 + 64, 2, 0, &out, 4), "a packet that left has the direction outbound");
	ok(b && !option(b, 28 + 64, 1, 0, &n), "a packet without comments has no comment option");
	b = next_block(all, len, at);
	ok(b && at32(b + 8) == 1 && at32(b + 20) == 33 && at32(b + 24) == sizeof(frame),
	   "a truncated packet has its captured and its original length");
	ok(b && at32(b + 28 + 32) == frame[32], "a packet is padded with zeros");
	ok(b && option_is(b, 28 + 36, 2, 0, &in, 4), "a packet that arrived has the direction inbound");
	ok(b && option_is(b, 28 + 36, 5, 0, &id, 8), "a packet has its number");
	ok(b && text_is(b, 28 + 36, 1, 0, comments[0]) &&
	   text_is(b, 28 + 36, 1, 1, comments[1]),
	   "a packet has two comments");
	ok(*at == len, "no data follow the last block");
}

static void blocks_ok(void)
{
	uint8_t *all = NULL;
	size_t len, at = 0;
	FILE *f;

	f = open_memstream((char **)&all, &len);
	write_capture(f);
	fclose(f);
	check_head(all, len, &at);
	check_packets(all, len, &at);
	free(all);
}

static void write_error_ok(void)
{
	FILE *f = fopen("/dev/full", "w");
	struct rf_pcapng p;
	int i;

	if (!f)
		return;
	rf_pcapng_open(&p, f, "a test");
	for (i = 0; i < 10000; i++)
		rf_pcapng_interface(&p, "v1-tx", "leaving v1", 0);
	ok(rf_pcapng_close(&p) == -ENOSPC, "rf_pcapng_close() returns -ENOSPC if the disk is full");
	fclose(f);
}

/* Read the capture with tshark. @buf gets the output, one line per packet. */
static void ask_tshark(const char *path, char *buf, size_t len)
{
	char command[512];
	size_t n;
	FILE *f;

	snprintf(command, sizeof(command),
		 "tshark -r %s -T fields -e frame.interface_name -e frame.time_epoch -e frame.cap_len -e frame.len -e frame.comment -e infiniband.bth.psn -e infiniband.bth.opcode -e frame.packet_id 2>/dev/null",
		 path);
	f = popen(command, "r");
	n = f ? fread(buf, 1, len - 1, f) : 0;
	buf[n] = '\0';
	if (f)
		pclose(f);
}

static void tshark_ok(void)
{
	static const char want[] =
		"v1-tx\t1700000000.123456789\t62\t62\t\t1193046\t17\t\n"
		"v1-rx\t1700000000.123456789\t33\t62\trule 1: drop,and more\t\t\t7\n";
	char path[] = "/tmp/pcapng-XXXXXX", got[1024];
	int fd = mkstemp(path);
	FILE *f = fdopen(fd, "w");

	write_capture(f);
	fclose(f);
	if (system("command -v tshark >/dev/null")) {
		ok(true, "tshark reads the capture # SKIP no tshark");
	} else {
		ask_tshark(path, got, sizeof(got));
		ok(!strcmp(got, want), "tshark reads the capture");
		if (strcmp(got, want))
			printf("# got:      %s# expected: %s", got, want);
	}
	unlink(path);
}

int main(void)
{
	blocks_ok();
	write_error_ok();
	tshark_ok();
	return done_testing();
}
