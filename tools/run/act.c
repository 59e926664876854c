// SPDX-License-Identifier: GPL-2.0
/*
 * Apply a fault and undo it. Rules and storms belong to the netlink socket of the case; the
 * module deletes them when the socket is closed. Before a fault changes the settings of a
 * port, the old settings are read. They are restored when the fault is undone. A link that is
 * down is brought up before its rule is deleted.
 */
#include <errno.h>

#include "err.h"
#include "genl.h"
#include "runner.h"

static int fault_failed(struct rf_stage *st, const struct rf_fault *f, int err)
{
	if (err)
		rf_err("%s: %s", f->words, rf_nl_why(st->nl, err));
	return err;
}

static int change(struct rf_stage *st, const struct rf_fault *f,
		  struct rf_fault_state *state)
{
	struct rf_queue_info info = { };
	int err = rf_nl_queue_get(st->nl, state->ifindex, &info);

	if (err)
		return err;
	state->before = f->change;
	state->before.conf = info.conf;
	return rf_nl_queue_set(st->nl, state->ifindex, &f->change);
}

static int take_link_down(struct rf_stage *st, const struct rf_fault *f,
			  struct rf_fault_state *state)
{
	const struct rf_target *t = rf_cluster_find(st->cluster, f->port);
	struct rf_why why;
	int err = rf_link_ends_find(t, &state->link, &why);

	if (!err) {
		state->ifindex = state->link.near.ifindex;
		state->there = true;	/* the supervisor of the run reads it */
		err = rf_link_take_down(st->nl, &state->link, &state->id, &why);
	}
	if (err)
		rf_err("%s: %s", f->words, why.text);
	return err;
}

/**
 * rf_stage_do - apply a fault
 * @st: the stage
 * @i: the index of the fault in the case
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_stage_do(struct rf_stage *st, size_t i)
{
	const struct rf_fault *f = &st->test_case->faults[i];
	struct rf_fault_state *state = &st->faults[i];
	int err = 0;

	switch (f->kind) {
	case RF_FAULT_RULE:
		err = rf_nl_rule_new(st->nl, state->ifindex, f->dir, 0,
				     &f->spec, 1, &state->id);
		break;
	case RF_FAULT_CHANGE:
		err = change(st, f, state);
		break;
	case RF_FAULT_PAUSE:
		err = rf_nl_pause_send(st->nl, state->ifindex, f->prios,
				       f->quanta);
		break;
	case RF_FAULT_STORM:
		err = rf_nl_storm_start(st->nl, state->ifindex, &f->storm);
		break;
	case RF_FAULT_STOP:
		err = rf_nl_storm_stop(st->nl, state->ifindex, f->prios);
		break;
	case RF_FAULT_LINK_DOWN:
		err = take_link_down(st, f, state);
		state->there = !err;
		return err;
	}
	state->there = !err;
	return fault_failed(st, f, err);
}

static int delete_rule(struct rf_stage *st, struct rf_fault_state *state)
{
	int err = rf_stage_read_rule(st, state);

	return err ? err :
	       rf_nl_rule_del(st->nl, state->ifindex, &state->id, 1);
}

/*
 * Several active faults can set the seed of a port to the scenario's seed. If one of these
 * faults is undone, the port keeps the scenario's seed. The fault that is undone last restores
 * the original seed.
 */
static void hand_on_seed(struct rf_stage *st, struct rf_fault_state *state)
{
	const struct rf_fault *f = st->test_case->faults;
	struct rf_fault_state *other;
	size_t i;

	for (i = 0; i < st->test_case->nfaults; i++, f++) {
		other = &st->faults[i];
		if (!f->seeded || !other->there ||
		    other->ifindex != state->ifindex ||
		    f->change.conf.link.seed == state->before.conf.link.seed)
			continue;
		other->before.conf.link.seed = state->before.conf.link.seed;
		state->before.link &= ~RF_LINK_BIT(SEED);
		return;
	}
}

static int change_back(struct rf_stage *st, const struct rf_fault *f,
		       struct rf_fault_state *state)
{
	if (f->seeded)
		hand_on_seed(st, state);
	return rf_nl_queue_set(st->nl, state->ifindex, &state->before);
}

static int bring_link_up(const struct rf_fault *f, const struct rf_fault_state *state)
{
	struct rf_why why;
	int err = rf_link_bring_up(&state->link, &why);

	if (err)
		rf_err("%s: %s", f->words, why.text);
	return err;
}

/**
 * rf_stage_undo - undo a fault
 * @st: the stage
 * @i: the index of the fault in the case
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_stage_undo(struct rf_stage *st, size_t i)
{
	const struct rf_fault *f = &st->test_case->faults[i];
	struct rf_fault_state *state = &st->faults[i];
	int err = 0;

	if (!state->there)
		return 0;
	state->there = false;
	if (f->kind == RF_FAULT_LINK_DOWN && bring_link_up(f, state))
		return -EIO;
	if (f->kind == RF_FAULT_RULE || f->kind == RF_FAULT_LINK_DOWN)
		err = delete_rule(st, state);
	else if (f->kind == RF_FAULT_CHANGE)
		err = change_back(st, f, state);
	else if (f->kind == RF_FAULT_STORM)
		err = rf_nl_storm_stop(st->nl, state->ifindex, f->storm.prios);
	return fault_failed(st, f, err);
}

/**
 * rf_stage_restore - restore what does not end with the socket of the case
 * @st: the stage
 * @i: the index of the fault in the case
 *
 * The rule of a link that is down can be gone, because the run was killed.
 */
void rf_stage_restore(struct rf_stage *st, size_t i)
{
	const struct rf_fault *f = &st->test_case->faults[i];
	struct rf_fault_state *state = &st->faults[i];

	if (f->kind == RF_FAULT_CHANGE)
		rf_stage_undo(st, i);
	if (f->kind != RF_FAULT_LINK_DOWN || !state->there)
		return;
	state->there = false;
	bring_link_up(f, state);
}

/**
 * rf_stage_read_rule - read the counters of a fault's rule
 * @st: the stage
 * @state: the state of the fault; its counters are set
 *
 * Return: 0, or -errno.
 */
int rf_stage_read_rule(struct rf_stage *st, struct rf_fault_state *state)
{
	struct rf_rule_info rule;
	int err = rf_nl_rule_get(st->nl, state->ifindex, state->id, &rule);

	if (!err)
		state->counters = rule.counters;
	return err;
}
