// SPDX-License-Identifier: GPL-2.0
/*
 * Parse the command line of a fault, for example "pause v2 prio 3 storm for 2s": the words
 * after "rdmafault". A user can try a command in a shell and copy it into a scenario.
 * Settings that would outlive the case are refused.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doc.h"
#include "load.h"
#include "text.h"
#include "words.h"

/* The words of a command line, terminated by NULL */
struct line {
	char *copy;
	char *argv[RF_RULE_WORDS_MAX + 3];
	int argc;
};

static int keep_text(char **to, const char *text)
{
	free(*to);
	*to = strdup(text);
	return *to ? 0 : -ENOMEM;
}

static int check_rule_spec(const struct rf_rule_spec *spec, struct rf_why *why)
{
	if (spec->flags & RDMAFAULT_RULE_FLAG_PERSIST)
		return rf_why_refuse(why, "persist: not possible here, because the rule ends with its case");
	if (rf_owner_is_named(&spec->owner))
		return rf_why_refuse(why, "comm, pid and owner-dev: not possible here, because the job does not exist yet; match its port instead");
	return rf_validate_rule(spec, RF_MAX_HOLD, why);
}

/* Parse the conditions and actions of a rule: the words after port and direction. */
static int take_rule_words(char **argv, struct rf_fault *f, struct rf_why *why)
{
	struct rf_rule_list rules = { };
	int argc = 0, err;

	while (argv[argc])
		argc++;
	err = rf_rules_parse(argc, argv, &rules, why);
	if (!err && rules.n != 1)
		err = rf_why_refuse(why, "these words make %zu rules, but a fault is one rule; write a fault for each rule",
				    rules.n);
	if (!err) {
		f->kind = RF_FAULT_RULE;
		f->spec = rules.rule[0];
		err = check_rule_spec(&f->spec, why);
	}
	rf_rules_free(&rules);
	return err;
}

/* Parse "DEV DIRECTION WORD..."; the words are conditions and actions of a rule. */
static int rule(char **argv, struct rf_fault *f, struct rf_why *why)
{
	if (!argv[0] || !argv[1] || rf_dir_parse(argv[1], &f->dir))
		return rf_why_refuse(why, "\"%s%s%s\": expected a port and tx or rx",
				     argv[0] ? argv[0] : "",
				     argv[0] && argv[1] ? " " : "",
				     argv[0] && argv[1] ? argv[1] : "");
	if (keep_text(&f->port, argv[0]))
		return -ENOMEM;
	return take_rule_words(argv + 2, f, why);
}

static int rule_add(char **argv, struct rf_fault *f, struct rf_why *why)
{
	if (!argv[0] || strcmp(argv[0], "add"))
		return rf_why_refuse(why, "rule \"%s\": not possible here; only \"rule add\"",
				     argv[0] ? argv[0] : "");
	return rule(argv + 1, f, why);
}

/* Parse the short form of a rule: "drop DEV DIRECTION WORD...". DEV is a port. */
static int short_form(struct line *l, struct rf_fault *f, struct rf_why *why)
{
	char *action = l->argv[0];

	if (l->argc < 3)
		return rf_why_refuse(why, "%s: expected a port and tx or rx",
				     action);
	l->argv[0] = l->argv[1];
	l->argv[1] = l->argv[2];
	l->argv[2] = action;
	return rule(l->argv, f, why);
}

typedef int (*words_fn)(char **argv, struct rf_queue_change *c,
			struct rf_why *why);

/* Parse "set DEV WORD..."; DEV is a port, and the words are settings. */
static int take_set(char **argv, struct rf_fault *f, struct rf_why *why,
		    words_fn words)
{
	if (!argv[0] || strcmp(argv[0], "set") || !argv[1] || !argv[2])
		return rf_why_refuse(why, "\"%s\": expected \"set\", a port and settings",
				     argv[0] ? argv[0] : "");
	f->kind = RF_FAULT_CHANGE;
	return keep_text(&f->port, argv[1]) ? -ENOMEM :
	       words(argv + 2, &f->change, why);
}

/* Parse "set DEV WORD..." or "down DEV for TIME". */
static int link_line(char **argv, struct rf_fault *f, struct rf_why *why)
{
	if (!argv[0] || strcmp(argv[0], "down"))
		return take_set(argv, f, why, rf_link_words);
	f->kind = RF_FAULT_LINK_DOWN;
	if (!argv[1])
		return rf_why_refuse(why, "link down: expected a port and \"for TIME\"");
	return keep_text(&f->port, argv[1]) ? -ENOMEM :
	       rf_link_down_words(argv + 2, &f->down_ns, why);
}

/* Parse "set DEV WORD..." or "off DEV". */
static int dcqcn_line(char **argv, struct rf_fault *f, struct rf_why *why)
{
	if (!argv[0] || strcmp(argv[0], "off"))
		return take_set(argv, f, why, rf_dcqcn_words);
	if (!argv[1] || argv[2])
		return rf_why_refuse(why, "dcqcn off: expected a port and no further word");
	f->kind = RF_FAULT_CHANGE;
	f->change.dcqcn = RF_DCQCN_BIT(NP) | RF_DCQCN_BIT(RP);
	return keep_text(&f->port, argv[1]);
}

