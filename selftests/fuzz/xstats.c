// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz the plugin of tc that prints the statistics of a port. The input has the statistics
 * as any version of the module sends them, or random bytes. The plugin must print both
 * text and JSON or refuse both, and must close every JSON object that it opens. This file
 * defines the functions of tc that the plugin calls.
 */
#include "fuzz.h"

#include "../../tools/base/units.c"
#include "../../tools/tc/xstats.c"

static bool json;
static int depth;

int print_color_string(enum output_type t, int color, const char *key,
		       const char *fmt, const char *value)
{
	(void)t;
	(void)color;
	must((key || fmt) && value);
	return 0;
}

int print_color_u64(enum output_type t, int color, const char *key,
		    const char *fmt, uint64_t value)
{
	(void)t;
	(void)color;
	(void)value;
	must(key || fmt);
	return 0;
}

void open_json_object(const char *key)
{
	(void)key;
	depth++;
}

void close_json_object(void)
{
	must(depth-- > 0);
}

void open_json_array(enum output_type t, const char *key)
{
	(void)t;
	must(key);
	depth++;
}

void close_json_array(enum output_type t, const char *delim)
{
	(void)t;
	(void)delim;
	must(depth-- > 0);
}

bool is_json_context(void)
{
	return json;
}

void print_nl(void)
{
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int err;

	json = false;
	err = rf_xstats_print(data, size);
	must(!depth);
	json = true;
	must(rf_xstats_print(data, size) == err);
	must(!depth);
	return 0;
}
