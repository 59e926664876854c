/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_QUEUE_CONFIG_H
#define RF_QUEUE_CONFIG_H

#include <linux/types.h>
#include <uapi/rdmafault/rdmafault.h>

#include "../dcqcn/rp.h"
#include "../pfc/fsm.h"

/* Default of max-hold, in nanoseconds */
#define RF_MAX_HOLD	5000000000ULL

/* A DSCP has six bits. */
#define RF_DSCPS	64

/**
 * struct rf_link_conf - configuration of the link of a port
 * @rate: bits per second, 0 for no limit
 * @delay: propagation delay in nanoseconds
 * @jitter: maximum of the random time that is added to @delay, in nanoseconds
 * @seed: seed of the random numbers for jitter and ECN marks
 * @overhead: bytes that each frame takes on the link in addition to the Ethernet
 *	header and the payload
 */
struct rf_link_conf {
	u64 rate;
	u64 delay;
	u64 jitter;
	u64 seed;
	u32 overhead;
};

/**
 * struct rf_ecn_conf - ECN profile of a priority
 * @kmin: queue length in bytes up to which no packet is marked
 * @kmax: queue length in bytes above which all packets are marked
 * @pmax: probability at @kmax, 0 to RDMAFAULT_PROBABILITY_ONE
 * @phantom: rate of the phantom queue in bits per second, 0 for the real queue
 * @weight: weight of a packet in the moving average as 2^-weight, 0 for no average
 * @ect: RDMAFAULT_ECT_*
 * @not_ect: RDMAFAULT_NOT_ECT_*
 * @enabled: 1 if the profile is used
 */
struct rf_ecn_conf {
	u64 kmin;
	u64 kmax;
	u64 pmax;
	u64 phantom;
	u32 weight;
	u32 ect;
	u32 not_ect;
	u32 enabled;
};

/**
 * struct rf_prio_conf - configuration of one priority of a port
 * @limit_bytes: maximum of the queue in bytes, 0 for no limit
 * @share: maximum of bytes in the shared buffer, 0 for all of it
 * @headroom: bytes reserved for packets that arrive after XOFF was sent
 * @xoff: bytes in the buffer at which XOFF is sent, 0 for @share
 * @xon: bytes in the buffer at which XON is sent, 0 for half of @xoff
 * @limit: maximum of the queue in packets
 * @tsa: RDMAFAULT_TSA_*
 * @weight: weight among the ETS priorities
 * @pfc: 1 if the priority obeys XOFF, and sends it if the buffer is limited
 * @ecn: ECN profile
 */
struct rf_prio_conf {
	u64 limit_bytes;
	u64 share;
	u64 headroom;
	u64 xoff;
	u64 xon;
	u32 limit;
	u32 tsa;
	u32 weight;
	u32 pfc;
	struct rf_ecn_conf ecn;
};

/**
 * struct rf_dcqcn_conf - DCQCN of a port
 * @np_min_time_between_cnps: the time that must be exceeded between two CNPs, before the
 *	time scale, in nanoseconds
 * @np: 1 if the port sends CNPs
 * @np_scope: RDMAFAULT_CNP_SCOPE_*
 * @np_cnp_dscp: DSCP of the CNPs
 * @rp: 1 if received CNPs limit the rates of flows
 * @cnp_queue: queue of all CNPs that leave the port, RDMAFAULT_CNP_QUEUE_*
 * @rate: the parameters of the rates of flows, and the time scale
 */
struct rf_dcqcn_conf {
	u64 np_min_time_between_cnps;
	u32 np;
	u32 np_scope;
	u32 np_cnp_dscp;
	u32 cnp_queue;
	u32 rp;
	struct rf_rp_conf rate;
};

/**
 * struct rf_conf - configuration of the queues, the link, PFC and DCQCN of a port
 * @link: the link
 * @buffer: bytes for packets received by this port that are queued at other
 *	ports, 0 for no limit
 * @prio: the priorities
 * @watchdog: the PFC watchdog
 * @dcqcn: DCQCN
 * @dscp_prio: priority by DSCP, for packets without a VLAN tag
 * @ets: bit n if the TSA of priority n is ETS
 * @shapes: packets can be queued, marked or dropped even if no priority is paused
 * @buffers: packets that arrive are charged to the buffer
 * @rcu: frees a configuration that was replaced
 *
 * A port points to its configuration with RCU. A published configuration doesn't
 * change. rf_conf_complete() computes @ets, @shapes and @buffers.
 */
struct rf_conf {
	struct rf_link_conf link;
	u64 buffer;
	struct rf_prio_conf prio[RDMAFAULT_PRIOS];
	struct rf_watchdog_conf watchdog;
	struct rf_dcqcn_conf dcqcn;
	u8 dscp_prio[RF_DSCPS];
	u32 ets;
	bool shapes;
	bool buffers;
	struct rcu_head rcu;
};

/* config.c */
void rf_link_conf_init(struct rf_link_conf *link);
void rf_conf_init(struct rf_conf *conf);
void rf_conf_complete(struct rf_conf *conf);
u64 rf_dcqcn_window(const struct rf_conf *conf, u32 mtu);
void rf_dcqcn_conf_use(struct rf_dcqcn_conf *conf, enum rf_rp_sets set);
u32 rf_conf_lossless(const struct rf_conf *conf);
u64 rf_conf_share(const struct rf_conf *conf, u32 prio);
u64 rf_conf_xoff(const struct rf_conf *conf, u32 prio);
u64 rf_conf_xon(const struct rf_conf *conf, u32 prio);
void rf_conf_pfc(const struct rf_conf *conf, struct rf_pfc_conf *pfc);
const struct rf_invalid *rf_conf_validate(const struct rf_conf *conf, u32 *prio);

/**
 * rf_conf_has_dcqcn - check if a port sends or obeys CNPs
 * @conf: its configuration
 *
 * Return: true if it does.
 */
static inline bool rf_conf_has_dcqcn(const struct rf_conf *conf)
{
	return conf->dcqcn.np || conf->dcqcn.rp;
}

#endif
