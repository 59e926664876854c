/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_LINES_H
#define RF_LINES_H

#include <stdio.h>

typedef int (*rf_take_line)(void *arg, const char *line);

int rf_lines_read(FILE *f, rf_take_line take, void *arg, unsigned int *n);
void rf_lines_refuse(const char *path, unsigned int n, int err, const char *valid);

#endif
