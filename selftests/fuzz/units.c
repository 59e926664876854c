// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz the parsers of numbers with units. An accepted text has no sign and no blank, and
 * the number must be printed as a text that is parsed as the same number. The first eight
 * bytes of the input are also used as a number, which is printed and parsed.
 */
#include "quiet.h"
#include "units.h"

typedef int (*parse_fn)(const char *s, uint64_t *v);
typedef char *(*print_fn)(uint64_t v, char buf[RF_FMT_LEN]);

#define PROBABILITY_ONE 1000000000000ull

static void reads_back(uint64_t v, parse_fn parse, print_fn print)
{
	char *text = malloc(RF_FMT_LEN);
	uint64_t again;

	must(text && print(v, text) == text);
	must(strlen(text) < RF_FMT_LEN);
	must(!parse(text, &again) && again == v);
	free(text);
}

static void takes(const char *s, parse_fn parse, print_fn print)
{
	uint64_t v = 0x5a5a;

	if (parse(s, &v)) {
		must(v == 0x5a5a);
		return;
	}
	must(s[0] >= '0' && s[0] <= '9' && !strpbrk(s, " \t\n+"));
	if (print)
		reads_back(v, parse, print);
}

static int parse_u32(const char *s, uint64_t *v)
{
	uint32_t n;
	int err = rf_parse_u32(s, &n);

	if (!err)
		*v = n;
	return err;
}

static int parse_psn(const char *s, uint64_t *v)
{
	uint32_t n;
	int err = rf_parse_psn(s, &n);

	must(err || n <= 0xffffff);
	if (!err)
		*v = n;
	return err;
}

static void prints(uint64_t v)
{
	char text[RF_FMT_LEN];

	reads_back(v, rf_parse_time, rf_exact_time);
	reads_back(v, rf_parse_rate, rf_exact_rate);
	reads_back(v, rf_parse_size, rf_exact_size);
	reads_back(v, rf_parse_tc_size, rf_exact_size);
	reads_back(v % (PROBABILITY_ONE + 1), rf_parse_probability,
		   rf_fmt_probability);
	must(strlen(rf_fmt_time(v, text)) < sizeof(text));
	must(strlen(rf_fmt_size(v, text)) < sizeof(text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *s = fuzz_text(data, size);
	uint64_t v;

	takes(s, rf_parse_u64, NULL);
	takes(s, parse_u32, NULL);
	takes(s, parse_psn, NULL);
	takes(s, rf_parse_size, rf_exact_size);
	takes(s, rf_parse_tc_size, rf_exact_size);
	takes(s, rf_parse_time, rf_exact_time);
	takes(s, rf_parse_rate, rf_exact_rate);
	if (!strpbrk(s, "+"))		/* 1e+2 */
		takes(s, rf_parse_probability, rf_fmt_probability);
	fuzz_take(&data, &size, &v, sizeof(v));
	prints(v);
	free(s);
	return 0;
}
