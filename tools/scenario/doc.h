/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The file of a scenario as a tree of nodes with their line and column, and the functions
 * that copy nodes into the members of a struct. A table of struct rf_key describes the
 * keys of a mapping. An unknown, duplicate or missing key and a wrong value are refused
 * with file, line and column. The published schema is generated from the same tables.
 */
#ifndef RF_DOC_H
#define RF_DOC_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "words.h"

enum rf_node_kind { RF_NODE_TEXT, RF_NODE_LIST, RF_NODE_MAP };

struct rf_node {
	enum rf_node_kind kind;
	bool plain;			/* the text has no quotes in the file */
	const char *file;
	unsigned int line, column;	/* from 1 */
	const char *text;		/* TEXT: the text */
	struct rf_node *key;		/* for a value in a mapping: its key */
	struct rf_node **kids;		/* LIST: entries; MAP: values */
	size_t n;
};

struct rf_block;

/* Nodes are freed with their document. */
struct rf_doc {
	struct rf_block *blocks;
	size_t nodes;
	struct rf_node *root;
	char *text;			/* the file as it was read */
	size_t length;
	char **printed;			/* error lines already printed; each is printed once */
	size_t nprinted;
};

/* A list of structs: the size of a struct, and its parser */
struct rf_list {
	const char *name;
	size_t size;
	int (*take)(struct rf_doc *doc, struct rf_node *node, void *to);
};

/* yaml.c */
int rf_doc_open(struct rf_doc *doc, const char *path);

/* matrix.c */
int rf_doc_expand(struct rf_doc *doc);

/* doc_nodes.c */
void rf_doc_close(struct rf_doc *doc);
void *rf_doc_alloc(struct rf_doc *doc, size_t size);	/* zeroed; or NULL */
struct rf_node *rf_doc_copy(struct rf_doc *doc, const struct rf_node *node);
char *rf_doc_print(struct rf_doc *doc, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
int rf_doc_refuse(struct rf_doc *doc, const struct rf_node *node,
		  const char *fmt, ...) __attribute__((format(printf, 3, 4)));
int rf_doc_refuse_at(struct rf_doc *doc, const struct rf_node *node,
		     unsigned int column, const char *text);
const char *rf_doc_text(const struct rf_node *node);	/* NULL: no scalar */
bool rf_doc_is_plain(const struct rf_node *node);	/* without quotes */
const char *rf_doc_shown(const struct rf_node *node);	/* for a message */
struct rf_node *rf_doc_value(const struct rf_node *map, const char *key);
struct rf_node *rf_doc_find(struct rf_node *map, const char *key);

/*
 * doc.c: all errors of a file are printed, one per line. After the error of a value
 * (-EINVAL), loading continues with the next value; rf_doc_worse() remembers the error.
 */
static inline bool rf_doc_goes_on(int err)
{
	return !err || err == -EINVAL;
}

static inline int rf_doc_worse(int before, int err)
{
	return err ? err : before;
}

int rf_doc_map(struct rf_doc *doc, struct rf_node *node, const char *what,
	       const struct rf_key *keys, void *to);
int rf_doc_list(struct rf_doc *doc, struct rf_node *node,
		const struct rf_list *list, void *array, size_t *n);

/* take.c: parse scalars, with the kinds of tools/base/key.c and these */
extern const struct rf_kind rf_kind_boolean;	/* bool */
extern const struct rf_kind rf_kind_line;	/* char *, one line of text */
extern const struct rf_kind rf_kind_ident;	/* char *, a name that can be that of a directory */

int rf_doc_scalar(struct rf_doc *doc, struct rf_node *node, const struct rf_key *key, void *base);
int rf_store_text(const struct rf_key *key, const char *text, void *base);

#endif
