// SPDX-License-Identifier: GPL-2.0
/*
 * Rules are stored in a tree (tsearch(3)). A rule that is not in the tree is requested from
 * the module. If the module does not have it either, the tree gets an entry without a rule,
 * so that each rule is requested only once.
 */
#include <errno.h>
#include <search.h>
#include <stdbool.h>
#include <stdlib.h>

#include "capture.h"
#include "genl.h"

struct page {
	uint32_t ifindex, id;
	bool known;
	struct rf_rule_spec spec;
};

static int page_order(const void *a, const void *b)
{
	const struct page *x = a, *y = b;

	if (x->ifindex != y->ifindex)
		return x->ifindex < y->ifindex ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

/** rf_rulebook_open - make an empty cache; @nl: netlink socket for requests */
void rf_rulebook_open(struct rf_rulebook *book, struct rf_nl *nl)
{
	*book = (struct rf_rulebook){ .nl = nl };
}

/* Find or add the entry of a rule. Return: the entry, or NULL if memory is short */
static struct page *turn_to(struct rf_rulebook *book, uint32_t ifindex,
			    uint32_t id, bool *made)
{
	struct page *page = calloc(1, sizeof(*page)), **found;

	*made = false;
	if (!page)
		return NULL;
	page->ifindex = ifindex;
	page->id = id;
	found = tsearch(page, &book->root, page_order);
	*made = found && *found == page;
	if (!*made)
		free(page);
	return found ? *found : NULL;
}

static int write_down(const struct rf_rule_info *rule, void *arg)
{
	struct page *page;
	bool made;

	page = turn_to(arg, rule->ifindex, rule->id, &made);
	if (!page)
		return -ENOMEM;
	page->spec = rule->spec;
	page->known = true;
	return 0;
}

/**
 * rf_rulebook_learn - add all existing rules
 * @book: the book
 *
 * Return: 0, or -errno.
 */
int rf_rulebook_learn(struct rf_rulebook *book)
{
	return rf_nl_rule_each(book->nl, 0, write_down, book);
}

/**
 * rf_rulebook_take - add a rule from a record of the tracepoint rf_rule
 * @book: the book
 * @attrs: the netlink attributes of the rule
 * @len: their length in bytes
 *
 * Return: 0, or -errno.
 */
int rf_rulebook_take(struct rf_rulebook *book, const void *attrs, size_t len)
{
	struct rf_rule_info rule;
	int err = rf_nl_rule_parse(attrs, len, &rule);

	return err ? err : write_down(&rule, book);
}

/**
 * rf_rulebook_find - find a rule
 * @book: the book
 * @ifindex: its port
 * @id: its number
 *
 * Return: the rule; NULL if memory is short, or if the rule was deleted before the first
 * request.
 */
const struct rf_rule_spec *rf_rulebook_find(struct rf_rulebook *book,
					    uint32_t ifindex, uint32_t id)
{
	struct rf_rule_info rule;
	struct page *page;
	bool made;

	page = turn_to(book, ifindex, id, &made);
	if (!page)
		return NULL;
	if (made && !rf_nl_rule_get(book->nl, ifindex, id, &rule)) {
		page->spec = rule.spec;
		page->known = true;
	}
	return page->known ? &page->spec : NULL;
}

/** rf_rulebook_close - free the cache; the socket stays open */
void rf_rulebook_close(struct rf_rulebook *book)
{
	tdestroy(book->root, free);
	book->root = NULL;
}
