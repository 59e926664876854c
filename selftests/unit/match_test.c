// SPDX-License-Identifier: GPL-2.0
/*
 * Test rf_match_true(): each field of a match is tested with a packet that matches and with a
 * packet that does not match.
 */
#include "../../kmod/rule/match.c"
#include "tap.h"

static const struct rf_desc packet = {
	.qp = 0x12, .psn = 0x000001, .psn_rel = 3, .attempt = 2, .opcode = 7,
	.classes = RDMAFAULT_CLASS_WRITE,
	.position = RDMAFAULT_POSITION_MIDDLE, .step = 20,
	.flow = 3, .message = 5, .messages_total = 9, .step_message = 2,
	.messages = 4, .packet = 6, .payload = 1024, .priority = 3, .dscp = 26,
	.ecn = 2, .sport = 0xc123, .addr_len = 4,
	.saddr = { 10, 77, 0, 0x81 }, .daddr = { 10, 77, 0, 2 },
};

#define M(bit, field, value) \
	complete((struct rf_match){ .set = RF_MATCH_BIT(bit), .field = value })

static struct rf_match complete(struct rf_match match)
{
	match.qps = RF_ASKS(&match, QP);
	rf_match_complete(&match);
	return match;
}

static bool matches(struct rf_match match, const struct rf_desc *desc)
{
	return rf_match_true(&match, desc);
}

static void check(const char *what, struct rf_match yes, struct rf_match no)
{
	ok(matches(yes, &packet), "match of the %s: the packet's value matches", what);
	ok(!matches(no, &packet), "match of the %s: another value does not match", what);
}

static void each_field_ok(void)
{
	check("qp", M(QP, qp[0], 0x12), M(QP, qp[0], 0x13));
	check("psn", M(PSN, psn, 1), M(PSN, psn, 0));
	check("relative psn", M(PSN_REL, psn_rel, 3), M(PSN_REL, psn_rel, 1));
	check("opcode", M(OPCODE, opcode, 7), M(OPCODE, opcode, 8));
	check("class", M(CLASS, classes, 0x3), M(CLASS, classes, 0x1));
	check("position", M(POSITION, positions, 0x6),
	      M(POSITION, positions, 0x5));
	check("lowest attempt", M(ATTEMPT_MIN, attempt_min, 2),
	      M(ATTEMPT_MIN, attempt_min, 3));
	check("highest attempt", M(ATTEMPT_MAX, attempt_max, 2),
	      M(ATTEMPT_MAX, attempt_max, 1));
	check("lowest step", M(STEP_MIN, step_min, 20),
	      M(STEP_MIN, step_min, 21));
	check("highest step", M(STEP_MAX, step_max, 20),
	      M(STEP_MAX, step_max, 19));
}

static void each_place_ok(void)
{
	check("flow", M(FLOW, flow, 3), M(FLOW, flow, 4));
	check("message", M(MESSAGE, message, 5), M(MESSAGE, message, 6));
	check("message from the end", M(MESSAGE_END, message_end, 5),
	      M(MESSAGE_END, message_end, 4));
	check("message of the step", M(STEP_MESSAGE, step_message, 2),
	      M(STEP_MESSAGE, step_message, 1));
	check("message from the step's end", M(STEP_MESSAGE_END, step_message_end, 3),
	      M(STEP_MESSAGE_END, step_message_end, 2));
	check("packet", M(PACKET, packet, 6), M(PACKET, packet, 5));
	check("payload", M(PAYLOAD, payload, 1024), M(PAYLOAD, payload, 1023));
	check("priority", M(PRIORITY, priorities, 1 << 3),
	      M(PRIORITY, priorities, 1 << 2 | 1 << 4));
	check("DSCP", M(DSCP, dscp, 26), M(DSCP, dscp, 27));
	check("ECN", M(ECN, ecn, 1 << 2), M(ECN, ecn, 1 << 1 | 1 << 3));
	check("source port", M(SPORT, sport, 0xc123), M(SPORT, sport, 0xc122));
}

/*
 * Return: true if the packet's source address is in the network @addr/@prefix. @len is the length
 * of @addr in bytes.
 */
static bool from(u32 len, const u8 *addr, u32 prefix)
{
	struct rf_match match = {
		.set = RF_MATCH_BIT(SADDR) | RF_MATCH_BIT(SADDR_PREFIX),
		.saddr_len = len, .saddr_prefix = prefix,
	};

	memcpy(match.saddr, addr, len);
	return matches(complete(match), &packet);
}

/*
 * Invert bit @bit of the packet's source address (0 is the first bit). Return: the length of
 * the longest prefix of the original address that still matches
 */
