// SPDX-License-Identifier: GPL-2.0
/*
 * Load the workload of a scenario: a collective of collperf, a training job, or a command
 * of the user. A case can change some values of the workload.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric.h"
#include "load.h"
#include "plan.h"
#include "scenario.h"
#include "text.h"

#define COMPUTE_MAX_NS	60000000000ull
#define SIZE_MAX_BYTES	(1ull << 30)
#define STEPS_MAX	100000

/* A word that must be one of key->names is stored as text. */
static int listed_take(const struct rf_key *key, const char *text, void *base)
{
	uint32_t value;

	if (rf_name_value(key->names, text, strlen(text), &value))
		return -EINVAL;
	return rf_store_text(key, text, base);
}

static void listed_valid(const struct rf_key *key, char *form)
{
	rf_kind_name.valid(key, form);
}

static const struct rf_kind listed_kind = {
	.take = listed_take, .valid = listed_valid, .form = RF_FORM_WORD
};

static int shell_take(const struct rf_key *key, const char *text, void *base)
{
	return text[0] ? rf_store_text(key, text, base) : -EINVAL;
}

static void shell_valid(const struct rf_key *key, char *form)
{
	(void)key;
	strcpy(form, "one shell command line");
}

const struct rf_kind rf_kind_shell = { .take = shell_take, .valid = shell_valid };

static const struct rf_name parallel_names[] = {
	{ "dp", 0 }, { "tp", 1 }, { "pp", 2 }, { }
};

#define JOB_NAME_LEN_MAX 15
#define JOB_NAME_FORM "1 to 15 of a-z and 0-9, a letter first"

/* The name is an index of metrics: job[a].step.time.p50. */
static int job_name_take(const struct rf_key *key, const char *text, void *base)
{
	size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789");

	if (text[len] || len > JOB_NAME_LEN_MAX || text[0] < 'a')
		return -EINVAL;
	return rf_store_text(key, text, base);
}

static const struct rf_kind job_name_kind = { .take = job_name_take };

#define PLACEMENT_FORM "packed, spread, random SEED, or a node for each rank, each once, for example 1,5,2,6"

#define SHARED_FIELDS \
	{ .name = "name", .help = "of the job, for metrics and messages; a list of jobs needs it", \
	  .form = JOB_NAME_FORM, .kind = &job_name_kind, .optional = true, \
	  .at = AT(rf_workload, name) }, \
	{ .name = "size", .help = "bytes of a collective; of a training's gradient", \
	  .kind = &rf_kind_size, .optional = true, \
	  .at = AT(rf_workload, size), .min = 4, .max = SIZE_MAX_BYTES }, \
	{ .name = "steps", .help = "measured, counted from 1", \
	  .kind = &rf_kind_u32, .optional = true, \
	  .at = AT(rf_workload, steps), .min = 1, .max = STEPS_MAX }, \
	{ .name = "warmup", .help = "steps before them, not measured (0)", \
	  .kind = &rf_kind_u32, .optional = true, \
	  .at = AT(rf_workload, warmup), .min = 0, .max = STEPS_MAX }, \
	{ .name = "compute", .help = "pause in each step (0ms)", \
	  .kind = &rf_kind_time, .optional = true, \
	  .at = AT(rf_workload, compute_ns), .max = COMPUTE_MAX_NS }, \
	{ .name = "options", .help = "more words for collperf or train", \
	  .kind = &rf_kind_line, .optional = true, \
	  .at = AT(rf_workload, options) }, \
	{ .name = "placement", .help = "on which node each rank is (packed, rank r on node r + 1)", \
	  .form = PLACEMENT_FORM, .kind = &rf_kind_placement, .optional = true, \
	  .at = AT(rf_workload, placement) }, \
	{ .name = "failover", .help = "after an error, repeat the step on the other rail", \
	  .kind = &rf_kind_boolean, .optional = true, \
	  .at = AT(rf_workload, failover) }, \
	{ .name = "background", .help = "a command that goes on as long as the job", \
	  .kind = &rf_kind_shell, .optional = true, \
	  .at = AT(rf_workload, background) }

const struct rf_key rf_workload_fields[] = {
	{ .name = "collective", .help = "of collperf",
	  .kind = &listed_kind, .optional = true,
	  .at = AT(rf_workload, collective),
	  .names = rf_collective_names },
	{ .name = "train", .help = "a training: data, tensor or pipeline parallel",
	  .kind = &listed_kind, .optional = true,
	  .at = AT(rf_workload, parallel), .names = parallel_names },
	{ .name = "command", .help = "of your own, for the shell; or a list of processes",
	  .kind = &rf_kind_processes, .optional = true,
	  .at = AT(rf_workload, processes), .keys = rf_process_fields },
	{ .name = "ranks", .help = "processes, one per node",
	  .kind = &rf_kind_u32, .optional = true,
	  .at = AT(rf_workload, ranks), .min = 2, .max = COLL_RANKS_MAX },
	{ .name = "rails", .help = "nodes per rank; with 2, rank r is on nodes 2r + 1, 2r + 2 (1)",
	  .kind = &rf_kind_u32, .optional = true,
	  .at = AT(rf_workload, rails), .min = 1, .max = 2 },
	SHARED_FIELDS,
	{ }
};

