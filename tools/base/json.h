/* SPDX-License-Identifier: GPL-2.0 */
/* JSON: read, build and write objects */
#ifndef RF_JSON_H
#define RF_JSON_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * jsonget.c: read the members of a JSON object, each with a given type and range. The
 * functions return false if the member is missing or has another type or range.
 */
bool rf_get_u64(struct json_object *o, const char *key, uint64_t max,
		uint64_t *v);
bool rf_get_u32(struct json_object *o, const char *key, uint32_t max,
		uint32_t *v);
bool rf_get_flag(struct json_object *o, const char *key, bool *v);
bool rf_get_real(struct json_object *o, const char *key, double *v);
bool rf_get_text(struct json_object *o, const char *key, char *buf,
		 size_t len);		/* null gives "" */
char *rf_get_copy(struct json_object *o, const char *key);	/* or NULL */
struct json_object *rf_get_object(struct json_object *o, const char *key);
struct json_object *rf_get_list(struct json_object *o, const char *key);

/* jsonpath.c */
bool rf_json_path_is_valid(const char *path);
struct json_object *rf_json_path(struct json_object *o, const char *path);

/* jsonput.c: build a JSON object, member by member */

/* Format an object as one line. The text belongs to the object and is freed with it. */
static inline const char *rf_json_line(struct json_object *o)
{
	return json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN |
					      JSON_C_TO_STRING_NOSLASHESCAPE);
}

/* Create a string that is valid UTF-8, as JSON requires, even if @v is not. */
struct json_object *rf_json_text(const char *v);

/* Lines of a file or output with one object per line, each with a member "type" */
struct json_object *rf_json_typed(const char *type);
void rf_json_emit(FILE *f, struct json_object *o);

void rf_put_u64(struct json_object *o, const char *key, uint64_t v);
void rf_put_nonzero(struct json_object *o, const char *key, uint64_t v);
void rf_put_text(struct json_object *o, const char *key, const char *v);

/* Add an empty object or array to @o. */
struct json_object *rf_put_object(struct json_object *o, const char *key);
struct json_object *rf_put_list(struct json_object *o, const char *key);
struct json_object *rf_list_object(struct json_object *list);

/* jsonfile.c: write JSON to a file */
int rf_json_write(const char *path, struct json_object *o);

#endif
