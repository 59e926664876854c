/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tables of the words of rules. Each row describes a word: its name, the form of its
 * value, the functions that parse and print the value, and the struct member that stores
 * the value. Parser and printer use the same row, so the parser accepts each printed rule.
 */
#ifndef RF_TABLES_H
#define RF_TABLES_H

#include <stdarg.h>
#include <stdbool.h>

#include "rule.h"
#include "words.h"

struct rf_text;
struct rf_word;
struct rf_words;

/*
 * A type of value. @base is the struct that stores the value: rf_rule_spec or, for a word
 * of an action, rf_action.
 */
struct rf_kind {
	/* Parse the value. Return: 0, or -EINVAL if the value does not have the valid form. */
	int (*take)(struct rf_words *w, const struct rf_word *word, void *base);
	void (*put)(struct rf_text *t, const struct rf_word *word,
		    const void *base);
	unsigned int bits;	/* number of mask bits of a word; 0: always call put() */
};

struct rf_word {
	const char *name;
	const char *form;	/* valid form of the value; NULL: the word has no value */
	const struct rf_kind *kind;
	size_t set;		/* offset in @base of the bit mask of given attributes */
	unsigned int bit;	/* number of the first bit of this word in the mask */
	size_t at;		/* offset in @base of the value */
	uint64_t min, max;
	const struct rf_name *names;
	const char *help;	/* what the word does, and its default; NULL: see the manual */
};

struct rf_action_word {
	const char *name;
	const char *form;	/* valid form of the value; NULL: the action has no value */
	uint32_t type;		/* enum rdmafault_action */
	int (*take)(struct rf_words *w, struct rf_action *a);
	void (*put)(struct rf_text *t, const struct rf_action *a);
	const struct rf_word *words;	/* words of this action; NULL: none */
	int (*check)(struct rf_words *w, const struct rf_action *a);
};

#define RF_SPEC_AT(member) offsetof(struct rf_rule_spec, member)

/* Tables end with a NULL name. */
extern const struct rf_word rf_match_words[];
extern const struct rf_word rf_trigger_words[];
extern const struct rf_word rf_rule_words[];
extern const struct rf_action_word rf_action_words[];

/* words_kind.c: types of values that several tables use */
extern const struct rf_kind rf_kind_u32;	/* an integer from min to max */
extern const struct rf_kind rf_kind_hex;	/* an integer, printed in hexadecimal */
extern const struct rf_kind rf_kind_range;	/* N, N+ or N-M; mask: @bit for N, @bit + 1 for M */
extern const struct rf_kind rf_kind_open_range;	/* N, N+ or N-M; N+ stores no end */
extern const struct rf_kind rf_kind_time;
extern const struct rf_kind rf_kind_probability;
extern const struct rf_kind rf_kind_name;	/* one of @names */
extern const struct rf_kind rf_kind_names;	/* one or more of @names, with commas; a bit mask */
extern const struct rf_kind rf_kind_opcode;
extern const struct rf_kind rf_kind_flag;	/* no value; the word sets the bit @max */

/* rulewords.c: the parser */
const char *rf_words_peek(const struct rf_words *w);	/* NULL at the end */
const char *rf_words_next(struct rf_words *w);
int rf_words_refuse(struct rf_words *w, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
bool rf_words_number_next(const struct rf_words *w);	/* true if the next word is a number */
void rf_words_from_step(struct rf_words *w);
void rf_words_for_steps(struct rf_words *w, uint32_t steps);

/* ruleformat.c: append to the text of a rule; rf_text_add() first appends a space */
void rf_text_add(struct rf_text *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void rf_text_join(struct rf_text *t, const char *fmt, ...)	/* without a space */
	__attribute__((format(printf, 2, 3)));

#endif
