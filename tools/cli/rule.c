// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault rule: the table of the verbs, and the verbs del, show and flush. The verb add
 * and its short forms are in rule_add.c, replace and save in rule_file.c, the output of
 * show in rule_show.c.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd.h"
#include "err.h"
#include "genl.h"
#include "out.h"
#include "port.h"
#include "show.h"
#include "text.h"
#include "units.h"

#define IDS_MAX 256

static int rule_del(int argc, char **argv);
static int rule_show(int argc, char **argv);
static int rule_flush(int argc, char **argv);

static const struct rf_key add_words[] = {
	RF_HELP_FOLLOW,
	{ }
};

const struct rf_cmd rf_rule_verbs[] = {
	{ "add", rf_cmd_rule_add,
	  "rule add DEV { tx | rx } WORD... ACTION... [ --follow | -- COMMAND... ]",
	  "add a rule; \"netem LINE\" as the action adds the rules of a netem line",
	  .words = add_words, .example = "rule add rxe2 tx class write nth 3 count 1 drop" },
	{ "replace", rf_cmd_rule_replace,
	  "rule replace DEV { tx | rx } { FILE | - }",
	  "replace all rules of a direction by those of a file, one per line",
	  .example = "rule replace rxe2 tx my.rules" },
	{ "del", rule_del, "rule del DEV ID...",
	  "delete rules by their numbers, all or none", .example = "rule del rxe2 1 2" },
	{ "show", rule_show, "rule show [ DEV ]",
	  "print the rules and their counters", .example = "rule show rxe2" },
	{ "save", rf_cmd_rule_save, "rule save DEV { tx | rx }",
	  "print the rules of a direction, in the format of replace",
	  .example = "rule save rxe2 tx > my.rules" },
	{ "flush", rule_flush, "rule flush DEV [ tx | rx ]",
	  "delete all rules of a port, or of one direction", .example = "rule flush rxe2" },
	{ "help", rf_cmd_rule_help, "rule help",
	  "print the words of rules and the forms of their values",
	  .example = "rule help" },
	{ }
};

static int parse_ids(int argc, char **argv, uint32_t *ids)
{
	static const struct rf_key key = {
		"rule", "1 to 4294967295, the number of a rule", &rf_kind_u32, .min = 1
	};
	int i, err = 0;

	for (i = 0; i < argc && !err; i++)
		err = rf_take_value(&key, argv[i], &ids[i]);
	return err;
}

#define IDS_SHOWN 16	/* most numbers of rules in an error */

/* The rules of a port, when one of the rules to delete does not exist */
struct missing {
	const uint32_t *ids;	/* the rules to delete */
	size_t n;
	bool found[IDS_MAX];
	char *have;		/* the numbers of the port's rules */
	uint64_t rules;
};

static int note_rule(const struct rf_rule_info *r, void *arg)
{
	struct missing *m = arg;
	char id[16];
	size_t i;

	for (i = 0; i < m->n; i++)
		m->found[i] |= m->ids[i] == r->id;
	if (++m->rules > IDS_SHOWN)
		return 0;
	snprintf(id, sizeof(id), "%u", r->id);
	m->have = rf_text_list(m->have, id);
	return 0;
}

/* Print which rule does not exist, and which do. */
static int no_such_rule(struct rf_nl *nl, const struct rf_target *t, const uint32_t *ids,
			size_t n)
{
	struct missing m = { .ids = ids, .n = n };
	int err = rf_nl_rule_each(nl, t->ifindex, note_rule, &m);
	size_t i = 0;

	while (i < n - 1 && m.found[i])
		i++;
	if (err)
		rf_nl_failed(nl, t->netdev, err);
	else if (!m.rules)
		rf_err("%s: rule %u: no such rule; the port has none", t->netdev, ids[i]);
	else
		rf_err("%s: rule %u: no such rule; the port has %s%s, \"rdmafault rule show %s\" prints them",
		       t->netdev, ids[i], m.have ? m.have : "", m.rules > IDS_SHOWN ? ", ..." : "",
		       t->netdev);
	free(m.have);
	return RF_EXIT_FAILED;
}

static int rule_del(int argc, char **argv)
{
	char rules[RF_THINGS_LEN];
	uint32_t ids[IDS_MAX];
	struct rf_target t;
	struct rf_nl *nl;
	int err, status, n = argc - 2;

	if (rf_check_words(rf_rule_verbs, argc, argv, "DEV ID", IDS_MAX - 1))
		return RF_EXIT_USAGE;
	if (parse_ids(n, argv + 2, ids))
		return RF_EXIT_USAGE;
	status = rf_open_target(argv[1], &t, &nl);
	if (status)
		return status;
	err = rf_nl_rule_del(nl, t.ifindex, ids, n);
	if (err == -ENOENT) {
		status = no_such_rule(nl, &t, ids, n);
		rf_nl_close(nl);
		return status;
	}
	status = rf_close_target(&t, nl, err);
	if (!status)
		rf_out_done("%s: %s deleted", t.netdev, rf_fmt_things(n, "rule", rules));
	return status;
}

static int rule_show(int argc, char **argv)
{
	struct rf_target t = {};
	struct rf_nl *nl;
	int status;

	if (rf_check_words(rf_rule_verbs, argc, argv, "", 1))
		return RF_EXIT_USAGE;
	if (argc == 2 && rf_target_find(argv[1], &t))
		return RF_EXIT_FAILED;
	status = rf_open_module(&nl);
	if (status)
		return status;
	status = rf_rules_show(nl, t.ifindex, t.netdev);
	rf_nl_close(nl);
	return status;
}

/* Return: the number of rules in one direction or in both. */
static uint64_t rules_of(struct rf_nl *nl, uint32_t ifindex, int dir)
{
	struct rf_port_info port;

	if (rf_nl_port_get(nl, ifindex, &port))
		return 0;
	return dir == RF_DIR_BOTH ? port.dir[0].rules + port.dir[1].rules :
				    port.dir[dir].rules;
}

static int rule_flush(int argc, char **argv)
{
	int status, dir = RF_DIR_BOTH;
	struct rf_target t;
	struct rf_nl *nl;
	char rules[RF_THINGS_LEN];
	uint64_t n;
	uint32_t d;

	if (rf_check_words(rf_rule_verbs, argc, argv, "DEV", 1))
		return RF_EXIT_USAGE;
	if (argc == 3) {
		if (rf_take_dir(argv[2], &d))
			return RF_EXIT_USAGE;
		dir = d;
	}
	status = rf_open_target(argv[1], &t, &nl);
	if (status)
		return status;
	n = rules_of(nl, t.ifindex, dir);
	status = rf_close_target(&t, nl, rf_nl_rule_flush(nl, t.ifindex, dir));
	if (!status)
		rf_out_done("%s: %s deleted", t.netdev, rf_fmt_things(n, "rule", rules));
	return status;
}

/**
 * rf_cmd_rule - run "rdmafault rule"
 * @argc: number of words in @argv
 * @argv: the words of the command line; the first is "rule"
 *
 * Return: the exit status.
 */
int rf_cmd_rule(int argc, char **argv)
{
	return rf_dispatch(rf_rule_verbs, argc - 1, argv + 1);
}
