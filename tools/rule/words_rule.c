// SPDX-License-Identifier: GPL-2.0
/*
 * The words for properties of a rule: the seed of its random numbers, its lifetime, and the
 * owner (process or RDMA device) whose queue pairs it matches.
 */
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>
#include <sys/random.h>

#include "tables.h"
#include "units.h"

/* Parse N or "random". For "random", choose a seed now; the rule is then printed with it. */
static int seed_take(struct rf_words *w, const struct rf_word *word, void *base)
{
	struct rf_rule_spec *spec = base;
	const char *s = rf_words_next(w);

	spec->set |= 1ull << word->bit;
	if (!s || strcmp(s, "random"))
		return s ? rf_parse_u64(s, &spec->seed) : -EINVAL;
	if (getrandom(&spec->seed, sizeof(spec->seed), 0) !=
	    sizeof(spec->seed))
		return rf_words_refuse(w, "seed random: the kernel returned no random number");
	return 0;
}

static void seed_put(struct rf_text *t, const struct rf_word *word,
		     const void *base)
{
	const struct rf_rule_spec *spec = base;

	rf_text_add(t, "%s %" PRIu64, word->name, spec->seed);
}

static const struct rf_kind seed_kind = { seed_take, seed_put, 1 };

/* Parse a string. Refuse the string if it is too long for the member of the struct. */
static int text_take(struct rf_words *w, const struct rf_word *word, void *base)
{
	const char *s = rf_words_next(w);

	if (!s || !*s || strlen(s) > word->max)
		return -EINVAL;
	strcpy((char *)base + word->at, s);
	return 0;
}

static void text_put(struct rf_text *t, const struct rf_word *word,
		     const void *base)
{
	const char *s = (const char *)base + word->at;

	if (*s)
		rf_text_add(t, "%s %s", word->name, s);
}

static const struct rf_kind letters_kind = { text_take, text_put, 0 };

static int pid_take(struct rf_words *w, const struct rf_word *word, void *base)
{
	struct rf_rule_spec *spec = base;
	const char *s = rf_words_next(w);

	return !s || rf_parse_u32(s, &spec->owner.pid) || !spec->owner.pid ||
	       spec->owner.pid > word->max ? -EINVAL : 0;
}

static void pid_put(struct rf_text *t, const struct rf_word *word,
		    const void *base)
{
	const struct rf_rule_spec *spec = base;

	if (spec->owner.pid)
		rf_text_add(t, "%s %u", word->name, spec->owner.pid);
}

static const struct rf_kind pid_kind = { pid_take, pid_put, 0 };

#define R(attr, member) \
	.set = RF_SPEC_AT(set), .bit = RDMAFAULT_A_RULE_ ## attr, .at = RF_SPEC_AT(member)
#define OWNER(member) .at = RF_SPEC_AT(owner.member)
#define FLAG(flag) .at = RF_SPEC_AT(flags), .max = RDMAFAULT_RULE_FLAG_ ## flag
#define NAME_MAX_OF(member) \
	(sizeof(((struct rf_rule_spec *)0)->owner.member) - 1)

const struct rf_word rf_rule_words[] = {
	{ "comm", "a command name, 1 to 15 characters",
	  &letters_kind, OWNER(comm), 0, NAME_MAX_OF(comm) },
	{ "pid", "1 to 2147483647",
	  &pid_kind, OWNER(pid), 1, INT32_MAX },
	{ "owner-dev", "an RDMA device, for example rxe1",
	  &letters_kind, OWNER(dev), 0, NAME_MAX_OF(dev) },
	{ "seed", "0 to 18446744073709551615, or random",
	  &seed_kind, R(SEED, seed) },
	{ "key", "0 to 4294967294",
	  &rf_kind_u32, R(KEY, key), 0, UINT32_MAX - 1 },
	{ "expires", "a time, for example 10s",
	  &rf_kind_time, R(EXPIRES, expires), 1, UINT64_MAX },
	{ "all", NULL, &rf_kind_flag, FLAG(ALL) },
	{ "persist", NULL, &rf_kind_flag, FLAG(PERSIST) },
	{ }
};
