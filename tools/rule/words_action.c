// SPDX-License-Identifier: GPL-2.0
/*
 * The words of actions. The value of an action directly follows its name; some values are
 * optional. The words that belong to the action follow the value.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "tables.h"
#include "units.h"

#define PAYLOAD_MAX 65535
#define TIMER_MAX 31		/* IBTA vol. 1, table 51 */
#define NAK_MAX 4		/* IBTA vol. 1, table 50; higher codes are reserved */

#define HAS(a, attr) RF_ACTION_HAS(a, attr)
#define SET(a, attr) ((a)->set |= RF_ACTION_BIT(attr))

static int number_take(const char *s, uint32_t min, uint32_t max, uint32_t *v)
{
	uint32_t n;

	if (!s || rf_parse_u32(s, &n) || n < min || n > max)
		return -EINVAL;
	*v = n;
	return 0;
}

static int delay_take(struct rf_words *w, struct rf_action *a)
{
	const char *s = rf_words_next(w);

	SET(a, DELAY);
	return !s || rf_parse_time(s, &a->delay) ||
	       a->delay > RDMAFAULT_HOLD_MAX ? -EINVAL : 0;
}

static void delay_put(struct rf_text *t, const struct rf_action *a)
{
	char buf[RF_FMT_LEN];

	if (HAS(a, DELAY))
		rf_text_add(t, "%s", rf_exact_time(a->delay, buf));
}

static int delay_check(struct rf_words *w, const struct rf_action *a)
{
	if (HAS(a, JITTER))
		return 0;
	if (HAS(a, JITTER_CORRELATION))
		return rf_words_refuse(w, "delay: correlation without jitter; jitter TIME correlation P");
	if (HAS(a, DISTRIBUTION))
		return rf_words_refuse(w, "delay: distribution without jitter; jitter TIME distribution NAME");
	return 0;
}

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

static int reorder_take(struct rf_words *w, struct rf_action *a)
{
	const char *s = rf_words_next(w);

	if (s && !strcmp(s, "behind"))
		return behind_take(w, a);
	SET(a, DISTANCE);
	return number_take(s, 1, RDMAFAULT_BURST_MAX, &a->distance);
}

static void reorder_put(struct rf_text *t, const struct rf_action *a)
{
	if (HAS(a, DISTANCE))
		rf_text_add(t, "%u", a->distance);
	if (HAS(a, BEHIND_PSN))
		rf_text_add(t, "behind psn %u", a->behind_psn);
	if (HAS(a, BEHIND_PSN_REL))
		rf_text_add(t, "behind psn +%u", a->behind_psn_rel);
}

static int duplicate_take(struct rf_words *w, struct rf_action *a)
{
	if (!rf_words_number_next(w))
		return 0;
	SET(a, COPIES);
	return number_take(rf_words_next(w), 1, RDMAFAULT_COPIES_MAX,
			   &a->copies);
}

static void duplicate_put(struct rf_text *t, const struct rf_action *a)
{
	if (HAS(a, COPIES))
		rf_text_add(t, "%u", a->copies);
}

static int corrupt_take(struct rf_words *w, struct rf_action *a)
{
	const char *s = rf_words_next(w);

	SET(a, UNIT);
	return s ? rf_name_value(rf_unit_names, s, strlen(s), &a->unit) :
		   -EINVAL;
}

static void corrupt_put(struct rf_text *t, const struct rf_action *a)
{
	const char *name = rf_value_name(rf_unit_names, a->unit);

	rf_text_add(t, "%s", name ? name : "unknown");
}

static int corrupt_check(struct rf_words *w, const struct rf_action *a)
{
	bool is_byte = a->unit == RDMAFAULT_UNIT_BYTE ||
		       a->unit == RDMAFAULT_UNIT_PAYLOAD;

	if (HAS(a, VALUE) && !is_byte)
		return rf_words_refuse(w, "corrupt: value without a byte to change; corrupt byte or corrupt payload");
	if (a->flags && a->unit == RDMAFAULT_UNIT_ICRC)
		return rf_words_refuse(w, "corrupt: valid-icrc cannot be combined with icrc");
	return 0;
}

static int truncate_take(struct rf_words *w, struct rf_action *a)
{
	SET(a, LENGTH);
	return number_take(rf_words_next(w), 0, PAYLOAD_MAX, &a->length);
}

static int trim_take(struct rf_words *w, struct rf_action *a)
{
	SET(a, LENGTH);
	return number_take(rf_words_next(w), 0, RDMAFAULT_TRIM_MAX, &a->length);
}

static void length_put(struct rf_text *t, const struct rf_action *a)
{
	rf_text_add(t, "%u", a->length);
}

static int mark_take(struct rf_words *w, struct rf_action *a)
{
	const char *s = rf_words_peek(w);

	if (!s || rf_name_value(rf_codepoint_names, s, strlen(s), &a->ecn))
		return 0;
	rf_words_next(w);
	SET(a, ECN);
	return 0;
}

static void mark_put(struct rf_text *t, const struct rf_action *a)
{
	const char *name = rf_value_name(rf_codepoint_names, a->ecn);

	if (HAS(a, ECN))
		rf_text_add(t, "%s", name ? name : "unknown");
}

static int rewrite_check(struct rf_words *w, const struct rf_action *a)
{
	if (a->set & ~RF_ACTION_BIT(TYPE))
		return 0;
	return rf_words_refuse(w, "rewrite: field missing; opcode, qp, psn, pkey, rkey, length, syndrome or msn");
}

