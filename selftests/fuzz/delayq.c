// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz the delay queue with sequences of operations, and compare it with a model: an array
 * in the order of release and arrival. The queue must return the same packets in the same
 * order, unchanged except for skb->cb. Its counters must be right, and it must always have
 * asked to be called no later than its next packet is due.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static bool alloc_fails;

static void *scarce_malloc(size_t size)
{
	return alloc_fails ? NULL : malloc(size);
}

#define malloc scarce_malloc
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <linux/types.h>

#include "fuzz.h"

/* Replaces trace.h: the tracepoint is enabled, the records are compared. */
#define RF_TRACE_H
#define RF_TRACE_PACKET_H

struct rf_label {
	uint64_t seq;
	uint32_t rule, qp, psn, opcode, attempt, len;
};

static struct rf_label *traced;
static uint64_t *traced_ns;
static size_t ntraced;

static void trace_rf_release(const struct net_device *dev, uint32_t dir,
			     const struct rf_label *label, uint64_t ns);

#define rf_trace_enabled()		true
#define rf_trace_sent(skb, dev, dir, of)	((void)(skb), (void)(dev), (void)(dir), (void)(of))

#include "../../kmod/delayq.c"
#undef malloc

#define PACKETS		(DELAYQ_PACKETS + 300)
#define MANY		300	/* packets per operation that enqueues many */
#define MANY_TIMES	60	/* maximum number of these operations per input */
#define FLOWS		4	/* flow 0 stands for untracked flows */
#define CONSTANT_NS	1000

struct model {
	struct sk_buff *skb;
	struct rf_label label;
	u64 release, came, earliest, flow, order, arrival;
	u32 distance, behind;
	bool waits, releases, follows;
};

static struct model model[PACKETS];
static size_t nmodel;
static u64 model_latest, model_bytes, model_memory, orders, arrivals, seqs;
static bool is_closed;
static struct rf_delayq queue;
static u64 armed;
static struct net_device netdev;

static void on_schedule(void *data, u64 ns)
{
	must(data == &armed);
	armed = ns;
}

static void trace_rf_release(const struct net_device *dev, uint32_t dir,
			     const struct rf_label *label, uint64_t ns)
{
	must(dev == &netdev);
	(void)dir;
	must(ntraced < PACKETS);
	traced_ns[ntraced] = ns;
	traced[ntraced++] = *label;
}

static size_t model_waiters(u64 flow)
{
	size_t i, n = 0;

	for (i = 0; i < nmodel; i++)
		n += model[i].waits && model[i].flow == flow;
	return n;
}

static void model_insert(struct model m)
{
	size_t at = nmodel;

	while (at && (model[at - 1].release > m.release ||
		      (model[at - 1].release == m.release &&
		       model[at - 1].arrival > m.arrival)))
		at--;
	memmove(model + at + 1, model + at, (nmodel - at) * sizeof(*model));
	model[at] = m;
	model_bytes += m.skb->len;
	model_memory += m.skb->truesize;
	nmodel++;
}

static struct model model_remove(size_t at)
{
	struct model m = model[at];

	model_bytes -= m.skb->len;
	model_memory -= m.skb->truesize;
	nmodel--;
	memmove(model + at, model + at + 1, (nmodel - at) * sizeof(*model));
	return m;
}

/* Return: the place of the packet that is next in the order of arrival and waits; else -1. */
static long model_next_waiter(u64 flow, u64 after)
{
	long i, found = -1;

	for (i = 0; i < (long)nmodel; i++)
		if (model[i].waits && model[i].flow == flow && model[i].order > after &&
		    (found < 0 || model[i].order < model[found].order))
			found = i;
	return found;
}

static bool model_is_done(struct model *m, u32 psn, u64 came)
{
	if (!m->distance)
		return ((psn - m->behind) & 0xffffff) < 0x800000;
	if (came < m->came)
		return false;
	m->distance--;
	return !m->distance;
}

static void model_passed(u64 flow, u32 psn, u64 came, u64 passed, u64 arrival)
{
	u64 after = 0;
	struct model m;
	long at;

	if (!flow)
		return;
	while ((at = model_next_waiter(flow, after)) >= 0) {
		after = model[at].order;
		if (!model_is_done(&model[at], psn, came))
			continue;
		m = model_remove(at);
		m.waits = false;
		if (m.earliest < passed)
			m.earliest = passed;
		if (m.release > m.earliest)
			m.release = m.earliest;
		m.arrival = arrival;
		model_insert(m);
	}
}

