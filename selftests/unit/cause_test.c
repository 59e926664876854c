// SPDX-License-Identifier: GPL-2.0
/*
 * Test what recorded packets say about a failure. Node 1 is v1 behind p1, node 2 is v2 behind p2,
 * and a bridge connects p1 and p2. A case is a line of words, one for each transmission:
 *
 *	w5@20:abcd	the WRITE with PSN 5, sent after 20 ms, is seen at the places a to d
 *	s5@20:ab/x	a rule drops the SEND with PSN 5 at the place b; /h: a rule delays it
 *	k5@21:DCBA	the ACK of PSN 5
 *
 *	a b c d		v1 tx, p1 rx, p2 tx, v2 rx: the way from node 1 to node 2
 *	D C B A		v2 tx, p2 rx, p1 tx, v1 rx: the way back
 *	w W s		WRITE of 1 KiB, WRITE of 4 KiB, SEND of 1 KiB
 *	R f l		READ request of 4 KiB, its first or middle and its last response
 *	k n i		ACK, NAK of a lost packet, NAK: invalid request
 *	o e		NAK: wrong rkey, operational error
 *	y		RNR NAK
 *	J D		CM REJ with reason 8, CM DREQ
 *
 * Each place is 0.1 ms behind the one before; with "+300", 300 ms more.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rdmafault/rdmafault.h>

#include "kmod/ring_space.h"
#include "tools/analysis/flight.h"
#include "golden.h"
#include "said.h"
#include "tap.h"

#define TX RDMAFAULT_DIRECTION_TX
#define RX RDMAFAULT_DIRECTION_RX
#define PLACES 8
#define MS 1000000ull
#define STEP (MS / 10)
#define FRAME_MAX 160

enum { V1 = 1, P1, P2, V2 };	/* interface indices */
enum { QP1 = 17, QP2 };

static const char letters[] = "abcdDCBA";
static const uint8_t address[2][4] = { { 10, 77, 0, 1 }, { 10, 77, 0, 2 } };
static struct rf_place places[PLACES];
static struct rf_flight_qp qps[2];
static struct rf_flight flight;
static uint8_t *records[256];
static size_t nrecords;

static void set_place(int i, const char *dev, uint32_t ifindex, uint32_t dir, int node)
{
	places[i] = (struct rf_place){ .ifindex = ifindex, .dir = dir, .mtu = 4200 };
	strcpy(places[i].dev, dev);
	if (node < 0)
		return;
	places[i].addrs = 1;
	places[i].addr[0].len = 4;
	memcpy(places[i].addr[0].bytes, address[node], 4);
}

static void begin(void)
{
	set_place(0, "v1", V1, TX, 0);
	set_place(1, "p1", P1, RX, -1);
	set_place(2, "p2", P2, TX, -1);
	set_place(3, "v2", V2, RX, 1);
	set_place(4, "v2", V2, TX, 1);
	set_place(5, "p2", P2, RX, -1);
	set_place(6, "p1", P1, TX, -1);
	set_place(7, "v1", V1, RX, 0);
	qps[0] = (struct rf_flight_qp){ "rxe1", "probe", V1, QP1, QP2, 101, 0, false, 0 };
	qps[1] = (struct rf_flight_qp){ "rxe2", "probe", V2, QP2, QP1, 102, 0, false, 0 };
	flight = (struct rf_flight){ .place = places, .places = PLACES, .qp = qps, .qps = 2 };
}

/* A kind of packet: its letter, opcode, bytes behind the BTH, and its syndrome */
static const struct kind {
	char letter;
	uint8_t opcode, syndrome;
	uint32_t payload;
} kinds[] = {
	{ 'w', 0x0a, 0, 1024 },
	{ 'W', 0x0a, 0, 4096 },
	{ 's', 0x04, 0, 1024 },
	{ 'R', 0x0c, 0, 0 },
	{ 'f', 0x0d, 0, 1024 },		/* READ response, first */
	{ 'l', 0x0f, 0, 1024 },		/* READ response, last */
	{ 'k', 0x11, 0x1f, 0 },
	{ 'n', 0x11, 0x60, 0 },
	{ 'i', 0x11, 0x61, 0 },
	{ 'o', 0x11, 0x62, 0 },
	{ 'e', 0x11, 0x63, 0 },
	{ 'y', 0x11, 0x2c, 0 },
	{ 'J', 0x64, 0, 256 },
	{ 'D', 0x64, 0, 256 },
	{ }
};

static const struct kind *kind_of(char letter)
{
	const struct kind *k = kinds;

	while (k->letter && k->letter != letter)
		k++;
	return k;
}

static uint8_t *put(uint8_t *to, uint64_t v, int bytes)
{
	while (bytes--)
		*to++ = v >> 8 * bytes;
	return to;
}

