// SPDX-License-Identifier: GPL-2.0
/*
 * Load mappings and lists of a scenario. A table of struct rf_key describes the keys.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doc.h"

static int refuse_key(struct rf_doc *doc, const struct rf_node *node,
		      const char *what, const struct rf_key *keys)
{
	const char *key = rf_doc_text(node), *near;
	char *all;

	near = rf_key_near(keys, key, &all);
	if (near)
		rf_doc_refuse(doc, node, "%s: unknown key \"%s\"; did you mean \"%s\"?",
			      what, key, near);
	else
		rf_doc_refuse(doc, node, "%s: unknown key \"%s\"; %s",
			      what, rf_doc_shown(node), all);
	free(all);
	return -EINVAL;
}

/* Load the value of a key. A key without a function is loaded elsewhere. */
static int take_key(struct rf_doc *doc, struct rf_node *value,
		    const char *what, const struct rf_key *keys,
		    uint32_t *seen, void *to)
{
	const char *name = rf_doc_text(value->key);
	const struct rf_key *key = name ? rf_key_find(keys, name) : NULL;

	if (!key)
		return refuse_key(doc, value->key, what, keys);
	*seen |= 1u << (key - keys);
	if (key->kind->take_node)
		return key->kind->take_node(doc, value, key, (char *)to + key->at);
	return key->kind->take ? rf_doc_scalar(doc, value, key, to) : 0;
}

static int refuse_missing(struct rf_doc *doc, struct rf_node *node,
			  const char *what, const struct rf_key *keys,
			  uint32_t seen)
{
	const struct rf_key *key;
	int err = 0;

	for (key = keys; key->name; key++)
		if (!key->optional && !(seen & 1u << (key - keys)))
			err = rf_doc_refuse(doc, node, "%s: the key \"%s\" is missing",
					    what, key->name);
	return err;
}

/**
 * rf_doc_map - load a mapping into a struct
 * @doc: the document
 * @node: the mapping
 * @what: name of the mapping in error messages
 * @keys: keys of the mapping, terminated by a row without a name
 * @to: the struct
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_doc_map(struct rf_doc *doc, struct rf_node *node, const char *what,
	       const struct rf_key *keys, void *to)
{
	uint32_t seen = 0;
	int err = 0;
	size_t i;

	if (node->kind != RF_NODE_MAP)
		return rf_doc_refuse(doc, node, "%s: expected keys with values, as {%s: ...}, got \"%s\"",
				     what, keys->name, rf_doc_shown(node));
	for (i = 0; i < node->n && rf_doc_goes_on(err); i++)
		err = rf_doc_worse(err, take_key(doc, node->kids[i], what,
						 keys, &seen, to));
	if (!rf_doc_goes_on(err))
		return err;
	return rf_doc_worse(err, refuse_missing(doc, node, what, keys, seen));
}

/**
 * rf_doc_list - load a list into an array of structs
 * @doc: the document
 * @node: the list
 * @list: the size and the parser of an entry
 * @array: address of the pointer to the new array
 * @n: number of entries; also set after an error, so that the caller can free them
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_doc_list(struct rf_doc *doc, struct rf_node *node,
		const struct rf_list *list, void *array, size_t *n)
{
	int err = 0;
	char *all;

	if (node->kind != RF_NODE_LIST || !node->n)
		return rf_doc_refuse(doc, node, "%s: expected a list, got %s", list->name,
				     node->kind == RF_NODE_LIST ?
				     "an empty one" : rf_doc_shown(node));
	all = calloc(node->n, list->size);
	if (!all)
		return -ENOMEM;
	*(void **)array = all;
	while (*n < node->n && rf_doc_goes_on(err)) {
		err = rf_doc_worse(err, list->take(doc, node->kids[*n],
						   all + *n * list->size));
		++*n;
	}
	return err;
}
