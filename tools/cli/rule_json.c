// SPDX-License-Identifier: GPL-2.0
/*
 * Print the fields of a rule as JSON. A key is the name of an attribute in the netlink
 * specification, with "_" instead of "-". Values in nanoseconds have keys that end with
 * _ns. Fields that were not given are absent. Probabilities are numbers from 0 to 1.
 */
#include <arpa/inet.h>
#include <stdio.h>

#include "kmod/fields.h"
#include "kmod/rocev2/bth.h"
#include "out.h"
#include "show.h"
#include "words.h"

enum form { NUMBER, FRACTION, OPCODE, NAME, NAMES, PRIORITIES };

struct key {
	const char *key;
	enum form form;
	const struct rf_name *names;
};

#define M(attr) [RDMAFAULT_A_MATCH_ ## attr]
#define T(attr) [RDMAFAULT_A_TRIGGER_ ## attr]
#define A(attr) [RDMAFAULT_A_ACTION_ ## attr]

static const struct key match_keys[RDMAFAULT_A_MATCH_MAX + 1] = {
	M(PSN) = { .key = "psn" },
	M(PSN_MAX) = { .key = "psn_max" },
	M(PSN_REL) = { .key = "psn_rel" },
	M(PSN_REL_MAX) = { .key = "psn_rel_max" },
	M(OPCODE) = { .key = "opcode", .form = OPCODE },
	M(CLASS) = { "class", NAMES, rf_class_names },
	M(POSITION) = { "position", NAMES, rf_position_names },
	M(ATTEMPT_MIN) = { .key = "attempt_min" },
	M(ATTEMPT_MAX) = { .key = "attempt_max" },
	M(STEP_MIN) = { .key = "step_min" },
	M(STEP_MAX) = { .key = "step_max" },
	M(SYNDROME) = { .key = "syndrome" },
	M(SYNDROME_MASK) = { .key = "syndrome_mask" },
	M(FLOW) = { .key = "flow" },
	M(MESSAGE) = { .key = "message" },
	M(MESSAGE_MAX) = { .key = "message_max" },
	M(MESSAGE_END) = { .key = "message_end" },
	M(STEP_MESSAGE) = { .key = "step_message" },
	M(STEP_MESSAGE_MAX) = { .key = "step_message_max" },
	M(STEP_MESSAGE_END) = { .key = "step_message_end" },
	M(PACKET) = { .key = "packet" },
	M(PACKET_MAX) = { .key = "packet_max" },
	M(PRIORITY) = { .key = "priority", .form = PRIORITIES },
	M(DSCP) = { .key = "dscp" },
	M(ECN) = { "ecn", NAMES, rf_ecn_names },
	M(SADDR_PREFIX) = { .key = "saddr_prefix" },
	M(DADDR_PREFIX) = { .key = "daddr_prefix" },
	M(SPORT) = { .key = "sport" },
	M(PAYLOAD) = { .key = "payload" },
	M(PAYLOAD_MAX) = { .key = "payload_max" },
};

static const struct key trigger_keys[RDMAFAULT_A_TRIGGER_MAX + 1] = {
	T(NTH) = { .key = "nth" },
	T(EVERY) = { .key = "every" },
	T(AFTER) = { .key = "after" },
	T(COUNT) = { .key = "count" },
	T(ONCE) = { "once", NAME, rf_once_names },
	T(FROM) = { .key = "from_ns" },
	T(FOR) = { .key = "for_ns" },
	T(PROBABILITY) = { .key = "probability", .form = FRACTION },
	T(CORRELATION) = { .key = "correlation", .form = FRACTION },
	T(BURST) = { .key = "burst" },
	T(BURST_MAX) = { .key = "burst_max" },
	T(GE_P) = { .key = "ge_p", .form = FRACTION },
	T(GE_R) = { .key = "ge_r", .form = FRACTION },
	T(GE_BAD) = { .key = "ge_bad", .form = FRACTION },
	T(GE_GOOD) = { .key = "ge_good", .form = FRACTION },
	T(STATE_P13) = { .key = "state_p13", .form = FRACTION },
	T(STATE_P31) = { .key = "state_p31", .form = FRACTION },
	T(STATE_P32) = { .key = "state_p32", .form = FRACTION },
	T(STATE_P23) = { .key = "state_p23", .form = FRACTION },
	T(STATE_P14) = { .key = "state_p14", .form = FRACTION },
};

