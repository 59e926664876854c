/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_QUEUE_ECN_H
#define RF_QUEUE_ECN_H

#include <linux/skbuff.h>

#include "classify.h"

struct rf_prioq;

/**
 * rf_ecn_time - get the time if the ECN profile of a band needs it
 * @conf: the configuration
 * @band: the band
 *
 * Return: ktime_get_ns(), or 0.
 */
static inline u64 rf_ecn_time(const struct rf_conf *conf, u32 band)
{
	return band != RF_CONTROL && conf->prio[band].ecn.phantom ?
	       ktime_get_ns() : 0;
}

bool rf_ecn_pass(struct rf_prioq *q, struct sk_buff *skb,
		 const struct rf_class *class, u64 now);

#endif
