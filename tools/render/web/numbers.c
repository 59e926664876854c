// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers of figures in JSON, with three decimals: a time in us has the precision of the
 * record, so that the page rounds it as all other reports do. Numbers have no superfluous
 * zeros, to keep the file small.
 */
#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "summary.h"

static struct json_object *short_number(double v)
{
	char text[32], *end;

	if (v == floor(v) && fabs(v) < 1e15)
		return json_object_new_int64((int64_t)v);
	snprintf(text, sizeof(text), "%.3f", v);
	for (end = text + strlen(text); end[-1] == '0'; end--)
		;
	end[-(end[-1] == '.')] = '\0';
	return json_object_new_double_s(v, text);
}

/** rf_number_put - add a number to an object */
void rf_number_put(struct json_object *o, const char *key, double v)
{
	json_object_object_add(o, key, short_number(v));
}

/** rf_number_add - append a number to a list */
void rf_number_add(struct json_object *array, double v)
{
	json_object_array_add(array, short_number(v));
}
