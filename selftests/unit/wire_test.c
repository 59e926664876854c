// SPDX-License-Identifier: GPL-2.0
/*
 * Test which packets were lost, how each loss was detected, and when the packet was sent again.
 * A record has one word group per event, separated by ";": the time in microseconds, the port
 * (with "<" if the packet arrives), the PSN, the packet, its attempt, and for a fault its action.
 * Requests go from 10.77.0.1 (v1) to queue pair 18 of 10.77.0.2 (v2), responses to queue pair 17.
 * The events of a packet at a port have the same number if they have the same PSN, packet and
 * attempt there.
 *
 * Each record is also analysed as that of a bridge, whose ports have the names of the nodes: what
 * v1 sends arrives at its port. The results are the same.
 */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "tools/analysis/analysis.h"
#include "words.h"
#include "said.h"
#include "tap.h"

#define TIMER_NS (4096ull << 14)

static const struct kind {
	const char *word;
	uint32_t opcode, class, syndrome, position;
} kinds[] = {
	{ "first", 0x06, RDMAFAULT_CLASS_WRITE, 0, RDMAFAULT_POSITION_FIRST },
	{ "middle", 0x07, RDMAFAULT_CLASS_WRITE, 0, RDMAFAULT_POSITION_MIDDLE },
	{ "last", 0x08, RDMAFAULT_CLASS_WRITE, 0, RDMAFAULT_POSITION_LAST },
	{ "read", 0x0c, RDMAFAULT_CLASS_READ_REQUEST, 0, RDMAFAULT_POSITION_ONLY },
	{ "rfirst", 0x0d, RDMAFAULT_CLASS_READ_RESPONSE, 0x1f, RDMAFAULT_POSITION_FIRST },
	{ "rmiddle", 0x0e, RDMAFAULT_CLASS_READ_RESPONSE, 0, RDMAFAULT_POSITION_MIDDLE },
	{ "rlast", 0x0f, RDMAFAULT_CLASS_READ_RESPONSE, 0x1f, RDMAFAULT_POSITION_LAST },
	{ "ack", 0x11, RDMAFAULT_CLASS_ACK, 0x1f, 0 },
	{ "nak", 0x11, RDMAFAULT_CLASS_NAK, 0x60, 0 },
	{ "rnr", 0x11, RDMAFAULT_CLASS_RNR, 0x2c, 0 },
	{ "added", 0x12, RDMAFAULT_CLASS_ACK, 0x1f, 0 },
	{ "add", 0x14, RDMAFAULT_CLASS_ATOMIC, 0, RDMAFAULT_POSITION_ONLY },
};

static const struct { const char *word; uint32_t action; } actions[] = {
	{ "drop", RDMAFAULT_ACTION_DROP }, { "corrupt", RDMAFAULT_ACTION_CORRUPT },
	{ "delay", RDMAFAULT_ACTION_DELAY }, { "nak", RDMAFAULT_ACTION_NAK },
	{ "blackhole", RDMAFAULT_ACTION_BLACKHOLE }, { "duplicate", RDMAFAULT_ACTION_DUPLICATE },
};

static struct rf_record rec;
static struct rf_analysis an;
static bool bridge;

static const struct kind *kind_of(const char *word)
{
	const struct kind *k = kinds;

	while (strcmp(k->word, word))
		k++;
	return k;
}

static uint32_t action_of(const char *word)
{
	size_t i = 0;

	while (strcmp(actions[i].word, word))
		i++;
	return actions[i].action;
}

/* Give the event the number of an earlier event of the same packet, or a new one. */
static void number(struct rf_event *e)
{
	const struct rf_event *b;

	e->seq = rec.ev.n + 1;
	for (b = rec.ev.e; e->fault && b < rec.ev.e + rec.ev.n; b++)
		if (!strcmp(b->dev, e->dev) && b->dir == e->dir && b->psn == e->psn &&
		    b->opcode == e->opcode && b->attempt == e->attempt)
			e->seq = b->seq;
}

