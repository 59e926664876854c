// SPDX-License-Identifier: GPL-2.0
/*
 * The configuration of the link, the priorities, the buffer and the watchdog of a
 * port. To change it, copy it, change the copy, complete and validate it here,
 * and publish it. So no packet sees half of a change.
 *
 * A packet that was received by a port and is queued at another port is charged
 * to the buffer of the port that received it. Each lossless priority has its own
 * headroom in the buffer. All priorities share the rest, each up to its share.
 * XOFF is sent before a share is full, and packets that arrive after that use
 * the headroom. A lossless priority without a limit (no buffer, share or xoff)
 * sends no XOFF, but obeys it, like a NIC that never runs out of buffer.
 */
#include <linux/if_ether.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "config.h"

/* Enough for 150 busy queue pairs, because rxe has up to 64 packets in flight on each. */
#define LIMIT_DEFAULT		10000u
#define DETECT_DEFAULT		(200ULL * 1000 * 1000)
#define RESTORE_DEFAULT		(200ULL * 1000 * 1000)
#define POLL_DEFAULT		(100ULL * 1000 * 1000)
/* Preamble, start, FCS and gap (IEEE 802.3, 3.1.1 and 4.4.2). */
#define OVERHEAD_DEFAULT	24u
/* That of mlx5 */
#define CNP_DSCP_DEFAULT	48u

#define NS_PER_S		1000000000ULL
/* Packets that rxe has in flight on a queue pair */
#define WINDOW			64ULL

/**
 * rf_link_conf_init - set the defaults of a link
 * @link: the configuration
 */
void rf_link_conf_init(struct rf_link_conf *link)
{
	memset(link, 0, sizeof(*link));
	link->overhead = OVERHEAD_DEFAULT;
}

/**
 * rf_dcqcn_conf_use - set the parameters of DCQCN to those of a named set
 * @conf: the configuration; its time scale is left
 * @set: the set
 */
void rf_dcqcn_conf_use(struct rf_dcqcn_conf *conf, enum rf_rp_sets set)
{
	u32 scale = conf->rate.scale;

	conf->np_min_time_between_cnps = rf_rp_sets[set].cnp_interval;
	conf->rate = rf_rp_sets[set].conf;
	conf->rate.scale = scale;
}

/**
 * rf_conf_init - set the defaults of a port
 * @conf: the configuration
 */
void rf_conf_init(struct rf_conf *conf)
{
	u32 i;

	memset(conf, 0, sizeof(*conf));
	rf_link_conf_init(&conf->link);
	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		conf->prio[i].limit = LIMIT_DEFAULT;
		conf->prio[i].weight = 1;
	}
	conf->watchdog.detect = DETECT_DEFAULT;
	conf->watchdog.restore = RESTORE_DEFAULT;
	conf->watchdog.poll = POLL_DEFAULT;
	conf->dcqcn.np_cnp_dscp = CNP_DSCP_DEFAULT;
	conf->dcqcn.rate.scale = 1;
	rf_dcqcn_conf_use(&conf->dcqcn, RF_RP_PAPER);
	for (i = 0; i < sizeof(conf->dscp_prio); i++)
		conf->dscp_prio[i] = i >> 3;
	rf_conf_complete(conf);
}

static bool conf_shapes(const struct rf_prio_conf *prio)
{
	return prio->tsa != RDMAFAULT_TSA_STRICT || prio->limit_bytes ||
	       prio->ecn.enabled;
}

/**
 * rf_conf_complete - compute the members that depend on other members
 * @conf: the configuration
 */
void rf_conf_complete(struct rf_conf *conf)
{
	u32 i;

	conf->shapes = conf->link.rate || conf->link.delay || conf->link.jitter;
	conf->buffers = conf->buffer;
	conf->ets = 0;
	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		if (conf->prio[i].tsa == RDMAFAULT_TSA_ETS)
			conf->ets |= 1u << i;
		conf->shapes |= conf_shapes(&conf->prio[i]);
		conf->buffers |= conf->prio[i].pfc &&
				 rf_conf_xoff(conf, i) != U64_MAX;
	}
}

/**
 * rf_conf_lossless - get the priorities with PFC
 * @conf: the configuration
 *
 * Return: bit n for priority n.
 */
u32 rf_conf_lossless(const struct rf_conf *conf)
{
	u32 i, prios = 0;

	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (conf->prio[i].pfc)
			prios |= 1u << i;
	return prios;
}

