// SPDX-License-Identifier: GPL-2.0
/*
 * Test the validation of matches and triggers. A contradiction, such as "step 9-8", must be
 * refused, with an error that starts with the word that is wrong, here "step". Similar
 * combinations that are possible must be accepted.
 */
#include "../../kmod/rule/match.c"
#include "../../kmod/rocev2/opcode.c"
#include "../../kmod/rule/validate.c"
#include "tap.h"

#define ASKS(field) RF_MATCH_BIT(field)
#define HAS(field) RF_TRIGGER_BIT(field)

/* The match must be refused with an error that starts with @word, or accepted if @word is NULL. */
static void match_is(const char *what, const char *word, struct rf_match m)
{
	const struct rf_invalid *invalid;

	rf_match_complete(&m);
	invalid = rf_match_validate(&m);
	if (!word)
		ok(!invalid, "the match \"%s\" is accepted", what);
	else
		ok(invalid && !strncmp(invalid->words, word, strlen(word)) &&
		   invalid->words[strlen(word)] == ':' &&
		   !strchr(invalid->words, '\n'),
		   "the match \"%s\" is refused: %s", what, invalid ? invalid->words : "(accepted)");
}

#define MATCH(what, word, bits, ...) \
	match_is(what, word, (struct rf_match){ .set = bits, __VA_ARGS__ })

static void empty_ranges_fail(void)
{
	MATCH("attempt 3-2", "attempt", ASKS(ATTEMPT_MIN) | ASKS(ATTEMPT_MAX),
	      .attempt_min = 3, .attempt_max = 2);
	MATCH("attempt 2-2", NULL, ASKS(ATTEMPT_MIN) | ASKS(ATTEMPT_MAX),
	      .attempt_min = 2, .attempt_max = 2);
	MATCH("step 9-8", "step", ASKS(STEP_MIN) | ASKS(STEP_MAX),
	      .step_min = 9, .step_max = 8);
	MATCH("message 5-4", "message", ASKS(MESSAGE) | ASKS(MESSAGE_MAX),
	      .message = 5, .message_max = 4);
	MATCH("step-message 5-4", "step-message", ASKS(STEP_MESSAGE) |
	      ASKS(STEP_MESSAGE_MAX), .step_message = 5, .step_message_max = 4);
	MATCH("packet 5-4", "packet", ASKS(PACKET) | ASKS(PACKET_MAX),
	      .packet = 5, .packet_max = 4);
	MATCH("payload 5-4", "payload", ASKS(PAYLOAD) | ASKS(PAYLOAD_MAX),
	      .payload = 5, .payload_max = 4);
	MATCH("psn 5-4 goes round", NULL, ASKS(PSN) | ASKS(PSN_MAX),
	      .psn = 5, .psn_max = 4);
	MATCH("no class", "class", ASKS(CLASS));
	MATCH("no position", "position", ASKS(POSITION));
	MATCH("no message of connection management", "cm", ASKS(CM));
	MATCH("no codepoint", "ecn", ASKS(ECN));
	MATCH("unknown opcode", "opcode", ASKS(OPCODE), .opcode = 0x15);
}

static void halves_fail(void)
{
	size_t i;

	for (i = 0; i < sizeof(halves) / sizeof(*halves); i++) {
		const struct rf_invalid *half = &halves[i].invalid;
		struct rf_match m = { .set = BIT_ULL(half->attr) };

		ok(rf_match_validate(&m) == half, "a match with half of a pair of attributes is refused: %s", half->words);
	}
}

static void opcodes_and_classes_fail(void)
{
	MATCH("write-middle of class send", "class", ASKS(OPCODE) |
	      ASKS(CLASS), .opcode = 7, .classes = RDMAFAULT_CLASS_SEND);
	MATCH("write-middle of class send or write", NULL, ASKS(OPCODE) |
	      ASKS(CLASS), .opcode = 7,
	      .classes = RDMAFAULT_CLASS_SEND | RDMAFAULT_CLASS_WRITE);
	MATCH("any opcode of class cm", NULL, ASKS(OPCODE) | ASKS(CLASS),
	      .opcode = 0x64, .classes = RDMAFAULT_CLASS_CM);
	MATCH("write-middle first", "position", ASKS(OPCODE) | ASKS(POSITION),
	      .opcode = 7, .positions = RDMAFAULT_POSITION_FIRST);
	MATCH("first of class ack", "position", ASKS(CLASS) | ASKS(POSITION),
	      .classes = RDMAFAULT_CLASS_ACK,
	      .positions = RDMAFAULT_POSITION_FIRST);
	MATCH("only of class cnp", "position", ASKS(CLASS) | ASKS(POSITION),
	      .classes = RDMAFAULT_CLASS_CNP,
	      .positions = RDMAFAULT_POSITION_ONLY);
	MATCH("middle of class atomic", "position", ASKS(CLASS) |
	      ASKS(POSITION), .classes = RDMAFAULT_CLASS_ATOMIC,
	      .positions = RDMAFAULT_POSITION_MIDDLE);
	MATCH("only of class atomic or ack", NULL, ASKS(CLASS) |
	      ASKS(POSITION),
	      .classes = RDMAFAULT_CLASS_ATOMIC | RDMAFAULT_CLASS_ACK,
	      .positions = RDMAFAULT_POSITION_ONLY);
	MATCH("class cm to qp 7", "class", ASKS(CLASS) | ASKS(QP), .qps = 1,
	      .qp[0] = 7, .classes = RDMAFAULT_CLASS_CM);
	MATCH("class cm to qp 7 or 1", NULL, ASKS(CLASS) | ASKS(QP), .qps = 2,
	      .qp[0] = 7, .qp[1] = 1, .classes = RDMAFAULT_CLASS_CM);
	MATCH("class write to qp 1", "class", ASKS(CLASS) | ASKS(QP), .qps = 1,
	      .qp[0] = 1, .classes = RDMAFAULT_CLASS_WRITE);
}

