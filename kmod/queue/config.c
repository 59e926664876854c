// SPDX-License-Identifier: GPL-2.0
/*
 * What a port is told to do with what waits: its link, its priorities, its
 * buffer, its watchdog. Whoever changes it copies the whole, changes the copy,
 * has it looked at here and publishes it, so no packet meets half of a change.
 *
 * The buffer: what came in by a port and waits to be forwarded counts to the
 * port's buffer. A lossless priority has headroom of its own there; the rest is
 * shared by all, each up to its share. XOFF is sent before a share is full,
 * and what is still on its way then goes into the headroom. A lossless priority
 * without a limit in the buffer (no buffer, share or xoff) sends no XOFF. It still
 * obeys XOFF, as a NIC does that never runs out of buffer.
 */
#include "config.h"

/* rxe has 64 packets in flight per queue pair: room for 150 busy ones. */
#define LIMIT_DEFAULT		10000u
#define DETECT_DEFAULT		(200ULL * 1000 * 1000)
#define RESTORE_DEFAULT		(200ULL * 1000 * 1000)
#define POLL_DEFAULT		(100ULL * 1000 * 1000)
/* Preamble, start, FCS and gap (IEEE 802.3, 3.1.1 and 4.4.2). */
#define OVERHEAD_DEFAULT	24u

/**
 * rf_link_conf_init - the link of a port that nobody has told anything
 * @link: filled in
 *
 * Context: any.
 */
void rf_link_conf_init(struct rf_link_conf *link)
{
	memset(link, 0, sizeof(*link));
	link->overhead = OVERHEAD_DEFAULT;
}

/**
 * rf_conf_init - what a port does that nobody has told anything
 * @conf: filled in
 *
 * Context: any.
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
	for (i = 0; i < sizeof(conf->dscp_prio); i++)
		conf->dscp_prio[i] = i >> 3;
	rf_conf_complete(conf);
}

static bool prio_shapes(const struct rf_prio_conf *prio)
{
	return prio->tsa != RDMAFAULT_TSA_STRICT || prio->limit_bytes ||
	       prio->ecn.enabled;
}

/**
 * rf_conf_complete - work out what follows from the rest
 * @conf: the configuration
 *
 * Context: any.
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
		conf->shapes |= prio_shapes(&conf->prio[i]);
		conf->buffers |= conf->prio[i].pfc &&
				 rf_conf_xoff(conf, i) != U64_MAX;
	}
}

/**
 * rf_conf_lossless - the priorities with PFC
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

/**
 * rf_conf_headroom - what all lossless priorities keep of the buffer
 * @conf: the configuration
 *
 * Return: bytes.
 */
u64 rf_conf_headroom(const struct rf_conf *conf)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (conf->prio[i].pfc)
			sum += conf->prio[i].headroom;
	return sum;
}

/**
 * rf_conf_share - the most of the shared buffer that a priority takes
 * @conf: the configuration, validated
 * @prio: the priority
 *
 * Return: bytes, U64_MAX if there is no end.
 */
u64 rf_conf_share(const struct rf_conf *conf, u32 prio)
{
	if (conf->prio[prio].share)
		return conf->prio[prio].share;
	return conf->buffer ? conf->buffer - rf_conf_headroom(conf) : U64_MAX;
}

/**
 * rf_conf_xoff - where XOFF is sent
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
 * rf_conf_xon - where XON is sent
 * @conf: the configuration, validated
 * @prio: the priority
 *
 * Return: bytes in the buffer.
 */
u64 rf_conf_xon(const struct rf_conf *conf, u32 prio)
{
	return conf->prio[prio].xon ?: rf_conf_xoff(conf, prio) / 2;
}
