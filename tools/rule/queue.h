/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The settings and counters of a port's queues. Documentation/netlink/specs/
 * rdmafault.yaml describes the fields; struct rf_conf is defined by the module.
 */
#ifndef RF_QUEUE_H
#define RF_QUEUE_H

#include <stdbool.h>
#include <stdint.h>
#include <rdmafault/rdmafault.h>

#include "kmod/pfc/storm_fsm.h"
#include "kmod/queue/config.h"
#include "kmod/prio_stats.h"

struct rf_queue_info {
	uint32_t ifindex;
	char ifname[16];
	struct rf_conf conf;
	uint32_t in_flight;
	uint64_t in_flight_bytes, buffer_used, buffer_peak;
	uint64_t pauses_received, pauses_malformed, pauses_reserved;
	uint64_t pauses_sent;
	struct rf_prio_stats stats[RDMAFAULT_PRIOS];
	bool has_storm[RDMAFAULT_PRIOS];	/* [prio]: storm[prio] is valid */
	struct rf_storm_info storm[RDMAFAULT_PRIOS];
};

/*
 * A change of a port's settings. @conf has the new values. Bit n of the masks @link,
 * @watchdog, @prio and @ecn is set if netlink attribute n of this group is changed. Bit n
 * of @dscp is set if the priority of DSCP n is changed.
 */
struct rf_queue_change {
	uint64_t link, watchdog, dscp;	/* masks */
	uint64_t prio[RDMAFAULT_PRIOS], ecn[RDMAFAULT_PRIOS];
	bool buffer;
	struct rf_conf conf;
};

#define RF_LINK_BIT(field) (1ull << RDMAFAULT_A_LINK_ ## field)
#define RF_PRIO_BIT(field) (1ull << RDMAFAULT_A_PRIO_ ## field)
#define RF_ECN_BIT(field) (1ull << RDMAFAULT_A_ECN_ ## field)
#define RF_WATCHDOG_BIT(field) (1ull << RDMAFAULT_A_WATCHDOG_ ## field)

#endif
