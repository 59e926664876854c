// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault pause: XOFF and XON by hand, storms, the watchdog, and what has
 * become of them. The device stands before the verb, as what is done to it is
 * done at once and not kept as a setting; the watchdog is the exception.
 */
#include <errno.h>
#include <string.h>

#include "cmd.h"
#include "err.h"
#include "genl.h"
#include "pause.h"
#include "port.h"
#include "queuelist.h"
#include "queuewords.h"
#include "units.h"

static int pause_xoff(int argc, char **argv);
static int pause_xon(int argc, char **argv);
static int pause_stop(int argc, char **argv);
static int pause_watchdog(int argc, char **argv);

/* A verb gets the words from "pause" on. */
const struct rf_cmd rf_pause_verbs[] = {
	{ "xoff", pause_xoff, "pause DEV prio PRIO xoff [ quanta N ]",
	  "send one pause frame" },
	{ "xon", pause_xon, "pause DEV prio PRIO xon", "send one that ends it" },
	{ "storm", rf_pause_storm,
	  "pause DEV prio PRIO storm { for TIME | forever } [ quanta N ] [ duty ON/OFF ] [ frames ] [ persist ]",
	  "hold priorities by XOFF without a gap, and prove it" },
	{ "stop", pause_stop, "pause DEV [ prio PRIO ] stop", "end storms" },
	{ "watchdog", pause_watchdog,
	  "pause DEV watchdog { off | [ prio PRIO ] [ detect TIME ] [ restore TIME ] [ poll TIME ] [ action drop | forward | alert ] }",
	  "what breaks a pause that doesn't end" },
	{ "show", rf_pause_show, "pause show [ DEV ]", "print it" },
	{ }
};

static const struct rf_cmd *find_verb(const char *name)
{
	const struct rf_cmd *c;

	for (c = rf_pause_verbs; name && c->name; c++)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}

/**
 * rf_pause_take - the port and priorities that a verb is for
 * @argv: the words, from "pause" on; the verb is behind DEV, or its priorities
 * @prios: gets them; 0 if none are named
 *
 * Return: the words behind the verb, or NULL, and the user has been told why.
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

/* A request to the port, by the words that the user has called it. */
static int request(const char *dev, uint32_t prios, uint32_t quanta,
		   int (*fn)(struct rf_nl *nl, uint32_t ifindex, uint32_t prios,
			     uint32_t quanta))
{
	struct rf_target t;
	struct rf_nl *nl;
	int err;

	if (rf_target_find(dev, &t) || rf_open_module(&nl))
		return RF_EXIT_FAILED;
	err = fn(nl, t.ifindex, prios, quanta);
	if (err)
		rf_nl_failed(nl, t.netdev, err);
	rf_nl_close(nl);
	return err ? RF_EXIT_FAILED : RF_EXIT_OK;
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
		return rf_usage(rf_pause_verbs, "xoff");
	if (rf_xoff_words(rest, &quanta, &why))
		return rf_refuse_words(&why);
	return request(argv[1], prios, quanta, rf_nl_pause_send);
}

static int pause_xon(int argc, char **argv)
{
	uint32_t prios;
	char **rest = rf_pause_take(argv, &prios);

	(void)argc;
	if (!rest)
		return RF_EXIT_USAGE;
	if (!prios || *rest)
		return rf_usage(rf_pause_verbs, "xon");
	return request(argv[1], prios, 0, rf_nl_pause_send);
}

static int stop(struct rf_nl *nl, uint32_t ifindex, uint32_t prios,
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
		return rf_usage(rf_pause_verbs, "stop");
	return request(argv[1], prios, 0, stop);
}

static int pause_watchdog(int argc, char **argv)
{
	struct rf_queue_change change = {};
	struct rf_why why;

	if (argc < 4 || strcmp(argv[2], "watchdog"))
		return rf_usage(rf_pause_verbs, "watchdog");
	if (rf_watchdog_words(argv + 3, &change, &why))
		return rf_refuse_words(&why);
	return rf_queue_change(argv[1], &change);
}

static int no_verb(const char *word)
{
	rf_err("want a command of xoff, xon, storm, stop, watchdog, show, got %s%s%s",
	       word ? "\"" : "", word ? word : "nothing", word ? "\"" : "");
	return RF_EXIT_USAGE;
}

/**
 * rf_cmd_pause - rdmafault pause
 * @argc: number of words
 * @argv: the words, "pause" first
 *
 * Return: the exit status.
 */
int rf_cmd_pause(int argc, char **argv)
{
	bool has_prio = argc > 2 && !strcmp(argv[2], "prio");
	int at = has_prio ? 4 : 2;
	const char *word = argc > at ? argv[at] : NULL;
	const struct rf_cmd *c;

	if (argc > 1 && !strcmp(argv[1], "show"))
		return rf_pause_show(argc - 1, argv + 1);
	c = find_verb(word);
	if (!c || !strcmp(c->name, "show"))
		return no_verb(word);
	return c->run(argc, argv);
}
