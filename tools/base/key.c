// SPDX-License-Identifier: GPL-2.0
/* The kinds of values that options, words and scenario keys have: parse and print them. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "key.h"
#include "text.h"
#include "units.h"

/**
 * rf_name_value - look up the value of a name
 * @n: table of names and values
 * @s: the name, not necessarily NUL-terminated
 * @len: length of the name
 * @value: gets the value
 *
 * Return: 0, or -EINVAL.
 */
int rf_name_value(const struct rf_name *n, const char *s, size_t len, uint32_t *value)
{
	for (; n->name; n++) {
		if (strlen(n->name) != len || strncmp(n->name, s, len))
			continue;
		*value = n->value;
		return 0;
	}
	return -EINVAL;
}

/**
 * rf_value_name - look up the name of a value
 * @n: table of names and values
 * @value: the value
 *
 * Return: the name, or NULL.
 */
const char *rf_value_name(const struct rf_name *n, uint32_t value)
{
	for (; n->name; n++)
		if (n->value == value)
			return n->name;
	return NULL;
}

/**
 * rf_key_mark - set a bit in the mask of values that are given
 * @key: the key
 * @base: the struct that contains the mask
 * @bit: number of the bit, from that of the key
 */
void rf_key_mark(const struct rf_key *key, void *base, unsigned int bit)
{
	if (key->bit)
		*(uint64_t *)((char *)base + key->set) |= 1ull << (key->bit + bit);
}

/**
 * rf_key_marks - get the bits of a key in the mask of values that are given
 * @key: the key
 * @base: the struct that contains the mask
 *
 * Return: the mask, from the first bit of the key.
 */
uint64_t rf_key_marks(const struct rf_key *key, const void *base)
{
	return *(const uint64_t *)((const char *)base + key->set) >> key->bit;
}

static uint32_t *u32_of(const struct rf_key *key, void *base)
{
	return (uint32_t *)((char *)base + key->at);
}

static uint32_t u32_in(const struct rf_key *key, const void *base)
{
	return *(const uint32_t *)((const char *)base + key->at);
}

static uint64_t u64_in(const struct rf_key *key, const void *base)
{
	return *(const uint64_t *)((const char *)base + key->at);
}

static bool is_in_range(const struct rf_key *key, uint64_t v)
{
	return v >= key->min && (!key->max || v <= key->max);
}

static int store_u32(const struct rf_key *key, void *base, uint32_t v)
{
	rf_key_mark(key, base, 0);
	*u32_of(key, base) = v;
	return 0;
}

/* Parse one of the names of @key. Return: 0, or -EINVAL. */
static int name_of(const struct rf_key *key, const char *text, uint32_t *v)
{
	return key->names ? rf_name_value(key->names, text, strlen(text), v) : -EINVAL;
}

static int u32_take(const struct rf_key *key, const char *text, void *base)
{
	uint32_t v;

	if (name_of(key, text, &v) && (rf_parse_u32(text, &v) || !is_in_range(key, v)))
		return -EINVAL;
	return store_u32(key, base, v);
}

static int mtu_take(const struct rf_key *key, const char *text, void *base)
{
	uint32_t v;

	return !rf_parse_u32(text, &v) && v & (v - 1) ? -EINVAL : u32_take(key, text, base);
}

/* Parse a number of 64 bits with the function @parse, or one of the names of @key. */
static int u64_take_by(const struct rf_key *key, const char *text, void *base,
		       int (*parse)(const char *s, uint64_t *v))
{
	uint32_t named;
	uint64_t v;

	if (!name_of(key, text, &named))
		v = named;
	else if (parse(text, &v) || !is_in_range(key, v))
		return -EINVAL;
	rf_key_mark(key, base, 0);
	*(uint64_t *)((char *)base + key->at) = v;
	return 0;
}

static int u64_take(const struct rf_key *key, const char *text, void *base)
{
	return u64_take_by(key, text, base, rf_parse_u64);
}

static int time_take(const struct rf_key *key, const char *text, void *base)
{
	return u64_take_by(key, text, base, rf_parse_time);
}

static int size_take(const struct rf_key *key, const char *text, void *base)
{
	return u64_take_by(key, text, base, rf_parse_size);
}

static int bytes_take(const struct rf_key *key, const char *text, void *base)
{
	return u64_take_by(key, text, base, rf_parse_tc_size);
}