static void cm_elsewhere_fails(void)
{
	MATCH("cm to qp 7", "cm", ASKS(CM) | ASKS(QP), .qps = 1, .qp[0] = 7,
	      .cms = RDMAFAULT_CM_REQ);
	MATCH("cm to qp 7 or 1", NULL, ASKS(CM) | ASKS(QP), .qps = 2, .qp[0] = 7,
	      .qp[1] = 1, .cms = RDMAFAULT_CM_REQ);
	MATCH("cm of class send", "cm", ASKS(CM) | ASKS(CLASS),
	      .classes = RDMAFAULT_CLASS_SEND, .cms = RDMAFAULT_CM_REQ);
	MATCH("cm of write-middle", "cm", ASKS(CM) | ASKS(OPCODE), .opcode = 7,
	      .cms = RDMAFAULT_CM_REQ);
	MATCH("cm of ud-send-only of class cm", NULL, ASKS(CM) | ASKS(OPCODE) | ASKS(CLASS),
	      .opcode = 0x64, .classes = RDMAFAULT_CLASS_CM, .cms = RDMAFAULT_CM_REQ);
}

static void syndromes_fail(void)
{
	MATCH("syndrome of write-middle", "syndrome", ASKS(SYNDROME) |
	      ASKS(OPCODE), .opcode = 7);
	MATCH("syndrome of acknowledge", NULL, ASKS(SYNDROME) | ASKS(OPCODE),
	      .opcode = 0x11);
	MATCH("syndrome of class write", "syndrome", ASKS(SYNDROME) |
	      ASKS(CLASS), .classes = RDMAFAULT_CLASS_WRITE);
	MATCH("a NAK's syndrome of class ack", "syndrome", ASKS(SYNDROME) |
	      ASKS(CLASS), .classes = RDMAFAULT_CLASS_ACK, .syndrome = 0x60);
	MATCH("a NAK's syndrome of class nak", NULL, ASKS(SYNDROME) |
	      ASKS(CLASS), .classes = RDMAFAULT_CLASS_NAK, .syndrome = 0x60);
	MATCH("the lower bits of class nak", NULL, ASKS(SYNDROME) |
	      ASKS(SYNDROME_MASK) | ASKS(CLASS), .syndrome_mask = 0x1f,
	      .classes = RDMAFAULT_CLASS_NAK, .syndrome = 1);
}

static void messages_fail(void)
{
	MATCH("message of class ack", "message", ASKS(MESSAGE) | ASKS(CLASS),
	      .message = 1, .classes = RDMAFAULT_CLASS_ACK);
	MATCH("step-message of class cnp", "step-message", ASKS(STEP_MESSAGE) |
	      ASKS(CLASS), .step_message = 1, .classes = RDMAFAULT_CLASS_CNP);
	MATCH("packet of class nak", "packet", ASKS(PACKET) | ASKS(CLASS),
	      .packet = 1, .classes = RDMAFAULT_CLASS_NAK);
	MATCH("packet 1 in the middle", "packet", ASKS(PACKET) |
	      ASKS(POSITION), .packet = 1,
	      .positions = RDMAFAULT_POSITION_MIDDLE);
	MATCH("packet 2 that is the first", "packet", ASKS(PACKET) |
	      ASKS(POSITION), .packet = 2,
	      .positions = RDMAFAULT_POSITION_FIRST);
	MATCH("packet 2 that is the last", NULL, ASKS(PACKET) | ASKS(POSITION),
	      .packet = 2, .positions = RDMAFAULT_POSITION_LAST);
}

