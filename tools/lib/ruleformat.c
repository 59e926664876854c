// SPDX-License-Identifier: GPL-2.0
/*
 * A rule back to the words that make it: what rf_rule_format() writes,
 * rf_rule_parse() reads as the same rule.
 */
#include <stdarg.h>
#include <stdio.h>

#include "kmod/opcode.h"
#include "rulewords.h"

struct text {
	char *buf;
	size_t len, used;
};

static void add(struct text *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void add(struct text *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(t->buf + t->used, t->len - t->used, fmt, ap);
	va_end(ap);
	if (n > 0)
		t->used += n;
	if (t->used >= t->len)
		t->used = t->len - 1;
}

static void add_names(struct text *t, const char *word,
		      const struct rf_name *n, uint32_t bits)
{
	const char *sep = " ";

	add(t, "%s", word);
	for (; n->name; n++) {
		if (!(bits & n->value))
			continue;
		add(t, "%s%s", sep, n->name);
		sep = ",";
	}
	add(t, " ");
}

static void add_opcode(struct text *t, uint32_t opcode)
{
	const struct rf_opcode *op = rf_opcode(opcode);

	if (op)
		add(t, "opcode %s ", op->name);
	else
		add(t, "opcode 0x%02x ", opcode);
}

static void add_match(struct text *t, const struct rf_match *m)
{
	if (RF_ASKS(m, QP))
		add(t, "qp %u ", m->qp[0]);
	if (RF_ASKS(m, PSN))
		add(t, "psn %u ", m->psn);
	if (RF_ASKS(m, PSN_REL))
		add(t, "psn +%u ", m->psn_rel);
	if (RF_ASKS(m, OPCODE))
		add_opcode(t, m->opcode);
	if (RF_ASKS(m, CLASS))
		add_names(t, "class", rf_class_names, m->classes);
	if (RF_ASKS(m, POSITION))
		add_names(t, "position", rf_position_names, m->positions);
	if (RF_ASKS(m, PASS_MIN))
		add(t, "pass %u%s ", m->pass_min,
		    RF_ASKS(m, PASS_MAX) ? "" : "+");
	if (RF_ASKS(m, STEP_MIN))
		add(t, "step %u ", m->step_min);
}

/**
 * rf_rule_format - a rule in words
 * @spec: the rule
 * @buf: where to write; 256 bytes hold any rule
 * @len: room in @buf
 *
 * Return: @buf.
 */
char *rf_rule_format(const struct rf_rule_spec *spec, char *buf, size_t len)
{
	struct text t = { .buf = buf, .len = len };

	buf[0] = '\0';
	add_match(&t, &spec->match);
	if (RF_TRIGGER_HAS(&spec->trigger, NTH))
		add(&t, "nth %u ", spec->trigger.nth);
	if (RF_TRIGGER_HAS(&spec->trigger, COUNT))
		add(&t, "count %u ", spec->trigger.count);
	if (spec->flags & RDMAFAULT_RULE_FLAG_ALL)
		add(&t, "all ");
	if (spec->flags & RDMAFAULT_RULE_FLAG_PERSIST)
		add(&t, "persist ");
	add(&t, "%s", rf_action_name(spec->action[0].type));
	return buf;
}
