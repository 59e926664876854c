// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers of figures in JSON, with seven digits and at least three decimals, without superfluous
 * zeros: a time in us has the precision of the record, so that the page rounds it as all other
 * reports do.
 */
#include <json-c/json.h>
#include <math.h>
#include <stdio.h>

#include "summary.h"

static struct json_object *short_number(double v)
{
	char text[32];

	if (v == floor(v) && fabs(v) < 1e15)
		return json_object_new_int64((int64_t)v);
	if (fabs(v) < 1000)
		snprintf(text, sizeof(text), "%.7g", v);
	else
		snprintf(text, sizeof(text), "%.15g", round(v * 1000) / 1000);
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