static void add_event(const char *text)
{
	char port[16], what[16], action[16] = "";
	unsigned int t, psn, attempt;
	const struct kind *k;
	struct rf_event e;
	bool response;

	if (sscanf(text, "%u %15s %x %15s %u %15s", &t, port, &psn, what, &attempt, action) < 5)
		return;
	k = kind_of(what);
	response = k->opcode >= 0x0d && k->opcode <= 0x12;
	e = (struct rf_event){
		.kind = RF_EVENT_HIT, .t_ns = 1000000000 + t * 1000ull, .family = AF_INET,
		.dir = strchr(port, '<') ? RDMAFAULT_DIRECTION_RX : RDMAFAULT_DIRECTION_TX,
		.action = *action ? action_of(action) : RDMAFAULT_ACTION_OBSERVE,
		.fault = *action, .qp = response ? 17 : 18, .psn = psn, .opcode = k->opcode,
		.class = k->class, .syndrome = k->syndrome, .position = k->position,
		.attempt = attempt, .len = 100, .count = 1,
	};
	e.types[0] = e.action;
	e.values[0] = 400000;
	snprintf(e.dev, sizeof(e.dev), "%.*s", (int)strcspn(port, "<"), port);
	if (bridge && e.dev[0] == 'v') {
		e.dir = RDMAFAULT_DIRECTION_TX + RDMAFAULT_DIRECTION_RX - e.dir;
		e.mirrored = true;
	}
	inet_pton(AF_INET, response ? "10.77.0.2" : "10.77.0.1", e.saddr);
	inet_pton(AF_INET, response ? "10.77.0.1" : "10.77.0.2", e.daddr);
	number(&e);
	rf_events_add(&rec.ev, &e);
}

static void analyse(const char *record)
{
	char *copy = strdup(record), *rest = copy, *one;

	rf_analysis_free(&an);
	rf_events_free(&rec.ev);
	while ((one = strsep(&rest, ";")))
		add_event(one);
	rec.timer_ns = TIMER_NS;
	rf_events_sort(&rec.ev);
	rf_analyse(&rec, NULL, &an);
	free(copy);
}

/* Write the losses: PSN, port, how it was detected, and the recovery time in us; -1: none */
static const char *losses(void)
{
	static char text[512];
	const struct rf_loss *l;
	size_t n = 0;

	text[0] = '\0';
	for (l = an.losses; l < an.losses + an.nlosses; l++)
		if (l->lost)
			n += snprintf(text + n, sizeof(text) - n, "%s%x %s %s %lld",
				      n ? ", " : "", l->hit->psn, l->hit->dev,
				      rf_loss_why_not_detected(l) ? "-" :
				      rf_value_name(rf_detected_names, l->found),
				      rf_loss_why_not_recovered(l) ? -1LL :
				      (long long)(l->recovery->t_ns - l->hit->t_ns) / 1000);
	return text;
}

static void is(const char *what, const char *record, const char *lost, uint64_t again,
	       uint64_t timeouts)
{
	const char *where = bridge ? ", at a bridge" : "";

	analyse(record);
	ok(!strcmp(losses(), lost), "%s%s: %s", what, where, losses());
	ok(an.measure[RF_RETRANSMITTED] == again && an.measure[RF_TIMEOUTS] == timeouts,
	   "%s%s: %llu packets retransmitted, %llu timeouts", what, where,
	   (unsigned long long)an.measure[RF_RETRANSMITTED],
	   (unsigned long long)an.measure[RF_TIMEOUTS]);
	ok(!an.gbn.violations, "%s%s: no violation of go-back-N", what, where);
}

static void requests_ok(void)
{
	is("a packet is lost at a switch, and the retransmission crosses the wrap of PSNs",
	   "0 v1 fffffd first 1; 10 v2< fffffd first 1; 20 v1 fffffe middle 1; 25 p2 fffffe middle 1 drop;"
	   "40 v1 ffffff middle 1; 50 v2< ffffff middle 1; 80 v2 fffffe nak 1; 90 v1< fffffe nak 1;"
	   "100 v1 fffffe middle 2; 110 v2< fffffe middle 1; 120 v1 ffffff middle 2; 130 v2< ffffff middle 2;"
	   "140 v1 0 middle 1; 150 v2< 0 middle 1", "fffffe p2 nak 75", 2, 0);
	is("a packet is lost, and then damaged at a switch port",
	   "0 v1 10 first 1; 10 v2< 10 first 1; 20 v1 11 last 1; 25 v1 11 last 1 drop;"
	   "67000 v1 10 first 2; 67010 v2< 10 first 2; 67020 v1 11 last 2; 67030 p1< 11 last 1 corrupt;"
	   "67040 v2< 11 last 1; 134000 v1 11 last 3; 134010 v2< 11 last 2",
	   "11 v1 timeout 133975, 11 p1 timeout 66970", 3, 2);
	is("a delayed packet is not lost",
	   "0 v1 60 first 1; 10 v2< 60 first 1; 20 v1 61 middle 1; 25 v1 61 middle 1 delay;"
	   "40 v1 62 last 1; 50 v2< 62 last 1; 60 v2 61 nak 1; 70 v1< 61 nak 1; 80 v1 61 middle 2;"
	   "90 v2< 61 middle 1; 100 v1 62 last 2; 110 v2< 62 last 2; 500 v2< 61 middle 2", "", 2, 0);
	is("a duplicate of a dropped packet arrives",
	   "0 v1 70 middle 1; 1 v1 70 middle 1 duplicate; 5 p2 70 middle 1 drop; 20 v2< 70 middle 1",
	   "", 0, 0);
}

