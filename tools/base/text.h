/* SPDX-License-Identifier: GPL-2.0 */
/* Replace invalid characters in text, so that it can be part of messages and JSON. */
#ifndef RF_TEXT_H
#define RF_TEXT_H

char *rf_text_line(char *text);
char *rf_text_utf8(char *text);
char *rf_text_list(char *list, const char *word);	/* "a, b" */

#endif
