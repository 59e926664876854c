// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault rule: add, del, flush, and the short form drop. What "show" prints
 * stands in rule_show.c.
 *
 * The kernel lets a rule die with the socket that made it, unless the rule is
 * persistent. A tool that returns to the shell has no socket to keep, so what
 * it adds is persistent; with "-- COMMAND" it stays, lets the command run, and
 * the rule lives as long as that.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "cmd.h"
#include "err.h"
#include "genl.h"
#include "out.h"
#include "port.h"
#include "rule_show.h"
#include "rulewords.h"
#include "units.h"

#define WORDS_MAX RF_RULE_WORDS_MAX

static int rule_add(int argc, char **argv);
static int rule_del(int argc, char **argv);
static int rule_show(int argc, char **argv);
static int rule_flush(int argc, char **argv);

const struct rf_cmd rf_rule_verbs[] = {
	{ "add", rule_add,
	  "rule add DEV { tx | rx } MATCH... { drop | watch } [ -- COMMAND... ]",
	  "add a rule" },
	{ "del", rule_del, "rule del DEV ID...", "delete rules, all or none" },
	{ "show", rule_show, "rule show [ DEV ]", "list rules" },
	{ "flush", rule_flush, "rule flush DEV [ tx | rx ]",
	  "delete all rules of a port" },
	{ }
};

/* What "rule add" and "drop" have in common. */
struct request {
	struct rf_target target;
	uint32_t dir;
	struct rf_rule_spec spec;
	char **command;		/* behind "--", or NULL */
};

static int parse_dir(const char *word, uint32_t *dir)
{
	if (!rf_dir_parse(word, dir))
		return 0;
	rf_err("direction: want tx or rx, got \"%s\"", word);
	return -EINVAL;
}

static int split_command(int *argc, char **argv, char ***command)
{
	int i;

	*command = NULL;
	for (i = 0; i < *argc && strcmp(argv[i], "--"); i++)
		;
	if (i == *argc)
		return 0;
	*argc = i;
	if (!argv[i + 1]) {
		rf_err("--: want a command behind it, got nothing");
		return -EINVAL;
	}
	*command = argv + i + 1;
	return 0;
}

/* @argv: DEV DIRECTION WORD... [-- COMMAND...] */
static int parse_request(struct request *req, int argc, char **argv)
{
	char why[RF_RULE_WHY_LEN];

	if (split_command(&argc, argv, &req->command))
		return RF_EXIT_USAGE;
	if (parse_dir(argv[1], &req->dir))
		return RF_EXIT_USAGE;
	if (rf_rule_parse(argc - 2, argv + 2, &req->spec, why, sizeof(why))) {
		rf_err("%s", why);
		return RF_EXIT_USAGE;
	}
	if (!req->command)
		req->spec.flags |= RDMAFAULT_RULE_FLAG_PERSIST;
	if (rf_target_find(argv[0], &req->target))
		return RF_EXIT_FAILED;
	return RF_EXIT_OK;
}

static void print_new(const struct request *req, uint32_t id)
{
	char words[RF_RULE_TEXT_LEN];

	rf_rule_format(&req->spec, words, sizeof(words));
	rf_out_begin_object();
	rf_out_str("netdev", "%s ", req->target.netdev);
	rf_out_str("direction", "%s ", rf_dir_name(req->dir));
	rf_out_u64("id", "rule %" PRIu64 ": ", id);
	rf_out_str("rule", "%s\n", words);
	rf_out_end();
}

static int add(struct rf_nl *nl, const struct request *req)
{
	uint32_t id = 0;
	int err;

	err = rf_nl_rule_new(nl, req->target.ifindex, req->dir, 0, &req->spec,
			     1, &id);
	if (err)
		return rf_nl_failed(nl, req->target.netdev, err);
	if (req->command)
		return rf_with_command(nl, &req->target, id, req->command);
	print_new(req, id);
	return RF_EXIT_OK;
}

static int add_request(int argc, char **argv)
{
	struct request req;
	struct rf_nl *nl;
	int status;

	status = parse_request(&req, argc, argv);
	if (status)
		return status;
	status = rf_open_module(&nl);
	if (status)
		return status;
	status = add(nl, &req);
	rf_nl_close(nl);
	return status;
}

/* Two words and something before "--". */
static bool has_words(int argc, char **argv)
{
	int i;

	for (i = 0; i < argc && i < 3; i++)
		if (!strcmp(argv[i], "--"))
			return false;
	return argc >= 3;
}

static int rule_add(int argc, char **argv)
{
	if (!has_words(argc - 1, argv + 1))
		return rf_usage(rf_rule_verbs, "add");
	return add_request(argc - 1, argv + 1);
}

/**
 * rf_cmd_drop - rdmafault drop: rule add with the action left out
 * @argc: number of words
 * @argv: the words, "drop" first
 *
 * Return: the exit status.
 */
int rf_cmd_drop(int argc, char **argv)
{
	char *words[WORDS_MAX + 2];

	if (!has_words(argc - 1, argv + 1)) {
		rf_err("usage: rdmafault drop DEV { tx | rx } MATCH... "
		       "[ -- COMMAND... ]");
		return RF_EXIT_USAGE;
	}
	if (argc > WORDS_MAX) {
		rf_err("drop: want at most %d words, got %d", WORDS_MAX, argc);
		return RF_EXIT_USAGE;
	}
	words[0] = argv[1];
	words[1] = argv[2];
	words[2] = argv[0];
	memcpy(words + 3, argv + 3, (argc - 3 + 1) * sizeof(*argv));
	return add_request(argc, words);
}

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
	uint32_t ids[WORDS_MAX];
	struct rf_target t;
	struct rf_nl *nl;
	int err, n = argc - 2;

	if (n < 1 || n > WORDS_MAX)
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
		if (parse_dir(argv[2], &d))
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
