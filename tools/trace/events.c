// SPDX-License-Identifier: GPL-2.0
/*
 * A list of events sorted by time, and properties of a single event.
 *
 * Pauses, actions of the PFC watchdog, and ECN marks that an ECN profile sets have a priority
 * instead of a parsed packet. Events of DCQCN have a flow (event_flow.c).
 *
 * A request travels from the requester to the responder and has a PSN of the requester. An
 * ACK travels in the opposite direction and has the PSN of the request that it acknowledges.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "json.h"
#include "kmod/rocev2/bth.h"
#include "units.h"
#include "words.h"

#define PSN_BITS 24

static const char *const kind_names[RF_EVENT_KINDS] = {
	[RF_EVENT_HIT] = "hit",
	[RF_EVENT_RETRANSMIT] = "retransmit",
	[RF_EVENT_NAK] = "nak",
	[RF_EVENT_HOLD] = "hold",
	[RF_EVENT_RELEASE] = "release",
	[RF_EVENT_PAUSE] = "pause",
	[RF_EVENT_MARK] = "mark",
	[RF_EVENT_WATCHDOG] = "watchdog",
	[RF_EVENT_CNP] = "cnp",
	[RF_EVENT_RATE] = "rate",
};

#define REQUESTS (RDMAFAULT_CLASS_SEND | RDMAFAULT_CLASS_WRITE |	\
		  RDMAFAULT_CLASS_READ_REQUEST | RDMAFAULT_CLASS_ATOMIC)

/**
 * rf_events_add - add an event
 * @ev: the list
 * @e: the event
 *
 * Return: 0, or -ENOMEM.
 */
int rf_events_add(struct rf_events *ev, const struct rf_event *e)
{
	size_t room = ev->room ? 2 * ev->room : 64;
	struct rf_event *all;

	if (ev->n == ev->room) {
		all = realloc(ev->e, room * sizeof(*all));
		if (!all)
			return -ENOMEM;
		ev->e = all;
		ev->room = room;
	}
	ev->e[ev->n++] = *e;
	return 0;
}

static int events_by_time(const void *a, const void *b)
{
	const struct rf_event *x = a, *y = b;

	if (x->t_ns != y->t_ns)
		return x->t_ns < y->t_ns ? -1 : 1;
	return 0;
}

/** rf_events_sort - sort the events of all CPUs by time */
void rf_events_sort(struct rf_events *ev)
{
	if (ev->n)
		qsort(ev->e, ev->n, sizeof(*ev->e), events_by_time);
}

/*
 * Number of earlier events that are searched for the same packet. The events of a packet are
 * close together, because its rules are evaluated directly one after the other.
 */
#define NEAR 64

static bool watched_before(const struct rf_events *ev, size_t n,
			   const struct rf_event *e)
{
	size_t i;

	for (i = n; e->seq && i > 0 && n - i < NEAR; i--)
		if (ev->e[i - 1].seq == e->seq &&
		    ev->e[i - 1].kind == RF_EVENT_HIT &&
		    ev->e[i - 1].action == RDMAFAULT_ACTION_OBSERVE)
			return true;
	return false;
}

/**
 * rf_events_unique - if several rules observed a packet, keep only one event
 * @ev: the events, sorted by time; e->fault of each event is set
 */
void rf_events_unique(struct rf_events *ev)
{
	size_t i, n = 0;

	for (i = 0; i < ev->n; i++)
		if (ev->e[i].kind != RF_EVENT_HIT || ev->e[i].fault ||
		    ev->e[i].action != RDMAFAULT_ACTION_OBSERVE ||
		    !watched_before(ev, n, &ev->e[i]))
			ev->e[n++] = ev->e[i];
	ev->n = n;
}

/** rf_events_free - free the memory of a list */
void rf_events_free(struct rf_events *ev)
{
	free(ev->e);
	*ev = (struct rf_events){ };
}

/**
 * rf_event_changed - check whether an action was applied to a hit packet
 * @e: the hit
 * @i: index of the action
 *
 * Return: false if the action could not change the packet, as "corrupt payload" of a packet
 * without payload.
 */
bool rf_event_changed(const struct rf_event *e, uint32_t i)
{
	return !(e->unchanged >> i & 1);
}

