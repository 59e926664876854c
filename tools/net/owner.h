/* SPDX-License-Identifier: GPL-2.0 */
/* Find the queue pairs of an owner: "comm NAME", "pid N" and "owner-dev RXE" of a rule. */
#ifndef RF_OWNER_H
#define RF_OWNER_H

#include "port.h"
#include "rule.h"

/* Replace the owner of a rule by QP numbers. A rule without an owner is not changed. */
int rf_owner_resolve(struct rf_rule_spec *rule, const struct rf_target *port,
		     uint32_t dir);

/* A set of QP numbers that replaces the owner of a rule */
struct rf_owner_qps {
	uint32_t *qp;		/* allocated; freed by the caller */
	size_t n;
	unsigned int found;	/* number of queue pairs of the owner, connected or not */
};

int rf_owner_qps_add(struct rf_owner_qps *qps, uint32_t qp);
void rf_owner_qps_to_rule(const struct rf_owner_qps *qps, size_t first, size_t n,
			  struct rf_rule_spec *rule);

int rf_owner_find(const struct rf_owner *owner, const struct rf_target *port,
		  uint32_t dir, struct rf_owner_qps *qps);

#endif