static void addresses_fail(void)
{
	MATCH("IPv4 to IPv6", "daddr", ASKS(SADDR) | ASKS(DADDR),
	      .saddr_len = 4, .daddr_len = 16);
	MATCH("a.b.c.d/33", "saddr-prefix", ASKS(SADDR) | ASKS(SADDR_PREFIX),
	      .saddr_len = 4, .saddr_prefix = 33);
	MATCH("to a.b.c.d/33", "daddr-prefix", ASKS(DADDR) |
	      ASKS(DADDR_PREFIX), .daddr_len = 4, .daddr_prefix = 33);
	MATCH("an IPv6 /33", NULL, ASKS(SADDR) | ASKS(SADDR_PREFIX),
	      .saddr_len = 16, .saddr_prefix = 33);
	MATCH("nothing", NULL, 0);
}

static void trigger_is(const char *what, const char *word, struct rf_trigger t)
{
	const struct rf_invalid *invalid = rf_trigger_validate(&t);

	if (!word)
		ok(!invalid, "the trigger \"%s\" is accepted", what);
	else
		ok(invalid && strstr(invalid->words, word) == invalid->words &&
		   !strchr(invalid->words, '\n'),
		   "the trigger \"%s\" is refused: %s", what, invalid ? invalid->words : "(accepted)");
}

#define TRIGGER(what, word, bits, ...) \
	trigger_is(what, word, (struct rf_trigger){ .set = bits, __VA_ARGS__ })

static void triggers_fail(void)
{
	u64 half = RDMAFAULT_PROBABILITY_ONE / 2;

	TRIGGER("nth 3 every 2", "every:", HAS(NTH) | HAS(EVERY), .nth = 3,
		.every = 2);
	TRIGGER("nth 3 after 3", "nth:", HAS(NTH) | HAS(AFTER), .nth = 3,
		.after = 3);
	TRIGGER("nth 3 after 2", NULL, HAS(NTH) | HAS(AFTER), .nth = 3,
		.after = 2);
	TRIGGER("nth 3 count 2", "count:", HAS(NTH) | HAS(COUNT), .nth = 3,
		.count = 2);
	TRIGGER("nth 3 burst 4 count 2", NULL, HAS(NTH) | HAS(COUNT) |
		HAS(BURST), .nth = 3, .burst = 4, .count = 2);
	TRIGGER("probability and gemodel", "ge-p:", HAS(PROBABILITY) |
		HAS(GE_P));
	TRIGGER("gemodel and state", "state-p13:", HAS(GE_P) | HAS(STATE_P13));
	TRIGGER("probability and state", "state-p13:", HAS(PROBABILITY) |
		HAS(STATE_P13));
	TRIGGER("correlation alone", "correlation:", HAS(CORRELATION));
	TRIGGER("ge-r without ge-p", "ge-r", HAS(GE_R));
	TRIGGER("ge-bad without ge-p", "ge-r, ge-bad", HAS(GE_BAD));
	TRIGGER("state-p32 without p13", "state-p31, -p32", HAS(STATE_P32));
	TRIGGER("p13 + p14 above 1", "state-p14:", HAS(STATE_P13) |
		HAS(STATE_P14), .p13 = half, .p14 = half + 1);
	TRIGGER("p13 + p14 of 1", NULL, HAS(STATE_P13) | HAS(STATE_P14),
		.p13 = half, .p14 = half);
	TRIGGER("p31 + p32 above 1", "state-p32:", HAS(STATE_P13) |
		HAS(STATE_P32), .p31 = half, .p32 = half + 1);
	TRIGGER("burst alone", "burst:", HAS(BURST), .burst = 2);
	TRIGGER("burst of gemodel", "burst:", HAS(GE_P) | HAS(BURST),
		.burst = 2);
	TRIGGER("burst 2 once", "burst:", HAS(BURST) | HAS(NTH) | HAS(ONCE),
		.burst = 2, .nth = 1);
	TRIGGER("burst-max alone", "burst-max:", HAS(BURST_MAX),
		.burst_max = 2);
	TRIGGER("burst-max of every", "burst-max:", HAS(BURST_MAX) |
		HAS(EVERY), .burst_max = 2, .every = 2);
	TRIGGER("burst-max of gemodel", NULL, HAS(BURST_MAX) | HAS(GE_P),
		.burst_max = 2);
	TRIGGER("burst 3 burst-max 2", "burst:", HAS(PROBABILITY) |
		HAS(BURST) | HAS(BURST_MAX), .burst = 3, .burst_max = 2);
	TRIGGER("burst 2 burst-max 2", NULL, HAS(PROBABILITY) | HAS(BURST) |
		HAS(BURST_MAX), .burst = 2, .burst_max = 2);
	TRIGGER("nothing", NULL, 0);
}

int main(void)
{
	empty_ranges_fail();
	halves_fail();
	opcodes_and_classes_fail();
	cm_elsewhere_fails();
	syndromes_fail();
	messages_fail();
	addresses_fail();
	triggers_fail();
	return done_testing();
}