/** rf_event_is_request - check whether the packet is a send, write, read or atomic request */
bool rf_event_is_request(const struct rf_event *e)
{
	return e->class & REQUESTS;
}

/**
 * rf_event_leaves - check whether a packet left the node that is next to its port
 * @e: the event of the packet
 *
 * The port of a node sends what the node sends. A port of a bridge in front of a node receives it.
 *
 * Return: true if the packet left the node; false if it went to the node.
 */
bool rf_event_leaves(const struct rf_event *e)
{
	return (e->dir == RDMAFAULT_DIRECTION_TX) != e->mirrored;
}

/** rf_event_is_retransmission - check for a retransmission that leaves the requester */
bool rf_event_is_retransmission(const struct rf_event *e)
{
	return rf_event_is_request(e) && e->attempt > 1 && !e->fault &&
	       rf_event_leaves(e);
}

/** rf_event_same_flow - check whether the packets of two events belong to the same flow */
bool rf_event_same_flow(const struct rf_event *a, const struct rf_event *b)
{
	return a->qp == b->qp && !memcmp(a->saddr, b->saddr, 16) &&
	       !memcmp(a->daddr, b->daddr, 16) &&
	       rf_event_is_request(a) == rf_event_is_request(b);
}

/** rf_psn_diff - compute a - b modulo 2^24, as a signed number of 24 bits */
int32_t rf_psn_diff(uint32_t a, uint32_t b)
{
	return (int32_t)((a - b) << (32 - PSN_BITS)) >> (32 - PSN_BITS);
}

/** rf_event_kind_name - get the name of a kind of event */
const char *rf_event_kind_name(enum rf_event_kind kind)
{
	return kind_names[kind];
}

/** rf_event_opcode - get the name of the opcode */
const char *rf_event_opcode(const struct rf_event *e)
{
	const struct rf_opcode *op = rf_opcode(e->opcode);

	return op ? op->name : "unknown";
}

/** rf_event_position - get the position of the packet in its message */
const char *rf_event_position(const struct rf_event *e)
{
	const struct rf_name *n;

	for (n = rf_position_names; n->name; n++)
		if (n->value == e->position)
			return n->name;
	return "none";
}

/**
 * rf_event_addr - format an address of an event
 * @e: the event, with the address family
 * @addr: e->saddr or e->daddr
 * @buf: output buffer
 * @len: size of @buf; INET6_ADDRSTRLEN is enough
 *
 * Return: @buf.
 */
char *rf_event_addr(const struct rf_event *e, const uint8_t addr[16], char *buf,
		    size_t len)
{
	if (!inet_ntop(e->family, addr, buf, len) && len)
		buf[0] = '\0';
	return buf;
}

/** rf_event_put - add a number to a JSON object */
void rf_event_put(struct json_object *o, const char *key, uint64_t v)
{
	json_object_object_add(o, key, json_object_new_int64((int64_t)v));
}

/** rf_event_put_str - add a text to a JSON object */
void rf_event_put_str(struct json_object *o, const char *key, const char *v)
{
	json_object_object_add(o, key, json_object_new_string(v));
}

/* ---- events of a priority ---- */

static const char *const sources[] = { "frame", "storm" };
static const char *const states[] = { "detected", "restored" };
static const char *const guards[] = {
	[RDMAFAULT_WATCHDOG_ACTION_DROP] = "drop",
	[RDMAFAULT_WATCHDOG_ACTION_FORWARD] = "forward",
	[RDMAFAULT_WATCHDOG_ACTION_ALERT] = "alert",
};

#define NAME(names, i) \
	((i) < sizeof(names) / sizeof(*(names)) ? (names)[i] : "unknown")

/** rf_event_is_prio - check whether an event belongs to a priority, not to a packet or a flow */
bool rf_event_is_prio(const struct rf_event *e)
{
	return e->kind >= RF_EVENT_PAUSE && e->kind <= RF_EVENT_WATCHDOG;
}

/*
 * Describe an event: "paused by storm for 1.68 ms", "resumed after 2.00 s",
 * "marked at 64 KiB", "detected after 250 ms, drop"
 */
