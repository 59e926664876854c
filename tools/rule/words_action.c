// SPDX-License-Identifier: GPL-2.0
/*
 * The words of actions. The value of an action directly follows its name; some values are
 * optional. The words that belong to the action follow the value.
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "tables.h"
#include "units.h"

#define PAYLOAD_MAX 65535
#define TIMER_MAX 31		/* IBTA vol. 1, table 51 */
#define NAK_MAX 4		/* IBTA vol. 1, table 50; higher codes are reserved */

#define HAS(a, attr) RF_ACTION_HAS(a, attr)
#define SET(a, attr) ((a)->set |= RF_ACTION_BIT(attr))

/* Parse "psn N" or "psn +N"; +N is relative to the first PSN of the flow. */
static int behind_take(struct rf_words *w, struct rf_action *a)
{
	const char *s = rf_words_next(w);

	if (!s || strcmp(s, "psn"))
		return -EINVAL;
	s = rf_words_next(w);
	if (!s)
		return -EINVAL;
	if (s[0] != '+') {
		SET(a, BEHIND_PSN);
		return rf_parse_psn(s, &a->behind_psn);
	}
	SET(a, BEHIND_PSN_REL);
	return rf_parse_psn(s + 1, &a->behind_psn_rel);
}

static int reorder_take(struct rf_words *w, const struct rf_key *key, void *base)
{
	const char *s = rf_words_next(w);

	if (s && !strcmp(s, "behind"))
		return behind_take(w, base);
	return s ? rf_kind_u32.take(key, s, base) : -EINVAL;
}

static void reorder_put(const struct rf_key *key, const void *base, char *text)
{
	const struct rf_action *a = base;

	if (HAS(a, DISTANCE))
		rf_kind_u32.put(key, base, text);
	if (HAS(a, BEHIND_PSN))
		sprintf(text, "behind psn %u", a->behind_psn);
	if (HAS(a, BEHIND_PSN_REL))
		sprintf(text, "behind psn +%u", a->behind_psn_rel);
}

/* The packet is named in the words after "behind". */
static const struct rf_name behind_names[] = { { "behind", 0 }, { } };

static const struct rf_kind distance_kind = { .take_words = reorder_take, .put = reorder_put };

#define ACTION_AT(member) offsetof(struct rf_action, member)
#define A(attr, member) \
	.set = ACTION_AT(set), .bit = RDMAFAULT_A_ACTION_ ## attr, .at = ACTION_AT(member)
#define AFLAG(flag) A(FLAGS, flags), .max = RDMAFAULT_ACTION_FLAG_ ## flag
#define TIME_FORM "0s to 20s, for example 10ms"

static const struct rf_key delay_own_words[] = {
	{ "jitter", TIME_FORM,
	  &rf_kind_time, A(JITTER, jitter), 0, RDMAFAULT_HOLD_MAX,
	  .help = "random change of the delay; default: 0s" },
	{ "correlation", "0% to 100%, or a fraction up to 0.5, for example 0.25",
	  &rf_kind_probability, A(JITTER_CORRELATION, jitter_correlation), 0,
	  RDMAFAULT_PROBABILITY_ONE,
	  .help = "how far the jitter depends on the jitter before; default: 0%" },
	{ "distribution", "uniform, normal or pareto",
	  &rf_kind_name, A(DISTRIBUTION, distribution),
	  .names = rf_distribution_names,
	  .help = "distribution of the jitter; default: uniform" },
	{ "keep-order", NULL, &rf_kind_flag, AFLAG(KEEP_ORDER),
	  .help = "packets do not overtake each other; default: a shorter delay overtakes" },
	{ }
};

static const struct rf_key reorder_own_words[] = {
	{ "within", TIME_FORM,
	  &rf_kind_time, A(DELAY, delay), 0, RDMAFAULT_HOLD_MAX,
	  .help = "longest delay of the packet; default: 100ms" },
	{ }
};

static const struct rf_key duplicate_own_words[] = {
	{ "after", TIME_FORM,
	  &rf_kind_time, A(DELAY, delay), 0, RDMAFAULT_HOLD_MAX,
	  .help = "delay of each copy; default: 0s" },
	{ }
};

static const struct rf_key corrupt_own_words[] = {
	{ "at", "0 to 4294967295",
	  &rf_kind_u32, A(OFFSET, offset), 0, UINT32_MAX,
	  .help = "offset of the bit or byte, at most 31 for icrc; default: random" },
	{ "value", "1 to 255",
	  &rf_kind_u32, A(VALUE, value), 1, 255,
	  .help = "value that is XORed into the byte; default: random" },
	{ "valid-icrc", NULL, &rf_kind_flag, AFLAG(VALID_ICRC),
	  .help = "recalculate the ICRC; default: leave it as it is" },
	{ }
};

static const struct rf_key truncate_own_words[] = {
	{ "valid-icrc", NULL, &rf_kind_flag, AFLAG(VALID_ICRC),
	  .help = "recalculate the ICRC; default: leave it as it is" },
	{ }
};

static const struct rf_key mark_own_words[] = {
	{ "unless-ect", "leave, mark or drop",
	  &rf_kind_name, A(NOT_ECT, not_ect), .names = rf_not_ect_names,
	  .help = "what to do with a packet that is not ECN-capable; default: leave" },
	{ }
};

