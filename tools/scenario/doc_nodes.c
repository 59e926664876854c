// SPDX-License-Identifier: GPL-2.0
/*
 * The nodes of a scenario file. All nodes are freed together with the document, so a node
 * can have several parents: if a matrix repeats a case, the repetitions share their equal
 * nodes.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doc.h"
#include "err.h"
#include "text.h"

struct rf_block {
	struct rf_block *next;
	max_align_t data[];
};

/**
 * rf_doc_alloc - allocate memory that is freed with a document
 * @doc: the document
 * @size: bytes
 *
 * Return: the memory, zeroed, or NULL.
 */
void *rf_doc_alloc(struct rf_doc *doc, size_t size)
{
	struct rf_block *b = calloc(1, sizeof(*b) + size);

	if (!b)
		return NULL;
	b->next = doc->blocks;
	doc->blocks = b;
	return b->data;
}

/*
 * Check that an error line has not been printed before. If a matrix repeats a case, the case
 * is read once for each value, and the same error can occur each time. The document keeps a
 * new @line, to compare it with later lines.
 */
static bool is_new(struct rf_doc *doc, char *line)
{
	char **more;
	size_t i;

	for (i = 0; i < doc->nprinted; i++)
		if (!strcmp(doc->printed[i], line))
			return false;
	more = reallocarray(doc->printed, doc->nprinted + 1, sizeof(*more));
	if (more) {
		doc->printed = more;
		doc->printed[doc->nprinted++] = line;
	}
	return true;
}

/** rf_doc_close - free a document and all its nodes */
void rf_doc_close(struct rf_doc *doc)
{
	struct rf_block *b, *next;

	while (doc->nprinted)
		free(doc->printed[--doc->nprinted]);
	free(doc->printed);
	free(doc->text);
	for (b = doc->blocks; b; b = next) {
		next = b->next;
		free(b);
	}
	*doc = (struct rf_doc){ };
}

/**
 * rf_doc_copy - copy a node; the copy has the same children
 * @doc: its document
 * @node: the node
 *
 * Return: the copy, whose children can be replaced, or NULL.
 */
struct rf_node *rf_doc_copy(struct rf_doc *doc, const struct rf_node *node)
{
	struct rf_node *copy = rf_doc_alloc(doc, sizeof(*copy));

	if (!copy)
		return NULL;
	*copy = *node;
	copy->kids = rf_doc_alloc(doc, (node->n + 1) * sizeof(*copy->kids));
	if (!copy->kids)
		return NULL;
	if (node->n)
		memcpy(copy->kids, node->kids, node->n * sizeof(*copy->kids));
	return copy;
}

/**
 * rf_doc_print - format a text that is freed with a document
 * @doc: the document
 * @fmt: printf format
 *
 * Return: the text, or NULL.
 */
char *rf_doc_print(struct rf_doc *doc, const char *fmt, ...)
{
	char *text, *kept = NULL;
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (len < 0)
		return NULL;
	kept = rf_doc_alloc(doc, len + 1);
	if (kept)
		memcpy(kept, text, len);
	free(text);
	return kept;
}

/**
 * rf_doc_refuse_at - print an error about a part of a node
 * @doc: the document
 * @node: the node
 * @column: bytes between the start of the node and the part
 * @text: the message, printed on one line
 *
 * Return: -EINVAL or -ENOMEM.
 */
int rf_doc_refuse_at(struct rf_doc *doc, const struct rf_node *node,
		     unsigned int column, const char *text)
{
	char *line;

	if (asprintf(&line, "%s:%u:%u: %s", node->file, node->line,
		     node->column + column, text) < 0)
		return -ENOMEM;
	if (is_new(doc, rf_text_line(line)))
		rf_err("%s", line);
	else
		free(line);
	return -EINVAL;
}

/**
 * rf_doc_refuse - print an error about a node
 * @doc: the document
 * @node: the node
 * @fmt: printf format of the message
 *
 * Return: -EINVAL.
 */
int rf_doc_refuse(struct rf_doc *doc, const struct rf_node *node,
		  const char *fmt, ...)
{
	struct rf_why why;
	va_list ap;

	va_start(ap, fmt);
	rf_why_vrefuse(&why, fmt, ap);
	va_end(ap);
	return rf_doc_refuse_at(doc, node, 0, why.text);
}

/** rf_doc_text - get the text of a scalar; NULL if the node is no scalar */
const char *rf_doc_text(const struct rf_node *node)
{
	return node->kind == RF_NODE_TEXT ? node->text : NULL;
}

/** rf_doc_is_plain - check whether the node is a scalar without quotes */
bool rf_doc_is_plain(const struct rf_node *node)
{
	return node->kind == RF_NODE_TEXT && node->plain;
}

/** rf_doc_shown - get the text that error messages show for a node */
const char *rf_doc_shown(const struct rf_node *node)
{
	if (node->kind == RF_NODE_TEXT)
		return node->text;
	return node->kind == RF_NODE_LIST ? "[...]" : "{...}";
}

/**
 * rf_doc_value - get the value of a key
 * @map: a node; only a mapping has keys
 * @key: the key
 *
 * Return: the value, or NULL.
 */
struct rf_node *rf_doc_value(const struct rf_node *map, const char *key)
{
	const char *text;
	size_t i;

	for (i = 0; map->kind == RF_NODE_MAP && i < map->n; i++) {
		text = rf_doc_text(map->kids[i]->key);
		if (text && !strcmp(text, key))
			return map->kids[i];
	}
	return NULL;
}

/**
 * rf_doc_find - get the node that gives line and column for an error about a key
 * @map: a mapping
 * @key: the key
 *
 * Return: the value of the key, or @map if it has no such key.
 */
struct rf_node *rf_doc_find(struct rf_node *map, const char *key)
{
	struct rf_node *value = rf_doc_value(map, key);

	return value ? value : map;
}