static int say_what(const struct rf_event *e, char *buf, size_t len)
{
	char time[RF_FMT_LEN], queue[RF_FMT_LEN];

	rf_fmt_time(e->ns, time);
	if (e->kind == RF_EVENT_MARK)
		return snprintf(buf, len, "%s at %s",
				e->dropped ? "dropped" : "marked",
				rf_fmt_size(e->queue, queue));
	if (e->kind == RF_EVENT_WATCHDOG)
		return snprintf(buf, len, "%s after %s, %s",
				NAME(states, e->event), time,
				NAME(guards, e->action));
	if (e->paused)
		return snprintf(buf, len, "paused by %s for %s",
				NAME(sources, e->source), time);
	return snprintf(buf, len, "resumed after %s", time);
}

/**
 * rf_event_prio_line - format an event of a priority as a line
 * @e: the event
 * @buf: the line
 * @len: size of @buf
 *
 * Return: the length of the line.
 */
int rf_event_prio_line(const struct rf_event *e, char *buf, size_t len)
{
	char words[2 * RF_FMT_LEN + 16];

	say_what(e, words, sizeof(words));
	return snprintf(buf, len, RF_EVENT_TIME " %s %s prio %" PRIu32 ": %s",
			RF_EVENT_TIME_ARGS(e->t_ns), e->dev,
			rf_event_kind_name(e->kind), e->prio, words);
}

static void put_pause(struct json_object *o, const struct rf_event *e)
{
	json_object_object_add(o, "paused", json_object_new_boolean(e->paused));
	if (e->paused)
		rf_event_put_str(o, "by", NAME(sources, e->source));
	rf_event_put(o, "until_ns", e->until);
	rf_event_put(o, "pause_ns", e->ns);
}

static void put_mark(struct json_object *o, const struct rf_event *e)
{
	json_object_object_add(o, "dropped",
			       json_object_new_boolean(e->dropped));
	rf_event_put(o, "queue", e->queue);
	rf_event_put(o, "bytes", e->len);
}

static void put_watchdog(struct json_object *o, const struct rf_event *e)
{
	rf_event_put_str(o, "state", NAME(states, e->event));
	rf_event_put_str(o, "action", NAME(guards, e->action));
	rf_event_put(o, "after_ns", e->ns);
}

/* Add the members of an event of a priority. */
static void put_prio_members(struct json_object *o, const struct rf_event *e)
{
	rf_event_put(o, "prio", e->prio);
	if (e->kind == RF_EVENT_PAUSE)
		put_pause(o, e);
	else if (e->kind == RF_EVENT_MARK)
		put_mark(o, e);
	else
		put_watchdog(o, e);
}

static bool take_word_member(struct json_object *o, const char *key,
			     const char *const *names, uint32_t n, uint32_t *v)
{
	char word[16];

	if (!rf_get_text(o, key, word, sizeof(word)))
		return false;
	for (*v = 0; *v < n; ++*v)
		if (!strcmp(names[*v], word))
			return true;
	return false;
}

#define WORD(o, key, names, v) \
	take_word_member(o, key, names, sizeof(names) / sizeof(*(names)), v)

static bool take_pause(struct json_object *o, struct rf_event *e)
{
	bool paused;

	if (!rf_get_flag(o, "paused", &paused) ||
	    !rf_get_u64(o, "until_ns", INT64_MAX, &e->until) ||
	    !rf_get_u64(o, "pause_ns", INT64_MAX, &e->ns))
		return false;
	e->paused = paused;
	return !paused || WORD(o, "by", sources, &e->source);
}

static bool take_mark(struct json_object *o, struct rf_event *e)
{
	bool dropped;

	if (!rf_get_flag(o, "dropped", &dropped) ||
	    !rf_get_u64(o, "queue", INT64_MAX, &e->queue) ||
	    !rf_get_u32(o, "bytes", UINT32_MAX, &e->len))
		return false;
	e->dropped = dropped;
	return true;
}

static bool take_watchdog(struct json_object *o, struct rf_event *e)
{
	return WORD(o, "state", states, &e->event) &&
	       WORD(o, "action", guards, &e->action) &&
	       rf_get_u64(o, "after_ns", INT64_MAX, &e->ns);
}

/**
 * rf_event_take_prio - parse the members of an event of a priority
 * @o: the JSON object
 * @e: the event, with its kind set
 *
 * Return: false if a member is missing or wrong.
 */
