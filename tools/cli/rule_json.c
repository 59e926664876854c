// SPDX-License-Identifier: GPL-2.0
/*
 * Print the fields of a rule as JSON. A key is the name of an attribute in the netlink
 * specification, with "_" instead of "-". Values in nanoseconds have keys that end with
 * _ns. Fields that were not given are absent. Probabilities are numbers from 0 to 1. An
 * attribute that the tables here do not name is printed as a number.
 */
#include <arpa/inet.h>
#include <stdio.h>

#include "kmod/fields.h"
#include "kmod/rocev2/bth.h"
#include "out.h"
#include "show.h"
#include "words.h"

enum form { NUMBER, NANOSECONDS, FRACTION, OPCODE, NAME, NAMES, PRIORITIES };

struct value {
	enum form form;
	const struct rf_name *names;
};

#define M(attr) [RDMAFAULT_A_MATCH_ ## attr]
#define T(attr) [RDMAFAULT_A_TRIGGER_ ## attr]
#define A(attr) [RDMAFAULT_A_ACTION_ ## attr]

static const struct value match_values[RDMAFAULT_A_MATCH_MAX + 1] = {
	M(OPCODE) = { OPCODE, NULL },
	M(CLASS) = { NAMES, rf_class_names },
	M(POSITION) = { NAMES, rf_position_names },
	M(PRIORITY) = { PRIORITIES, NULL },
	M(ECN) = { NAMES, rf_ecn_names },
};

static const struct value trigger_values[RDMAFAULT_A_TRIGGER_MAX + 1] = {
	T(ONCE) = { NAME, rf_once_names },
	T(FROM) = { NANOSECONDS, NULL },
	T(FOR) = { NANOSECONDS, NULL },
	T(PROBABILITY) = { FRACTION, NULL },
	T(CORRELATION) = { FRACTION, NULL },
	T(GE_P) = { FRACTION, NULL },
	T(GE_R) = { FRACTION, NULL },
	T(GE_BAD) = { FRACTION, NULL },
	T(GE_GOOD) = { FRACTION, NULL },
	T(STATE_P13) = { FRACTION, NULL },
	T(STATE_P31) = { FRACTION, NULL },
	T(STATE_P32) = { FRACTION, NULL },
	T(STATE_P23) = { FRACTION, NULL },
	T(STATE_P14) = { FRACTION, NULL },
};

static const struct rf_name flag_names[] = {
	{ "keep-order", RDMAFAULT_ACTION_FLAG_KEEP_ORDER },
	{ "valid-icrc", RDMAFAULT_ACTION_FLAG_VALID_ICRC },
	{ "both", RDMAFAULT_ACTION_FLAG_BOTH },
	{ }
};

static const struct value action_values[RDMAFAULT_A_ACTION_MAX + 1] = {
	A(TYPE) = { NAME, rf_action_names },
	A(FLAGS) = { NAMES, flag_names },
	A(DELAY) = { NANOSECONDS, NULL },
	A(JITTER) = { NANOSECONDS, NULL },
	A(JITTER_CORRELATION) = { FRACTION, NULL },
	A(DISTRIBUTION) = { NAME, rf_distribution_names },
	A(UNIT) = { NAME, rf_unit_names },
	A(ECN) = { NAME, rf_codepoint_names },
	A(NOT_ECT) = { NAME, rf_not_ect_names },
	A(OPCODE) = { OPCODE, NULL },
};

static void put_names(const char *key, const struct rf_name *n, uint64_t bits)
{
	rf_out_push_array(key);
	for (; n->name; n++)
		if (bits & n->value)
			rf_out_str(NULL, NULL, n->name);
	rf_out_pop();
}

static void put_priorities(const char *key, uint64_t bits)
{
	unsigned int i;

	rf_out_push_array(key);
	for (i = 0; i < 8; i++)
		if (bits >> i & 1)
			rf_out_u64(NULL, NULL, i);
	rf_out_pop();
}

static void put_opcode(const char *key, uint64_t opcode)
{
	const struct rf_opcode *op = rf_opcode(opcode);
	char hex[8];

	snprintf(hex, sizeof(hex), "0x%02x", (unsigned int)opcode & 0xff);
	rf_out_str(key, NULL, op ? op->name : hex);
}

