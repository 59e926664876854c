/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The packets of a case: which events are of one packet, which transmission arrived where, which
 * was lost, and when a requester went back. loss.c and gbn.c read it.
 */
#ifndef RF_WIRE_H
#define RF_WIRE_H

#include "tools/run/record.h"

/* Opcodes of reliable connections (IBTA vol. 1, table 38) */
#define RF_OPCODE_RESPONSE_FIRST 0x0d
#define RF_OPCODE_ACK 0x11		/* of ACKs, NAKs and RNR NAKs */
#define RF_OPCODE_RESPONSE_LAST 0x12
#define RF_OPCODE_RC_LAST 0x17

static inline bool rf_opcode_is_response(uint32_t opcode)
{
	return opcode >= RF_OPCODE_RESPONSE_FIRST && opcode <= RF_OPCODE_RESPONSE_LAST;
}

enum rf_pass_kind {
	RF_PASS_REQUEST, RF_PASS_RESPONSE, RF_PASS_ACK, RF_PASS_NAK, RF_PASS_RNR,
};

enum rf_pass_place { RF_AT_SWITCH, RF_AT_SENDER, RF_AT_RECEIVER };

enum rf_cause {
	RF_CAUSE_NONE, RF_CAUSE_NAK, RF_CAUSE_RNR, RF_CAUSE_IMPLIED, RF_CAUSE_TIMEOUT,
};

/* A packet at one port. At the port of its sender it is a transmission. */
struct rf_pass {
	const struct rf_event *e;	/* its first event */
	const struct rf_event *fault;	/* its first fault; NULL: none */
	uint64_t t, last;		/* time of its first and of its last event */
	enum rf_pass_kind kind;
	enum rf_pass_place place;
	uint32_t port;			/* number of the port and direction */
	uint32_t conn;			/* number of the connection */
	int64_t lin, end;		/* PSN without wraps; behind the last PSN of a request */
	bool forged;			/* a NAK that a fault sent */
	bool damaged;			/* the receiver discards it */
	bool answered;			/* a NAK: the requester went back after it */
	/* of a transmission */
	bool lost;
	bool again;			/* the PSN was sent before */
	const struct rf_event *lost_by;	/* the fault; NULL: the place of the loss is not known */
	struct rf_pass *arrived;	/* at the receiver, which accepted it */
	struct rf_restart *restart;	/* retransmission that it is a part of */
	/* of a packet at another port */
	struct rf_pass *sent;		/* the transmission; NULL: not recorded */
};

struct rf_passes {
	struct rf_pass **p;		/* sorted by time */
	size_t n;
};

/* A requester went back to an earlier PSN. */
struct rf_restart {
	enum rf_cause cause;
	const struct rf_pass *by;	/* NAK, RNR NAK, response; NULL: no record, or timer */
	struct rf_passes sent;
};

struct rf_restarts {
	struct rf_restart **r;
	size_t n;
};

/* The requests from one queue pair to another, and their responses */
struct rf_conn {
	const struct rf_event *first;	/* its first packet */
	const struct rf_qp *qp;		/* of the requester; NULL: unknown */
	struct rf_passes requests, arrived, responses, answered;
	struct rf_passes by_psn;	/* requests and responses, sorted by PSN, then by time */
	struct rf_passes reads;		/* READ requests */
	struct rf_restarts restarts;
};

#define RF_NO_CONN UINT32_MAX
#define RF_NO_PORT UINT32_MAX

/* One direction of a port */
struct rf_wire_port {
	const char *dev;
	bool leaves;			/* packets leave the node here; see rf_event_leaves() */
	bool nic;			/* the port of a node; the others are those of switches */
	bool *step;			/* by step: all packets were recorded */
	uint64_t from, to;		/* time from the first to the last of these steps */
};

/* An address, and the port next to its node */
struct rf_wire_nic {
	uint8_t addr[16];
	const char *dev;
};

struct rf_wire {
	const struct rf_record *rec;
	struct rf_pass *pass;		/* sorted by time */
	size_t n;
	uint32_t *of;			/* by event: number of its pass plus 1; 0: none */
	bool *unanswered;		/* by event: a nak or rnr rule that let the request pass */
	struct rf_conn *conn;
	size_t nconns;
	struct rf_wire_port *port;
	size_t nports;
	struct rf_wire_nic *nic;
	size_t nnics;
	uint32_t steps;			/* number of elements of rf_wire_port.step */
};

int rf_wire_read(const struct rf_record *rec, struct rf_wire *w);
void rf_wire_free(struct rf_wire *w);
const struct rf_pass *rf_wire_pass(const struct rf_wire *w, const struct rf_event *e);
bool rf_pass_is_accepted(const struct rf_wire *w, const struct rf_pass *p);
const struct rf_event *rf_pass_next_fault(const struct rf_wire *w, const struct rf_event *e);
bool rf_pass_is_removed_by(const struct rf_wire *w, const struct rf_event *e);
bool rf_event_damages(const struct rf_event *e);
bool rf_event_has_action(const struct rf_event *e, uint32_t action);
size_t rf_passes_after(const struct rf_passes *s, uint64_t t);

/* wire_ports.c */
int rf_wire_find_ports(struct rf_wire *w);
bool rf_wire_covers(const struct rf_wire *w, uint32_t port, const struct rf_event *e);
uint32_t rf_wire_nic(const struct rf_wire *w, const uint8_t addr[16], bool leaves);

#endif
