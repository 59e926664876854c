// SPDX-License-Identifier: GPL-2.0
/*
 * Format a rule as words, with the tables of tables.h. rf_rule_parse() converts these
 * words to the same rule.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tables.h"
#include "words.h"

/* Append a space and a formatted string to @buf, which has room for @len bytes. */
static void add_rule_text(char *buf, size_t len, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void add_rule_text(char *buf, size_t len, const char *fmt, ...)
{
	size_t used = strlen(buf);
	va_list ap;

	if (used && used + 1 < len)
		strcpy(buf + used++, " ");
	va_start(ap, fmt);
	vsnprintf(buf + used, len - used, fmt, ap);
	va_end(ap);
}

static void put_words(char *buf, size_t len, const struct rf_key *key, const void *base)
{
	char text[RF_KEY_TEXT_LEN];

	for (; key && key->name; key++)
		if (rf_key_text(key, base, text))
			add_rule_text(buf, len, "%s%s%s", key->name, *text ? " " : "", text);
}

static void put_action(char *buf, size_t len, const struct rf_action *a)
{
	const char *name = rf_action_name(a->type);
	const struct rf_key *key = rf_key_find(rf_action_words, name);
	char text[RF_KEY_TEXT_LEN];

	add_rule_text(buf, len, "%s", name);
	if (key && key->kind && rf_key_text(key, a, text))
		add_rule_text(buf, len, "%s", text);
	if (key)
		put_words(buf, len, key->keys, a);
}

static bool action_draws(const struct rf_action *a)
{
	bool byte = a->unit == RDMAFAULT_UNIT_BYTE ||
		    a->unit == RDMAFAULT_UNIT_PAYLOAD;

	if (a->type == RDMAFAULT_ACTION_DELAY)
		return RF_ACTION_HAS(a, JITTER);
	return a->type == RDMAFAULT_ACTION_CORRUPT &&
	       (!RF_ACTION_HAS(a, OFFSET) ||
		(byte && !RF_ACTION_HAS(a, VALUE)));
}

/**
 * rf_rule_draws - check whether a rule uses random numbers
 * @spec: the rule
 *
 * Return: true if the rule uses random numbers.
 */
bool rf_rule_draws(const struct rf_rule_spec *spec)
{
	const struct rf_trigger *t = &spec->trigger;
	uint32_t i;

	if (RF_TRIGGER_HAS(t, PROBABILITY) || RF_TRIGGER_HAS(t, GE_P) ||
	    RF_TRIGGER_HAS(t, STATE_P13))
		return true;
	for (i = 0; i < spec->actions; i++)
		if (action_draws(&spec->action[i]))
			return true;
	return false;
}

/** rf_rule_waits_for_step - check whether a rule matches nothing while no job announces a step */
bool rf_rule_waits_for_step(const struct rf_match *match)
{
	return (RF_ASKS(match, STEP_MIN) && match->step_min) ||
	       RF_ASKS(match, MESSAGE_END) || RF_ASKS(match, STEP_MESSAGE_END);
}

/**
 * rf_rule_format - format a rule as words
 * @spec: the rule
 * @buf: gets the text; RF_RULE_TEXT_LEN bytes are enough for any rule
 * @len: size of @buf
 *
 * Return: @buf.
 */
char *rf_rule_format(const struct rf_rule_spec *spec, char *buf, size_t len)
{
	uint32_t i;

	buf[0] = '\0';
	put_words(buf, len, rf_match_words, spec);
	put_words(buf, len, rf_trigger_words, spec);
	put_words(buf, len, rf_rule_words, spec);
	for (i = 0; i < spec->actions; i++)
		put_action(buf, len, &spec->action[i]);
	return buf;
}

/**
 * rf_rule_show - format a rule as words, without seed and key if it uses no random numbers
 * @spec: the rule as reported by the kernel, which always reports seed and key
 * @buf: gets the text; RF_RULE_TEXT_LEN bytes are enough for any rule
 * @len: size of @buf
 *
 * Return: @buf.
 */
char *rf_rule_show(const struct rf_rule_spec *spec, char *buf, size_t len)
{
	struct rf_rule_spec shown = *spec;

	if (!rf_rule_draws(spec))
		shown.set &= ~(RF_RULE_BIT(SEED) | RF_RULE_BIT(KEY));
	return rf_rule_format(&shown, buf, len);
}