static const struct rf_key rewrite_own_words[] = {
	{ "opcode", "a name, for example rc-write-middle, or 0 to 0xff",
	  &rf_kind_opcode, A(OPCODE, opcode), 0, 0xff,
	  .help = "opcode of the BTH" },
	{ "qp", "0 to 0xffffff",
	  &rf_kind_u32, A(QP, qp), 0, RDMAFAULT_PSN_MAX, .help = "destination queue pair" },
	{ "psn", "0 to 0xffffff",
	  &rf_kind_u32, A(PSN, psn), 0, RDMAFAULT_PSN_MAX, .help = "PSN" },
	{ "pkey", "0 to 0xffff",
	  &rf_kind_hex, A(PKEY, pkey), 0, 0xffff, .help = "P_Key" },
	{ "rkey", "0 to 0xffffffff",
	  &rf_kind_hex, A(RKEY, rkey), 0, UINT32_MAX,
	  .help = "R_Key of the RETH or AtomicETH" },
	{ "length", "0 to 4294967295",
	  &rf_kind_u32, A(DMA_LENGTH, dma_length), 0, UINT32_MAX,
	  .help = "DMA length of the RETH in bytes" },
	{ "syndrome", "0 to 0xff",
	  &rf_kind_hex, A(SYNDROME, syndrome), 0, 0xff, .help = "syndrome of the AETH" },
	{ "msn", "0 to 0xffffff",
	  &rf_kind_u32, A(MSN, msn), 0, RDMAFAULT_PSN_MAX, .help = "MSN of the AETH" },
	{ }
};

static const struct rf_key answer_own_words[] = {
	{ "to-qp", "0 to 0xffffff",
	  &rf_kind_u32, A(PEER_QP, peer_qp), 0, RDMAFAULT_PSN_MAX,
	  .help = "queue pair that gets the NAK; default: that of the sender" },
	{ }
};

static const struct rf_key blackhole_own_words[] = {
	{ "both", NULL, &rf_kind_flag, AFLAG(BOTH),
	  .help = "drop in both directions; default: in that of the rule" },
	{ }
};

static const struct rf_key trim_own_words[] = {
	{ "dscp", "0 to 63",
	  &rf_kind_u32, A(DSCP, dscp), 0, 63,
	  .help = "new DSCP of a packet that is trimmed; default: leave it as it is" },
	{ }
};

const struct rf_key rf_action_words[] = {
	{ "drop", .form = NULL },
	{ "observe", .form = NULL },
	{ "delay", TIME_FORM,
	  &rf_kind_time, A(DELAY, delay), 0, RDMAFAULT_HOLD_MAX, .keys = delay_own_words,
	  .value = "TIME",
	  .help = "delay of each packet, 0s to 20s and at most the max-hold of the port, for example 10ms" },
	{ "reorder", "1 to 1024 packets, or behind psn N, or behind psn +N",
	  &distance_kind, A(DISTANCE, distance), 1, RDMAFAULT_BURST_MAX, behind_names,
	  .keys = reorder_own_words, .value = "N",
	  .help = "packets of the flow that overtake it, 1 to 1024; or behind psn N, or behind psn +N: a PSN, 0 to 0xffffff" },
	{ "duplicate", "1 to 16 copies, 1 if omitted",
	  &rf_kind_u32, A(COPIES, copies), 1, RDMAFAULT_COPIES_MAX, .optional = true,
	  .keys = duplicate_own_words, .value = "N",
	  .help = "number of copies, 1 to 16; default: 1" },
	{ "corrupt", "bit, byte, icrc or payload",
	  &rf_kind_name, A(UNIT, unit), .names = rf_unit_names, .keys = corrupt_own_words,
	  .value = "bit | byte | icrc | payload",
	  .help = "one bit or byte after the UDP header, one bit of the ICRC, or one byte of the payload" },
	{ "truncate", "0 to 65535 bytes of payload",
	  &rf_kind_u32, A(LENGTH, length), 0, PAYLOAD_MAX, .keys = truncate_own_words,
	  .value = "N",
	  .help = "bytes of payload to keep, 0 to 65535" },
	{ "mark", "ce, ect0, ect1 or not-ect, ce if omitted",
	  &rf_kind_name, A(ECN, ecn), .names = rf_codepoint_names, .optional = true,
	  .keys = mark_own_words, .value = "CODEPOINT",
	  .help = "ce, ect0, ect1 or not-ect; default: ce" },
	{ "rewrite", .keys = rewrite_own_words,
	  .value = "FIELD N",
	  .help = "one or more fields of the packet and their new values; \"where\" ends them" },
	{ "nak", "psn-sequence, invalid-request, remote-access, remote-operational or invalid-rd",
	  &rf_kind_u32, A(CODE, code), 0, NAK_MAX, .names = rf_nak_names,
	  .keys = answer_own_words, .value = "CODE",
	  .help = "psn-sequence, invalid-request, remote-access, remote-operational or invalid-rd" },
	{ "rnr", "timer code, 0 to 31, 12 if omitted",
	  &rf_kind_u32, A(CODE, code), 0, TIMER_MAX, .optional = true,
	  .keys = answer_own_words, .value = "TIMER",
	  .help = "timer code of the RNR NAK, 0 to 31; default: 12 (0.64 ms)" },
	{ "blackhole", TIME_FORM,
	  &rf_kind_time, A(DELAY, delay), 0, RDMAFAULT_HOLD_MAX, .keys = blackhole_own_words,
	  .value = "TIME",
	  .help = "drop this packet and all later RoCEv2 packets for this time, above 0s up to 20s" },
	{ "trim", "0 to 4096 bytes of payload",
	  &rf_kind_u32, A(LENGTH, length), 0, RDMAFAULT_TRIM_MAX, .keys = trim_own_words,
	  .value = "N",
	  .help = "bytes of payload to keep, 0 to 4096" },
	{ }
};
