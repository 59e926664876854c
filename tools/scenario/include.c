// SPDX-License-Identifier: GPL-2.0
/*
 * "include": what other files say where this one says nothing. Mappings are
 * filled up key by key, anything else is taken whole; of several files the
 * later goes before the earlier. Paths start at the file that has them.
 */
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doc.h"
#include "err.h"

#define KEYS_MAX 64			/* of a mapping that is filled up */

/* The files that we are within. */
struct within {
	const struct within *outer;
	char path[PATH_MAX];
};

static int fill(struct rf_doc *doc, struct rf_node **map,
		const struct rf_node *from, int depth);

/* A key of @from: new to @map, or a mapping in both */
static int fill_key(struct rf_doc *doc, struct rf_node *map,
		    struct rf_node *value, int depth)
{
	size_t i;

	for (i = 0; i < map->n; i++)
		if (!strcmp(map->kids[i]->key->text, value->key->text))
			break;
	if (i == map->n)
		map->kids[map->n++] = value;
	else if (depth && map->kids[i]->kind == RF_NODE_MAP &&
		 value->kind == RF_NODE_MAP)
		return fill(doc, &map->kids[i], value, depth - 1);
	return 0;
}

static bool has_keys(const struct rf_node *map)
{
	size_t i;

	if (map->kind != RF_NODE_MAP || map->n > KEYS_MAX)
		return false;
	for (i = 0; i < map->n; i++)
		if (!rf_doc_text(map->kids[i]->key))
			return false;
	return true;
}

/* Replaces *@map by a copy with more in it. */
static int fill(struct rf_doc *doc, struct rf_node **map,
		const struct rf_node *from, int depth)
{
	struct rf_node *copy, **kids;
	size_t i;
	int err = 0;

	if (!has_keys(*map) || !has_keys(from))
		return rf_doc_refuse(doc, has_keys(from) ? *map : from,
				     "want up to %d keys and values, got %s",
				     KEYS_MAX, rf_doc_shown(from));
	copy = rf_doc_copy(doc, *map);
	kids = rf_doc_alloc(doc, ((*map)->n + from->n + 1) * sizeof(*kids));
	if (!copy || !kids)
		return -ENOMEM;
	if (copy->n)
		memcpy(kids, copy->kids, copy->n * sizeof(*kids));
	copy->kids = kids;
	for (i = 0; !err && i < from->n; i++)
		err = fill_key(doc, copy, from->kids[i], depth);
	*map = copy;
	return err;
}

static int refuse_cycle(struct rf_doc *doc, const struct rf_node *node,
			const struct within *within, const char *path)
{
	const struct within *w;

	for (w = within; w; w = w->outer)
		if (!strcmp(w->path, path))
			return rf_doc_refuse(doc, node, "include: want files that don't include one another, got \"%s\" within itself",
					     rf_doc_shown(node));
	return 0;
}

static int include_all(struct rf_doc *doc, struct rf_node **root,
		       const struct within *within);

static int include_one(struct rf_doc *doc, struct rf_node **root,
		       const struct rf_node *node, const struct within *within)
{
	char from[PATH_MAX], path[2 * PATH_MAX];
	const char *text = rf_doc_text(node);
	struct within inner = { .outer = within };
	struct rf_node *other = NULL;
	int err;

	if (!text || !text[0])
		return rf_doc_refuse(doc, node, "include: want a file or a list of files, got \"%s\"",
				     rf_doc_shown(node));
	snprintf(from, sizeof(from), "%s", node->file);
	snprintf(path, sizeof(path), "%s%s%s",
		 text[0] == '/' ? "" : dirname(from),
		 text[0] == '/' ? "" : "/", text);
	if (!realpath(path, inner.path))
		return rf_doc_refuse(doc, node, "include: %s: %s", path,
				     strerror(errno));
	err = refuse_cycle(doc, node, within, inner.path);
	if (!err)
		err = rf_doc_read(doc, path, &other);
	if (!err)
		err = include_all(doc, &other, &inner);
	return err ? err : fill(doc, root, other, 1);
}

static int include_all(struct rf_doc *doc, struct rf_node **root,
		       const struct within *within)
{
	struct rf_node *files = rf_doc_value(*root, "include");
	int err = 0;
	size_t i;

	if (!files)
		return 0;
	if (files->kind != RF_NODE_LIST)
		return include_one(doc, root, files, within);
	for (i = files->n; !err && i; i--)
		err = include_one(doc, root, files->kids[i - 1], within);
	return err;
}

/**
 * rf_doc_include - take in the files that a document includes
 * @doc: the document
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_doc_include(struct rf_doc *doc)
{
	struct within within = { };

	if (!realpath(doc->root->file, within.path))
		return -errno;
	return include_all(doc, &doc->root, &within);
}
