/* SPDX-License-Identifier: GPL-2.0 */
/* getopt_long(3) that refuses abbreviations of option names */
#ifndef RF_LONGOPT_H
#define RF_LONGOPT_H

#include <getopt.h>

int rf_getopt(int argc, char **argv, const char *letters,
	      const struct option *longs);

#endif
