// SPDX-License-Identifier: GPL-2.0
/*
 * What a port tells of its priorities, and not of a packet that it has looked
 * into: pauses, what the watchdog does about them, and marks by the length of a
 * queue.
 */
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>

#include "events.h"
#include "units.h"

static const char *const sources[] = { "frame", "storm" };
static const char *const states[] = { "detected", "restored" };
static const char *const guards[] = {
	[RDMAFAULT_WATCHDOG_ACTION_DROP] = "drop",
	[RDMAFAULT_WATCHDOG_ACTION_FORWARD] = "forward",
	[RDMAFAULT_WATCHDOG_ACTION_ALERT] = "alert",
};

#define NAME(names, i) \
	((i) < sizeof(names) / sizeof(*(names)) ? (names)[i] : "unknown")

/** rf_event_is_prio - is it about a priority? */
bool rf_event_is_prio(const struct rf_event *e)
{
	return e->kind >= RF_EVENT_PAUSE;
}

/*
 * "paused by storm for 1.68 ms", "open after 2.00 s", "marked at 64 KiB",
 * "detected after 250 ms, drop"
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
	return snprintf(buf, len, "open after %s", time);
}

/**
 * rf_event_prio_line - an event of a priority as a line for people
 * @e: the event
 * @buf: where to write
 * @len: room there
 *
 * Return: the length of the line.
 */
int rf_event_prio_line(const struct rf_event *e, char *buf, size_t len)
{
	char words[2 * RF_FMT_LEN + 16];

	say_what(e, words, sizeof(words));
	return snprintf(buf, len, "%" PRIu64 ".%06u %s %s prio %" PRIu32 ": %s",
			e->t_ns / 1000000000,
			(unsigned int)(e->t_ns / 1000 % 1000000), e->dev,
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

/**
 * rf_event_put_prio - what an event says of a priority, as members
 * @o: the object that gets them
 * @e: the event
 */
void rf_event_put_prio(struct json_object *o, const struct rf_event *e)
{
	rf_event_put(o, "prio", e->prio);
	if (e->kind == RF_EVENT_PAUSE)
		put_pause(o, e);
	else if (e->kind == RF_EVENT_MARK)
		put_mark(o, e);
	else
		put_watchdog(o, e);
}
