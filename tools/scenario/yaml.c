// SPDX-License-Identifier: GPL-2.0
/*
 * Read a YAML file with libyaml into a tree of struct rf_node. Reading stops at the
 * first syntax error, which is printed with its position.
 *
 * Tags, a second document, merge keys ("<<") and duplicate keys are refused, because
 * readers and YAML parsers disagree about their meaning.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "doc.h"
#include "err.h"

/* These limits are needed because a YAML alias can multiply nodes or contain itself. */
#define NODES_MAX	100000
#define DEPTH_MAX	32

struct reader {
	struct rf_doc *doc;
	const char *path;
	FILE *file;
	yaml_document_t yaml;
	unsigned int depth;
};

/* What libyaml says, and what was expected */
static const struct {
	const char *problem;
	const char *words;
	bool where;			/* the words go on with "in line L, column C" */
} syntax[] = {
	{ "mapping values are not allowed",
	  "unexpected \":\"; begin a key in the column of the key before it, and put a text with \": \" in quotes", false },
	{ "block sequence entries are not allowed",
	  "unexpected \"- \"; begin each item of a list on its own line", false },
	{ "did not find expected key",
	  "expected a key in the column of the mapping that begins", true },
	{ "did not find expected '-' indicator",
	  "expected \"- \", or a key two columns to the right of \"- \", in the list that begins", true },
	{ "found unexpected end of stream", "end of file in the quotes that begin", true },
	{ "could not find expected ':'", "expected \":\" after the key", true },
	{ "did not find expected ',' or '}'",
	  "expected \",\" or \"}\" in the mapping that begins", true },
	{ "did not find expected ',' or ']'",
	  "expected \",\" or \"]\" in the list that begins", true },
	{ "found character that cannot start any token",
	  "unexpected tab or special character; indent with spaces, and put a text that begins with @, ` or % in quotes", false },
	{ "did not find expected <document start>", "expected a key in column 1", false },
};

/* Print where the syntax is wrong and what was expected; for a rare error, in libyaml's words. */
static int refuse_syntax(const char *path, const yaml_parser_t *parser)
{
	const yaml_mark_t *mark = &parser->problem_mark, *begin = &parser->context_mark;
	size_t i;

	for (i = 0; i < sizeof(syntax) / sizeof(*syntax); i++)
		if (!strncmp(parser->problem, syntax[i].problem, strlen(syntax[i].problem)))
			break;
	/* In an expectation, "*" begins a word, for example rank[*].wrong. */
	if (parser->context && strstr(parser->context, "alias"))
		rf_err("%s:%zu:%zu: \"*\" begins an alias of YAML; put the expression in quotes, for example \"rank[*].wrong == 0\"",
		       path, mark->line + 1, mark->column + 1);
	else if (i == sizeof(syntax) / sizeof(*syntax))
		rf_err("%s:%zu:%zu: not valid YAML: %s", path, mark->line + 1, mark->column + 1,
		       parser->problem);
	else if (syntax[i].where)
		rf_err("%s:%zu:%zu: %s in line %zu, column %zu", path, mark->line + 1,
		       mark->column + 1, syntax[i].words, begin->line + 1, begin->column + 1);
	else
		rf_err("%s:%zu:%zu: %s", path, mark->line + 1, mark->column + 1, syntax[i].words);
	return -EINVAL;
}

static bool has_own_tag(const yaml_node_t *node)
{
	const char *tag = (const char *)node->tag;

	return strcmp(tag, YAML_STR_TAG) && strcmp(tag, YAML_SEQ_TAG) &&
	       strcmp(tag, YAML_MAP_TAG);
}

static int take_node(struct reader *r, int index, struct rf_node **to);

static int take_kids(struct reader *r, const yaml_node_t *y,
		     struct rf_node *node)
{
	const yaml_node_item_t *i = y->data.sequence.items.start;
	size_t n = y->data.sequence.items.top - i;
	int err = 0;

	node->kids = rf_doc_alloc(r->doc, n * sizeof(*node->kids) + 1);
	if (!node->kids)
		return -ENOMEM;
	for (node->n = 0; !err && node->n < n; node->n++)
		err = take_node(r, *i++, &node->kids[node->n]);
	return err;
}

static int take_pairs(struct reader *r, const yaml_node_t *y,
		      struct rf_node *node)
{
	const yaml_node_pair_t *p = y->data.mapping.pairs.start;
	size_t n = y->data.mapping.pairs.top - p;
	struct rf_node *key = NULL;
	int err = 0;

	node->kids = rf_doc_alloc(r->doc, n * sizeof(*node->kids) + 1);
	if (!node->kids)
		return -ENOMEM;
	for (; !err && node->n < n; p++) {
		err = take_node(r, p->key, &key);
		if (!err && rf_doc_text(key) &&
		    rf_doc_value(node, rf_doc_text(key)))
			err = rf_doc_refuse(r->doc, key, "key \"%s\" is used twice",
					    rf_doc_text(key));
		if (!err)
			err = take_node(r, p->value, &node->kids[node->n]);
		if (!err)
			node->kids[node->n++]->key = key;
	}
	return err;
}

