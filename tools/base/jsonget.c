// SPDX-License-Identifier: GPL-2.0
/* Read the members of a JSON object, with checks. */
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "json.h"

static struct json_object *typed_member(struct json_object *o, const char *key,
					enum json_type type)
{
	struct json_object *m;

	if (!json_object_is_type(o, json_type_object) ||
	    !json_object_object_get_ex(o, key, &m) ||
	    !json_object_is_type(m, type))
		return NULL;
	return m;
}

/** rf_get_u64 - read an integer from 0 to @max as uint64_t */
bool rf_get_u64(struct json_object *o, const char *key, uint64_t max,
		uint64_t *v)
{
	struct json_object *m = typed_member(o, key, json_type_int);

	if (!m || json_object_get_int64(m) < 0 ||
	    json_object_get_uint64(m) > max)
		return false;
	*v = json_object_get_uint64(m);
	return true;
}

/** rf_get_u32 - read an integer from 0 to @max as uint32_t */
bool rf_get_u32(struct json_object *o, const char *key, uint32_t max,
		uint32_t *v)
{
	uint64_t n;

	if (!rf_get_u64(o, key, max, &n))
		return false;
	*v = n;
	return true;
}

/** rf_get_flag - read a boolean */
bool rf_get_flag(struct json_object *o, const char *key, bool *v)
{
	struct json_object *m = typed_member(o, key, json_type_boolean);

	if (m)
		*v = json_object_get_boolean(m);
	return m;
}

/** rf_get_real - read a number with or without a fraction */
bool rf_get_real(struct json_object *o, const char *key, double *v)
{
	struct json_object *m = typed_member(o, key, json_type_double);

	if (!m)
		m = typed_member(o, key, json_type_int);
	if (m)
		*v = json_object_get_double(m);
	return m;
}

/** rf_get_text - read a string into @buf, truncated to @len bytes; JSON null becomes "" */
bool rf_get_text(struct json_object *o, const char *key, char *buf, size_t len)
{
	struct json_object *m;

	buf[0] = '\0';
	if (!json_object_is_type(o, json_type_object) ||
	    !json_object_object_get_ex(o, key, &m))
		return false;
	if (m && !json_object_is_type(m, json_type_string))
		return false;
	if (m)
		snprintf(buf, len, "%s", json_object_get_string(m));
	return true;
}

/** rf_get_copy - copy a string. Return: the copy, which the caller frees; or NULL */
char *rf_get_copy(struct json_object *o, const char *key)
{
	struct json_object *m = typed_member(o, key, json_type_string);

	return m ? strdup(json_object_get_string(m)) : NULL;
}

/** rf_get_object - get an object inside @o. Return: the object, owned by @o, or NULL */
struct json_object *rf_get_object(struct json_object *o, const char *key)
{
	return typed_member(o, key, json_type_object);
}

/** rf_get_list - get an array inside @o. Return: the array, owned by @o, or NULL */
struct json_object *rf_get_list(struct json_object *o, const char *key)
{
	return typed_member(o, key, json_type_array);
}
