// SPDX-License-Identifier: GPL-2.0
/* Read run.json: the machine and the scenario of a run. */
#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "err.h"
#include "json.h"
#include "run.h"
#include "tools/scenario/load.h"
#include "words.h"

#define ROUNDS_MAX 1000
#define GPUS_MAX 8

typedef struct json_object *obj;

/* Allocate an array with one element per object of @list. @take fills an element. */
static int take_list(obj list, size_t size, bool (*take)(obj o, void *to),
		     void *all, size_t *n)
{
	size_t i, max = list ? json_object_array_length(list) : 0;
	char *items = calloc(max + 1, size);

	*(void **)all = items;
	if (!items)
		return -ENOMEM;
	for (i = 0; i < max; i++) {
		*n = i + 1;
		if (!take(json_object_array_get_idx(list, i), items + i * size))
			return -EINVAL;
	}
	return list ? 0 : -EINVAL;
}

static bool take_listed_word(obj o, const char *key, const char *const *words,
			     unsigned int n, unsigned int *v)
{
	char word[16];

	if (!rf_get_text(o, key, word, sizeof(word)))
		return false;
	for (*v = 0; *v < n; ++*v)
		if (!strcmp(words[*v], word))
			return true;
	return false;
}

static bool take_when_object(obj o, struct rf_when *when)
{
	unsigned int clock;

	if (!json_object_object_get_ex(o, "clock", NULL))
		return true;
	if (!take_listed_word(o, "clock", rf_setup_clocks, RF_CLOCK_TIME + 1, &clock) ||
	    !rf_get_u64(o, "begin", INT64_MAX, &when->begin) ||
	    !rf_get_u64(o, "end", INT64_MAX, &when->end))
		return false;
	when->clock = clock;
	return true;
}

static void take_steps(obj o, struct rf_match *m)
{
	if (rf_get_u32(o, "first_step", UINT32_MAX, &m->step_min))
		m->set |= RF_MATCH_BIT(STEP_MIN);
	if (rf_get_u32(o, "last_step", UINT32_MAX, &m->step_max))
		m->set |= RF_MATCH_BIT(STEP_MAX);
}

static bool take_fault(obj o, void *to)
{
	char *line = rf_get_copy(o, "do");
	struct rf_fault *f = to;
	struct rf_why why;
	bool good;

	good = line && !rf_fault_command_parse(line, f, &why) && take_when_object(o, &f->when);
	if (good && f->kind == RF_FAULT_RULE)
		take_steps(o, &f->spec.match);
	free(line);
	return good;
}

static bool take_check(obj o, void *to)
{
	const char *text = json_object_get_string(o);
	struct rf_check *check = to;
	unsigned int column;
	struct rf_why why;

	return text && !rf_check_parse(text, &rf_metrics, check, &why, &column);
}

static bool take_workload(obj o, struct rf_workload *w)
{
	unsigned int kind;

	if (!take_listed_word(o, "kind", rf_setup_works, RF_WORK_COMMAND + 1, &kind))
		return false;
	w->kind = kind;
	w->collective = rf_get_copy(o, "collective");
	w->parallel = rf_get_copy(o, "parallel");
	w->command = rf_get_copy(o, "command");
	w->options = rf_get_copy(o, "options");
	w->background = rf_get_copy(o, "background");
	return w->collective &&
	       rf_get_u32(o, "ranks", RF_RANKS_MAX, &w->ranks) &&
	       rf_get_u64(o, "size", INT64_MAX, &w->size) &&
	       rf_get_u32(o, "steps", UINT32_MAX, &w->steps) &&
	       rf_get_u32(o, "warmup", UINT32_MAX, &w->warmup) &&
	       rf_get_u64(o, "compute_ns", INT64_MAX, &w->compute_ns);
}

static bool take_qp_attr(obj o, struct rf_qp_attr *qp)
{
	return rf_get_u32(o, "timeout", 31, &qp->timeout) &&
	       rf_get_u32(o, "retry_cnt", 7, &qp->retry_cnt) &&
	       rf_get_u32(o, "mtu", 4096, &qp->mtu);
}

static bool take_case_object(obj o, void *to)
{
	struct rf_case *test_case = to;

	test_case->name = rf_get_copy(o, "name");
	test_case->explain = rf_get_copy(o, "explain");
	return test_case->name &&
	       take_workload(rf_get_object(o, "workload"), &test_case->workload) &&
	       take_qp_attr(rf_get_object(o, "qp"), &test_case->qp) &&
	       !take_list(rf_get_list(o, "faults"), sizeof(*test_case->faults),
			  take_fault, &test_case->faults, &test_case->nfaults) &&
	       !take_list(rf_get_list(o, "expect"), sizeof(*test_case->checks),
			  take_check, &test_case->checks, &test_case->nchecks);
}

static bool take_setting_object(obj o, void *to)
{
	struct rf_setting *setting = to;

	setting->port = rf_get_copy(o, "port");
	setting->words = rf_get_copy(o, "words");
	return setting->port && setting->words;
}

/*
 * Read the time between two stalls, for the cost estimate. It is missing in run.json of
 * older versions.
 */
static bool take_every(obj o, uint64_t *ns)
{
	*ns = RF_STALL_EVERY_NS;
	return !json_object_object_get_ex(o, "stall_every_ns", NULL) ||
	       (rf_get_u64(o, "stall_every_ns", RF_STALL_EVERY_MAX, ns) &&
		*ns >= RF_STALL_EVERY_MIN);
}

