// SPDX-License-Identifier: GPL-2.0
/*
 * What can't be meant by a configuration of a port, and what the policies of
 * the netlink specification can't say.
 */
#include "conf.h"

#define FLAW(name, where, what, text)					\
	static const struct rf_flaw name = {				\
		.attr = RDMAFAULT_A_ ## where ## _ ## what,		\
		.nest = IN_ ## where,					\
		.words = (text),					\
	}
#define IN_PRIO		RDMAFAULT_A_PRIO
#define IN_ECN		RDMAFAULT_A_PRIO_ECN
#define IN_WATCHDOG	RDMAFAULT_A_WATCHDOG

FLAW(headroom_beyond, PRIO, HEADROOM,
	"headroom: beyond the buffer of the port");
FLAW(share_beyond, PRIO, SHARE,
	"share: beyond the buffer of the port without its headroom");
FLAW(xoff_above, PRIO, XOFF, "xoff: above the share");
FLAW(xon_above, PRIO, XON, "xon: above xoff");
FLAW(kmin_above, ECN, KMIN, "kmin: above kmax");
FLAW(kmax_missing, ECN, KMAX, "kmax: missing");
FLAW(poll_long, WATCHDOG, POLL,
	"poll: longer than the detection or restoration time");
FLAW(poll_short, WATCHDOG, POLL, "poll: shorter than 1 ms");

/* The machine has other work. */
#define POLL_LEAST	1000000ULL

static const struct rf_flaw *ecn_flaw(const struct rf_ecn_conf *ecn)
{
	if (ecn->enabled && !ecn->kmax)
		return &kmax_missing;
	return ecn->kmin > ecn->kmax ? &kmin_above : NULL;
}

static const struct rf_flaw *prio_flaw(const struct rf_conf *conf, u32 i)
{
	const struct rf_prio_conf *prio = &conf->prio[i];

	if (conf->buffer && prio->share > conf->buffer - rf_conf_headroom(conf))
		return &share_beyond;
	if (prio->xoff > rf_conf_share(conf, i))
		return &xoff_above;
	if (prio->xon > rf_conf_xoff(conf, i))
		return &xon_above;
	return ecn_flaw(&prio->ecn);
}

/**
 * rf_conf_flaw - what can't be meant?
 * @conf: the configuration, each value in its range
 * @prio: gets the priority that is wrong, RDMAFAULT_PRIOS if it is none
 *
 * Context: any.
 * Return: the flaw, or NULL.
 */
const struct rf_flaw *rf_conf_flaw(const struct rf_conf *conf, u32 *prio)
{
	const struct rf_watchdog_conf *dog = &conf->watchdog;
	const struct rf_flaw *flaw;
	u32 i;

	*prio = RDMAFAULT_PRIOS;
	if (conf->buffer && rf_conf_headroom(conf) > conf->buffer)
		return &headroom_beyond;
	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		flaw = prio_flaw(conf, i);
		if (flaw) {
			*prio = i;
			return flaw;
		}
	}
	if (dog->poll > dog->detect || dog->poll > dog->restore)
		return &poll_long;
	return dog->poll < POLL_LEAST ? &poll_short : NULL;
}
