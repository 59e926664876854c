// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault rule show. The text is the words that would make the rule again;
 * JSON has them too, and every field by itself.
 */
#include <inttypes.h>
#include <stdio.h>

#include "cmd.h"
#include "genl.h"
#include "kmod/opcode.h"
#include "out.h"
#include "port.h"
#include "rule_show.h"
#include "rulewords.h"

static void put_names(const char *key, const struct rf_name *n, uint32_t bits)
{
	rf_out_push_array(key);
	for (; n->name; n++)
		if (bits & n->value)
			rf_out_str(NULL, NULL, n->name);
	rf_out_pop();
}

static void put_opcode(uint32_t opcode)
{
	const struct rf_opcode *op = rf_opcode(opcode);
	char hex[8];

	snprintf(hex, sizeof(hex), "0x%02x", opcode & 0xff);
	rf_out_str("opcode", NULL, op ? op->name : hex);
}

static void put_number(bool given, const char *key, uint64_t v)
{
	if (given)
		rf_out_u64(key, NULL, v);
}

static void put_match(const struct rf_match *s)
{
	rf_out_push_object("match");
	put_number(RF_ASKS(s, QP), "qp", s->qp[0]);
	put_number(RF_ASKS(s, PSN), "psn", s->psn);
	put_number(RF_ASKS(s, PSN_REL), "psn_rel", s->psn_rel);
	if (RF_ASKS(s, OPCODE))
		put_opcode(s->opcode);
	if (RF_ASKS(s, CLASS))
		put_names("class", rf_class_names, s->classes);
	if (RF_ASKS(s, POSITION))
		put_names("position", rf_position_names, s->positions);
	put_number(RF_ASKS(s, PASS_MIN), "pass_min", s->pass_min);
	put_number(RF_ASKS(s, PASS_MAX), "pass_max", s->pass_max);
	put_number(RF_ASKS(s, STEP_MIN), "step", s->step_min);
	rf_out_pop();
}

static void put_spec(const struct rf_rule_spec *s)
{
	char words[RF_RULE_TEXT_LEN];

	rf_out_str("rule", "%s", rf_rule_format(s, words, sizeof(words)));
	put_match(&s->match);
	put_number(RF_TRIGGER_HAS(&s->trigger, NTH), "nth", s->trigger.nth);
	put_number(RF_TRIGGER_HAS(&s->trigger, COUNT), "count",
		   s->trigger.count);
	rf_out_str("action", NULL, rf_action_name(s->action[0].type));
	rf_out_bool("all", NULL, s->flags & RDMAFAULT_RULE_FLAG_ALL);
	rf_out_bool("persist", NULL, s->flags & RDMAFAULT_RULE_FLAG_PERSIST);
}

static int print_rule(const struct rf_rule_info *r, void *arg)
{
	(void)arg;
	rf_out_push_object(NULL);
	rf_out_str("netdev", "%s ", r->ifname);
	rf_out_str("direction", "%s ", rf_dir_name(r->direction));
	rf_out_u64("id", "rule %" PRIu64 ": ", r->id);
	put_spec(&r->spec);
	rf_out_u64("matched", ", matched %" PRIu64, r->tally.matched);
	rf_out_u64("hits", ", hits %" PRIu64, r->tally.hits);
	if (r->owner)
		rf_out_u64("owner", ", owner %" PRIu64, r->owner);
	else
		rf_out_null("owner");
	rf_out_text("\n");
	rf_out_pop();
	return 0;
}

/* A dump of a netdev that is no port is empty; that deserves an error. */
static int check_port(struct rf_nl *nl, uint32_t ifindex, const char *netdev)
{
	struct rf_port_info port;
	int err = rf_nl_port_get(nl, ifindex, &port);

	return err ? rf_nl_failed(nl, netdev, err) : RF_EXIT_OK;
}

/**
 * rf_rules_show - print rules
 * @nl: the socket
 * @ifindex: of this port, or 0 for all ports
 * @netdev: the port's name
 *
 * Return: the exit status.
 */
int rf_rules_show(struct rf_nl *nl, uint32_t ifindex, const char *netdev)
{
	int err;

	if (ifindex && check_port(nl, ifindex, netdev))
		return RF_EXIT_FAILED;
	rf_out_begin_array();
	err = rf_nl_rule_each(nl, ifindex, print_rule, NULL);
	if (err)
		return rf_nl_failed(nl, ifindex ? netdev : "list of rules", err);
	rf_out_end();
	return RF_EXIT_OK;
}
