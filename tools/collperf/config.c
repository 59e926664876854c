// SPDX-License-Identifier: GPL-2.0
/*
 * The command line, from one table: what is parsed, its bounds, and the usage
 * text. Letters and meanings are those of nccl-tests; what is ours alone has a
 * long name only. -N is the number of ranks, since collperf starts them.
 *
 * -b and -e default to 256 KiB and not to 32 MiB: a software device on an
 * emulated machine moves some 50 MB/s.
 */
#include <errno.h>
#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "config.h"
#include "err.h"
#include "units.h"
#include "version.h"

#define DEFAULT_BYTES	(256u << 10)
#define DEFAULT_STEP	(1u << 20)
#define DEFAULT_PSN	0x001000

enum kind { NUMBER, SIZE, TIME, PSN, TEXT, FLAG, TYPE, OP, PLACE, DEVICES,
	    HELP, VERSION };

struct option_row {
	char letter;
	const char *name;
	enum kind kind;
	size_t field;
	uint64_t min, max;
	const char *arg;
	const char *help;
};

#define F(member)	offsetof(struct cp_config, member)
#define ANY		0, UINT64_MAX

static const struct option_row rows[] = {
	{ 'N', "ranks", NUMBER, F(ranks), 1, CP_RANKS_MAX, "N",
	  "ranks to start, each a process (2)" },
	{ 'b', "minbytes", SIZE, F(min_bytes), ANY, "SIZE",
	  "smallest size; K, M, G are binary (256K)" },
	{ 'e', "maxbytes", SIZE, F(max_bytes), ANY, "SIZE",
	  "largest size (the same as -b)" },
	{ 'i', "stepbytes", SIZE, F(step_bytes), 1, UINT64_MAX, "SIZE",
	  "add SIZE from size to size (1M)" },
	{ 'f', "stepfactor", NUMBER, F(step_factor), 2, 1u << 20, "N",
	  "multiply by N from size to size, instead of -i" },
	{ 'n', "iters", NUMBER, F(iters), 1, 10000000, "N",
	  "measured iterations (20)" },
	{ 'w', "warmup_iters", NUMBER, F(warmups), 0, 10000000, "N",
	  "warm-up iterations (1)" },
	{ 'c', "check", NUMBER, F(checks), 0, 10000000, "N",
	  "verified iterations; 0 verifies nothing (1); with -z 1 all or none" },
	{ 'o', "op", OP, F(op), ANY, "OP",
	  "sum, min or max (sum)" },
	{ 'd', "datatype", TYPE, F(type), ANY, "TYPE",
	  "int8 uint8 int32 uint32 int64 uint64 float double (float)" },
	{ 'z', "blocking", NUMBER, F(blocking), 0, 1, "0|1",
	  "1: all ranks wait for one another after each iteration (0)" },
	{ 0, "compute", TIME, F(compute_ns), 0, 3600 * CP_NSEC_PER_SEC, "TIME",
	  "with -z 1: sleep between steps, as if computing (0ms)" },
	{ 'J', "output_file", TEXT, F(json_path), ANY, "FILE",
	  "write the results as JSON too" },
	{ 0, "place", PLACE, F(place), ANY, "out|in|both",
	  "out-of-place, in-place, or both (both; with --timeline: out)" },
	{ 0, "device", DEVICES, F(devices), ANY, "DEV,DEV,...",
	  "RDMA device of each rank (rxe1,rxe2,...)" },
	{ 0, "allow-loopback", FLAG, F(allow_loopback), ANY, NULL,
	  "let ranks share a device: their packets never reach a netdev" },
	{ 0, "gid-index", NUMBER, F(verbs.gid_index), 0, 255, "N",
	  "GID to use (the IPv4 one of RoCE v2)" },
	{ 0, "mtu", NUMBER, F(verbs.mtu), 256, 4096, "BYTES",
	  "path MTU: 256, 512, 1024, 2048 or 4096 (the port's)" },
	{ 0, "tclass", NUMBER, F(verbs.tclass), 0, 255, "N",
	  "traffic class, that is DSCP * 4 + ECN (0)" },
	{ 0, "timeout", NUMBER, F(verbs.timeout), 1, 31, "N",
	  "retransmission timer, 4.096 us * 2^N (14: 67 ms)" },
	{ 0, "retry-cnt", NUMBER, F(verbs.retry_cnt), 0, 6, "N",
	  "retransmissions before giving up (6)" },
	{ 0, "psn", PSN, F(verbs.psn), ANY, "PSN",
	  "first PSN; rank R adds R * 0x1000 (0x1000)" },
	{ 0, "timeline", TEXT, F(timeline_path), ANY, "FILE",
	  "write each rank's steps as JSON lines" },
	{ 0, "deadline", TIME, F(deadline_ns), CP_NSEC_PER_MSEC,
	  3600 * CP_NSEC_PER_SEC, "TIME",
	  "longest that a rank waits for anything (20s)" },
	{ 'v', "verbose", FLAG, F(verbose), ANY, NULL,
	  "say on stderr what is tried and left out" },
	{ 'h', "help", HELP, 0, ANY, NULL, "this" },
	{ 'V', "version", VERSION, 0, ANY, NULL, "the version" },
};

