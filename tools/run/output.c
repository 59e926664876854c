// SPDX-License-Identifier: GPL-2.0
/* Get the values of a process after its end: numbers in its output, and files that it wrote. */
#include <errno.h>
#include <json-c/json.h>
#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "host.h"
#include "json.h"
#include "runner.h"

/* The clock of files advances in steps of at most this time. */
#define FILE_CLOCK_NS	20000000ll
#define NS_PER_S	1000000000ll

/* Store the number that a text is. */
static void store_number(struct rf_process_value *to, const struct rf_value *value,
			 const char *text)
{
	char *end;
	double v = strtod(text, &end);

	free(to->why);
	to->why = NULL;
	to->v = v * value->factor;
	if (end != text && !*end && isfinite(v))
		return;
	to->v = NAN;
	if (asprintf(&to->why, "\"%.64s\" in the output is not a number", text) < 0)
		to->why = NULL;
}

static void match_line(struct rf_process_value *to, const struct rf_value *value,
		       const regex_t *regex, char *line)
{
	regmatch_t m[2];
	char last;

	while (!regexec(regex, line, 2, m, 0)) {
		if (m[1].rm_so >= 0) {
			last = line[m[1].rm_eo];
			line[m[1].rm_eo] = '\0';
			store_number(to, value, line + m[1].rm_so);
			line[m[1].rm_eo] = last;
		}
		if (!m[0].rm_eo)
			return;
		line += m[0].rm_eo;
	}
}

static void match_output(struct rf_process_value *to, const struct rf_value *value, FILE *f)
{
	char *line = NULL;
	size_t room = 0;
	regex_t regex;

	if (asprintf(&to->why, "no line of the output matches %.100s", value->pattern) < 0)
		to->why = NULL;
	if (regcomp(&regex, value->pattern, REG_EXTENDED))
		return;
	while (getline(&line, &room, f) >= 0) {
		line[strcspn(line, "\n")] = '\0';
		match_line(to, value, &regex, line);
	}
	regfree(&regex);
	free(line);
}

static char *read_all(FILE *f, size_t *len)
{
	size_t room = 0;
	char *text = NULL;
	ssize_t n = getdelim(&text, &room, '\0', f);

	*len = n < 0 ? 0 : n;
	return text;
}

static void take_json(struct rf_process_value *to, const struct rf_value *value,
		      struct json_object *o)
{
	struct json_object *found = rf_json_path(o, value->json);

	if (found)
		store_number(to, value, json_object_get_string(found));
}

/* A JSON object or list begins at the start of a line; other lines of the output are text. */
static void find_json(struct rf_process_value *to, const struct rf_value *value, FILE *f)
{
	struct json_tokener *tok = json_tokener_new();
	const char *at, *line;
	struct json_object *o;
	size_t len;
	char *text = read_all(f, &len);

	if (asprintf(&to->why, "the output has no JSON with %.100s", value->json) < 0)
		to->why = NULL;
	for (line = text; tok && line && line < text + len; line = at + strcspn(at, "\n")) {
		at = line + strspn(line, " \t\r\n");
		if (*at != '{' && *at != '[')
			continue;
		json_tokener_reset(tok);
		o = json_tokener_parse_ex(tok, at, text + len - at);
		if (o) {
			at += json_tokener_get_parse_end(tok);
			while (at[-1] == '\n')	/* the parser skips blanks behind it */
				at--;
			take_json(to, value, o);
		}
		json_object_put(o);
	}
	if (tok)
		json_tokener_free(tok);
	free(text);
}

/* Check whether a file was written after a time of CLOCK_MONOTONIC. */
static bool is_newer(const struct stat *st, uint64_t since_ns)
{
	int64_t age = rf_now_ns() - since_ns;
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (now.tv_sec - st->st_mtim.tv_sec) * NS_PER_S + now.tv_nsec - st->st_mtim.tv_nsec <=
	       age + FILE_CLOCK_NS;
}

/* A file of an earlier case must not count as the file of this case. */
static void hash_file(struct rf_process_value *to, const struct rf_value *value, uint64_t since_ns)
{
	struct stat st;
	int err = stat(value->file, &st) ? -errno : 0;

	if (!err && is_newer(&st, since_ns))
		err = rf_sha256_file(value->file, to->hash);
	else if (!err && asprintf(&to->why, "the process did not write %s", value->file) < 0)
		to->why = NULL;
	if (err && asprintf(&to->why, "%s: %s", value->file, strerror(-err)) < 0)
		to->why = NULL;
}

static void read_output_value(struct rf_process_value *to, const struct rf_value *value,
			      const char *log, uint64_t since_ns)
{
	FILE *f;

	if (value->file) {
		hash_file(to, value, since_ns);
		return;
	}
	f = fopen(log, "re");
	if (!f)
		return;
	if (value->pattern)
		match_output(to, value, f);
	else
		find_json(to, value, f);
	fclose(f);
}

/**
 * rf_output_read - get the values of a process that has ended
 * @p: the process
 * @log: the file of its output
 * @end: gets the values
 *
 * Return: 0, or -ENOMEM.
 */
int rf_output_read(const struct rf_process *p, const char *log, struct rf_process_end *end)
{
	size_t i;

	end->values = calloc(p->nvalues, sizeof(*end->values));
	if (!end->values)
		return -ENOMEM;
	end->nvalues = p->nvalues;
	for (i = 0; i < p->nvalues; i++) {
		end->values[i].v = NAN;
		if (i >= RF_VALUES_OWN)
			read_output_value(&end->values[i], &p->values[i], log, end->start_ns);
	}
	return 0;
}
