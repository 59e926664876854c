// SPDX-License-Identifier: GPL-2.0
/*
 * The types of values that words of a rule have. Each type has a parser and a printer.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "kmod/rocev2/bth.h"
#include "tables.h"
#include "units.h"

#define NUMBER_MAX 16		/* buffer size for a number; "0xffffffff" has 10 characters */

static uint32_t *u32_of(const struct rf_word *word, void *base)
{
	return (uint32_t *)((char *)base + word->at);
}

static uint32_t u32_in(const struct rf_word *word, const void *base)
{
	return *(const uint32_t *)((const char *)base + word->at);
}

static void set_given(const struct rf_word *word, void *base, unsigned int bit)
{
	*(uint64_t *)((char *)base + word->set) |= 1ull << bit;
}

static bool is_given(const struct rf_word *word, const void *base,
		     unsigned int bit)
{
	return *(const uint64_t *)((const char *)base + word->set) & 1ull << bit;
}

static int u32_between(const char *s, const struct rf_word *word, uint32_t *v)
{
	uint32_t n;

	if (!s || rf_parse_u32(s, &n) || n < word->min || n > word->max)
		return -EINVAL;
	*v = n;
	return 0;
}

static int u32_take(struct rf_words *w, const struct rf_word *word, void *base)
{
	set_given(word, base, word->bit);
	return u32_between(rf_words_next(w), word, u32_of(word, base));
}

static void u32_put(struct rf_text *t, const struct rf_word *word,
		    const void *base)
{
	rf_text_add(t, "%s %u", word->name, u32_in(word, base));
}

static void hex_put(struct rf_text *t, const struct rf_word *word,
		    const void *base)
{
	rf_text_add(t, "%s 0x%x", word->name, u32_in(word, base));
}

const struct rf_kind rf_kind_u32 = { u32_take, u32_put, 1 };
const struct rf_kind rf_kind_hex = { u32_take, hex_put, 1 };

/* Parse N (one value), N+ (N and all higher values) or N-M (N to M). */
static int range_take(struct rf_words *w, const struct rf_word *word,
		      void *base)
{
	uint32_t *at = u32_of(word, base);
	const char *s = rf_words_next(w);
	char num[NUMBER_MAX];
	size_t len;

	if (!s)
		return -EINVAL;
	len = strcspn(s, "+-");
	if (len >= sizeof(num))
		return -EINVAL;
	memcpy(num, s, len);
	num[len] = '\0';
	if (u32_between(num, word, &at[0]))
		return -EINVAL;
	at[1] = s[len] == '+' ? word->max : at[0];
	set_given(word, base, word->bit);
	set_given(word, base, word->bit + 1);
	if (s[len] != '-')
		return s[len] && s[len + 1] ? -EINVAL : 0;
	return u32_between(s + len + 1, word, &at[1]) || at[1] < at[0] ?
	       -EINVAL : 0;
}

/* Parse a range as range_take() does, but store no end for a range up to the maximum. */
static int open_range_take(struct rf_words *w, const struct rf_word *word,
			   void *base)
{
	uint32_t *at = u32_of(word, base);

	if (range_take(w, word, base))
		return -EINVAL;
	if (at[1] != word->max || at[0] == at[1])
		return 0;
	at[1] = 0;
	*(uint64_t *)((char *)base + word->set) &= ~(2ull << word->bit);
	return 0;
}

/*
 * Print a range. If no start is given, print the minimum. If no end is given, print the
 * maximum if @open is true, otherwise print only the start.
 */
static void span_put(struct rf_text *t, const struct rf_word *word,
		     const void *base, bool open)
{
	const uint32_t *at = (const uint32_t *)((const char *)base + word->at);
	uint32_t min = is_given(word, base, word->bit) ? at[0] : word->min;
	uint32_t max = open ? word->max : min;

	if (is_given(word, base, word->bit + 1))
		max = at[1];
	if (max == min)
		rf_text_add(t, "%s %u", word->name, min);
	else if (max == word->max)
		rf_text_add(t, "%s %u+", word->name, min);
	else
		rf_text_add(t, "%s %u-%u", word->name, min, max);
}

static void range_put(struct rf_text *t, const struct rf_word *word,
		      const void *base)
{
	span_put(t, word, base, false);
}

static void open_range_put(struct rf_text *t, const struct rf_word *word,
			   const void *base)
{
	span_put(t, word, base, true);
}

const struct rf_kind rf_kind_range = { range_take, range_put, 2 };
const struct rf_kind rf_kind_open_range = { open_range_take, open_range_put, 2 };

