/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Commands of rdmafault(8). A command is a row of a table; its function gets
 * the words from its own name on and returns the exit status.
 */
#ifndef RF_CMD_H
#define RF_CMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum rf_exit {
	RF_EXIT_OK = 0,
	RF_EXIT_FAILED = 1,	/* understood, but refused or failed */
	RF_EXIT_USAGE = 2,	/* not understood */
	RF_EXIT_LOST = 3,	/* done, but events were lost */
};

struct rf_cmd {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *usage;	/* its grammar, behind "rdmafault " */
	const char *help;	/* one line */
};

extern const struct rf_cmd rf_port_verbs[];
extern const struct rf_cmd rf_rule_verbs[];
extern const struct rf_cmd rf_fabric_verbs[];
extern const struct rf_cmd rf_link_verbs[];
extern const struct rf_cmd rf_prio_verbs[];
extern const struct rf_cmd rf_ecn_verbs[];
extern const struct rf_cmd rf_pause_verbs[];

struct rf_nl;
struct rf_target;
struct rf_why;

int rf_dispatch(const struct rf_cmd *cmds, int argc, char **argv);
int rf_usage(const struct rf_cmd *cmds, const char *name);
bool rf_take_flag(int *argc, char **argv, const char *flag);
int rf_split_command(int *argc, char **argv, char ***command);
int rf_refuse_words(const struct rf_why *why);
int rf_open_module(struct rf_nl **nl);
int rf_nl_failed(struct rf_nl *nl, const char *what, int err);
#define RF_TICK_MS	100
int rf_run_command(char **argv, void (*tick)(void *arg), void *arg);
void rf_report_rule(struct rf_nl *nl, const struct rf_target *t, uint32_t id);
int rf_take_dir(const char *word, uint32_t *dir);
int rf_with_command(struct rf_nl *nl, const struct rf_target *t,
		    const uint32_t *ids, size_t n, char **argv);

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
int rf_cmd_fabric(int argc, char **argv);
int rf_cmd_link(int argc, char **argv);
int rf_cmd_prio(int argc, char **argv);
int rf_cmd_ecn(int argc, char **argv);
int rf_cmd_pause(int argc, char **argv);
int rf_cmd_reset(int argc, char **argv);
int rf_cmd_run(int argc, char **argv);
int rf_cmd_report(int argc, char **argv);
int rf_cmd_validate(int argc, char **argv);
int rf_cmd_cost(int argc, char **argv);
int rf_cmd_doctor(int argc, char **argv);

#endif
