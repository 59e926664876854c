// SPDX-License-Identifier: GPL-2.0
/* The words of a match, which select the packets of a rule. */
#include <arpa/inet.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "tables.h"
#include "units.h"

/* Parse N[,N...] or "any". */
static int qp_take(const struct rf_key *key, const char *s, void *base)
{
	struct rf_rule_spec *spec = base;
	struct rf_match *m = &spec->match;
	char num[16];
	size_t len;

	if (!strcmp(s, "any")) {
		spec->flags |= RDMAFAULT_RULE_FLAG_ALL;
		return 0;
	}
	rf_key_mark(key, base, 0);
	for (;; s += len + 1) {
		len = strcspn(s, ",");
		if (m->qps == RDMAFAULT_QPS_MAX || len >= sizeof(num))
			return -EINVAL;
		memcpy(num, s, len);
		num[len] = '\0';
		if (rf_parse_psn(num, &m->qp[m->qps++]))
			return -EINVAL;
		if (!s[len])
			return 0;
	}
}

static void qp_put(const struct rf_key *key, const void *base, char *text)
{
	const struct rf_match *m = &((const struct rf_rule_spec *)base)->match;
	uint32_t i;

	(void)key;
	for (i = 0; i < m->qps; i++)
		text += sprintf(text, "%s%u", i ? "," : "", m->qp[i]);
}

static const struct rf_kind qps_kind = { .take = qp_take, .put = qp_put };

/*
 * Parse a PSN (N) or a range (N-M). With "+" (+N or +N-+M), PSNs are relative to the first
 * PSN of the flow.
 */
static int psn_take(const struct rf_key *key, const char *s, void *base)
{
	struct rf_match *m = &((struct rf_rule_spec *)base)->match;
	bool rel = s[0] == '+';
	uint32_t *min = rel ? &m->psn_rel : &m->psn;
	const char *end;
	char num[16];
	size_t len;

	(void)key;
	m->set |= rel ? RF_MATCH_BIT(PSN_REL) : RF_MATCH_BIT(PSN);
	s += rel;
	len = strcspn(s, "-");
	end = s[len] ? s + len + 1 : NULL;
	if (len >= sizeof(num) || (end && rel != (*end == '+')))
		return -EINVAL;
	memcpy(num, s, len);
	num[len] = '\0';
	if (rf_parse_psn(num, min))
		return -EINVAL;
	if (!end)
		return 0;
	m->set |= rel ? RF_MATCH_BIT(PSN_REL_MAX) : RF_MATCH_BIT(PSN_MAX);
	return rf_parse_psn(end + rel, min + 1);
}

static int put_psn(char *text, const char *sign, uint32_t min, bool has_max, uint32_t max)
{
	if (has_max)
		return sprintf(text, "%s%u-%s%u", sign, min, sign, max);
	return sprintf(text, "%s%u", sign, min);
}

static void psn_put(const struct rf_key *key, const void *base, char *text)
{
	const struct rf_match *m = &((const struct rf_rule_spec *)base)->match;

	if (RF_ASKS(m, PSN))
		text += put_psn(text, "", m->psn, RF_ASKS(m, PSN_MAX), m->psn_max);
	if (RF_ASKS(m, PSN) && RF_ASKS(m, PSN_REL))
		text += sprintf(text, " %s ", key->name);
	if (RF_ASKS(m, PSN_REL))
		put_psn(text, "+", m->psn_rel, RF_ASKS(m, PSN_REL_MAX), m->psn_rel_max);
}

static const struct rf_kind psns_kind = { .take = psn_take, .put = psn_put };

/*
 * Parse a range, or -N: the Nth message from the end. This N is stored after the start and the
 * end of the range. If it is given, the third of the key's three bits in the mask is set.
 */
static int message_take(const struct rf_key *key, const char *s, void *base)
{
	uint32_t *end = (uint32_t *)((char *)base + key->at) + 2;

	if (s[0] != '-')
		return rf_kind_range.take(key, s, base);
	rf_key_mark(key, base, 2);
	return rf_parse_u32(s + 1, end) || !*end ? -EINVAL : 0;
}

