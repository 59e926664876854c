/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tables of the words of rules. A row has the name of a word, the form of its
 * value, the kind that parses and prints the value, and the offset of its member.
 * Parser and printer use the same row, so a printed rule can be parsed.
 */
#ifndef RF_WORDS_H
#define RF_WORDS_H

#include <stdarg.h>
#include <stdbool.h>
#include "rulewords.h"

struct rf_words;
struct rf_text;
struct rf_word;

/* @base: the rf_rule_spec, or the rf_action that the word belongs to. */
struct rf_kind {
	/* -EINVAL: the last value was not of the word's form */
	int (*take)(struct rf_words *w, const struct rf_word *word, void *base);
	void (*put)(struct rf_text *t, const struct rf_word *word,
		    const void *base);
	unsigned int bits;	/* number of bits of @set, from @bit on: put() if one is set */
};

struct rf_word {
	const char *name;
	const char *form;	/* of its value; NULL: it has none */
	const struct rf_kind *kind;
	size_t set;		/* in the base: the mask of what was given, */
	unsigned int bit;	/* from this bit of it on */
	size_t at;		/* in the base: the member */
	uint64_t min, max;
	const struct rf_name *names;
	const char *help;	/* what it does, and its default; NULL: see the manual */
};

struct rf_action_word {
	const char *name;
	const char *form;	/* of its value; NULL: it has none */
	uint32_t type;		/* enum rdmafault_action */
	int (*take)(struct rf_words *w, struct rf_action *a);
	void (*put)(struct rf_text *t, const struct rf_action *a);
	const struct rf_word *words;	/* that belong to it; NULL: none */
	int (*check)(struct rf_words *w, const struct rf_action *a);
};

#define RF_SPEC_AT(member) offsetof(struct rf_rule_spec, member)

/* Tables end with a NULL name. */
extern const struct rf_word rf_match_words[];
extern const struct rf_word rf_trigger_words[];
extern const struct rf_word rf_rule_words[];
extern const struct rf_action_word rf_action_words[];

/* Kinds of values that several tables use; words_kind.c */
extern const struct rf_kind rf_kind_u32;	/* min to max */
extern const struct rf_kind rf_kind_hex;	/* the same, written in hex */
extern const struct rf_kind rf_kind_range;	/* N, N+, N-M; bit + 1: the end */
extern const struct rf_kind rf_kind_open_range;	/* no end given: no end */
extern const struct rf_kind rf_kind_time;
extern const struct rf_kind rf_kind_probability;
extern const struct rf_kind rf_kind_name;	/* one of names */
extern const struct rf_kind rf_kind_names;	/* bits, with commas */
extern const struct rf_kind rf_kind_opcode;
extern const struct rf_kind rf_kind_flag;	/* max: the bit in the member */

/* The parser; rulewords.c */
const char *rf_words_peek(const struct rf_words *w);	/* NULL at the end */
const char *rf_words_next(struct rf_words *w);
int rf_words_refuse(struct rf_words *w, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
bool rf_words_number_next(const struct rf_words *w);	/* is the next word a number? */
void rf_words_from_step(struct rf_words *w);
void rf_words_for_steps(struct rf_words *w, uint32_t steps);

/* The printer: appends text, with a blank before each piece; ruleformat.c */
void rf_text_add(struct rf_text *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void rf_text_join(struct rf_text *t, const char *fmt, ...)	/* no blank */
	__attribute__((format(printf, 2, 3)));

#endif