/* The headroom of all lossless priorities */
static u64 conf_headroom(const struct rf_conf *conf)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (conf->prio[i].pfc)
			sum += conf->prio[i].headroom;
	return sum;
}

/**
 * rf_conf_share - get the share of a priority in the shared buffer
 * @conf: the configuration, validated
 * @prio: the priority
 *
 * Return: bytes, U64_MAX for no limit.
 */
u64 rf_conf_share(const struct rf_conf *conf, u32 prio)
{
	if (conf->prio[prio].share)
		return conf->prio[prio].share;
	return conf->buffer ? conf->buffer - conf_headroom(conf) : U64_MAX;
}

/**
 * rf_conf_xoff - get the threshold of XOFF
 * @conf: the configuration, validated
 * @prio: the priority
 *
 * Return: bytes in the buffer, U64_MAX if XOFF is never sent.
 */
u64 rf_conf_xoff(const struct rf_conf *conf, u32 prio)
{
	return conf->prio[prio].xoff ?: rf_conf_share(conf, prio);
}

/**
 * rf_conf_xon - get the threshold of XON
 * @conf: the configuration, validated
 * @prio: the priority
 *
 * Return: bytes in the buffer.
 */
u64 rf_conf_xon(const struct rf_conf *conf, u32 prio)
{
	return conf->prio[prio].xon ?: rf_conf_xoff(conf, prio) / 2;
}

/* The rate that converts pause quanta to time, in bits per second */
static u64 conf_pause_rate(const struct rf_conf *conf)
{
	return conf->link.rate ?: RDMAFAULT_RATE_DEFAULT;
}

/**
 * rf_conf_pfc - the configuration of the PFC of a port
 * @conf: the configuration of the port, validated
 * @pfc: filled in
 */
void rf_conf_pfc(const struct rf_conf *conf, struct rf_pfc_conf *pfc)
{
	struct rf_buffer_conf *buffer = &pfc->buffer;
	u32 i;

	memset(pfc, 0, sizeof(*pfc));
	pfc->rate = conf_pause_rate(conf);
	pfc->watchdog = conf->watchdog;
	buffer->lossless = rf_conf_lossless(conf);
	buffer->shared = conf->buffer ? conf->buffer - conf_headroom(conf) :
					U64_MAX;
	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		buffer->prio[i].share = rf_conf_share(conf, i);
		buffer->prio[i].headroom = conf->prio[i].headroom;
		buffer->prio[i].xoff = rf_conf_xoff(conf, i);
		buffer->prio[i].xon = rf_conf_xon(conf, i);
	}
}

/* Validation: what the policies of the netlink specification cannot express */

#define INVALID(name, where, what, text)					\
	static const struct rf_invalid name = {				\
		.attr = RDMAFAULT_A_ ## where ## _ ## what,		\
		.nest = IN_ ## where,					\
		.words = (text),					\
	}
#define IN_PRIO		RDMAFAULT_A_PRIO
#define IN_ECN		RDMAFAULT_A_PRIO_ECN
#define IN_WATCHDOG	RDMAFAULT_A_WATCHDOG
#define IN_DCQCN	RDMAFAULT_A_DCQCN

INVALID(headroom_beyond, PRIO, HEADROOM,
	"headroom: greater than the buffer of the port");
INVALID(share_beyond, PRIO, SHARE,
	"share: greater than the buffer of the port minus its headroom");
INVALID(xoff_above, PRIO, XOFF, "xoff: greater than the share");
INVALID(xon_above, PRIO, XON, "xon: greater than xoff");
INVALID(kmin_above, ECN, KMIN, "kmin: greater than kmax");
INVALID(kmax_missing, ECN, KMAX, "kmax: missing");
INVALID(poll_long, WATCHDOG, POLL,
	"poll: longer than the detection or restoration time");
INVALID(poll_short, WATCHDOG, POLL, "poll: shorter than 1 ms");

INVALID(rp_without_rate, DCQCN, RP, "rp: the link has no rate");
INVALID(ai_above, DCQCN, AI_RATE, "ai-rate: greater than the link rate times scale");
INVALID(ai_below, DCQCN, AI_RATE,
	"ai-rate: less than 1/100000 of the link rate times scale");
