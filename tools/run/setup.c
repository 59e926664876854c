// SPDX-License-Identifier: GPL-2.0
/*
 * run.json: the scenario with all values resolved, the machine, and how the run ended. A
 * report does not need the scenario file. setup_load.c reads run.json.
 */
#include <json-c/json.h>

#include "json.h"
#include "run.h"
#include "words.h"

typedef struct json_object *obj;

const char *const rf_setup_clocks[] = {
	[RF_CLOCK_NONE] = "none",
	[RF_CLOCK_STEP] = "step",
	[RF_CLOCK_TIME] = "time",
};

const char *const rf_setup_works[] = {
	[RF_WORK_COLLECTIVE] = "collective",
	[RF_WORK_TRAIN] = "train",
	[RF_WORK_COMMAND] = "command",
};

/*
 * Write the first and the last step of a rule. The scenario gives them in the command line of
 * the rule, or in the keys "at", "from" and "for".
 */
static void put_step_range(obj o, const struct rf_match *m)
{
	if (RF_ASKS(m, STEP_MIN))
		rf_put_u64(o, "first_step", m->step_min);
	if (RF_ASKS(m, STEP_MAX))
		rf_put_u64(o, "last_step", m->step_max);
}

static void put_fault(obj o, const struct rf_fault *f)
{
	rf_put_text(o, "do", f->words);
	if (f->kind == RF_FAULT_RULE)
		put_step_range(o, &f->spec.match);
	if (f->when.clock == RF_CLOCK_NONE)
		return;
	rf_put_text(o, "clock", rf_setup_clocks[f->when.clock]);
	rf_put_u64(o, "begin", f->when.begin);
	rf_put_u64(o, "end", f->when.end);
}

static void put_lines(obj lines, const struct rf_case *test_case)
{
	size_t i;

	for (i = 0; i < test_case->nchecks; i++)
		json_object_array_add(lines,
				      json_object_new_string(test_case->checks[i].text));
}

static void put_known_text(obj o, const char *key, const char *v)
{
	if (v)
		rf_put_text(o, key, v);
}

static void put_workload(obj o, const struct rf_workload *w)
{
	rf_put_text(o, "kind", rf_setup_works[w->kind]);
	rf_put_text(o, "collective", w->collective);
	put_known_text(o, "parallel", w->parallel);
	put_known_text(o, "command", w->command);
	put_known_text(o, "options", w->options);
	put_known_text(o, "background", w->background);
	rf_put_u64(o, "ranks", w->ranks);
	rf_put_u64(o, "size", w->size);
	rf_put_u64(o, "steps", w->steps);
	rf_put_u64(o, "warmup", w->warmup);
	rf_put_u64(o, "compute_ns", w->compute_ns);
}

static void put_qp(obj o, const struct rf_qp_attr *qp)
{
	rf_put_u64(o, "timeout", qp->timeout);
	rf_put_u64(o, "retry_cnt", qp->retry_cnt);
	rf_put_u64(o, "mtu", qp->mtu);
}

static void put_case_setup(obj o, const struct rf_case *test_case)
{
	obj faults = rf_put_list(o, "faults");
	size_t i;

	rf_put_text(o, "name", test_case->name);
	put_known_text(o, "explain", test_case->explain);
	put_workload(rf_put_object(o, "workload"), &test_case->workload);
	put_qp(rf_put_object(o, "qp"), &test_case->qp);
	for (i = 0; i < test_case->nfaults; i++)
		put_fault(rf_list_object(faults), &test_case->faults[i]);
	put_lines(rf_put_list(o, "expect"), test_case);
}

static void put_setting(obj o, const struct rf_setting *setting)
{
	rf_put_text(o, "port", setting->port);
	rf_put_text(o, "words", setting->words);
}

static void put_price(obj o, const struct rf_price *price)
{
	obj gpus = rf_put_list(o, "gpus");
	size_t i;

	for (i = 0; i < price->ngpus; i++)
		json_object_array_add(gpus,
				      json_object_new_int64(price->gpus[i]));
	json_object_object_add(o, "rate", json_object_new_double(price->rate));
	rf_put_u64(o, "stall_every_ns", price->every_ns);
}

static void put_fabric(obj o, const struct rf_fabric *f)
{
	rf_put_text(o, "shape", rf_value_name(rf_shape_names, f->shape));
	rf_put_u64(o, "switches", f->switches);
	rf_put_u64(o, "leaves", f->leaves);
	rf_put_u64(o, "spines", f->spines);
}

static void put_scenario(obj o, const struct rf_scenario *s)
{
	obj cases, settings;
	size_t i;

	rf_put_text(o, "file", s->path);
	rf_put_text(o, "name", s->name);
	rf_put_text(o, "title", s->title);
	rf_put_u64(o, "nodes", s->fabric.nodes);
	put_fabric(rf_put_object(o, "fabric"), &s->fabric);
	put_workload(rf_put_object(o, "workload"), &s->workload);
	put_qp(rf_put_object(o, "qp"), &s->qp);
	put_price(rf_put_object(o, "cost"), &s->price);
	json_object_object_add(o, "seed", json_object_new_uint64(s->seed));
	rf_put_u64(o, "repeat", s->repeat);
	settings = rf_put_list(o, "settings");
	for (i = 0; i < s->nsettings; i++)
		put_setting(rf_list_object(settings), &s->settings[i]);
	cases = rf_put_list(o, "cases");
	for (i = 0; i < s->ncases; i++)
		put_case_setup(rf_list_object(cases), &s->cases[i]);
}

static void put_environment(obj o, const struct rf_environment *env)
{
	rf_put_text(o, "machine", env->machine);
	rf_put_text(o, "cpu", env->cpu);
	rf_put_text(o, "time", rf_time_name(env->time));
	rf_put_text(o, "clocksource", env->clocksource);
}

/**
 * rf_setup_write - write run.json
 * @path: the file
 * @run: the run
 *
 * Return: 0, or -EIO after rf_err().
 */
int rf_setup_write(const char *path, const struct rf_run *run)
{
	obj o = json_object_new_object();

	rf_put_u64(o, "version", RF_SETUP_VERSION);
	rf_put_text(o, "ended", rf_verdict_name(run->ended));
	rf_put_text(o, "kernel", run->kernel);
	rf_put_u64(o, "cpus", run->cpus);
	put_environment(rf_put_object(o, "environment"), &run->env);
	rf_put_u64(o, "rounds", run->rounds);
	if (run->ports)
		json_object_object_add(o, "ports", json_object_get(run->ports));
	put_scenario(rf_put_object(o, "scenario"), run->scenario);
	return rf_json_write(path, o);
}
