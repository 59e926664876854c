/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The little that a plugin needs of tc. No package installs a header for it, so it
 * is declared here, as iproute2 6.1 has it in its binary: tc exports its
 * functions to what it loads. Later versions have put const here and there,
 * which changes no call.
 */
#ifndef RF_IPROUTE2_H
#define RF_IPROUTE2_H

#include <linux/rtnetlink.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Which of its outputs something goes to */
enum output_type {
	PRINT_FP = 1,
	PRINT_JSON = 2,
	PRINT_ANY = 4,
};

/* An index into tc's colours; this one is none. */
#define COLOR_NONE 6

struct qdisc_util {
	struct qdisc_util *next;	/* tc's own */
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
