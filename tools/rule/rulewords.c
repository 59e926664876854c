// SPDX-License-Identifier: GPL-2.0
/*
 * Parse the words of a rule, one after the other, with the tables of tables.h. A word
 * can be given once, and cannot be abbreviated. ruleformat.c formats a rule as words.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tables.h"
#include "text.h"
#include "words.h"

#define TAKEN_MAX 128		/* more than the number of rows of match, trigger and rule */

/**
 * struct rf_words - state of the parser
 * @spec: the rule so far
 * @argv: the words
 * @argc: number of words
 * @at: index of the next word
 * @got: the last word that was consumed; NULL: there was none
 * @last: table row of the last word; NULL: there was none
 * @kind: table row of the last action, with the words that can follow the action; NULL: no
 *	action yet
 * @action: the last action in @spec
 * @taken: table rows of the rule's words that have been parsed
 * @ntaken: number of rows in @taken
 * @own: which words of the last action have been parsed; bit n is set for row n of
 *	@kind->keys
 * @from_step: true after "from step N"
 * @for_steps: N of "for N steps"; 0 if not given
 * @why: gets the text of an error
 */
struct rf_words {
	struct rf_rule_spec *spec;
	char **argv;
	int argc, at;
	const char *got;
	const struct rf_key *last;
	const struct rf_key *kind;
	struct rf_action *action;
	const struct rf_key *taken[TAKEN_MAX];
	int ntaken;
	uint32_t own;
	bool from_step;
	uint32_t for_steps;
	struct rf_why *why;
};

/**
 * rf_words_peek - get the next word without consuming it
 * @w: the words
 *
 * Return: the word, or NULL at the end.
 */
const char *rf_words_peek(const struct rf_words *w)
{
	return w->at < w->argc ? w->argv[w->at] : NULL;
}

/**
 * rf_words_next - consume the next word
 * @w: the words
 *
 * Return: the word, or NULL at the end.
 */
const char *rf_words_next(struct rf_words *w)
{
	w->got = rf_words_peek(w);
	if (w->got)
		w->at++;
	return w->got;
}

/**
 * rf_words_number_next - check whether the next word is a number
 * @w: the words
 *
 * Return: true if the next word starts with a digit. No keyword starts with a digit.
 */
bool rf_words_number_next(const struct rf_words *w)
{
	const char *s = rf_words_peek(w);

	return s && isdigit((unsigned char)s[0]);
}

/**
 * rf_words_from_step - record that "from step" was parsed
 * @w: the words
 */
void rf_words_from_step(struct rf_words *w)
{
	w->from_step = true;
}

/**
 * rf_words_for_steps - record that "for N steps" was parsed
 * @w: the words
 * @steps: number of steps
 */
void rf_words_for_steps(struct rf_words *w, uint32_t steps)
{
	w->for_steps = steps;
}

/**
 * rf_words_refuse - set the text of an error
 * @w: the words
 * @fmt: printf format of one line, without a newline
 *
 * Return: -EINVAL.
 */
int rf_words_refuse(struct rf_words *w, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	rf_why_vrefuse(w->why, fmt, ap);
	va_end(ap);
	return -EINVAL;
}

/**
 * rf_find_rule_word - find a word of a rule that belongs to no action
 * @name: the word
 *
 * Return: its row, or NULL.
 */
const struct rf_key *rf_find_rule_word(const char *name)
{
	const struct rf_key *word = rf_key_find(rf_match_words, name);

	if (!word)
		word = rf_key_find(rf_trigger_words, name);
	return word ? word : rf_key_find(rf_rule_words, name);
}

static int take_value(struct rf_words *w, const struct rf_key *word, void *base)
{
	const char *answer;
	int err;

	w->last = word;
	if (word->kind->take_words)
		err = word->kind->take_words(w, word, base);
	else if (word->form)
		err = rf_key_take(word, rf_words_next(w), base);
	else
		err = word->kind->take(word, NULL, base);
	if (!err)
		return 0;
	/* In tc-netem(8), a percentage follows the impairment. */
	answer = w->got && strchr(w->got, '%') && word == w->kind ?
		 rf_answer_value(word->name, w->got) : NULL;
	if (answer)
		return rf_words_refuse(w, "%s %s: invalid; %s", word->name, w->got, answer);
	return rf_key_refuse(word, w->got, w->why);
}

