/* SPDX-License-Identifier: GPL-2.0 */
/* Find the word for "did you mean": the known word that is nearest to the mistyped word. */
#ifndef RF_SUGGEST_H
#define RF_SUGGEST_H

const char *rf_suggest(const char *word, const char *const *names);

#endif