/* Build the headers of a frame. Return: their length. */
static uint32_t frame(uint8_t *to, const struct kind *k, uint32_t psn, bool back, uint32_t *len)
{
	const bool cm = k->opcode == 0x64;
	const uint32_t ext = k->opcode == 0x0c || k->opcode == 0x0a ? 16 : k->syndrome ||
			     (k->opcode >= 0x0d && k->opcode <= 0x0f) ? 4 : cm ? 8 : 0;
	const uint32_t udp = 8 + 12 + ext + k->payload + 4;
	uint8_t *p = to, *mad;

	memset(to, 0, FRAME_MAX);
	p = put(to + 12, 0x0800, 2);
	p = put(put(p, 0x4500, 2), 20 + udp, 2);
	p = put(put(p, 0x4000, 4), 64 << 8 | 17, 2);
	p += 2;
	memcpy(p, address[back], 4);
	memcpy(p + 4, address[!back], 4);
	p = put(put(put(p + 8, 0xc000, 2), 4791, 2), udp, 4);
	put(p - 2, 0, 2);
	p = put(put(put(p, k->opcode << 8, 2), 0xffff, 2), cm ? 1 : back ? QP1 : QP2, 4);
	p = put(p, psn, 4);
	if (ext == 16)
		put(p + 12, 4096, 4);
	else if (ext == 4)
		put(p, k->syndrome << 24, 4);
	p += ext;
	mad = p;
	if (cm) {
		p = put(mad, 0x01070203, 4) + 12;
		put(p, k->letter == 'J' ? RF_CM_REJ : RF_CM_DREQ, 2);
		put(mad + 24 + 10, 8, 2);
		p = mad + 64;
	}
	*len = 14 + 20 + udp;
	return p - to;
}

static void see(int place, uint64_t t_ns, const struct kind *k, uint32_t psn, bool back,
		int verdict)
{
	uint8_t *rec = calloc(1, sizeof(struct rf_ring_record) + FRAME_MAX);
	struct rf_ring_record head = { .t_ns = t_ns, .verdict = verdict };

	head.captured = frame(rec + sizeof(head), k, psn, back, &head.len);
	memcpy(rec, &head, sizeof(head));
	if (rf_flight_add(&flight, place, rec, rf_ring_room(head.captured)))
		ok(false, "a record is accepted");
	records[nrecords++] = rec;
	places[place].packets++;
}

/* One word of a case */
static void word(const char *w)
{
	const struct kind *k = kind_of(*w);
	uint64_t t = 0;
	uint32_t psn;
	char *at;
	int place;

	psn = strtoul(w + 1, &at, 10);
	t = MS * (1000 + strtoul(at + 1, &at, 10));
	for (at++; *at; at++) {
		if (*at == '+') {
			t += MS * strtoul(at + 1, &at, 10);
			at--;
			continue;
		}
		place = strchr(letters, *at) - letters;
		see(place, t, k, psn, isupper(at[0]), at[1] != '/' ? 0 : at[2] == 'x' ? 1 : 2);
		at += at[1] == '/' ? 2 : 0;
		t += STEP;
	}
}

static void words(const char *line)
{
	char *copy = strdup(line), *w, *rest = copy;

	while ((w = strsep(&rest, " ")))
		if (*w)
			word(w);
	free(copy);
	rf_flight_sort(&flight);
}

/* Compare the cause with the golden file, and its kind with @kind. */
static void end(const char *title, enum rf_cause_kind kind)
{
	struct rf_cause cause;
	char *text;
	size_t len, i;
	FILE *out = open_memstream(&text, &len);

	ok(!rf_cause_find(&flight, &cause) && cause.kind == kind, "%s: %s", title,
	   rf_cause_name(cause.kind));
	fprintf(out, "%s: %s\n", rf_cause_name(cause.kind), cause.sentence);
	for (i = 0; i < cause.n; i++)
		rf_sighting_print(&flight, &flight.s[cause.evidence[i]], 1000 * MS, out);
	fclose(out);
	golden(text, "%s", title);
	free(text);
	rf_cause_free(&cause);
	rf_flight_free(&flight);
	while (nrecords)
		free(records[--nrecords]);
	begin();
}

static void is(const char *title, enum rf_cause_kind kind, const char *line)
{
	words(line);
	end(title, kind);
}

/* A message that arrives, so that the way is known */
#define GOOD "w4@0:abcd k4@1:DCBA "

