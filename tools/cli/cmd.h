/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The commands of rdmafault(8). A command is a row of a table. The function of a command gets
 * the words of the command line, the name of the command first, and returns the exit status.
 */
#ifndef RF_CMD_H
#define RF_CMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"
#include "key.h"
#include "opts.h"

struct rf_nl;
struct rf_rule_list;
struct rf_target;

enum rf_cmd_group {		/* groups of commands in "rdmafault help" */
	RF_GROUP_HOST,
	RF_GROUP_FAULTS,
	RF_GROUP_PORTS,
	RF_GROUP_OBSERVING,
	RF_GROUP_SCENARIOS,
};

/* Help for --follow and "-- COMMAND", which all commands that add rules have */
#define RF_HELP_FOLLOW							\
	{ "--follow", .help = "keep the rules for the queue pairs of comm, pid or owner-dev until Ctrl-C; default: add the rule and exit" }, \
	{ "-- COMMAND...", .help = "run the command, and delete the rules when it ends; default: the rules stay" }

struct rf_cmd {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *usage;	/* syntax, without "rdmafault " */
	const char *help;	/* one line: what the command does */
	enum rf_cmd_group group;
	const struct rf_cmd *verbs;		/* table of the command's verbs; NULL: none */
	const struct rf_key *opts;		/* options with --; a NULL name is last */
	const struct rf_key *words;		/* the words; a NULL name is last */
	const char *example;			/* example, without "rdmafault" */
	const char *page;			/* manual page; NULL: rdmafault(8) */
};

extern const struct rf_cmd rf_commands[];
extern const struct rf_cmd rf_port_verbs[];
extern const struct rf_cmd rf_rule_verbs[];
extern const struct rf_cmd rf_fabric_verbs[];
extern const struct rf_cmd rf_link_verbs[];
extern const struct rf_cmd rf_prio_verbs[];
extern const struct rf_cmd rf_ecn_verbs[];
extern const struct rf_cmd rf_pause_verbs[];
extern const struct rf_cmd rf_path_verbs[];
extern const struct rf_cmd rf_dcqcn_verbs[];
extern const struct rf_key rf_cost_options[];
extern const struct rf_key rf_flight_options[];
extern const struct rf_key rf_flight_words[];
extern const struct rf_key rf_monitor_options[];
extern const struct rf_key rf_record_options[];
extern const struct rf_key rf_report_options[];
extern const struct rf_key rf_run_options[];

/* report.c: the value of --formats, a mask */
#define RF_FORMATS_FORM "trace, metrics, junit, several with commas, or all"
extern const struct rf_kind rf_kind_formats;

extern const struct rf_key rf_monitor_words[];
extern const struct rf_key rf_record_words[];
extern const struct rf_key rf_report_words[];
extern const struct rf_key rf_stat_options[];
extern const struct rf_key rf_step_words[];
extern const struct rf_key rf_validate_options[];

/* cmd.c: what all commands share */
const struct rf_cmd *rf_find_cmd(const struct rf_cmd *cmds, const char *name);
int rf_unknown_command(const struct rf_cmd *cmds, const char *name);
int rf_dispatch(const struct rf_cmd *cmds, int argc, char **argv);
int rf_unexpected(const struct rf_cmd *cmds, const char *name, const char *word);
int rf_missing(const struct rf_cmd *cmds, const char *name, const char *what);
bool rf_take_flag(int *argc, char **argv, const char *flag);
int rf_split_command(int *argc, char **argv, char ***command);
void rf_show_waiting(void);
void rf_hint(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
int rf_take_value(const struct rf_key *key, const char *word, void *to);
int rf_check_words(const struct rf_cmd *cmds, int argc, char **argv,
		   const char *required, int optional);
int rf_refuse_words(const struct rf_why *why);
int rf_open_module(struct rf_nl **nl);
int rf_open_target(const char *dev, struct rf_target *t, struct rf_nl **nl);
int rf_close_target(const struct rf_target *t, struct rf_nl *nl, int err);
int rf_nl_failed(struct rf_nl *nl, const char *what, int err);
int rf_target_failed(struct rf_nl *nl, const struct rf_target *t, const char *what, int err);
int rf_take_dir(const char *word, uint32_t *dir);

/* lease.c: run a command of the user, with rules that end with it */
#define RF_TICK_MS	100
int rf_run_command(char **argv, void (*tick)(void *arg), void *arg);
void rf_report_rule(struct rf_nl *nl, const struct rf_target *t, uint32_t id);
int rf_with_command(struct rf_nl *nl, const struct rf_target *t,
		    const uint32_t *ids, size_t n, char **argv);

/* the commands, each in a file of its name */
int rf_cmd_port(int argc, char **argv);
int rf_cmd_rule(int argc, char **argv);
int rf_cmd_rule_add(int argc, char **argv);
int rf_cmd_rule_replace(int argc, char **argv);
int rf_cmd_rule_save(int argc, char **argv);
int rf_cmd_rule_help(int argc, char **argv);
int rf_cmd_short(int argc, char **argv);
int rf_cmd_stat(int argc, char **argv);
int rf_cmd_monitor(int argc, char **argv);
int rf_cmd_record(int argc, char **argv);
int rf_cmd_watch(int argc, char **argv);
int rf_cmd_fabric(int argc, char **argv);
int rf_cmd_link(int argc, char **argv);
int rf_cmd_prio(int argc, char **argv);
int rf_cmd_ecn(int argc, char **argv);
int rf_cmd_pause(int argc, char **argv);
int rf_cmd_path(int argc, char **argv);
int rf_cmd_dcqcn(int argc, char **argv);
int rf_cmd_step(int argc, char **argv);
int rf_cmd_reset(int argc, char **argv);
int rf_cmd_run(int argc, char **argv);
int rf_cmd_report(int argc, char **argv);
int rf_cmd_validate(int argc, char **argv);
int rf_cmd_cost(int argc, char **argv);
int rf_cmd_doctor(int argc, char **argv);

/* validate.c: print a note for each rule that no packet of the job can reach */
struct rf_scenario;
void rf_note_unused_faults(const struct rf_scenario *s);

/* help.c: print the overview of all commands, or the help of one command */
void rf_help_overview(const struct rf_cmd *commands);
void rf_help_command(const struct rf_cmd *c, const struct rf_cmd *verb);

/* complete.c: print the words that can follow the words of a command line */
int rf_complete(int argc, char **argv);

/* validate.c: print warnings about cases that cannot have their effect, each once */
struct rf_scenario;
void rf_warn_cases(const struct rf_scenario *s);

/* link_down.c */
int rf_link_down(int argc, char **argv);

/* batch.c: run commands from a file, one per line */
int rf_batch(const char *name, bool force,
	     int (*run)(int argc, char **argv));

/* follow.c: look up the queue pairs of an owner every 100 ms, and add rules for new queue pairs */
int rf_follow(struct rf_nl *nl, const struct rf_target *t, uint32_t dir,
	      const struct rf_rule_list *rules, char **command);

#endif
