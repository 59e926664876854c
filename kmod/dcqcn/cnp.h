/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_DCQCN_CNP_H
#define RF_DCQCN_CNP_H

#include <linux/types.h>

#include "np.h"

struct rf_ctx;
struct rf_desc;
struct rf_dir;
struct rf_headers;
struct rf_pkt;
struct rf_tap;
struct sk_buff;

/**
 * struct rf_cnp_point - the notification point of a port
 * @interval: the time that must be exceeded between two CNPs of a scope, nanoseconds
 * @scope: RDMAFAULT_CNP_SCOPE_*
 * @dscp: DSCP of the CNPs
 * @np: the last CNPs
 *
 * Under the lock of the rx direction.
 */
struct rf_cnp_point {
	u64 interval;
	u32 scope;
	u32 dscp;
	struct rf_np np;
};

/* cnp.c: softirq or BH off, under the lock of the rx direction */
void rf_cnp_notify(struct rf_ctx *ctx);

/* cnp.c: softirq or BH off */
bool rf_cnp_receive(struct rf_dir *dir, struct rf_tap *tap, const struct sk_buff *skb);

#endif
