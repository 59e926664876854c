// SPDX-License-Identifier: GPL-2.0
/*
 * Reads a YAML file by libyaml and walks its mappings and lists. The first
 * thing that is wrong ends the reading, with one line that says where.
 *
 * Not a goal: YAML's own liberties. Tags, second documents, anchors that stand
 * for whole mappings by "<<" and keys given twice are refused, for a scenario
 * must mean the same to a reader and to us.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doc.h"
#include "err.h"

#define FIELDS_MAX 24

/**
 * rf_doc_refuse - say what is wrong with a node
 * @doc: the file
 * @node: the node
 * @fmt: printf format: the thing, the legal form, the value given
 *
 * Return: -EINVAL.
 */
int rf_doc_refuse(const struct rf_doc *doc, const yaml_node_t *node,
		  const char *fmt, ...)
{
	char text[768];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	rf_err("%s:%zu:%zu: %s", doc->path, node->start_mark.line + 1,
	       node->start_mark.column + 1, text);
	return -EINVAL;
}

static int refuse_syntax(const struct rf_doc *doc, const yaml_parser_t *parser)
{
	const yaml_mark_t *mark = &parser->problem_mark;

	rf_err("%s:%zu:%zu: want YAML: %s%s%s", doc->path, mark->line + 1,
	       mark->column + 1, parser->problem,
	       parser->context ? " " : "",
	       parser->context ? parser->context : "");
	return -EINVAL;
}

/* A second document would go unread. */
static int refuse_second(const struct rf_doc *doc, yaml_parser_t *parser)
{
	yaml_document_t second;
	yaml_node_t *root;
	int err = 0;

	if (!yaml_parser_load(parser, &second))
		return refuse_syntax(doc, parser);
	root = yaml_document_get_root_node(&second);
	if (root)
		err = rf_doc_refuse(doc, root, "want one document, got two");
	yaml_document_delete(&second);
	return err;
}

static int load(struct rf_doc *doc, yaml_parser_t *parser)
{
	int err;

	if (!yaml_parser_load(parser, &doc->yaml))
		return refuse_syntax(doc, parser);
	if (!rf_doc_root(doc)) {
		rf_err("%s:1:1: want a scenario, got an empty file", doc->path);
		yaml_document_delete(&doc->yaml);
		return -EINVAL;
	}
	err = refuse_second(doc, parser);
	if (err)
		yaml_document_delete(&doc->yaml);
	return err;
}

/**
 * rf_doc_open - read a file
 * @doc: the document
 * @path: the file; must outlive @doc
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_doc_open(struct rf_doc *doc, const char *path)
{
	yaml_parser_t parser;
	FILE *f;
	int err;

	doc->path = path;
	f = fopen(path, "re");
	if (!f) {
		err = -errno;
		rf_err("%s: %s", path, strerror(-err));
		return err;
	}
	if (!yaml_parser_initialize(&parser)) {
		fclose(f);
		return -ENOMEM;
	}
	yaml_parser_set_input_file(&parser, f);
	err = load(doc, &parser);
	yaml_parser_delete(&parser);
	fclose(f);
	return err;
}

/** rf_doc_close - done with a document */
void rf_doc_close(struct rf_doc *doc)
{
	yaml_document_delete(&doc->yaml);
}

/** rf_doc_root - the node that holds all others; NULL: the file is empty */
yaml_node_t *rf_doc_root(struct rf_doc *doc)
{
	return yaml_document_get_root_node(&doc->yaml);
}

/** rf_doc_text - what a scalar says; NULL: it is none */
const char *rf_doc_text(const yaml_node_t *node)
{
	if (node->type != YAML_SCALAR_NODE)
		return NULL;
	return (const char *)node->data.scalar.value;
}

