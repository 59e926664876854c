// SPDX-License-Identifier: GPL-2.0
/* Each field of a match, true and false. */
#include "../../kmod/match.c"
#include "tap.h"

static const struct rf_desc packet = {
	.qp = 0x12, .psn = 0x000001, .psn_rel = 3, .pass = 2, .opcode = 7,
	.classes = RDMAFAULT_CLASS_WRITE,
	.position = RDMAFAULT_POSITION_MIDDLE, .step = 20,
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
	ok(matches(yes, &packet), "%s: the right one matches", what);
	ok(!matches(no, &packet), "%s: another doesn't", what);
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
	check("lowest pass", M(PASS_MIN, pass_min, 2),
	      M(PASS_MIN, pass_min, 3));
	check("highest pass", M(PASS_MAX, pass_max, 2),
	      M(PASS_MAX, pass_max, 1));
	check("lowest step", M(STEP_MIN, step_min, 20),
	      M(STEP_MIN, step_min, 21));
	check("highest step", M(STEP_MAX, step_max, 20),
	      M(STEP_MAX, step_max, 19));
}

static void all_must_be_true_ok(void)
{
	struct rf_match match = M(QP, qp[0], 0x12);
	struct rf_match empty = { 0 };

	match.set |= RF_MATCH_BIT(STEP_MAX);
	match.step_max = 20;
	ok(matches(match, &packet), "both true: matches");
	match.step_max = 19;
	ok(!matches(match, &packet), "one false: doesn't");
	ok(matches(empty, &packet) && rf_match_is_empty(&empty),
	   "an empty match matches everything");
}

static void unknown_pass_fails(void)
{
	struct rf_desc lost = packet;

	lost.pass = 0;
	lost.psn_rel = 0;
	ok(!matches(M(PASS_MIN, pass_min, 1), &lost) &&
	   !matches(M(PASS_MAX, pass_max, 9), &lost) &&
	   !matches(M(PSN_REL, psn_rel, 0), &lost),
	   "a flow that isn't followed has no pass and no relative PSN");
}

static void qp1_must_be_named_ok(void)
{
	struct rf_desc mad = {
		.qp = 1, .classes = RDMAFAULT_CLASS_CM, .opcode = 0x64,
		.pass = 1,
	};

	ok(!matches((struct rf_match){ 0 }, &mad) &&
	   !matches(M(OPCODE, opcode, 0x64), &mad),
	   "QP 1 isn't reached by a rule that doesn't name it");
	ok(matches(M(QP, qp[0], 1), &mad) &&
	   matches(M(CLASS, classes, RDMAFAULT_CLASS_CM), &mad),
	   "it is by qp 1 and by class cm");
}

int main(void)
{
	each_field_ok();
	all_must_be_true_ok();
	unknown_pass_fails();
	qp1_must_be_named_ok();
	return done_testing();
}
