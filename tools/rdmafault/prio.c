// SPDX-License-Identifier: GPL-2.0
/* rdmafault prio: the eight priorities of a port, in the words of dcb(8). */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "args.h"
#include "cmd.h"
#include "err.h"
#include "out.h"
#include "queuelist.h"
#include "units.h"

static int prio_set(int argc, char **argv);
static int prio_show(int argc, char **argv);

const struct rf_cmd rf_prio_verbs[] = {
	{ "set", prio_set,
	  "prio set DEV [ dscp-prio DSCP:PRIO... ] [ prio-tsa PRIO:{ strict | ets }... ] [ prio-bw PRIO:N... ] [ prio-limit PRIO:{ SIZE | Np | none }... ] [ prio-pfc PRIO:{ on | off }... ] [ prio-share | prio-headroom | prio-xoff | prio-xon PRIO:SIZE... ]",
	  "how the priorities of DEV are served, and what they keep" },
	{ "show", prio_show, "prio show [ DEV ]", "print it" },
	{ }
};

#define DSCPS 64

static const struct rf_name tsa_names[] = {
	{ "strict", RDMAFAULT_TSA_STRICT },
	{ "ets", RDMAFAULT_TSA_ETS },
	{ }
};

static const struct rf_name pfc_names[] = {
	{ "off", 0 }, { "on", 1 }, { }
};

static void set_dscp(struct rf_queue_change *c, uint32_t dscp, uint32_t prio)
{
	c->dscp |= 1ull << dscp;
	c->conf.dscp_prio[dscp] = prio;
}

/* DSCP:PRIO; the DSCP may be all. */
static int take_dscp_prio(void *to, const char *s)
{
	size_t len = strcspn(s, ":");
	char number[8];
	uint32_t dscp, prio;

	if (!s[len] || len >= sizeof(number) || rf_parse_u32(s + len + 1, &prio) ||
	    prio >= RDMAFAULT_PRIOS)
		return -EINVAL;
	if (len == 3 && !strncmp(s, "all", 3)) {
		for (dscp = 0; dscp < DSCPS; dscp++)
			set_dscp(to, dscp, prio);
		return 0;
	}
	memcpy(number, s, len);
	number[len] = '\0';
	if (rf_parse_u32(number, &dscp) || dscp >= DSCPS)
		return -EINVAL;
	set_dscp(to, dscp, prio);
	return 0;
}

/* Take PRIO:VALUE by @take, and set attributes @bits of all that PRIO names. */
static int take_pair(struct rf_queue_change *c, const char *s, uint64_t bits,
		     int (*take)(struct rf_prio_conf *prio, const char *value))
{
	const char *value;
	uint32_t prios, i;

	if (rf_take_prio_pair(s, &prios, &value))
		return -EINVAL;
	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		if (!(prios >> i & 1))
			continue;
		if (take(&c->conf.prio[i], value))
			return -EINVAL;
		c->prio[i] |= bits;
	}
	return 0;
}

static int tsa_of(struct rf_prio_conf *prio, const char *s)
{
	return rf_take_name(tsa_names, s, &prio->tsa);
}

static int take_tsa(void *to, const char *s)
{
	return take_pair(to, s, RF_PRIO_BIT(TSA), tsa_of);
}

static int weight_of(struct rf_prio_conf *prio, const char *s)
{
	return rf_parse_u32(s, &prio->weight) || !prio->weight ||
	       prio->weight > 100 ? -EINVAL : 0;
}

static int take_bw(void *to, const char *s)
{
	return take_pair(to, s, RF_PRIO_BIT(WEIGHT), weight_of);
}

static int pfc_of(struct rf_prio_conf *prio, const char *s)
{
	return rf_take_name(pfc_names, s, &prio->pfc);
}

static int take_pfc(void *to, const char *s)
{
	return take_pair(to, s, RF_PRIO_BIT(PFC), pfc_of);
}

static int packets_of(struct rf_prio_conf *prio, const char *s)
{
	char number[16];
	size_t len = strlen(s);

	if (len < 2 || len > sizeof(number) || s[len - 1] != 'p')
		return -EINVAL;
	memcpy(number, s, len - 1);
	number[len - 1] = '\0';
	return rf_parse_u32(number, &prio->limit) || !prio->limit ? -EINVAL : 0;
}

static int limit_of(struct rf_prio_conf *prio, const char *s)
{
	prio->limit_bytes = 0;
	if (!strcmp(s, "none"))
		return 0;
	return rf_take_bytes(s, &prio->limit_bytes) || !prio->limit_bytes ?
	       -EINVAL : 0;
}

static int take_limit(void *to, const char *s)
{
	size_t len = strlen(s);

	if (len && s[len - 1] == 'p')
		return take_pair(to, s, RF_PRIO_BIT(LIMIT), packets_of);
	return take_pair(to, s, RF_PRIO_BIT(LIMIT_BYTES), limit_of);
}

static int size_of(const char *s, uint64_t *v)
{
	*v = 0;
	if (!strcmp(s, "default"))
		return 0;
	return rf_take_bytes(s, v) || !*v ? -EINVAL : 0;
}

static int share_of(struct rf_prio_conf *prio, const char *s)
{
	return size_of(s, &prio->share);
}

static int take_share(void *to, const char *s)
{
	return take_pair(to, s, RF_PRIO_BIT(SHARE), share_of);
}

static int headroom_of(struct rf_prio_conf *prio, const char *s)
{
	return rf_take_bytes(s, &prio->headroom);
}

static int take_headroom(void *to, const char *s)
{
	return take_pair(to, s, RF_PRIO_BIT(HEADROOM), headroom_of);
}

