// SPDX-License-Identifier: GPL-2.0
/*
 * Parse the JSON objects that rf_event_json() makes. They do not contain the class of a
 * packet. It is derived from opcode, syndrome and queue pair, as in kmod/rocev2/bth.h.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <json-c/json.h>
#include <string.h>
#include <strings.h>

#include "events.h"
#include "json.h"
#include "kmod/rocev2/bth.h"
#include "words.h"

#define QP_GSI 1
#define PSN_MAX 0xffffff

static int take_kind(struct json_object *o, struct rf_event *e)
{
	char name[16];
	int kind;

	if (!rf_get_text(o, "type", name, sizeof(name)))
		return -EINVAL;
	for (kind = 0; kind < RF_EVENT_KINDS; kind++)
		if (!strcmp(rf_event_kind_name(kind), name)) {
			e->kind = kind;
			return 0;
		}
	return -ENOENT;
}

static bool take_name(struct json_object *o, const char *key,
		      const struct rf_name *names, uint32_t *v)
{
	char name[32];

	return rf_get_text(o, key, name, sizeof(name)) &&
	       !rf_name_value(names, name, strlen(name), v);
}

static bool take_addr(struct json_object *o, const char *key,
		      struct rf_event *e, uint8_t addr[16])
{
	char text[INET6_ADDRSTRLEN];

	if (!rf_get_text(o, key, text, sizeof(text)))
		return false;
	e->family = strchr(text, ':') ? AF_INET6 : AF_INET;
	return inet_pton(e->family, text, addr) == 1;
}

static void take_class(struct rf_event *e)
{
	static const uint32_t acks[] = {
		RDMAFAULT_CLASS_ACK, RDMAFAULT_CLASS_RNR,
		RDMAFAULT_CLASS_NAK, RDMAFAULT_CLASS_NAK,
	};
	const struct rf_opcode *op = rf_opcode(e->opcode);

	e->class = op ? op->classes : 0;
	if (e->class & RDMAFAULT_CLASS_ACK)
		e->class = acks[e->syndrome >> 5 & 3];
	if (e->qp == QP_GSI)
		e->class = RDMAFAULT_CLASS_CM;
}

/* Parse the members that events of the delay queue do not have. */
static bool take_whole(struct json_object *o, struct rf_event *e)
{
	if (!take_addr(o, "source", e, e->saddr) ||
	    !take_addr(o, "destination", e, e->daddr) ||
	    !rf_get_u32(o, "psn_rel", UINT32_MAX, &e->psn_rel) ||
	    !rf_get_u32(o, "syndrome", UINT8_MAX, &e->syndrome) ||
	    !rf_get_u32(o, "step", UINT32_MAX, &e->step))
		return false;
	take_name(o, "position", rf_position_names, &e->position);
	return true;
}

static bool take_flow(struct json_object *o, struct rf_event *e)
{
	return take_addr(o, "source", e, e->saddr) &&
	       take_addr(o, "destination", e, e->daddr) &&
	       rf_get_u32(o, "qp", PSN_MAX, &e->qp) && rf_event_take_flow(o, e);
}

static bool take_packet(struct json_object *o, struct rf_event *e)
{
	if (!rf_get_u32(o, "qp", PSN_MAX, &e->qp) ||
	    !rf_get_u32(o, "psn", PSN_MAX, &e->psn) ||
	    !rf_get_u32(o, "opcode_number", UINT8_MAX, &e->opcode) ||
	    !rf_get_u32(o, "attempt", UINT32_MAX, &e->attempt) ||
	    !rf_get_u32(o, "bytes", UINT32_MAX, &e->len))
		return false;
	rf_get_u32(o, "flow", UINT32_MAX, &e->flow);
	rf_get_u32(o, "message", UINT32_MAX, &e->message);
	if (json_object_object_get_ex(o, "source", NULL) && !take_whole(o, e))
		return false;
	take_class(e);
	return true;
}

static bool take_action_member(struct json_object *o, struct rf_event *e)
{
	uint64_t *v = &e->values[e->count];
	uint32_t type, offset, value = 0;
	bool unchanged = false;

	if (e->count == RDMAFAULT_ACTIONS_MAX ||
	    !take_name(o, "action", rf_action_names, &type))
		return false;
	rf_get_flag(o, "unchanged", &unchanged);
	if (unchanged) {
		e->unchanged |= 1u << e->count;
		e->types[e->count++] = type;
		return true;
	}
	if (type == RDMAFAULT_ACTION_DELAY &&
	    !rf_get_u64(o, "delay_ns", INT64_MAX, v))
		return false;
	if (type == RDMAFAULT_ACTION_CORRUPT) {
		if (!rf_get_u32(o, "offset", UINT32_MAX, &offset))
			return false;
		rf_get_u32(o, "value", UINT32_MAX, &value);
		*v = offset | (uint64_t)value << 32;
	}
	e->types[e->count++] = type;
	return true;
}

static bool take_actions(struct json_object *o, struct rf_event *e)
{
	struct json_object *all = rf_get_list(o, "actions");
	size_t i, n = all ? json_object_array_length(all) : 0;

	if (!take_name(o, "action", rf_action_names, &e->action) ||
	    !rf_get_flag(o, "fault", &e->fault))
		return false;
	for (i = 0; i < n; i++)
		if (!take_action_member(json_object_array_get_idx(all, i), e))
			return false;
	return true;
}

static bool take_seen(struct json_object *o, struct rf_event *e)
{
	char dir[8];

	rf_get_u64(o, "seq", INT64_MAX, &e->seq);
	rf_get_u32(o, "rule", UINT32_MAX, &e->rule);
	if (!rf_get_text(o, "direction", dir, sizeof(dir)) ||
	    rf_dir_parse(dir, &e->dir))
		return false;
	if (e->kind == RF_EVENT_HIT && !take_actions(o, e))
		return false;
	if ((e->kind == RF_EVENT_HOLD || e->kind == RF_EVENT_RELEASE) &&
	    !rf_get_u64(o, "hold_ns", INT64_MAX, &e->ns))
		return false;
	return take_packet(o, e);
}

/**
 * rf_event_parse - parse the JSON object of an event
 * @o: the object of rf_event_json()
 * @e: the event
 *
 * Return: 0; -ENOENT if the object is not an event, -EINVAL if a member is missing
 * or wrong.
 */
int rf_event_parse(struct json_object *o, struct rf_event *e)
{
	int err;

	*e = (struct rf_event){ };
	err = take_kind(o, e);
	if (err)
		return err;
	if (!rf_get_u64(o, "t_ns", INT64_MAX, &e->t_ns) ||
	    !rf_get_text(o, "port", e->dev, sizeof(e->dev)))
		return -EINVAL;
	if (rf_event_is_prio(e))
		return rf_event_take_prio(o, e) ? 0 : -EINVAL;
	if (rf_event_is_flow(e))
		return take_flow(o, e) ? 0 : -EINVAL;
	return take_seen(o, e) ? 0 : -EINVAL;
}
