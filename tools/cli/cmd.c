// SPDX-License-Identifier: GPL-2.0
/* Code that all commands share: find a command, check its words, and print errors. */
#include <errno.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "err.h"
#include "genl.h"
#include "out.h"
#include "port.h"
#include "text.h"
#include "units.h"
#include "words.h"

/**
 * rf_find_cmd - find a command or a verb by name
 * @cmds: the table
 * @name: the name; "list" and "ls" mean "show", as for ip(8)
 *
 * Return: the row, or NULL.
 */
const struct rf_cmd *rf_find_cmd(const struct rf_cmd *cmds, const char *name)
{
	if (!strcmp(name, "list") || !strcmp(name, "ls"))
		name = "show";
	for (; cmds->name; cmds++)
		if (!strcmp(cmds->name, name))
			return cmds;
	return NULL;
}

/*
 * Return: the command that the verbs in @cmds belong to; NULL if @cmds is the table of all
 * commands.
 */
static const char *object_of(const struct rf_cmd *cmds)
{
	const struct rf_cmd *c;

	for (c = rf_commands; c->name; c++)
		if (c->verbs == cmds)
			return c->name;
	return NULL;
}

/**
 * rf_unknown_command - print that a command is missing or unknown
 * @cmds: the table of all commands, or of one command's verbs
 * @name: the unknown word; NULL: the word is missing
 *
 * Return: RF_EXIT_USAGE.
 */
int rf_unknown_command(const struct rf_cmd *cmds, const char *name)
{
	const char *known[64] = { }, *near, *answer, *object = object_of(cmds);
	char *names = NULL;
	size_t n;

	for (n = 0; cmds[n].name && n < sizeof(known) / sizeof(*known) - 1; n++) {
		known[n] = cmds[n].name;
		names = rf_text_list(names, cmds[n].name);
	}
	near = name ? rf_suggest(name, known) : NULL;
	answer = name && !near ? rf_answer(name) : NULL;
	if (answer)
		rf_err("%s%sunknown %s \"%s\"; %s", object ? object : "", object ? ": " : "",
		       name[0] == '-' ? "option" : "command", name, answer);
	else if (near)
		rf_err("%s%sunknown command \"%s\"; did you mean \"%s\"?",
		       object ? object : "", object ? ": " : "", name, near);
	else if (!name && !object)
		rf_err("command missing; \"rdmafault --help\" lists the commands");
	else if (!object)
		rf_err("unknown command \"%s\"; \"rdmafault --help\" lists the commands", name);
	else if (!name)
		rf_err("%s: command missing; %s", object, names);
	else
		rf_err("%s: unknown command \"%s\"; %s", object, name, names);
	free(names);
	return RF_EXIT_USAGE;
}

/**
 * rf_dispatch - run the command that the first word names
 * @cmds: the commands
 * @argc: number of words in @argv
 * @argv: the words
 *
 * Return: the exit status.
 */
int rf_dispatch(const struct rf_cmd *cmds, int argc, char **argv)
{
	const struct rf_cmd *c = argc ? rf_find_cmd(cmds, argv[0]) : NULL;

	return c ? c->run(argc, argv) : rf_unknown_command(cmds, argc ? argv[0] : NULL);
}

#define USAGE_MAX 60	/* longest usage line that is printed with an error */

/* Refuse a word of another tool. Return: true after rf_err(). */
static bool refuse_foreign(const struct rf_cmd *cmds, int argc, char **argv)
{
	const char *object = object_of(cmds), *answer;
	int i;

	for (i = 1; i < argc; i++) {
		/* "dev" can also be the name of a netdev. */
		if (argv[i][0] != '-' && (i > 1 || strcmp(argv[i], "dev") || if_nametoindex("dev")))
			continue;
		answer = rf_answer(argv[i]);
		if (!answer)
			continue;
		rf_err("%s%s%s: unexpected \"%s\"; %s", object ? object : "", object ? " " : "",
		       argv[0], argv[i], answer);
		return true;
	}
	return false;
}

