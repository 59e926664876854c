// SPDX-License-Identifier: GPL-2.0
/*
 * Find the word for "did you mean": the known word with the fewest differences from the
 * mistyped word. A difference is a letter that is missing, extra or wrong, or a letter that
 * is swapped with the next one. A word of another tool has an answer in a table.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "key.h"
#include "text.h"

#define WORD_MAX 32
#define VALUE_MAX 32
#define DEL_ANSWER "\"rdmafault rule del\" deletes rules, \"rdmafault port del\" a port"

/*
 * Words that users of ip(8), tc(8), tc-netem(8) and ethtool(8) try first. An answer of one word is
 * another name, used where that name exists. Any other answer is the second half of an error.
 */
static const struct {
	const char *word;
	const char *answer;
} answers[] = {
	/* Verbs and objects of ip(8), tc(8) and ethtool(8) */
	{ "delete", "del" }, { "remove", "del" }, { "rm", "del" },
	{ "delete", "down" }, { "del", "down" }, { "destroy", "down" },
	{ "create", "add" }, { "insert", "add" }, { "append", "add" },
	{ "create", "up" }, { "add", "up" }, { "start", "up" },
	{ "change", "set" }, { "modify", "set" }, { "clear", "flush" }, { "dump", "show" },
	{ "stats", "stat" }, { "statistics", "stat" }, { "counters", "stat" },
	{ "latency", "delay" },
	{ "loss", "\"rdmafault drop DEV tx all probability 1%\" drops 1% of the packets" },
	{ "show", "\"rdmafault port show\" prints the ports, \"rdmafault rule show\" the rules, \"rdmafault stat\" the counters" },
	{ "list", "\"rdmafault port list\" prints the ports, \"rdmafault rule list\" the rules, \"rdmafault stat\" the counters" },
	{ "add", "\"rdmafault rule add\" adds a rule, \"rdmafault port add\" a port" },
	{ "delete", DEL_ANSWER }, { "del", DEL_ANSWER },
	{ "set", "\"rdmafault link set\", \"rdmafault prio set\" and \"rdmafault ecn set\" change settings" },
	{ "qdisc", "\"rdmafault port show\" prints the ports, \"tc qdisc show\" their qdiscs" },
	{ "dev", "write the netdev alone, for example \"rdmafault stat v1\"" },
	{ "-s", "\"rdmafault stat\" prints counters" },
	{ "-S", "\"rdmafault stat\" prints counters" },
	{ "-j", "write --json" },
	{ "-p", "write --json, and format it with jq(1)" },
	{ "-d", "write --json for all details" },
	{ "-n", "\"ip netns exec NETNS rdmafault ...\" runs a command in a network namespace" },

	/* Impairments of tc-netem(8) */
	{ "netem", "\"rdmafault rule add DEV tx netem loss 1%\" adds the rules of a netem line" },
	{ "limit", "\"rdmafault prio set DEV prio-limit 3:100p\" limits a queue" },
	{ "rate", "\"rdmafault link set DEV rate 10gbit\" limits the rate" },
	{ "gap", "write \"every 5\"" },
	{ "drop %", "write \"drop probability 1%\"" },
	{ "delay %", "write \"delay 10ms probability 1%\"" },
	{ "delay N", "write \"delay 10ms jitter 2ms\"" },
	{ "jitter %", "write \"jitter 2ms correlation 25%\"" },
	{ "corrupt %", "write \"corrupt bit probability 1%\"" },
	{ "duplicate %", "write \"duplicate probability 1%\"" },
	{ "reorder %", "write \"reorder 1 probability 25%\"" },
	{ "mark %", "write \"mark ce probability 5%\"" },
	{ "probability %", "write \"probability 1% correlation 25%\"" },

	/* Values of earlier versions */
	{ "shape bridge", "it is called star now" },
};

#define ANSWERS (sizeof(answers) / sizeof(*answers))

