// SPDX-License-Identifier: GPL-2.0
/*
 * How leaf switches balance the load of their uplinks: the words of "rdmafault path set" without
 * the links. They are valid for all ports that lead to a node.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"

#define STATIC "static"

/**
 * rf_balance_parse - parse the words of a balance
 * @s: the scenario, of which only the seed is used: that of words without a seed
 * @text: the words, for example "flowlet 2ms"
 * @links: the links to choose from, with commas
 * @path: gets the path
 *
 * Return: 0, -EINVAL or -ENOMEM.
 */
int rf_balance_parse(const struct rf_scenario *s, const char *text, const char *links,
		     struct rf_path_info *path)
{
	char *argv[RF_RULE_WORDS_MAX + 3], *copy = strdup(text);
	struct rf_why why;
	bool seeded;
	int err, n;

	if (!copy)
		return -ENOMEM;
	seeded = strstr(text, "seed");
	n = rf_split_words(copy, argv, RF_RULE_WORDS_MAX);
	err = n < 1 ? -EINVAL : 0;
	if (!err) {
		argv[n++] = "links";
		argv[n++] = (char *)links;
		argv[n] = NULL;
		err = rf_path_words(argv, path, &why);
	}
	if (!err && path->conf.mode == RDMAFAULT_PATH_MODE_LIST)
		err = -EINVAL;
	if (!err && !seeded)
		path->conf.seed = s->seed;
	free(copy);
	return err;
}

static int balance_take(const struct rf_key *key, const char *text, void *base)
{
	static const struct rf_scenario unseeded;
	struct rf_path_info path;

	if (strcmp(text, STATIC) && rf_balance_parse(&unseeded, text, "l1s1,l1s2", &path))
		return -EINVAL;
	return rf_store_text(key, text, base);
}

const struct rf_kind rf_kind_balance = { .take = balance_take };

/* Return: true if the leaf switches choose a spine for each packet or flow */
bool rf_case_is_balanced(const struct rf_case *test_case)
{
	return test_case->balance && strcmp(test_case->balance, STATIC);
}

/**
 * rf_fault_converges - check whether leaf switches avoid a link after it has gone down
 * @s: the scenario
 * @test_case: the case of the fault
 * @f: the fault
 * @spine: gets the spine switch of the link, counted from 0
 *
 * Return: true if they do, after the convergence time of the case.
 */
bool rf_fault_converges(const struct rf_scenario *s, const struct rf_case *test_case,
			const struct rf_fault *f, uint32_t *spine)
{
	struct rf_fabric_link l;

	if (f->kind != RF_FAULT_LINK_DOWN || !test_case->convergence_ns ||
	    !rf_port_link(s, rf_port_number(s, f->port), &l))
		return false;
	*spine = (l.a > l.b ? l.a : l.b) - s->fabric.leaves;
	return true;
}

/*
 * A leaf switch without a balance has one link to each node, so it has no other one to use. Cases
 * without a balance do not use the convergence time of the scenario.
 */
static int check_convergence(struct rf_doc *doc, struct rf_node *node, const struct rf_scenario *s,
			     struct rf_case *test_case)
{
	bool balanced = rf_case_is_balanced(test_case);

	if (test_case->convergence_ns && !balanced)
		return rf_doc_refuse(doc, rf_doc_find(node, "convergence"),
				     "convergence: no effect, because each destination has a fixed uplink; it needs balance, for example balance: ecmp");
	if (!test_case->convergence_ns && balanced)
		test_case->convergence_ns = s->convergence_ns;
	return 0;
}

/**
 * rf_balance_check - check that leaf switches can choose, and copy the scenario's values to a case
 * @doc: the document
 * @node: the case in the file
 * @s: the scenario
 * @test_case: the case
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_balance_check(struct rf_doc *doc, struct rf_node *node, const struct rf_scenario *s,
		     struct rf_case *test_case)
{
	struct rf_node *at = rf_doc_find(test_case->balance ? node : doc->root, "balance");
	int err;

	if (!test_case->balance && s->balance) {
		test_case->balance = strdup(s->balance);
		if (!test_case->balance)
			return -ENOMEM;
	}
	err = check_convergence(doc, node, s, test_case);
	if (err || !rf_case_is_balanced(test_case))
		return err;
	if (s->fabric.shape != RF_SHAPE_LEAF_SPINE || s->fabric.spines < 2)
		return rf_doc_refuse(doc, at, "balance: no effect, because each pair of nodes has only one path; it needs shape: leaf-spine with spines: 2 or more");
	return 0;
}
