/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records of the module's tracepoints, except rf_packet and rf_rule. kmod/trace.h
 * explains the fields.
 */
#ifndef RF_EVENTS_H
#define RF_EVENTS_H

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rdmafault/rdmafault.h>

struct json_object;

/* printf(3) format of a time: CLOCK_MONOTONIC in seconds with six decimals */
#define RF_EVENT_TIME		"%" PRIu64 ".%06u"
#define RF_EVENT_TIME_ARGS(ns)	(uint64_t)(ns) / 1000000000, \
				(unsigned int)((ns) / 1000 % 1000000)

enum rf_event_kind {
	RF_EVENT_HIT,
	RF_EVENT_RETRANSMIT,
	RF_EVENT_NAK,
	RF_EVENT_HOLD,
	RF_EVENT_RELEASE,
	RF_EVENT_PAUSE,		/* this and the next two kinds concern a priority */
	RF_EVENT_MARK,
	RF_EVENT_WATCHDOG,
	RF_EVENT_CNP,		/* this and the next kind concern a flow */
	RF_EVENT_RATE,
	RF_EVENT_KINDS,
};

/* How the receiver treats a packet that a fault changed */
enum rf_taken {
	RF_TAKEN_NOT,			/* packet discarded, or not changed */
	RF_TAKEN_DATA,			/* packet accepted with changed data */
	RF_TAKEN_FORGED,		/* packet accepted as another packet */
};

struct rf_event {
	enum rf_event_kind kind;
	uint64_t t_ns;			/* CLOCK_MONOTONIC */
	uint64_t seq;			/* number of the packet; 0: unknown */
	uint64_t ns;			/* hold, release, pause, watchdog: duration */
	uint64_t until;			/* pause: end of the pause, CLOCK_MONOTONIC */
	char dev[16];
	uint32_t ifindex;
	uint32_t dir;			/* enum rdmafault_direction */
	uint32_t rule;
	uint32_t action;		/* hit: first action; watchdog: action taken */
	uint32_t prio;
	uint32_t source, paused;	/* pause: source of the pause; 1: paused, 0: resumed */
	uint32_t event;			/* watchdog: 0 detected, 1 restored */
	uint32_t dropped;		/* mark: 1 if dropped instead of marked */
	uint64_t queue;			/* mark: queue length that the ECN profile used, in bytes */
	uint32_t received;		/* cnp: 1 received, 0 sent */
	uint32_t cause;			/* rate: cause of the change, enum rf_rate_cause */
	uint64_t at;			/* rate: time of the change, CLOCK_MONOTONIC */
	uint64_t rate, before, target;	/* rate: bits per second; @before: before the change */
	uint64_t alpha;			/* rate: in units of 10^-12 */
	uint32_t time_stage, byte_stage;	/* rate: increases since the last reduction */
	uint32_t count;			/* number of actions */
	uint8_t types[RDMAFAULT_ACTIONS_MAX];	/* enum rdmafault_action */
	uint64_t values[RDMAFAULT_ACTIONS_MAX];	/* random value of each action */
	uint32_t unchanged;		/* bits of the actions that changed nothing, by index */
	uint32_t family;		/* AF_INET, AF_INET6 */
	uint8_t saddr[16], daddr[16];	/* IPv4: only the first four bytes */
	uint32_t qp;			/* destination QP */
	uint32_t psn, psn_rel;
	uint32_t opcode, syndrome;
	uint32_t class, position;
	uint32_t attempt;		/* 0: unknown */
	uint32_t flow;			/* 0: unknown */
	uint32_t message;		/* 0: unknown */
	uint32_t step;
	uint32_t len;			/* bytes of the IP packet */
	bool fault;			/* the rule does more than observe */
	enum rf_taken taken;		/* set by the report, not recorded */
	bool mirrored;			/* likewise; rx has what the node next to the port sends */
};

struct rf_events {
	struct rf_event *e;		/* sorted by time */
	size_t n, room;
	uint64_t lost;			/* records lost because the buffer was full */
};

int rf_events_add(struct rf_events *ev, const struct rf_event *e);
void rf_events_sort(struct rf_events *ev);
void rf_events_unique(struct rf_events *ev);
void rf_events_free(struct rf_events *ev);

bool rf_event_changed(const struct rf_event *e, uint32_t i);	/* action @i was applied */
bool rf_event_is_request(const struct rf_event *e);
bool rf_event_leaves(const struct rf_event *e);
bool rf_event_is_retransmission(const struct rf_event *e);	/* leaving, attempt 2+ */
bool rf_event_same_flow(const struct rf_event *a, const struct rf_event *b);
int32_t rf_psn_diff(uint32_t a, uint32_t b);		/* a - b, modulo 2^24 */

const char *rf_event_kind_name(enum rf_event_kind kind);
const char *rf_event_opcode(const struct rf_event *e);
const char *rf_event_position(const struct rf_event *e);
char *rf_event_addr(const struct rf_event *e, const uint8_t addr[16], char *buf,
		    size_t len);
struct json_object *rf_event_json(const struct rf_event *e);
int rf_event_parse(struct json_object *o, struct rf_event *e);
void rf_event_put(struct json_object *o, const char *key, uint64_t v);
void rf_event_put_str(struct json_object *o, const char *key, const char *v);

/* events of a priority */
bool rf_event_is_prio(const struct rf_event *e);
int rf_event_prio_line(const struct rf_event *e, char *buf, size_t len);
bool rf_event_take_prio(struct json_object *o, struct rf_event *e);

/* event_flow.c: events of a flow */
bool rf_event_is_flow(const struct rf_event *e);
bool rf_event_is_cut(const struct rf_event *e);
void rf_event_flow_line(const struct rf_event *e, char *buf, size_t len);
void rf_event_put_flow(struct json_object *o, const struct rf_event *e);
bool rf_event_take_flow(struct json_object *o, struct rf_event *e);

#endif
