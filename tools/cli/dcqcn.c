// SPDX-License-Identifier: GPL-2.0
/* rdmafault dcqcn: set and print DCQCN of a port. */
#include <inttypes.h>

#include "kmod/fields.h"
#include "cmd.h"
#include "out.h"
#include "show.h"
#include "units.h"
#include "words.h"

static int dcqcn_set(int argc, char **argv);
static int dcqcn_off(int argc, char **argv);
static int dcqcn_show(int argc, char **argv);

const struct rf_cmd rf_dcqcn_verbs[] = {
	{ "set", dcqcn_set,
	  "dcqcn set DEV [ np on | off ] [ np-min-time-between-cnps TIME ] [ np-scope qp | pair | port ] [ np-cnp-dscp DSCP ] [ cnp-queue control | dscp ] [ scale N ]",
	  "change settings of DCQCN; those not named stay as they are",
	  .words = rf_dcqcn_args, .example = "dcqcn set rxe2 np on scale 200" },
	{ "off", dcqcn_off, "dcqcn off DEV",
	  "send no CNPs; the other settings stay", .example = "dcqcn off rxe2" },
	{ "show", dcqcn_show, "dcqcn show [ DEV ]",
	  "print DCQCN of one port, by default of all", .example = "dcqcn show rxe2" },
	{ }
};

static int dcqcn_set(int argc, char **argv)
{
	struct rf_queue_change change = {};
	struct rf_why why;

	if (rf_check_words(rf_dcqcn_verbs, argc, argv, "DEV setting", -1))
		return RF_EXIT_USAGE;
	if (rf_dcqcn_words(argv + 2, &change, &why))
		return rf_refuse_words(&why);
	return rf_queue_change(argv[1], &change, "dcqcn", argv + 2);
}

static int dcqcn_off(int argc, char **argv)
{
	const struct rf_queue_change change = { .dcqcn = RF_DCQCN_BIT(NP) };
	char *words[] = { "np", "off", NULL };

	if (rf_check_words(rf_dcqcn_verbs, argc, argv, "DEV", 0))
		return RF_EXIT_USAGE;
	return rf_queue_change(argv[1], &change, "dcqcn", words);
}

static void print_dcqcn(const struct rf_queue_info *info)
{
	const struct rf_queue_change now = { .conf = info->conf };
	const struct rf_key *key;
	char text[RF_KEY_TEXT_LEN];

	rf_out_str("netdev", "%s", info->ifname);
	rf_fields_json(&info->conf.dcqcn, rf_dcqcn_args, rf_dcqcn_fields, RDMAFAULT_A_DCQCN_MAX);
	for (key = rf_dcqcn_args; key->name; key++) {
		key->kind->put(key, &now, text);
		rf_out_text(" %s %s", key->name, text);
	}
	rf_out_text("\n");
}

static int dcqcn_show(int argc, char **argv)
{
	if (rf_check_words(rf_dcqcn_verbs, argc, argv, "", 1))
		return RF_EXIT_USAGE;
	return rf_queues_show(argv, print_dcqcn);
}

/**
 * rf_cmd_dcqcn - run "rdmafault dcqcn"
 * @argc: number of words in @argv
 * @argv: the words of the command line; the first is "dcqcn"
 *
 * Return: the exit status.
 */
int rf_cmd_dcqcn(int argc, char **argv)
{
	return rf_dispatch(rf_dcqcn_verbs, argc - 1, argv + 1);
}