static int wrong_words(const struct rf_cmd *cmds, const char *name,
		       const char *problem)
{
	const struct rf_cmd *c = rf_find_cmd(cmds, name);
	const char *object = object_of(cmds), *gap = object ? " " : "";

	object = object ? object : "";
	if (c && strlen(c->usage) <= USAGE_MAX)
		rf_err("%s%s%s: %s; rdmafault %s", object, gap, name, problem, c->usage);
	else
		rf_err("%s%s%s: %s; see \"rdmafault %s%s%s --help\"", object, gap, name,
		       problem, object, gap, name);
	return RF_EXIT_USAGE;
}

/**
 * rf_missing - print that a word of a command is missing
 * @cmds: the table with the command
 * @name: the command
 * @what: the missing word
 *
 * Return: RF_EXIT_USAGE.
 */
int rf_missing(const struct rf_cmd *cmds, const char *name, const char *what)
{
	const struct rf_cmd *c = rf_find_cmd(cmds, name);
	char *settings = NULL, problem[64];

	if (strcmp(what, "setting") || !c->words) {
		snprintf(problem, sizeof(problem), "%s missing", what);
		return wrong_words(cmds, name, problem);
	}
	rf_key_near(c->words, NULL, &settings);
	rf_err("%s %s: setting missing; %s", object_of(cmds), name, settings);
	free(settings);
	return RF_EXIT_USAGE;
}

/**
 * rf_unexpected - print that a command has an unexpected word
 * @cmds: the table with the command
 * @name: the command
 * @word: the unexpected word
 *
 * Return: RF_EXIT_USAGE.
 */
int rf_unexpected(const struct rf_cmd *cmds, const char *name, const char *word)
{
	char *problem;

	if (asprintf(&problem, "unexpected \"%s\"", word) < 0)
		return RF_EXIT_USAGE;
	wrong_words(cmds, name, problem);
	free(problem);
	return RF_EXIT_USAGE;
}

/**
 * rf_check_words - check how many words a command has
 * @cmds: the table with the command
 * @argc: number of words in @argv
 * @argv: the words, the command's name first
 * @required: names of the words that the command requires, for example "DEV ID"
 * @optional: maximum number of further words; negative: no maximum
 *
 * Return: RF_EXIT_OK, or RF_EXIT_USAGE after rf_err().
 */
int rf_check_words(const struct rf_cmd *cmds, int argc, char **argv,
		   const char *required, int optional)
{
	int have = argc - 1, n = 0;
	char missing[16] = "";
	size_t len;

	if (refuse_foreign(cmds, argc, argv))
		return RF_EXIT_USAGE;
	for (; *required; required += len + strspn(required + len, " "), n++) {
		len = strcspn(required, " ");
		if (n == have)
			snprintf(missing, sizeof(missing), "%.*s", (int)len, required);
	}
	if (missing[0])
		return rf_missing(cmds, argv[0], missing);
	if (optional >= 0 && have > n + optional)
		return rf_unexpected(cmds, argv[0], argv[n + optional + 1]);
	return RF_EXIT_OK;
}

/**
 * rf_take_flag - remove a flag from the words
 * @argc: number of words in @argv
 * @argv: the words; words after "--" are not examined, because they belong to another
 *	program
 * @flag: the flag
 *
 * Return: true if the flag was there.
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
 * rf_split_command - separate the command after "--" from the words
 * @argc: number of words; set to the number of words before "--"
 * @argv: the words
 * @command: gets the command, or NULL if there is no "--"
 *
 * Return: RF_EXIT_OK, or RF_EXIT_USAGE after rf_err().
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
		rf_err("expected a command after \"--\"");
		return RF_EXIT_USAGE;
	}
	*command = argv + i + 1;
	argv[i] = NULL;
	*argc = i;
	return RF_EXIT_OK;
}

/**
 * rf_take_value - parse a value, or print an error
 * @key: its key
 * @word: the word
 * @to: the struct that gets the value
 *
 * Return: RF_EXIT_OK, or RF_EXIT_USAGE after rf_err().
 */
int rf_take_value(const struct rf_key *key, const char *word, void *to)
{
	struct rf_why why;

	if (!rf_key_take(key, word, to))
		return RF_EXIT_OK;
	rf_key_refuse(key, word, &why);
	return rf_refuse_words(&why);
}

/**
 * rf_take_dir - parse a direction, or print an error
 * @word: the word
 * @dir: gets the enum rdmafault_direction
 *
 * Return: RF_EXIT_OK, or RF_EXIT_USAGE after rf_err().
 */