/**
 * rf_answer - find what to write instead of a word of another tool
 * @word: the unknown word
 *
 * Return: the second half of an error, or NULL.
 */
const char *rf_answer(const char *word)
{
	size_t i;

	for (i = 0; i < ANSWERS; i++)
		if (!strcmp(answers[i].word, word) && strchr(answers[i].answer, ' '))
			return answers[i].answer;
	return NULL;
}

/**
 * rf_answer_value - find what to write instead of a value that another tool or version has
 * @name: the word that the value follows
 * @value: the unknown value
 *
 * Return: the second half of an error, or NULL.
 */
const char *rf_answer_value(const char *name, const char *value)
{
	char text[VALUE_MAX];

	if (isdigit((unsigned char)*value))
		snprintf(text, sizeof(text), "%s %c", name,
			 value[strlen(value) - 1] == '%' ? '%' : 'N');
	else
		snprintf(text, sizeof(text), "%s %s", name, value);
	return rf_answer(text);
}

/* Return: the one of @names that is the name of a word of another tool here, or NULL. */
static const char *other_name(const char *word, const char *const *names)
{
	const char *const *name;
	size_t i;

	for (i = 0; i < ANSWERS; i++)
		for (name = names; !strcmp(answers[i].word, word) && *name; name++)
			if (!strcmp(answers[i].answer, *name))
				return *name;
	return NULL;
}

static unsigned int min3(unsigned int a, unsigned int b, unsigned int c)
{
	unsigned int m = a < b ? a : b;

	return m < c ? m : c;
}

/* rows[i % 3][j] is the distance from the first i letters of @a to the first j letters of @b. */
static unsigned int distance(const char *a, const char *b)
{
	unsigned int rows[3][WORD_MAX + 1], *row, *before, *last = rows[0];
	size_t i, j, n = strlen(b);

	for (j = 0; j <= n; j++)
		last[j] = j;
	for (i = 1; a[i - 1]; i++) {
		row = rows[i % 3];
		before = rows[(i + 1) % 3];	/* row i - 2 */
		row[0] = i;
		for (j = 1; j <= n; j++) {
			row[j] = min3(row[j - 1] + 1, last[j] + 1,
				      last[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1] && before[j - 2] + 1 < row[j])
				row[j] = before[j - 2] + 1;
		}
		last = row;
	}
	return last[n];
}

/**
 * rf_suggest - find the known word that is nearest to a mistyped word
 * @word: the mistyped word
 * @names: the known words, NULL at the end
 *
 * Return: the nearest known word; NULL if none is near, or if rf_answer() has a better answer.
 */
const char *rf_suggest(const char *word, const char *const *names)
{
	const char *found = other_name(word, names);
	unsigned int best = strlen(word) / 3 + 2, d;

	if (found || rf_answer(word) || strlen(word) > WORD_MAX)
		return found;
	for (; *names; names++) {
		if (strlen(*names) > WORD_MAX)
			continue;
		d = distance(word, *names);
		if (d >= best || d >= strlen(*names))
			continue;
		/* Suggest nothing for a short word with two or more wrong letters. */
		if (d > 1 && strlen(word) < 4 && strncmp(word, *names, strlen(word)))
			continue;
		best = d;
		found = *names;
	}
	return found;
}

/**
 * rf_key_near - find the name in a table that is nearest to an unknown name
 * @keys: the table, of at most RF_KEYS_MAX rows
 * @name: the unknown name; NULL: it is no text
 * @all: gets the names of the table, separated by commas; the caller frees it
 *
 * Return: the name, or NULL if no name is near.
 */
const char *rf_key_near(const struct rf_key *keys, const char *name, char **all)
{
	const char *names[RF_KEYS_MAX + 1];
	size_t n;

	*all = NULL;
	for (n = 0; keys[n].name && n < RF_KEYS_MAX; n++) {
		names[n] = keys[n].name;
		*all = rf_text_list(*all, names[n]);
	}
	names[n] = NULL;
	return name ? rf_suggest(name, names) : NULL;
}
