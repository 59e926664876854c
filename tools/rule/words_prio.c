// SPDX-License-Identifier: GPL-2.0
/* Parse the words of "prio set", for the eight priorities of a port, as in dcb(8). */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "units.h"
#include "words.h"

const struct rf_name rf_tsa_names[] = {
	{ "strict", RDMAFAULT_TSA_STRICT },
	{ "ets", RDMAFAULT_TSA_ETS },
	{ }
};

static const struct rf_name pfc_names[] = {
	{ "off", 0 }, { "on", 1 }, { }
};

static const struct rf_name default_names[] = { { "default", 0 }, { } };

static void set_dscp(struct rf_queue_change *c, uint32_t dscp, uint32_t prio)
{
	c->dscp |= 1ull << dscp;
	c->conf.dscp_prio[dscp] = prio;
}

/* Parse DSCP:PRIO; the DSCP can be "all". */
static int dscp_take(const struct rf_key *key, const char *s, void *to)
{
	size_t len = strcspn(s, ":");
	char number[8];
	uint32_t dscp, prio;

	(void)key;
	if (!s[len] || len >= sizeof(number) || rf_parse_u32(s + len + 1, &prio) ||
	    prio >= RDMAFAULT_PRIOS)
		return -EINVAL;
	if (len == 3 && !strncmp(s, "all", 3)) {
		for (dscp = 0; dscp < RF_DSCPS; dscp++)
			set_dscp(to, dscp, prio);
		return 0;
	}
	memcpy(number, s, len);
	number[len] = '\0';
	if (rf_parse_u32(number, &dscp) || dscp >= RF_DSCPS)
		return -EINVAL;
	set_dscp(to, dscp, prio);
	return 0;
}

static const struct rf_kind dscp_kind = { .take = dscp_take };

/* Parse a limit in packets, with the unit p, or else in bytes. */
static int limit_take(const struct rf_key *key, const char *s, void *base)
{
	struct rf_prio_change *c = base;
	size_t len = strlen(s);
	char number[16];

	if (!len || s[len - 1] != 'p')
		return rf_kind_bytes.take(key, s, base);
	if (len > sizeof(number))
		return -EINVAL;
	memcpy(number, s, len - 1);
	number[len - 1] = '\0';
	c->set |= RF_PRIO_BIT(LIMIT);
	return rf_parse_u32(number, &c->conf.limit) || !c->conf.limit ||
	       c->conf.limit > RDMAFAULT_LIMIT_MAX ? -EINVAL : 0;
}

static void limit_put(const struct rf_key *key, const void *base, char *text)
{
	rf_kind_bytes.put(key, base, text);
}

const struct rf_kind rf_kind_limit = { limit_take, limit_put, .bits = 1 };

/* Parse PRIO:VALUE, and set the value for each priority in PRIO. */
static int take_prio_value(const struct rf_key *key, const char *s, void *to)
{
	struct rf_queue_change *c = to;
	struct rf_prio_change one;
	const char *value;
	uint32_t prios, i;

	if (!s)
		return -EINVAL;
	if (key->kind == &dscp_kind)
		return rf_key_take(key, s, to);
	if (rf_take_prio_pair(s, &prios, &value))
		return -EINVAL;
	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		if (!(prios >> i & 1))
			continue;
		one = (struct rf_prio_change){ .conf = c->conf.prio[i] };
		if (rf_key_take(key, value, &one))
			return -EINVAL;
		c->conf.prio[i] = one.conf;
		c->prio[i] |= one.set;
	}
	return 0;
}

#define SIZE_FORM "PRIO:SIZE, 1 byte to 1TiB, or PRIO:default; for example 3:64KiB"
#define P(attr, member) \
	.set = offsetof(struct rf_prio_change, set), .bit = RDMAFAULT_A_PRIO_ ## attr, \
	.at = offsetof(struct rf_prio_change, conf.member)

const struct rf_key rf_prio_args[] = {
	{ "dscp-prio", "DSCP:PRIO, DSCP 0 to 63 or all, PRIO 0 to 7; for example 26:3",
	  &dscp_kind, .help = "priority of packets with this DSCP; default: DSCP / 8" },
	{ "prio-tsa", "PRIO:strict or PRIO:ets; for example 3:ets",
	  &rf_kind_name, P(TSA, tsa), .names = rf_tsa_names,
	  .help = "send before all lower priorities, or share the rate by weight; default: strict" },
	{ "prio-bw", "PRIO:N, N 1 to 100; for example 3:50",
	  &rf_kind_u32, P(WEIGHT, weight), 1, 100,
	  .help = "weight among the priorities with ets; default: 1" },
	{ "prio-limit", "PRIO:SIZE, PRIO:Np, 1p to 100000p, or PRIO:none; for example 3:64KiB or 3:100p",
	  &rf_kind_limit, P(LIMIT_BYTES, limit_bytes), 1, RDMAFAULT_BYTES_MAX, rf_none_names,
	  "longest queue, in bytes or packets; default: 10000p, and none in bytes" },
	{ "prio-pfc", "PRIO:on or PRIO:off; for example 3:on",
	  &rf_kind_name, P(PFC, pfc), .names = pfc_names,
	  .help = "obey XOFF, and send it when the buffer fills; default: off" },
	{ "prio-share", SIZE_FORM,
	  &rf_kind_bytes, P(SHARE, share), 1, RDMAFAULT_BYTES_MAX, default_names,
	  "largest part of the shared buffer; default: the whole shared buffer" },
	{ "prio-headroom", "PRIO:SIZE, 0 to 1TiB; for example 3:64KiB",
	  &rf_kind_bytes, P(HEADROOM, headroom), 0, RDMAFAULT_BYTES_MAX,
	  .help = "buffer reserved for packets that arrive after XOFF; default: 0" },
	{ "prio-xoff", SIZE_FORM,
	  &rf_kind_bytes, P(XOFF, xoff), 1, RDMAFAULT_BYTES_MAX, default_names,
	  "send XOFF at this use of the buffer; default: the share" },
	{ "prio-xon", SIZE_FORM,
	  &rf_kind_bytes, P(XON, xon), 1, RDMAFAULT_BYTES_MAX, default_names,
	  "send XON at this use of the buffer; default: half of prio-xoff" },
	{ }
};

/**
 * rf_prio_words - parse the words of "prio set"
 * @argv: the words; a NULL follows the last one
 * @c: the changed settings; gets the values of the words
 * @why: gets the text of an error
 *
 * Return: 0, or -EINVAL.
 */
int rf_prio_words(char **argv, struct rf_queue_change *c, struct rf_why *why)
{
	return rf_args_take(rf_prio_args, argv, c, take_prio_value, why);
}
