// SPDX-License-Identifier: GPL-2.0
/*
 * Load the values of a process, which are metrics: its exit status, its time, numbers in its
 * output, and files that it writes.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "load.h"

static const struct rf_name equal_names[] = { { "different", 0 }, { "equal", 1 }, { } };

/* Values that each process has */
static const struct rf_metric_info own[RF_VALUES_OWN] = {
	[RF_VALUE_EXIT] = { "exit", RF_UNIT_COUNT, "exit status of the process", NULL },
	[RF_VALUE_TIME] = { "time", RF_UNIT_TIME, "time from its start to its end", NULL },
};

static struct rf_value *add_process_value(struct rf_process *p, const struct rf_metric_info *info)
{
	struct rf_value *all = reallocarray(p->values, p->nvalues + 1, sizeof(*all));
	char *name;

	if (!all)
		return NULL;
	p->values = all;
	all += p->nvalues;
	*all = (struct rf_value){ .info = *info, .factor = 1 };
	if (asprintf(&name, "%s.%s", p->name, info->name) < 0)
		return NULL;
	p->nvalues++;
	all->info.name = name;
	return all;
}

static int take_unit(struct rf_doc *doc, struct rf_node *node, const struct rf_key *key, void *to)
{
	static const enum rf_unit all[] = {
		RF_UNIT_SHARE, RF_UNIT_TIME, RF_UNIT_BYTES, RF_UNIT_RATE, RF_UNIT_DOLLARS,
	};
	const char *text = rf_doc_text(node), *end;
	struct rf_value *value = to;
	struct rf_dim dim, of;
	double scale;
	size_t i;

	end = text ? rf_dim_take_unit(text, &dim, &value->factor) : NULL;
	if (!end || *end)
		return rf_doc_refuse(doc, node, "%s \"%s\": unknown unit; %s", key->name,
				     rf_doc_shown(node), rf_dim_units);
	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		rf_dim_of_unit(all[i], NULL, &of, &scale);
		if (!rf_dim_same(&dim, &of))
			continue;
		value->info.unit = all[i];
		value->factor /= scale;
	}
	return 0;
}

static int take_json_path(struct rf_doc *doc, struct rf_node *node, const struct rf_key *key,
			  void *to)
{
	const char *text = rf_doc_text(node);

	if (!text || !rf_json_path_is_valid(text))
		return rf_doc_refuse(doc, node, "%s \"%s\": invalid path; names with dots and indexes from 0, for example jobs[0].write.bw_bytes",
				     key->name, rf_doc_shown(node));
	*(char **)to = strdup(text);
	return *(char **)to ? 0 : -ENOMEM;
}

static const struct rf_kind json_kind = { .take_node = take_json_path };
static const struct rf_kind unit_kind = { .take_node = take_unit };

const struct rf_key rf_value_fields[] = {
	{ .name = "json", .help = "path of a number in the JSON of the output",
	  .kind = &json_kind, .optional = true,
	  .at = AT(rf_value, json) },
	{ .name = "pattern", .help = "regular expression, whose first group is the number; the last match counts",
	  .kind = &rf_kind_regex, .optional = true,
	  .at = AT(rf_value, pattern), .min = 1 },
	{ .name = "unit", .help = "of the number, as in expectations (none: a plain number)",
	  .kind = &unit_kind, .optional = true },
	{ }
};

static int check_name(struct rf_doc *doc, const struct rf_node *node, const struct rf_key *key,
		      const struct rf_process *p)
{
	const char *name = rf_doc_text(node);
	size_t i;

	if (!name || !rf_is_process_name(name))
		return rf_doc_refuse(doc, node, "%s: name \"%s\": invalid; " RF_PROCESS_NAME_FORM,
				     key->name, rf_doc_shown(node));
	for (i = 0; i < p->nvalues; i++)
		if (!strcmp(name, p->values[i].info.name + strlen(p->name) + 1))
			return rf_doc_refuse(doc, node, "%s: \"%s\": process %s already has a value of this name; use another name",
					     key->name, name, p->name);
	return 0;
}