static void losses_ok(void)
{
	is("no packet", RF_CAUSE_NONE, "");
	is("control: all is acknowledged", RF_CAUSE_NONE, GOOD "w5@2:abcd k5@3:DCBA");
	is("lost between p1 and p2", RF_CAUSE_LOST, GOOD "w5@2:ab");
	is("dropped by a rule", RF_CAUSE_LOST, GOOD "w5@2:ab/x");
	is("the first packet is lost, and the way is not known", RF_CAUSE_LOST, "w5@2:a");
	is("control: lost and retransmitted", RF_CAUSE_NONE, GOOD "w5@2:ab w5@70:abcd k5@71:DCBA");
	is("the retransmissions are lost, too", RF_CAUSE_LOST_AGAIN,
	   GOOD "w5@2:ab w5@70:abc w5@140:ab w5@210:a");
	is("lost after a NAK", RF_CAUSE_LOST_AGAIN,
	   GOOD "w5@2:ab w6@3:abcd n5@4:DCBA w5@5:ab w6@5:abcd");
	is("the last retransmission is lost, and the ACK of the first packet", RF_CAUSE_LOST_AGAIN,
	   GOOD "w5@2:abcd k5@3:DC w5@70:ab");
	is("across the wrap of the PSN", RF_CAUSE_LOST_AGAIN,
	   "w16777215@0:abcd k16777215@1:DCBA w0@2:ab w0@70:ab");
	is("the ACK is lost", RF_CAUSE_ACK_LOST, GOOD "w5@2:abcd k5@3:D");
	is("the ACKs of all retransmissions are lost", RF_CAUSE_ACK_LOST,
	   GOOD "w5@2:abcd k5@3:DCB/x w5@70:abcd k5@71:DCB/x");
	is("control: a lost ACK is covered by a later one", RF_CAUSE_NONE,
	   GOOD "w5@2:abcd k5@3:D w6@4:abcd k6@5:DCBA");
	is("a READ request is lost", RF_CAUSE_LOST_AGAIN, GOOD "R5@2:ab R5@70:ab");
	is("a READ response is lost", RF_CAUSE_ACK_LOST,
	   GOOD "R5@2:abcd f5@3:DCBA f6@3:DCBA f7@3:DCBA l8@3:D");
	is("control: a READ with all responses", RF_CAUSE_NONE,
	   GOOD "R5@2:abcd f5@3:DCBA f6@3:DCBA f7@3:DCBA l8@3:DCBA");
}

static void times_ok(void)
{
	is("the response is later than the last retransmission", RF_CAUSE_TIMER,
	   GOOD "w5@2:abcd+300 w5@70:abcd+300 w5@140:abcd k5@302:DCBA");
	is("the packet is later than the last retransmission", RF_CAUSE_TIMER,
	   "w5@2:ab+300cd w5@70:ab+300cd w5@140:ab+300cd k5@303:DCBA");
	is("a rule holds the packet longer than all retransmissions", RF_CAUSE_TIMER,
	   GOOD "w5@2:a/h w5@70:a/h w5@140:a/h");
	is("control: the response comes before the last retransmission", RF_CAUSE_NONE,
	   GOOD "w5@2:abcd w5@70:abcd k5@100:DCBA w5@140:abcd k5@141:DCBA");
	places[2].paused = true;
	is("a pause is longer than all retransmissions", RF_CAUSE_PAUSE,
	   GOOD "w5@2:abc w5@70:abc w5@140:abc");
	places[2].paused = true;
	is("the packets arrive after the pause", RF_CAUSE_PAUSE,
	   GOOD "w5@2:abc+300d w5@70:abc+300d w5@140:abc+300d k5@303:DCBA");
	places[2].paused = true;
	is("control: a pause that is short enough", RF_CAUSE_NONE,
	   GOOD "w5@2:abc+50d k5@60:DCBA");
	places[2].paused = true;
	is("control: a rule drops the packet while the port is paused", RF_CAUSE_LOST_AGAIN,
	   GOOD "w5@2:abc/x w5@70:abc/x");
}

static void receiver_ok(void)
{
	is("no receive request", RF_CAUSE_NOT_READY, GOOD "s5@2:abcd y5@3:DCBA s5@4:abcd y5@5:DCBA");
	is("control: ready after one RNR NAK", RF_CAUSE_NONE,
	   GOOD "s5@2:abcd y5@3:DCBA s5@4:abcd k5@5:DCBA");
	is("wrong rkey", RF_CAUSE_REMOTE, GOOD "w5@2:abcd o5@3:DCBA");
	is("invalid request", RF_CAUSE_REMOTE, GOOD "w5@2:abcd i5@3:DCBA");
	is("operational error", RF_CAUSE_REMOTE, GOOD "w5@2:abcd e5@3:DCBA");
	is("control: a NAK of a lost packet", RF_CAUSE_NONE,
	   GOOD "w5@2:ab w6@2:abcd n5@3:DCBA w5@4:abcd w6@4:abcd k6@5:DCBA");
	is("no response, and nothing tells why", RF_CAUSE_SILENT, GOOD "w5@2:abcd w5@70:abcd");
	qps[1].gone_ns = 1060 * MS;
	is("the peer was killed", RF_CAUSE_PEER_GONE, GOOD "w5@2:abcd w5@70:abcd");
	qps[1].gone_ns = 1200 * MS;
	is("control: the peer ended after the failure", RF_CAUSE_SILENT,
	   GOOD "w5@2:abcd w5@70:abcd");
	qps[0].gone_ns = qps[1].gone_ns = 1060 * MS;
	is("control: both queue pairs were seen for the last time at once", RF_CAUSE_SILENT,
	   GOOD "w5@2:abcd w5@70:abcd");
	is("the peer has closed the connection", RF_CAUSE_PEER_GONE,
	   GOOD "w5@2:abcd D9@3:DCBA w5@70:abcd");
	qps[0].error = true;
	is("control: closed after the last ACK", RF_CAUSE_NONE, GOOD "D9@3:DCBA");
	is("control: packets in flight when the command ends", RF_CAUSE_NONE, GOOD "w5@2:abcd");
	is("rejected by connection management", RF_CAUSE_REJECTED, "J1@0:DCBA");
}

