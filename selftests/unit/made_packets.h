/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that make events of packets, and records that contain these events, for tests of
 * the detection and the repair of losses. The packets are from the flow in made_timeline.h.
 */
#ifndef RF_TEST_MADE_PACKETS_H
#define RF_TEST_MADE_PACKETS_H

#include <arpa/inet.h>

#include "tools/run/record.h"
#include "made_timeline.h"

#define QPN 17			/* rank 0's */
#define PEER_QPN 18		/* rank 1's */

/* Return: the event of an RDMA WRITE packet from rank 0 to rank 1 that leaves at @t_ns. */
static inline struct rf_event write_at(uint64_t t_ns, uint32_t psn, uint32_t attempt)
{
	struct rf_event e = {
		.t_ns = t_ns, .dev = "v1", .ifindex = 3, .rule = 1,
		.dir = RDMAFAULT_DIRECTION_TX, .family = AF_INET,
		.action = RDMAFAULT_ACTION_OBSERVE, .qp = PEER_QPN, .psn = psn,
		.psn_rel = psn, .opcode = 0x07, .attempt = attempt, .step = 2,
		.class = RDMAFAULT_CLASS_WRITE, .len = 4140,
		.position = RDMAFAULT_POSITION_MIDDLE,
	};

	inet_pton(AF_INET, "10.77.0.1", e.saddr);
	inet_pton(AF_INET, "10.77.0.2", e.daddr);
	return e;
}

static inline struct rf_event drop_at(uint64_t t_ns, uint32_t psn)
{
	struct rf_event e = write_at(t_ns, psn, 1);

	e.action = RDMAFAULT_ACTION_DROP;
	e.rule = 2;
	e.fault = true;
	return e;
}

static inline struct rf_event nak_at(uint64_t t_ns, uint32_t psn)
{
	struct rf_event e = write_at(t_ns, psn, 1);

	e.dir = RDMAFAULT_DIRECTION_RX;
	e.class = RDMAFAULT_CLASS_NAK;
	e.opcode = 0x11;
	e.syndrome = 0x60;
	e.qp = QPN;
	inet_pton(AF_INET, "10.77.0.2", e.saddr);
	inet_pton(AF_INET, "10.77.0.1", e.daddr);
	return e;
}

static inline void make_record(struct rf_record *rec, uint64_t step_ns,
			       const struct rf_event *e, size_t n)
{
	*rec = (struct rf_record){ };
	make_timeline(&rec->tl, step_ns, ended);
	while (n--)
		rf_events_add(&rec->ev, e++);
	rf_events_sort(&rec->ev);
}

#endif
