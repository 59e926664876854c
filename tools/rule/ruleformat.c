// SPDX-License-Identifier: GPL-2.0
/*
 * Format a rule as words, with the tables of tables.h. rf_rule_parse() converts these
 * words to the same rule.
 */
#include <stdarg.h>
#include <stdio.h>

#include "tables.h"

struct rf_text {
	char *buf;
	size_t len, used;
};

static void text_print(struct rf_text *t, const char *fmt, va_list ap)
{
	int n = vsnprintf(t->buf + t->used, t->len - t->used, fmt, ap);

	if (n > 0)
		t->used += n;
	if (t->used >= t->len)
		t->used = t->len - 1;
}

/**
 * rf_text_join - append a formatted string to the text, without a space
 * @t: the text
 * @fmt: printf format
 */
void rf_text_join(struct rf_text *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	text_print(t, fmt, ap);
	va_end(ap);
}

/**
 * rf_text_add - append a space and a formatted string to the text
 * @t: the text
 * @fmt: printf format
 */
void rf_text_add(struct rf_text *t, const char *fmt, ...)
{
	va_list ap;

	if (t->used)
		rf_text_join(t, " ");
	va_start(ap, fmt);
	text_print(t, fmt, ap);
	va_end(ap);
}

static bool asks_for_put(const struct rf_word *word, const void *base)
{
	uint64_t set = *(const uint64_t *)((const char *)base + word->set);

	return !word->kind->bits ||
	       set >> word->bit & ((1ull << word->kind->bits) - 1);
}

static void put_words(struct rf_text *t, const struct rf_word *word,
		      const void *base)
{
	for (; word && word->name; word++)
		if (asks_for_put(word, base))
			word->kind->put(t, word, base);
}

static void put_action(struct rf_text *t, const struct rf_action *a)
{
	const struct rf_action_word *k;

	for (k = rf_action_words; k->name && k->type != a->type; k++)
		;
	rf_text_add(t, "%s", rf_action_name(a->type));
	if (!k->name)
		return;
	if (k->put)
		k->put(t, a);
	put_words(t, k->words, a);
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
	struct rf_text t = { .buf = buf, .len = len };
	uint32_t i;

	buf[0] = '\0';
	put_words(&t, rf_match_words, spec);
	put_words(&t, rf_trigger_words, spec);
	put_words(&t, rf_rule_words, spec);
	for (i = 0; i < spec->actions; i++)
		put_action(&t, &spec->action[i]);
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
