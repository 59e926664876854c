// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault: the table of commands. Each command is in the file with its name; code that
 * several commands share is in cmd.c.
 */
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "err.h"
#include "out.h"

#ifndef RF_VERSION
#define RF_VERSION "0.1"
#endif

static int cmd_help(int argc, char **argv);
static int cmd_version(int argc, char **argv);

static const struct rf_key follow_words[] = { RF_HELP_FOLLOW, { } };

#define RULE_PAGE "rdmafault-rule(8)"
/* Usage of a command that adds a rule with one action, for example "drop" */
#define SHORT(_usage)	_usage " [ --follow | -- COMMAND... ]"
#define FAULT(_example)							\
	.group = RF_GROUP_FAULTS, .words = follow_words, .example = _example, .page = RULE_PAGE

const struct rf_cmd rf_commands[] = {
	{ "rule", rf_cmd_rule, "rule { add | replace | del | show | ... } ...",
	  "add, replace, delete, show and save rules",
	  .group = RF_GROUP_FAULTS, .verbs = rf_rule_verbs, .page = RULE_PAGE,
	  .example = "rule add rxe2 tx class write nth 3 count 1 drop" },
	{ "drop", rf_cmd_short, SHORT("drop DEV { tx | rx } WORD..."),
	  "drop packets",
	  FAULT("drop rxe2 tx class write step 20 nth 3 count 1") },
	{ "observe", rf_cmd_short, SHORT("observe DEV { tx | rx } WORD..."),
	  "count and trace packets, change nothing",
	  FAULT("observe rxe2 rx class nak") },
	{ "delay", rf_cmd_short, SHORT("delay DEV { tx | rx } TIME [ jitter TIME ] WORD..."),
	  "delay packets",
	  FAULT("delay rxe2 tx 5ms class write probability 1%") },
	{ "reorder", rf_cmd_short, SHORT("reorder DEV { tx | rx } N WORD..."),
	  "let later packets overtake a packet",
	  FAULT("reorder rxe2 tx 3 class write nth 10 count 1") },
	{ "duplicate", rf_cmd_short, SHORT("duplicate DEV { tx | rx } [ N ] [ after TIME ] WORD..."),
	  "send copies of packets",
	  FAULT("duplicate rxe2 tx 2 class ack count 1") },
	{ "corrupt", rf_cmd_short, SHORT("corrupt DEV { tx | rx } { bit | byte | icrc | payload } WORD..."),
	  "change a bit or byte, or the ICRC",
	  FAULT("corrupt rxe2 tx icrc class write count 1") },
	{ "truncate", rf_cmd_short, SHORT("truncate DEV { tx | rx } N WORD..."),
	  "remove the end of the payload",
	  FAULT("truncate rxe2 tx 100 class send count 1") },
	{ "mark", rf_cmd_short, SHORT("mark DEV { tx | rx } [ CODEPOINT ] WORD..."),
	  "set the ECN codepoint, by default CE",
	  FAULT("mark rxe2 tx class write probability 5%") },
	{ "rewrite", rf_cmd_short, SHORT("rewrite DEV { tx | rx } FIELD N... where WORD..."),
	  "change fields of the headers",
	  FAULT("rewrite rxe2 tx rkey 0 where class write count 1") },
	{ "nak", rf_cmd_short, SHORT("nak DEV { tx | rx } CODE WORD..."),
	  "send a forged NAK on behalf of the receiver",
	  FAULT("nak rxe2 tx psn-sequence class write count 1") },
	{ "rnr", rf_cmd_short, SHORT("rnr DEV { tx | rx } [ TIMER ] WORD..."),
	  "send a forged RNR NAK on behalf of the receiver",
	  FAULT("rnr rxe2 tx 14 class send count 1") },
	{ "blackhole", rf_cmd_short, SHORT("blackhole DEV { tx | rx } TIME [ both ] WORD..."),
	  "drop a packet, and all packets after it for a time",
	  FAULT("blackhole rxe2 tx 100ms class write count 1") },
	{ "trim", rf_cmd_short, SHORT("trim DEV { tx | rx } N [ dscp D ] WORD..."),
	  "shorten packets and set their DSCP, as a switch does",
	  FAULT("trim rxe2 tx 64 dscp 46 class write count 1") },
	{ "port", rf_cmd_port, "port { add | del | set | show } ...",
	  "make a netdev a port, remove ports, show them",
	  .group = RF_GROUP_PORTS, .verbs = rf_port_verbs, .page = "rdmafault-port(8)",
	  .example = "port add rxe1" },
	{ "link", rf_cmd_link, "link { set | down | show } ...",
	  "set the rate and buffer of a port, take its link down",
	  .group = RF_GROUP_PORTS, .verbs = rf_link_verbs, .page = "rdmafault-link(8)",
	  .example = "link set rxe1 rate 10gbit delay 5us" },
	{ "prio", rf_cmd_prio, "prio { set | show } ...",
	  "set queues, scheduling, PFC and buffers of priorities",
	  .group = RF_GROUP_PORTS, .verbs = rf_prio_verbs, .page = "rdmafault-prio(8)",
	  .example = "prio set p1 prio-pfc 3:on prio-headroom 3:128k" },
	{ "ecn", rf_cmd_ecn, "ecn { set | show } ...",
	  "set the ECN profiles (Kmin, Kmax, Pmax) of priorities",
	  .group = RF_GROUP_PORTS, .verbs = rf_ecn_verbs, .page = "rdmafault-ecn(8)",
	  .example = "ecn set p1 prio 3 kmin 100k kmax 400k pmax 20%" },
	{ "pause", rf_cmd_pause, "pause { DEV ... | show } ...",
	  "send PFC frames, generate storms, set the PFC watchdog",
	  .group = RF_GROUP_PORTS, .verbs = rf_pause_verbs, .page = "rdmafault-pause(8)",
	  .example = "pause rxe2 prio 3 storm for 2s" },
	{ "path", rf_cmd_path, "path { set | link | del | show } ...",
	  "choose the link of packets, as switches do",
	  .group = RF_GROUP_PORTS, .verbs = rf_path_verbs, .page = "rdmafault-path(8)",
	  .example = "path set p1 ecmp links l1s1,l1s2 seed 7" },
	{ "dcqcn", rf_cmd_dcqcn, "dcqcn { set | off | show } ...",
	  "send CNPs for packets with CE, and obey CNPs",
	  .group = RF_GROUP_PORTS, .verbs = rf_dcqcn_verbs, .page = "rdmafault-dcqcn(8)",
	  .example = "dcqcn set rxe1 np on rp on scale 200" },
	{ "step", rf_cmd_step, "step DEV N",
	  "announce the current step of a job for a port",
	  .group = RF_GROUP_PORTS, .words = rf_step_words, .page = "rdmafault-step(7)",
	  .example = "step rxe1 20" },
	{ "stat", rf_cmd_stat, "stat [ --flows | --reset ] [ DEV... ]",
	  "print or reset the counters of ports, print flows",
	  .group = RF_GROUP_OBSERVING, .words = rf_stat_options, .example = "stat rxe1" },
	{ "monitor", rf_cmd_monitor,
	  "monitor [ --buffer SIZE ] [ DEV ] [ hit | retransmit | nak | hold | release | pause | mark | watchdog | rule ]...",
	  "print events while they happen",
	  .group = RF_GROUP_OBSERVING, .opts = rf_monitor_options, .words = rf_monitor_words, .page = "rdmafault-monitor(8)",
	  .example = "monitor rxe1 hit retransmit nak" },
	{ "record", rf_cmd_record,
	  "record [ -o DIR | FILE.pcapng ] [ --as-sent ] [ --snaplen N ] [ --buffer SIZE ] [ DEV... ] [ -- COMMAND... ]",
	  "record events, packets, and rules that repeat them",
	  .group = RF_GROUP_OBSERVING, .opts = rf_record_options, .words = rf_record_words, .page = "rdmafault-record(8)",
	  .example = "record -o rec rxe1 -- ping 10.77.0.2" },
	{ "watch", rf_cmd_watch,
	  "watch [ -o FILE.pcapng ] [ --bytes ] [ --packets N ] [ --seconds S ] [ DEV... ] -- COMMAND...",
	  "run a command, and find the cause if it fails",
	  .group = RF_GROUP_OBSERVING, .opts = rf_flight_options, .words = rf_flight_words, .page = "rdmafault-watch(8)",
	  .example = "watch -- ib_write_bw -d rxe1 10.77.0.2" },
	{ "run", rf_cmd_run, "run [ OPTION... ] FILE",
	  "run a scenario, and report on it",
	  .group = RF_GROUP_SCENARIOS, .opts = rf_run_options, .page = "rdmafault-run(8)",
	  .example = "run --repeat 3 labs/01-one-drop.yaml" },
	{ "report", rf_cmd_report, "report [ -o FILE.html ] [ --formats LIST ] [ --tap ] DIR [ DIR ]",
	  "print the report of a run again, or compare two runs",
	  .group = RF_GROUP_SCENARIOS, .opts = rf_report_options, .words = rf_report_words, .page = "rdmafault-run(8)",
	  .example = "report runs/before runs/after" },
	{ "validate", rf_cmd_validate, "validate { FILE... | --schema | --metrics [ WORD ] }",
	  "check scenarios; print their schema or the metrics",
	  .group = RF_GROUP_SCENARIOS, .words = rf_validate_options, .page = "rdmafault-run(8)",
	  .example = "validate labs/*.yaml" },
	{ "cost", rf_cmd_cost, "cost [ OPTION... ]",
	  "calculate transfer times of gradients, cost of stalls",
	  .group = RF_GROUP_SCENARIOS, .opts = rf_cost_options, .page = "rdmafault-cost(8)",
	  .example = "cost --gpus 1024 --stall 10s" },
	{ "fabric", rf_cmd_fabric, "fabric { up | down | show } ...",
	  "create, remove and show a cluster of SoftRoCE nodes",
	  .group = RF_GROUP_HOST, .verbs = rf_fabric_verbs, .page = "rdmafault-fabric(8)",
	  .example = "fabric up 4 shape leaf-spine" },
	{ "doctor", rf_cmd_doctor, "doctor",
	  "check this host, and print how to fix what is wrong",
	  .group = RF_GROUP_HOST, .example = "doctor", .page = "rdmafault-doctor(8)" },
	{ "reset", rf_cmd_reset, "reset [ DEV ]",
	  "return one port, or all, to the state of a new port",
	  .group = RF_GROUP_HOST, .example = "reset rxe1" },
	{ "help", cmd_help, "help [ COMMAND [ VERB ] ]",
	  "print the commands, or the help of one",
	  .group = RF_GROUP_HOST, .example = "help pause storm" },
	{ "version", cmd_version, "version", "print the version",
	  .group = RF_GROUP_HOST },
	{ }
};

