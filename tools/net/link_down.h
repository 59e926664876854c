/* SPDX-License-Identifier: GPL-2.0 */
/* Take the carrier of a link away, and give it back */
#ifndef RF_LINK_DOWN_H
#define RF_LINK_DOWN_H

#include "port.h"

struct rf_nl;

/* The two ends of a link, which is a veth pair */
struct rf_link_ends {
	struct rf_target near;	/* loses its carrier and stays set up; its rule drops packets */
	struct rf_target far;	/* is set down; has no RDMA device */
};

int rf_link_ends_find(const struct rf_target *t, struct rf_link_ends *l, struct rf_why *why);
int rf_link_take_down(struct rf_nl *nl, const struct rf_link_ends *l, uint32_t *rule,
		      struct rf_why *why);
int rf_link_bring_up(const struct rf_link_ends *l, struct rf_why *why);

#endif
