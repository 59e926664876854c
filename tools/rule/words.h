/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Words of the command line, of rule files and of scenarios: parse them into structs, and
 * format structs as words. tables.h declares the tables of the words of rules.
 */
#ifndef RF_WORDS_H
#define RF_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "err.h"
#include "key.h"
#include "rule.h"

/* rulenames.c: names of the values in a rule */
extern const char *const rf_miss_names[];	/* by enum rf_miss */
extern const struct rf_name rf_class_names[];
extern const struct rf_name rf_position_names[];
extern const struct rf_name rf_cm_names[];
extern const struct rf_name rf_ecn_names[];
extern const struct rf_name rf_codepoint_names[];
extern const struct rf_name rf_once_names[];
extern const struct rf_name rf_action_names[];
extern const struct rf_name rf_distribution_names[];
extern const struct rf_name rf_unit_names[];
extern const struct rf_name rf_not_ect_names[];
extern const struct rf_name rf_nak_names[];
extern const struct rf_name rf_dir_names[];

int rf_dir_parse(const char *s, uint32_t *dir);		/* tx, rx */
const char *rf_dir_name(uint32_t dir);
const char *rf_action_name(uint32_t action);

/*
 * rulewords.c, ruleformat.c: the words of a rule. They occur on the command line (after port
 * and direction), in rule files and in scenarios. Words of the match, words of the trigger,
 * and flags can have any order. The words of an action follow the name of the action.
 */

/* Size of a buffer for any rule that rf_rule_format() writes */
#define RF_RULE_TEXT_LEN 4096
/* Maximum number of words in a rule */
#define RF_RULE_WORDS_MAX 256

int rf_rule_parse(int argc, char **argv, struct rf_rule_spec *spec,
		  struct rf_why *why);
int rf_rule_parse_line(char *line, struct rf_rule_spec *spec,
		       struct rf_why *why);	/* changes @line */
int rf_split_words(char *line, char **argv, int max);	/* -E2BIG: more than @max */
bool rf_rule_draws(const struct rf_rule_spec *spec);	/* true if the rule uses random numbers */
bool rf_rule_waits_for_step(const struct rf_match *match);
char *rf_rule_format(const struct rf_rule_spec *spec, char *buf, size_t len);
char *rf_rule_show(const struct rf_rule_spec *spec, char *buf, size_t len);

/*
 * netem.c: convert a line "[WORD...] netem LINE" to rules. LINE has the syntax of
 * tc-netem(8). The optional WORDs before "netem" apply to all rules of the line.
 */
int rf_netem_parse(int argc, char **argv, int at, struct rf_rule_list *list,
		   struct rf_why *why);	/* @at: index of "netem" */

/* rulefile.c: the parser of rules and rule files */

/* After an error, these functions remove the rules that they have appended. */
int rf_rules_parse(int argc, char **argv, struct rf_rule_list *list,
		   struct rf_why *why);
int rf_rules_parse_line(char *line, struct rf_rule_list *list,
			struct rf_why *why);	/* modifies @line */
int rf_rules_read(FILE *f, const char *name, struct rf_rule_list *list);

/*
 * argwords.c: parse pairs of a name and a value, in any order, with a table of the known
 * names. The last row of a table has a NULL name. A name can have several values if each of
 * them contains a colon, for example "prio-pfc 3:on 4:on". The parsers of the command line and
 * of scenarios use the same tables. They print the error messages.
 */

#define RF_PRIOS_FORM	"0 to 7, several with commas, or all"

typedef int rf_take_fn(const struct rf_key *key, const char *text, void *to);

int rf_args_take(const struct rf_key *keys, char **argv, void *to, rf_take_fn *take,
		 struct rf_why *why);	/* 0 or -EINVAL */

int rf_take_prios(const char *s, uint32_t *prios);	/* 3, 3,4, all */
int rf_prios_words(const char *word, uint32_t *prios, struct rf_why *why);
int rf_take_prio_pair(const char *s, uint32_t *prios, const char **value);

extern const struct rf_kind rf_kind_prios;	/* priorities, a bit mask */
extern const struct rf_kind rf_kind_range;	/* N, N+ or N-M; mask: @bit for N, @bit + 1 for M */
extern const struct rf_name rf_none_names[];	/* "none" is 0 */

/*
 * words_link.c, words_prio.c, words_ecn.c, words_pause.c, words_path.c, words_dcqcn.c: parse the
 * words that follow the port in the commands link, prio, ecn, pause, path and dcqcn, and in
 * scenarios. The last word of each list is NULL.
 */
extern const struct rf_name rf_tsa_names[];
extern const struct rf_name rf_ect_names[];
extern const struct rf_name rf_guard_names[];	/* actions of the watchdog */
extern const struct rf_name rf_path_mode_names[];
extern const struct rf_name rf_path_order_names[];
extern const struct rf_name rf_cnp_scope_names[];
extern const struct rf_name rf_cnp_queue_names[];
extern const struct rf_name rf_dcqcn_order_names[];

/*
 * The words of "link set", "link down", "prio set", "ecn set", "pause", "path set" and "dcqcn
 * set". The help of these commands also uses the tables.
 */
extern const struct rf_key rf_link_args[];
extern const struct rf_key rf_link_down_args[];
extern const struct rf_key rf_prio_args[];
extern const struct rf_key rf_profile_args[];
extern const struct rf_key rf_xoff_args[];
extern const struct rf_key rf_storm_args[];
extern const struct rf_key rf_watchdog_args[];
extern const struct rf_key rf_path_args[];
extern const struct rf_key rf_path_link_args[];
extern const struct rf_key rf_dcqcn_args[];

/* Settings of a priority. Bit n of @set is set if attribute n of the settings is given. */
struct rf_prio_change {
	uint64_t set;
	struct rf_prio_conf conf;
};

extern const struct rf_kind rf_kind_limit;	/* of a queue, in bytes or packets */

extern const struct rf_kind rf_kind_netdevs;	/* names of netdevs with commas: const char * */

int rf_path_words(char **argv, struct rf_path_info *path, struct rf_why *why);
int rf_addr_take(const char *s, uint8_t bytes[16], uint32_t *len);	/* words_match.c */
int rf_link_words(char **argv, struct rf_queue_change *c, struct rf_why *why);
int rf_link_down_words(char **argv, uint64_t *ns, struct rf_why *why);
int rf_prio_words(char **argv, struct rf_queue_change *c, struct rf_why *why);
int rf_ecn_words(char **argv, struct rf_queue_change *c, struct rf_why *why);
int rf_dcqcn_words(char **argv, struct rf_queue_change *c, struct rf_why *why);
int rf_watchdog_words(char **argv, struct rf_queue_change *c,
		      struct rf_why *why);
int rf_xoff_words(char **argv, uint32_t *quanta, struct rf_why *why);
int rf_storm_words(char **argv, struct rf_storm_spec *spec, struct rf_why *why);

/*
 * confwords.c, confapply.c: format the settings of a port that are not the defaults, as on
 * the command line
 */
char *rf_conf_words(const struct rf_conf *conf);
void rf_conf_apply(struct rf_conf *conf, const struct rf_queue_change *change);

/*
 * validate.c: check rules, storms and settings with the module's code, without loading the
 * module
 */

/* Return: 0, or -EINVAL with the module's error message in @why. */
int rf_validate_rule(const struct rf_rule_spec *spec, uint64_t max_hold,
		     struct rf_why *why);
int rf_validate_storm(const struct rf_storm_spec *spec, struct rf_why *why);
int rf_validate_conf(const struct rf_conf *conf, struct rf_why *why);

#endif
