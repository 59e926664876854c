// SPDX-License-Identifier: GPL-2.0
/*
 * The notification point of DCQCN. A packet with CE causes a CNP if more than the interval
 * has passed since the last CNP of its scope, or if there was none.
 *
 * An entry whose interval is over says the same as no entry. So the table has no timer, and it
 * can be full only while more CNPs are sent within one interval than it has entries. The work
 * per packet is limited to one bucket.
 */
#include <linux/string.h>

#include "../rand.h"
#include "np.h"

static u64 np_hash_address(u64 hash, const u8 *address)
{
	u64 word[2];

	memcpy(word, address, sizeof(word));
	return rf_splitmix64(rf_splitmix64(hash, word[0]), word[1]);
}

/**
 * rf_np_key - compute the key of a packet's scope
 * @scope: RDMAFAULT_CNP_SCOPE_*
 * @saddr: 16 bytes, source address
 * @daddr: 16 bytes, destination address
 * @qp: destination QP
 * @secret: a random number, so that a sender cannot choose packets with equal keys
 *
 * Return: the key, not 0.
 */
u64 rf_np_key(u32 scope, const u8 *saddr, const u8 *daddr, u32 qp, u32 secret)
{
	u64 key = rf_splitmix64(scope, secret);

	if (scope != RDMAFAULT_CNP_SCOPE_PORT)
		key = np_hash_address(np_hash_address(key, saddr), daddr);
	if (scope == RDMAFAULT_CNP_SCOPE_QP)
		key = rf_splitmix64(key, qp);
	return key ?: 1;
}

/**
 * rf_np_mark - decide whether a packet with CE causes a CNP
 * @np: the notification point
 * @key: rf_np_key() of the packet
 * @interval: the time that must be exceeded between two CNPs of a scope, nanoseconds
 * @now: the time in nanoseconds, not before that of an earlier call
 *
 * Return: the decision.
 */
enum rf_np_result rf_np_mark(struct rf_np *np, u64 key, u64 interval, u64 now)
{
	struct rf_np_entry *entry = np->entry[key % RF_NP_BUCKETS], *spare = NULL;
	u32 i;

	for (i = 0; i < RF_NP_WAYS; i++, entry++) {
		bool over = !entry->key || now - entry->at > interval;

		if (entry->key == key && !over)
			return RF_NP_TOO_SOON;
		if (over)
			spare = entry;
	}
	if (!spare)
		return RF_NP_FULL;
	*spare = (struct rf_np_entry){ .key = key, .at = now };
	return RF_NP_SEND;
}
