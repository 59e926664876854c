// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault pause: send PFC frames by hand, start and stop storms, configure the PFC
 * watchdog, print the state of pauses, storms and watchdog, and find deadlocks. In "pause DEV
 * xoff", the device is before the verb, unlike in "link set DEV". The reason is that most verbs
 * of pause are operations, not settings; only watchdog is a setting.
 */
#include <errno.h>
#include <string.h>

#include "cmd.h"
#include "err.h"
#include "genl.h"
#include "out.h"
#include "port.h"
#include "show.h"
#include "units.h"
#include "words.h"

#define NS_PER_S 1000000000ULL

static int pause_xoff(int argc, char **argv);
static int pause_xon(int argc, char **argv);
static int pause_stop(int argc, char **argv);
static int pause_watchdog(int argc, char **argv);
static int pause_deadlock(int argc, char **argv);

static const struct rf_key deadlock_words[] = {
	{ "longer", "1ms to 3600s, for example 200ms",
	  &rf_kind_time, .at = 0, NS_PER_S / 1000, 3600 * NS_PER_S,
	  .help = "how long the ports have sent no packet; default: 1s" },
	{ }
};

/* @argv of each function contains all words of the command line, from "pause" on. */
const struct rf_cmd rf_pause_verbs[] = {
	{ "xoff", pause_xoff, "pause DEV prio PRIO xoff [ quanta N ]",
	  "send one PFC frame that pauses priorities of the link partner",
	  .words = rf_xoff_args, .example = "pause rxe2 prio 3 xoff quanta 1000" },
	{ "xon", pause_xon, "pause DEV prio PRIO xon",
	  "send one PFC frame that resumes priorities of the link partner",
	  .example = "pause rxe2 prio 3 xon" },
	{ "storm", rf_pause_storm,
	  "pause DEV prio PRIO storm { for TIME | forever } [ quanta N ] [ duty ON/OFF ] [ frames ] [ persist ]",
	  "keep priorities paused, and report the coverage",
	  .words = rf_storm_args, .example = "pause rxe2 prio 3 storm for 2s" },
	{ "stop", pause_stop, "pause DEV [ prio PRIO ] stop",
	  "stop the storms on these priorities, by default on all",
	  .example = "pause rxe2 stop" },
	{ "watchdog", pause_watchdog,
	  "pause DEV watchdog { off | [ prio PRIO ] [ detect TIME ] [ restore TIME ] [ poll TIME ] [ action drop | forward | alert ] }",
	  "set the PFC watchdog of a port; settings not named stay as they are",
	  .words = rf_watchdog_args, .example = "pause rxe2 watchdog prio all detect 200ms" },
	{ "show", rf_pause_show, "pause show [ DEV ]",
	  "print pauses, storms and the watchdog of one port, by default of all",
	  .example = "pause show rxe2" },
	{ "deadlock", pause_deadlock, "pause deadlock [ longer TIME ]",
	  "find ports of the fabric that wait for each other, and exit with 1 if there are any",
	  .words = deadlock_words, .example = "pause deadlock longer 200ms" },
	{ }
};

/**
 * rf_pause_take - parse "prio PRIO" before a verb
 * @argv: the words of the command, including "pause"; the verb follows DEV or "prio PRIO"
 * @prios: gets the priorities; 0 without "prio PRIO"
 *
 * Return: the words after the verb, or NULL after rf_err().
 */
char **rf_pause_take(char **argv, uint32_t *prios)
{
	struct rf_why why;

	*prios = 0;
	if (strcmp(argv[2], "prio"))
		return argv + 3;
	if (!rf_prios_words(argv[3], prios, &why))
		return argv + 5;
	rf_refuse_words(&why);
	return NULL;
}

/* Send a request to the port @dev, and print an error if it fails. */
static int request(const char *dev, uint32_t prios, uint32_t quanta, const char *done,
		   int (*fn)(struct rf_nl *nl, uint32_t ifindex, uint32_t prios,
			     uint32_t quanta))
{
	char text[RF_FMT_LEN];
	struct rf_target t;
	struct rf_nl *nl;
	int status;

	status = rf_open_queues(dev, &t, &nl);
	if (status)
		return status;
	status = rf_close_target(&t, nl, fn(nl, t.ifindex, prios, quanta));
	if (!status && quanta)
		rf_out_done("%s: XOFF sent for %s, %u quanta", t.netdev,
			    rf_prios_phrase(prios, text), quanta);
	else if (!status)
		rf_out_done("%s: %s %s", t.netdev, done, rf_prios_phrase(prios, text));
	return status;
}