static int xoff_of(struct rf_prio_conf *prio, const char *s)
{
	return size_of(s, &prio->xoff);
}

static int take_xoff(void *to, const char *s)
{
	return take_pair(to, s, RF_PRIO_BIT(XOFF), xoff_of);
}

static int xon_of(struct rf_prio_conf *prio, const char *s)
{
	return size_of(s, &prio->xon);
}

static int take_xon(void *to, const char *s)
{
	return take_pair(to, s, RF_PRIO_BIT(XON), xon_of);
}

#define PRIO_FORM "PRIO of 0 to 7 or all"
#define SIZE_FORM PRIO_FORM ":default or a size of 1 to 1TiB, as 3:64KiB"

static const struct rf_arg prio_args[] = {
	{ "dscp-prio", "DSCP of 0 to 63 or all:PRIO of 0 to 7, as 26:3",
	  take_dscp_prio },
	{ "prio-tsa", PRIO_FORM ":strict or ets, as 3:ets", take_tsa },
	{ "prio-bw", PRIO_FORM ":weight of 1 to 100, as 3:50", take_bw },
	{ "prio-limit", PRIO_FORM ":none, a size or packets, as 3:64KiB or 3:100p",
	  take_limit },
	{ "prio-pfc", PRIO_FORM ":on or off, as 3:on", take_pfc },
	{ "prio-share", SIZE_FORM, take_share },
	{ "prio-headroom", PRIO_FORM ":a size of up to 1TiB, as 3:64KiB",
	  take_headroom },
	{ "prio-xoff", SIZE_FORM, take_xoff },
	{ "prio-xon", SIZE_FORM, take_xon },
	{ }
};

static int prio_set(int argc, char **argv)
{
	struct rf_queue_change change = {};
	int status;

	if (argc < 3)
		return rf_usage(rf_prio_verbs, "set");
	status = rf_args_take(prio_args, argv + 2, &change);
	return status ? status : rf_queue_change(argv[1], &change);
}

static void print_map(const uint8_t *map)
{
	unsigned int i, from = 0;

	rf_out_push_array("dscp_prio");
	for (i = 0; i < DSCPS; i++)
		rf_out_u64(NULL, NULL, map[i]);
	rf_out_pop();
	rf_out_text("  dscp-prio");
	for (i = 1; i <= DSCPS; i++) {
		if (i < DSCPS && map[i] == map[from])
			continue;
		if (i - 1 > from)
			rf_out_text(" %u-%u:%u", from, i - 1, map[from]);
		else
			rf_out_text(" %u:%u", from, map[from]);
		from = i;
	}
	rf_out_text("\n");
}

/* A size, or that there is no end to it. */
static void print_size(const char *key, uint64_t v, bool endless)
{
	char buf[RF_FMT_LEN];

	if (endless)
		rf_out_null(key);
	else
		rf_out_u64(key, NULL, v);
	rf_out_text(" %10s", endless ? "-" : rf_exact_size(v, buf));
}

static void print_buffer(const struct rf_conf *conf, uint32_t i)
{
	uint64_t share = rf_conf_share(conf, i), xoff = rf_conf_xoff(conf, i);
	bool pfc = conf->prio[i].pfc;

	print_size("share", share, share == U64_MAX);
	print_size("headroom", conf->prio[i].headroom, false);
	print_size("xoff", xoff, !pfc || xoff == U64_MAX);
	print_size("xon", rf_conf_xon(conf, i), !pfc || xoff == U64_MAX);
}

static void print_prio(const struct rf_queue_info *info, uint32_t i)
{
	const struct rf_prio_conf *prio = &info->conf.prio[i];
	const char *tsa = rf_value_name(tsa_names, prio->tsa);

	rf_out_push_object(NULL);
	rf_out_u64("prio", "  %4" PRIu64, i);
	rf_out_str("tsa", " %-6s", tsa ? tsa : "unknown");
	rf_out_u64("weight", " %4" PRIu64, prio->weight);
	rf_out_bool("pfc", NULL, prio->pfc);
	rf_out_text(" %-3s", prio->pfc ? "on" : "off");
	rf_out_u64("limit", " %8" PRIu64 "p", prio->limit);
	print_size("limit_bytes", prio->limit_bytes, !prio->limit_bytes);
	print_buffer(&info->conf, i);
	rf_out_text("\n");
	rf_prio_rows_json(rf_queue_rows, &info->stats[i]);
	rf_prio_rows_json(rf_ecn_rows, &info->stats[i]);
	rf_prio_rows_json(rf_pause_rows, &info->stats[i]);
	rf_out_pop();
}

static void print_prios(const struct rf_queue_info *info)
{
	uint32_t i;

	rf_out_str("netdev", "%s\n", info->ifname);
	print_map(info->conf.dscp_prio);
	rf_out_text("  %4s %-6s %4s %-3s %9s %10s %10s %10s %10s %10s\n", "prio",
		    "tsa", "bw", "pfc", "limit", "bytes", "share", "headroom",
		    "xoff", "xon");
	rf_out_push_array("prio");
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		print_prio(info, i);
	rf_out_pop();
	if (!rf_json)
		rf_prio_rows_text(rf_queue_rows, info->stats);
}

static int prio_show(int argc, char **argv)
{
	if (argc > 2)
		return rf_usage(rf_prio_verbs, "show");
	return rf_queues_show(argv, print_prios);
}

/**
 * rf_cmd_prio - rdmafault prio
 * @argc: number of words
 * @argv: the words, "prio" first
 *
 * Return: the exit status.
 */
int rf_cmd_prio(int argc, char **argv)
{
	return rf_dispatch(rf_prio_verbs, argc - 1, argv + 1);
}
