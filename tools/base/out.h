/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Results on stdout: each call prints the text or, with --json, adds a member to
 * an object. rf_out_pop() closes an inner object or list; rf_out_end() prints the
 * JSON of the whole result.
 */
#ifndef RF_OUT_H
#define RF_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

void rf_out_begin_object(void);
void rf_out_begin_array(void);
void rf_out_end(void);

void rf_out_push_object(const char *key);	/* key NULL: inside an array */
void rf_out_push_array(const char *key);
void rf_out_pop(void);

/* @fmt: format of text output, with one %s or PRIu64; NULL: text does not show the value */
void rf_out_str(const char *key, const char *fmt, const char *v);
void rf_out_u64(const char *key, const char *fmt, uint64_t v);
void rf_out_real(const char *key, double v);	/* only in JSON */
void rf_out_fraction(const char *key, uint64_t p);	/* unit 10^-12; only in JSON */
void rf_out_bool(const char *key, const char *text_if_true, bool v);
void rf_out_null(const char *key);
void rf_out_text(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

extern bool rf_quiet;	/* --quiet: rf_out_done() prints nothing */
void rf_out_done(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

bool rf_out_failed(void);	/* true if any write to stdout failed */

/* file.c */
int rf_file_close(FILE *f, const char *path);

#endif
