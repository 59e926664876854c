// SPDX-License-Identifier: GPL-2.0
/*
 * Print the fields of a rule as JSON. A key is the name of an attribute in the netlink
 * specification, with "_" instead of "-". Values in nanoseconds have keys that end with
 * _ns. Fields that were not given are absent. Probabilities are numbers from 0 to 1. The kind
 * of a word says how its value is printed; an attribute without a word is a number.
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <stdio.h>

#include "kmod/fields.h"
#include "kmod/rocev2/bth.h"
#include "out.h"
#include "show.h"
#include "tables.h"
#include "words.h"

/* Return: the key with this bit in the mask of values that are given, or NULL. */
static const struct rf_key *key_of_attr(const struct rf_key *keys, unsigned int attr)
{
	for (; keys && keys->name; keys++)
		if (attr == keys->bit || (keys->kind && attr > keys->bit &&
					  attr < keys->bit + keys->kind->bits))
			return keys;
	return NULL;
}

/* Names that are numbers, those of priorities, are printed as numbers. */
static void put_names(const char *name, const struct rf_key *key, uint64_t bits)
{
	const struct rf_name *n;

	rf_out_push_array(name);
	for (n = key->names; n->name; n++) {
		if (!(bits & n->value))
			continue;
		if (isdigit((unsigned char)n->name[0]))
			rf_out_u64(NULL, NULL, n->name[0] - '0');
		else
			rf_out_str(NULL, NULL, n->name);
	}
	rf_out_pop();
}

static void put_flags(const char *name, const struct rf_key *keys, uint64_t bits)
{
	rf_out_push_array(name);
	for (; keys->name; keys++)
		if (keys->kind == &rf_kind_flag && bits & keys->max)
			rf_out_str(NULL, NULL, keys->name);
	rf_out_pop();
}

static void put_opcode(const char *name, uint64_t opcode)
{
	const struct rf_opcode *op = rf_opcode(opcode);
	char hex[8];

	snprintf(hex, sizeof(hex), "0x%02x", (unsigned int)opcode & 0xff);
	rf_out_str(name, NULL, op ? op->name : hex);
}

static void put_name_of(const char *name, const struct rf_name *names, uint64_t v)
{
	const char *value = rf_value_name(names, v);

	if (value)
		rf_out_str(name, NULL, value);
	else
		rf_out_u64(name, NULL, v);
}

/* Print the value of an attribute. @key: NULL: a number; @own: the keys that it belongs to */
static void put_value(const char *name, const struct rf_key *key, const struct rf_key *own,
		      uint64_t v)
{
	if (!key || !key->kind)
		rf_out_u64(name, NULL, v);
	else if (key->kind == &rf_kind_opcode)
		put_opcode(name, v);
	else if (key->kind == &rf_kind_name)
		put_name_of(name, key->names, v);
	else if (key->kind == &rf_kind_names)
		put_names(name, key, v);
	else if (key->kind == &rf_kind_flag)
		put_flags(name, own, v);
	else if (key->kind->form == RF_FORM_FRACTION)
		rf_out_fraction(name, v);
	else
		rf_out_u64(name, NULL, v);
}

/* Get the name of a member: "jitter-correlation" becomes jitter_correlation. */
static const char *member_name(const struct rf_field *field, const struct rf_key *key, char *buf,
			       size_t len)
{
	bool is_time = key && key->kind && key->kind->form == RF_FORM_TIME;
	char *c;

	snprintf(buf, len, "%s%s", field->name, is_time ? "_ns" : "");
	for (c = buf; *c; c++)
		*c = *c == '-' ? '_' : *c;
	return buf;
}

/*
 * Print the given attributes. @keys has the words for them; @value is the key of an action, which
 * has the attributes of its value.
 */
static void put_fields(const void *from, uint64_t set, const struct rf_key *keys,
		       const struct rf_key *value, const struct rf_field *fields, int max)
{
	const struct rf_key *key;
	char name[64];
	int attr;

	for (attr = 1; attr <= max; attr++) {
		const char *at = (const char *)from + fields[attr].offset;

		if (!(set >> attr & 1) || !fields[attr].size)
			continue;
		key = value && value->kind && value->bit == (unsigned int)attr ? value :
		      key_of_attr(keys, attr);
		put_value(member_name(&fields[attr], key, name, sizeof(name)), key, keys,
			  fields[attr].size == sizeof(uint64_t) ?
			  *(const uint64_t *)at : *(const uint32_t *)at);
	}
}

/**
 * rf_fields_json - print the settings of a port as JSON; only in JSON
 * @from: the struct with the settings
 * @keys: the words for them
 * @fields: the attributes
 * @max: the highest attribute
 */
void rf_fields_json(const void *from, const struct rf_key *keys, const struct rf_field *fields,
		    int max)
{
	if (rf_json)
		put_fields(from, ~0ull, keys, NULL, fields, max);
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
	put_fields(m, m->set, rf_match_words, NULL, rf_match_fields, RDMAFAULT_A_MATCH_MAX);
	rf_out_pop();
}

static void put_action_json(const struct rf_action *a)
{
	const struct rf_key *action = rf_key_find(rf_action_words, rf_action_name(a->type));

	rf_out_push_object(NULL);
	put_name_of("type", rf_action_names, a->type);
	put_fields(a, a->set & ~RF_ACTION_BIT(TYPE), action ? action->keys : NULL, action,
		   rf_action_fields, RDMAFAULT_A_ACTION_MAX);
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
	put_fields(&s->trigger, s->trigger.set, rf_trigger_words, NULL, rf_trigger_fields,
		   RDMAFAULT_A_TRIGGER_MAX);
	rf_out_pop();
	rf_out_push_array("actions");
	for (i = 0; i < s->actions; i++)
		put_action_json(&s->action[i]);
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
