// SPDX-License-Identifier: GPL-2.0
/*
 * Validation of a configuration: what the policies of the netlink specification
 * cannot express.
 */
#include <linux/stddef.h>

#include "config.h"

#define INVALID(name, where, what, text)					\
	static const struct rf_invalid name = {				\
		.attr = RDMAFAULT_A_ ## where ## _ ## what,		\
		.nest = IN_ ## where,					\
		.words = (text),					\
	}
#define IN_PRIO		RDMAFAULT_A_PRIO
#define IN_ECN		RDMAFAULT_A_PRIO_ECN
#define IN_WATCHDOG	RDMAFAULT_A_WATCHDOG

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

/* The shortest polling interval of the watchdog, in nanoseconds */
#define POLL_MIN	1000000ULL

static const struct rf_invalid *ecn_validate(const struct rf_ecn_conf *ecn)
{
	if (ecn->enabled && !ecn->kmax)
		return &kmax_missing;
	return ecn->kmin > ecn->kmax ? &kmin_above : NULL;
}

static const struct rf_invalid *prio_validate(const struct rf_conf *conf, u32 i)
{
	const struct rf_prio_conf *prio = &conf->prio[i];

	if (conf->buffer && prio->share > conf->buffer - rf_conf_headroom(conf))
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
	const struct rf_watchdog_conf *dog = &conf->watchdog;
	const struct rf_invalid *invalid;
	u32 i;

	*prio = RDMAFAULT_PRIOS;
	if (conf->buffer && rf_conf_headroom(conf) > conf->buffer)
		return &headroom_beyond;
	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		invalid = prio_validate(conf, i);
		if (invalid) {
			*prio = i;
			return invalid;
		}
	}
	if (dog->poll > dog->detect || dog->poll > dog->restore)
		return &poll_long;
	return dog->poll < POLL_MIN ? &poll_short : NULL;
}
