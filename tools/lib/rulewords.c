// SPDX-License-Identifier: GPL-2.0
/*
 * Words to a rule. Every word is a row of one table: its name, what may follow
 * it, the bits it claims (a second claim is a contradiction) and the function
 * that takes its value. Keywords are exact, nothing is guessed from a prefix.
 * The way back stands in ruleformat.c.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "kmod/opcode.h"
#include "rulewords.h"
#include "units.h"

const struct rf_name rf_class_names[] = {
	{ "send", RDMAFAULT_CLASS_SEND },
	{ "write", RDMAFAULT_CLASS_WRITE },
	{ "read-request", RDMAFAULT_CLASS_READ_REQUEST },
	{ "read-response", RDMAFAULT_CLASS_READ_RESPONSE },
	{ "atomic", RDMAFAULT_CLASS_ATOMIC },
	{ "ack", RDMAFAULT_CLASS_ACK },
	{ "nak", RDMAFAULT_CLASS_NAK },
	{ "rnr", RDMAFAULT_CLASS_RNR },
	{ "cnp", RDMAFAULT_CLASS_CNP },
	{ "cm", RDMAFAULT_CLASS_CM },
	{ }
};

const struct rf_name rf_position_names[] = {
	{ "first", RDMAFAULT_POSITION_FIRST },
	{ "middle", RDMAFAULT_POSITION_MIDDLE },
	{ "last", RDMAFAULT_POSITION_LAST },
	{ "only", RDMAFAULT_POSITION_ONLY },
	{ }
};

const struct rf_name rf_action_names[] = {
	{ "drop", RDMAFAULT_ACTION_DROP },
	{ "watch", RDMAFAULT_ACTION_WATCH },
	{ }
};

static const struct rf_name dir_names[] = {
	{ "tx", RDMAFAULT_DIRECTION_TX },
	{ "rx", RDMAFAULT_DIRECTION_RX },
	{ }
};

static int name_value(const struct rf_name *n, const char *s, size_t len,
		      uint32_t *value)
{
	for (; n->name; n++) {
		if (strlen(n->name) != len || strncmp(n->name, s, len))
			continue;
		*value = n->value;
		return 0;
	}
	return -EINVAL;
}

static const char *value_name(const struct rf_name *n, uint32_t value)
{
	for (; n->name; n++)
		if (n->value == value)
			return n->name;
	return "unknown";
}

/**
 * rf_dir_parse - a direction
 * @s: "tx" or "rx"
 * @dir: enum rdmafault_direction
 *
 * Return: 0, or -EINVAL.
 */
int rf_dir_parse(const char *s, uint32_t *dir)
{
	return name_value(dir_names, s, strlen(s), dir);
}

/**
 * rf_dir_name - the word for a direction
 * @dir: enum rdmafault_direction
 *
 * Return: "tx" or "rx".
 */
const char *rf_dir_name(uint32_t dir)
{
	return value_name(dir_names, dir);
}

/**
 * rf_action_name - the word for an action
 * @action: enum rdmafault_action
 *
 * Return: the word.
 */
const char *rf_action_name(uint32_t action)
{
	return value_name(rf_action_names, action);
}

/* NAME[,NAME...]; every name once. */
static int parse_names(const struct rf_name *names, const char *s,
		       uint32_t *bits)
{
	uint32_t all = 0, bit;

	for (;;) {
		size_t len = strcspn(s, ",");

		if (name_value(names, s, len, &bit) || (all & bit))
			return -EINVAL;
		all |= bit;
		if (!s[len])
			break;
		s += len + 1;
	}
	*bits = all;
	return 0;
}

static int parse_from_1(const char *s, uint32_t *v)
{
	uint32_t n;

	if (rf_parse_u32(s, &n) || !n)
		return -EINVAL;
	*v = n;
	return 0;
}

static int take_qp(const char *s, struct rf_rule_spec *spec)
{
	spec->match.set |= RF_MATCH_BIT(QP);
	spec->match.qps = 1;
	return rf_parse_psn(s, &spec->match.qp[0]);
}