static void check(void)
{
	bool waited = false;
	u32 i;

	must(rf_delayq_count(&queue) == nmodel);
	must(queue.bytes == model_bytes);
	must(queue.memory == model_memory);
	must(rf_delayq_next(&queue) == (nmodel ? model[0].release : U64_MAX));
	for (i = 0; i < FLOWS && !waited; i++)
		waited = model_waiters(i);
	must(rf_delayq_is_waited(&queue) == waited);
	must(!nmodel || armed <= model[0].release);
}

static int model_enqueue(struct model m, bool keep_order, u32 memory)
{
	if (is_closed)
		return -ESHUTDOWN;
	if (nmodel >= 16384 || model_memory + memory > 64 << 20 ||
	    (m.waits && model_waiters(m.flow) >= 256))
		return -ENOBUFS;
	m.order = ++orders;
	m.arrival = ++arrivals;
	if (!m.waits && !m.follows) {
		if (keep_order && m.release < model_latest)
			m.release = model_latest;
		if (model_latest < m.release)
			model_latest = m.release;
	}
	model_insert(m);
	return 0;
}

/* Enqueue one packet: bits of @how are its kind, @number its delay, flow and PSN. */
static void enqueue(u8 how, u8 number)
{
	struct sk_buff *skb = calloc(1, sizeof(*skb)), before;
	struct rf_wait wait = { .active = true };
	struct model m = { .skb = skb };
	struct rf_skb_cb cb = { };
	int err;

	must(skb);
	netdev.priv_flags = how & 1;
	skb->dev = &netdev;
	skb->len = how & 0x40 ? 9000 : 64 + number;
	skb->truesize = 2 * skb->len;
	memset(skb->cb, number, sizeof(skb->cb));
	before = *skb;
	cb.came = ktime_get_ns();
	cb.release = cb.came + (how & 1 ? number * 16 : CONSTANT_NS);
	cb.keep_order = how & 2 && !(how & 4);
	cb.follows = (how & 0x17) == 0x11;
	cb.flow = how & 0x20 ? 0 : 1 + number % (FLOWS - 1);
	m.label = (struct rf_label){
		.seq = ++seqs, .rule = number + 1, .qp = 0xfffff0 + (number & 15),
		.psn = number, .opcode = how, .attempt = 255 - number, .len = 65575,
	};
	cb.seq = m.label.seq;
	cb.rule = m.label.rule;
	cb.qp = m.label.qp;
	cb.psn = m.label.psn;
	cb.opcode = m.label.opcode;
	cb.attempt = m.label.attempt;
	cb.len = m.label.len;
	m.came = cb.came;
	m.release = cb.release;
	m.flow = cb.flow;
	m.follows = cb.follows;
	m.releases = cb.flow && !(how & 4);
	if (how & 4) {
		wait.within = how & 8 ? 5000 : number;
		wait.distance = how & 0x10 ? 0 : 1 + number % 4;
		wait.behind = (number + 2) & 0xffffff;
		m.waits = true;
		m.distance = wait.distance;
		m.behind = wait.behind;
		m.earliest = m.release;
		if (m.release < m.came + wait.within)
			m.release = m.came + wait.within;
	}
	err = rf_delayq_enqueue(&queue, skb, &cb, how & 4 ? &wait : NULL);
	if (alloc_fails && how & 4)
		must(err == -ENOMEM);
	else
		must(err == model_enqueue(m, cb.keep_order, before.truesize));
	if (!err)
		return;
	/* A refused packet goes on, so it must be unchanged. */
	must(!memcmp(skb, &before, sizeof(before)));
	free(skb);
}

static void check_packet(const struct sk_buff *skb, struct model m, size_t *traces)
{
	must(skb == m.skb);
	must(!skb->prev);
	must(skb->dev == &netdev);
	if (m.follows)
		return;
	must(ntraced > *traces);
	must(!memcmp(&traced[*traces], &m.label, sizeof(m.label)));
	must(traced_ns[*traces] == ktime_get_ns() - m.came);
	*traces += 1;
}

