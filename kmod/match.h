/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_MATCH_H
#define RF_MATCH_H

#include "bth.h"

/**
 * struct rf_match - what a rule asks of a packet
 * @set: RF_MATCH_* bits of the fields that are asked; the others are ignored
 * @qp: destination QP
 * @psn: PSN
 * @psn_rel: PSN relative to the flow's first
 * @opcode: opcode
 * @classes: RDMAFAULT_CLASS_* bits, one of which must be the packet's
 * @positions: RDMAFAULT_POSITION_* bits, likewise
 * @pass_min: lowest pass
 * @pass_max: highest pass
 * @step: step of the port
 */
struct rf_match {
	u32 set;
	u32 qp;
	u32 psn;
	u32 psn_rel;
	u32 opcode;
	u32 classes;
	u32 positions;
	u32 pass_min;
	u32 pass_max;
	u32 step;
};

#define RF_MATCH_QP		0x001
#define RF_MATCH_PSN		0x002
#define RF_MATCH_PSN_REL	0x004
#define RF_MATCH_OPCODE		0x008
#define RF_MATCH_CLASS		0x010
#define RF_MATCH_POSITION	0x020
#define RF_MATCH_PASS_MIN	0x040
#define RF_MATCH_PASS_MAX	0x080
#define RF_MATCH_STEP		0x100

bool rf_match_is_empty(const struct rf_match *match);
bool rf_match_true(const struct rf_match *match, const struct rf_desc *desc,
		   u32 step);

#endif
