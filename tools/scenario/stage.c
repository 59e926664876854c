// SPDX-License-Identifier: GPL-2.0
/*
 * Rules and counters of a play.
 *
 * A NAK is watched where it arrives, at the sender that has to act on it; a
 * packet sent again where it leaves. Nothing else is watched, so that a clean
 * step makes no events at all.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "rdmadev.h"
#include "stage.h"

static const struct rf_rule_spec watch_resends = {
	.match = { .set = RF_MATCH_BIT(PASS_MIN), .pass_min = 2 },
	.actions = 1,
	.action = {{ .type = RDMAFAULT_ACTION_WATCH }},
};

static const struct rf_rule_spec watch_naks = {
	.match = {
		.set = RF_MATCH_BIT(CLASS), .classes = RDMAFAULT_CLASS_NAK,
	},
	.actions = 1,
	.action = {{ .type = RDMAFAULT_ACTION_WATCH }},
};

static int add_rule(struct rf_stage *st, const struct rf_target *t,
		    uint32_t dir, const struct rf_rule_spec *spec, uint32_t *id)
{
	int err = rf_nl_rule_new(st->nl, t->ifindex, dir, 0, spec, 1, id);

	if (err)
		rf_err("%s: %s", t->netdev, rf_nl_error(st->nl)[0] ?
		       rf_nl_error(st->nl) : strerror(-err));
	return err;
}

static int add_watches(struct rf_stage *st)
{
	const struct rf_target *t = st->cluster->node;
	uint32_t i, id;
	int err = 0;

	for (i = 0; !err && i < st->cluster->nodes; i++, t++) {
		err = add_rule(st, t, RDMAFAULT_DIRECTION_TX, &watch_resends,
			       &id);
		if (!err)
			err = add_rule(st, t, RDMAFAULT_DIRECTION_RX,
				       &watch_naks, &id);
	}
	return err;
}

static int add_faults(struct rf_stage *st)
{
	const struct rf_target *t;
	const struct rf_fault *f;
	int err = 0;
	size_t i;

	st->rules = calloc(st->play->nfaults + 1, sizeof(*st->rules));
	if (!st->rules)
		return -ENOMEM;
	for (i = 0; !err && i < st->play->nfaults; i++) {
		f = &st->play->faults[i];
		t = rf_cluster_find(st->cluster, f->port);
		if (!t)
			return -ENODEV;
		st->rules[i].ifindex = t->ifindex;
		err = add_rule(st, t, f->dir, &f->spec, &st->rules[i].id);
	}
	return err;
}

static uint64_t read_flows_lost(struct rf_stage *st)
{
	struct rf_port_info port;
	uint64_t lost = 0;
	uint32_t i;

	for (i = 0; i < st->cluster->nodes; i++)
		if (!rf_nl_port_get(st->nl, st->cluster->node[i].ifindex, &port))
			lost += port.dir[0].flows_lost + port.dir[1].flows_lost;
	return lost;
}

static void read_counters(const struct rf_stage *st,
			  uint64_t v[RF_RANKS_MAX][RF_COUNTERS])
{
	uint32_t i;
	int c;

	for (i = 0; i < st->cluster->nodes; i++)
		for (c = 0; c < RF_COUNTERS; c++)
			v[i][c] = rf_rdma_counter(st->cluster->node[i].rdma,
						  rf_counter_names[c]);
}

/**
 * rf_stage_open - prove the state clean, read counters, set the rules
 * @st: the stage
 * @cluster: where
 * @play: the play
 *
 * Return: 0, or -errno after rf_err(); nothing is left behind then.
 */
int rf_stage_open(struct rf_stage *st, const struct rf_cluster *cluster,
		  const struct rf_play *play)
{
	int err;

	*st = (struct rf_stage){ .cluster = cluster, .play = play };
	err = rf_nl_open(&st->nl);
	if (err) {
		rf_err_no_module();
		return err;
	}
	err = rf_cluster_check_clean(cluster, st->nl);
	if (!err) {
		read_counters(st, st->before);
		st->flows_lost = read_flows_lost(st);
		err = add_watches(st);
	}
	if (!err)
		err = add_faults(st);
	if (err)
		rf_stage_close(st);
	return err;
}

static int read_hits(struct rf_stage *st, uint64_t *hits)
{
	struct rf_rule_info rule;
	size_t i;
	int err;

	for (i = 0; i < st->play->nfaults; i++) {
		err = rf_nl_rule_get(st->nl, st->rules[i].ifindex,
				     st->rules[i].id, &rule);
		if (err) {
			rf_err("%s: want the rule of the play, got none: somebody deleted it",
			       st->play->faults[i].port);
			return err;
		}
		*hits += rule.tally.hits;
	}
	return 0;
}

/**
 * rf_stage_read - how far counters went in the play
 * @st: the stage
 * @rec: gets it
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_stage_read(struct rf_stage *st, struct rf_record *rec)
{
	uint32_t i;
	int c;

	read_counters(st, rec->counters);
	for (i = 0; i < st->cluster->nodes; i++)
		for (c = 0; c < RF_COUNTERS; c++)
			rec->counters[i][c] -= st->before[i][c];
	rec->flows_lost = read_flows_lost(st) - st->flows_lost;
	return read_hits(st, &rec->rule_hits);
}

/** rf_stage_mark_faults - tell the play's own events from what we watch */
void rf_stage_mark_faults(const struct rf_stage *st, struct rf_events *ev)
{
	struct rf_event *e;
	size_t i;

	for (e = ev->e; e < ev->e + ev->n; e++) {
		e->fault = false;
		for (i = 0; i < st->play->nfaults; i++)
			if (st->rules[i].ifindex == e->ifindex &&
			    st->rules[i].id == e->rule)
				e->fault = true;
	}
}

/** rf_stage_close - the rules die with their socket */
void rf_stage_close(struct rf_stage *st)
{
	rf_nl_close(st->nl);
	free(st->rules);
	*st = (struct rf_stage){ };
}
