/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_FLOW_READ_TRACKER_H
#define RF_FLOW_READ_TRACKER_H

#include <linux/types.h>

#define RF_RETH_LEN	16

/* Number of READs that are kept. rxe has no more in flight if each has 9 PSNs. */
#define RF_READS	16

/**
 * struct rf_read - what a READ request asks for
 * @end: address after the last byte, in two halves to avoid padding
 * @rkey: its R_Key
 * @len: bytes
 * @psn: its PSN, and that of its first response
 */
struct rf_read {
	u32 end[2];
	u32 rkey;
	u32 len;
	u32 psn;
};

/**
 * struct rf_reads - the last READs of a flow
 * @read: ring of READs
 * @seen: number of READs put into the ring so far
 * @mtu: lower bound of the bytes in a full response; 0 before the first READ
 */
struct rf_reads {
	struct rf_read read[RF_READS];
	u32 seen;
	u32 mtu;
};

bool rf_reads_see(struct rf_reads *reads, u32 psn,
		  const u8 reth[RF_RETH_LEN], u32 *first);

#endif
