// SPDX-License-Identifier: GPL-2.0
/*
 * The data of the figures, for the script of the page. It is JSON in which "<" is escaped,
 * so that no text can end the HTML element of the data.
 */
#include <json-c/json.h>
#include <math.h>

#include "html.h"

/* Write whole numbers without a decimal point, to keep the file small. */
static struct json_object *number(double v)
{
	char text[32];

	if (v == floor(v) && fabs(v) < 1e15)
		return json_object_new_int64((int64_t)v);
	snprintf(text, sizeof(text), "%.4g", v);
	return json_object_new_double_s(v, text);
}

/** rf_data_put - add a number to an object */
void rf_data_put(struct json_object *o, const char *key, double v)
{
	json_object_object_add(o, key, number(v));
}

/** rf_data_add - append a number to a list */
void rf_data_add(struct json_object *array, double v)
{
	json_object_array_add(array, number(v));
}

/** rf_data_str - add a text to an object */
void rf_data_str(struct json_object *o, const char *key, const char *v)
{
	json_object_object_add(o, key, json_object_new_string(v));
}

/** rf_data_array - add a list to an object */
struct json_object *rf_data_array(struct json_object *o, const char *key)
{
	struct json_object *array = json_object_new_array();

	json_object_object_add(o, key, array);
	return array;
}

/**
 * rf_data_write - write the data of all figures as an element of the page
 * @f: output stream
 * @data: the numbers
 */
void rf_data_write(FILE *f, struct json_object *data)
{
	const char *s = json_object_to_json_string_ext(data,
						       JSON_C_TO_STRING_PLAIN);

	fputs("<script type=\"application/json\" id=\"data\">", f);
	for (; *s; s++) {
		if (*s == '<')
			fputs("\\u003c", f);
		else
			fputc(*s, f);
	}
	fputs("</script>\n", f);
}
