// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault: the table of commands. What a command does stands in the file of
 * its name; what they share, in cmd.c.
 */
#include <stdio.h>
#include <string.h>

#include "batch.h"
#include "cmd.h"
#include "err.h"
#include "out.h"

#ifndef RF_VERSION
#define RF_VERSION "0.1"
#endif

static int cmd_help(int argc, char **argv);
static int cmd_version(int argc, char **argv);

static const struct rf_cmd commands[] = {
	{ "port", rf_cmd_port, "port { add | del | show } ...",
	  "put a netdev under our control, or list those that are" },
	{ "rule", rf_cmd_rule, "rule { add | replace | del | show | ... } ...",
	  "what is done to which packets" },
	{ "drop", rf_cmd_short, "drop DEV { tx | rx } WORD... [ --follow | -- COMMAND... ]",
	  "short for rule add DEV { tx | rx } drop WORD..., as are:" },
	{ "observe", rf_cmd_short, "observe DEV { tx | rx } WORD...", NULL },
	{ "delay", rf_cmd_short,
	  "delay DEV { tx | rx } TIME [ jitter TIME ] WORD...", NULL },
	{ "reorder", rf_cmd_short, "reorder DEV { tx | rx } N WORD...", NULL },
	{ "duplicate", rf_cmd_short,
	  "duplicate DEV { tx | rx } [ N ] [ after TIME ] WORD...", NULL },
	{ "corrupt", rf_cmd_short,
	  "corrupt DEV { tx | rx } { bit | byte | icrc | payload } WORD...",
	  NULL },
	{ "truncate", rf_cmd_short, "truncate DEV { tx | rx } N WORD...", NULL },
	{ "mark", rf_cmd_short, "mark DEV { tx | rx } [ CODEPOINT ] WORD...",
	  NULL },
	{ "rewrite", rf_cmd_short,
	  "rewrite DEV { tx | rx } FIELD N... where WORD...", NULL },
	{ "nak", rf_cmd_short, "nak DEV { tx | rx } CODE WORD...", NULL },
	{ "rnr", rf_cmd_short, "rnr DEV { tx | rx } [ TIMER ] WORD...", NULL },
	{ "blackhole", rf_cmd_short,
	  "blackhole DEV { tx | rx } TIME [ both ] WORD...", NULL },
	{ "link", rf_cmd_link, "link { set | show } ...",
	  "the wire behind a port: rate, delay, buffer" },
	{ "prio", rf_cmd_prio, "prio { set | show } ...",
	  "the eight priorities of a port" },
	{ "ecn", rf_cmd_ecn, "ecn { set | show } ...",
	  "when packets of a priority are marked" },
	{ "pause", rf_cmd_pause, "pause { DEV ... | show } ...",
	  "XOFF and XON, storms, and the watchdog" },
	{ "stat", rf_cmd_stat, "stat [ --flows | --reset ] [ DEV ]",
	  "counters of ports, and of rxe beside them" },
	{ "monitor", rf_cmd_monitor,
	  "monitor [ --buffer SIZE ] [ DEV ] [ hit | retransmit | nak | hold | release | pause | mark | watchdog | rule ]...",
	  "print what happens to packets, while it happens" },
	{ "record", rf_cmd_record,
	  "record [ -o DIR | FILE.pcapng ] [ --snaplen N ] [ --buffer SIZE ] [ DEV... ] [ -- COMMAND... ]",
	  "keep what happens to packets: events, capture, rules that repeat it" },
	{ "fabric", rf_cmd_fabric, "fabric { up | down | show } ...",
	  "a cluster of SoftRoCE nodes on one bridge" },
	{ "run", rf_cmd_run, "run [ OPTION... ] FILE",
	  "run a scenario and report what it showed" },
	{ "report", rf_cmd_report, "report [ -o FILE.html ] [ --formats LIST ] [ --tap ] DIR [ DIR ]",
	  "render a run again from its report directory, or compare two runs" },
	{ "validate", rf_cmd_validate, "validate { FILE... | --schema | --metrics }",
	  "can these scenarios be run? Or print their schema, or the metrics" },
	{ "cost", rf_cmd_cost, "cost [ OPTION... ]",
	  "what a gradient asks of NICs, and a stall of money" },
	{ "doctor", rf_cmd_doctor, "doctor",
	  "check this host, and print how to fix what is missing or wrong" },
	{ "reset", rf_cmd_reset, "reset [ DEV ]",
	  "make a port, or all, as new: no rules, no settings, counters at 0" },
	{ "help", cmd_help, "help", "this text" },
	{ "version", cmd_version, "version", "the version" },
	{ }
};