INVALID(hai_above, DCQCN, HAI_RATE, "hai-rate: greater than the link rate times scale");
INVALID(min_above, DCQCN, MIN_RATE, "min-rate: greater than the link rate times scale");
INVALID(max_below, DCQCN, MAX_RATE, "max-rate: less than min-rate");
INVALID(period_unused, DCQCN, RATE_REDUCE_MONITOR_PERIOD,
	"rate-reduce-monitor-period: must be 0 with the order cut-first");
INVALID(period_missing, DCQCN, RATE_REDUCE_MONITOR_PERIOD,
	"rate-reduce-monitor-period: must not be 0 with the order alpha-first");

/* The shortest polling interval of the watchdog, in nanoseconds */
#define POLL_MIN	1000000ULL

static const struct rf_invalid *ecn_validate(const struct rf_ecn_conf *ecn)
{
	if (ecn->enabled && !ecn->kmax)
		return &kmax_missing;
	return ecn->kmin > ecn->kmax ? &kmin_above : NULL;
}

static const struct rf_invalid *rates_validate(const struct rf_rp_conf *rate, u64 nominal)
{
	if (rate->ai_rate > nominal)
		return &ai_above;
	if (rate->ai_rate < nominal / RF_RP_STEPS_MAX)
		return &ai_below;
	if (rate->hai_rate > nominal)
		return &hai_above;
	if (rate->min_rate > nominal)
		return &min_above;
	return rate->max_rate && rate->max_rate < rate->min_rate ? &max_below : NULL;
}

/* Rates are compared as they are before the time scale. */
static const struct rf_invalid *dcqcn_validate(const struct rf_conf *conf)
{
	const struct rf_rp_conf *rate = &conf->dcqcn.rate;
	bool alpha_first = rate->order == RDMAFAULT_DCQCN_ORDER_ALPHA_FIRST;

	if (alpha_first != !!rate->rate_reduce_monitor_period)
		return alpha_first ? &period_missing : &period_unused;
	if (!conf->dcqcn.rp)
		return NULL;
	if (!conf->link.rate)
		return &rp_without_rate;
	return rates_validate(rate, conf->link.rate * rate->scale);
}

/**
 * rf_dcqcn_window - compute how long a flow with the lowest rate sends all its packets
 * @conf: the configuration
 * @mtu: bytes of a packet without its Ethernet header
 *
 * rxe has at most 64 packets in flight on a queue pair. The last of them waits for the
 * others.
 *
 * Return: nanoseconds.
 */
u64 rf_dcqcn_window(const struct rf_conf *conf, u32 mtu)
{
	u64 rate = max(div64_u64(conf->dcqcn.rate.min_rate, conf->dcqcn.rate.scale), 1ULL);

	return div64_u64(WINDOW * 8 * NS_PER_S * (mtu + ETH_HLEN + conf->link.overhead), rate);
}

static const struct rf_invalid *prio_validate(const struct rf_conf *conf, u32 i)
{
	const struct rf_prio_conf *prio = &conf->prio[i];

	if (conf->buffer && prio->share > conf->buffer - conf_headroom(conf))
		return &share_beyond;
	if (prio->xoff > rf_conf_share(conf, i))
		return &xoff_above;
	if (prio->xon > rf_conf_xoff(conf, i))
		return &xon_above;
	return ecn_validate(&prio->ecn);
}

/**
 * rf_conf_validate - validate a configuration
 * @conf: the configuration, each value in its range
 * @prio: set to the priority with the invalid value, or to RDMAFAULT_PRIOS if the
 *	value is not one of a priority
 *
 * Return: the invalid value, or NULL.
 */
const struct rf_invalid *rf_conf_validate(const struct rf_conf *conf, u32 *prio)
{
	const struct rf_watchdog_conf *watchdog = &conf->watchdog;
	const struct rf_invalid *invalid;
	u32 i;

	*prio = RDMAFAULT_PRIOS;
	if (conf->buffer && conf_headroom(conf) > conf->buffer)
		return &headroom_beyond;
	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		invalid = prio_validate(conf, i);
		if (invalid) {
			*prio = i;
			return invalid;
		}
	}
	invalid = dcqcn_validate(conf);
	if (invalid)
		return invalid;
	if (watchdog->poll > watchdog->detect ||
	    watchdog->poll > watchdog->restore)
		return &poll_long;
	return watchdog->poll < POLL_MIN ? &poll_short : NULL;
}
