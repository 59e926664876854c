// SPDX-License-Identifier: GPL-2.0
/*
 * Write packets to a capture file. Each direction of a netdev is an interface, and another one
 * for packets as they left; a packet has the same number on both. A packet has
 * a comment for each hit by a rule. The comment contains the rule number and the actions. It
 * also contains conditions for a new rule that matches this packet: flow number, relative PSN
 * and attempt.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "capture.h"
#include "words.h"

#define INTERFACES_MAX	512
#define VERDICT_DROP	1	/* enum rf_verdict of kmod/fault/fault.h */

struct writer {
	struct rf_pcapng file;
	struct rf_rulebook *book;
	const struct rf_event **hit;	/* sorted by packet number */
	size_t hits;
	const struct rf_chunk *interface[INTERFACES_MAX];	/* one chunk of each interface */
	uint64_t epoch_ns;		/* CLOCK_REALTIME minus CLOCK_MONOTONIC */
	uint32_t snaplen;
};

static bool same_interface(const struct rf_chunk *a, const struct rf_chunk *b)
{
	return a->ifindex == b->ifindex && a->dir == b->dir && a->sent == b->sent &&
	       !strcmp(a->dev, b->dev);
}

static void add_interface(struct writer *w, const struct rf_chunk *seen)
{
	const char *dir = rf_dir_name(seen->dir);
	char name[32], description[64];

	snprintf(name, sizeof(name), "%s-%s%s", seen->dev, dir, seen->sent ? "-sent" : "");
	snprintf(description, sizeof(description), "RoCEv2 %s %s, %s",
		 seen->dir == RDMAFAULT_DIRECTION_TX ? "leaving" : "arriving at",
		 seen->dev, seen->sent ? "after the rules" : "as it came");
	w->interface[w->file.interfaces] = seen;
	rf_pcapng_interface(&w->file, name, description, w->snaplen);
}

/* Find or add the interface of a packet. Return: its number; -1: too many interfaces */
static int find_interface(struct writer *w, const struct rf_chunk *seen)
{
	uint32_t i;

	for (i = 0; i < w->file.interfaces; i++)
		if (same_interface(w->interface[i], seen))
			return i;
	if (i == INTERFACES_MAX)
		return -1;
	add_interface(w, seen);
	return i;
}

static int by_seq(const void *a, const void *b)
{
	const struct rf_event *x = *(const struct rf_event **)a;
	const struct rf_event *y = *(const struct rf_event **)b;

	if (x->seq != y->seq)
		return x->seq < y->seq ? -1 : 1;
	return x < y ? -1 : x > y;
}

static int sort_hits(struct writer *w, const struct rf_events *ev)
{
	size_t i;

	w->hit = calloc(ev->n + 1, sizeof(*w->hit));
	if (!w->hit)
		return -ENOMEM;
	for (i = 0; i < ev->n; i++)
		if (ev->e[i].kind == RF_EVENT_HIT && ev->e[i].seq)
			w->hit[w->hits++] = &ev->e[i];
	if (w->hits)
		qsort(w->hit, w->hits, sizeof(*w->hit), by_seq);
	return 0;
}

/* Return the index of the first hit of a packet, or w->hits if there is none. */
static size_t find_hit(const struct writer *w, uint64_t seq)
{
	size_t low = 0, high = w->hits, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (w->hit[middle]->seq < seq)
			low = middle + 1;
		else
			high = middle;
	}
	return low < w->hits && w->hit[low]->seq == seq ? low : w->hits;
}

static void comment_hit(struct writer *w, const struct rf_event *e,
			bool dropped)
{
	const struct rf_rule_spec *by;
	char text[RF_EVENT_LINE_LEN];

	by = rf_rulebook_find(w->book, e->ifindex, e->rule);
	rf_pcapng_comment(&w->file, "%s by rule %u: %s",
			  dropped ? "dropped" : "hit", e->rule,
			  rf_event_deed(e, by, text));
}

/*
 * Add a comment for each hit of a packet. Only the last rule can have dropped the packet,
 * because no rule is evaluated after a drop.
 */
static void comment_all(struct writer *w, const struct rf_chunk *head, uint64_t seq)
{
	bool dropped = head->verdict == VERDICT_DROP, last;
	size_t i = seq ? find_hit(w, seq) : w->hits;

	if (i == w->hits && head->rule)
		rf_pcapng_comment(&w->file,
				  "%s by rule %u: its event was lost",
				  dropped ? "dropped" : "hit", head->rule);
	else if (i == w->hits && dropped)
		rf_pcapng_comment(&w->file, "dropped: blackhole");
	for (; i < w->hits && w->hit[i]->seq == seq; i++) {
		last = i + 1 == w->hits || w->hit[i + 1]->seq != seq;
		comment_hit(w, w->hit[i], dropped && last);
	}
}

static void put_packet(struct writer *w, const struct rf_packet *p)
{
	struct rf_pcapng_packet pkt = {
		.interface = find_interface(w, &p->head),
		.inbound = p->head.dir == RDMAFAULT_DIRECTION_RX,
		.t_ns = w->epoch_ns + p->head.t_ns,
		.id = p->head.sent ? p->head.of : p->head.seq,
		.data = p->head.data,
		.captured = p->captured,
		.len = p->head.len,
	};

	if (w->snaplen && pkt.captured > w->snaplen)
		pkt.captured = w->snaplen;
	comment_all(w, &p->head, pkt.id);
	rf_pcapng_put(&w->file, &pkt);
}

/* Return CLOCK_REALTIME minus CLOCK_MONOTONIC, in nanoseconds. */
static uint64_t epoch_ns(void)
{
	struct timespec real, mono;

	clock_gettime(CLOCK_REALTIME, &real);
	clock_gettime(CLOCK_MONOTONIC, &mono);
	return (real.tv_sec - mono.tv_sec) * 1000000000ull +
	       real.tv_nsec - mono.tv_nsec;
}

/**
 * rf_capture_write - write a capture as pcapng
 * @c: the capture
 * @f: the file
 * @ev: the recorded events, for comments
 * @book: the rules
 * @snaplen: maximum number of bytes per packet; 0: all
 *
 * Return: 0, or -errno.
 */
int rf_capture_write(const struct rf_capture *c, FILE *f,
		     const struct rf_events *ev, struct rf_rulebook *book,
		     uint32_t snaplen)
{
	struct writer w = {
		.book = book, .epoch_ns = epoch_ns(), .snaplen = snaplen,
	};
	size_t i;
	int err;

	err = sort_hits(&w, ev);
	if (err)
		return err;
	rf_pcapng_open(&w.file, f, "rdmafault " RF_VERSION);
	for (i = 0; i < c->n; i++)
		if (find_interface(&w, &c->packet[i].head) < 0)
			err = -E2BIG;
	for (i = 0; !err && i < c->n; i++)
		put_packet(&w, &c->packet[i]);
	free(w.hit);
	return rf_pcapng_close(&w.file) ?: err;
}
