// SPDX-License-Identifier: GPL-2.0
/*
 * The packets of a run as a capture, for Wireshark: those that were hit say by
 * what and how that was detected, NAKs what they want, and what was retransmitted that
 * it was.
 *
 * A run keeps records of packets, and not their bytes
 * (rdmafault record does). So Ethernet, IP, UDP, BTH and AETH are made again from
 * that: addresses, lengths, opcode, QP, PSN, syndrome. What is not recorded is made
 * up, the same for all: MAC addresses, UDP source port, TOS and TTL, the MSN. The
 * rest of a packet was not captured, and the frame says so by its length.
 *
 * Each direction of a port is an interface, for each case. Times are those of
 * the events, counted from the machine's start.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "kmod/opcode.h"
#include "rulewords.h"
#include "tools/trace/pcapng.h"
#include "tools/trace/repeat.h"
#include "units.h"

#define FRAME_MAX	80		/* Ethernet, IPv6, UDP, BTH, AETH: 78 */
#define SAME_WITHIN	16		/* events of a packet stand together */
#define UDP_ROCE	4791
#define SPORT		0xc000

struct writer {
	struct rf_pcapng file;
	const struct rf_run_case *p;
	const struct rf_event **interface;	/* one seen on each, in @p */
	uint32_t first;				/* interface of the case */
	size_t interfaces;
	int err;
};

struct frame {
	uint8_t data[FRAME_MAX];
	size_t len;
};

static void add(struct frame *f, const void *data, size_t len)
{
	memcpy(f->data + f->len, data, len);
	f->len += len;
}

static void add8(struct frame *f, uint8_t v)
{
	f->data[f->len++] = v;
}

static void add16(struct frame *f, uint16_t v)
{
	add8(f, v >> 8);
	add8(f, v);
}

static void add24(struct frame *f, uint32_t v)
{
	add8(f, v >> 16);
	add16(f, v);
}

static void add_mac(struct frame *f, const struct rf_event *e,
		    const uint8_t addr[16])
{
	add16(f, 0x0200);
	add(f, addr + (e->family == AF_INET6 ? 12 : 0), 4);
}

static uint16_t ip_checksum(const uint8_t *header)
{
	uint32_t sum = 0;
	int i;

	for (i = 0; i < 20; i += 2)
		sum += header[i] << 8 | header[i + 1];
	sum = (sum >> 16) + (sum & 0xffff);
	return ~(sum + (sum >> 16));
}

static void add_ipv4(struct frame *f, const struct rf_event *e)
{
	uint8_t *header = f->data + f->len;
	uint16_t sum;

	add16(f, 0x4500);
	add16(f, e->len);
	add16(f, 0);
	add16(f, 0x4000);		/* don't fragment */
	add16(f, 64 << 8 | 17);		/* hops; UDP */
	add16(f, 0);
	add(f, e->saddr, 4);
	add(f, e->daddr, 4);
	sum = ip_checksum(header);
	header[10] = sum >> 8;
	header[11] = sum;
}

static void add_ipv6(struct frame *f, const struct rf_event *e)
{
	add16(f, 0x6000);
	add16(f, 0);
	add16(f, e->len - 40);
	add16(f, 17 << 8 | 64);		/* UDP; hops */
	add(f, e->saddr, 16);
	add(f, e->daddr, 16);
}

static void add_bth(struct frame *f, const struct rf_event *e)
{
	add8(f, e->opcode);
	add8(f, 0);
	add16(f, 0xffff);		/* the default partition */
	add8(f, 0);
	add24(f, e->qp);
	add8(f, 0);
	add24(f, e->psn);
	if (rf_opcode(e->opcode)->aeth) {
		add8(f, e->syndrome);
		add24(f, 0);
	}
}

static void make_frame(struct frame *f, const struct rf_event *e)
{
	bool six = e->family == AF_INET6;

	f->len = 0;
	add_mac(f, e, e->daddr);
	add_mac(f, e, e->saddr);
	add16(f, six ? 0x86dd : 0x0800);
	if (six)
		add_ipv6(f, e);
	else
		add_ipv4(f, e);
	add16(f, SPORT);
	add16(f, UDP_ROCE);
	add16(f, e->len - (six ? 40 : 20));
	add16(f, 0);
	add_bth(f, e);
}

static bool same_interface(const struct rf_event *a, const struct rf_event *b)
{
	return a->dir == b->dir && !strcmp(a->dev, b->dev);
}

static int add_interface(struct writer *w, const struct rf_event *e)
{
	const struct rf_event **all;
	char name[128], what[160];

	all = reallocarray(w->interface, w->interfaces + 1, sizeof(*all));
	if (!all)
		return -ENOMEM;
	w->interface = all;
	all[w->interfaces++] = e;
	snprintf(name, sizeof(name), "%s:%s-%s", w->p->label, e->dev,
		 rf_dir_name(e->dir));
	snprintf(what, sizeof(what),
		 "case %s: packets %s %s, headers made from the run's events; times since boot",
		 w->p->label, e->dir == RDMAFAULT_DIRECTION_TX ? "leaving" :
		 "arriving at", e->dev);
	rf_pcapng_interface(&w->file, name, what, 0);
	return 0;
}