bool rf_event_take_prio(struct json_object *o, struct rf_event *e)
{
	if (!rf_get_u32(o, "prio", RDMAFAULT_PRIOS - 1, &e->prio))
		return false;
	if (e->kind == RF_EVENT_PAUSE)
		return take_pause(o, e);
	if (e->kind == RF_EVENT_MARK)
		return take_mark(o, e);
	return take_watchdog(o, e);
}

/* ---- JSON ---- */

static void put_if_known(struct json_object *o, const char *key, uint64_t v)
{
	if (v)
		rf_event_put(o, key, v);
}

static void put_addresses(struct json_object *o, const struct rf_event *e)
{
	char addr[INET6_ADDRSTRLEN];

	rf_event_put_str(o, "source", rf_event_addr(e, e->saddr, addr, sizeof(addr)));
	rf_event_put_str(o, "destination",
			 rf_event_addr(e, e->daddr, addr, sizeof(addr)));
}

/* Add the packet. For an event of the delay queue, add only members that identify the packet. */
static void put_packet_members(struct json_object *o, const struct rf_event *e)
{
	bool whole = e->family;

	if (whole)
		put_addresses(o, e);
	rf_event_put(o, "qp", e->qp);
	rf_event_put(o, "psn", e->psn);
	if (whole)
		rf_event_put(o, "psn_rel", e->psn_rel);
	rf_event_put_str(o, "opcode", rf_event_opcode(e));
	rf_event_put(o, "opcode_number", e->opcode);
	if (whole) {
		rf_event_put(o, "syndrome", e->syndrome);
		rf_event_put_str(o, "position", rf_event_position(e));
	}
	rf_event_put(o, "attempt", e->attempt);
	put_if_known(o, "flow", e->flow);
	put_if_known(o, "message", e->message);
	if (whole)
		rf_event_put(o, "step", e->step);
	rf_event_put(o, "bytes", e->len);
}

static struct json_object *action_json(const struct rf_event *e, uint32_t i)
{
	struct json_object *o = json_object_new_object();
	uint64_t value = e->values[i];
	uint32_t type = e->types[i];

	rf_event_put_str(o, "action", rf_action_name(type));
	if (!rf_event_changed(e, i)) {
		json_object_object_add(o, "unchanged", json_object_new_boolean(true));
		return o;
	}
	if (type == RDMAFAULT_ACTION_DELAY)
		rf_event_put(o, "delay_ns", value);
	if (type == RDMAFAULT_ACTION_CORRUPT) {
		rf_event_put(o, "offset", value & UINT32_MAX);
		put_if_known(o, "value", value >> 32);
	}
	return o;
}

/* Add the members "action" (the first action) and "actions" (a list of all actions in order). */
static void put_action_members(struct json_object *o, const struct rf_event *e)
{
	struct json_object *all = json_object_new_array();
	uint32_t i;

	rf_event_put_str(o, "action", rf_action_name(e->action));
	for (i = 0; i < e->count; i++)
		json_object_array_add(all, action_json(e, i));
	json_object_object_add(o, "actions", all);
	json_object_object_add(o, "fault", json_object_new_boolean(e->fault));
}

/**
 * rf_event_json - make the JSON object of an event
 * @e: the event
 *
 * Return: the object; release it with json_object_put().
 */
struct json_object *rf_event_json(const struct rf_event *e)
{
	struct json_object *o = json_object_new_object();

	rf_event_put_str(o, "type", rf_event_kind_name(e->kind));
	rf_event_put(o, "t_ns", e->t_ns);
	if (rf_event_is_prio(e)) {
		rf_event_put_str(o, "port", e->dev);
		put_prio_members(o, e);
		return o;
	}
	if (rf_event_is_flow(e)) {
		rf_event_put_str(o, "port", e->dev);
		put_addresses(o, e);
		rf_event_put(o, "qp", e->qp);
		rf_event_put_flow(o, e);
		return o;
	}
	put_if_known(o, "seq", e->seq);
	rf_event_put_str(o, "port", e->dev);
	rf_event_put_str(o, "direction", rf_dir_name(e->dir));
	put_if_known(o, "rule", e->rule);
	if (e->kind == RF_EVENT_HIT)
		put_action_members(o, e);
	if (e->kind == RF_EVENT_HOLD || e->kind == RF_EVENT_RELEASE)
		rf_event_put(o, "hold_ns", e->ns);
	put_packet_members(o, e);
	return o;
}
