// SPDX-License-Identifier: GPL-2.0
/* What all commands share: finding them, usage, errors of the module. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "argwords.h"
#include "cmd.h"
#include "err.h"
#include "genl.h"
#include "port.h"
#include "rulewords.h"
#include "text.h"

static const struct rf_cmd *find(const struct rf_cmd *cmds, const char *name)
{
	for (; cmds->name; cmds++)
		if (!strcmp(cmds->name, name))
			return cmds;
	return NULL;
}

/**
 * rf_dispatch - run the command that the first word names
 * @cmds: the commands
 * @argc: number of words
 * @argv: the words
 *
 * Return: the exit status.
 */
int rf_dispatch(const struct rf_cmd *cmds, int argc, char **argv)
{
	const struct rf_cmd *c = argc ? find(cmds, argv[0]) : NULL;
	char *names = NULL;

	if (c)
		return c->run(argc, argv);
	for (; cmds->name; cmds++)
		names = rf_text_list(names, cmds->name);
	if (argc)
		rf_err("want a command of %s, got \"%s\"", names, argv[0]);
	else
		rf_err("want a command of %s, got nothing", names);
	free(names);
	return RF_EXIT_USAGE;
}

/**
 * rf_usage - say how a command is written
 * @cmds: the table that it stands in
 * @name: the command
 *
 * Return: RF_EXIT_USAGE.
 */
int rf_usage(const struct rf_cmd *cmds, const char *name)
{
	const struct rf_cmd *c = find(cmds, name);

	rf_err("usage: rdmafault %s", c ? c->usage : name);
	return RF_EXIT_USAGE;
}

/**
 * rf_take_flag - is a flag among the words? Takes it out
 * @argc: number of words
 * @argv: the words; those after "--" belong to another program
 * @flag: the flag
 *
 * Return: true when it was there.
 */
bool rf_take_flag(int *argc, char **argv, const char *flag)
{
	bool found = false;
	int i, n = 0;

	for (i = 0; i < *argc && strcmp(argv[i], "--"); i++) {
		if (!strcmp(argv[i], flag))
			found = true;
		else
			argv[n++] = argv[i];
	}
	for (; i < *argc; i++)
		argv[n++] = argv[i];
	argv[n] = NULL;
	*argc = n;
	return found;
}

/**
 * rf_split_command - take off what stands behind "--"
 * @argc: number of words
 * @argv: the words
 * @command: gets the command, or NULL if there is none
 *
 * Return: RF_EXIT_OK, or RF_EXIT_USAGE, and the user has been told why.
 */
int rf_split_command(int *argc, char **argv, char ***command)
{
	int i;

	*command = NULL;
	for (i = 0; i < *argc && strcmp(argv[i], "--"); i++)
		;
	if (i == *argc)
		return RF_EXIT_OK;
	if (!argv[i + 1]) {
		rf_err("--: want a command behind it, got nothing");
		return RF_EXIT_USAGE;
	}
	*command = argv + i + 1;
	argv[i] = NULL;
	*argc = i;
	return RF_EXIT_OK;
}

/**
 * rf_take_dir - a direction, or a line that says what is wrong
 * @word: the word
 * @dir: enum rdmafault_direction
 *
 * Return: 0, or -EINVAL.
 */
int rf_take_dir(const char *word, uint32_t *dir)
{
	if (!rf_dir_parse(word, dir))
		return 0;
	rf_err("direction: want tx or rx, got \"%s\"", word);
	return -EINVAL;
}

/**
 * rf_refuse_words - tell the user what is wrong with words
 * @why: what
 *
 * Return: RF_EXIT_USAGE.
 */
int rf_refuse_words(const struct rf_why *why)
{
	rf_err("%s", why->text);
	return RF_EXIT_USAGE;
}

/**
 * rf_open_module - open a socket to the module, or say that it isn't there
 * @nl: the socket
 *
 * Return: RF_EXIT_OK or RF_EXIT_FAILED.
 */
int rf_open_module(struct rf_nl **nl)
{
	int err = rf_nl_open(nl);

	if (!err)
		return RF_EXIT_OK;
	if (err == -ENOENT)
		rf_err_no_module();
	else
		rf_err("netlink: %s", strerror(-err));
	return RF_EXIT_FAILED;
}

/**
 * rf_nl_failed - say why a request to the module failed
 * @nl: the socket
 * @what: what the request was about, as the user calls it
 * @err: -errno
 *
 * Return: RF_EXIT_FAILED.
 */
int rf_nl_failed(struct rf_nl *nl, const char *what, int err)
{
	const char *why = rf_nl_error(nl);

	if (err == -EPERM && !why[0])
		rf_err("%s: needs CAP_NET_ADMIN", what);
	else if (err == -ENODEV)
		rf_err("%s: is no port: rdmafault port add %s", what, what);
	else
		rf_err("%s: %s", what, why[0] ? why : strerror(-err));
	return RF_EXIT_FAILED;
}