static int find_interface(struct writer *w, const struct rf_event *e)
{
	size_t i;

	for (i = 0; i < w->interfaces; i++)
		if (same_interface(w->interface[i], e))
			return w->first + i;
	w->err = add_interface(w, e);
	return w->err ? w->err : (int)(w->first + i);
}

static bool drops(const struct rf_event *e)
{
	uint32_t i;

	for (i = 0; i < e->count; i++)
		if (e->types[i] == RDMAFAULT_ACTION_DROP)
			return true;
	return false;
}

static const struct rf_loss *loss_of(const struct rf_analysis *an,
				     const struct rf_event *e)
{
	size_t i;

	for (i = 0; i < an->nlosses; i++)
		if (an->losses[i].hit == e)
			return &an->losses[i];
	return NULL;
}

static void comment_loss(struct writer *w, const struct rf_loss *loss)
{
	char after[RF_FMT_LEN];

	if (!loss || !loss->again)
		return;
	rf_fmt_time(loss->again->t_ns - loss->hit->t_ns, after);
	rf_pcapng_comment(&w->file,
			  "detected by %s, retransmitted after %s with %llu packets",
			  loss->found == RF_DETECTED_TIMEOUT ? "the sender's timer" :
			  loss->found == RF_DETECTED_RNR ? "an RNR NAK" : "a NAK",
			  after, (unsigned long long)loss->packets);
}

static void comment_event(struct writer *w, const struct rf_event *e)
{
	char text[RF_EVENT_LINE_LEN];

	if (e->fault) {
		rf_pcapng_comment(&w->file, "%s by rule %u: %s",
				  drops(e) ? "dropped" : "hit", e->rule,
				  rf_event_deed(e, NULL, text));
		comment_loss(w, loss_of(&w->p->an, e));
	} else if (rf_export_is_answer(e)) {
		rf_pcapng_comment(&w->file, "%s",
				  rf_export_words(e, text, sizeof(text)));
	} else if (rf_event_is_retransmission(e)) {
		rf_pcapng_comment(&w->file, "retransmitted, attempt %u", e->attempt);
	}
	if (rf_export_breach(&w->p->an, e, text, sizeof(text)))
		rf_pcapng_comment(&w->file, "%s", text);
}

static bool same_packet(const struct rf_event *a, const struct rf_event *b)
{
	return a->seq && a->seq == b->seq && same_interface(a, b) &&
	       !rf_event_is_prio(b);
}

/* Is there an event of the same packet before this one? */
static bool was_there(const struct rf_events *ev, const struct rf_event *e)
{
	const struct rf_event *p;

	for (p = e; p-- > ev->e && e - p <= SAME_WITHIN;)
		if (same_packet(e, p))
			return true;
	return false;
}

static void comment_all(struct writer *w, const struct rf_event *e)
{
	const struct rf_events *ev = &w->p->rec.ev;
	const struct rf_event *n;

	comment_event(w, e);
	for (n = e + 1; n < ev->e + ev->n && n - e <= SAME_WITHIN; n++)
		if (same_packet(e, n))
			comment_event(w, n);
}

static void put_packet(struct writer *w, const struct rf_event *e)
{
	struct rf_pcapng_packet pkt = {
		.inbound = e->dir == RDMAFAULT_DIRECTION_RX,
		.t_ns = e->t_ns,
		.id = e->seq,
		.len = 14 + e->len,
	};
	int interface = find_interface(w, e);
	struct frame f;

	if (interface < 0)
		return;
	make_frame(&f, e);
	comment_all(w, e);
	pkt.interface = interface;
	pkt.data = f.data;
	pkt.captured = f.len < pkt.len ? f.len : pkt.len;
	rf_pcapng_put(&w->file, &pkt);
}

static bool is_packet(const struct rf_event *e)
{
	return !rf_event_is_prio(e) && rf_opcode(e->opcode) &&
	       (e->family == AF_INET || e->family == AF_INET6);
}

static void put_case(struct writer *w)
{
	const struct rf_events *ev = &w->p->rec.ev;
	const struct rf_event *e;

	w->first = w->file.interfaces;
	w->interfaces = 0;
	for (e = ev->e; !w->err && e < ev->e + ev->n; e++)
		if (is_packet(e) && !was_there(ev, e))
			put_packet(w, e);
}

static int put_all(FILE *f, const struct rf_run *run)
{
	struct writer w = { };
	size_t i;
	int err;

	rf_pcapng_open(&w.file, f, "rdmafault " RF_VERSION);
	for (i = 0; i < run->ncases; i++) {
		w.p = &run->cases[i];
		put_case(&w);
	}
	free(w.interface);
	err = rf_pcapng_close(&w.file);
	return w.err ? w.err : err;
}

/**
 * rf_export_capture - write capture.pcapng
 * @path: the file
 * @run: the run, analysed
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_export_capture(const char *path, const struct rf_run *run)
{
	return rf_render_file(path, run, put_all);
}