const struct rf_key rf_case_workload_fields[] = {
	SHARED_FIELDS,
	{ .name = "env", .help = "environment variables of all processes of the case",
	  .kind = &rf_kind_env, .optional = true,
	  .at = AT(rf_workload, env) },
	{ }
};

static int set_kind(struct rf_doc *doc, struct rf_node *node,
		    struct rf_workload *w)
{
	int given = !!w->collective + !!w->parallel + !!w->processes.n;

	if (given != 1)
		return rf_doc_refuse(doc, node, "workload: %s; use exactly one of collective, train and command",
				     given ? "more than one job" : "no job");
	if (w->collective)
		return 0;
	w->kind = w->parallel ? RF_WORK_TRAIN : RF_WORK_COMMAND;
	w->collective = strdup(w->parallel ? "train" : "command");
	return w->collective ? 0 : -ENOMEM;
}

static bool is_sized(const struct rf_workload *w)
{
	return w->kind == RF_WORK_COLLECTIVE && strcmp(w->collective, "barrier");
}

static int check_keys(struct rf_doc *doc, struct rf_node *node,
		      const struct rf_workload *w)
{
	const struct {
		const char *key;
		bool given, needed, legal;
	} keys[] = {
		{ "ranks", w->ranks, w->kind != RF_WORK_COMMAND, true },
		{ "steps", w->steps, w->kind != RF_WORK_COMMAND, true },
		{ "size", w->size, is_sized(w),
		  is_sized(w) || (w->parallel && !strcmp(w->parallel, "dp")) },
		{ "warmup", w->warmup, false, w->kind == RF_WORK_COLLECTIVE },
		{ "compute", w->compute_ns, false, w->kind != RF_WORK_COMMAND },
		{ "options", w->options, false, w->kind != RF_WORK_COMMAND },
		{ "rails", w->rails, false, w->kind != RF_WORK_COMMAND },
		{ "placement", w->placement.how, false, w->kind != RF_WORK_COMMAND },
		{ "failover", w->failover, false, w->kind == RF_WORK_COLLECTIVE },
	};
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (keys[i].needed && !keys[i].given)
			return rf_doc_refuse(doc, node, "workload: the key \"%s\" is missing",
					     keys[i].key);
		if (keys[i].given && !keys[i].legal)
			return rf_doc_refuse(doc, rf_doc_find(node, keys[i].key),
					     "workload: the key \"%s\" has no effect with %s; remove the key",
					     keys[i].key, w->collective);
	}
	if (w->failover && rf_workload_rails(w) == 1)
		return rf_doc_refuse(doc, rf_doc_find(node, "failover"),
				     "failover: no effect, because each rank has one node; add \"rails: 2\" to the workload");
	if (w->placement.how && rf_workload_rails(w) > 1)
		return rf_doc_refuse(doc, rf_doc_find(node, "placement"),
				     "placement: not possible with rails; rank r is on nodes 2r + 1 and 2r + 2");
	return 0;
}

static int check_workload_options(struct rf_doc *doc, struct rf_node *node,
				  const struct rf_workload *w)
{
	struct rf_why why;

	if (!w->options || !rf_options_check(w, &why))
		return 0;
	return rf_doc_refuse(doc, rf_doc_find(node, "options"), "options: %s",
			     why.text);
}

/**
 * rf_workload_check - check constraints between the keys of a workload
 * @doc: the document
 * @node: its mapping in the file
 * @w: the workload; its kind is set if it has none
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_workload_check(struct rf_doc *doc, struct rf_node *node,
		      struct rf_workload *w)
{
	int err = w->kind ? 0 : set_kind(doc, node, w);

	if (!err)
		err = check_keys(doc, node, w);
	return err ? err : check_workload_options(doc, node, w);
}

static int dup(char **to)
{
	if (!*to)
		return 0;
	*to = strdup(*to);
	return *to ? 0 : -ENOMEM;
}

/**
 * rf_workload_copy - copy a workload, except its processes, which both then have
 * @from: the workload
 * @to: the copy; the caller frees it, also after an error
 *
 * Return: 0, or -ENOMEM.
 */
int rf_workload_copy(const struct rf_workload *from, struct rf_workload *to)
{
	int err = 0;

	*to = *from;
	err |= dup(&to->name);
	err |= dup(&to->collective);
	err |= dup(&to->parallel);
	err |= dup(&to->options);
	err |= dup(&to->background);
	to->env = (struct rf_env){ };
	err |= rf_env_join(&to->env, from->env.v);
	return err ? -ENOMEM : 0;
}

/**
 * rf_workload_free - free the memory of a workload, except its processes
 * @w: the workload
 */
void rf_workload_free(struct rf_workload *w)
{
	free(w->name);
	free(w->collective);
	free(w->parallel);
	free(w->options);
	free(w->background);
	rf_env_free(&w->env);
	*w = (struct rf_workload){ };
}
