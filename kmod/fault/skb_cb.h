/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_FAULT_SKB_CB_H
#define RF_FAULT_SKB_CB_H

#include <net/sch_generic.h>

/**
 * rf_copy_delay - how long after its original's coming a copy shall follow
 * @copy: on the list of copies of a job
 *
 * Context: softirq or BH off.
 * Return: where the nanoseconds are kept.
 */
static inline u64 *rf_copy_delay(struct sk_buff *copy)
{
	qdisc_cb_private_validate(copy, sizeof(u64));
	return (u64 *)qdisc_skb_cb(copy)->data;
}

#endif