static int rate_take(const struct rf_key *key, const char *text, void *base)
{
	return u64_take_by(key, text, base, rf_parse_rate);
}

static int probability_take(const struct rf_key *key, const char *text, void *base)
{
	return u64_take_by(key, text, base, rf_parse_probability);
}

/* Print the name of @v, if it has one. Return: true if it has one. */
static bool put_name(const struct rf_key *key, uint64_t v, char *text)
{
	const char *name = key->names && v <= UINT32_MAX ? rf_value_name(key->names, v) : NULL;

	return name && sprintf(text, "%s", name);
}

static void u32_put(const struct rf_key *key, const void *base, char *text)
{
	if (!put_name(key, u32_in(key, base), text))
		sprintf(text, "%" PRIu32, u32_in(key, base));
}

static void hex_put(const struct rf_key *key, const void *base, char *text)
{
	sprintf(text, "0x%" PRIx32, u32_in(key, base));
}

static void u64_put(const struct rf_key *key, const void *base, char *text)
{
	sprintf(text, "%" PRIu64, u64_in(key, base));
}

static void time_put(const struct rf_key *key, const void *base, char *text)
{
	rf_exact_time(u64_in(key, base), text);
}

static void bytes_put(const struct rf_key *key, const void *base, char *text)
{
	if (!put_name(key, u64_in(key, base), text))
		rf_exact_size(u64_in(key, base), text);
}

static void rate_put(const struct rf_key *key, const void *base, char *text)
{
	if (!put_name(key, u64_in(key, base), text))
		rf_exact_rate(u64_in(key, base), text);
}

static void probability_put(const struct rf_key *key, const void *base, char *text)
{
	rf_fmt_probability(u64_in(key, base), text);
}

static void number_valid(const struct rf_key *key, char *form)
{
	sprintf(form, "%" PRIu64 " to %" PRIu64, key->min, key->max);
}

static void size_valid(const struct rf_key *key, char *form)
{
	char min[RF_FMT_LEN], max[RF_FMT_LEN];

	if (key->max)
		sprintf(form, "%s to %s, for example 16MiB", rf_exact_size(key->min, min),
			rf_exact_size(key->max, max));
	else
		sprintf(form, "%s, for example 4096, 256K, 1M",
			key->min ? "1 byte or more" : "bytes");
}

static void time_valid(const struct rf_key *key, char *form)
{
	char min[RF_FMT_LEN], max[RF_FMT_LEN];

	rf_exact_time(key->min, min);
	rf_exact_time(key->max, max);
	if (!key->max)
		sprintf(form, "%s or more, for example 20ms", min);
	else if (key->min)
		sprintf(form, "%s to %s%s", min, max,
			key->min <= 20000000 ? ", for example 20ms" : "");
	else
		sprintf(form, "up to %s, for example 80ms", max);
}

const struct rf_kind rf_kind_u32 = {
	u32_take, u32_put, number_valid, .bits = 1, .form = RF_FORM_NUMBER
};

const struct rf_kind rf_kind_hex = { u32_take, hex_put, .bits = 1 };
const struct rf_kind rf_kind_mtu = { mtu_take, u32_put, .bits = 1, .form = RF_FORM_NUMBER };
const struct rf_kind rf_kind_u64 = {
	u64_take, u64_put, number_valid, .bits = 1, .form = RF_FORM_NUMBER
};

const struct rf_kind rf_kind_time = {
	time_take, time_put, time_valid, .bits = 1, .form = RF_FORM_TIME
};

const struct rf_kind rf_kind_size = {
	size_take, bytes_put, size_valid, .bits = 1, .form = RF_FORM_SIZE
};

const struct rf_kind rf_kind_bytes = { bytes_take, bytes_put, .bits = 1 };
const struct rf_kind rf_kind_rate = { rate_take, rate_put, .bits = 1 };
const struct rf_kind rf_kind_probability = {
	probability_take, probability_put, .bits = 1, .form = RF_FORM_FRACTION
};

static int name_take(const struct rf_key *key, const char *text, void *base)
{
	uint32_t v;

	return name_of(key, text, &v) ? -EINVAL : store_u32(key, base, v);
}

static void name_put(const struct rf_key *key, const void *base, char *text)
{
	if (!put_name(key, u32_in(key, base), text))
		strcpy(text, "unknown");
}

/* Print "a, b or c". */
static void name_valid(const struct rf_key *key, char *form)
{
	const struct rf_name *n;

	for (n = key->names; n->name; n++)
		form += sprintf(form, "%s%s", n == key->names ? "" : n[1].name ? ", " : " or ",
				n->name);
}

