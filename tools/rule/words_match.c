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
static int qp_take(struct rf_words *w, const struct rf_word *word, void *base)
{
	struct rf_rule_spec *spec = base;
	struct rf_match *m = &spec->match;
	const char *s = rf_words_next(w);
	char num[16];
	size_t len;

	(void)word;
	if (s && !strcmp(s, "any")) {
		spec->flags |= RDMAFAULT_RULE_FLAG_ALL;
		return 0;
	}
	m->set |= RF_MATCH_BIT(QP);
	for (; s; s = s[len] ? s + len + 1 : NULL) {
		len = strcspn(s, ",");
		if (m->qps == RDMAFAULT_QPS_MAX || len >= sizeof(num))
			return -EINVAL;
		memcpy(num, s, len);
		num[len] = '\0';
		if (rf_parse_psn(num, &m->qp[m->qps++]))
			return -EINVAL;
	}
	return m->qps ? 0 : -EINVAL;
}

static void qp_put(struct rf_text *t, const struct rf_word *word,
		   const void *base)
{
	const struct rf_rule_spec *spec = base;
	uint32_t i;

	for (i = 0; i < spec->match.qps; i++) {
		if (!i)
			rf_text_add(t, "%s %u", word->name, spec->match.qp[i]);
		else
			rf_text_join(t, ",%u", spec->match.qp[i]);
	}
}

static const struct rf_kind qps_kind = { qp_take, qp_put, 0 };

/*
 * Parse a PSN (N) or a range (N-M). With "+" (+N or +N-+M), PSNs are relative to the first
 * PSN of the flow.
 */