static int storm(char **argv, struct rf_fault *f, struct rf_why *why)
{
	int err;

	f->kind = RF_FAULT_STORM;
	f->storm.prios = f->prios;
	err = rf_storm_words(argv, &f->storm, why);
	if (!err && f->storm.flags & RDMAFAULT_STORM_FLAG_PERSIST)
		return rf_why_refuse(why, "storm: persist: not possible here, because the storm ends with its case");
	return err ? err : rf_validate_storm(&f->storm, why);
}

static int xoff(char **argv, struct rf_fault *f, struct rf_why *why)
{
	f->kind = RF_FAULT_PAUSE;
	return rf_xoff_words(argv, &f->quanta, why);
}

static int no_more(char **argv, struct rf_fault *f, struct rf_why *why,
		   enum rf_fault_kind kind)
{
	f->kind = kind;
	if (*argv)
		return rf_why_refuse(why, "\"%s\": unexpected word", *argv);
	return 0;
}

/* Parse "DEV [prio PRIO] VERB WORD..." from VERB on. VERB is xoff, xon, storm, stop or watchdog. */
static int pause_verb(char **argv, struct rf_fault *f, struct rf_why *why)
{
	const char *verb = argv[0] ? argv[0] : "";
	bool has_prios = f->prios;

	if (!strcmp(verb, "stop"))
		return no_more(argv + 1, f, why, RF_FAULT_STOP);
	if (!strcmp(verb, "watchdog") && !has_prios && argv[1]) {
		f->kind = RF_FAULT_CHANGE;
		return rf_watchdog_words(argv + 1, &f->change, why);
	}
	if (!strcmp(verb, "xoff") && has_prios)
		return xoff(argv + 1, f, why);
	if (!strcmp(verb, "xon") && has_prios)
		return no_more(argv + 1, f, why, RF_FAULT_PAUSE);
	if (!strcmp(verb, "storm") && has_prios)
		return storm(argv + 1, f, why);
	return rf_why_refuse(why, "pause \"%s\": unknown command; [prio PRIO] stop, prio PRIO { xoff | xon | storm }, watchdog WORD...",
			     verb);
}

static int pause_line(char **argv, struct rf_fault *f, struct rf_why *why)
{
	if (!argv[0] || !argv[1])
		return rf_why_refuse(why, "pause: expected a port and a command");
	if (keep_text(&f->port, argv[0]))
		return -ENOMEM;
	if (strcmp(argv[1], "prio"))
		return pause_verb(argv + 1, f, why);
	if (rf_prios_words(argv[2], &f->prios, why))
		return -EINVAL;
	return pause_verb(argv + 3, f, why);
}

static int unknown_command(const char *word, struct rf_why *why)
{
	const char *names[64] = { "rule", "link", "prio", "ecn", "dcqcn", "pause" };
	const struct rf_name *n;
	const char *near, *answer;
	size_t i = 6;

	for (n = rf_action_names; n->name && i < 63; n++)
		names[i++] = n->name;
	near = rf_suggest(word, names);
	answer = rf_answer(word);
	if (answer)
		return rf_why_refuse(why, "unknown command \"%s\"; %s", word, answer);
	if (near)
		return rf_why_refuse(why, "unknown command \"%s\"; did you mean \"%s\"?",
				     word, near);
	return rf_why_refuse(why, "unknown command \"%s\"; rule, link, prio, ecn, dcqcn, pause or an action",
			     word);
}

static int take_fault_command(struct line *l, struct rf_fault *f, struct rf_why *why)
{
	const char *word = l->argv[0];
	uint32_t action;

	if (!strcmp(word, "rule"))
		return rule_add(l->argv + 1, f, why);
	if (!strcmp(word, "link"))
		return link_line(l->argv + 1, f, why);
	if (!strcmp(word, "prio"))
		return take_set(l->argv + 1, f, why, rf_prio_words);
	if (!strcmp(word, "ecn"))
		return take_set(l->argv + 1, f, why, rf_ecn_words);
	if (!strcmp(word, "dcqcn"))
		return dcqcn_line(l->argv + 1, f, why);
	if (!strcmp(word, "pause"))
		return pause_line(l->argv + 1, f, why);
	if (!rf_name_value(rf_action_names, word, strlen(word), &action))
		return short_form(l, f, why);
	return unknown_command(word, why);
}

static int split_command(const char *text, struct line *l, struct rf_why *why)
{
	l->copy = strdup(text);
	if (!l->copy)
		return -ENOMEM;
	l->argc = rf_split_words(l->copy, l->argv, RF_RULE_WORDS_MAX);
	if (l->argc < 0)
		return rf_why_refuse(why, "too many words; up to %d",
				     RF_RULE_WORDS_MAX);
	if (!l->argc)
		return rf_why_refuse(why, "command line missing; for example drop v2 tx class write");
	/* Skip the word "rdmafault" if the whole command line was copied. */
	if (l->argc > 1 && !strcmp(l->argv[0], "rdmafault"))
		return rf_why_refuse(why, "write the command line without \"rdmafault\"");
	return 0;
}

/**
 * rf_fault_command_parse - parse the command line of a fault
 * @line: the command line, without "rdmafault"
 * @f: the fault; the caller frees f->port and f->words, also after an error
 * @why: set to the reason of an error
 *
 * Return: 0, -EINVAL or -ENOMEM.
 */
int rf_fault_command_parse(const char *line, struct rf_fault *f, struct rf_why *why)
{
	struct line l = { };
	int err = split_command(line, &l, why);

	if (!err)
		err = take_fault_command(&l, f, why);
	if (!err)
		err = keep_text(&f->words, line);
	free(l.copy);
	return err;
}