static int u64_set(const struct rf_word *word, void *base, uint64_t v)
{
	if (v < word->min || v > word->max)
		return -EINVAL;
	set_given(word, base, word->bit);
	*(uint64_t *)((char *)base + word->at) = v;
	return 0;
}

static uint64_t u64_in(const struct rf_word *word, const void *base)
{
	return *(const uint64_t *)((const char *)base + word->at);
}

static int time_take(struct rf_words *w, const struct rf_word *word, void *base)
{
	const char *s = rf_words_next(w);
	uint64_t ns;

	return !s || rf_parse_time(s, &ns) ? -EINVAL : u64_set(word, base, ns);
}

static void time_put(struct rf_text *t, const struct rf_word *word,
		     const void *base)
{
	char buf[RF_FMT_LEN];

	rf_text_add(t, "%s %s", word->name,
		    rf_exact_time(u64_in(word, base), buf));
}

const struct rf_kind rf_kind_time = { time_take, time_put, 1 };

static int probability_take(struct rf_words *w, const struct rf_word *word,
			    void *base)
{
	const char *s = rf_words_next(w);
	uint64_t p;

	return !s || rf_parse_probability(s, &p) ? -EINVAL :
						   u64_set(word, base, p);
}

static void probability_put(struct rf_text *t, const struct rf_word *word,
			    const void *base)
{
	char buf[RF_FMT_LEN];

	rf_text_add(t, "%s %s", word->name,
		    rf_fmt_probability(u64_in(word, base), buf));
}

const struct rf_kind rf_kind_probability = {
	probability_take, probability_put, 1
};

static int name_take(struct rf_words *w, const struct rf_word *word, void *base)
{
	const char *s = rf_words_next(w);

	set_given(word, base, word->bit);
	return !s ? -EINVAL : rf_name_value(word->names, s, strlen(s),
					    u32_of(word, base));
}

static void name_put(struct rf_text *t, const struct rf_word *word,
		     const void *base)
{
	const char *name = rf_value_name(word->names, u32_in(word, base));

	rf_text_add(t, "%s %s", word->name, name ? name : "unknown");
}

const struct rf_kind rf_kind_name = { name_take, name_put, 1 };

/* Parse one or more names, separated by commas. Each name can be given once. */
static int names_take(struct rf_words *w, const struct rf_word *word,
		      void *base)
{
	const char *s = rf_words_next(w);
	uint32_t all = 0, bit;
	size_t len;

	if (!s)
		return -EINVAL;
	for (;; s += len + 1) {
		len = strcspn(s, ",");
		if (rf_name_value(word->names, s, len, &bit) || all & bit)
			return -EINVAL;
		all |= bit;
		if (!s[len])
			break;
	}
	set_given(word, base, word->bit);
	*u32_of(word, base) = all;
	return 0;
}

static void names_put(struct rf_text *t, const struct rf_word *word,
		      const void *base)
{
	const struct rf_name *n;
	const char *sep = " ";

	rf_text_add(t, "%s", word->name);
	for (n = word->names; n->name; n++) {
		if (!(u32_in(word, base) & n->value))
			continue;
		rf_text_join(t, "%s%s", sep, n->name);
		sep = ",";
	}
}

const struct rf_kind rf_kind_names = { names_take, names_put, 1 };

static int opcode_take(struct rf_words *w, const struct rf_word *word,
		       void *base)
{
	const char *s = rf_words_next(w);
	int op = s ? rf_opcode_by_name(s) : -1;
	uint32_t number;

	set_given(word, base, word->bit);
	if (!s)
		return -EINVAL;
	if (op < 0 && (rf_parse_u32(s, &number) || number > 0xff ||
		       (!rf_opcode(number) && !word->max)))
		return -EINVAL;
	*u32_of(word, base) = op < 0 ? number : (uint32_t)op;
	return 0;
}

static void opcode_put(struct rf_text *t, const struct rf_word *word,
		       const void *base)
{
	const struct rf_opcode *op = rf_opcode(u32_in(word, base));

	if (op)
		rf_text_add(t, "%s %s", word->name, op->name);
	else
		rf_text_add(t, "%s 0x%02x", word->name, u32_in(word, base));
}

const struct rf_kind rf_kind_opcode = { opcode_take, opcode_put, 1 };

static int flag_take(struct rf_words *w, const struct rf_word *word, void *base)
{
	(void)w;
	if (word->bit)
		set_given(word, base, word->bit);
	*u32_of(word, base) |= word->max;
	return 0;
}

static void flag_put(struct rf_text *t, const struct rf_word *word,
		     const void *base)
{
	if (u32_in(word, base) & word->max)
		rf_text_add(t, "%s", word->name);
}

const struct rf_kind rf_kind_flag = { flag_take, flag_put, 0 };
