// SPDX-License-Identifier: GPL-2.0
/*
 * Print the overview of all commands, or the help of one command or verb, from the
 * table of commands and from the tables that the parsers use. Lines have at most
 * 80 columns.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "err.h"
#include "out.h"
#include "tables.h"
#include "words.h"

#define WIDTH 80
#define USAGE_COLUMN 7
#define WORD_COLUMN 18		/* column where the description of a word begins */

/*
 * Return: the length of the text up to the next possible line break. A line can be broken
 * after a word, but not within a group in brackets.
 */
static size_t unit_length(const char *s, size_t room)
{
	size_t n = 0, word = strcspn(s, " ");
	int depth = 0;

	for (; s[n] && (depth || s[n] != ' '); n++) {
		depth += s[n] == '[' || s[n] == '{';
		depth -= s[n] == ']' || s[n] == '}';
	}
	return n <= room ? n : word;
}

/*
 * Print @head, then @text. @indent: column of the first line of @text; @next: column of the
 * other lines
 */
static void wrap(const char *head, int indent, int next, const char *text)
{
	int used = indent;
	const char *gap = "";
	size_t n;

	rf_out_text("%-*s", indent, head);
	for (; *text; text += n) {
		text += strspn(text, " ");
		n = unit_length(text, WIDTH - next);
		if (used + strlen(gap) + n > WIDTH) {
			rf_out_text("\n%*s", next, "");
			used = next;
			gap = "";
		}
		rf_out_text("%s%.*s", gap, (int)n, text);
		used += strlen(gap) + n;
		gap = " ";
	}
	rf_out_text("\n");
}

static void print_usage_line(const char *head, const char *usage)
{
	char line[1024];

	snprintf(line, sizeof(line), "rdmafault %s", usage);
	rf_out_str(NULL, NULL, line);
	wrap(head, USAGE_COLUMN, USAGE_COLUMN + 4, line);
}

static void print_usages(const struct rf_cmd *c, const struct rf_cmd *verb)
{
	const struct rf_cmd *v;

	rf_out_push_array("usage");
	if (verb || !c->verbs)
		print_usage_line("Usage:", verb ? verb->usage : c->usage);
	for (v = verb ? NULL : c->verbs; v && v->name; v++)
		print_usage_line(v == c->verbs ? "Usage:" : "", v->usage);
	rf_out_pop();
}

/*
 * Print what a command does. Text output makes @help a sentence, with a capital letter and a
 * full stop. JSON output contains @help unchanged.
 */
static void print_purpose(const char *help)
{
	char text[256];

	rf_out_str("help", NULL, help);
	snprintf(text, sizeof(text), "%c%s.", toupper(help[0]), help + 1);
	rf_out_text("\n");
	wrap("", 0, 0, text);
}

/*
 * Print one row of the help: the word @name, and its meaning @text. @of: the verb or action
 * that accepts this word; NULL: the word belongs to no verb or action
 */
static void print_help_row(const char *of, const char *name, const char *text)
{
	char head[64];

	rf_out_push_object(NULL);
	if (of)
		rf_out_str("of", NULL, of);
	rf_out_str("name", NULL, name);
	rf_out_str("help", NULL, text);
	rf_out_pop();
	snprintf(head, sizeof(head), "  %s", name);
	if (strlen(head) >= WORD_COLUMN - 1) {
		rf_out_text("%s\n", head);
		head[0] = '\0';
	}
	wrap(head, WORD_COLUMN, WORD_COLUMN, text);
}

static void print_option(const char *of, const struct rf_key *o)
{
	char name[64], letter[8] = "";

	if (o->letter)
		snprintf(letter, sizeof(letter), "-%c, ", o->letter);
	snprintf(name, sizeof(name), "%s--%s%s%s", letter, o->name, o->value ? " " : "",
		 o->value ? o->value : "");
	print_help_row(of, name, o->help);
}

/*
 * Print the help of a word. The valid form of the word's value is inserted into the help text,
 * before "; default: ...".
 */
static void print_word(const char *of, const struct rf_key *w)
{
	const char *help = w->help ? w->help : "";
	size_t purpose = strcspn(help, ";");
	char text[512];

	snprintf(text, sizeof(text), "%.*s%s%s%s", (int)purpose, help,
		 *help && w->form ? ": " : "", w->form ? w->form : "", help + purpose);
	print_help_row(of, w->name, text);
}

/* Print the words and options of a command. @of: name of the verb to print as a heading, or NULL */
static void print_command_words(const struct rf_cmd *c, const char *of)
{
	const struct rf_key *own, *key, *action;

	action = c->run == rf_cmd_short ? rf_key_find(rf_action_words, c->name) : NULL;
	own = action ? action->keys : NULL;
	if (!c->opts && !c->words && !own)
		return;
	rf_out_text("\n%s%s:\n", of ? "Words of " : "Words and options", of ? of : "");
	for (key = c->opts; key && key->name; key++)
		print_option(of, key);
	if (action && action->value)
		print_help_row(of, action->value, action->help);
	for (key = c->words; key && key->name; key++)
		print_word(of, key);
	for (key = own; key && key->name; key++)
		print_word(of, key);
}

