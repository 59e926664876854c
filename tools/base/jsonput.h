/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Build a JSON object, member by member; jsonget.h reads the members.
 */
#ifndef RF_JSONPUT_H
#define RF_JSONPUT_H

#include <stdint.h>

#include <json-c/json.h>

/* Format an object as one line. The text belongs to the object and is freed with it. */
static inline const char *rf_json_line(struct json_object *o)
{
	return json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN |
					      JSON_C_TO_STRING_NOSLASHESCAPE);
}

/* Create a string that is valid UTF-8, as JSON requires, even if @v is not. */
struct json_object *rf_json_text(const char *v);

void rf_put_u64(struct json_object *o, const char *key, uint64_t v);
void rf_put_text(struct json_object *o, const char *key, const char *v);

/* Add an empty object or array to @o. */
struct json_object *rf_put_object(struct json_object *o, const char *key);
struct json_object *rf_put_list(struct json_object *o, const char *key);
struct json_object *rf_list_object(struct json_object *list);

#endif
