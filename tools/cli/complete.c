// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault __complete: print the words that can follow the words of a command line, for the
 * completion of shells. The words are those of the tables of commands, options and words, which
 * the parsers and the help also use. The shell selects the words that begin with the letters
 * before the cursor.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "kmod/rocev2/bth.h"
#include "tables.h"
#include "tools/trace/events.h"
#include "words.h"

/* The words before the cursor, without options */
struct line {
	char **word;
	int n;
};

static void offer(const char *word)
{
	puts(word);
}

static void offer_entries(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *d;

	while (dir && (d = readdir(dir)))
		if (d->d_name[0] != '.')
			offer(d->d_name);
	if (dir)
		closedir(dir);
}

static void offer_devices(void)
{
	offer_entries("/sys/class/net");
	offer_entries("/sys/class/infiniband");
}

static void offer_commands(const struct rf_cmd *cmds)
{
	for (; cmds->name; cmds++)
		offer(cmds->name);
}

/* A row that only explains, such as "DEV" or "-- COMMAND...", is no word to complete. */
static bool is_word(const char *name)
{
	return islower((unsigned char)name[0]) && !name[strspn(name, "abcdefghijklmnopqrstuvwxyz-")];
}

static void offer_words(const struct rf_key *keys)
{
	for (; keys && keys->name; keys++)
		if (is_word(keys->name))
			offer(keys->name);
}

static void offer_opcodes(void)
{
	unsigned int op;

	for (op = 0; op < 256; op++)
		if (rf_opcode(op))
			offer(rf_opcode(op)->name);
}

static void offer_prios(void)
{
	unsigned int prio;

	for (prio = 0; prio < RDMAFAULT_PRIOS; prio++)
		printf("%u\n", prio);
	offer("all");
}

/* Print the names that the value of @key can be. A value that contains a colon has none. */
static void offer_values(const struct rf_key *key)
{
	const struct rf_name *n;

	if (key->kind == &rf_kind_opcode)
		offer_opcodes();
	else if (key->kind == &rf_kind_prios)
		offer_prios();
	else if (key->kind == &rf_kind_netdevs)
		offer_entries("/sys/class/net");
	else if (key->names && !strchr(key->form ? key->form : "", ':'))
		for (n = key->names; n->name; n++)
			offer(n->name);
}

static const struct rf_key *find_rule_key(const struct rf_key *own, const char *word)
{
	const struct rf_key *key = rf_key_find(own, word);

	if (!key)
		key = rf_find_rule_word(word);
	return key ? key : rf_key_find(rf_action_words, word);
}

/* Print what can follow the words of a rule. */
static void complete_rule(const struct line *l)
{
	const struct rf_key *key = NULL, *own = NULL;
	int i;

	for (i = 0; i < l->n; i++) {
		key = find_rule_key(own, l->word[i]);
		if (!strcmp(l->word[i], "where"))
			own = NULL;
		if (key && rf_key_find(rf_action_words, key->name) == key)
			own = key->keys;
		if (key && key->form && !key->optional)
			i++;
	}
	if (key && key->form && (i > l->n || key->optional))
		offer_values(key);
	if (i > l->n)
		return;		/* The value is missing. */
	offer_words(own);
	if (own)
		offer("where");
	offer_words(rf_match_words);
	offer_words(rf_trigger_words);
	offer_words(rf_rule_words);
	offer_words(rf_action_words);
	offer("netem");
	offer("--");
}

/* Print what can follow pairs of a name and a value. */
static void complete_pairs(const struct rf_key *keys, const struct line *l)
{
	const char *last = l->n ? l->word[l->n - 1] : NULL;
	const struct rf_key *key = last ? rf_key_find(keys, last) : NULL;

	if (last && !strcmp(last, "prio"))
		offer_prios();
	else if (key && key->form)
		offer_values(key);
	else
		offer_words(keys);
}

static void complete_events(void)
{
	unsigned int kind;

	for (kind = 0; kind < RF_EVENT_KINDS; kind++)
		offer(rf_event_kind_name(kind));
	offer("rule");
}

/* Print what can follow a command, or a verb of a command, by its usage line. */
static void complete_usage(const struct rf_cmd *c, struct line l)
{
	const char *dev = strstr(c->usage, "DEV");

	if (dev && (!l.n || strstr(c->usage, "DEV..."))) {
		offer_devices();
	} else if (l.n == 1 && strstr(c->usage, "tx | rx")) {
		offer("tx");
		offer("rx");
	} else if (c->run == rf_cmd_short) {
		l.word[1] = (char *)c->name;	/* instead of the direction */
		complete_rule(&(struct line){ l.word + 1, l.n - 1 });
	} else if (strstr(c->usage, "WORD...")) {
		complete_rule(&(struct line){ l.word + 2, l.n - 2 });
	} else {
		if (l.n == 1 && strstr(c->usage, "DEV prio PRIO"))
			offer("prio");
		complete_pairs(c->words, &l);
	}
	if (c->run == rf_cmd_monitor)
		complete_events();
}

