// SPDX-License-Identifier: GPL-2.0
/*
 * Metrics by name. The table is in parts, each beside what it asks; a row has
 * the name, the unit and how its value is found. A new metric is a row there,
 * and with that a word of expectations, a member of summary.json and a line of
 * metrics.prom.
 *
 * What rests on the trace has no value if records of it were lost.
 */
#include <errno.h>
#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "argwords.h"
#include "metric_rows.h"

/**
 * rf_index_number - an index that is a number
 * @text: the index
 * @max: the greatest there is
 * @v: gets it
 *
 * Return: false if there is none such.
 */
bool rf_index_number(const char *text, uint32_t max, uint32_t *v)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (!*text || *end || n > max)
		return false;
	*v = n;
	return true;
}

/** rf_index_rank - the rank that is asked for; false: there is none such */
bool rf_index_rank(const struct rf_metric_query *q, uint32_t *rank)
{
	return rf_index_number(q->index[0], q->play->rec.tl.ranks - 1, rank);
}

/* The @i-th row of all parts, or NULL. */
static const struct rf_metric_row *nth(size_t i)
{
	static const struct rf_metric_row *const parts[] = {
		rf_step_metrics, rf_loss_metrics, rf_port_metrics, NULL
	};
	const struct rf_metric_row *const *part, *m;

	for (part = parts; *part; part++)
		for (m = *part; m->info.name; m++)
			if (!i--)
				return m;
	return NULL;
}

static const struct rf_metric_info *row(size_t i)
{
	const struct rf_metric_row *m = nth(i);

	return m ? &m->info : NULL;
}

/* "rank[2].wrong" is row "rank[].wrong", and its index "2". */
static bool split(const char *name, char *pattern, size_t len, struct rf_metric_query *q)
{
	size_t n = 0, used;
	unsigned int i = 0;

	while (*name && n + 3 < len) {
		pattern[n++] = *name;
		if (*name++ != '[')
			continue;
		used = strcspn(name, "]");
		if (!name[used] || used >= RF_INDEX_LEN || i == RF_INDEXES)
			return false;
		snprintf(q->index[i++], RF_INDEX_LEN, "%.*s", (int)used, name);
		name += used;
	}
	pattern[n] = '\0';
	return !*name;
}

static const struct rf_metric_row *find(const char *pattern)
{
	const struct rf_metric_row *m;
	size_t i;

	for (i = 0; (m = nth(i)); i++)
		if (!strcmp(m->info.name, pattern))
			return m;
	return NULL;
}

static bool is_void(const struct rf_metric_row *m, const struct rf_run_play *p)
{
	return m->flags & RF_TRACED && rf_record_has_holes(&p->rec);
}

static int ask(struct rf_metric_query *q, const struct rf_metric_row *m, double *v)
{
	q->arg = m->arg;
	if (is_void(m, q->play) || !m->value(q, v))
		return -ENODATA;
	return 0;
}

/**
 * rf_metric - a metric of a play, by its name
 * @run: the run
 * @play: one of its plays, analysed
 * @name: the name, with its indexes
 *
 * Return: the value in the unit of the table, or NAN if the play has none.
 */
double rf_metric(const struct rf_run *run, const struct rf_run_play *play,
		 const char *name)
{
	struct rf_metric_query q = { .run = run, .play = play };
	const struct rf_metric_row *m;
	char pattern[64];
	double v;

	m = split(name, pattern, sizeof(pattern), &q) ? find(pattern) : NULL;
	return m && !ask(&q, m, &v) ? v : NAN;
}

/* Another play by its name, of the same round or of the last that had it. */
static const struct rf_run_play *other_play(const struct rf_metric_play *s,
					    const char *name)
{
	const struct rf_run_play *p, *found = NULL;

	for (p = s->run->plays; p < s->run->plays + s->run->nplays; p++)
		if (!strcmp(p->play->name, name) &&
		    (p->round == s->play->round || !found))
			found = p;
	return found;
}

static int value(void *arg, const char *play, const char *name, double *v)
{
	const struct rf_metric_play *s = arg;
	const struct rf_run_play *p = play ? other_play(s, play) : s->play;

	if (!p)
		return -ENODATA;
	*v = rf_metric(s->run, p, name);
	return isnan(*v) ? -ENODATA : 0;
}

static bool index_of(void *arg, const char *what, size_t i, char buf[RF_INDEX_LEN])
{
	const struct rf_metric_play *s = arg;
	const struct rf_record *rec = &s->play->rec;

	snprintf(buf, RF_INDEX_LEN, "%zu", i);
	if (!strcmp(what, "rank"))
		return i < rec->tl.ranks;
	if (!strcmp(what, "prio"))
		return i < RDMAFAULT_PRIOS;
	if (strcmp(what, "port") || i >= rec->nports)
		return false;
	snprintf(buf, RF_INDEX_LEN, "%s", rec->ports[i].netdev);
	return true;
}

const struct rf_metric_source rf_metrics = { row, value, index_of };

static struct json_object *number(const struct rf_metric_row *m, double v)
{
	if (m->info.unit == RF_UNIT_WORD)
		return json_object_new_string(rf_value_name(m->info.names, v));
	if (m->info.unit == RF_UNIT_SHARE || m->info.unit == RF_UNIT_DOLLARS ||
	    v != (double)(int64_t)v)
		return json_object_new_double(v);
	return json_object_new_int64((int64_t)v);
}

/* Those of a play as a whole, and those of each rank. */
static void put_row(struct json_object *o, struct rf_metric_query *q,
		    const struct rf_metric_row *m)
{
	struct json_object *all;
	double v;
	uint32_t i;

	if (!strchr(m->info.name, '[')) {
		json_object_object_add(o, m->info.name, ask(q, m, &v) ? NULL :
							number(m, v));
		return;
	}
	if (strncmp(m->info.name, "rank[]", 6))
		return;
	all = json_object_new_array();
	for (i = 0; i < q->play->rec.tl.ranks; i++) {
		snprintf(q->index[0], RF_INDEX_LEN, "%u", i);
		json_object_array_add(all, ask(q, m, &v) ? NULL : number(m, v));
	}
	json_object_object_add(o, m->info.name, all);
}

/**
 * rf_metrics_json - all metrics of a play, by name
 * @run: the run
 * @play: one of its plays
 *
 * Those of a rank are arrays, by rank; null has no value, be it that records
 * of the trace were lost. Ports have an object of their own in summary.json.
 *
 * Return: the object; the caller puts it.
 */
struct json_object *rf_metrics_json(const struct rf_run *run,
				    const struct rf_run_play *play)
{
	struct rf_metric_query q = { .run = run, .play = play };
	struct json_object *o = json_object_new_object();
	const struct rf_metric_row *m;
	size_t i;

	for (i = 0; (m = nth(i)); i++)
		put_row(o, &q, m);
	return o;
}
