// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault rule: the verbs, and those of them that are short. "add" and the
 * short forms stand in rule_add.c, files of rules in rule_file.c, what "show"
 * prints in rule_show.c.
 */
#include <errno.h>

#include "cmd.h"
#include "err.h"
#include "genl.h"
#include "port.h"
#include "rule_show.h"
#include "units.h"

#define IDS_MAX 256

static int rule_del(int argc, char **argv);
static int rule_show(int argc, char **argv);
static int rule_flush(int argc, char **argv);

const struct rf_cmd rf_rule_verbs[] = {
	{ "add", rf_cmd_rule_add,
	  "rule add DEV { tx | rx } WORD... ACTION... [ --follow | -- COMMAND... ]",
	  "add a rule; with netem LINE for an action, rules" },
	{ "replace", rf_cmd_rule_replace,
	  "rule replace DEV { tx | rx } { FILE | - }",
	  "the rules of a file, one on a line, for all of a direction" },
	{ "del", rule_del, "rule del DEV ID...", "delete rules, all or none" },
	{ "show", rule_show, "rule show [ DEV ]",
	  "list rules, and what has come of them" },
	{ "save", rf_cmd_rule_save, "rule save DEV { tx | rx }",
	  "print the rules of a direction as replace reads them" },
	{ "flush", rule_flush, "rule flush DEV [ tx | rx ]",
	  "delete all rules of a port" },
	{ "help", rf_cmd_rule_help, "rule help",
	  "the words of a rule, one by one" },
	{ }
};

static int parse_ids(int argc, char **argv, uint32_t *ids)
{
	int i;

	for (i = 0; i < argc; i++) {
		if (!rf_parse_u32(argv[i], &ids[i]) && ids[i])
			continue;
		rf_err("rule: want a number from 1, got \"%s\"", argv[i]);
		return -EINVAL;
	}
	return 0;
}

static int rule_del(int argc, char **argv)
{
	uint32_t ids[IDS_MAX];
	struct rf_target t;
	struct rf_nl *nl;
	int err, n = argc - 2;

	if (n < 1 || n > IDS_MAX)
		return rf_usage(rf_rule_verbs, "del");
	if (parse_ids(n, argv + 2, ids))
		return RF_EXIT_USAGE;
	if (rf_target_find(argv[1], &t) || rf_open_module(&nl))
		return RF_EXIT_FAILED;
	err = rf_nl_rule_del(nl, t.ifindex, ids, n);
	if (err)
		rf_nl_failed(nl, t.netdev, err);
	rf_nl_close(nl);
	return err ? RF_EXIT_FAILED : RF_EXIT_OK;
}

static int rule_show(int argc, char **argv)
{
	struct rf_target t = {};
	struct rf_nl *nl;
	int status;

	if (argc > 2)
		return rf_usage(rf_rule_verbs, "show");
	if (argc == 2 && rf_target_find(argv[1], &t))
		return RF_EXIT_FAILED;
	status = rf_open_module(&nl);
	if (status)
		return status;
	status = rf_rules_show(nl, t.ifindex, t.netdev);
	rf_nl_close(nl);
	return status;
}

static int rule_flush(int argc, char **argv)
{
	int err, dir = RF_DIR_BOTH;
	struct rf_target t;
	struct rf_nl *nl;
	uint32_t d;

	if (argc < 2 || argc > 3)
		return rf_usage(rf_rule_verbs, "flush");
	if (argc == 3) {
		if (rf_take_dir(argv[2], &d))
			return RF_EXIT_USAGE;
		dir = d;
	}
	if (rf_target_find(argv[1], &t) || rf_open_module(&nl))
		return RF_EXIT_FAILED;
	err = rf_nl_rule_flush(nl, t.ifindex, dir);
	if (err)
		rf_nl_failed(nl, t.netdev, err);
	rf_nl_close(nl);
	return err ? RF_EXIT_FAILED : RF_EXIT_OK;
}

/**
 * rf_cmd_rule - rdmafault rule
 * @argc: number of words
 * @argv: the words, "rule" first
 *
 * Return: the exit status.
 */
int rf_cmd_rule(int argc, char **argv)
{
	return rf_dispatch(rf_rule_verbs, argc - 1, argv + 1);
}