static bool take_price(obj o, struct rf_price *price)
{
	obj gpus = rf_get_list(o, "gpus");
	size_t i, n = gpus ? json_object_array_length(gpus) : 0;

	price->gpus = calloc(n + 1, sizeof(*price->gpus));
	if (!price->gpus || !gpus || n > GPUS_MAX ||
	    !rf_get_real(o, "rate", &price->rate) ||
	    !take_every(o, &price->every_ns))
		return false;
	for (i = 0; i < n; i++)
		price->gpus[i] =
			json_object_get_int64(json_object_array_get_idx(gpus, i));
	price->ngpus = n;
	return true;
}

/* Read the fabric. If run.json has no fabric, the fabric is one bridge. */
static bool take_fabric(obj o, struct rf_fabric *f)
{
	char shape[16];
	struct rf_why why;

	if (!o)
		return true;
	return rf_get_text(o, "shape", shape, sizeof(shape)) &&
	       !rf_name_value(rf_shape_names, shape, strlen(shape),
			      &f->shape) &&
	       rf_get_u32(o, "switches", UINT32_MAX, &f->switches) &&
	       rf_get_u32(o, "leaves", UINT32_MAX, &f->leaves) &&
	       rf_get_u32(o, "spines", UINT32_MAX, &f->spines) &&
	       !rf_fabric_settle(f, &why);
}

static bool take_scenario(obj o, struct rf_scenario *s)
{
	s->path = rf_get_copy(o, "file");
	s->name = rf_get_copy(o, "name");
	s->title = rf_get_copy(o, "title");
	return s->path && s->name && s->title &&
	       rf_get_u32(o, "nodes", RF_FABRIC_MAX, &s->fabric.nodes) &&
	       take_fabric(rf_get_object(o, "fabric"), &s->fabric) &&
	       take_workload(rf_get_object(o, "workload"), &s->workload) &&
	       take_qp_attr(rf_get_object(o, "qp"), &s->qp) &&
	       take_price(rf_get_object(o, "cost"), &s->price) &&
	       rf_get_u64(o, "seed", UINT64_MAX, &s->seed) &&
	       rf_get_u32(o, "repeat", UINT32_MAX, &s->repeat) &&
	       !take_list(rf_get_list(o, "settings"), sizeof(*s->settings),
			  take_setting_object, &s->settings, &s->nsettings) &&
	       !take_list(rf_get_list(o, "cases"), sizeof(*s->cases),
			  take_case_object, &s->cases, &s->ncases) && s->ncases;
}

static bool take_verdict(obj o, const char *key, enum rf_verdict *v)
{
	static const enum rf_verdict all[] = {
		RF_VERDICT_PASS, RF_VERDICT_FAIL, RF_VERDICT_BROKEN,
		RF_VERDICT_ABORTED,
	};
	char name[16];
	size_t i;

	if (!rf_get_text(o, key, name, sizeof(name)))
		return false;
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		*v = all[i];
		if (!strcmp(rf_verdict_name(*v), name))
			return true;
	}
	return false;
}

/* Read the properties of the machine. They are missing in run.json of older versions. */
static bool take_environment(obj run, struct rf_environment *env)
{
	char word[16];
	obj o;

	if (!json_object_object_get_ex(run, "environment", &o))
		return true;
	return rf_get_text(o, "machine", env->machine, sizeof(env->machine)) &&
	       rf_get_text(o, "cpu", env->cpu, sizeof(env->cpu)) &&
	       rf_get_text(o, "clocksource", env->clocksource,
			   sizeof(env->clocksource)) &&
	       rf_get_text(o, "time", word, sizeof(word)) &&
	       rf_time_parse(word, &env->time);
}

static bool take_run(obj o, struct rf_run *run)
{
	run->ports = json_object_get(rf_get_list(o, "ports"));
	return take_verdict(o, "ended", &run->ended) &&
	       rf_get_text(o, "kernel", run->kernel, sizeof(run->kernel)) &&
	       rf_get_u32(o, "cpus", UINT32_MAX, &run->cpus) &&
	       take_environment(o, &run->env) &&
	       rf_get_u32(o, "rounds", ROUNDS_MAX, &run->rounds) &&
	       run->rounds && take_scenario(rf_get_object(o, "scenario"),
					    run->own);
}

static int take_setup(obj o, const char *path, struct rf_run *run)
{
	uint32_t version;

	if (!rf_get_u32(o, "version", UINT32_MAX, &version)) {
		rf_err("%s: no version; not a file that rdmafault run wrote", path);
		return -EINVAL;
	}
	if (version != RF_SETUP_VERSION) {
		rf_err("%s: format version %u, written by %s rdmafault; this rdmafault reads version %u; repeat the run, or use the rdmafault that wrote the file",
		       path, version,
		       version < RF_SETUP_VERSION ? "an older" : "a newer",
		       RF_SETUP_VERSION);
		return -EINVAL;
	}
	if (take_run(o, run))
		return 0;
	rf_err("%s: a JSON member is missing or invalid; only unchanged files of \"rdmafault run\" can be read",
	       path);
	return -EINVAL;
}

/**
 * rf_setup_read - read run.json
 * @path: the file
 * @run: the scenario, the machine and the port settings are filled in; cases are added
 *	later
 *
 * Return: 0, or -errno after rf_err(). The caller calls rf_run_free(), also after an error.
 */
int rf_setup_read(const char *path, struct rf_run *run)
{
	obj o;
	int err;

	if (access(path, R_OK)) {
		err = -errno;
		rf_err("%s: %s", path, strerror(-err));
		return err;
	}
	o = json_object_from_file(path);
	if (!o) {
		rf_err("%s: not valid JSON; only unchanged files of \"rdmafault run\" can be read",
		       path);
		return -EINVAL;
	}
	run->own = calloc(1, sizeof(*run->own));
	err = run->own ? take_setup(o, path, run) : -ENOMEM;
	json_object_put(o);
	if (!err) {
		run->scenario = run->own;
		run->price = &run->own->price;
	}
	return err;
}
