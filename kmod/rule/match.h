/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_RULE_MATCH_H
#define RF_RULE_MATCH_H

#include <linux/bits.h>
#include <linux/types.h>
#include <uapi/rdmafault/rdmafault.h>

#include "../rocev2/bth.h"

/*
 * struct rf_match - what a rule asks of a packet
 * @set: bit n is set if the attribute n of rdmafault-a-match was given; what
 *	was not given is ignored
 * @qps: how many of @qp there are
 * @qp: destination QPs, one of which must be the packet's
 * @saddr_len: bytes of @saddr, 4 or 16
 * @daddr_len: bytes of @daddr, likewise
 * @saddr: source address
 * @daddr: destination address
 *
 * The other members are the attributes of their names in the specification; a
 * range without its upper end has it filled in by rf_match_complete().
 */
struct rf_match {
	u64 set;
	u32 qps;
	u32 qp[RDMAFAULT_QPS_MAX];
	u32 psn;
	u32 psn_max;
	u32 psn_rel;
	u32 psn_rel_max;
	u32 opcode;
	u32 classes;
	u32 positions;
	u32 attempt_min;
	u32 attempt_max;
	u32 step_min;
	u32 step_max;
	u32 syndrome;
	u32 syndrome_mask;
	u32 flow;
	u32 message;
	u32 message_max;
	u32 message_end;
	u32 step_message;
	u32 step_message_max;
	u32 step_message_end;
	u32 packet;
	u32 packet_max;
	u32 priorities;
	u32 dscp;
	u32 ecn;
	u32 saddr_prefix;
	u32 daddr_prefix;
	u32 sport;
	u32 payload;
	u32 payload_max;
	u32 saddr_len;
	u32 daddr_len;
	u8 saddr[16];
	u8 daddr[16];
};

#define RF_MATCH_BIT(field)	BIT_ULL(RDMAFAULT_A_MATCH_ ## field)
#define RF_ASKS(match, field)	(!!((match)->set & RF_MATCH_BIT(field)))

void rf_match_complete(struct rf_match *match);
bool rf_match_is_empty(const struct rf_match *match);
bool rf_match_true(const struct rf_match *match, const struct rf_desc *desc);

#endif