static int take_psn(const char *s, struct rf_rule_spec *spec)
{
	if (s[0] == '+') {
		spec->match.set |= RF_MATCH_BIT(PSN_REL);
		return rf_parse_psn(s + 1, &spec->match.psn_rel);
	}
	spec->match.set |= RF_MATCH_BIT(PSN);
	return rf_parse_psn(s, &spec->match.psn);
}

static int take_opcode(const char *s, struct rf_rule_spec *spec)
{
	int op = rf_opcode_by_name(s);

	spec->match.set |= RF_MATCH_BIT(OPCODE);
	if (op >= 0) {
		spec->match.opcode = op;
		return 0;
	}
	if (rf_parse_u32(s, &spec->match.opcode) ||
	    spec->match.opcode > 0xff || !rf_opcode(spec->match.opcode))
		return -EINVAL;
	return 0;
}

static int take_class(const char *s, struct rf_rule_spec *spec)
{
	spec->match.set |= RF_MATCH_BIT(CLASS);
	return parse_names(rf_class_names, s, &spec->match.classes);
}

static int take_position(const char *s, struct rf_rule_spec *spec)
{
	spec->match.set |= RF_MATCH_BIT(POSITION);
	return parse_names(rf_position_names, s, &spec->match.positions);
}

/* "2" is the second transmission alone, "2+" it and all after it. */
static int take_pass(const char *s, struct rf_rule_spec *spec)
{
	size_t len = strlen(s);
	char num[16];

	if (!len || len >= sizeof(num))
		return -EINVAL;
	memcpy(num, s, len + 1);
	spec->match.set |= RF_MATCH_BIT(PASS_MIN);
	if (num[len - 1] == '+')
		num[len - 1] = '\0';
	else
		spec->match.set |= RF_MATCH_BIT(PASS_MAX);
	if (parse_from_1(num, &spec->match.pass_min))
		return -EINVAL;
	spec->match.pass_max = spec->match.pass_min;
	return 0;
}

static int take_step(const char *s, struct rf_rule_spec *spec)
{
	spec->match.set |= RF_MATCH_BIT(STEP_MIN) | RF_MATCH_BIT(STEP_MAX);
	if (rf_parse_u32(s, &spec->match.step_min))
		return -EINVAL;
	spec->match.step_max = spec->match.step_min;
	return 0;
}

static int take_nth(const char *s, struct rf_rule_spec *spec)
{
	spec->trigger.set |= RF_TRIGGER_BIT(NTH);
	return parse_from_1(s, &spec->trigger.nth);
}

static int take_count(const char *s, struct rf_rule_spec *spec)
{
	spec->trigger.set |= RF_TRIGGER_BIT(COUNT);
	return parse_from_1(s, &spec->trigger.count);
}

static int take_all(const char *s, struct rf_rule_spec *spec)
{
	(void)s;
	spec->flags |= RDMAFAULT_RULE_FLAG_ALL;
	return 0;
}

static int take_persist(const char *s, struct rf_rule_spec *spec)
{
	(void)s;
	spec->flags |= RDMAFAULT_RULE_FLAG_PERSIST;
	return 0;
}

static int take_action(const char *s, struct rf_rule_spec *spec)
{
	struct rf_action *action = &spec->action[0];

	spec->actions = 1;
	action->set |= RF_ACTION_BIT(TYPE);
	return name_value(rf_action_names, s, strlen(s), &action->type);
}

/* What a word claims beside the fields of the spec. */
#define CLAIM_ACTION	(1u << 30)
#define CLAIM_ALL	(1u << 29)
#define CLAIM_PERSIST	(1u << 28)

enum {
	CLAIM_QP	= 1 << 0,
	CLAIM_PSN	= 1 << 1,
	CLAIM_OPCODE	= 1 << 2,
	CLAIM_CLASS	= 1 << 3,
	CLAIM_POSITION	= 1 << 4,
	CLAIM_PASS	= 1 << 5,
	CLAIM_STEP	= 1 << 6,
	CLAIM_NTH	= 1 << 7,
	CLAIM_COUNT	= 1 << 8,
};

