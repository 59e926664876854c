// SPDX-License-Identifier: GPL-2.0
/* rdmafault prio: set and print the eight priorities of a port, with the words of dcb(8). */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "cmd.h"
#include "err.h"
#include "out.h"
#include "show.h"
#include "units.h"
#include "words.h"

static int prio_set(int argc, char **argv);
static int prio_show(int argc, char **argv);

const struct rf_cmd rf_prio_verbs[] = {
	{ "set", prio_set,
	  "prio set DEV [ dscp-prio DSCP:PRIO... ] [ prio-tsa PRIO:{ strict | ets }... ] [ prio-bw PRIO:N... ] [ prio-limit PRIO:{ SIZE | Np | none }... ] [ prio-pfc PRIO:{ on | off }... ] [ prio-share | prio-headroom | prio-xoff | prio-xon PRIO:SIZE... ]",
	  "change settings of priorities; those not named stay as they are",
	  .words = rf_prio_args, .example = "prio set p1 prio-pfc 3:on prio-headroom 3:128k" },
	{ "show", prio_show, "prio show [ DEV ]",
	  "print the priorities of one port, by default of all", .example = "prio show p1" },
	{ }
};

static int prio_set(int argc, char **argv)
{
	struct rf_queue_change change = {};
	struct rf_why why;

	if (rf_check_words(rf_prio_verbs, argc, argv, "DEV setting", -1))
		return RF_EXIT_USAGE;
	if (rf_prio_words(argv + 2, &change, &why))
		return rf_refuse_words(&why);
	return rf_queue_change(argv[1], &change, NULL, argv + 2);
}

static void print_map(const uint8_t *map)
{
	unsigned int i, from = 0;

	rf_out_push_array("dscp_prio");
	for (i = 0; i < RF_DSCPS; i++)
		rf_out_u64(NULL, NULL, map[i]);
	rf_out_pop();
	rf_out_text("  dscp-prio");
	for (i = 1; i <= RF_DSCPS; i++) {
		if (i < RF_DSCPS && map[i] == map[from])
			continue;
		if (i - 1 > from)
			rf_out_text(" %u-%u:%u", from, i - 1, map[from]);
		else
			rf_out_text(" %u:%u", from, map[from]);
		from = i;
	}
	rf_out_text("\n");
}

/* Print a size. If the size is unlimited (@endless), print null in JSON and "-" in text. */
static void print_size(const char *key, uint64_t v, bool endless)
{
	char buf[RF_FMT_LEN];

	if (endless)
		rf_out_null(key);
	else
		rf_out_u64(key, NULL, v);
	rf_out_text(" %10s", endless ? "-" : rf_exact_size(v, buf));
}

static void print_prio_buffer(const struct rf_conf *conf, uint32_t i)
{
	uint64_t share = rf_conf_share(conf, i), xoff = rf_conf_xoff(conf, i);
	bool pfc = conf->prio[i].pfc;

	print_size("share", share, share == UINT64_MAX);
	print_size("headroom", conf->prio[i].headroom, false);
	print_size("xoff", xoff, !pfc || xoff == UINT64_MAX);
	print_size("xon", rf_conf_xon(conf, i), !pfc || xoff == UINT64_MAX);
}

static void print_prio(const struct rf_queue_info *info, uint32_t i)
{
	const struct rf_prio_conf *prio = &info->conf.prio[i];
	const char *tsa = rf_value_name(rf_tsa_names, prio->tsa);

	rf_out_push_object(NULL);
	rf_out_u64("prio", "  %4" PRIu64, i);
	rf_out_str("tsa", " %-6s", tsa ? tsa : "unknown");
	rf_out_u64("weight", " %4" PRIu64, prio->weight);
	rf_out_bool("pfc", NULL, prio->pfc);
	rf_out_text(" %-3s", prio->pfc ? "on" : "off");
	rf_out_u64("limit", " %8" PRIu64 "p", prio->limit);
	print_size("limit_bytes", prio->limit_bytes, !prio->limit_bytes);
	print_prio_buffer(&info->conf, i);
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
	if (rf_check_words(rf_prio_verbs, argc, argv, "", 1))
		return RF_EXIT_USAGE;
	return rf_queues_show(argv, print_prios);
}

/**
 * rf_cmd_prio - run "rdmafault prio"
 * @argc: number of words in @argv
 * @argv: the words of the command line; the first is "prio"
 *
 * Return: the exit status.
 */
int rf_cmd_prio(int argc, char **argv)
{
	return rf_dispatch(rf_prio_verbs, argc - 1, argv + 1);
}
