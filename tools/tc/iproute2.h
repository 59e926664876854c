/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations for a plugin of tc. iproute2 installs no header for plugins, so this file
 * declares the functions that tc exports to plugins, as in iproute2 6.1. Later versions
 * added const in some places, which does not change the ABI.
 */
#ifndef RF_IPROUTE2_H
#define RF_IPROUTE2_H

#include <linux/rtnetlink.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Output format */
enum output_type {
	PRINT_FP = 1,
	PRINT_JSON = 2,
	PRINT_ANY = 4,
};

/* The color argument of print_color_*(): no color */
#define COLOR_NONE 6

struct qdisc_util {
	struct qdisc_util *next;	/* list pointer, used by tc */
	const char *id;
	int (*parse_qopt)(struct qdisc_util *qu, int argc, char **argv,
			  struct nlmsghdr *n, const char *dev);
	int (*print_qopt)(struct qdisc_util *qu, FILE *f, struct rtattr *opt);
	int (*print_xstats)(struct qdisc_util *qu, FILE *f,
			    struct rtattr *xstats);
	int (*parse_copt)(struct qdisc_util *qu, int argc, char **argv,
			  struct nlmsghdr *n, const char *dev);
	int (*print_copt)(struct qdisc_util *qu, FILE *f, struct rtattr *opt);
	int (*has_block)(struct qdisc_util *qu, struct rtattr *opt, uint32_t n,
			 bool *has);
};

int addattr_l(struct nlmsghdr *n, int maxlen, int type, const void *data,
	      int alen);
struct rtattr *addattr_nest(struct nlmsghdr *n, int maxlen, int type);
int addattr_nest_end(struct nlmsghdr *n, struct rtattr *nest);

int print_color_string(enum output_type t, int color, const char *key,
		       const char *fmt, const char *value);
int print_color_u64(enum output_type t, int color, const char *key,
		    const char *fmt, uint64_t value);
void open_json_object(const char *key);
void close_json_object(void);
void open_json_array(enum output_type t, const char *key);
void close_json_array(enum output_type t, const char *delim);
bool is_json_context(void);
void print_nl(void);

#endif
