// SPDX-License-Identifier: GPL-2.0
/*
 * The words that say what is done to a packet that is hit. An action has
 * values right behind it, some of them optional, and behind these words of its
 * own.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "units.h"
#include "words.h"

#define PAYLOAD_MAX 65535
#define TIMER_MAX 31		/* IBTA vol. 1, table 51 */
#define NAK_MAX 4		/* table 50; the rest is reserved */

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
		return rf_words_refuse(w, "delay: correlation is of jitter, want jitter beside it, got none");
	if (HAS(a, DISTRIBUTION))
		return rf_words_refuse(w, "delay: distribution is of jitter, want jitter beside it, got none");
	return 0;
}

/* The PSN may be counted from the flow's first. */
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
		return rf_words_refuse(w, "corrupt: value is of a byte, want it with byte or payload");
	if (a->flags && a->unit == RDMAFAULT_UNIT_ICRC)
		return rf_words_refuse(w, "corrupt: icrc can't be corrupt and valid");
	return 0;
}

static int truncate_take(struct rf_words *w, struct rf_action *a)
{
	SET(a, LENGTH);
	return number_take(rf_words_next(w), 0, PAYLOAD_MAX, &a->length);
}

static void truncate_put(struct rf_text *t, const struct rf_action *a)
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
	return rf_words_refuse(w, "rewrite: want one or more of opcode, qp, psn, pkey, rkey, length, syndrome, msn, got none");
}

/* By name, or by number. */
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
#define TIME_FORM "a time of up to 20s, as 10ms"

static const struct rf_word delay_own_words[] = {
	{ "jitter", TIME_FORM,
	  &rf_kind_time, A(JITTER, jitter), 0, RDMAFAULT_HOLD_MAX },
	{ "correlation", "0% to 100%, or as a fraction, 0.25",
	  &rf_kind_probability, A(JITTER_CORRELATION, jitter_correlation), 0,
	  RDMAFAULT_PROBABILITY_ONE },
	{ "distribution", "uniform, normal or pareto",
	  &rf_kind_name, A(DISTRIBUTION, distribution),
	  .names = rf_distribution_names },
	{ "keep-order", NULL, &rf_kind_flag, AFLAG(KEEP_ORDER) },
	{ }
};

static const struct rf_word reorder_own_words[] = {
	{ "within", TIME_FORM,
	  &rf_kind_time, A(DELAY, delay), 0, RDMAFAULT_HOLD_MAX },
	{ }
};

static const struct rf_word duplicate_own_words[] = {
	{ "after", TIME_FORM,
	  &rf_kind_time, A(DELAY, delay), 0, RDMAFAULT_HOLD_MAX },
	{ }
};

static const struct rf_word corrupt_own_words[] = {
	{ "at", "0 to 4294967295",
	  &rf_kind_u32, A(OFFSET, offset), 0, UINT32_MAX },
	{ "value", "1 to 255, which the byte is changed by",
	  &rf_kind_u32, A(VALUE, value), 1, 255 },
	{ "valid-icrc", NULL, &rf_kind_flag, AFLAG(VALID_ICRC) },
	{ }
};

static const struct rf_word truncate_own_words[] = {
	{ "valid-icrc", NULL, &rf_kind_flag, AFLAG(VALID_ICRC) },
	{ }
};

static const struct rf_word mark_own_words[] = {
	{ "unless-ect", "leave, mark or drop",
	  &rf_kind_name, A(NOT_ECT, not_ect), .names = rf_not_ect_names },
	{ }
};

static const struct rf_word rewrite_own_words[] = {
	{ "opcode", "a known opcode, as rc-write-middle, or 0 to 0xff",
	  &rf_kind_opcode, A(OPCODE, opcode), 0, 0xff },
	{ "qp", "0 to 0xffffff",
	  &rf_kind_u32, A(QP, qp), 0, RDMAFAULT_PSN_MAX },
	{ "psn", "0 to 0xffffff",
	  &rf_kind_u32, A(PSN, psn), 0, RDMAFAULT_PSN_MAX },
	{ "pkey", "0 to 0xffff",
	  &rf_kind_hex, A(PKEY, pkey), 0, 0xffff },
	{ "rkey", "0 to 0xffffffff",
	  &rf_kind_hex, A(RKEY, rkey), 0, UINT32_MAX },
	{ "length", "0 to 4294967295",
	  &rf_kind_u32, A(DMA_LENGTH, dma_length), 0, UINT32_MAX },
	{ "syndrome", "0 to 0xff",
	  &rf_kind_hex, A(SYNDROME, syndrome), 0, 0xff },
	{ "msn", "0 to 0xffffff",
	  &rf_kind_u32, A(MSN, msn), 0, RDMAFAULT_PSN_MAX },
	{ }
};

static const struct rf_word answer_own_words[] = {
	{ "to-qp", "0 to 0xffffff",
	  &rf_kind_u32, A(PEER_QP, peer_qp), 0, RDMAFAULT_PSN_MAX },
	{ }
};

static const struct rf_word blackhole_own_words[] = {
	{ "both", NULL, &rf_kind_flag, AFLAG(BOTH) },
	{ }
};

#define TYPE(type) RDMAFAULT_ACTION_ ## type

const struct rf_action_word rf_action_words[] = {
	{ "drop", NULL, TYPE(DROP), NULL, NULL, NULL, NULL },
	{ "observe", NULL, TYPE(OBSERVE), NULL, NULL, NULL, NULL },
	{ "delay", TIME_FORM, TYPE(DELAY), delay_take, delay_put,
	  delay_own_words, delay_check },
	{ "reorder", "1 to 1024 packets, or behind psn N or +N",
	  TYPE(REORDER), reorder_take, reorder_put, reorder_own_words, NULL },
	{ "duplicate", "1 to 16 copies, or nothing for one",
	  TYPE(DUPLICATE), duplicate_take, duplicate_put, duplicate_own_words,
	  NULL },
	{ "corrupt", "bit, byte, icrc or payload",
	  TYPE(CORRUPT), corrupt_take, corrupt_put, corrupt_own_words,
	  corrupt_check },
	{ "truncate", "0 to 65535 bytes of payload",
	  TYPE(TRUNCATE), truncate_take, truncate_put, truncate_own_words,
	  NULL },
	{ "mark", "ce, ect0, ect1, not-ect, or nothing for ce",
	  TYPE(MARK), mark_take, mark_put, mark_own_words, NULL },
	{ "rewrite", NULL, TYPE(REWRITE), NULL, NULL, rewrite_own_words,
	  rewrite_check },
	{ "nak", "a code of psn-sequence, invalid-request, remote-access, remote-operational, invalid-rd",
	  TYPE(NAK), nak_take, nak_put, answer_own_words, NULL },
	{ "rnr", "a timer of 0 to 31, or nothing",
	  TYPE(RNR), rnr_take, rnr_put, answer_own_words, NULL },
	{ "blackhole", TIME_FORM, TYPE(BLACKHOLE), delay_take, delay_put,
	  blackhole_own_words, NULL },
	{ }
};
