// SPDX-License-Identifier: GPL-2.0
/* Build a JSON object, member by member. */
#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "text.h"

/**
 * rf_json_text - create a string from text of any origin, for example a file name
 * @v: the text; invalid UTF-8 is replaced by question marks
 *
 * Return: a new string object.
 */
struct json_object *rf_json_text(const char *v)
{
	char *copy = strdup(v);
	struct json_object *o;

	o = json_object_new_string(copy ? rf_text_utf8(copy) : "");
	free(copy);
	return o;
}

/** rf_put_u64 - add an integer to @o */
void rf_put_u64(struct json_object *o, const char *key, uint64_t v)
{
	json_object_object_add(o, key, json_object_new_uint64(v));
}

/** rf_put_nonzero - add an integer to @o unless it is 0 */
void rf_put_nonzero(struct json_object *o, const char *key, uint64_t v)
{
	if (v)
		rf_put_u64(o, key, v);
}

/** rf_put_text - add a string to @o */
void rf_put_text(struct json_object *o, const char *key, const char *v)
{
	json_object_object_add(o, key, rf_json_text(v));
}

/** rf_put_object - add an empty object to @o, which owns it */
struct json_object *rf_put_object(struct json_object *o, const char *key)
{
	struct json_object *child = json_object_new_object();

	json_object_object_add(o, key, child);
	return child;
}

/** rf_put_list - add an empty array to @o, which owns it */
struct json_object *rf_put_list(struct json_object *o, const char *key)
{
	struct json_object *child = json_object_new_array();

	json_object_object_add(o, key, child);
	return child;
}

/** rf_list_object - append an empty object to @list, which owns it */
struct json_object *rf_list_object(struct json_object *list)
{
	struct json_object *child = json_object_new_object();

	json_object_array_add(list, child);
	return child;
}

/** rf_json_typed - create an object whose member "type" is @type */
struct json_object *rf_json_typed(const char *type)
{
	struct json_object *o = json_object_new_object();

	rf_put_text(o, "type", type);
	return o;
}

/** rf_json_emit - write an object as one line, and release it */
void rf_json_emit(FILE *f, struct json_object *o)
{
	fprintf(f, "%s\n", rf_json_line(o));
	json_object_put(o);
}
