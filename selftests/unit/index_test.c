// SPDX-License-Identifier: GPL-2.0
/*
 * Test the index of rules, while random rules are added and removed. The candidates that the
 * index finds for a packet must be in the order of the rules, each candidate once, and no
 * matching rule may be missing. To find the matching rules, the test compares the packet with
 * each rule.
 */
#include "../../kmod/rule/index.c"
#include "../../kmod/rule/match.c"
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>

#define RULES	3000
#define PACKETS	20000

static struct rf_match matches[RULES];
static struct rf_index_node nodes[RULES][RDMAFAULT_QPS_MAX];
static bool there[RULES];

static u32 below(u32 n)
{
	return random() % n;
}

/*
 * Make a typical match. Its fields have few different values, so that a packet matches many
 * rules.
 */
static struct rf_match random_match(void)
{
	struct rf_match m = { 0 };
	u32 i;

	if (below(3) == 0) {
		m.set |= RF_MATCH_BIT(PSN_REL);
		m.psn_rel = below(200);
	}
	if (below(4) == 0) {
		m.set |= RF_MATCH_BIT(PSN);
		m.psn = below(200);
	}
	if (below(3) == 0) {
		m.set |= RF_MATCH_BIT(QP);
		m.qps = 1 + below(RDMAFAULT_QPS_MAX);
		for (i = 0; i < m.qps; i++)
			m.qp[i] = 2 + below(100);
	}
	if (below(2) == 0 && RF_ASKS(&m, PSN_REL)) {
		m.set |= RF_MATCH_BIT(PSN_REL_MAX);
		m.psn_rel_max = below(200);
	}
	rf_match_complete(&m);
	return m;
}

static void add(struct rf_index *index, u32 rule)
{
	u32 i;

	for (i = 0; i < rf_index_nodes(&matches[rule]); i++) {
		nodes[rule][i].order = rule + 1;
		rf_index_add(index, &matches[rule], i, &nodes[rule][i]);
	}
	there[rule] = true;
}

static void del(u32 rule)
{
	u32 i;

	for (i = 0; i < rf_index_nodes(&matches[rule]); i++)
		rf_index_del(&nodes[rule][i]);
	there[rule] = false;
}

/*
 * Return: true if the candidates for a packet are in the order of the rules, each candidate
 * occurs once, and none is missing
 */
static bool search(const struct rf_index *index, const struct rf_desc *desc,
		   u32 *candidates)
{
	struct rf_index_cursor cursor;
	struct rf_index_node *node;
	bool found[RULES] = { false };
	u32 last = 0, i;

	rf_index_begin(index, desc, &cursor);
	while ((node = rf_index_next(&cursor))) {
		if (node->order <= last || !there[node->order - 1])
			return false;
		last = node->order;
		found[last - 1] = true;
		++*candidates;
	}
	for (i = 0; i < RULES; i++)
		if (there[i] && !found[i] && rf_match_true(&matches[i], desc))
			return false;
	return true;
}

static void as_brute_force_ok(u32 bits)
{
	struct rf_index *index = calloc(1, rf_index_size(bits));
	u32 i, candidates = 0, rules = 0;
	bool good = true;

	index->bits = bits;
	memset(there, 0, sizeof(there));
	for (i = 0; i < RULES; i++)
		matches[i] = random_match();
	for (i = 0; i < PACKETS; i++) {
		struct rf_desc desc = {
			.psn_rel = below(200), .psn = below(200),
			.qp = 2 + below(100), .attempt = 1,
		};
		u32 gone = below(RULES);

		if (rules < RULES)
			add(index, rules++);
		if (i % 2 && there[gone])
			del(gone);
		good &= search(index, &desc, &candidates);
	}
	ok(good, "index of %u buckets: candidates are in order, each once, none missing",
	   1u << bits);
	for (i = 0; i < RULES; i++)
		if (there[i])
			del(i);
	good = !index->general.first && !index->general.last;
	for (i = 0; i < (u32)RF_BY_NOTHING << bits; i++)
		good &= !index->bucket[i].first && !index->bucket[i].last;
	ok(good, "index of %u buckets: empty after all rules are removed", 1u << bits);
	free(index);
}

/* Ten thousand rules match one PSN each: a packet must have few candidates. */
static void few_candidates_ok(void)
{
	static struct rf_match match[10000];
	static struct rf_index_node node[10000];
	struct rf_index_cursor cursor;
	struct rf_index *index;
	u32 i, n, most = 0;

	index = calloc(1, rf_index_size(rf_index_bits(10000)));
	index->bits = rf_index_bits(10000);
	for (i = 0; i < 10000; i++) {
		match[i].set = RF_MATCH_BIT(PSN_REL);
		match[i].psn_rel = match[i].psn_rel_max = i;
		node[i].order = i + 1;
		rf_index_add(index, &match[i], 0, &node[i]);
	}
	for (i = 0; i < 20000; i++) {
		rf_index_begin(index, &(struct rf_desc){ .psn_rel = i },
			       &cursor);
		for (n = 0; rf_index_next(&cursor); n++)
			;
		most = n > most ? n : most;
	}
	ok(most == 1, "index of 10000 rules for 10000 PSNs: a packet has one candidate");
	ok(rf_index_size(index->bits) < 1 << 20, "index of 10000 rules is smaller than 1 MiB: %zu bytes",
	   rf_index_size(index->bits));
	free(index);
}

int main(void)
{
	srandom(1);
	as_brute_force_ok(4);
	as_brute_force_ok(10);
	few_candidates_ok();
	return done_testing();
}
