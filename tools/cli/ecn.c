// SPDX-License-Identifier: GPL-2.0
/* rdmafault ecn: set and print the ECN profiles of the priorities of a port. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "cmd.h"
#include "err.h"
#include "out.h"
#include "show.h"
#include "units.h"
#include "words.h"

static int ecn_set(int argc, char **argv);
static int ecn_show(int argc, char **argv);

const struct rf_cmd rf_ecn_verbs[] = {
	{ "set", ecn_set,
	  "ecn set DEV prio PRIO { off | [ kmin SIZE ] [ kmax SIZE ] [ pmax P ] [ weight N ] [ phantom RATE | none ] [ ect any | ect0 | ect1 ] [ not-ect leave | mark | drop ] }",
	  "enable and change the ECN profile of priorities",
	  .words = rf_profile_args, .example = "ecn set p1 prio 3 kmin 100k kmax 400k pmax 20%" },
	{ "show", ecn_show, "ecn show [ DEV ]",
	  "print the ECN profiles of one port, by default of all", .example = "ecn show p1" },
	{ }
};

static int ecn_set(int argc, char **argv)
{
	struct rf_queue_change change = {};
	struct rf_why why;

	if (argc > 2 && !strcmp(argv[1], "prio") && strcmp(argv[2], "prio"))
		return rf_missing(rf_ecn_verbs, "set", "DEV");
	/* rf_ecn_words() refuses another word in place of "prio". */
	if ((argc < 3 || !strcmp(argv[2], "prio")) &&
	    rf_check_words(rf_ecn_verbs, argc, argv, "DEV prio PRIO setting", -1))
		return RF_EXIT_USAGE;
	if (rf_ecn_words(argv + 2, &change, &why))
		return rf_refuse_words(&why);
	return rf_queue_change(argv[1], &change, "ecn", argv + 2);
}

static void print_queue(const struct rf_ecn_conf *ecn)
{
	char buf[RF_FMT_LEN];

	rf_out_u64("weight", " weight %" PRIu64, ecn->weight);
	if (ecn->phantom)
		rf_out_u64("phantom", NULL, ecn->phantom);
	else
		rf_out_null("phantom");
	rf_out_text(" phantom %s", ecn->phantom ?
		    rf_exact_rate(ecn->phantom, buf) : "none");
}

static void print_names(const struct rf_ecn_conf *ecn)
{
	const char *ect = rf_value_name(rf_ect_names, ecn->ect);
	const char *not_ect = rf_value_name(rf_not_ect_names, ecn->not_ect);

	rf_out_str("ect", " ect %s", ect ? ect : "unknown");
	rf_out_str("not_ect", " not-ect %s\n", not_ect ? not_ect : "unknown");
}

static void print_profile(const struct rf_ecn_conf *ecn)
{
	char buf[RF_FMT_LEN];

	rf_out_u64("kmin", NULL, ecn->kmin);
	rf_out_text(" kmin %s", rf_exact_size(ecn->kmin, buf));
	rf_out_u64("kmax", NULL, ecn->kmax);
	rf_out_text(" kmax %s", rf_exact_size(ecn->kmax, buf));
	rf_out_fraction("pmax", ecn->pmax);
	rf_out_text(" pmax %s", rf_fmt_probability(ecn->pmax, buf));
	print_queue(ecn);
	print_names(ecn);
}

static void print_prio_profile(const struct rf_queue_info *info, uint32_t i)
{
	const struct rf_ecn_conf *ecn = &info->conf.prio[i].ecn;

	rf_out_push_object(NULL);
	rf_out_u64("prio", NULL, i);
	rf_out_bool("enabled", NULL, ecn->enabled);
	if (ecn->enabled || rf_json) {
		rf_out_text("%s prio %u", info->ifname, i);
		print_profile(ecn);
	}
	rf_prio_rows_json(rf_ecn_rows, &info->stats[i]);
	rf_out_pop();
}

static void print_ecn(const struct rf_queue_info *info)
{
	uint32_t i;

	rf_out_str("netdev", NULL, info->ifname);
	rf_out_push_array("prio");
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		print_prio_profile(info, i);
	rf_out_pop();
	if (!rf_json)
		rf_prio_rows_text(rf_ecn_rows, info->stats);
}

static int ecn_show(int argc, char **argv)
{
	if (rf_check_words(rf_ecn_verbs, argc, argv, "", 1))
		return RF_EXIT_USAGE;
	return rf_queues_show(argv, print_ecn);
}

/**
 * rf_cmd_ecn - run "rdmafault ecn"
 * @argc: number of words in @argv
 * @argv: the words of the command line; the first is "ecn"
 *
 * Return: the exit status.
 */
int rf_cmd_ecn(int argc, char **argv)
{
	return rf_dispatch(rf_ecn_verbs, argc - 1, argv + 1);
}
