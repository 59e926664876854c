/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_BTH_H
#define RF_BTH_H

#include "pure.h"

#define RF_PSN_MASK	0xffffffu
#define RF_BTH_LEN	12
#define RF_AETH_LEN	4
#define RF_ICRC_LEN	4
/* BTH and the AETH that may follow it: what has to be read of a packet. */
#define RF_BTH_SPAN	(RF_BTH_LEN + RF_AETH_LEN)
#define RF_QP_GSI	1

/**
 * struct rf_desc - a RoCEv2 packet as rules see it
 * @qp: destination QP number, 24 bits
 * @psn: PSN, 24 bits
 * @psn_rel: @psn less the first PSN of the flow, modulo 2^24
 * @classes: RDMAFAULT_CLASS_*; one bit, as the AETH is taken into account
 * @position: RDMAFAULT_POSITION_*, or 0
 * @pass: how often this PSN has been seen in its flow, this time included; 0
 *	if the flow could not be followed
 * @len: bytes from the IP header to the ICRC
 * @opcode: opcode
 * @syndrome: AETH syndrome, 0 without AETH
 * @response: the PSN belongs to the requests of the other side
 */
struct rf_desc {
	u32 qp;
	u32 psn;
	u32 psn_rel;
	u32 classes;
	u32 position;
	u32 pass;
	u32 len;
	u8 opcode;
	u8 syndrome;
	bool response;
};

int rf_bth_decode(const u8 *bth, size_t len, struct rf_desc *desc);

#endif
