// SPDX-License-Identifier: GPL-2.0
/*
 * Expand "matrix": NAME is a key of the matrix with a list of values. A case that contains
 * $NAME or ${NAME} is repeated for each value of NAME. A case that contains several names
 * is repeated for each combination of their values. Values that the name of the case does
 * not contain are appended to it.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "doc.h"

#define NAMES_MAX	8
#define CASES_MAX	1000
#define TEXT_MAX	4096

struct axis {
	const struct rf_node *values;	/* the list of values; its key is the name */
	size_t at;			/* index of the current value */
	bool used;			/* the current case contains the name */
	bool ever;			/* at least one case contains the name */
};

struct matrix {
	struct rf_doc *doc;
	struct axis axis[NAMES_MAX];
	size_t n;
};

static const char *axis_name(const struct axis *a)
{
	return a->values->key->text;
}

static size_t name_len(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_' || s[n] == '-')
		n++;
	return n;
}

/*
 * Find the name of the matrix that follows the "$" at @s. @len is set to the length of "$"
 * and name, with braces.
 */
static struct axis *axis_at(struct matrix *m, const char *s, size_t *len)
{
	bool braces = s[1] == '{';
	const char *name = s + 1 + braces;
	size_t n = name_len(name), i;

	*len = n + 1 + 2 * braces;
	if (!n || (braces && name[n] != '}'))
		return NULL;
	for (i = 0; i < m->n; i++)
		if (strlen(axis_name(&m->axis[i])) == n &&
		    !strncmp(axis_name(&m->axis[i]), name, n))
			return &m->axis[i];
	return NULL;
}

/* A hyphen belongs to the name: refuse "$NAME-x", if NAME is in the matrix and NAME-x is not. */
static int refuse_hyphen(const struct matrix *m, const struct rf_node *node, const char *s)
{
	size_t n = name_len(s + 1), len, i;
	const char *name;

	for (i = 0; i < m->n; i++) {
		name = axis_name(&m->axis[i]);
		len = strlen(name);
		if (len < n && s[1 + len] == '-' && !strncmp(name, s + 1, len))
			return rf_doc_refuse(m->doc, node, "%.*s: no such name in the matrix; ${%s}%.*s puts \"%.*s\" after the value of %s",
					     (int)n + 1, s, name, (int)(n - len), s + 1 + len,
					     (int)(n - len), s + 1 + len, name);
	}
	return 0;
}

static int look_for_names(struct matrix *m, const struct rf_node *node)
{
	const char *s = rf_doc_text(node);
	struct axis *a;
	size_t len, i;
	int err = 0;

	for (i = 0; !err && i < node->n; i++)
		err = look_for_names(m, node->kids[i]);
	for (; !err && s && (s = strchr(s, '$')); s++) {
		a = axis_at(m, s, &len);
		if (a)
			a->used = a->ever = true;
		else
			err = refuse_hyphen(m, node, s);
	}
	return err;
}

static const char *axis_value(const struct axis *a)
{
	return a->values->kids[a->at]->text;
}

static int expand_text(struct matrix *m, const struct rf_node *node,
		       struct rf_node *to)
{
	const char *s = node->text;
	char text[TEXT_MAX];
	struct axis *a;
	size_t used = 0, len;

	while (*s && used < sizeof(text) - 1) {
		a = *s == '$' ? axis_at(m, s, &len) : NULL;
		if (!a) {
			text[used++] = *s++;
			continue;
		}
		used += snprintf(text + used, sizeof(text) - used, "%s",
				 axis_value(a));
		s += len;
		to->plain = true;
	}
	if (used >= sizeof(text) - 1)
		return rf_doc_refuse(m->doc, node, "text longer than %d bytes after replacing the names of the matrix",
				     TEXT_MAX - 2);
	text[used] = '\0';
	to->text = rf_doc_print(m->doc, "%s", text);
	return to->text ? 0 : -ENOMEM;
}

/* Copy a node, and replace the names of the matrix by their current values. */
static int put_values(struct matrix *m, const struct rf_node *node,
		      struct rf_node **to)
{
	struct rf_node *copy = rf_doc_copy(m->doc, node);
	int err = 0;
	size_t i;

	*to = copy;
	if (!copy)
		return -ENOMEM;
	if (node->kind == RF_NODE_TEXT)
		return expand_text(m, node, copy);
	for (i = 0; !err && i < node->n; i++)
		err = put_values(m, node->kids[i], &copy->kids[i]);
	return err;
}

static bool is_in_name(struct matrix *m, const struct axis *a,
		       const struct rf_node *test_case)
{
	const struct rf_node *name = rf_doc_value(test_case, "name");
	const char *s = name ? rf_doc_text(name) : NULL;
	size_t len;

	while (s && (s = strchr(s, '$'))) {
		if (axis_at(m, s, &len) == a)
			return true;
		s++;
	}
	return false;
}

