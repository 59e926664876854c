// SPDX-License-Identifier: GPL-2.0
/*
 * The packets that ports have recorded: parse the records of a ring. The bytes come from the
 * network, so each length is checked.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "flight.h"
#include "kmod/ring_space.h"
#include "kmod/rocev2/bth.h"
#include "words.h"

#define ETH_ADDRS	12
#define ETH_TAGS	2	/* most VLAN tags that the module skips */
#define DETH_LEN	8
#define MAD_LEN		24	/* header of a MAD (IBTA vol. 1, 13.4.2) */
#define MAD_CLASS_CM	7
#define REJ_REASON	10	/* offset of the reason in a REJ (12.6.7) */
#define RETH_LENGTH	12	/* offset of the length in a RETH */

/* The rest of a packet that is not parsed yet */
struct rest {
	const uint8_t *p;
	uint32_t captured, len;		/* bytes that were captured, and bytes on the wire */
};

static bool skip(struct rest *r, uint32_t n)
{
	if (n > r->captured || n > r->len)
		return false;
	r->p += n;
	r->captured -= n;
	r->len -= n;
	return true;
}

static uint32_t get(const uint8_t *p, unsigned int bytes)
{
	uint32_t v = 0;

	while (bytes--)
		v = v << 8 | *p++;
	return v;
}

/* Return: the EtherType of the header at the rest; 0 if the frame is too short. */
static uint32_t skip_ethernet(struct rest *r)
{
	uint32_t type, tags = 0;

	if (!skip(r, ETH_ADDRS))
		return 0;
	while (r->captured >= 2) {
		type = get(r->p, 2);
		if ((type != 0x8100 && type != 0x88a8) || tags++ == ETH_TAGS)
			return skip(r, 2) ? type : 0;
		if (!skip(r, 4))
			return 0;
	}
	return 0;
}

static void set_addr(struct rf_flight_addr *addr, const uint8_t *bytes, uint8_t len)
{
	*addr = (struct rf_flight_addr){ .len = len };
	memcpy(addr->bytes, bytes, len);
}

static bool skip_ipv4(struct rest *r, struct rf_sighting *s)
{
	uint32_t len;

	if (r->captured < 20 || r->p[0] >> 4 != 4 || r->p[9] != IPPROTO_UDP)
		return false;
	len = get(r->p + 2, 2);
	if (len > r->len)
		return false;
	r->len = s->len = len;
	set_addr(&s->saddr, r->p + 12, 4);
	set_addr(&s->daddr, r->p + 16, 4);
	return (r->p[0] & 15) >= 5 && skip(r, (r->p[0] & 15) * 4);
}

static bool skip_ipv6(struct rest *r, struct rf_sighting *s)
{
	uint32_t len;

	if (r->captured < 40 || r->p[0] >> 4 != 6 || r->p[6] != IPPROTO_UDP)
		return false;
	len = 40 + get(r->p + 4, 2);
	if (len > r->len)
		return false;
	r->len = s->len = len;
	set_addr(&s->saddr, r->p + 8, 16);
	set_addr(&s->daddr, r->p + 24, 16);
	return skip(r, 40);
}

/* A message of connection management, behind BTH and DETH */
static void parse_cm(struct rf_sighting *s, struct rest r)
{
	if (!skip(&r, RF_BTH_LEN + DETH_LEN) || r.captured < MAD_LEN || r.p[1] != MAD_CLASS_CM)
		return;
	s->cm = get(r.p + 16, 2);
	if (s->cm == RF_CM_REJ && skip(&r, MAD_LEN) && r.captured >= REJ_REASON + 2)
		s->reason = get(r.p + REJ_REASON, 2);
}

static bool parse_bth(struct rf_sighting *s, const struct rest *r)
{
	uint8_t bth[RF_BTH_SPAN] = { 0 };
	const struct rf_opcode *op;

	if (r->captured < RF_BTH_LEN)
		return false;
	memcpy(bth, r->p, r->captured < sizeof(bth) ? r->captured : sizeof(bth));
	op = rf_bth_opcode(bth, r->len);
	if (!op)
		return false;
	s->opcode = bth[0];
	s->qp = rf_bth_qp(bth);
	s->psn = rf_bth_psn(bth);
	s->response = op->response;
	if (op->aeth && op->aeth < r->captured)
		s->syndrome = r->p[op->aeth];
	if (op->classes & RDMAFAULT_CLASS_READ_REQUEST && r->captured >= op->hdrlen)
		s->read_len = get(r->p + op->hdrlen - 16 + RETH_LENGTH, 4);
	if (s->qp == RF_QP_GSI)
		parse_cm(s, *r);
	return true;
}

/**
 * rf_sighting_parse - read the headers of a frame
 * @s: the sighting, all zeros; its members about the packet are set
 * @frame: the captured bytes, from the Ethernet header on
 * @captured: number of these bytes
 * @len: bytes of the whole frame
 *
 * Return: false if the frame is no RoCEv2 packet, or if it is too short.
 */
