/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A YAML file, and how its nodes become the fields of a struct. What a mapping
 * may hold is a table of rows; an unknown or second key, a missing one and a
 * value of another form are refused with file, line and column.
 */
#ifndef RF_DOC_H
#define RF_DOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <yaml.h>
#include "rulewords.h"

struct rf_doc {
	const char *path;
	yaml_document_t yaml;
};

/* One key of a mapping. */
struct rf_field {
	const char *name;
	size_t offset;			/* of what it fills in, in the struct */
	int (*take)(struct rf_doc *doc, yaml_node_t *node,
		    const struct rf_field *field, void *to);
	bool optional;
	uint64_t min, max;		/* of a number */
	const struct rf_name *names;	/* of a word */
};

/* A list of structs: how big one is, and who reads it. */
struct rf_list {
	const char *name;
	size_t size;
	int (*take)(struct rf_doc *doc, yaml_node_t *node, void *to);
};

int rf_doc_open(struct rf_doc *doc, const char *path);
void rf_doc_close(struct rf_doc *doc);
yaml_node_t *rf_doc_root(struct rf_doc *doc);

int rf_doc_refuse(const struct rf_doc *doc, const yaml_node_t *node,
		  const char *fmt, ...) __attribute__((format(printf, 3, 4)));
const char *rf_doc_text(const yaml_node_t *node);	/* NULL: no scalar */
bool rf_doc_is_plain(const yaml_node_t *node);		/* without quotes */
yaml_node_t *rf_doc_find(struct rf_doc *doc, yaml_node_t *map, const char *key);

int rf_doc_map(struct rf_doc *doc, yaml_node_t *node, const char *what,
	       const struct rf_field *fields, void *to);
int rf_doc_list(struct rf_doc *doc, yaml_node_t *node,
		const struct rf_list *list, void *array, size_t *n);

/* for rows of the table: each takes one form of scalar */
int rf_take_u32(struct rf_doc *doc, yaml_node_t *node,
		const struct rf_field *field, void *to);
int rf_take_size(struct rf_doc *doc, yaml_node_t *node,
		 const struct rf_field *field, void *to);
int rf_take_time(struct rf_doc *doc, yaml_node_t *node,
		 const struct rf_field *field, void *to);
int rf_take_word(struct rf_doc *doc, yaml_node_t *node,
		 const struct rf_field *field, void *to);
int rf_take_text(struct rf_doc *doc, yaml_node_t *node,
		 const struct rf_field *field, void *to);
int rf_take_ident(struct rf_doc *doc, yaml_node_t *node,
		  const struct rf_field *field, void *to);

struct rf_scenario;
int rf_scenario_check(struct rf_doc *doc, const struct rf_scenario *s);

const char *rf_suggest(const char *word, const char *const *names);

#endif
