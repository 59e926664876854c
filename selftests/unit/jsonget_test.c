// SPDX-License-Identifier: GPL-2.0
/*
 * Test rf_get_u64() and rf_get_u32(): a member of a JSON object that is missing or has
 * another type or range leaves the variable unchanged.
 */
#include "../../tools/base/jsonget.c"
#include "tap.h"

static struct json_object *o;

static void number(const char *key, uint64_t max, uint64_t want)
{
	uint64_t v = 77;
	bool taken = rf_get_u64(o, key, max, &v);

	ok(v == want && taken == (want != 77), "rf_get_u64() of the member \"%s\" with maximum %llu is %s", key,
	   (unsigned long long)max, taken ? "accepted" : "refused");
}

static void numbers_ok(void)
{
	uint32_t v = 77;

	number("seven", INT64_MAX, 7);
	number("seven", 7, 7);
	number("most", UINT64_MAX, UINT64_MAX);
	ok(rf_get_u32(o, "seven", 7, &v) && v == 7, "rf_get_u32() accepts a value of the maximum");
}

static void numbers_fails(void)
{
	uint32_t v = 77;

	number("seven", 6, 77);
	number("most", INT64_MAX, 77);
	number("beyond", INT64_MAX, 77);
	number("minus", UINT64_MAX, 77);
	number("word", UINT64_MAX, 77);
	number("none", UINT64_MAX, 77);
	ok(!rf_get_u32(o, "most", UINT32_MAX, &v) && v == 77,
	   "rf_get_u32() refuses a value above 32 bits and leaves the variable unchanged");
}

int main(void)
{
	o = json_tokener_parse("{\"seven\": 7, \"minus\": -1, \"word\": \"x\","
			       "\"most\": 18446744073709551615,"
			       "\"beyond\": 99999999999999999999999}");
	numbers_ok();
	numbers_fails();
	json_object_put(o);
	return done_testing();
}
