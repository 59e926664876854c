// SPDX-License-Identifier: GPL-2.0
/*
 * The words for properties of a rule: the seed of its random numbers, its lifetime, and the
 * owner (process or RDMA device) whose queue pairs it matches.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/random.h>

#include "tables.h"

/* Parse N or "random". For "random", choose a seed now; the rule is then printed with it. */
static int seed_take(const struct rf_key *key, const char *s, void *base)
{
	uint64_t *seed = (uint64_t *)((char *)base + key->at);

	if (rf_kind_u64.take(key, s, base))
		return -EINVAL;
	if (strcmp(s, "random"))
		return 0;
	return getrandom(seed, sizeof(*seed), 0) == sizeof(*seed) ? 0 : -EINVAL;
}

static void seed_put(const struct rf_key *key, const void *base, char *text)
{
	rf_kind_u64.put(key, base, text);
}

static const struct rf_kind seed_kind = { seed_take, seed_put, .bits = 1 };
static const struct rf_name random_names[] = { { "random", 0 }, { } };

static int pid_take(const struct rf_key *key, const char *s, void *base)
{
	return rf_kind_u32.take(key, s, base);
}

static void pid_put(const struct rf_key *key, const void *base, char *text)
{
	if (((const struct rf_rule_spec *)base)->owner.pid)
		rf_kind_u32.put(key, base, text);
}

static const struct rf_kind pid_kind = { .take = pid_take, .put = pid_put };

#define R(attr, member) \
	.set = RF_SPEC_AT(set), .bit = RDMAFAULT_A_RULE_ ## attr, .at = RF_SPEC_AT(member)
#define OWNER(member) .at = RF_SPEC_AT(owner.member)
#define FLAG(flag) .at = RF_SPEC_AT(flags), .max = RDMAFAULT_RULE_FLAG_ ## flag
#define NAME_MAX_OF(member) \
	(sizeof(((struct rf_rule_spec *)0)->owner.member) - 1)

const struct rf_key rf_rule_words[] = {
	{ "comm", "a command name, 1 to 15 characters",
	  &rf_kind_array, OWNER(comm), 0, NAME_MAX_OF(comm) },
	{ "pid", "1 to 2147483647",
	  &pid_kind, OWNER(pid), 1, INT32_MAX },
	{ "owner-dev", "an RDMA device, for example rxe1",
	  &rf_kind_array, OWNER(dev), 0, NAME_MAX_OF(dev) },
	{ "seed", "0 to 18446744073709551615, or random",
	  &seed_kind, R(SEED, seed), .names = random_names },
	{ "key", "0 to 4294967294",
	  &rf_kind_u32, R(KEY, key), 0, UINT32_MAX - 1 },
	{ "expires", "a time, for example 10s",
	  &rf_kind_time, R(EXPIRES, expires), 1, UINT64_MAX },
	{ "all", NULL, &rf_kind_flag, FLAG(ALL) },
	{ "persist", NULL, &rf_kind_flag, FLAG(PERSIST) },
	{ }
};
