// SPDX-License-Identifier: GPL-2.0
/*
 * Write the hits of a recording as rules, one per line in the order of the hits. Each rule
 * applies the actions of a hit once, to the packet that was hit. Hits of rules that only
 * observe are omitted. Hits that cannot be repeated are listed as comments and counted.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "words.h"

static bool is_of_file(const struct rf_rulefile *file, const struct rf_event *e)
{
	return e->fault && e->ifindex == file->ifindex && e->dir == file->dir &&
	       !strcmp(e->dev, file->dev);
}

static bool is_listed(const struct rf_rulefile *list, size_t n,
		      const struct rf_event *e)
{
	while (n--)
		if (is_of_file(&list[n], e))
			return true;
	return false;
}

static int add_place(struct rf_rulefile **list, size_t *n,
		     const struct rf_event *e)
{
	struct rf_rulefile *more;

	more = reallocarray(*list, *n + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	*list = more;
	more[*n] = (struct rf_rulefile){ .ifindex = e->ifindex, .dir = e->dir };
	memcpy(more[*n].dev, e->dev, sizeof(e->dev));
	++*n;
	return 0;
}

/**
 * rf_rulefile_list - list the ports and directions with hits
 * @ev: the events
 * @list: new array, which the caller frees, also after an error
 * @n: its length
 *
 * Return: 0, or -ENOMEM.
 */
int rf_rulefile_list(const struct rf_events *ev, struct rf_rulefile **list,
		     size_t *n)
{
	const struct rf_event *e;
	int err = 0;

	*list = NULL;
	*n = 0;
	for (e = ev->e; !err && e < ev->e + ev->n; e++)
		if (e->fault && !is_listed(*list, *n, e))
			err = add_place(list, n, e);
	return err;
}

static void put_rule_line(struct rf_rulefile *file, FILE *f,
			  const struct rf_event *e, struct rf_rulebook *book,
			  const struct rf_ordinals *ordinals)
{
	struct rf_event again = *e;
	const struct rf_rule_spec *by;
	struct rf_rule_spec spec;
	char text[RF_EVENT_LINE_LEN];

	again.flow = rf_ordinals_flow(ordinals, e);
	by = rf_rulebook_find(book, e->ifindex, e->rule);
	switch (rf_event_repeat(&again, by, &spec)) {
	case 0:
		file->rules++;
		fprintf(f, "%s\n", rf_rule_format(&spec, text, sizeof(text)));
		break;
	case -ENODATA:
		file->nameless++;
		fprintf(f, "# a hit of rule %u: its packet has no place in a flow\n",
			e->rule);
		break;
	default:
		file->unknown++;
		fprintf(f, "# a hit of rule %u: the rule had gone before it was read\n",
			e->rule);
	}
}

static void put_rules(struct rf_rulefile *file, FILE *f,
		      const struct rf_events *ev, struct rf_rulebook *book,
		      const struct rf_ordinals *ordinals)
{
	const char *dir = rf_dir_name(file->dir);
	size_t i;

	fprintf(f, "# What was done on %s %s. To do it again, before the traffic begins:\n"
		"# rdmafault reset; rdmafault rule replace %s %s FILE\n",
		file->dev, dir, file->dev, dir);
	if (ev->lost)
		fprintf(f, "# %" PRIu64 " events were lost, hits may be among them.\n",
			ev->lost);
	for (i = 0; i < ev->n; i++)
		if (is_of_file(file, &ev->e[i]))
			put_rule_line(file, f, &ev->e[i], book, ordinals);
}

/**
 * rf_rulefile_write - write the rules of a port and direction
 * @file: the port and direction; its counters are set
 * @path: the file to write
 * @ev: the events, sorted by time
 * @book: the rules
 * @ordinals: the ordinals of flows
 *
 * Return: 0, or -errno.
 */
int rf_rulefile_write(struct rf_rulefile *file, const char *path,
		      const struct rf_events *ev, struct rf_rulebook *book,
		      const struct rf_ordinals *ordinals)
{
	FILE *f = fopen(path, "we");
	int bad;

	if (!f)
		return -errno;
	put_rules(file, f, ev, book, ordinals);
	bad = ferror(f);
	if (fclose(f) || bad)
		return -EIO;
	return 0;
}
