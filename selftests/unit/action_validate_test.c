// SPDX-License-Identifier: GPL-2.0
/*
 * Test rf_action_validate(): complete actions are accepted. Invalid actions are refused with
 * an error that has the name of the wrong attribute.
 */
#include "../../kmod/rocev2/opcode.c"
#include "../../kmod/rule/match.c"
#include "../../kmod/rule/validate.c"
#include "../../kmod/fields.c"
#include "tap.h"

#define TYPE(type)	RDMAFAULT_ACTION_ ## type

static struct rf_action action(u32 type, u64 set)
{
	return (struct rf_action){
		.type = type, .set = set | RF_ACTION_BIT(TYPE),
		.jitter = !!(set & RF_ACTION_BIT(JITTER)),
		.delay = !!(set & RF_ACTION_BIT(DELAY)),
	};
}

static const struct {
	const char *words;
	u32 type;
	u64 set;
} whole[] = {
	{ "drop", TYPE(DROP), 0 },
	{ "observe", TYPE(OBSERVE), 0 },
	{ "delay", TYPE(DELAY), ATTR(DELAY) },
	{ "delay with all its attributes", TYPE(DELAY), ATTR(DELAY) | ATTR(JITTER) |
	  ATTR(JITTER_CORRELATION) | ATTR(DISTRIBUTION) },
	{ "reorder", TYPE(REORDER), ATTR(DISTANCE) },
	{ "reorder behind", TYPE(REORDER), ATTR(BEHIND_PSN) | ATTR(DELAY) },
	{ "duplicate", TYPE(DUPLICATE), 0 },
	{ "corrupt", TYPE(CORRUPT), ATTR(UNIT) },
	{ "truncate", TYPE(TRUNCATE), ATTR(LENGTH) },
	{ "mark", TYPE(MARK), 0 },
	{ "rewrite", TYPE(REWRITE), ATTR(MSN) },
	{ "nak", TYPE(NAK), ATTR(CODE) },
	{ "rnr", TYPE(RNR), 0 },
	{ "blackhole", TYPE(BLACKHOLE), ATTR(DELAY) },
	{ "trim", TYPE(TRIM), ATTR(LENGTH) },
	{ "trim with a DSCP", TYPE(TRIM), ATTR(LENGTH) | ATTR(DSCP) },
};

static void whole_ok(void)
{
	struct rf_action a;
	size_t i;

	for (i = 0; i < sizeof(whole) / sizeof(*whole); i++) {
		a = action(whole[i].type, whole[i].set);
		ok(!rf_action_validate(&a), "rf_action_validate() accepts %s", whole[i].words);
	}
}

/*
 * The action OBSERVE accepts no attributes. Each attribute must be refused, and the error must
 * have its name.
 */
static void foreign_fails(void)
{
	const struct rf_invalid *invalid;
	struct rf_action a;
	int attr;

	for (attr = 1; attr <= RDMAFAULT_A_ACTION_MAX; attr++) {
		if (!rf_action_fields[attr].size ||
		    attr == RDMAFAULT_A_ACTION_TYPE ||
		    attr == RDMAFAULT_A_ACTION_FLAGS)
			continue;
		a = action(TYPE(OBSERVE), BIT_ULL(attr));
		invalid = rf_action_validate(&a);
		ok(invalid && (int)invalid->attr == attr, "rf_action_validate() refuses observe with a foreign attribute: %s",
		   invalid ? invalid->words : "(accepted)");
	}
}

static void refused(u32 type, u64 set, u32 attr, u32 flags, u32 unit, u32 number)
{
	struct rf_action a = action(type, set);
	const struct rf_invalid *invalid;

	a.flags = flags;
	a.unit = unit;
	a.code = number;
	a.offset = number;
	a.length = number;
	invalid = rf_action_validate(&a);
	ok(invalid && invalid->attr == attr, "rf_action_validate() refuses an incomplete action: %s",
	   invalid ? invalid->words : "(accepted)");
}

static void halves_fail(void)
{
	const u32 type = RDMAFAULT_A_ACTION_TYPE;
	const u32 flags = RDMAFAULT_A_ACTION_FLAGS;

	refused(TYPE(DELAY), 0, type, 0, 0, 0);
	refused(TYPE(DELAY), ATTR(DELAY) | ATTR(DISTRIBUTION),
		RDMAFAULT_A_ACTION_DISTRIBUTION, 0, 0, 0);
	refused(TYPE(DELAY), ATTR(DELAY) | ATTR(JITTER_CORRELATION),
		RDMAFAULT_A_ACTION_JITTER_CORRELATION, 0, 0, 0);
	refused(TYPE(DELAY), ATTR(DELAY), flags, FLAG(BOTH), 0, 0);
	refused(TYPE(DELAY), ATTR(DELAY), flags, FLAG(VALID_ICRC), 0, 0);
	refused(TYPE(DROP), 0, flags, FLAG(KEEP_ORDER), 0, 0);
	refused(TYPE(REORDER), 0, type, 0, 0, 0);
	refused(TYPE(REORDER), ATTR(DISTANCE) | ATTR(BEHIND_PSN), type, 0, 0, 0);
	refused(TYPE(CORRUPT), 0, type, 0, 0, 0);
	refused(TYPE(CORRUPT), ATTR(UNIT) | ATTR(VALUE),
		RDMAFAULT_A_ACTION_VALUE, 0, RDMAFAULT_UNIT_BIT, 0);
	refused(TYPE(CORRUPT), ATTR(UNIT), flags, FLAG(VALID_ICRC),
		RDMAFAULT_UNIT_ICRC, 0);
	refused(TYPE(CORRUPT), ATTR(UNIT) | ATTR(OFFSET),
		RDMAFAULT_A_ACTION_OFFSET, 0, RDMAFAULT_UNIT_ICRC, 32);
	refused(TYPE(TRUNCATE), 0, type, 0, 0, 0);
	refused(TYPE(REWRITE), 0, type, 0, 0, 0);
	refused(TYPE(NAK), 0, type, 0, 0, 0);
	refused(TYPE(NAK), ATTR(CODE), RDMAFAULT_A_ACTION_CODE, 0, 0, 5);
	refused(TYPE(BLACKHOLE), 0, type, 0, 0, 0);
	refused(TYPE(TRIM), 0, type, 0, 0, 0);
	refused(TYPE(TRIM), ATTR(DSCP), type, 0, 0, 0);
	refused(TYPE(TRIM), ATTR(LENGTH), RDMAFAULT_A_ACTION_LENGTH, 0, 0,
		RDMAFAULT_TRIM_MAX + 1);
	refused(TYPE(TRIM), ATTR(LENGTH), flags, FLAG(VALID_ICRC), 0, 0);
}

int main(void)
{
	whole_ok();
	foreign_fails();
	halves_fail();
	return done_testing();
}