static void print_verbs(const struct rf_cmd *verbs)
{
	const struct rf_cmd *v;

	rf_out_text("\n");
	for (v = verbs; v->name; v++)
		print_help_row(NULL, v->name, v->help);
}

static void list_words(const char *head, const struct rf_key *w)
{
	char text[1024] = "";
	size_t n = 0;

	for (; w->name && n < sizeof(text); w++)
		n += snprintf(text + n, sizeof(text) - n, " %s", w->name);
	wrap(head, 12, 12, text);
}

/* Print the meanings of the words in capitals, such as DEV, in a usage line. */
static void print_legend(const char *usage)
{
	bool prio = strstr(usage, "prio PRIO");

	if (strstr(usage, "DEV") || prio)
		rf_out_text("\n");
	if (strstr(usage, "DEV"))
		rf_out_text("DEV is a netdev (v1) or an RDMA device (rxe1).\n");
	if (prio)
		rf_out_text("PRIO is a priority: %s.\n", RF_PRIOS_FORM);
	if (!strstr(usage, "WORD"))
		return;
	rf_out_text("WORD is one of these; \"rdmafault rule help\" explains them:\n");
	list_words("  match", rf_match_words);
	list_words("  trigger", rf_trigger_words);
	list_words("  rule", rf_rule_words);
}

static const char *page_of(const struct rf_cmd *c)
{
	return c->page ? c->page : "rdmafault(8)";
}

static void print_end(const struct rf_cmd *c, const char *example)
{
	if (example) {
		rf_out_text("\nExample:\n");
		rf_out_text("  rdmafault %s\n", example);
	}
	rf_out_text("\nSee %s.\n", page_of(c));
	if (example)
		rf_out_str("example", NULL, example);
	rf_out_str("see", NULL, page_of(c));
}

static void print_body(const struct rf_cmd *c, const struct rf_cmd *verb)
{
	const struct rf_cmd *v;

	rf_out_push_array("words");
	if (verb) {
		print_command_words(verb, NULL);
	} else if (c->verbs) {
		print_verbs(c->verbs);
		for (v = c->verbs; v->name; v++)
			print_command_words(v, v->name);
	} else {
		print_command_words(c, NULL);
	}
	rf_out_pop();
}

/**
 * rf_help_command - print the help of a command
 * @c: the command
 * @verb: one verb of the command; NULL: all verbs
 */
void rf_help_command(const struct rf_cmd *c, const struct rf_cmd *verb)
{
	const struct rf_cmd *of = verb ? verb : c;
	const char *usage = verb || !c->verbs ? of->usage : c->verbs[0].usage;
	const char *example = of->example ? of->example : c->example;

	rf_out_begin_object();
	print_usages(c, verb);
	print_purpose(of->help);
	print_body(c, verb);
	print_legend(usage);
	print_end(c, example);
	rf_out_end();
}

static const char *const groups[] = {
	[RF_GROUP_HOST] = "Host",
	[RF_GROUP_FAULTS] = "Faults",
	[RF_GROUP_PORTS] = "Ports, queues",
	[RF_GROUP_OBSERVING] = "Observing",
	[RF_GROUP_SCENARIOS] = "Scenarios",
};

static void print_group(const struct rf_cmd *c, enum rf_cmd_group group)
{
	const char *title = groups[group];

	for (; c->name; c++) {
		if (c->group != group)
			continue;
		rf_out_push_object(NULL);
		rf_out_str("group", NULL, groups[group]);
		rf_out_text("%-14s ", title);
		rf_out_str("command", "%-10s ", c->name);
		rf_out_str("help", "%s\n", c->help);
		rf_out_pop();
		title = "";
	}
}

/**
 * rf_help_overview - print all commands, by group
 * @commands: the table of commands
 */
void rf_help_overview(const struct rf_cmd *commands)
{
	static const enum rf_cmd_group order[] = {
		RF_GROUP_FAULTS, RF_GROUP_PORTS, RF_GROUP_OBSERVING,
		RF_GROUP_SCENARIOS, RF_GROUP_HOST,
	};
	size_t i;

	rf_out_text("Usage: rdmafault [ --json ] [ -q ] COMMAND ...\n"
		    "       rdmafault [ --json ] [ -q ] [ -force ] -batch FILE\n\n");
	rf_out_begin_array();
	for (i = 0; i < sizeof(order) / sizeof(*order); i++)
		print_group(commands, order[i]);
	rf_out_end();
	rf_out_text("\n"
		    "\"rdmafault rule help\" prints the words that select packets.\n");
}
