// SPDX-License-Identifier: GPL-2.0
/*
 * The tc plugin for the options of the qdisc "rdmafault". They are the options of
 * "rdmafault link", and are sent as the same netlink attributes (RDMAFAULT_A_LINK_*).
 * tc loads q_KIND.so and uses its symbol KIND_qdisc_util.
 *
 * The plugin does not support other settings of a port, such as priorities, buffer
 * and ECN; rdmafault(8) sets them. Without the plugin, tc can still add and delete ports.
 */
#include <inttypes.h>
#include <string.h>

#include <rdmafault/rdmafault.h>

#include "iproute2.h"
#include "units.h"
#include "xstats.h"

#define REQUEST_MAX	1024	/* maximum length of the netlink message */

struct kind {
	int (*parse)(const char *s, uint64_t *v);
	char *(*format)(uint64_t v, char buf[RF_FMT_LEN]);
};

static char *format_number(uint64_t v, char buf[RF_FMT_LEN])
{
	snprintf(buf, RF_FMT_LEN, "%" PRIu64, v);
	return buf;
}

static const struct kind rate = { rf_parse_rate, rf_exact_rate };
static const struct kind span = { rf_parse_time, rf_exact_time };
static const struct kind number = { rf_parse_u64, format_number };

struct option {
	const char *word;
	const char *key;	/* name in JSON output, which includes the unit */
	const struct kind *kind;
	uint64_t min;
	uint64_t max;
	size_t size;		/* size of the attribute in bytes */
	int none;		/* attribute for the value "none"; 0: no such value */
};

static const struct option options[RDMAFAULT_A_LINK_MAX + 1] = {
	[RDMAFAULT_A_LINK_RATE] = {
		"rate", "rate_bps", &rate, RDMAFAULT_RATE_MIN,
		RDMAFAULT_RATE_MAX, 8, RDMAFAULT_A_LINK_NO_RATE
	},
	[RDMAFAULT_A_LINK_DELAY] = {
		"delay", "delay_ns", &span, 0, RDMAFAULT_HOLD_MAX, 8, 0
	},
	[RDMAFAULT_A_LINK_JITTER] = {
		"jitter", "jitter_ns", &span, 0, RDMAFAULT_HOLD_MAX, 8, 0
	},
	[RDMAFAULT_A_LINK_OVERHEAD] = {
		"overhead", "overhead", &number, 0, RDMAFAULT_OVERHEAD_MAX, 4, 0
	},
	[RDMAFAULT_A_LINK_SEED] = {
		"seed", "seed", &number, 0, UINT64_MAX, 8, 0
	},
};

#define N_OPTIONS (RDMAFAULT_A_LINK_MAX + 1)

static int print_usage(void)
{
	fprintf(stderr,
		"Usage: ... rdmafault [ rate { RATE | none } ] [ delay TIME ] [ jitter TIME ]\n"
		"                     [ overhead BYTES ] [ seed NUMBER ]\n"
		"RATE: 100mbit, 10gbit; TIME: 10us, 1.5ms\n"
		"What is not given stays as it is. See tc-rdmafault(8).\n");
	return -1;
}

/* Return the netlink attribute type of the option @word, or 0. */
static int option_find(const char *word)
{
	int attr;

	for (attr = N_OPTIONS - 1; attr; attr--)
		if (options[attr].word && !strcmp(options[attr].word, word))
			break;
	return attr;
}

static int no_option(const char *word)
{
	size_t attr;

	fprintf(stderr, "rdmafault: unknown option \"%s\"; valid:", word);
	for (attr = 0; attr < N_OPTIONS; attr++)
		if (options[attr].word)
			fprintf(stderr, " %s,", options[attr].word);
	fprintf(stderr, " or help\n");
	return -1;
}

