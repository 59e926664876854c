// SPDX-License-Identifier: GPL-2.0
/*
 * A run as JUnit XML, for CI systems: one testsuite with a testcase per case. The testcase
 * of a failed case has a failure element with the reasons; a broken case has an error
 * element. If there are several rounds, one more testcase checks that each round hit the
 * same packets. A run that did not complete has a testcase "complete" with an error.
 *
 * The elements and attributes are those of Jenkins' schema junit-10.xsd.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "text.h"
#include "tools/analysis/analysis.h"

#define SAME_PACKETS	"every round hit the same packets"
#define COMPLETE	"complete"

struct totals {
	unsigned int tests, failures, errors;
	uint64_t ns;
};

/* U+FFFE and U+FFFF are valid in UTF-8, but not in XML. */
static bool is_noncharacter(const char *s)
{
	return !strncmp(s, "\xef\xbf\xbe", 3) || !strncmp(s, "\xef\xbf\xbf", 3);
}

static void put_char(FILE *f, char c)
{
	switch (c) {
	case '&':
		fputs("&amp;", f);
		break;
	case '<':
		fputs("&lt;", f);
		break;
	case '>':
		fputs("&gt;", f);
		break;
	case '"':
		fputs("&quot;", f);
		break;
	default:
		fputc(c, f);
	}
}

/*
 * Write @text as one line of an attribute or an element. Control characters become
 * spaces, because XML 1.0 cannot represent most of them.
 */
static void put_xml_text(FILE *f, const char *text)
{
	char *line = strdup(text), *s;

	if (!line)
		return;
	rf_text_line(line);
	for (s = line; *s; s++) {
		if (is_noncharacter(s)) {
			fputc('?', f);
			s += 2;
			continue;
		}
		put_char(f, *s);
	}
	free(line);
}

static void put_attribute(FILE *f, const char *name, const char *value)
{
	fprintf(f, " %s=\"", name);
	put_xml_text(f, value);
	fputc('"', f);
}

static void put_time(FILE *f, uint64_t ns)
{
	fprintf(f, " time=\"%llu.%06llu\"", (unsigned long long)ns / 1000000000,
		(unsigned long long)ns / 1000 % 1000000);
}

static bool is_error(enum rf_verdict v)
{
	return v != RF_VERDICT_PASS && v != RF_VERDICT_FAIL;
}

static void count_verdict(struct totals *t, enum rf_verdict v)
{
	t->tests++;
	t->failures += v == RF_VERDICT_FAIL;
	t->errors += is_error(v);
}

static struct totals totals_of(const struct rf_run *run)
{
	struct totals t = { };
	size_t i;

	for (i = 0; i < run->ncases; i++) {
		count_verdict(&t, run->cases[i].verdict);
		t.ns += rf_case_ns(&run->cases[i]);
	}
	if (run->rounds > 1)
		count_verdict(&t, run->differs[0] ? RF_VERDICT_FAIL : RF_VERDICT_PASS);
	if (run->ended != RF_VERDICT_PASS)
		count_verdict(&t, run->ended);
	return t;
}

static void put_totals(FILE *f, const struct rf_run *run, const struct totals *t)
{
	put_attribute(f, "name", run->scenario->name);
	fprintf(f, " tests=\"%u\" failures=\"%u\" errors=\"%u\"", t->tests,
		t->failures, t->errors);
	put_time(f, t->ns);
}

static void put_property(FILE *f, const char *name, const char *value)
{
	fputs("      <property", f);
	put_attribute(f, "name", name);
	put_attribute(f, "value", value);
	fputs("/>\n", f);
}

static void put_properties(FILE *f, const struct rf_run *run)
{
	char cpus[16];

	snprintf(cpus, sizeof(cpus), "%u", run->cpus);
	fputs("    <properties>\n", f);
	put_property(f, "title", run->scenario->title);
	put_property(f, "kernel", run->kernel);
	put_property(f, "cpus", cpus);
	put_property(f, "time", rf_time_name(run->env.time));
	fputs("    </properties>\n", f);
}

static void begin_case(FILE *f, const struct rf_run *run, const char *name)
{
	fputs("    <testcase", f);
	put_attribute(f, "classname", run->scenario->name);
	put_attribute(f, "name", name);
}

/* Write the first reason as attribute "message", and all reasons as the text of the element. */
static void put_outcome(FILE *f, enum rf_verdict v, const char *const *reason,
			unsigned int n)
{
	const char *element = is_error(v) ? "error" : "failure";
	unsigned int i;

	fprintf(f, ">\n      <%s type=\"%s\"", element, rf_verdict_name(v));
	put_attribute(f, "message", n ? reason[0] : rf_verdict_name(v));
	fputc('>', f);
	for (i = 0; i < n; i++) {
		put_xml_text(f, reason[i]);
		fputs(i + 1 < n ? "\n" : "", f);
	}
	fprintf(f, "</%s>\n    </testcase>\n", element);
}

static void put_testcase(FILE *f, const struct rf_run *run,
			 const struct rf_run_case *p)
{
	begin_case(f, run, p->label);
	put_time(f, rf_case_ns(p));
	if (p->verdict == RF_VERDICT_PASS)
		fputs("/>\n", f);
	else
		put_outcome(f, p->verdict, (const char *const *)p->reason,
			    p->nreasons);
}

static void put_rounds(FILE *f, const struct rf_run *run)
{
	const char *reason = run->differs;

	begin_case(f, run, SAME_PACKETS);
	if (*reason)
		put_outcome(f, RF_VERDICT_FAIL, &reason, 1);
	else
		fputs("/>\n", f);
}

static void put_ended(FILE *f, const struct rf_run *run)
{
	static const char *const reason = "the run ended before all cases were complete";

	begin_case(f, run, COMPLETE);
	put_outcome(f, run->ended, &reason, 1);
}

static int put_junit(FILE *f, const struct rf_run *run)
{
	const struct totals t = totals_of(run);
	size_t i;

	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites", f);
	put_totals(f, run, &t);
	fputs(">\n  <testsuite", f);
	put_totals(f, run, &t);
	fputs(" skipped=\"0\">\n", f);
	put_properties(f, run);
	for (i = 0; i < run->ncases; i++)
		put_testcase(f, run, &run->cases[i]);
	if (run->rounds > 1)
		put_rounds(f, run);
	if (run->ended != RF_VERDICT_PASS)
		put_ended(f, run);
	fputs("  </testsuite>\n</testsuites>\n", f);
	return 0;
}

/**
 * rf_export_junit - write junit.xml
 * @path: the file
 * @run: the run, analysed and judged; it can have no case if it did not complete
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_export_junit(const char *path, const struct rf_run *run)
{
	return rf_render_file(path, run, put_junit);
}
