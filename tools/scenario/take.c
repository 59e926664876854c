// SPDX-License-Identifier: GPL-2.0
/*
 * Parse the scalars of a scenario file, with one function for each kind of value. Numbers
 * must not be in quotes. Sizes and times need a unit.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doc.h"
#include "text.h"
#include "units.h"

/* Refuse a number in quotes, because it is a string in YAML. */
static int refuse_quoted(struct rf_doc *doc, struct rf_node *node,
			 const struct rf_field *field)
{
	return rf_doc_refuse(doc, node, "%s \"%s\": a number must not be in quotes",
			     field->name, rf_doc_text(node));
}

static bool is_quoted(const struct rf_node *node)
{
	return rf_doc_text(node) && !rf_doc_is_plain(node);
}

/** rf_take_u32 - parse a whole number from field->min to field->max */
int rf_take_u32(struct rf_doc *doc, struct rf_node *node,
		const struct rf_field *field, void *to)
{
	uint32_t v;

	if (is_quoted(node) && !rf_parse_u32(rf_doc_text(node), &v))
		return refuse_quoted(doc, node, field);
	if (!rf_doc_is_plain(node) || rf_parse_u32(rf_doc_text(node), &v) ||
	    v < field->min || v > field->max)
		return rf_doc_refuse(doc, node, "%s \"%s\": not valid; a number from %llu to %llu",
				     field->name, rf_doc_shown(node),
				     (unsigned long long)field->min,
				     (unsigned long long)field->max);
	*(uint32_t *)to = v;
	return 0;
}

/** rf_take_u64 - parse a whole number of up to 64 bits */
int rf_take_u64(struct rf_doc *doc, struct rf_node *node,
		const struct rf_field *field, void *to)
{
	uint64_t v;

	if (is_quoted(node) && !rf_parse_u64(rf_doc_text(node), &v))
		return refuse_quoted(doc, node, field);
	if (!rf_doc_is_plain(node) || rf_parse_u64(rf_doc_text(node), &v))
		return rf_doc_refuse(doc, node, "%s \"%s\": not valid; a number from 0 to 18446744073709551615",
				     field->name, rf_doc_shown(node));
	*(uint64_t *)to = v;
	return 0;
}

/** rf_take_size - parse a size with a unit, and convert it to bytes */
int rf_take_size(struct rf_doc *doc, struct rf_node *node,
		 const struct rf_field *field, void *to)
{
	const char *text = rf_doc_text(node);
	uint64_t v;

	if (is_quoted(node) && !rf_parse_size(text, &v))
		return refuse_quoted(doc, node, field);
	if (!rf_doc_is_plain(node) || !text[0] ||
	    isdigit((unsigned char)text[strlen(text) - 1]) ||
	    rf_parse_size(text, &v) || v < field->min || v > field->max)
		return rf_doc_refuse(doc, node, "%s \"%s\": not valid; a size with a unit, for example 4096B, 256KiB or 1MiB",
				     field->name, rf_doc_shown(node));
	*(uint64_t *)to = v;
	return 0;
}

/** rf_take_time - parse a duration with a unit, from field->min to field->max nanoseconds */
int rf_take_time(struct rf_doc *doc, struct rf_node *node,
		 const struct rf_field *field, void *to)
{
	char min[RF_FMT_LEN], max[RF_FMT_LEN];
	uint64_t v;

	if (is_quoted(node) && !rf_parse_time(rf_doc_text(node), &v))
		return refuse_quoted(doc, node, field);
	if (!rf_doc_is_plain(node) || rf_parse_time(rf_doc_text(node), &v) ||
	    v < field->min || v > field->max)
		return rf_doc_refuse(doc, node, "%s \"%s\": not valid; a time with a unit, %s to %s, for example 100ms",
				     field->name, rf_doc_shown(node),
				     rf_fmt_time(field->min, min),
				     rf_fmt_time(field->max, max));
	*(uint64_t *)to = v;
	return 0;
}

/** rf_take_word - parse one of the words in field->names */
int rf_take_word(struct rf_doc *doc, struct rf_node *node,
		 const struct rf_field *field, void *to)
{
	const char *text = rf_doc_text(node);
	const struct rf_name *n;
	char *list = NULL;

	for (n = field->names; n->name; n++) {
		if (text && !strcmp(n->name, text)) {
			*(uint32_t *)to = n->value;
			free(list);
			return 0;
		}
		list = rf_text_list(list, n->name);
	}
	rf_doc_refuse(doc, node, "%s \"%s\": unknown; %s", field->name,
		      rf_doc_shown(node), list);
	free(list);
	return -EINVAL;
}

/* Store a copy of @text in @to. Free the previous text, which another key may have set. */
static int store_text(char **to, const char *text)
{
	free(*to);
	*to = strdup(text);
	return *to ? 0 : -ENOMEM;
}

/** rf_take_text - parse one line of text, which must not be empty */
int rf_take_text(struct rf_doc *doc, struct rf_node *node,
		 const struct rf_field *field, void *to)
{
	const char *text = rf_doc_text(node);

	if (!text || !text[0] || strpbrk(text, "\n\r\t"))
		return rf_doc_refuse(doc, node, "%s \"%s\": expected one line of text",
				     field->name, rf_doc_shown(node));
	return store_text(to, text);
}

static bool is_ident(const char *s)
{
	size_t len = strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789_-");

	return isalnum((unsigned char)s[0]) && !s[len] && len <= 40;
}

/** rf_take_ident - parse a name that is also used as the name of a directory */
int rf_take_ident(struct rf_doc *doc, struct rf_node *node,
		  const struct rf_field *field, void *to)
{
	const char *text = rf_doc_text(node);

	if (!text || !is_ident(text))
		return rf_doc_refuse(doc, node, "%s \"%s\": not valid; 1 to 40 of a-z, 0-9, - and _, a letter or digit first",
				     field->name, rf_doc_shown(node));
	return store_text(to, text);
}