/* Behind a queue, a packet is dropped after its retransmission has left. */
static void late_ok(void)
{
	is("a packet is dropped after its retransmission has left",
	   "0 v1 20 first 1; 20 v1 21 last 1; 30 v2< 20 first 1; 67000 v1 20 first 2; 67020 v1 21 last 2;"
	   "67500 s1s2 21 last 1 drop; 67600 v2< 20 first 2; 67610 v2< 21 last 1; 67620 v2 21 ack 1;"
	   "67650 v1< 21 ack 1", "21 s1s2 timeout -1", 2, 1);
	is("the same, and the first transmissions were not recorded",
	   "67000 v1 20 first 2; 67020 v1 21 last 2; 67500 s1s2 21 last 1 drop",
	   "21 s1s2 timeout -1", 2, 1);
	is("a response that arrives after the second timer is none to the first retransmission",
	   "0 v1 30 first 1; 10 v1 31 last 1; 67000 v1 30 first 2; 67500 v1< 30 ack 1; 134000 v1 31 last 2;"
	   "134500 v1< 31 ack 1", "", 2, 2);
}

static void responses_ok(void)
{
	is("the second of four responses to a READ is lost, and the READ is sent again for the rest",
	   "0 v1 30 read 1; 10 v2< 30 read 1; 20 v2 30 rfirst 1; 30 v1< 30 rfirst 1; 40 v2 31 rmiddle 1;"
	   "45 v2 31 rmiddle 1 drop; 60 v2 32 rmiddle 1; 70 v1< 32 rmiddle 1; 80 v2 33 rlast 1;"
	   "90 v1< 33 rlast 1; 67000 v1 31 read 1; 67010 v2< 31 read 1; 67020 v2 31 rmiddle 2;"
	   "67030 v1< 31 rmiddle 1; 67040 v2 32 rmiddle 2; 67050 v1< 32 rmiddle 2; 67060 v2 33 rlast 2;"
	   "67070 v1< 33 rlast 2; 67100 v1 34 first 1; 67110 v2< 34 first 1", "31 v2 timeout 66975", 4, 1);
	is("the response to a later atomic implies that one was lost",
	   "0 v1 50 add 1; 10 v2< 50 add 1; 20 v2 50 added 1; 25 v2 50 added 1 drop; 30 v1 51 add 1;"
	   "40 v2< 51 add 1; 50 v2 51 added 1; 60 v1< 51 added 1; 100 v1 50 add 2; 110 v2< 50 add 2;"
	   "115 v1 51 add 2; 120 v2 50 added 2; 125 v2< 51 add 2; 130 v1< 50 added 1; 140 v2 51 added 2;"
	   "150 v1< 51 added 2", "50 v2 implied 95", 4, 0);
	is("a READ is repeated soon after its response was lost, and neither was recorded before",
	   "25 v2 50 rlast 1 drop; 100 v1 50 read 2; 150 v2 50 rlast 2", "50 v2 implied 125", 2, 0);
	is("the same, and the fault is at the port of the requester",
	   "25 v1< 50 rlast 1 drop; 100 v1 50 read 2; 150 v2 50 rlast 2", "50 v1 implied 125", 2, 0);
	is("the same, and the fault is at a switch port",
	   "25 p2< 50 rlast 1 drop; 100 v1 50 read 2; 150 v2 50 rlast 2", "50 p2 implied 125", 2, 0);
	is("a READ is repeated a timer after its response was lost, and neither was recorded before",
	   "25 v2 50 rlast 1 drop; 67000 v1 50 read 2", "50 v2 timeout -1", 1, 1);
	is("a READ that was recorded is repeated half a timer after a lost response",
	   "0 v1 50 read 1; 33000 v2 50 rlast 1 drop; 67000 v1 50 read 2", "50 v2 timeout -1", 1, 1);
	is("a WRITE is repeated soon after the loss of a response to a READ with the same PSN",
	   "25 v2 50 rlast 1 drop; 100 v1 50 last 2", "50 v2 timeout -1", 1, 1);
	is("an ACK is covered by the next one, and then one is lost in a blackhole",
	   "0 v1 40 first 1; 10 v2< 40 first 1; 20 v2 40 ack 1; 25 p2< 40 ack 1 drop; 30 v1 41 middle 1;"
	   "40 v2< 41 middle 1; 50 v2 41 ack 1; 60 v1< 41 ack 1; 65 p2< 7 ack 1 blackhole; 70 v1 42 last 1;"
	   "80 v2< 42 last 1; 90 v2 42 ack 1; 67100 v1 42 last 2; 67110 v2< 42 last 2; 67120 v2 42 ack 2;"
	   "67130 v1< 42 ack 1", "40 p2 nothing -1, 7 p2 nothing -1, 42 v2 timeout 67010", 1, 1);
}