bool rf_sighting_parse(struct rf_sighting *s, const uint8_t *frame, uint32_t captured,
		       uint32_t len)
{
	struct rest r = { .p = frame, .captured = captured, .len = len };
	uint32_t type = skip_ethernet(&r);

	s->frame = frame;
	s->captured = captured;
	s->frame_len = len;
	if (type == 0x0800 ? !skip_ipv4(&r, s) : type != 0x86dd || !skip_ipv6(&r, s))
		return false;
	if (r.captured < 8 || get(r.p + 2, 2) != RF_ROCE_PORT || !skip(&r, 8))
		return false;
	return parse_bth(s, &r);
}

static struct rf_sighting *next_sighting(struct rf_flight *f)
{
	struct rf_sighting *more;

	if (f->n == f->room) {
		more = reallocarray(f->s, f->room ? 2 * f->room : 1024, sizeof(*more));
		if (!more)
			return NULL;
		f->s = more;
		f->room = f->room ? 2 * f->room : 1024;
	}
	f->s[f->n] = (struct rf_sighting){ };
	return &f->s[f->n];
}

/**
 * rf_flight_add - add records of a ring
 * @f: the flight
 * @place: index of the place
 * @records: struct rf_ring_record of the module, each with its packet; must exist as long as
 *	@f
 * @len: number of bytes
 *
 * Return: 0, -ENOMEM, or -EBADMSG if a record is longer than @len.
 */
int rf_flight_add(struct rf_flight *f, uint32_t place, const uint8_t *records, size_t len)
{
	struct rf_ring_record rec;
	struct rf_sighting *s;

	while (len) {
		if (len < sizeof(rec))
			return -EBADMSG;
		memcpy(&rec, records, sizeof(rec));
		if (rf_ring_room(rec.captured) > len || rec.captured > rec.len)
			return -EBADMSG;
		s = next_sighting(f);
		if (!s)
			return -ENOMEM;
		s->t_ns = rec.t_ns;
		s->place = place;
		s->verdict = rec.verdict;
		if (rf_sighting_parse(s, records + sizeof(rec), rec.captured, rec.len))
			f->n++;
		else
			f->bad++;
		len -= rf_ring_room(rec.captured);
		records += rf_ring_room(rec.captured);
	}
	return 0;
}

static int by_sighting(const void *a, const void *b)
{
	const struct rf_sighting *x = a, *y = b;

	if (x->t_ns != y->t_ns)
		return x->t_ns < y->t_ns ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

/**
 * rf_flight_sort - sort all sightings by time
 * @f: the flight, with its records
 */
void rf_flight_sort(struct rf_flight *f)
{
	if (f->n)
		qsort(f->s, f->n, sizeof(*f->s), by_sighting);
}

/**
 * rf_flight_free - free the sightings; the caller frees places and queue pairs
 * @f: the flight
 */
void rf_flight_free(struct rf_flight *f)
{
	free(f->s);
	f->s = NULL;
	f->n = f->room = 0;
}

/**
 * rf_flight_addr_text - print an address
 * @addr: the address
 * @buf: gets the text
 *
 * Return: @buf.
 */
char *rf_flight_addr_text(const struct rf_flight_addr *addr, char buf[46])
{
	if (!inet_ntop(addr->len == 4 ? AF_INET : AF_INET6, addr->bytes, buf, 46))
		buf[0] = '\0';
	return buf;
}

static const char *verdict_text(uint32_t verdict)
{
	if (verdict == 1)
		return ", dropped by a rule";
	return verdict == 2 ? ", delayed by a rule" : "";
}

/**
 * rf_sighting_print - print a sighting as a line
 * @f: the flight
 * @s: the sighting
 * @zero_ns: time from which on the line counts
 * @out: the stream
 */
void rf_sighting_print(const struct rf_flight *f, const struct rf_sighting *s, uint64_t zero_ns,
		       FILE *out)
{
	const struct rf_place *place = &f->place[s->place];
	const struct rf_opcode *op = rf_opcode(s->opcode);
	double seconds = ((double)s->t_ns - (double)zero_ns) / 1e9;

	fprintf(out, "%+12.6f s  %s %s: %s to QP %" PRIu32 ", PSN %" PRIu32 ", %" PRIu32 " bytes",
		seconds, place->dev, rf_dir_name(place->dir), op ? op->name : "unknown", s->qp,
		s->psn, s->len);
	if (op && op->aeth && s->syndrome >> 5)
		fprintf(out, ", syndrome 0x%02x", s->syndrome);
	if (s->cm == RF_CM_REJ)
		fprintf(out, ", CM REJ %u", s->reason);
	else if (s->cm == RF_CM_DREQ)
		fputs(", CM DREQ", out);
	fprintf(out, "%s\n", verdict_text(s->verdict));
}
