// SPDX-License-Identifier: GPL-2.0
/*
 * Rate and queue of each port over time, from the samples of the case: in each column, the mean
 * rate at which the port sent, and the longest queue.
 */
#include <json-c/json.h>
#include <stdlib.h>

#include "json.h"
#include "summary.h"

typedef struct json_object *obj;

#define COLUMNS_MAX	120
#define PORTS_MAX	48	/* the figure shows those that sent most */

struct busy {
	size_t port;		/* index in the record */
	uint64_t sent;
};

static int by_sent(const void *a, const void *b)
{
	const struct busy *p = a, *q = b;

	return p->sent != q->sent ? (p->sent < q->sent ? 1 : -1) :
	       p->port < q->port ? -1 : 1;
}

static int by_index(const void *a, const void *b)
{
	const struct busy *p = a, *q = b;

	return p->port < q->port ? -1 : 1;
}

/* Return: the ports that sent or queued something, at most PORTS_MAX, in the order of the record */
static struct busy *find_busy(const struct rf_record *rec, size_t *n)
{
	const struct rf_samples *s = &rec->samples;
	struct busy *all = calloc(rec->nports, sizeof(*all));
	const struct rf_load *last;
	size_t i;

	*n = 0;
	for (i = 0; all && i < rec->nports; i++) {
		last = &s->load[(s->n - 1) * rec->nports + i];
		if (last->sent || last->queued)
			all[(*n)++] = (struct busy){ .port = i, .sent = last->sent };
	}
	if (*n > PORTS_MAX) {
		qsort(all, *n, sizeof(*all), by_sent);
		*n = PORTS_MAX;
		qsort(all, *n, sizeof(*all), by_index);
	}
	return all;
}

static size_t first_of(const struct rf_samples *s, size_t columns, size_t column)
{
	return column * (s->n - 1) / columns;
}

static void put_port(obj o, const struct rf_record *rec, size_t port, size_t columns)
{
	const struct rf_samples *s = &rec->samples;
	const struct rf_load *load = s->load + port;
	obj mbit = rf_put_list(o, "mbit"), bytes = rf_put_list(o, "bytes");
	size_t n = rec->nports, from, to, i, column;
	uint64_t queued;

	rf_put_text(o, "port", rec->ports[port].netdev);
	for (column = 0; column < columns; column++) {
		from = first_of(s, columns, column);
		to = first_of(s, columns, column + 1);
		for (queued = 0, i = from + 1; i <= to; i++)
			if (load[i * n].queued > queued)
				queued = load[i * n].queued;
		rf_number_add(mbit, (load[to * n].sent - load[from * n].sent) * 8e3 /
				    (s->t_ns[to] - s->t_ns[from]));
		rf_number_add(bytes, queued);
	}
}

/**
 * rf_figure_loads - get the data of the figure of loads and queues of ports
 * @p: the case
 *
 * Return: the object; NULL if the ports were not sampled twice.
 */
obj rf_figure_loads(const struct rf_run_case *p)
{
	const struct rf_samples *s = &p->rec.samples;
	size_t columns = s->n <= COLUMNS_MAX ? s->n - 1 : COLUMNS_MAX, n, i;
	uint64_t begin, end;
	struct busy *busy;
	obj o, t, list;

	if (s->n < 2)
		return NULL;
	busy = find_busy(&p->rec, &n);
	if (!n) {
		free(busy);
		return NULL;
	}
	if (!rf_timeline_span(&p->rec.tl, 1, 1, &begin, &end))
		begin = s->t_ns[0];
	o = json_object_new_object();
	t = rf_put_list(o, "t_us");
	for (i = 0; i <= columns; i++)
		rf_number_add(t, ((double)s->t_ns[first_of(s, columns, i)] - begin) / 1000.0);
	rf_put_nonzero(o, "more", p->rec.nports > n && n == PORTS_MAX);
	list = rf_put_list(o, "ports");
	for (i = 0; i < n; i++)
		put_port(rf_list_object(list), &p->rec, busy[i].port, columns);
	free(busy);
	return o;
}
