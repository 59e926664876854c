/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tables of the words of rules. Parser and printer use the same row, so the parser accepts
 * each printed rule. The struct that stores the values is rf_rule_spec or, for an action
 * and its words, rf_action.
 */
#ifndef RF_TABLES_H
#define RF_TABLES_H

#include <stdbool.h>

#include "key.h"
#include "rule.h"
#include "words.h"

#define RF_SPEC_AT(member) offsetof(struct rf_rule_spec, member)

/* Tables end with a NULL name. */
extern const struct rf_key rf_match_words[];
extern const struct rf_key rf_trigger_words[];
extern const struct rf_key rf_rule_words[];
/* @keys are the words of the action. @value and @help explain the value in the command's help. */
extern const struct rf_key rf_action_words[];

/* words_kind.c: kinds of values that several tables use */
extern const struct rf_kind rf_kind_open_range;	/* N, N+ or N-M; N+ stores no end */
extern const struct rf_kind rf_kind_opcode;
extern const struct rf_kind rf_kind_array;	/* a text, in an array of more than @max bytes */

/* rulewords.c: the parser */
const struct rf_key *rf_find_rule_word(const char *name);
const char *rf_words_peek(const struct rf_words *w);	/* NULL at the end */
const char *rf_words_next(struct rf_words *w);
int rf_words_refuse(struct rf_words *w, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
bool rf_words_number_next(const struct rf_words *w);	/* true if the next word is a number */
void rf_words_from_step(struct rf_words *w);
void rf_words_for_steps(struct rf_words *w, uint32_t steps);

#endif