#define N_ROWS	(sizeof(rows) / sizeof(rows[0]))

/** cp_usage() - the usage text, made from the table */
void cp_usage(void)
{
	printf("usage: collperf COLLECTIVE [OPTION]...\n\ncollectives:");
	for (const struct cp_coll *c = cp_colls; c->name; c++)
		printf(" %s", c->name);
	printf("\n\n");
	for (size_t i = 0; i < N_ROWS; i++) {
		const struct option_row *r = &rows[i];
		char left[40];

		snprintf(left, sizeof(left), "--%s%s%s", r->name,
			 r->arg ? " " : "", r->arg ? r->arg : "");
		if (r->letter)
			printf("  -%c, %-22s %s\n", r->letter, left, r->help);
		else
			printf("      %-22s %s\n", left, r->help);
	}
	printf("\nexit status: 0 all right, 1 wrong values, 2 bad usage, 3 a rank failed,\n"
	       "130 interrupted. See collperf(1).\n");
}

static void option_words(const struct option_row *r, char *buf, size_t len)
{
	if (r->letter)
		snprintf(buf, len, "-%c", r->letter);
	else
		snprintf(buf, len, "--%s", r->name);
}

static int refuse(const struct option_row *r, const char *legal,
		  const char *given)
{
	char opt[40];

	option_words(r, opt, sizeof(opt));
	rf_err("%s takes %s, not '%s'", opt, legal, given);
	return -EINVAL;
}

static int set_number(struct cp_config *cfg, const struct option_row *r,
		      const char *arg)
{
	char legal[64];
	uint32_t v;

	if (rf_parse_u32(arg, &v) || v < r->min || v > r->max) {
		snprintf(legal, sizeof(legal), "a number from %llu to %llu",
			 (unsigned long long)r->min, (unsigned long long)r->max);
		return refuse(r, legal, arg);
	}
	*(uint32_t *)((char *)cfg + r->field) = v;
	return 0;
}

static int set_size(struct cp_config *cfg, const struct option_row *r,
		    const char *arg)
{
	uint64_t v;

	if (rf_parse_size(arg, &v) || v < r->min)
		return refuse(r, "a size in bytes, like 4096, 256K or 1M", arg);
	*(uint64_t *)((char *)cfg + r->field) = v;
	return 0;
}

static int set_time(struct cp_config *cfg, const struct option_row *r,
		    const char *arg)
{
	uint64_t v;

	if (rf_parse_time(arg, &v) || v < r->min || v > r->max)
		return refuse(r, r->min ? "a time from 1ms to 3600s" :
				 "a time up to 3600s, like 80ms", arg);
	*(uint64_t *)((char *)cfg + r->field) = v;
	return 0;
}

static int set_psn(struct cp_config *cfg, const struct option_row *r,
		   const char *arg)
{
	if (rf_parse_psn(arg, (uint32_t *)((char *)cfg + r->field)))
		return refuse(r, "a PSN from 0 to 0xffffff", arg);
	return 0;
}

static int set_type(struct cp_config *cfg, const struct option_row *r,
		    const char *arg)
{
	cfg->type = cp_type_find(arg);
	return cfg->type ? 0 : refuse(r, "int8, uint8, int32, uint32, int64, uint64, float or double", arg);
}

static int set_op(struct cp_config *cfg, const struct option_row *r,
		  const char *arg)
{
	cfg->op = cp_op_find(arg);
	return cfg->op ? 0 : refuse(r, "sum, min or max", arg);
}

static int set_place(struct cp_config *cfg, const struct option_row *r,
		     const char *arg)
{
	static const struct {
		const char *word;
		uint32_t place;
	} words[] = {
		{ "out", CP_OUT_OF_PLACE },
		{ "in", CP_IN_PLACE },
		{ "both", CP_OUT_OF_PLACE | CP_IN_PLACE },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(arg, words[i].word))
			cfg->place = words[i].place;
	return cfg->place ? 0 : refuse(r, "out, in or both", arg);
}