static void print_command(const struct rf_cmd *c)
{
	rf_out_push_object(NULL);
	rf_out_str("usage", "  rdmafault %s\n", c->usage);
	if (c->help)
		rf_out_str("help", "        %s\n", c->help);
	rf_out_pop();
}

/* An object is a command that has verbs. */
static const struct rf_cmd *verbs_of(const struct rf_cmd *c)
{
	static const struct {
		int (*run)(int argc, char **argv);
		const struct rf_cmd *verbs;
	} objects[] = {
		{ rf_cmd_port, rf_port_verbs },
		{ rf_cmd_rule, rf_rule_verbs },
		{ rf_cmd_link, rf_link_verbs },
		{ rf_cmd_prio, rf_prio_verbs },
		{ rf_cmd_ecn, rf_ecn_verbs },
		{ rf_cmd_pause, rf_pause_verbs },
		{ rf_cmd_fabric, rf_fabric_verbs },
	};
	size_t i;

	for (i = 0; i < sizeof(objects) / sizeof(*objects); i++)
		if (c->run == objects[i].run)
			return objects[i].verbs;
	return NULL;
}

static void print_commands(const struct rf_cmd *c)
{
	for (; c->name; c++) {
		if (verbs_of(c))
			print_commands(verbs_of(c));
		else
			print_command(c);
	}
}

static const char grammar[] =
	"\n"
	"DEV  := netdev (v1) | RDMA device (rxe1)\n"
	"WORD := a word of a rule: rdmafault rule help\n"
	"\n"
	"With --json, results and errors are JSON. See rdmafault(8).\n";

static int cmd_help(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	rf_out_text("Usage: rdmafault [ --json ] COMMAND\n"
		    "       rdmafault [ --json ] [ -force ] -batch FILE\n\n");
	rf_out_begin_array();
	print_commands(commands);
	rf_out_end();
	rf_out_text("%s", grammar);
	return RF_EXIT_OK;
}

static int cmd_version(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	rf_out_begin_object();
	rf_out_str("version", "rdmafault %s\n", RF_VERSION);
	rf_out_end();
	return RF_EXIT_OK;
}

static bool take_option(int *argc, char **argv, const char *name,
			const char *letter)
{
	return rf_take_flag(argc, argv, name) ||
	       rf_take_flag(argc, argv, letter);
}

static int run(int argc, char **argv)
{
	if (rf_take_flag(&argc, argv, "--json"))
		rf_json = true;
	if (take_option(&argc, argv, "--help", "-h") ||
	    rf_take_flag(&argc, argv, "-?"))
		return cmd_help(argc, argv);
	if (take_option(&argc, argv, "--version", "-V"))
		return cmd_version(argc, argv);
	return rf_dispatch(commands, argc - 1, argv + 1);
}

static bool is(const char *word, const char *option, const char *alias)
{
	return word && (!strcmp(word, option) || !strcmp(word, alias));
}

/* Options of a batch stand first, as in tc: what follows is a command. */
static int run_all(int argc, char **argv)
{
	const char *file = NULL;
	bool force = false;
	int i;

	rf_json = false;
	for (i = 1; argv[i]; i++) {
		if (is(argv[i], "-batch", "-b")) {
			file = argv[++i];
			if (!file) {
				rf_err("-batch: no file; -batch FILE, or - for standard input");
				return RF_EXIT_USAGE;
			}
		} else if (is(argv[i], "-force", "-force")) {
			force = true;
		} else if (is(argv[i], "--json", "--json")) {
			rf_json = true;
		} else {
			break;
		}
	}
	if (!file && !force)
		return run(argc, argv);
	if (file && i == argc)
		return rf_batch(file, force, run);
	rf_err("%s: %s", argv[i] ? argv[i] : "-force",
	       file ? "a command beside -batch FILE" : "needs -batch FILE");
	return RF_EXIT_USAGE;
}

/* Rules that were saved half would be loaded as if they were all. */
int main(int argc, char **argv)
{
	int status = run_all(argc, argv);

	if (status || !rf_out_failed())
		return status;
	rf_err("stdout cannot be written");
	return RF_EXIT_FAILED;
}