static int take_metric_of(struct rf_doc *doc, struct rf_node *node, const struct rf_key *key,
			  struct rf_process *p)
{
	const struct rf_metric_info info = {
		rf_doc_text(node->key), RF_UNIT_COUNT, "value in the output of the process", NULL,
	};
	struct rf_value *value = add_process_value(p, &info);
	int err = value ? rf_doc_map(doc, node, info.name, key->keys, value) : -ENOMEM;

	if (!err && !!value->json + !!value->pattern != 1)
		return rf_doc_refuse(doc, node, "%s: %s; use exactly one of json and pattern",
				     info.name, value->json ? "two places of the number" :
				     "no place of the number");
	return err;
}

static int take_file_of(struct rf_doc *doc, struct rf_node *node, struct rf_process *p)
{
	const struct rf_metric_info info = {
		rf_doc_text(node->key), RF_UNIT_WORD,
		"whether the file is identical to that of the first case", equal_names,
	};
	const char *path = rf_doc_text(node);
	struct rf_value *value;

	if (!path || !*path)
		return rf_doc_refuse(doc, node, "files: %s: expected a path, got \"%s\"", info.name,
				     rf_doc_shown(node));
	value = add_process_value(p, &info);
	if (!value)
		return -ENOMEM;
	value->file = strdup(path);
	return value->file ? 0 : -ENOMEM;
}

/* Load the values of the key "metrics" or "files". */
static int load_values(struct rf_doc *doc, struct rf_node *node, const struct rf_key *key,
		       struct rf_process *p)
{
	struct rf_node *kid;
	int err = 0, one;
	size_t i;

	if (node->kind != RF_NODE_MAP)
		return rf_doc_refuse(doc, node, "%s: expected names with values, got \"%s\"",
				     key->name, rf_doc_shown(node));
	for (i = 0; i < node->n && rf_doc_goes_on(err); i++) {
		kid = node->kids[i];
		one = check_name(doc, kid->key, key, p);
		if (!one)
			one = key->keys ? take_metric_of(doc, kid, key, p) :
					  take_file_of(doc, kid, p);
		err = rf_doc_worse(err, one);
	}
	return err;
}

/**
 * rf_values_load - load the values of a process
 * @doc: the document
 * @node: the mapping of the process
 * @p: the process, with its name
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_values_load(struct rf_doc *doc, struct rf_node *node, struct rf_process *p)
{
	static const char *const keys[] = { "metrics", "files" };
	const struct rf_key *key;
	struct rf_node *values;
	int err = 0;
	size_t i;

	for (i = 0; i < RF_VALUES_OWN; i++)
		if (!add_process_value(p, &own[i]))
			return -ENOMEM;
	for (i = 0; node && i < 2 && rf_doc_goes_on(err); i++) {
		key = rf_key_find(rf_process_fields, keys[i]);
		values = rf_doc_value(node, keys[i]);
		if (values)
			err = rf_doc_worse(err, load_values(doc, values, key, p));
	}
	return err;
}

/** rf_values_free - free the values of a process */
void rf_values_free(struct rf_process *p)
{
	struct rf_value *v;

	for (v = p->values; v < p->values + p->nvalues; v++) {
		free((char *)v->info.name);
		free(v->json);
		free(v->pattern);
		free(v->file);
	}
	free(p->values);
}

/**
 * rf_process_value - iterate over the values of all processes
 * @all: the processes; NULL: none
 * @i: index, from 0
 *
 * Return: the value; NULL if there are no more.
 */
const struct rf_value *rf_process_value(const struct rf_processes *all, size_t i)
{
	const struct rf_process *p;

	for (p = all ? all->p : NULL; all && p < all->p + all->n; i -= p++->nvalues)
		if (i < p->nvalues)
			return &p->values[i];
	return NULL;
}