static int take_own_word(struct rf_words *w, const struct rf_key *word)
{
	uint32_t bit = 1u << (word - w->kind->keys);

	if (w->own & bit)
		return rf_words_refuse(w, "%s: %s: given twice",
				       w->kind->name, word->name);
	w->own |= bit;
	return take_value(w, word, w->action);
}

static int take_rule_word(struct rf_words *w, const struct rf_key *word)
{
	int i;

	for (i = 0; i < w->ntaken; i++)
		if (w->taken[i] == word)
			return rf_words_refuse(w, "%s: given twice",
					       word->name);
	w->taken[w->ntaken++] = word;
	return take_value(w, word, w->spec);
}

static int check_delay_words(struct rf_words *w, const struct rf_action *a)
{
	if (RF_ACTION_HAS(a, JITTER))
		return 0;
	if (RF_ACTION_HAS(a, JITTER_CORRELATION))
		return rf_words_refuse(w, "delay: correlation without jitter; jitter TIME correlation P");
	if (RF_ACTION_HAS(a, DISTRIBUTION))
		return rf_words_refuse(w, "delay: distribution without jitter; jitter TIME distribution NAME");
	return 0;
}

static int check_corrupt_words(struct rf_words *w, const struct rf_action *a)
{
	bool is_byte = a->unit == RDMAFAULT_UNIT_BYTE ||
		       a->unit == RDMAFAULT_UNIT_PAYLOAD;

	if (RF_ACTION_HAS(a, VALUE) && !is_byte)
		return rf_words_refuse(w, "corrupt: value without a byte to change; corrupt byte or corrupt payload");
	if (a->flags && a->unit == RDMAFAULT_UNIT_ICRC)
		return rf_words_refuse(w, "corrupt: valid-icrc cannot be combined with icrc");
	return 0;
}

/* Check the combination of the words of the last action. */
static int end_action(struct rf_words *w)
{
	const struct rf_action *a = w->kind ? w->action : NULL;

	w->kind = NULL;
	if (a && a->type == RDMAFAULT_ACTION_DELAY)
		return check_delay_words(w, a);
	if (a && a->type == RDMAFAULT_ACTION_CORRUPT)
		return check_corrupt_words(w, a);
	if (a && a->type == RDMAFAULT_ACTION_REWRITE && !(a->set & ~RF_ACTION_BIT(TYPE)))
		return rf_words_refuse(w, "rewrite: field missing; opcode, qp, psn, pkey, rkey, length, syndrome or msn");
	return 0;
}

/* Check whether the next word is the value of an action, if the value can be omitted. */
static bool has_value(const struct rf_words *w, const struct rf_key *key)
{
	struct rf_action unused;

	return !key->optional || rf_words_number_next(w) ||
	       !rf_key_take(key, rf_words_peek(w), &unused);
}

static int take_action_word(struct rf_words *w, const struct rf_key *key)
{
	if (w->spec->actions == RDMAFAULT_ACTIONS_MAX)
		return rf_words_refuse(w, "%s: too many actions; at most %d in a rule",
				       key->name, RDMAFAULT_ACTIONS_MAX);
	w->kind = key;
	w->last = key;
	w->own = 0;
	w->action = &w->spec->action[w->spec->actions++];
	w->action->set = RF_ACTION_BIT(TYPE);
	rf_name_value(rf_action_names, key->name, strlen(key->name), &w->action->type);
	return key->kind && has_value(w, key) ? take_value(w, key, w->action) : 0;
}

/* Return: the action that a word belongs to, or NULL. */
static const char *action_of(const char *name)
{
	const struct rf_key *k;

	for (k = rf_action_words; k->name; k++)
		if (rf_key_find(k->keys, name))
			return k->name;
	return NULL;
}