static int pause_xoff(int argc, char **argv)
{
	uint32_t prios, quanta;
	char **rest = rf_pause_take(argv, &prios);
	struct rf_why why;

	(void)argc;
	if (!rest)
		return RF_EXIT_USAGE;
	if (!prios)
		return rf_missing(rf_pause_verbs, "xoff", "prio PRIO");
	if (rf_xoff_words(rest, &quanta, &why))
		return rf_refuse_words(&why);
	return request(argv[1], prios, quanta, "", rf_nl_pause_send);
}

static int pause_xon(int argc, char **argv)
{
	uint32_t prios;
	char **rest = rf_pause_take(argv, &prios);

	(void)argc;
	if (!rest)
		return RF_EXIT_USAGE;
	if (!prios)
		return rf_missing(rf_pause_verbs, "xon", "prio PRIO");
	if (*rest)
		return rf_unexpected(rf_pause_verbs, "xon", *rest);
	return request(argv[1], prios, 0, "XON sent for", rf_nl_pause_send);
}

static int stop_storm(struct rf_nl *nl, uint32_t ifindex, uint32_t prios,
		      uint32_t quanta)
{
	(void)quanta;
	return rf_nl_storm_stop(nl, ifindex, prios);
}

static int pause_stop(int argc, char **argv)
{
	uint32_t prios;
	char **rest = rf_pause_take(argv, &prios);

	(void)argc;
	if (!rest)
		return RF_EXIT_USAGE;
	if (*rest)
		return rf_unexpected(rf_pause_verbs, "stop", *rest);
	return request(argv[1], prios, 0, "storms stopped on", stop_storm);
}

static int pause_watchdog(int argc, char **argv)
{
	struct rf_queue_change change = {};
	struct rf_why why;

	if (strcmp(argv[2], "watchdog"))
		return rf_unexpected(rf_pause_verbs, "watchdog", argv[2]);
	if (argc < 4)
		return rf_missing(rf_pause_verbs, "watchdog", "setting");
	if (rf_watchdog_words(argv + 3, &change, &why))
		return rf_refuse_words(&why);
	return rf_queue_change(argv[1], &change, "watchdog", argv + 3);
}

static int pause_deadlock(int argc, char **argv)
{
	uint64_t time = NS_PER_S;
	struct rf_why why;

	(void)argc;
	if (rf_args_take(deadlock_words, argv + 1, &time, rf_key_take, &why))
		return rf_refuse_words(&why);
	return rf_pause_deadlock(time);
}

/* The verbs that are not preceded by a port */
static bool is_of_all_ports(const struct rf_cmd *c)
{
	return c->run == rf_pause_show || c->run == pause_deadlock;
}

/**
 * rf_cmd_pause - run "rdmafault pause"
 * @argc: number of words in @argv
 * @argv: the words of the command line; the first is "pause"
 *
 * Return: the exit status.
 */
int rf_cmd_pause(int argc, char **argv)
{
	bool has_prio = argc > 2 && !strcmp(argv[2], "prio");
	int at = has_prio ? 4 : 2;
	const char *word = argc > at ? argv[at] : NULL;
	const struct rf_cmd *c = word ? rf_find_cmd(rf_pause_verbs, word) : NULL;
	const struct rf_cmd *first = argc > 1 ? rf_find_cmd(rf_pause_verbs, argv[1]) : NULL;

	if (rf_check_words(rf_commands, argc, argv, "", -1))
		return RF_EXIT_USAGE;
	if (first && is_of_all_ports(first))
		return first->run(argc - 1, argv + 1);
	if (word && !c && !strcmp(argv[1], "prio")) {
		rf_err("pause: DEV missing; pause DEV prio PRIO, for example \"rdmafault pause v1 prio 3 storm for 2s\"");
		return RF_EXIT_USAGE;
	}
	if (first && (argc == 2 || !c))
		return rf_missing(rf_pause_verbs, argv[1], "DEV");
	if (!c)
		return rf_unknown_command(rf_pause_verbs, word);
	if (is_of_all_ports(c))
		return rf_unexpected(rf_pause_verbs, c->name, argv[1]);
	return c->run(argc, argv);
}