static void message_put(const struct rf_key *key, const void *base, char *text)
{
	const uint32_t *at = (const uint32_t *)((const char *)base + key->at);
	uint64_t set = rf_key_marks(key, base);

	if (set & 3)
		rf_kind_range.put(key, base, text);
	text += strlen(text);
	if (set & 3 && set & 4)
		text += sprintf(text, " %s ", key->name);
	if (set & 4)
		sprintf(text, "-%u", at[2]);
}

static const struct rf_kind messages_kind = { message_take, message_put, .bits = 3 };

/* Parse N[/MASK]. */
static int syndrome_take(const struct rf_key *key, const char *s, void *base)
{
	struct rf_match *m = &((struct rf_rule_spec *)base)->match;
	const char *mask = strchr(s, '/');
	char num[16];

	if (strlen(s) >= sizeof(num))
		return -EINVAL;
	rf_key_mark(key, base, 0);
	snprintf(num, sizeof(num), "%.*s", mask ? (int)(mask - s) : 15, s);
	if (rf_parse_u32(num, &m->syndrome) || m->syndrome > 0xff)
		return -EINVAL;
	if (!mask)
		return 0;
	m->set |= RF_MATCH_BIT(SYNDROME_MASK);
	return rf_parse_u32(mask + 1, &m->syndrome_mask) ||
	       !m->syndrome_mask || m->syndrome_mask > 0xff ? -EINVAL : 0;
}

static void syndrome_put(const struct rf_key *key, const void *base, char *text)
{
	const struct rf_match *m = &((const struct rf_rule_spec *)base)->match;

	(void)key;
	text += sprintf(text, "0x%02x", m->syndrome);
	if (RF_ASKS(m, SYNDROME_MASK))
		sprintf(text, "/0x%02x", m->syndrome_mask);
}

static const struct rf_kind syndromes_kind = { syndrome_take, syndrome_put, .bits = 1 };

static const struct rf_name priority_names[] = {
	{ "0", 1 << 0 }, { "1", 1 << 1 }, { "2", 1 << 2 }, { "3", 1 << 3 },
	{ "4", 1 << 4 }, { "5", 1 << 5 }, { "6", 1 << 6 }, { "7", 1 << 7 },
	{ }
};

/* Where a match stores an address: the members, and their bits in the mask of the match */
struct addr {
	uint8_t *bytes;
	uint32_t *len, *prefix;
	uint64_t bit, prefix_bit;
};

static struct addr match_addr(const struct rf_key *key, struct rf_match *m)
{
	if (key->bit == RDMAFAULT_A_MATCH_SADDR)
		return (struct addr){
			m->saddr, &m->saddr_len, &m->saddr_prefix,
			RF_MATCH_BIT(SADDR), RF_MATCH_BIT(SADDR_PREFIX)
		};
	return (struct addr){
		m->daddr, &m->daddr_len, &m->daddr_prefix,
		RF_MATCH_BIT(DADDR), RF_MATCH_BIT(DADDR_PREFIX)
	};
}

/**
 * rf_addr_take - parse an IPv4 or IPv6 address
 * @s: the text
 * @bytes: gets the address
 * @len: gets its length, 4 or 16
 *
 * Return: 0, or -EINVAL.
 */
int rf_addr_take(const char *s, uint8_t bytes[16], uint32_t *len)
{
	static const uint8_t mapped[12] = { [10] = 0xff, 0xff };

	*len = 4;
	if (inet_pton(AF_INET, s, bytes) == 1)
		return 0;
	*len = 16;
	if (inet_pton(AF_INET6, s, bytes) != 1)
		return -EINVAL;
	/* Refuse IPv4-mapped addresses: they occur in GIDs, but not in packets. */
	return memcmp(bytes, mapped, sizeof(mapped)) ? 0 : -EINVAL;
}

/* Parse ADDRESS[/LENGTH]. */
static int addr_take(const struct rf_key *key, const char *s, void *base)
{
	struct rf_match *m = &((struct rf_rule_spec *)base)->match;
	struct addr a = match_addr(key, m);
	size_t len = strcspn(s, "/");
	char ip[INET6_ADDRSTRLEN];

	if (len >= sizeof(ip))
		return -EINVAL;
	memcpy(ip, s, len);
	ip[len] = '\0';
	m->set |= a.bit;
	if (rf_addr_take(ip, a.bytes, a.len))
		return -EINVAL;
	if (!s[len])
		return 0;
	m->set |= a.prefix_bit;
	return rf_parse_u32(s + len + 1, a.prefix) ||
	       *a.prefix > *a.len * 8 ? -EINVAL : 0;
}

