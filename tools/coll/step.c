// SPDX-License-Identifier: GPL-2.0
/*
 * Announce the steps of a job to the module.
 *
 * A rule can match a step ("step 20"). Therefore each rank sends the number of its
 * step to the module, in a netlink message, before the first packet of the step.
 * Steps are counted from 1; 0 means no step.
 *
 * A job must run in the same way without the module, without a port on the netdev
 * and without privileges. After an error, steps are no longer announced on this netdev; a
 * note is printed only with --verbose.
 */
#include <net/if.h>
#include <string.h>

#include "coll.h"
#include "err.h"
#include "genl.h"

static void off(struct coll_announcer *a, uint32_t rail, const char *netdev, int err)
{
	if (a->verbose)
		rf_note("step numbers cannot be sent to the module on %s: %s", netdev,
			a->nl ? rf_nl_why(a->nl, err) : strerror(-err));
	a->ifindex[rail] = 0;
}

static int announce_step(const struct coll_announcer *a, uint32_t rail, uint32_t step)
{
	const struct rf_job_step said = {
		.number = step,
		.messages = step ? a->messages : 0,
		.messages_total = a->messages_total,
	};

	return rf_nl_step_set(a->nl, a->ifindex[rail], &said);
}

/**
 * coll_announcer_open() - open the socket, and find out which netdevs of a rank are ports
 * @a: zeros; the caller sets the rest
 * @st: state of the rank
 */
void coll_announcer_open(struct coll_announcer *a, const struct coll_state *st)
{
	int err = rf_nl_open(&a->nl), ret;

	if (err)
		a->nl = NULL;
	for (uint32_t i = 0; i < st->rails; i++) {
		a->ifindex[i] = if_nametoindex(st->rail[i].netdev);
		ret = err ? err : announce_step(a, i, 0);
		if (ret)
			off(a, i, st->rail[i].netdev, ret);
	}
}

/** coll_announce() - tell the module that the ports are in step @step; 0: in no step */
void coll_announce(struct coll_announcer *a, uint32_t step)
{
	char netdev[IF_NAMESIZE] = "?";
	int ret;

	for (uint32_t i = 0; i < COLL_RAILS_MAX; i++) {
		ret = a->ifindex[i] ? announce_step(a, i, step) : 0;
		if (ret)
			off(a, i, if_indextoname(a->ifindex[i], netdev) ? netdev : "?", ret);
	}
}

/** coll_announcer_close() - stop announcing */
void coll_announcer_close(struct coll_announcer *a)
{
	if (a->nl)
		rf_nl_close(a->nl);
	a->nl = NULL;
}