/* A rule forges NAKs, but the fault does not know the requester and sends none. */
static void forged_ok(void)
{
	is("a NAK rule that sends no NAK lets the request pass",
	   "0 v1 10 middle 1; 1 v1 10 middle 1 nak; 20 v2< 10 middle 1", "", 0, 0);
	is("a forged NAK requests a packet",
	   "0 v1 10 middle 1; 5 p2 10 middle 1 nak; 20 v1< 10 nak 1; 30 v1 10 middle 2; 50 v2< 10 middle 1",
	   "10 p2 nak 25", 1, 0);
	is("a NAK that the sender ignores detects nothing",
	   "0 v1 10 first 1; 1 v1 10 first 1 drop; 10 v1 11 last 1; 30 v2< 11 last 1; 40 v2 10 nak 1;"
	   "50 v1< 10 nak 1; 67000 v1 10 first 2; 67010 v1 11 last 2", "10 v1 timeout 66999", 2, 1);
}

static void ignored_ok(void)
{
	const char *where = bridge ? "at a bridge" : "at the nodes";

	analyse("20 v1 11 middle 1; 25 v1 11 middle 1 drop; 40 v1 12 last 1; 50 v2< 12 last 1;"
		"60 v2 11 nak 1; 70 v1< 11 nak 1; 67020 v1 11 middle 2; 67030 v2< 11 middle 2");
	ok(rf_count_ignored_naks(&rec.ev, TIMER_NS) == 1, "%s, a NAK that arrived is ignored", where);
	ok(an.measure[RF_NAKS] == 1, "%s, one NAK arrived", where);
	analyse("40 v1 12 last 1; 50 v2< 12 last 1; 60 v2 11 nak 1; 67020 v1 11 middle 2");
	ok(rf_count_ignored_naks(&rec.ev, TIMER_NS) == 0 && an.measure[RF_NAKS] == 0,
	   "%s, a NAK that did not arrive is not counted", where);
}

static void all_ok(void)
{
	requests_ok();
	late_ok();
	responses_ok();
	forged_ok();
	ignored_ok();
}

/* There can be several machines behind a port: here 10.77.0.2 and 10.77.0.3 behind v2. */
static void switch_ok(void)
{
	struct rf_event e;
	size_t i;

	analyse("0 v1 10 middle 1; 5 v1 10 middle 1 drop; 10 v1 11 last 1; 20 v2< 11 last 1;"
		"30 v2 10 nak 1; 40 v1< 10 nak 1; 50 v1 10 middle 2; 60 v2< 10 middle 1");
	for (i = 0; i < 8; i++) {
		e = rec.ev.e[i];
		e.seq += 100;
		e.t_ns += 1000000;
		*(e.saddr[3] == 2 ? &e.saddr[3] : &e.daddr[3]) = 3;
		rf_events_add(&rec.ev, &e);
	}
	rf_analysis_free(&an);
	rf_analyse(&rec, NULL, &an);
	ok(!strcmp(losses(), "10 v1 nak 45, 10 v1 nak 45") && an.measure[RF_NAKS] == 2,
	   "each of two machines behind a port detects its loss: %s", losses());
}

int main(void)
{
	all_ok();
	bridge = true;
	all_ok();
	switch_ok();
	rf_analysis_free(&an);
	rf_events_free(&rec.ev);
	return done_testing();
}
