// SPDX-License-Identifier: GPL-2.0
/*
 * Analyse the cases of a run. A live run and a run loaded from its directory are analysed and
 * rendered by the same code, which does not need the kernel module.
 */
#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "err.h"
#include "units.h"

static bool took_link_down(const struct rf_run_case *p)
{
	size_t i;

	for (i = 0; i < p->test_case->nfaults; i++)
		if (p->test_case->faults[i].kind == RF_FAULT_LINK_DOWN && rf_fault_came(p, i))
			return true;
	return false;
}

static int analyse(const struct rf_run *run, struct rf_run_case *p)
{
	const struct rf_run_case *by = rf_run_clean_step(run, p);
	int err;

	p->rec.timer_ns = rf_case_timer_ns(p->test_case);
	p->rec.remote = rf_fabric_is_remote(&run->scenario->fabric);
	p->rec.link_down = took_link_down(p->owner ? p->owner : p);
	if (!p->an)
		p->an = calloc(1, sizeof(*p->an));
	err = p->an ? rf_analyse(&p->rec, by ? &by->rec : NULL, p->an) : -ENOMEM;
	if (!err)
		p->an->partition = rf_partition(run->scenario, p->owner ? p->owner : p);
	return err;
}

/* The record of another job has the counters of its nodes. */
static void copy_counters(const struct rf_record *from, const struct rf_workload *w,
			  struct rf_record *to)
{
	uint32_t rank, node;

	for (rank = 0; rank < w->ranks; rank++) {
		node = rf_workload_node(w, rank, 0) - 1;
		memcpy(to->before[node], from->before[node], sizeof(to->before[node]));
		memcpy(to->counters[node], from->counters[node], sizeof(to->counters[node]));
	}
	to->ev.lost = from->ev.lost;
	to->flows_lost = from->flows_lost;
}

/* Analyse each of the other jobs of a case as a case. */
static int analyse_others(const struct rf_run *run, struct rf_run_case *p)
{
	struct rf_run_case *other;
	int err = 0;
	size_t i;

	if (!p->rec.nothers)
		return 0;
	if (!p->others)
		p->others = calloc(p->rec.nothers, sizeof(*p->others));
	if (!p->others)
		return -ENOMEM;
	for (i = 0; !err && i < p->rec.nothers; i++) {
		other = &p->others[i];
		copy_counters(&p->rec, &p->test_case->others[i].workload, &p->rec.others[i]);
		rf_hits_settle(run->scenario, p->test_case, &p->rec.others[i].ev);
		*other = (struct rf_run_case){
			.test_case = &p->test_case->others[i], .round = p->round,
			.rec = p->rec.others[i], .owner = p, .an = other->an,
		};
		snprintf(other->label, sizeof(other->label), "%s", other->test_case->name);
		err = analyse(run, other);
	}
	return err;
}

static void free_analysis(struct rf_run_case *p)
{
	size_t i;

	for (i = 0; p->others && i < p->rec.nothers; i++)
		free_analysis(&p->others[i]);
	free(p->others);
	p->others = NULL;
	if (p->an)
		rf_analysis_free(p->an);
	free(p->an);
	p->an = NULL;
}

/**
 * rf_run_analyse - analyse and judge one case
 * @run: the run
 * @p: a case of the run; all earlier cases have been analysed
 *
 * Return: 0, or -ENOMEM after rf_err().
 */
int rf_run_analyse(const struct rf_run *run, struct rf_run_case *p)
{
	int err;

	rf_hits_settle(run->scenario, p->test_case, &p->rec.ev);
	err = analyse(run, p);
	if (!err)
		err = analyse_others(run, p);
	if (!err) {
		p->an->unhit = rf_unhit_text(run, p);
		rf_case_set_verdict(p);
		return 0;
	}
	rf_err("%s: no memory", p->label);
	free_analysis(p);
	return err;
}

/**
 * rf_run_load - read a run from its directory, analyse and judge it
 * @dir: the directory
 * @run: the run
 *
 * Return: 0, or -errno after rf_err(). The caller calls rf_run_free(), also after an error.
 */
int rf_run_load(const char *dir, struct rf_run *run)
{
	size_t i;
	int err;

	*run = (struct rf_run){ };
	snprintf(run->dir, sizeof(run->dir), "%s", dir);
	err = rf_run_read(run);
	for (i = 0; !err && i < run->ncases; i++) {
		rf_waiting("analysing case %zu of %zu", i + 1, run->ncases);
		err = rf_run_analyse(run, &run->cases[i]);
	}
	rf_waiting_end();
	if (err)
		return err;
	run->verdict = run->ended;
	rf_run_set_verdict(run);
	return 0;
}

/** rf_run_free - free a run */
void rf_run_free(struct rf_run *run)
{
	size_t i;

	for (i = 0; i < run->ncases; i++) {
		rf_reasons_free(&run->cases[i]);
		free_analysis(&run->cases[i]);
		rf_record_free(&run->cases[i].rec);
	}
	free(run->cases);
	if (run->own)
		rf_scenario_free(run->own);
	free(run->own);
	json_object_put(run->ports);
	json_object_put(run->machines);
	*run = (struct rf_run){ };
}
