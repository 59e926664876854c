// SPDX-License-Identifier: GPL-2.0
/* rdmafault rule help: print the tables of words that the parser uses. */
#include <stdio.h>

#include "cmd.h"
#include "out.h"
#include "tables.h"

static void print_form(const char *indent, const char *name, const char *form)
{
	rf_out_text("%s%-*s %s\n", indent, form ? 14 : 0, name,
		    form ? form : "");
	rf_out_str("word", NULL, name);
	if (form)
		rf_out_str("value", NULL, form);
}

static void print_word_forms(const char *indent, const struct rf_key *w)
{
	for (; w && w->name; w++) {
		rf_out_push_object(NULL);
		print_form(indent, w->name, w->form);
		rf_out_pop();
	}
}

static void print_part(const char *key, const char *title,
		       const struct rf_key *w)
{
	rf_out_text("%s\n", title);
	rf_out_push_array(key);
	print_word_forms("  ", w);
	rf_out_pop();
}

static void print_actions(void)
{
	const struct rf_key *k;

	rf_out_text("Action: one or more, applied in this order\n");
	rf_out_push_array("actions");
	for (k = rf_action_words; k->name; k++) {
		rf_out_push_object(NULL);
		print_form("  ", k->name, k->form);
		rf_out_push_array("words");
		print_word_forms("      ", k->keys);
		rf_out_pop();
		rf_out_pop();
	}
	rf_out_pop();
	rf_out_text("  netem          a line of tc-netem(8), for example \"delay 10ms loss 1%%\"\n");
	rf_out_text("  where          end of the words of an action\n");
}

/**
 * rf_cmd_rule_help - run "rdmafault rule help"
 * @argc: number of words in @argv
 * @argv: the words of the command line; the first is "help"
 *
 * Return: the exit status.
 */
int rf_cmd_rule_help(int argc, char **argv)
{
	if (rf_check_words(rf_rule_verbs, argc, argv, "", 0))
		return RF_EXIT_USAGE;
	rf_out_begin_object();
	print_part("match", "Match: the packets; all words must match",
		   rf_match_words);
	print_part("trigger", "Trigger: the matching packets that are hit",
		   rf_trigger_words);
	print_part("rule", "Rule: owner of the queue pairs, random decisions, lifetime",
		   rf_rule_words);
	print_actions();
	rf_out_end();
	return RF_EXIT_OK;
}