struct word {
	const char *name;
	const char *form;	/* of its value; NULL: it has none */
	uint32_t claim;
	int (*take)(const char *value, struct rf_rule_spec *spec);
};

static const struct word words[] = {
	{ "qp", "0 to 0xffffff", CLAIM_QP, take_qp },
	{ "psn", "0 to 0xffffff, or +N counted from the flow's first",
	  CLAIM_PSN, take_psn },
	{ "opcode", "a known opcode, as rc-write-middle or 0x07",
	  CLAIM_OPCODE, take_opcode },
	{ "class", "one or more, with commas, of send, write, read-request, "
	  "read-response, atomic, ack, nak, rnr, cnp, cm",
	  CLAIM_CLASS, take_class },
	{ "position", "one or more, with commas, of first, middle, last, only",
	  CLAIM_POSITION, take_position },
	{ "pass", "N or N+, counted from 1",
	  CLAIM_PASS, take_pass },
	{ "step", "0 to 4294967295", CLAIM_STEP, take_step },
	{ "nth", "1 to 4294967295", CLAIM_NTH, take_nth },
	{ "count", "1 to 4294967295", CLAIM_COUNT, take_count },
	{ "all", NULL, CLAIM_ALL, take_all },
	{ "persist", NULL, CLAIM_PERSIST, take_persist },
	{ "drop", NULL, CLAIM_ACTION, take_action },
	{ "watch", NULL, CLAIM_ACTION, take_action },
	{ }
};

static const struct word *find_word(const char *name)
{
	const struct word *w;

	for (w = words; w->name; w++)
		if (!strcmp(w->name, name))
			return w;
	return NULL;
}

struct parse {
	struct rf_rule_spec *spec;
	uint32_t claimed;
	char *err;
	size_t errlen;
};

#define refuse(p, ...) (snprintf((p)->err, (p)->errlen, __VA_ARGS__), -EINVAL)

/* Takes the word at argv[0]; returns how many arguments it took. */
static int take_word(struct parse *p, int argc, char **argv)
{
	const struct word *w = find_word(argv[0]);

	if (!w)
		return refuse(p, "want qp, psn, opcode, class, position, pass, "
			      "step, nth, count, all, persist, drop or watch, "
			      "got \"%s\"", argv[0]);
	if (p->claimed & w->claim)
		return refuse(p, w->claim == CLAIM_ACTION ?
			      "want one action, got a second one, \"%s\"" :
			      "%s: want it once, got it twice", w->name);
	p->claimed |= w->claim;
	if (!w->form)
		return w->take(w->name, p->spec) ? -EINVAL : 1;
	if (argc < 2)
		return refuse(p, "%s: want %s, got nothing", w->name, w->form);
	if (w->take(argv[1], p->spec))
		return refuse(p, "%s: want %s, got \"%s\"", w->name, w->form,
			      argv[1]);
	return 2;
}

/* What no single word can tell. */
static int check_whole(struct parse *p)
{
	const struct rf_rule_spec *spec = p->spec;

	if (!(p->claimed & CLAIM_ACTION))
		return refuse(p, "want an action, drop or watch, got none");
	if (spec->action[0].type == RDMAFAULT_ACTION_DROP &&
	    !spec->match.set &&
	    !(spec->flags & RDMAFAULT_RULE_FLAG_ALL))
		return refuse(p, "empty match would drop everything: add a "
			      "match or the word all");
	return 0;
}

/**
 * rf_rule_parse - words to a rule
 * @argc: number of words
 * @argv: the words
 * @spec: the rule; overwritten
 * @err: gets one line that says what is wrong, without a newline
 * @errlen: room in @err
 *
 * Return: 0, or -EINVAL.
 */
int rf_rule_parse(int argc, char **argv, struct rf_rule_spec *spec,
		  char *err, size_t errlen)
{
	struct parse p = { .spec = spec, .err = err, .errlen = errlen };
	int i = 0, n;

	memset(spec, 0, sizeof(*spec));
	while (i < argc) {
		n = take_word(&p, argc - i, argv + i);
		if (n < 0)
			return n;
		i += n;
	}
	return check_whole(&p);
}
