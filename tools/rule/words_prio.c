// SPDX-License-Identifier: GPL-2.0
/* Parse the words of "prio set", for the eight priorities of a port, as in dcb(8). */
#include <errno.h>
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

static void set_dscp(struct rf_queue_change *c, uint32_t dscp, uint32_t prio)
{
	c->dscp |= 1ull << dscp;
	c->conf.dscp_prio[dscp] = prio;
}

/* Parse DSCP:PRIO; the DSCP can be "all". */
static int take_dscp_prio(void *to, const char *s)
{
	size_t len = strcspn(s, ":");
	char number[8];
	uint32_t dscp, prio;

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

/* Parse PRIO:VALUE; @take parses VALUE. Set @bits in the mask of each priority in PRIO. */
static int take_prio_value(struct rf_queue_change *c, const char *s, uint64_t bits,
			   int (*take)(struct rf_prio_conf *prio, const char *value))
{
	const char *value;
	uint32_t prios, i;

	if (rf_take_prio_pair(s, &prios, &value))
		return -EINVAL;
	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		if (!(prios >> i & 1))
			continue;
		if (take(&c->conf.prio[i], value))
			return -EINVAL;
		c->prio[i] |= bits;
	}
	return 0;
}

static int tsa_of(struct rf_prio_conf *prio, const char *s)
{
	return rf_take_name(rf_tsa_names, s, &prio->tsa);
}

static int take_tsa(void *to, const char *s)
{
	return take_prio_value(to, s, RF_PRIO_BIT(TSA), tsa_of);
}

static int weight_of(struct rf_prio_conf *prio, const char *s)
{
	return rf_parse_u32(s, &prio->weight) || !prio->weight ||
	       prio->weight > 100 ? -EINVAL : 0;
}

static int take_bw(void *to, const char *s)
{
	return take_prio_value(to, s, RF_PRIO_BIT(WEIGHT), weight_of);
}

static int pfc_of(struct rf_prio_conf *prio, const char *s)
{
	return rf_take_name(pfc_names, s, &prio->pfc);
}

static int take_pfc(void *to, const char *s)
{
	return take_prio_value(to, s, RF_PRIO_BIT(PFC), pfc_of);
}

static int packets_of(struct rf_prio_conf *prio, const char *s)
{
	char number[16];
	size_t len = strlen(s);

	if (len < 2 || len > sizeof(number) || s[len - 1] != 'p')
		return -EINVAL;
	memcpy(number, s, len - 1);
	number[len - 1] = '\0';
	if (rf_parse_u32(number, &prio->limit))
		return -EINVAL;
	return prio->limit && prio->limit <= RDMAFAULT_LIMIT_MAX ? 0 : -EINVAL;
}

static int limit_of(struct rf_prio_conf *prio, const char *s)
{
	prio->limit_bytes = 0;
	if (!strcmp(s, "none"))
		return 0;
	return rf_take_bytes(s, &prio->limit_bytes) || !prio->limit_bytes ?
	       -EINVAL : 0;
}

static int take_limit(void *to, const char *s)
{
	size_t len = strlen(s);

	if (len && s[len - 1] == 'p')
		return take_prio_value(to, s, RF_PRIO_BIT(LIMIT), packets_of);
	return take_prio_value(to, s, RF_PRIO_BIT(LIMIT_BYTES), limit_of);
}

static int size_or_default(const char *s, uint64_t *v)
{
	*v = 0;
	if (!strcmp(s, "default"))
		return 0;
	return rf_take_bytes(s, v) || !*v ? -EINVAL : 0;
}

static int share_of(struct rf_prio_conf *prio, const char *s)
{
	return size_or_default(s, &prio->share);
}

static int take_share(void *to, const char *s)
{
	return take_prio_value(to, s, RF_PRIO_BIT(SHARE), share_of);
}

static int headroom_of(struct rf_prio_conf *prio, const char *s)
{
	return rf_take_bytes(s, &prio->headroom);
}

static int take_headroom(void *to, const char *s)
{
	return take_prio_value(to, s, RF_PRIO_BIT(HEADROOM), headroom_of);
}

static int xoff_of(struct rf_prio_conf *prio, const char *s)
{
	return size_or_default(s, &prio->xoff);
}

static int take_xoff(void *to, const char *s)
{
	return take_prio_value(to, s, RF_PRIO_BIT(XOFF), xoff_of);
}

static int xon_of(struct rf_prio_conf *prio, const char *s)
{
	return size_or_default(s, &prio->xon);
}

static int take_xon(void *to, const char *s)
{
	return take_prio_value(to, s, RF_PRIO_BIT(XON), xon_of);
}

#define SIZE_FORM "PRIO:SIZE, 1 byte to 1TiB, or PRIO:default; for example 3:64KiB"

const struct rf_arg rf_prio_args[] = {
	{ "dscp-prio", "DSCP:PRIO, DSCP 0 to 63 or all, PRIO 0 to 7; for example 26:3",
	  take_dscp_prio, "priority of packets with this DSCP", "DSCP / 8" },
	{ "prio-tsa", "PRIO:strict or PRIO:ets; for example 3:ets", take_tsa,
	  "send before all lower priorities, or share the rate by weight", "strict" },
	{ "prio-bw", "PRIO:N, N 1 to 100; for example 3:50", take_bw,
	  "weight among the priorities with ets", "1" },
	{ "prio-limit", "PRIO:SIZE, PRIO:Np, 1p to 100000p, or PRIO:none; for example 3:64KiB or 3:100p",
	  take_limit, "longest queue, in bytes or packets", "10000p, and none in bytes" },
	{ "prio-pfc", "PRIO:on or PRIO:off; for example 3:on", take_pfc,
	  "obey XOFF, and send it when the buffer fills", "off" },
	{ "prio-share", SIZE_FORM, take_share,
	  "largest part of the shared buffer", "the whole shared buffer" },
	{ "prio-headroom", "PRIO:SIZE, 0 to 1TiB; for example 3:64KiB",
	  take_headroom, "buffer reserved for packets that arrive after XOFF", "0" },
	{ "prio-xoff", SIZE_FORM, take_xoff,
	  "send XOFF at this use of the buffer", "the share" },
	{ "prio-xon", SIZE_FORM, take_xon,
	  "send XON at this use of the buffer", "half of prio-xoff" },
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
	return rf_args_take(rf_prio_args, argv, c, why);
}