static int illegal(const struct option *o, const char *value)
{
	char min[RF_FMT_LEN], max[RF_FMT_LEN];

	fprintf(stderr, "rdmafault: %s \"%s\": invalid; %s to %s%s\n", o->word,
		value, o->kind->format(o->min, min), o->kind->format(o->max, max),
		o->none ? " or none" : "");
	return -1;
}

static int put_option_attr(struct nlmsghdr *n, int attr, const char *value)
{
	const struct option *o = &options[attr];
	uint32_t small;
	uint64_t v;

	if (o->none && !strcmp(value, "none"))
		return addattr_l(n, REQUEST_MAX, o->none, NULL, 0);
	if (o->kind->parse(value, &v) || v < o->min || v > o->max)
		return illegal(o, value);
	small = v;
	return addattr_l(n, REQUEST_MAX, attr,
			 o->size == sizeof(small) ? (void *)&small : &v,
			 o->size);
}

static int parse_pair(char **argv, int argc, struct nlmsghdr *n,
		      uint32_t *given)
{
	int attr = option_find(argv[0]);

	if (!attr)
		return no_option(argv[0]);
	if (argc < 2) {
		fprintf(stderr, "rdmafault: %s: value missing\n", argv[0]);
		return -1;
	}
	if (*given & 1u << attr) {
		fprintf(stderr, "rdmafault: %s: given twice\n", argv[0]);
		return -1;
	}
	*given |= 1u << attr;
	return put_option_attr(n, attr, argv[1]);
}

static int parse_options(struct qdisc_util *qu, int argc, char **argv,
			 struct nlmsghdr *n, const char *dev)
{
	struct rtattr *nest;
	uint32_t given = 0;

	(void)qu;
	(void)dev;
	if (!argc)
		return 0;
	nest = addattr_nest(n, REQUEST_MAX, TCA_OPTIONS | NLA_F_NESTED);
	for (; argc > 0; argc -= 2, argv += 2) {
		if (!strcmp(argv[0], "help"))
			return print_usage();
		if (parse_pair(argv, argc, n, &given))
			return -1;
	}
	addattr_nest_end(n, nest);
	return 0;
}

static void print_setting(const struct option *o, const struct rtattr *attr)
{
	char text[RF_FMT_LEN];
	uint32_t small;
	uint64_t v;

	if (RTA_PAYLOAD(attr) != o->size)
		return;
	if (o->size == sizeof(small)) {
		memcpy(&small, RTA_DATA(attr), sizeof(small));
		v = small;
	} else {
		memcpy(&v, RTA_DATA(attr), sizeof(v));
	}
	print_color_u64(PRINT_JSON, COLOR_NONE, o->key, NULL, v);
	print_color_string(PRINT_FP, COLOR_NONE, NULL, "%s ", o->word);
	print_color_string(PRINT_FP, COLOR_NONE, NULL, "%s ",
			   o->kind->format(v, text));
}

/* Print the options of a port; @nest is NULL if the port has no link settings. */
static int print_options(struct qdisc_util *qu, FILE *f, struct rtattr *nest)
{
	const struct rtattr *attr;
	unsigned int type;
	int left;

	(void)qu;
	(void)f;
	if (!nest)
		return 0;
	left = RTA_PAYLOAD(nest);
	for (attr = RTA_DATA(nest); RTA_OK(attr, left);
	     attr = RTA_NEXT(attr, left)) {
		type = attr->rta_type & NLA_TYPE_MASK;
		if (type < N_OPTIONS && options[type].word)
			print_setting(&options[type], attr);
	}
	return 0;
}

static int print_stats(struct qdisc_util *qu, FILE *f, struct rtattr *stats)
{
	(void)qu;
	(void)f;
	if (!stats)
		return 0;
	return rf_xstats_print(RTA_DATA(stats), RTA_PAYLOAD(stats));
}

__attribute__((visibility("default")))
struct qdisc_util rdmafault_qdisc_util = {
	.id = "rdmafault",
	.parse_qopt = parse_options,
	.print_qopt = print_options,
	.print_xstats = print_stats,
};