int rf_take_dir(const char *word, uint32_t *dir)
{
	static const struct rf_key key = {
		"direction", NULL, &rf_kind_name, .names = rf_dir_names
	};

	const char *answer = rf_answer(word);

	if (!answer)
		return rf_take_value(&key, word, dir);
	rf_err("direction \"%s\": invalid; tx or rx; %s", word, answer);
	return RF_EXIT_USAGE;
}

/** rf_show_waiting - let rf_waiting() print on a terminal, except with --quiet or --json */
void rf_show_waiting(void)
{
	rf_waiting_shown = isatty(STDERR_FILENO) && !rf_quiet && !rf_json;
}

/**
 * rf_hint - print on a terminal what a command waits for
 * @fmt: printf format of one line, without a newline
 */
void rf_hint(const char *fmt, ...)
{
	va_list ap;
	char *text;

	if (rf_json || rf_quiet || !isatty(STDERR_FILENO))
		return;
	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) >= 0) {
		rf_note("%s", text);
		free(text);
	}
	va_end(ap);
}

/**
 * rf_refuse_words - print an error about words of the command line
 * @why: the text of the error
 *
 * Return: RF_EXIT_USAGE.
 */
int rf_refuse_words(const struct rf_why *why)
{
	rf_err("%s", why->text);
	return RF_EXIT_USAGE;
}

/**
 * rf_open_module - open a socket to the module, or print an error
 * @nl: the socket
 *
 * Return: RF_EXIT_OK or RF_EXIT_NO_RESULT.
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
	return RF_EXIT_NO_RESULT;
}

/**
 * rf_open_target - find a netdev and open a socket to the module
 * @dev: netdev or RDMA device
 * @t: gets the netdev
 * @nl: the socket
 *
 * Return: RF_EXIT_OK, or another exit status after an error message.
 */
int rf_open_target(const char *dev, struct rf_target *t, struct rf_nl **nl)
{
	return rf_target_find(dev, t) ? RF_EXIT_FAILED : rf_open_module(nl);
}

/**
 * rf_nl_failed - print why a request to the module failed
 * @nl: the socket, with the module's error message (extack)
 * @what: the object of the request, for example the netdev
 * @err: -errno
 *
 * Return: RF_EXIT_FAILED.
 */
int rf_nl_failed(struct rf_nl *nl, const char *what, int err)
{
	if (err == -ENODEV)
		rf_err("%s: not a port; \"rdmafault port add %s\" makes it one", what, what);
	else
		rf_err("%s: %s", what, rf_nl_why(nl, err));
	return RF_EXIT_FAILED;
}

/**
 * rf_target_failed - print why a request to a port failed, and what helps
 * @nl: the socket, with the module's error message (extack)
 * @t: the netdev
 * @what: the object of the request
 * @err: -errno
 *
 * Return: RF_EXIT_FAILED.
 */
int rf_target_failed(struct rf_nl *nl, const struct rf_target *t, const char *what, int err)
{
	const char *why = rf_nl_error(nl);
	char now[RF_FMT_LEN], max[RF_FMT_LEN], *text;
	struct rf_port_info port;

	if (strstr(why, "max-hold: shorter than the delay")) {
		rf_err("%s: %s; \"rdmafault rule show %s\" prints the rules", what, why, t->netdev);
		return RF_EXIT_FAILED;
	}
	text = strstr(why, "longer than the port's max-hold") ? strdup(why) : NULL;
	if (!text || rf_nl_port_get(nl, t->ifindex, &port))
		rf_nl_failed(nl, what, err);
	else
		rf_err("%s: %s, %s; \"rdmafault port set %s max-hold TIME\" changes it, up to %s",
		       what, text, rf_exact_time(port.max_hold, now), t->netdev,
		       rf_exact_time(RDMAFAULT_HOLD_MAX, max));
	free(text);
	return RF_EXIT_FAILED;
}

/**
 * rf_close_target - end a request to a port: print why it failed, and close the socket
 * @t: the netdev, from rf_open_target()
 * @nl: the socket
 * @err: the result of the request: 0 or -errno
 *
 * Return: the exit status.
 */
int rf_close_target(const struct rf_target *t, struct rf_nl *nl, int err)
{
	int status = err ? rf_target_failed(nl, t, t->netdev, err) : RF_EXIT_OK;

	rf_nl_close(nl);
	return status;
}
