// SPDX-License-Identifier: GPL-2.0
/*
 * Parse the scalars of a scenario file, by the kinds of their keys. Numbers must not be in
 * quotes. Sizes need a unit.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "doc.h"
#include "text.h"

static bool is_numeric(const struct rf_key *key)
{
	return key->kind->form >= RF_FORM_NUMBER && key->kind->form <= RF_FORM_DOLLARS;
}

static bool has_no_unit(const struct rf_key *key, const char *text)
{
	return key->kind->form == RF_FORM_SIZE && text[0] &&
	       isdigit((unsigned char)text[strlen(text) - 1]);
}

/* Return: the name of @key that is nearest to @text; NULL: there is none. */
static const char *near_name(const struct rf_key *key, const char *text)
{
	const char *names[RF_NAMES_MAX + 1];
	size_t i;

	for (i = 0; key->names[i].name && i < RF_NAMES_MAX; i++)
		names[i] = key->names[i].name;
	names[i] = NULL;
	return rf_suggest(text, names);
}

static int refuse_scalar(struct rf_doc *doc, const struct rf_node *node, const struct rf_key *key)
{
	const char *text = rf_doc_text(node);
	const char *near = text && key->names && !rf_answer_value(key->name, text) ?
			   near_name(key, text) : NULL;
	struct rf_why why;

	if (near)
		return rf_doc_refuse(doc, node, "%s: unknown name \"%s\"; did you mean \"%s\"?",
				     key->name, text, near);
	rf_key_refuse(key, rf_doc_shown(node), &why);
	return rf_doc_refuse(doc, node, "%s", why.text);
}

/**
 * rf_doc_scalar - parse a scalar
 * @doc: the document
 * @node: the scalar
 * @key: its key
 * @base: the struct that gets the value
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_doc_scalar(struct rf_doc *doc, struct rf_node *node, const struct rf_key *key, void *base)
{
	const char *text = rf_doc_text(node);
	int err = -EINVAL;

	if (text && !has_no_unit(key, text))
		err = rf_key_take(key, text, base);
	if (!err && is_numeric(key) && !rf_doc_is_plain(node))
		return rf_doc_refuse(doc, node, "%s \"%s\": a number must not be in quotes",
				     key->name, text);
	return err == -EINVAL ? refuse_scalar(doc, node, key) : err;
}

/**
 * rf_store_text - store a copy of a text
 * @key: its key
 * @text: the text
 * @base: the struct that gets the copy; the previous text is freed
 *
 * Return: 0, or -ENOMEM.
 */
int rf_store_text(const struct rf_key *key, const char *text, void *base)
{
	char **to = (char **)((char *)base + key->at);

	free(*to);
	*to = strdup(text);
	return *to ? 0 : -ENOMEM;
}

static int boolean_take(const struct rf_key *key, const char *text, void *base)
{
	bool is_true = !strcmp(text, "true");

	if (!is_true && strcmp(text, "false"))
		return -EINVAL;
	*(bool *)((char *)base + key->at) = is_true;
	return 0;
}

static void boolean_valid(const struct rf_key *key, char *form)
{
	(void)key;
	strcpy(form, "true or false");
}

const struct rf_kind rf_kind_boolean = {
	.take = boolean_take, .valid = boolean_valid, .form = RF_FORM_BOOLEAN
};

static int line_take(const struct rf_key *key, const char *text, void *base)
{
	return text[0] && !strpbrk(text, "\n\r\t") ? rf_store_text(key, text, base) : -EINVAL;
}

static void line_valid(const struct rf_key *key, char *form)
{
	(void)key;
	strcpy(form, "one line of text");
}

const struct rf_kind rf_kind_line = { .take = line_take, .valid = line_valid };

static int ident_take(const struct rf_key *key, const char *text, void *base)
{
	size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_-");

	if (!isalnum((unsigned char)text[0]) || text[len] || len > 40)
		return -EINVAL;
	return rf_store_text(key, text, base);
}

static void ident_valid(const struct rf_key *key, char *form)
{
	(void)key;
	strcpy(form, "1 to 40 of a-z, 0-9, - and _, a letter or digit first");
}

const struct rf_kind rf_kind_ident = { .take = ident_take, .valid = ident_valid };
