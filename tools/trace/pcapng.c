// SPDX-License-Identifier: GPL-2.0
/*
 * Write captures in the pcapng format: one section, an interface for each netdev and
 * direction, and a block for each packet. The block has the time in nanoseconds, the
 * direction, the number of the packet, and comments.
 *
 * Section numbers in comments refer to draft-ietf-opsawg-pcapng. All numbers are in the
 * byte order of the machine; programs that read the file detect the byte order from the
 * section header (section 4.1).
 *
 * Not supported: name resolution, statistics, secrets and compression.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "capture.h"

#define BLOCK_SECTION	0x0a0d0d0au
#define BLOCK_INTERFACE	1u
#define BLOCK_PACKET	6u

#define BYTE_ORDER_MAGIC 0x1a2b3c4du
#define LENGTH_UNKNOWN	UINT64_MAX
#define LINKTYPE_ETHERNET 1

/*
 * Codes of options: for all blocks (section 3.5.1), and for section header, interface and
 * packet blocks
 */
#define OPT_END		0
#define OPT_COMMENT	1
#define SHB_USERAPPL	4
#define IF_NAME		2
#define IF_DESCRIPTION	3
#define IF_TSRESOL	9
#define EPB_FLAGS	2
#define EPB_PACKETID	5

#define OPTION_MAX	0xffffu		/* the length of an option has 16 bits */
#define NANOSECONDS	9		/* 10^-9 s, if_tsresol */
#define INBOUND		1u		/* epb_flags, bits 0 and 1 */
#define OUTBOUND	2u

static void put_bytes(struct rf_pcapng *p, const void *data, size_t len)
{
	size_t room = p->room ? p->room : 512;
	uint8_t *block;

	while (room < p->len + len)
		room *= 2;
	if (room != p->room) {
		block = realloc(p->block, room);
		if (!block) {
			p->err = -ENOMEM;
			return;
		}
		p->block = block;
		p->room = room;
	}
	if (len)
		memcpy(p->block + p->len, data, len);
	p->len += len;
}

static void put16(struct rf_pcapng *p, uint16_t v)
{
	put_bytes(p, &v, sizeof(v));
}

static void put32(struct rf_pcapng *p, uint32_t v)
{
	put_bytes(p, &v, sizeof(v));
}

static void put64(struct rf_pcapng *p, uint64_t v)
{
	put_bytes(p, &v, sizeof(v));
}

/* Fields of variable length are padded to 32 bits (section 3.1). */
static void put_padded(struct rf_pcapng *p, const void *data, size_t len)
{
	static const uint8_t zeros[4];

	put_bytes(p, data, len);
	put_bytes(p, zeros, -len % 4);
}

/* Add an option: code, length, value (section 3.5). */
static void put_option(struct rf_pcapng *p, uint16_t code, const void *value,
		       size_t len)
{
	if (len > OPTION_MAX)
		len = OPTION_MAX;
	put16(p, code);
	put16(p, len);
	put_padded(p, value, len);
}

static void put_text_option(struct rf_pcapng *p, uint16_t code, const char *text)
{
	put_option(p, code, text, strlen(text));
}

/* Begin a block. Every block has a type, total length, body, and again the length (section 3.1). */
static void begin_block(struct rf_pcapng *p, uint32_t type)
{
	p->len = 0;
	put32(p, type);
	put32(p, 0);
}

static void end_block(struct rf_pcapng *p)
{
	uint32_t total;

	put_option(p, OPT_END, NULL, 0);
	total = p->len + sizeof(total);
	put32(p, total);
	if (p->err)
		return;
	memcpy(p->block + sizeof(uint32_t), &total, sizeof(total));
	if (fwrite(p->block, p->len, 1, p->f) != 1)
		p->err = errno ? -errno : -EIO;
}

/**
 * rf_pcapng_open - begin a capture with the section header block (section 4.1)
 * @p: the capture
 * @f: the file, which rf_pcapng_close() does not close
 * @application: name of the program
 */
void rf_pcapng_open(struct rf_pcapng *p, FILE *f, const char *application)
{
	*p = (struct rf_pcapng){ .f = f };
	begin_block(p, BLOCK_SECTION);
	put32(p, BYTE_ORDER_MAGIC);
	put16(p, 1);		/* version 1.0 */
	put16(p, 0);
	put64(p, LENGTH_UNKNOWN);
	put_text_option(p, SHB_USERAPPL, application);
	end_block(p);
}

/**
 * rf_pcapng_interface - write an interface description block (section 4.2)
 * @p: the capture
 * @name: name of the interface
 * @description: its description
 * @snaplen: maximum number of bytes per packet; 0: all
 *
 * Return: the number of the interface, for struct rf_pcapng_packet.
 */
uint32_t rf_pcapng_interface(struct rf_pcapng *p, const char *name,
			     const char *description, uint32_t snaplen)
{
	const uint8_t tsresol = NANOSECONDS;

	begin_block(p, BLOCK_INTERFACE);
	put16(p, LINKTYPE_ETHERNET);
	put16(p, 0);
	put32(p, snaplen);
	put_text_option(p, IF_NAME, name);
	put_text_option(p, IF_DESCRIPTION, description);
	put_option(p, IF_TSRESOL, &tsresol, sizeof(tsresol));
	end_block(p);
	return p->interfaces++;
}

/**
 * rf_pcapng_comment - add a comment to the next packet
 * @p: the capture
 * @fmt: printf format
 *
 * Comments after the first RF_PCAPNG_COMMENTS are omitted.
 */
void rf_pcapng_comment(struct rf_pcapng *p, const char *fmt, ...)
{
	va_list ap;

	if (p->comments == RF_PCAPNG_COMMENTS)
		return;
	va_start(ap, fmt);
	if (vasprintf(&p->comment[p->comments], fmt, ap) >= 0)
		p->comments++;
	else if (!p->err)
		p->err = -ENOMEM;
	va_end(ap);
}

static void forget_comments(struct rf_pcapng *p)
{
	while (p->comments)
		free(p->comment[--p->comments]);
}

/**
 * rf_pcapng_put - write a packet as an enhanced packet block (section 4.3)
 * @p: the capture, with the comments of the packet
 * @pkt: the packet
 */
void rf_pcapng_put(struct rf_pcapng *p, const struct rf_pcapng_packet *pkt)
{
	const uint32_t flags = pkt->inbound ? INBOUND : OUTBOUND;
	size_t i;

	begin_block(p, BLOCK_PACKET);
	put32(p, pkt->interface);
	put32(p, pkt->t_ns >> 32);
	put32(p, pkt->t_ns);
	put32(p, pkt->captured);
	put32(p, pkt->len);
	put_padded(p, pkt->data, pkt->captured);
	put_option(p, EPB_FLAGS, &flags, sizeof(flags));
	if (pkt->id)
		put_option(p, EPB_PACKETID, &pkt->id, sizeof(pkt->id));
	for (i = 0; i < p->comments; i++)
		put_text_option(p, OPT_COMMENT, p->comment[i]);
	end_block(p);
	forget_comments(p);
}

/**
 * rf_pcapng_close - end a capture without closing its file
 * @p: the capture
 *
 * Return: 0, or the first error as -errno.
 */
int rf_pcapng_close(struct rf_pcapng *p)
{
	if (fflush(p->f) && !p->err)
		p->err = -errno;
	forget_comments(p);
	free(p->block);
	p->block = NULL;
	return p->err;
}
