// SPDX-License-Identifier: GPL-2.0
/*
 * Generate the JSON schema of scenarios from the tables of the loader, for editors.
 * Constraints between keys are not in the schema; the loader checks them.
 */
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "load.h"
#include "scenario.h"

#define VARIABLE "\\$\\{?[A-Za-z0-9_-]+\\}?"	/* $NAME or ${NAME} of a matrix */

typedef struct json_object *obj;

static void put_schema(obj o, const char *key, obj value)
{
	json_object_object_add(o, key, value);
}

static void put_string(obj o, const char *key, const char *v)
{
	put_schema(o, key, json_object_new_string(v));
}

static obj of_type(const char *type)
{
	obj o = json_object_new_object();

	put_string(o, "type", type);
	return o;
}

static obj pattern(const char *regex)
{
	obj o = of_type("string");

	put_string(o, "pattern", regex);
	return o;
}

static obj array_of(obj items)
{
	obj o = of_type("array");

	put_schema(o, "items", items);
	put_schema(o, "minItems", json_object_new_int(1));
	return o;
}

static obj any_of(obj a, obj b)
{
	obj o = json_object_new_object(), list = json_object_new_array();

	json_object_array_add(list, a);
	json_object_array_add(list, b);
	put_schema(o, "anyOf", list);
	return o;
}

static obj or_variable(obj o)
{
	return any_of(o, pattern("^" VARIABLE "$"));
}

static obj number_schema(const struct rf_key *key)
{
	obj o = of_type("integer");

	put_schema(o, "minimum", json_object_new_uint64(key->min));
	put_schema(o, "maximum", json_object_new_uint64(key->max));
	return or_variable(o);
}

/* One priority, or several as a text */
static obj prios_schema(void)
{
	obj o = of_type("integer");

	put_schema(o, "minimum", json_object_new_int(0));
	put_schema(o, "maximum", json_object_new_int(RDMAFAULT_PRIOS - 1));
	return any_of(o, pattern("^([0-7](,[0-7])*|all|" VARIABLE ")$"));
}

static obj word_schema(const struct rf_key *key)
{
	obj o = json_object_new_object(), list = json_object_new_array();
	const struct rf_name *n;

	for (n = key->names; n->name; n++)
		json_object_array_add(list, json_object_new_string(n->name));
	put_schema(o, "enum", list);
	return or_variable(o);
}

static obj map_of(const struct rf_key *keys);

/* A text; without quotes, it can look like a number */
static obj text_or_number(void)
{
	obj o = json_object_new_object(), types = json_object_new_array();

	json_object_array_add(types, json_object_new_string("string"));
	json_object_array_add(types, json_object_new_string("number"));
	put_schema(o, "type", types);
	return o;
}

static obj pair_of(obj value)
{
	obj o = array_of(value);

	put_schema(o, "minItems", json_object_new_int(2));
	put_schema(o, "maxItems", json_object_new_int(2));
	return o;
}

/* A mapping with any keys, each with this value */
static obj any_key(obj value)
{
	obj o = of_type("object");

	put_schema(o, "additionalProperties", value);
	return o;
}

#define TIME_UNITS "ns|us|ms|s|m|h"
#define NUMBER_AND(units) \
	pattern("^([0-9]+(\\.[0-9]+)?(" units ")|" VARIABLE ")$")

static obj value_schema(const struct rf_key *key)
{
	switch (key->kind->form) {
	case RF_FORM_NUMBER:
		return number_schema(key);
	case RF_FORM_SIZE:
		return NUMBER_AND("B|K|KiB|M|MiB|G|GiB");
	case RF_FORM_TIME:
		return NUMBER_AND(TIME_UNITS);
	case RF_FORM_RATE:
		return NUMBER_AND("[kmgt]?i?bit");
	case RF_FORM_PRIOS:
		return prios_schema();
	case RF_FORM_WORD:
		return word_schema(key);
	case RF_FORM_BOOLEAN:
		return or_variable(of_type("boolean"));
	case RF_FORM_TEXTS:
		return any_of(of_type("string"), array_of(of_type("string")));
	case RF_FORM_NETDEVS:
		return pair_of(of_type("string"));
	case RF_FORM_DOLLARS:
		return of_type("number");
	case RF_FORM_NUMBERS:
		return array_of(of_type("integer"));
	case RF_FORM_MOMENT:
		return pattern("^(step +[1-9][0-9]*|[0-9]+(\\.[0-9]+)?(" TIME_UNITS ")|(step +)?" VARIABLE ")$");
	case RF_FORM_SPAN:
		return pattern("^([1-9][0-9]* +steps?|[0-9]+(\\.[0-9]+)?(" TIME_UNITS ")|" VARIABLE "( +steps?)?)$");
	case RF_FORM_MAP:
		return map_of(key->keys);
	case RF_FORM_LIST:
		return array_of(map_of(key->keys));
	case RF_FORM_MAP_OR_LIST:
		return any_of(map_of(key->keys), array_of(map_of(key->keys)));
	case RF_FORM_TEXT_OR_LIST:
		return any_of(of_type("string"), array_of(map_of(key->keys)));
	case RF_FORM_MAPS:
		return any_key(map_of(key->keys));
	case RF_FORM_STRINGS:
		return any_key(text_or_number());
	case RF_FORM_MATRIX:
		return any_key(array_of(text_or_number()));
	default:
		return of_type("string");
	}
}

static obj map_of(const struct rf_key *keys)
{
	obj o = of_type("object"), all = json_object_new_object();
	obj needed = json_object_new_array(), value;

	for (; keys->name; keys++) {
		value = value_schema(keys);
		put_string(value, "description", keys->help);
		put_schema(all, keys->name, value);
		if (!keys->optional)
			json_object_array_add(needed, json_object_new_string(keys->name));
	}
	put_schema(o, "properties", all);
	put_schema(o, "additionalProperties", json_object_new_boolean(false));
	if (json_object_array_length(needed))
		put_schema(o, "required", needed);
	else
		json_object_put(needed);
	return o;
}

/**
 * rf_schema_json - generate the JSON schema of scenarios
 *
 * Return: the object; release it with json_object_put().
 */
struct json_object *rf_schema_json(void)
{
	obj o = json_object_new_object(), root = map_of(rf_scenario_fields);

	put_string(o, "$schema", "https://json-schema.org/draft/2020-12/schema");
	put_string(o, "title", "Scenario of rdmafault");
	put_string(o, "description",
		   "See rdmafault-scenario(5). Made by: rdmafault validate --schema");
	json_object_object_foreach(root, key, value)
		put_schema(o, key, json_object_get(value));
	json_object_put(root);
	return o;
}