static void addr_put(const struct rf_key *key, const void *base, char *text)
{
	struct rf_match m = ((const struct rf_rule_spec *)base)->match;
	struct addr a = match_addr(key, &m);

	if (!inet_ntop(*a.len == 4 ? AF_INET : AF_INET6, a.bytes, text, INET6_ADDRSTRLEN))
		strcpy(text, "?");
	if (m.set & a.prefix_bit)
		sprintf(text + strlen(text), "/%u", *a.prefix);
}

static const struct rf_kind addrs_kind = { addr_take, addr_put, .bits = 1 };

#define M(attr, member) \
	.set = RF_SPEC_AT(match.set), .bit = RDMAFAULT_A_MATCH_ ## attr, \
	.at = RF_SPEC_AT(match.member)

const struct rf_key rf_match_words[] = {
	{ "qp", "0 to 0xffffff, up to 32 with commas, or any",
	  &qps_kind, M(QP, qp) },
	{ "psn", "0 to 0xffffff, a range N-M, or +N: relative to the first PSN of the flow",
	  &psns_kind, M(PSN, psn) },
	{ "opcode", "a name or number, for example rc-write-middle or 0x07",
	  &rf_kind_opcode, M(OPCODE, opcode) },
	{ "class", "one or more, with commas, of send, write, read-request, read-response, atomic, ack, nak, rnr, cnp, cm",
	  &rf_kind_names, M(CLASS, classes), .names = rf_class_names },
	{ "position", "one or more, with commas, of first, middle, last, only",
	  &rf_kind_names, M(POSITION, positions), .names = rf_position_names },
	{ "cm", "one or more, with commas, of req, mra, rej, rep, rtu, dreq, drep, sidr-req, sidr-rep, lap, apr",
	  &rf_kind_names, M(CM, cms), .names = rf_cm_names },
	{ "attempt", "N, N+ or N-M, counted from 1",
	  &rf_kind_open_range, M(ATTEMPT_MIN, attempt_min), 1, UINT32_MAX },
	{ "syndrome", "0 to 0xff, or VALUE/MASK to compare only the bits of MASK",
	  &syndromes_kind, M(SYNDROME, syndrome) },
	{ "flow", "1 to 4294967295",
	  &rf_kind_u32, M(FLOW, flow), 1, UINT32_MAX },
	{ "message", "N, N+ or N-M, counted from 1, or -N from the end: -1 is the last",
	  &messages_kind, M(MESSAGE, message), 1, UINT32_MAX },
	{ "step-message", "N, N+ or N-M, counted from 1, or -N from the end: -1 is the last",
	  &messages_kind, M(STEP_MESSAGE, step_message), 1, UINT32_MAX },
	{ "packet", "N, N+ or N-M, counted from 1",
	  &rf_kind_range, M(PACKET, packet), 1, UINT32_MAX },
	{ "priority", "one or more, with commas, of 0 to 7",
	  &rf_kind_names, M(PRIORITY, priorities), .names = priority_names },
	{ "dscp", "0 to 63",
	  &rf_kind_u32, M(DSCP, dscp), 0, 63 },
	{ "ecn", "one or more, with commas, of not-ect, ect1, ect0, ce",
	  &rf_kind_names, M(ECN, ecn), .names = rf_ecn_names },
	{ "src", "an IPv4 or IPv6 address, or a prefix ADDRESS/LENGTH",
	  &addrs_kind, M(SADDR, saddr) },
	{ "dst", "an IPv4 or IPv6 address, or a prefix ADDRESS/LENGTH",
	  &addrs_kind, M(DADDR, daddr) },
	{ "sport", "0 to 65535",
	  &rf_kind_u32, M(SPORT, sport), 0, 65535 },
	{ "payload", "N, N+ or N-M, up to 65535 bytes",
	  &rf_kind_range, M(PAYLOAD, payload), 0, 65535 },
	{ "step", "N, N+ or N-M, 0 to 4294967295",
	  &rf_kind_open_range, M(STEP_MIN, step_min), 0, UINT32_MAX },
	{ }
};
