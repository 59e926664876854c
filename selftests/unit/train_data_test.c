// SPDX-License-Identifier: GPL-2.0
/*
 * Test reading training data: valid files, invalid files, the split into training and test
 * rows, and synthetic data.
 */
#include <stdlib.h>

#include "../../tools/base/err.c"
#include "../../tools/base/waiting.c"
#include "../../tools/base/text.c"
#include "../../tools/train/data.c"
#include "../../tools/train/synthetic.c"
#include "tap.h"

static int read_text(struct tr_data *d, const char *text)
{
	FILE *f = fmemopen((void *)text, strlen(text), "r");
	int ret = tr_data_read(d, f, "text");

	fclose(f);
	return ret;
}

/*
 * Read training data that consist of the line @before, ten times the line @row, and the line
 * @after.
 */
static int read_ten(struct tr_data *d, const char *before, const char *row,
		    const char *after)
{
	char text[256];
	int n = snprintf(text, sizeof(text), "%s", before);

	for (int i = 0; i < 10; i++)
		n += snprintf(text + n, sizeof(text) - (size_t)n, "%s", row);
	snprintf(text + n, sizeof(text) - (size_t)n, "%s", after);
	return read_text(d, text);
}

static void reads_ok(void)
{
	struct tr_data d;

	ok(!read_ten(&d, "16,0,1\r\n", "8,-4,2\n", ""),
	   "tr_data_read() accepts rows with commas and with CR LF");
	ok(d.n == 11 && d.width == 2 && d.classes == 3 && d.y[0] == 1 &&
	   d.y[10] == 2, "tr_data_read() counts rows, columns and classes");
	ok(d.x[0] == 1 && d.x[1] == 0 && d.x[2] == 0.5f && d.x[3] == -0.25f,
	   "tr_data_read() divides the numbers by the largest");
	tr_data_free(&d);
	ok(!read_ten(&d, "", "1,2,1\n", "3,4,0"),
	   "tr_data_read() accepts a last line without a newline");
	tr_data_free(&d);
}

/* fopen() can open a directory such as /tmp, but reading from it fails. */
static void unreadable_fails(void)
{
	FILE *f = fopen("/tmp", "r");
	struct tr_data d;

	ok(f && tr_data_read(&d, f, "/tmp") == -EIO, "tr_data_read() returns -EIO if the file cannot be read");
	tr_data_free(&d);
	fclose(f);
}

static void bad_files_fail(void)
{
	/* each after ten valid lines */
	static const struct {
		const char *words, *line;
	} bad[] = {
		{ "a file with one class only", "5,6,0\n" },
		{ "a word", "1,two,1\n" },
		{ "an empty field", "1,,1\n" },
		{ "text after the class", "1,2,1 x\n" },
		{ "a shorter row", "1,1\n" },
		{ "a longer row", "1,2,3,1\n" },
		{ "a class that is not whole", "1,2,0.5\n" },
		{ "a negative class", "1,2,-1\n" },
		{ "a class beyond 255", "1,2,256\n" },
		{ "NaN", "1,nan,1\n" },
		{ "infinity", "1,1e99,1\n" },
		{ NULL, NULL }
	};
	struct tr_data d;

	for (int i = 0; bad[i].words; i++) {
		ok(read_ten(&d, "", "1,2,0\n", bad[i].line) == -EINVAL,
		   "tr_data_read() refuses %s", bad[i].words);
		tr_data_free(&d);
	}
	ok(read_text(&d, "\n") == -EINVAL, "tr_data_read() refuses an empty file");
	tr_data_free(&d);
	ok(read_text(&d, "1,2,0\n3,4,1\n") == -EINVAL,
	   "tr_data_read() refuses a file with too few rows");
	tr_data_free(&d);
}

static void split_ok(void)
{
	struct tr_data a, b;
	uint32_t seen[10] = { 0 };
	bool all = true;

	tr_data_get(&a, "synthetic", 1);
	tr_data_get(&b, "synthetic", 1);
	ok(a.n == TR_SYNTHETIC_ROWS && a.train == a.n - a.n / 5,
	   "one row in five is test data");
	ok(!memcmp(a.x, b.x, (size_t)a.n * a.width * sizeof(*a.x)) &&
	   !memcmp(a.y, b.y, a.n), "the same seed gives the same rows in the same order");
	for (uint32_t i = a.train; i < a.n; i++)
		seen[a.y[i]]++;
	for (int i = 0; i < 10; i++)
		all &= seen[i] > a.n / 100;
	ok(all, "the test data have every class");
	tr_data_free(&b);
	tr_data_get(&b, "synthetic", 2);
	ok(memcmp(a.x, b.x, (size_t)a.n * a.width * sizeof(*a.x)) != 0,
	   "another seed gives other synthetic data");
	tr_data_free(&a);
	tr_data_free(&b);
	ok(tr_data_get(&a, "/nonexistent", 1) == -ENOENT,
	   "tr_data_get() returns -ENOENT for a file that does not exist");
}

int main(void)
{
	reads_ok();
	bad_files_fail();
	unreadable_fails();
	split_ok();
	return done_testing();
}
