/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The packets that ports have recorded, and why a queue pair failed: pure functions, without
 * a machine. A sighting is a packet at a place: one direction of a port.
 */
#ifndef RF_FLIGHT_H
#define RF_FLIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define RF_FLIGHT_ADDRS 8	/* most addresses of a port that are known */

/* An IPv4 address has 4 bytes, and the others are 0 */
struct rf_flight_addr {
	uint8_t len;
	uint8_t bytes[16];
};

struct rf_place {
	char dev[16];
	uint32_t ifindex, dir;		/* enum rdmafault_direction */
	uint64_t packets, overwritten;	/* counters of the ring */
	uint64_t since_ns;		/* time from which on all packets are known */
	uint32_t mtu;			/* of the netdev; 0: unknown */
	bool down;			/* the link is down, or was down during the recording */
	bool paused;			/* a priority was paused during the recording */
	struct rf_flight_addr addr[RF_FLIGHT_ADDRS];	/* of an RDMA device on the netdev */
	size_t addrs;
};

/* Messages of connection management (IBTA vol. 1, 12.6) */
enum rf_cm {
	RF_CM_REQ = 0x10,
	RF_CM_REJ = 0x12,
	RF_CM_REP = 0x13,
	RF_CM_DREQ = 0x15,
};

struct rf_sighting {
	uint64_t t_ns;			/* CLOCK_MONOTONIC */
	uint32_t place;			/* index in struct rf_flight */
	uint32_t verdict;		/* 0: passed, 1: dropped by a rule, 2: delayed by a rule */
	struct rf_flight_addr saddr, daddr;
	uint32_t len;			/* bytes of the IP packet */
	uint32_t qp, psn;
	uint32_t read_len;		/* bytes that a READ requests */
	uint8_t opcode, syndrome;
	bool response;
	uint16_t cm;			/* enum rf_cm, or another number; 0: no message of it */
	uint16_t reason;		/* of a REJ */
	const uint8_t *frame;
	uint32_t captured, frame_len;
	uint32_t flow;			/* set by the analysis */
};

/* A queue pair that was seen while the command ran */
struct rf_flight_qp {
	char rdma[64], comm[16];
	uint32_t ifindex;		/* netdev of the device */
	uint32_t qp, peer;		/* @peer 0: unknown */
	uint32_t pid;
	uint64_t gone_ns;		/* first time at which it did not exist; 0: it exists */
	bool error;			/* it was in the error state */
	uint64_t seen_ns;		/* last time at which it was seen */
};

struct rf_flight {
	struct rf_place *place;
	size_t places;
	struct rf_sighting *s;		/* sorted by time after rf_flight_sort() */
	size_t n, room;
	size_t bad;			/* records that are no RoCEv2 packet */
	struct rf_flight_qp *qp;
	size_t qps;
};

/* flight.c */
int rf_flight_add(struct rf_flight *f, uint32_t place, const uint8_t *records, size_t len);
void rf_flight_sort(struct rf_flight *f);
void rf_flight_free(struct rf_flight *f);
bool rf_sighting_parse(struct rf_sighting *s, const uint8_t *frame, uint32_t captured,
		       uint32_t len);
void rf_sighting_print(const struct rf_flight *f, const struct rf_sighting *s, uint64_t zero_ns,
		       FILE *out);
char *rf_flight_addr_text(const struct rf_flight_addr *addr, char buf[46]);

/* cause.c: why a queue pair, or a connection, failed */
enum rf_cause_kind {
	RF_CAUSE_NONE,			/* the packets show no failure */
	RF_CAUSE_LINK_DOWN,
	RF_CAUSE_REMOTE,		/* NAK: the receiver refused the request */
	RF_CAUSE_NOT_READY,		/* RNR NAKs */
	RF_CAUSE_PAUSE,
	RF_CAUSE_TIMER,			/* shorter than the round trip */
	RF_CAUSE_MTU,
	RF_CAUSE_LOST,			/* not retransmitted */
	RF_CAUSE_LOST_AGAIN,		/* the retransmissions were lost, too */
	RF_CAUSE_ACK_LOST,
	RF_CAUSE_PEER_GONE,
	RF_CAUSE_SILENT,		/* no response, for an unknown reason */
	RF_CAUSE_REJECTED,		/* by connection management */
	RF_CAUSE_LOCAL,			/* a queue pair failed without a packet */
	RF_CAUSES,
};

#define RF_CAUSE_LEN 512

struct rf_cause {
	enum rf_cause_kind kind;
	char sentence[RF_CAUSE_LEN];
	size_t *evidence;		/* sightings, in the order of time */
	size_t n;
};

const char *rf_cause_name(enum rf_cause_kind kind);
int rf_cause_find(struct rf_flight *f, struct rf_cause *cause);
void rf_cause_free(struct rf_cause *cause);

#endif