static void dequeue(u32 budget)
{
	struct sk_buff *list, *skb;
	size_t n = 0, traces = 0;
	struct model m;

	ntraced = 0;
	list = rf_delayq_dequeue_due(&queue, budget);
	while (nmodel && n < budget && model[0].release <= ktime_get_ns()) {
		m = model_remove(0);
		skb = list;
		must(skb);
		list = skb->next;
		n++;
		check_packet(skb, m, &traces);
		if (m.releases)
			model_passed(m.flow, m.label.psn, m.came, m.release, m.arrival);
		free(skb);
	}
	must(!list && ntraced == traces);
	must(!n || rf_delayq_is_due(&queue, 0));
	rf_delayq_schedule(&queue);
	must(!nmodel || armed == model[0].release);
}

static void flush(void)
{
	u64 now = ktime_get_ns();
	size_t i;

	rf_delayq_flush(&queue);
	for (i = 0; i < nmodel; i++) {
		if (model[i].release > now)
			model[i].release = now;
		model[i].arrival = ++arrivals;
		model[i].releases &= !model[i].waits;
		model[i].waits = false;
	}
	model_latest = now;
}

static void limit(u64 max_hold)
{
	u64 now = ktime_get_ns();
	struct model m;
	size_t i, j;

	rf_delayq_limit(&queue, max_hold);
	for (i = 0; i < nmodel; i++) {
		m = model[i];
		if (m.release > m.came + max_hold)
			m.release = m.came + max_hold;
		if (m.waits && m.earliest > m.release)
			m.earliest = m.release;
		for (j = i; j && (model[j - 1].release > m.release ||
				  (model[j - 1].release == m.release &&
				   model[j - 1].arrival > m.arrival)); j--)
			model[j] = model[j - 1];
		model[j] = m;
	}
	if (model_latest > now + max_hold)
		model_latest = now + max_hold;
}

static void empty(void)
{
	must(rf_delayq_purge(&queue) == nmodel);
	nmodel = 0;
	model_bytes = 0;
	model_memory = 0;
	model_latest = 0;
}

static void run_one(u8 op, u8 how, u8 number, unsigned int *many)
{
	unsigned int i;

	switch (op % 16) {
	case 0 ... 6:
		enqueue(how, number);
		break;
	case 7 ... 8:
		fuzz_now += number * (how & 1 ? 1 : 64);
		break;
	case 9 ... 10:
		dequeue(how & 1 ? number : PACKETS);
		break;
	case 11:
		rf_delayq_passed(&queue, number % FLOWS, how, fuzz_now - (how & 7));
		model_passed(number % FLOWS, how, fuzz_now - (how & 7), fuzz_now, ++arrivals);
		break;
	case 12:
		for (i = 0; *many < MANY_TIMES && i < MANY; i++)
			enqueue(how, number + i * (how >> 7));
		*many += 1;
		break;
	case 13:
		flush();
		break;
	case 14:
		if (how == 1)
			empty();
		else if (how & 0x80)
			limit(number);
		break;
	case 15:
		alloc_fails = how & 1;
		break;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned int many = 0;
	u8 op[3];

	traced = calloc(PACKETS, sizeof(*traced));
	must(traced);
	traced_ns = calloc(PACKETS, sizeof(*traced_ns));
	must(traced_ns);
	queue = (struct rf_delayq){ .schedule = on_schedule };
	rf_delayq_init(&queue, &netdev, RDMAFAULT_DIRECTION_TX);
	queue.data = &armed;
	/* Let the number of the arrival wrap around. */
	queue.arrivals = -20;
	nmodel = 0;
	model_bytes = 0;
	model_memory = 0;
	model_latest = 0;
	orders = 0;
	arrivals = 0;
	seqs = 0;
	is_closed = false;
	alloc_fails = false;
	armed = U64_MAX;
	fuzz_now = 1000000;
	while (size) {
		fuzz_take(&data, &size, op, sizeof(op));
		run_one(op[0], op[1], op[2], &many);
		check();
	}
	/* A closed queue accepts no packet, and keeps those that it has. */
	rf_delayq_close(&queue);
	is_closed = true;
	enqueue(0, 0);
	check();
	empty();
	check();
	free(traced);
	free(traced_ns);
	return 0;
}
