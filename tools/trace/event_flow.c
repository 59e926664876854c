// SPDX-License-Identifier: GPL-2.0
/*
 * Events of DCQCN. They have a flow instead of a parsed packet: addresses and destination QP,
 * which are the same at the port that sends a CNP and at the port that receives it.
 */
#include <arpa/inet.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "events.h"
#include "json.h"
#include "units.h"

#define ALPHA_ONE	RDMAFAULT_PROBABILITY_ONE

/* enum rf_rate_cause of kmod/trace.h */
static const char *const causes[] = { "cut", "timer", "bytes", "first-cnp" };

#define CAUSE_CUT 0

#define CAUSES (sizeof(causes) / sizeof(causes[0]))

/** rf_event_is_flow - check whether an event belongs to a flow, not to a packet */
bool rf_event_is_flow(const struct rf_event *e)
{
	return e->kind == RF_EVENT_CNP || e->kind == RF_EVENT_RATE;
}

/** rf_event_is_cut - check whether an event is a reduction of the rate of a flow */
bool rf_event_is_cut(const struct rf_event *e)
{
	return e->kind == RF_EVENT_RATE && e->cause == CAUSE_CUT;
}

static const char *cause_of(const struct rf_event *e)
{
	return e->cause < CAUSES ? causes[e->cause] : "unknown";
}

/**
 * rf_event_flow_line - format an event of a flow as a line
 * @e: the event
 * @buf: the line
 * @len: size of @buf
 */
void rf_event_flow_line(const struct rf_event *e, char *buf, size_t len)
{
	char saddr[INET6_ADDRSTRLEN], daddr[INET6_ADDRSTRLEN], text[3][RF_FMT_LEN];
	int n;

	n = snprintf(buf, len, RF_EVENT_TIME " %s %s src %s dst %s qp %" PRIu32 ": ",
		     RF_EVENT_TIME_ARGS(e->t_ns), e->dev, rf_event_kind_name(e->kind),
		     rf_event_addr(e, e->saddr, saddr, sizeof(saddr)),
		     rf_event_addr(e, e->daddr, daddr, sizeof(daddr)), e->qp);
	if (e->kind == RF_EVENT_CNP)
		snprintf(buf + n, len - n, "%s", e->received ? "received" : "sent");
	else
		snprintf(buf + n, len - n, "%s, rate %s before %s target %s alpha %.4f",
			 cause_of(e), rf_exact_rate(e->rate, text[0]),
			 rf_exact_rate(e->before, text[1]), rf_exact_rate(e->target, text[2]),
			 (double)e->alpha / ALPHA_ONE);
}

static void put_alpha(struct json_object *o, const struct rf_event *e)
{
	double alpha = (double)e->alpha / ALPHA_ONE;
	char text[24];

	/* All digits, and no more */
	snprintf(text, sizeof(text), "%.12g", alpha);
	json_object_object_add(o, "alpha", json_object_new_double_s(alpha, text));
}

static void put_rate(struct json_object *o, const struct rf_event *e)
{
	rf_event_put(o, "at_ns", e->at);
	rf_event_put_str(o, "cause", cause_of(e));
	rf_event_put(o, "rate", e->rate);
	rf_event_put(o, "before", e->before);
	rf_event_put(o, "target", e->target);
	put_alpha(o, e);
	rf_event_put(o, "time_stage", e->time_stage);
	rf_event_put(o, "byte_stage", e->byte_stage);
}

/**
 * rf_event_put_flow - add the members of an event of a flow
 * @o: the JSON object, with the addresses and the QP
 * @e: the event
 */
void rf_event_put_flow(struct json_object *o, const struct rf_event *e)
{
	if (e->kind == RF_EVENT_CNP)
		json_object_object_add(o, "received", json_object_new_boolean(e->received));
	else
		put_rate(o, e);
}

static bool take_cause(struct json_object *o, struct rf_event *e)
{
	char word[16];

	if (!rf_get_text(o, "cause", word, sizeof(word)))
		return false;
	for (e->cause = 0; e->cause < CAUSES; e->cause++)
		if (!strcmp(causes[e->cause], word))
			return true;
	return false;
}

static bool take_rate(struct json_object *o, struct rf_event *e)
{
	double alpha;

	if (!rf_get_real(o, "alpha", &alpha) || !(alpha >= 0 && alpha <= 1))
		return false;
	e->alpha = alpha * ALPHA_ONE + .5;
	return rf_get_u64(o, "at_ns", INT64_MAX, &e->at) && take_cause(o, e) &&
	       rf_get_u64(o, "rate", INT64_MAX, &e->rate) &&
	       rf_get_u64(o, "before", INT64_MAX, &e->before) &&
	       rf_get_u64(o, "target", INT64_MAX, &e->target) &&
	       rf_get_u32(o, "time_stage", UINT32_MAX, &e->time_stage) &&
	       rf_get_u32(o, "byte_stage", UINT32_MAX, &e->byte_stage);
}

/**
 * rf_event_take_flow - parse the members of an event of a flow
 * @o: the JSON object
 * @e: the event, with its kind, addresses and QP set
 *
 * Return: false if a member is missing or wrong.
 */
bool rf_event_take_flow(struct json_object *o, struct rf_event *e)
{
	bool received;

	if (e->kind == RF_EVENT_RATE)
		return take_rate(o, e);
	if (!rf_get_flag(o, "received", &received))
		return false;
	e->received = received;
	return true;
}
