// SPDX-License-Identifier: GPL-2.0
/* Find a value in JSON by its path: names with dots, and indexes of lists, "jobs[0].write.bw" */
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"

#define NAME_LEN 128

/* Advance @at past an index. Return: false if there is no valid one. */
static bool take_index(const char **at, size_t *index)
{
	char *end;

	if ((*at)[1] < '0' || (*at)[1] > '9')
		return false;
	*index = strtoul(*at + 1, &end, 10);
	*at = end + 1;
	return *end == ']';
}

/* Advance @at past a name. Return: false if it is empty or too long. */
static bool take_key_name(const char **at, char name[NAME_LEN])
{
	size_t len = strcspn(*at, ".[");

	if (!len || len >= NAME_LEN)
		return false;
	memcpy(name, *at, len);
	name[len] = '\0';
	*at += len;
	return true;
}

/* Advance @path past its first name or index. Return: false if it has none. */
static bool take_path_part(const char **path, bool first, char name[NAME_LEN], size_t *index)
{
	name[0] = '\0';
	*index = 0;
	if (**path == '[')
		return take_index(path, index);
	if (!first && *(*path)++ != '.')
		return false;
	return take_key_name(path, name);
}

/** rf_json_path_is_valid - check whether a text is a path */
bool rf_json_path_is_valid(const char *path)
{
	char name[NAME_LEN];
	bool first = true;
	size_t index;

	do {
		if (!take_path_part(&path, first, name, &index))
			return false;
		first = false;
	} while (*path);
	return true;
}

/**
 * rf_json_path - find a value by its path
 * @o: an object or a list
 * @path: a valid path
 *
 * Return: the value, which belongs to @o; NULL if there is none.
 */
struct json_object *rf_json_path(struct json_object *o, const char *path)
{
	char name[NAME_LEN];
	bool first = true;
	size_t index;

	while (o && *path && take_path_part(&path, first, name, &index)) {
		first = false;
		if (name[0])
			o = json_object_is_type(o, json_type_object) ?
			    json_object_object_get(o, name) : NULL;
		else
			o = json_object_is_type(o, json_type_array) ?
			    json_object_array_get_idx(o, index) : NULL;
	}
	return o;
}
