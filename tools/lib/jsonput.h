/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Members of a JSON object that is being made; jsonget.h takes them out again.
 */
#ifndef RF_JSONPUT_H
#define RF_JSONPUT_H

#include <stdint.h>

#include <json-c/json.h>

/* An object as text, on one line; it is the object's, and gone with it. */
static inline const char *rf_json_line(struct json_object *o)
{
	return json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN |
					      JSON_C_TO_STRING_NOSLASHESCAPE);
}

/* A string that is UTF-8 whatever @v is, as JSON must be */
struct json_object *rf_json_text(const char *v);

void rf_put_u64(struct json_object *o, const char *key, uint64_t v);
void rf_put_text(struct json_object *o, const char *key, const char *v);

/* A new one below it */
struct json_object *rf_put_object(struct json_object *o, const char *key);
struct json_object *rf_put_list(struct json_object *o, const char *key);
struct json_object *rf_list_object(struct json_object *list);

int rf_json_write(const char *path, struct json_object *o);

#endif
