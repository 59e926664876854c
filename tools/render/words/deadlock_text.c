// SPDX-License-Identifier: GPL-2.0
/* Describe the PFC deadlock of a run that lasted longest. */
#include "units.h"
#include "words.h"

#define PORTS_NAMED 8	/* the most ports that are listed */

static void list_ports(const struct rf_fabric *f, const struct rf_deadlock *d, char *buf,
		       size_t len)
{
	char name[16];
	size_t at = 0;
	uint32_t i;

	for (i = 0; i < d->ports && i < PORTS_NAMED; i++) {
		rf_fabric_port(f, f->nodes + d->port[i], name);
		at += snprintf(buf + at, len - at, "%s%s", i ? ", " : "", name);
	}
	if (i < d->ports)
		snprintf(buf + at, len - at, " and %u more", d->ports - i);
}

/**
 * rf_say_deadlock - write which ports were in a deadlock, and for how long
 * @run: the run
 * @buf: gets the sentence
 * @len: size of @buf
 *
 * Return: false if no case had a deadlock; @buf is unchanged then.
 */
bool rf_say_deadlock(const struct rf_run *run, char *buf, size_t len)
{
	const struct rf_fabric *f = &run->scenario->fabric;
	const struct rf_run_case *p, *worst = NULL;
	struct rf_deadlock one, longest = { };
	char ports[160], time[RF_FMT_LEN];

	for (p = run->cases; p < run->cases + run->ncases; p++) {
		if (!rf_deadlock_of(f, &p->rec.ev, &one) || one.ns <= longest.ns)
			continue;
		longest = one;
		worst = p;
	}
	if (!worst)
		return false;
	list_ports(f, &longest, ports, sizeof(ports));
	snprintf(buf, len, "PFC deadlock in case \"%.60s\": ports %s were paused for %s, each by the next one.",
		 worst->label, ports, rf_fmt_time(longest.ns, time));
	return true;
}
