// SPDX-License-Identifier: GPL-2.0
/*
 * The placement of a job: on which node each rank runs. "packed" fills the switches one after the
 * other, in the order of the nodes; "spread" puts consecutive ranks on different switches; "random"
 * draws the order of the nodes from a seed; a list names the node of each rank.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kmod/rand.h"
#include "load.h"
#include "units.h"

#define TEXT_NODES 8	/* of a list, in rf_placement_text() */

static int list_take(const char *text, struct rf_placement *p)
{
	char word[16];
	size_t len;
	uint32_t node, i;

	for (p->n = 0; *text; text += len + !!text[len]) {
		len = strcspn(text, ",");
		if (len >= sizeof(word) || p->n == RF_FABRIC_MAX || (text[len] && !text[len + 1]))
			return -EINVAL;
		snprintf(word, len + 1, "%s", text);
		if (rf_parse_u32(word, &node) || !node || node > RF_FABRIC_MAX)
			return -EINVAL;
		for (i = 0; i < p->n; i++)
			if (p->node[i] == node)
				return -EINVAL;
		p->node[p->n++] = node;
	}
	return p->n ? 0 : -EINVAL;
}

static int placement_take(const struct rf_key *key, const char *text, void *base)
{
	struct rf_placement *to = (void *)((char *)base + key->at), p = { };
	static const char random[] = "random ";
	int err = 0;

	if (!strcmp(text, "packed")) {
		p.how = RF_PLACEMENT_PACKED;
	} else if (!strcmp(text, "spread")) {
		p.how = RF_PLACEMENT_SPREAD;
	} else if (!strncmp(text, random, strlen(random))) {
		p.how = RF_PLACEMENT_RANDOM;
		err = rf_parse_u64(text + strlen(random), &p.seed);
	} else {
		p.how = RF_PLACEMENT_LIST;
		err = list_take(text, &p);
	}
	if (err)
		return -EINVAL;
	*to = p;
	return 0;
}

const struct rf_kind rf_kind_placement = { .take = placement_take };

/*
 * Order the nodes so that consecutive ones are at different switches: the first of each switch,
 * then the second of each.
 */
static void spread(const struct rf_fabric *f, uint8_t node[RF_FABRIC_MAX])
{
	uint32_t seen[RF_FABRIC_ALL_SWITCHES_MAX] = { }, turn[RF_FABRIC_MAX], n = 0, t, i;

	for (i = 0; i < f->nodes; i++)
		turn[i] = seen[rf_fabric_home(f, i + 1)]++;
	for (t = 0; n < f->nodes; t++)
		for (i = 0; i < f->nodes; i++)
			if (turn[i] == t)
				node[n++] = i + 1;
}

/* Draw the order of the nodes (Fisher and Yates). */
static void shuffle(const struct rf_fabric *f, uint64_t seed, uint8_t node[RF_FABRIC_MAX])
{
	uint32_t i, k;
	uint8_t last;

	for (i = f->nodes; i > 1; i--) {
		k = (rf_splitmix64(seed, i) >> 32) * i >> 32;
		last = node[i - 1];
		node[i - 1] = node[k];
		node[k] = last;
	}
}

/* Choose free nodes: all of them, in the order of the placement. */
static void choose_nodes(const struct rf_fabric *f, struct rf_placement *p,
			 const char *const on[RF_FABRIC_MAX])
{
	uint8_t order[RF_FABRIC_MAX];
	uint32_t i, n = 0;

	for (i = 0; i < f->nodes; i++)
		order[i] = i + 1;
	if (p->how == RF_PLACEMENT_SPREAD)
		spread(f, order);
	else if (p->how == RF_PLACEMENT_RANDOM)
		shuffle(f, p->seed, order);
	memset(p->node, 0, sizeof(p->node));
	for (i = 0; i < f->nodes; i++)
		if (!on[order[i] - 1])
			p->node[n++] = order[i];
}

static int check_free(struct rf_doc *doc, struct rf_node *node, const struct rf_placement *p,
		      const char *const on[RF_FABRIC_MAX])
{
	uint32_t i;

	for (i = 0; i < p->n; i++)
		if (on[p->node[i] - 1])
			return rf_doc_refuse(doc, node, "placement: node %u: job %s has a rank there, too; each rank needs its own node",
					     p->node[i], on[p->node[i] - 1]);
	return 0;
}

/**
 * rf_placement_settle - compute the node of each rank
 * @doc: the document
 * @map: the workload in the file, for the position of an error; NULL: not in the file
 * @f: the fabric
 * @w: the workload; it has at most as many ranks as the fabric has free nodes
 * @on: by node, the name of the job that is on it; NULL: none. The nodes of @w are added if it
 *	has a name.
 *
 * Return: 0, or -EINVAL after rf_err().
 */
int rf_placement_settle(struct rf_doc *doc, struct rf_node *map, const struct rf_fabric *f,
			struct rf_workload *w, const char *on[RF_FABRIC_MAX])
{
	struct rf_placement *p = &w->placement;
	struct rf_node *node = map ? rf_doc_find(map, "placement") : NULL;
	uint32_t i;
	int err;

	if (p->how == RF_PLACEMENT_LIST && p->n != w->ranks)
		return rf_doc_refuse(doc, node, "placement: %u nodes for %u ranks; name one node for each rank",
				     p->n, w->ranks);
	for (i = 0; i < p->n; i++)
		if (p->node[i] > f->nodes)
			return rf_doc_refuse(doc, node, "placement: node %u: not in this fabric; 1 to %u",
					     p->node[i], f->nodes);
	if (p->how == RF_PLACEMENT_LIST) {
		err = check_free(doc, node, p, on);
		if (err)
			return err;
	} else {
		choose_nodes(f, p, on);
	}
	for (i = 0; w->name && i < w->ranks; i++)
		on[p->node[i] - 1] = w->name;
	return 0;
}

/**
 * rf_placement_text - format a placement as in a scenario
 * @p: the placement
 * @buf: gets the text
 *
 * Return: @buf; it has the first nodes of a list.
 */
char *rf_placement_text(const struct rf_placement *p, char buf[RF_PLACEMENT_TEXT])
{
	uint32_t i, n = 0;

	if (p->how == RF_PLACEMENT_RANDOM)
		snprintf(buf, RF_PLACEMENT_TEXT, "random %llu", (unsigned long long)p->seed);
	else
		strcpy(buf, p->how == RF_PLACEMENT_SPREAD ? "spread" : "packed");
	if (p->how == RF_PLACEMENT_LIST)
		for (i = 0; i < p->n && i < TEXT_NODES; i++)
			n += sprintf(buf + n, "%s%u", i ? "," : "", p->node[i]);
	if (p->n > TEXT_NODES)
		strcpy(buf + n, ",...");
	return buf;
}
