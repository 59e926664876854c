// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault rule replace and save: "rule replace" replaces all rules of a direction by the
 * rules of a file, in one request. "rule save" prints all rules of a direction in the
 * format of a rule file.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "err.h"
#include "genl.h"
#include "out.h"
#include "port.h"
#include "show.h"
#include "words.h"

struct file {
	const char *name;	/* name of the file in error messages */
	struct rf_rule_list rules;
};

static int read_rule_file(struct file *file, const char *name)
{
	bool is_stdin = !strcmp(name, "-");
	FILE *f = is_stdin ? stdin : fopen(name, "r");
	int err;

	if (!f) {
		rf_err("%s: %s", name, strerror(errno));
		return RF_EXIT_NO_RESULT;
	}
	file->name = is_stdin ? "stdin" : name;
	err = rf_rules_read(f, file->name, &file->rules);
	if (!is_stdin)
		fclose(f);
	return err ? RF_EXIT_NO_RESULT : RF_EXIT_OK;
}

/*
 * Make the rules persistent, because they must outlive this process. Replace owners by QP
 * numbers.
 */
static int make_persistent(struct rf_rule_list *rules, const struct rf_target *t,
			   uint32_t dir)
{
	size_t i;

	for (i = 0; i < rules->n; i++) {
		rules->rule[i].flags |= RDMAFAULT_RULE_FLAG_PERSIST;
		if (rf_owner_resolve(&rules->rule[i], t, dir))
			return RF_EXIT_FAILED;
	}
	return RF_EXIT_OK;
}

/*
 * Replace all rules. For an empty file, delete all rules, because the module refuses an
 * empty list of rules.
 */
static int replace_rules(struct rf_nl *nl, const struct rf_target *t,
			 uint32_t dir, const struct rf_rule_list *rules)
{
	if (!rules->n)
		return rf_nl_rule_flush(nl, t->ifindex, dir);
	return rf_nl_rule_new(nl, t->ifindex, dir,
			      RDMAFAULT_BATCH_FLAG_REPLACE, rules->rule,
			      rules->n, NULL);
}

/* Print the error, with file and line if the module reported which rule it refused. */
static int refused(struct rf_nl *nl, const struct file *f,
		   const struct rf_target *t, int err)
{
	size_t wrong = rf_nl_wrong_rule(nl);
	char what[PATH_MAX + 32];

	if (!wrong || err == -EPERM || err == -ENODEV)
		return rf_nl_failed(nl, t->netdev, err);
	snprintf(what, sizeof(what), "%s:%lu", f->name,
		 f->rules.line[wrong - 1]);
	return rf_target_failed(nl, t, what, err);
}

static int replace(const struct rf_target *t, uint32_t dir,
		   const struct file *f)
{
	struct rf_nl *nl;
	int err, status;

	status = rf_open_module(&nl);
	if (status)
		return status;
	err = replace_rules(nl, t, dir, &f->rules);
	if (err)
		refused(nl, f, t, err);
	rf_nl_close(nl);
	if (err || rf_quiet)
		return err ? RF_EXIT_FAILED : RF_EXIT_OK;
	rf_out_begin_object();
	rf_out_str("netdev", "%s ", t->netdev);
	rf_out_str("direction", "%s: ", rf_dir_name(dir));
	rf_out_u64("rules", f->rules.n == 1 ? "%" PRIu64 " rule\n" :
					      "%" PRIu64 " rules\n", f->rules.n);
	rf_out_end();
	return RF_EXIT_OK;
}

/**
 * rf_cmd_rule_replace - run "rdmafault rule replace"
 * @argc: number of words in @argv
 * @argv: the words of the command line; the first is "replace"
 *
 * Return: the exit status.
 */
int rf_cmd_rule_replace(int argc, char **argv)
{
	struct file file = {};
	struct rf_target t;
	uint32_t dir;
	int status;

	if (rf_check_words(rf_rule_verbs, argc, argv, "DEV direction FILE", 0))
		return RF_EXIT_USAGE;
	if (rf_take_dir(argv[2], &dir))
		return RF_EXIT_USAGE;
	status = read_rule_file(&file, argv[3]);
	if (!status && rf_target_find(argv[1], &t))
		status = RF_EXIT_FAILED;
	if (!status)
		status = make_persistent(&file.rules, &t, dir);
	if (!status)
		status = replace(&t, dir, &file);
	rf_rules_free(&file.rules);
	return status;
}

/**
 * rf_cmd_rule_save - run "rdmafault rule save"
 * @argc: number of words in @argv
 * @argv: the words of the command line; the first is "save"
 *
 * Return: the exit status.
 */
int rf_cmd_rule_save(int argc, char **argv)
{
	struct rf_target t;
	struct rf_nl *nl;
	uint32_t dir;
	int status;

	if (rf_check_words(rf_rule_verbs, argc, argv, "DEV direction", 0))
		return RF_EXIT_USAGE;
	if (rf_take_dir(argv[2], &dir))
		return RF_EXIT_USAGE;
	if (rf_target_find(argv[1], &t))
		return RF_EXIT_FAILED;
	status = rf_open_module(&nl);
	if (status)
		return status;
	status = rf_rules_save(nl, &t, dir);
	rf_nl_close(nl);
	return status;
}