static const struct rf_name flag_names[] = {
	{ "keep-order", RDMAFAULT_ACTION_FLAG_KEEP_ORDER },
	{ "valid-icrc", RDMAFAULT_ACTION_FLAG_VALID_ICRC },
	{ "both", RDMAFAULT_ACTION_FLAG_BOTH },
	{ }
};

static const struct key action_keys[RDMAFAULT_A_ACTION_MAX + 1] = {
	A(TYPE) = { "type", NAME, rf_action_names },
	A(FLAGS) = { "flags", NAMES, flag_names },
	A(DELAY) = { .key = "delay_ns" },
	A(JITTER) = { .key = "jitter_ns" },
	A(JITTER_CORRELATION) = { .key = "jitter_correlation",
				  .form = FRACTION },
	A(DISTRIBUTION) = { "distribution", NAME, rf_distribution_names },
	A(DISTANCE) = { .key = "distance" },
	A(BEHIND_PSN) = { .key = "behind_psn" },
	A(BEHIND_PSN_REL) = { .key = "behind_psn_rel" },
	A(COPIES) = { .key = "copies" },
	A(UNIT) = { "unit", NAME, rf_unit_names },
	A(OFFSET) = { .key = "offset" },
	A(VALUE) = { .key = "value" },
	A(LENGTH) = { .key = "length" },
	A(ECN) = { "ecn", NAME, rf_codepoint_names },
	A(NOT_ECT) = { "not_ect", NAME, rf_not_ect_names },
	A(CODE) = { .key = "code" },
	A(PEER_QP) = { .key = "peer_qp" },
	A(OPCODE) = { .key = "opcode", .form = OPCODE },
	A(QP) = { .key = "qp" },
	A(PSN) = { .key = "psn" },
	A(PKEY) = { .key = "pkey" },
	A(RKEY) = { .key = "rkey" },
	A(DMA_LENGTH) = { .key = "dma_length" },
	A(SYNDROME) = { .key = "syndrome" },
	A(MSN) = { .key = "msn" },
};

static void put_names(const struct key *k, uint64_t bits)
{
	const struct rf_name *n;

	rf_out_push_array(k->key);
	for (n = k->names; n->name; n++)
		if (bits & n->value)
			rf_out_str(NULL, NULL, n->name);
	rf_out_pop();
}

static void put_priorities(const struct key *k, uint64_t bits)
{
	unsigned int i;

	rf_out_push_array(k->key);
	for (i = 0; i < 8; i++)
		if (bits >> i & 1)
			rf_out_u64(NULL, NULL, i);
	rf_out_pop();
}

static void put_opcode(const struct key *k, uint64_t opcode)
{
	const struct rf_opcode *op = rf_opcode(opcode);
	char hex[8];

	snprintf(hex, sizeof(hex), "0x%02x", (unsigned int)opcode & 0xff);
	rf_out_str(k->key, NULL, op ? op->name : hex);
}

static void put_key_name(const struct key *k, uint64_t v)
{
	const char *name = rf_value_name(k->names, v);

	if (name)
		rf_out_str(k->key, NULL, name);
	else
		rf_out_u64(k->key, NULL, v);
}

static void put_key_value(const struct key *k, uint64_t v)
{
	if (k->form == NAMES)
		put_names(k, v);
	else if (k->form == PRIORITIES)
		put_priorities(k, v);
	else if (k->form == OPCODE)
		put_opcode(k, v);
	else if (k->form == NAME)
		put_key_name(k, v);
	else if (k->form == FRACTION)
		rf_out_fraction(k->key, v);
	else
		rf_out_u64(k->key, NULL, v);
}

static void put_fields(const void *from, uint64_t set, const struct key *keys,
		       const struct rf_field *fields, int max)
{
	int attr;

	for (attr = 1; attr <= max; attr++) {
		const char *at = (const char *)from + fields[attr].offset;

		if (!(set >> attr & 1) || !fields[attr].size ||
		    !keys[attr].key)
			continue;
		put_key_value(&keys[attr], fields[attr].size == sizeof(uint64_t) ?
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
	put_fields(m, m->set, match_keys, rf_match_fields,
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
	put_fields(&s->trigger, s->trigger.set, trigger_keys,
		   rf_trigger_fields, RDMAFAULT_A_TRIGGER_MAX);
	rf_out_pop();
	rf_out_push_array("actions");
	for (i = 0; i < s->actions; i++) {
		rf_out_push_object(NULL);
		put_fields(&s->action[i],
			   s->action[i].set | RF_ACTION_BIT(TYPE), action_keys,
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