static const struct rf_cmd *find_verb(const struct rf_cmd *c, int argc, char **argv)
{
	const struct rf_cmd *verb = NULL;
	int i;

	/* "pause" has its verb after the device and the priorities. */
	for (i = 0; c->verbs && !verb && i < argc; i++) {
		verb = rf_find_cmd(c->verbs, argv[i]);
		if (c->run != rf_cmd_pause)
			break;
	}
	return verb;
}

/* Print the help of the command in @argv. If @argc is 0, print the overview of all commands. */
static int help_of(int argc, char **argv)
{
	const struct rf_cmd *c;

	if (!argc) {
		rf_help_overview(rf_commands);
		return RF_EXIT_OK;
	}
	c = rf_find_cmd(rf_commands, argv[0]);
	if (!c)
		return rf_unknown_command(rf_commands, argv[0]);
	rf_help_command(c, find_verb(c, argc - 1, argv + 1));
	return RF_EXIT_OK;
}

static int cmd_help(int argc, char **argv)
{
	return help_of(argc - 1, argv + 1);
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

static int run_one_command(int argc, char **argv)
{
	if (rf_take_flag(&argc, argv, "--json"))
		rf_json = true;
	if (take_option(&argc, argv, "--quiet", "-q"))
		rf_quiet = true;
	if (take_option(&argc, argv, "--help", "-h") ||
	    rf_take_flag(&argc, argv, "-?"))
		return help_of(argc - 1, argv + 1);
	if (take_option(&argc, argv, "--version", "-V"))
		return cmd_version(argc, argv);
	return rf_dispatch(rf_commands, argc - 1, argv + 1);
}

static bool is(const char *word, const char *option, const char *alias)
{
	return word && (!strcmp(word, option) || !strcmp(word, alias));
}

/* Run one command, or a batch. The options for a batch must be the first words, as in tc. */
static int run_one_or_batch(int argc, char **argv)
{
	const char *file = NULL;
	bool force = false;
	int i;

	rf_json = false;
	rf_quiet = false;
	for (i = 1; argv[i]; i++) {
		if (is(argv[i], "-batch", "-b")) {
			file = argv[++i];
			if (!file) {
				rf_err("-batch: FILE missing; use -batch FILE, or -batch - to read standard input");
				return RF_EXIT_USAGE;
			}
		} else if (is(argv[i], "-force", "-force")) {
			force = true;
		} else if (is(argv[i], "--json", "--json")) {
			rf_json = true;
		} else if (is(argv[i], "--quiet", "-q")) {
			rf_quiet = true;
		} else {
			break;
		}
	}
	if (!file && !force)
		return run_one_command(argc, argv);
	if (file && i == argc)
		return rf_batch(file, force, run_one_command);
	rf_err("%s: %s", argv[i] ? argv[i] : "-force",
	       file ? "unexpected word after -batch FILE" : "without -batch FILE");
	return RF_EXIT_USAGE;
}

/* A failed write to stdout is an error: an incomplete rule file could be loaded later. */
int main(int argc, char **argv)
{
	bool complete = argc > 1 && !strcmp(argv[1], "__complete");
	int status = complete ? rf_complete(argc - 2, argv + 2) : run_one_or_batch(argc, argv);

	if (status || !rf_out_failed())
		return status;
	rf_err("standard output cannot be written");
	return RF_EXIT_FAILED;
}
