/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_QUEUE_CONFIG_H
#define RF_QUEUE_CONFIG_H

#ifdef __KERNEL__
#include <linux/rcupdate.h>
#endif

#include "../rule/invalid.h"
#include "../pure.h"

/* The longest time that a port holds a packet by default, in nanoseconds */
#define RF_MAX_HOLD	5000000000ULL

/* A DSCP has six bits. */
#define RF_DSCPS	64

/**
 * struct rf_link_conf - the wire behind a port
 * @rate: bits per second, 0 for as fast as the machine can
 * @delay: propagation delay, in nanoseconds
 * @jitter: a packet takes up to so much longer, in nanoseconds
 * @seed: of the draws for jitter and marks
 * @overhead: bytes beside the Ethernet header and payload
 */
struct rf_link_conf {
	u64 rate;
	u64 delay;
	u64 jitter;
	u64 seed;
	u32 overhead;
};

/**
 * struct rf_ecn_conf - when CE is set in a priority
 * @kmin: bytes up to which it never is
 * @kmax: bytes above which it always is
 * @pmax: probability at @kmax, of RDMAFAULT_PROBABILITY_ONE
 * @phantom: bits per second that the virtual queue drains at, 0 for the real one
 * @weight: the average moves by 2^-weight, 0 for the queue itself
 * @ect: RDMAFAULT_ECT_*
 * @not_ect: RDMAFAULT_NOT_ECT_*
 * @enabled: the ECN profile is used
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
 * struct rf_prio_conf - one priority of a port
 * @limit_bytes: bytes that may wait to leave, 0 for no limit
 * @share: bytes of the shared buffer that it takes at most, 0 for all of it
 * @headroom: bytes that are kept for what arrives after XOFF
 * @xoff: bytes in the buffer at which XOFF is sent; 0: when the share is full
 * @xon: bytes in the buffer at which XON is sent; 0: half of @xoff
 * @limit: packets that may wait to leave
 * @tsa: RDMAFAULT_TSA_*
 * @weight: share among the priorities of ets
 * @pfc: it is lossless: XOFF is obeyed, and sent if the buffer is limited
 * @ecn: its ECN profile
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
 * struct rf_watchdog_conf - the guard of a port's priorities
 * @detect: detection time, in nanoseconds as all
 * @restore: restoration time
 * @poll: polling interval
 * @prios: bit n for priority n
 * @action: RDMAFAULT_WATCHDOG_ACTION_*
 */
struct rf_watchdog_conf {
	u64 detect;
	u64 restore;
	u64 poll;
	u32 prios;
	u32 action;
};

/**
 * struct rf_conf - what a port is told to do with what waits
 * @link: the wire behind it
 * @buffer: bytes for what came in by it and waits elsewhere, 0 for no end
 * @prio: by priority
 * @watchdog: their guard
 * @dscp_prio: priority by DSCP, for packets without a VLAN tag
 * @ets: bit n if the TSA of priority n is ETS; rf_conf_complete() sets this
 * @shapes: a packet may have to wait or be marked even if no pause holds it
 * @buffers: what comes in is charged to the buffer
 * @rcu: readers may still look at it when another has taken its place
 *
 * Published whole, and not changed then.
 */
struct rf_conf {
	struct rf_link_conf link;
	u64 buffer;
	struct rf_prio_conf prio[RDMAFAULT_PRIOS];
	struct rf_watchdog_conf watchdog;
	u8 dscp_prio[RF_DSCPS];
	u32 ets;
	bool shapes;
	bool buffers;
#ifdef __KERNEL__
	struct rcu_head rcu;
#endif
};

void rf_link_conf_init(struct rf_link_conf *link);
void rf_conf_init(struct rf_conf *conf);
void rf_conf_complete(struct rf_conf *conf);
u32 rf_conf_lossless(const struct rf_conf *conf);
u64 rf_conf_headroom(const struct rf_conf *conf);
u64 rf_conf_share(const struct rf_conf *conf, u32 prio);
u64 rf_conf_xoff(const struct rf_conf *conf, u32 prio);
u64 rf_conf_xon(const struct rf_conf *conf, u32 prio);
const struct rf_invalid *rf_conf_validate(const struct rf_conf *conf, u32 *prio);

/**
 * rf_conf_pause_rate - what pause quanta are converted with
 * @conf: of the port that is paused
 *
 * Return: bits per second.
 */
static inline u64 rf_conf_pause_rate(const struct rf_conf *conf)
{
	return conf->link.rate ?: RDMAFAULT_RATE_DEFAULT;
}

#endif