/* Return: the word of a match or trigger whose value can be this name, or NULL. */
static const char *word_of_value(const char *name)
{
	const struct rf_key *const tables[] = { rf_match_words, rf_trigger_words };
	const struct rf_key *k;
	uint32_t value;
	size_t i;

	for (i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		for (k = tables[i]; k->name; k++)
			if (k->names && !rf_name_value(k->names, name, strlen(name), &value))
				return k->name;
	return NULL;
}

#define KNOWN_MAX 128

static size_t add_names(const char **known, size_t n, const struct rf_key *key)
{
	for (; key->name && n < KNOWN_MAX; key++)
		known[n++] = key->name;
	return n;
}

static int refuse_word(struct rf_words *w, const char *name)
{
	const char *known[KNOWN_MAX + 1] = { }, *near, *action = action_of(name), *answer;
	size_t n = 0;

	n = add_names(known, n, rf_match_words);
	n = add_names(known, n, rf_trigger_words);
	n = add_names(known, n, rf_rule_words);
	add_names(known, n, rf_action_words);
	if (action)
		return rf_words_refuse(w, "%s: misplaced; it belongs directly after %s",
				       name, action);
	answer = w->last ? rf_answer_value(w->last->name, name) : NULL;
	near = isalpha((unsigned char)name[0]) ? word_of_value(name) : NULL;
	if (near)
		return rf_words_refuse(w, "unexpected \"%s\"; write \"%s %s\"", name, near, name);
	near = rf_suggest(name, known);
	if (!answer)
		answer = rf_answer(name);
	if (answer)
		return rf_words_refuse(w, "unexpected \"%s\"; %s", name, answer);
	if (near)
		return rf_words_refuse(w, "unknown word \"%s\"; did you mean \"%s\"?", name, near);
	return rf_words_refuse(w, "unknown word \"%s\"; \"rdmafault rule help\" lists the words of a rule",
			       name);
}

/*
 * Parse one word and its value. The words of an action directly follow the name of the
 * action. They end at "where", or at a word that the action does not have. If a word exists
 * for both the action and the rule, it is parsed as a word of the action.
 */
static int take_next(struct rf_words *w)
{
	const char *name = rf_words_next(w);
	const struct rf_key *word;

	if (w->kind) {
		word = rf_key_find(w->kind->keys, name);
		if (word)
			return take_own_word(w, word);
		if (!strcmp(name, "where"))
			return end_action(w);
	}
	if (end_action(w))
		return -EINVAL;
	word = rf_find_rule_word(name);
	if (word)
		return take_rule_word(w, word);
	word = rf_key_find(rf_action_words, name);
	if (word)
		return take_action_word(w, word);
	return refuse_word(w, name);
}

static bool was_taken(const struct rf_words *w, const char *name)
{
	int i;

	for (i = 0; i < w->ntaken; i++)
		if (!strcmp(w->taken[i]->name, name))
			return true;
	return false;
}

/* Set the last step. If the range ends at the maximum, set no last step, as for "step N+". */
static void end_steps(struct rf_match *m, uint32_t last)
{
	if (last == UINT32_MAX && m->step_min != last)
		return;
	m->step_max = last;
	m->set |= RF_MATCH_BIT(STEP_MAX);
}

/* Check the words about steps. "from step N for M steps" means steps N to N + M - 1. */
static int check_step_words(struct rf_words *w)
{
	struct rf_match *m = &w->spec->match;
	uint32_t last = UINT32_MAX;

	if (w->from_step && was_taken(w, "step"))
		return rf_words_refuse(w, "step: cannot be combined with from step");
	if (w->from_step && RF_TRIGGER_HAS(&w->spec->trigger, FOR))
		return rf_words_refuse(w, "for: a time with from step; for N steps");
	if (w->for_steps && !w->from_step)
		return rf_words_refuse(w, "for %u steps: first step missing; from step N",
				       w->for_steps);
	if (w->for_steps && w->for_steps - 1 > last - m->step_min)
		return rf_words_refuse(w, "for %u steps: out of range after step %u; steps end at 4294967295",
				       w->for_steps, m->step_min);
	if (w->for_steps)
		last = m->step_min + w->for_steps - 1;
	if (w->from_step)
		end_steps(m, last);
	return 0;
}

/*
 * Refuse a rule that would affect every packet, unless the rule has the word "all", or its
 * only action is observe.
 */
static int check_match(struct rf_words *w)
{
	const struct rf_rule_spec *spec = w->spec;
	uint32_t i;

	if (rf_owner_is_named(&spec->owner) && was_taken(w, "qp"))
		return rf_words_refuse(w, "qp: cannot be combined with comm, pid or owner-dev");
	if (spec->match.set || rf_owner_is_named(&spec->owner) ||
	    spec->flags & RDMAFAULT_RULE_FLAG_ALL)
		return 0;
	for (i = 0; i < spec->actions; i++)
		if (spec->action[i].type != RDMAFAULT_ACTION_OBSERVE)
			return rf_words_refuse(w, "match missing: the rule would %s every packet; add match words, or all",
					       rf_action_name(spec->action[i].type));
	return 0;
}

static int check_chance(struct rf_words *w)
{
	const struct rf_trigger *t = &w->spec->trigger;
	bool plain = RF_TRIGGER_HAS(t, PROBABILITY);
	bool ge = RF_TRIGGER_HAS(t, GE_P), state = RF_TRIGGER_HAS(t, STATE_P13);

	if (plain + ge + state > 1)
		return rf_words_refuse(w, "probability, gemodel and state exclude each other");
	if (RF_TRIGGER_HAS(t, CORRELATION) && !plain)
		return rf_words_refuse(w, "correlation: probability missing; probability P correlation P");
	return 0;
}

/* Check whether the words of the rule can be combined. */
static int check_combination(struct rf_words *w)
{
	if (!w->spec->actions)
		return rf_words_refuse(w, "action missing; for example drop, delay or observe");
	if (check_step_words(w) || check_match(w))
		return -EINVAL;
	return check_chance(w);
}

/**
 * rf_rule_parse - parse the words of a rule
 * @argc: number of words
 * @argv: the words
 * @spec: the rule; overwritten
 * @why: gets the text of an error, one line without a newline
 *
 * Return: 0, or -EINVAL.
 */
int rf_rule_parse(int argc, char **argv, struct rf_rule_spec *spec,
		  struct rf_why *why)
{
	struct rf_words w = {
		.spec = spec, .argc = argc, .argv = argv, .why = why,
	};

	memset(spec, 0, sizeof(*spec));
	why->text = NULL;
	while (rf_words_peek(&w))
		if (take_next(&w))
			return -EINVAL;
	if (end_action(&w))
		return -EINVAL;
	return check_combination(&w);
}

/**
 * rf_split_words - split a line into words
 * @line: the words, separated by spaces; modified
 * @argv: gets the words
 * @max: size of @argv
 *
 * Return: the number of words, or -E2BIG if there are too many.
 */
int rf_split_words(char *line, char **argv, int max)
{
	char *word;
	int argc = 0;

	while ((word = strsep(&line, " \t\r\n"))) {
		if (!*word)
			continue;
		if (argc == max)
			return -E2BIG;
		argv[argc++] = word;
	}
	return argc;
}

/**
 * rf_rule_parse_line - parse a line with the words of a rule
 * @line: the words, separated by spaces; modified
 * @spec: the rule; overwritten
 * @why: gets the text of an error, one line without a newline
 *
 * Return: 0, or -EINVAL.
 */
int rf_rule_parse_line(char *line, struct rf_rule_spec *spec,
		       struct rf_why *why)
{
	char *argv[RF_RULE_WORDS_MAX];
	int argc = rf_split_words(line, argv, RF_RULE_WORDS_MAX);

	if (argc >= 0)
		return rf_rule_parse(argc, argv, spec, why);
	return rf_why_refuse(why, "too many words; at most %d per rule",
			     RF_RULE_WORDS_MAX);
}