static int psn_take(struct rf_words *w, const struct rf_word *word, void *base)
{
	struct rf_match *m = &((struct rf_rule_spec *)base)->match;
	const char *s = rf_words_next(w), *end;
	bool rel = s && s[0] == '+';
	uint32_t *min = rel ? &m->psn_rel : &m->psn;
	char num[16];
	size_t len;

	(void)word;
	if (!s)
		return -EINVAL;
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

static void one_psn_put(struct rf_text *t, const char *sign, uint32_t min,
			bool has_max, uint32_t max)
{
	rf_text_add(t, "psn %s%u", sign, min);
	if (has_max)
		rf_text_join(t, "-%s%u", sign, max);
}

static void psn_put(struct rf_text *t, const struct rf_word *word,
		    const void *base)
{
	const struct rf_match *m = &((const struct rf_rule_spec *)base)->match;

	(void)word;
	if (RF_ASKS(m, PSN))
		one_psn_put(t, "", m->psn, RF_ASKS(m, PSN_MAX), m->psn_max);
	if (RF_ASKS(m, PSN_REL))
		one_psn_put(t, "+", m->psn_rel, RF_ASKS(m, PSN_REL_MAX),
			    m->psn_rel_max);
}

static const struct rf_kind psns_kind = { psn_take, psn_put, 0 };

/*
 * Parse a range, or -N: the Nth message from the end. This N is stored after the start and the
 * end of the range. If it is given, the third of the word's three bits in the mask is set.
 */
static int message_take(struct rf_words *w, const struct rf_word *word,
			void *base)
{
	uint32_t *end = (uint32_t *)((char *)base + word->at) + 2;
	const char *s = rf_words_peek(w);

	if (!s || s[0] != '-')
		return rf_kind_range.take(w, word, base);
	rf_words_next(w);
	*(uint64_t *)((char *)base + word->set) |= 1ull << (word->bit + 2);
	return rf_parse_u32(s + 1, end) || !*end ? -EINVAL : 0;
}

static void message_put(struct rf_text *t, const struct rf_word *word,
			const void *base)
{
	const uint32_t *at = (const uint32_t *)((const char *)base + word->at);
	uint64_t set = *(const uint64_t *)((const char *)base + word->set);

	if (set >> word->bit & 3)
		rf_kind_range.put(t, word, base);
	if (set >> (word->bit + 2) & 1)
		rf_text_add(t, "%s -%u", word->name, at[2]);
}

static const struct rf_kind messages_kind = { message_take, message_put, 3 };

/* Parse N[/MASK]. */
static int syndrome_take(struct rf_words *w, const struct rf_word *word,
			 void *base)
{
	struct rf_match *m = &((struct rf_rule_spec *)base)->match;
	const char *s = rf_words_next(w), *mask;
	char num[16];

	(void)word;
	if (!s || strlen(s) >= sizeof(num))
		return -EINVAL;
	m->set |= RF_MATCH_BIT(SYNDROME);
	mask = strchr(s, '/');
	snprintf(num, sizeof(num), "%.*s", mask ? (int)(mask - s) : 15, s);
	if (rf_parse_u32(num, &m->syndrome) || m->syndrome > 0xff)
		return -EINVAL;
	if (!mask)
		return 0;
	m->set |= RF_MATCH_BIT(SYNDROME_MASK);
	return rf_parse_u32(mask + 1, &m->syndrome_mask) ||
	       !m->syndrome_mask || m->syndrome_mask > 0xff ? -EINVAL : 0;
}

static void syndrome_put(struct rf_text *t, const struct rf_word *word,
			 const void *base)
{
	const struct rf_match *m = &((const struct rf_rule_spec *)base)->match;

	rf_text_add(t, "%s 0x%02x", word->name, m->syndrome);
	if (RF_ASKS(m, SYNDROME_MASK))
		rf_text_join(t, "/0x%02x", m->syndrome_mask);
}

static const struct rf_kind syndromes_kind = { syndrome_take, syndrome_put, 1 };

static int priority_take(struct rf_words *w, const struct rf_word *word,
			 void *base)
{
	struct rf_match *m = &((struct rf_rule_spec *)base)->match;
	const char *s = rf_words_next(w);

	(void)word;
	m->set |= RF_MATCH_BIT(PRIORITY);
	for (; s; s += 2) {
		if (s[0] < '0' || s[0] > '7' || m->priorities & 1u << (s[0] - '0'))
			return -EINVAL;
		m->priorities |= 1u << (s[0] - '0');
		if (!s[1])
			return 0;
		if (s[1] != ',')
			return -EINVAL;
	}
	return -EINVAL;
}

static void priority_put(struct rf_text *t, const struct rf_word *word,
			 const void *base)
{
	const struct rf_match *m = &((const struct rf_rule_spec *)base)->match;
	const char *sep = " ";
	int i;

	rf_text_add(t, "%s", word->name);
	for (i = 0; i < 8; i++) {
		if (!(m->priorities & 1u << i))
			continue;
		rf_text_join(t, "%s%d", sep, i);
		sep = ",";
	}
}

static const struct rf_kind priorities_kind = { priority_take, priority_put, 1 };

/* Where a match stores an address: the members, and their bits in the mask of the match */
struct addr {
	uint8_t *bytes;
	uint32_t *len, *prefix;
	uint64_t bit, prefix_bit;
};

static struct addr match_addr(const struct rf_word *word, struct rf_match *m)
{
	if (word->bit == RDMAFAULT_A_MATCH_SADDR)
		return (struct addr){
			m->saddr, &m->saddr_len, &m->saddr_prefix,
			RF_MATCH_BIT(SADDR), RF_MATCH_BIT(SADDR_PREFIX)
		};
	return (struct addr){
		m->daddr, &m->daddr_len, &m->daddr_prefix,
		RF_MATCH_BIT(DADDR), RF_MATCH_BIT(DADDR_PREFIX)
	};
}

static int parse_ip(const char *s, struct addr *a)
{
	static const uint8_t mapped[12] = { [10] = 0xff, 0xff };

	*a->len = 4;
	if (inet_pton(AF_INET, s, a->bytes) == 1)
		return 0;
	*a->len = 16;
	if (inet_pton(AF_INET6, s, a->bytes) != 1)
		return -EINVAL;
	/* Refuse IPv4-mapped addresses: they occur in GIDs, but not in packets. */
	return memcmp(a->bytes, mapped, sizeof(mapped)) ? 0 : -EINVAL;
}

/* Parse ADDRESS[/LENGTH]. */
static int addr_take(struct rf_words *w, const struct rf_word *word, void *base)
{
	struct rf_match *m = &((struct rf_rule_spec *)base)->match;
	struct addr a = match_addr(word, m);
	const char *s = rf_words_next(w);
	char ip[INET6_ADDRSTRLEN];
	size_t len;

	if (!s)
		return -EINVAL;
	len = strcspn(s, "/");
	if (len >= sizeof(ip))
		return -EINVAL;
	memcpy(ip, s, len);
	ip[len] = '\0';
	m->set |= a.bit;
	if (parse_ip(ip, &a))
		return -EINVAL;
	if (!s[len])
		return 0;
	m->set |= a.prefix_bit;
	return rf_parse_u32(s + len + 1, a.prefix) ||
	       *a.prefix > *a.len * 8 ? -EINVAL : 0;
}

static void addr_put(struct rf_text *t, const struct rf_word *word,
		     const void *base)
{
	struct rf_match m = ((const struct rf_rule_spec *)base)->match;
	struct addr a = match_addr(word, &m);
	char ip[INET6_ADDRSTRLEN] = "?";

	inet_ntop(*a.len == 4 ? AF_INET : AF_INET6, a.bytes, ip, sizeof(ip));
	rf_text_add(t, "%s %s", word->name, ip);
	if (m.set & a.prefix_bit)
		rf_text_join(t, "/%u", *a.prefix);
}

static const struct rf_kind addrs_kind = { addr_take, addr_put, 1 };

#define M(attr, member) \
	.set = RF_SPEC_AT(match.set), .bit = RDMAFAULT_A_MATCH_ ## attr, \
	.at = RF_SPEC_AT(match.member)

const struct rf_word rf_match_words[] = {
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
	  &priorities_kind, M(PRIORITY, priorities) },
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