static u32 longest_prefix(u32 bit)
{
	u8 addr[4];
	u32 prefix;

	memcpy(addr, packet.saddr, sizeof(addr));
	addr[bit / 8] ^= 0x80 >> bit % 8;
	for (prefix = 0; prefix < 32 && from(4, addr, prefix + 1); prefix++)
		;
	return prefix;
}

static void addresses_ok(void)
{
	struct rf_match to = { .set = RF_MATCH_BIT(DADDR), .daddr_len = 4,
			       .daddr = { 10, 77, 0, 2 } };
	u8 wide[16] = { 10, 77, 0, 0x81 };
	u32 bit, good = 0;

	for (bit = 0; bit < 32; bit++)
		good += longest_prefix(bit) == bit;
	ok(good == 32, "an address prefix matches as long as its bits are equal");
	ok(from(4, packet.saddr, 32) && !from(16, wide, 32),
	   "an IPv6 address does not match an IPv4 packet");
	ok(matches(complete(to), &packet), "match of the destination address: the packet's address matches");
	to.daddr[3]++;
	ok(!matches(complete(to), &packet), "match of the destination address: another address does not match");
}

/*
 * A match for addresses must compare only the addresses, so all other fields of the packet are
 * 0xff.
 */
static void whole_addresses_ok(void)
{
	struct rf_match from = {
		.set = RF_MATCH_BIT(SADDR), .saddr_len = 16,
		.saddr = { 0xfd, [15] = 1 },
	};
	struct rf_match to = {
		.set = RF_MATCH_BIT(DADDR), .daddr_len = 16,
		.daddr = { 0xfd, [15] = 2 },
	};
	struct rf_desc wide;

	memset(&wide, 0xff, sizeof(wide));
	wide.addr_len = 16;
	memcpy(wide.saddr, from.saddr, 16);
	memcpy(wide.daddr, to.daddr, 16);
	ok(matches(complete(from), &wide) && matches(complete(to), &wide),
	   "equal IPv6 addresses match without a prefix");
	from.saddr[15] ^= 0x80;
	to.daddr[15] ^= 1;
	ok(!matches(complete(from), &wide) && !matches(complete(to), &wide),
	   "IPv6 addresses that differ in a bit of the last byte do not match");
}

static void all_must_be_true_ok(void)
{
	struct rf_match match = M(QP, qp[0], 0x12);
	struct rf_match empty = { 0 };

	match.set |= RF_MATCH_BIT(STEP_MAX);
	match.step_max = 20;
	ok(matches(match, &packet), "a match of two fields matches if both are true");
	match.step_max = 19;
	ok(!matches(match, &packet), "a match of two fields does not match if one is false");
	ok(matches(empty, &packet) && rf_match_is_empty(&empty),
	   "an empty match matches every packet");
}

static void unknown_attempt_fails(void)
{
	struct rf_desc lost = packet;

	lost.attempt = 0;
	lost.psn_rel = 0;
	ok(!matches(M(ATTEMPT_MIN, attempt_min, 1), &lost) &&
	   !matches(M(ATTEMPT_MAX, attempt_max, 9), &lost) &&
	   !matches(M(PSN_REL, psn_rel, 0), &lost),
	   "a packet of an untracked flow matches no attempt and no relative PSN");
}

static void qp1_must_be_named_ok(void)
{
	struct rf_desc mad = {
		.qp = 1, .classes = RDMAFAULT_CLASS_CM, .opcode = 0x64,
		.attempt = 1, .cm = RDMAFAULT_CM_REP,
	};

	ok(!matches((struct rf_match){ 0 }, &mad) &&
	   !matches(M(OPCODE, opcode, 0x64), &mad),
	   "a packet to QP 1 does not match a rule that does not name it");
	ok(matches(M(QP, qp[0], 1), &mad) &&
	   matches(M(CLASS, classes, RDMAFAULT_CLASS_CM), &mad),
	   "a packet to QP 1 matches qp 1 and class cm");
	ok(matches(M(CM, cms, RDMAFAULT_CM_REP | RDMAFAULT_CM_APR), &mad),
	   "match of the message of connection management: the packet's message matches");
	ok(!matches(M(CM, cms, 0x7ff & ~RDMAFAULT_CM_REP), &mad) &&
	   !matches(M(CM, cms, 0x7ff), &packet),
	   "match of the message of connection management: another message does not match");
}

int main(void)
{
	each_field_ok();
	each_place_ok();
	addresses_ok();
	whole_addresses_ok();
	all_must_be_true_ok();
	unknown_attempt_fails();
	qp1_must_be_named_ok();
	return done_testing();
}
