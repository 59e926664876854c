/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Read the members of a JSON object, each with a given type and range. The functions
 * return false if the member is missing or has another type or range.
 */
#ifndef RF_JSONGET_H
#define RF_JSONGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_object;

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

#endif
