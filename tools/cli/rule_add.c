// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault rule add, and its short forms: "drop DEV tx WORD..." means
 * "rule add DEV tx drop WORD...".
 *
 * The module deletes a rule when the socket that added it is closed, unless the rule is
 * persistent. A command that returns to the shell at once closes its socket, so such a
 * command adds persistent rules. With "-- COMMAND" the rules last until the command ends,
 * with "--follow" until a signal.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "err.h"
#include "genl.h"
#include "out.h"
#include "port.h"
#include "words.h"

struct request {
	struct rf_target target;
	uint32_t dir;
	struct rf_rule_list rules;
	char **command;		/* after "--", or NULL */
	bool follow;		/* --follow */
};

static bool names_owner(const struct request *req)
{
	size_t i;

	for (i = 0; i < req->rules.n; i++)
		if (rf_owner_is_named(&req->rules.rule[i].owner))
			return true;
	return false;
}

/* Return: true if the queue pairs of owners are looked up every 100 ms. */
static bool is_followed(const struct request *req)
{
	return req->follow || (req->command && names_owner(req));
}

static int resolve_owners(struct request *req)
{
	size_t i;

	for (i = 0; i < req->rules.n; i++)
		if (rf_owner_resolve(&req->rules.rule[i], &req->target,
				     req->dir))
			return RF_EXIT_FAILED;
	return RF_EXIT_OK;
}

/* Parse the words of rule add. @argv: DEV DIRECTION WORD... [-- COMMAND...] */
static int parse_request(struct request *req, int argc, char **argv)
{
	struct rf_why why;
	size_t i;

	if (rf_split_command(&argc, argv, &req->command))
		return RF_EXIT_USAGE;
	if (req->follow && req->command) {
		rf_err("--follow: cannot be combined with -- COMMAND");
		return RF_EXIT_USAGE;
	}
	if (rf_take_dir(argv[1], &req->dir))
		return RF_EXIT_USAGE;
	if (rf_rules_parse(argc - 2, argv + 2, &req->rules, &why)) {
		rf_err("%s", why.text);
		return RF_EXIT_USAGE;
	}
	if (req->follow && !names_owner(req)) {
		rf_err("--follow: the rule has no owner; add comm NAME, pid N or owner-dev DEV");
		return RF_EXIT_USAGE;
	}
	if (!req->command && !req->follow)
		for (i = 0; i < req->rules.n; i++)
			req->rules.rule[i].flags |= RDMAFAULT_RULE_FLAG_PERSIST;
	if (rf_target_find(argv[0], &req->target))
		return RF_EXIT_FAILED;
	return is_followed(req) ? RF_EXIT_OK : resolve_owners(req);
}

static void print_new(const struct request *req, size_t i, uint32_t id)
{
	char words[RF_RULE_TEXT_LEN];

	rf_rule_format(&req->rules.rule[i], words, sizeof(words));
	rf_out_str("netdev", "%s ", req->target.netdev);
	rf_out_str("direction", "%s ", rf_dir_name(req->dir));
	rf_out_u64("id", "rule %" PRIu64 ": ", id);
	rf_out_str("rule", "%s\n", words);
}

/* Print the added rules; in JSON, an object for one rule and an array for several. */
static void print_all_new(const struct request *req, const uint32_t *ids)
{
	size_t i;

	if (req->rules.n == 1) {
		rf_out_begin_object();
		print_new(req, 0, ids[0]);
	} else {
		rf_out_begin_array();
		for (i = 0; i < req->rules.n; i++) {
			rf_out_push_object(NULL);
			print_new(req, i, ids[i]);
			rf_out_pop();
		}
	}
	rf_out_end();
}

static void note_steps(struct rf_nl *nl, const struct request *req)
{
	struct rf_port_info port;
	size_t i;

	for (i = 0; i < req->rules.n; i++)
		if (rf_rule_waits_for_step(&req->rules.rule[i].match))
			break;
	if (i < req->rules.n && !rf_nl_port_get(nl, req->target.ifindex, &port) && !port.step)
		rf_note("%s: no job announces steps on this port now; rules with step, or with messages counted from the end, hit nothing until a job does, for example collperf or train",
			req->target.netdev);
}

#define SAME_MAX 64	/* longer lists of rules are not searched, so that a batch stays fast */

/* Search for a rule that has the same words as a rule that was added */
struct same {
	const struct request *req;
	const uint32_t *ids;		/* numbers of the added rules */
	size_t at;			/* index of the rule in the request */
	uint32_t id;			/* number of the rule that is the same; 0: none */
};

/*
 * Format a rule without its key, and without the seed if the added rule has none: then each
 * rule has got another one. Two rules with seeds that differ hit different packets.
 */