static void others_ok(void)
{
	places[1].down = places[6].down = true;
	is("a link on the way is down", RF_CAUSE_LINK_DOWN, GOOD "w5@2:a w5@70:a");
	places[1].down = places[6].down = true;
	is("control: a link was down, and all is acknowledged", RF_CAUSE_NONE, GOOD);
	places[0].down = qps[0].error = true;
	is("the link of a failed queue pair is down", RF_CAUSE_LINK_DOWN, GOOD);
	places[2].mtu = places[5].mtu = 1500;
	is("the MTU of a netdev is too small", RF_CAUSE_MTU, GOOD "W5@2:ab W5@70:ab");
	is("only shorter packets pass", RF_CAUSE_MTU, GOOD "W5@2:ab W5@70:ab w8@71:abcd");
	is("control: long packets pass", RF_CAUSE_LOST_AGAIN, GOOD "W3@1:abcd w5@2:ab w5@70:ab");
	qps[0].error = true;
	is("a queue pair fails without a packet", RF_CAUSE_LOCAL, GOOD);
	qps[0].error = true;
	is("control: a queue pair fails because of a packet", RF_CAUSE_REMOTE,
	   GOOD "w5@2:abcd o5@3:DCBA");
}

static void overwritten_ok(void)
{
	places[3].since_ns = 1100 * MS;
	is("control: the packet may have been overwritten at the next place", RF_CAUSE_NONE,
	   "w5@2:abc w9@200:abcd k9@201:DCBA");
	is("a way in one direction only", RF_CAUSE_LOST_AGAIN, "w5@2:a w5@70:a");
}

/* Each truncation of a frame is refused, or does not read behind its end (address sanitizer). */
static void short_frames_ok(void)
{
	struct rf_sighting s;
	const struct kind *k;
	uint32_t whole, len, n, refused = 0, tried = 0;
	uint8_t data[FRAME_MAX], *cut;

	for (k = kinds; k->letter; k++) {
		whole = frame(data, k, 5, false, &len);
		for (n = 0; n < whole; n++) {
			cut = (uint8_t *)malloc(n + 1) + 1;
			memcpy(cut, data, n);
			s = (struct rf_sighting){ };
			refused += !rf_sighting_parse(&s, cut, n, len);
			s = (struct rf_sighting){ };
			tried += !rf_sighting_parse(&s, cut, n, n);
			free(cut - 1);
		}
	}
	ok(refused >= 54 * (sizeof(kinds) / sizeof(kinds[0]) - 1),
	   "a frame without a whole BTH is refused");
	ok(tried > refused, "a frame that is shorter than its IP packet is refused");
}

static void bad_records_ok(void)
{
	struct rf_ring_record rec = { .captured = 100, .len = 200 };
	uint8_t data[sizeof(rec) + 104] = { 0 };

	memcpy(data, &rec, sizeof(rec));
	ok(!rf_flight_add(&flight, 0, data, sizeof(data)) && flight.bad == 1 && !flight.n,
	   "a record that is no RoCEv2 packet is counted");
	ok(rf_flight_add(&flight, 0, data, sizeof(data) - 1) == -EBADMSG,
	   "a record that is longer than the data is refused");
	ok(rf_flight_add(&flight, 0, data, sizeof(rec) - 1) == -EBADMSG,
	   "a part of a record is refused");
	rec.len = 99;
	memcpy(data, &rec, sizeof(rec));
	ok(rf_flight_add(&flight, 0, data, sizeof(data)) == -EBADMSG,
	   "a record with more bytes than its frame is refused");
}

int main(void)
{
	begin();
	losses_ok();
	times_ok();
	receiver_ok();
	others_ok();
	overwritten_ok();
	short_frames_ok();
	bad_records_ok();
	golden_compare("cause.txt");
	return done_testing();
}
