/* SPDX-License-Identifier: GPL-2.0 */
/* "comm NAME", "pid N" and "owner-dev RXE": from owners to queue pairs. */
#ifndef RF_OWNER_H
#define RF_OWNER_H

#include "port.h"
#include "rule.h"

/* Says itself what is wrong; does nothing to a rule that names no owner. */
int rf_owner_resolve(struct rf_rule_spec *rule, const struct rf_target *port,
		     uint32_t dir);

/* The numbers that a rule for the queue pairs of an owner matches */
struct rf_owner_qps {
	uint32_t *qp;		/* to be freed */
	size_t n;
	unsigned int found;	/* queue pairs of the owner, connected or not */
};

int rf_owner_qps_add(struct rf_owner_qps *qps, uint32_t qp);
void rf_owner_qps_to_rule(const struct rf_owner_qps *qps, size_t first, size_t n,
			  struct rf_rule_spec *rule);

int rf_owner_find(const struct rf_owner *owner, const struct rf_target *port,
		  uint32_t dir, struct rf_owner_qps *qps);

#endif
