// SPDX-License-Identifier: GPL-2.0
/* Kinds of values that only words of rules have. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "kmod/rocev2/bth.h"
#include "tables.h"
#include "units.h"

#define NUMBER_MAX 16		/* buffer size for a number; "0xffffffff" has 10 characters */

/* Parse N (one value), N+ (N and all higher values) or N-M (N to M). */
static int parse_range(const struct rf_key *key, const char *s, uint32_t at[2])
{
	struct rf_key number = { .min = key->min, .max = key->max };
	size_t len = strcspn(s, "+-");
	char num[NUMBER_MAX];

	if (len >= sizeof(num))
		return -EINVAL;
	memcpy(num, s, len);
	num[len] = '\0';
	if (rf_kind_u32.take(&number, num, &at[0]))
		return -EINVAL;
	at[1] = s[len] == '+' ? key->max : at[0];
	if (s[len] != '-')
		return s[len] && s[len + 1] ? -EINVAL : 0;
	return rf_kind_u32.take(&number, s + len + 1, &at[1]) || at[1] < at[0] ? -EINVAL : 0;
}

static int range_take(const struct rf_key *key, const char *s, void *base)
{
	rf_key_mark(key, base, 0);
	rf_key_mark(key, base, 1);
	return parse_range(key, s, (uint32_t *)((char *)base + key->at));
}

/* Parse a range, but store no end for a range up to the maximum. */
static int open_range_take(const struct rf_key *key, const char *s, void *base)
{
	uint32_t *at = (uint32_t *)((char *)base + key->at);

	if (parse_range(key, s, at))
		return -EINVAL;
	rf_key_mark(key, base, 0);
	if (at[1] == key->max && at[0] != at[1])
		at[1] = 0;
	else
		rf_key_mark(key, base, 1);
	return 0;
}

/*
 * Print a range. If no start is given, print the minimum. If no end is given, print the
 * maximum if @open is true, otherwise print only the start.
 */
static void span_put(const struct rf_key *key, const void *base, bool open, char *text)
{
	const uint32_t *at = (const uint32_t *)((const char *)base + key->at);
	uint64_t given = rf_key_marks(key, base);
	uint32_t min = given & 1 ? at[0] : key->min;
	uint32_t max = given & 2 ? at[1] : open ? key->max : min;

	if (max == min)
		sprintf(text, "%u", min);
	else if (max == key->max)
		sprintf(text, "%u+", min);
	else
		sprintf(text, "%u-%u", min, max);
}

static void range_put(const struct rf_key *key, const void *base, char *text)
{
	span_put(key, base, false, text);
}

static void open_range_put(const struct rf_key *key, const void *base, char *text)
{
	span_put(key, base, true, text);
}

const struct rf_kind rf_kind_range = { range_take, range_put, .bits = 2 };
const struct rf_kind rf_kind_open_range = { open_range_take, open_range_put, .bits = 2 };

static int opcode_take(const struct rf_key *key, const char *s, void *base)
{
	uint32_t *at = (uint32_t *)((char *)base + key->at);
	int op = rf_opcode_by_name(s);
	uint32_t number;

	rf_key_mark(key, base, 0);
	if (op < 0 && (rf_parse_u32(s, &number) || number > 0xff ||
		       (!rf_opcode(number) && !key->max)))
		return -EINVAL;
	*at = op < 0 ? number : (uint32_t)op;
	return 0;
}

static void opcode_put(const struct rf_key *key, const void *base, char *text)
{
	uint32_t v = *(const uint32_t *)((const char *)base + key->at);
	const struct rf_opcode *op = rf_opcode(v);

	if (op)
		strcpy(text, op->name);
	else
		sprintf(text, "0x%02x", v);
}

const struct rf_kind rf_kind_opcode = { opcode_take, opcode_put, .bits = 1 };

static int array_take(const struct rf_key *key, const char *s, void *base)
{
	if (!*s || strlen(s) > key->max)
		return -EINVAL;
	strcpy((char *)base + key->at, s);
	return 0;
}

static void array_put(const struct rf_key *key, const void *base, char *text)
{
	strcpy(text, (const char *)base + key->at);
}

const struct rf_kind rf_kind_array = { .take = array_take, .put = array_put };