/** rf_doc_is_plain - a scalar without quotes, as numbers must be */
bool rf_doc_is_plain(const yaml_node_t *node)
{
	return node->type == YAML_SCALAR_NODE &&
	       node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

static bool has_own_tag(const yaml_node_t *node)
{
	const char *tag = (const char *)node->tag;

	return strcmp(tag, YAML_STR_TAG) && strcmp(tag, YAML_SEQ_TAG) &&
	       strcmp(tag, YAML_MAP_TAG);
}

static int refuse_key(struct rf_doc *doc, const yaml_node_t *node,
		      const char *what, const struct rf_field *fields)
{
	const char *names[FIELDS_MAX + 1], *near, *key = rf_doc_text(node);
	char list[512] = "";
	size_t n, used = 0;

	for (n = 0; fields[n].name && n < FIELDS_MAX; n++) {
		names[n] = fields[n].name;
		used += snprintf(list + used, sizeof(list) - used, "%s%s",
				 n ? ", " : "", names[n]);
	}
	names[n] = NULL;
	near = key ? rf_suggest(key, names) : NULL;
	if (near)
		return rf_doc_refuse(doc, node, "%s has no key \"%s\"; did you mean \"%s\"?",
				     what, key, near);
	return rf_doc_refuse(doc, node, "%s: want a key of %s, got \"%s\"",
			     what, list, key ? key : "no word");
}

static const struct rf_field *find_field(const struct rf_field *fields,
					 const char *key)
{
	for (; fields->name; fields++)
		if (key && !strcmp(fields->name, key))
			return fields;
	return NULL;
}

static int take_pair(struct rf_doc *doc, const yaml_node_pair_t *pair,
		     const char *what, const struct rf_field *fields,
		     uint32_t *seen, void *to)
{
	yaml_node_t *key = yaml_document_get_node(&doc->yaml, pair->key);
	yaml_node_t *value = yaml_document_get_node(&doc->yaml, pair->value);
	const struct rf_field *f = find_field(fields, rf_doc_text(key));

	if (!f)
		return refuse_key(doc, key, what, fields);
	if (*seen & 1u << (f - fields))
		return rf_doc_refuse(doc, key, "%s: want %s once, got it twice",
				     what, f->name);
	if (has_own_tag(value))
		return rf_doc_refuse(doc, value, "%s: want no tag, got \"%s\"",
				     f->name, (const char *)value->tag);
	*seen |= 1u << (f - fields);
	return f->take(doc, value, f, (char *)to + f->offset);
}

static int refuse_missing(struct rf_doc *doc, yaml_node_t *node,
			  const char *what, const struct rf_field *fields,
			  uint32_t seen)
{
	const struct rf_field *f;

	for (f = fields; f->name; f++)
		if (!f->optional && !(seen & 1u << (f - fields)))
			return rf_doc_refuse(doc, node, "%s: want the key %s, got none",
					     what, f->name);
	return 0;
}

/**
 * rf_doc_map - take a mapping apart
 * @doc: the file
 * @node: the mapping
 * @what: what it describes, for messages
 * @fields: the keys it may have, ended by a row without a name
 * @to: the struct that the fields' offsets are in
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_doc_map(struct rf_doc *doc, yaml_node_t *node, const char *what,
	       const struct rf_field *fields, void *to)
{
	const yaml_node_pair_t *p;
	uint32_t seen = 0;
	int err;

	if (node->type != YAML_MAPPING_NODE)
		return rf_doc_refuse(doc, node, "%s: want keys and values, got %s%s",
				     what, rf_doc_text(node) ? "" : "a list",
				     rf_doc_text(node) ? rf_doc_text(node) : "");
	for (p = node->data.mapping.pairs.start;
	     p < node->data.mapping.pairs.top; p++) {
		err = take_pair(doc, p, what, fields, &seen, to);
		if (err)
			return err;
	}
	return refuse_missing(doc, node, what, fields, seen);
}

/**
 * rf_doc_list - take a list of structs
 * @doc: the file
 * @node: the list
 * @list: what one is
 * @array: pointer to the pointer that gets the array
 * @n: how many there are; right also after an error, so that all can be freed
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_doc_list(struct rf_doc *doc, yaml_node_t *node,
		const struct rf_list *list, void *array, size_t *n)
{
	const yaml_node_item_t *i;
	size_t want;
	char *all;
	int err;

	if (node->type != YAML_SEQUENCE_NODE ||
	    node->data.sequence.items.start == node->data.sequence.items.top)
		return rf_doc_refuse(doc, node, "%s: want a list, got %s", list->name,
				     node->type == YAML_SEQUENCE_NODE ?
				     "an empty one" : "something else");
	want = node->data.sequence.items.top - node->data.sequence.items.start;
	all = calloc(want, list->size);
	if (!all)
		return -ENOMEM;
	*(void **)array = all;
	for (i = node->data.sequence.items.start; *n < want; i++) {
		err = list->take(doc, yaml_document_get_node(&doc->yaml, *i),
				 all + (*n)++ * list->size);
		if (err)
			return err;
	}
	return 0;
}

/**
 * rf_doc_find - the value of a key, to point at in a message
 * @doc: the file
 * @map: a mapping
 * @key: the key
 *
 * Return: the value, or @map itself if it has no such key.
 */
yaml_node_t *rf_doc_find(struct rf_doc *doc, yaml_node_t *map, const char *key)
{
	const yaml_node_pair_t *p;
	const char *text;

	for (p = map->data.mapping.pairs.start;
	     p < map->data.mapping.pairs.top; p++) {
		text = rf_doc_text(yaml_document_get_node(&doc->yaml, p->key));
		if (text && !strcmp(text, key))
			return yaml_document_get_node(&doc->yaml, p->value);
	}
	return map;
}