/* Is the device before the verb of pause? It is after show, and deadlock has none. */
static bool is_after_dev(const struct rf_cmd *verb)
{
	return strstr(verb->usage, "pause DEV");
}

static void offer_pause_verbs_without_dev(void)
{
	const struct rf_cmd *v;

	for (v = rf_pause_verbs; v->name; v++)
		if (!is_after_dev(v))
			offer(v->name);
}

/* In the usage line of a verb of pause, "prio PRIO" is before the verb, in brackets, or missing. */
static void offer_pause_verbs(bool after_prio)
{
	const struct rf_cmd *v;
	const char *prio;

	for (v = rf_pause_verbs; v->name; v++) {
		prio = strstr(v->usage, "DEV [ prio");
		if (prio || !strstr(v->usage, "DEV prio") == !after_prio)
			if (is_after_dev(v))
				offer(v->name);
	}
}

/* "pause" has its verb after the device and the priorities. */
static void complete_pause(const struct rf_cmd *c, const struct line *l)
{
	const struct rf_cmd *verb = NULL;
	int i;

	for (i = 0; i < l->n && !verb; i++)
		verb = rf_find_cmd(c->verbs, l->word[i]);
	if (!l->n)
		offer_pause_verbs_without_dev();
	if (!l->n || (l->n == 1 && verb && strstr(verb->usage, "DEV")))
		offer_devices();
	else if (verb)
		complete_pairs(verb->words, &(struct line){ l->word + i, l->n - i });
	else if (!strcmp(l->word[l->n - 1], "prio"))
		offer_prios();
	else
		offer_pause_verbs(l->n > 1);
	if (l->n == 1 && !verb)
		offer("prio");
}

static void complete_help(const struct line *l)
{
	const struct rf_cmd *c = l->n ? rf_find_cmd(rf_commands, l->word[0]) : NULL;

	if (!l->n)
		offer_commands(rf_commands);
	else if (l->n == 1 && c && c->verbs)
		offer_commands(c->verbs);
}

static void complete_words(const struct line *l)
{
	const struct rf_cmd *c = l->n ? rf_find_cmd(rf_commands, l->word[0]) : NULL, *verb;
	struct line rest = { l->word + 1, l->n - 1 };

	if (!l->n) {
		offer_commands(rf_commands);
	} else if (!c) {
		return;
	} else if (!strcmp(c->name, "help")) {
		complete_help(&rest);
	} else if (c->run == rf_cmd_pause) {
		complete_pause(c, &rest);
	} else if (c->verbs && !rest.n) {
		offer_commands(c->verbs);
	} else if (c->verbs) {
		verb = rf_find_cmd(c->verbs, rest.word[0]);
		if (verb)
			complete_usage(verb, (struct line){ rest.word + 1, rest.n - 1 });
	} else {
		complete_usage(c, rest);
	}
}

static void offer_options_of(const struct rf_cmd *c)
{
	const struct rf_key *key;

	for (key = c->opts; key && key->name; key++)
		printf("--%s\n", key->name);
	for (key = c->words; key && key->name; key++)
		if (!strncmp(key->name, "--", 2) && key->name[2] != ' ')
			offer(key->name);
}

static void complete_options(const struct line *l)
{
	const struct rf_cmd *c = l->n ? rf_find_cmd(rf_commands, l->word[0]) : NULL;
	const struct rf_cmd *verbs = c ? c->verbs : NULL, *verb;

	offer("--json");
	offer("--quiet");
	if (c)
		offer_options_of(c);
	verb = verbs && l->n > 1 ? rf_find_cmd(verbs, l->word[1]) : NULL;
	if (verb)
		offer_options_of(verb);
	for (; !verb && verbs && verbs->name; verbs++)
		offer_options_of(verbs);
}

/**
 * rf_complete - print the words that can follow the words of a command line
 * @argc: number of words in @argv
 * @argv: the words after "rdmafault"; the last is the one before the cursor, which can be
 *	incomplete or empty
 *
 * Return: the exit status.
 */
int rf_complete(int argc, char **argv)
{
	const char *last = argc ? argv[argc - 1] : "";
	struct line l = { argv, 0 };
	int i;

	for (i = 0; i < argc - 1; i++) {
		if (!strcmp(argv[i], "--"))
			return RF_EXIT_OK;
		if (argv[i][0] != '-')
			argv[l.n++] = argv[i];
	}
	if (!strncmp(last, "--", 2)) {
		complete_options(&l);
	} else if (last[0] == '-') {
		offer("-batch");
		offer("-force");
	} else {
		complete_words(&l);
	}
	return RF_EXIT_OK;
}
