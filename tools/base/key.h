/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keys: a key is a row of a table and describes an option, a word or a scenario key: its name,
 * its help, the kind and range of its value, and the struct member that stores the value.
 * Each kind of value has one function that parses it and one that prints it. The parsers
 * of command lines, rules and scenarios, their error messages and the help use the same rows.
 */
#ifndef RF_KEY_H
#define RF_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"

/* A name for a value. Tables have at most RF_NAMES_MAX names and end with a NULL name. */
#define RF_NAMES_MAX 32

struct rf_name {
	const char *name;
	uint32_t value;
};

int rf_name_value(const struct rf_name *n, const char *s, size_t len, uint32_t *value);
const char *rf_value_name(const struct rf_name *n, uint32_t value);

/* What a value looks like in a scenario, for the JSON schema, and in the JSON of a rule */
enum rf_form {
	RF_FORM_TEXT,
	RF_FORM_NUMBER,			/* from key.min to key.max */
	RF_FORM_SIZE,
	RF_FORM_TIME,
	RF_FORM_RATE,
	RF_FORM_PRIOS,
	RF_FORM_DOLLARS,
	RF_FORM_FRACTION,		/* a probability */
	RF_FORM_WORD,			/* one of key.names */
	RF_FORM_BOOLEAN,
	RF_FORM_TEXTS,			/* a text, or a list of texts */
	RF_FORM_NETDEVS,		/* a list of two texts */
	RF_FORM_NUMBERS,		/* a list of numbers, each at least 1 */
	RF_FORM_MOMENT,			/* "step 20" or a time */
	RF_FORM_SPAN,			/* "5 steps" or a time */
	RF_FORM_MAP,			/* mapping with the keys key.keys */
	RF_FORM_LIST,			/* list of mappings with the keys key.keys */
	RF_FORM_MAP_OR_LIST,		/* mapping, or list of mappings, with the keys key.keys */
	RF_FORM_TEXT_OR_LIST,		/* a text, or a list like RF_FORM_LIST */
	RF_FORM_MAPS,			/* mapping of names to mappings with the keys key.keys */
	RF_FORM_STRINGS,		/* mapping of names to texts */
	RF_FORM_MATRIX,			/* mapping of names to lists of values */
};

struct rf_doc;
struct rf_key;
struct rf_node;
struct rf_words;

/* Most rows of a table of words or scenario keys, without the last row, which has a NULL name */
#define RF_KEYS_MAX 32

/* Size of a buffer for the text of a value, or for its valid form */
#define RF_KEY_TEXT_LEN 512

/**
 * struct rf_kind - a kind of value; a function that is not needed is NULL
 * @take: parse the text and store the value in the struct. Return: 0 or -EINVAL
 * @put: print the value that the struct contains; the text has less than RF_KEY_TEXT_LEN bytes
 * @valid: print the valid form for error messages; not needed if each key has a form
 * @take_words: parse a value of several words of a rule; used instead of @take
 * @take_node: load a value of a scenario that is not a scalar; @to: where to store it
 * @bits: how many bits of the mask say that the value is given; 0: @put is always called
 * @form: what the value looks like in a scenario
 */
struct rf_kind {
	int (*take)(const struct rf_key *key, const char *text, void *base);
	void (*put)(const struct rf_key *key, const void *base, char *text);
	void (*valid)(const struct rf_key *key, char *form);
	int (*take_words)(struct rf_words *w, const struct rf_key *key, void *base);
	int (*take_node)(struct rf_doc *doc, struct rf_node *node, const struct rf_key *key,
			 void *to);
	unsigned int bits;
	enum rf_form form;
};

/**
 * struct rf_key - a row of a table; the last row has a NULL name
 * @name: the name
 * @form: valid form of the value; NULL: @kind makes it from the range, or there is no value
 * @kind: the kind of the value
 * @set: offset in the struct of the bit mask of values that are given
 * @bit: number of the first bit of this key in the mask; 0: there is no mask
 * @at: offset in the struct of the value
 * @min: smallest number, or smallest length of a text
 * @max: largest number, or largest length of a text; 0: no limit
 * @names: the names that the value can be; a number can also have one of these names
 * @help: what the value means, and its default after "; "
 * @letter: of an option: its short name, or 0
 * @value: of an option: name of its argument in the usage text; NULL: no argument
 * @personal: of an option: the ranks of a job can have different values
 * @optional: the value, or the whole key, can be omitted
 * @keys: the keys that can follow this one, or that its value contains
 */
struct rf_key {
	const char *name;
	const char *form;
	const struct rf_kind *kind;
	size_t set;
	unsigned int bit;
	size_t at;
	uint64_t min, max;
	const struct rf_name *names;
	const char *help;
	char letter;
	const char *value;
	bool personal;
	bool optional;
	const struct rf_key *keys;
};

/* The value is a uint32_t or, if the kind says so, a uint64_t. */
extern const struct rf_kind rf_kind_u32;
extern const struct rf_kind rf_kind_hex;		/* printed in hexadecimal */
extern const struct rf_kind rf_kind_u64;		/* uint64_t */
extern const struct rf_kind rf_kind_time;		/* uint64_t, ns */
extern const struct rf_kind rf_kind_mtu;		/* a power of two */
extern const struct rf_kind rf_kind_size;		/* uint64_t, bytes */
extern const struct rf_kind rf_kind_bytes;		/* uint64_t, with the units of tc(8) */
extern const struct rf_kind rf_kind_rate;		/* uint64_t, bit/s */
extern const struct rf_kind rf_kind_probability;	/* uint64_t, in units of 10^-12 */
extern const struct rf_kind rf_kind_name;		/* one of @names */
extern const struct rf_kind rf_kind_names;		/* several of @names, with commas: a mask */
extern const struct rf_kind rf_kind_text;		/* const char *, the word itself */
extern const struct rf_kind rf_kind_flag;		/* no value; sets the bits @max */
extern const struct rf_kind rf_kind_bool;		/* no value; sets a bool to true */

/* suggest.c */
const char *rf_key_near(const struct rf_key *keys, const char *name, char **all);

/* key.c */
const struct rf_key *rf_key_find(const struct rf_key *keys, const char *name);
int rf_key_take(const struct rf_key *key, const char *text, void *base);
int rf_key_refuse(const struct rf_key *key, const char *text, struct rf_why *why);
void rf_key_mark(const struct rf_key *key, void *base, unsigned int bit);
uint64_t rf_key_marks(const struct rf_key *key, const void *base);
bool rf_key_text(const struct rf_key *key, const void *base, char text[RF_KEY_TEXT_LEN]);

#endif