/* Parse a NAK code: a name or a number. */
static int nak_take(struct rf_words *w, struct rf_action *a)
{
	const char *s = rf_words_next(w);

	SET(a, CODE);
	if (s && !rf_name_value(rf_nak_names, s, strlen(s), &a->code))
		return 0;
	return number_take(s, 0, NAK_MAX, &a->code);
}

static void nak_put(struct rf_text *t, const struct rf_action *a)
{
	const char *name = rf_value_name(rf_nak_names, a->code);

	if (name)
		rf_text_add(t, "%s", name);
	else
		rf_text_add(t, "%u", a->code);
}

static int rnr_take(struct rf_words *w, struct rf_action *a)
{
	if (!rf_words_number_next(w))
		return 0;
	SET(a, CODE);
	return number_take(rf_words_next(w), 0, TIMER_MAX, &a->code);
}

static void rnr_put(struct rf_text *t, const struct rf_action *a)
{
	if (HAS(a, CODE))
		rf_text_add(t, "%u", a->code);
}

#define ACTION_AT(member) offsetof(struct rf_action, member)
#define A(attr, member) \
	.set = ACTION_AT(set), .bit = RDMAFAULT_A_ACTION_ ## attr, .at = ACTION_AT(member)
#define AFLAG(flag) A(FLAGS, flags), .max = RDMAFAULT_ACTION_FLAG_ ## flag
#define TIME_FORM "0s to 20s, for example 10ms"

static const struct rf_word delay_own_words[] = {
	{ "jitter", TIME_FORM,
	  &rf_kind_time, A(JITTER, jitter), 0, RDMAFAULT_HOLD_MAX,
	  .help = "random change of the delay; default: 0s" },
	{ "correlation", "0% to 100%, or 0 to 1, for example 0.25",
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

static const struct rf_word reorder_own_words[] = {
	{ "within", TIME_FORM,
	  &rf_kind_time, A(DELAY, delay), 0, RDMAFAULT_HOLD_MAX,
	  .help = "longest delay of the packet; default: 100ms" },
	{ }
};

static const struct rf_word duplicate_own_words[] = {
	{ "after", TIME_FORM,
	  &rf_kind_time, A(DELAY, delay), 0, RDMAFAULT_HOLD_MAX,
	  .help = "delay of each copy; default: 0s" },
	{ }
};

static const struct rf_word corrupt_own_words[] = {
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

static const struct rf_word truncate_own_words[] = {
	{ "valid-icrc", NULL, &rf_kind_flag, AFLAG(VALID_ICRC),
	  .help = "recalculate the ICRC; default: leave it as it is" },
	{ }
};

static const struct rf_word mark_own_words[] = {
	{ "unless-ect", "leave, mark or drop",
	  &rf_kind_name, A(NOT_ECT, not_ect), .names = rf_not_ect_names,
	  .help = "what to do with a packet that is not ECN-capable; default: leave" },
	{ }
};

static const struct rf_word rewrite_own_words[] = {
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

static const struct rf_word answer_own_words[] = {
	{ "to-qp", "0 to 0xffffff",
	  &rf_kind_u32, A(PEER_QP, peer_qp), 0, RDMAFAULT_PSN_MAX,
	  .help = "queue pair that gets the NAK; default: that of the sender" },
	{ }
};

static const struct rf_word blackhole_own_words[] = {
	{ "both", NULL, &rf_kind_flag, AFLAG(BOTH),
	  .help = "drop in both directions; default: in that of the rule" },
	{ }
};

static const struct rf_word trim_own_words[] = {
	{ "dscp", "0 to 63",
	  &rf_kind_u32, A(DSCP, dscp), 0, 63,
	  .help = "new DSCP of a packet that is trimmed; default: leave it as it is" },
	{ }
};

#define TYPE(type) RDMAFAULT_ACTION_ ## type

const struct rf_action_word rf_action_words[] = {
	{ "drop", NULL, TYPE(DROP), NULL, NULL, NULL, NULL },
	{ "observe", NULL, TYPE(OBSERVE), NULL, NULL, NULL, NULL },
	{ "delay", TIME_FORM, TYPE(DELAY), delay_take, delay_put,
	  delay_own_words, delay_check },
	{ "reorder", "1 to 1024 packets, or behind psn N, or behind psn +N",
	  TYPE(REORDER), reorder_take, reorder_put, reorder_own_words, NULL },
	{ "duplicate", "1 to 16 copies, 1 if omitted",
	  TYPE(DUPLICATE), duplicate_take, duplicate_put, duplicate_own_words,
	  NULL },
	{ "corrupt", "bit, byte, icrc or payload",
	  TYPE(CORRUPT), corrupt_take, corrupt_put, corrupt_own_words,
	  corrupt_check },
	{ "truncate", "0 to 65535 bytes of payload",
	  TYPE(TRUNCATE), truncate_take, length_put, truncate_own_words,
	  NULL },
	{ "mark", "ce, ect0, ect1 or not-ect, ce if omitted",
	  TYPE(MARK), mark_take, mark_put, mark_own_words, NULL },
	{ "rewrite", NULL, TYPE(REWRITE), NULL, NULL, rewrite_own_words,
	  rewrite_check },
	{ "nak", "psn-sequence, invalid-request, remote-access, remote-operational or invalid-rd",
	  TYPE(NAK), nak_take, nak_put, answer_own_words, NULL },
	{ "rnr", "timer code, 0 to 31, 12 if omitted",
	  TYPE(RNR), rnr_take, rnr_put, answer_own_words, NULL },
	{ "blackhole", TIME_FORM, TYPE(BLACKHOLE), delay_take, delay_put,
	  blackhole_own_words, NULL },
	{ "trim", "0 to 4096 bytes of payload",
	  TYPE(TRIM), trim_take, length_put, trim_own_words, NULL },
	{ }
};