const struct rf_kind rf_kind_name = {
	name_take, name_put, name_valid, .bits = 1, .form = RF_FORM_WORD
};

/* Parse one or more names, separated by commas. Each name can be given once. */
static int names_take(const struct rf_key *key, const char *text, void *base)
{
	uint32_t all = 0, bit;
	size_t len;

	for (;; text += len + 1) {
		len = strcspn(text, ",");
		if (rf_name_value(key->names, text, len, &bit) || all & bit)
			return -EINVAL;
		all |= bit;
		if (!text[len])
			return store_u32(key, base, all);
	}
}

static void names_put(const struct rf_key *key, const void *base, char *text)
{
	const struct rf_name *n;
	const char *sep = "";

	*text = '\0';
	for (n = key->names; n->name; n++) {
		if (!(u32_in(key, base) & n->value))
			continue;
		text += sprintf(text, "%s%s", sep, n->name);
		sep = ",";
	}
}

const struct rf_kind rf_kind_names = { names_take, names_put, .bits = 1 };

static int text_take(const struct rf_key *key, const char *text, void *base)
{
	if (!is_in_range(key, strlen(text)))
		return -EINVAL;
	rf_key_mark(key, base, 0);
	*(const char **)((char *)base + key->at) = text;
	return 0;
}

const struct rf_kind rf_kind_text = { .take = text_take };

static int flag_take(const struct rf_key *key, const char *text, void *base)
{
	(void)text;
	return store_u32(key, base, u32_in(key, base) | key->max);
}

static int bool_take(const struct rf_key *key, const char *text, void *base)
{
	(void)text;
	*(bool *)((char *)base + key->at) = true;
	return 0;
}

const struct rf_kind rf_kind_flag = { .take = flag_take };
const struct rf_kind rf_kind_bool = { .take = bool_take };

/**
 * rf_key_find - find the row of a name
 * @keys: the table; NULL: an empty one
 * @name: the name
 *
 * Return: the row, or NULL.
 */
const struct rf_key *rf_key_find(const struct rf_key *keys, const char *name)
{
	for (; keys && keys->name; keys++)
		if (!strcmp(keys->name, name))
			return keys;
	return NULL;
}

/**
 * rf_key_take - parse a value
 * @key: its key
 * @text: the text; NULL: there is none
 * @base: the struct that gets the value, and a mark that it is given
 *
 * Return: 0, or -EINVAL if the value is missing or does not have the valid form.
 */
int rf_key_take(const struct rf_key *key, const char *text, void *base)
{
	if (!text && key->kind != &rf_kind_flag && key->kind != &rf_kind_bool)
		return -EINVAL;
	return key->kind->take(key, text, base);
}

/**
 * rf_key_refuse - set the text of the error that a value is missing or wrong
 * @key: the key of the value
 * @text: the value; NULL: it is missing
 * @why: gets the text
 *
 * Return: -EINVAL.
 */
int rf_key_refuse(const struct rf_key *key, const char *text, struct rf_why *why)
{
	char form[RF_KEY_TEXT_LEN], forms[RF_FORMS_LEN];
	const char *answer = text && key->names ? rf_answer_value(key->name, text) : NULL;

	if (answer)
		return rf_why_refuse(why, "%s %s: invalid; %s", key->name, text, answer);
	if (text && key->kind->form == RF_FORM_FRACTION && rf_probability_forms(text, forms))
		return rf_why_refuse(why, "%s %s: unit missing; write %s", key->name, text, forms);
	if (!key->form)
		key->kind->valid(key, form);
	return rf_why_value(why, key->name, text, key->form ? key->form : form);
}

/**
 * rf_key_text - print a value
 * @key: its key
 * @base: the struct that contains the value
 * @text: gets the text, which rf_key_take() parses to the same value; empty for a flag
 *
 * Return: true, or false if the value is not given.
 */
bool rf_key_text(const struct rf_key *key, const void *base, char text[RF_KEY_TEXT_LEN])
{
	unsigned int bits = key->bit ? key->kind->bits : 0;

	*text = '\0';
	if (key->kind == &rf_kind_flag)
		return u32_in(key, base) & key->max;
	if (bits && !(rf_key_marks(key, base) & ((1ull << bits) - 1)))
		return false;
	key->kind->put(key, base, text);
	return *text;
}
