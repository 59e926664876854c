/* SPDX-License-Identifier: GPL-2.0 */
/* The notification point of DCQCN: which packets with CE cause a CNP. No locks, no skbs. */
#ifndef RF_DCQCN_NP_H
#define RF_DCQCN_NP_H

#include <linux/types.h>
#include <uapi/rdmafault/rdmafault.h>

/* Intervals that can be followed at the same time: BUCKETS * WAYS, fewer if hashes collide */
#define RF_NP_BUCKETS	256
#define RF_NP_WAYS	8

/**
 * struct rf_np_entry - the last CNP of one scope
 * @key: rf_np_key() of the scope; 0 if the entry is free
 * @at: time of the last CNP, in nanoseconds
 */
struct rf_np_entry {
	u64 key;
	u64 at;
};

/**
 * struct rf_np - the notification point of a port
 * @entry: the last CNPs
 */
struct rf_np {
	struct rf_np_entry entry[RF_NP_BUCKETS][RF_NP_WAYS];
};

/**
 * enum rf_np_result - the result of rf_np_mark()
 * @RF_NP_SEND: send a CNP
 * @RF_NP_TOO_SOON: the interval since the last CNP is not over
 * @RF_NP_FULL: too many intervals are running
 */
enum rf_np_result {
	RF_NP_SEND,
	RF_NP_TOO_SOON,
	RF_NP_FULL,
};

u64 rf_np_key(u32 scope, const u8 *saddr, const u8 *daddr, u32 qp, u32 secret);
enum rf_np_result rf_np_mark(struct rf_np *np, u64 key, u64 interval, u64 now);

#endif
