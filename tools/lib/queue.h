/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a port does with what waits, as the tools carry it about. What a field
 * means is said in Documentation/netlink/specs/rdmafault.yaml; what a port has
 * been told is kept in the module's own struct.
 */
#ifndef RF_QUEUE_H
#define RF_QUEUE_H

#include <stdbool.h>
#include <stdint.h>
#include <rdmafault/rdmafault.h>

#include "kmod/conf.h"

/* The attributes of prio-stats. */
struct rf_prio_stats {
	uint64_t packets, bytes, backlog_bytes, peak_bytes;
	uint64_t full, no_buffer, aged, guarded, marked, mark_dropped;
	uint64_t ecn_queue, pause_left, paused_total, pauses;
	uint64_t xoff_rx, xon_rx, xoff_tx, xon_tx;
	uint64_t buffer_used, buffer_peak;
	uint64_t detected, restored, detect_time, restore_time;
	uint32_t backlog, paused, watchdog;
};

/* What is asked of a storm. */
struct rf_storm_spec {
	uint32_t prios;			/* bit n: priority n */
	uint32_t flags;			/* enum rdmafault_storm_flag */
	uint32_t quanta;		/* 0: the most */
	uint64_t duration;		/* ns, 0: not given */
	uint64_t on_time, off_time;	/* ns, 0: no turns */
};

/* The storm that a priority is or was in last. */
struct rf_storm_info {
	struct rf_storm_spec spec;
	uint32_t running;
	uint32_t owner;			/* netlink port id, 0: persistent */
	uint64_t left, asked, covered, xoffs, lapses, interval_max;
	uint64_t interval[RDMAFAULT_GAP_BUCKETS];
	uint64_t gap[RDMAFAULT_GAP_BUCKETS];
};

struct rf_queue_info {
	uint32_t ifindex;
	char ifname[16];
	struct rf_conf conf;
	uint32_t in_flight;
	uint64_t in_flight_bytes, buffer_used, buffer_peak;
	uint64_t pauses_received, pauses_malformed, pauses_reserved;
	uint64_t pauses_sent;
	struct rf_prio_stats stats[RDMAFAULT_PRIOS];
	bool stormed[RDMAFAULT_PRIOS];	/* @storm means something */
	struct rf_storm_info storm[RDMAFAULT_PRIOS];
};

/* A change: of @conf, what the bits say; bit n stands for attribute n. */
struct rf_queue_change {
	uint64_t link, watchdog, dscp;	/* dscp: bit n stands for DSCP n */
	uint64_t prio[RDMAFAULT_PRIOS], ecn[RDMAFAULT_PRIOS];
	bool buffer;
	struct rf_conf conf;
};

#define RF_LINK_BIT(field) (1ull << RDMAFAULT_A_LINK_ ## field)
#define RF_PRIO_BIT(field) (1ull << RDMAFAULT_A_PRIO_ ## field)
#define RF_ECN_BIT(field) (1ull << RDMAFAULT_A_ECN_ ## field)
#define RF_WATCHDOG_BIT(field) (1ull << RDMAFAULT_A_WATCHDOG_ ## field)

#endif
