// SPDX-License-Identifier: GPL-2.0
/*
 * The parser of rules and rule files. A rule file has one rule per line, and "#" starts a
 * comment. If a line of a file has an error, no rule of the file is added to the list.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "words.h"

/**
 * rf_rules_parse - convert words to one rule or, with "netem", to several rules
 * @argc: number of words
 * @argv: the words
 * @list: the rules are appended to it
 * @why: gets the text of an error, one line without a newline
 *
 * Return: 0, or -errno.
 */
int rf_rules_parse(int argc, char **argv, struct rf_rule_list *list,
		   struct rf_why *why)
{
	struct rf_rule_spec rule;
	int i, ret;

	for (i = 0; i < argc; i++)
		if (!strcmp(argv[i], "netem"))
			return rf_netem_parse(argc, argv, i, list, why);
	ret = rf_rule_parse(argc, argv, &rule, why);
	if (ret)
		return ret;
	if (rf_rules_append(list, &rule)) {
		rf_why_refuse(why, "%s", strerror(ENOMEM));
		return -ENOMEM;
	}
	return 0;
}

/**
 * rf_rules_parse_line - convert a line to one rule or, with "netem", to several rules
 * @line: the words, separated by spaces; modified
 * @list: the rules are appended to it
 * @why: gets the text of an error, one line without a newline
 *
 * Return: 0, or -errno.
 */
int rf_rules_parse_line(char *line, struct rf_rule_list *list,
			struct rf_why *why)
{
	char *argv[RF_RULE_WORDS_MAX];
	int argc = rf_split_words(line, argv, RF_RULE_WORDS_MAX);

	if (argc >= 0)
		return rf_rules_parse(argc, argv, list, why);
	return rf_why_refuse(why, "too many words; at most %d per rule",
			     RF_RULE_WORDS_MAX);
}

static int parse_rule_line(char *line, const char *name, unsigned long n,
			   struct rf_rule_list *list)
{
	struct rf_why why;
	size_t i = list->n;
	int err;

	line[strcspn(line, "#")] = '\0';
	if (!line[strspn(line, " \t\r\n")])
		return 0;
	err = rf_rules_parse_line(line, list, &why);
	if (err)
		rf_err("%s:%lu: %s", name, n, why.text);
	for (; i < list->n; i++)
		list->line[i] = n;
	return err;
}

/**
 * rf_rules_read - read the rules of a file, and print errors
 * @f: the file
 * @name: name of the file in error messages
 * @list: the rules are appended to it
 *
 * Return: 0, or -errno.
 */
int rf_rules_read(FILE *f, const char *name, struct rf_rule_list *list)
{
	size_t before = list->n, room = 0;
	char *line = NULL;
	unsigned long n;
	int err = 0;

	for (n = 1; !err && getline(&line, &room, f) >= 0; n++)
		err = parse_rule_line(line, name, n, list);
	if (!err && ferror(f)) {
		err = -EIO;
		rf_err("%s: cannot be read", name);
	}
	if (!err && list->n - before > RDMAFAULT_RULES_MAX) {
		err = -E2BIG;
		rf_err("%s: %zu rules: too many; at most %d", name,
		       list->n - before, RDMAFAULT_RULES_MAX);
	}
	if (err)
		list->n = before;
	free(line);
	return err;
}