static void core_words(const struct rf_rule_spec *spec, bool seed, char words[RF_RULE_TEXT_LEN])
{
	struct rf_rule_spec core = *spec;

	core.set &= ~RF_RULE_BIT(KEY);
	if (!seed)
		core.set &= ~RF_RULE_BIT(SEED);
	core.flags &= ~(RDMAFAULT_RULE_FLAG_PERSIST | RDMAFAULT_RULE_FLAG_LOOKED_UP);
	rf_rule_format(&core, words, RF_RULE_TEXT_LEN);
}

static int find_same(const struct rf_rule_info *r, void *arg)
{
	char added[RF_RULE_TEXT_LEN], words[RF_RULE_TEXT_LEN];
	const struct rf_rule_spec *spec;
	struct same *s = arg;
	bool seed;
	size_t i;

	for (i = 0; i < s->req->rules.n; i++)
		if (s->ids[i] == r->id)
			return 0;
	if (r->direction != s->req->dir || s->id)
		return 0;
	spec = &s->req->rules.rule[s->at];
	seed = spec->set & RF_RULE_BIT(SEED);
	core_words(spec, seed, added);
	core_words(&r->spec, seed, words);
	if (!strcmp(added, words))
		s->id = r->id;
	return 0;
}

/* Say if an earlier rule has the same words. Both are evaluated, which can be intended. */
static void note_same(struct rf_nl *nl, const struct request *req, const uint32_t *ids)
{
	struct same s = { .req = req, .ids = ids };
	struct rf_port_info port;

	if (rf_nl_port_get(nl, req->target.ifindex, &port) ||
	    port.dir[req->dir].rules > SAME_MAX)
		return;
	for (; s.at < req->rules.n; s.at++) {
		s.id = 0;
		if (rf_nl_rule_each(nl, req->target.ifindex, find_same, &s) || !s.id)
			continue;
		rf_note("%s %s: rule %u is the same as rule %u; \"rdmafault rule del %s %u\" deletes it",
			req->target.netdev, rf_dir_name(req->dir), ids[s.at], s.id,
			req->target.netdev, ids[s.at]);
	}
}

static int add_rules(struct rf_nl *nl, const struct request *req)
{
	size_t n = req->rules.n;
	uint32_t *ids = calloc(n, sizeof(*ids));
	int err = -ENOMEM, status = RF_EXIT_OK;

	if (ids)
		err = rf_nl_rule_new(nl, req->target.ifindex, req->dir, 0,
				     req->rules.rule, n, ids);
	if (err)
		status = rf_target_failed(nl, &req->target, req->target.netdev, err);
	else if (req->command)
		status = rf_with_command(nl, &req->target, ids, n,
					 req->command);
	else if (!rf_quiet)
		print_all_new(req, ids);
	if (!err && !req->command) {
		note_steps(nl, req);
		note_same(nl, req, ids);
	}
	free(ids);
	return status;
}

static int add_request(int argc, char **argv, bool follow)
{
	struct request req = { .follow = follow };
	struct rf_nl *nl;
	int status;

	status = parse_request(&req, argc, argv);
	if (!status)
		status = rf_open_module(&nl);
	if (!status) {
		status = is_followed(&req) ?
			 rf_follow(nl, &req.target, req.dir, &req.rules,
				   req.command) :
			 add_rules(nl, &req);
		rf_nl_close(nl);
	}
	rf_rules_free(&req.rules);
	return status;
}

/* Return: the number of words before "--". */
static int count_words(int argc, char **argv)
{
	int i;

	for (i = 0; i < argc && strcmp(argv[i], "--"); i++)
		;
	return i;
}

/**
 * rf_cmd_rule_add - run "rdmafault rule add"
 * @argc: number of words in @argv
 * @argv: the words of the command line; the first is "add"
 *
 * Return: the exit status.
 */
int rf_cmd_rule_add(int argc, char **argv)
{
	bool follow = rf_take_flag(&argc, argv, "--follow");

	if (rf_check_words(rf_rule_verbs, count_words(argc, argv), argv, "DEV direction WORD", -1))
		return RF_EXIT_USAGE;
	return add_request(argc - 1, argv + 1, follow);
}

/**
 * rf_cmd_short - run a short form of "rule add", such as "rdmafault drop"
 * @argc: number of words in @argv
 * @argv: the words of the command line; the first is the action
 *
 * Return: the exit status.
 */
int rf_cmd_short(int argc, char **argv)
{
	bool follow = rf_take_flag(&argc, argv, "--follow");
	char *action = argv[0];

	if (rf_check_words(rf_commands, count_words(argc, argv), argv, "DEV direction WORD", -1))
		return RF_EXIT_USAGE;
	argv[0] = argv[1];
	argv[1] = argv[2];
	argv[2] = action;
	return add_request(argc, argv, follow);
}