static void put_name_of(const char *key, const struct rf_name *names, uint64_t v)
{
	const char *name = rf_value_name(names, v);

	if (name)
		rf_out_str(key, NULL, name);
	else
		rf_out_u64(key, NULL, v);
}

static void put_value(const char *key, const struct value *value, uint64_t v)
{
	switch (value->form) {
	case NAMES:
		put_names(key, value->names, v);
		break;
	case PRIORITIES:
		put_priorities(key, v);
		break;
	case OPCODE:
		put_opcode(key, v);
		break;
	case NAME:
		put_name_of(key, value->names, v);
		break;
	case FRACTION:
		rf_out_fraction(key, v);
		break;
	case NUMBER:
	case NANOSECONDS:
		rf_out_u64(key, NULL, v);
	}
}

/* Get the key of an attribute: "jitter-correlation" becomes jitter_correlation. */
static const char *key_of(const struct rf_field *field, const struct value *value, char *buf,
			  size_t len)
{
	char *c;

	snprintf(buf, len, "%s%s", field->name, value->form == NANOSECONDS ? "_ns" : "");
	for (c = buf; *c; c++)
		*c = *c == '-' ? '_' : *c;
	return buf;
}

static void put_fields(const void *from, uint64_t set, const struct value *values,
		       const struct rf_field *fields, int max)
{
	char key[64];
	int attr;

	for (attr = 1; attr <= max; attr++) {
		const char *at = (const char *)from + fields[attr].offset;

		if (!(set >> attr & 1) || !fields[attr].size)
			continue;
		put_value(key_of(&fields[attr], &values[attr], key, sizeof(key)), &values[attr],
			  fields[attr].size == sizeof(uint64_t) ?
			  *(const uint64_t *)at : *(const uint32_t *)at);
	}
}

static void put_addr(const char *key, const uint8_t *addr, uint32_t len)
{
	char text[INET6_ADDRSTRLEN];

	if (inet_ntop(len == 4 ? AF_INET : AF_INET6, addr, text, sizeof(text)))
		rf_out_str(key, NULL, text);
}

static void put_match_json(const struct rf_match *m)
{
	uint32_t i;

	rf_out_push_object("match");
	if (m->qps) {
		rf_out_push_array("qp");
		for (i = 0; i < m->qps; i++)
			rf_out_u64(NULL, NULL, m->qp[i]);
		rf_out_pop();
	}
	if (RF_ASKS(m, SADDR))
		put_addr("saddr", m->saddr, m->saddr_len);
	if (RF_ASKS(m, DADDR))
		put_addr("daddr", m->daddr, m->daddr_len);
	put_fields(m, m->set, match_values, rf_match_fields,
		   RDMAFAULT_A_MATCH_MAX);
	rf_out_pop();
}

/**
 * rf_rule_fields - add each given field of a rule to the open JSON object
 * @rule: the rule
 */
void rf_rule_fields(const struct rf_rule_info *rule)
{
	const struct rf_rule_spec *s = &rule->spec;
	uint32_t i;

	put_match_json(&s->match);
	rf_out_push_object("trigger");
	put_fields(&s->trigger, s->trigger.set, trigger_values,
		   rf_trigger_fields, RDMAFAULT_A_TRIGGER_MAX);
	rf_out_pop();
	rf_out_push_array("actions");
	for (i = 0; i < s->actions; i++) {
		rf_out_push_object(NULL);
		put_fields(&s->action[i],
			   s->action[i].set | RF_ACTION_BIT(TYPE), action_values,
			   rf_action_fields, RDMAFAULT_A_ACTION_MAX);
		rf_out_pop();
	}
	rf_out_pop();
	rf_out_u64("seed", NULL, s->seed);
	rf_out_u64("key", NULL, s->key);
	if (s->set & RF_RULE_BIT(EXPIRES))
		rf_out_u64("expires_ns", NULL, s->expires);
	rf_out_bool("all", NULL, s->flags & RDMAFAULT_RULE_FLAG_ALL);
	rf_out_bool("persist", NULL, s->flags & RDMAFAULT_RULE_FLAG_PERSIST);
	rf_out_bool("looked_up", NULL,
		    s->flags & RDMAFAULT_RULE_FLAG_LOOKED_UP);
}
