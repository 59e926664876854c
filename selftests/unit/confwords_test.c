// SPDX-License-Identifier: GPL-2.0
/*
 * Test that the settings of a port are printed as the words of commands that restore these
 * settings, and that defaults are not printed.
 */
#include <stdlib.h>
#include <string.h>

#include "said.h"
#include "tap.h"
#include "words.h"

typedef int (*words_fn)(char **argv, struct rf_queue_change *change,
			struct rf_why *why);

static const struct {
	const char *name;
	words_fn take;
} kinds[] = {
	{ "link", rf_link_words }, { "prio", rf_prio_words },
	{ "ecn", rf_ecn_words }, { "watchdog", rf_watchdog_words },
};

/* Apply one group of words, for example "link rate 1gbit". */
static bool take_group(char *group, struct rf_conf *conf)
{
	char *argv[RF_RULE_WORDS_MAX + 1] = { };
	struct rf_queue_change change = { };
	struct rf_why why;
	int n = rf_split_words(group, argv, RF_RULE_WORDS_MAX);
	size_t i;

	for (i = 0; n > 0 && i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (strcmp(argv[0], kinds[i].name))
			continue;
		if (kinds[i].take(argv + 1, &change, &why)) {
			printf("# %s: %s\n", argv[0], why.text);
			return false;
		}
		rf_conf_apply(conf, &change);
		return true;
	}
	return false;
}

static bool take(const char *words, struct rf_conf *conf)
{
	char *copy = strdup(words), *rest = copy, *group;
	bool good = true;

	rf_conf_init(conf);
	while (*words && good && (group = strsep(&rest, ";")))
		good = take_group(group, conf);
	free(copy);
	return good;
}

static void is_words(const char *given, const char *want)
{
	struct rf_conf conf, again;
	char *words;

	ok(take(given, &conf), "settings \"%s\" are accepted", given);
	words = rf_conf_words(&conf);
	ok(!strcmp(words, want), "settings \"%s\" are printed as \"%s\"", given, words);
	ok(take(words, &again) && !memcmp(&conf, &again, sizeof(conf)),
	   "printed settings \"%s\" make the same settings again", words);
	free(words);
}

static void same(const char *words)
{
	is_words(words, words);
}

int main(void)
{
	is_words("", "");
	is_words("link rate none delay 0us overhead 24", "");
	is_words("prio prio-pfc 3:off prio-limit 3:none dscp-prio 26:3", "");
	is_words("ecn prio 3 off; watchdog off", "");
	same("link rate 20mbit");
	same("link rate 1gbit delay 5us jitter 1us overhead 38 seed 7 buffer 1MiB");
	same("prio dscp-prio 26:5 prio-tsa 3:ets prio-bw 3:50 prio-limit 3:100p");
	same("prio prio-limit 0:64KiB prio-pfc 3:on prio-share 3:1MiB prio-headroom 3:64KiB prio-xoff 3:128KiB prio-xon 3:1KiB");
	same("ecn prio 3 kmin 100KiB kmax 400KiB pmax 20%");
	same("ecn prio 0 kmin 1B kmax 2B pmax 100% weight 4 phantom 1gbit ect ect1 not-ect drop");
	same("watchdog prio 3,4 detect 100ms restore 300ms poll 50ms action forward");
	same("link rate 20mbit; prio prio-pfc 3:on; ecn prio 3 kmin 0B kmax 1KiB pmax 5%; watchdog prio 3");
	return done_testing();
}