static int set_devices(struct cp_config *cfg, const struct option_row *r,
		       const char *arg)
{
	size_t len;

	for (cfg->n_devices = 0; ; arg += len + 1) {
		len = strcspn(arg, ",");
		if (!len || len >= CP_NAME_LEN)
			return refuse(r, "device names with commas between", arg);
		if (cfg->n_devices == CP_RANKS_MAX)
			return refuse(r, "at most 64 devices", arg);
		memcpy(cfg->devices[cfg->n_devices], arg, len);
		cfg->devices[cfg->n_devices++][len] = '\0';
		if (!arg[len])
			return 0;
	}
}

static int set(struct cp_config *cfg, const struct option_row *r,
	       const char *arg)
{
	switch (r->kind) {
	case NUMBER:	return set_number(cfg, r, arg);
	case SIZE:	return set_size(cfg, r, arg);
	case TIME:	return set_time(cfg, r, arg);
	case PSN:	return set_psn(cfg, r, arg);
	case TYPE:	return set_type(cfg, r, arg);
	case OP:	return set_op(cfg, r, arg);
	case PLACE:	return set_place(cfg, r, arg);
	case DEVICES:	return set_devices(cfg, r, arg);
	case TEXT:
		*(const char **)((char *)cfg + r->field) = arg;
		return 0;
	case FLAG:
		*(bool *)((char *)cfg + r->field) = true;
		return 0;
	case HELP:
		cp_usage();
		return CP_CONFIG_DONE;
	case VERSION:
		printf("collperf %s\n", RF_VERSION);
		return CP_CONFIG_DONE;
	}
	return -EINVAL;
}

static void defaults(struct cp_config *cfg, int argc, char **argv)
{
	*cfg = (struct cp_config){
		.argc = argc,
		.argv = argv,
		.type = cp_type_find("float"),
		.op = cp_op_find("sum"),
		.ranks = 2,
		.min_bytes = DEFAULT_BYTES,
		.step_bytes = DEFAULT_STEP,
		.iters = 20,
		.warmups = 1,
		.checks = 1,
		.verbs = {
			.timeout = 14,
			.retry_cnt = 6,
			.psn = DEFAULT_PSN,
			.gid_index = -1,
		},
		.deadline_ns = 20 * CP_NSEC_PER_SEC,
	};
}

/* getopt_long() returns 256 + the row for options without a letter. */
static void getopt_tables(char *letters, struct option *longs)
{
	char *p = letters;

	*p++ = ':';
	for (size_t i = 0; i < N_ROWS; i++) {
		const struct option_row *r = &rows[i];

		longs[i] = (struct option){
			.name = r->name,
			.has_arg = r->arg ? required_argument : no_argument,
			.val = 256 + (int)i,
		};
		if (r->letter)
			*p++ = r->letter;
		if (r->letter && r->arg)
			*p++ = ':';
	}
	*p = '\0';
	longs[N_ROWS] = (struct option){ .name = NULL };
}

static const struct option_row *row_of(int val)
{
	if (val >= 256)
		return &rows[val - 256];
	for (size_t i = 0; i < N_ROWS; i++)
		if (rows[i].letter == val)
			return &rows[i];
	return NULL;
}

static int unknown(int val, const char *word)
{
	if (val == ':')
		rf_err("%s needs an argument; see collperf --help", word);
	else
		rf_err("unknown option '%s'; see collperf --help", word);
	return -EINVAL;
}

static int take_collective(struct cp_config *cfg, int left, char **words)
{
	if (left == 0) {
		rf_err("which collective? there is all_reduce; see collperf --help");
		return -EINVAL;
	}
	if (left > 1) {
		rf_err("one collective at a time, not also '%s'", words[1]);
		return -EINVAL;
	}
	cfg->coll = cp_coll_find(words[0]);
	if (!cfg->coll) {
		rf_err("unknown collective '%s'; there is all_reduce", words[0]);
		return -EINVAL;
	}
	return 0;
}

/**
 * cp_config_parse() - read the command line
 * Return: CP_CONFIG_RUN, CP_CONFIG_DONE after --help, or -EINVAL after a
 * message.
 */
int cp_config_parse(struct cp_config *cfg, int argc, char **argv)
{
	char letters[2 * N_ROWS + 2];
	struct option longs[N_ROWS + 1];
	int val, ret;

	defaults(cfg, argc, argv);
	getopt_tables(letters, longs);
	opterr = 0;
	while ((val = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		if (val == '?' || val == ':')
			return unknown(val, argv[optind - 1]);
		ret = set(cfg, row_of(val), optarg);
		if (ret)
			return ret;
	}
	return take_collective(cfg, argc - optind, argv + optind);
}
