// SPDX-License-Identifier: GPL-2.0
/*
 * Test the element types: the 16-bit floating-point formats are converted as their definitions
 * require, and every reduction of every type gives the same result as the reduction of
 * integers.
 */
#include <math.h>

#include "datatype.c"
#include "tap.h"

#define N	100	/* not a multiple of 8, so SIMD loops over small types leave a remainder */

struct vector {
	uint16_t bits;
	float value;
};

/* Values that both types can represent: the conversion is exact in both directions. */
static const struct vector halves[] = {
	{ 0x0000, 0 }, { 0x8000, -0.0f }, { 0x3c00, 1 }, { 0xc000, -2 },
	{ 0x3555, 0x1.554p-2f }, { 0x7bff, 65504 }, { 0xfbff, -65504 },
	{ 0x0400, 0x1p-14f }, { 0x03ff, 0x1.ff8p-15f }, { 0x0001, 0x1p-24f },
	{ 0x8001, -0x1p-24f }, { 0x7c00, INFINITY }, { 0xfc00, -INFINITY },
};

static const struct vector bfloats[] = {
	{ 0x0000, 0 }, { 0x8000, -0.0f }, { 0x3f80, 1 }, { 0xc000, -2 },
	{ 0x4049, 0x1.92p+1f }, { 0x7f7f, 0x1.fep+127f }, { 0x0080, 0x1p-126f },
	{ 0x0001, 0x1p-133f }, { 0x7f80, INFINITY }, { 0xff80, -INFINITY },
};

/* Values that are rounded when converted from float: down, up, ties to even, out of range */
static const struct vector to_half[] = {
	{ 0x3c00, 1 + 0x1p-11f }, { 0x3c02, 1 + 0x3p-11f },
	{ 0x3c01, 1 + 0x1.8p-11f }, { 0x3c00, 1 + 0x1.fp-12f },
	{ 0x7bff, 65519.996f }, { 0x7c00, 65520 }, { 0x7c00, 1e10f },
	{ 0xfc00, -65520 }, { 0x0000, 0x1p-25f }, { 0x0001, 0x1.8p-25f },
	{ 0x0002, 0x1.8p-24f }, { 0x0400, 0x1.ffep-15f }, { 0x8000, -1e-30f },
};

static const struct vector to_bfloat[] = {
	{ 0x3f80, 1 + 0x1p-8f }, { 0x3f82, 1 + 0x3p-8f },
	{ 0x3f81, 1 + 0x1.8p-8f }, { 0x7f80, 0x1.ffp+127f },
	{ 0x7f7f, 0x1.fefp+127f }, { 0x0000, 0x1p-134f },
};

#define SIZE(a)	(sizeof(a) / sizeof(*(a)))

static void conversions_ok(void)
{
	bool half = true, bf = true, half_cut = true, bf_cut = true;

	for (size_t i = 0; i < SIZE(halves); i++)
		half &= coll_float_to_half(halves[i].value) == halves[i].bits &&
			coll_float_bits(coll_half_to_float(halves[i].bits)) ==
			coll_float_bits(halves[i].value);
	for (size_t i = 0; i < SIZE(bfloats); i++)
		bf &= coll_float_to_bfloat16(bfloats[i].value) == bfloats[i].bits &&
		      coll_float_bits(coll_bfloat16_to_float(bfloats[i].bits)) ==
		      coll_float_bits(bfloats[i].value);
	for (size_t i = 0; i < SIZE(to_half); i++)
		half_cut &= coll_float_to_half(to_half[i].value) == to_half[i].bits;
	for (size_t i = 0; i < SIZE(to_bfloat); i++)
		bf_cut &= coll_float_to_bfloat16(to_bfloat[i].value) ==
			  to_bfloat[i].bits;
	ok(half, "half: exact values are converted in both directions");
	ok(bf, "bfloat16: exact values are converted in both directions");
	ok(half_cut, "half: floats are rounded to nearest, ties to even, and to infinity out of range");
	ok(bf_cut, "bfloat16: floats are rounded to nearest, ties to even, and to infinity out of range");
}

