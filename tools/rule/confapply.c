// SPDX-License-Identifier: GPL-2.0
/* Apply a change of a port's settings in the same way as the module. */
#include <string.h>

#include "kmod/fields.h"
#include "words.h"

static void apply(void *to, const void *from, uint64_t set,
		  const struct rf_field *fields, int max)
{
	int attr;

	for (attr = 1; attr <= max; attr++)
		if (set >> attr & 1 && fields[attr].size)
			memcpy((char *)to + fields[attr].offset,
			       (const char *)from + fields[attr].offset,
			       fields[attr].size);
}

/**
 * rf_conf_apply - apply a change to settings
 * @conf: the settings to change; values derived from them are computed again
 * @change: the change
 */
void rf_conf_apply(struct rf_conf *conf, const struct rf_queue_change *change)
{
	uint32_t i;

	apply(&conf->link, &change->conf.link, change->link, rf_link_fields,
	      RDMAFAULT_A_LINK_MAX);
	if (change->buffer)
		conf->buffer = change->conf.buffer;
	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		apply(&conf->prio[i], &change->conf.prio[i], change->prio[i],
		      rf_prio_fields, RDMAFAULT_A_PRIO_MAX);
		apply(&conf->prio[i].ecn, &change->conf.prio[i].ecn,
		      change->ecn[i], rf_ecn_fields, RDMAFAULT_A_ECN_MAX);
	}
	for (i = 0; i < RF_DSCPS; i++)
		if (change->dscp >> i & 1)
			conf->dscp_prio[i] = change->conf.dscp_prio[i];
	apply(&conf->watchdog, &change->conf.watchdog, change->watchdog,
	      rf_watchdog_fields, RDMAFAULT_A_WATCHDOG_MAX);
	apply(&conf->dcqcn, &change->conf.dcqcn, change->dcqcn, rf_dcqcn_fields,
	      RDMAFAULT_A_DCQCN_MAX);
	rf_conf_complete(conf);
}
