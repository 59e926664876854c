// SPDX-License-Identifier: GPL-2.0
/*
 * Events that have a priority instead of a parsed packet: pauses, actions of the PFC
 * watchdog, and ECN marks that an ECN profile sets.
 */
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "events.h"
#include "jsonget.h"
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

/** rf_event_is_prio - check whether an event belongs to a priority, not to a packet */
bool rf_event_is_prio(const struct rf_event *e)
{
	return e->kind >= RF_EVENT_PAUSE;
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

/**
 * rf_event_put_prio - add the members of an event of a priority
 * @o: the JSON object
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

static bool take_word(struct json_object *o, const char *key,
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
	take_word(o, key, names, sizeof(names) / sizeof(*(names)), v)

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