/* Convert all 16-bit patterns to float and back; NaN must stay NaN. */
static void all_patterns_ok(void)
{
	bool half = true, bf = true;

	for (uint32_t i = 0; i <= 0xffff; i++) {
		uint16_t bits = (uint16_t)i;
		float h = coll_half_to_float(bits);
		float b = coll_bfloat16_to_float(bits);

		half &= h != h ? (coll_float_to_half(h) & 0x7fff) > 0x7c00 :
				 coll_float_to_half(h) == bits;
		bf &= b != b ? (coll_float_to_bfloat16(b) & 0x7fff) > 0x7f80 :
			       coll_float_to_bfloat16(b) == bits;
		half &= (h != h) == ((bits & 0x7fff) > 0x7c00);
	}
	ok(half, "half: all 65536 patterns are unchanged after conversion to float and back");
	ok(bf, "bfloat16: all 65536 patterns are unchanged after conversion to float and back");
}

/*
 * Return: a small integer, so that the results of all operations are exact in all types. It is
 * never 0, because floating point has two zeros.
 */
static int64_t left(const struct coll_type *t, int i)
{
	return t->is_signed && i % 2 ? -1 - i % 12 : 1 + i % 12;
}

static int64_t right(int i)
{
	return 14 + i * 7 % 5;
}

static bool reduces_right(const struct coll_type *t, const struct coll_op *o)
{
	_Alignas(16) char a[N * 8], b[N * 8], got[N * 8], want[N * 8];

	for (int i = 0; i < N; i++) {
		t->store(a, (size_t)i, left(t, i));
		t->store(b, (size_t)i, right(i));
		t->store(want, (size_t)i, o->fold(left(t, i), right(i)));
	}
	t->reduce[o->id](got, a, b, N);
	t->reduce[o->id](b, a, b, N);
	t->reduce[o->id](a, a, a, 0);
	return !memcmp(got, want, N * t->size) && !memcmp(b, want, N * t->size);
}

static void reductions_ok(void)
{
	for (const struct coll_type *t = coll_types; t->name; t++)
		for (const struct coll_op *o = coll_ops; o->name; o++)
			ok(reduces_right(t, o), "%s %s: gives the same result as for integers, also in place",
			   t->name, o->name);
}

static void wrapping_ok(void)
{
	int8_t a = 100, b = 100, c;
	int64_t x = INT64_MAX, y = 2, z;

	coll_type_find("int8")->reduce[COLL_OP_SUM](&c, &a, &b, 1);
	coll_type_find("int64")->reduce[COLL_OP_PROD](&z, &x, &y, 1);
	ok(c == -56 && z == -2, "sums and products of signed integers wrap");
}

static void averages_ok(void)
{
	int32_t i[] = { 7, -7, 6 };
	float f[] = { 7, -7, 6 };
	uint16_t h[] = { coll_float_to_half(7), coll_float_to_half(1) };

	coll_type_find("int32")->divide(i, 3, 2);
	coll_type_find("float")->divide(f, 3, 2);
	coll_type_find("half")->divide(h, 2, 3);
	ok(i[0] == 3 && i[1] == -3 && i[2] == 3, "averages of integers are rounded towards 0");
	ok(f[0] == 3.5f && f[1] == -3.5f && f[2] == 3, "averages of floats are divided");
	ok(h[0] == 0x40ab && h[1] == 0x3555, "averages of halves are rounded once");
}

static void names_ok(void)
{
	char text[32];
	uint16_t h = 0x3e00;

	ok(coll_type_find("float16") == coll_type_find("half") &&
	   coll_type_find("float32") == coll_type_find("float") &&
	   coll_type_find("float64") == coll_type_find("double"),
	   "coll_type_find() accepts the alternative names of types");
	ok(!coll_type_find("") && !coll_type_find("float8") && !coll_op_find("xor"),
	   "coll_type_find() and coll_op_find() return NULL for unknown names");
	coll_type_find("half")->format(text, sizeof(text), &h, 0);
	ok(!strcmp(text, "1.5"), "a half is printed as a number");
}

int main(void)
{
	conversions_ok();
	all_patterns_ok();
	reductions_ok();
	wrapping_ok();
	averages_ok();
	names_ok();
	return done_testing();
}