static int take_scalar(struct reader *r, const yaml_node_t *y,
		       struct rf_node *node)
{
	node->text = rf_doc_print(r->doc, "%s", y->data.scalar.value);
	node->plain = y->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	return node->text ? 0 : -ENOMEM;
}

static int fill_node(struct reader *r, const yaml_node_t *y,
		     struct rf_node *node)
{
	if (has_own_tag(y))
		return rf_doc_refuse(r->doc, node, "tag \"%s\": tags are not supported",
				     (const char *)y->tag);
	if (++r->doc->nodes > NODES_MAX || r->depth > DEPTH_MAX)
		return rf_doc_refuse(r->doc, node, "more than %d values or %d levels",
				     NODES_MAX, DEPTH_MAX);
	if (y->type == YAML_SCALAR_NODE)
		return take_scalar(r, y, node);
	if (y->type == YAML_SEQUENCE_NODE)
		return take_kids(r, y, node);
	return take_pairs(r, y, node);
}

static int take_node(struct reader *r, int index, struct rf_node **to)
{
	const yaml_node_t *y = yaml_document_get_node(&r->yaml, index);
	struct rf_node *node = rf_doc_alloc(r->doc, sizeof(*node));
	int err;

	if (!node)
		return -ENOMEM;
	node->kind = y->type == YAML_SCALAR_NODE ? RF_NODE_TEXT :
		     y->type == YAML_SEQUENCE_NODE ? RF_NODE_LIST : RF_NODE_MAP;
	node->file = r->path;
	node->line = y->start_mark.line + 1;
	node->column = y->start_mark.column + 1;
	r->depth++;
	err = fill_node(r, y, node);
	r->depth--;
	*to = node;
	return err;
}

/* Refuse a second document, because it would be ignored. */
static int refuse_second(const char *path, yaml_parser_t *parser)
{
	yaml_document_t second;
	yaml_node_t *root;
	int err = 0;

	if (!yaml_parser_load(parser, &second))
		return refuse_syntax(path, parser);
	root = yaml_document_get_root_node(&second);
	if (root) {
		rf_err("%s:%zu:1: second document; a file has one scenario", path,
		       root->start_mark.line + 1);
		err = -EINVAL;
	}
	yaml_document_delete(&second);
	return err;
}

static int load_document(struct reader *r, yaml_parser_t *parser, struct rf_node **root)
{
	int err;

	if (!yaml_parser_load(parser, &r->yaml))
		return refuse_syntax(r->path, parser);
	if (!yaml_document_get_root_node(&r->yaml)) {
		rf_err("%s:1:1: file is empty", r->path);
		err = -EINVAL;
	} else {
		err = refuse_second(r->path, parser);
	}
	if (!err)
		err = take_node(r, 1, root);
	yaml_document_delete(&r->yaml);
	return err;
}

/* Called by libyaml: read the next bytes of the file, and keep them. Return: 1, or 0 on failure */
static int read_bytes(void *arg, unsigned char *buf, size_t room, size_t *n)
{
	struct reader *r = arg;
	struct rf_doc *doc = r->doc;
	char *more;

	*n = fread(buf, 1, room, r->file);
	if (ferror(r->file))
		return 0;
	more = realloc(doc->text, doc->length + *n + 1);
	if (!more)
		return 0;
	doc->text = more;
	memcpy(doc->text + doc->length, buf, *n);
	doc->length += *n;
	return 1;
}

static int read_yaml(struct rf_doc *doc, const char *path, struct rf_node **root)
{
	struct reader r = { .doc = doc, .path = rf_doc_print(doc, "%s", path) };
	yaml_parser_t parser;
	int err;

	if (!r.path)
		return -ENOMEM;
	r.file = fopen(path, "re");
	if (!r.file) {
		err = -errno;
		rf_err("%s: %s", path, strerror(-err));
		return err;
	}
	if (!yaml_parser_initialize(&parser)) {
		fclose(r.file);
		return -ENOMEM;
	}
	yaml_parser_set_input(&parser, read_bytes, &r);
	err = load_document(&r, &parser, root);
	yaml_parser_delete(&parser);
	fclose(r.file);
	return err;
}

/**
 * rf_doc_open - read a YAML file
 * @doc: the document
 * @path: the file
 *
 * Return: 0, or -errno after rf_err(); after an error, the document is closed.
 */
int rf_doc_open(struct rf_doc *doc, const char *path)
{
	int err;

	*doc = (struct rf_doc){ };
	err = read_yaml(doc, path, &doc->root);
	if (err)
		rf_doc_close(doc);
	return err;
}
