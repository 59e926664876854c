/* SPDX-License-Identifier: GPL-2.0 */
/* Text: valid characters, lists, and similar words */
#ifndef RF_TEXT_H
#define RF_TEXT_H

#include <stddef.h>

/* text.c: replace invalid characters in text, so that it can be part of messages and JSON */
char *rf_text_line(char *text);
char *rf_text_utf8(char *text);
size_t rf_columns(const char *s, size_t len);
char *rf_text_list(char *list, const char *word);	/* "a, b" */

/*
 * suggest.c: find the word for "did you mean": the known word that is nearest to the
 * mistyped word
 */
const char *rf_suggest(const char *word, const char *const *names);
const char *rf_answer(const char *word);	/* what to write instead of another tool's word */
const char *rf_answer_value(const char *name, const char *value);

#endif