/* Append values to the name of a case; characters that are not allowed in a name become "_". */
static int extend_name(struct matrix *m, const struct rf_node *test_case,
		       struct rf_node *copy)
{
	struct rf_node *name = rf_doc_value(copy, "name");
	char *text;
	size_t i;

	for (i = 0; name && rf_doc_text(name) && i < m->n; i++) {
		if (!m->axis[i].used || is_in_name(m, &m->axis[i], test_case))
			continue;
		text = rf_doc_print(m->doc, "%s-%s", name->text,
				    axis_value(&m->axis[i]));
		if (!text)
			return -ENOMEM;
		name->text = text;
		for (; *text; text++)
			if (!isalnum((unsigned char)*text) &&
			    !strchr("-_.%", *text))
				*text = '_';
	}
	return 0;
}

/*
 * Go to the next combination of values; the value of the last name changes most often.
 * Return: false after the last combination
 */
static bool next_values(struct matrix *m)
{
	struct axis *a;

	for (a = m->axis + m->n; a-- > m->axis;) {
		if (!a->used)
			continue;
		if (++a->at < a->values->n)
			return true;
		a->at = 0;
	}
	return false;
}

static int expand_case(struct matrix *m, struct rf_node *test_case,
		       struct rf_node *cases)
{
	size_t i;
	int err;

	for (i = 0; i < m->n; i++)
		m->axis[i].used = false;
	err = look_for_names(m, test_case);
	if (err)
		return err;
	do {
		if (cases->n == CASES_MAX)
			return rf_doc_refuse(m->doc, test_case, "cases: the matrix describes more than %d cases",
					     CASES_MAX);
		err = put_values(m, test_case, &cases->kids[cases->n]);
		if (!err)
			err = extend_name(m, test_case, cases->kids[cases->n]);
		cases->n++;
	} while (!err && next_values(m));
	return err;
}

static int expand_cases(struct matrix *m, struct rf_node **cases)
{
	struct rf_node *all = rf_doc_copy(m->doc, *cases);
	int err = 0;
	size_t i;

	if (!all)
		return -ENOMEM;
	all->n = 0;
	all->kids = rf_doc_alloc(m->doc, (CASES_MAX + 1) * sizeof(*all->kids));
	if (!all->kids)
		return -ENOMEM;
	for (i = 0; !err && i < (*cases)->n; i++)
		err = expand_case(m, (*cases)->kids[i], all);
	*cases = all;
	return err;
}

static int take_axis(struct matrix *m, const struct rf_node *values)
{
	const char *name = rf_doc_text(values->key);
	size_t i;

	if (!name || !name[0] || name[name_len(name)])
		return rf_doc_refuse(m->doc, values->key, "matrix: name \"%s\": not valid; letters, digits, - and _",
				     rf_doc_shown(values->key));
	if (values->kind != RF_NODE_LIST || !values->n)
		return rf_doc_refuse(m->doc, values, "matrix: %s: expected a list of values such as [0%%, 1%%], got \"%s\"",
				     name, rf_doc_shown(values));
	for (i = 0; i < values->n; i++)
		if (!rf_doc_text(values->kids[i]))
			return rf_doc_refuse(m->doc, values->kids[i], "matrix: %s: expected a value, got \"%s\"",
					     name, rf_doc_shown(values->kids[i]));
	if (m->n == NAMES_MAX)
		return rf_doc_refuse(m->doc, values->key, "matrix: more than %d names",
				     NAMES_MAX);
	m->axis[m->n++] = (struct axis){ .values = values };
	return 0;
}

static int take_matrix(struct matrix *m, const struct rf_node *node)
{
	int err = 0;
	size_t i;

	if (node->kind != RF_NODE_MAP || !node->n)
		return rf_doc_refuse(m->doc, node, "matrix: expected names with lists of values, got \"%s\"",
				     rf_doc_shown(node));
	for (i = 0; !err && i < node->n; i++)
		err = take_axis(m, node->kids[i]);
	return err;
}

static int refuse_unused(const struct matrix *m)
{
	size_t i;

	for (i = 0; i < m->n; i++)
		if (!m->axis[i].ever)
			return rf_doc_refuse(m->doc, m->axis[i].values->key,
					     "matrix: no case uses $%s",
					     axis_name(&m->axis[i]));
	return 0;
}

/**
 * rf_doc_expand - repeat the cases of a document by its matrix
 * @doc: the document
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_doc_expand(struct rf_doc *doc)
{
	struct rf_node *node = rf_doc_value(doc->root, "matrix");
	struct matrix m = { .doc = doc };
	struct rf_node *root;
	size_t i;
	int err;

	if (!node)
		return 0;
	err = take_matrix(&m, node);
	root = rf_doc_copy(doc, doc->root);
	if (!root)
		return -ENOMEM;
	for (i = 0; !err && i < root->n; i++) {
		if (rf_doc_value(root, "cases") != root->kids[i] ||
		    root->kids[i]->kind != RF_NODE_LIST)
			continue;
		err = expand_cases(&m, &root->kids[i]);
		break;
	}
	doc->root = root;
	return err ? err : refuse_unused(&m);
}
